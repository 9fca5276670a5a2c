#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The symbol map has exactly the functions that the public headers declare: symbols.py MAP INCLUDE [--update|--model]

Compares them, and exits with 1 if they differ. --update adds to the last node of MAP, that of the next release, the functions
that no node before it has; older nodes never change. --model prints C that defines each function as it is declared, and does
nothing: compiled, it is the library's ABI, whatever options libpmuq itself was built with. docs/abi.md has the rules."""
import pathlib
import re
import sys

from headers import Headers

NODE = re.compile(r"^(PMUQ_[0-9.]+) \{\nglobal:\n(.*?)^(?:local:|\})", re.S | re.M)


def declared(include):
    """The names of all functions that the public headers declare."""
    return set(Headers(pathlib.Path(include)).functions)


def model(include):
    """A library that is nothing but its ABI, as C."""
    read = Headers(pathlib.Path(include))
    lines = [f"#include <pmuq/{path.name}>" for path in read.paths]
    return "\n".join([*lines, *(f"{one.text} {{ __builtin_trap(); }}" for one in read.functions.values())]) + "\n"


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
