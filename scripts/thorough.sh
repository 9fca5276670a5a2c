#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the walks over failures whole: every operation, every system call and every allocation fails once. scripts/test.sh
# takes a part of them. Some minutes.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
takes_no_arguments "$@"

# Unquoted on purpose: lists of names.
need_packages $build_packages $optional_packages $runtime_packages $test_packages
# Each piece of an arena is an allocation.
build_in build-thorough --buildtype=release --werror -Dc_args=-DPQ_SEPARATE_BLOCKS "-Dmachines=$PWD/build/machines"
PMUQ_ALL_CALLS=1 exec meson test -C build-thorough --print-errorlogs --timeout-multiplier 6 store_failures \
	cli-failing-calls cli-memory memory_machines memory_parsers memory_strings
