#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kill -9 at 50 random moments of a scan, and as many of an import (200 in scripts/thorough.sh): the database opens each time, and
contains all or nothing of each. PMUQ_TEST_SEED repeats a run."""
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

from tap import IS_THOROUGH, PMUQ, Tap, machine, pmuq

KILLS = 200 if IS_THOROUGH else 50
TREES = ("skylake-sp", "icelake-sp-k6.12")
HOSTS = 60

tap = Tap()
directory = tempfile.TemporaryDirectory()
HERE = pathlib.Path(directory.name)
SEED = os.environ.get("PMUQ_TEST_SEED", str(random.SystemRandom().randrange(1 << 32)))
chance = random.Random(SEED)
print(f"# PMUQ_TEST_SEED={SEED}")


def run(words):
    return subprocess.Popen([PMUQ, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def time_of(*many):
    """The usual duration of one command in seconds."""
    times = []
    for i in range(6):
        start = time.monotonic()
        run(many[i % len(many)]).wait()
        times.append(time.monotonic() - start)
    return sorted(times)[len(times) // 2]


def kill_somewhere(words, usual):
    """Whether the command was killed before it had ended."""
    child = run(words)
    time.sleep(chance.uniform(0, usual))
    child.send_signal(signal.SIGKILL)
    return child.wait() == -signal.SIGKILL


def damage(path):
    """The errors that SQLite finds after it has read the log, and the numbers of hosts and snapshots."""
    with sqlite3.connect(path) as store:
        found = [row[0] for row in store.execute("PRAGMA integrity_check") if row[0] != "ok"]
        found += [f"foreign key: {row}" for row in store.execute("PRAGMA foreign_key_check")]
        found += [f"a layout without PMUs: {row}" for row in store.execute(
            "SELECT id FROM layout WHERE id NOT IN (SELECT layout FROM layout_pmu)")]
        counts = store.execute("SELECT (SELECT count(*) FROM host), (SELECT count(*) FROM snapshot)").fetchone()
    return found, counts


def scans():
    path = HERE / "scan.db"
    words = [["--db", str(path), *machine(name), "scan", "--name", "host"] for name in TREES]
    want = {pmuq(*machine(name), "list", "-J").out for name in TREES}
    usual = time_of(*words)
    killed = 0
    wrong = []
    before = damage(path)[1][1]
    for i in range(KILLS):
        # Two machines in turn, so that every scan has something to write.
        killed += kill_somewhere(words[i % 2], usual)
        shown = pmuq("--db", str(path), "--host", "host", "list", "-J")
        found, counts = damage(path)
        if shown.status != 0 or shown.out not in want or found or counts[0] != 1 or counts[1] - before not in (0, 1):
            wrong.append((i, shown.status, shown.stderr, found, counts))
        before = counts[1]
    tap.same(wrong, [], f"{KILLS} moments of a scan: the database contains all of it or nothing")
    tap.ok(killed > KILLS // 4, "most commands were killed before their end", killed)
    tap.same(pmuq(*words[0]).status, 0, "the next scan succeeds")


def imports():
    source, base, path = HERE / "source.db", HERE / "base.db", HERE / "import.db"
    document = HERE / "hosts.yaml"
    for i in range(HOSTS):
        pmuq("--db", str(source), *machine(TREES[i % 2]), "scan", "--name", f"host{i}")
    exported = pmuq("--db", str(source), "export", "--all-hosts", "--output", str(document))
    if exported.status != 0:
        tap.ok(False, "the export that is imported", exported.stderr)
        return
    pmuq("--db", str(base), *machine("zen3-epyc"), "scan", "--name", "there")
    words = ["--db", str(path), "import", str(document)]
    shutil.copy(base, path)
    usual = time_of(words)
    killed = nothing = 0
    wrong = []
    for i in range(KILLS):
        for ending in ("", "-wal", "-shm"):
            pathlib.Path(f"{path}{ending}").unlink(missing_ok=True)
        shutil.copy(base, path)
        killed += kill_somewhere(words, usual)
        shown = pmuq("--db", str(path), "--host", "there", "list", "-J")
        found, counts = damage(path)
        nothing += counts[0] == 1
        if shown.status != 0 or found or counts[0] not in (1, HOSTS + 1) or counts[0] != counts[1]:
            wrong.append((i, shown.status, shown.stderr, found, counts))
    tap.same(wrong, [], f"{KILLS} moments of an import: the database contains all of it or nothing")
    tap.ok(killed > KILLS // 4 and nothing > 0, "most commands were killed before their end", (killed, nothing))
    tap.same(pmuq(*words).status, 0, "the next import succeeds")


def pile_up():
    """Two writers at once: both succeed, one after the other."""
    path = HERE / "both.db"
    children = [run(["--db", str(path), *machine(TREES[i % 2]), "scan", "--name", f"host{i}"]) for i in range(6)]
    tap.same([child.wait() for child in children], [0] * 6, "writers wait for each other")
    tap.same(damage(path), ([], (6, 6)), "the database contains what both wrote")


scans()
imports()
pile_up()
directory.cleanup()
tap.finish()
