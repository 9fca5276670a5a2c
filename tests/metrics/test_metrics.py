#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Metrics in the command: encode --metric, check --count --metric, and pmuq metric with counts of perf and of pmuq. Prints TAP.
test_metrics.py TABLES, which tables.py made."""
import json
import pathlib
import sys
import tarfile
import tempfile

import database
from tap import Tap, machine, pmuq, validated

tap = Tap()
DIRECTORY = tempfile.TemporaryDirectory()
DB = str(pathlib.Path(DIRECTORY.name) / "pmuq.db")
SKX = ("--db", DB, *machine("skylake-sp"))
HYBRID = ("--db", DB, *machine("alderlake-hybrid-k6.12"))


def set_up():
    arch = pathlib.Path(DIRECTORY.name) / "arch"
    with tarfile.open(sys.argv[1]) as tables:
        tables.extractall(arch)
    done = pmuq("--db", DB, "vendor", "import", "--no-libpfm4", str(arch))
    tap.ok(done.status == 0 and " 0 problems" in done.text, "the tables are imported without a problem", done.text, done.stderr)


def encode(*words, on=SKX):
    return pmuq(*on, "encode", "--no-open", "--json", *words)


def events_of_metrics():
    done = encode("--metric", "tma_info_thread_ipc")
    validated(done.json)
    tap.same([one["input"] for one in done.json["inputs"]], ["{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}:W"], "a metric is the group of its events")
    [metric] = done.json["metrics"]
    tap.same((metric["expression"], [one["event"] for one in metric["needs"]], metric["error"]),
             ("($0 / ($1))", ["INST_RETIRED.ANY", "CPU_CLK_UNHALTED.THREAD"], None), "and a formula over them")
    tap.same({one["input"] for one in metric["needs"]}, {0}, "an event has the index of its string")
    done = encode("cycles", "--metric", "tma_info_thread_ipc")
    tap.same(len(done.json["inputs"]), 2, "event strings come before metrics")
    done = encode("--metric", "tma_info_thread_ipc,TMA_INFO_THREAD_IPC")
    tap.same(len(done.json["metrics"]), 1, "a metric that is named twice is planned once; case does not matter")
    done = encode("--metric", "tma_info_thread_ip?")
    tap.same([one["name"] for one in done.json["metrics"]], ["tma_info_thread_ipc"], "a pattern names metrics")
    done = encode("--metric", "TopdownL1")
    tap.same(sorted(one["name"] for one in done.json["metrics"]),
             ["tma_backend_bound", "tma_bad_speculation", "tma_frontend_bound", "tma_retiring"], "so does a metric group")
    done = encode("--metric", "TopdownL1", "--no-groups")
    tap.ok(all("{" not in one["input"] for one in done.json["inputs"]), "without groups each event is alone", done.text)
    alone = encode("--metric", "tma_retiring,tma_info_thread_ipc", "--no-sharing")
    shared = encode("--metric", "tma_retiring,tma_info_thread_ipc")
    tap.same((len(shared.json["inputs"]), len(alone.json["inputs"])), (1, 2), "metrics share events, or not")
    more = encode("--metric", "tma_frontend_bound", "--no-sharing")
    few = encode("--metric", "tma_l3_bound", "--no-thresholds"), encode("--metric", "tma_l3_bound")
    needs = [len(one.json["metrics"][0]["needs"]) for one in few]
    tap.ok(more.status == 0 and needs[0] < needs[1], "a threshold needs more events", needs)
    done = encode("--metric", "tma_info_thread_ipc:u")
    tap.same(done.json["metrics"][0]["modifiers"], "u", "a name can have modifiers for its events")
    tap.ok(all(encoding["attr"].get("exclude_kernel") for encoding in done.json["inputs"][0]["encodings"]), "which they get", done.text)
    spr = encode("--metric", "TopdownL1", on=("--db", DB, *machine("sapphirerapids-k6.12")))
    warnings = [warning["name"] for one in spr.json["inputs"] for encoding in one["encodings"] for warning in encoding["warnings"]]
    tap.same((spr.status, warnings), (0, []), "a group that slots must lead has no warning: the user has not written it")
    done = pmuq(*SKX, "explain", "--metric", "tma_info_thread_ipc")
    tap.ok(done.status == 0 and "INST_RETIRED.ANY" in done.text, "explain takes metrics, too", done.text, done.stderr)


def lazily():
    """Strings of the command line read the events that they name; those of a file read the whole table."""
    for on in (SKX, HYBRID):
        listed = pmuq(*on, "list", "events", "--from", "json", "--json")
        names = [row["string"].rstrip("/").split("/")[-1] for row in listed.json["events"]]
        names = sorted(set(names)) + ["cycles", "tma_nothing", "INST_RETIRED.ANYTHING", "r1c0", "cpu/inst_retired.any/"]
        file = pathlib.Path(DIRECTORY.name) / "names"
        file.write_text("".join(f"{name}\n" for name in names))
        of_line = pmuq(*on, "encode", "--no-open", "--jsonl", *names)
        of_file = pmuq(*on, "encode", "--no-open", "--jsonl", "-f", str(file))
        differ = [(one, other) for one, other in zip(parts(of_line), parts(of_file)) if one != other]
        tap.ok(len(names) > 150 and len(parts(of_line)) == len(names) and not differ, "and both are encoded as the same", len(names), differ[:3])


def parts(done):
    """The lines without the place in the file."""
    lines = [json.loads(line) for line in done.text.splitlines()]
    for line in lines:
        line.get("error", {}).pop("at", None)
    return lines


def lists():
    done = pmuq(*SKX, "list", "metrics", "--json", "topdownl1")
    validated(done.json)
    tap.same([(one["name"], one["unit"], one["here"], one["counters"]) for one in done.json["metrics"]],
             [("tma_backend_bound", "%", True, 6), ("tma_bad_speculation", "%", True, 6), ("tma_frontend_bound", "%", True, 4), ("tma_retiring", "%", True, 4)],
             "list metrics takes a metric group, and counts what a metric needs")
    [one] = pmuq(*SKX, "list", "metrics", "--json", "TMA_L3_bound").json["metrics"]
    tap.same((one["formula"], one["events"][-1], one["file"], "TopdownL3" in one["groups"]),
             ("(CYCLE_ACTIVITY.STALLS_L2_MISS - CYCLE_ACTIVITY.STALLS_L3_MISS) / tma_info_thread_clks", "CPU_CLK_UNHALTED.THREAD",
              "x86/skylakex/skx-metrics.json", True), "a metric has its formula, events, file and groups")
    done = pmuq("--db", DB, *machine("zen3-epyc"), "list", "metrics", "--json", "iotlb_interrupt_cache_hit")
    tap.same([(one["here"], one["counters"], one["error"]["name"]) for one in done.json["metrics"]], [(False, None, "unknown-pmu")],
             "a metric whose PMU is missing has the error")
    done = pmuq(*HYBRID, "list", "metrics", "insn_per_cycle", "-o", "PMU")
    tap.same(sorted(done.text.split()[1:]), ["cpu_atom", "cpu_core"], "a row for each core type")
    done = pmuq(*SKX, "list", "metrics", "no_such*")
    tap.ok(done.status == 1 and "no metric matches 'no_such*'" in done.stderr, "a glob without metrics is reported", done.stderr)


def shows():
    """A metric in full; a metric group, and its metrics."""
    done = pmuq(*SKX, "show", "TMA_Backend_Bound")
    for line in ("  groups   BvOB, TmaL1, TopdownL1, tma_L1_group", "  unit     %", "  bad if   tma_backend_bound > 0.2",
                 "  table    x86/skylakex/skx-metrics.json v1.37, perf", "  counters 6", "  events   {IDQ_UOPS_NOT_DELIVERED.CORE,"):
        tap.ok(done.status == 0 and line in done.text, f"show METRIC prints: {line.strip()}", done.text, done.stderr)
    done = pmuq(*SKX, "show", "--json", "tma_info_thread_ipc", "TopdownL1", "cpu", "cycles", "tma_nothing")
    validated(done.json)
    tap.same([(row["input"], row["found"], row.get("metric", {}).get("name")) for row in done.json["shown"]],
             [("tma_info_thread_ipc", "metric", "tma_info_thread_ipc")] +
             [("TopdownL1", "metricgroup", None)] +
             [("TopdownL1", "metric", f"tma_{name}") for name in ("backend_bound", "bad_speculation", "frontend_bound", "retiring")] +
             [("cpu", "pmu", None), ("cycles", "event", None), ("tma_nothing", "error", None)], "as documents, too")
    tap.same((done.status, done.json["shown"][0]["strings"]), (1, ["{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}:W"]), "with the strings that are opened")
    done = pmuq(*HYBRID, "show", "--json", "insn_per_cycle")
    tap.same([row["metric"]["pmu"] for row in done.json["shown"]], ["cpu_atom", "cpu_core"], "a hybrid has a row for each core PMU")
    absent = pmuq("--db", DB, *machine("zen3-epyc"), "show", "iotlb_interrupt_cache_hit")
    tap.ok(absent.status == 0 and "[PMUQ-030] unknown-pmu" in absent.text and "  counters" not in absent.text,
           "a metric that the machine cannot count has the reason", absent.text, absent.stderr)


def audits():
    """Metrics on all host classes of the database."""
    hosts = str(pathlib.Path(DIRECTORY.name) / "hosts.db")
    database.copy(DB, hosts)
    for name in ("skylake-sp", "alderlake-hybrid-k6.12", "zen3-epyc"):
        pmuq("--db", hosts, *machine(name), "scan", "--name", name)
    audit = ("--db", hosts, "encode", "--all-hosts", "--no-open", "--metric", "tma_info_thread_ipc", "--metric", "insn_per_cycle,cs_per_second", "cycles")
    done = pmuq(*audit, "--json")
    validated(done.json)
    tap.same([row["input"] for row in done.json["inputs"]], ["cycles", "tma_info_thread_ipc", "insn_per_cycle,cs_per_second"],
             "an audit has an item for each string, and for the names of each --metric")
    outcomes = done.json["inputs"][1]["outcomes"]
    tap.same([(one["result"]["ok"], one["result"]["input"]) for one in outcomes],
             [(True, "{INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}:W"), (True, "{cpu_core/INST_RETIRED.ANY/,cpu_core/CPU_CLK_UNHALTED.THREAD/}:W"),
              (False, "tma_info_thread_ipc")], "a metric has the events of each class")
    tap.same((done.status, outcomes[-1]["result"]["error"]["name"]), (1, "unknown-metric"), "a class whose CPU has no such metric fails")
    text = pmuq(*audit)
    tap.ok("\n    {INST_RETIRED.ANY,CPU_CLK_UNHALTED.THREAD}:W\n    cpu, type 4: config=0xc0\n" in text.text, "the table has the events, too", text.text)
    done = pmuq("--db", hosts, "encode", "--all-hosts", "--no-open", "--json", "--metric", "iotlb_interrupt_cache_hit")
    tap.ok(done.status == 1 and all(not one["result"]["ok"] for one in done.json["inputs"][0]["outcomes"]), "so does one whose machine cannot count it",
           done.text)


def searches():
    done = pmuq(*SKX, "search", "--json", "tma_info_thread_ipc")
    tap.same([(one["source"], one["event"], one["here"]) for one in done.json["events"][:1]], [("metric", "tma_info_thread_ipc", True)],
             "search finds metrics")


def core_types():
    done = encode("--metric", "tma_retiring", on=HYBRID)
    tap.same(sorted(one["pmu"] for one in done.json["metrics"]), ["cpu_atom", "cpu_core"], "two core types have a metric each")
    done = encode("--metric", "insn_per_cycle", on=HYBRID)
    tap.same(sorted(one["pmu"] for one in done.json["metrics"]), ["cpu_atom", "cpu_core"], "also of generic events")


def refusals():
    done = encode("--metric", "tma_retirin")
    tap.ok(done.status == 1 and "PMUQ-242" in done.stderr and "did you mean 'tma_retiring'" in done.stderr, "an unknown metric is an error, with similar names",
           done.stderr)
    zen = ("--db", DB, *machine("zen3-epyc"))
    done = encode("--metric", "iotlb_interrupt_cache_hit", on=zen)
    tap.ok(done.status == 1 and "amd_iommu" in done.stderr, "so is a metric whose PMU is not on the machine", done.status, done.stderr)
    done = encode("--metric", "iotlb_interrupt_cache_hit,insn_per_cycle", on=zen)
    errors = {one["name"]: one["error"] and one["error"]["name"] for one in done.json["metrics"]}
    tap.same(errors, {"iotlb_interrupt_cache_hit": "unknown-pmu", "insn_per_cycle": None}, "the other metrics have their events")
    done = pmuq(*zen, "encode", "--dialect", "perf", "--no-open", "--metric", "iotlb_interrupt_cache_hit,insn_per_cycle")
    tap.same((done.status, done.text), (1, ""), "in perf's dialect one bad metric fails all")
    done = encode("--metric", "lpm_cycles_user:u")
    tap.same(done.status, 0, "a modifier that an event has already is added once")
    done = encode("--metric", "lpm_cycles_user:u", "--dialect", "perf")
    tap.ok(done.status == 1 and "twice" in done.stderr or "duplicate" in done.stderr.lower(), "perf adds it twice, and refuses the event", done.stderr)
    done = pmuq(*zen, "encode", "--no-open", "--metric", "no_such_group")
    tap.ok(done.status == 1 and "PMUQ-242" in done.stderr, "an unknown group is an error", done.stderr)
    slots = pathlib.Path(DIRECTORY.name) / "slots"
    (slots / "x86" / "one").mkdir(parents=True)
    (slots / "x86" / "mapfile.csv").write_text("Family-model,Version,Filename,EventType\nGenuineIntel-6-55-4,v1,one,core\n")
    (slots / "x86" / "one" / "metrics.json").write_text(json.dumps(
        [{"MetricName": name, "MetricExpr": text} for name, text in
         (("of_slots", "instructions / #slots"), ("of_itself", "instructions / of_itself"), ("of_nothing", "instructions +"), ("fine", "instructions"))]))
    db = str(pathlib.Path(DIRECTORY.name) / "slots.db")
    pmuq("--db", db, "vendor", "import", "--no-libpfm4", str(slots))
    done = pmuq("--db", db, *machine("skylake-sp"), "encode", "--no-open", "--json", "--metric", "all")
    errors = {one["name"]: one["error"] and one["error"]["name"] for one in done.json["metrics"]}
    tap.same(errors, {"of_slots": "bad-metric", "of_itself": "bad-metric", "of_nothing": "bad-formula", "fine": None}, "each metric has its own error")
    tap.ok(done.status == 1 and done.stderr.count("PMUQ-243") == 2, "and all of them are reported", done.stderr)


PERF = """{"counter-value" : "3000.000000", "unit" : "", "event" : "INST_RETIRED.ANY", "event-runtime" : 100, "pcnt-running" : 100.00}
{"counter-value" : "2000.000000", "unit" : "", "event" : "CPU_CLK_UNHALTED.THREAD", "event-runtime" : 100, "pcnt-running" : 100.00}
"""


def value_of(done, name):
    [metric] = [one for one in done.json["metrics"] if one["name"] == name]
    return metric["value"], metric["reason"]


def metric(text, *words, on=SKX):
    return pmuq(*on, "metric", *words, stdin=text.encode())


def counts_of_perf():
    done = metric(PERF, "tma_info_thread_ipc", "--json")
    validated(done.json)
    tap.same(value_of(done, "tma_info_thread_ipc"), (1.5, "known"), "perf stat -j is a source of counts")
    done = metric("3000,,INST_RETIRED.ANY,100,100.00,,\n2000,,CPU_CLK_UNHALTED.THREAD,100,100.00,,\n", "tma_info_thread_ipc", "--json")
    tap.same(value_of(done, "tma_info_thread_ipc"), (1.5, "known"), "so is perf stat -x,")
    done = metric("CPU0;1;;INST_RETIRED.ANY;100;100.00;;\nCPU1;2;;INST_RETIRED.ANY;100;100.00;;\nCPU0;2;;CPU_CLK_UNHALTED.THREAD;100;100.00;;\n"
                  "CPU1;2;;CPU_CLK_UNHALTED.THREAD;100;100.00;;\n", "tma_info_thread_ipc", "--json")
    tap.same(value_of(done, "tma_info_thread_ipc"), (0.75, "known"), "rows of CPUs are added up, with any separator")
    done = metric(PERF.replace("100.00", "50.00", 1), "tma_info_thread_ipc", "--json")
    tap.same(value_of(done, "tma_info_thread_ipc")[0], 1.5, "a count that shared its counter was scaled by perf")
    tap.ok(done.json["metrics"][0]["error_bound"] > 0, "and has an error bound", done.text)
    done = metric(PERF.splitlines()[0], "tma_info_thread_ipc", "--json")
    tap.same(value_of(done, "tma_info_thread_ipc"), (None, "not-counted"), "an event that was not counted is a reason")
    done = metric(PERF.replace("2000.0", "0.0"), "tma_info_thread_ipc", "--json")
    tap.same(value_of(done, "tma_info_thread_ipc"), (None, "divided-by-0"), "so is a division by 0")
    done = metric(PERF.replace('"2000.000000"', '"<not counted>"'), "tma_info_thread_ipc")
    tap.ok(done.status == 0 and "not known: CPU_CLK_UNHALTED.THREAD was not counted" in done.text, "the table has the event's name", done.text)
    hybrid = ('{"counter-value" : "6", "unit" : "", "event" : "cpu_core/instructions/"}\n{"counter-value" : "3", "event" : "cpu_core/cpu-cycles/"}\n'
              '{"counter-value" : "1", "unit" : "", "event" : "cpu_atom/instructions/"}\n{"counter-value" : "4", "event" : "cpu_atom/cpu-cycles/"}\n')
    done = metric(hybrid, "insn_per_cycle", "--json", on=HYBRID)
    tap.same(sorted((one["pmu"], one["value"]) for one in done.json["metrics"]), [("cpu_atom", 0.25), ("cpu_core", 2)], "each core PMU has its own counts")
    columns = "6,,cpu_core/instructions/,1,100.00,,\n3,,cpu_core/cpu-cycles/,1,100.00,,\n1,,cpu_atom/instructions/,1,100.00,,\n4,,cpu_atom/cpu-cycles/,1,100.00,,\n"
    done = metric(columns, "insn_per_cycle", "--json", on=HYBRID)
    tap.same(sorted((one["pmu"], one["value"]) for one in done.json["metrics"]), [("cpu_atom", 0.25), ("cpu_core", 2)], "also in columns")
    done = metric("3,,instructions2,1,100.00,,\n3,,cpu/instructions/x,1,100.00,,\n", "insn_per_cycle")
    tap.ok(done.status == 1 and "has no count of an event" in done.stderr, "a name that only begins as the event's is another event", done.stderr)
    done = metric("", "tma_info_thread_ipc")
    tap.ok(done.status == 1 and "stdin has no count of an event that is needed, such as " in done.stderr and "perf stat -j" in done.stderr, "no counts are an error", done.stderr)
    done = metric("{\n", "tma_info_thread_ipc")
    tap.ok(done.status == 1 and ":1: the line is not JSON" in done.stderr, "a line that is not JSON is named", done.stderr)


# An event with a latency in the table, and one without.
LATENCY_EVENTS = [
    {"EventName": "LOADS.SPLIT", "EventCode": "0xd0", "UMask": "0x41", "RetirementLatencyMax": 100, "RetirementLatencyMean": 2.46, "RetirementLatencyMin": 0},
    {"EventName": "LOADS.LOCK", "EventCode": "0xd0", "UMask": "0x21"},
]
LATENCY_METRICS = [
    {"MetricName": "split", "MetricExpr": "LOADS.SPLIT * LOADS.SPLIT:R / cycles"},
    {"MetricName": "slashes", "MetricExpr": "cpu@LOADS.SPLIT@R"},
    {"MetricName": "lock", "MetricExpr": "LOADS.LOCK * LOADS.LOCK:R / cycles"},
]
LATENCY_COUNTS = "10,,LOADS.SPLIT,1,100.00,,\n10,,LOADS.LOCK,1,100.00,,\n5,,cycles,1,100.00,,\n"


def latencies():
    """An event with the modifier R has the mean of the table; perf rounds it, and takes 0 for none."""
    folder = pathlib.Path(DIRECTORY.name) / "latency/x86/tiny"
    folder.mkdir(parents=True)
    (folder.parent / "mapfile.csv").write_text("Family-model,Version,Filename,EventType\nGenuineIntel-6-55-[01234],v1,tiny,core\n")
    (folder / "events.json").write_text(json.dumps(LATENCY_EVENTS))
    (folder / "metrics.json").write_text(json.dumps(LATENCY_METRICS))
    on = ("--db", str(pathlib.Path(DIRECTORY.name) / "latency.db"), *machine("skylake-sp"))
    done = pmuq(*on[:2], "vendor", "import", "--no-libpfm4", str(folder.parent.parent))
    tap.ok(done.status == 0 and "2 events, 3 metrics, 0 problems" in done.text, "tables with latencies are imported", done.text, done.stderr)
    for words, expected in (((), [("split", 4.92, "known"), ("slashes", 2.46, "known"), ("lock", None, "not-counted")]),
                            (("--dialect", "perf"), [("split", 4, "known"), ("slashes", 2, "known"), ("lock", 0, "known")])):
        done = metric(LATENCY_COUNTS, "split,slashes,lock", "--json", *words, on=on)
        validated(done.json)
        tap.same([(one["name"], one["value"] and round(one["value"], 9), one["reason"]) for one in done.json["metrics"]], expected,
                 f"latencies in the dialect {words[1:] or 'pmuq'}")
    done = encode("--metric", "split", on=on)
    validated(done.json)
    tap.same([(need["event"], need["type"], need.get("latency")) for need in done.json["metrics"][0]["needs"]],
             [("LOADS.SPLIT", "count", None), ("LOADS.SPLIT:R", "latency", 2.46), ("cycles", "count", None)], "a plan has the latency")


def counts_here():
    live = ("--db", DB)
    done = pmuq(*live, "check", "--count=20", "--json", "--metric", "cs_per_second,page_faults_per_second")
    validated(done.json)
    tap.ok(all(value_of(done, name)[1] == "known" for name in ("cs_per_second", "page_faults_per_second")), "check counts metrics of this machine", done.text,
           done.stderr)
    lines = pmuq(*live, "check", "--count=20", "--jsonl", "--metric", "page_faults_per_second")
    again = metric(lines.text, "page_faults_per_second", "--json", on=live)
    was = value_of(again, "page_faults_per_second")
    tap.ok(was[1] == "known" and was[0] > 0, "its lines are a source of counts", was, lines.text)


set_up()
events_of_metrics()
latencies()
lazily()
lists()
shows()
audits()
searches()
core_types()
refusals()
counts_of_perf()
counts_here()
tap.finish()
