#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints meson's log of benchmarks: the output of each. After several runs of a benchmark, for each of its lines the median of each
figure; and then the least, the median and the greatest value of the last one, which is the ratio if there is one.

    show_log.py LOG.json
"""
import collections
import json
import re
import statistics
import sys

# What; two blanks; its figures, each with a unit or without; some add a remark. One figure without a unit needs one blank.
FIGURE = r"-?[0-9][0-9.,]*(?: [A-Za-z/]\S*)?"
LINE = re.compile(rf"(.*?\S)(?:\s\s+({FIGURE}(?:\s+{FIGURE})*)|\s([0-9.]+))(?:\s+\(.*\))?")


def figures(text):
    """Pairs of a number and its unit, or ""."""
    for figure in re.findall(FIGURE, text):
        number, _, unit = figure.partition(" ")
        yield float(number.replace(",", "")), unit


def show_spread(outputs):
    found = {}
    for output in outputs:
        lines = collections.Counter()
        for line in output.splitlines():
            match = LINE.fullmatch(line.rstrip())
            if match:
                lines[match[1]] += 1
                found.setdefault((match[1], lines[match[1]]), []).append(list(figures(match[2] or match[3])))
    for (name, _), runs in found.items():
        medians = [(statistics.median(run[i][0] for run in runs), runs[0][i][1]) for i in range(len(runs[0]))]
        last = [run[-1][0] for run in runs]
        print(f"{name:<58}", *(f"{number:10.10g} {unit:<4}" for number, unit in medians[:-1] or medians),
              f"{min(last):10.10g} {statistics.median(last):10.10g} {max(last):10.10g}")


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
