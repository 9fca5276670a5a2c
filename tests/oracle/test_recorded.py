#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares `--dialect perf` with the recorded results of perf 7.2's parser for 28,000 strings.

A difference is a failure unless a row of docs/grammar.md explains it (judge.py). A recording's caveats are
its known limits (README.md here). With the arguments RECORDING and TREES it is that recording, of the machines in
the directory TREES."""
import sys
import tempfile

from results import PERF, encode, encode_stripped, recording, recordings
from judge import Judge, of_recording
from tap import Tap


def test_rows(tap, what, root, rows):
    rows = [of_recording(row) for row in rows]
    elements = encode(root, [row["input"] for row in rows], *PERF)
    stripped = encode_stripped(root, rows, elements)
    judge = Judge(root / "sys/bus/event_source/devices")
    differences = [(row["input"], difference) for i, (row, element) in enumerate(zip(rows, elements))
                   if (difference := judge.judge(row, element, stripped.get(i)))]
    tap.ok(len(elements) == len(rows) and not differences,
           f"{len(rows)} strings on {what} give perf's results", *differences[:5])


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as scratch:
        for what, root, rows in recording(*sys.argv[1:]) if sys.argv[1:] else recordings(scratch):
            test_rows(tap, what, root, rows)
    tap.finish()


main()
