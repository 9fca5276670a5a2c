#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a public header for Doxygen: doxygen_filter.py HEADER

In our headers a comment belongs to all declarations below it, up to a blank line or the next comment. Doxygen needs a
comment for each declaration, so each gets a copy without the parameters that it does not have. Doxygen also needs a comment
for each member; for the attr, perf_event_open(2) has them."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from headers import clean, groups
from manual import COMMENT, comment_for

def with_members(declaration):
    """A struct with a comment for each member. `size` is the same in all records, and needs none in the header."""
    if declaration.startswith("struct"):
        declaration = re.sub(r"^\tsize_t size;$", "\tsize_t size; /**< bytes that the library filled in */", declaration, flags=re.M)
        declaration = re.sub(r"^(\tsize_t n_\w+;)$", r"\1 /**< how many there are */", declaration, flags=re.M)
    if not declaration.startswith("struct pmuq_attr {"):
        return declaration
    text = declaration.replace("; /* ", "; /**< ").replace(";\t  /* ", "; /**< ")
    return re.sub(r";\s*$", "; /**< as in perf_event_open(2) */", text[:text.rindex("}")], flags=re.M) + "};"


def print_comment(lines, tag=None):
    print("/**" + (f" {tag}\n *" if tag else ""))
    for line in lines:
        print(f" * {line}".rstrip())
    print(" */")


def main(path):
    text = pathlib.Path(path).read_text()
    first = COMMENT.search(text)
    if "@file" not in first[1]:
        print(f"/** @file\n * {pathlib.Path(path).name}, made of schemas/messages.toml. */\n{text}")
        return
    print_comment(clean(first[1]), "@file")
    if pathlib.Path(path).name == "pmuq.h":
        print_comment(clean(first[1]), "@mainpage The library pmuq")
    print("\n".join(re.findall(r"^#include .*$", text, re.M)))
    if 'extern "C"' not in text:
        print("\n".join(re.findall(r"^(?:struct|enum) \w+;$", text, re.M)))
        return
    for comment, group in groups(text):
        for declaration in group:
            if comment:
                print_comment(comment_for(comment, group[0], declaration))
            print(with_members(declaration) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
