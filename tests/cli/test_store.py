#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scan and --host: a machine from the database gives the same bytes as its tree."""
import os
import pathlib
import re
import resource
import signal
import sqlite3
import tempfile

from tap import MACHINES, ORDINARY, Tap, machine, machine_names, pmuq

COMPANIONS = (".unit", ".scale", ".per-pkg", ".snapshot")
STRINGS = ["cycles", "cycles:u", "{instructions,cycles}:k", "cpu/event=0x3c,umask=1/", "r1a", "page-faults",
           "mem:0x1000:rw", "uncore_imc/clockticks/", "uncore_*/event=1/", "no-such-event", "cpu/umsk=1/",
           "L1-dcache-load-misses", "msr/tsc/", "sched:sched_switch"]

tap = Tap()
room = tempfile.TemporaryDirectory()
DB = os.path.join(room.name, "made", "by", "scan.db")


def events_of(name):
    devices = MACHINES / name / "sys/bus/event_source/devices"
    return [f"{event.parent.parent.name}/{event.name}/" for event in sorted(devices.glob("*/events/*"))
            if not event.name.endswith(COMPANIONS)]


def scan(name):
    answer = pmuq(*machine(name), "--db", DB, "scan", "--name", name)
    tap.ok(answer.status == 0 and re.fullmatch(
        rf"host {re.escape(name)}: snapshot \d+ \(new\): \d+ PMUs?, \d+ events?, \d+ formats?, \d+ problems?\n",
        answer.text), f"{name}: is scanned", answer.text, answer.talk)


def compare(name):
    stored = ["--db", DB, "--host", name]
    for kind in ("pmus", "events", "formats", "problems"):
        from_store, from_tree = pmuq(*stored, "list", "-J", kind), pmuq(*machine(name), "list", "-J", kind)
        tap.same((from_store.status, from_store.out), (0, from_tree.out), f"{name}: list {kind} is the same bytes")
    strings = "\n".join(STRINGS + events_of(name)).encode()
    words = ["encode", "--jsonl", "-f", "-"]
    from_store, from_tree = pmuq(*stored, *words, stdin=strings), pmuq(*machine(name), *words, stdin=strings)
    tap.ok(from_tree.out.count(b"\n") >= len(STRINGS), f"{name}: the tree answers", from_tree.talk)
    if from_store.out != from_tree.out:
        pairs = zip(from_store.out.splitlines(), from_tree.out.splitlines())
        different = next((f"store {a}\ntree  {b}" for a, b in pairs if a != b), "one is longer")
    else:
        different = ""
    tap.ok(not different, f"{name}: encode is the same bytes", different)
    tap.same(from_store.status, from_tree.status, f"{name}: encode has the same status")


def scans_again():
    first, again = (pmuq(*machine("zen3-epyc"), "--db", DB, "scan", "--name", "twice") for _ in range(2))
    tap.ok("(new)" in first.text, "the first scan is new", first.text)
    tap.ok("(unchanged" in again.text, "a second one of an unchanged machine is not", again.text)
    tap.same(re.search(r"snapshot \d+", again.text)[0], re.search(r"snapshot \d+", first.text)[0],
             "and names the same snapshot")
    tap.same(re.sub(r"\(.*\)", "", again.text), re.sub(r"\(.*\)", "", first.text), "with the same counts")


def snapshots():
    numbers = [int(re.search(r"snapshot (\d+)", pmuq(*machine(name), "--db", DB, "scan", "--name", "moving").text)[1])
               for name in ("pentium4", "silvermont")]
    tap.ok(numbers[0] != numbers[1], "a machine that changed has a new snapshot", numbers)
    for number, name in zip(numbers, ("pentium4", "silvermont")):
        tap.same(pmuq("--db", DB, "--host", f"moving@{number}", "list", "-J").out, pmuq(*machine(name), "list", "-J").out,
                 f"--host NAME@{number} answers as it was then")
    tap.same(pmuq("--db", DB, "--host", "moving", "list", "-J").out, pmuq(*machine("silvermont"), "list", "-J").out,
             "--host NAME answers as it is now")


def failures():
    rubbish = pathlib.Path(room.name) / "rubbish.db"
    rubbish.write_bytes(b"no database " * 1000)
    before = rubbish.read_bytes()
    for words, status, word in [(["--db", DB, "--host", "nobody", "list"], 4, "PMUQ-086"),
                                (["--db", DB, "--host", "twice@9999", "list"], 4, "PMUQ-087"),
                                (["--db", f"{room.name}/none.db", "--host", "x", "list"], 4, "PMUQ-080"),
                                (["--db", str(rubbish), "--host", "x", "list"], 4, "PMUQ-08"),
                                ([*machine("pentium4"), "--db", str(rubbish), "scan", "--name", "x"], 4, "PMUQ-08"),
                                (["--sysroot", "/nonexistent", "--db", DB, "scan", "--name", "x"], 4, "PMUQ-220")]:
        answer = pmuq(*words)
        shown = " ".join(word for word in words if not word.startswith("/"))
        tap.ok(answer.status == status and word in answer.talk and not answer.out, f"{shown}: {status} and {word}",
               answer.status, answer.talk)
    tap.same(rubbish.read_bytes(), before, "a file that is no database is not touched")


def links():
    """A database may lie elsewhere, with its log."""
    there = pathlib.Path(room.name) / "elsewhere.db"
    link = pathlib.Path(room.name) / "link.db"
    link.symlink_to(there)
    def ask(*words):
        return pmuq("--db", str(link), *words)
    for word in ("new", "unchanged"):
        answer = ask(*machine("pentium4"), "scan", "--name", "a")
        tap.ok(answer.status == 0 and word in answer.text and link.is_symlink() and there.is_file(),
               f"scan through a link: {word}", answer.talk)
    tap.same(ask("hosts", "-rn", "-o", "HOST").text, "a\n", "what is there is read through it")
    writer = sqlite3.connect(there)
    writer.execute("UPDATE host SET name = 'b'")
    writer.commit()
    tap.ok(pathlib.Path(f"{there}-wal").stat().st_size > 0, "a log is waiting beside the file")
    tap.same(ask("hosts", "-rn", "-o", "HOST").text, "b\n", "so is what waits in the log")
    writer.close()


def no_room():
    """A database that could not be begun is none, of no version."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit.bytes, limit.bytes))
    for size in (1, 64, 120, 160):
        limit.bytes = size << 10
        path = pathlib.Path(room.name) / f"{size}.db"
        answer = pmuq(*machine("pentium4"), "--db", str(path), "scan", "--name", "x", preexec_fn=limit)
        tap.ok(answer.status == 4 and "PMUQ-08" in answer.talk, f"no room for more than {size} KiB", answer.talk)
        answer = pmuq("--db", str(path), "hosts")
        tap.ok("older" not in answer.talk and answer.status in (0, 4), "leaves nothing that is half made", answer.talk)
        tap.same(pmuq(*machine("pentium4"), "--db", str(path), "scan", "--name", "x").status, 0, "and with room it is made")


def default_place():
    answer = pmuq(*machine("pentium4"), "scan", "--name", "here", env={"XDG_STATE_HOME": room.name})
    tap.same(answer.status, 0, "scan without --db works", answer.talk)
    tap.ok((pathlib.Path(room.name) / "pmuq/pmuq.db").exists(), "XDG_STATE_HOME says where the database is")


def no_place():
    """Who has no home has no default database. What does without one does not ask for it."""
    homeless = {"env": {"XDG_STATE_HOME": "", "HOME": ""}, **ORDINARY}
    for words in (["list", "events", "--from", "all"], ["search", "clock"]):
        answer = pmuq(*words, **homeless)
        tap.ok(answer.status == 0 and "database" not in answer.talk, f"without a home: {' '.join(words)}", answer.talk)
    answer = pmuq("hosts", **homeless)
    tap.ok(answer.status == 4 and "use --db FILE" in answer.talk, "without a home: hosts wants a database", answer.talk)


everything = machine_names()
for each in everything:
    scan(each)
for each in everything:
    compare(each)
scans_again()
snapshots()
failures()
links()
no_room()
default_place()
no_place()
room.cleanup()
tap.finish()
