#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_feeds.py MAKE_HOSTS DOCUMENT: the files in docs/feeds.md work as the page describes, on the database of docs/queries.md.

osquery is not run: its queries are, by SQLite, as osquery runs them."""
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from tap import MACHINES, PMUQ, Tap, pmuq

# A line of Prometheus' text format: a name, one label in which \ and " and a line break are escaped, and a number.
SAMPLE = re.compile(r'(\w+)\{host="((?:[^"\\\n]|\\[\\"n])*)"\} (\d+)')
tap = Tap()


def block(section, language):
    """The file in a section of the page."""
    return re.search(rf"^## {section}\n.*?^```{language}\n(.*?)^```$", PAGE, re.M | re.S)[1]


def unescaped(label):
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], label)


def samples_of(text):
    """{metric: {host: value}}, by a reader that refuses what is not a sample below the HELP and TYPE of its metric."""
    found = {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            found[line.split(" ")[2]] = {}
        elif line.startswith("# TYPE "):
            assert line == f"# TYPE {list(found)[-1]} gauge", line
        else:
            name, host, value = SAMPLE.fullmatch(line).groups()
            assert name == list(found)[-1], line
            found[name][unescaped(host)] = int(value)
    return found


def metrics(database, folder):
    done = subprocess.run(["sh", "-c", block("Prometheus", "sh"), "pmuq-metrics", database, f"{folder}/pmuq.prom"],
                          stderr=subprocess.PIPE, check=False)
    return done, folder / "pmuq.prom"


def try_prometheus(database, folder):
    if not shutil.which("sqlite3"):
        tap.skip("Prometheus gets the metrics of all hosts", "the command sqlite3 is not installed")
        return
    done, path = metrics(database, folder)
    tap.same((done.returncode, done.stderr), (0, b""), "the script of the metrics succeeds")
    found = samples_of(path.read_text())
    hosts = [row["host"] for row in pmuq("--db", database, "hosts", "--json").rows]
    for name, words in {"pmuq_pmus": "pmus", "pmuq_events": "events --from sysfs"}.items():
        want = {host: len(pmuq("--db", database, "--host", host, "list", *words.split(), "--json").rows) for host in hosts}
        tap.same(found[name], want, f"{name} has the number that `pmuq list {words}` prints, for each host")
    tap.same(found["pmuq_refused_events"]["web3"], 1, "pmuq_refused_events counts the event that the kernel of web3 refused")
    tap.same(found["pmuq_refused_events"]["web1"], 0, "it is 0 for a host on which every event opened")
    tap.ok("web4" not in found["pmuq_refused_events"], "a host that was never checked has no number of refused events")
    tap.same(found["pmuq_last_scan_timestamp_seconds"]["build1"], 1793491200, "the time of the scan is in seconds since 1970")
    try_names(database, folder)
    broken = folder / "broken.db"
    broken.write_bytes(b"not a database" * 100)
    before = path.read_bytes()
    done, path = metrics(broken, folder)
    tap.ok(done.returncode != 0 and path.read_bytes() == before, "if the database cannot be read, the script fails and the old metrics stay")


def try_names(database, folder):
    """Names that would end a label, a line or the file's UTF-8, and a host with a problem."""
    copy = folder / "names.db"
    shutil.copy(database, copy)
    with sqlite3.connect(copy) as store:
        for old, new in {"web1": 'a"} 1\nb\\n', "web2": b"a\xff\n"}.items():
            store.execute("UPDATE host SET name = ? WHERE name = ?", (new, old))
        store.execute("INSERT INTO problem_set (id, hash) VALUES (1000, zeroblob(32))")
        store.execute("INSERT INTO problem VALUES (1000, 0, 'type', 'no number', 11, 0), (1000, 1, 'format', 'no bits', 11, 0)")
        store.execute("UPDATE snapshot SET problem_set = 1000 WHERE host = (SELECT id FROM host WHERE name = 'edge1')")
    store.close()
    _, path = metrics(copy, folder)
    found = samples_of(path.read_text())
    names = found["pmuq_pmus"]
    tap.ok('a"} 1\nb\\n' in names, "a host whose name has a quote, a line break and a backslash is one label", names)
    tap.ok("61FF0A" in names, "a name that is not UTF-8 is hexadecimal digits", names)
    tap.same((found["pmuq_problems"]["edge1"], found["pmuq_problems"]["edge2"]), (2, 0), "pmuq_problems counts the problems of each host")


def try_ansible(folder):
    """The machine of the script is a captured one."""
    fact, command = folder / "pmuq.fact", folder / "pmuq"
    fact.write_text(block("Ansible", "sh"))
    command.write_text(f'#!/bin/sh\nexec "{PMUQ}" --sysroot "{MACHINES}/skylake-sp" "$@"\n')
    fact.chmod(0o755)
    command.chmod(0o755)
    done = subprocess.run([fact], env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}, stdout=subprocess.PIPE, check=True)
    names = [pmu["name"] for pmu in json.loads(done.stdout)["pmus"]]
    tap.ok("msr" in names and "uncore_imc_5" in names, "Ansible finds each PMU, sibling instances too, in the facts", names)


def try_osquery(database):
    tables = json.loads(block("osquery", "json"))["auto_table_construction"]
    store = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    rows = {}
    for name, table in tables.items():
        cursor = store.execute(table["query"])
        tap.same([column[0] for column in cursor.description], table["columns"], f"the columns of {name} are those of its query")
        rows[name] = cursor.fetchall()
    tap.same(len(rows["pmuq_hosts"]), 14, "pmuq_hosts has a row for each host")
    tap.ok(("web1", "cpu", "mem-loads", "event=0xcd,umask=0x1,ldlat=3") in rows["pmuq_events"], "pmuq_events has events with their terms")
    tap.same([row[:4] for row in rows["pmuq_refused"]], [("web3", "cpu", "mem-loads", 95)], "pmuq_refused has the refused event")


PAGE = pathlib.Path(sys.argv[2]).read_text()
with tempfile.TemporaryDirectory() as directory:
    subprocess.run([sys.argv[1], MACHINES, f"{directory}/hosts.db"], check=True)
    try_prometheus(f"{directory}/hosts.db", pathlib.Path(directory))
    try_ansible(pathlib.Path(directory))
    try_osquery(f"{directory}/hosts.db")
tap.finish()
