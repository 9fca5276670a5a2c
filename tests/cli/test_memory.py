#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One allocation of a command fails, each in turn: the command fails and reports that there is no memory, or its output is the
usual one. By default some of the allocations fail; PMUQ_ALL_CALLS=1 in the environment makes each of them fail, and PMUQ_STACKS=1
prints the stack of those after which the output is wrong."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from tap import MACHINES, PMUQ, Tap

tap = Tap()
LIBRARY = os.environ["PMUQ_MEMORY_WALK"]
TREES = pathlib.Path(os.environ["PMUQ_VENDOR_TREES"])
RECORDINGS = pathlib.Path(os.environ["PMUQ_TEST_RECORDINGS"])
# How many allocations of each command fail, spread over all of them; 0: all.
WALKED = 0 if os.environ.get("PMUQ_ALL_CALLS") else 8
# Functions that are on every stack, or only forward.
FORWARDING = ("write_stack", "fails", "main", "run", "run_command", "__libc_start", "_start", "malloc", "calloc", "realloc", "??")


class Run:
    """A command in a copy of those FILES that it names, and the files that it left there."""

    def __init__(self, words, stdin=b"", **env):
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as directory:
            for name, content in FILES.items():
                if any(name in word for word in words):
                    (pathlib.Path(directory) / name).write_bytes(content)
                    # pmuq waits a moment before it reads a database that was changed just now.
                    os.utime(pathlib.Path(directory) / name, (0, 0))
            done = subprocess.run([PMUQ, *words], capture_output=True, cwd=directory, timeout=60, check=False, input=stdin,
                                  env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "XDG_STATE_HOME": "/nonexistent", **env})
            self.status, self.out = done.returncode, done.stdout
            # Debian's libpq loads GnuTLS, which prints this itself when it is loaded.
            self.err = re.sub(rb"Error in GnuTLS initialization: .*\n", b"", done.stderr)
            self.files = {path.name: path.read_bytes() for path in pathlib.Path(directory).iterdir()
                          if path.is_file() and path.name not in FILES}

    def output(self):
        """All that must not change. What a database contains is tested elsewhere: its bytes depend on the moment."""
        return self.status, self.out, self.err, {name: content for name, content in self.files.items() if "db" not in name}


def is_right(words, run, usual):
    """The output is the usual one, or the command failed because there was no memory, and leaves no additional file."""
    # SQLite recovers its own files. libarchive ends the process itself, and so does the C library when it loads a library (127).
    is_ended = b"libarchive" in run.err or run.status == 127
    left = [file for file in set(run.files) - set(usual.files) if "db" not in file and not is_ended]
    if run.status < 0 or left:
        return False
    if run.output() == usual.output():
        return True
    # `complete` prints no errors.
    return run.status != 0 and (b"memory" in run.err + run.out or "complete" in words)


def stack_of(words, stdin, at):
    """The functions that led to an allocation, the innermost first."""
    lines = Run(words, stdin, LD_PRELOAD=LIBRARY, MEMORY_FAIL_AT=str(at), MEMORY_TRACE="trace").files.get("trace", b"").decode().splitlines()
    offsets = [line.split("(+")[1].split(")")[0] for line in lines if line.startswith(PMUQ + "(+")]
    if not shutil.which("addr2line"):
        return " ".join(offsets)
    done = subprocess.run(["addr2line", "-s", "-f", "-e", PMUQ, *(hex(int(offset, 16) - 1) for offset in offsets)], capture_output=True, check=False)
    printed = done.stdout.decode().splitlines()
    return " < ".join(f"{function} {line.split(' ')[0]}" for function, line in zip(printed[::2], printed[1::2]) if function not in FORWARDING)


def walk(name, words, stdin=b""):
    usual = Run(words, stdin)
    n = int(Run(words, stdin, LD_PRELOAD=LIBRARY, MEMORY_COUNT="count").files["count"])
    step = max(1, n // WALKED) if WALKED else 1

    def fail(at):
        run = Run(words, stdin, LD_PRELOAD=LIBRARY, MEMORY_FAIL_AT=str(at))
        if is_right(words, run, usual):
            return None
        changed = [file for file in sorted({*run.files, *usual.files}) if run.files.get(file) != usual.files.get(file)]
        stack = stack_of(words, stdin, at) if os.environ.get("PMUQ_STACKS") else ""
        return f"allocation {at}: status {run.status} {run.err[-100:]} {changed} {stack}"

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        wrong = [each for each in pool.map(fail, range(step, n + 1, step)) if each]
    tap.ok(not wrong and usual.status in (0, 1, 3), f"{name}: after each failure the usual output, or a report that there is no memory", f"{len(wrong)} of {n // step} failures of {n}", *wrong)


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
    "vendor import": ["--db", "new.db", "vendor", "import", str(TREES / "arch")],
    "vendor import of Intel's": ["--db", "new.db", "vendor", "import", str(TREES / "perfmon")],
    "vendor import of Arm's": ["--db", "new.db", "vendor", "import", str(TREES / "telemetry")],
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
                      ["--sysroot", str(MACHINES / "zen3-epyc"), "capture", "machine.tar"], ["--db", "vendor.db", "vendor", "import", str(TREES / "arch")]):
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
            walk(each, [scratch + "/own" if word == "own" else word for word in command], read)
tap.finish()
