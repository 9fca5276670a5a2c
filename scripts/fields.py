#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints enum pmuq_attr_field, the numbers of the fields of core/attr/attr_fields.h, or writes it into the public header:
fields.py FIELDS [--update HEADER]"""
import pathlib
import re
import sys

ENUM = re.compile(r"enum pmuq_attr_field \{\n[^}]*\};\n", re.S)
ROW = re.compile(r"^\t(?:X|FLAG)\((\w+),", re.M)


def enum(fields):
    rows = [f"\tPMUQ_ATTR_{name.upper()} = {number}," for number, name in enumerate(ROW.findall(fields.read_text()))]
    return "\n".join(["enum pmuq_attr_field {", *rows, "};", ""])


def header_with(header, text):
    made, n = ENUM.subn(text, header)
    if n != 1:
        raise SystemExit("fields.py: the header has no enum pmuq_attr_field")
    return made


def main():
    text = enum(pathlib.Path(sys.argv[1]))
    if sys.argv[2:3] != ["--update"]:
        print(text, end="")
        return
    path = pathlib.Path(sys.argv[3])
    path.write_text(header_with(path.read_text(), text))


if __name__ == "__main__":
    main()
