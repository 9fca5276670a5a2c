#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs what scripts/test.sh has no time for: the walks over failures whole (every operation, every system call and every
# allocation fails once), all hostile names in all shells, a hundred kills of processes that push to a server, a million calls of
# the daemon, the tests of the suite `thorough`, and all commands under ASan and UBSan, whose leaks are searched for. Two hours.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
takes_no_arguments "$@"

# Unquoted on purpose: lists of names.
need_packages $build_packages $optional_packages $runtime_packages $test_packages
# What the suite `thorough` measures is of a build without other options.
build_in build --buildtype=release --werror -Dbenchmarks=true
# Each piece of an arena is an allocation.
build_in build-thorough --buildtype=release --werror -Dc_args=-DPQ_SEPARATE_BLOCKS "-Dmachines=$PWD/build/machines"
configure_for_sanitizers build-san false
compile_in build-san meson-test-prereq
export PMUQ_ALL_CALLS=1 PMUQ_KILLS=100
result=0

# tests_in DIR WORD...: a failure does not stop the others.
tests_in()
{
	dir=$1
	shift
	meson test -C "$dir" --print-errorlogs --timeout-multiplier 40 "$@" || result=1
}

tests_in build-thorough store_failures cli-failing-calls cli-memory memory_machines memory_check memory_parsers memory_strings \
	postgres-memory postgres-inbox api-compat service-memory cli-hostile-names-bash cli-hostile-names-zsh cli-hostile-names-fish cli-kill
tests_in build --suite thorough
tests_in build-san --suite output --suite cli --suite service --no-suite once
tests_in build-san recording
exit $result
