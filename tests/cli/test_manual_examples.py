#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each example of the manual and of README.md prints what the page shows. In a page of the manual an example is a literal
block that begins with "$ ":

    .\\" first: pmuq --sysroot skylake-sp scan --name skx      run before it, not shown
    .Bd -literal -offset indent
    $ pmuq --host skx list                                    run by the shell
    ...                                                       its output, stdout and stderr
    .Ed

In README.md it is a block between "```console" and "```"; comments are "<!-- first: COMMAND -->". The examples of a page run
in order, in an empty directory with the captured machines and a database. A block after the comment "not tested: WHY" does
not run.

`meson test cli-manual-examples --test-args=--update` writes the output into the pages; then read the diff."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tap import MACHINES, PMUQ, Tap

MAN = pathlib.Path(os.environ["PMUQ_MAN"])
TREES = pathlib.Path(os.environ["PMUQ_VENDOR_TREES"])
README = MAN.parent.parent / "README.md"
# The width of a page that a terminal shows without wrapping.
WIDTH = 96
WIDTH_README = 120
BLOCK = re.compile(r'((?:^\.\\" (?:first|not tested): .*\n)*)^(\.Bd -literal.*\n)(\$ .*\n(?:.*\n)*?)(?=^\.Ed$)', re.M)
README_BLOCK = re.compile(r"((?:^<!-- (?:first|not tested): .* -->\n)*)^(```console\n)(\$ .*\n(?:.*\n)*?)(?=^```$)", re.M)
# Characters that roff, or a formatter for terminals, would change.
ROFF = {"\\": "\\e", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}
tap = Tap()


def to_roff(text):
    lines = ["".join(ROFF.get(letter, letter) for letter in line) for line in text.split("\n")]
    return "\n".join("\\&" + line if line.startswith(".") else line for line in lines)


def from_roff(text):
    for letter, escape in reversed(ROFF.items()):
        text = text.replace(escape, letter)
    return re.sub(r"^\\&", "", text, flags=re.M)


def steps(block):
    """(command, its output on the page); a command continues after a backslash, on lines with "> "."""
    found, is_open = [], False
    for line in block.splitlines():
        if line.startswith("$ ") or is_open:
            if not is_open:
                found.append(["", "", ""])
            found[-1][0] += line[2:] + "\n"
            found[-1][1] += line + "\n"
            is_open = line.endswith("\\")
        else:
            found[-1][2] += line + "\n"
    return found


class Desk:
    """The directory in which the examples of a page run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/pmuq").symlink_to(PMUQ)
        (self.folder / "build").mkdir()
        (self.folder / "build/machines").symlink_to(MACHINES)
        for machine in MACHINES.iterdir():
            (self.folder / machine.name).symlink_to(machine)
        (self.folder / "pmu-events").symlink_to(TREES)
        self.env = {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder), "LC_ALL": "C",
                    "XDG_STATE_HOME": str(self.folder / "state"), "TERM": "dumb", "TZ": "UTC"}
        for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH"):
            if name in os.environ:
                self.env[name] = os.environ[name]

    def run(self, command):
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
        return done.stdout.decode()


def try_block(desk, page, match):
    """The block with the actual output."""
    comments, head, body = match.groups()
    is_readme = page.name == "README.md"
    if "not tested:" in comments:
        return match[0]
    for command in re.findall(r'^<!-- first: (.*) -->$' if is_readme else r'^\.\\" first: (.*)$', comments, re.M):
        desk.run(command)
    fresh = ""
    for command, shown, want in steps(body if is_readme else from_roff(body)):
        got = desk.run(command)
        name = f"{page.name}: {command.splitlines()[0][:90]}"
        tap.ok(got == want, name, "got:", got, "in the page:", want)
        wide = [line for line in (shown + got).splitlines() if len(line) > (WIDTH_README if is_readme else WIDTH)]
        tap.ok(not wide, f"{name}: the lines fit the page", *wide)
        fresh += shown + got if is_readme else to_roff(shown + got)
    return comments + head + fresh


# Their examples are not tried here: tests/postgres/test_inbox.py runs these commands.
NEED_A_SERVER = ("pmuq-db.1", "pmuq-ingest.1", "pmuq-push.1")


def try_page(page, wants_update):
    text = page.read_text()
    block = README_BLOCK if page == README else BLOCK
    blocks = list(block.finditer(text))
    tap.ok(blocks or page.name in NEED_A_SERVER, f"{page.name} has examples")
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(folder)
        fresh = block.sub(lambda match: try_block(desk, page, match), text)
    if wants_update and fresh != text:
        page.write_text(fresh)


if not os.access(PMUQ, os.X_OK):
    sys.exit(f"there is no {PMUQ}")
for path in [README, *sorted(MAN.glob("*.[1-9]"))]:
    if not [word for word in sys.argv[1:] if word.startswith(("pmuq", "README"))] or path.name in sys.argv:
        try_page(path, "--update" in sys.argv)
tap.finish()
