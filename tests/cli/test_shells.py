#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Completion in bash, zsh and fish on a terminal with the TAB key; shells that are not installed are skipped.
test_complete.py tests what the command offers; this test, what the shell makes of it."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from shells import FILES, SHELLS, Shell
from tap import MACHINES, PMUQ, Tap, machine, pmuq

TREE = f"--sysroot {MACHINES}/skylake-sp"
# The line, and the line after TAB, in every shell.
LINES = [
    ("pmuq enc", "pmuq encode "),
    ("pmuq encode --no-o", "pmuq encode --no-open "),
    (f"pmuq {TREE} encode cpu/ev", f"pmuq {TREE} encode cpu/event="),
    (f"pmuq {TREE} encode cpu/event=0x3c,um", f"pmuq {TREE} encode cpu/event=0x3c,umask="),
    (f"pmuq {TREE} encode cpu/event=0x1,umask=0x2,ed", f"pmuq {TREE} encode cpu/event=0x1,umask=0x2,edge"),
    (f"pmuq {TREE} encode cpu/mem-lo", f"pmuq {TREE} encode cpu/mem-loads/"),
    (f"pmuq {TREE} encode uncore_imc/cas_count_r", f"pmuq {TREE} encode uncore_imc/cas_count_read/"),
    (f"pmuq {TREE} encode cycles,instr", f"pmuq {TREE} encode cycles,instructions "),
    (f"pmuq {TREE} encode '{{cycles,instr", f"pmuq {TREE} encode '{{cycles,instructions"),
    (f"pmuq {TREE} encode 'cpu/ev", f"pmuq {TREE} encode 'cpu/event="),
    (f'pmuq {TREE} encode "cpu/event=0x3c,um', f'pmuq {TREE} encode "cpu/event=0x3c,umask='),
    (f"pmuq {TREE} encode cycles:u cpu/mem-lo", f"pmuq {TREE} encode cycles:u cpu/mem-loads/"),
    (f"pmuq --sysroot={MACHINES}/skylake-s", f"pmuq --sysroot={MACHINES}/skylake-sp/"),
    (f"pmuq --sysroot={MACHINES}/skylake-sp show uncore_imc_5", f"pmuq --sysroot={MACHINES}/skylake-sp show uncore_imc_5"),
    ("pmuq list -o NAME,TY", "pmuq list -o NAME,TYPE "),
    ("pmuq help PMUQ-03", "pmuq help PMUQ-03"),
    ("pmuq --db $DB --host skx@", "pmuq --db $DB --host skx@1 "),
    ("pmuq --db $DB --host sk", "pmuq --db $DB --host skx "),
    ("pmuq --db $DB --host skx encode cpu/mem-st", "pmuq --db $DB --host skx encode cpu/mem-stores/"),
    ("pmuq encode --from=sysfs,gen", "pmuq encode --from=sysfs,generic "),
    ("pmuq encode --dialect=pe", "pmuq encode --dialect=perf "),
    ("pmuq nosuch a", "pmuq nosuch a"),
    # An incomplete string gets no blank after any number of TABs, and its quote stays open.
    (f"pmuq {TREE} encode cpu/ev\t", f"pmuq {TREE} encode cpu/event="),
    (f"pmuq {TREE} encode cpu/event=", f"pmuq {TREE} encode cpu/event="),
    (f"pmuq {TREE} encode 'cpu/event=", f"pmuq {TREE} encode 'cpu/event="),
    # Quotes and tildes are kept.
    (f"pmuq {TREE} encode \\{{cycles,instr", f"pmuq {TREE} encode \\{{cycles,instructions"),
    (f'pmuq {TREE} encode "{{cycles,instr', f'pmuq {TREE} encode "{{cycles,instructions'),
    (f"pmuq {TREE} encode cpu/name='a ',ev", {"bash": f"pmuq {TREE} encode cpu/name='a ',event=", "zsh": f"pmuq {TREE} encode cpu/name=a\\ ,event=",
                                               "fish": f"pmuq {TREE} encode cpu/name='a ',event="}),
    (f"pmuq {TREE} encode cpu/name=a\\ ,ev", f"pmuq {TREE} encode cpu/name=a\\ ,event="),
    ("pmuq --sysroot ~/tree", "pmuq --sysroot ~/trees/"),
    ("pmuq --sysroot=~/tree", "pmuq --sysroot=~/trees/"),
    # Brace expansion must not split a group: bash quotes it, fish cannot.
    (f"pmuq {TREE} encode {{cycles,instr", {"bash": f"pmuq {TREE} encode \\{{cycles,instructions", "fish": f"pmuq {TREE} encode {{cycles,instr"}),
    (f"pmuq {TREE} encode {{cycles:u,instr", {"bash": f"pmuq {TREE} encode {{cycles:u\\,instructions", "fish": f"pmuq {TREE} encode {{cycles:u,instr"}),
]
# Files and hosts with special characters: the line names them, and no command in a name runs.
ODD = ["bt`id`.txt", "br{1,2}.txt", "sq[1]*?.txt", "ex!1.txt", "ap'os\"q.txt", "do$x$(id).txt", "am&a;b|c <>.txt", "ti~#\\s\u00fc.txt"]
tap = Tap()


def meant(name, line, work):
    """The last word of a line, as the interactive shell reads it: bash and zsh expand history, too."""
    line = line.replace("pmuq", "printf '<%s>'", 1) + "\n"
    done = subprocess.run(SHELLS[name][0], input=line, capture_output=True, cwd=work, text=True, check=False, start_new_session=True,
                          env={**os.environ, "HOME": str(work), "LANG": "C.UTF-8"})
    return "<" + done.stdout.rpartition("><")[2].rstrip("\n")


def odd_names(name, shell, work):
    for odd in ODD:
        (work / odd).touch()
        for quote in ("", "'", '"'):
            line = shell.after(f"pmuq encode -f {quote}{odd[:2]}\t")
            tap.same(meant(name, line, work), f"<{odd}>", f"{name}: {odd} after {quote or 'nothing'}", line)
        (work / odd).unlink()


def drive(name, work, db):
    (work / "trees").mkdir()
    shell = Shell(name, work)
    for line, want in LINES:
        want = want if isinstance(want, str) else want.get(name)
        if want is None:
            continue
        line, want = line.replace("$DB", str(db)), want.replace("$DB", str(db))
        tap.same(shell.after(line + "\t"), want, f"{name}: {line.replace(str(MACHINES), '…').replace(str(work), '…')}",
                 shell.seen[-600:].decode(errors="replace"))
    if list(pathlib.Path("/sys/kernel/tracing").glob("events/sched/sched_switch/id")) and os.access(
            "/sys/kernel/tracing/events/sched/sched_switch/id", os.R_OK):
        for line, want in (("pmuq encode sched:sched_swi", "pmuq encode sched:sched_switch "), ("pmuq encode sche", "pmuq encode sched:")):
            tap.same(shell.after(line + "\t"), want, f"{name}: {line}", shell.seen[-600:].decode(errors="replace"))
    else:
        tap.skip(f"{name}: tracepoints", "tracefs is not there, or not for us")
    shell.seen = b""
    shell.after(f"pmuq {TREE} encode cpu/mem-\t\t")
    tap.ok(b"mem-loads/" in shell.seen and b"mem-stores/" in shell.seen, f"{name}: the choices are shown",
           shell.seen.decode(errors="replace"))
    if name != "bash":
        tap.ok(b"ldlat=3" in shell.seen, f"{name}: … with descriptions", shell.seen.decode(errors="replace"))
    (work / "a b.txt").touch()
    got = shell.after("pmuq encode -f a\t")
    tap.ok(got.rstrip() in ("pmuq encode -f a\\ b.txt", "pmuq encode -f 'a b.txt'"), f"{name}: blanks in file names are quoted", got)
    (work / "a b.txt").unlink()
    odd_names(name, shell, work)
    (work / "s t").touch()
    (work / "s!t").touch()
    got = shell.after("pmuq encode -f s\t")
    tap.ok(name == "zsh" or not got.endswith("\\"), f"{name}: the common part of names ends at a whole character", got)
    got = shell.after("pmuq encode -f s\\ \t")
    tap.same(meant(name, got, work), "<s t>", f"{name}: a name continues after a quoted blank", got)
    shell.close()


# bash splits a line by COMP_WORDBREAKS; these lines are split and passed like that.
USUAL, BLANKS = " \t\n\"'@><=;|&(:", " \t\n"
CALLS = [
    (USUAL, ["pmuq", " --sysroot", "=", "$TREE", " encode", " cpu/event", "=", "0x1,um"], ["0x1,umask="]),
    (BLANKS, ["pmuq", " --sysroot=$TREE", " encode", " cpu/event=0x1,um"], ["cpu/event=0x1,umask="]),
    (USUAL, ["pmuq", " --color", "="], ["auto", "always", "never"]),
    (BLANKS, ["pmuq", " --color=al"], ["--color=always"]),
    (USUAL, ["pmuq", " --sysroot", "=", "$TREE", "   encode", "\tcpu/mem-loads/", " cycles", ":", "ukhGHIPSDebR"], ["ukhGHIPSDebRp", "ukhGHIPSDebRX"]),
    (USUAL, ["pmuq", " encode", " --dialect", " "], ["pmuq", "perf"]),
]


def called():
    for breaks, parts, want in CALLS:
        parts = [part.replace("$TREE", f"{MACHINES}/skylake-sp") for part in parts]
        script = ('. "$1"; compopt() { :; }; COMP_WORDBREAKS=$2; COMP_LINE=$3; COMP_POINT=${#COMP_LINE}; shift 3; '
                  'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  'end=${!#}; [[ $COMP_WORDBREAKS == *"$end"* ]] && end=; _pmuq "$1" "$end"; printf "%s\\n" "${COMPREPLY[@]}"')
        words = [part.strip() for part in parts]
        done = subprocess.run(["bash", "-c", script, "bash", FILES / "pmuq.bash", breaks, "".join(parts), *words], capture_output=True,
                              text=True, env={**os.environ, "PATH": f"{pathlib.Path(PMUQ).parent}:{os.environ['PATH']}"}, check=False)
        tap.same((done.stdout.splitlines(), done.stderr), (want, ""), "called: " + "".join(parts).replace(str(MACHINES), "…"))


with tempfile.TemporaryDirectory() as directory:
    work = pathlib.Path(directory)
    db = work / "hosts.db"
    done = pmuq(*machine("skylake-sp"), "scan", "--name", "skx", "--db", str(db))
    tap.same(done.status, 0, "a database", done.stderr)
    if shutil.which("bash"):
        called()
    for name in SHELLS:
        if not shutil.which(name):
            tap.skip(name, "not installed")
            continue
        (work / name).mkdir()
        drive(name, work / name, db)
tap.finish()
