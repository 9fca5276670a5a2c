#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares `pmuq vendor import` of the kernel's whole pmu-events/arch with the tables that the source's own
generator (jevents.py, run here) compiles into perf: PMU, terms, scale, unit and flags of each event.

    PMUQ=build/cli/pmuq compare_jevents.py linux/tools/perf/pmu-events

Not a test of the suite: it needs the kernel's source. Prints the differences by type; the exit status is 1 for all but
events that the import left out and reported."""
import bisect
import collections
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

SHOWN_MAX = 8
OFFSET = re.compile(r"/\* offset=(\d+) \*/")
EVENTS = re.compile(r"static const struct compact_pmu_event (\w+)\[\] = \{")
ENTRY = re.compile(r"\s*\{ (\d+) \},")
TABLE = re.compile(r"static const struct pmu_table_entry pmu_events__(\w+)\[\] = \{")
ENTRIES = re.compile(r"\s*\.entries = (\w+),")
PMU = re.compile(r"\s*\.pmu_name = \{ \d+ /\* (.*)\\000 \*/ \}")


class Strings:
    """The generated string of all events: one event may be the end of another."""

    def __init__(self, lines):
        self.by_offset = {}
        for line, following in zip(lines, lines[1:]):
            if found := OFFSET.match(line):
                text = following.strip().removeprefix('"').rstrip(";").removesuffix('"').replace('\\"', '"')
                self.by_offset[int(found[1])] = text.replace("\\\\", "\\").replace("\\000", "\0").replace("\\n", "\n")
        self.starts = sorted(self.by_offset)

    def fields(self, offset):
        start = self.starts[bisect.bisect_right(self.starts, offset) - 1]
        text = self.by_offset[start].encode()[offset - start:].decode(errors="replace")
        name, _topic, _text, terms, compat, rest = text.split("\0")[:6]
        # Two digits of flags, then scale and unit.
        return name, terms, compat, rest[0], rest[1], rest[2:]


def read_generated(lines):
    """The events by folder: (pmu, name) and encoding."""
    strings, events, folders, current, entries = Strings(lines), {}, {}, None, None
    for line in lines:
        if found := EVENTS.match(line):
            current = events.setdefault(found[1], [])
        elif found := TABLE.match(line):
            current = folders.setdefault(found[1], {})
        elif isinstance(current, list) and (found := ENTRY.match(line)):
            current.append(int(found[1]))
        elif isinstance(current, dict) and (found := ENTRIES.match(line)):
            entries = events[found[1]]
        elif isinstance(current, dict) and (found := PMU.match(line)):
            for name, *rest in map(strings.fields, entries):
                current[found[1], name] = tuple(rest)
        elif line.startswith("}"):
            current = None
    return folders


def read_imported(database):
    """The events of the database, with the generator's names of folders."""
    store = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    store.text_factory = str
    folders = {}
    for path, number in store.execute("SELECT path, vendor_set FROM vendor_folder").fetchall():
        rows = store.execute("SELECT pmu, name, terms, compat, is_deprecated, is_per_pkg, scale, unit FROM vendor_event "
                             "JOIN vendor_text ON text = vendor_text.id WHERE vendor_set = ?", (number,))
        folder = folders.setdefault(re.sub(r"\W", "_", path), {})
        for pmu, name, terms, compat, is_deprecated, is_per_pkg, scale, unit in rows:
            folder[pmu, name] = (terms, compat, str(is_deprecated), str(is_per_pkg), (scale or "") + (unit or ""))
    problems = " ".join(message for message, in store.execute("SELECT message FROM vendor_problem"))
    return folders, problems


def same_folder(generated, imported):
    """The imported folder of a generated table's name, with or without its architecture."""
    return next((name for name in imported if name == generated or name.endswith(f"_{generated}")), None)


def compare(theirs, ours, problems):
    """(outcome, details) of every event."""
    for folder, events in sorted(theirs.items()):
        if folder.startswith("test_"):
            continue
        own = ours.get(same_folder(folder, ours), {})
        for key in sorted(events.keys() | own.keys()):
            want, got = events.get(key), own.get(key)
            outcome = "same" if want == got else "differs" if want and got else "too many" if got else \
                "left out and reported" if f"'{key[1]}'" in problems else "missing"
            yield outcome, (folder, key, want, got)


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        database = pathlib.Path(scratch) / "db"
        subprocess.run([os.environ["PMUQ"], "--db", database, "vendor", "import", "--no-libpfm4", source / "arch"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ours, problems = read_imported(database)
    done = subprocess.run([sys.executable, source / "jevents.py", "all", "all", source / "arch", "-"], check=True,
                          stdout=subprocess.PIPE)
    outcomes = collections.Counter()
    theirs = read_generated(done.stdout.decode(errors="replace").splitlines())
    for outcome, what in compare(theirs, ours, problems):
        outcomes[outcome] += 1
        if outcome != "same" and outcomes[outcome] <= SHOWN_MAX:
            print(outcome, *what)
    print(", ".join(f"{outcome}: {count}" for outcome, count in sorted(outcomes.items())))
    sys.exit(not outcomes["same"] or any(outcomes[outcome] for outcome in ("differs", "missing", "too many")))


if __name__ == "__main__":
    main()
