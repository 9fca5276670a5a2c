#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Output on a terminal: folding, pager, colours and box characters by terminal, environment and locale."""
import fcntl
import locale
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

from tap import PMUQ, Tap, machine, pmuq, printed_on

BIG = machine("big-uncore-k6.12")
TREE = machine("skylake-sp")
OURS = ("COLUMNS", "LINES", "NO_COLOR", "PAGER", "LESS", "LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LANG", "TERM", "LOCPATH")
BASE = {key: value for key, value in os.environ.items() if key not in OURS}
UTF8 = {"LANG": "C.UTF-8"}
tap = Tap()


class Screen:
    def __init__(self, status, raw, other):
        self.status, self.raw, self.other = status, raw, other
        self.text = raw.decode(errors="replace").replace("\r\n", "\n")
        self.plain = re.sub(r"\x1b\[[0-9;]*m", "", self.text)
        self.rows = self.plain.splitlines()


def on_terminal(*words, size=(24, 80), stream="stdout", **env):
    """Runs the command with one of its streams on a terminal. PAGER is empty by default; None unsets it."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    where = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: slave}
    with tempfile.TemporaryFile() as other:
        where = {key: slave if value == slave else other for key, value in where.items()}
        env = {**BASE, "TERM": "xterm", "PAGER": "", **env}
        done = subprocess.Popen([PMUQ, *words], stdin=subprocess.DEVNULL, **where,
                                env={key: value for key, value in env.items() if value is not None})
        os.close(slave)
        raw = b"".join(printed_on(master))
        status = done.wait(timeout=60)
        os.close(master)
        other.seek(0)
        return Screen(status, raw, other.read().decode(errors="replace"))


def folding():
    shown = on_terminal(*BIG, "list")
    names = [row.split()[0] for row in shown.rows[1:]]
    tap.ok("uncore_cha_[0-127]" in names and len(names) < 40, "list folds 1,034 PMUs to a few rows on a terminal", shown.plain)
    row = next(row.split() for row in shown.rows if row.startswith("uncore_cha"))
    tap.same(row[1], "54-181", "folded PMUs have a range of types")
    for words in (["--all"], ["-r"], ["-J"]):
        tap.ok("uncore_cha_[" not in on_terminal(*BIG, "list", *words).plain, f"{words[0]} unfolds on a terminal")
    tap.same(len(pmuq(*BIG, "list").text.splitlines()), 1035, "a pipe gets a row for each PMU")
    tap.same(pmuq(*BIG, "list", "--fold").text.split(), " ".join(shown.rows).split(), "--fold in a pipe folds as a terminal does")
    folded = pmuq(*BIG, "list", "--fold", "-J", "uncore_imc_*").json["pmus"]
    tap.same([(row["name"], row["type"]) for row in folded][0], ("uncore_imc_[0-63]", "940-1003"), "--fold -J is valid JSON")
    for table, want in (("events", "uncore_imc_[0-63]"), ("formats", "uncore_cha_[0-127]")):
        text = on_terminal(*BIG, "list", table).plain
        tap.ok(want in text and "uncore_imc_7" not in text, f"list {table} folds on a terminal", text)
    whole = len(pmuq(*BIG, "list", "events", "-J").json["events"])
    tap.same(len(pmuq(*BIG, "list", "events", "-n").text.splitlines()), whole, "--no-fold lists every event")


def script(directory, name, text):
    path = pathlib.Path(directory) / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def pager():
    with tempfile.TemporaryDirectory() as directory:
        mark = pathlib.Path(directory) / "mark"
        own = script(directory, "own", f'echo "$@" >{mark}; exec cat')

        def paged(*words, **how):
            mark.unlink(missing_ok=True)
            screen = on_terminal(*words, **{"PAGER": own, **how})
            return screen, mark.exists()

        want = on_terminal(*BIG, "list", "--all", size=(2000, 80)).plain
        for name, words, how, is_paged in [
                ("more lines than the terminal has", [], {}, True),
                ("a terminal that is high enough", [], {"size": (60, 80)}, False),
                ("LINES is believed", [], {"LINES": "60"}, False),
                ("LINES is believed when it is small", [], {"size": (60, 80), "LINES": "10"}, True),
                ("--no-pager", ["--no-pager"], {}, False),
                ("TERM=dumb", [], {"TERM": "dumb"}, False),
                ("-J", ["-J"], {}, False),
                ("options in PAGER", [], {"PAGER": own + " -x"}, True),
                ("PAGER empty", [], {"PAGER": ""}, False),
                ("PAGER=cat", [], {"PAGER": "cat"}, False)]:
            screen, was_paged = paged(*BIG, "list", *words, **how)
            tap.same((was_paged, screen.status, "uncore_upi_" in screen.plain), (is_paged, 0, True),
                     f"pager: {name}: {'yes' if is_paged else 'no'}", screen.plain)
        rows = len(on_terminal(*BIG, "list", size=(2000, 80)).rows)
        tap.same([paged(*BIG, "list", size=(lines, 80))[1] for lines in (rows, rows + 1)], [True, False],
                 "a table that leaves no line for the prompt is paged")
        for name in ("/nonexistent/pager", "true", "head -n 1", "exit 3", script(directory, "killed", "kill -9 $$")):
            screen = on_terminal(*BIG, "list", "--all", PAGER=name)
            tap.same((screen.status, "Broken pipe" in screen.plain), (0, False), f"a pager that ends early is not an error: {os.path.basename(name)}",
                     screen.plain)
        tap.ok(on_terminal(*BIG, "list", "--all", PAGER="/nonexistent/pager").plain.endswith(want[-400:]),
               "the table is printed if the pager cannot be started")
        piped = subprocess.run([PMUQ, *BIG, "list"], env={**BASE, "PAGER": own, "TERM": "xterm", "LINES": "5"}, capture_output=True, check=False)
        tap.ok(piped.stdout and not piped.stderr and not mark.exists(), "a pipe has no pager")
    for installed, want in ((["less", "more"], "less -FRX"), (["more"], "more ")):
        with tempfile.TemporaryDirectory() as directory:
            for name in installed:
                script(directory, name, f'echo "called: {name} $@"; while read -r line; do :; done')
            screen = on_terminal(*BIG, "list", PAGER=None, PATH=directory)
            tap.ok(f"called: {want}" in screen.plain, f"without PAGER it is {want}", screen.plain)


COLOURED = [[*TREE, "list", "msr"], [*TREE, "show", "msr"], [*TREE, "show", "cycles"], [*TREE, "encode", "cycles"]]


def colours():
    for words in COLOURED:
        name = words[2]
        for env, options, is_coloured in [
                ({}, [], True), ({"NO_COLOR": "1"}, [], False), ({"NO_COLOR": ""}, [], True), ({"TERM": "dumb"}, [], False),
                ({"TERM": ""}, [], False), ({}, ["--color=never"], False), ({"NO_COLOR": "1"}, ["--color=always"], True),
                ({"NO_COLOR": "1"}, ["--color", "auto"], False)]:
            got = b"\x1b[" in on_terminal(*words, *options, **env).raw
            tap.same(got, is_coloured, f"{name} on a terminal, {env} {options}: {'colours' if is_coloured else 'none'}")
        before = pmuq("--color=always", *words, env={"NO_COLOR": "1", "TERM": "dumb"}).text
        tap.ok("\x1b[" in before, f"{name}: --color=always colours a pipe, and is accepted before the command")
        plain = pmuq(*words, env={"TERM": "xterm"}).text
        tap.same(re.sub(r"\x1b\[[0-9;]*m", "", before), plain, f"{name}: the text without colours is the same")
        tap.ok("\x1b" not in plain, f"{name}: a pipe gets no colours")
    for words in (["-J"], ["-r"]):
        tap.ok("\x1b" not in pmuq(*TREE, "list", *words, "--color=always").text, f"list {words[0]} is never coloured")
    wrong = [*TREE, "encode", "cycles", "cpu/umsk=1/"]
    split = on_terminal(*wrong, stream="stderr")
    tap.ok("\x1b[" in split.text and "\x1b[" not in split.other, "errors are coloured if stderr is a terminal", split.text, split.other)
    split = on_terminal(*wrong, stream="stdout")
    tap.ok("\x1b[" in split.text and "\x1b[" not in split.other, "output is coloured if stdout is a terminal", split.text, split.other)
    caret = re.search(r"\x1b\[[0-9;]+m\^\^\^\^\x1b\[0m", on_terminal(*wrong, stream="stderr").text)
    tap.ok(caret, "the caret is coloured")
    bad = pmuq("list", "--color", "sometimes")
    tap.ok(bad.status == 2 and "sometimes" in bad.stderr and not bad.out, "--color has three values", bad.stderr)


def width():
    for name, words in (("list", ["list"]), ("list events", ["list", "events", "cpu"]), ("list formats", ["list", "formats"]),
                        ("show", ["show", "cpu"])):
        def widest(rows):
            drawn = [row for row in rows if not name == "show" or re.match(r"  [ |+│┌└0-9a-z]*[|+│┌└]", row)]
            return max(map(len, drawn), default=0)

        by_window = on_terminal(*TREE, *words, size=(24, 60)).rows
        by_name = pmuq(*TREE, *words, *(["--fold"] if name != "show" else []), env={"COLUMNS": "60"}).text.splitlines()
        over = on_terminal(*TREE, *words, size=(24, 200), COLUMNS="60").rows
        for how, rows in (("a terminal of 60 columns", by_window), ("COLUMNS=60", by_name), ("COLUMNS beats the terminal", over)):
            tap.ok(30 < widest(rows) <= 60, f"{name}: {how}", "\n".join(rows))
    headings = [on_terminal(*TREE, "list", "formats", size=(24, columns)).rows[0].split() for columns in (60, 200)]
    tap.same(headings, [["PMU", "FORMAT", "BITS"], ["PMU", "FORMAT", "BITS", "WIDTH", "WORD", "MASK"]],
             "redundant columns are dropped on a narrow terminal")
    named = " ".join(on_terminal(*TREE, "list", "formats", "-o", "PMU,FORMAT,BITS,WORD,MASK", size=(24, 40)).rows)
    tap.ok(all(name in named for name in ("PMU", "FORMAT", "BITS", "WORD", "MASK")), "columns of -o are not dropped", named)
    free = pmuq(*BIG, "list", "events", env={"TERM": "xterm"}).text
    tap.ok(max(map(len, free.splitlines())) > 80, "the width of a list in a pipe is not limited")
    for wrong in ("0", "x", "-5", "", "99999999999999999999"):
        tap.same(pmuq(*TREE, "show", "cpu", env={"COLUMNS": wrong}).text, pmuq(*TREE, "show", "cpu").text, f"COLUMNS={wrong!r} is ignored")


def words_of(text):
    return sorted(re.findall(r"[^\s,]+", text))


def narrow():
    """No line is longer than the terminal unless it is one word, and no word is cut or lost."""
    events, found = "PMU,EVENT,TERMS,UNIT,SCALE,SOURCE", "SOURCE,CPU,PMU,EVENT,STRING,TERMS,DESCRIPTION"
    for name in ("skylake-sp", "sapphirerapids-k6.12", "big-uncore-k6.12", "arm64-biglittle"):
        for words in (["list", "--fold", "-o", "NAME,TYPE,CPUS,FORMATS,EVENTS,CAPS"], ["list", "events", "--fold", "-o", events],
                      ["list", "formats", "--fold", "-o", "PMU,FORMAT,BITS,WIDTH,WORD,MASK"], ["search", "-o", found, "cache", "miss"]):
            whole = pmuq(*machine(name), *words).text
            for columns in (20, 60, 80, 120, 160):
                text = pmuq(*machine(name), *words, env={"COLUMNS": str(columns)}).text
                tap.same([line for line in text.splitlines() if len(line) > columns and re.search(r"[^\s,]+[\s,]+[^\s,]", line)], [],
                         f"{name}: {words[0]} {words[1]}: {columns} columns")
                tap.same(words_of(text), words_of(whole), f"{name}: {words[0]} {words[1]}: all words in {columns} columns")
    for columns, wanted in ((60, """\
PMU EVENT                    TERMS                UNIT SCALE
cpu cycles-ct                event=0x3c,in_tx=1,       1
                             in_tx_cp=1
cpu topdown-recovery-bubbles event=0xd,umask=0x1,      2
                             cmask=1,any=1
"""), (50, """\
PMU EVENT                    UNIT SCALE
    TERMS
cpu cycles-ct                     1
    event=0x3c,in_tx=1,in_tx_cp=1
cpu topdown-recovery-bubbles      2
    event=0xd,umask=0x1,cmask=1,any=1
""")):
        rows = pmuq(*TREE, "list", "events", "cpu/topdown-recovery-bubbles", "cpu/cycles-ct", "--from", "sysfs", env={"COLUMNS": str(columns)})
        tap.same(rows.text, wanted, f"{columns} columns: terms wrap at commas, or go on lines of their own")


def drawing_characters():
    for env, is_utf8 in [(UTF8, True), ({}, False), ({"LANG": "C.UTF-8", "LC_ALL": "C"}, False), ({"LANG": "C", "LC_ALL": "C.UTF-8"}, True),
                         ({"LANG": "C", "LC_CTYPE": "en_US.utf8"}, True), ({"LC_CTYPE": "C", "LANG": "C.UTF-8"}, False),
                         ({"LC_CTYPE": "de_DE.UTF-8@euro"}, True), ({"LC_ALL": "", "LANG": "C.UTF-8"}, True),
                         ({"LANG": "de_DE.ISO-8859-1"}, False), ({"LANG": "de_DE"}, False), ({"LANG": "POSIX"}, False)]:
        shown = on_terminal(*TREE, "show", "cpu", **env)
        tap.same(("┌" in shown.text, shown.text.isascii()), (is_utf8, not is_utf8), f"box characters on a terminal with {env}")
    for options in ([], ["--color=always"]):
        tap.ok(pmuq(*TREE, *options, "show", "cpu", env={"LC_ALL": "C.UTF-8"}).text.isascii(), f"no box characters in a pipe {options}")
    with tempfile.TemporaryDirectory() as directory:
        events = pathlib.Path(directory) / "sys/bus/event_source/devices/odd/events"
        events.mkdir(parents=True)
        (events.parent / "type").write_text("77\n")
        (events / "heat").write_text("event=1\n")
        (events / "heat.unit").write_text("°C\n")
        (events / "heat.scale").write_text("0.5\n")
        tree = ["--sysroot", directory]
        for words in (["list", "events"], ["show", "odd"]):
            tap.ok("°C" in on_terminal(*tree, *words, LC_ALL="C.UTF-8").text, f"{words[0]}: a UTF-8 terminal gets UTF-8")
            tap.ok(on_terminal(*tree, *words, LC_ALL="C").text.isascii(), f"{words[0]}: a terminal in the C locale gets ASCII")
        tap.same(pmuq(*tree, "list", "-J", "events", env={"LC_ALL": "C"}).json["events"][0]["unit"], "°C", "JSON is UTF-8 in any locale")


def comma():
    """A locale with a decimal comma, made if the machine has none."""
    with tempfile.TemporaryDirectory() as directory:
        made = None
        if shutil.which("localedef"):
            made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(directory, "de_DE.UTF-8")], capture_output=True, check=False)
        env = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": directory}
        check = subprocess.run([sys.executable, "-c", "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'])"],
                               env={**BASE, **env}, capture_output=True, check=False)
        if check.stdout != b",\n":
            tap.skip("a decimal comma does not change numbers", f"no locale could be made: {made.stderr if made else 'no localedef'}")
            return
        tap.same(locale.localeconv()["decimal_point"], ".", "the locale has a decimal comma")
        for words in (["list"], ["list", "-J"], ["list", "events"], ["list", "-J", "events"], ["list", "-r", "events"], ["list", "formats"],
                      ["show", "cpu"], ["show", "uncore_imc"], ["show", "cas_count_read"], ["encode", "uncore_imc/cas_count_read/"],
                      ["encode", "--json", "uncore_imc/cas_count_read/", "cpu/topdown-slots-issued/"], ["help"]):
            with_comma = pmuq(*TREE, *words, env=env)
            with_point = pmuq(*TREE, *words, env={"LC_ALL": "C.UTF-8"})
            tap.same((with_comma.status, with_comma.out), (0, with_point.out), f"{' '.join(words)}: a decimal comma changes no byte")
        screen = on_terminal(*TREE, "show", "uncore_imc", **env).text
        tap.ok("6.103515625e-5" in screen and "┌" in screen, "a decimal comma changes no number on a terminal", screen)


folding()
pager()
colours()
width()
narrow()
drawing_characters()
comma()
tap.finish()
