#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cmocka_tap.py PROGRAM: runs a test program of cmocka and prints its TAP, with skipped tests in the form of TAP.
cmocka 1.1 writes "not ok N # SKIP name", which readers of TAP take for a failure, and continues on the next line if
a name has a newline. A program for another architecture runs in meson's exe wrapper."""
import os
import re
import shlex
import subprocess
import sys

SKIPPED = re.compile(r"^not ok (\d+) # SKIP (.*)$")
TAP = re.compile(r"ok |not ok |\d+\.\.|#|TAP version|Bail out!|$")


def main():
    env = os.environ | {"CMOCKA_MESSAGE_OUTPUT": "TAP"}
    program = shlex.split(os.environ.get("MESON_EXE_WRAPPER", "")) + sys.argv[1:]
    with subprocess.Popen(program, stdout=subprocess.PIPE, env=env, text=True, errors="replace") as running:
        for line in running.stdout:
            line = line.rstrip("\n")
            print(SKIPPED.sub(r"ok \1 - \2 # SKIP", line) if TAP.match(line) else f"# {line}", flush=True)
    sys.exit(running.returncode if running.returncode >= 0 else 128 - running.returncode)


main()
