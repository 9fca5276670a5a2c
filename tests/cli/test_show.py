#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""show: PMUs with drawings of their bits, a block for each definition, and event strings of all types."""
import pathlib
import re
import tempfile

from tap import Tap, machine, machine_names, pmuq

tap = Tap()
TREE = machine("skylake-sp")


def show(*names, tree=TREE, status=0):
    result = pmuq(*tree, "show", *names)
    tap.same(result.status, status, f"show {' '.join(names)}: {status}", result.stderr)
    return result


def bits_of(text):
    """The drawings, by config word."""
    return dict(re.findall(r"^bits of (config\d?).*\n((?:  .*\n)*)", text, re.M))


def every_machine(name):
    """Each PMU definition: all config words with formats are drawn with all formats, within 80 columns."""
    tree, wrong = machine(name), []
    formats = pmuq(*tree, "list", "-J", "formats").json["formats"]
    by_pmu = {}
    for row in formats:
        by_pmu.setdefault(row["pmu"], []).append(row)
    definitions = {tuple((row["format"], row["bits"]) for row in rows): pmu for pmu, rows in by_pmu.items()}
    for pmu in definitions.values():
        result = pmuq(*tree, "show", pmu)
        drawn = bits_of(result.text)
        usable = [row for row in by_pmu[pmu] if row["mask"] != "0x0"]
        if set(drawn) != {row["word"] for row in usable}:
            wrong.append((pmu, "words", sorted(drawn)))
        wrong += [(pmu, row["format"]) for row in usable if row["format"] not in drawn.get(row["word"], "")]
        wrong += [(pmu, line) for text in drawn.values() for line in text.splitlines() if len(line) > 80 or not line.isascii()]
    tap.same(wrong, [], f"{name}: the config words of {len(definitions)} definitions are drawn, in ASCII and 80 columns")


def instances():
    group = show("uncore_imc").text
    tap.ok(group.startswith("uncore_imc_[0-5]\n  types    17-22\n"), "a name without its number shows all instances as one", group)
    tap.same(group.count("cas_count_read "), 1, "the formats of instances are printed once")
    tap.same(show("uncore_imc_[0-9]*").text, group, "a glob shows the same block")
    tap.same(show("uncore_imc_[0-5]").text, group, "the folded name of list shows the same block")
    tap.same(show("uncore_cha_[0-19]").text.split("\n")[0], "uncore_cha_[0-19]", "a folded name is not used as a glob")
    some = show("uncore_imc_[24]").text
    tap.ok(some.startswith("uncore_imc_[2,4]\n  types    19,21\n"), "a glob for some instances shows only these", some)
    one = show("uncore_imc_3").text
    tap.ok(one.startswith("uncore_imc_3\n  type     20\n  siblings uncore_imc_[0-5], types 17-22\n"),
           "one instance is printed with its siblings", one)
    tap.ok("siblings" not in show("cpu").text, "a PMU without siblings has no line for them")
    definitions = show("uncore_i*").text
    titles = re.findall(r"^(uncore\S+)$", definitions, re.M)
    tap.same(titles, ["uncore_iio_[0-5]", "uncore_iio_free_running_[0-5]", "uncore_imc_[0-5]", "uncore_irp_[0-5]"],
             "a glob shows each definition once")
    arm = show("armv8_cortex_a53", tree=machine("arm64-biglittle")).text
    tap.ok(re.search(r"^  bus_width +0x00000000 bytes ", arm, re.M), "the content of a file has its unit", arm)
    both = show("cpu", "msr").text
    tap.ok(both.startswith("cpu\n") and "\n\nmsr\n" in both, "each of several names is shown", both)


def events():
    read = show("cas_count_read").text
    for words in (r"^cas_count_read$", r"^  pmu +uncore_imc_\[0-5\], types 17-22, cpus 0,8$", r"^  attr +size=64 config=0x304$",
                  r"^  scale +1 count = 6\.103515625e-5 MiB$", r"^  source +sysfs$", r"^  terms +event=0x04,umask=0x03$"):
        tap.ok(re.search(words, read, re.M), f"show cas_count_read prints {words}", read)
    tap.same(read.count("config="), 1, "an event of sibling instances is one block")
    for name in ("uncore_imc_2/clockticks", "uncore_imc_2/clockticks/"):
        one = show(name).text
        tap.ok("uncore_imc_2, type 19, cpus 0,8\n" in one and "  also on  uncore_imc_[0-1,3-5]\n" in one,
               f"{name}: the other instances with the event are listed", one)
    hybrid = show("cpu_core/mem-loads/", tree=machine("alderlake-hybrid-k6.12")).text
    tap.ok("  also on  cpu_atom\n" in hybrid, "the other core PMU of a hybrid machine is listed", hybrid)
    cycles = show("cycles:u").text
    tap.ok("exclude_kernel=1" in cycles and "source   generic" in cycles and "terms" not in cycles,
           "a generic event is shown with its modifiers", cycles)
    more = show("cpu/mem-loads,ldlat=30,period=100/").text
    tap.ok("config1=0x1e" in more and "terms    event=0xcd,umask=0x1,ldlat=3\n" in more and "period=100" in more,
           "terms of the machine are printed next to those of the string", more)
    named = show("cpu/mem-loads,name=mine/").text
    tap.ok(named.startswith("mine\n") and "terms    event=0xcd" in named, "an event with name= is shown with that name", named)
    for string in ("r1a", "cpu/event=0x3c,umask=1/", "{cycles,instructions}", "cpu/event=1/,msr/tsc/", "page-faults"):
        tap.ok("attr " in show(string).text, f"{string} is shown")
    warned = show("cp*/event=0x3c/").text
    tap.ok("warning[PMUQ-041]" in warned, "a warning is printed", warned)


def software():
    """Its events have no files."""
    text = show("software").text
    tap.ok("events (12)" in text and "page-faults" in text, "the events of the PMU of software events are listed", text)
    pmu = pmuq(*TREE, "show", "--json", "software").json["shown"][0]
    tap.same((len(pmu["events"]), pmu["pmu"]["events"]), (12, 12), "in documents, too")


def documents():
    """The documents have the content of the text: for each name a row for each block."""
    words = ["cpu", "uncore_imc", "uncore_i*", "msr/tsc/", "cpu/mem-loads,ldlat=30/u", "cycles", "no-such"]
    result = pmuq(*TREE, "show", "--json", *words)
    rows = result.json["shown"]
    tap.same((result.status, result.stderr), (1, ""), "an unknown name is an error in the document")
    tap.same(sorted({row["input"] for row in rows}), sorted(words), "every name has rows")
    found = {row["input"]: row["found"] for row in rows}
    tap.same([found[word] for word in words], ["pmu"] * 3 + ["event"] * 3 + ["error"], "the rows have the right type")
    for row in rows[:-1]:
        one = show(row["input"]).text
        title = row["encoding"]["name"] if row["found"] == "event" else row["pmu"]["cpus"]
        tap.ok(title in one, f"{row['input']}: the row has the content of the text", title, one)
    cpu, tsc = rows[0], next(row for row in rows if row["input"] == "msr/tsc/")
    tap.same((len(cpu["formats"]), len(cpu["events"])), (cpu["pmu"]["formats"], cpu["pmu"]["events"]), "a PMU has its formats and events")
    tap.same((tsc["pmus"], tsc["terms"], tsc["open"]), (["msr"], "event=0x00", None), "an event has its terms; a captured one is not opened")
    with tempfile.TemporaryDirectory() as directory:
        devices = pathlib.Path(directory) / "sys/bus/event_source/devices"
        write(devices / "odd/type", "77\n")
        write(devices / "odd/events/broken", "no_such_term=1\n")
        row = pmuq("--sysroot", directory, "show", "--json", "broken").json["shown"][0]
        tap.same((row["found"], row["failed_pmu"], row["failed_terms"], row["error"]["name"]), ("error", "odd", "no_such_term=1", "unknown-term"),
                 "an event that cannot be encoded has its error")


def refusals():
    wrong = show("cpu/umsk=1/", status=1)
    tap.ok("error[PMUQ-034]" in wrong.stderr and "    ^^^^" in wrong.stderr, "an invalid event string is printed with a caret", wrong.stderr)
    tap.ok("'cpu'" in show("cpi", status=1).stderr, "the error of a bare name lists similar PMUs")
    mixed = show("cpu", "nothing", status=1)
    tap.ok(mixed.text.startswith("cpu\n") and "'nothing'" in mixed.stderr, "the valid names are shown", mixed.stderr)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def made_tree():
    """Instances with gaps, one that differs, and an event that cannot be encoded."""
    with tempfile.TemporaryDirectory() as directory:
        devices, tree = pathlib.Path(directory) / "sys/bus/event_source/devices", ["--sysroot", directory]
        for number, type_number in [(0, 10), (1, 11), (2, 12), (3, 13), (8, 14), (9, 99), (10, 15)]:
            pmu = devices / f"box_{number}"
            write(pmu / "type", f"{type_number}\n")
            write(pmu / "cpumask", "0\n")
            write(pmu / "format/event", "config:0-7\n" if number != 9 else "config:0-15\n")
            write(pmu / "events/ticks", "event=0x1\n")
            write(pmu / "identifier", f"id {number % 2}\n")
        write(devices / "odd/type", "77\n")
        write(devices / "odd/events/broken", "no_such_term=1\n")
        write(devices / "odd/format/wrong", "config9:1-2\n")
        rows = [line.split()[:2] for line in pmuq(*tree, "list", "--fold").text.splitlines()]
        tap.same(rows[1:], [["box_[0-3,8,10]", "10-15"], ["box_9", "99"], ["odd", "77"]],
                 "list --fold: a range has gaps, and the instance that differs is a separate row")
        split = [line.split()[0] for line in pmuq(*tree, "list", "--fold", "-o", "NAME,IDENTIFIER").text.splitlines()]
        tap.same(split[1:], ["box_[0,2,8,10]", "box_[1,3]", "box_9", "odd"], "instances with different values in a column are not folded")
        picked = pmuq(*tree, "list", "events", "--fold", "box_1/*", "box_2").text.splitlines()
        tap.same([line.split()[0] for line in picked[1:]], ["box_[1-2]"], "a folded name contains only the instances of the glob")
        group = show("box", tree=tree).text
        tap.ok(group.startswith("box_[0-3,8,10]\n") and "\n\nbox_9\n" in group, "show prints each definition once", group)
        tap.ok("identifier  differs between instances" in group, "a file that differs between instances is marked", group)
        tap.ok("identifier  id 0  (identifier of the hardware)\n" in show("box_0", tree=tree).text,
               "a known file is printed with its meaning")
        broken = show("broken", tree=tree).text
        tap.ok("terms    no_such_term=1" in broken and "PMUQ-" in broken, "an event that cannot be encoded is printed with its error", broken)
        odd = show("odd", tree=tree).text
        tap.ok("counters not known: the CPU is not known\n" in odd, "without a CPU ID, the counters are not known, and this is the reason", odd)
        tap.ok("bits of" not in odd and "not usable" in odd, "an invalid format is not drawn", odd)


for each in machine_names():
    every_machine(each)
instances()
events()
software()
documents()
refusals()
made_tree()
tap.finish()
