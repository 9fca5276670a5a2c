#!/bin/sh
# SPDX-License-Identifier: MIT
# cpus.sh [BUILD [MACHINE...]]: runs the tests of units, of the command and of the library in BUILD (default: build) with the
# /proc/cpuinfo of other machines of tests/machines, because no test may depend on the CPU that it runs on.
# Needs root, for a mount. TESTS='NAME...' before it limits the tests.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

build=${1:-build}
[ $# -eq 0 ] || shift
# Two vendors, an old and a new CPU, one that libpfm4 does not know, and another architecture.
[ $# -gt 0 ] || set -- skylake-sp amd-fam15h-bulldozer zen4-epyc-k6.12 unknown-intel arm64-biglittle
machines=$(meson introspect --buildoptions "$build" |
	python3 -c 'import json, sys; print(next(row["value"] for row in json.load(sys.stdin) if row["name"] == "machines"))')
machines=${machines:-$(cd "$build" && pwd)/machines}
tests=${TESTS:---suite unit --suite cli --suite api --no-suite once}

# with_cpu CPUINFO COMMAND...: other processes keep their /proc/cpuinfo.
with_cpu()
{
	unshare -m sh -c 'mount --bind "$0" /proc/cpuinfo && exec "$@"' "$@"
}

quietly ninja --quiet -C "$build" meson-test-prereq
status=0
for machine; do
	# Unquoted on purpose: a list of words.
	if quietly with_cpu "$machines/$machine/proc/cpuinfo" \
		meson test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier 6 $tests; then
		report "ok      $machine"
	else
		report "FAILED  $machine"
		status=1
	fi
done
exit $status
