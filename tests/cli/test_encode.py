#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""encode: its JSON against the schema, the summary, files of strings, and how it ends."""
import json
import os
import struct
import subprocess
import tempfile

from tap import PMUQ, SCHEMAS, Tap, machine, pmuq

try:
    import jsonschema
except ImportError:
    jsonschema = None

TREE = machine("skylake-sp")
HYBRID = machine("alderlake-hybrid-k6.12")
STRINGS = ["cycles", "cycles:u", "cpu/event=0x3c,umask=0x1/u", "{cycles,instructions}:k", "team{cycles,instructions}",
           "uncore_imc/cas_count_read/", "uncore_imc_*/event=4/", "cpu/event=1,period=1000,name=mine/", "r1a", "mem:0x1000/8:rw",
           "page-faults,context-switches", "L1-dcache-load-misses", "cpu/mem-loads,ldlat=30/", "cp*/event=0x3c/",
           "cpu/umsk=1/", "no-such", "cpu/event=0x1ff/", "", "cycles,,cycles", "{cycles", "cpu/event=1,event=2/"]

tap = Tap()


def validator(part):
    schema = json.loads((SCHEMAS / "encode.schema.json").read_text())
    if part:
        schema = {"$schema": schema["$schema"], "$ref": f"#/$defs/{part}", "$defs": schema["$defs"]}
    return jsonschema.Draft202012Validator(schema)


def is_valid(document, part=None):
    return [error.message for error in validator(part).iter_errors(document)]


def schema():
    if not jsonschema:
        tap.skip("answers are as the schema says", "no python3-jsonschema")
        return
    for source in (TREE, HYBRID, machine("arm64-biglittle"), machine("big-uncore-k6.12"), []):
        whole = pmuq(*source, "encode", "--json", "--", *STRINGS)
        tap.same(is_valid(whole.json), [], f"--json is as the schema says {source[1:] and os.path.basename(source[1])}")
        lines = pmuq(*source, "encode", "--jsonl", "--", *STRINGS).lines
        tap.same([is_valid(line, "input") for line in lines], [[]] * len(STRINGS), "and every line of --jsonl")
        tap.same(whole.json["inputs"], lines, "both say the same")
        tap.same([line["input"] for line in lines], STRINGS, "in the order of the input")
    tap.ok(is_valid({"input": "x", "ok": True}, "input"), "the schema does not take anything")


def attrs():
    for line in pmuq(*TREE, "encode", "--jsonl", "--no-open", "--", *STRINGS).lines:
        for encoding in line.get("encodings", []):
            attr, raw = encoding["attr"], bytes.fromhex(encoding["attr_hex"])
            kind, size, config = struct.unpack_from("=IIQ", raw)
            tap.same((kind, size, config, len(raw)),
                     (attr["type"], attr["size"], int(attr.get("config", "0x0"), 16), attr["size"]),
                     f"{line['input']}: attr_hex is the attr")
    one = pmuq(*TREE, "encode", "--jsonl", "cpu/event=0x3c,umask=0x1/u").lines[0]["encodings"][0]
    tap.same(one["attr"], {"type": 4, "size": 64, "config": "0x13c", "exclude_kernel": 1, "exclude_hv": 1},
             "an attr tells what is not zero, type and size")
    tap.same((one["pmu"], one["source"], one["group"], one["deferred"], one["warnings"]), ("cpu", "format", None, {}, []),
             "and where it comes from")
    group = pmuq(*TREE, "encode", "--jsonl", "team{cycles,instructions}").lines[0]["encodings"]
    tap.same([member["group"] for member in group], [{"leader": 0, "members": 2, "name": "team"}] * 2, "a group is told")
    tap.same([member["group"] for member in pmuq(*TREE, "encode", "--jsonl", "{cycles,instructions}").lines[0]["encodings"]],
             [{"leader": 0, "members": 2}] * 2, "without a name when it has none")
    later = pmuq(*TREE, "encode", "--jsonl", "cpu/event=1,period=1000/").lines[0]["encodings"][0]["deferred"]
    tap.same(later, {"period": 1000}, "what is deferred keeps its kind")
    hybrid = pmuq(*HYBRID, "encode", "--jsonl", "cycles").lines[0]["encodings"]
    tap.same(sorted(each["pmu"] for each in hybrid), ["cpu_atom", "cpu_core"], "a hybrid machine gives one of each core PMU")


def errors():
    error = pmuq(*TREE, "encode", "--jsonl", "cpu/umsk=1/").lines[0]["error"]
    tap.same((error["code"], error["name"], error["offset"], error["length"]), ("PMUQ-034", "unknown-term", 4, 4),
             "an error has a code, a name and a span")
    tap.ok("umask" in error["hint"], "and a hint", error)
    answer = pmuq(*TREE, "encode", "cycles", "cpu/umsk=1/", "r1a")
    tap.ok(answer.status == 1 and "error[PMUQ-034] unknown-term" in answer.talk and "    ^^^^" in answer.talk,
           "the summary draws the caret on stderr", answer.talk)
    tap.ok("cycles" in answer.text and "r1a" in answer.text, "and answers the others", answer.text)


def statuses():
    for words, status in [(["cycles"], 0), (["cycles", "nope"], 1), (["--strict", "cp*/event=0x3c/"], 1),
                          (["cp*/event=0x3c/"], 0), (["--from", "sysfs", "page-faults"], 1), (["--from", "generic", "page-faults"], 0),
                          (["--dialect", "perf", "cpu/event=1,event=2/"], 0), (["cpu/event=1,event=2/"], 1),
                          (["-f", "/nonexistent", "cycles"], 4), (["-f", "/nonexistent", "nope"], 4), (["-f", "/"], 4)]:
        for style in ([], ["--json"], ["--jsonl"]):
            answer = pmuq(*TREE, "encode", *style, *words)
            tap.same(answer.status, status, f"encode {' '.join(style + words)}: {status}", answer.talk)
    whole = pmuq(*TREE, "encode", "--json", "-f", "/nonexistent", "cycles")
    tap.ok(len(whole.json["inputs"]) == 1, "--json stays a document when a file cannot be read", whole.text)


def opens():
    live = pmuq("encode", "--jsonl", "cpu-clock", "page-faults")
    for line in live.lines:
        verdict = line["encodings"][0]["open"]
        tap.ok(verdict["status"] in ("opened", "refused"), f"{line['input']}: the kernel is asked on this machine", verdict)
    refused = any(line["encodings"][0]["open"]["status"] == "refused" for line in live.lines)
    tap.same(live.status, 3 if refused else 0, "a refusal is status 3")
    tap.same(pmuq("encode", "--jsonl", "--no-open", "cpu-clock").lines[0]["encodings"][0]["open"]["status"], "skipped",
             "--no-open asks nothing")
    elsewhere = pmuq(*TREE, "encode", "--jsonl", "cycles")
    verdict = elsewhere.lines[0]["encodings"][0]["open"]
    tap.ok(verdict["status"] == "skipped" and verdict["reason"] and elsewhere.status == 0, "nor does another machine", verdict)


def files():
    with tempfile.TemporaryDirectory() as room:
        path = os.path.join(room, "events.txt")
        with open(path, "wb") as file:
            file.write(b"# a comment\n\n  cycles  \n\t# another\ninstructions # behind it\r\ncpu/umsk=1/\n"
                       b"cpu/event=1,name='a # b'/\nnope")
        answer = pmuq(*TREE, "encode", "--jsonl", "-f", path, "page-faults")
        tap.same([line["input"] for line in answer.lines],
                 ["cycles", "instructions", "cpu/umsk=1/", "cpu/event=1,name='a # b'/", "nope", "page-faults"],
                 "-f: blank lines and comments are passed over")
        tap.same([line["error"]["at"] for line in answer.lines if not line["ok"]], [f"{path}:6", f"{path}:7", f"{path}:8"],
                 "-f: errors carry file and line")
        talk = pmuq(*TREE, "encode", "-f", path).talk
        tap.ok(f"{path}:6: error[PMUQ-034]" in talk and f"{path}:8: error[" in talk, "also in the summary", talk)
        with open(path, "rb") as file:
            piped = pmuq(*TREE, "encode", "--jsonl", "-f", "-", stdin=file.read())
        tap.same([line["error"]["at"] for line in piped.lines if not line["ok"]], ["<stdin>:6", "<stdin>:7", "<stdin>:8"], "-f - is stdin")
    strange = pmuq(*TREE, "encode", "--jsonl", "-f", "-", stdin=b"a\xffb\nc\xc3\xa9\nd\x01\x1f\"\\\ne\0f\n\xed\xa0\x80\n")
    tap.same([line["input"] for line in strange.lines], ["a\ufffdb", "c\u00e9", "d\x01\x1f\"\\", "e", "\ufffd\ufffd\ufffd"],
             "any bytes come out as valid JSON")
    tap.same({line["ok"] for line in strange.lines}, {False}, "and none of these is an event")
    empty = pmuq(*TREE, "encode", "--json", "-f", "-", stdin=b"# nothing\n")
    tap.same((empty.status, empty.json), (0, {"schema": "pmuq.encode/1", "inputs": []}), "no strings: no answers")
    long = pmuq(*TREE, "encode", "--jsonl", "-f", "-", stdin=b"cycles\n" + b"x" * 5_000_000 + b"\ninstructions\n")
    tap.same([line["ok"] for line in long.lines], [True, False, True], "a line of five million bytes is refused, not more")
    tap.same(long.lines[1]["error"]["at"], "<stdin>:2", "and counts as one line")


def waits():
    """An answer is there before more is asked."""
    child = subprocess.Popen([PMUQ, *TREE, "encode", "--jsonl", "-f", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for string in ("cycles", "msr/tsc/", "nope"):
        child.stdin.write(string.encode() + b"\n")
        child.stdin.flush()
        tap.same(json.loads(child.stdout.readline())["input"], string, f"{string}: is answered while the pipe is open")
    child.stdin.close()
    tap.same((child.stdout.read(), child.wait()), (b"", 1), "and nothing is left at the end")


def summary():
    text = pmuq(*TREE, "encode", "--", *[string for string in STRINGS if string]).text
    tap.ok(max(len(line) for line in text.splitlines()) <= 100, "the summary fits 100 columns", text)
    boxes = pmuq(*TREE, "encode", "uncore_imc/cas_count_read/").text
    tap.ok("uncore_imc_[0-" in boxes and boxes.count("config=0x304") == 1, "boxes that differ only in type are folded", boxes)
    tap.ok("times 6.103515625e-5 MiB" in boxes, "with scale and unit", boxes)
    json_boxes = pmuq(*TREE, "encode", "--json", "uncore_imc/cas_count_read/").json["inputs"][0]["encodings"]
    tap.ok(len(json_boxes) > 1, "JSON never folds")
    warning = pmuq(*TREE, "encode", "cp*/event=0x3c/").text
    tap.ok("warning[PMUQ-041] wildcard-of-one" in warning and "^^^" in warning, "warnings have their caret", warning)
    boxes = pmuq(*TREE, "encode", "uncore_imc/cas_count_read/u").text
    tap.ok("uncore_imc_[0-" in boxes and boxes.count("unfilterable") == 1, "boxes with one warning stand as one", boxes)
    both = pmuq(*HYBRID, "encode", "cycles").text
    tap.ok("cpu_core" in both and "cpu_atom" in both, "what differs is not folded", both)


schema()
attrs()
errors()
statuses()
opens()
files()
waits()
summary()
tap.finish()
