#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each module's README names its files, in reading order, and no file that does not exist; CHANGELOG.md names each command;
no page is formatted as C. readmes.py SOURCE_DIR. A pair x.c and x.h may be named by one of them, or as `x.[ch]`. cli/ is not
checked: its directories are clear."""
import pathlib
import re
import sys

MODULES = "core discover encode decode complete open db inbox vendor pfm document perfdata diff compat".split()


def named_files(text):
    """The names in backticks of C files, without directories."""
    names = {word.split("/")[-1] for word in re.findall(r"`([^`\s]+)`", text)}
    pairs = {name[:-len("[ch]")] for name in names if name.endswith(".[ch]")}
    return {name for name in names if re.fullmatch(r"\w+\.[ch]", name)} | {pair + end for pair in pairs for end in "ch"}


def readme_text(module):
    return "\n".join(path.read_text() for path in sorted(module.rglob("README.md")))


def is_named(path, names):
    return any(path.with_suffix(end).name in names for end in (".c", ".h"))


def markdown_files(root):
    return sorted(path for path in root.rglob("*.md") if not path.relative_to(root).parts[0].startswith(("build", ".")))


def complaints(root):
    known = {path.name for top in (*MODULES, "cli", "include", "tests") for path in (root / top).rglob("*.[ch]")} | {"messages.h", "codes.h"}
    for module in MODULES:
        names = named_files(readme_text(root / module))
        lost = sorted(str(path.relative_to(root)) for path in (root / module).rglob("*.[ch]") if not is_named(path, names))
        yield f"the README of {module}/ names its files", [f"it does not name {path}" for path in lost]
        yield f"the README of {module}/ names files that exist", [f"there is no {name}" for name in sorted(names - known)]
    yield "each page in Markdown begins with a heading", [
        f"{path.relative_to(root)} begins with {first!r}: clang-format must not format it" for path in markdown_files(root)
        if not (first := path.read_text().partition("\n")[0]).startswith("# ")]
    changes = (root / "CHANGELOG.md").read_text()
    yield "the changelog names each command", [f"it does not name {name}" for name in (root / "cli/commands.list").read_text().split()
                                               if not re.search(rf"`[^`]*\b{name}\b[^`]*`", changes)]


def main():
    checks = list(complaints(pathlib.Path(sys.argv[1])))
    print(f"1..{len(checks)}")
    for number, (name, found) in enumerate(checks, 1):
        print(f"{'not ' if found else ''}ok {number} - {name}", *(f"# {line}" for line in found), sep="\n")
    sys.exit(any(found for _, found in checks))


main()
