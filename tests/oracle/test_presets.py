#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--preset gives the same bytes as `perf stat COMMAND` and `perf record COMMAND` of perf 7.2 open.
record_presets.py made the recording. With the argument RECORDING it is that one; strings that it generated (--count) may
differ where a row of docs/grammar.md explains it."""
import json
import lzma
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
from results import PERF, encode, encode_stripped  # noqa: E402
from judge import BAD_VALUE, TOOL_TYPE, Judge, as_set, of_pmuq, of_recording  # noqa: E402
from tap import MACHINES, Tap, machine, pmuq  # noqa: E402

RECORDED = pathlib.Path(__file__).parent / "presets-perf7.2.jsonl.xz"
ATTR_BYTES = 144
SIZE = slice(4, 8)


def padded(text):
    """The bytes of an attr without its size, which depends on the version of the header."""
    attr = bytearray(bytes.fromhex(text).ljust(ATTR_BYTES, b"\0"))
    attr[SIZE] = bytes(4)
    return attr.hex()


def distinct(preset, attrs):
    """perf stat opens the events of a task before those that count on CPUs; an attr is recorded once."""
    found = list(dict.fromkeys(padded(attr) for attr in attrs))
    return sorted(found) if preset == "stat" else found


def cpus_of(text):
    return {cpu for part in text.split(",") if part for low, _, high in [part.partition("-")]
            for cpu in range(int(low), int(high or low) + 1)}


def stat_differs(encodings):
    """R takes samples, and takes itself out of its group."""
    return any("retire_latency" in e["tool_terms"] for e in encodings)


def record_differs(encodings):
    """A trace depends on the CPU of perf; perf stops at a member on other CPUs than its leader."""
    return any(e["pmu"] in ("intel_pt", "intel_bts") or any(term.startswith("aux-") for term in e["tool_terms"]) or
               e["leader"] is not None and not cpus_of(e["cpus"]) <= cpus_of(encodings[e["leader"]]["cpus"]) for e in encodings)


def is_explained(row, judge, plain, stripped, result):
    """Whether a row of docs/grammar.md explains another result: of the language, or of the preset."""
    parsed, ours = of_recording(row), of_pmuq(plain)
    if not result["ok"] and result["error"]["code"] == BAD_VALUE and "call-graph=" in row["input"]:
        return row["preset"] == "record"
    if judge.judge(parsed, plain, stripped):
        return False
    if TOOL_TYPE.search(row["input"]) or ours is None or not row["accepted"] or as_set(judge.known(parsed)) != as_set(ours):
        return True
    if [e["attr"] for e in parsed["encodings"]] != [e["attr"] for e in ours] or judge.are_alike(ours):
        return True
    return (stat_differs if row["preset"] == "stat" else record_differs)(ours)


def test_generated(tap, name, preset, rows, results):
    """Strings of strings.py: test_recorded.py compares what they mean without a preset."""
    judge = Judge(MACHINES / name / "sys/bus/event_source/devices")
    plain = encode(MACHINES / name, [row["input"] for row in rows], *PERF)
    stripped = encode_stripped(MACHINES / name, rows, plain)
    other = [(row, own, stripped.get(i), result) for i, (row, own, result) in enumerate(zip(rows, plain, results))
             if distinct(preset, [e["attr_hex"] for e in result.get("encodings", [])]) != distinct(preset, row["attrs"])]
    differences = [row["input"] for row, *found in other if not is_explained(row, judge, *found)]
    tap.same(differences, [], f"{name}: {len(rows)} generated strings with --preset {preset}, of which rows of grammar.md explain "
                              f"{len(other) - len(differences)}")


def test_listed(tap, name, preset, rows, results):
    # perf stat opens the events of a task before those that count on CPUs.
    in_order = sorted if preset == "stat" else list
    for row, result in zip(rows, results):
        tap.same(in_order(padded(e["attr_hex"]) for e in result.get("encodings", [])), in_order(padded(a) for a in row["attrs"]),
                 f"{name}: --preset {preset} '{row['input']}' is the attr that perf {preset} opens")


def main():
    tap = Tap()
    with lzma.open(sys.argv[1] if sys.argv[1:] else RECORDED, "rt") as file:
        rows = [json.loads(line) for line in file]
    for name, preset in sorted({(row["machine"], row["preset"]) for row in rows}):
        wanted = [row for row in rows if (row["machine"], row["preset"]) == (name, preset)]
        results = pmuq(*machine(name), "encode", "--dialect", "perf", "--preset", preset, "--no-open", "--jsonl", "--",
                       *[row["input"] for row in wanted]).lines
        tap.same(len(results), len(wanted), f"{name}: every string has a result with --preset {preset}")
        (test_generated if "accepted" in wanted[0] else test_listed)(tap, name, preset, wanted, results)
    tap.finish()


if __name__ == "__main__":
    main()
