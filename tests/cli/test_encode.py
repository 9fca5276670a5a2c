#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""encode: its JSON against the schema, the summary, files of strings, and its exit status."""
import json
import os
import struct
import subprocess
import tempfile

from tap import PMUQ, Tap, machine, pmuq

TREE = machine("skylake-sp")
HYBRID = machine("alderlake-hybrid-k6.12")
STRINGS = ["cycles", "cycles:u", "cpu/event=0x3c,umask=0x1/u", "{cycles,instructions}:k", "team{cycles,instructions}",
           "uncore_imc/cas_count_read/", "uncore_imc_*/event=4/", "cpu/event=1,period=1000,name=mine/", "r1a", "mem:0x1000/8:rw",
           "page-faults,context-switches", "L1-dcache-load-misses", "cpu/mem-loads,ldlat=30/", "cp*/event=0x3c/",
           "cpu/umsk=1/", "no-such", "cpu/event=0x1ff/", "", "cycles,,cycles", "{cycles", "cpu/event=1,event=2/"]

tap = Tap()


def comparable(rows):
    """Without whether the breakpoint opens: other tests may hold all of them for a moment."""
    for row in rows:
        for encoding in row.get("encodings", []) if row["input"].startswith("mem:") else []:
            encoding.pop("open", None)
    return rows


def both_forms():
    for source in (TREE, HYBRID, machine("arm64-biglittle"), machine("big-uncore-k6.12"), []):
        name = os.path.basename(source[1]) if source else "this machine"
        lines = comparable(pmuq(*source, "encode", "--jsonl", "--", *STRINGS).lines)
        rows = comparable(pmuq(*source, "encode", "--json", "--", *STRINGS).json["inputs"])
        tap.same(len(rows), len(lines), f"{name}: --json and --jsonl have a result for each string")
        tap.same([pair for pair in zip(rows, lines) if pair[0] != pair[1]], [], f"{name}: --json and --jsonl have the same content")
        tap.same([line["input"] for line in lines], STRINGS, f"{name}: results are in the order of the input")


def attrs():
    for line in pmuq(*TREE, "encode", "--jsonl", "--no-open", "--", *STRINGS).lines:
        for encoding in line.get("encodings", []):
            attr, raw = encoding["attr"], bytes.fromhex(encoding["attr_hex"])
            attr_type, size, config = struct.unpack_from("=IIQ", raw)
            tap.same((attr_type, size, config, len(raw)),
                     (attr["type"], attr["size"], int(attr.get("config", "0x0"), 16), attr["size"]),
                     f"{line['input']}: attr_hex has the values of the attr")
    one = pmuq(*TREE, "encode", "--jsonl", "cpu/event=0x3c,umask=0x1/u").lines[0]["encodings"][0]
    tap.same(one["attr"], {"type": 4, "size": 64, "config": "0x13c", "exclude_kernel": 1, "exclude_hv": 1},
             "an attr has type, size, config and the fields that are not zero")
    tap.same((one["pmu"], one["source"], one["group"], one["tool_terms"], one["warnings"]), ("cpu", "format", None, {}, []),
             "an encoding has its source")
    raw = pmuq(*TREE, "encode", "--jsonl", "page-faults").lines[0]["encodings"][0]["attr"]
    tap.same({"type", "size", "config"} - set(raw), set(), "an attr has config even if it is zero", raw)
    group = pmuq(*TREE, "encode", "--jsonl", "team{cycles,instructions}").lines[0]["encodings"]
    tap.same([member["group"] for member in group], [{"leader": 0, "members": 2, "name": "team"}] * 2, "a group has a leader, members and a name")
    tap.same([member["group"] for member in pmuq(*TREE, "encode", "--jsonl", "{cycles,instructions}").lines[0]["encodings"]],
             [{"leader": 0, "members": 2}] * 2, "a group without a name has the name null")
    tool_terms = pmuq(*TREE, "encode", "--jsonl", "cpu/event=1,period=1000/").lines[0]["encodings"][0]["tool_terms"]
    tap.same(tool_terms, {"period": 1000}, "a tool term keeps the type of its value")
    hybrid = pmuq(*HYBRID, "encode", "--jsonl", "cycles").lines[0]["encodings"]
    tap.same(sorted(each["pmu"] for each in hybrid), ["cpu_atom", "cpu_core"], "a hybrid machine gives one encoding for each core PMU")


def compact(encoding):
    """What --compact leaves of an encoding whose event was not opened."""
    kept = {key: value for key, value in encoding.items() if key not in ("attr", "source", "from", "open")}
    return {key: value for key, value in kept.items() if value not in (None, "", False, {}, [])}


def compact_documents():
    for source in (TREE, machine("icelake-sp-k6.12")):
        strings = [*STRINGS, "page-faults,topdown-be-bound:u", "power/energy-pkg/", "cpu/event=1,period=7,name=mine/", "kprobe/func='f'/"]
        full = pmuq(*source, "encode", "--jsonl", "--no-open", "--", *strings).lines
        short = pmuq(*source, "encode", "--jsonl", "--no-open", "--compact", "--", *strings).lines
        tap.same(short, [{**line, "encodings": [compact(each) for each in line["encodings"]]} if line["ok"] else line for line in full],
                 f"{os.path.basename(source[1])}: --compact leaves out the attr in words, and what has no value")
    opened = pmuq("encode", "--jsonl", "--compact", "page-faults:u").lines[0]["encodings"][0]["open"]["status"]
    tap.same(opened, pmuq("encode", "--jsonl", "page-faults:u").lines[0]["encodings"][0]["open"]["status"], "--compact has open results")
    for words, part in ((["--compact"], "--compact needs --json"), (["--json", "--compact", "--all-hosts"], "exclude each other")):
        result = pmuq("encode", *words, "cycles")
        tap.ok(result.status == 2 and part in result.stderr, f"encode {' '.join(words)} is refused", result.stderr)


def origins():
    """Each encoding names the written event; an event that pmuq added is marked in every form."""
    metric = machine("icelake-sp-k6.12")
    string = "page-faults, topdown-be-bound:u"
    encodings = pmuq(*metric, "encode", "--jsonl", string).lines[0]["encodings"]
    tap.same([(each["name"], each["from"], each["added"]) for each in encodings],
             [("page-faults", {"index": 0, "offset": 0, "length": 11}, False), ("slots", {"index": 1, "offset": 13, "length": 18}, True),
              ("topdown-be-bound:u", {"index": 1, "offset": 13, "length": 18}, False)], "an encoding has the event that it comes from")
    text = pmuq(*metric, "encode", string).text
    tap.ok("  added    for topdown-be-bound:u, which only counts in a group that slots leads\n" in text and text.count("  added ") == 1,
           "the text marks the added event", text)
    tap.same(pmuq(*metric, "encode", "--c", string).text.count(" * added "), 1, "so does C")
    written = pmuq(*metric, "encode", "--jsonl", "--as-written", "{msr/tsc/,topdown-be-bound}").lines[0]["encodings"]
    tap.same([(each["name"], each["added"], each["group"]) for each in written],
             [("msr/tsc/", False, {"leader": 0, "members": 2}), ("topdown-be-bound", False, {"leader": 0, "members": 2})],
             "--as-written adds and sorts nothing")
    shared = pmuq(*TREE, "encode", "--jsonl", "uncore_imc/clockticks/u").lines[0]["encodings"]
    tap.same({json.dumps(each["warnings"]) for each in shared} - {json.dumps(shared[0]["warnings"])}, set(), "all instances have their warnings")
    tap.ok(len(shared) == 6 and len(shared[5]["warnings"]) == 1, "also the last one", shared)
    text = pmuq(*TREE, "encode", "uncore_imc/clockticks/u").text
    tap.same((text.count("warning["), text.count("pmu ")), (1, 1), "the text has one block, with one warning")


def tracepoints():
    """The error of an unknown tracepoint marks the half that is wrong."""
    with tempfile.TemporaryDirectory() as directory:
        for path, text in (("sys/bus/event_source/devices/tracepoint/type", "2\n"),
                           ("sys/kernel/tracing/events/sched/sched_switch/id", "316\n")):
            os.makedirs(os.path.join(directory, os.path.dirname(path)))
            with open(os.path.join(directory, path), "w", encoding="ascii") as file:
                file.write(text)
        strings = ("sched:sched_swich", "shed:sched_switch", "sched:none")
        spans = [(error["offset"], error["length"], error.get("hint")) for error in
                 (line["error"] for line in pmuq("--sysroot", directory, "encode", "--jsonl", *strings).lines)]
    tap.same(spans, [(6, 11, "did you mean 'sched_switch'?"), (0, 4, "did you mean 'sched'?"), (6, 4, None)], "an unknown tracepoint has a span")


def errors():
    error = pmuq(*TREE, "encode", "--jsonl", "cpu/umsk=1/").lines[0]["error"]
    tap.same((error["code"], error["name"], error["offset"], error["length"]), ("PMUQ-034", "unknown-term", 4, 4),
             "an error has a code, a name and a span")
    tap.ok("umask" in error["hint"], "an error has a hint", error)
    for form, source in (("kprobe/func='f'/", "probe"), ("mem:1", "breakpoint"), ("cpu/event=1/", "format")):
        error = pmuq(*TREE, "encode", "--jsonl", "--from", "sysfs", form).lines[0]["error"]
        tap.ok(error["code"] == "PMUQ-038" and f"the source '{source}'" in error["message"], f"--from leaves out {form}", error)
    result = pmuq(*TREE, "encode", "cycles", "cpu/umsk=1/", "r1a")
    tap.ok(result.status == 1 and "error[PMUQ-034] unknown-term" in result.stderr and "    ^^^^" in result.stderr,
           "the summary prints the caret to stderr", result.stderr)
    tap.ok("cycles" in result.text and "r1a" in result.text, "the summary prints the valid strings", result.text)


def statuses():
    for words, status in [(["cycles"], 0), (["cycles", "nope"], 1), (["--strict", "cp*/event=0x3c/"], 1),
                          (["cp*/event=0x3c/"], 0), (["--from", "sysfs", "page-faults"], 1), (["--from", "generic", "page-faults"], 0),
                          (["--dialect", "perf", "cpu/event=1,event=2/"], 0), (["cpu/event=1,event=2/"], 1),
                          (["-f", "/nonexistent", "cycles"], 4), (["-f", "/nonexistent", "nope"], 4), (["-f", "/"], 4)]:
        for style in ([], ["--json"], ["--jsonl"]):
            result = pmuq(*TREE, "encode", *style, *words)
            tap.same(result.status, status, f"encode {' '.join(style + words)}: {status}", result.stderr)
    whole = pmuq(*TREE, "encode", "--json", "-f", "/nonexistent", "cycles")
    tap.ok(len(whole.json["inputs"]) == 1, "--json prints a document even if a file cannot be read", whole.text)


def opens():
    live = pmuq("encode", "--jsonl", "cpu-clock", "page-faults")
    for line in live.lines:
        result = line["encodings"][0]["open"]
        tap.ok(result["status"] in ("opened", "refused"), f"{line['input']}: the kernel opens it on this machine", result)
    refused = any(line["encodings"][0]["open"]["status"] == "refused" for line in live.lines)
    tap.same(live.status, 3 if refused else 0, "the status is 3 for a refusal")
    tap.same(pmuq("encode", "--jsonl", "--no-open", "cpu-clock").lines[0]["encodings"][0]["open"]["status"], "skipped",
             "--no-open opens nothing")
    elsewhere = pmuq(*TREE, "encode", "--jsonl", "cycles")
    result = elsewhere.lines[0]["encodings"][0]["open"]
    tap.ok(result["status"] == "skipped" and result["reason"] and elsewhere.status == 0, "events of a captured machine are not opened", result)


def files():
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "events.txt")
        with open(path, "wb") as file:
            file.write(b"# a comment\n\n  cycles  \n\t# another\ninstructions # after it\r\ncpu/umsk=1/\n"
                       b"cpu/event=1,name='a # b'/\nnope")
        result = pmuq(*TREE, "encode", "--jsonl", "-f", path, "page-faults")
        tap.same([line["input"] for line in result.lines],
                 ["cycles", "instructions", "cpu/umsk=1/", "cpu/event=1,name='a # b'/", "nope", "page-faults"],
                 "-f: blank lines and comments are skipped")
        tap.same([line["error"]["at"] for line in result.lines if not line["ok"]], [f"{path}:6", f"{path}:7", f"{path}:8"],
                 "-f: errors in JSON contain file and line")
        stderr = pmuq(*TREE, "encode", "-f", path).stderr
        tap.ok(f"{path}:6: error[PMUQ-034]" in stderr and f"{path}:8: error[" in stderr, "-f: errors of the summary contain file and line", stderr)
        with open(path, "rb") as file:
            piped = pmuq(*TREE, "encode", "--jsonl", "-f", "-", stdin=file.read())
        tap.same([line["error"]["at"] for line in piped.lines if not line["ok"]], ["<stdin>:6", "<stdin>:7", "<stdin>:8"], "-f - reads stdin")
    marked = pmuq(*TREE, "encode", "--jsonl", "-f", "-", stdin=b"\xef\xbb\xbfcycles\n\xef\xbb\xbfcycles\n\xef\xbb\xbf")
    tap.same([(line["input"], line["ok"]) for line in marked.lines], [("cycles", True), ("\ufeffcycles", False), ("\ufeff", False)],
             "-f: a byte-order mark is skipped at the beginning, and nowhere else")
    tap.same(pmuq(*TREE, "encode", "-f", "-", stdin=b"\xef\xbb\xbf# only a comment\n").stderr, "", "-f: a byte-order mark may precede a comment")
    strange = pmuq(*TREE, "encode", "--jsonl", "-f", "-", stdin=b"a\xffb\nc\xc3\xa9\nd\x01\x1f\"\\\ne\0f\n\xed\xa0\x80\n")
    tap.same([line["input"] for line in strange.lines], ["a\ufffdb", "c\u00e9", "d\x01\x1f\"\\", "e", "\ufffd\ufffd\ufffd"],
             "the JSON is valid for any bytes")
    tap.same({line["ok"] for line in strange.lines}, {False}, "random bytes are not an event")
    empty = pmuq(*TREE, "encode", "--json", "-f", "-", stdin=b"# nothing\n")
    tap.same((empty.status, empty.json), (0, {"schema": "pmuq.encode/1", "inputs": []}), "no strings: no inputs")
    long = pmuq(*TREE, "encode", "--jsonl", "-f", "-", stdin=b"cycles\n" + b"x" * 5_000_000 + b"\ninstructions\n")
    tap.same([line["ok"] for line in long.lines], [True, False, True], "a line of five million bytes is refused")
    tap.same(long.lines[1]["error"]["at"], "<stdin>:2", "a refused line counts as one line")


def many():
    """A list that is encoded by a second thread, and the same by one."""
    lines = [f"cpu/event={number}/" for number in range(9000)]
    for number in range(0, 9000, 701):
        lines[number] = f"nope{number}"
    lines[4000] = "with\0NUL"
    words = [*TREE, "encode", "--jsonl", "--no-open", "-f", "-"]
    text = "\n".join(lines).encode()
    two = pmuq(*words, stdin=text)
    first = min(os.sched_getaffinity(0))
    one = pmuq(*words, stdin=text, preexec_fn=lambda: os.sched_setaffinity(0, {first}))
    tap.same(two.text, one.text, "-f: a second thread changes nothing")
    tap.same([line["input"] for line in two.lines], lines[:4000] + ["with"] + lines[4001:], "-f: the results of many lines are in their order")
    tap.same([line["error"]["at"] for line in two.lines if not line["ok"]][:2], ["<stdin>:1", "<stdin>:257"], "-f: … and their errors have the line")


def waits():
    """Each result is printed before the next string is read."""
    child = subprocess.Popen([PMUQ, *TREE, "encode", "--jsonl", "-f", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for string in ("cycles", "msr/tsc/", "nope"):
        child.stdin.write(string.encode() + b"\n")
        child.stdin.flush()
        tap.same(json.loads(child.stdout.readline())["input"], string, f"{string}: has a result while the pipe is open")
    child.stdin.close()
    tap.same((child.stdout.read(), child.wait()), (b"", 1), "there is no further output at the end")


def summary():
    text = pmuq(*TREE, "encode", "--", *[string for string in STRINGS if string]).text
    tap.ok(max(len(line) for line in text.splitlines()) <= 100, "the summary fits 100 columns", text)
    instances = pmuq(*TREE, "encode", "uncore_imc/cas_count_read/").text
    tap.ok("uncore_imc_[0-" in instances and instances.count("config=0x304") == 1, "instances that differ only in type are folded", instances)
    tap.ok("1 count = 6.103515625e-5 MiB" in instances, "a folded row has scale and unit", instances)
    all_instances = pmuq(*TREE, "encode", "--json", "uncore_imc/cas_count_read/").json["inputs"][0]["encodings"]
    tap.ok(len(all_instances) > 1, "JSON never folds")
    warning = pmuq(*TREE, "encode", "cp*/event=0x3c/").text
    tap.ok("warning[PMUQ-041] wildcard-of-one" in warning and "^^^" in warning, "warnings have a caret", warning)
    instances = pmuq(*TREE, "encode", "uncore_imc/cas_count_read/u").text
    tap.ok("uncore_imc_[0-" in instances and instances.count("unfilterable") == 1, "instances with one warning are printed once", instances)
    both = pmuq(*HYBRID, "encode", "cycles").text
    tap.ok("cpu_core" in both and "cpu_atom" in both, "instances that differ are not folded", both)


both_forms()
attrs()
compact_documents()
origins()
errors()
tracepoints()
statuses()
opens()
files()
many()
waits()
summary()
tap.finish()
