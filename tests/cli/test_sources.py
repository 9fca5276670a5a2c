#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""list events and show over all sources: files, generic events, the table of a CPU, libpfm4."""
import fcntl
import os
import pathlib
import pty
import shutil
import struct
import subprocess
import tempfile
import termios

from tap import PMUQ, Tap, machine, pmuq, printed_on

TREES = pathlib.Path(os.environ["PMUQ_VENDOR_TREES"])
TREE, HYBRID = machine("skylake-sp"), machine("alderlake-hybrid-k6.12")
OTHER_CPU = ["--vendor", "GenuineIntel-6-F0-1"]

tap = Tap()
directory = tempfile.TemporaryDirectory()
DIRECTORY = pathlib.Path(directory.name)
STATE = DIRECTORY / "state"
DB = str(STATE / "pmuq/pmuq.db")
BY_DEFAULT = {"XDG_STATE_HOME": str(STATE)}


def rows(*words, **how):
    result = pmuq(*words, **how)
    tap.same((result.status, result.stderr), (0, ""), " ".join(word for word in words if "/" not in word) or "list")
    return result.json["events"]


def prepare():
    """The test tables, with tables for the CPUs of two machines."""
    tree = DIRECTORY / "arch"
    shutil.copytree(TREES / "arch", tree)
    with open(tree / "x86/mapfile.csv", "a", encoding="ascii") as mapfile:
        mapfile.write("GenuineIntel-6-55-4,v7,testlake,core\nGenuineIntel-6-97-2,v7,hybridlake,core\n")
    names = [["cpu-cycles", "0x3c", "0"], ["CYCLES.AS_IN_MANUAL", "0x3c", "0"], ["LAST.ONE", "0x9", "0"]]
    (tree / "x86/testlake/more.json").write_text("[" + ",\n".join(
        f'{{"EventName": "{name}", "EventCode": "{code}", "UMask": "{umask}", "BriefDescription": "About {name}"}}'
        for name, code, umask in names) + "]")
    made = pmuq("--db", DB, "vendor", "import", "--no-libpfm4", str(tree))
    tap.ok(made.status == 0, "the trees are imported", made.stderr)


def kernel_alone():
    """Without an option for it no database is opened and no helper is started."""
    plain = pmuq(*TREE, "list", "events")
    tap.ok("SOURCE" in plain.text and "DEPRECATED" not in plain.text, "without a table there is no column for it", plain.text)
    files = pmuq(*TREE, "list", "events", "--from", "sysfs")
    tap.ok("SOURCE" not in files.text, "with one source there is no column for it", files.text)
    tap.same(pmuq(*TREE, "list", "events", env=BY_DEFAULT).text, plain.text, "a database that no option names is not used")
    broken = DIRECTORY / "broken/pmuq"
    broken.mkdir(parents=True)
    (broken / "pmuq.db").write_text("no database at all, whatever it is called")
    alone = DIRECTORY / "bin/pmuq"
    alone.parent.mkdir()
    shutil.copy(PMUQ, alone)
    env = os.environ | {"XDG_STATE_HOME": str(broken.parent)}
    done = subprocess.run([alone, *TREE, "list", "events"], capture_output=True, env=env, check=False)
    tap.same((done.returncode, done.stdout, done.stderr), (0, plain.out, b""), "a broken database and a missing helper have no effect")
    named = subprocess.run([alone, *TREE, "list", "events", "--from", "json"], capture_output=True, env=env, check=False)
    tap.ok(named.returncode == 4 and not named.stdout, "--from json opens the database", named.stderr.decode())
    listed = rows(*TREE, "list", "events", "-J", "-o", "PMU,EVENT,SOURCE,DEPRECATED,DESCRIPTION,STRING")
    tap.ok(all((row["deprecated"], row["description"]) == (False, None) for row in listed) and
           {row["source"] for row in listed} == {"sysfs", "generic"}, "-o prints the columns without a table")
    tap.ok(all(row["string"] == (f"{row['pmu']}/{row['event']}/" if row["source"] == "sysfs" else row["event"]) for row in listed),
           "strings are PMU/EVENT/, and the name of a generic event")


COLUMNS = "PMU,EVENT,TERMS,UNIT,SCALE,SOURCE,DEPRECATED,DESCRIPTION,TOPIC,PER_PKG,STRING"
WANTED = [
    {"pmu": "cpu", "event": "mem_load_retired.l3_miss", "terms": "event=0xd1,period=50021,umask=0x20", "unit": "", "scale": "1",
     "source": "json", "deprecated": False, "topic": "cache", "per_pkg": False, "string": "cpu/mem_load_retired.l3_miss/"},
    {"pmu": "cpu", "event": "uops.old", "terms": "event=9", "unit": "", "scale": "1", "source": "json", "deprecated": True,
     "topic": "pipeline", "per_pkg": False, "string": "cpu/uops.old/", "description": "Take the other one"},
    *[{"pmu": f"uncore_imc_{number}", "event": "unc_m_cas_count.rd", "unit": "Bytes", "scale": "64", "source": "json",
       "per_pkg": True, "topic": "uncore memory", "description": "Reads of memory"} for number in range(6)],
]


def tables():
    plain = rows(*TREE, "list", "events", "-J", "-o", COLUMNS)
    listed = rows(*TREE, "--db", DB, "list", "events", "-J", "-o", COLUMNS, *OTHER_CPU)
    tap.same([row for row in listed if row["source"] != "json"], plain, "events of the kernel are listed as without a table")
    table = [row for row in listed if row["source"] == "json"]
    for want in WANTED:
        found = [row for row in table if (row["pmu"], row["event"]) == (want["pmu"], want["event"])]
        tap.same([{key: row[key] for key in want} for row in found], [want], f"{want['pmu']}/{want['event']}/ is listed once")
    tap.ok(table[0]["pmu"] == "cpu" and "third level" in str([row["description"] for row in table]), "an event of the table has its description")
    tap.ok(not [row for row in table if row["event"].startswith(("unc_new", "dev_"))],
           "events of PMUs that the machine does not have are left out", table)
    usual = pmuq(*TREE, "--db", DB, "list", "events", *OTHER_CPU).text.splitlines()[0].split()
    tap.same(usual, ["PMU", "EVENT", "TERMS", "UNIT", "SCALE", "SOURCE", "DEPRECATED"], "with several sources the column is printed")
    every = {row["source"] for row in rows(*TREE, "--db", DB, "list", "events", "-J", "-o", "SOURCE", "--from", "all")}
    tap.ok({"sysfs", "generic", "json"} <= every, "--from accepts all sources", every)
    bare = pmuq(*TREE, "list", "events", "-n", "-o", "SOURCE", "--from", "all")
    tap.ok(bare.status == 0 and not bare.stderr and "json" not in bare.text and "generic" in bare.text,
           "--from all works without a database", bare.stderr)
    only = rows(*TREE, "--db", DB, "list", "events", "-J", "-o", COLUMNS, "--from", "json", *OTHER_CPU)
    tap.same(only, table, "--from json leaves the others out")
    tap.ok("SOURCE" not in pmuq(*TREE, "--db", DB, "list", "events", "--from", "json", *OTHER_CPU).text, "--from json is one source")
    for glob in ("MEM_LOAD*", "cpu/Mem_Load_Retired.*", "cpu/mem_load_retired.l3_miss/"):
        picked = rows(*TREE, "--db", DB, "list", "events", "-J", *OTHER_CPU, glob)
        tap.same([row["event"] for row in picked], ["mem_load_retired.l3_miss"], f"{glob} finds it")
    folded = pmuq(*TREE, "--db", DB, "list", "events", *OTHER_CPU, "--fold", "unc_m*").text.splitlines()
    tap.ok(len(folded) == 2 and folded[1].startswith("uncore_imc_[0-5]"), "sibling instances are one row", folded)


def of_itself():
    def sources(*words, **how):
        return sorted({row["source"] for row in rows(*words, "list", "events", "-J", "-o", "SOURCE", **how)})

    tap.same(sources(*TREE, "--db", DB), ["generic", "json", "sysfs"], "the database in --db has the table of the machine's CPU")
    tap.same(sources(*machine("zen3-epyc"), "--db", DB), ["generic", "sysfs"], "a database without a table for the CPU is not an error")
    auto = rows(*TREE, "list", "events", "-J", "--vendor", "auto", env=BY_DEFAULT)
    tap.same(auto, rows(*TREE, "--db", DB, "list", "events", "-J"), "--vendor auto uses the default database")
    named = rows(*TREE, "list", "events", "-J", "--from", "sysfs,json", env=BY_DEFAULT)
    tap.same(named, [row for row in auto if row["source"] != "generic"], "--from json uses the default database")
    tap.ok(pmuq(*TREE, "--db", DB, "scan", "--name", "skx").status == 0, "the machine is scanned")
    tap.same(rows("--db", DB, "--host", "skx", "list", "events", "-J"), auto, "a machine of the database gives the same list")
    hybrid = rows(*HYBRID, "--db", DB, "list", "events", "-J", "-o", "PMU,TERMS", "topdown.slots")
    tap.same(hybrid, [{"pmu": "cpu_atom", "terms": "event=0x73"}, {"pmu": "cpu_core", "terms": "event=0xa4,umask=1"}],
             "each core PMU of a hybrid machine has its own table")


def encoded():
    """Events of tables: where they come from, and those whose PMU this machine does not have."""
    def encode(string, *words):
        return pmuq("--db", DB, *words, "encode", "--jsonl", "--no-open", *OTHER_CPU, string).lines[0]

    of_table = encode("mem_load_retired.l3_miss", *TREE)["encodings"][0]
    tap.same(of_table["table"], {"name": "perf", "file": "x86/testlake", "version": "v1.2"}, "an encoding names the table of its event")
    tap.ok("table" not in encode("cpu-clock", *TREE)["encodings"][0], "an event of another source has none")
    absent = encode("unc_new.event", *TREE)["error"]
    tap.same((absent["code"], absent["message"]), ("PMUQ-030", "'unc_new.event' counts on the PMU 'uncore_newunit', which this machine does not have"),
             "the error names the PMU that the machine does not have")
    near = encode("unc_new.evnt", *TREE)["error"]
    tap.ok("unc_new.event" not in near.get("hint", ""), "an event of a PMU that the machine does not have is not proposed", near)
    core = encode("MEM_LOAD_RETIRED.L3_MISS", *machine("s390x-max"))["error"]
    tap.ok(core["code"] == "PMUQ-030" and "core PMU" in core["message"] and "virtual PMU" in core["hint"], "a machine without a core PMU is reported", core)
    missing = pmuq(*TREE, "encode", "--from", "sysfs,json,generic", "MEM_LOAD_RETIRED.L3_MISS").stderr
    tap.ok("pmuq vendor import perfmon" in missing, "without a table the hint has the commands to get one", missing)


def has_helper():
    return "PMUQ-160" not in pmuq(*TREE, "list", "events", "--from", "pfm", "cpu").stderr


def config_of(encoding):
    return int(encoding["attr"].get("config", "0"), 16)


def every_row(tree, name, sources):
    """The string of every row encodes to that event of that PMU, from that source."""
    listed = rows(*tree, "--db", DB, "list", "events", "-J", "-o", "PMU,EVENT,TERMS,SOURCE,STRING", "--from", ",".join(sources))
    tap.same(sorted({row["source"] for row in listed}), sorted(sources), f"{name}: all events are listed")
    by_string = {}
    for row in listed:
        by_string.setdefault((row["source"], row["string"]), []).append(row)
    wrong, n_queried = [], 0
    for source in sources:
        strings = [string for origin, string in by_string if origin == source]
        result = pmuq(*tree, "--db", DB, "encode", "--no-open", "--jsonl", "--from", source + ",format", "-f", "-",
                      stdin="\n".join(strings).encode())
        for string, line in zip(strings, result.lines):
            wanted = by_string[source, string]
            if not line["ok"]:
                # Files with a parameter cannot be encoded; nor can names of libpfm4 that need another umask.
                if not (source == "sysfs" and "=?" in wanted[0]["terms"] or source == "pfm" and not wanted[0]["terms"]):
                    wrong.append((string, line))
                continue
            n_queried += 1
            got = {encoding["pmu"] for encoding in line["encodings"]}
            wrong += [(string, "not on", row["pmu"]) for row in wanted if row["pmu"] not in got]
            wrong += [(string, encoding["source"]) for encoding in line["encodings"] if encoding["source"] != source]
            if source == "pfm" and not wanted[0]["terms"].split(",")[0].endswith("config=0x%x" % config_of(line["encodings"][0])):
                wrong.append((string, wanted[0]["terms"], line))
    tap.same(wrong[:3], [], f"{name}: the listed events can be encoded ({len(wrong)} cannot)")
    tap.ok(n_queried > 20, f"{name}: at least 20 listed events were encoded", n_queried)


def of_libpfm4():
    if not has_helper():
        tap.skip("events of libpfm4", "this build has no helper for them")
        return
    listed = rows(*TREE, "list", "events", "-J", "-o", "PMU,EVENT,TERMS,DESCRIPTION,STRING", "--from", "pfm",
                  "cpu/mem_load_retired:*", "uncore_imc_[05]/UNC_M_CAS_COUNT:RD")
    miss = [row for row in listed if row["event"] == "MEM_LOAD_RETIRED:L3_MISS"]
    tap.ok(len(miss) == 1 and miss[0]["terms"] == "config=0x20d1" and miss[0]["string"] == "skx::MEM_LOAD_RETIRED:L3_MISS" and
           "missed the L3" in miss[0]["description"], "each umask of libpfm4 is a row with its bits", miss)
    instances = [(row["pmu"], row["terms"], row["string"]) for row in listed if row["pmu"] != "cpu"]
    tap.same(instances, [(f"uncore_imc_{number}", "config=0x304", "skx_unc_imc::UNC_M_CAS_COUNT:RD") for number in (0, 5)],
             "instances have the libpfm4 events of their family")
    both = pmuq(*TREE, "list", "events", "--from", "sysfs,pfm", "cpu").text.splitlines()[0]
    tap.ok("SOURCE" in both, "files and libpfm4 are two sources", both)
    every_row(TREE, "libpfm4's", ["pfm"])


def cpu_of_libpfm4():
    if not has_helper():
        tap.skip("a CPU that libpfm4 does not know", "this build has no helper for it")
        return
    for source in ("pfm", "all"):
        unknown = pmuq(*machine("arm64-biglittle"), "list", "events", "-J", "--from", source)
        found = {(row["pmu"], row["string"]) for row in unknown.json["events"] if row["source"] == "pfm"}
        tap.ok("libpfm4 does not know this CPU (0x00000000411fd070)" in unknown.stderr and unknown.status == 0,
               f"--from {source}: a note about a CPU that is not in pmuq's list for libpfm4", unknown.stderr)
        tap.ok({("armv8_cortex_a53", "perf::INSTRUCTIONS"), ("software", "perf::PAGE-FAULTS")} <= found and
               all(string.startswith("perf::") for _, string in found), f"--from {source}: it has libpfm4's names for generic events", found)
    known = pmuq(*TREE, "list", "events", "--from", "all")
    tap.ok(known.status == 0 and not known.stderr, "no note about a CPU that libpfm4 knows", known.stderr)


def wrong():
    for words, status, message in [
            (["list", "--vendor", "auto"], 2, "`list events`"), (["list", "formats", "--from", "pfm"], 2, "`list events`"),
            (["list", "events", "--from", "format"], 2, "sysfs, generic, pfm, json, all"),
            (["list", "events", "--from", "jsn"], 2, "'json'"),
            (["--db", DB, "list", "events", "--vendor", "GenuineIntel-6-1-1"], 1, "PMUQ-156"),
            (["--db", DB, "show", "--vendor", "GenuineIntel-6-1-1", "cycles"], 1, "PMUQ-156"),
            (["show", "--vendr", "auto", "cycles"], 2, "'--vendor'")]:
        result = pmuq(*TREE, *words)
        tap.ok((result.status, result.out) == (status, b"") and message in result.stderr,
               f"{' '.join(word for word in words if word != DB)}: {status}", result.status, result.stderr)


def on_wide_terminal(columns):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
    env = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    with subprocess.Popen([PMUQ, *TREE, "--db", DB, "list", "events", "--no-pager", "uops.*"], stdout=slave,
                          env=env | {"TERM": "dumb"}) as running:
        os.close(slave)
        text = b"".join(printed_on(master))
        running.wait(timeout=60)
    os.close(master)
    return text.decode().replace("\r", "")


def wide():
    text = on_wide_terminal(200)
    tap.ok("DESCRIPTION" in text and "Take the other one" in text, "a wide terminal shows descriptions", text)
    tap.ok("DESCRIPTION" not in on_wide_terminal(120), "a narrow terminal does not show descriptions")


def show(*words, tree=TREE):
    result = pmuq(*tree, "--db", DB, "show", *words)
    tap.same((result.status, result.stderr), (0, ""), f"show {' '.join(words)}")
    return result.text


def same_as(text):
    """The names after "same as", with their sources; names of libpfm4 only if it is installed."""
    return [name for name in all_same(text) if not name.endswith("(pfm)")]


def all_same(text):
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("  same as  "):
            found = [line[11:]]
            for more in lines:
                if not more.startswith(" " * 11):
                    break
                found.append(more[11:])
            return found
    return []


def shown():
    miss = show("MEM_LOAD_RETIRED.L3_MISS:u")
    for words in ("about    Loads that missed the third level", "Retired loads of which at least one byte", "topic    cache",
                  "attr     size=64 config=0x20d1 exclude_kernel=1 exclude_hv=1", "source   json, x86/testlake/cache.json v7, perf",
                  "terms    event=0xd1,period=50021,umask=0x20"):
        tap.ok(words in miss, f"show of an event of a table prints: {words}", miss)
    tap.ok(max(map(len, miss.splitlines())) <= 80, "show of an event of a table fits 80 columns", miss)
    tap.ok("PMUQ-097" in show("uops.old"), "a deprecated event is marked")
    tap.same(same_as(show("uops.old")), ["last.one (json)"], "a table may have two names for one event")
    reads = show("unc_m_cas_count.rd")
    tap.ok("uncore_imc_[0-5], types 17-22" in reads and "1 count = 64 Bytes" in reads, "sibling instances are one block", reads)
    tap.same(same_as(reads), ["cas_count_read (sysfs)"], "show of a table's event prints the machine's name")
    tap.same(same_as(show("cas_count_read")), ["unc_m_cas_count.rd (json)"], "show of the machine's event prints the table's name")
    tap.same(same_as(show("cycles")), ["cpu-cycles (sysfs)", "cpu-cycles (json)", "cycles.as_in_manual (json)"],
             "show of a generic event prints the file of that name")
    tap.same(same_as(show("cycles.as_in_manual")), ["cpu-cycles (sysfs)", "cycles (generic)", "cpu-cycles (json)"],
             "show of a table's event prints the generic event")
    tap.same(same_as(show("cpu/event=0x3c/")), ["cpu-cycles (sysfs)", "cycles (generic)", "cpu-cycles (json)",
                                                "cycles.as_in_manual (json)"], "show of terms prints the names of their bits")
    tap.same(same_as(pmuq(*TREE, "show", "cpu/cpu-cycles/").text), ["cycles (generic)"], "without a table show prints the other names")
    tap.same(same_as(show("cpu/cpu-cycles,inv/")), [], "an event with other bits has no other name")
    tap.same(same_as(show("cpu_core/topdown-bad-spec/", tree=HYBRID)), [], "an event with another term has no other name")
    slots = show("cpu_core/topdown.slots/", tree=HYBRID)
    tap.ok("also on  cpu_atom\n" in slots, "the other PMUs of the table's event are listed", slots)
    opens = [line for line in pmuq("show", "cpu-clock").text.splitlines() if line.startswith("  kernel   ")]
    tap.ok(len(opens) == 1 and opens[0][11:].startswith(("opens it for ", "refuses: ")), "show of an event of this machine prints the open result", opens)
    unknown = pmuq(*TREE, "show", "uops.old")
    tap.ok(unknown.status == 1 and "there is no PMU" in unknown.stderr, "without its table the event is unknown", unknown.stderr)
    swapped = pmuq(*TREE, "show", "uncore_icm_0")
    tap.ok("did you mean 'uncore_imc_0'?" in swapped.stderr, "two swapped letters count as one mistake", swapped.stderr)
    own, other = (pmuq(*TREE, "--db", DB, "encode", string).stderr for string in ("uncore_imc_0/unc_m_cas_count.rf/", "cpu/unc_m_cas_count.rf/"))
    tap.ok("did you mean 'unc_m_cas_count.rd'?" in own and "did you mean" not in other, "a hint names a table's events of that PMU alone", own, other)
    near = pmuq(*TREE, "--db", DB, "show", "mem_load_retird.l3_miss")
    tap.ok(near.status == 1 and "did you mean 'mem_load_retired.l3_miss'" in near.stderr, "an event with a similar name is proposed", near.stderr)


def shown_of_libpfm4():
    if not has_helper():
        tap.skip("show of a name of libpfm4", "this build has no helper for them")
        return
    miss = show("skx::MEM_LOAD_RETIRED:L3_MISS:u")
    for words in ("about    Retired load uops", "L3_MISS: Retired load uops which missed the L3", "source   pfm",
                  "in full  skx::MEM_LOAD_RETIRED:L3_MISS:", "config=0x20d1 exclude_kernel=1"):
        tap.ok(words in miss, f"show of a name of libpfm4 prints: {words}", miss)
    tap.same(same_as(miss), ["mem_load_retired.l3_miss (json)"], "show of a name of libpfm4 prints the table's name")
    tap.ok("skx::MEM_LOAD_RETIRED:L3_MISS (pfm)" in all_same(show("mem_load_retired.l3_miss")), "show of the machine's event prints the table's name")
    tap.same(all_same(pmuq(*machine("unknown-intel"), "show", "cpu/cpu-cycles/").text), ["cycles (generic)"],
             "a CPU that is not in pmuq's list for libpfm4 has no names")
    tap.ok("about    Retired load uops" in show("pfm:MEM_LOAD_RETIRED:L3_MISS"), "the prefix pfm: is accepted")
    halved = pmuq(*TREE, "show", "MEM_LOAD_RETIRED")
    tap.ok(halved.status == 1 and "PMUQ-166" in halved.stderr and "L3_MISS" in halved.stderr and "PMU called" not in halved.stderr,
           "the error for a missing umask lists the umasks", halved.stderr)


prepare()
kernel_alone()
tables()
of_itself()
encoded()
every_row(TREE, "files, generic, table", ["sysfs", "generic", "json"])
every_row(HYBRID, "hybrid", ["sysfs", "generic", "json"])
of_libpfm4()
cpu_of_libpfm4()
wrong()
wide()
shown()
shown_of_libpfm4()
tap.finish()
