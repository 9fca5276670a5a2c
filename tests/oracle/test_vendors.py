#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares `--vendor` in the dialect perf with the recorded results of perf 7.2 for the events of its tables of CPUs,
from tables of the same facts.

A difference is a failure unless a row of docs/grammar.md explains it (judge.py). With --tables the tables are those
of that directory (the kernel's pmu-events/arch of the version that was recorded) instead of the recorded ones."""
import argparse
import pathlib
import tempfile

from results import rows_of
from judge import Judge, of_recording
from tap import MACHINES, Tap, pmuq
from vendors import CPUS, Table, write_tree

RECORDED = "vendors-perf7.2.jsonl.xz"
# As many strings as fit a command line, on machines with many instances.
STRINGS_MAX = 300


def read_recording(name):
    """The tables and the rows of results by CPUID."""
    tables, rows = {}, {}
    for row in rows_of(name):
        if "elements" in row:
            table = Table.of_row(row)
            tables[table.cpuid], rows[table.cpuid] = table, []
        else:
            rows[row["cpuid"]].append(row)
    return tables, rows


def encode(database, table, texts):
    found = []
    for at in range(0, len(texts), STRINGS_MAX):
        found += pmuq("--sysroot", str(MACHINES / table.machine), "--db", str(database), "encode", "--vendor", table.cpuid,
                      "--dialect", "perf", "--no-open", "--jsonl", "--", *texts[at:at + STRINGS_MAX]).lines
    return found


def is_from_tables(element):
    return element["ok"] and any(encoding["source"] == "json" for encoding in element["encodings"])


def test_cpu(tap, database, table, rows):
    dead = [row["input"] for row in rows if "crashed" in row]
    rows = [of_recording(row) for row in rows if "crashed" not in row]
    elements = encode(database, table, [row["input"] for row in rows])
    judge = Judge(MACHINES / table.machine / "sys/bus/event_source/devices")
    differences = [(row["input"], difference) for row, element in zip(rows, elements) if (difference := judge.judge(row, element))]
    names = set(table.names())
    elsewhere = [row["input"] for row, element in zip(rows, elements)
                 if row["accepted"] and row["input"] in names and not is_from_tables(element)]
    tap.same(dead, [], f"{table.folder}: perf has a result for every recorded string")
    tap.same(elsewhere, [], f"{table.folder}: perf's results come from the tables")
    tap.ok(len(elements) == len(rows) and rows and not differences,
           f"{table.folder} on {table.machine}: {len(rows)} strings over {len(names)} events give perf's results",
           f"{len(differences)} differ", *differences[:10])


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=pathlib.Path)
    parser.add_argument("recording", nargs="?", default=RECORDED)
    options = parser.parse_args()
    tap = Tap()
    tables, rows = read_recording(options.recording)
    with tempfile.TemporaryDirectory() as scratch:
        database, tree = pathlib.Path(scratch) / "db", pathlib.Path(scratch) / "arch"
        write_tree(tree, tables.values())
        result = pmuq("--db", str(database), "vendor", "import", "--no-libpfm4", str(options.tables or tree))
        tap.same(result.status, 0, "the tables are imported", result.stderr)
        if options.recording == RECORDED:
            tap.same(list(tables), [cpu[3] for cpu in CPUS], "every CPU was recorded")
        for cpuid, table in tables.items():
            test_cpu(tap, database, table, rows[cpuid])
    tap.finish()


if __name__ == "__main__":
    main()
