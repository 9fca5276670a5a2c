#!/bin/sh
# SPDX-License-Identifier: MIT
# Every test: gcc and clang without a warning, all suites as released and under ASan and UBSan, many threads under
# TSan, a few seconds of each fuzz target, a few commands under valgrind. Ends with "N passed, N failed, N skipped", and
# fails if any did.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# The word splitting is meant: lists of names.
need_packages $build_packages $optional_packages $runtime_packages $test_packages
machines=$PWD/build/machines
steps_passed=0
steps_failed=0
reports=

# step NAME COMMAND...: one more thing that passes or fails as a whole.
step()
{
	name=$1
	shift
	if "$@"; then
		say "ok      $name"
		steps_passed=$((steps_passed + 1))
	else
		say "FAILED  $name"
		steps_failed=$((steps_failed + 1))
	fi
}

# Tests that ask the kernel for tracepoints skip that where tracefs is not mounted: for root it is, for these alone.
with_tracepoints()
{
	tracing=/sys/kernel/tracing
	if [ -d $tracing/events ] || ! unshare -m mount -t tracefs tracefs $tracing 2>/dev/null; then
		"$@"
	else
		unshare -m sh -c 'mount -t tracefs tracefs "$0" && exec "$@"' $tracing "$@"
	fi
}

# tests_in DIR [MESON OPTION...]: runs them; the cases are counted from the report at the end. The step fails
# with any of them: a test that crashed may have no case to show for it.
tests_in()
{
	dir=$1
	shift
	result=0
	rm -f "$dir/meson-logs/testlog.junit.xml"
	quietly with_tracepoints meson test -C "$dir" --print-errorlogs --timeout-multiplier 6 "$@" || result=1
	[ -f "$dir/meson-logs/testlog.junit.xml" ] || return 1
	reports="$reports $dir/meson-logs/testlog.junit.xml"
	return $result
}

# One program, since that sanitizer goes with no other. GCC's does not know fences, which nothing here shares.
build_for_threads()
{
	configure_in build-threads --werror -Db_sanitize=thread -Dc_args=-Wno-tsan "-Dmachines=$machines" || return 1
	quietly ninja -C build-threads tests/unit/test_threads
}

under_valgrind()
{
	tree=$machines/skylake-sp
	for command in "list -J" "list events" "encode --no-open --jsonl msr/tsc/ {cycles,instructions}:u" \
		"encode --no-open uncore_imc/cas_count_read/"; do
		# The word splitting is meant: the words of a command line.
		quietly valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
			build/cli/pmuq --sysroot "$tree" $command || return 1
	done
}

step 'build (gcc)' build_in build --buildtype=release --werror
step 'build (gcc, sanitizers)' build_in build-san --werror -Db_sanitize=address,undefined \
	-Dc_args=-fno-sanitize-recover=all "-Dmachines=$machines"
step 'build (clang, fuzz targets)' build_fuzzers
step 'build (threads)' build_for_threads
step 'suites' tests_in build
# But for those whose subject is no memory of ours: headers, pages, shells, time, what perf says.
step 'suites (sanitizers)' tests_in build-san --no-suite once
step 'fuzz targets' tests_in build-fuzz --no-rebuild --suite fuzz
step 'threads' tests_in build-threads --no-rebuild --suite threads
step 'valgrind' under_valgrind

# The word splitting is meant: paths of reports.
exec python3 scripts/summary.py "$steps_passed" "$steps_failed" $reports
