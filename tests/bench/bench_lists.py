#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Long lists as processes: a search in 55,000 events of vendors' tables, compared with /bin/true, after an import as users do it and
after one without libpfm4's names, and all 22,950 events of a Skylake-SP from all sources, compared with column(1) that lays out the
same rows by libsmartcols. The tables are those of tests/metrics, each event many times under other names.

    bench_lists.py PMUQ TABLES MACHINE FIND_WORDS [PAIRS]
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

from pairs import TRUE, measure

PAIRS = 40
EVENTS = 55_000


def more_events(tables):
    """Adds a directory of events of a CPU that is not here until there are 55,000."""
    paths = sorted(path for path in (tables / "x86").rglob("*.json") if path.parent.name != "x86")
    known = [event for path in paths for event in json.loads(path.read_text()) if "EventName" in event]
    made, lines = [], []
    for number in range(EVENTS - len(known)):
        event = known[number % len(known)]
        made.append({**event, "EventName": f"{event['EventName']}_{number:05}", "BriefDescription": f"{event.get('BriefDescription', '')} ({number})"})
    for number in range(0, len(made), 1000):
        directory = tables / f"x86/made{number // 1000}"
        directory.mkdir()
        (directory / "events.json").write_text(json.dumps(made[number:number + 1000]))
        lines.append(f"GenuineIntel-6-{0x1000 + number:X},v1,{directory.name},core\n")
    with open(tables / "x86/mapfile.csv", "a", encoding="ascii") as mapfile:
        mapfile.writelines(lines)


def main():
    if len(sys.argv) < 5:
        sys.exit("usage: bench_lists.py PMUQ TABLES MACHINE FIND_WORDS [PAIRS]")
    pmuq, tables, machine, find_words = sys.argv[1:5]
    pairs = int(sys.argv[5]) if len(sys.argv) > 5 else PAIRS
    column = shutil.which("column")
    if not column:
        sys.exit("bench_lists: column(1) is not installed (package bsdextrautils)")
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        with tarfile.open(tables) as archive:
            archive.extractall(directory / "arch")
        on_machine = [pmuq, "--db", f"{directory}/db", "--sysroot", machine]
        subprocess.run([pmuq, "--db", f"{directory}/few", "vendor", "import", directory / "arch"], stdout=subprocess.DEVNULL, check=True)
        more_events(directory / "arch")
        importing = [*on_machine[:3], "vendor", "import"]
        subprocess.run([*importing, "--no-libpfm4", directory / "arch"], stdout=subprocess.DEVNULL, check=True)
        measure(f"pmuq search l3 miss, {EVENTS:,} events, libpfm4 lists its names", [*on_machine, "search", "l3", "miss"], [TRUE], pairs)
        subprocess.run([*importing, directory / "arch"], stdout=subprocess.DEVNULL, check=True)
        for words in (["l3", "miss"], ["cycles"], ["retired", "loads"]):
            measure(f"pmuq search {' '.join(words)}, {EVENTS:,} events", [*on_machine, "search", *words], [TRUE], pairs)
        measure("SQLite alone finds l3 miss", [find_words, f"{directory}/db", "{name pmu} : l3* AND miss*"], [TRUE], pairs)
        every = [pmuq, "--db", f"{directory}/few", "--sysroot", machine, "list", "events", "--from", "all"]
        raw = subprocess.run([*every, "-r"], capture_output=True, text=True, check=True).stdout
        (directory / "rows").write_text(raw)
        measure(f"pmuq list events --from all, {raw.count(chr(10)):,} rows", every, [column, "-t", f"{directory}/rows"], pairs)


main()
