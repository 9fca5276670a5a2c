#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of the library's pages (docs/man/examples) compile unchanged, and print the output on the pages:
test_pages.py SOURCE_DIR GENERATED LIBPMUQ CC SANITIZE [--update]

They run in a temporary directory with the captured machines. --update writes their output to NAME.out."""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE, GENERATED, LIBRARY = map(pathlib.Path, sys.argv[1:4])
sys.path.insert(0, str(SOURCE / "tests/cli"))
from tap import MACHINES, Tap  # noqa: E402

CC, SANITIZE = shlex.split(sys.argv[4]), sys.argv[5]
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
HELPER = pathlib.Path(os.environ["PMUQ_PFM"])
# The files in that directory, without the machines.
THERE = {"groups.data": SOURCE / "tests/recordings/groups.data", "pmu-events": SOURCE / "tests/vendor"}
# The library runs the installed helper. Here it is the one of the build.
NAME_HELPER = f'''#include <pmuq/libpfm4.h>
#define pmuq_pfm_open(options, ...) pmuq_pfm_open(&(struct pmuq_pfm_options){{ \\
	.size = sizeof(struct pmuq_pfm_options), .helper = "{HELPER}" }}, __VA_ARGS__)
'''
OPEN_EVENTS = {"open", "opened", "check", "samples"}

tap = Tap()


def furnish(desk):
    for machine in MACHINES.iterdir():
        (desk / machine.name).symlink_to(machine)
    for name, path in THERE.items():
        (desk / name).symlink_to(path)
    (desk / "bin").mkdir()
    (desk / "helper.h").write_text(NAME_HELPER)


def compiled(source, desk):
    program = desk / "bin" / source.stem
    options = [f"-fsanitize={SANITIZE}"] if SANITIZE != "none" else []
    options += ["-include", desk / "helper.h"] if source.stem == "libpfm4" else []
    done = subprocess.run([*CC, *STRICT, *options, f"-I{SOURCE}/include", f"-I{GENERATED}", source, LIBRARY,
                           f"-Wl,-rpath,{LIBRARY.parent}", "-o", program], capture_output=True, text=True)
    tap.same((done.returncode, done.stderr), (0, ""), f"{source.name} compiles")
    return program if done.returncode == 0 else None


def printed(program, desk):
    return subprocess.run([program], cwd=desk, capture_output=True, text=True, timeout=60)


def try_one(source, desk, opens):
    program, wanted = compiled(source, desk), source.with_suffix(".out")
    if not program:
        return
    if source.stem == "libpfm4" and not HELPER.exists():
        return tap.skip(f"{source.name} prints the output on its page", "the helper for libpfm4 is not built")
    if source.stem in OPEN_EVENTS and not opens:
        return tap.skip(f"{source.name} prints the output on its page", "events of this task cannot be opened")
    done = printed(program, desk)
    if "--update" in sys.argv:
        wanted.write_text(done.stdout)
    tap.same((done.returncode, done.stdout), (0, wanted.read_text()), f"{source.name} prints the output on its page", done.stderr)
    for left in ("hosts.db", "skx"):
        shutil.rmtree(desk / left) if (desk / left).is_dir() else (desk / left).unlink(missing_ok=True)


examples = sorted((SOURCE / "docs/man/examples").glob("*.c"))
headers = {path.stem for path in (SOURCE / "include/pmuq").glob("*.h")} - {"types"}
tap.same({path.stem for path in examples}, headers, "every page has an example")
with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    furnish(directory)
    first = compiled(SOURCE / "docs/man/examples/open.c", directory)
    can_open = first is not None and printed(first, directory).stdout == "opens\n"
    for example in examples:
        try_one(example, directory, can_open)
tap.finish()
