#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""coverage.py BUILD [-v]: sums what gcov counted in BUILD and prints a line for each module: lines and branches
that ran. -v also prints each branch that did not. The exit status is 1 if a module has less than its aim.

A branch is one way out of a condition: `a && b` has four. The branches of assert() do not count."""
import collections
import json
import pathlib
import re
import subprocess
import sys

MODULES = ["core", "discover", "encode", "decode", "complete", "open", "db", "vendor", "diff", "pfm", "perfdata", "document", "watch", "remote", "cli", "service", "compat"]
# The least percentage of branches.
AIMS = {"core": 95, "encode": 95, "decode": 95}
FILES_AT_ONCE = 100


def reports(build):
    """The report of gcov for each source file of each object."""
    counters = sorted(str(path.relative_to(build)) for path in build.rglob("*.gcda"))
    for start in range(0, len(counters), FILES_AT_ONCE):
        printed = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *counters[start:start + FILES_AT_ONCE]],
                                 cwd=build, check=True, capture_output=True, text=True).stdout
        for line in filter(str.strip, printed.split("\n")):
            yield from json.loads(line)["files"]


def counts(build, root):
    """{path: {line: count}} and {path: {(line, number of the branch): count}}: an inline function is in many objects."""
    lines = collections.defaultdict(collections.Counter)
    branches = collections.defaultdict(collections.Counter)
    for report in reports(build):
        path = (build / report["file"]).resolve()
        if not path.is_relative_to(root):
            continue
        name = str(path.relative_to(root))
        for line in report["lines"]:
            number = line["line_number"]
            lines[name][number] += line["count"]
            for index, branch in enumerate(line["branches"]):
                branches[name][number, index] += branch["count"]
    return lines, branches


def without_asserts(root, branches):
    for name, of_file in branches.items():
        text = (root / name).read_text().split("\n") if (root / name).is_file() else []
        for line, index in list(of_file):
            if line <= len(text) and re.match(r"\s*assert\(", text[line - 1]):
                del of_file[line, index]


def share(counters):
    ran, of = sum(count > 0 for counter in counters for count in counter.values()), sum(map(len, counters))
    return ran, of, 100 * ran / of if of else 100.0


def print_rest(root, branches):
    """Each line with branches that did not run."""
    for name, of_file in sorted(branches.items()):
        text = (root / name).read_text().split("\n")
        missed = collections.Counter(line for (line, _), count in of_file.items() if not count)
        for line, n in sorted(missed.items()):
            of = sum(other == line for other, _ in of_file)
            print(f"{name}:{line}: {n} of {of} branches did not run: {text[line - 1].strip()}")


def main():
    build, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path.cwd().resolve()
    lines, branches = counts(build, root)
    without_asserts(root, branches)
    failed = []
    print(f"{'module':10} {'lines':>14} {'%':>6} {'branches':>14} {'%':>6} {'aim':>5}")
    for module in [*MODULES, ""]:
        names = [name for name in lines if (name.startswith(module + "/") if module else name.split("/")[0] in MODULES)]
        if not names:
            continue
        of_lines, of_branches = share([lines[name] for name in names]), share([branches[name] for name in names])
        aim = AIMS.get(module)
        print("{:10} {:>14} {:6.1f} {:>14} {:6.1f} {:>5}".format(
            module or "all", f"{of_lines[0]}/{of_lines[1]}", of_lines[2], f"{of_branches[0]}/{of_branches[1]}", of_branches[2], aim or ""))
        if aim and of_branches[2] < aim:
            failed.append(f"{module}: {of_branches[2]:.1f} % of the branches run in tests, the aim is {aim} %")
    if "-v" in sys.argv[2:]:
        print_rest(root, {name: of_file for name, of_file in branches.items() if name.split("/")[0] in MODULES})
    print(*failed, sep="\n" if failed else "", end="\n" if failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
