#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints meson's log of benchmarks: the output of each; after several runs of a benchmark, for each of its lines the median of pmuq's
and the peer's figures, and the least, median and greatest ratio.

    show_log.py LOG.json
"""
import json
import re
import statistics
import sys

# What, ours, the peer's, the ratio; some add the CPU time.
LINE = re.compile(r"(.+?)\s+([0-9.]+) (\S+)\s+([0-9.]+) \S+\s+([0-9.]+)(?:\s+\(.*\))?")


def show_spread(outputs):
    found = {}
    for output in outputs:
        for line in output.splitlines():
            match = LINE.fullmatch(line)
            if match:
                name, ours, unit, peer, ratio = match.groups()
                found.setdefault(name, []).append((float(ours), float(peer), float(ratio), unit))
    for name, runs in found.items():
        ours, peer, ratio = (statistics.median(run[i] for run in runs) for i in range(3))
        ratios = [run[2] for run in runs]
        print(f"{name:<58} {ours:10.1f} {runs[0][3]} {peer:10.1f} {runs[0][3]} {min(ratios):7.2f} {ratio:7.2f} {max(ratios):7.2f}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as log:
        runs = [json.loads(line) for line in log]
    for name in dict.fromkeys(run["name"] for run in runs):
        of = [run for run in runs if run["name"] == name]
        outputs = [run.get("stdout", "") for run in of]
        print(f"== {name}: {', '.join(dict.fromkeys(run['result'] for run in of))}")
        if len(of) > 1:
            show_spread(outputs)
        else:
            print(outputs[0].rstrip())
        print()


main()
