#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_report.py MAKE_HOSTS: `pmuq report` writes pages that are complete, load nothing, and have the machine's own numbers."""
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from page import Page
from screen import Screen
from tap import MACHINES, PMUQ, Tap, machine, pmuq

HOSTILE = "</script><script>alert(1)</script>"
tap = Tap()


def page_of(name, *words):
    """The page, which must be right as HTML, name its style and script in its policy, and refer to nothing."""
    done = pmuq(*words)
    page = Page(done.text)
    tap.same((done.status, done.stderr, page.mistakes), (0, "", []), f"{name}: every element is closed")
    tap.ok(page.allowed(), f"{name}: the policy allows its own style and script only", page.policy)
    tap.same((page.references(), "http:" in done.text or "https:" in done.text), ([], False), f"{name}: it refers to nothing")
    return page


def host():
    where = machine("skylake-sp")
    page = page_of("a host", *where, "report")
    kernel = (MACHINES / "skylake-sp/proc/sys/kernel/osrelease").read_text().strip()
    tap.same(page.row("kernel"), ["kernel", kernel], "it has the facts of the host")
    events = pmuq(*where, "list", "events", "--json", "--all").rows
    found = {(row[0].strip(), row[1].strip()) for row in page.rows if len(row) == 3}
    missing = [row["event"] for row in events if (row["event"], row["terms"]) not in found]
    tap.same((len(events) > 50, missing), (True, []), "it has every event with its terms")
    tap.ok("uncore_imc_[0-5] type 17-22, CPUs 0,8, 3 events" in page.text, "sibling instances are one PMU")
    tap.ok("│ offcore_rsp[63:32] │" in page.text and "also:" in page.text, "it has the config words drawn, with fields that share bits")
    tap.ok("Its events were never opened" in page.text, "without a check it names the command that makes one")


def hosts(directory, database):
    strings = directory / "events.txt"
    strings.write_text("cycles\ncpu/mem-loads,ldlat=30/ # a comment\nnonsense\n")
    page = page_of("all hosts", "--db", database, "report", "--all-hosts", "--file", str(strings))
    kernels = [row["kernel"] for row in pmuq("--db", database, "hosts", "--json").rows]
    for kernel in set(kernels):
        tap.same(page.row(kernel or "unknown", str(kernels.count(kernel)))[1], str(kernels.count(kernel)),
                 f"the chart has the number of hosts with kernel {kernel}")
    classes = page.row("event")[1:]
    tap.same(sorted(classes), sorted({row["class"] for row in pmuq("--db", database, "hosts", "--json").rows}), "the matrix has each class")
    matrix(page, classes, database)
    tap.ok("3 event strings, 2 of them fail on a host" in page.text and "valid on 7 hosts: build1, web[1-5], www" in page.text,
           "it has the result of the event strings")
    tap.same(page.row("lab1")[3].split(" amd_l3")[0], "3 breaking, 1 meaning, 6 additions", "it has what changed on a host lately")
    plain = page_of("all hosts without strings", "--db", database, "report", "--all-hosts=web*")
    tap.ok("Audit" not in plain.text and "PMUs of 5 hosts" in plain.text, "a glob selects hosts")


def matrix(page, classes, database):
    """A cell for each result: opened, refused on one of its hosts, of a class without it."""
    by_host = {row["host"]: row["class"] for row in pmuq("--db", database, "hosts", "--json").rows}
    cells = dict(zip(classes, page.row("cpu/mem-loads/")[1:]))
    tap.same((cells[by_host["web1"]], cells[by_host["web5"]], cells[by_host["db1"]]), ("±", "✓", ""),
             "the matrix shows where an event opens, on which classes only some hosts open it, and which do not have it")
    tap.same(dict(zip(classes, page.row("cpu/cache-misses/")[1:]))[by_host["build1"]], "·", "and where it was never opened")


def difference(database):
    page = page_of("a change", "--db", database, "report", "diff", "lab1@2", "lab1")
    weights = [word for word in ("Broken", "Means something else", "Added") if word in page.text]
    tap.same(sorted(weights, key=page.text.index), weights, "breaking changes come first")
    changes = pmuq("--db", database, "diff", "--json", "--all", "lab1@2", "lab1").json["changes"]
    rows = {(row[1].strip(), row[2].strip(), row[3].strip(), row[4].strip()) for row in page.rows if len(row) == 5}
    missing = [change for change in changes if tuple(change.get(key) or "" for key in ("name", "text", "before", "after")) not in rows]
    tap.same((len(changes) > 5, missing), (True, []), "it has every change")


def names(directory, database):
    """A PMU, an event, a format, a fact and a host whose names are HTML."""
    tree = directory / "tree"
    shutil.copytree(MACHINES / "skylake-sp", tree, symlinks=True)
    devices = tree / "sys/bus/event_source/devices"
    pmu = devices / "x<b>&\"'"
    (pmu / "events").mkdir(parents=True)
    (pmu / "format").mkdir()
    (pmu / "type").write_text("99\n")
    (pmu / "events" / HOSTILE.replace("/", "\\")).write_text("event=1")
    (pmu / "format" / "event").write_text("config:0-7")
    (tree / "proc/sys/kernel/osrelease").write_text(HOSTILE + "\n")
    page = page_of("hostile names", "--sysroot", str(tree), "report")
    tap.ok("x<b>&\"'" in page.text and page.row("kernel") == ["kernel", HOSTILE], "names with the characters of HTML are texts", page.row("kernel"))
    copy = directory / "names.db"
    shutil.copy(database, copy)
    with sqlite3.connect(copy) as store:
        store.execute("UPDATE host SET name = ? WHERE name = 'web1'", (HOSTILE,))
        store.execute("UPDATE host SET name = ? WHERE name = 'web2'", (b"a\xff\x1b[2Jb",))
    store.close()
    page = page_of("hostile hosts", "--db", str(copy), "report", "--all-hosts")
    tap.ok(HOSTILE in page.text and "a\ufffd\ufffd[2Jb" in page.text, "names of hosts, too; other bytes are replaced")


def files(directory, database):
    target = directory / "page.html"
    target.write_text("the old page")
    done = pmuq("--db", database, "report", "--output", str(target), "nobody")
    tap.same((done.status, target.read_text()), (4, "the old page"), "if a machine cannot be read, the old page stays")
    done = pmuq("--db", database, "report", "-o", str(target), "host:web1", "host:db1")
    tap.same((done.status, done.text, Page(target.read_text()).mistakes), (0, "", []), "-o writes the page of several machines")
    tap.ok("web1" in target.read_text() and "AuthenticAMD-25-1-1" in target.read_text(), "which has each of them")
    full = subprocess.run([PMUQ, *machine("skylake-sp"), "report", "--output", "/dev/full"], stderr=subprocess.PIPE, check=False)
    tap.same((full.returncode, b"No space left" in full.stderr), (4, True), "a full disk is an error")
    tap.ok("--output FILE.html" in on_terminal(database), "on a terminal it names the option --output")
    for words, part in ((["diff", "web1"], "diff needs two machines"), (["--all-hosts", "web1"], "exclude each other"),
                        (["--file", "x", "web1"], "--file needs --all-hosts")):
        done = pmuq("--db", database, "report", *words)
        tap.ok(done.status == 2 and part in done.stderr, f"`report {' '.join(words)}` is a mistake", done.stderr)


def on_terminal(database):
    return Screen([PMUQ, "--db", database, "report", "web1"], out_too=True).text


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    hosts_db = str(here / "hosts.db")
    subprocess.run([sys.argv[1], str(MACHINES), hosts_db], check=True)
    os.chmod(here, 0o755)
    host()
    hosts(here, hosts_db)
    difference(hosts_db)
    names(here, hosts_db)
    files(here, hosts_db)
tap.finish()
