#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that were built for libpfm4 run with the libpfm.so.4 of compat/, which LD_LIBRARY_PATH names: they print what they print
with libpfm4, and also have the PMUs of sysfs. test_compat.py PRINT_PFM COMPAT_DIR CC

print_pfm prints all that libpfm4's calls return. The examples are libpfm4's own."""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import MACHINES, Tap  # noqa: E402

PRINT, COMPAT, CC = sys.argv[1], sys.argv[2], shlex.split(sys.argv[3])
EXAMPLES = pathlib.Path("/usr/share/doc/libpfm4-dev/examples")
INACTIVE = {"LIBPFM_ENCODE_INACTIVE": "1"}
#: An old and a new CPU of each vendor, uncore PMUs, the kernel's own events.
PMUS = ["perf", "perf_raw", "core", "netburst", "skx", "skx_unc_imc0", "knl_unc_imc0", "amd64_fam15h_interlagos",
        "amd64_fam19h_zen3", "amd64_fam19h_zen3_l3"]
#: Names that neither library has, or that have an error: both return the same one.
WRONG = ["", ":::", "::", "cycles::u", "cycles:", "cycles:foo", "cycles:u=3", "cycles,instructions", "cycles instructions", "core::RAT_STALLS:ANY:u:c=1,cycles", "nothing::cycles",
         "skx::INST_RETIRED:period=0", "skx::INST_RETIRED:period=3:freq=2", "skx::INST_RETIRED:precise=9", "skx::OFFCORE_RESPONSE_0",
         "skx::INST_RETIRED:c=999", "skx::INST_RETIRED:c=1:c=2", "skx::MEM_LOAD_RETIRED:L1_HIT:L1_MISS", "skx::INST_RETIRED:cpu=3",
         "skx::INST_RETIRED:cpu=99999999999", "r1c0", "page-faults", "L1-dcache-load-misses:u", "perf::cycles:h", "cycles:mg:k",
         "cycles:pinned", "cycles:hw_smpl", "cycles:excl:precise=2", "x" * 900]

#: libpfm4 lists the tracepoints of debugfs, and ours those of tracefs: neither sees any. Only root can read them.
WITHOUT_TRACEPOINTS = ["unshare", "--mount", "sh", "-c", 'umount /sys/kernel/tracing; exec "$@"', "sh"]
HAS_TRACEPOINTS = os.geteuid() == 0 and os.path.isdir("/sys/kernel/tracing/events")
tap = Tap()


def environment_of(compat):
    """For a program with libpfm4, or with the library of compat/."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("LIBPFM_", "LD_LIBRARY_PATH", "PMUQ_SYSROOT"))}
    return variables | ({"LD_LIBRARY_PATH": COMPAT} if compat else {})


def run(program, *arguments, compat, text="", **environment):
    """The output of a program."""
    command = WITHOUT_TRACEPOINTS * HAS_TRACEPOINTS + [program, *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=60,
                          env=environment_of(compat) | environment).stdout


def lines(*arguments, **options):
    return run(PRINT, *arguments, **options).splitlines()


def first_difference(ours, theirs):
    """(theirs, ours) of the first line that differs; or None."""
    pairs = list(zip(theirs, ours)) + [(f"{len(theirs)} lines", f"{len(ours)} lines")] * (len(ours) != len(theirs))
    return next((pair for pair in pairs if pair[0] != pair[1]), None)


def same(arguments, name, text="", **environment):
    theirs = lines(*arguments, compat=False, text=text, **environment)
    ours = lines(*arguments, compat=True, text=text, **environment)
    tap.ok(len(theirs) > 10, f"{name}: libpfm4 prints something")
    tap.same(first_difference(ours, theirs), None, f"{name}: the same as libpfm4")


def test_same():
    same(["misuse"], "wrong calls")
    for pmu in PMUS:
        same(["events", pmu], f"all events of {pmu}", **INACTIVE)
    same(["names"], "wrong names", text="\n".join(WRONG) + "\n", **INACTIVE)
    same(["names"], "names of other CPUs", text="skx::INST_RETIRED\nskx_unc_imc0::UNC_M_CAS_COUNT\ncore::X\n")


def test_helper():
    """The helper process has an empty environment: it loads libpfm4, and not the library that uses it."""
    arguments = ["--sysroot", str(MACHINES / "skylake-sp"), "encode", "--no-open", "--json", "skx::INST_RETIRED"]
    theirs, ours = (run(os.environ["PMUQ"], *arguments, compat=compat) for compat in (False, True))
    tap.ok("skx::INST_RETIRED:ANY_P" in theirs, "the command encodes with libpfm4", theirs)
    tap.same(ours, theirs, "the same if the command itself runs with LD_LIBRARY_PATH")


def test_pmus():
    theirs, ours = lines("pmus", compat=False), lines("pmus", compat=True)
    tap.same([line for line in theirs if line not in ours], [], "all PMUs of libpfm4, with its numbers")
    more = [line.split()[2] for line in ours if line not in theirs]
    sysfs = {path.name for path in pathlib.Path("/sys/bus/event_source/devices").iterdir()} if os.path.exists("/sys/bus/event_source") else set()
    tap.same(sorted(set(more) - sysfs), [], "all others are PMUs of sysfs")
    tap.ok("uprobe" not in sysfs or "uprobe" in more, "a PMU of sysfs that libpfm4 does not have is listed")


def encoded(name, machine="skylake-sp", layer="os 2 plm 8", **environment):
    """libpfm4's result and the rest of the line of that layer, with an attr that was zero."""
    output = lines("names", compat=True, text=name + "\n", PMUQ_SYSROOT=str(MACHINES / machine), **environment)
    found = [line.removeprefix(f"{name} {layer}: ") for line in output if line.startswith(f"{name} {layer}: ")]
    return found[0] if found else f"none in {output}"


def attr_of(printed):
    """The bytes of the attr that are not zero, without its size."""
    return " ".join(word for word in printed.split() if re.fullmatch(r"\d+:[0-9a-f]{2}", word) and word[:2] != "4:")


def test_own():
    # Of a captured machine: type (byte 0), config (8), exclude_kernel and exclude_hv (40), exclude_guest (42), config1 (56).
    for name, attr, full in [
            ("uncore_imc_0::cas_count_read", "0:11 8:04 9:03", "uncore_imc_0::cas_count_read"),
            ("uncore_imc_0/cas_count_read/", "0:11 8:04 9:03", "uncore_imc_0/cas_count_read/"),
            ("skx_unc_imc0::UNC_M_CAS_COUNT:RD", "0:11 8:04 9:03", "skx_unc_imc0::UNC_M_CAS_COUNT:RD:e=0:i=0:t=0:excl=0"),
            ("msr::tsc", "0:0b", "msr::tsc"),
            ("msr::tsc:cpu=1:pinned", "0:0b 40:04", "msr::tsc"),
            ("cpu::mem-loads:ldlat=30", "0:04 8:cd 9:01 40:60 42:10 56:1e", "cpu::mem-loads:ldlat=0x1e:u=1:k=0:h=0:mg=0:mh=1"),
            ("cpu::mem-loads:k:period=100:mg:mh", "0:04 8:cd 9:01 16:64 40:50 56:03", "cpu::mem-loads:u=0:k=1:h=0:period=100:mg=1:mh=1"),
            ("cpu/event=0x3c/", "0:04 8:3c 40:60 42:10", "cpu/event=0x3c/"),
            ("cpu/event=0x3c/k", "0:04 8:3c 40:50 42:10", "cpu/event=0x3c/k"),
            ("cpu/event=0x3c/G", "0:04 8:3c 40:60 42:08", "cpu/event=0x3c/G"),
            ("cycles:pp", "40:60 42:11", "cycles:pp"),
            ("INST_RETIRED:k", "0:04 8:c0 40:10 42:10", "skx::INST_RETIRED")]:
        printed = encoded(name)
        tap.same((printed.split(" ")[0], sorted(attr_of(printed).split()), full in printed), ("0", sorted(attr.split()), True),
                 f"{name} on a captured machine")
    tap.ok(" cpu 1 " in encoded("msr::tsc:cpu=1"), "the CPU of an own event")
    for name, result in [("uncore_imc_0::cas_count_read:u", -8), ("uncore_imc_0::nothing", -4), ("cpu::mem-loads:bogus=3", -8),
                         ("cpu::mem-loads:ldlat=99999999", -9), ("cpu::mem-loads:precise=7", -9), ("cpu::mem-loads:k:k", -10),
                         ("uncore_imc/cas_count_read/", -2), ("kprobe/func='x'/", -1), ("sched:nothing", -4), ("icx::INST_RETIRED", -4)]:
        tap.same(encoded(name), str(result), f"{name} is refused")
    tap.same(encoded("msr::tsc", layer="codes plm 8"), "-1", "an own event has no codes")
    tap.same(encoded("cpu/config2=0x1/", layer="os 1 plm 8"), "-12", "a field that an attr of 64 bytes does not have is refused")
    tap.ok(" 64:01 " in encoded("cpu/config2=0x1/"), "an attr with that field has it")
    printed = run(PRINT, "misuse-more", compat=True).splitlines()
    tap.same(printed, ["no attr: -2", "no attr: -2", "small attr: -12", "small attr: 0", "no names: 0", "tables: -1"],
             "calls that crash libpfm4, small attrs, and a check of tables that are not ours")
    for name in ("msr::tsc", "page-faults:u", "uncore_imc_0/cas_count_read/"):
        tap.same(encoded(name, PMUQ_PFM="/nonexistent")[:2], "0 ", f"{name} without libpfm4")
    tap.same(encoded("skx::INST_RETIRED", PMUQ_PFM="/nonexistent"), "-4", "a name of libpfm4 without libpfm4")
    hybrid = encoded("cpu-cycles:pp", machine="alderlake-hybrid-k6.12")
    tap.same(hybrid.split(" ")[0], "0", "on a hybrid machine the first core PMU")


def test_own_lists():
    printed = lines("events", "uncore_imc_free_running_0", "uncore_iio_free_running_0", compat=True, PMUQ_SYSROOT=str(MACHINES / "skylake-sp"))
    text = "\n".join(printed)
    tap.ok("bw_in_port0 | event=0xff,umask=0x20" in text, "the events of a PMU of sysfs are listed")
    tap.ok("0.0: event | config:0-7" in text and "2.3: cpu | the CPU to open it on" in text, "formats and modifiers are its attributes")


def tree_with_tracepoint(top):
    """A captured machine with one tracepoint and one PMU."""
    for path, text in {"bus/event_source/devices/tracepoint/type": "2", "bus/event_source/devices/software/type": "1",
                       "bus/event_source/devices/msr/type": "11", "bus/event_source/devices/msr/events/tsc": "event=0x00",
                       "bus/event_source/devices/msr/format/event": "config:0-63", "devices/system/cpu/online": "0-1",
                       "kernel/tracing/events/sched/sched_switch/id": "314"}.items():
        (top / "sys" / path).parent.mkdir(parents=True, exist_ok=True)
        (top / "sys" / path).write_text(text + "\n")
    return {"PMUQ_SYSROOT": str(top)}


def test_tracepoints():
    """As libpfm4 lists them if it can read debugfs: umasks of events of its PMU perf."""
    with tempfile.TemporaryDirectory() as top:
        tree = tree_with_tracepoint(pathlib.Path(top))
        names = ["sched:sched_switch", "tracepoint::sched:sched_switch", "perf::sched:sched_switch", "sched:sched_switch:k:period=3",
                 "sched:sched_switch:h", "sched:nothing", "perf::sched"]
        output = "\n".join(lines("names", compat=True, text="\n".join(names) + "\n", **tree))
        for name in names[:3]:
            tap.ok(f"{name} os 2 plm 8: 0 0:02 4:80 8:3a 9:01 perf::sched:sched_switch cpu -1 event sched" in output,
                   f"{name} is a tracepoint, in every mode", output)
            tap.ok(f"{name} codes plm 8: 0 0x13a perf::sched:sched_switch event sched" in output, f"{name} has its id as code", output)
        tap.ok("sched:sched_switch:k:period=3 os 2 plm 8: 0 0:02 4:80 8:3a 9:01 16:03 40:50 42:10 "
               "perf::sched:sched_switch:u=0:k=1:h=0:period=3:mg=0:mh=1 " in output, "a tracepoint with modifiers", output)
        tap.ok("sched:sched_switch:k:period=3 os 1 plm 8: -8" in output, "no modifiers of sampling in the layer without them", output)
        tap.ok("sched:sched_switch:h os 2 plm 8: -8" in output, "a tracepoint has no hypervisor", output)
        tap.ok("sched:nothing os 2 plm 8: -4" in output, "a tracepoint that does not exist", output)
        tap.ok("find perf::sched: 0 sched" in output and "perf::sched os 2 plm 8: -4" in output,
               "a subsystem alone is found, and not encoded", output)
        output = "\n".join(lines("events", "perf", compat=True, **tree))
        tap.ok("sched | tracepoints |  size" in output, "subsystems are listed")
        tap.ok("2.0: sched_switch | sched_switch |  code 13a type 1 " in output, "tracepoints are their umasks")
        tap.ok("2.1: u | " in output and "2.10: none" in output, "modifiers follow")
        tap.ok("perf::sched:sched_switch os 2 plm 8: 0 0:02" in output, "a listed tracepoint can be encoded by its name")
        output = lines("pmus", compat=True, **tree)
        tap.same([line.split()[2] for line in output if "present 1" in line and "type 3" in line],
                 ["perf", "perf_raw", "msr"], "the PMUs of that machine")


def test_threads():
    with tempfile.TemporaryDirectory() as top:
        printed = lines("threads", "page-faults", "msr::tsc", "skx::INST_RETIRED", "sched:sched_switch", "cpu-clock:u", compat=True,
                        **tree_with_tracepoint(pathlib.Path(top)), **INACTIVE)
    tap.same(printed, ["wrong: 0"], "several threads encode at the same time")


def test_memory():
    """One allocation fails, one of five in turn, or with PMUQ_ALL_CALLS=1 (scripts/thorough.sh) each: that call returns PFM_ERR_NOMEM,
    and all others return what they always do."""
    step = 1 if os.environ.get("PMUQ_ALL_CALLS") else 5
    names = "msr::tsc\nskx::INST_RETIRED\nsched:sched_switch\nmsr/event=1/\n"
    with tempfile.TemporaryDirectory() as top:
        environment = tree_with_tracepoint(pathlib.Path(top)) | INACTIVE
        walk = {**environment, "LD_PRELOAD": os.environ["PMUQ_MEMORY_WALK"], "MEMORY_PROGRAM": pathlib.Path(PRINT).name}
        usual = lines("names", compat=True, text=names, **environment)
        lines("names", compat=True, text=names, MEMORY_COUNT=f"{top}/count", **walk)
        n = int(pathlib.Path(top, "count").read_text())
        wrong = []
        for at in range(1, n + 1, step):
            printed = lines("names", compat=True, text=names, MEMORY_FAIL_AT=str(at), **walk)
            pairs = [pair for pair in zip(printed, usual) if pair[0] != pair[1]]
            # print_pfm also prints the name of the index that it got.
            wrong += [(at, *pair) for pair in pairs if not re.search(": -7( none)?$|event none$", pair[0])]
            wrong += [(at, f"{len(pairs)} calls failed")] if len(pairs) > 1 else []
            # Without memory in pfm_initialize() the program ends.
            wrong += [(at, "ended")] if len(printed) not in (0, len(usual)) else []
    tap.same(wrong[:3], [], f"a call without memory, {n} allocations by steps of {step}")


def built(name, directory):
    """libpfm4's example, built against its own header. The package does not have the header of the examples that includes <err.h>."""
    (directory / "perfmon").mkdir(exist_ok=True)
    (directory / "perfmon/err.h").write_text("#include <err.h>\n")
    program = directory / name
    subprocess.run([*CC, "-w", f"-I{directory}", EXAMPLES / f"{name}.c", "-lpfm", "-o", program], check=True)
    return program


def blocks(text):
    """What showevtinfo prints of each event, but its index: libpfm4's numbers have gaps where a table has an event of another model."""
    return {re.sub(r"^IDX.*\n", "", block) for block in text.split("#-----------------------------\n")[1:]}


def test_examples():
    if not EXAMPLES.is_dir():
        tap.skip("libpfm4's examples", "they are not installed")
        return
    with tempfile.TemporaryDirectory() as top:
        program = built("showevtinfo", pathlib.Path(top))
        theirs, ours = (run(program, compat=compat) for compat in (False, True))
        tap.same(sorted(blocks(theirs) - blocks(ours))[:1], [], "showevtinfo lists all events of libpfm4")
        ours = run(program, compat=True, PMUQ_SYSROOT=str(MACHINES / "skylake-sp"))
        tap.ok("\nPMU name : msr (" in ours and "\nName     : tsc\n" in ours, "showevtinfo lists PMUs of sysfs")
        program = built("check_events", pathlib.Path(top))
        names = ["skx::INST_RETIRED:u", "amd64_fam19h_zen3::RETIRED_INSTRUCTIONS", "perf::page-faults"]
        theirs, ours = (run(program, *names, compat=compat, **INACTIVE).partition("Requested Event")[2] for compat in (False, True))
        tap.ok("Codes          : 0x5100c0" in theirs, "check_events with libpfm4")
        tap.same(ours, theirs, "check_events encodes")


PMDA = pathlib.Path("/var/lib/pcp/pmdas/perfevent/pmdaperfevent")
PMDA_CONFIG = "[perf]\npage-faults cpu\nperf::cpu-clock cpu\nmsr::tsc 0\n"
#: The program adds the names of its metrics below the last one.
PMDA_NAMES = "root { perfevent }\nperfevent { version 127:0:0 hwcounters 127:*:* }\n"
PMDA_METRICS = "perfevent.hwcounters"


class Pmda:
    """PCP's program that counts what its configuration names, and dbpmda, which reads its metrics."""

    def __init__(self, top, compat):
        (top / "perfevent").mkdir(exist_ok=True)
        (top / "perfevent/perfevent.conf").write_text(PMDA_CONFIG)
        (top / "names").write_text(PMDA_NAMES)
        self.process = subprocess.Popen(["stdbuf", "-oL", "dbpmda", "-e", "-n", top / "names"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        env=environment_of(compat) | {"PCP_PMDAS_DIR": str(top)})
        self.send(f"open pipe {PMDA} -d 127 -U root -l {top}/log")

    def send(self, line):
        """The output, up to that of an unknown command."""
        self.process.stdin.write(f"{line}\nend-of-output\n")
        self.process.stdin.flush()
        output = ""
        while "end-of-output" not in output and (more := self.process.stdout.readline()):
            output += more
        return output

    def names(self):
        return set(re.findall(r"non-leaf (\S+)", self.send(f"children {PMDA_METRICS}")))

    def value(self, name):
        """The first value that is not zero. The program reads its counters once in a second."""
        end = time.monotonic() + 20
        values = []
        while time.monotonic() < end and not any(values):
            values = [int(value) for value in re.findall(r"\] value (\d+)", self.send(f"fetch {PMDA_METRICS}.{name}.value"))]
        return max(values, default=None)

    def end(self):
        self.process.communicate()


def test_pmdaperfevent():
    """PCP's daemon takes PMUs of sysfs in the section of its configuration that is for libpfm4, and counts them."""
    if not PMDA.exists() or not shutil.which("dbpmda") or os.geteuid() != 0:
        tap.skip("pmdaperfevent", "the package pcp is not installed, or root does not run the test")
        return
    with tempfile.TemporaryDirectory() as top:
        theirs, ours = (Pmda(pathlib.Path(top), compat) for compat in (False, True))
        known, names = theirs.names(), ours.names()
        tap.same(known, {"page_faults", "perf__cpu_clock"}, "pmdaperfevent with libpfm4")
        has_msr = os.path.exists("/sys/bus/event_source/devices/msr/events/tsc")
        tap.same(names, known | ({"msr__tsc"} if has_msr else set()), "pmdaperfevent also has an event of sysfs")
        for name in sorted(names - {"page_faults"}):
            tap.ok(ours.value(name), f"pmdaperfevent counts {name}")
        theirs.end()
        ours.end()


def test_debian():
    """Debian's programs, unchanged."""
    program = shutil.which("papi_native_avail")
    names = re.compile(r"^\| +(\S+::\S+|\S+) +\|$", re.M)
    theirs, ours = (run(program, compat=compat) if program else "" for compat in (False, True))
    if not names.findall(theirs):
        tap.skip("papi_native_avail", "it is not installed, or libpfm4 does not know this CPU, so that PAPI has no events")
        return
    tap.same(sorted(set(names.findall(theirs)) - set(names.findall(ours))), [], "papi_native_avail lists all events of libpfm4")


test_same()
test_helper()
test_pmus()
test_own()
test_own_lists()
test_tracepoints()
test_threads()
test_memory()
test_examples()
test_pmdaperfevent()
test_debian()
tap.finish()
