#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The shared library exports exactly the declarations of the headers, and a program that refers to each of them
links and runs; other names of the static library have a prefix, so that they do not collide:
test_symbols.py INCLUDE GENERATED LIBPMUQ CC LIBPMUQ_STATIC"""
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests/cli"), str(ROOT / "scripts")]
from symbols import declared, mapped  # noqa: E402
from tap import Tap  # noqa: E402

INCLUDE, GENERATED, LIBRARY = map(pathlib.Path, sys.argv[1:4])
CC = shlex.split(sys.argv[4])


def exported():
    """The names and versions of all global defined symbols."""
    done = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", LIBRARY], capture_output=True, text=True,
                          check=True)
    table = {}
    for line in done.stdout.splitlines():
        name, _, version = line.split()[-1].partition("@@")
        if line.split()[-2] != "A":
            table[name] = version
    return table


def touch_all(names, work):
    lines = ["#include <pmuq/pmuq.h>", "#include <stdio.h>", "typedef void (*any)(void);", "int main(void)", "{",
             "\tstatic const any all[] = {"]
    lines += [f"\t\t(any){name}," for name in sorted(names)]
    lines += ["\t};", "\tunsigned n = 0;", "\tfor (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)",
              "\t\tn += all[i] != 0;", '\tprintf("%u\\n", n);', "\treturn 0;", "}"]
    source, program = work / "touch.c", work / "touch"
    source.write_text("\n".join(lines) + "\n")
    built = subprocess.run([*CC, "-std=c11", f"-I{INCLUDE}", f"-I{GENERATED}", source, LIBRARY,
                            f"-Wl,-rpath,{LIBRARY.resolve().parent}", "-o", program], capture_output=True, text=True)
    if built.returncode:
        return built.stderr
    return subprocess.run([program], capture_output=True, text=True).stdout.strip()


tap = Tap()
functions, symbols = declared(INCLUDE), exported()
tap.ok(len(functions) > 100, "the headers contain declarations")
tap.same(sorted(functions - set(symbols)), [], "all declarations are exported")
tap.same(sorted(set(symbols) - functions), [], "all exports are declared")
archived = subprocess.run(["nm", "--defined-only", "--extern-only", "--format=posix", sys.argv[5]], capture_output=True,
                          text=True, check=True).stdout
names = {line.split()[0] for line in archived.splitlines() if len(line.split()) > 2}
tap.ok(functions <= names, "the static library contains all declarations")
# Names with two underscores belong to the compiler: sanitizers.
tap.same(sorted(name for name in names if not name.startswith(("pmuq_", "pq_", "__"))), [],
         "all other names of the static library have pmuq's prefix")
tap.same(symbols, mapped((ROOT / "pmuq.map").read_text()), "each symbol is in the node of its release")
with tempfile.TemporaryDirectory() as work:
    tap.same(touch_all(functions, pathlib.Path(work)), str(len(functions)), "a program that refers to each symbol links and runs")
tap.finish()
