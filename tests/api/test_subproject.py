#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A project of meson's that has pmuq as a subproject: test_subproject.py SOURCE_DIR. It compiles the library once more."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import Tap  # noqa: E402

SOURCE = pathlib.Path(sys.argv[1])
tap = Tap()


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=240, check=False)


with tempfile.TemporaryDirectory() as directory:
    work = pathlib.Path(directory)
    project = work / "project"
    shutil.copytree(SOURCE / "tests/api/subproject", project)
    (project / "subprojects").mkdir()
    (project / "subprojects/pmuq").symlink_to(SOURCE)
    done = run("meson", "setup", str(work / "build"), str(project), "-Doptimization=0", "-Ddebug=false",
               "-Dpmuq:pfm=disabled")
    tap.same(done.returncode, 0, "a project with pmuq as a subproject is set up", done.stdout[-2000:], done.stderr)
    pages = json.loads(run("meson", "introspect", "--installed", str(work / "build")).stdout).values()
    tap.ok(any(page.endswith("/libpmuq.3") for page in pages) and not any(page.endswith("/pmuq.1") for page in pages),
           "… with the library's pages, and without those of the command, which is not built", pages)
    done = run("ninja", "-C", str(work / "build"), "uses")
    tap.same(done.returncode, 0, "… and builds", done.stdout[-2000:], done.stderr)
    done = run(str(work / "build/uses"))
    tap.same((done.returncode, done.stdout.count(".")), (0, 2), "… and runs")
tap.finish()
