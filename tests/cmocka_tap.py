#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cmocka_tap.py PROGRAM: runs a test program of cmocka and passes its TAP on, with skipped tests as TAP has them.
cmocka 1.1 writes "not ok N # SKIP name", which readers of TAP take for a failure."""
import os
import re
import subprocess
import sys

SKIPPED = re.compile(r"^not ok (\d+) # SKIP (.*)$")


def main():
    env = os.environ | {"CMOCKA_MESSAGE_OUTPUT": "TAP"}
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, env=env, text=True, errors="replace") as program:
        for line in program.stdout:
            print(SKIPPED.sub(r"ok \1 - \2 # SKIP", line.rstrip("\n")), flush=True)
    sys.exit(program.returncode if program.returncode >= 0 else 128 - program.returncode)


main()
