#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions of the API whose room is not built → C that says so: every build has every symbol, so that a program that
links one runs with the other.

absent.py HEADER... -- PATH... [--but FILE...] >absent.c    PATH: the rooms and files that are built, FILE: not these
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(r"^(?P<type>(?:const )?(?:struct |enum )?\w+ \**)(?P<name>pmuq_\w+)\((?P<args>[^;{]*)\);", re.M | re.S)
DEFINED = re.compile(r"^PQ_API\b[^;{]*?\b(pmuq_\w+)\(", re.M)
# What is not there, and the option that brings it, by the header that declares it.
PARTS = {"store": ("store", "a store"), "vendor": ("store", "a store"), "document": ("inventory", "YAML and JSON"),
         "recording": ("inventory", "perf.data"), "capture": ("inventory", "captures"), "diff": ("inventory", "diff"),
         "libpfm4": ("pfm", "libpfm4"), "complete": ("completion", "completion")}


def used_names(args):
    return [re.search(r"(\w+)(?:\[\])?$", arg.strip())[1] for arg in args.split(",") if arg.strip() != "void"]


def stub(match, header):
    kind, names = match["type"].strip(), used_names(match["args"])
    option, part = PARTS[header]
    body = [f"\t(void){name};" for name in names if name != "reterr"]
    if "reterr" in names:
        body.append(f'\treturn pq_absent(reterr, "{part}", "{option}");')
    elif kind != "void":
        zero = "NULL" if kind.endswith("*") else "false" if kind == "bool" else f"({kind})0"
        body.append(f"\treturn {zero};")
    args = " ".join(match["args"].split())
    return f"PQ_API {match['type']}{match['name']}({args})\n{{\n" + "\n".join(body) + "\n}\n"


def main(words):
    headers, sources = words[:words.index("--")], words[words.index("--") + 1:]
    sources, left_out = (sources[:sources.index("--but")], sources[sources.index("--but") + 1:]) if "--but" in sources else (sources, [])
    left_out = {pathlib.Path(path).resolve() for path in left_out}
    defined = set()
    for path in map(pathlib.Path, sources):
        for source in sorted(path.rglob("*.c")) if path.is_dir() else [path]:
            if source.resolve() not in left_out:
                defined |= set(DEFINED.findall(source.read_text()))
    print("/* Generated: what this build does without. */\n#include \"core/absent.h\"\n#include <pmuq/pmuq.h>\n")
    for path in (path for path in map(pathlib.Path, headers) if path.suffix == ".h"):
        text = COMMENT.sub("", path.read_text())
        for match in FUNCTION.finditer(text):
            if match["name"] not in defined:
                print(stub(match, path.stem))


if __name__ == "__main__":
    main(sys.argv[1:])
