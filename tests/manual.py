#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every page of the manual is mdoc without a complaint of mandoc: manual.py MAN_DIR PAGE..."""
import pathlib
import shutil
import subprocess
import sys

written = sorted(pathlib.Path(sys.argv[1]).glob("*.[1-9]"))
made = [pathlib.Path(page) for page in sys.argv[2:]]
failed = 0
print(f"1..{len(written) + len(made)}")
for number, page in enumerate([*written, *made], 1):
    if not shutil.which("mandoc"):
        print(f"ok {number} - {page.name} # SKIP there is no mandoc")
        continue
    done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", str(page)], capture_output=True, text=True)
    is_fine = done.returncode == 0 and not done.stdout
    failed += not is_fine
    print(f"{'ok' if is_fine else 'not ok'} {number} - {page.name} is clean mdoc")
    for line in done.stdout.splitlines()[:20]:
        print(f"# {line}")
sys.exit(1 if failed else 0)
