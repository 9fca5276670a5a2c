#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The C++ wrappers: wrappers.cpp is compiled as C++17 and C++20 without a warning,
exceptions or RTTI, and run. test_cpp.py INCLUDE GENERATED LIBPMUQ CC_ID SANITIZE"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import MACHINES, Tap  # noqa: E402

INCLUDE, GENERATED, LIBRARY = map(pathlib.Path, sys.argv[1:4])
CC_ID, SANITIZE = sys.argv[4], sys.argv[5]
CXX = "clang++" if CC_ID == "clang" else "g++"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", f"-I{INCLUDE}", f"-I{GENERATED}"]
BARE = ["-fno-exceptions", "-fno-rtti", "-pthread"] + ([f"-fsanitize={SANITIZE}"] if SANITIZE != "none" else [])
WRAPPERS = pathlib.Path(__file__).resolve().parent / "wrappers.cpp"

tap = Tap()


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def build(source, program, *options):
    status, _, err = run(CXX, *options, *STRICT, source, "-o", program, LIBRARY, f"-Wl,-rpath,{LIBRARY.parent}")
    return status, err


def wrappers(work):
    # The headers have one code for both; a sanitizer makes the compiler slow.
    for language in ("C++17", "C++20") if SANITIZE == "none" else ("C++20",):
        wrapped(work / language, language)


def wrapped(work, language):
    work.mkdir()
    program = work / "wrappers"
    tap.same(build(WRAPPERS, program, f"-std={language.lower()}", *BARE), (0, ""),
             f"{language}, without exceptions and RTTI")
    status, out, err = run(program, MACHINES, work, WRAPPERS.parent.parent / "recordings")
    for outcome, name in re.findall(r"^(ok|not ok) \d+ - (.*)$", out, re.M):
        tap.ok(outcome == "ok", name, err)
    tap.ok(status == 0 and len(re.findall("^ok", out, re.M)) > 50 and not err, "the program exits with 0", str(status), err)


if not shutil.which(CXX):
    tap.skip("the C++ wrappers", f"there is no {CXX}")
else:
    with tempfile.TemporaryDirectory() as directory:
        wrappers(pathlib.Path(directory))
tap.finish()
