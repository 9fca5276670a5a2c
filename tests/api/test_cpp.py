#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The C++ wrappers: wrappers.cpp is compiled as C++17 and C++20 without a warning, exceptions or RTTI, and run; so is the
example of the README. test_cpp.py INCLUDE SCHEMAS LIBPMUQ CC_ID SANITIZE README"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import MACHINES, Tap  # noqa: E402

INCLUDE, SCHEMAS, LIBRARY = map(pathlib.Path, sys.argv[1:4])
CC_ID, SANITIZE, README = sys.argv[4], sys.argv[5], pathlib.Path(sys.argv[6])
CXX = "clang++" if CC_ID == "clang" else "g++"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", f"-I{INCLUDE}", f"-I{SCHEMAS}"]
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
    for language in ("C++17", "C++20"):
        wrapped(work / language, language)


def wrapped(work, language):
    work.mkdir()
    program = work / "wrappers"
    tap.same(build(WRAPPERS, program, f"-std={language.lower()}", "-O1", "-g", *BARE), (0, ""),
             f"{language}, without exceptions and RTTI")
    status, out, err = run(program, MACHINES, work, WRAPPERS.parent.parent / "recordings")
    for verdict, name in re.findall(r"^(ok|not ok) \d+ - (.*)$", out, re.M):
        tap.ok(verdict == "ok", name, err)
    tap.ok(status == 0 and len(re.findall("^ok", out, re.M)) > 50 and not err, "it ends well", str(status), err)


def example(work):
    """The C++ of the README, as it stands there."""
    code = re.search(r"^    #include <pmuq/pmuq\.hpp>.*?(?=^\S)", README.read_text(), re.S | re.M)
    tap.ok(code, "the README has an example")
    source, program = work / "example.cpp", work / "example"
    source.write_text(re.sub(r"^    ", "", code[0], flags=re.M))
    tap.same(build(source, program, "-std=c++17", *BARE), (0, ""), "… which compiles")
    status, out, err = run(program, "page-faults")
    tap.same((status, out, err), (0, "page-faults: config 0x2\n", ""), "… and encodes")
    status, out, err = run(program, "page-fautls")
    tap.ok(status == 1 and "^^^" in err and "page-faults" in err, "… and draws an error", err)


if not shutil.which(CXX):
    tap.skip("the C++ wrappers", f"there is no {CXX}")
else:
    with tempfile.TemporaryDirectory() as directory:
        wrappers(pathlib.Path(directory))
        example(pathlib.Path(directory))
tap.finish()
