#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of README.md, in C, and of docs/languages.md, in C++ and Python, compile as they are, encode an event and
report an error.
test_readme.py SOURCE_DIR GENERATED LIBPMUQ CC_ID SANITIZE"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE, GENERATED, LIBRARY = map(pathlib.Path, sys.argv[1:4])
sys.path.insert(0, str(SOURCE / "tests/cli"))
from tap import Tap  # noqa: E402

SANITIZE = sys.argv[5]
COMPILERS = {"c": "clang" if sys.argv[4] == "clang" else "gcc", "cpp": "clang++" if sys.argv[4] == "clang" else "g++"}
PAGES = {"c": "README.md", "cpp": "docs/languages.md", "python": "docs/languages.md"}
tap = Tap()


def run(*words, **environment):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def block(language):
    page = PAGES[language]
    found = re.findall(rf"^```{language}\n(.*?)^```$", (SOURCE / page).read_text(), re.S | re.M)
    tap.same(len(found), 1, f"{page} has one program in {language}")
    return found[0]


def runs(language, printed, *command, **environment):
    tap.same(run(*command, "page-faults", **environment)[:2], (0, printed), f"the program in {language} encodes an event")
    status, out, err = run(*command, "page-fautls", **environment)
    tap.ok(status == 1 and "page-fautls" in out + err, f"the program in {language} reports an unknown event", out, err)


def compiled(language, printed, work):
    code = block(language)
    if not shutil.which(COMPILERS[language]):
        return tap.skip(f"the program in {language}", f"{COMPILERS[language]} is not installed")
    source, program = work / f"program.{language}", work / language
    source.write_text(code)
    options = ["-Wall", "-Wextra", "-Werror"] + ([f"-fsanitize={SANITIZE}"] if SANITIZE != "none" else [])
    options += ["-std=c++17"] if language == "cpp" else []
    tap.same(run(COMPILERS[language], *options, f"-I{SOURCE}/include", f"-I{GENERATED}", source, LIBRARY,
                 f"-Wl,-rpath,{LIBRARY.parent}", "-o", program), (0, "", ""), f"the program in {language} compiles")
    return runs(language, printed, program)


def without_a_machine(work):
    """The program in C++ without a machine: it would end by a signal if it did not test the Result."""
    code = block("cpp").replace("Source::live()", f'Source::tree("{work}/nowhere")')
    if not shutil.which(COMPILERS["cpp"]) or SANITIZE != "none":
        return tap.skip("the program in C++ without a machine", "the compiler is missing, or a sanitizer is on")
    (work / "without.cpp").write_text(code)
    run(COMPILERS["cpp"], "-std=c++17", f"-I{SOURCE}/include", f"-I{GENERATED}", work / "without.cpp", LIBRARY,
        f"-Wl,-rpath,{LIBRARY.parent}", "-o", work / "without")
    status, out, err = run(work / "without", "page-faults")
    return tap.ok(status == 1 and not out and "nowhere" in err, "the program in C++ reports that there is no machine", str(status), err)


def interpreted():
    code = block("python")
    if SANITIZE != "none":
        return tap.skip("the program in Python", "a library with a sanitizer cannot be loaded into Python")
    return runs("python", "page-faults 0x2\n", sys.executable, "-c", code, PMUQ_LIBRARY=str(LIBRARY),
                PYTHONPATH=str(GENERATED.parent / "bindings/python"), PYTHONDONTWRITEBYTECODE="1")


with tempfile.TemporaryDirectory() as directory:
    compiled("c", "config 0x2\n", pathlib.Path(directory))
    compiled("cpp", "page-faults: config 0x2\n", pathlib.Path(directory))
    without_a_machine(pathlib.Path(directory))
interpreted()
tap.finish()
