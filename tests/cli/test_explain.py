#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""explain: golden texts of several machines, its JSON compared with that of encode, and its exit
status.

`meson test cli-explain --test-args=--update` writes the texts again; then read the diff."""
import json
import pathlib
import sys
import tempfile

from tap import MACHINES, Tap, machine, machine_names, pmuq

GOLDEN = pathlib.Path(__file__).parent / "golden_explain"
CASES = {
    "alias": ("skylake-sp", ["cpu/mem-loads,ldlat=30/u"]),
    "alias-perf": ("skylake-sp", ["--dialect", "perf", "cpu/mem-loads,ldlat=30/u"]),
    "instances": ("skylake-sp", ["uncore_imc/cas_count_read/"]),
    "scattered": ("zen4-epyc-k6.12", ["cpu/event=0xfc3,umask=0x1f,cmask=2,inv/k"]),
    "arm64": ("arm64-biglittle", ["armv8_cortex_a53/cpu_cycles,long/"]),
    "s390x": ("s390x-max", ["cycles:k", "cpu-clock"]),
    "ppc64": ("ppc64el-power9", ["cpu/mem-stores/u"]),
    "parameters-arm64": ("arm64-biglittle", ["CCI_400_r1/mi_retry_speculative_fetch,source=6/"]),
    "intel_pt": ("skylake-sp", ["intel_pt/cyc,psb_period=0/u"]),
    "extended": ("alderlake-hybrid-k6.12", ["cycles:upp"]),
    "raw": ("skylake-sp", ["r1a", "cpu/config=0x4000000000000f3c/"]),
    "numeric": ("sapphirerapids-k6.12", ["31 : 0x1ab:e"]),
    "breakpoint": ("skylake-sp", ["mem:0xffffffff81000000/8:w:u", "mem:0x1000"]),
    "breakpoint-perf": ("skylake-sp", ["--dialect", "perf", "mem:0x1000:x"]),
    "group": ("skylake-sp", ["team{cycles:u,cpu/event=0x2,name=mine,period=7/p}:kpS"]),
    "metric": ("sapphirerapids-k6.12", ["cpu/topdown-retiring/u"]),
    "warnings": ("sandybridge-ep", ["cpu*/event=1,config=0x3000/"]),
    "shared": ("skylake-sp", ["cpu/ldlat=3,frontend=0x10/"]),
    "overridden": ("skylake-sp", ["--dialect", "perf", "cpu/config=1,config=2/"]),
    "preset": ("skylake-sp", ["--preset", "stat", "cpu-clock"]),
    "preset-terms": ("skylake-sp", ["--preset", "record", "cycles/period=5,no-inherit/P"]),
    "probe": ("skylake-sp", ["kprobe/func='do_exit',offset=0x8/"]),
}
STRINGS = ["cycles", "cycles:ukpp", "cpu/event=0x3c,umask=0x1/u", "{cycles,instructions}:k", "uncore_imc/cas_count_read/",
           "uncore_imc_*/event=4/", "cpu/event=1,period=1000,name=mine/", "r1a", "mem:0x1000/8:rw", "page-faults,context-switches",
           "L1-dcache-load-misses", "cpu/mem-loads,ldlat=30/", "cp*/event=0x3c/", "intel_pt//", "bpf-output", "cpu/umsk=1/", "no-such",
           "cpu/event=0x1ff/", "", "{cycles", "cpu/event=1,event=2/", "*/event=1/"]
tap = Tap()


MADE = {  # what no captured machine has: a tracepoint, and the parameters of a POWER hypervisor
    "bus/event_source/devices/tracepoint/type": "2",
    "kernel/tracing/events/sched/sched_switch/id": "316",
    "bus/event_source/devices/hv_24x7/type": "11",
    "bus/event_source/devices/hv_24x7/format/domain": "config:0-3",
    "bus/event_source/devices/hv_24x7/format/core": "config:16-31",
    "bus/event_source/devices/hv_24x7/format/offset": "config:32-63",
    "bus/event_source/devices/hv_24x7/format/lpar": "config1:0-15",
    "bus/event_source/devices/hv_24x7/events/PM_CS_32MHZ_CYC": "domain=?,offset=0x98,core=?,lpar=0x0",
}


def made_machine(directory):
    for name, text in MADE.items():
        path = directory / "sys" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return ["--sysroot", str(directory)]


def goldens(update, made):
    cases = {name: (machine(where), words) for name, (where, words) in CASES.items()}
    cases["tracepoint"] = (made, ["sched:sched_switch:u"])
    cases["tracepoint-perf"] = (made, ["--dialect", "perf", "sched:sched_*"])
    cases["parameters"] = (made, ["hv_24x7/PM_CS_32MHZ_CYC,domain=2,core=0x11,lpar=5/"])
    for name, (where, words) in cases.items():
        result = pmuq(*where, "explain", *words)
        path = GOLDEN / f"{name}.txt"
        if update:
            path.write_text(result.text)
        tap.ok(path.exists() and path.read_text() == result.text, f"{name} prints its golden text", result.text)
        tap.same((result.status, result.stderr), (0, ""), f"{name}: nothing on stderr")
        tap.ok(not [line for line in result.text.splitlines() if line != line.rstrip() or not line.isascii()],
               f"{name}: the text is ASCII, without blanks at the end of a line")
    for name, near in (("sched:sched_swtch", "sched_switch"), ("schd:sched_switch", "sched")):
        result = pmuq(*made, "explain", name)
        tap.ok(f"hint: did you mean '{near}'?" in result.stderr, f"{name} is near {near}", result.stderr)
    tap.same({path.name for path in GOLDEN.iterdir()}, {f"{name}.txt" for name in cases}, "every golden text belongs to a test")


def both_forms():
    for name in ("skylake-sp", "alderlake-hybrid-k6.12", "arm64-biglittle", "ppc64el-power9"):
        document = pmuq(*machine(name), "explain", "--json", "--", *STRINGS).json
        tap.same(pmuq(*machine(name), "explain", "--jsonl", "--", *STRINGS).lines, document["inputs"],
                 f"{name}: --json and --jsonl have the same content")


def field_value(attr, field):
    value = attr.get(field, 0)
    return int(value, 16) if isinstance(value, str) else value


def wrong_fields(attr, assignments):
    """Fields in which the attr differs from the fold of its assignments."""
    sums = {}
    for each in assignments:
        sums[each["field"]] = sums.get(each["field"], 0) | (0 if each["overridden"] else int(each["value"], 16))
    return [(attr, field) for field in set(sums) | set(attr) - {"size"} if sums.get(field, 0) != field_value(attr, field)]


def same_as_encode():
    """The encodings are those of encode, and the fold of the assignments is the attr."""
    for name in machine_names():
        devices = MACHINES / name / "sys/bus/event_source/devices"
        events = [f"{path.parent.parent.name}/{path.name}/uk" for path in sorted(devices.glob("*/events/*")) if "." not in path.name]
        for dialect in ("pmuq", "perf"):
            words = ["--jsonl", "--dialect", dialect, "--", *STRINGS, *events[::max(1, len(events) // 30)]]
            encoded = pmuq(*machine(name), "encode", "--no-open", *words)
            explained = pmuq(*machine(name), "explain", *words)
            tap.same(explained.status, encoded.status, f"{name}, {dialect}: the status is that of encode")
            lines, wrong = explained.lines, []
            for encoding in [encoding for line in lines for encoding in line.get("encodings", [])]:
                wrong += wrong_fields(encoding["attr"], encoding.pop("assignments"))
            want = encoded.lines
            for encoding in [encoding for line in want for encoding in line.get("encodings", [])]:
                encoding.pop("open")
            tap.ok(lines == want, f"{name}, {dialect}: the encodings are those of encode")
            tap.same(wrong[:5], [], f"{name}, {dialect}: the fold of the assignments is the attr")


def spans():
    """The span of an assignment is the text of its term."""
    for string, where in (("cpu/mem-loads,ldlat=30/u", "skylake-sp"), ("cpu/event=0x3c,umask=1,inv/k", "skylake-sp"),
                          ("uncore_imc/cas_count_read/", "skylake-sp"), ("cycles:ukpp", "alderlake-hybrid-k6.12"),
                          ("{cycles:u,cpu/config=3/}:k", "skylake-sp"), ("r1a:u", "skylake-sp")):
        line = pmuq(*machine(where), "explain", "--jsonl", string).lines[0]
        for each in [each for encoding in line["encodings"] for each in encoding["assignments"] if each["from"] in ("text", "event")]:
            text = each.get("input", string)[each["offset"]:each["offset"] + each["length"]]
            tap.same(text.split("=")[0], each["term"], f"{string}: {each['field']}: the span is that of {each['term']}")
            if "origin" in each:
                path = MACHINES / where / each["origin"]
                tap.same(path.read_text().strip(), each["input"], f"{string}: {each['term']} is in that file")


def ends():
    tree = machine("skylake-sp")
    for words, status in [(["cycles"], 0), (["nope"], 1), (["cycles", "nope"], 1), (["--strict", "cp*/event=0x3c/"], 1),
                          (["--from", "sysfs", "cycles"], 1), (["--from", "nowhere", "cycles"], 2), (["--dialect", "x", "cycles"], 2), ([], 2),
                          (["--no-open", "cycles"], 2), (["--hex", "cycles"], 2), (["-f", "/nonexistent", "cycles"], 4)]:
        result = pmuq(*tree, "explain", *words)
        tap.same(result.status, status, f"explain {' '.join(words)}: {status}", result.stderr)
    result = pmuq(*tree, "explain", "-f", "-", stdin=b"# one\ncpu/umsk=1/\ncycles\n")
    tap.ok("<stdin>:2: error[PMUQ-034]" in result.stderr and "    ^^^^" in result.stderr and "cycles" in result.text,
           "explain reports the errors of encode", result.stderr)
    narrow = pmuq(*tree, "explain", "cpu/event=1/", env={"COLUMNS": "40"}).text.splitlines()
    tap.ok(max(len(line) for line in narrow if line.strip()[:1] in "+|") <= 40, "the drawing fits the terminal", narrow)
    opened = pmuq("explain", "--json", "cpu-clock")
    tap.ok(opened.status == 0 and "open" not in opened.json["inputs"][0]["encodings"][0], "explain opens no event", opened.text)
    tap.same(pmuq(*tree, "explain", "--yaml", "cycles").status, 0, "--yaml prints the explanation")
    tap.ok("your text, at 0" in pmuq(*tree, "explain", "cycles").text, "a term is printed with its offset")


with tempfile.TemporaryDirectory() as directory:
    goldens("--update" in sys.argv[1:], made_machine(pathlib.Path(directory)))
both_forms()
same_as_encode()
spans()
ends()
tap.finish()
