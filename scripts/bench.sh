#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds as released and prints what every bench measures: ours, the peer's, and their ratio. Ratios are
# what docs/benchmarks.md speaks of; a busy machine moves the figures beside them.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

# The word splitting is meant: lists of names.
need_packages $build_packages $runtime_packages $bench_packages
build_in build --buildtype=release

# One at a time, as meson runs benchmarks; what each has printed stands in the log.
status=0
quietly meson test -C build --benchmark --logbase benchmarklog || status=$?
python3 - build/meson-logs/benchmarklog.json <<'END'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as log:
    for line in log:
        bench = json.loads(line)
        print(f"== {bench['name']}: {bench['result']}", bench.get("stdout", "").rstrip(), "", sep="\n")
END
exit "$status"
