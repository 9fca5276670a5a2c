#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vendor and search: vendor tables are imported completely or not at all, and their events are found."""
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import tempfile
import time

import database
from tap import PMUQ, Tap, pmuq

TREES = pathlib.Path(os.environ["PMUQ_VENDOR_TREES"])
PRINT_VENDOR = os.environ["PMUQ_PRINT_VENDOR"]

tap = Tap()
directory = tempfile.TemporaryDirectory()
DIRECTORY = pathlib.Path(directory.name)
DB = str(DIRECTORY / "vendor.db")


def vendor(verb, *words, db=DB, **how):
    """test_search.py imports libpfm4's names, too."""
    return pmuq("--db", db, "vendor", verb, *(["--no-libpfm4"] if verb == "import" else []), *words, **how)


def search(*words, db=DB):
    """search in the tables for a machine without a table; test_search.py has the other tests."""
    return pmuq("--sysroot", os.environ["PMUQ_TEST_MACHINES"] + "/unknown-intel", "--db", db, "search", "--from", "json", *words)


def events(cpuid, db=DB):
    """The import and directory of the CPU's table, and its events by name and PMU."""
    done = subprocess.run([PRINT_VENDOR, database.opened(db), cpuid], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    lines = [line.split("\t") for line in done.stdout.decode().splitlines()]
    if not lines:
        return done.stderr.decode(), {}
    return lines[0], {(row[0], row[1]): row[2:] for row in lines[1:]}


def copy(name, tree="arch"):
    """A copy of a tree, to be damaged."""
    target = DIRECTORY / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(TREES / tree, target, symlinks=True)
    return target


def content(db):
    return database.tables(db, "vendor")


# ------------------------------------------------------------------------------------ imported tables

def imports():
    result = vendor("import", str(TREES / "arch"))
    lines = result.text.splitlines()
    tap.ok(result.status == 0 and lines[0] ==
           "vendor perf: 7 patterns of CPUs, 8 folders, 21 events, 1 metric, 3 problems", "a kernel's tree is imported",
           result.text, result.stderr)
    tap.same(sorted(line.split(" ")[0] for line in lines[1:]),
             ["arm64/maker/core-a1/cache.json:4:", "x86/hybridlake/core.json:4:", "x86/hybridlake/core.json:5:"],
             "events that cannot be encoded are reported with file and line")
    tap.ok(all("[PMUQ-154]" in line for line in lines[1:]), "with the code of an event that cannot be encoded", result.text)
    result = vendor("import", "--name", "intel", str(TREES / "perfmon"))
    tap.ok(result.status == 0 and result.text.startswith(
        "vendor intel: 4 patterns of CPUs, 4 folders, 24 events, 7 metrics, 16 problems\n"),
        "a tree of Intel's repository is imported under another name", result.text, result.stderr)
    listed = vendor("list", "-J").json["vendors"]
    tap.same([(row["name"], row["layout"], row["events"], row["problems"]) for row in listed],
             [("intel", "perfmon", 24, 16), ("perf", "kernel", 21, 3)], "vendor list prints both imports")
    tap.ok("perf" in vendor("list").text.splitlines()[2], "vendor list prints a table")
    where, _ = events("GenuineIntel-6-F0-1")
    tap.same(where[:2], ["intel", "x86/TST"], "the later import is used for a CPU of both")
    tap.same(vendor("remove", "intel").status, 0, "vendor remove removes an import")
    where, _ = events("GenuineIntel-6-F0-1")
    tap.same(where, ["perf", "x86/testlake", "v1.2"], "the other import is used again")


# As in perf 7.2: terms, unit, scale, whether counted once a package, whether deprecated.
TESTLAKE = {
    ("mem_load_retired.l3_miss", "default_core"): ["event=0xd1,period=50021,umask=0x20", "", "1", "0", "0"],
    ("mem_trans_retired.load_latency_gt_128", "default_core"):
        ["event=0xcd,period=1009,umask=1,ldlat=0x80", "", "1", "0", "0"],
    ("offcore_response.any", "default_core"): ["event=0xb7,umask=1,offcore_rsp=0x10001", "", "1", "0", "0"],
    ("frontend_retired.dsb_miss", "default_core"): ["event=0xc6,umask=1,frontend=0x11", "", "1", "0", "0"],
    ("inst_retired.any", "default_core"): ["event=0xc0,period=2000003", "", "1", "0", "0"],
    ("uops.some", "default_core"): ["event=0xe,any=1,cmask=2,edge=1,inv=1,period=2000003", "", "1", "0", "0"],
    ("uops.old", "default_core"): ["event=9", "", "1", "0", "1"],
    ("unc_m_cas_count.rd", "uncore_imc"): ["event=4,umask=3", "Bytes", "64", "1", "0"],
    ("unc_x_clockticks", "uncore_qpi"): ["event=0x101", "", "1", "1", "0"],
    ("unc_x_clockticks", "uncore_cbox"): ["event=0,ch_mask=4,fc_mask=7,config1=0x40033", "", "1", "1", "0"],
    ("unc_new.event", "uncore_newunit"): ["config=0x42", "KB", "9.765625e-4", "0", "0"],
    ("dev_event", "arm_cmn"): ["eventid=5,type=5,rdwrmask=3,enallcores=1,threadmask=3", "", "1", "0", "0"],
}
DESCRIPTIONS = {
    ("mem_load_retired.l3_miss", "default_core"):
        "Loads that missed the third level  Supports address when precise (Precise event)",
    ("mem_trans_retired.load_latency_gt_128", "default_core"):
        "Loads slower than 128 cycles  Spec update: TST007 (Must be precise)",
}
# A CPUID, its directory, and one event of it.
CPUS = [
    ("GenuineIntel-6-F1-3", "x86/testlake", ("uops.old", "default_core"), "event=9"),
    ("GenuineIntel-6-F1", "x86/testlake", ("uops.old", "default_core"), "event=9"),
    ("GenuineIntel-6-F2-4", "x86/testlake", ("uops.old", "default_core"), "event=9"),
    ("GenuineIntel-6-F2-A", "x86/hybridlake", ("topdown.slots", "cpu_core"), "event=0xa4,umask=1"),
    ("GenuineIntel-6-F2-A", "x86/hybridlake", ("topdown.slots", "cpu_atom"), "event=0x73"),
    ("0x00000000410fd490", "arm64/maker/core-a1", ("l1d_cache_rd", "default_core"), "event=0x40"),
    ("0x00000000411fd490", "arm64/maker/core-a1", ("my_cache_rd", "default_core"), "event=0x40"),
    ("0x00000000410fd490", "arm64/maker/core-a1", ("ddr_cycles", "imx8_ddr"), "config=0"),
    ("0x004b0201", "powerpc/power0", ("pm_cyc", "default_core"), "event=0x1001e"),
    ("004b0201", "powerpc/power0", ("pm_cyc", "default_core"), "event=0x1001e"),
    ("0x489-0x8000000000000007-0x20", "riscv/maker/r0", ("fw_misaligned_load", "default_core"),
     "config=0x8000000000000000"),
    ("IBM,3931,704,3.7,002f", "s390/z0", ("cpu_cycles", "cpum_cf"), "event=0"),
]
NO_CPUS = ["GenuineIntel-6-F3-1", "GenuineIntel-6-F2", "GenuineIntel-6-F01-1", "0x00000000400fd490", "0x410fd490",
           "0x004e0201", "IBM,3931,704,3.6,002f", "", "x" * 10000]


def tables():
    _, found = events("GenuineIntel-6-F0-1")
    tap.same({key: row[:5] for key, row in found.items()}, TESTLAKE, "every field of an x86 event gives perf's terms")
    for key, text in DESCRIPTIONS.items():
        tap.same(found.get(key, [""])[-1], text, f"{key[0]}: the description contains the event's requirements")
    for cpuid, folder, key, terms in CPUS:
        where, found = events(cpuid)
        tap.ok(where[1] == folder and found.get(key, [None])[0] == terms, f"{cpuid}: {key[0]} of {key[1]}", where, found)
    _, found = events("0x00000000410fd490")
    tap.same(found[("ddr_cycles", "imx8_ddr")][5], "(T100|T101)", "a system's event has the identifiers of its systems")
    tap.same(found[("l1d_cache_rd", "default_core")][-1], "Reads of the first level",
             "an event has the description of its standard event")
    for cpuid in NO_CPUS:
        why, found = events(cpuid)
        tap.ok(not found and "PMUQ-156" in why, f"'{cpuid[:30]}' has no table", why)
    tap.ok("GenuineIntel-6-(F0|F1) (testlake)" in events("GenuineIntel-6-F3-1")[0], "the error lists similar CPUs")
    tap.same(database.rows(DB, "SELECT name, expression, groups FROM vendor_metric JOIN vendor_text ON id = vendor_text"),
             [("IPC", "INST_RETIRED.ANY / cycles", "Summary")], "metrics are stored as text")


# Where an event comes from: the file, and the version of the file or of the CPU's table. A system's table has none.
ORIGINS = [
    ("arch", "GenuineIntel-6-F0-1", ("mem_load_retired.l3_miss", "default_core"), ["x86/testlake/cache.json", "v1.2"]),
    ("arch", "GenuineIntel-6-F0-1", ("unc_m_cas_count.rd", "uncore_imc"), ["x86/testlake/uncore-memory.json", "v1.2"]),
    ("arch", "0x00000000410fd490", ("ddr_cycles", "imx8_ddr"), ["arm64/maker/soc/sys/ddr.json", ""]),
    ("perfmon", "GenuineIntel-6-F0-1", ("inst_retired.any", "default_core"), ["x86/TST/events/testlake_core.json", "1.3"]),
    ("perfmon", "GenuineIntel-6-F0-1", ("unc_clock.socket", "uncore_clock"), ["x86/TST/events/testlake_uncore.json", "V1.3"]),
    ("telemetry", "0x00000000410fd490", ("cpu_cycles", "default_core"), ["arm64/family/core-a-r0p2/core-a-r0p2.json", "01 Jan 00:00:00 2026"]),
]
# The groups of the metrics of a CPU, in the order of their names.
GROUPS = [
    ("arch", "GenuineIntel-6-F0-1", [("Summary", 1, "What one looks at first")]),
    ("perfmon", "GenuineIntel-6-F0-1", [("CPI", 1, ""), ("Latency", 1, ""), ("Mem", 1, "")]),
    ("telemetry", "0x00000000410fd490", [("MPKI", 2, "Misses of a thousand instructions"), ("TopdownL1", 1, "Topdown Level 1"),
                                         ("Topdown_L1", 1, "Topdown Level 1")]),
]


def origins():
    for tree, cpuid, key, expected in ORIGINS:
        db = str(DIRECTORY / f"origins-{tree}.db")
        vendor("import", str(TREES / tree), db=db)
        _, found = events(cpuid, db)
        tap.same(found[key][6:8], expected, f"{tree}: {key[0]} of {key[1]} has its file and version")
    for tree, cpuid, expected in GROUPS:
        listed = pmuq("--db", str(DIRECTORY / f"origins-{tree}.db"), "list", "metricgroups", "--json", "--vendor", cpuid).json
        rows = [(row["name"], row["metrics"], row["description"]) for row in listed["metricgroups"]]
        tap.same(rows[:len(expected)], expected, f"{tree}: groups have the vendor's descriptions")
    result = pmuq("--db", str(DIRECTORY / "origins-arch.db"), "list", "metricgroups", "--vendor", "GenuineIntel-6-F0-1", "sum*", "none*")
    tap.ok(result.status == 1 and "What one looks at first" in result.text and "no metric group matches 'none*'" in result.stderr,
           "a glob selects groups in any case", result.text, result.stderr)


HOSTILE_GROUPS = [  # metricgroups.json; the code, or None if the rest comes in; a text of the error, the problem or the list
    ("[]", 151, "metricgroups.json:1:1"),
    ('{"A": "B"', 151, "metricgroups.json:1:"),
    ('{"A": "B", "A": "C"}', 151, "metricgroups.json:1:"),
    ('{"A": "' + "B" * (1 << 20) + '"}', 151, "it is larger than 1 MiB"),
    ('{"A": 7, "Summary": "Some text"}', None, "metricgroups.json:1: [PMUQ-154] a description of a metric group is not a text"),
    ("{" + ", ".join(f'"{number}": "{number}"' for number in range(1001)) + "}", 151, "an object with more than 1000 members"),
]


def hostile_import(what, tree, db, text, code, message):
    """An import of a tree with that text, which is refused with the code or, without one, is a problem; within the budget."""
    result, took = measured_import(tree, db)
    refused = result.status == 4 and f"PMUQ-{code}" in result.stderr and message in result.stderr
    left_out = result.status == 0 and message in result.text
    tap.ok((refused if code else left_out) and took < 10, f"{what}: {text[:60]} … is refused or left out", f"{took:.1f} s", message,
           result.text[-2000:], result.stderr[-2000:])


def hostile_groups():
    db = str(DIRECTORY / "hostile-groups.db")
    for text, code, message in HOSTILE_GROUPS:
        tree = copy("groups")
        (tree / "x86/testlake/metricgroups.json").write_text(text)
        hostile_import("groups", tree, db, text, code, message)


PERFMON = {
    ("inst_retired.any", "default_core"): "event=0xc0,period=2000003",
    ("mem_load_retired.l3_miss", "default_core"): "event=0xd1,period=100007,umask=0x20",
    ("unc_m2m_bypass_egress.taken", "uncore_m2m"): "event=0x22,umask=1",
    ("offcore_response.any.l3_hit", "default_core"): "event=0xb7,umask=1,offcore_rsp=0x3f803c0000",
    ("unc_cha_tor_inserts.ia_miss", "uncore_cha"): "event=0x35,umask=0xc816fe01",
    ("unc_upi_clockticks", "uncore_upi"): "event=1",
    ("unc_clock.socket", "uncore_clock"): "event=0xff",
    ("unc_imc_freerun.clockticks", "uncore_imc_free_running"): "event=0xff,umask=0x10",
    ("unc_c_llc_lookup.any", "uncore_cbox"): "event=0x34",
}


def perfmon():
    db = str(DIRECTORY / "perfmon.db")
    vendor("import", str(TREES / "perfmon"), db=db)
    _, found = events("GenuineIntel-6-F1-0", db)
    tap.same({key: row[0] for key, row in found.items()}, PERFMON, "Intel's repository gives the same events")
    tap.ok(all(row[3] == str(int(pmu != "default_core")) for (_, pmu), row in found.items()),
           "its uncore events count once a package", found)
    where, found = events("GenuineIntel-6-F2-0", db)
    tap.same(sorted(key[1] for key in found), ["cpu_atom"] * 3, "a file of a hybrid CPU belongs to the core of its row", where)
    tap.same(found[("inst_retired.any", "cpu_atom")][-1], "Instructions (Precise event)", "the newer words for precise events are understood")
    where, found = events("GenuineIntel-6-F3-0", db)
    tap.same({key[1] for key in found}, {"cpu_lowpower"}, "a third core type has its own events", where)


# Events as Intel's repository has them: the folder of their CPU, their members, and the PMU and terms in Linux, or what is wrong.
INTEL_EVENTS = [
    ("SPR", "CHA", "EventCode=0x35 UMask=0x01 UMaskExt=0x00C816FE", "uncore_cha", "event=0x35,umask=0xc816fe01"),
    ("SPR", "CHA", "EventCode=0x35 UMask=0x00 UMaskExt=0x00000002", "uncore_cha", "event=0x35,umask=0x200"),
    ("SPR", "CHA", "EventCode=0x35 UMaskExt=0x2", "uncore_cha", "event=0x35,umask=0x200"),
    ("SKX", "UPI LL", "EventCode=0x04 UMask=0x0 UMaskExt=0x40", "uncore_upi", "event=4,umask=0x4000"),
    ("SKX", "UPI LL", "EventCode=0x04 UMask=0x1 UMaskExt=0x40", "uncore_upi", "event=4,umask=0x4001"),
    ("SPR", "CHA", "EventCode=0x35 UMaskExt=0x100000000000000", None, "its UMaskExt has more than 56 bits"),
    ("LNL", "", "EventCode=0xd1 UMask=0x00 UMaskExt=0x01", "default_core", "event=0xd1,umask=0x100"),
    ("SPR", "IIO", "EventCode=0xc0 UMask=0x04 UMaskExt=0x00070010 PortMask=0x001 FCMask=0x07", "uncore_iio", "event=0xc0,ch_mask=1,fc_mask=7,umask=4"),
    ("SPR", "IIO", "EventCode=0x8f UMask=0x00 UMaskExt=0x00070000 PortMask=0x0000 FCMask=0x00", "uncore_iio", "event=0x8f"),
    ("HSX", "QPI LL", "EventCode=0x38 UMask=0x0 ExtSel=1", "uncore_qpi", "event=0x138"),
    ("JKT", "UBOX", "EventCode=0x47 UMask=0x1 ExtSel=1", "uncore_ubox", "event=0x47,umask=1"),
    ("JKT", "PCU", "EventCode=0x3 UMask=0x0 ExtSel=1", None, "its PMU has no term for ExtSel"),
    ("JKT", "PCU", "EventName=UNC_P_POWER_STATE_OCCUPANCY.CORES_C6 EventCode=0x80 UMask=0xc0", "uncore_pcu", "event=0x80,occ_sel=3"),
    ("BDW-DE", "PCU", "EventName=UNC_P_POWER_STATE_OCCUPANCY.CORES_C0 EventCode=0x80 UMask=0x40", "uncore_pcu", "event=0x80,occ_sel=1"),
    ("SKX", "PCU", "EventName=UNC_P_POWER_STATE_OCCUPANCY.CORES_C6 EventCode=0x80 UMask=0xC0", "uncore_pcu", "event=0x80,umask=0xc0"),
    ("SKL", "NCU", "EventCode=0x0 UMask=0x01 Counter=FIXED", "uncore_cbox_0", "event=0xff"),
    ("MTL", "NCU", "EventCode=0x0 UMask=0x01 Counter=FIXED", "uncore_cncu", "event=0xff"),
    ("ADL", "NCU", "EventCode=0x0 UMask=0x01 Counter=FIXED", "uncore_clock", "event=0xff"),
    ("SNB", "ARB", "EventCode=0x0 UMask=0x01 Counter=Fixed", "uncore_arb", "event=0xff"),
    ("ADL", "iMC", "EventName=UNC_MC1_WRCAS_COUNT_FREERUN CounterType=FREERUN Counter=4", "uncore_imc_free_running_1", "event=0xff,umask=0x30"),
    ("TGL", "imc", "EventName=UNC_MC0_TOTAL_REQCOUNT_FREERUN CounterType=FREERUN Counter=0", "uncore_imc_free_running_0", "event=0xff,umask=0x10"),
    ("ICX", "iMC", "EventName=UNC_M_CLOCKTICKS_FREERUN CounterType=FREERUN Counter=4", "uncore_imc_free_running", "event=0xff,umask=0x10"),
    ("SNR", "IIO", "EventName=UNC_IIO_CLOCKTICKS_FREERUN CounterType=FREERUN Counter=0", "uncore_iio_free_running", "event=0xff,umask=0x10"),
    ("SPR", "IIO", "EventName=UNC_IIO_BANDWIDTH_IN.PART7_FREERUN CounterType=FREERUN Counter=8", "uncore_iio_free_running", "event=0xff,umask=0x27"),
    ("SPR", "IIO", "EventName=UNC_IIO_BANDWIDTH_OUT.PART0_FREERUN CounterType=FREERUN Counter=9", "uncore_iio_free_running", "event=0xff,umask=0x30"),
    ("SPR", "CHA", "EventName=UNC_CHA_CLOCKTICKS_FREERUN CounterType=FREERUN", None, "the code of the free-running counter is not known"),
    ("NHM-EP", "", "EventCode=0xb UMask=0x10 MSRIndex=0x3F6 MSRValue=0x0", "default_core", "event=0xb,umask=0x10,ldlat=0x0"),
    ("NHM-EP", "", "EventCode=0xb UMask=0x10 MSRIndex=0x3F6", None, "it has an MSRIndex and no MSRValue"),
]


def wrong_types():
    """A member that has no number is not taken for one that is missing: the event would count something else."""
    tree, db = copy("types", "perfmon"), str(DIRECTORY / "types.db")
    for member in ('"UMask": [1]', '"UMask": 1.5', '"EventCode": {"x": 1}', '"CounterMask": -1.5e3'):
        (tree / "TST/events/testlake_uncore.json").write_text('{"Events": [{"EventName": "A", %s}]}' % member)
        result = vendor("import", str(tree), db=db)
        key = member.split('"')[1]
        tap.ok(f"testlake_uncore.json:1: [PMUQ-154] event 'a': {key} is not a whole number" in result.text, f"{member} is a problem", result.text,
               result.stderr)


def intel_events():
    tree, db = DIRECTORY / "intel-events", str(DIRECTORY / "intel-events.db")
    rows = []
    for i, (cpu, unit, members, _, _) in enumerate(INTEL_EVENTS):
        event = {"EventName": "AN.EVENT"} | ({"Unit": unit} if unit else {}) | dict(member.split("=") for member in members.split())
        path = tree / cpu / f"events/{i}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"Events": [event]}))
        rows.append(f"GenuineIntel-6-{i + 1:X}0,V1,/{cpu}/events/{i}.json,core,,,")
    (tree / "mapfile.csv").write_text("Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name\n" + "\n".join(rows) + "\n")
    result = vendor("import", str(tree), db=db)
    for i, (cpu, unit, members, pmu, want) in enumerate(INTEL_EVENTS):
        _, found = events(f"GenuineIntel-6-{i + 1:X}0-0", db)
        if pmu:
            tap.same([(key[1], row[0]) for key, row in found.items()], [(pmu, want)], f"{cpu} {unit}: {members}")
        else:
            tap.ok(not found and any(f"{cpu}/events/{i}.json:1: " in line and want in line for line in result.text.splitlines()),
                   f"{cpu} {unit}: {members}: {want}", result.text)


# Metrics of Intel's repository: formula, threshold, groups, unit, and where the value is valid.
PERFMON_METRICS = {
    "cpi": ("MEM_LOAD_RETIRED.L3_MISS / INST_RETIRED.ANY", "", "CPI;Util", "1per instruction",
            "Cycles per instruction. Valid for: THREAD, CORE, SOCKET, SYSTEM."),
    "tma_backend_bound": (r"(100 * (topdown\-be\-bound / (topdown\-be\-bound + topdown\-retiring))) + 0 * slots", "tma_backend_bound > 20",
                          "TopdownL1;tma_L1_group;TmaL1;PGO;TMA", "1%", "Slots that waited. Valid for: THREAD."),
    "tma_memory_bound": (
        r"100 * min(((cpu@MEM_LOAD_RETIRED.L3_MISS\,cmask\=12\,edge\=1\,inv\=1@ / (#num_cpus_online / #num_cores)) if #SMT_on else 20),"
        r" max(slots, topdown\-retiring))",
        "tma_memory_bound / 100 > 0.20 & tma_backend_bound / 100 > 0.15 | cpi < 2", "TopdownL2;tma_L2_group;tma_backend_bound_group;TMA", "1%",
        "Slots that waited for memory. Valid for: THREAD, CORE. Sample with: MEM_LOAD_RETIRED.L3_MISS."),
    "tma_split": (
        r"(min(6.11, INST_RETIRED.ANY:k) if ((1 - (6.11 < 0))) else ((1 - (INST_RETIRED.ANY:R + 1 > cpu@INST_RETIRED.ANY\,cmask\=1@u))"
        r" & INST_RETIRED.ANY:k))", "", "Mem;TMA", "", ""),
    "uncore_latency": (
        r"uncore_cha@UNC_CHA_TOR_INSERTS.IA_MISS\,config1\=0x4043300000000\,thresh\=1@ / uncore_cha_0@UNC_CHA_TOR_INSERTS.IA_MISS@"
        r" * ((uncore_cha_0@UNC_CHA_TOR_INSERTS.IA_MISS@ / #num_packages) / (source_count(UNC_CHA_TOR_INSERTS.IA_MISS) * #num_packages))"
        r" * duration_time + uncore_cbox@UNC_C_LLC_LOOKUP.ANY\,filter_opc\=0x182\,filter_tid\=0x3e@ * (#num_cores / #num_packages)"
        r" / ((duration_time * 1000) / 1000)", "", "Latency", "1ns", "Latency. Valid for: CHA, SOCKET, SYSTEM."),
    "tma_info_system_core_frequency": ("INST_RETIRED.ANY * (#SYSTEM_TSC_FREQ * duration_time) / duration_time", "", "Power;TMA", "", ""),
    "power": (r"NaN if 0 > 2 else (power@energy\-pkg@ / 262144) * 61 / msr@tsc@ / #SYSTEM_TSC_FREQ / #num_cpus_online / 1e6", "", "Power", "",
              "Power. Valid for: PKG."),
}
METRIC_PROBLEMS = {
    "tma_split": "its threshold needs 'metric_none', which is not a metric",
    "no_event": "no table of its CPU has the event 'NOT.THERE'",
    "no_option": "Linux has no term for the option 'zz9' of INST_RETIRED.ANY",
    "no_constant": "Linux has no value for the constant 'PHASE_OF_MOON'",
    "no_agent": "CHAS_PER_SOCKET needs an event of these PMUs in the formula",
    "no_alias": "its formula has a name that is not one of its events or constants: 'zz'",
    "no_unit": "its formula needs one instance of 'a'",
    "no_character": "its formula has the character '~'",
    "no_end": "its formula has a '(' too many",
    "no_start": "its formula has a ')' too many",
    "no_pair": "its formula has a comparison that is not of two values",
    "no_grammar": "its formula is wrong: a value is missing at the end of the formula",
    "no_brackets": "its formula is wrong: ',' is missing before 'if'",
    "no formula name": "its name is not one that formulas could refer to",
}


def metrics(db):
    return {row[0]: tuple(row[1:]) for row in database.rows(
        db, "SELECT name, expression, threshold, groups, scale_unit, long_description FROM vendor_metric JOIN vendor_text ON id = vendor_text")}


def metric_problems(result):
    """The problems of an import that are about metrics, by metric."""
    return dict(line.split("] metric '", 1)[1].split("': ", 1) for line in result.text.splitlines() if "] metric '" in line)


def perfmon_metrics():
    db = str(DIRECTORY / "perfmon-metrics.db")
    result = vendor("import", str(TREES / "perfmon"), db=db)
    found = metrics(db)
    for name in PERFMON_METRICS | found:
        tap.same(found.get(name), PERFMON_METRICS.get(name), f"{name}: a metric of Intel's repository has the kernel's notation")
    tap.same(metric_problems(result), METRIC_PROBLEMS, "metrics that cannot be expressed are reported with their reasons")
    tap.ok("TST/metrics/testlake_metrics.json:31: [PMUQ-154] metric 'no_event'" in result.text, "with file and line", result.text)
    one, two = (events(cpuid, db)[0] for cpuid in ("GenuineIntel-6-F0-0", "GenuineIntel-6-F1-0"))
    tap.same(one[1], two[1], "two CPUs have different files of one directory")
    for cpuid, status in (("GenuineIntel-6-F0-0", 0), ("GenuineIntel-6-F1-0", 1)):
        result = pmuq("--sysroot", os.environ["PMUQ_TEST_MACHINES"] + "/skylake-sp", "--db", db, "encode", "--vendor", cpuid, "--metric", "cpi")
        tap.ok(result.status == status and ("leader of 2" in result.text) == (status == 0), f"{cpuid}: only its own metrics are used", result.text,
               result.stderr)


# Events and metrics of Arm's telemetry-solution, and the CPUs of its files.
TELEMETRY_METRICS = {
    "backend_bound": ("100 * (STALL_SLOT / (CPU_CYCLES * 5) - SW_INCR)", "", "Topdown_L1;TopdownL1;MPKI", "1percent of slots",
                      "Slots that waited. Next: MPKI, ratio. Sample with: STALL_SLOT, SW_INCR."),
    "ratio": ("SW_INCR / CPU_CYCLES", "", "MPKI", "", "A ratio."),
}
TELEMETRY_PROBLEMS = [
    "core-a-r0p2.json:9: [PMUQ-154] event 'trace_only': the PMU cannot count it: PMU is not among its accesses",
    "core-a-r0p2.json:10: [PMUQ-154] event 'no_code': its code is not a number",
    "core-a-r0p2.json:16: [PMUQ-154] metric 'trace_ratio': its formula has a name that is not one of its events or constants: 'TRACE_ONLY'",
    "core-a-r0p2.json:17: [PMUQ-154] metric 'no_grammar': its formula is wrong: a value is missing at the end of the formula",
    "no-core.json:1: [PMUQ-154] its product_configuration does not identify a core",
]
TELEMETRY_CPUS = [  # a MIDR, and the folder and code that it gets
    ("0x00000000410fd490", "core-a-r0p2", "event=0x11"), ("0x00000000410fd492", "core-a-r0p2", "event=0x11"),
    ("0x00000000411fd490", "core-a-r0p2", "event=0x11"), ("0x00000000411fd491", "core-a-r1p1", "event=0x12"),
    ("0x00000000412fd490", "core-a-r1p1", "event=0x12"),
]


def telemetry():
    db = str(DIRECTORY / "telemetry.db")
    result = vendor("import", str(TREES / "telemetry"), db=db)
    lines = result.text.splitlines()
    tap.same(lines[0], "vendor telemetry: 2 patterns of CPUs, 2 folders, 4 events, 2 metrics, 5 problems", "Arm's telemetry-solution is imported")
    tap.same([line.split("family/")[1] for line in lines[1:]], TELEMETRY_PROBLEMS, "what cannot be counted is reported with file and line")
    tap.same(metrics(db), TELEMETRY_METRICS, "its metrics have units, groups, and what to do next")
    for cpuid, folder, terms in TELEMETRY_CPUS:
        where, found = events(cpuid, db)
        tap.ok(where[1:2] == ["arm64/family/" + folder] and found.get(("cpu_cycles", "default_core"), [""])[0] == terms,
               f"{cpuid}: the file of its revision, or of the last before it", where, found)
    tap.same(events("0x00000000410fd4a0", db)[1], {}, "another core has no table")
    _, found = events("0x00000000410fd492", db)
    tap.same(found[("sw_incr", "default_core")][-1], "Software increments", "an event has its title as description")
    tap.same(database.rows(db, "SELECT topic, long_description FROM vendor_text WHERE name = 'sw_incr'"),
             [("l1d cache", "Counts writes to a register. It may be used by any program.")], "its topic is its first group")
    tap.same([row["layout"] for row in vendor("list", "-J", db=db).json["vendors"]], ["telemetry"], "vendor list prints the layout")
    result = pmuq("--sysroot", os.environ["PMUQ_TEST_MACHINES"] + "/arm64-cortex-a57-icount", "--db", db, "encode", "--vendor",
                  "0x00000000410fd492", "--metric", "TopdownL1")
    tap.ok(result.status == 0 and "leader of 3" in result.text and "config=0x3f" in result.text, "its metrics are planned", result.text, result.stderr)


HOSTILE_TELEMETRY = [  # the file, the code or None if only the file or object is left out, a text of the error or problem
    ("[]", None, "core-a-r0p2.json:1: [PMUQ-154] its product_configuration does not identify a core"),
    ('{"product_configuration": ' + "[" * 100000, 151, "core-a-r0p2.json:1:"),
    ('{"product_configuration": 7}', None, "does not identify a core"),
    ('{"groups": {"metrics": [' + "0," * 600000 + '0]}, PRODUCT}', 151, "it is larger than 1 MiB"),
    ('{PRODUCT, "events": {"' + "A" * 300 + '": {"code": "1"}}}', None, "its name is longer than 255 bytes"),
    ('{PRODUCT, "events": {"A": 7}}', 151, "core-a-r0p2.json:1:"),
    ('{PRODUCT, "events": {"A": {"code": "1"}, "A": {"code": "2"}}}', 153, "the event 'a'"),
    ('{PRODUCT, "metrics": {' + ", ".join(f'"m{number}": {{"formula": "1"}}' for number in range(60000)) + "}}", None, " 60000 metrics, "),
    ('{PRODUCT, "groups": {"metrics": {"G": {"metrics": [[], {}, 7]}}, "function": 7}, "methodologies": [], "events": {}}', None, "vendor telemetry"),
    ('{PRODUCT, "events": {"A": {"code": "1"}}, "metrics": {"m": {"formula": "A' + " + A" * 100000 + '"}}}', None, "is longer than 128 KiB"),
]
PRODUCT = '"product_configuration": {"part_num": "0xd49", "major_revision": "0", "minor_revision": 2, "implementer": "0x41"}'


def measured_import(tree, db):
    """The import, and the seconds of CPU that it took: the budget of docs/security.md is 10 s. A server's are not counted."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = vendor("import", str(tree), db=db)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def hostile_telemetry():
    db = str(DIRECTORY / "hostile-telemetry.db")
    for text, code, message in HOSTILE_TELEMETRY:
        tree = copy("telemetry", "telemetry")
        (tree / "data/pmu/cpu/family/core-a-r0p2.json").write_text(text.replace("PRODUCT", PRODUCT))
        hostile_import("telemetry", tree, db, text, code, message)
    tree = copy("telemetry", "telemetry")
    (tree / "data/pmu/cpu/family/link.json").symlink_to("gone.json")
    result = vendor("import", str(tree), db=db)
    tap.ok(result.status == 4 and "link.json" in result.stderr, "telemetry: a broken link is refused", result.text, result.stderr)


# ---------------------------------------------------------------------------------------- import and remove

def comes_and_goes():
    before = content(DB)
    vendor("import", str(TREES / "arch"))
    tap.same(content(DB), before, "a second import of a tree replaces the first")
    one = vendor("import", "--name", "one", str(TREES / "arch" / "x86"))
    tap.ok(one.text.startswith("vendor one: 3 patterns of CPUs, 2 folders, 14 events"),
           "one architecture can be imported", one.text, one.stderr)
    tap.same({name: content(DB)[name] for name in ("vendor_set", "vendor_event", "vendor_text")},
             {name: before[name] for name in ("vendor_set", "vendor_event", "vendor_text")},
             "a table of two imports is stored once")
    vendor("remove", "one")
    tap.same(content(DB), before, "a table is kept while one import has it")
    gone = vendor("remove", "perfmom")
    tap.ok(gone.status == 1 and "PMUQ-157" in gone.stderr and "there are: perf" in gone.stderr, "an import that does not exist is reported",
           gone.stderr)
    vendor("remove", "perf")
    tap.same(set(content(DB).values()), {0}, "the last remove leaves no rows")
    tap.same(search("third").status, 1, "search finds nothing without imports")
    vendor("import", str(TREES / "arch"))
    tap.same(search("third level").status, 0, "search finds events after a new import")


def finds():
    found = search("-J", "third", "level").json["events"]
    tap.same([row["event"] for row in found], ["mem_load_retired.l3_miss"], "search finds words of a description")
    tap.same({key: found[0][key] for key in ("cpus", "pmu", "terms", "deprecated", "topic")},
             {"cpus": ["x86/testlake"], "pmu": "default_core", "terms": "event=0xd1,period=50021,umask=0x20",
              "deprecated": False, "topic": "cache"}, "a found event has all its members")
    for words, first in [("l3_miss", "mem_load_retired.l3_miss"), ("MEM_LOAD_RETIRED.L3_MISS", "mem_load_retired.l3_miss"),
                         ("misses decoded", "frontend_retired.dsb_miss"), ("casc cas_c", "unc_m_cas_count.rd"),
                         ("old", "uops.old"), ('l3" OR "', "mem_load_retired.l3_miss"), ("page faults", "page-faults")]:
        result = search("-J", words)
        got = [row["event"] for row in result.json["events"]] if result.status == 0 else []
        tap.ok(got and got[0] == first, f"'{words}': {first} is the first result", got, result.stderr)
    tap.same(len(search("-J", "--limit", "2", "cycles").json["events"]), 2, "--limit limits the rows")
    ranked = [row["event"] for row in search("-J", "uops").json["events"]]
    tap.ok(ranked[:2] == sorted(ranked[:2]) or set(ranked[:2]) == {"uops.old", "uops.some"}, "matches in names come before matches in descriptions",
           ranked)
    table = search("reads").text
    tap.ok("CPU" in table and "unc_m_cas_count.rd" in table and "Reads of memory" in table, "the default output is a table", table)
    nothing = search("zebra")
    tap.ok(nothing.status == 1 and "no event matches 'zebra'" in nothing.stderr, "no match: 1", nothing.stderr)
    empty = str(DIRECTORY / "empty.db")
    if database.IS_FILE:
        sqlite3.connect(empty).close()
    tap.same(search("x", db=empty).status, 4, "no database: 4")
    pmuq("--sysroot", os.environ["PMUQ_TEST_MACHINES"] + "/zen3-epyc", "--db", str(DIRECTORY / "scan.db"), "scan", "--name", "m")
    result = search("x", db=str(DIRECTORY / "scan.db"))
    tap.ok(result.status == 1 and "`pmuq vendor import`" in result.stderr, "a database without tables is reported", result.stderr)
    for how in ([], ["-J"]):
        result = pmuq("--db", str(DIRECTORY / "scan.db"), "vendor", "list", *how)
        tap.ok(result.status == 0 and "`pmuq vendor import`" in result.stderr, f"a database without tables is reported by vendor list {' '.join(how)}", result.stderr)
    if database.IS_FILE:
        database.copy(DB, empty)
        database.rows(empty, "DROP TABLE vendor_words")
        result = search("x", db=empty)
        tap.ok(result.status == 4 and "PMUQ-158" in result.stderr, "a database without an index is reported", result.stderr)
    for words in (["--limit", "0", "x"], ["--limit", "9x", "x"], []):
        tap.same(search(*words).status, 2, f"usage: search {' '.join(words)}")
    tap.same(search("...", "-").status, 2, "usage: punctuation is not a word")


# ----------------------------------------------------------------------------------------- hostile trees

def spoil_text(path, text):
    def spoil(tree):
        (tree / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return spoil


def truncate(tree):
    path = tree / "x86/testlake/cache.json"
    path.write_bytes(path.read_bytes()[:700])


def huge(tree):
    path = tree / "x86/testlake/cache.json"
    with path.open("wb") as file:
        file.write(b'[{"EventName": "')
        file.truncate(1 << 30)


def link_out(tree):
    (tree / "x86/testlake/evil.json").symlink_to("/etc/passwd")


def link_up(tree):
    (DIRECTORY / "outside.json").write_text("[]")
    (tree / "x86/testlake/evil.json").symlink_to("../../../outside.json")


def link_nowhere(tree):
    (tree / "x86/testlake/evil.json").symlink_to("not-there.json")


def link_circle(tree):
    (tree / "x86/testlake/evil.json").symlink_to("evil.json")


def fifo(tree):
    os.mkfifo(tree / "x86/testlake/evil.json")


def fifo_map(tree):
    (tree / "x86/mapfile.csv").unlink()
    os.mkfifo(tree / "x86/mapfile.csv")


def as_mapfile(row):
    return spoil_text("x86/mapfile.csv", f"Family-model,Version,Filename,EventType\n{row}\n")


EVENT = '{"EventName": "A", "EventCode": "1"}'
HOSTILE = [  # name, the damage, the code, a text of the error
    ("truncated", truncate, 151, "cache.json:22:6"),
    ("a string of 1 GiB", huge, 152, "the limit is 16 MiB"),
    ("an event of more than 1 MiB", spoil_text("x86/testlake/a.json", '[{"EventName": "' + "x" * 1100000 + '"}]'), 151, "1:2"),
    ("deep nesting", spoil_text("x86/testlake/a.json", '[{"EventName": ' + "[" * 100000 + "]" * 100000 + "}]"), 151,
     "a.json:1:"),
    ("nesting that never ends", spoil_text("x86/testlake/a.json", "[" * 1000000), 151, "a.json:1:2"),
    ("no list", spoil_text("x86/testlake/a.json", '"events"'), 151, "a.json:1:1"),
    ("an empty file", spoil_text("x86/testlake/a.json", ""), 151, "a.json:1:1"),
    ("not an event", spoil_text("x86/testlake/a.json", f"[\n{EVENT},\n  7]"), 151, "a.json:3:3"),
    ("a comma too many", spoil_text("x86/testlake/a.json", f"[{EVENT},]"), 151, "a.json:1:"),
    ("a missing comma", spoil_text("x86/testlake/a.json", f"[{EVENT}\n {EVENT}]"), 151, "a.json:2:2"),
    ("a word that is not JSON", spoil_text("x86/testlake/a.json", '[\n {"EventName": nil}]'), 151, "a.json:2:"),
    ("no token after a key with escapes", spoil_text("x86/testlake/a.json", '[{"A\\u0041' + "B" * 5000 + '": ?}]'), 151, "a.json:1:"),
    ("a member twice", spoil_text("x86/testlake/a.json", '[{"EventName": "A", "EventName": "B"}]'), 151, "a.json:1:"),
    ("more after the list", spoil_text("x86/testlake/a.json", f"[{EVENT}]\n[]"), 151, "a.json:2:1"),
    ("bytes that are not UTF-8", spoil_text("x86/testlake/a.json", b'[{"EventName": "\xff"}]'), 151, "a.json:1:"),
    ("a NUL", spoil_text("x86/testlake/a.json", '[{"EventName": "A\\u0000B"}]'), 151, "a.json:1:"),
    ("a NUL byte", spoil_text("x86/testlake/a.json", b'[{"EventName": "A\0B"}]'), 151, "a.json:1:"),
    ("an unclosed string", spoil_text("x86/testlake/a.json", '[{"EventName": "A}]'), 151, "a.json:1:"),
    ("wrapped events without end", spoil_text("x86/testlake/a.json", '{"Header": {}, "Events": [' + EVENT), 151, "a.json:1:"),
    ("an object without end", spoil_text("x86/testlake/a.json", '{"Header": {}'), 151, "a.json:1:"),
    ("two events of one name", spoil_text("x86/testlake/a.json",
                                          '[{"EventName": "UOPS.OLD", "EventCode": "0x77"}]'), 153, "uops.old"),
    ("a broken expression", as_mapfile("GenuineIntel-6-(F0,v1,testlake,core"), 155, "mapfile.csv:2:16\n"),
    ("an expression that grows", as_mapfile("((a{99}){99}){99},v1,testlake,core"), 155, "mapfile.csv:2:1"),
    ("an expression that refers back", as_mapfile(r"(a*)\1,v1,testlake,core"), 155, "mapfile.csv:2:5\n"),
    ("an expression without end", as_mapfile("x" * 300 + ",v1,testlake,core"), 155, "mapfile.csv:2:257\n"),
    ("a row without a folder", as_mapfile("GenuineIntel-6-F0"), 151, "mapfile.csv:2:1"),
    ("a folder that is not there", as_mapfile("GenuineIntel-6-F0,v1,atlantis,core"), 151, "mapfile.csv:2:22"),
    ("a folder elsewhere", as_mapfile("GenuineIntel-6-F0,v1,../arm64/maker/core-a1,core"), 151, "mapfile.csv:2:22"),
    ("a CPU of arm64 that is not a number", spoil_text("arm64/mapfile.csv", "cortex.*,v1,maker/core-a1,core\n"), 155,
     "mapfile.csv:1:1"),
    ("a link out of it", link_out, 152, "evil.json"),
    ("a link above it", link_up, 152, "leads out of the directory"),
    ("a link to nothing", link_nowhere, 152, "evil.json"),
    ("a link to itself", link_circle, 152, "evil.json"),
    ("a FIFO", fifo, 152, "not a regular file"),
    ("a FIFO for a mapfile", fifo_map, 152, "not a regular file"),
]


def hostile_expressions():
    """An expression for which regcomp(3) takes gigabytes costs nothing; an invalid Compat costs its own event only."""
    db = DIRECTORY / "expressions.db"
    tree = copy("expressions")
    with open(tree / "x86/mapfile.csv", "a") as file:
        file.write("GenuineIntel-6-E0" + "+" * 24 + ",v1,testlake,core\nGenuineIntel-6-E(1?){200}2,v1,testlake,core\n")
    (tree / "x86/testlake/compat.json").write_text(
        '[{"EventName": "BAD.COMPAT", "EventCode": "1", "Compat": "a(b"},\n'
        ' {"EventName": "SLOW.COMPAT", "EventCode": "1", "Compat": "' + "(a*)*" * 40 + 'b"}]')
    result = vendor("import", str(tree), db=db)
    tap.ok(result.status == 0 and "compat.json:1:" in result.text and "its Compat is an invalid regular expression: "
           "the group has no ')'" in result.text, "an invalid Compat is a problem of its event", result.text, result.stderr)
    peak_kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    tap.ok(peak_kib < 1 << 20, "no expression takes memory", peak_kib)
    for cpuid in ("GenuineIntel-6-E00-1", "GenuineIntel-6-E112-1"):
        start = time.process_time()
        _, found = events(cpuid, db)
        tap.ok(("bad.compat", "default_core") not in found and ("slow.compat", "default_core") in found
               and time.process_time() - start < 1, f"{cpuid}: the other events of its table are found", found)


def hostile():
    before = content(DB)
    for name, spoil, code, message in HOSTILE:
        tree = copy("hostile")
        spoil(tree)
        start = time.monotonic()
        result = vendor("import", str(tree))
        took = time.monotonic() - start
        tap.ok(result.status == 4 and f"PMUQ-{code}" in result.stderr and message in result.stderr and took < 20,
               f"{name}: refused, with the location", f"{result.status} after {took:.1f} s", result.stderr, result.text)
        tap.same(content(DB), before, f"{name}: nothing is imported")
    tap.same(events("GenuineIntel-6-F0-1")[1].keys(), TESTLAKE.keys(), "earlier imports are kept")


def damaged(value):
    """A file of one metric, and a member of it."""
    metric = ('{"MetricName": "m", "Events": [], "Constants": [], "Formula": "1"}')
    return '{"Metrics": [' + metric[:-1] + ", " + value + "}]}"


HOSTILE_METRICS = [  # the file, the code or None if only the metric is left out, a text of the error or problem
    ('{"Metrics": 7}', 151, "testlake_metrics.json:1:13"),
    ('{"Metrics": [7]}', 151, "testlake_metrics.json:1:14"),
    (damaged('"Threshold": {"Formula": "1", "Formula": "2"}'), 151, "a key appears twice in an object"),
    (damaged('"Threshold": {"Formula": ' + "[" * 90 + "]" * 90 + "}"), 151, "nested too deeply"),
    (damaged('"x": "' + "y" * 1100000 + '"'), 151, "it is larger than 1 MiB"),
    ('{"Metrics": [{"MetricName": "m", "Formula": "' + "(" * 100000 + '"}]}', None, "is nested too deeply"),
    ('{"Metrics": [{"MetricName": "m", "Formula": "' + "1+" * 200000 + '1"}]}', None, "is longer than 128 KiB"),
    ('{"Metrics": [{"MetricName": "m", "Formula": "' + "1>=" * 200000 + '1"}]}', None, "not of two values"),
    ('{"Metrics": [{"MetricName": "m", "Formula": "a' + "+a" * 200000 + '", "Constants": [{"Name": "' + "9" * 100000 +
     '", "Alias": "a"}]}]}', None, "is longer than 128 KiB"),
    ('{"Metrics": [{"MetricName": "' + "m" * 5000 + '", "Formula": "1"}]}', None, "its name is not one"),
    ('{"Metrics": [{"MetricName": "m", "Formula": "1", "Events": 7, "Constants": [[], 7, {}]}]}', None, "no value for the constant ''"),
    ('{"Metrics": [{"MetricName": "m", "Formula": "1", "Threshold": "x"}]}', None, " 1 metric, "),
    ('{"Metrics": [{"MetricName": "m", "Formula": "1", "Events": [' + '{"Name": "INST_RETIRED.ANY", "Alias": "a"}, ' * 9000 +
     '{"Name": "UNC_CHA_TOR_INSERTS.IA_MISS", "Alias": "b"}], "Constants": [' +
     ", ".join(['{"Name": "CHAS_PER_SOCKET", "Alias": "c"}'] * 9000) + "]}]}", None, " 1 metric, "),
]


def hostile_metrics():
    """Formulas that grow, nest and repeat cost no more than a long file."""
    db = str(DIRECTORY / "hostile-metrics.db")
    for text, code, message in HOSTILE_METRICS:
        tree = copy("perfmon", "perfmon")
        (tree / "TST/metrics/testlake_metrics.json").write_text(text)
        hostile_import("metrics", tree, db, text, code, message)


def hostile_perfmon():
    for row, message in [("/../arch/x86/testlake/cache.json", "not a path within"), ("/TST/events/none.json", "no such file"),
                         ("/TST//events/testlake_core.json", "not a path within"), ("/./x.json", "not a path within")]:
        tree = copy("perfmon", "perfmon")
        (tree / "mapfile.csv").write_text(f"GenuineIntel-6-F0,V1,{row},core,,,\n")
        result = vendor("import", str(tree))
        tap.ok(result.status == 4 and "mapfile.csv:1:22" in result.stderr and message in result.stderr, f"perfmon: {row} is refused",
               result.stderr)


def other_ends():
    (DIRECTORY / "empty/x86").mkdir(parents=True)
    for name, path in [("nothing", DIRECTORY / "nothing"), ("a file", TREES / "perfmon/mapfile.csv"), ("no tree", DIRECTORY / "empty")]:
        result = vendor("import", str(path))
        tap.ok(result.status == 4 and ("PMUQ-150" in result.stderr or "PMUQ-152" in result.stderr), f"{name} is not a tree",
               result.stderr)
    (DIRECTORY / "source/tools").mkdir(parents=True)
    tap.ok("tools/perf/pmu-events/arch" in vendor("import", str(DIRECTORY / "source")).stderr, "a kernel's source gets a hint")
    shutil.copytree(TREES / "arch", DIRECTORY / "whole/tools/perf/pmu-events/arch")
    (DIRECTORY / "whole/arch/x86").mkdir(parents=True)
    tap.ok("its directory 'tools/perf/pmu-events/arch' may be" in vendor("import", str(DIRECTORY / "whole")).stderr,
           "… with the directory in it that is one, and not the kernel's own arch")
    tree = copy("no-cpu", "perfmon")
    (tree / "mapfile.csv").write_text("Family-model,Version,Filename,EventType\n")
    tap.ok("no row of a CPU" in vendor("import", str(tree)).stderr, "a mapfile without a CPU is reported, and not taken for a kernel's")
    for words in (["import"], ["remove"], [], ["list", "x"], ["imprt", "x"], ["import", "a", "b"],
                  ["list", "--libpfm4"], ["remove", "--name", "a", "b"], ["import", "--libpfm4", "--no-libpfm4"], ["list", "--no-libpfm4"]):
        tap.same(pmuq("--db", DB, "vendor", *words).status, 2, f"usage: vendor {' '.join(words)}")
    tap.ok("did you mean 'import'" in vendor("imprt", "x").stderr, "a similar verb is proposed")
    if os.geteuid() != 0:
        tree = copy("unreadable")
        (tree / "x86/testlake/cache.json").chmod(0)
        result = vendor("import", str(tree))
        tap.ok(result.status == 4 and "permission denied" in result.stderr, "a file that cannot be read is reported", result.stderr)
    else:
        tap.skip("a file that cannot be read is reported", "root reads everything")


def editors():
    """Files with a byte order mark or CRLF are valid."""
    tree = copy("editors")
    for path in list(tree.rglob("*.json")) + list(tree.rglob("*.csv")):
        if not stat.S_ISLNK(path.lstat().st_mode):
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    db = str(DIRECTORY / "editors.db")
    result = vendor("import", str(tree), db=db)
    tap.same(result.status, 0, "a tree with byte order marks and CRLF is imported", result.stderr)
    tap.same(events("GenuineIntel-6-F0-1", db), events("GenuineIntel-6-F0-1"), "byte order marks and CRLF give the same events")


def killed():
    """After a kill at any moment the database contains all of an import or none of it."""
    tree = copy("big")
    model = (tree / "x86/testlake/cache.json").read_text()
    for folder in range(200):
        (tree / f"x86/model{folder}").mkdir()
        (tree / f"x86/model{folder}/cache.json").write_text(model.replace("Loads", f"Model {folder} loads"))
    db = str(DIRECTORY / "killed.db")
    vendor("import", str(TREES / "arch"), db=db)
    before, seen = content(db), set()
    start = time.monotonic()
    vendor("import", "--name", "big", str(tree), db=db)
    whole_ms = (time.monotonic() - start) * 1000
    vendor("remove", "big", db=db)
    for delay_ms in [2, 5, 10, 20] + [random.uniform(0, whole_ms) for _ in range(16)]:
        child = subprocess.Popen([PMUQ, "--db", db, "vendor", "import", "--no-libpfm4", "--name", "big", str(tree)],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay_ms / 1000)
        child.send_signal(signal.SIGKILL)
        seen.add(child.wait())
        now = content(db)
        whole = now["vendor"] == 2 and now["vendor_folder"] == before["vendor_folder"] + 208
        tap.ok(now == before or whole, f"killed after {delay_ms:.0f} ms: all or nothing", now)
        tap.same(database.damages(db), [], "a kill does not damage the database")
        if whole:
            vendor("remove", "big", db=db)
    tap.ok(-signal.SIGKILL in seen, "some imports were killed before their end", seen)
    tap.same(vendor("import", "--name", "big", str(tree), db=db).status, 0, "an import after the kills succeeds")


imports()
tables()
origins()
perfmon()
intel_events()
wrong_types()
perfmon_metrics()
telemetry()
comes_and_goes()
finds()
hostile_expressions()
hostile()
hostile_perfmon()
# What is wrong with a long file does not depend on the engine, and a server takes a minute for it.
if database.IS_FILE:
    hostile_groups()
    hostile_telemetry()
    hostile_metrics()
other_ends()
editors()
killed()
tap.finish()
