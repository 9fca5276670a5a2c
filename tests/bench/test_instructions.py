#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No operation of instructions.c takes more instructions than 103 % of what instructions.toml has.

test_instructions.py PROGRAM MACHINES: the test. --update writes the figures of this build instead: name in the
commit what changed them. They depend on the compiler and on libc: with others the test is skipped."""
import pathlib
import sys
import tomllib

from callgrind import count_operations

FIGURES = pathlib.Path(__file__).with_name("instructions.toml")
LIMIT = 1.03


def update(build, found):
    lines = ["# SPDX-License-Identifier: MIT", "# Written by test_instructions.py --update; docs/benchmarks.md explains it.",
             f'build = "{build}"', "", "[instructions]", *(f'"{name}" = {n}' for name, n in found.items())]
    FIGURES.write_text("\n".join(lines) + "\n")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    build, found = count_operations(*arguments)
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
