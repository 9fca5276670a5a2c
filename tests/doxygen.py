#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""doxygen builds the library's reference without a warning, and it contains every function: doxygen.py DOXYFILE HEADER..."""
import pathlib
import re
import subprocess
import sys
import tempfile

if len(sys.argv) < 2:
    print("1..0 # SKIP doxygen was not found when the build was configured")
    sys.exit(0)
doxyfile, headers = pathlib.Path(sys.argv[1]), [pathlib.Path(path) for path in sys.argv[2:]]
declared = {name for header in headers if header.suffix == ".h"
            for name in re.findall(r"^[a-z][^/*=;{]*?\b(pmuq_\w+)\(", header.read_text(), re.M)}
failed = 0
print("1..3")


def ok(number, condition, name, details):
    global failed
    print(f"{'ok' if condition else 'not ok'} {number} - {name}")
    if not condition:
        failed += 1
        print("\n".join(f"# {line}" for line in details.splitlines()[:30]))


with tempfile.TemporaryDirectory() as folder:
    text = doxyfile.read_text() + f"\nOUTPUT_DIRECTORY = {folder}\n"
    done = subprocess.run(["doxygen", "-"], input=text, capture_output=True, text=True)
    ok(1, done.returncode == 0 and not done.stderr, "doxygen has nothing to complain of", done.stderr)
    pages = "".join(page.read_text() for page in pathlib.Path(folder).glob("html/*_8h.html"))
documented = {re.sub(r"<[^>]*>", "", name).split()[-1] for name in re.findall(r'<td class="memname">(.*?)</td>', pages)}
ok(2, len(declared) > 100, "the headers declare functions", f"{len(declared)}")
ok(3, declared <= documented, "every function has its description", " ".join(sorted(declared - documented)))
sys.exit(1 if failed else 0)
