#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every test: builds with gcc and clang without a warning, runs all suites as a release and under ASan and
# UBSan, threads under TSan, each fuzz target for seconds, and some commands under valgrind. The last line is
# "N passed, N failed, N skipped"; the exit status is not 0 if any test failed.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
takes_no_arguments "$@"

# Unquoted on purpose: lists of names.
need_packages $build_packages $optional_packages $runtime_packages $test_packages
machines=$PWD/build/machines
steps_passed=0
steps_failed=0
reports=

# Prints a new directory in memory, like /tmp, if there is space and programs may run there: tests copy trees of thousands of
# files, and make databases that are synced.
directory_in_memory()
{
	[ "$(df -Pk /dev/shm 2>/dev/null | awk 'END { print $4 + 0 }')" -ge 2000000 ] || return 1
	directory=$(mktemp -d /dev/shm/pmuq-XXXXXX) || return 1
	chmod 1777 "$directory"
	printf '#!/bin/sh\n' >"$directory/runs" && chmod +x "$directory/runs" && "$directory/runs" 2>/dev/null && echo "$directory" && return
	rm -rf "$directory"
	return 1
}

# step NAME COMMAND...: runs a step, which passes or fails as a whole.
step()
{
	name=$1
	shift
	if "$@"; then
		report "ok      $name"
		steps_passed=$((steps_passed + 1))
	else
		report "FAILED  $name"
		steps_failed=$((steps_failed + 1))
	fi
}

# Tests of tracepoints need tracefs. If it is not mounted, root mounts it in a namespace of the tests.
with_tracepoints()
{
	tracing=/sys/kernel/tracing
	if [ -d $tracing/events ] || ! unshare -m mount -t tracefs tracefs $tracing 2>/dev/null; then
		"$@"
	else
		unshare -m sh -c 'mount -t tracefs tracefs "$0" && exec "$@"' $tracing "$@"
	fi
}

# tests_in DIR PROCESSES [MESON OPTION...]: runs tests, as many at once; the last step counts the cases in the reports. The step also fails
# if a test crashed before it reported a case.
tests_in()
{
	dir=$1
	processes=$2
	shift 2
	result=0
	rm -f "$dir/meson-logs/testlog.junit.xml"
	quietly with_tracepoints meson test -C "$dir" --print-errorlogs --timeout-multiplier 6 \
		--num-processes "$processes" "$@" || result=1
	[ -f "$dir/meson-logs/testlog.junit.xml" ] || return 1
	reports="$reports $dir/meson-logs/testlog.junit.xml"
	return $result
}

# TSan cannot be combined with other sanitizers, so it has its own build. GCC's TSan ignores fences; pmuq does not use
# them between threads.
configure_for_threads()
{
	configure_in build-threads --werror -Doptimization=0 -Ddebug=false -Db_sanitize=thread "-Dc_args=-Wno-tsan -g1" \
		"-Dmachines=$machines"
}

# Valgrind alone finds memory that is read before it is written. The last commands fail: their database has no vendor's table.
under_valgrind()
{
	directory=$(mktemp -d)
	captured="--sysroot $machines/skylake-sp"
	stored="--db $directory/db --host valgrind"
	for command in "$captured list -J" "$captured list events" \
		"$captured encode --no-open --jsonl msr/tsc/ {cycles,instructions}:u uncore_imc/cas_count_read/" \
		"$captured --db $directory/db scan --name valgrind" "--db $directory/db hosts" "$stored list -J" \
		"$stored search cycles" "$stored show nope" "$stored list metrics" "$stored list metricgroups" "$stored metric IPC"; do
		# Unquoted on purpose: the words of a command line.
		valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
			build/cli/pmuq $command >"$directory/output" 2>&1 || [ $? -eq 1 ] || {
			cat "$directory/output" >&2
			return 1
		}
	done
	rm -r "$directory"
}

configurations=
memory=
trap 'exit 1' INT TERM
trap '[ -z "$configurations" ] || kill $configurations 2>/dev/null; [ -z "$memory" ] || rm -rf "$memory"' EXIT
if memory=$(directory_in_memory); then
	export TMPDIR="$memory"
fi
# To configure takes one CPU, and much of it is waiting: meanwhile the first build compiles.
configure_for_sanitizers build-san false &
sanitizers=$!
configure_for_threads &
threads=$!
configurations="$sanitizers $threads"
step 'build (gcc)' build_in build --buildtype=release --werror -Dbenchmarks=false
step 'configure (clang, sanitizers and fuzz targets)' wait $sanitizers
step 'configure (threads)' wait $threads
configurations=
step 'build (clang, sanitizers and fuzz targets)' compile_in build-san meson-test-prereq
step 'build (threads)' compile_in build-threads tests/unit/test_threads
# Some tests wait. Programs with sanitizers do not, and new pages, which they need many of, are slower for three at once.
step 'suites' tests_in build $(($(nproc) + 1)) --no-rebuild --no-suite thorough
# With the fuzz targets, and without the suite `once`: tests of headers, pages, shells and recordings, which find no errors of
# memory. scripts/thorough.sh runs the suite `output`.
step 'suites (sanitizers)' tests_in build-san "$(nproc)" --no-rebuild --no-suite once --no-suite output
step 'threads' tests_in build-threads 1 --no-rebuild --suite threads
step 'valgrind' under_valgrind

# Unquoted on purpose: paths of reports.
python3 scripts/summary.py "$steps_passed" "$steps_failed" $reports
