#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh MINUTES [TARGET...]: runs fuzz targets (all, if none is named), one after the other, each for so
# long, and says what each did. What they learn stays in build-fuzz/corpus for the next time; an input that
# breaks something stays in build-fuzz/crashes, and fails the run.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

case ${1:-} in
'' | *[!0-9]*)
	say "usage: sh scripts/fuzz.sh MINUTES [TARGET...]"
	exit 2
	;;
esac
seconds=$(($1 * 60))
shift

# The word splitting is meant: lists of names.
need_packages $build_packages $test_packages
build_fuzzers
data=build-fuzz/tests/fuzz
[ $# -gt 0 ] || set -- $(cd "$data/corpus" && echo *)
mkdir -p build-fuzz/logs

status=0
for target; do
	python3 tests/fuzz/run.py --seconds "$seconds" --corpus "build-fuzz/corpus/$target" --crashes build-fuzz/crashes \
		--log "build-fuzz/logs/$target.log" "$data/fuzz_$target" "$data" || status=1
done
exit "$status"
