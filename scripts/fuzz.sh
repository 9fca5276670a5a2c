#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh MINUTES [TARGET...]: runs the named fuzz targets (default: all), one after the other, each for MINUTES,
# and prints what each did. The next run continues with the inputs in build-fuzz/corpus. An input that causes
# a failure is kept in build-fuzz/crashes, and the exit status is 1.
# fuzz.sh keep [TARGET...]: stores the few inputs that reach as much as all of them in tests/fuzz/corpus.tar.xz.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

case ${1:-} in
keep) ;;
'' | *[!0-9]*)
	report "usage: sh scripts/fuzz.sh MINUTES|keep [TARGET...]"
	exit 2
	;;
esac
what=$1
shift

# Unquoted on purpose: lists of names.
need_packages $build_packages $test_packages
configure_for_sanitizers build-fuzz true
compile_in build-fuzz fuzzers cli/pmuq
[ "$what" != keep ] || exec python3 tests/fuzz/corpus.py build-fuzz "$@"
seconds=$((what * 60))
data=build-fuzz/tests/fuzz
[ $# -gt 0 ] || set -- $(cd "$data/corpus" && echo *)
mkdir -p build-fuzz/logs

status=0
for target; do
	python3 tests/fuzz/run.py --seconds "$seconds" --corpus "build-fuzz/corpus/$target" --crashes build-fuzz/crashes \
		--log "build-fuzz/logs/$target.log" "$data/fuzz_$target" "$data" || status=1
done
exit "$status"
