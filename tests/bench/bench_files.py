#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`pmuq import` of an inventory of many hosts in git: 10,000 files of one host each, of 12 host classes. A refused
file does not affect the others, and yet many are stored in one transaction. The floor is SQLite alone with a commit for
each file, which waits for the disk: it reads every file and stores one row of it.

    bench_files.py PMUQ MACHINES
"""
import os
import pathlib
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "harness"))
from many_documents import documents, entry  # noqa: E402

HOSTS = 10_000


def write_hosts(directory, pmuq, machines):
    classes = list(documents(pmuq, machines))
    paths = []
    for host in range(HOSTS):
        before, after = classes[host % len(classes)]
        path = directory / f"host{host:05}.yaml"
        path.write_text(before + entry(host) + after)
        paths.append(path)
    return paths


def take(pmuq, database, paths):
    start = time.monotonic()
    done = subprocess.run([pmuq, "--db", database, "import", *paths], capture_output=True, text=True, check=False)
    taken = time.monotonic() - start
    if done.returncode or done.stdout.count(": 1 new, 0 updated, 0 unchanged\n") != len(paths):
        sys.exit(f"bench: the import ends with {done.returncode}: {done.stderr[:500]}")
    return taken


def take_floor(database, paths):
    start = time.monotonic()
    with sqlite3.connect(database, isolation_level=None) as connection:
        connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE host (name TEXT, bytes INTEGER)")
        for path in paths:
            connection.execute("INSERT INTO host VALUES (?, ?)", (path.name, len(path.read_bytes())))
    connection.close()
    return time.monotonic() - start


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: bench_files.py PMUQ MACHINES")
    with tempfile.TemporaryDirectory(prefix="bench_files") as temporary:
        directory = pathlib.Path(temporary)
        paths = write_hosts(directory, *sys.argv[1:])
        floor = take_floor(directory / "floor.db", paths)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        before = used.ru_utime + used.ru_stime
        ours = take(sys.argv[1], directory / "pmuq.db", paths)
        size = os.stat(directory / "pmuq.db").st_size / HOSTS
    print(f"{'10,000 files of a host each, imported':<44} {ours * 1e3:10.1f} ms {floor * 1e3:10.1f} ms {ours / floor:7.2f}")
    print(f"{'the same':<44} {HOSTS / ours:10.1f} hosts/s")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{'the same, per second of CPU':<44} {HOSTS / (used.ru_utime + used.ru_stime - before):10.1f} hosts/s")
    print(f"{'a host of them':<44} {size:10.1f} bytes")


main()
