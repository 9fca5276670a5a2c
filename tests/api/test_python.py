#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python binding with captured machines and this one, and with invalid use: test_python.py README SANITIZE
with PMUQ_LIBRARY and PYTHONPATH set. A library with ASan cannot be loaded into Python: skipped there."""
import decimal
import gc
import inspect
import mmap
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import MACHINES, Tap, pmuq as command  # noqa: E402

README = pathlib.Path(sys.argv[1])
VENDOR = pathlib.Path(__file__).parents[1] / "vendor"
tap = Tap()
if len(sys.argv) > 2 and sys.argv[2] != "none":
    tap.skip("the Python binding", f"the library is built with {sys.argv[2]}, which Python is not")
    tap.finish()

import pmuq  # noqa: E402

#: (class, member) of the texts and pointers that were NULL in a record that these tests have read.
NULLS = set()


def watched(record, handle, pointer, index=0, make=pmuq._object.Record.__init__):
    make(record, handle, pointer, index)
    for name, *_ in record._struct._fields_:
        value = getattr(record._c, name)
        if getattr(value, "p", value) is None:
            NULLS.add((type(record), name))


pmuq._object.Record.__init__ = watched


def raised(error_type, function, *arguments, **options):
    """The exception that a call ends with, or None."""
    try:
        function(*arguments, **options)
    except error_type as error:
        return error
    return None


def tree(name):
    return pmuq.Source.tree(MACHINES / name)


def encodings():
    with tree("skylake-sp") as machine:
        events = machine.encode("cpu/mem-loads,ldlat=30/u", assignments=True)
    event = events[0]
    tap.same(event.fields, {"type": 4, "size": 64, "config": 0x1cd, "exclude_kernel": 1, "exclude_hv": 1, "config1": 0x1e},
             "the fields of an event can be read after the source was closed")
    tap.same((struct.unpack_from("<IIQ", event.attr), len(event.attr)), ((4, 64, 0x1cd), 64), "… and its bytes")
    tap.same((event.name, event.pmu, event.cpus, event.origin_name, event.origin),
             ("cpu/mem-loads,ldlat=30/u", "cpu", list(range(16)), "sysfs", pmuq.Origin.SYSFS), "… and its PMU, CPUs and source")
    ldlat = [(a.cause, a.number, a.offset, a.is_overridden) for a in event.assignments if a.term == "ldlat"]
    tap.same(ldlat, [(pmuq.Cause.EVENT, 3, 21, True), (pmuq.Cause.TEXT, 30, 14, False)], "… and its assignments")
    instances = tree("skylake-sp").encode("uncore_imc/cas_count_read/")
    tap.same({(e.scale, e.unit, tuple(e.cpus), e.needs_cpu) for e in instances},
             {(decimal.Decimal("6.103515625e-5"), "MiB", (0, 8), True)}, "instances have an exact scale and a unit")
    tap.same(len(instances), 6, "one string gives the events of all instances")
    error = raised(pmuq.Error, instances.one)
    tap.same((error.name, error.message, error.length), ("several-encodings", "the event stands for 6 PMUs: uncore_imc_[0-5]", 26),
             "… and why it has not one encoding", str(error))
    tap.same(events.one(), event, "a string with one encoding gives it")
    of_parts = tree("skylake-sp").encode_parts(pmu="cpu", event="mem-loads", terms={"ldlat": 30}, modifiers="u")
    tap.same((of_parts[0].name, of_parts[0].attr), (event.name, event.attr), "an event in parts is that of its string")
    with tree("arm64-biglittle") as arm:
        cci = arm.find_pmu("CCI_400_r1")
        tap.same([(one.name, one.max) for one in cci.parameters("si_rrq_hs_dvm_msg_sync")], [("source", 7)],
                 "the parameters of an event are listed")
        tap.same(cci.parameters("cycles"), [], "… if it has any")
        error = raised(pmuq.Error, arm.encode_parts, pmu="CCI_400_r1", event="si_rrq_hs_dvm_msg_sync", terms={"source": 8})
        tap.same((error.name, error.input), ("value-too-big", "CCI_400_r1/si_rrq_hs_dvm_msg_sync,source=8/"), "… and checked")
    tap.same([e.pmu for e in instances[1:3]] + [instances[-1].pmu], ["uncore_imc_1", "uncore_imc_2", "uncore_imc_5"],
             "the events are a sequence")
    group = tree("skylake-sp").encode("{cycles,instructions}")
    tap.same([(e.leader, e.n_members, e.group_name) for e in group], [(0, 2, "")] * 2, "groups have a leader and members")
    terms = tree("skylake-sp").encode("cycles/period=1000,call-graph=fp/")[0].tool_terms
    tap.ok(("call-graph", "fp", False) in [(t.name, t.text, t.is_number) for t in terms], "events have tool terms", repr(terms))
    tap.same(tree("skylake-sp").encode("cycles", preset=pmuq.Preset.STAT)[0].fields["enable_on_exec"], 1, "presets are applied")


def same_as_command():
    """On every machine the binding gives the encodings of the command."""
    names = sorted(path.name for path in MACHINES.iterdir() if (path / "sys").is_dir())
    differ = []
    for name in names:
        result = command("--sysroot", str(MACHINES / name), "encode", "--jsonl", "cycles", "page-faults", "r1a")
        want = [e["attr_hex"].replace(" ", "") for line in result.lines for e in line.get("encodings", [])]
        with tree(name) as machine, machine.read_catalog() as catalog:
            for source in (machine, catalog):
                got = []
                for text in ("cycles", "page-faults", "r1a"):
                    try:
                        got += [e.attr.hex() for e in source.encode(text)]
                    except pmuq.Error:
                        pass
                if got != want:
                    differ.append((name, got, want))
    tap.same(differ, [], f"{len(names)} machines: the binding gives the encodings of the command")


def errors():
    error = raised(pmuq.Error, tree("skylake-sp").encode, "cpu/umsk=1/")
    tap.same((error.code, error.name, error.input, error.offset, error.length, error.errnum),
             (34, "unknown-term", "cpu/umsk=1/", 4, 4, 0), "an error has a code and a location")
    tap.ok("umask" in error.hint and error.message and error.origin is None, "… and a hint and a message", str(error))
    tap.ok(str(error).splitlines()[:3] == [f"error[PMUQ-034] unknown-term: {error.message}", "  cpu/umsk=1/", "      ^^^^"],
           "… and prints its caret", str(error))
    error = raised(pmuq.Error, pmuq.Source.tree, "/nowhere/at/all")
    tap.same((error.name, error.origin), ("no-root", "/nowhere/at/all"), "an error of a file contains its name")
    tap.ok(error.errnum == 2, "… and its errno", repr(error.errnum))
    strict = raised(pmuq.Error, tree("skylake-sp").encode, "cpu/config=0x10000000000/", strict=True)
    warned = tree("skylake-sp").encode("cpu/config=0x10000000000/")[0].warnings
    tap.ok(strict and len(warned) == 1 and warned[0].code and "^" in str(warned[0]), "warnings are data, or errors with is_strict",
           repr(strict), repr(warned))
    tap.ok(isinstance(raised(ValueError, tree("skylake-sp").encode, "cycles\0"), ValueError), "a NUL is refused")
    known = {code.number: code for code in pmuq.codes()}
    tap.ok(len(known) > 50 and known[34].name == "unknown-term" and known[34].remedy, "codes have names and remedies")


def catalogs():
    with tree("skylake-sp") as machine:
        catalog = machine.read_catalog()
        tap.same(machine.find_fact("cpuid"), catalog.facts["cpuid"], "a source has facts")
        tap.same(machine.find_pmu("cpu").name, "cpu", "a source finds a PMU")
        lost = raised(pmuq.Error, machine.find_pmu, "cqu")
    tap.ok(lost and lost.name == "unknown-pmu", "… or raises an error")
    listed = command("--sysroot", str(MACHINES / "skylake-sp"), "list", "--json").json
    rows = listed if isinstance(listed, list) else next(value for value in listed.values() if isinstance(value, list))
    tap.same(len(catalog.pmus), len(rows), "the PMUs are those of pmuq list")
    cpu = catalog.find_pmu("cpu")
    tap.same((cpu.is_core, cpu.is_uncore, cpu.type, cpu.cpus), (True, False, 4, list(range(16))), "a PMU has its members")
    formats = {f.name: (f.word, f.mask) for f in cpu.formats}
    tap.same((formats["event"], formats["ldlat"]), ((0, 0xff), (1, 0xffff)), "… and its formats")
    tap.same(cpu.find_event("mem-loads").terms, "event=0xcd,umask=0x1,ldlat=3", "… and its events")
    tap.same((cpu.file_text("rdpmc"), cpu.file_text("caps/max_precise"), cpu.file_text("nothing")),
             (cpu.attributes["rdpmc"], cpu.caps["max_precise"], None), "… and its files by path")
    tap.ok({"cpumask", "rdpmc", "caps/max_precise"} <= {one.path for one in pmuq.pmu_files()}, "… and the known files")
    tap.ok(cpu.caps and cpu == catalog.pmus[0] and cpu != catalog.pmus[1], "… and its caps; PMUs can be compared")
    tap.ok(catalog.find_pmu("no-pmu") is None and cpu.find_event("nothing") is None, "members without a value are None")
    tap.ok(raised(IndexError, lambda: catalog.pmus[len(catalog.pmus)]), "indexes beyond the end raise IndexError")
    tap.ok(catalog.check is None and not catalog.is_live, "a captured machine has no check")
    broken = next((p for name in MACHINES.iterdir() if (name / "sys").is_dir()
                   for p in pmuq.Source.tree(name).read_catalog().problems), None)
    tap.ok(broken is None or broken.path and broken.message and broken.code, "a source has problems", repr(broken))


def names():
    """Completion without a catalog, and the words of the language."""
    with tree("skylake-sp") as machine:
        tap.same(list(machine.list_pmus("uncore_imc")), [f"uncore_imc_{i}" for i in range(6)], "completion offers PMUs by the first letters")
        opens = machine.opens
        tap.same(list(machine.list_pmus("")), [p.name for p in machine.read_catalog().pmus], "… all PMUs of the catalog")
        tap.ok(opens < 10, "completion of PMUs reads no PMU", str(opens))
        tap.same(list(machine.list_events("cas_")), ["cas_count_read", "cas_count_write"], "completion offers events")
        opens = machine.opens
        tap.same(list(machine.list_events_of("uncore_imc_4")), ["cas_count_read", "cas_count_write", "clockticks"], "a PMU has its events")
        tap.ok(machine.opens - opens <= 2, "their names are in one directory", str(machine.opens - opens))
        try:
            machine.list_events_of("uncore_imc_9")
            tap.ok(False, "a PMU that is not there has no list")
        except pmuq.Error as error:
            tap.same(error.name, "unknown-pmu", "a PMU that is not there has no list")
        tap.ok(len(machine.list_tracepoints("no:")) == 0, "completion offers tracepoints")
        tap.same([pmuq.name_in_event(name) for name in ("cycles", "bpu", "r1a", "a/b")], ["cycles", "'bpu'", "'r1a'", None],
                 "offered names are quoted for event strings")
        found = machine.complete("{cycles,cpu/event=1,in_")
        tap.same((found.cursor, found.offset, found.pmu, found.term), (pmuq.Cursor.TERM, 20, "cpu", None), "the cursor has a context")
        tap.same([(one.text, one.type, one.about, one.next) for one in found.candidates],
                 [(name, pmuq.CandidateType.FORMAT, f"config:{bit}", ",/") for name, bit in (("in_tx", 32), ("in_tx_cp", 33))],
                 "completion offers the next characters")
        tap.same(machine.complete("cpu/umask=").term, "umask", "completion names the term of a value")
        error = raised(pmuq.Error, machine.complete, "cpu/", origins=1 << 20)
        tap.same(error.name, "bad-call", "the options of completion are checked")
        tap.same((machine.refresh(), machine.refresh()), (True, False), "a refresh reports no change")
    if os.access("/sys/kernel/tracing/events/sched/sched_switch/id", os.R_OK):
        tap.ok("sched:sched_switch" in pmuq.Source.live().list_tracepoints("sched:"), "completion offers tracepoints of this machine")
    else:
        tap.skip("completion offers tracepoints of this machine", "tracefs is not there, or not for us")
    words = pmuq.terms()
    tap.ok(words["config"] and not words["no-inherit"], "terms are listed with the type of their value", repr(words))
    tap.ok("user" in pmuq.modifiers()["u"] and len(pmuq.modifiers()) > 10, "modifiers are listed", repr(pmuq.modifiers()))


def refreshed():
    """A machine that changes: objects from before the change stay valid."""
    with tempfile.TemporaryDirectory() as work:
        copy = pathlib.Path(work, "machine")
        shutil.copytree(MACHINES / "skylake-sp", copy, symlinks=True)
        with pmuq.Source.tree(copy) as machine:
            before = machine.encode("msr/tsc/")[0]
            machine.refresh()
            shutil.rmtree(copy / "sys/bus/event_source/devices/msr")
            tap.ok(machine.refresh(), "a refresh reports a removed PMU")
            tap.same(raised(pmuq.Error, machine.encode, "msr/tsc/").name, "unknown-pmu", "… and completion does not offer it")
            tap.same(before.pmu, "msr", "objects from before the change stay valid")


def decodings():
    with tree("skylake-sp") as machine:
        event = machine.encode("cpu/mem-loads,ldlat=30/u")[0]
        for what in (event.attr, event.fields, event.attr.hex(), bytearray(event.attr)):
            tap.same(machine.decode(what).text, "cpu/mem-loads,ldlat=0x1e/u", f"decode {type(what).__name__}")
        swapped = struct.pack(">IIQ", *struct.unpack_from("<IIQ", machine.encode("cycles")[0].attr)).ljust(64, b"\0")
        tap.same(machine.decode(swapped).text, "cycles", "… of the other byte order")
        left = machine.decode({"type": 0, "config": 0, "inherit": 1})
        tap.same((str(left), [(one.name, one.value, one.is_event) for one in left.left], left.is_exact),
                 ("cycles", [("inherit", 1, False)], True), "fields that no string expresses are listed")
        error = raised(pmuq.Error, machine.decode, {"typo": 1})
        tap.ok(error and error.name == "unknown-field" and "type" in (error.hint or ""), "an unknown field is an error", str(error))
        tap.ok(raised(pmuq.Error, machine.decode, b"\4\0\0"), "bytes that are not an attr are an error")
    fields = {"type": 4, "size": 64, "config": 0x3c}
    tap.same(pmuq.attr_fields(pmuq.pack_attr(fields)), fields, "attrs are packed and unpacked")
    tap.same(pmuq.parse_attr("type=4 config=0x3c"), pmuq.pack_attr(fields), "attrs are parsed")
    changed = pmuq.change_attr(fields, {"use_clockid": 1, "clockid": -2})
    tap.same((pmuq.attr_fields(changed)["size"], len(changed)), (96, 96), "an attr grows with a field")
    tap.same([name for name, value in (("typo", 1), ("precise_ip", 4), ("clockid", 1 << 40), ("size", 64))
              if not raised(ValueError, pmuq.change_attr, changed, {name: value})], [], "… and refuses what a field cannot hold")
    tap.same((pmuq.copy_attr(fields, 112), pmuq.copy_attr(changed, 96)), (pmuq.pack_attr(fields) + bytes(48), changed),
             "an attr is copied into a struct of any size")
    error = raised(pmuq.Error, pmuq.copy_attr, changed, 92)
    tap.ok(error and error.name == "attr-size" and "'clockid'" in error.message, "… or the field that does not fit is named", repr(error))


def options():
    """All options reach the library, also those after members that Python does not have."""
    [user] = tree("skylake-sp").encode("cycles", privilege=pmuq.Privilege.USER)
    tap.same(user.fields.get("exclude_kernel"), 1, "privilege is an option")
    error = raised(pmuq.Error, tree("alderlake-hybrid-k6.12").encode, "{msr/tsc/,cycles}", preset=pmuq.Preset.STAT, strict=True, system_wide=True)
    tap.ok(error and error.name == "regrouped", "system_wide is an option", repr(error))


def metrics():
    """A plan on the general import of tests/vendor."""
    with tempfile.TemporaryDirectory() as directory, pmuq.Store(pathlib.Path(directory) / "metrics.db", pmuq.StoreMode.CREATE) as store:
        store.import_vendor(VENDOR / "arch", None)
        cpu = "GenuineIntel-6-F0-0"
        found = store.open_metrics(cpu)
        tap.same([(one.name, one.formula, one.unit, one.file) for one in found if one.name == "IPC"],
                 [("IPC", "INST_RETIRED.ANY / cycles", "per_cycle", "x86/testlake/test-metrics.json")], "the metrics of a CPU are records")
        with tree("skylake-sp").plan_metrics(found, "ipc", vendor=store.open_vendor(cpu)) as plan:
            tap.same([one.string for one in plan.lists], ["{INST_RETIRED.ANY,cycles}:W"], "a plan has event strings")
            tap.same([one.attr for one in plan.lists[0].encodings], [one.attr for one in tree("skylake-sp").encode(
                "{INST_RETIRED.ANY,cycles}", vendor=store.open_vendor(cpu))], "and their encodings")
            tap.ok(all(plan.counts(0, i, encoding) == (i == k) for i in range(2) for k, encoding in enumerate(plan.lists[0].encodings)),
                   "each encoding is a part of its event's count")
            value = plan.evaluate(0, [pmuq.MetricCount(3.0), pmuq.MetricCount(2.0)])
            tap.same((value.value, value.error_bound, value.rating, value.event), (1.5, 0.0, pmuq.Rating.NONE, None), "counts become a value")
            value = plan.evaluate(0, [pmuq.MetricCount(3.0), pmuq.MetricCount(None)])
            tap.same((value.value, value.reason, value.event), (None, pmuq.FormulaReason.NOT_COUNTED, 1), "or the event that is missing is named")
            value = plan.evaluate(0, [pmuq.MetricCount(3.0, 100, 50), pmuq.MetricCount(2.0, 100, 100)])
            tap.ok((value.value, value.error_bound) == (3, 1.5), "a count that shared its counter is scaled, with a bound", repr(value))
            tap.same([raised(pmuq.Error, plan.evaluate, *words).message for words in ((0, []), (7, [pmuq.MetricCount(1.0)] * 2))],
                     ["the plan has 2 events, not 0", "there is no metric 7: the plan has 1"], "the counts of all events are needed, and a metric")
            tap.ok(raised(IndexError, plan.evaluate, -1, []), "… whose index is not negative")
        error = raised(pmuq.Error, tree("skylake-sp").plan_metrics, found, "ipx", vendor=store.open_vendor(cpu))
        tap.same((error.name, error.hint), ("unknown-metric", "did you mean 'IPC'?"), "an unknown metric is an exception")


def formulas():
    ipc = pmuq.Formula.parse("instructions / cycles if #smt_on else misses")
    tap.same([(one.name, one.type) for one in ipc.operands],
             [("instructions", pmuq.OperandType.EVENT), ("cycles", pmuq.OperandType.EVENT), ("smt_on", pmuq.OperandType.LITERAL),
              ("misses", pmuq.OperandType.EVENT)], "a formula lists its operands")
    tap.same(ipc.evaluate([3, 2, 1, None]).value, 1.5, "and is evaluated")
    lost = ipc.evaluate([3, 0, 1, None])
    tap.same((lost.value, lost.reason, lost.offset, lost.length), (None, pmuq.FormulaReason.DIVIDED_BY_0, 13, 1), "what is not known has a reason and a place")
    tap.same(list(ipc.list_events([None, None, 0, None])), ["misses"], "it lists the events that must be counted")
    counted = pmuq.Formula.parse("source_count(x) + aggr_nr(x)")
    tap.same(counted.evaluate([(7, 2, 40)]).value, 42.0, "an input may have the numbers of PMUs and counts")
    tap.ok(raised(pmuq.Error, ipc.evaluate, [1]) and raised(pmuq.Error, pmuq.Formula.parse, "a >= b"), "mistakes are errors")
    tap.same(pmuq.Formula.parse("a >= b", dialect=pmuq.Dialect.PERF).evaluate([1, 2]).value, 0.0, "perf reads another formula")
    tap.ok(pmuq.formula_matches_cpu("GenuineIntel-6-55", "GenuineIntel-6-55-4"), "a CPU is named by a pattern")


def odd_text():
    """Sysfs and users may give any bytes."""
    with tempfile.TemporaryDirectory() as work:
        pmu = pathlib.Path(work, "sys/bus/event_source/devices/odd")
        (pmu / "events").mkdir(parents=True)
        (pmu / "type").write_text("44\n")
        (pmu / "cpumask").write_bytes(b"0-99999999999\n")
        (pmu / "label").write_bytes(b"\xff\xfe caf\xc3\xa9\n")
        catalog = pmuq.Source.tree(work).read_catalog()
        odd = catalog.find_pmu("odd")
        tap.same(odd.attributes["label"].encode("utf-8", "surrogateescape").strip(), b"\xff\xfe caf\xc3\xa9",
                 "bytes that are not UTF-8 are kept")
        tap.ok(raised(pmuq.Error, lambda: odd.cpus), "an invalid list of CPUs is an exception")
        error = raised(pmuq.Error, catalog.encode, b"odd/\xff=1/")
        tap.ok(error and error.input.encode("utf-8", "surrogateescape") == b"odd/\xff=1/", "… also in errors", repr(error))
        again = raised(pmuq.Error, catalog.encode, error.input)
        tap.same((again.offset, again.length), (error.offset, error.length), "… and are accepted as input")
    tap.same(pmuq.parse_cpus("0-3,8"), [0, 1, 2, 3, 8], "lists of CPUs are parsed")
    tap.same([text for text in ("x", "1-", "3-1", "3-x", "²", "1-70000", "-1", "-") if not raised(pmuq.Error, pmuq.parse_cpus, text)],
             [], "text that is not a list of CPUs is an error")
    listed = pmuq.CpuList.from_numbers({8, 1, 0, 2})
    tap.same((listed.text, listed.numbers, listed.has(8), listed.has(3)), ("0-2,8", (0, 1, 2, 8), True, False), "numbers become a list")
    tap.ok(raised(pmuq.Error, pmuq.CpuList.from_numbers, [70000]) and raised(ValueError, pmuq.CpuList.from_numbers, [-1]),
           "… if they can be CPUs")
    tap.same((pmuq.parse_cpus("3-3"), pmuq.parse_cpus("")), ([3], []), "a CPU list has a CPU or is empty")
    formulas()
    options()
    metrics()


def wrong_types():
    """An argument of a wrong type is a TypeError."""
    with tree("skylake-sp") as machine:
        for call, wrong in ((machine.encode, 5), (machine.encode, None), (machine.encode, ["cycles"]), (machine.decode, 5)):
            error = raised(TypeError, call, wrong)
            tap.ok(error and "expected" in str(error) and type(wrong).__name__ in str(error),
                   f"{call.__name__}({wrong!r}) is a TypeError", repr(error))
        catalog, expected = machine.read_catalog(), "{0}: expected {1}, not {2}".format
        with tempfile.TemporaryDirectory() as work, pmuq.Store(pathlib.Path(work, "a.db"), pmuq.StoreMode.CREATE) as store, \
                pmuq.Writer() as writer, pmuq.Reader() as reader:
            for statement, want, call, *wrong in (
                    ("time.time()", expected("time_s", "int", "float"),
                     lambda time_s: store.save(catalog, name="a", time_s=time_s), time.time()),
                    ("an open()'s mode", expected("mode", "int", "str"), pmuq.Store, pathlib.Path(work, "a.db"), "w"),
                    ("a source saved", expected("catalog", "Catalog", "Source"), store.save, machine),
                    ("nothing saved", expected("catalog", "Catalog", "NoneType"), store.save, None),
                    ("a source compared", expected("after", "Catalog", "Source"), catalog.diff, machine),
                    ("a number as helper", expected("pfm", "Pfm", "int"), lambda pfm: catalog.encode("x", pfm=pfm), 3),
                    ("no helper at all", expected("pfm", "Pfm", "int"), lambda pfm: catalog.encode("x", pfm=pfm), 0),
                    ("a text as table", expected("vendor", "Vendor", "str"), lambda vendor: catalog.decode("type=0", vendor=vendor), "x"),
                    ("a snapshot's number as text", expected("snapshot", "int", "str"), store.open_host, "a", "1"),
                    ("a file for its descriptor", expected("fd", "int", "TextIOWrapper"), writer.write, pmuq.DocumentForm.YAML, sys.stdout),
                    ("a list as document", expected("document", "str or bytes", "list"), reader.loads, [1]),
                    ("half a CPU", "numbers: expected int, not float",
                     lambda cpus: pmuq.Source.live().encode("task-clock").test_open(cpus=cpus), [0.9]),
                    ("bytes as CPUs", expected("cpus", "str or a list of int", "bytes"),
                     lambda cpus: pmuq.Source.live().encode("task-clock").test_open(cpus=cpus), b"0")):
                tap.same(str(raised(TypeError, call, *wrong)), want, f"{statement} is a TypeError in plain words")
            tap.ok("DocumentForm" in str(raised(ValueError, writer.text, 99)), "an unknown form is a ValueError")
        from pmuq import errors as inner
        tap.ok(raised(TypeError, inner.call, pmuq._library.lib.pmuq_store_begin, 1.5), "an argument that ctypes refuses is a TypeError")
        tap.same(repr(machine), "<Source>", "a source has a name")
    tap.same(repr(machine), "<Source, closed>", "… also after it was closed")


def wrong_names():
    """A string instead of a list of names is refused: it would be a list of letters."""
    zen = tree("zen1-epyc").read_catalog()
    with tempfile.TemporaryDirectory() as work, pmuq.Store(pathlib.Path(work, "a.db"), pmuq.StoreMode.CREATE) as store, \
            pmuq.Pfm(helper="/nowhere/pmuq-pfm") as pfm:
        for name in ("a", "b", "ab"):
            store.save(zen, name=name)
        for statement, call, options in (
                ("forget('ab')", store.forget, {"names": "ab"}), ("forget(b'ab')", store.forget, {"names": b"ab"}),
                ("list_hosts('a*')", store.list_hosts, {"globs": "a*"}),
                ("Pfm.encode('cycles')", pfm.encode, {"names": "cycles"})):
            (name, value), = options.items()
            message = str(raised(TypeError, call, **options))
            tap.ok(message.startswith(f"{name}: expected a list of names") and f"[{value!r}]" in message,
                   f"{statement} is a TypeError that names the right type", message)
        tap.ok("pairs" in str(raised(TypeError, store.forget, ("ab", 1))), "a pair outside a list is an error", "")
        tap.ok(raised(ValueError, store.forget, iter(())), "an empty iterator does not mean all hosts")
        tap.same([host.name for host in store.list_hosts()], ["a", "ab", "b"], "… and nothing was forgotten")
        tap.same([host.name for host in store.list_hosts(globs=["a*"])], ["a", "ab"], "a list of one name is accepted")
        tap.same(store.forget([("ab", store.list_hosts(globs=["ab"])[0].snapshots[0].number), "b"]).hosts, 2, "hosts and pairs are accepted")


def wrong_numbers():
    """A number that does not fit the C type is refused with the name of its argument, before any work."""
    zen, live = tree("zen1-epyc").read_catalog(), pmuq.Source.live().encode("task-clock")
    with tempfile.TemporaryDirectory() as work, pmuq.Store(pathlib.Path(work, "a.db"), pmuq.StoreMode.CREATE) as store, \
            pmuq.Writer() as writer:
        store.save(zen, name="a", time_s=1000)
        for statement, name, call in (
                ("measure(work_ms=-1)", "work_ms", lambda: live.measure(work_ms=-1)),
                ("test_open(pid=1 << 32)", "pid", lambda: live.test_open(pid=1 << 32)),
                ("open(pid=1 << 31)", "pid", lambda: live.open(pid=1 << 31)),
                ("open_host(host, 1 << 64)", "snapshot", lambda: store.open_host("a", 1 << 64)),
                ("read_check(host, 1 << 64)", "snapshot", lambda: store.read_check("a", 1 << 64)),
                ("encode(dialect=1 << 32)", "dialect", lambda: zen.encode("cycles", dialect=1 << 32)),
                ("encode(origins=1 << 32)", "origins", lambda: zen.encode("cycles", origins=1 << 32)),
                ("encode(preset=-1)", "preset", lambda: zen.encode("cycles", preset=-1)),
                ("decode(dialect=1 << 32)", "dialect", lambda: zen.decode("type=0", dialect=1 << 32)),
                ("save(time_s=(1 << 63) + 5)", "time_s", lambda: store.save(zen, name="b", time_s=(1 << 63) + 5)),
                ("forget(keep=1 << 64)", "keep", lambda: store.forget(keep=1 << 64)),
                ("forget(before_s=1 << 64)", "before_s", lambda: store.forget(before_s=1 << 64)),
                ("forget([(host, 1 << 64)])", "number", lambda: store.forget([("a", 1 << 64)])),
                ("search(words, -1)", "limit", lambda: store.search("x", -1)),
                ("Store(mode=1 << 32)", "mode", lambda: pmuq.Store(pathlib.Path(work, "a.db"), 1 << 32)),
                ("Pfm(timeout_ms=-1)", "timeout_ms", lambda: pmuq.Pfm(timeout_ms=-1)),
                ("Capture(time_s=1 << 63)", "time_s", lambda: pmuq.Capture(tree("zen1-epyc"), time_s=1 << 63)),
                ("Check.begin(time_s=1 << 63)", "time_s", lambda: pmuq.Check.begin(zen, 1 << 63)),
                ("Writer.add(first_seen_s=1 << 63)", "first_seen_s", lambda: writer.add(zen, first_seen_s=1 << 63)),
                ("Writer.write(1 << 32)", "fd", lambda: writer.write(pmuq.DocumentForm.YAML, 1 << 32))):
            message = str(raised(ValueError, call))
            tap.ok(message.startswith(f"{name} is "), f"{statement} is a ValueError that names it", message)
        tap.same([host.name for host in store.list_hosts()], ["a"], "… and nothing was done")
        tap.ok(raised(IndexError, live.open().read, 1 << 64), "an index beyond the C type is an IndexError")


def transactions_of_two():
    """Two threads import with the same helper, one of them in a transaction: the store's lock is taken before the helper's."""
    with tempfile.TemporaryDirectory() as work, pmuq.Store(pathlib.Path(work, "a.db"), pmuq.StoreMode.CREATE) as store, \
            pmuq.Pfm(helper="/nowhere/pmuq-pfm") as pfm:
        begun = threading.Event()

        def inside():
            with store.transaction():
                begun.set()
                time.sleep(0.3)  # so that the other one waits
                raised(pmuq.Error, store.import_pfm, pfm)

        def outside():
            begun.wait()
            raised(pmuq.Error, store.import_pfm, pfm)

        both = [threading.Thread(target=work, daemon=True) for work in (inside, outside)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join(20)
        tap.ok(not any(thread.is_alive() for thread in both), "threads that import do not deadlock")


def hashes():
    """Frozen objects are keys of a dict, and equal objects are one key."""
    with tempfile.TemporaryDirectory() as work, pmuq.Store(pathlib.Path(work, "a.db"), pmuq.StoreMode.CREATE) as store:
        skylake, zen = tree("skylake-sp").read_catalog(), tree("zen1-epyc").read_catalog()
        store.save(zen, name="a")
        tap.same(len({host for _ in range(2) for host in store.list_hosts()}), 1, "hosts are keys")
        tap.same(len({store.list_hosts(globs=["a"]), store.list_hosts(globs=["a"])}), 1, "… and lists of hosts are keys")
        changes = skylake.diff(zen)
        tap.same(len({change for _ in range(2) for change in skylake.diff(zen)}), len(set(changes)), "changes are keys")
        tap.ok(hash(changes) == hash(skylake.diff(zen)), "a diff is a key")


def half_made():
    """An object whose creation was interrupted is freed without a message."""
    raised_late, old = [], sys.unraisablehook
    sys.unraisablehook = raised_late.append
    handle_type = type(tree("zen1-epyc")._handle)
    del_me = handle_type.__new__(handle_type)
    del del_me
    gc.collect()
    sys.unraisablehook = old
    tap.same(raised_late, [], "an incomplete handle is freed without a message")


def lifetimes():
    event = tree("skylake-sp").read_catalog().encode("cycles")[0]
    pmus = tree("skylake-sp").read_catalog().pmus
    gc.collect()
    tap.same((event.name, pmus[0].name), ("cycles", "cpu"), "an object keeps its owner alive")
    objects = {"source": tree("skylake-sp"), "catalog": tree("skylake-sp").read_catalog(),
               "encodings": tree("skylake-sp").encode("cycles"), "opened": pmuq.Source.live().encode("page-faults").open()}
    for name, thing in objects.items():
        with thing:
            pass
        thing.close()
        open_still = []
        for member, value in inspect.getmembers(type(thing)):
            if member.startswith("_") or member in ("close", "closed", "enabled", "count", "index", "live", "service", "sysfs", "tree", "of",
                                                          "snapshot"):
                continue
            if isinstance(value, property):
                problem = raised(pmuq.Closed, getattr, thing, member)
            else:
                needed = [p for p in inspect.signature(value).parameters.values() if p.default is p.empty and p.name != "self"]
                problem = raised(pmuq.Closed, getattr(thing, member), *("type=0" for p in needed if p.kind is p.POSITIONAL_OR_KEYWORD),
                                 **{p.name: 0 for p in needed if p.kind is p.KEYWORD_ONLY})
            if not problem:
                open_still.append(member)
        tap.same((open_still, thing.closed), ([], True), f"{name}: any use after close is an exception")
    tap.ok(raised(pmuq.Closed, objects["source"].__enter__), "… also in a with")
    descriptors = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        tree("zen1-epyc").encode("cycles")
        raised(pmuq.Error, tree("zen1-epyc").encode, "cycels")
        pmuq.Source.live().encode("{page-faults,task-clock}").open()
    gc.collect()
    tap.same(len(os.listdir("/proc/self/fd")), descriptors, "unused objects are closed")


def resident_kib():
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path("/proc/self/status").read_text())[1])


def leaks():
    catalog = tree("zen1-epyc").read_catalog()

    def often():
        for _ in range(2000):
            _ = [event.fields for event in catalog.encode("{cycles,instructions}")]
            raised(pmuq.Error, catalog.encode, "cycels")

    often()
    before = resident_kib()
    often()
    tap.ok(resident_kib() - before < 1024, "no object leaks", f"{before} KiB, then {resident_kib()} KiB")


def threads():
    """Threads share a catalog, which needs no lock, and a source and opened events, which have one."""
    catalog, source = tree("skylake-sp").read_catalog(), tree("skylake-sp")
    opened = pmuq.Source.live().encode("page-faults,task-clock").open()
    want = catalog.encode("cpu/mem-loads/")[0].attr
    wrong, closing = [], [tree("zen1-epyc").read_catalog() for _ in range(200)]

    def work():
        try:
            for n in range(200):
                if catalog.encode("cpu/mem-loads/")[0].attr != want or source.encode("cpu/mem-loads/")[0].attr != want:
                    wrong.append(n)
                opened.enable()
                opened.read_all()
                opened.disable()
                try:
                    closing[n].encode("cycles")[0].attr
                    closing[n].close()
                except pmuq.Closed:
                    pass
        except Exception as error:  # pylint: disable=broad-except
            wrong.append(error)

    started = [threading.Thread(target=work) for _ in range(8)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    tap.same(wrong, [], "eight threads share objects and close them")
    ticks = []
    ticker = threading.Thread(target=lambda: [ticks.append(time.sleep(0.01)) for _ in range(10)])
    ticker.start()
    counts = pmuq.Source.live().encode("task-clock").measure(work_ms=400)
    tap.ok(len(ticks) >= 5, "other threads run while the library works", str(len(ticks)))
    ticker.join()
    tap.ok(counts[0].is_read, "… and the events count")


def first_uses():
    """Threads that use the library for the first time at the same moment."""
    code = """
import sys, threading, pmuq
sys.setswitchinterval(1e-6)
failed, barrier = [], threading.Barrier(8)
def work():
    barrier.wait()
    try:
        catalog = pmuq.Source.tree(sys.argv[1]).read_catalog()
        assert catalog.encode("cpu/mem-loads/")[0].fields["config"] == 0x1cd
        assert catalog.decode("type=0").text == "cycles" and len(list(catalog.pmus))
    except BaseException as error:
        failed.append(error)
threads = [threading.Thread(target=work) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
sys.exit(repr(failed) if failed else 0)
"""
    errors = [done.stderr for done in (subprocess.run([sys.executable, "-c", code, MACHINES / "skylake-sp"], capture_output=True,
                                                      text=True) for _ in range(3)) if done.returncode]
    tap.same(errors, [], "eight threads can start at once")


def interrupted():
    """A signal handler uses the object whose method it interrupted."""
    source, seen = tree("skylake-sp"), []
    old = signal.signal(signal.SIGALRM, lambda *_: seen.append(source.encode("cycles")[0].name))
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
    for _ in range(3000):
        source.encode("instructions")
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, old)
    tap.ok(seen and set(seen) == {"cycles"}, "a signal handler can use the object that it interrupted", str(len(seen)))


def sampled(machine):
    """Records are copies: they are valid after the buffers are gone."""
    with machine.encode("page-faults/period=1/u", preset=pmuq.Preset.SAMPLE).open(wants_samples=True, wakeup_samples=1) as opened:
        with opened.sample() as samples:
            touched = mmap.mmap(-1, 4 << 20)
            with opened.enabled():
                for page in range(0, len(touched), mmap.PAGESIZE):
                    touched[page] = 1
            tap.ok(samples.fd > 2 and not samples.wait(1000) and len(touched), "samples can be waited for")
            first = samples.next()
            sample = samples.parse(first)
            rest = list(samples)
            tap.ok(samples.next() is None and samples.lost == 0, "… until no record is left")
    tap.ok(first.type == 9 and first.index == 0 and first.time_ns and len(first.data) == first.data_bytes, "a record has its bytes", repr(first))
    tap.ok(sample.pid == os.getpid() and sample.ip and sample.time_ns == first.time_ns and sample.callers == () and sample.raw == b"",
           "a sample has its fields", repr(sample))
    tap.ok(len(rest) >= 100 and all(one.time_ns >= sample.time_ns for one in rest), "samples come in the order of time", str(len(rest)))
    tap.ok(raised(pmuq.Closed, samples.parse, first), "closed samples are closed")
    with machine.encode("page-faults").open() as counting:
        error = raised(pmuq.Error, counting.sample)
        tap.ok(error and error.name == "no-samples" and "SAMPLE" in error.hint, "events that only count have no samples", repr(error))


def kernel():
    with pmuq.Source.live() as machine:
        results = machine.encode("page-faults,page-faults:I").test_open()
        tap.ok(results[0].status == pmuq.OpenStatus.OPENED and results[0], "this machine opens page-faults", repr(results))
        events = machine.encode("{page-faults:u,task-clock:u}")
        with events.open() as opened:
            tap.same([r.status for r in opened.results], [pmuq.OpenStatus.OPENED] * 2, "opened events stay open")
            with opened.enabled():
                touched = bytearray(64 << 20)
            values = opened.read_all()
            tap.ok(values[0].value >= 1000 and values[1].time_running_ns > 0 and len(touched), "… and count", repr(values))
            tap.same(opened.read(0), values[0], "a single event is read like a group")
            target = opened.targets(1)[0]
            tap.ok(target.fd > 2 and target.id and target.cpu == -1 and opened.read_at(1, 0) == values[1], "opened events have a target", repr(target))
            opened.reset()
            tap.same(opened.read(0).value, 0, "counts can be reset")
            tap.ok(target.read_format & 3 == 3 and len(opened) == 2 and opened.target(0, 9) is None, "read_format is set")
            tap.ok(raised(pmuq.Error, opened.read, 7) and raised(IndexError, opened.read, -1), "an index without an event is an error")
        sampled(machine)
        counts = events.measure(work_ms=10, wants_page=True)
        tap.ok(counts[1].status == pmuq.Counting.COUNTED and counts[1].n_subgroups == 1 and counts[1].page, "measure counts events", repr(counts))
        budget = events.budget(cpus=[0])
        tap.ok(budget.needed == 2 and budget.fits and "descriptors" in budget.text, "the budget of file descriptors is known", repr(budget))
        explained = machine.encode("page-faults").explain_errno(0, errnum=22)[0]
        tap.ok(explained.errnum == 22 and explained.name != "group-full", "an errno is explained without a leader",
               str((explained.name, explained.reason)))
        tap.ok(raised(TypeError, events.explain_errno, 0) and "group_fd:" in pmuq.Encodings.explain_errno.__doc__,
               "… which the caller must pass, and whose parameters are described")
        error = raised(pmuq.Error, events.test_open, cpus="0-x")
        tap.ok(error and error.name == "bad-cpus", "an invalid list of CPUs is an error", repr(error))
        if not pathlib.Path("/sys/bus/event_source/devices/cpu").exists():
            result = machine.encode("r1")[0:1] and machine.encode("r1").test_open()[0]
            tap.ok(not result and result.errnum and result.reason and result.name, "a refusal has a reason", repr(result))
        with machine.read_catalog() as catalog, pmuq.Check.begin(catalog) as check:
            results = list(check.run())
            tap.ok(len(results) == check.n_events == len(check.results) and check.upcoming is None, "a check covers all events")
            tap.ok(check.find("software", "page-faults") in results, "… and has open results", repr(results[:2]))
        foreign = tree("skylake-sp").encode("cycles")
        tap.ok(not foreign.is_live and raised(ValueError, foreign.open) and raised(ValueError, foreign.budget),
               "a captured machine's events cannot be opened here")


def stores():
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work, "deep/hosts.db")
        with pmuq.Store(path, pmuq.StoreMode.CREATE) as store:
            skylake = tree("skylake-sp").read_catalog()
            with store.transaction():
                for name in ("web1", "web2"):
                    store.save(skylake, name=name, time_s=1000)
            tap.ok(not store.save(skylake, name="web1", time_s=2000).is_new, "a second save makes no snapshot")

            class Stop(Exception):
                pass

            def spoil():
                with store.transaction():
                    store.save(skylake, name="web3")
                    raise Stop

            tap.ok(raised(Stop, spoil), "an exception ends a transaction")
            live = pmuq.Source.live().read_catalog()
            with pmuq.Check.begin(live) as check:
                list(check.run())
                saved = store.save(live, name="here", check=check)
            tap.ok(saved.is_new and saved.is_new_host, "a checked machine is stored")
            hosts = store.list_hosts()
            tap.same([host.name for host in hosts], ["here", "web1", "web2"], "… and rolls it back; hosts by name")
            web = hosts[1]
            tap.same((web.snapshots[0].first_seen_s, web.snapshots[0].last_seen_s, web.snapshots[0].facts["cpuid"], web.check),
                     (1000, 2000, skylake.facts["cpuid"], None), "a host has its snapshot")
            tap.same([hosts[i].name for i in hosts.classes[0].hosts], ["web1", "web2"], "hosts have classes")
            tap.ok(hosts[0].check == 0 and hosts[0].snapshots[0].is_checked, "the host has a check")
            found = store.list_hosts(globs=["web*", "db*"])
            tap.same((len(found), found.matched(0), found.matched(1)), (2, 2, 0), "globs select hosts")
            kept = store.read_check("here")
            tap.ok(kept and len(kept.results) == saved_count(live) and store.read_check("web1") is None, "the check is stored")
            tap.ok(store.find_check(live) and store.find_check(skylake) is None, "… and its results are found")
            number = store.find_snapshot("web1", "1970-01-01")
            tap.same(number, web.snapshots[0].number, "a snapshot is selected by its date")
            store.rename_host("web2", "db1")
            tap.same(store.forget(["db1"]).hosts, 1, "hosts are renamed and forgotten")
            tap.ok(raised(ValueError, store.forget), "… all hosts only if requested")
            tap.same([store.forget(keep=5, trial=True).snapshots, len(store.list_vendors())], [0, 0], "forget and imports are empty for an empty database")
            tap.same(len(store.search("l3 miss", 20)), 0, "… and search finds nothing")
            missing = raised(pmuq.Error, store.open_vendor, "nobody")
            tap.ok(missing and missing.name == "no-vendor-table", "a CPU without a table is an error", repr(missing))
        with pmuq.Source.snapshot(path, "web1") as machine:
            tap.same(machine.encode("cpu/mem-loads/")[0].attr, tree("skylake-sp").encode("cpu/mem-loads/")[0].attr,
                     "a snapshot gives the encodings of the machine")
        tap.ok(pmuq.Source.snapshot(path, "here", str(saved.snapshot)).read_catalog().find_pmu("software"), "a snapshot is selected by its number")
        error = raised(pmuq.Error, pmuq.Source.snapshot, path, "nobody")
        tap.ok(error and error.name == "unknown-host", "an unknown host is an error", repr(error))
        error = raised(pmuq.Error, pmuq.Store, pathlib.Path(work, "no.db"))
        tap.ok(error and error.origin.endswith("no.db"), "a database that does not exist is an error", repr(error))
    tap.same((pmuq.time_parse("1970-01-02"), pmuq.time_parse("yesterday")), ((86400, 172799), None), "dates are parsed")


def saved_count(catalog):
    with pmuq.Check.begin(catalog) as check:
        return check.n_events


def vendors():
    """A vendor's table: imported, looked up, encoded and decoded with, searched."""
    tables = pathlib.Path(__file__).resolve().parent.parent / "vendor/arch"
    with tempfile.TemporaryDirectory() as work, pmuq.Store(pathlib.Path(work, "a.db"), pmuq.StoreMode.CREATE) as store:
        taken = store.import_vendor(tables, time_s=1000)[0]
        tap.ok(taken.layout == "kernel" and taken.n_events > 10 and taken.time_s == 1000, "an import has its counts", repr(taken))
        tap.ok(taken.problems and all(p.path and p.line and p.message and p.code for p in taken.problems), "an import has problems")
        tap.same(list(store.list_vendors()), [taken], "imports are listed")
        found = store.search("load miss third", 20)
        tap.ok(found and found[0].name == "mem_load_retired.l3_miss" and found[0].match in pmuq.Match, "search finds events", repr(found[:1]))
        vendor = store.open_vendor("GenuineIntel-6-F0-1")
        machine = tree("skylake-sp")
        listed = [event.name for event in vendor.events]
        tap.ok("mem_load_retired.l3_miss" in listed and vendor.folder == "x86/testlake", "a table has its members", repr(listed))
        event = vendor.find_event(machine.find_pmu("cpu"), "MEM_LOAD_RETIRED.L3_MISS")
        tap.ok(event and event.terms.startswith("event=0xd1") and event.description and not event.is_deprecated, "a table has its events")
        encoded = machine.encode("mem_load_retired.l3_miss", vendor=vendor)
        attr = encoded[0].attr
        vendor.close()
        del vendor, event
        gc.collect()
        tap.same((encoded[0].origin, encoded[0].fields["config"]), (pmuq.Origin.JSON, 0x20d1), "an event string may use a table's event")
        again = store.open_vendor("GenuineIntel-6-F0-1")
        tap.ok("mem_load_retired.l3_miss" in machine.decode(attr, vendor=again).text, "decode uses a table's event", machine.decode(attr, vendor=again).text)
        store.remove_vendor(taken.name)
        tap.same(len(store.list_vendors()), 0, "imports are removed")


def inventories():
    """Captures, diffs, documents and recordings can be read and written."""
    skylake, zen = tree("skylake-sp").read_catalog(), tree("zen1-epyc").read_catalog()
    tap.same(len(skylake.diff(skylake)), 0, "a machine does not differ from itself")
    found = skylake.diff(zen)
    event = next((change for change in found if change.words_before != change.words_after), None)
    tap.ok(found.of_weight(pmuq.Weight.BREAKING) and event and str(event) and event.pmus, "two machines differ", repr(event))
    with pmuq.Writer() as writer, pmuq.Reader() as reader:
        for name in ("web1", "web2"):
            writer.add_seen(skylake, name=name, first_seen_s=1000, last_seen_s=2000)
        writer.add(zen)
        tap.same((writer.machine_count, writer.document_count), (3, 2), "machines of one class are one document")
        for form in pmuq.DocumentForm:
            entries = list(reader.loads(writer.text(form)))
            tap.same([(e.name, e.first_seen_s, e.last_seen_s, e.document) for e in entries],
                     [("web1", 1000, 2000, 1), ("web2", 1000, 2000, 1), (None, 0, 0, 2)],
                     f"{form.name} is read back")
            tap.same(len(entries[1].catalog.diff(skylake)), 0, "… without a difference")
        with tempfile.TemporaryFile() as file:
            writer.write(pmuq.DocumentForm.YAML, file.fileno())
            file.seek(0)
            tap.same(file.read().decode(), writer.text(), "documents are written to files")
        begun = reader.loads(writer.text())
        next(begun)
        list(reader.loads(writer.text()))
        tap.ok(raised(ValueError, next, begun), "a closed file is an error")
        error = raised(pmuq.Error, lambda: list(reader.loads("a: [", origin="mine")))
        tap.ok(error and error.origin.startswith("mine"), "text that is not a document is an error", repr(error))
        gone = raised(pmuq.Error, reader.read, "/nowhere.yaml")
        tap.ok(gone and gone.name == "document-unreadable", "a file that does not exist is an error", repr(gone))
    with tempfile.TemporaryDirectory() as work, tree("zen1-epyc") as machine, pmuq.Capture(machine, time_s=0) as capture:
        capture.write(pathlib.Path(work, "copy"))
        tap.same(capture.catalog.find_fact("cpuid"), machine.find_fact("cpuid"), "a capture lends its catalog")
        tap.ok(len(capture.files) > 10 and capture.files[0].path, "a capture has files", repr(capture.files[:2]))
        tap.same([c.text for c in zen.diff(pmuq.Source.tree(pathlib.Path(work, "copy")).read_catalog())
                  if c.weight != pmuq.Weight.PASSING], [], "… and gives the encodings of the machine")
        again = raised(pmuq.Error, capture.write, pathlib.Path(work, "copy"))
        tap.ok(again and again.name == "capture-exists", "… and is not overwritten", repr(again))
    error = raised(pmuq.Error, pmuq.Recording, "/etc/hostname")
    tap.ok(error and error.name == "not-recording", "a file that is not a recording is an error", repr(error))
    recordings = sorted(pathlib.Path(os.environ.get("PMUQ_TEST_RECORDINGS", "/nowhere")).glob("*.data"))
    for path in recordings:
        with pmuq.Recording(path) as recording, recording.catalog() as catalog:
            texts = [catalog.decode(event.attr).text for event in recording.events]
            tap.ok(texts and all(texts) and "incomplete" in catalog.facts, f"{path.name} has events", repr(texts))
    if not recordings:
        tap.skip("recordings have members", "there are none")


COMMA = """
import locale, sys, pmuq
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
with pmuq.Recording(sys.argv[1]) as recording:
    print(locale.localeconv()["decimal_point"], recording.events[0].scale)
"""


def decimal_comma():
    """The program's locale has no effect on the output."""
    folder = os.environ.get("PMUQ_TEST_RECORDINGS", "/nowhere")
    with tempfile.TemporaryDirectory() as work:
        made = shutil.which("localedef") and subprocess.run(
            ["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(work, "de_DE.UTF-8")], capture_output=True)
        stream = os.path.join(work, "updates.data")
        code = f"import sys; sys.path.insert(0, {folder!r}); import perfdata; open({stream!r}, 'wb').write(perfdata.MADE['updates'])"
        if not made or made.returncode or subprocess.run([sys.executable, "-c", code], capture_output=True).returncode:
            tap.skip("a decimal comma does not change numbers", "there is no localedef, or no recording")
            return
        done = subprocess.run([sys.executable, "-c", COMMA, stream], capture_output=True, text=True,
                              env={**os.environ, "LOCPATH": work})
        tap.same(done.stdout, ", 0.00006103515625\n", "a decimal comma does not change numbers", done.stderr)


def libpfm4():
    with pmuq.Pfm(helper="/nowhere/pmuq-pfm") as pfm:
        error = raised(pmuq.Error, pfm.encode, ["skx::INST_RETIRED"])
        tap.ok(error and error.name == "pfm-unavailable", "a helper that does not exist is an error", repr(error))
    helper = os.environ.get("PMUQ_PFM")
    if not helper or not os.path.exists(helper):
        tap.skip("libpfm4", "there is no helper")
        return
    with pmuq.Pfm(helper=helper) as pfm:
        good, bad = pfm.encode(["skx::MEM_LOAD_RETIRED:L3_MISS:u", "skx::MEM_LOAD_RETIRED:L9_MISS"])
        tap.ok(good.codes[0].config[0] == 0x5320d1 & 0xffff or good.codes[0].terms.startswith("config="), "a name of libpfm4 has a code", repr(good))
        tap.ok(good.error is None and (good.modifier(pmuq.PfmModifier.U), good.modifier(pmuq.PfmModifier.K)) == (1, None), "… and its modifiers")
        tap.ok(bad.error and bad.error.offset > 0 and not bad.codes, "an invalid name of libpfm4 is an error", repr(bad))
        tap.ok(any(pmu.name == "skx" for pmu in pfm.list_pmus()), "libpfm4 has PMUs")
        events = pfm.list_events("skx", with_attributes=True)
        tap.ok(any(event.attributes for event in events), "PMUs of libpfm4 have events with umasks")
        encoded = tree("skylake-sp").encode("skx::MEM_LOAD_RETIRED:L3_MISS:u", pfm=pfm)[0]
        tap.same(encoded.origin, pmuq.Origin.PFM, "an event string may use names of libpfm4")
    tap.ok(raised(pmuq.Closed, pfm.list_pmus), "a use of a closed helper is an exception")


def loading():
    """A library that does not exist, is not pmuq's, or has another version is refused."""
    def start(path):
        done = subprocess.run([sys.executable, "-c", "import pmuq"], capture_output=True, text=True,
                              env={**os.environ, "PMUQ_LIBRARY": str(path)})
        return done.stderr.strip().splitlines()[-1] if done.returncode else "loaded"

    started = start("/nowhere/libpmuq.so.0")
    tap.ok(started.startswith("ImportError: ") and "/nowhere/libpmuq.so.0" in started and "libpmuq0" in started, "a library that does not exist is an ImportError", started)
    tap.ok("is not libpmuq" in start("libc.so.6"), "another library is an ImportError", start("libc.so.6"))
    if not shutil.which("cc"):
        tap.skip("versions are compared", "there is no cc")
        return
    with tempfile.TemporaryDirectory() as work:
        for version, loads in (("0.0.9", False), ("1.0.0", False), ("0.1.7", True), ("0.4.0", True)):
            library = pathlib.Path(work, f"{version}.so")
            subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", library], check=True, text=True,
                           input=f'const char *pmuq_version(void) {{ return "{version}"; }}\n')
            started = start(library)
            tap.ok((started == "loaded") == loads and (loads or version in started), f"version {version}", started)


def types_and_words():
    undocumented = [f"{name}.{member}" for name in pmuq.__all__ for member, value in getattr(getattr(pmuq, name), "__dict__", {}).items()
                    if not member.startswith("_") and (isinstance(value, property) or inspect.isfunction(value))
                    and not inspect.getdoc(value)] if all(hasattr(pmuq, n) for n in pmuq.__all__) else ["names"]
    tap.same(undocumented, [], "everything public has a docstring")
    tap.same([name for name in ("AttrLike", "Cpus", "Path", "pfm_is_of_cpu") if name not in pmuq.__all__], [],
             "the names that signatures need are public")
    tap.ok(pmuq.pfm_is_of_cpu("skx", "GenuineIntel-6-55-4") and not pmuq.pfm_is_of_cpu("skx", "AuthenticAMD-23-1-1"), "… and can be used")
    package = pathlib.Path(pmuq.__file__).parent
    tap.ok((package / "py.typed").exists(), "the package contains py.typed")
    if not shutil.which("mypy"):
        tap.skip("mypy", "it is not installed")
        return
    done = subprocess.run(["mypy", "--strict", "--python-version", "3.9", package], capture_output=True, text=True,
                          env={**os.environ, "MYPY_CACHE_DIR": "/dev/null"})
    tap.same(done.returncode, 0, "a type checker finds no error", done.stdout)


def fits():
    """Which events the counters of a CPU can count at the same time."""
    machine = tree("zen3-epyc")
    found = machine.find_counters("cpu")
    tap.same((found.generic, found.fixed, found.generic_source), (6, 0, pmuq.CountersSource.MANUAL), "a PMU has counters")
    [group] = machine.fit(machine.encode("{r1,r2,r4,r5,r6,r7,r8}:u"))
    tap.same((group.counts, group.split, [member.counter for member in group.members]),
             (pmuq.FitStatus.NO, "{r1,r2,r4,r5,r6,r7}:u,{r8}:u", ["0", "1", "2", "3", "4", "5", "0"]), "seven events do not fit on six; a split does")
    tap.same(group.warning.code, 250, "the reason is a warning about the string")
    tap.same(list(machine.fit(machine.encode("{r1,r2}"), wants_unfit_only=True)), [], "with an option only groups that never count are listed")
    both = machine.fit(machine.encode("{r1,r2,r4,r5,r6,r7}"), nmi_watchdog=1)
    tap.same([one.counts for one in both], [pmuq.FitStatus.NO], "the watchdog takes one of them")


def documentation():
    """The examples of the README print the output in it; … matches any text."""
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", README.read_text(), re.S)
    tap.ok(len(blocks) >= 4, "the README has examples", str(len(blocks)))
    with tempfile.TemporaryDirectory() as work:
        environment = {**os.environ, "MACHINES": str(MACHINES)}
        for code, printed in blocks:
            code = code.replace('"captured/', f'"{MACHINES}/')
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=work, env=environment)
            title = code.strip().splitlines()[-1].strip()[:60]
            pattern = ".*?".join(re.escape(part) for part in printed.strip().split("…"))
            tap.ok(done.returncode == 0 and (not printed or re.fullmatch(pattern, done.stdout.strip(), re.S)),
                   f"README: {title}", done.stdout + done.stderr, printed)


def what_may_be_none():
    """A member that was NULL is Optional."""
    tap.ok(len(NULLS) > 15, "some members of records were NULL", str(len(NULLS)))
    tap.same([f"{record.__name__}.{name}" for record, name in sorted(NULLS, key=str)
              if str(getattr(record, name).fget.__annotations__["return"]).partition("[")[0] not in ("typing.Optional", "typing.Tuple", "typing.Dict")],
             [], "… and they are Optional, or empty arrays")


for question in (encodings, same_as_command, errors, catalogs, names, refreshed, decodings, odd_text, wrong_types, wrong_names,
                 wrong_numbers, transactions_of_two, hashes, half_made, lifetimes, leaks, threads, first_uses, interrupted,
                 kernel, stores, vendors, inventories, decimal_comma, libpfm4, loading, types_and_words, what_may_be_none, fits, documentation):
    question()
tap.ok(re.fullmatch(r"\d+\.\d+\.\d+", pmuq.version()) and "compiler: " in pmuq.build_info(), "the package has its version")
tap.finish()
