# SPDX-License-Identifier: MIT
"""The event strings of all cases and recordings."""
import collections
import json
import lzma
import os
import pathlib

TESTS = pathlib.Path(os.environ["PMUQ_TESTS"])


def strings_of_machines():
    """{machine: event strings}"""
    strings = collections.defaultdict(list)
    for path in sorted((TESTS / "cases").glob("*.case")):
        name = None
        for line in path.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word == "machine":
                name = rest
            elif word == "event":
                strings[name].append(rest)
    with lzma.open(TESTS / "oracle/machines-perf7.2.jsonl.xz", "rt") as lines:
        for row in map(json.loads, lines):
            strings[row["machine"]].append(row["input"])
    return strings
