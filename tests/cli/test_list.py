#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""list and show: every machine as tables and JSON; globs, columns, and trees with odd files."""
import os
import pathlib
import re
import tempfile

from tap import MACHINES, Tap, machine, machine_names, pmuq

TABLES = ["pmus", "events", "tracepoints", "formats", "facts", "problems"]
EMPTY = ("tracepoints", "problems")  # the captured machines have none
COMPANIONS = (".unit", ".scale", ".per-pkg", ".snapshot")
tap = Tap()


def files_of(name, folder):
    devices = MACHINES / name / "sys/bus/event_source/devices"
    return sorted((path.parent.parent.name, path.name) for path in devices.glob(f"*/{folder}/*")
                  if folder != "events" or not path.name.endswith(COMPANIONS))


def every_machine(name):
    rows = {table: pmuq(*machine(name), "list", "-J", table).json[table] for table in TABLES}
    generic = [row for row in rows["events"] if row["source"] == "generic"]
    rows["events"] = [row for row in rows["events"] if row["source"] != "generic"]
    devices = MACHINES / name / "sys/bus/event_source/devices"
    tap.same(sorted(row["name"] for row in rows["pmus"]), sorted(path.name for path in devices.iterdir()),
             f"{name}: all PMUs are listed")
    tap.same(sorted((row["pmu"], row["event"]) for row in rows["events"]), files_of(name, "events"),
             f"{name}: all events are listed, without .scale and .unit files")
    tap.same(sorted((row["pmu"], row["format"]) for row in rows["formats"]), files_of(name, "format"),
             f"{name}: all formats are listed")
    tap.ok(all(isinstance(row[key], int) for row in rows["pmus"] for key in ("type", "formats", "events", "caps")),
           f"{name}: numbers are JSON numbers")
    tap.same(sum(row["events"] for row in rows["pmus"]), len(rows["events"]) + sum(row["pmu"] == "software" for row in generic),
             f"{name}: the count of events is that of the rows of files, and of software events")
    tap.same(pmuq(*machine(name), "list", "-J", "events", "--from", "sysfs").json["events"], rows["events"],
             f"{name}: --from sysfs lists the files alone")
    cores = {row["name"] for row in rows["pmus"] if row["core"]}
    tap.same({row["pmu"] for row in generic}, cores | {"software"}, f"{name}: core PMUs and software have generic events")
    own = {(row["pmu"], row["event"]) for row in rows["events"]}
    explicit = {(row["pmu"], row["event"]) for row in pmuq(*machine(name), "list", "-J", "events", "--from", "generic").json["events"]}
    tap.same({(row["pmu"], row["event"]) for row in generic}, explicit - own,
             f"{name}: a generic event is listed once if the PMU has a file of that name, unless --from names both")
    tap.ok(all(isinstance(row["width"], int) and bin(int(row["mask"], 16)).count("1") == row["width"]
               for row in rows["formats"]), f"{name}: the width of a format is that of its mask")
    for pmu in list({re.sub(r"\d+$", "", row["name"]): row["name"] for row in rows["pmus"]}.values())[:20]:
        shown = pmuq(*machine(name), "show", pmu)
        if shown.status != 0 or not shown.text.startswith(pmu + "\n"):
            tap.ok(False, f"{name}: show {pmu}", shown.text, shown.stderr)


# Keys that a row has only if the file exists.
FILES = {
    "cpumask": "cpumask", "cpus_file": "cpus", "alias": "alias", "rdpmc": "rdpmc", "identifier": "identifier",
    "addr_filters": "nr_addr_filters", "mux_ms": "perf_event_mux_interval_ms", "freeze_on_smi": "freeze_on_smi",
    "tsx_force_abort": "allow_tsx_force_abort", "nonturbo_ratio": "max_nonturbo_ratio", "tsc_ratio": "tsc_art_ratio",
    "max_precise": "caps/max_precise", "branches": "caps/branches", "branch_counters": "caps/branch_counter_nr",
    "branch_counter_bits": "caps/branch_counter_width", "threshold_max": "caps/threshold_max", "pmu_name": "caps/pmu_name",
    "slots": "caps/slots", "bus_slots": "caps/bus_slots", "bus_width": "caps/bus_width",
}


# Of the others a decimal number is a number of JSON.
TEXTS = {"cpumask", "cpus_file", "alias", "identifier", "tsc_ratio", "pmu_name"}


def known_files(name):
    """A row of a PMU has the content of each known file, and no other optional key."""
    wrong = []
    for row in pmuq(*machine(name), "list", "-J").json["pmus"]:
        paths = {key: MACHINES / name / "sys/bus/event_source/devices" / row["name"] / path for key, path in FILES.items()}
        there = {key: path.read_text().strip() for key, path in paths.items() if path.is_file()}
        listed = {key: row[key] for key in FILES if key in row}
        if listed != {key: int(text) if text.isdecimal() and key not in TEXTS else text for key, text in there.items() if text}:
            wrong.append((row["name"], listed, there))
    tap.same(wrong, [], f"{name}: list has the content of each known file")


def columns():
    listed = pmuq("list", "--list-columns").text
    # Metrics and their groups need a database: tests/metrics has their test.
    for table, block in zip(TABLES, [block for block in listed.split("\n\n") if not block.startswith(("metrics:", "metricgroups:"))]):
        names = re.findall(r"^  ([A-Z_]+)", block, re.M)
        tap.ok(block.startswith(table + ":") and len(names) > 1, f"--list-columns lists the columns of {table}", block)
        result = pmuq(*machine("skylake-sp"), "list", table, "-J", "-o", ",".join(names))
        keys = [name.lower() for name in names]
        tap.ok(all(list(row) == [key for key in keys if key in row or key not in FILES] for row in result.json[table]),
               f"{table}: -o accepts every column", result.stderr)
        heading = pmuq(*machine("skylake-sp"), "list", table, "-o", ",".join(names)).text.split("\n")[0].split()
        if table not in EMPTY:
            tap.same(heading, names, f"{table}: the table has the column")
        usual = re.findall(r"^  ([A-Z_]+) +[*+]", block, re.M)
        heading = pmuq(*machine("zen3-epyc"), "list", table).text.split("\n")[0].split()
        if table not in EMPTY:
            tap.same(heading, usual, f"{table}: --list-columns marks the default columns")
    twice = pmuq(*machine("skylake-sp"), "list", "cpu", "-J", "-o", "NAME,TYPE,NAME").text
    tap.same(twice.count('"name"'), 1, "a column that is named twice is printed once", twice)
    row = pmuq(*machine("alderlake-hybrid-k6.12"), "list", "cpu_core", "-J").json["pmus"][0]
    tap.ok(row["core"] is True and row["uncore"] is False and isinstance(row["mux_ms"], int), "booleans are JSON booleans", row)
    heading = pmuq(*machine("zen3-epyc"), "list", "-o", "+CORE").text.split("\n")[0].split()
    tap.same(heading, ["NAME", "TYPE", "CPUS", "FORMATS", "EVENTS", "CAPS", "CORE"], "+ adds to the default columns")
    lower = pmuq(*machine("pentium4"), "list", "-n", "-r", "-o", "name,type")
    tap.ok(re.search(r"^msr \d+$", lower.text, re.M) and "NAME" not in lower.text, "-n leaves out the headings, -r separates columns with one blank",
           lower.text)


def globs():
    tree = machine("skylake-sp")

    def names(*words):
        return [tuple(row.values())[:2] for row in pmuq(*tree, "list", "-J", *words).rows]

    imcs = [name for name, *_ in names("uncore_imc_*")]
    tap.ok(len(imcs) > 1 and all(name.startswith("uncore_imc_") for name in imcs), "a glob selects PMUs", imcs)
    tap.same(imcs, sorted(imcs, key=lambda name: int(name.rsplit("_", 1)[1])), "instances are in the order of their numbers")
    by_pmu, by_both = names("events", "uncore_imc_0"), names("events", "uncore_imc_0/*")
    tap.ok(by_pmu and by_pmu == by_both and all(pmu == "uncore_imc_0" for pmu, _ in by_pmu),
           "events are selected by PMU, or by PMU and name", by_pmu, by_both)
    tap.ok(("uncore_imc_0", "clockticks") in names("events", "clockticks"), "events are selected by name")
    tap.same(names("events", "uncore_imc_0/clockticks/"), [("uncore_imc_0", "clockticks")], "events are selected by event string")
    tap.same(names("formats", "cpu/ev*"), [("cpu", "event")], "formats are selected like events")
    partly = pmuq(*tree, "list", "-J", "cpu", "nothing*")
    tap.ok(partly.status == 1 and "nothing*" in partly.stderr and len(partly.json["pmus"]) == 1,
           "a glob that matches nothing: 1, and the matches of the other globs", partly.stderr)
    nothing = pmuq(*tree, "list", "-J", "nothing*")
    tap.ok(nothing.status == 1 and nothing.json == {"schema": "pmuq.list-pmus/1", "pmus": []}, "the JSON is valid if nothing matches", nothing.text)
    tap.ok("pmuq list events" in pmuq(*tree, "list", "event").stderr, "list event: `list events` is proposed")


def tracepoints():
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory)
        for path, text in {"bus/event_source/devices/tracepoint/type": "2", "kernel/tracing/events/sched/sched_switch/id": "316",
                           "kernel/tracing/events/sched/sched_wakeup/id": "318", "kernel/tracing/events/irq/softirq_entry/id": "120"}.items():
            (tree / "sys" / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / "sys" / path).write_text(text + "\n")
        at = ["--sysroot", directory]
        every = [{"name": "irq:softirq_entry", "id": 120}, {"name": "sched:sched_switch", "id": 316}, {"name": "sched:sched_wakeup", "id": 318}]
        tap.same(pmuq(*at, "list", "-J", "tracepoints").json, {"schema": "pmuq.list-tracepoints/1", "tracepoints": every},
                 "tracepoints are listed by name, with their ids")
        for glob, wanted in {"sched": every[1:], "sched:*": every[1:], "*_switch": every[1:2], "irq:softirq_entry": every[:1]}.items():
            tap.same(pmuq(*at, "list", "-J", "tracepoints", glob).rows, wanted, f"list tracepoints {glob}")
        tap.same(pmuq(*at, "list", "-rn", "-o", "NAME,EVENTS").text, "tracepoint 3\n", "list counts the tracepoints")
        shown = pmuq(*at, "show", "sched:sched_switch")
        tap.ok(shown.status == 0 and "config=0x13c" in shown.text, "show prints a tracepoint", shown.text, shown.stderr)
    here = pmuq("list", "-J", "tracepoints").rows
    tap.same(pmuq("list", "-rn", "-o", "EVENTS", "tracepoint").text.strip(), str(len(here)),
             "list has as many tracepoints of this machine as list tracepoints", "0 without tracefs")
    none = pmuq(*machine("skylake-sp"), "list", "tracepoints")
    tap.ok(none.status == 0 and not none.text and none.stderr.count("mount -t tracefs") == 1, "list notes once why there are no tracepoints", none.stderr)


HABITS = {"hw": "`pmuq list events --from generic`", "hwcache": "`pmuq list events --from generic`", "sw": "`pmuq list events software`",
          "pmu": "`pmuq list events --from sysfs`", "kernel": "`pmuq list events --from sysfs,generic`",
          "pfm": "`pmuq list events --from pfm`", "metric": "`pmuq list metrics`", "sdt": "no list of the probes"}


def habits():
    """Words of other tools' lists. Each proposed command works."""
    for word, wanted in HABITS.items():
        result = pmuq(*machine("skylake-sp"), "list", word)
        tap.ok(result.status == 1 and not result.text and wanted in result.stderr, f"list {word} proposes {wanted}", result.stderr)
        if wanted.startswith("`pmuq"):
            proposed = pmuq(*machine("skylake-sp"), *wanted.strip("`").split()[1:])
            needs = "PMUQ-080" if wanted == "`pmuq list metrics`" else "PMUQ-160"  # a database; libpfm4
            tap.ok(proposed.text or needs in proposed.stderr, f"{wanted} lists something", proposed.stderr)
    pmu = pmuq(*machine("skylake-sp"), "list", "tracepoint")
    tap.ok(pmu.status == 0 and pmu.text.splitlines()[1].startswith("tracepoint") and "`pmuq list tracepoints` lists" in pmu.stderr,
           "list tracepoint prints the PMU, and a note", pmu.text, pmu.stderr)
    for word, is_proposed in {"tracepoint": True, "sched:*": True, "hw": False, "skx::no": False}.items():
        result = pmuq(*machine("skylake-sp"), "list", "events", word)
        tap.same((result.status, "`pmuq list tracepoints`" in result.stderr), (1, is_proposed), f"list events {word}")


def show():
    shown = pmuq(*machine("skylake-sp"), "show", "cpu").text
    for words in (r"type +4", r"event +config:0-7", r"cpu-cycles +event=0x3c", r"pmu_name +skylake"):
        tap.ok(re.search(words, shown), f"show cpu prints {words}", shown)
    event = pmuq(*machine("skylake-sp"), "show", "uncore_imc_0/cas_count_read")
    for words in (r"config=0x304", r"1 count = 6\.103515625e-5 MiB", r"event=0x04,umask=0x03"):
        tap.ok(re.search(words, event.text), f"show PMU/EVENT prints {words}", event.text)
    wrong = pmuq(*machine("skylake-sp"), "show", "cpi")
    tap.ok(wrong.status == 1 and "'cpu'" in wrong.stderr, "show of an unknown name: 1, and the nearest name", wrong.stderr)


def hostile_tree():
    with tempfile.TemporaryDirectory() as directory:
        pmu = pathlib.Path(directory) / "sys/bus/event_source/devices/odd"
        for folder in ("format", "events"):
            (pmu / folder).mkdir(parents=True)
        (pmu / "type").write_text("77\n")
        (pmu / "format/event").write_text("config:0-7\n")
        (pmu / "format/wrong").write_text("config9:1-2\n")
        (pmu / "events/good").write_text("event=0x1\n")
        (pmu / "events/good.unit").write_bytes(b"\xff\"\\\x1b[31m\n")
        (pmu / "events/bad\nname").write_bytes(b"event=\xc3\xa9\xc0\x80")
        os.mkfifo(pmu / "events/pipe")
        tree = ["--sysroot", directory]
        for table in TABLES:
            result = pmuq(*tree, "list", "-J", table)
            tap.ok(result.status == 0 and table in result.json, f"odd files: list {table} is valid JSON in UTF-8", result.stderr)
        good = [row for row in pmuq(*tree, "list", "-J", "events").json["events"] if row["event"] == "good"]
        tap.ok(good and good[0]["unit"].startswith('\ufffd"\\'), "bytes that are not UTF-8 are replaced", good)
        plain = pmuq(*tree, "list")
        tap.ok("pmuq list problems" in plain.stderr, "list notes that a file could not be read", plain.stderr)
        problems = pmuq(*tree, "list", "-J", "problems").json["problems"]
        tap.ok(any("pipe" in row["path"] and row["code"] == "PMUQ-074" for row in problems), "a FIFO is reported as a problem", problems)
        shown = pmuq(*tree, "show", "odd")
        tap.ok("problems (" in shown.text and "wrong" in shown.text, "show prints the problems of a PMU", shown.text)
        tap.ok("\x1b" not in pmuq(*tree, "show", "odd").text + pmuq(*tree, "list", "events").text,
               "control characters are not printed")
        raw = pmuq(*tree, "list", "events", "-rn", "-o", "EVENT,UNIT", "good").text
        tap.same(raw, 'good \\xff"\\x5c\\x1b[31m\n', "--raw: what is not printable, or a backslash, is \\x and two digits")
    empty = tempfile.TemporaryDirectory()
    (pathlib.Path(empty.name) / "sys/bus/event_source/devices").mkdir(parents=True)
    result = pmuq("--sysroot", empty.name, "list", "-J")
    tap.same((result.status, result.json), (0, {"schema": "pmuq.list-pmus/1", "pmus": []}), "list prints nothing for a machine without PMUs")
    empty.cleanup()


def laid_out(headings, rows, right):
    """The text of a table without hints: a blank between columns, and none to fill the last one."""
    widths = [max(map(len, column)) for column in zip(headings, *rows)]

    def line(cells):
        padded = [cell.rjust(width) if name in right and cell else cell.ljust(width) for cell, width, name in zip(cells, widths, headings)]
        return " ".join(padded[:-1] + [padded[-1] if headings[-1] in right and cells[-1] else cells[-1]]) + "\n"
    return "".join(map(line, [headings, *rows]))


def long_tables():
    """pmuq prints long tables of plain text itself, and libsmartcols all others: they look alike."""
    for glob, is_long in (("*", True), ("uncore_c*_1", False)):
        for columns in ("NAME,TYPE,EVENTS", "EVENTS,NAME", "NAME,CPUMASK,TYPE", "TYPE"):
            names = columns.split(",")
            rows = [line.split(" ") for line in pmuq(*machine("big-uncore-k6.12"), "list", "-rn", "-o", columns, glob).text.splitlines()]
            want = laid_out(names, rows, {"TYPE", "EVENTS"})
            shown = pmuq(*machine("big-uncore-k6.12"), "list", "-o", columns, glob).text
            tap.ok(shown == want and (len(rows) > 300) == is_long, f"list {glob}, {columns}: columns are as wide as their texts", (len(rows), shown[:300], want[:300]))
            bare = pmuq(*machine("big-uncore-k6.12"), "list", "-n", "-o", columns, glob).text
            tap.same(bare.split(), want.split("\n", 1)[1].split(), f"list {glob}, {columns}: -n prints the same rows without headings")
        plain, coloured = (pmuq(*machine("big-uncore-k6.12"), "--color", when, "list", "-o", "TYPE,NAME", glob).text for when in ("never", "always"))
        tap.same(coloured.replace("\x1b[1m", "").replace("\x1b[0m", ""), plain, f"list {glob}: colours change nothing else")
        tap.ok(coloured.count("\x1b[1m") == 2 and coloured.splitlines()[0].endswith("NAME\x1b[0m"), f"list {glob}: each heading has a colour, which ends with it", coloured[:300])


def sources():
    on = [*machine("skylake-sp"), "list", "-J", "events"]
    whole = pmuq(*on, "--from", "all").json["events"]
    for names in ("sysfs,all", "all,generic"):
        tap.same(pmuq(*on, "--from", names).json["events"], whole, f"--from {names} is all sources")
    for name in ("bogus", "raw"):
        refused = pmuq(*on, "--from", name)
        tap.ok(refused.status == 2 and f"'{name}'; there are sysfs, generic, pfm, json, all\n" in refused.stderr,
               f"--from {name} names the sources of lists", refused.stderr)


for each in machine_names():
    every_machine(each)
    known_files(each)
columns()
long_tables()
globs()
sources()
tracepoints()
habits()
show()
hostile_tree()
tap.finish()
