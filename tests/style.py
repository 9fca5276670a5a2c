#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The shape of the house, measured: lengths of files and functions, licence lines, what is not to be there.

Functions are told by the layout that .clang-format makes: a "{" alone at the start of a line opens the
body, a "}" there closes it. Prints TAP, and the figures as comments."""
import pathlib
import re
import statistics
import sys

MODULES = ["core", "discover", "encode", "decode", "open", "db", "vendor", "pfm", "document", "perfdata", "diff", "cli", "include/pmuq"]
FILE_LINES, FUNCTION_LINES = 500, 70
BANNED = re.compile(r"\b(strtok|sprintf|strcpy|strncpy|strcat|atoi|strtoul?l?|strtod|setlocale|goto|PATH_MAX|FIXME|XXX)\b")


def functions(text):
    start = None
    for number, line in enumerate(text.split("\n"), 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield start, number - start - 1
            start = None


def code_only(text):
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    return re.sub(r'"(\\.|[^"\\\n])*"', '""', text)


def without_tables(text):
    """A row of a table is a line, however long; tables stand where the formatter is off."""
    return re.sub(r"// clang-format off.*?// clang-format on", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)


def main():
    root = pathlib.Path(sys.argv[1])
    files = [p for module in MODULES for p in sorted((root / module).rglob("*.[ch]"))]
    texts = {str(p.relative_to(root)): p.read_text() for p in files}
    lengths = [(n, f"{name}:{line}") for name, text in texts.items() for line, n in functions(text)]
    sizes = sorted(n for n, _ in lengths)
    checks = {
        f"no file has more than {FILE_LINES} lines":
            [f"{n}: {t.count(chr(10))}" for n, t in texts.items() if t.count("\n") > FILE_LINES and not n.startswith("include/")],
        f"no function has more than {FUNCTION_LINES} lines":
            [f"{where}: {n}" for n, where in lengths if n > FUNCTION_LINES],
        "the median function has at most 12 lines": [] if statistics.median(sizes) <= 12 else [str(statistics.median(sizes))],
        "nine functions of ten have at most 40 lines": [] if sizes[len(sizes) * 9 // 10] <= 40 else [str(sizes[len(sizes) * 9 // 10])],
        "every file begins with its licence":
            [n for n, t in texts.items() if not t.startswith("/* SPDX-License-Identifier: MIT */\n")],
        "no function is used that the house does without":
            [f"{n}: {m.group()}" for n, t in texts.items() for m in BANNED.finditer(code_only(t))],
        # A cast from const is an error of the compiler (-Wcast-qual); these two ways go round it.
        "no const is lost by a detour, but to a system call, with its reason above":
            [f"{n}:{i + 1}" for n, t in texts.items() if n != "core/base.h" for i, line in enumerate(t.split("\n"))
             if re.search(r"\*\)\s*\(uintptr_t\)", line) or
             ("pq_boundary_cast(" in line and not t.split("\n")[i - 1].strip().endswith("*/"))],
        "no line outside a table has more than 100 columns":
            [f"{n}:{i}" for n, t in texts.items() for i, line in enumerate(without_tables(t).split("\n"), 1)
             if len(line.expandtabs(8)) > 100],
    }
    print(f"1..{len(checks)}")
    for number, (name, found) in enumerate(checks.items(), 1):
        print(f"{'not ' if found else ''}ok {number} - {name}")
        for fault in found:
            print(f"# {fault}")
    print(f"# {len(sizes)} functions: median {statistics.median(sizes)}, p90 {sizes[len(sizes) * 9 // 10]}, longest {sizes[-1]}")
    sys.exit(any(checks.values()))


main()
