#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How the command takes words and numbers its answers: help, spellings, exit statuses, stdout."""
import os
import pathlib
import pty
import re
import shutil
import subprocess
import tomllib

from tap import PMUQ, SCHEMAS, Tap, machine, pmuq

COMMANDS = ["scan", "list", "show", "encode", "check", "explain", "decode", "capture", "diff", "hosts", "forget", "export", "import", "help", "vendor", "search"]
MAN = pathlib.Path(os.environ["PMUQ_MAN"]) / "pmuq.1"

tap = Tap()


def words_of_help():
    overview = pmuq("help")
    tap.same((overview.status, overview.err), (0, b""), "help prints to stdout")
    for command in COMMANDS:
        tap.ok(re.search(rf"^  {command} ", overview.text, re.M), f"help names {command}", overview.text)
        long_help, by_option = pmuq("help", command), pmuq(command, "--help")
        tap.ok(long_help.status == 0 and f"Usage: pmuq {command}" in long_help.text,
               f"help {command} tells its usage", long_help.text)
        tap.same(by_option.out, long_help.out, f"{command} --help is help {command}")
        for line in long_help.text.splitlines():
            tap.ok(len(line) <= 100, f"help {command}: a line fits 100 columns: {line.strip()[:30]}", line)
    listed = set(re.findall(r"^  ([a-z]+) ", overview.text.split("Options:")[0], re.M))
    tap.same(listed, set(COMMANDS), "the commands of the help are those that are tested")
    none = pmuq()
    tap.same((none.status, none.out, none.err), (2, b"", overview.out), "no command: help on stderr, 2")


def codes():
    with open(SCHEMAS / "messages.toml", "rb") as file:
        table = tomllib.load(file)
    for name, row in table.items():
        code = f"PMUQ-{row['number']:03}"
        answer = pmuq("help", code)
        want = (f"{code} {name}: {row['meaning']}\n\nExample: {row['example']}\n\n{row['remedy']}\n")
        tap.same((answer.status, answer.text), (0, want), f"help {code} explains {name}")
    for spelling in ("034", "34", "unknown-term"):
        tap.same(pmuq("help", spelling).out, pmuq("help", "PMUQ-034").out, f"help {spelling} is PMUQ-034's")
    tap.same(pmuq("help", "PMUQ-999").status, 1, "a code that does not exist: 1")


def mistakes():
    for words, near in [(["lits"], "list"), (["encode", "--jsn", "cycles"], "--json"), (["--sysrot", "x"], "--sysroot"),
                        (["list", "--noheading5"], "--noheadings"), (["help", "encoed"], "encode"),
                        (["list", "-o", "NAMR"], "NAME"), (["encode", "--from", "sysfz", "x"], "sysfs")]:
        answer = pmuq(*words)
        tap.ok(answer.status == 2 and near in answer.talk and not answer.out,
               f"{' '.join(words)}: 2, and {near} is proposed", answer.status, answer.talk)
    for words in (["list", "-Z"], ["list", "--json=x"], ["list", "-o"], ["encode"], ["show"], ["scan", "x"],
                  ["list", "-o", ""], ["--host", "a", "scan"], ["--host", "a", "--sysroot", "b", "list"],
                  ["--host", "a@", "list"], ["encode", "--dialect", "papi", "cycles"], ["encode", "--from", "", "x"]):
        answer = pmuq(*words)
        tap.ok(answer.status == 2 and answer.err and not answer.out, f"{' '.join(words)}: 2 and a reason",
               answer.status, answer.talk)
    tap.same(pmuq("--sysroot", "/nonexistent", "list").status, 4, "a root that does not exist: 4")


def stdout_that_fails():
    commands = [["--version"], ["help"], [*machine("pentium4"), "list"], [*machine("pentium4"), "list", "-J"],
                [*machine("pentium4"), "show", "cpu"], [*machine("pentium4"), "encode", "msr/tsc/"],
                [*machine("pentium4"), "encode", "--jsonl", "--no-open", "msr/tsc/"],
                *[[*machine("pentium4"), "encode", form, "msr/tsc/"] for form in ("--yaml", "--c", "--hex", "--raw")]]
    for words in commands:
        shown = " ".join(word for word in words if not word.startswith("/"))
        with open("/dev/full", "wb") as full:
            answer = pmuq(*words, stdout=full)
        tap.ok(answer.status == 4 and "stdout" in answer.talk, f"{shown}: a full stdout is an error", answer.talk)
        closed = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', PMUQ, *words], stderr=subprocess.PIPE,
                                check=False)
        tap.ok(closed.returncode == 4 and b"stdout" in closed.stderr, f"{shown}: a closed stdout is an error",
               closed.returncode, closed.stderr)


def on_terminal(words, env):
    """What a command prints when its stdout is a terminal."""
    master, slave = pty.openpty()
    done = subprocess.Popen([PMUQ, *words], stdout=slave, stderr=subprocess.DEVNULL, env={**os.environ, **env})
    os.close(slave)
    text = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    done.wait()
    os.close(master)
    return text


def colours():
    words = [*machine("pentium4"), "encode", "msr/tsc/"]
    tap.ok(b"\033[" in on_terminal(words, {"TERM": "xterm", "NO_COLOR": ""}), "a terminal gets colours")
    tap.ok(b"\033[" not in on_terminal(words, {"TERM": "xterm", "NO_COLOR": "1"}), "never with NO_COLOR")
    tap.ok(b"\033[" not in pmuq(*words, env={"TERM": "xterm"}).out, "a pipe gets none")


def version():
    short, full = pmuq("--version"), pmuq("--version", "-v")
    tap.ok(re.fullmatch(r"pmuq \d+\.\d+\.\d+\n", short.text), "--version is one line", short.text)
    tap.ok(full.text.startswith(short.text), "--version -v begins with it", full.text)
    for word in ("144", "sqlite", "libsmartcols: ", "libyaml: "):
        tap.ok(word in full.text, f"--version -v tells of {word.strip(': ')}", full.text)


def man_page():
    page = MAN.read_text().replace("\\-", "-")
    for command in COMMANDS:
        tap.ok(re.search(rf"^\.(Cm|It Cm|Ss|SS|Nm pmuq) ?.*\b{command}\b", page, re.M), f"pmuq(1) tells of {command}")
        for option in re.findall(r"--([a-z0-9-]+)", pmuq("help", command).text.split("Examples:")[0]):
            tap.ok(re.search(rf"^\.It Fl (\w , )?-{option}\b", page, re.M), f"pmuq(1) tells of {command} --{option}")
    if not shutil.which("mandoc"):
        tap.skip("pmuq(1) is sound mdoc", "no mandoc")
        return
    lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", MAN], capture_output=True, check=False)
    tap.same((lint.returncode, lint.stdout), (0, b""), "pmuq(1) is sound mdoc")


words_of_help()
codes()
mistakes()
stdout_that_fails()
colours()
version()
man_page()
tap.finish()
