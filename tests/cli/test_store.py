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
directory = tempfile.TemporaryDirectory()
DB = os.path.join(directory.name, "made", "by", "scan.db")


def events_of(name):
    devices = MACHINES / name / "sys/bus/event_source/devices"
    return [f"{event.parent.parent.name}/{event.name}/" for event in sorted(devices.glob("*/events/*"))
            if not event.name.endswith(COMPANIONS)]


def scan(name):
    result = pmuq(*machine(name), "--db", DB, "scan", "--name", name)
    tap.ok(result.status == 0 and re.fullmatch(
        rf"host {re.escape(name)}: snapshot \d+ \(new\): \d+ PMUs?, \d+ events?, \d+ formats?, \d+ problems?\n",
        result.text), f"{name}: is scanned", result.text, result.stderr)


def compare(name):
    stored = ["--db", DB, "--host", name]
    for table in ("pmus", "events", "formats", "problems"):
        from_store, from_tree = pmuq(*stored, "list", "-J", table), pmuq(*machine(name), "list", "-J", table)
        tap.same((from_store.status, from_store.out), (0, from_tree.out), f"{name}: list {table} is the same bytes")
    strings = "\n".join(STRINGS + events_of(name)).encode()
    words = ["encode", "--jsonl", "-f", "-"]
    from_store, from_tree = pmuq(*stored, *words, stdin=strings), pmuq(*machine(name), *words, stdin=strings)
    tap.ok(from_tree.out.count(b"\n") >= len(STRINGS), f"{name}: the strings are encoded from the tree", from_tree.stderr)
    if from_store.out != from_tree.out:
        pairs = zip(from_store.out.splitlines(), from_tree.out.splitlines())
        different = next((f"store {a}\ntree  {b}" for a, b in pairs if a != b), "one is longer")
    else:
        different = ""
    tap.ok(not different, f"{name}: encode is the same bytes", different)
    tap.same(from_store.status, from_tree.status, f"{name}: encode has the same status")


def scans_again():
    first, again = (pmuq(*machine("zen3-epyc"), "--db", DB, "scan", "--name", "twice") for _ in range(2))
    tap.ok("(new)" in first.text, "the first scan makes a new snapshot", first.text)
    tap.ok("(unchanged" in again.text, "a second scan of an unchanged machine makes no snapshot", again.text)
    tap.same(re.search(r"snapshot \d+", again.text)[0], re.search(r"snapshot \d+", first.text)[0],
             "the second scan names the same snapshot")
    tap.same(re.sub(r"\(.*\)", "", again.text), re.sub(r"\(.*\)", "", first.text), "the second scan has the same counts")


def snapshots():
    numbers = [int(re.search(r"snapshot (\d+)", pmuq(*machine(name), "--db", DB, "scan", "--name", "moving").text)[1])
               for name in ("pentium4", "silvermont")]
    tap.ok(numbers[0] != numbers[1], "a scan of a changed machine makes a new snapshot", numbers)
    for number, name in zip(numbers, ("pentium4", "silvermont")):
        tap.same(pmuq("--db", DB, "--host", f"moving@{number}", "list", "-J").out, pmuq(*machine(name), "list", "-J").out,
                 f"--host NAME@{number} gives the state of that snapshot")
    tap.same(pmuq("--db", DB, "--host", "moving", "list", "-J").out, pmuq(*machine("silvermont"), "list", "-J").out,
             "--host NAME gives the newest state")


def failures():
    rubbish = pathlib.Path(directory.name) / "rubbish.db"
    rubbish.write_bytes(b"no database " * 1000)
    before = rubbish.read_bytes()
    for words, status, word in [(["--db", DB, "--host", "nobody", "list"], 4, "PMUQ-086"),
                                (["--db", DB, "--host", "twice@9999", "list"], 4, "PMUQ-087"),
                                (["--db", f"{directory.name}/none.db", "--host", "x", "list"], 4, "PMUQ-080"),
                                (["--db", str(rubbish), "--host", "x", "list"], 4, "PMUQ-08"),
                                ([*machine("pentium4"), "--db", str(rubbish), "scan", "--name", "x"], 4, "PMUQ-08"),
                                (["--sysroot", "/nonexistent", "--db", DB, "scan", "--name", "x"], 4, "PMUQ-220")]:
        result = pmuq(*words)
        shown = " ".join(word for word in words if not word.startswith("/"))
        tap.ok(result.status == status and word in result.stderr and not result.out, f"{shown}: {status} and {word}",
               result.status, result.stderr)
    tap.same(rubbish.read_bytes(), before, "a file that is not a database is not changed")


def links():
    """A database may be a symbolic link; its log is next to the target."""
    there = pathlib.Path(directory.name) / "elsewhere.db"
    link = pathlib.Path(directory.name) / "link.db"
    link.symlink_to(there)
    def db(*words):
        return pmuq("--db", str(link), *words)
    for word in ("new", "unchanged"):
        result = db(*machine("pentium4"), "scan", "--name", "a")
        tap.ok(result.status == 0 and word in result.text and link.is_symlink() and there.is_file(),
               f"scan through a link: {word}", result.stderr)
    tap.same(db("hosts", "-rn", "-o", "HOST").text, "a\n", "the database is read through a link")
    writer = sqlite3.connect(there)
    writer.execute("UPDATE host SET name = 'b'")
    writer.commit()
    tap.ok(pathlib.Path(f"{there}-wal").stat().st_size > 0, "a log is next to the target of the link")
    tap.same(db("hosts", "-rn", "-o", "HOST").text, "b\n", "the log is read through a link")
    writer.close()


def space_for(n_bytes):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))
    return limit


def no_space():
    """A database whose creation failed is not a database of another version."""
    for size in (1, 64, 120, 160):
        path = pathlib.Path(directory.name) / f"{size}.db"
        result = pmuq(*machine("pentium4"), "--db", str(path), "scan", "--name", "x", preexec_fn=space_for(size << 10))
        tap.ok(result.status == 4 and "PMUQ-08" in result.stderr, f"space for {size} KiB: the scan fails", result.stderr)
        result = pmuq("--db", str(path), "hosts")
        tap.ok("older" not in result.stderr and result.status in (0, 4), "a failed scan leaves no incomplete database", result.stderr)
        tap.same(pmuq(*machine("pentium4"), "--db", str(path), "scan", "--name", "x").status, 0, "with more space the database is created")


def space_for_some():
    """Files are imported together, in one transaction. If that fails, each of them is imported alone: those for which there is
    space are stored, and the others are reported."""
    documents = []
    for name in ("pentium4", "skylake-sp", "silvermont"):
        documents.append(os.path.join(directory.name, f"{name}.yaml"))
        pmuq("--db", DB, "export", "--output", documents[-1], name)
    path, numbers = pathlib.Path(directory.name, "some.db"), set()
    for size in range(48, 288, 16):
        path.unlink(missing_ok=True)
        pmuq(*machine("haswell-client"), "--db", str(path), "scan", "--name", "first")
        result = pmuq("--db", str(path), "import", *documents, preexec_fn=space_for(size << 10))
        reported = len(re.findall(r"^\S+: 1 host: 1 new", result.text, re.M))
        stored = len(pmuq("--db", str(path), "hosts", "-J").rows) - 1
        failed = len(re.findall(r"error\[PMUQ-085\]", result.stderr))
        tap.same((stored, failed, result.status), (reported, 3 - reported, 0 if reported == 3 else 4),
                 f"space for {size} KiB: what is reported as stored is stored", result.text, result.stderr)
        numbers.add(reported)
    tap.ok(numbers & {1, 2} and {0, 3} <= numbers, "with less space some of the files are stored", numbers)


def foreign():
    """The database of another user is only read; its hosts are imported as a document."""
    theirs, ours = (pathlib.Path(directory.name) / f"{name}.db" for name in ("theirs", "ours"))
    pmuq(*machine("pentium4"), "--db", str(theirs), "scan", "--name", "p4")
    tap.same(theirs.stat().st_mode & 0o777, 0o600, "a new database is for its owner only")
    theirs.chmod(0o666)
    before = theirs.read_bytes()
    result = pmuq(*machine("silvermont"), "--db", str(theirs), "scan", "--name", "x")
    tap.ok(result.status == 4 and "PMUQ-080" in result.stderr and "chmod go-w" in result.stderr,
           "scan does not write a database that others can write", result.stderr)
    tap.same(pmuq("--db", str(theirs), "hosts", "-rn", "-o", "HOST").text, "p4\n", "… and hosts reads it")
    document = pmuq("--db", str(theirs), "export", "--all-hosts")
    result = pmuq("--db", str(ours), "import", "-", stdin=document.out)
    tap.same((document.status, result.status), (0, 0), "its hosts are imported into another database", result.stderr)
    tap.same(pmuq("--db", str(ours), "--host", "p4", "list", "-J").out, pmuq(*machine("pentium4"), "list", "-J").out,
             "… with the same result")
    result = pmuq("--db", str(ours), "import", str(theirs))
    tap.ok(result.status == 4 and "export --all-hosts" in result.stderr, "… and not without a document", result.stderr)
    tap.same(theirs.read_bytes(), before, "it did not change")
    with sqlite3.connect(ours) as writer:
        writer.execute("CREATE TRIGGER t AFTER UPDATE ON snapshot BEGIN DELETE FROM host; END")
    for words in (["hosts"], ["scan", "--name", "p4"], ["--host", "p4", "list"], ["forget", "p4"]):
        result = pmuq(*machine("pentium4"), "--db", str(ours), *words) if words[0] == "scan" else pmuq("--db", str(ours), *words)
        tap.ok(result.status == 4 and "PMUQ-081" in result.stderr and "trigger 't'" in result.stderr,
               f"a trigger of others: {' '.join(words)} refuses the database", result.stderr)


def default_database():
    result = pmuq(*machine("pentium4"), "scan", "--name", "here", env={"XDG_STATE_HOME": directory.name})
    tap.same(result.status, 0, "scan without --db works", result.stderr)
    tap.ok((pathlib.Path(directory.name) / "pmuq/pmuq.db").exists(), "XDG_STATE_HOME contains the default database")


def no_default_database():
    """Without a home directory there is no default database. Commands without a database work."""
    homeless = {"env": {"XDG_STATE_HOME": "", "HOME": ""}, **ORDINARY}
    for words in (["list", "events", "--from", "all"], ["search", "clock"]):
        result = pmuq(*words, **homeless)
        # A build for coverage names the files that this user may not write.
        printed = re.sub(r"^profiling:.*\n", "", result.stderr, flags=re.M)
        tap.ok(result.status == 0 and "database" not in printed, f"without a home: {' '.join(words)}", result.stderr)
    result = pmuq("hosts", **homeless)
    tap.ok(result.status == 4 and "use --db FILE" in result.stderr, "without a home: hosts needs --db", result.stderr)


everything = machine_names()
for each in everything:
    scan(each)
for each in everything:
    compare(each)
scans_again()
snapshots()
failures()
links()
no_space()
space_for_some()
foreign()
default_database()
no_default_database()
directory.cleanup()
tap.finish()
