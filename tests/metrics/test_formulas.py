#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`pmuq metric --formula` gives what perf 7.2 gave, for each of 1,000 recorded formulas with values; and the command itself."""
import json
import lzma
import math
import pathlib

from tap import Tap, pmuq

RECORDED = pathlib.Path(__file__).with_name("formulas-perf7.2.jsonl.xz")
# Of the machine of the recordings: two packages of 8 threads on 4 cores.
LITERALS = ["#smt_on=1", "#num_cpus=16", "#num_cpus_online=16", "#num_cores=8", "#num_dies=2", "#num_packages=2", "#has_pmem=0",
            "#system_tsc_freq=2.1e9"]
tap = Tap()


def is_same(line, got):
    """perf crashes of four formulas: pmuq refuses them. JSON has no number for a value that is not finite."""
    want = line["result"]
    if want == "error" or str(want).startswith("crash"):
        return not got["ok"]
    if not got["ok"]:
        return False
    if not math.isfinite(float(want)):
        return got["value"] is None and (got["reason"] == "too-large") == math.isinf(float(want))
    return got["value"] == want and got["reason"] == "known"


def recorded():
    text = lzma.decompress(RECORDED.read_bytes())
    lines = [json.loads(line) for line in text.splitlines()]
    done = pmuq("metric", "--formula", "--dialect", "perf", "--jsonl", "-f", "-", *LITERALS, stdin=text)
    results = done.lines
    tap.same((len(results), [result["formula"] for result in results]), (1000, [line["expr"] for line in lines]), "each line has a result, in order")
    wrong = [(line["expr"], line["result"], result) for line, result in zip(lines, results) if not is_same(line, result)]
    tap.same(wrong, [], "every value and every refusal is that of perf 7.2")
    # has_event() depends on the machine, and here on the values.
    names = [(line["expr"], sorted(line["ids"]), result["events"]) for line, result in zip(lines, results)
             if line.get("ids") is not None and result["ok"] and "has_event" not in line["expr"]]
    tap.same([each for each in names if each[1] != each[2]], [], "every list of events is that of perf 7.2")
    tap.ok(len(names) > 700, "most formulas have such a list", len(names))
    own = pmuq("metric", "--formula", "--jsonl", "-f", "-", *LITERALS, stdin=text).lines
    known = [(a["value"], b["value"]) for a, b in zip(own, results) if a["ok"] and a["reason"] == "known" and b["ok"] and b["reason"] == "known"]
    tap.ok(len(known) > 600 and all(a == b for a, b in known), "where both dialects know a value, it is the same", len(known))


def values():
    for words, text in {
            ("a / b", "a=3", "b=2"): "1.5\n",
            ("a / b", "a=3", "b=0"): "not known: the divisor is 0\n    a / b\n      ^\n",
            ("a + b", "a=3"): "not known: this has no value\n    a + b\n        ^\n",
            ("a", "a=1", "a=2"): "2\n",
            ("cpu@event\\=0x3c\\,cmask\\=1@ * 2", "cpu@event=0x3c,cmask=1@=21"): "42\n",
            ("1e308 * 10",): "not known: the value is too large for a double\n    1e308 * 10\n          ^\n",
    }.items():
        done = pmuq("metric", "--formula", *words)
        tap.same((done.status, done.text, done.stderr), (0, text, ""), f"metric --formula {' '.join(words)}")
    done = pmuq("metric", "--formula", "--dialect", "perf", "1e308 * 10")
    tap.same(done.text.splitlines()[0], "infinite: the value is too large for a double", "a value of perf may be infinite")
    done = pmuq("metric", "--formula", "a >= b", "a=1", "b=2")
    tap.ok(done.status == 1 and "PMUQ-240" in done.stderr and "hint: formulas have `<` and `>` only" in done.stderr, "an unknown operator is an error",
           done.stderr)
    done = pmuq("metric", "--formula", "--json", "#cpus + 1")
    tap.same((done.status, done.json["results"][0]["error"]["name"]), (1, "unknown-literal"), "so is an unknown literal")


def mistakes():
    for words, status, part in ((["metric"], 2, "needs the names of metrics"), (["metric", "--formula"], 2, "needs a formula"),
                                (["metric", "--formula", "a", "b"], 2, "'b' is not NAME=NUMBER"),
                                (["metric", "--formula", "a", "a=x"], 2, "'a=x' is not NAME=NUMBER"),
                                (["metric", "--formula", "-f", "/nowhere"], 4, "/nowhere")):
        done = pmuq(*words)
        tap.ok(done.status == status and part in done.stderr, f"{' '.join(words)} is a mistake", done.status, done.stderr)
    lines = b'{"expr": "a"\n[]\n\n{"expr": 1}\n{"expr": "a", "values": {"a": 7}}\n{"expr": "a / 0", "values": []}\n'
    done = pmuq("metric", "--formula", "-f", "-", stdin=lines)
    tap.same((done.status, done.text.splitlines()[0], done.stderr.count("is not an object of JSON")), (1, "7", 3), "a line that is not such an object is an error, and the others are evaluated")
    loop = b'{"expr": "m", "metric_refs": {"m": "m + 1", "n": "m"}}\n'
    done = pmuq("metric", "--formula", "-f", "-", stdin=loop)
    tap.ok(done.text.startswith("not known"), "a metric that names itself is not known", done.text)
    done = pmuq("metric", "--formula", "--dialect", "perf", "-f", "-", stdin=loop)
    tap.same(done.text, "1\n", "to perf it is 0 within itself")


recorded()
values()
mistakes()
tap.finish()
