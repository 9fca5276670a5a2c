#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--preset gives the same bytes as `perf stat COMMAND` and `perf record COMMAND` of perf 7.2 open.
record_presets.py made the recording."""
import json
import lzma
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
from tap import Tap, machine, pmuq  # noqa: E402

RECORDED = pathlib.Path(__file__).parent / "presets-perf7.2.jsonl.xz"
ATTR_BYTES = 144
SIZE = slice(4, 8)


def padded(text):
    """The bytes of an attr without its size, which depends on the version of the header."""
    attr = bytearray(bytes.fromhex(text).ljust(ATTR_BYTES, b"\0"))
    attr[SIZE] = bytes(4)
    return attr.hex()


def main():
    tap = Tap()
    with lzma.open(RECORDED, "rt") as file:
        rows = [json.loads(line) for line in file]
    for name, preset in sorted({(row["machine"], row["preset"]) for row in rows}):
        wanted = [row for row in rows if (row["machine"], row["preset"]) == (name, preset)]
        results = pmuq(*machine(name), "encode", "--dialect", "perf", "--preset", preset, "--no-open", "--jsonl", "--",
                       *[row["input"] for row in wanted]).lines
        tap.same(len(results), len(wanted), f"{name}: every string has a result with --preset {preset}")
        for row, result in zip(wanted, results):
            # perf stat opens the events of a task before those that count on CPUs.
            in_order = sorted if preset == "stat" else list
            tap.same(in_order(padded(e["attr_hex"]) for e in result.get("encodings", [])), in_order(padded(a) for a in row["attrs"]),
                     f"{name}: --preset {preset} '{row['input']}' is the attr that perf {preset} opens")
    tap.finish()


if __name__ == "__main__":
    main()
