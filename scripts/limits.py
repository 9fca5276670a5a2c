#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the limits of core/limits.h as tables in Markdown, or writes them into a page: limits.py HEADER [--update PAGE]

In the page they are between the lines BEGIN and END."""
import pathlib
import re
import sys

BEGIN, END = "<!-- begin of limits: scripts/limits.py -->\n", "<!-- end of limits -->\n"
ROW = re.compile(r"^#define (PQ_\w+) +(.+?) +/\* (.+) \*/$")
SECTION = re.compile(r"^/\* == (.+) == \*/$")
UNITS = [(30, "GiB"), (20, "MiB"), (10, "KiB")]


def value(expression):
    """The number of an expression of numbers, casts, "<<" and "*"."""
    text = re.sub(r"\((?:size_t|uint64_t)\)|(?<=\d)u\b", "", expression)
    if not re.fullmatch(r"[\d\s()<*]+", text):
        raise SystemExit(f"limits.py: cannot read this value: {expression}")
    return eval(text)


def amount(name, number):
    if "_BYTES" not in name:
        return f"{number:,}"
    shift, unit = next(((shift, unit) for shift, unit in UNITS if number >> shift and not number % (1 << shift)), (0, "bytes"))
    return f"{number >> shift:,} {unit}"


def tables(header):
    lines = []
    for line in header.read_text().splitlines():
        if section := SECTION.match(line):
            lines += ["", f"### {section[1]}", "", "| limit | of | in the code |", "|---|---|---|"]
        elif row := ROW.match(line):
            lines.append(f"| {amount(row[1], value(row[2]))} | {row[3]} | `{row[1]}` |")
        elif line.startswith("#define"):
            raise SystemExit(f"limits.py: a limit has a value and a comment: {line}")
    return "\n".join(lines[1:] + ["", ""])


def page_with(page, text):
    before, rest = page.split(BEGIN)
    return before + BEGIN + "\n" + text + END + rest.split(END)[1]


def main():
    text = tables(pathlib.Path(sys.argv[1]))
    if sys.argv[2:3] != ["--update"]:
        print(text, end="")
        return
    path = pathlib.Path(sys.argv[3])
    path.write_text(page_with(path.read_text(), text))


if __name__ == "__main__":
    main()
