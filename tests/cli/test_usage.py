#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Usage of the command: help, misspelt words, exit statuses, stdout."""
import os
import pathlib
import pty
import re
import subprocess
import tomllib

from tap import PMUQ, SCHEMAS, Tap, forms_of, machine, pmuq, printed_on

COMMANDS = (SCHEMAS.parent / "cli/commands.list").read_text().split()
MAN = pathlib.Path(os.environ["PMUQ_MAN"])

# pmuq(1) explains them for all commands.
OUTPUT = {"J", "json", "jsonl", "yaml", "o", "columns", "list-columns", "r", "raw", "n", "noheadings", "no-pager"}
tap = Tap()


def words_of_help():
    overview = pmuq("help")
    tap.same((overview.status, overview.err), (0, b""), "help prints to stdout")
    for command in COMMANDS:
        tap.ok(re.search(rf"^  {command} ", overview.text, re.M), f"help names {command}", overview.text)
        long_help, by_option = pmuq("help", command), pmuq(command, "--help")
        tap.ok(long_help.status == 0 and f"Usage: pmuq {command}" in long_help.text,
               f"help {command} prints its usage", long_help.text)
        tap.same(by_option.out, long_help.out, f"{command} --help is help {command}")
        for line in long_help.text.splitlines():
            tap.ok(len(line) <= 100, f"help {command}: a line fits 100 columns: {line.strip()[:30]}", line)
    listed = set(re.findall(r"^  ([a-z]+) ", overview.text.split("Options:")[0], re.M))
    tap.same(listed, set(COMMANDS), "this test covers all commands of the help")
    none = pmuq()
    tap.same((none.status, none.out, none.err), (2, b"", overview.out), "no command: help on stderr, 2")


def summaries():
    """A command has the same summary in the help, on its page and in pmuq(1)."""
    overview, main = pmuq("help").text, (MAN / "pmuq.1").read_text()
    for command in COMMANDS:
        summary = re.search(rf"^  {command} +(.*)$", overview, re.M)[1]
        own = re.search(r"^\.Nd (.*)$", (MAN / f"pmuq-{command}.1").read_text(), re.M)[1]
        listed = re.search(rf"^\.It Xr pmuq-{command} 1\n(.*)\.$", main, re.M)[1]
        tap.same(own, summary, f"pmuq-{command}(1) has the summary of the help")
        tap.same(listed[0].lower() + listed[1:], summary, f"pmuq(1) has the summary of {command}")


def codes():
    with open(SCHEMAS / "messages.toml", "rb") as file:
        table = tomllib.load(file)
    for name, row in table.items():
        code = f"PMUQ-{row['number']:03}"
        result = pmuq("help", code)
        want = (f"{code} {name}: {row['meaning']}\n\nExample: {row['example']}\n\n{row['remedy']}\n")
        tap.same((result.status, result.text), (0, want), f"help {code} explains {name}")
    for spelling in ("034", "34", "unknown-term"):
        tap.same(pmuq("help", spelling).out, pmuq("help", "PMUQ-034").out, f"help {spelling} is PMUQ-034's")
    tap.same(pmuq("help", "PMUQ-999").status, 1, "a code that does not exist: 1")


def mistakes():
    for words, near in [(["lits"], "list"), (["encode", "--jsn", "cycles"], "--json"), (["--sysrot", "x"], "--sysroot"),
                        (["list", "--noheading5"], "--noheadings"), (["help", "encoed"], "encode"),
                        (["list", "-o", "NAMR"], "NAME"), (["encode", "--from", "sysfz", "x"], "sysfs")]:
        result = pmuq(*words)
        tap.ok(result.status == 2 and near in result.stderr and not result.out,
               f"{' '.join(words)}: 2, and {near} is proposed", result.status, result.stderr)
    for words, instead in [(["encode", "-e", "cycles"], "operands: `pmuq encode cycles`"), (["check", "--event=cycles"], "`pmuq check cycles`"),
                           (["check", "-a", "cycles"], "`pmuq check -C 0-3 cycles`"), (["encode", "-C", "0", "cycles"], "`pmuq check -C 0-3 cycles`"),
                           (["encode", "--all-cpus", "cycles"], "`pmuq check -C"), (["encode", "-F", "99", "cycles"], "freq=1000"),
                           (["stat", "-e", "cycles", "ls"], "`pmuq check --count EVENT`"), (["record", "ls"], "--preset record"),
                           (["top"], "does not count"), (["test"], "`pmuq check EVENT`")]:
        result = pmuq(*words)
        tap.ok(result.status == 2 and instead in result.stderr and "did you mean" not in result.stderr and not result.out,
               f"{' '.join(words)}, as in perf: 2, and {instead} is proposed", result.status, result.stderr)
    for words in (["list", "-Z"], ["list", "--json=x"], ["list", "-o"], ["encode"], ["show"], ["scan", "x"],
                  ["list", "-o", ""], ["--host", "a", "scan"], ["--host", "a", "--sysroot", "b", "list"],
                  ["--host", "a@", "list"], ["encode", "--dialect", "papi", "cycles"], ["encode", "--from", "", "x"]):
        result = pmuq(*words)
        tap.ok(result.status == 2 and result.err and not result.out, f"{' '.join(words)}: 2, with a reason",
               result.status, result.stderr)
    tap.same(pmuq("--sysroot", "/nonexistent", "list").status, 4, "a root that does not exist: 4")


def forms_exclude_each_other():
    for command in COMMANDS:
        forms = [f"--{form}" for form in forms_of(command)]
        for one, other in zip(forms, forms[1:]):
            result = pmuq(command, one, other, "x")
            tap.ok(result.status == 2 and one in result.stderr and other in result.stderr, f"{command} {one} {other}: 2", result.stderr)


def stdout_that_fails():
    commands = [["--version"], ["help"], [*machine("pentium4"), "list"], [*machine("pentium4"), "list", "-J"],
                [*machine("pentium4"), "show", "cpu"], [*machine("pentium4"), "encode", "msr/tsc/"],
                [*machine("pentium4"), "encode", "--jsonl", "--no-open", "msr/tsc/"],
                *[[*machine("pentium4"), "encode", f"--{form}", "msr/tsc/"] for form in forms_of("encode")],
                *[[*machine("pentium4"), command, f"--{form}", "msr"] for command in ("list", "show") for form in forms_of(command)]]
    for words in commands:
        shown = " ".join(word for word in words if not word.startswith("/"))
        with open("/dev/full", "wb") as full:
            result = pmuq(*words, stdout=full)
        tap.ok(result.status == 4 and "stdout" in result.stderr, f"{shown}: a full stdout is an error", result.stderr)
        closed = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', PMUQ, *words], stderr=subprocess.PIPE,
                                check=False)
        tap.ok(closed.returncode == 4 and b"stdout" in closed.stderr, f"{shown}: a closed stdout is an error",
               closed.returncode, closed.stderr)


def on_terminal(words, env):
    """What a command prints when its stdout is a terminal."""
    master, slave = pty.openpty()
    done = subprocess.Popen([PMUQ, *words], stdout=slave, stderr=subprocess.DEVNULL, env={**os.environ, **env})
    os.close(slave)
    text = b"".join(printed_on(master))
    done.wait()
    os.close(master)
    return text


def colours():
    words = [*machine("pentium4"), "encode", "msr/tsc/"]
    tap.ok(b"\033[" in on_terminal(words, {"TERM": "xterm", "NO_COLOR": ""}), "a terminal gets colours")
    tap.ok(b"\033[" not in on_terminal(words, {"TERM": "xterm", "NO_COLOR": "1"}), "never with NO_COLOR")
    tap.ok(b"\033[" not in pmuq(*words, env={"TERM": "xterm"}).out, "a pipe gets no colours")


def version():
    short, full = pmuq("--version"), pmuq("--version", "-v")
    tap.ok(re.fullmatch(r"pmuq \d+\.\d+\.\d+\n", short.text), "--version is one line", short.text)
    tap.ok(full.text.startswith(short.text), "--version -v begins with the line of --version", full.text)
    for word in ("144", "sqlite", "libsmartcols: ", "libyaml: "):
        tap.ok(word in full.text, f"--version -v has a line for {word.strip(': ')}", full.text)


def options_of_help(text, heading):
    """The options below a heading of a help text, without their dashes."""
    part = re.split(r"\n\n", text.split(heading, 1)[1])[0] if heading in text else ""
    return {word for line in re.findall(r"^ {2,6}(-.*?)(?:  |$)", part, re.M)
            for word in re.findall(r"(?<![\w-])--?([A-Za-z][a-z0-9-]*)", line)}


def options_of_page(page):
    """The options that have an item on a page."""
    items = re.findall(r"^\.It (Fl .*)$", page.replace("\\-", "-"), re.M)
    return {word.lstrip("-") for item in items
            for word in re.findall(r"(?:Fl|,) (-?[A-Za-z][a-z0-9-]*)", re.sub(r"\b(Ns|Op|Ar|Cm)\b.*", "", item))}


def man_pages():
    overview = (MAN / "pmuq.1").read_text()
    tap.same(options_of_page(overview), options_of_help(pmuq("help").text, "Options:\n")
             | options_of_help(pmuq("help").text, "before or after it (default: the running machine):\n") | OUTPUT,
             "pmuq(1) has the global options")
    listed = re.findall(r"^\.It Xr pmuq-(\w+) 1$", overview, re.M)
    tap.same(sorted(listed), sorted(COMMANDS), "pmuq(1) lists the commands")
    tap.same({path.stem for path in MAN.glob("pmuq-*.1")}, {f"pmuq-{command}" for command in COMMANDS},
             "every command has a page, and every page a command")
    for command in COMMANDS:
        page, text = (MAN / f"pmuq-{command}.1").read_text(), pmuq("help", command).text
        tap.same(options_of_page(page), options_of_help(text, "\nOptions:\n") | options_of_help(text, "\nForms of the output (one of them):\n"),
                 f"pmuq-{command}(1) has the options of the command, and no others")
        tap.ok(f"\nManual: pmuq-{command}(1)\n" in text, f"help {command} names its page", text)


def options_in_use():
    """Each row of the list of options is an option of some command, or of the daemon."""
    names = re.findall(r'^\tROW\(\w+, +(?:0|\'.\'), +"([a-z0-9-]+)"', (SCHEMAS.parent / "cli/option_list.h").read_text(), re.M)
    shown = "".join(pmuq("help", *words).text for words in [[], *[[command] for command in COMMANDS]])
    tap.ok(len(names) > 40, "the list of options is read", names)
    daemon = options_of_page((MAN / "pmuqd.8").read_text())
    tap.same([name for name in names if name not in daemon and not re.search(rf"--{name}(?![a-z-])", shown)], [],
             "every option is one of a command")


words_of_help()
summaries()
options_in_use()
codes()
mistakes()
forms_exclude_each_other()
stdout_that_fails()
colours()
version()
man_pages()
tap.finish()
