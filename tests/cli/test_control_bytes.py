#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A law over all commands: no control byte of a file, a name or a word of the command line reaches a terminal. Everything that
can be read has some: a tree, a recording of a line, tables of a vendor, a document, names of files."""
import itertools
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import tempfile

from tap import MACHINES, PMUQ, UNWANTED, Tap, pmuq

# An escape sequence, a C1 control in UTF-8 and as a byte, a bell, a delete, a backspace, a carriage return.
EVIL = "\x1b]0;T\x07\x1b[2J\u009b31m\udc9b1m\x7f\x08\rx"
FORMS = [[], ["--json"], ["--jsonl"], ["--yaml"]]
tap = Tap()


def on_terminal(words, cwd):
    """The bytes that the terminal gets, stdout and stderr."""
    master, slave = pty.openpty()
    clean = {key: value for key, value in os.environ.items() if key not in UNWANTED}
    process = subprocess.Popen([PMUQ, *words], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, cwd=cwd,
                               env=clean | {"TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "PAGER": "cat"})
    os.close(slave)
    seen = b""
    while select.select([master], [], [], 60)[0]:
        try:
            more = os.read(master, 65536)
        except OSError:
            break
        if not more:
            break
        seen += more
    process.wait(timeout=60)
    os.close(master)
    return process.returncode, seen


def try_words(words, cwd):
    status, seen = on_terminal(words, cwd)
    text = seen.replace(b"\r\n", b"\n").decode(errors="surrogateescape")
    # A line of progress and its removal.
    text = re.sub(r"\r\d+/\d+ \[[#.]+\] [ -~]*\r *\r", "", text)
    bad = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\udc80-\udcff]|\r", text)
    tap.ok(0 <= status < 126 and not bad, ascii(" ".join(words)).replace(str(cwd), "…").replace("#", "?"),
           f"status {status}", ascii(text[max(bad.start() - 60, 0):bad.end() + 60]) if bad else "")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(os.fsencode(text))


def make_tree(top):
    """A captured machine, with a PMU and facts of an attacker."""
    shutil.copytree(MACHINES / "core2-merom", top, symlinks=True)
    for name in ("evil", f"evil{EVIL}"):
        pmu = top / "sys/bus/event_source/devices" / name
        for file, text in (("type", "77\n"), ("format/event", "config:0-7\n"), (f"format/f{EVIL}", "config:8-15\n"), ("format/bad", f"config:{EVIL}\n"),
                           ("events/good", "event=1\n"), ("events/good.unit", f"{EVIL}\n"), ("events/good.scale", f"1{EVIL}\n"), (f"events/e{EVIL}", "event=2\n"),
                           ("events/wrong", f"event={EVIL}\n"), ("identifier", f"{EVIL}\n"), ("cpumask", f"{EVIL}\n"), (f"caps/c{EVIL}", f"{EVIL}\n"),
                           ("caps/pmu_name", f"{EVIL}\n"), (f"attribute{EVIL}", f"{EVIL}\n")):
            write(pmu / file, text)
    for path in itertools.chain(top.rglob("cpuinfo"), top.rglob("osrelease"), top.rglob("hostname"), top.rglob("version")):
        if path.is_file():
            path.chmod(0o644)
            write(path, path.read_text(errors="surrogateescape").replace("\n", f"{EVIL}\n"))


def make_tables(top):
    write(top / "mapfile.csv", f"Family-model,Version,Filename,EventType\nGenuineIntel-6-F,v1{EVIL},evil{EVIL},core\n")
    # JSON has its own way to write them.
    text = "".join(f"\\u{ord(char):04x}" for char in EVIL if ord(char) < 0xd800)
    write(top / f"x86/evil{EVIL}/a{EVIL}.json", f'[{{"EventName": "E{text}", "EventCode": "0x1", "BriefDescription": "{text}", "Unit": "{text}"}},'
          f'{{"EventName": "GOOD", "EventCode": "0x3c", "BriefDescription": "about {text}"}}, {EVIL}]')
    write(top / "x86/mapfile.csv", f"Family-model,Version,Filename,EventType\nGenuineIntel-6-F,v1{EVIL},evil{EVIL},core\n")


def make_files(top):
    write(top / f"list{EVIL}", f"cycles\n{EVIL}\ncpu/{EVIL}/\n")
    write(top / "document.yaml", f"schema: pmuq.inventory/1\n{EVIL}: 1\n")
    write(top / "document.json", f'{{"schema": "{EVIL}"')
    write(top / f"recording{EVIL}.data", "PERFILE2" + EVIL * 100)
    write(top / "hosts.txt", EVIL)


def commands(top):
    tree, evil = ["--sysroot", f"{top}/tree"], f"evil{EVIL}"
    db = ["--db", f"{top}/hosts.db"]
    for form in FORMS:
        for word in ("pmus", "events", "tracepoints", "formats", "facts", "problems"):
            yield [*tree, "list", word, *form]
        yield [*tree, "show", "evil", *form]
        yield [*tree, "show", "evil/good/", *form]
        yield [*tree, "encode", "--no-open", *form, "evil/good/", "evil/wrong/", f"evil/e{EVIL}/", EVIL, f"evil/'{EVIL}'/"]
        yield [*tree, "explain", *form, "evil/good/", f"cpu/{EVIL}/", f"cpu/name='{EVIL}'/"]
        yield [*tree, "decode", *form, "type=77,config=1", f"type=77,config={EVIL}", EVIL]
        yield [*tree, "check", *form, "evil/good/", EVIL]
        yield ["diff", f"{top}/tree", str(MACHINES / "core2-merom"), *form]
        yield [*tree, *db, "search", "good", *form]
        yield [*db, "hosts", *form]
        yield [*db, "vendor", "list", *form]
        yield ["--sysroot", f"{top}/{EVIL}", "list", *form]
        yield ["--db", f"{top}/{EVIL}/x", "hosts", *form]
    yield from ([*tree, *db, "scan", "--name", "evil"], [*tree, *db, "scan", "--name", evil], [*db, "vendor", "import", "--no-libpfm4", "--name", evil, f"{top}/tables"],
                [*db, "vendor", "import", "--no-libpfm4", f"{top}/tables"], [*db, "hosts"], [*db, "vendor", "list"], [*db, "--host", "evil", "list", "problems"],
                [*db, "--host", "evil", "search", "good"], [*db, "--host", EVIL, "list"], [*db, "export", "evil"], [*db, "export", "--json", "evil"], [*db, "diff", "evil"],
                [*db, "import", f"{top}/document.yaml", f"{top}/document.json", f"{top}/recording{EVIL}.data", f"{top}/{EVIL}"], [*db, "forget", EVIL],
                [*tree, "encode", "--no-open", "-f", f"{top}/list{EVIL}"], ["decode", f"{top}/recording{EVIL}.data"], ["--sysroot", f"{top}/recording{EVIL}.data", "list"],
                ["--sysroot", f"{top}/document.json", "list"], ["--db", f"{top}/hosts.txt", "hosts"], [*tree, "capture", f"{top}/copy{EVIL}"], [*tree, "show", evil],
                [*tree, "list", "pmus", "-o", EVIL], [*tree, "show", EVIL], [EVIL], [f"--{EVIL}"], ["list", f"--{EVIL}"], ["help", EVIL], ["schema", EVIL],
                ["complete", "--", *tree, "show", "ev"], ["complete", "--", *tree, "encode", "evil/"], [*tree, "encode", "--from", EVIL, "cycles"], [*db, "forget", "evil"])


with tempfile.TemporaryDirectory() as directory:
    work = pathlib.Path(directory)
    make_tree(work / "tree")
    make_tables(work / "tables")
    make_files(work)
    for line in commands(work):
        try_words(line, work)
tap.same(pmuq("--version").status, 0, "the command runs")
tap.finish()
