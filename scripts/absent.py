#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes C functions for the modules that are not built. Each returns PMUQ_E_NO_LIBRARY, so every build has every symbol, and
a program that was linked with one build runs with the other.

absent.py INCLUDE PATH... [--but FILE...] >absent.c    PATH: modules and files that are built; FILE: files that are not
"""
import pathlib
import re
import sys

from headers import Headers

DEFINED = re.compile(r"^PQ_API\b[^;{]*?\b(pmuq_\w+)\(", re.M)
# Header → (build option, name of the part in the error).
PARTS = {"store": ("store", "a store"), "vendor": ("store", "a store"), "document": ("inventory", "YAML and JSON"),
         "recording": ("inventory", "perf.data"), "capture": ("inventory", "captures"), "diff": ("inventory", "diff"), "service": ("inventory", "machines of pmuqd"),
         "libpfm4": ("pfm", "libpfm4"), "complete": ("completion", "completion"), "formula": ("metrics", "formulas"), "metric": ("metrics", "metrics"), "fit": ("metrics", "counters"), "watch": ("watch", "watching")}


def refusing(function):
    option, part = PARTS[pathlib.Path(function.header).stem]
    names = [one.name for one in function.parameters]
    body = [f"\t(void){name};" for name in names if name != "reterr"]
    result = str(function.result)
    if "reterr" in names:
        body.append(f'\treturn pq_absent(reterr, "{part}", "{option}");')
    elif result != "void":
        body.append(f"\treturn {'NULL' if function.result.stars else 'false' if result == 'bool' else f'({result})0'};")
    return f"PQ_API {function.text}\n{{\n" + "\n".join(body) + "\n}\n"


def main(words):
    include, *sources = words
    sources, left_out = (sources[:sources.index("--but")], sources[sources.index("--but") + 1:]) if "--but" in sources else (sources, [])
    left_out = {pathlib.Path(path).resolve() for path in left_out}
    defined = set()
    for path in map(pathlib.Path, sources):
        for source in sorted(path.rglob("*.c")) if path.is_dir() else [path]:
            if source.resolve() not in left_out:
                defined |= set(DEFINED.findall(source.read_text()))
    print("/* Generated: what this build does without. */\n#include \"core/absent.h\"\n#include <pmuq/pmuq.h>\n")
    for function in Headers(pathlib.Path(include)).functions.values():
        if function.name not in defined:
            print(refusing(function))


if __name__ == "__main__":
    main(sys.argv[1:])
