#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion of untrusted names, on a terminal in one shell: test_hostile_names.py SHELL

Somebody types the beginning of a name in each way of quoting, then TAB, the missing quote and Enter. The shell must then pass
exactly that name: nothing in it is executed, expanded or split. If the beginning itself has a meaning for the shell, it is also
right to complete nothing."""
import os
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile

from shells import Shell
from tap import IS_THOROUGH, Tap, machine, pmuq

NAME = sys.argv[1]
VENDORS = pathlib.Path(__file__).resolve().parents[1] / "vendor/arch"
# Each would create the file RAN or mean something else if the shell read it as code.
NAMES = [
    "$(touch RAN)x", "a$(touch RAN)x", "`touch RAN`x", "a`touch RAN`x", "$HOME", "${HOME}x", "a$HOME", "$'a'x", '$"a"x', "$", "$$x", "$-x", "$((1+1))x",
    "';touch RAN;'x", '";touch RAN;"x', "a'b\"c`d x", "a;touch RAN;x", "a|touch RAN|x", "a&touch RAN&x", "a>RAN<x", "<(touch RAN)x", ">(touch RAN)x",
    "*x", "a*x", "?x", "[ab]x", "@(x)", "!x", "!!x", "a!x", "a\\!x", "~x", "~root", "~+", "a=~root", "=ls", "#x", "a #x", "^a^b", "{a,b}x", "a{1..3}x", "(x)y",
    "a\\x", "\\x", "\\\\", " x", "a  b x", "%s%n", "a:b=c@d x", "\u00fcx y", "\u65e5\u672c x", "a\u00ad\u00bf\u2028x", "a,b{c", "(touch RAN)", "a$", "a\"", "a'", "==ls",
]
# Never offered: a terminal would obey them, they end a line of the output, or shells disagree how to quote them. The last ones
# would be options.
REFUSED = ["a\nx", "a\tx", "a\x1b]0;T\x07x", "a\x7fx", "a\u009b1mx", "\x01", "a\rb", "a\udcffx y", "\udce9$HOME", "\udc9b1mx"]
DASHED = ["-x", "--db=$(touch RAN)"]
tap = Tap()


def raw(text):
    return text


def escaped(text):
    """fish has letters with a meaning after a backslash."""
    return "".join(char if char.isalnum() else "\\" + char for char in text)


# How the beginning is typed: what comes before it, how many characters, and how each is written.
STATES = [
    ("after \" and a character", '"', 1, raw), ("nothing", "", 0, raw), ("a character after \\", "", 1, escaped), ("a character", "", 1, raw),
    ("two characters", "", 2, raw), ("after ' and two", "'", 2, raw), ("after \" and two", '"', 2, raw), ("a backslash", "\\", 0, raw),
]


def is_literal(begun, quote):
    """Whether a shell reads what was typed as it is: then there must be a completion."""
    special = {"'": "'", '"': '"$`\\!', "": "$`'\"\\!*?[~=#^{}()<>|;& %"}.get(quote, "")
    return not any(char in special for char in begun)


def open_quote(line, is_fish):
    """The quote that is open at the end of the line."""
    quote, escapes = "", False
    for char in line:
        if escapes:
            escapes = False
        elif char == "\\" and (quote != "'" or is_fish):
            escapes = True
        elif char == quote:
            quote = ""
        elif not quote and char in "'\"":
            quote = char
    return quote


def cannot_fish(begun, quote, name):
    """To fish * and ? are patterns, however they are quoted; and it does not quote a tilde after nothing."""
    return set(begun) & set("*?") or (name.startswith("~") and not begun and not quote)


class Hostile(Shell):
    """A shell in which the command is a function that writes its arguments to a file."""

    def __init__(self, name, work, language="C.UTF-8"):
        (work / "here").mkdir(exist_ok=True)
        super().__init__(name, work, work / "here", language)
        self.name, self.arguments = name, work / "arguments"
        body = f"""printf '%s\\0' {'$argv' if name == 'fish' else '"$@"'} END >{self.arguments}"""
        self.type(f"function pmuq; {body}; end\n" if name == "fish" else f"pmuq() {{ {body}; }}\n")
        if name == "zsh":
            self.type("setopt magic_equal_subst\n")
        self.after("")

    def passed(self, line):
        """What the shell passes after TAB and Enter as last argument; None if TAB changed nothing."""
        got = self.after(line + "\t", keeps=True)
        if got in (line, line.removesuffix("\\")):
            self.type("\x05\x15")
            return None, got
        self.arguments.unlink(missing_ok=True)
        self.type(open_quote(got, self.name == "fish") + "\n")
        passed = self.written(self.arguments)
        if passed is None:
            self.type("\x03")
            self.read(1)
            return "(an open line)", got
        return passed.split("\0")[-1], got


def try_states(shell, subject, before, name, option="", states=STATES[:1]):
    """Only this name can be completed."""
    for state, quote, n, write in states:
        begun = name[:n]
        # The shell itself completes or expands these: what the user wrote is code. bash requests completions all the same.
        is_other = write is raw and quote != "'" and shell.name != "bash" and (
            (not quote and (set(begun) & set("<>;|&") or begun.startswith("~"))) or re.search(r"\$.", begun))
        if len(begun) < n or (quote and quote in begun) or is_other:
            continue
        line = f"{before}{option}{quote}{write(begun)}"
        got, shown = shell.passed(line)
        ran = self_made(shell)
        tap.ok(not ran, f"{subject} {name!a}, {state}: ran {ran}") if ran else None
        must = quote != "\\" and (write is escaped or is_literal(begun, quote)) and not (shell.name == "fish" and cannot_fish(begun, quote, name))
        tap.ok(got == option + name or (got is None and not must), f"{subject} {name!a}, {state}", f"passed {got!a}", f"line {shown!a}")


def self_made(shell):
    """Files that code in a name has made."""
    made = [path for path in (shell.work / "here").iterdir() if path.name in ("RAN", "RAN)")]
    for path in made:
        path.unlink()
    return made


def try_refused(shell, subject, before, names, make):
    for name in names:
        make(name)
        got, shown = shell.passed(before)
        tap.ok(got is None, f"{subject} {name!a} is not offered", f"passed {got!a}", f"line {shown!a}")


def files(shell):
    here = shell.work / "here"

    def make(name):
        for path in here.iterdir():
            path.unlink()
        (here / name).touch()

    for number, name in enumerate(NAMES):
        make(name)
        # A run has every fourth state of each name.
        try_states(shell, "file", "pmuq import ", name, "", STATES if IS_THOROUGH else STATES[number % 4::4])
        try_states(shell, "file of an option", "pmuq encode ", name, "--file=", STATES[:2])
    try_refused(shell, "file", "pmuq import ", REFUSED, make)
    for name in DASHED:
        make(name)
        got, shown = shell.passed("pmuq import ")
        # fish hides what begins with a dot.
        tap.ok(got == f"./{name}" or (got is None and shell.name == "fish"), f"file {name!a} is not an option", f"passed {got!a}", f"line {shown!a}")
        (here / name).unlink()


def pmus(shell):
    devices = shell.work / "tree/sys/bus/event_source/devices"
    devices.mkdir(parents=True)

    def make(name):
        for path in devices.iterdir():
            shutil.rmtree(path)
        (devices / name).mkdir()
        (devices / name / "type").write_text("42\n")

    for name in NAMES:
        make(name)
        try_states(shell, "PMU", f"pmuq --sysroot {shell.work}/tree list pmus ", name)
    try_refused(shell, "PMU", f"pmuq --sysroot {shell.work}/tree list pmus ", REFUSED + DASHED, make)


def events(shell):
    """Names of events in an event string, which has quotes of its own."""
    event = shell.work / "tree/sys/bus/event_source/devices/p"
    shutil.rmtree(event.parent)
    for name in NAMES:
        (event / "events").mkdir(parents=True)
        (event / "format").mkdir()
        (event / "format/event").write_text("config:0-7\n")
        (event / "type").write_text("42\n")
        (event / "events" / name).write_text("event=1\n")
        got, shown = shell.passed(f"pmuq --sysroot {shell.work}/tree encode \"p/'")
        tap.ok(got in (None, f"p/'{name}'/"), f"event {name!a} in double quotes", f"passed {got!a}", f"line {shown!a}")
        shutil.rmtree(event)


def stored(shell):
    """A host and an import in a database of another user."""
    path = shell.work / "hosts.db"
    for words in (("scan", "--name", "h", *machine("core2-merom")), ("vendor", "import", "--no-libpfm4", "--name", "v", str(VENDORS))):
        tap.same(pmuq("--db", str(path), *words).status, 0, words[0])

    def make(name):
        with sqlite3.connect(path) as db:
            db.execute("UPDATE host SET name = CAST(? AS TEXT)", (os.fsencode(name),))
            db.execute("UPDATE vendor SET name = CAST(? AS TEXT)", (os.fsencode(name),))

    for name in NAMES if IS_THOROUGH else NAMES[::8]:
        if "@" in name: # which is not in names of hosts
            continue
        make(name)
        try_states(shell, "host", f"pmuq --db {path} hosts ", name)
        try_states(shell, "import", f"pmuq --db {path} vendor remove ", name)
    for subject, command in (("host", "hosts"), ("import", "vendor remove")):
        try_refused(shell, subject, f"pmuq --db {path} {command} ", REFUSED + DASHED, make)


def without_utf8(work):
    """A locale in which the bytes of a name are not characters."""
    shell = Hostile(NAME, work, "C")
    for name in [name for name in NAMES if not name.isascii()]:
        (work / "here" / name).touch()
        for begun in ("", "'", '"'):
            got, shown = shell.passed(f"pmuq import {begun}")
            tap.ok(got in (None, name), f"file {name!a} in the C locale after {begun or 'nothing'}", f"passed {got!a}", f"line {shown!a}")
        (work / "here" / name).unlink()
    shell.close()


with tempfile.TemporaryDirectory() as directory:
    if shutil.which(NAME):
        shell = Hostile(NAME, pathlib.Path(directory))
        for test in (files, pmus, events, stored):
            test(shell)
            tap.same([path.name for path in (shell.work / "here").iterdir()], [], f"{test.__name__}: no file appeared")
        shell.close()
        without_utf8(pathlib.Path(directory))
    else:
        tap.skip(NAME, "not installed")
tap.finish()
