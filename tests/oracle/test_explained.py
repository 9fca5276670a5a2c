#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""For every recorded string the fold of explain's assignments is the attr: in both dialects, with each preset and without,
and with the recorded tables of CPUs. `explained` (explained.c) encodes the strings and compares."""
import os
import pathlib
import subprocess
import tempfile

from results import recordings, rows_of
from tap import MACHINES, Tap, pmuq
from test_presets import RECORDED as PRESETS
from test_vendors import RECORDED as VENDORS, read_recording
from vendors import write_tree

EXPLAINED = os.environ["PMUQ_EXPLAINED"]


def check(tap, what, pairs, *words):
    """Compares `pairs` of a tree and a string."""
    pairs = [pair for pair in pairs if "\n" not in pair[1]]
    lines = "".join(f"{tree}\t{text}\n" for tree, text in pairs)
    done = subprocess.run([EXPLAINED, *words], input=lines, text=True, capture_output=True, check=False)
    *failures, last = done.stdout.splitlines() or [""]
    tap.same((done.returncode, failures[:5]), (0, []), f"{what}: the fold of the assignments of {last} is the attr")
    tap.ok(last.startswith(f"{len(pairs)} strings, "), f"{what}: every string was encoded", last)


def of_vendors(tap, scratch):
    tables, rows = read_recording(VENDORS)
    database, tree = scratch / "db", scratch / "arch"
    write_tree(tree, tables.values())
    tap.same(pmuq("--db", str(database), "vendor", "import", "--no-libpfm4", str(tree)).status, 0, "the tables are imported")
    for cpuid, table in tables.items():
        check(tap, table.folder, [(MACHINES / table.machine, row["input"]) for row in rows[cpuid]], str(database), cpuid)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for what, root, rows in recordings(scratch):
            check(tap, what, [(root, row["input"] if "input" in row else row["event"]) for row in rows])
        check(tap, "the recording of presets has rows", [(MACHINES / row["machine"], row["input"]) for row in rows_of(PRESETS.name)])
        of_vendors(tap, scratch)
    tap.finish()


main()
