#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the shape of the source: lengths of files and functions, licence lines, forbidden functions, equal names.

Functions are recognised by the layout that .clang-format makes: a "{" alone at the start of a line opens the
body, a "}" there closes it. Prints TAP, and the figures as comments."""
import collections
import pathlib
import re
import statistics
import sys
import tomllib

MODULES = ["core", "discover", "encode", "decode", "complete", "open", "db", "vendor", "inbox", "pfm", "document", "perfdata", "diff", "fit", "cli", "service", "watch", "remote", "compat", "include/pmuq"]
FILE_LINES, FUNCTION_LINES, UNEXPLAINED_LINES = 500, 70, 150
BANNED = re.compile(r"\b(strtok|sprintf|strcpy|strncpy|strcat|atoi|strtoul?l?|strtod|setlocale|goto|PATH_MAX|FIXME|XXX)\b")


TAG = re.compile(r"^(?:static )?(?:const )?((?:struct|enum|union) [a-z_0-9]+) \{", re.M)


def duplicate_tags(texts):
    """Structs, unions and enums of one name in several files."""
    paths_of = collections.defaultdict(list)
    for path, text in texts.items():
        for tag in TAG.findall(text):
            paths_of[tag].append(path)
    return {tag: paths for tag, paths in paths_of.items() if len(paths) > 1}


def duplicate_files(texts):
    """Files of one name; a public header may have an internal namesake."""
    paths_of = collections.defaultdict(list)
    for path in texts:
        if not path.startswith("include/"):
            paths_of[pathlib.Path(path).name].append(path)
    return {name: paths for name, paths in paths_of.items() if len(paths) > 1}


def lines_of(text):
    """(lines of code, lines of comment): without blank lines, and a line with both is code."""
    code = sum(bool(line.strip()) for line in code_only(text).split("\n"))
    marked = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]+", "\x01", m.group()), text, flags=re.S)
    return code, sum("\x01" in line or line.lstrip().startswith("//") for line in marked.split("\n"))


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
    """A row of a table is one line of any length; the formatter is off around tables."""
    return re.sub(r"// clang-format off.*?// clang-format on", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)


def read(root, directories, *patterns):
    """The text of each file, by its path from the root."""
    return {str(p.relative_to(root)): p.read_text() for directory in directories for pattern in patterns
            for p in sorted((root / directory).rglob(pattern))}


def stale_mutations(root, texts):
    rows = tomllib.loads((root / "tests/mutants.toml").read_text())["equivalent"]
    return [f"{row['file']}: {row['old']}" for row in rows if row["old"] not in texts.get(row["file"], "")]


def main():
    root = pathlib.Path(sys.argv[1])
    texts = read(root, MODULES, "*.[ch]")
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
        f"every .c file of more than {UNEXPLAINED_LINES} lines begins with a comment about its purpose":
            [n for n, t in texts.items() if n.endswith(".c") and t.count("\n") > UNEXPLAINED_LINES and not t.split("\n")[1].startswith("/*")],
        "no forbidden function is used":
            [f"{n}: {m.group()}" for n, t in texts.items() for m in BANNED.finditer(code_only(t))],
        # A cast from const is an error of the compiler (-Wcast-qual); these two ways avoid the error.
        "const is cast away only for a system call, with the reason above":
            [f"{n}:{i + 1}" for n, t in texts.items() if n != "core/base.h" for i, line in enumerate(t.split("\n"))
             if re.search(r"\*\)\s*\(uintptr_t\)", line) or
             ("pq_boundary_cast(" in line and not t.split("\n")[i - 1].strip().endswith("*/"))],
        "no two structs, unions or enums have one name":
            [f"{tag}: {' '.join(paths)}" for tag, paths in duplicate_tags(texts).items()],
        "no two files have one name":
            [f"{name}: {' '.join(paths)}" for name, paths in duplicate_files(texts).items()],
        "no line outside a table has more than 100 columns":
            [f"{n}:{i}" for n, t in texts.items() for i, line in enumerate(without_tables(t).split("\n"), 1)
             if len(line.expandtabs(8)) > 100],
        "each mutation of tests/mutants.toml is of a line that is there": stale_mutations(root, texts),
    }
    print(f"1..{len(checks)}")
    for number, (name, found) in enumerate(checks.items(), 1):
        print(f"{'not ' if found else ''}ok {number} - {name}")
        for line in found:
            print(f"# {line}")
    print(f"# {len(sizes)} functions: median {statistics.median(sizes)}, p90 {sizes[len(sizes) * 9 // 10]}, longest {sizes[-1]}")
    shares = [lines_of(text) for text in texts.values()]
    code, comments = (sum(column) for column in zip(*shares))
    print(f"# {code} lines of code, {comments} of comments: {100 * comments / (code + comments):.1f} %")
    print("# by module: " + ", ".join(f"{module} {sum(lines_of(t)[0] for n, t in texts.items() if n.startswith(module + '/'))}"
                                      for module in MODULES))
    print(f"# {len(duplicate_tags(texts))} tags of structs and enums in several files")
    sys.exit(any(checks.values()))


main()
