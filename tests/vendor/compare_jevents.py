#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares an import of a kernel's event tables with the tables that the kernel's own perf compiles in.

    compare_jevents.py PMUQ PMU-EVENTS [ARCH-TREE]

PMU-EVENTS is tools/perf/pmu-events of a kernel's source, whose jevents.py makes the tables of its perf;
ARCH-TREE another kernel's arch directory, to be read by the same rules. Every field of every event must be
the same; prints the differences and a count. Not a test of the suite: it needs a kernel's source."""
import importlib
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
EVENTS = """SELECT arch, path, pmu, name, compat, terms, topic, description, long_description, unit, scale,
    is_per_pkg, is_deprecated FROM vendor_folder JOIN vendor_event USING (vendor_set)
    JOIN vendor_text ON vendor_text.id = text"""


class NoMetric:
    """pmuq stores metrics as text, so they are not compared."""
    def Simplify(self):
        return self

    def ToPerfJson(self):
        return ""


def load(pmu_events):
    sys.path.insert(0, str(pmu_events))
    jevents = importlib.import_module("jevents")
    jevents.metric.ParsePerfJson = lambda text: NoMetric()
    jevents.metric.RewriteMetricsInTermsOfOthers = lambda metrics: None
    return jevents


def imported(pmuq, tree):
    with tempfile.TemporaryDirectory() as directory:
        db = f"{directory}/compare.db"
        subprocess.run([pmuq, "--db", db, "vendor", "import", "--no-libpfm4", tree], check=True)
        with sqlite3.connect(db) as connection:
            return {row[:5]: row[5:] for row in connection.execute(EVENTS)}


def plain(text):
    """The text without the escapes that jevents.py adds for C."""
    return (text or "").replace("\\n", "\n").replace('\\"', '"').replace("\\r", "\r")


def fields(event):
    measure = NUMBER.match(event.unit or "")
    return (event.event, event.topic, plain(event.desc), plain(event.long_desc),
            event.unit[measure.end():] if measure else None, measure.group() if measure else None,
            int(event.perpkg == "1"), int(event.deprecated == "1"))


def compiled(jevents, tree):
    for arch in sorted(path for path in tree.iterdir() if path.is_dir() and path.name != "test"):
        jevents._arch_std_events = {}
        jevents.preprocess_arch_std_files(str(arch))
        for file in sorted(arch.glob("*/**/*.json")):
            if file.name.endswith("metricgroups.json"):
                continue
            for event in jevents.read_json_events(str(file), jevents.get_topic(file.name)):
                if event.name:
                    yield (arch.name, str(file.parent.relative_to(arch)), event.pmu, event.name,
                           event.compat or ""), fields(event)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    pmu_events = pathlib.Path(sys.argv[2]).resolve()
    tree = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) == 4 else pmu_events / "arch"
    ours = imported(sys.argv[1], tree)
    count = different = 0
    for key, want in compiled(load(pmu_events), tree):
        got = ours.pop(key, None)
        count += 1
        if got != want:
            different += 1
            print(*key, f"\n  pmuq {got}\n  perf {want}")
    print(f"{count} events, {different} differ, {len(ours)} are pmuq's alone")
    sys.exit(bool(different or ours))


main()
