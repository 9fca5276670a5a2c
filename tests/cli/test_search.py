#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""search in all sources: the machine's events, the table of its CPU, names of libpfm4, and imported tables of other CPUs."""
import json
import operator
import os
import pathlib
import shutil
import subprocess
import tempfile

import database
from tap import MACHINES, PMUQ, Tap, machine, pmuq

TREES = pathlib.Path(os.environ["PMUQ_VENDOR_TREES"])
HAS_PFM = "libpfm4: not found" not in pmuq("--version", "-v").text

tap = Tap()
directory = tempfile.TemporaryDirectory()
DIRECTORY = pathlib.Path(directory.name)
DB = str(DIRECTORY / "search.db")


def search(name, *words, db=None):
    return pmuq(*machine(name), *(["--db", db] if db else []), "search", *words)


def rows(name, *words, db=None):
    result = search(name, "-J", *words, db=db)
    tap.ok(result.status in (0, 1) and (result.status == 0) == bool(result.json["events"]),
           f"{name}: search {' '.join(words)}", result.status, result.stderr)
    return result.json["events"]


def own_machine():
    """A Skylake-SP with the cpuid of the test tables."""
    target = DIRECTORY / "testlake"
    shutil.copytree(MACHINES / "skylake-sp", target, symlinks=True)
    path = target / "proc/cpuinfo"
    path.chmod(0o644)
    path.write_text(path.read_text().replace("model\t\t: 85\n", "model\t\t: 240\n"))
    return str(target)


# ------------------------------------------------------------------------------------- no database

def without_database():
    found = rows("skylake-sp", "--from", "sysfs", "mem", "loads")
    tap.same([(row["source"], row["here"], row["pmu"], row["event"], row["string"], row["terms"], row["match"])
              for row in found],
             [("sysfs", True, "cpu", "mem-loads", "cpu/mem-loads/", "event=0xcd,umask=0x1,ldlat=3", "name")],
             "a file of the machine is found")
    found = rows("skylake-sp", "--from", "sysfs", "cas_count_read")
    tap.same([(row["pmu"], row["string"]) for row in found], [("uncore_imc_[0-5]", "uncore_imc/cas_count_read/")],
             "instances with the same event are one row")
    found = rows("skylake-sp", "--from", "generic", "branch", "misses")
    tap.same(found[0]["event"] if found else None, "branch-misses", "generic events are found by any form of a word")
    tap.same({row["source"] for row in rows("skylake-sp", "--from", "sysfs,generic", "cycles")}, {"sysfs", "generic"},
             "--from selects sources")
    for words in (["cycles"], ["Branch", "Misses"], ["topdown", "slots", "issued"]):
        found = rows("skylake-sp", *words)
        tap.same(found[0]["event"] if found else None, "-".join(words).lower(), "the event with exactly this name is the first")
    found = rows("skylake-sp", "--from", "sysfs", "mem", "zebra")
    tap.ok(found and {row["match"] for row in found} == {"any"}, "if no event has all words, events with some are found", found)
    tap.ok(not [row for row in rows("s390x-max", "cycles") if row["source"] == "generic"],
           "a machine without core PMUs does not have the kernel's hardware events")
    tap.same([(row["pmu"], row["string"]) for row in rows("arm64-biglittle", "--from", "sysfs", "axid", "write")],
             [("imx8_ddr[0-1]", "imx8_ddr/axid-write/")], "instances are one row, whose string counts on all of them")
    nothing = search("skylake-sp", "zebra")
    tap.ok(nothing.status == 1 and not nothing.text and "`pmuq vendor import`" in nothing.stderr,
           "an empty result is reported, with a hint", nothing.stderr)
    tap.ok(search("unknown-intel", "cycles").status == 0, "a machine with an unknown CPU has its own events")
    tap.same(pmuq("--db", str(DIRECTORY / "none.db"), "search", "cycles").status, 4, "the database in --db must exist")


def tracepoints():
    tree = DIRECTORY / "traced"
    for path, text in {"bus/event_source/devices/tracepoint/type": "2", "bus/event_source/devices/software/type": "1",
                       "kernel/tracing/events/sched/sched_switch/id": "316", "kernel/tracing/events/irq/softirq_entry/id": "120"}.items():
        (tree / "sys" / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / "sys" / path).write_text(text + "\n")
    at = ["--sysroot", str(tree), "search", "-J"]
    for words in (["sched_switch"], ["sched:sched_switch"], ["sched", "switches"], ["--from", "tracepoint", "switch"]):
        found = [(row["source"], row["here"], row["pmu"], row["string"]) for row in pmuq(*at, *words).json["events"]]
        tap.same(found, [("tracepoint", True, "tracepoint", "sched:sched_switch")], f"search {' '.join(words)} finds the tracepoint")
    tap.same({row["event"] for row in pmuq(*at, "switch").json["events"]} & {"sched:sched_switch", "context-switches"},
             {"sched:sched_switch", "context-switches"}, "tracepoints are found next to generic events")
    tap.same(pmuq(*at, "--from", "generic", "softirq").status, 1, "--from leaves tracepoints out")
    for words, offers in {("tracepoints", "sch"): ["sched:sched_switch"], ("events", "sof"): ["software"], ("facts", ""): []}.items():
        offered = pmuq("complete", "--", "--sysroot", str(tree), "list", *words).text.split("\n")
        tap.same([line.split("\t")[0] for line in offered if line], offers, f"completion of list {' '.join(words)}")


def appearance():
    plain = search("skylake-sp", "--from", "sysfs", "cas_count").text.splitlines()
    tap.ok(plain[0].split() == ["SOURCE", "CPU", "PMU", "EVENT", "DESCRIPTION"] and plain[1].startswith("sysfs"),
           "the default output is a table", plain)
    bare = search("skylake-sp", "-n", "--from", "sysfs", "cas_count").text.splitlines()
    tap.same([line.split() for line in bare], [line.split() for line in plain[1:]], "-n leaves out the headings")
    raw = search("skylake-sp", "-r", "-n", "--from", "sysfs", "mem-loads").text
    tap.ok(raw.startswith("sysfs here cpu mem-loads"), "--raw prints a raw table", raw)
    tap.ok("cpu" not in rows("skylake-sp", "--from", "sysfs", "mem-loads")[0], "documents have no column that sums up others")
    named = search("skylake-sp", "-J", "-o", "CPU", "mem")
    tap.ok(named.status == 2 and "only tables have the column 'cpu'" in named.stderr, "-o cannot name it for a document", named.stderr)
    tap.same(len(rows("skylake-sp", "--limit", "1", "--from", "sysfs", "mem")), 1, "--limit limits the rows")
    for words in (["--from", "sysfz", "x"], ["--from", "raw", "x"], ["--limit", "10001", "x"], ["--", "-"], []):
        tap.same(search("skylake-sp", *words).status, 2, f"usage: search {' '.join(words)}")


# ----------------------------------------------------------------------------------------- imported

def here_and_elsewhere():
    pmuq("--db", DB, "vendor", "import", "--no-libpfm4", str(TREES / "arch"))
    tree = own_machine()
    here = pmuq("--sysroot", tree, "--db", DB, "search", "-J", "--from", "sysfs,json", "l3_miss").json["events"]
    tap.same([(row["source"], row["cpus"], row["here"], row["event"]) for row in here],
             [("json", ["x86/testlake"], True, "mem_load_retired.l3_miss")], "the table of the machine's CPU is marked as here, and printed once")
    there = rows("unknown-intel", "--from", "json", "l3_miss", db=DB)
    tap.same([(row["cpus"], row["here"]) for row in there], [(["x86/testlake"], False)], "for another machine the table is marked as elsewhere")
    both = pmuq("--sysroot", tree, "--db", DB, "search", "-J", "--from", "sysfs,json", "reads").json["events"]
    tap.ok([row["here"] for row in both] == sorted((row["here"] for row in both), reverse=True), "events of the machine come first", both)
    nobody = DIRECTORY / "nobody/sys/bus/event_source/devices/cpu/type"
    nobody.parent.mkdir(parents=True)
    nobody.write_text("4\n")
    result = pmuq("--sysroot", str(DIRECTORY / "nobody"), "--db", DB, "encode", "--no-open", "--vendor", "auto", "cs")
    tap.ok(result.status == 1 and "--vendor GenuineIntel-6-55-4" in result.stderr, "--vendor auto needs a known CPU: 1", result.stderr)
    strings = [row["string"] for words in ("mem", "unc", "uops", "cas") for row in pmuq(
        "--sysroot", tree, "--db", DB, "search", "-J", "--from", "sysfs,generic,json", words).json["events"] if row["here"]]
    done = pmuq("--sysroot", tree, "--db", DB, "encode", "--jsonl", "--no-open", "--vendor", "auto", "-f", "-",
                stdin="\n".join(strings).encode())
    wrong = [line for line in done.lines if not line["ok"] and line["error"]["code"] not in ("PMUQ-030", "PMUQ-031", "PMUQ-034")]
    tap.ok(len(strings) > 10 and not wrong, "encode accepts the found events", wrong)
    old = [row["event"] for row in rows("unknown-intel", "--from", "json", "uops", db=DB)]
    tap.ok("uops.old" in old and old.index("uops.old") > old.index("uops.some"), "deprecated events come last", old)
    words = "reads of the"
    a = [row["event"] for row in rows("unknown-intel", "--from", "json", *words.split(), db=DB)]
    tap.same([row["event"] for row in rows("unknown-intel", "--from", "json", words, db=DB)], a,
             "one argument with blanks is several words")


def absent():
    """Events of the CPU's table on PMUs that the machine does not have are marked, and come after those that can be opened."""
    here = ["--sysroot", str(DIRECTORY / "testlake"), "--db", DB]
    at = [*here, "search", "-J", "--from", "json", "--limit", "1000"]
    found = pmuq(*at, "unc").json["events"]
    lacking = [row for row in found if row["absent"]]
    tap.ok(lacking and all(not row["here"] and row["cpus"] == ["x86/testlake"] for row in lacking), "events of absent PMUs are marked", found)
    tap.ok(not any(row["absent"] and row["here"] for row in found) and any(row["here"] for row in found), "events here are not absent", found)
    order = [2 if row["here"] else 1 if row["absent"] else 0 for row in found]
    tap.same(order, sorted(order, reverse=True), "absent events come after those that can be opened")
    table = pmuq(*[word for word in at if word != "-J"], lacking[0]["event"]).text.splitlines()
    tap.same(table[1].split()[:2], ["json", "absent"], "the table has the word absent")
    for row in lacking:
        refused = pmuq(*here, "encode", "--no-open", "--vendor", "auto", row["string"])
        offered = pmuq("complete", "--", *here, "encode", "--vendor", "auto", row["string"][:-1])
        tap.ok(refused.status == 1 and row["string"] not in offered.text.split(), f"{row['string']} is not encoded, and completion does not offer it",
               refused.text, offered.text)
    listed = pmuq(*here, "list", "events", lacking[0]["event"])
    tap.ok(listed.status == 1 and f"'{lacking[0]['event']}' of the PMU {lacking[0]['pmu']}, which the machine does not have" in listed.stderr,
           "list events explains that the PMU is absent", listed.stderr)
    string = next(row["string"] for row in found if row["here"])
    offered = pmuq("complete", "--", *here, "encode", "--vendor", "auto", string[:-1])
    tap.ok(string in offered.text, "completion offers the others", offered.text, offered.stderr)


def imported_again():
    """The texts get other ids: those of the CPU's table are found by the new ones."""
    db = ["--db", str(DIRECTORY / "again.db")]
    found = []
    for _ in range(2):
        pmuq(*db, "vendor", "import", "--no-libpfm4", str(TREES / "arch"))
        rows_of_cpu = pmuq("--sysroot", str(DIRECTORY / "testlake"), *db, "search", "-J", "--from", "json", "misses").json["events"]
        found.append([(row["event"], row["here"]) for row in rows_of_cpu])
        pmuq(*db, "vendor", "remove", "perf")
    tap.ok(found[0] == found[1] and any(is_here for _, is_here in found[0]), "after a removal and a new import, a search finds the same", found)


def damaged_lists():
    """The ids of the texts of a CPU's table, which a search reads from a column."""
    db = str(DIRECTORY / "damaged.db")
    for damaged in ("NULL", "7", "x'80'", "x'0500'"):
        database.copy(DB, db)
        database.rows(db, f"UPDATE vendor_set SET texts = {damaged}")
        result = pmuq("--sysroot", str(DIRECTORY / "testlake"), "--db", db, "search", "misses")
        tap.ok(result.status == 4 and "PMUQ-083" in result.stderr, f"a damaged list of texts is reported: {damaged}", result.stderr)


def rots():
    """An event that was changed in the database is not encoded; a changed description has no effect. A change of another event is
    detected as soon as all of them are read: for a file of strings, or a name that is not found."""
    db = str(DIRECTORY / "rotten.db")
    pmuq("--db", db, "vendor", "import", "--no-libpfm4", str(TREES / "arch"))
    command = ["--sysroot", str(MACHINES / "skylake-sp"), "--db", db, "encode", "--no-open", "--vendor", "GenuineIntel-6-F0-1",
               "mem_load_retired.l3_miss"]
    database.rows(db, "UPDATE vendor_text SET description = 'another'")
    tap.same(pmuq(*command).status, 0, "a changed description has no effect")
    strings = DIRECTORY / "strings"
    strings.write_text("mem_load_retired.l3_miss\n")
    for n, (what, is_of_another) in enumerate((("UPDATE vendor_event SET terms = 'event=0xd2' WHERE terms LIKE 'event=0xd1,%'", False),
                                               ("UPDATE vendor_event SET is_per_pkg = 1 - is_per_pkg", False),
                                               ("UPDATE vendor_event SET is_per_pkg = 1 - is_per_pkg WHERE position = 1", True),
                                               ("DELETE FROM vendor_event WHERE position = 0", True),
                                               ("UPDATE vendor_event SET row_hash = row_hash + 1", False),
                                               ("DELETE FROM vendor_event", True))):
        damaged = f"{db}{n}"
        database.copy(db, damaged)
        database.rows(damaged, what)
        of_damaged = [damaged if word == db else word for word in command]
        alone, unknown = pmuq(*of_damaged), pmuq(*of_damaged[:-1], "mem_load_retired.nothing")
        of_file = pmuq(*of_damaged[:-1], "-f", str(strings))
        tap.ok(alone.status == (0 if is_of_another else 4) and ("does not match its hash" in alone.stderr) != is_of_another,
               f"{what[:40]}… is detected with the event itself", alone.stderr)
        of_all = [of_file, unknown] if "row_hash" not in what else []
        tap.ok(all(result.status == 4 and "does not match its hash" in result.stderr for result in of_all),
               f"{what[:40]}… is detected with all events", *(result.stderr for result in of_all))


# ------------------------------------------------------------------------------------------ libpfm4

def names_of_libpfm4():
    if not HAS_PFM:
        tap.skip("libpfm4's names are found", "there is no libpfm4")
        return
    found = rows("skylake-sp", "--from", "pfm", "l3", "miss")
    tap.ok(found and found[0]["string"] == "skx::MEM_LOAD_RETIRED:L3_MISS" and all(row["here"] for row in found),
           "libpfm4's names for the machine's CPU are found without an import", found)
    unknown = search("unknown-intel", "-J", "--from", "pfm", "instructions")
    tap.ok(("perf::INSTRUCTIONS", True) in [(row["string"], row["here"]) for row in unknown.json["events"]] and
           "libpfm4 does not know this CPU" in unknown.stderr, "its names for generic events are found on any CPU, with a note", unknown.stderr)
    tap.ok(not [row for row in rows("unknown-intel", "instructions") if row["source"] == "pfm"],
           "without --from pfm, generic events are found by their usual names only")
    missing = DIRECTORY / "coreless/sys/bus/event_source/devices/software/type"
    missing.parent.mkdir(parents=True)
    missing.write_text("1\n")
    found = {row["string"]: row for row in pmuq("--sysroot", str(DIRECTORY / "coreless"), "search", "-J", "--limit", "100", "--from", "pfm",
                                                "perf", "faults", "instructions").json["events"]}
    tap.ok(found["perf::INSTRUCTIONS"]["absent"] and found["perf::PAGE-FAULTS"]["here"], "without a core PMU its hardware events are absent", found)
    one = pmuq("--db", DB, "vendor", "import", "--libpfm4")
    tap.ok(one.status == 0 and one.text.startswith("vendor libpfm4: ") and " PMUs, " in one.text and "libpfm.so" in one.text,
           "all of libpfm4's names are imported", one.text, one.stderr)
    tap.same(pmuq("--db", DB, "vendor", "import", "--libpfm4").text, one.text, "a second import replaces them")
    listed = {row["name"]: row for row in pmuq("--db", DB, "vendor", "list", "-J").json["vendors"]}
    tap.ok(listed["libpfm4"]["layout"] == "libpfm4" and listed["libpfm4"]["cpus"] == 0 and listed["libpfm4"]["events"] > 10000,
           "vendor list prints them", listed)
    found = rows("unknown-intel", "mem_load_retired", "l3", "miss", db=DB)
    pfm = [row for row in found if row["source"] == "pfm"]
    tap.ok(any(row["string"] == "skx::MEM_LOAD_RETIRED:L3_MISS" for row in pfm) and not any(row["here"] for row in pfm) and
           {row["source"] for row in found} == {"json", "pfm"}, "names of other CPUs are found, next to those of tables", found)
    strings = [row["string"] for row in rows("skylake-sp", "--limit", "50", "l2", "hit", db=DB)]
    tap.same(len(strings), len(set(strings)), "an event of the machine that was also imported is printed once")
    table = search("unknown-intel", "snb::l1d", db=DB).text
    tap.ok("snb::L1D:" in table, "their strings begin with the PMU", table)
    refused = pmuq("--db", str(DIRECTORY / "pfm.db"), "vendor", "import", "--libpfm4")
    result = pmuq(*machine("skylake-sp"), "--db", str(DIRECTORY / "pfm.db"), "encode", "--no-open", "--vendor", "auto", "cycles")
    tap.ok(refused.status == 0 and result.status == 1 and "PMUQ-156" in result.stderr, "encode --vendor refuses libpfm4's names as a table", result.stderr)
    tap.same(pmuq("--db", DB, "vendor", "remove", "libpfm4").status, 0, "vendor remove removes them")
    tap.ok(not [row for row in rows("unknown-intel", "snb::l1d", db=DB) if row["source"] == "pfm"], "removed names are not found")


def without_libpfm4():
    """The command that will be installed has no helper for libpfm4 before that."""
    alone = pathlib.Path(PMUQ).parent / "installed/pmuq"
    done = subprocess.run([alone, *machine("skylake-sp"), "search", "-J", "mem", "loads"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    if b'"pfm"' in done.stdout:
        tap.skip("without libpfm4", "a helper is installed")
        return
    tap.ok(done.returncode == 0 and b"mem-loads" in done.stdout and not done.stderr, "search works without libpfm4", done.stderr)
    done = subprocess.run([alone, *machine("skylake-sp"), "search", "--from", "pfm", "x"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    tap.ok(done.returncode == 1 and b"PMUQ-160" in done.stderr, "--from pfm reports that libpfm4 is missing", done.returncode, done.stderr)
    done = subprocess.run([alone, "--db", str(DIRECTORY / "no.db"), "vendor", "import", "--libpfm4"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    tap.ok(done.returncode == 1 and b"PMUQ-160" in done.stderr, "its import reports that libpfm4 is missing", done.returncode, done.stderr)
    if HAS_PFM:
        imported_names(alone)
        imported_too(alone)


def imported_names(alone):
    """libpfm4's names that were imported are those of the machine as long as the library's file is the same."""
    db = str(DIRECTORY / "kept.db")
    pmuq("--db", db, "vendor", "import", "--libpfm4")
    words = ["--limit", "1000", "l3", "miss", "retired"]
    expected = [row for row in rows("skylake-sp", *words) if row["source"] == "pfm"]

    def found():
        done = subprocess.run([alone, *machine("skylake-sp"), "--db", database.opened(db), "search", "-J", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        return [row for row in json.loads(done.stdout)["events"] if row["source"] == "pfm"]

    kept = found()
    key = operator.itemgetter("string")
    tap.same(sorted((row for row in kept if row["here"] or row["absent"]), key=key), sorted(expected, key=key),
             "imported names are found like those of libpfm4, without it")
    tap.ok(any(row["here"] for row in kept) and not all(row["here"] for row in kept), "next to those of other CPUs")
    database.rows(db, "UPDATE vendor SET library = '1' || library")
    tap.ok(not any(row["here"] or row["absent"] for row in found()), "they are not the machine's if the library is another one now")
    tap.same(sorted((row for row in rows("skylake-sp", *words, db=db) if row["here"] or row["absent"]), key=key),
             sorted((row for row in rows("skylake-sp", *words) if row["here"] or row["absent"]), key=key), "then libpfm4 itself has the names")


def imported_too(alone):
    """An import of tables imports libpfm4's names, too, unless the database has them."""
    db, tree = str(DIRECTORY / "both.db"), str(TREES / "arch")

    def imports(*words, command=PMUQ):
        """The names of the imports that it prints, and the imports that the database has then."""
        done = subprocess.run([command, "--db", database.opened(db), "vendor", "import", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        tap.same((done.returncode, done.stderr), (0, b""), f"vendor import {' '.join(words[:-1])}: 0")
        listed = pmuq("--db", db, "vendor", "list", "-J").json["vendors"]
        return [line.split()[1] for line in done.stdout.decode().splitlines() if line.startswith("vendor ")], sorted((row["name"], row["layout"]) for row in listed)

    tables, names = ("perf", "kernel"), ("libpfm4", "libpfm4")
    tap.same(imports("--no-libpfm4", tree), (["perf:"], [tables]), "--no-libpfm4 imports the tables alone")
    tap.same(imports(tree, command=alone), (["perf:"], [tables]), "without libpfm4 the tables are imported")
    tap.same(imports(tree), (["perf:", "libpfm4:"], [names, tables]), "libpfm4's names are imported with a vendor's tables")
    tap.same(imports(tree), (["perf:"], [names, tables]), "names that the database has are not imported again")
    database.rows(db, "UPDATE vendor SET library = '1' || library WHERE layout = 'libpfm4'")
    tap.same(imports(tree), (["perf:", "libpfm4:"], [names, tables]), "those of another library are replaced")
    pmuq("--db", db, "vendor", "remove", "libpfm4")
    tap.same(imports("--name", "libpfm4", tree), (["libpfm4:"], [("libpfm4", "kernel"), tables]), "a vendor's table that has their name is not replaced")
    pmuq("--db", db, "vendor", "remove", "libpfm4")
    document = pmuq("--db", db, "vendor", "import", "-J", tree)
    tap.same((document.json["name"], pmuq("--db", db, "vendor", "list", "-J").json["vendors"][0]["name"]), ("perf", "libpfm4"), "the document is that of the tables")


without_database()
tracepoints()
appearance()
here_and_elsewhere()
absent()
imported_again()
if database.IS_FILE:
    damaged_lists()
rots()
names_of_libpfm4()
if database.IS_FILE:  # else the command to copy is a script
    without_libpfm4()
tap.finish()
