#!/bin/sh
# SPDX-License-Identifier: MIT
# coverage.sh [-v]: runs the suites in a build for gcov and prints the lines and branches that ran, by module. -v also
# prints the branches that did not run. The exit status is 1 if a test fails or a module misses its aim (coverage.py).
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# Unquoted on purpose: lists of names.
need_packages $build_packages $optional_packages $runtime_packages $test_packages
export GCOV_ERROR_FILE=/dev/null # tests that compare stderr run as users that may not write into the build
build=build-coverage
build_in $build --buildtype=debug -Db_coverage=true -Dc_args=-fprofile-update=atomic "-Dmachines=$PWD/build/machines"

# The counters of the last run.
find $build -name '*.gcda' -delete
status=0
# gcov's own memory counts in the suite `memory`, which has limits of memory and failures of allocations, and programs of others do not
# link it (the suite `install`).
quietly meson test -C $build --no-rebuild --no-suite house --no-suite memory --no-suite install --timeout-multiplier 6 || status=1
python3 scripts/coverage.py $build "$@" || status=1
exit $status
