#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ctrl-C during a long import or export of many hosts, or an import of tables: the line of progress, what is kept, and what the
command prints about it."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from screen import Screen
from tap import PMUQ, Tap, machine, pmuq

HOSTS, MANY = 400, 20000
TREES = pathlib.Path(os.environ["PMUQ_VENDOR_TREES"])
tap = Tap()


def make_files(folder):
    """A document for each host, and one of them all."""
    base = folder / "base.db"
    pmuq("--db", str(base), *machine("skylake-sp"), "scan", "--name", "web_name")
    text = pmuq("--db", str(base), "--host", "web_name", "export").text
    files = [folder / f"web{number}.yaml" for number in range(HOSTS)]
    for file in files:
        file.write_text(text.replace("web_name", file.stem))
    (folder / "all.yaml").write_text("---\n".join(file.read_text() for file in files))
    return [str(file) for file in files]


def stored(database):
    """None if there are no tables yet."""
    result = pmuq("--db", database, "hosts", "--json")
    return {row["host"] for row in result.rows} if result.status == 0 else None


def import_files(folder, files):
    database = str(folder / "files.db")
    screen = Screen([PMUQ, "--db", database, "import", *files], ctrl_c=b"5/400")
    printed = set(re.findall(r"^host (\S+):", screen.out, re.M))
    note = re.search(r"interrupted: the database has (\d+) of 400 files, and nothing of the others", screen.text)
    tap.same(screen.status, -signal.SIGINT, "Ctrl-C ends an import by SIGINT", screen.text)
    tap.ok(note and 0 < int(note[1]) < HOSTS, "the note has the number of files in the database", screen.text)
    tap.same(stored(database), printed, "the database has each host that was printed, and no other")
    tap.same(note and int(note[1]), len(printed), "the number of the note is that of the database")
    rest = pmuq("--db", database, "import", *files)
    tap.same((rest.status, len(stored(database))), (0, HOSTS), "the same command again imports the others", rest.stderr)
    return database


def import_one_file(folder):
    database = str(folder / "one.db")
    screen = Screen([PMUQ, "--db", database, "import", str(folder / "all.yaml")], ctrl_c=b"web")
    tap.ok(screen.status == -signal.SIGINT and "has 0 of 1 files" in screen.text, "an interrupted file is not stored, and the note does not count it",
           screen.text)
    tap.same((screen.out, stored(database)), ("", set()), "nothing of it is printed or in the database")


def wait_for_a_pipe(folder, files):
    """While the command waits for a pipe, the files before it are in the database already."""
    database, pipe = str(folder / "pipe.db"), folder / "pipe"
    os.mkfifo(pipe)
    waiting = subprocess.Popen([PMUQ, "--db", database, "import", *files[:2], str(pipe)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 30
    while time.monotonic() < end and not (os.path.exists(database) and len(stored(database) or ()) == 2):
        time.sleep(0.05)
    tap.same(stored(database), {"web0", "web1"}, "files before a pipe are stored before it is waited for")
    waiting.send_signal(signal.SIGINT)
    tap.same(waiting.wait(30), -signal.SIGINT, "Ctrl-C ends the wait at once")


def error(folder):
    """The second machine of a file is an error while the line of progress shows the first one."""
    path = folder / "broken.yaml"
    path.write_text((folder / "web0.yaml").read_text() + "---\nno document\n")
    screen = Screen([PMUQ, "--color", "never", "--db", str(folder / "broken.db"), "import", str(path)])
    tap.ok("0/1 [" in screen.text and re.search(r"\r +\rerror\[", screen.text), "the line of progress is removed before an error", screen.text)
    tap.same((screen.status, stored(str(folder / "broken.db"))), (4, set()), "nothing of that file is stored")


def many(folder):
    """A database of so many hosts that an export is not done before Ctrl-C arrives."""
    text = re.sub(r"^  entries: .*\n", "", (folder / "web0.yaml").read_text(), flags=re.M)
    before, entry, after = re.split(r"(?<=^hosts:\n)(.*?)(?=^\w)", text, maxsplit=1, flags=re.M | re.S)
    (folder / "many.yaml").write_text(before + "".join(entry.replace("web0", f"web{number}") for number in range(MANY)) + after)
    database = str(folder / "many.db")
    pmuq("--db", database, "import", str(folder / "many.yaml"))
    return database


def export(folder, database):
    path, larger = folder / "kept.yaml", many(folder)
    path.write_text("the old text")
    before = sorted(folder.iterdir())
    screen = Screen([PMUQ, "--db", larger, "export", "--all-hosts", "--output", str(path)], ctrl_c=f"/{MANY} [".encode())
    tap.ok(screen.status == -signal.SIGINT and re.search(rf"interrupted after \d+ of {MANY} hosts; nothing was written", screen.text),
           "Ctrl-C ends an export, with the number of hosts that were read", screen.text)
    tap.same((path.read_text(), sorted(folder.iterdir())), ("the old text", before), "the old file stays, and there is no other")
    whole = Screen([PMUQ, "--db", database, "export", "--all-hosts", "--output", str(path)])
    tap.ok(whole.status == 0 and "/400 [" in whole.text, "an export shows its progress on a terminal", whole.text)
    tap.same(whole.left(), "", "the line of progress is removed", whole.text)
    for words in (["encode", "--all-hosts", "cycles"], ["report", "--all-hosts"]):
        screen = Screen([PMUQ, "--db", database, *words])
        tap.ok("0/1 [" in screen.text and screen.left() == "", f"{' '.join(words)} shows its progress, too", screen.text)
    piped = pmuq("--db", database, "export", "--all-hosts")
    tap.same((piped.err, piped.out == path.read_bytes()), (b"", True), "without a terminal there is no progress, and the text is the same")


def tables(folder):
    """A tree of 400 folders; an import of the same name is there already."""
    database, tree = str(folder / "tables.db"), folder / "s390"
    shutil.copytree(TREES / "arch/s390", tree)
    pmuq("--db", database, "vendor", "import", "--no-libpfm4", str(tree))
    before = pmuq("--db", database, "vendor", "list", "--json").rows
    for number in range(1, HOSTS):
        shutil.copytree(tree / "z0", tree / f"z{number}")
    screen = Screen([PMUQ, "--db", database, "vendor", "import", "--no-libpfm4", str(tree)], ctrl_c=b"/401 [")
    tap.ok(screen.status == -signal.SIGINT and re.search(r"interrupted after \d+ of 401 steps; nothing was imported", screen.text),
           "Ctrl-C ends an import of tables, with the number of steps that were done", screen.text)
    tap.same(pmuq("--db", database, "vendor", "list", "--json").rows, before, "the import that was there before is still there")
    whole = Screen([PMUQ, "--db", database, "vendor", "import", "--no-libpfm4", str(tree)])
    tap.ok(whole.status == 0 and "0/401 [" in whole.text and whole.left() == "",
           "an import of tables shows its progress on a terminal", whole.text)
    tap.same(pmuq("--db", database, "vendor", "list", "--json").rows[0]["folders"], HOSTS, "the same command again imports all folders")


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    paths = make_files(here)
    filled = import_files(here, paths)
    import_one_file(here)
    wait_for_a_pipe(here, paths)
    error(here)
    export(here, filled)
    tables(here)
tap.finish()
