#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands without memory (memory_walk.py): test_memory.py [NAME...] walks over all of them, or those of that name."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from memory_walk import walk
from tap import MACHINES, PMUQ, Tap

tap = Tap()
TREES = pathlib.Path(os.environ["PMUQ_VENDOR_TREES"])
RECORDINGS = pathlib.Path(os.environ["PMUQ_TEST_RECORDINGS"])
FILES = {}
SKYLAKE, ALDERLAKE = str(MACHINES / "skylake-sp"), str(MACHINES / "alderlake-hybrid-k6.12")
ON = ["--sysroot", SKYLAKE]
# A machine of which libpfm4 has few events: each of them is an allocation.
ON_SMALL = ["--sysroot", str(MACHINES / "silvermont")]
HOSTS = ["--db", "hosts.db"]
TABLES = ["--sysroot", "own", "--db", "vendor.db"]
EVENTS = ["cycles:u", "cpu/event=0x2,inv,ldlat=3/", "L1-dcache-load-misses", "r1a8", "mem:0x1000:rw", "mem-loads", "cas_count_read",
          "uncore_imc*/cas_count_read/", "{cycles,instructions:u}:S,branch-misses", "sched:sched_switch", "sched:*",
          "cpu/event=0x3c,umask=0x300/", "cpu/cpu-cycles,period=1000,name='a name'/k", "cpu/cpu=0,event=1/", "cylces", "cpu/umsk=1/",
          "sched:sched_swich", "cpu/branch_type=sideways/", "nosuch/event=1/"]
ATTRS = ["type=4 config=0x1a8", "type=4 config=0x53019c exclude_kernel=1", "type=2 config=316", "type=18 config=0x304", "type=3 config=0x10000", "config=zzz"]
COMMANDS = {
    "list": [*ON, "list"],
    "list --fold": [*ON, "list", "--fold", "-o", "NAME,TYPE"],
    "list -J": [*ON, "list", "-J"],
    "list of this machine": ["list"],
    "list --yaml": [*ON, "list", "--yaml"],
    "list --jsonl": [*ON, "list", "--jsonl"],
    "list events": [*ON, "list", "events"],
    "list -J events": [*ON, "list", "-J", "events", "mem*"],
    "list of one name": [*ON, "list", "cas_count_read"],
    "list formats": [*ON, "list", "formats"],
    "list of a database": [*TABLES, "list", "events", "--from", "json"],
    "list of libpfm4": [*ON_SMALL, "list", "events", "--from", "pfm", "*LOADS*"],
    "show": [*ON, "show", "cpu"],
    "show -J": [*ON, "show", "-J", "cpu"],
    "show of an event": [*ON, "show", "mem-loads"],
    "show of a table's event": [*TABLES, "show", "inst_retired.any"],
    "encode": [*ON, "encode", "--no-open", *EVENTS],
    "encode --jsonl": [*ON, "encode", "--no-open", "--jsonl", *EVENTS],
    "encode --yaml": [*ON, "encode", "--no-open", "--yaml", *EVENTS[:9]],
    "encode --c": [*ON, "encode", "--no-open", "--c", *EVENTS[:9]],
    "encode of a hybrid": ["--sysroot", ALDERLAKE, "encode", "--no-open", "--jsonl", "cycles", "cpu_atom/mem-loads/", "L1-dcache-loads"],
    "encode of libpfm4": [*ON, "encode", "--no-open", "--jsonl", "--from", "pfm", "skx::INST_RETIRED:ANY_P:u", "INST_RETIRED", "nosuch"],
    "encode of a table": [*TABLES, "encode", "--no-open", "--jsonl", "inst_retired.any", "mem_load_retired.nosuch"],
    "encode on this machine": ["encode", "--jsonl", "cpu-clock:u", "msr/tsc/"],
    "encode of a stored host": [*HOSTS, "--host", "x", "encode", "--no-open", *EVENTS],
    "encode --all-hosts": [*HOSTS, "encode", "--all-hosts", "--jsonl", *EVENTS[:9]],
    "list metrics": [*TABLES, "list", "metrics"],
    "list -J metrics": [*TABLES, "list", "-J", "metrics"],
    "list metricgroups": [*TABLES, "list", "metricgroups"],
    "show of a metric": [*TABLES, "show", "IPC"],
    "show of a metric group": [*TABLES, "show", "-J", "Summary"],
    "search of a metric": [*TABLES, "search", "cycle"],
    "encode --metric": [*TABLES, "encode", "--no-open", "--metric", "Summary,IPC"],
    "encode --metric -J": [*TABLES, "encode", "--no-open", "-J", "--metric", "IPC", "--dialect", "perf"],
    "explain --metric": [*TABLES, "explain", "--metric", "IPC"],
    "metric --formula": ["metric", "--formula", "d_ratio(a + #smt_on, b) if c > 0.5 else max(a, 1e3)", "a=1", "b=2", "c=0.7"],
    "explain": [*ON, "explain", *EVENTS],
    "fit": [*ON, "fit", *EVENTS],
    "fit of a table": [*TABLES, "fit", "{inst_retired.any,cycles,instructions}", "{inst_retired.any,cycles:u,r1,r2,r3,r4,r5}:k"],
    "encode of a table's group": [*TABLES, "encode", "--no-open", "{inst_retired.any,cycles:u,r1,r2,r3,r4,r5,r6,r7,r8,r9}"],
    "decode": [*ON, "decode", *ATTRS],
    "decode -J": [*ON, "decode", "-J", *ATTRS],
    "decode of a table": [*TABLES, "decode", "type=4 config=0x20d1"],
    "decode of a recording": ["decode", str(RECORDINGS / "groups.data")],
    "decode -J of a recording": ["decode", "-J", "-a", str(RECORDINGS / "groups-stream.data")],
    "check": ["check", "msr/tsc/", "cpu-clock:u", "cycles"],
    "check -J": ["check", "-J", "{cpu-clock:u,task-clock:u}", "cycles"],
    "scan": ["--db", "new.db", "--sysroot", SKYLAKE, "scan", "--name", "x"],
    "scan of a known host": ["--db", "hosts.db", "--sysroot", ALDERLAKE, "scan", "--name", "x"],
    "capture": [*ON, "capture", "new.tar"],
    "capture of this machine": ["capture", "machine"],
    "export": [*HOSTS, "export", "--output", "out.yaml", "x"],
    "export --json": [*HOSTS, "export", "--json", "x"],
    "import": ["--db", "new.db", "import", "host.yaml"],
    "import of a recording": ["--db", "new.db", "import", str(RECORDINGS / "groups.data")],
    "diff": ["diff", SKYLAKE, ALDERLAKE],
    "diff -J": ["diff", "-J", SKYLAKE, "./host.yaml"],
    "diff of a tar": ["diff", "./machine.tar", "./host.yaml"],
    "report": [*HOSTS, "report", "--output", "out.html", "x"],
    "report of all hosts": [*HOSTS, "report", "--all-hosts", "--output", "out.html"],
    "report of a change": ["report", "--output", "out.html", "diff", SKYLAKE, "./host.yaml"],
    "hosts": [*HOSTS, "hosts"],
    "hosts of a pattern": [*HOSTS, "hosts", "x*"],
    "hosts -J": [*HOSTS, "hosts", "-J"],
    "forget": [*HOSTS, "forget", "x"],
    "vendor import": ["--db", "new.db", "vendor", "import", "--no-libpfm4", str(TREES / "arch")],
    "vendor import of Intel's": ["--db", "new.db", "vendor", "import", "--no-libpfm4", str(TREES / "perfmon")],
    "vendor import of Arm's": ["--db", "new.db", "vendor", "import", "--no-libpfm4", str(TREES / "telemetry")],
    "vendor list": ["--db", "vendor.db", "vendor", "list"],
    "search": [*TABLES, "search", "retired", "third"],
    "search -J": [*ON_SMALL, "search", "-J", "mem", "loads"],
    "complete an event": [*ON, "complete", "--", "encode", "cpu/mem-"],
    "complete a command": ["complete", "--", "en"],
    "complete a host": [*HOSTS, "complete", "--", "--host", ""],
    "schema": ["schema", "encode"],
    "help": ["help", "encode"],
    "help of an error": ["help", "PMUQ-034"],
    "columns": ["list", "--list-columns"],
    "version": ["--version", "-v"],
}
INPUTS = {"encode -f": ([*ON, "encode", "--no-open", "-f", "-"], "\n".join(EVENTS).encode()),
          "metric": ([*TABLES, "metric", "IPC"], b'{"counter-value" : "10.000000", "unit" : "", "event" : "INST_RETIRED.ANY", "event-runtime" : 1, "pcnt-running" : 100.00}\n'
                                                   b'{"counter-value" : "20.000000", "unit" : "", "event" : "cycles", "event-runtime" : 1, "pcnt-running" : 100.00}\n'),
          "decode -f": ([*ON, "decode", "-f", "-"], "\n".join(ATTRS).encode())}


def prepare():
    """A database with a host, its document and tar, and one with tables and a machine that one of them is for."""
    with tempfile.TemporaryDirectory() as directory:
        for words in (["--db", "hosts.db", "--sysroot", SKYLAKE, "scan", "--name", "x"], ["--db", "hosts.db", "export", "--output", "host.yaml", "x"],
                      ["--sysroot", str(MACHINES / "zen3-epyc"), "capture", "machine.tar"], ["--db", "vendor.db", "vendor", "import", "--no-libpfm4", str(TREES / "arch")]):
            subprocess.run([PMUQ, *words], cwd=directory, check=True, stdout=subprocess.DEVNULL)
        for name in ("hosts.db", "host.yaml", "vendor.db", "machine.tar"):
            FILES[name] = (pathlib.Path(directory) / name).read_bytes()


def own_machine(directory):
    """A Skylake-SP with the cpuid of the test tables."""
    shutil.copytree(SKYLAKE, directory, symlinks=True)
    path = pathlib.Path(directory) / "proc/cpuinfo"
    path.chmod(0o644)
    path.write_text(path.read_text().replace("model\t\t: 85\n", "model\t\t: 240\n"))


with tempfile.TemporaryDirectory() as scratch:
    own_machine(scratch + "/own")
    TABLES[1] = scratch + "/own"
    prepare()
    wanted = sys.argv[1:]
    walks = {name: (words, b"") for name, words in COMMANDS.items()} | INPUTS
    for each, (command, read) in walks.items():
        if not wanted or each in wanted:
            walk(tap, each, [scratch + "/own" if word == "own" else word for word in command], FILES, read)
tap.finish()
