#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The strings of perf's own tests, with the fields that those tests expect: both dialects must give them.

The older half is of perf 6.1; CHANGED contains the differences of 7.2."""
import pathlib
import re
import shutil
import tempfile

from results import encode, rows_of
from judge import fields
from tap import Tap
from trees import odd_trees, small_trees

# Fields that the parser no longer sets in 7.2, and fields that it never sets in the default dialect.
OF_OLD_GUESTS = ("exclude_guest", "exclude_host")
OF_SAMPLING = ("sample_period", "sample_type")
# 7.2 counts a raw event on one PMU; 6.1 counted it on each core PMU.
CHANGED = {("hyb", "r1a"): 1}
NAMES = {"bp_addr": "config1", "bp_len": "config2"}


def tree_of(row, scratch):
    """perf 7.2 prefers an event's file to a generic event, so most rows need a core PMU without files."""
    if row["kind"] == "alias" or "intel_pt" in row["event"]:
        return scratch / "sys"
    name = next((name for name in ("hyb", "tst") if re.match(rf"{name}\b", row["sysfs"])), "plain")
    return scratch / name


def differs(want, got, ignored):
    """Fields that differ from those of the test."""
    for name, value in want.items():
        have = got["attr"].get(NAMES.get(name, name), 0)
        if name in ignored or name.startswith(".") and name != ".name":
            continue
        if name == ".name":
            if got["name"] != value:
                yield f"name {got['name']}, not {value}"
        elif (have == 0) if value == "nonzero" else have != value:
            yield f"{name} {have}, not {value}"


def difference_of(row, element, ignored):
    if not element["ok"]:
        return element["error"]["message"]
    events = [{"attr": fields(e["attr"]), "name": e["name"]} for e in element["encodings"]]
    wanted = row["expect"].get("events", [])
    if row["expect"].get("all_entries"):
        wanted = wanted * len(events)
    count = CHANGED.get((row["sysfs"], row["event"]), row["expect"].get("nr_entries", len(events)))
    if count != len(events):
        return f"{len(events)} events, not {count}"
    wanted = wanted[:count]
    if len(events) < len(wanted):
        return f"{len(events)} events"
    return next((difference for want, got in zip(wanted, events) for difference in differs(want, got, ignored)), None)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        small_trees(scratch)
        odd_trees(scratch)
        shutil.copytree(scratch / "sys/sys/kernel", scratch / "plain/sys/kernel")
        rows = [row for row in rows_of("perf-tests.jsonl.xz") if row["kind"] != "terms"]
        for dialect in ("perf", "pmuq"):
            for row in rows:
                is_old = row["source"].startswith("6.1")
                ignored = (OF_OLD_GUESTS if is_old else ()) + (OF_SAMPLING if dialect == "pmuq" else ())
                element, = encode(tree_of(row, scratch), [row["event"]], "--dialect", dialect)
                difference = difference_of(row, element, ignored)
                tap.ok(not difference, f"{row['event']} in the dialect {dialect} gives the fields of {row['source'][:5]}", difference or "")
    tap.finish()


main()
