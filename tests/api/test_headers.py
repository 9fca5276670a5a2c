#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each public header compiles alone, as C11 and as C++17, without a warning: test_headers.py INCLUDE GENERATED CC"""
import pathlib
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import Tap  # noqa: E402

INCLUDE, GENERATED = map(pathlib.Path, sys.argv[1:3])
CC = shlex.split(sys.argv[3])
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only", f"-I{INCLUDE}",
          f"-I{GENERATED}"]
LANGUAGES = [("C11", CC, ["-xc", "-std=c11", "-Wstrict-prototypes"]), ("C++17", ["c++"], ["-xc++", "-std=c++17"])]

tap = Tap()
headers = sorted([*INCLUDE.glob("pmuq/*.h*"), *GENERATED.glob("pmuq/*.h*")])
tap.ok(len(headers) > 8, "there are headers")
for language, compiler, options in LANGUAGES:
    for header in headers:
        name = f"{header.name} compiles alone as {language}"
        if not shutil.which(compiler[0]):
            tap.skip(name, f"there is no {compiler[0]}")
            continue
        if header.suffix == ".hpp" and language == "C11":
            continue
        done = subprocess.run([*compiler, *options, *STRICT, "-"], input=f"#include <pmuq/{header.name}>\n", text=True,
                              capture_output=True)
        tap.same((done.returncode, done.stderr), (0, ""), name)
whole = (INCLUDE / "pmuq/pmuq.h").read_text()
for header in headers:
    if header.suffix == ".h" and header.parent.parent == INCLUDE and header.name not in ("pmuq.h", "attr.h"):
        tap.ok(f"#include <pmuq/{header.name}>" in whole, f"pmuq.h includes {header.name}")
tap.finish()
