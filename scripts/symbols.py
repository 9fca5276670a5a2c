#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The symbol map says name by name what the public headers declare: symbols.py MAP INCLUDE [--update|--model]

Compares, and exits with 1 where they differ. With --update the last node of MAP, which is that of the release to come,
receives what is declared and stands in no node before it. Nodes before it are never touched. With --model prints C that
defines every function as it is declared and does nothing: compiled, it is the library's ABI, with the types that the headers
define and no other, whatever options libpmuq itself was built with. docs/abi.md has the rules."""
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(r"\b(pmuq_[a-z0-9_]+)\(")
INLINE = re.compile(r"static inline[^;{]*?\b(pmuq_[a-z0-9_]+)\(")
PROTOTYPE = re.compile(r"(?:^|(?<=[;{}]))\s*([a-z_][\w\s*]*?\bpmuq_[a-z0-9_]+\([^;{}]*\));")
NODE = re.compile(r"^(PMUQ_[0-9.]+) \{\nglobal:\n(.*?)^(?:local:|\})", re.S | re.M)


def declared(include):
    """The names of all functions that the public headers declare."""
    names = set()
    for header in pathlib.Path(include).glob("pmuq/*.h"):
        text = COMMENT.sub("", header.read_text())
        names |= set(FUNCTION.findall(text)) - set(INLINE.findall(text))
    return names


def model(include):
    """A library that is nothing but its ABI, as C."""
    lines = ["#include <pmuq/pmuq.h>"]
    for header in sorted(pathlib.Path(include).glob("pmuq/*.h")):
        text = re.sub(r"^#.*(\\\n.*)*$|^extern \"C\" \{$", "", COMMENT.sub("", header.read_text()), flags=re.M)
        lines += [" ".join(prototype.split()) + " { __builtin_trap(); }" for prototype in PROTOTYPE.findall(text)]
    return "\n".join(lines) + "\n"


def mapped(text):
    """{name: node} of the text of a symbol map."""
    return {name: node for node, body in NODE.findall(text) for name in re.findall(r"(pmuq_[a-z0-9_]+);", body)}


def updated(text, names):
    """The text with the last node anew, and what the nodes before it promised and is declared no more."""
    last = list(NODE.finditer(text))[-1]
    older = {name for name, node in mapped(text).items() if node != last.group(1)}
    body = "".join(f"\t{name};\n" for name in sorted(names - older))
    return text[:last.start(2)] + body + text[last.end(2):], sorted(older - names)


def main():
    path, names = pathlib.Path(sys.argv[1]), declared(sys.argv[2])
    text = path.read_text()
    if sys.argv[3:] == ["--model"]:
        sys.stdout.write(model(sys.argv[2]))
        return 0
    if sys.argv[3:] == ["--update"]:
        text, lost = updated(text, names)
        if lost:
            sys.exit(f"{path}: released, and declared no more: {', '.join(lost)}")
        path.write_text(text)
    known = set(mapped(text))
    for name in sorted(names ^ known):
        print(f"{name}: {'declared, but not in' if name in names else 'not declared, but in'} {path}")
    return int(names != known)


if __name__ == "__main__":
    sys.exit(main())
