#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the symbol map with the public headers: symbols.py MAP INCLUDE [--update|--model]

Both must have the same functions; the exit status is 1 if they differ. --update adds new functions to the last node of MAP,
the node of the next release; older nodes never change. --model prints an empty definition of each declared function: compiled,
it has the ABI of the library with all options. docs/abi.md has the rules."""
import pathlib
import re
import sys

from headers import Headers

NODE = re.compile(r"^(PMUQ_[0-9.]+) \{\nglobal:\n(.*?)^(?:local:|\})", re.S | re.M)


def declared(include):
    """The names of all functions that the public headers declare."""
    return set(Headers(pathlib.Path(include)).functions)


def model(include):
    """C with an empty definition of each function."""
    read = Headers(pathlib.Path(include))
    lines = [f"#include <pmuq/{path.name}>" for path in read.paths]
    return "\n".join([*lines, *(f"{one.text} {{ __builtin_trap(); }}" for one in read.functions.values())]) + "\n"


def mapped(text):
    """{name: node} of the text of a symbol map."""
    return {name: node for node, body in NODE.findall(text) for name in re.findall(r"(pmuq_[a-z0-9_]+);", body)}


def updated(text, names):
    """(the text with a new last node, functions of older nodes that no header declares any more)"""
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
