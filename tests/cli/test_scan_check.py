#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scan --check: open results of this kernel are stored and shown; the progress line on a terminal, and Ctrl-C."""
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

from screen import Screen
from tap import PMUQ, Tap, machine, pmuq

DIRECTORY = tempfile.TemporaryDirectory()
HERE = pathlib.Path(DIRECTORY.name)
DB = ["--db", str(HERE / "check.db")]
HOST = [*DB, "--host", "here"]
DEVICES = "/sys/bus/event_source/devices"
SUMMARY = re.compile(r"^check: (?:stopped after (\d+) of )?(\d+) events?: (\d+) open, (\d+) refused, (\d+) skipped$", re.M)
PROBES = ["/sys/kernel/tracing/uprobe_events", "/sys/kernel/tracing/kprobe_events"]
INSTANCES = 400
UNAME26 = 0x0020000
tap = Tap()


def summary(text):
    found = SUMMARY.search(text)
    return [int(number or 0) for number in found.groups()] if found else None


def probes():
    return [path.read_bytes() if os.access(path, os.R_OK) else None for path in map(pathlib.Path, PROBES)]


def opens_of(*words):
    return {(row["pmu"], row["event"]): row["opens"]
            for row in pmuq(*words, "list", "events", "-J").json["events"]}


# ------------------------------------------------------------------------------- this machine as it is

def this_machine():
    before = probes()
    result = pmuq(*DB, "scan", "--check", "--name", "here")
    counts = summary(result.text)
    tap.ok(result.status == 0 and counts and not result.err, "scan --check stores a check, and prints nothing to a pipe on stderr",
           result.text, result.stderr)
    tap.same(sum(counts[2:]), counts[1], "the counts of the summary add up", result.text)
    tap.same(probes(), before, "the check leaves no probe")
    events = pmuq("list", "events", "-J").json["events"]
    opens = opens_of(*HOST)
    tap.ok(len(opens) == len(events) and all(re.fullmatch(r"yes|skipped|no: E[A-Z0-9]+", text) for text in opens.values()),
           "list events has the open result of each event", opens)
    again = pmuq(*DB, "scan", "--name", "here")
    tap.ok("(unchanged)" in again.text and not summary(again.text), "a scan without --check does not check", again.text)
    tap.same(opens_of(*HOST), opens, "an unchanged machine keeps its check")
    return opens


def column(opens):
    for name, words, is_there in [("of the database", HOST, True), ("of this machine", [], False),
                                  ("of this machine with --db", DB, True), ("of a tree", machine("skylake-sp"), False),
                                  ("of a tree with --db", [*machine("skylake-sp"), *DB], False)]:
        heading = pmuq(*words, "list", "events").text.split("\n")[0].split()
        if heading:
            tap.same("OPENS" in heading, is_there, f"list events {name} has {'a' if is_there else 'no'} column OPENS")
        tap.ok("OPENS" not in pmuq(*words, "list").text, f"list {name} has no such column")
    tap.same(opens_of(*DB), opens, "this machine has the open results of the database in --db")
    tap.same({row["opens"] for row in pmuq("list", "events", "-J", "-o", "opens").json["events"]} - {None}, set(),
             "-o OPENS always prints the column, null without a check")
    columns = pmuq(*HOST, "list", "events", "-o", "event,opens").text.split("\n")[0].split()
    tap.ok(columns in (["EVENT", "OPENS"], []), "-o prints OPENS in the order of the option", columns)
    shown = pmuq("list", "--list-columns").text
    tap.ok(re.search(r"^  OPENS +\? ", shown, re.M), "--list-columns marks OPENS as printed only after a check", shown)
    missing = pmuq("--db", str(HERE / "none.db"), "list", "events")
    tap.ok(missing.status == 4 and "none.db" in missing.stderr, "the database in --db must exist", missing.stderr)


def show():
    shown = pmuq(*HOST, "show", "task-clock")
    tap.ok(re.search(r"^  kernel +(opens it|refuses: E)", shown.text, re.M) and "checked" in shown.text, "show prints the open result and its time",
           shown.text, shown.stderr)
    tap.ok("  kernel" in pmuq(*DB, "show", "task-clock").text, "show prints the stored open result of this machine with --db")
    tap.ok("checked" not in pmuq("show", "task-clock").text, "show opens the event itself without --db")
    tap.ok("  kernel" in pmuq(*HOST, "show", "software/config=1/").text, "all strings of one attr have one open result")
    tap.ok("  kernel" not in pmuq(*HOST, "show", "task-clock:u").text, "another attr has no open result")
    same = [pmuq(*words, "encode", "--no-open", "--json", "task-clock", "msr/tsc/").out for words in ([], HOST, DB)]
    tap.ok(same[0] == same[1] == same[2], "the output of encode is the same")


def usage():
    tree = pmuq(*machine("skylake-sp"), *DB, "scan", "--check", "--name", "skx")
    tap.ok(tree.status == 2 and "--sysroot" in tree.stderr and "kernel" in tree.stderr and not tree.out,
           "scan --check refuses a captured machine, with the reason", tree.stderr)
    tap.same(pmuq(*DB, "--host", "skx", "list").status, 4, "the refused scan stores nothing")
    tap.same(pmuq(*HOST, "scan", "--check").status, 2, "scan --check refuses a machine of the database")
    unwritable = pmuq("--db", "/proc/none/pmuq.db", "scan", "--check", "--name", "x")
    tap.ok(unwritable.status == 4 and not unwritable.out, "a database that cannot be created: 4, before an event is opened", unwritable.stderr)


# ------------------------------------------------------------------------------- the line on a terminal

def terminal():
    for name, how in (("", {}), (" that is dumb", {"TERM": "dumb"}), (" that is narrow", {"size": (24, 30)}),
                      (" by COLUMNS", {"COLUMNS": "30"})):
        screen = Screen([PMUQ, *DB, "scan", "--check", "--name", "here"], **how)
        width = 30 if "size" in how or "COLUMNS" in how else 80
        tap.ok(screen.status == 0 and re.search(r"\b0/\d+ ", screen.text), f"a terminal{name} shows the progress", screen.text)
        tap.same((screen.left(), "\n" in screen.text), ("", False), f"the progress line is removed from a terminal{name}", screen.text)
        tap.ok("\x1b" not in screen.text, f"the progress line has no escape sequence on a terminal{name}", screen.text)
        tap.ok(all(len(line) < width for line in screen.drawn), f"the progress line fits a terminal{name}", screen.text)
        tap.ok(summary(screen.out), "the summary goes to stdout", screen.out)
    bare = Screen([PMUQ, *DB, "scan", "--name", "here"])
    tap.same(bare.text, "", "a scan without --check has no progress line")


def another_kernel():
    """uname(2) returns another release to a process with UNAME26; personality(2)."""
    def pretend():
        ctypes.CDLL(None).personality(UNAME26)

    scan = pmuq(*DB, "scan", "--name", "here", preexec_fn=pretend)
    tap.ok("(new)" in scan.text, "another kernel is a new snapshot", scan.text, scan.stderr)
    tap.ok(set(opens_of(*HOST).values()) <= {None}, "the new snapshot has no check")
    tap.ok("  kernel" not in pmuq(*HOST, "show", "task-clock").text, "no open result is shown for the new snapshot")
    again = pmuq(*DB, "scan", "--name", "here")
    tap.ok("(new)" in again.text, "the first kernel again is a new snapshot", again.text)


# ------------------------------------------------------------------------------- a machine with many events

def make_machine(root):
    msr = pathlib.Path(DEVICES, "msr/type")
    pmus = {"software": {"type": "1\n"}, "odd": {"type": "65000\n", "format/event": "config:0-7\n", "events/plain": "event=1\n",
                                                "events/param": "event=?\n", "events/broken": "no_such_term=1\n"}}
    if msr.exists():
        pmus["msr"] = {"type": msr.read_text(), "format/event": "config:0-63\n", "events/tsc": "event=0x00\n"}
    for number in range(INSTANCES):
        pmus[f"uncore_box_{number}"] = {"type": f"{60000 + number}\n", "cpumask": "0\n", "format/event": "config:0-7\n",
                                        "events/a": "event=1\n", "events/b": "event=2\n"}
    for pmu, files in pmus.items():
        for name, text in files.items():
            (root / pmu / name).parent.mkdir(parents=True, exist_ok=True)
            (root / pmu / name).write_text(text)


def disguised(root):
    """The words before a command that sees these PMUs; none if this process may not mount."""
    words = ["unshare", "-m", "sh", "-c", f'mount --bind {root} {DEVICES} && exec "$@"', "sh"]
    try:
        works = subprocess.run([*words, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        works = False
    return words if works else None


def many_events():
    root = HERE / "devices"
    make_machine(root)
    before = disguised(root)
    if not before:
        tap.skip("a machine with many events can be made", "no mount namespace to be had")
        return
    # In another database: a scan reports a host with the same machine-id.
    database = ["--db", str(HERE / "many.db")]
    many = [*database, "--host", "many"]
    scan = [*before, PMUQ, *database, "scan", "--check", "--name", "many"]
    interrupted(scan, many)
    whole = subprocess.run(scan, capture_output=True, text=True, check=False)
    counts = summary(whole.stdout)
    tap.ok(counts and counts[0] == 0 and counts[1] >= 2 * INSTANCES + 3 and counts[4] == 2, "a complete check covers all events",
           whole.stdout, whole.stderr)
    opens = opens_of(*many)
    tap.same((opens["odd", "param"], opens["odd", "broken"]), ("skipped", "skipped"), "events that cannot be encoded are skipped")
    tap.ok(all(opens[f"uncore_box_{number}", "a"].startswith("no: E") for number in range(INSTANCES)), "each instance has an open result", opens)
    folded = pmuq(*many, "list", "events", "--fold").text
    tap.ok(f"uncore_box_[0-{INSTANCES - 1}]" in folded, "instances with the same open result are folded", folded)
    shown = pmuq(*many, "show", "uncore_box_7/a")
    tap.ok(re.search(r"kernel +refuses: E\w+ \(\d+\), .+\n +hint: ", shown.text), "show prints the reason and a hint", shown.text)
    stopped_again(scan, many, opens)


def interrupted(scan, many):
    screen = Screen(scan, ctrl_c=b"/")
    counts = summary(screen.out)
    tap.same(screen.status, -signal.SIGINT, "Ctrl-C ends the scan by SIGINT", screen.text, screen.out)
    tap.ok(counts and 0 < counts[0] < counts[1] and sum(counts[2:]) == counts[0], "the summary counts the events until Ctrl-C", screen.out)
    tap.same(screen.left(), "", "the progress line is removed on Ctrl-C", screen.text)
    known = [text for text in opens_of(*many).values() if text]
    tap.ok(counts and 0 < len(known) <= counts[0], "the open results until Ctrl-C are stored", known)


def stopped_again(scan, many, opens):
    screen = Screen(scan, ctrl_c=b"/")
    tap.ok(screen.status == -signal.SIGINT and "keeps the complete check" in screen.text, "a stopped check does not replace a complete one",
           screen.text, screen.out)
    tap.same(opens_of(*many), opens, "the open results of the complete check are kept")
    ignoring = subprocess.Popen(["sh", "-c", 'trap "" INT; exec "$@"', "sh", *scan], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(0.3)
    ignoring.send_signal(signal.SIGINT)
    out, err = ignoring.communicate(timeout=120)
    tap.ok(ignoring.returncode == 0 and summary(out)[0] == 0, "a scan that ignores SIGINT (nohup) is not stopped", out, err)


found = this_machine()
column(found)
show()
usage()
terminal()
another_kernel()
many_events()
DIRECTORY.cleanup()
tap.finish()
