#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh [-r RUNS] [BENCH...]: builds a release, runs these benchmarks (tests/bench/meson.build) or all of them, and prints pmuq's
# time, the peer's time and their ratio; with -r, of RUNS runs the medians, and the least, median and greatest ratio.
# docs/benchmarks.md explains the ratios. On a busy machine the times change, the ratios hardly.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
runs=1
if [ "${1-}" = -r ]; then
	runs=$2
	shift 2
fi

# Unquoted on purpose: lists of names.
need_packages $build_packages $runtime_packages $bench_packages
build_in build --buildtype=release -Dbenchmarks=true

# meson runs benchmarks one at a time, and writes their output to the log.
status=0
quietly meson test -C build --benchmark --logbase benchmarklog --repeat "$runs" "$@" || status=$?
python3 tests/bench/show_log.py build/meson-logs/benchmarklog.json
exit "$status"
