#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples of the manual give what stands there. An example is a literal block that begins with "$ ":

    .\\" first: pmuq --sysroot skylake-sp scan --name skx      run before it, unseen
    .Bd -literal -offset indent
    $ pmuq --host skx list                                    run by the shell
    ...                                                       what it prints, stdout and stderr
    .Ed

The examples of a page are run in their order, in a directory of their own, with the captured machines in it and
a database of their own. A block behind the comment `.\\" not tested: WHY` is left alone.

`meson test cli-manual-examples --test-args=--update` writes what was printed into the pages; then read the diff."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tap import MACHINES, PMUQ, Tap

MAN = pathlib.Path(os.environ["PMUQ_MAN"])
TREES = pathlib.Path(os.environ["PMUQ_VENDOR_TREES"])
# How wide a terminal shows it, with the indent of a page.
WIDTH = 96
BLOCK = re.compile(r'((?:^\.\\" (?:first|not tested): .*\n)*)^(\.Bd -literal.*\n)(\$ .*\n(?:.*\n)*?)(?=^\.Ed$)', re.M)
# What roff, and who formats for a terminal, would make something else of.
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
    """(command, what is said that it prints); a command goes on behind a backslash, on lines with "> "."""
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
    """Where the examples of one page are tried."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/pmuq").symlink_to(PMUQ)
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
    """What should stand in the page in place of the block."""
    comments, head, body = match.groups()
    if "not tested:" in comments:
        return match[0]
    for command in re.findall(r'^\.\\" first: (.*)$', comments, re.M):
        desk.run(command)
    fresh = ""
    for command, shown, want in steps(from_roff(body)):
        got = desk.run(command)
        name = f"{page.name}: {command.splitlines()[0][:90]}"
        tap.ok(got == want, name, "got:", got, "in the page:", want)
        wide = [line for line in (shown + got).splitlines() if len(line) > WIDTH]
        tap.ok(not wide, f"{name}: fits", *wide)
        fresh += to_roff(shown + got)
    return comments + head + fresh


def try_page(page, wants_update):
    text = page.read_text()
    blocks = list(BLOCK.finditer(text))
    tap.ok(blocks, f"{page.name} has examples")
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(folder)
        fresh = BLOCK.sub(lambda match: try_block(desk, page, match), text)
    if wants_update and fresh != text:
        page.write_text(fresh)


if not os.access(PMUQ, os.X_OK):
    sys.exit(f"there is no {PMUQ}")
for path in sorted(MAN.glob("*.[1-9]")):
    if not [word for word in sys.argv[1:] if word.startswith("pmuq")] or path.name in sys.argv:
        try_page(path, "--update" in sys.argv)
tap.finish()
