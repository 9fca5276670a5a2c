#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Queries of many hosts of 12 classes, in a file and on a PostgreSQL server (if one is installed): `hosts --with`, one host, an
audit of 20 strings; and a later version of the schema for them. The peer of each is bare SQL that reads the same rows, in the same
run: SQLite within this program, or a process of psql. CPU seconds are those of the command; those of the server are not in them.

    bench_queries.py PMUQ MACHINES BENCH_MIGRATE BENCH_ONE_HOST [HOSTS]
"""
import contextlib
import pathlib
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "harness"), str(TESTS / "postgres")]
import server  # noqa: E402
from many_documents import documents, entry  # noqa: E402

ROUNDS = 5
STRINGS = """cycles instructions:u {cycles,instructions} L1-dcache-load-misses r1a cpu/mem-loads,ldlat=30/u cpu/event=0x3c,umask=1/
cpu/cache-misses/ cpu/umsk=1/ msr/tsc/ uncore_imc/cas_count_read/ page-faults cpu-clock:u mem:0x1000:rw power/energy-pkg/
amd_df/event=1/ no-such-event branch-misses:k cpu/mem-stores/ cpu/topdown-retiring/""".split()
NEWEST = "(SELECT host, max(id) AS newest FROM snapshot GROUP BY host) AS stored JOIN host ON host.id = stored.host JOIN snapshot ON snapshot.id = newest"
LIST = f"SELECT host.name, host_class, first_seen, last_seen, fact_set FROM {NEWEST} ORDER BY host.name"
WITH = (f"SELECT host.name, host_class, first_seen, last_seen, fact_set FROM {NEWEST} WHERE layout IN (SELECT layout FROM layout_pmu"
        " JOIN definition_event ON definition_event.definition = layout_pmu.definition WHERE definition_event.name = 'mem-loads') ORDER BY host.name")
ONE = "SELECT host.name, snapshot.id, snapshot.host_class, last_seen FROM host JOIN snapshot ON snapshot.host = host.id WHERE host.name = '{}'"


def measured(words):
    """Seconds, and seconds of CPU."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):  # 1: a string that is not valid on each host
        sys.exit(f"bench: {words[1:6]} ends with {done.returncode}: {done.stderr[:300]}")
    return time.monotonic() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def read_sqlite(path, text):
    start = time.monotonic()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(text).fetchall()
    return (time.monotonic() - start,)


def compare(what, ours, peer):
    """The best time of each, taken alternately."""
    times = [(measured(ours), peer()) for _ in range(ROUNDS)]
    took, used = (min(of[0][i] for of in times) for i in (0, 1))
    peer_took = min(of[1][0] for of in times)
    print(f"{what:<44} {took * 1e3:10.1f} ms {peer_took * 1e3:10.1f} ms {took / peer_took:7.2f}   (CPU {used * 1e3:.1f} ms)", flush=True)


def queries(engine, pmuq, url, sql, n, one_host):
    host = f"host{n // 2:05}"
    compare(f"{engine}: hosts --with mem-loads, {n:,} hosts", [pmuq, "--db", url, "hosts", "--with", "mem-loads"], sql(WITH))
    compare(f"{engine}: hosts --with cpu/topdown-retiring/, a sixth of them", [pmuq, "--db", url, "hosts", "--with", "cpu/topdown-retiring/"], sql(WITH))
    compare(f"{engine}: the names of hosts --with mem-loads", [pmuq, "--db", url, "hosts", "--with", "mem-loads", "-rn", "-o", "HOST"], sql(WITH))
    compare(f"{engine}: hosts {host}", [pmuq, "--db", url, "hosts", host], sql(ONE.format(host)))
    compare(f"{engine}: encode on {host}", [pmuq, "--db", url, "--host", host, "encode", "--no-open", "cycles"], sql(ONE.format(host)))
    run(engine, one_host, url, host)
    compare(f"{engine}: audit of 20 strings", [pmuq, "--db", url, "encode", "--all-hosts", *STRINGS], sql(LIST))
    compare(f"{engine}: the same as JSON", [pmuq, "--db", url, "encode", "--all-hosts", "-J", *STRINGS], sql(LIST))


def filled(engine, pmuq, url, path, n):
    took, used = measured([pmuq, "--db", url, "import", path])
    print(f"{engine}: {n:,} hosts imported: {n / took:,.0f} hosts/s, {n / used:,.0f} per second of CPU of the command", flush=True)


def run(engine, *words):
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    print("".join(f"{engine}: {line}\n" for line in done.stdout.splitlines()), end="", flush=True)


def main(pmuq, machines, migrate, one_host, n="100000"):
    n = int(n)
    with tempfile.TemporaryDirectory(prefix="bench_queries") as directory:
        path, database = f"{directory}/hosts.yaml", f"{directory}/hosts.db"
        classes = list(documents(pmuq, machines))
        pathlib.Path(path).write_text("---\n".join(before + "".join(map(entry, range(number, n, len(classes)))) + after
                                                   for number, (before, after) in enumerate(classes)))
        filled("SQLite", pmuq, database, path, n)
        queries("SQLite", pmuq, database, lambda text: lambda: read_sqlite(database, text), n, one_host)
        run("SQLite", migrate, database)
        if not server.programs():
            return
        with server.running("shared_buffers=256MB") as socket:
            server.sql(socket, "CREATE DATABASE hosts")
            server.sql(socket, "ALTER DATABASE hosts SET search_path = pmuq")
            url = server.url(socket, "hosts")
            filled("PostgreSQL", pmuq, url, path, n)
            server.sql(socket, "VACUUM ANALYZE", "hosts")
            queries("PostgreSQL", pmuq, url, lambda text: lambda: measured([str(server.programs() / "psql"), "-XAtqc", text, url]), n, one_host)
            run("PostgreSQL", migrate, url)


if len(sys.argv) not in (5, 6):
    sys.exit(__doc__)
main(*sys.argv[1:])
