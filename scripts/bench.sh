#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh [BENCH...]: builds a release, runs these benchmarks (tests/bench/meson.build) or all of them, and prints pmuq's
# time, the peer's time and their ratio. docs/benchmarks.md explains the ratios. On a busy machine the times change, the
# ratios hardly.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# Unquoted on purpose: lists of names.
need_packages $build_packages $runtime_packages $bench_packages
build_in build --buildtype=release -Dbenchmarks=true

# meson runs benchmarks one at a time, and writes their output to the log.
status=0
quietly meson test -C build --benchmark --logbase benchmarklog "$@" || status=$?
python3 - build/meson-logs/benchmarklog.json <<'END'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as log:
    for line in log:
        bench = json.loads(line)
        print(f"== {bench['name']}: {bench['result']}", bench.get("stdout", "").rstrip(), "", sep="\n")
END
exit "$status"
