#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `pmuq complete` offers: lines on captured machines; it prints no errors and changes nothing; it offers every name
that `list` prints. test_shells.py tests the shells."""
import os
import pathlib
import re
import tempfile

from tap import MACHINES, PMUQ, Tap, machine, machine_names, pmuq

SKX, BIG = machine("skylake-sp"), machine("big-uncore-k6.12")
tap = Tap()

# (words before the cursor, the word at the cursor, all offers); "…" at the end: there are more.
TABLE = [
    # the command and its options
    ([], "enc", ["encode"]),
    ([], "ex", ["explain", "export"]),
    ([], "--ver", ["--version", "--verbose"]),
    (["encode"], "--no-o", ["--no-open"]),
    (["encode"], "--all", ["--all-hosts", "--all-hosts="]),
    (["list"], "-J", ["-J"]),
    (["encode"], "--json=x", []),
    (["encode", "--"], "--no", []),
    (["nosuch"], "", []),
    (["nosuch"], "--", []),
    # arguments of options
    (["--color"], "a", ["auto", "always"]),
    ([], "--color=n", ["--color=never"]),
    (["encode", "--dialect"], "", ["pmuq", "perf"]),
    (["encode", "--preset"], "r", ["record"]),
    (["diff", "--weight"], "m", ["meaning"]),
    (["encode", "--from"], "sysfs,ra", ["sysfs,raw"]),
    (["list", "--from"], "", ["all", "sysfs", "generic", "pfm", "json"]),
    ([*SKX, "encode", "--vendor"], "", ["GenuineIntel-6-55-4", "auto"]),
    (["check", "--count"], "cycles:pp", ["cycles:ppu", "cycles:ppk", "…"]),
    (["check", "-p"], "", []),
    (["list", "-o"], "NA", ["NAME"]),
    (["list", "-o"], "na", ["name"]),
    (["list"], "-oTYPE,CP", ["-oTYPE,CPUS", "-oTYPE,CPUMASK", "-oTYPE,CPUS_FILE"]),
    (["list", "-o"], "+AL", ["+ALIAS"]),
    (["list", "formats", "-o"], "F", ["FORMAT"]),
    (["hosts", "-o"], "KE", ["KERNEL"]),
    (["list", "-o"], "TYPE,cpus,CP", ["TYPE,cpus,CPUMASK", "TYPE,cpus,CPUS_FILE"]),
    (["list", "events", "-o"], "PMU,PM", []),
    (["list", "-o"], "+ALIAS,AL", []),
    (["encode", "--from"], "raw,ra", []),
    # usage lines
    (["list"], "", ["pmus", "events", "tracepoints", "formats", "facts", "metrics", "metricgroups", "problems"]),
    (["search", "--from"], "t", ["tracepoint"]),
    ([*SKX, "list", "pmus"], "uncore_m2m", ["uncore_m2m_0", "uncore_m2m_1"]),
    (["vendor"], "", ["import", "list", "remove"]),
    (["vendor", "list"], "", []),
    (["vendor", "remove", "a"], "", []),
    (["help"], "PMUQ-00", ["PMUQ-001", "…"]),
    (["help"], "che", ["check"]),
    (["help", "check"], "PMUQ-034", ["PMUQ-034"]),
    (["search"], "l3", []),
    # names of events
    ([*SKX, "encode"], "cpu", ["cpu/", "cpu-clock", "…"]),
    ([*SKX, "encode"], "uncore_imc", ["uncore_imc/"]),
    ([*SKX, "encode"], "uncore_imc_", [f"uncore_imc_{i}/" for i in range(6)]),
    ([*SKX, "show"], "uncore_imc_5", ["uncore_imc_5", "uncore_imc_5/"]),
    ([*SKX, "encode"], "mem-s", ["mem-stores"]),
    ([*SKX, "encode"], "L1-dcache-st", ["L1-dcache-stores", "L1-dcache-store-misses"]),
    ([*SKX, "encode"], "cycles,mem-s", ["cycles,mem-stores"]),
    # without a core PMU only software events can be opened
    ([*machine("s390x-max"), "encode"], "branch-mi", []),
    ([*machine("s390x-max"), "encode"], "page-f", ["page-faults"]),
    ([*SKX, "encode", "cycles"], "mem-s", ["mem-stores"]),
    ([*SKX, "hosts", "--with"], "mem-s", ["mem-stores"]),
    # terms
    ([*SKX, "encode"], "cpu/ev", ["cpu/event="]),
    ([*SKX, "encode"], "cpu/event=0x3c,um", ["cpu/event=0x3c,umask="]),
    ([*SKX, "encode"], "cpu/umask=0x3c,um", []),
    ([*SKX, "encode"], "cpu/event=0x", []),
    ([*SKX, "encode"], "cpu/event=", []),
    ([*SKX, "encode"], "cpu/mem-lo", ["cpu/mem-loads/"]),
    ([*SKX, "encode"], "cpu/umask=1,mem-lo", []),
    ([*SKX, "encode"], "cpu/event=1,ed", ["cpu/event=1,edge,", "cpu/event=1,edge/"]),
    ([*SKX, "encode"], "cpu/event=1,in", ["cpu/event=1,in_tx", "cpu/event=1,in_tx_cp", "cpu/event=1,inv", "cpu/event=1,inherit="]),
    ([*SKX, "encode"], "cpu/no-inh", ["cpu/no-inherit,", "cpu/no-inherit/"]),
    ([*SKX, "encode"], "cpu/config1=1,na", ["cpu/config1=1,name="]),
    ([*SKX, "encode"], "uncore_imc/cas_count_r", ["uncore_imc/cas_count_read/"]),
    ([*SKX, "encode"], "uncore_imc_[0-3]/cas_count_r", ["uncore_imc_[0-3]/cas_count_read/"]),
    ([*SKX, "encode"], "imc/cas_count_r", ["imc/cas_count_read/"]),
    ([*SKX, "encode"], "nosuch/ev", []),
    ([*SKX, "encode"], "nosuch/na", []),
    ([*SKX, "encode"], "cpu/name='a.b',ev", ["cpu/name='a.b',event="]),
    ([*SKX, "encode"], "uprobe/path='/bin/ls',off", ["uprobe/path='/bin/ls',offset="]),
    ([*SKX, "encode"], "cpu/nosuch=1,ev", []),
    ([*SKX, "encode"], "nosuch,cycl", []),
    ([*SKX, "encode"], "cpu/event=0x3c", ["cpu/event=0x3c,", "cpu/event=0x3c/"]),
    ([*SKX, "encode"], "cpu/event=mem-l", ["cpu/event=mem-loads,", "cpu/event=mem-loads/"]),
    ([*SKX, "encode"], "cpu/branch_type=ind", ["cpu/branch_type=ind_call", "cpu/branch_type=ind_jmp"]),
    ([*SKX, "encode"], "cpu/ratio", ["cpu/ratio-to-prev="]),
    ([*SKX, "encode"], "cpu/instr", ["cpu/instructions/"]),
    # a generic event takes the terms of the PMU that counts it
    ([*SKX, "encode"], "cycles/um", ["cycles/umask="]),
    ([*SKX, "encode"], "cycles/", ["cycles/any", "cycles/cmask=", "…"]),
    ([*machine("alderlake-hybrid-k6.12"), "encode"], "L1-dcache-loads/um", ["L1-dcache-loads/umask="]),
    ([*machine("s390x-max"), "encode"], "page-faults/pe", ["page-faults/period=", "page-faults/percore="]),
    ([*machine("arm64-biglittle"), "encode"], "CCI_400_r1/si_rrq_hs_any", ["CCI_400_r1/si_rrq_hs_any,"]),
    ([*machine("arm64-biglittle"), "encode"], "CCI_400_r1/si_rrq_hs_any,", ["CCI_400_r1/si_rrq_hs_any,source="]),
    ([*machine("arm64-biglittle"), "encode"], "si_rrq_hs_any", ["si_rrq_hs_any/"]),
    ([*machine("alderlake-hybrid-k6.12"), "encode"], "cpu_atom/mem-st", ["cpu_atom/mem-stores/"]),
    ([*machine("arm64-biglittle"), "encode"], "armv8_cortex_a53/cpu_c", ["armv8_cortex_a53/cpu_cycles/"]),
    # modifiers
    ([*SKX, "encode"], "cpu/mem-loads/", ["cpu/mem-loads/u", "cpu/mem-loads/k", "…"]),
    ([*SKX, "encode"], "cycles:ukhGHIPSDebRX", ["cycles:ukhGHIPSDebRXp"]),
    ([*SKX, "encode"], "cycles:ukhGHIPSDebRXpp", ["cycles:ukhGHIPSDebRXppp"]),
    ([*SKX, "encode"], "cycles:ukhGHIPSDebRXppp", []),
    ([*SKX, "encode"], "{cycles:ukhGHIPSDebRXppp", ["{cycles:ukhGHIPSDebRXppp,", "{cycles:ukhGHIPSDebRXppp}"]),
    ([*SKX, "encode"], "cpu/nosuch/", []),
    ([*SKX, "encode"], "mem:0x1:rw:ukhGHIPSDebRXpp", ["mem:0x1:rw:ukhGHIPSDebRXppp"]),
    ([*SKX, "encode"], "mem:0x1:zz:", []),
    ([*SKX, "encode"], "mem:x1:", []),
    ([*SKX, "encode"], "cycles:u?", []),
    ([*SKX, "encode"], "mem-loads:", ["mem-loads:u", "mem-loads:k", "…"]),
    ([*SKX, "encode"], "r1a8:", ["r1a8:u", "r1a8:k", "…"]),
    ([*SKX, "encode"], "{cycles,instructions:", ["{cycles,instructions:u", "{cycles,instructions:k", "…"]),
    ([*SKX, "encode"], "xyz:", []),
    ([*SKX, "encode"], "mem:", []),
    ([*SKX, "encode"], ":", []),
    ([*machine("core2-merom"), "encode"], "sched:", []),
    ([*SKX, "encode"], "{cycles}:ukhGHIPSDebRXppp", ["{cycles}:ukhGHIPSDebRXpppW"]),
    # groups
    ([*SKX, "encode"], "{cycles,mem-s", ["{cycles,mem-stores,", "{cycles,mem-stores}"]),
    ([*SKX, "encode"], "{cycles,cpu/ev", ["{cycles,cpu/event="]),
    ([*SKX, "encode"], "{cycles}", ["{cycles}", "{cycles}:"]),
    ([*SKX, "encode"], "{cycles},mem-s", ["{cycles},mem-stores"]),
    # machines that do not exist
    (["--sysroot", "/nosuch", "encode"], "cpu/ev", []),
    (["--host", "nosuch", "--db", "/nosuch/db", "encode"], "mem-s", []),
    (["--db", "/nosuch/db", "--host"], "liv", ["live"]),
    # A word that contains a newline cannot be continued: a line is a word.
    ([*SKX, "encode"], "cycles,\n", []),
]


def offered(*words, **how):
    result = pmuq("complete", "--", *words, **how)
    return result, [line.split("\t")[0] for line in result.out.decode(errors="surrogateescape").splitlines()]


def table():
    for before, word, want in TABLE:
        result, got = offered(*before, word)
        name = " ".join([*before, f"{word}|"]).replace(str(MACHINES), "…")
        if want and want[-1] == "…":
            tap.ok(len(got) > len(want) - 1 and got[:len(want) - 1] == want[:-1], name, f"got {got!r}", f"want {want!r}")
        else:
            tap.same(got, want, name)
        tap.ok(result.status == 0 and not result.err, "… and prints no error", result.stderr)


def store(work):
    db = ["--db", str(work / "hosts.db")]
    for name in ("skylake-sp", "icelake-sp-k6.12"):
        pmuq(*machine(name), "scan", "--name", name, *db)
    before = (work / "hosts.db").read_bytes()
    for words, want in (
            ([*db, "--host", "sk"], ["skylake-sp"]),
            ([*db, "--host", "skylake-sp@"], ["skylake-sp@1"]),
            ([*db, "--host", "icelake-sp-k6.12@"], ["icelake-sp-k6.12@2"]),
            ([*db, "hosts", ""], ["icelake-sp-k6.12", "skylake-sp"]),
            ([*db, "forget", "icelake-sp-k6.12@"], ["icelake-sp-k6.12@2"]),
            ([*db, "diff", "icel"], ["icelake-sp-k6.12"]),
            ([*db, "hosts", "--rename", "icel"], ["icelake-sp-k6.12"]),
            ([*db, "--host", "skylake-sp", "encode", "cpu/ev"], ["cpu/event="]),
            ([*db, "--host=skylake-sp@1", "encode", "cpu/ev"], ["cpu/event="]),
            ([*db, "encode", "--host", "skylake-sp", "uncore_imc/cas_count_r"], ["uncore_imc/cas_count_read/"]),
            ([*db, *SKX, "decode", "--vendor", "Genu"], ["GenuineIntel-6-55-4", "GenuineIntel-6-6A-6"]),
    ):
        tap.same(sorted(offered(*words)[1]), want, " ".join(words[2:]) + "|")
    tap.same((work / "hosts.db").read_bytes(), before, "the database does not change")
    tap.same(sorted(path.name for path in work.iterdir()), ["hosts.db"], "the database has no other files next to it")
    names = offered(*db, "--host", "skylake-sp", "encode", "")[1]
    tap.same(names, offered(*SKX, "encode", "")[1], "the offers for a snapshot are those for its machine")


def files(work):
    for name in ("a.yaml", "a b", ".hidden", "bad\nname", "c1\u009b", "latin\udce9"):
        (work / name).touch()
    (work / "deep").mkdir()
    (work / "link").symlink_to(work / "deep")
    here = str(work)
    for words, want in (
            (["import", f"{here}/"], ["a b", "a.yaml", "deep/", "link/"]),
            (["import", f"{here}/."], [".hidden"]),
            (["import", f"{here}/a.yaml", f"{here}/d"], ["deep/"]),
            (["vendor", "import", f"{here}/"], ["deep/", "link/"]),
            (["export", "--output", f"{here}/a.y"], ["a.yaml"]),
            (["--sysroot", f"{here}/dee"], ["deep/"]),
            (["check", "--cgroup", f"{here}/"], ["deep/", "link/"]),
            (["encode", "-f", f"{here}/nosuch/"], []),
    ):
        got = [path.removeprefix(here + "/") for path in offered(*words)[1]]
        tap.same(got, want, " ".join(words).replace(here, "…") + "|")
    tap.same(offered("import", "~/a.y", env={"HOME": here})[1], ["~/a.yaml"], "a tilde is not expanded")
    (work / "dashes").mkdir()
    (work / "dashes/-x").touch()
    for words, want in ((["import", ""], ["./-x"]), (["import", "--", ""], ["-x"]), (["encode", "--file", ""], ["-x"]), (["encode", "--file="], ["--file=-x"])):
        tap.same(offered(*words, cwd=work / "dashes")[1], want, " ".join(words) + "|, a file that would be an option")
    tap.same(offered("import", "a.y", cwd=work)[1], ["a.yaml"], "a name without a slash is a file of this directory")


def abuse():
    for name, word in (("128 KiB", "x" * ((1 << 17) - 1)), ("slashes", "/" * 50000), ("braces", "{" * 50000), ("commas", "cpu/" + "," * 50000),
                       ("colons", ":" * 50000), ("globs", "cpu/" + "*[" * 2000), ("glob PMU", "*[" * 2000 + "/x"), ("control", "cpu/\x1b[31m\x07"),
                       ("no UTF-8", b"cpu/\xff\xfe"), ("percent", "%s%n"), ("quotes", "'\"\\"), ("dashes", "-" * 1000), ("equals", "--=x"), ("", "--sysroot=")):
        for before in ([*SKX, "encode"], [*SKX], [*SKX, "list", "-o"], [*SKX, "--host"]):
            result, got = offered(*before, word)
            tap.ok(result.status == 0 and not result.err and all(ord(c) >= 32 for text in got for c in text),
                   f"{name} after {before[2:] or 'nothing'}", str(result.status), result.stderr, str(got)[:200])
    # execve(2) limits a word to 128 KiB: a MiB of words.
    result, got = offered(*SKX, "encode", *["cycles" * 20000] * 8, "cpu/ev")
    tap.same((result.status, got), (0, ["cpu/event="]), "a MiB of words before the cursor")
    result, got = offered(*SKX, "--nosuch", "--no=1", "-Q", "encode", "--nosuch", "cpu/ev")
    tap.same(got, ["cpu/event="], "unknown options are ignored")
    result = pmuq("complete")
    tap.ok(result.status == 2 and "after --" in result.stderr, "complete without words is a usage error", result.stderr)
    tap.ok("shells" in pmuq("complete", "--help").text, "complete has a help text")
    with open("/dev/full", "wb") as full:
        tap.same(pmuq("complete", "--", "", stdout=full).status, 4, "the status is 4 if the output cannot be written")


def all_names():
    for name in machine_names():
        at = machine(name)
        want = pmuq(*at, "list", "-rn", "-o", "NAME").text.split()
        got = offered(*at, "show", "")[1]
        tap.same([word for word in got if word in set(want)][:len(want)], want, f"{name}: the PMUs of the list, in its order")
        # A bare word can be a raw event instead of a name: "read" is r and the digits ead.
        events = {event for event in pmuq(*at, "list", "events", "-rn", "-o", "EVENT").text.split()
                  if not re.fullmatch("r[0-9a-f]{1,16}", event)}
        missing = events - set(offered(*at, "encode", "")[1])
        tap.same(missing, set(), f"{name}: all events of the list")
        tap.same(len(got), len(set(got)), f"{name}: each event is offered once")


def instances(directory):
    """Instances have the events of the first; core PMUs have numbers, but are of different CPUs."""
    devices = directory / "sys/bus/event_source/devices"
    for number, (pmu, event) in enumerate((("armv8_pmuv3_0", "big"), ("armv8_pmuv3_1", "little"), ("imc_0", "load"), ("imc_1", "load"), ("imc_1", "odd"))):
        (devices / pmu / "events").mkdir(parents=True, exist_ok=True)
        (devices / pmu / "events" / event).write_text("config=1\n")
        (devices / pmu / "type").write_text(f"{number + 8}\n")
        if pmu[:3] == "arm":
            (devices / pmu / "cpus").write_text(f"{number}\n")
    got = offered("--sysroot", str(directory), "encode", "")[1]
    tap.same([word for word in got if word in ("big", "little", "load", "odd")], ["big", "little", "load"], "events of both core PMUs, and of one instance")


def agrees_with_encode():
    """Each complete event that is offered can be encoded."""
    whole = [word for word in offered(*SKX, "encode", "")[1] if word[-1] not in "/:"]
    whole += [word for pmu in ("cpu", "uncore_imc", "power") for word in offered(*SKX, "encode", f"{pmu}/")[1] if word[-1] == "/"]
    result = pmuq(*SKX, "encode", "--no-open", "--jsonl", "--", *whole)
    wrong = [line["input"] for line in result.lines if not line["ok"]]
    tap.ok(len(whole) > 60, f"{len(whole)} events are offered")
    tap.same(wrong, [], "encode accepts the offered events")


table()
with tempfile.TemporaryDirectory() as directory:
    store(pathlib.Path(directory))
with tempfile.TemporaryDirectory() as directory:
    files(pathlib.Path(directory))
abuse()
with tempfile.TemporaryDirectory() as directory:
    instances(pathlib.Path(directory))
all_names()
agrees_with_encode()
tap.finish()
