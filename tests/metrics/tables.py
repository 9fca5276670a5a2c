#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tables.py RECORDINGS ARCH OUT.tar.xz: the part of the kernel's pmu-events that recordings of perf's metrics need: formulas and codes,
without descriptions. ARCH is pmu-events/arch of the perf that was recorded, with the tables that perf's build generates
(*_metrics.py, make_legacy_cache.py)."""
import csv
import io
import json
import lzma
import pathlib
import re
import sys
import tarfile

RECORDINGS, ARCH, OUT = (pathlib.Path(word) for word in sys.argv[1:4])
#: Members that are prose, or that nothing here uses.
PROSE = {"BriefDescription", "PublicDescription", "Documentation", "SampleAfterValue", "Errata", "Speculative", "CollectPEBSRecord", "PEBScounters",
         "BriefDescript6ion"}
WORD = re.compile(r"[\w.\-%]+")


def words(text):
    """The names in a formula, in lower case."""
    found = WORD.findall(text.replace("\\", "").lower())
    return {*found, *(part for word in found for part in word.split("-"))}


def folder_of(cpuid):
    for table in sorted(ARCH.glob("*/mapfile.csv")):
        for row in csv.reader(table.open()):
            if len(row) < 4 or row[0].startswith("#") or row[3] != "core":
                continue
            for text in (cpuid, cpuid.rpartition("-")[0]):
                if re.fullmatch(row[0].replace("[:xdigit:]", "0-9a-fA-F"), text):
                    return table.parent, row
    return None, None


def name_of(metric):
    """A metric can change a standard one; but not an event."""
    return (metric.get("MetricName") or (metric.get("ArchStdEvent", "") if "MetricExpr" in metric else "")).lower()


def is_wanted(metric, selected):
    own = {name_of(metric), *metric.get("MetricGroup", "").lower().split(";")}
    return bool(own & selected)


def closure(metrics, selected):
    """The selected metrics, and those that their formulas name."""
    by_name = {}
    for one in metrics:
        by_name.setdefault(name_of(one), []).append(one)
    wanted = [one for one in metrics if is_wanted(one, selected)]
    seen, at = {id(one) for one in wanted}, 0
    while at < len(wanted):
        for word in words(wanted[at].get("MetricExpr", "") + " " + wanted[at].get("MetricThreshold", "")):
            for one in by_name.get(word, ()):
                if id(one) not in seen:
                    seen.add(id(one))
                    wanted.append(one)
        at += 1
    return seen, set().union(*(words(one.get("MetricExpr", "") + " " + one.get("MetricThreshold", "")) for one in wanted))


def main():
    recordings = [json.loads(line) for line in lzma.open(RECORDINGS, "rt")]
    selected, folders, rows = {}, {}, {}
    for one in recordings:
        base, row = folder_of(one["cpuid"])
        names = {item.split(":")[0].lower() for item in one["metric"].split(",")}
        selected.setdefault((base, row[2]) if base else None, set()).update(names)
        if base:
            rows.setdefault(base, {})[tuple(row)] = None
            folders[base, row[2]] = base / row[2]
    for base in rows:
        names = set().union(*(selected[key] for key in selected if key and key[0] == base))
        for folder in sorted(base.glob("**/sys")):
            selected[base, folder], folders[base, folder] = names, folder
    everything = set().union(*selected.values())
    folders["common"] = ARCH / "common" / "common"
    kept, needed = {}, set()
    for key, folder in folders.items():
        files = {path: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
        metrics = [one for content in files.values() if isinstance(content, list) for one in content if name_of(one)]
        metrics += [] if key == "common" else [one for path in key[0].glob("*.json") for one in json.loads(path.read_text()) if name_of(one)]
        seen, names = closure(metrics, everything if key == "common" else selected[key] | {"default"})
        needed |= names
        # A standard event can be a metric.
        kept[key] = files, seen, names | (everything if key == "common" else selected[key])
    with tarfile.open(OUT, "w:xz", preset=9) as tar:
        def add(path, text):
            info = tarfile.TarInfo(str(path.relative_to(ARCH)))
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))

        for base, lines in rows.items():
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(lines)
            add(base / "mapfile.csv", b"Family-model,Version,Filename,EventType\n" + text.getvalue().encode())
            for path in sorted(base.glob("*.json")):
                content = [one for one in json.loads(path.read_text())
                           if {one.get("EventName", "").lower(), one.get("MetricName", "").lower()} & (needed | everything)]
                add(path, json.dumps([{name: text for name, text in one.items() if name not in PROSE} for one in content]).encode())
        for key, (files, seen, names) in kept.items():
            for path, content in files.items():
                if not isinstance(content, list):
                    continue
                part = [{name: text for name, text in one.items() if name not in PROSE} for one in content
                        if id(one) in seen or one.get("EventName", one.get("ArchStdEvent", "")).lower() in names]
                if part:
                    add(path, json.dumps(part).encode())


main()
