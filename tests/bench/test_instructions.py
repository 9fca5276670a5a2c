#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No operation of instructions.c takes more instructions than 103 % of what instructions.toml has.

test_instructions.py PROGRAM MACHINES: the test. --update writes the figures of this build instead: name in the
commit what changed them. They depend on the compiler and on libc: with others the test is skipped."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

FIGURES = pathlib.Path(__file__).with_name("instructions.toml")
LIMIT = 1.03
# libc selects its memcpy(3) by the processor: with these, it is the same one everywhere.
TUNABLES = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-BMI2,-ERMS,-FSRM,-SSE4_2,-SSE4_1,-SSSE3"


def count(program, machines):
    """What the figures depend on, and the number of instructions of each operation."""
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory, "out")
        done = subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", program, machines, directory],
                              capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"], "GLIBC_TUNABLES": TUNABLES})
        dumps = sorted(pathlib.Path(directory).glob("out.*"), key=lambda path: int(path.suffix[1:]))
        texts = [path.read_text() for path in dumps]
    found = {}
    for text in texts:
        name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
        if name:
            found[name.group(1)] = int(re.search(r"^(?:summary|totals): (\d+)", text, re.M).group(1))
    return done.stdout.strip(), found


def update(build, found):
    lines = ["# SPDX-License-Identifier: MIT", "# Written by test_instructions.py --update; docs/benchmarks.md explains it.",
             f'build = "{build}"', "", "[instructions]", *(f'"{name}" = {n}' for name, n in found.items())]
    FIGURES.write_text("\n".join(lines) + "\n")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    build, found = count(*arguments)
    if "--update" in sys.argv:
        update(build, found)
        return
    figures = tomllib.loads(FIGURES.read_text())
    if build != figures["build"]:
        print(f"1..0 # SKIP the figures are of {figures['build']}, this is {build}")
        return
    known = figures["instructions"]
    print(f"1..{len(known) + 1}")
    print(f"{'' if set(known) == set(found) else 'not '}ok 1 - every operation has a figure")
    for number, (name, n) in enumerate(found.items(), 2):
        of = n / known.get(name, n)
        print(f"{'not ' if of > LIMIT else ''}ok {number} - {name}: {n} instructions, {of:.1%} of the figure")
        if of < 1 / LIMIT:
            print("# fewer than before: store them, test_instructions.py --update")


main()
