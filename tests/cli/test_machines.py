#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every event file of every captured machine, encoded; compared with what a kernel accepted when the
machine was captured (meta/open_check.txt), and with a second reader of the format files."""
import pathlib
import re
import shutil
import tempfile

from tap import MACHINES, Tap, machine, machine_names, pmuq

COMPANIONS = (".unit", ".scale", ".per-pkg", ".snapshot")
WORDS = ["config", "config1", "config2", "config3", "config4"]
MASK = (1 << 64) - 1

tap = Tap()


def text_of(path):
    return path.read_text(errors="surrogateescape").split("\0")[0].strip()


def events_of(name):
    """(pmu directory, event file) of a machine, in a fixed order."""
    devices = MACHINES / name / "sys/bus/event_source/devices"
    return [(pmu, event) for pmu in sorted(devices.iterdir()) for event in sorted((pmu / "events").glob("*"))
            if not event.name.endswith(COMPANIONS)]


def bits_of(text):
    """"config1:0-7,32" as ("config1", [0, 1 … 7, 32])."""
    word, ranges = text.split(":")
    bits = []
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        bits += range(int(first), int(last or first) + 1)
    return word, sorted(bits)


class Missing(Exception):
    """An event that needs a parameter, or names a term that the PMU does not have."""


def words_of(pmu, terms):
    """The config words of an event's terms, from the format files."""
    words = dict.fromkeys(WORDS, 0)
    for term in terms.split(","):
        name, _, value = term.strip().partition("=")
        if value == "?":
            raise Missing("PMUQ-045")
        number = int(value, 0) if value else 1
        if name in WORDS:
            words[name] = number
            continue
        if not (pmu / "format" / name).exists():
            raise Missing("PMUQ-034")
        word, bits = bits_of(text_of(pmu / "format" / name))
        for index, bit in enumerate(bits):
            words[word] |= (number >> index & 1) << bit
    return words


def kernel_words(name):
    """{"PMU/EVENT/": {"type": …, "config": …}} as the kernel got it when the machine was captured."""
    path = MACHINES / name / "meta/open_check.txt"
    table = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        string, rest = line.split(" ", 1)
        table[string] = {field: int(value, 0) for field, value in re.findall(r"(type|config\d?)=(\w+)", rest)}
    return table


def words_of_result(encoding):
    attr = encoding["attr"]
    return {word: int(attr.get(word, "0x0"), 16) for word in WORDS} | {"type": attr["type"]}


def is_right(element, pmu, event, wanted):
    """None, or what is wrong with the result of one event."""
    try:
        want = words_of(pmu, text_of(event)) | {"type": int(text_of(pmu / "type"))}
    except Missing as missing:
        code = element.get("error", {}).get("code")
        return None if code == str(missing) else f"not refused as {missing}: {element}"
    if not element["ok"]:
        return f"refused: {element['error']['message']}"
    # A topdown metric of Intel counts only in a group after a slots event.
    encodings = [e for e in element["encodings"] if e["name"] != "slots" or element["input"].endswith("/slots/")]
    if len(encodings) != 1:
        return f"{len(encodings)} encodings"
    got = words_of_result(encodings[0])
    if got != want:
        return f"got {got}, the format files give {want}"
    for field, value in wanted.items():
        if got[field] != value:
            return f"{field} is {got[field]:#x}, the kernel got {value:#x}"
    return None


def check(name):
    events, wanted = events_of(name), kernel_words(name)
    strings = [f"{pmu.name}/{event.name}/" for pmu, event in events]
    result = pmuq(*machine(name), "encode", "--no-open", "--jsonl", "-f", "-", stdin="\n".join(strings).encode())
    elements = result.lines if result.out else []
    tap.same([element["input"] for element in elements], strings, f"{name}: {len(strings)} events have results in order",
             result.stderr)
    wrong = [f"{string}: {error}" for string, element, (pmu, event) in zip(strings, elements, events)
             if (error := is_right(element, pmu, event, wanted.get(string, {})))]
    tap.ok(not wrong, f"{name}: each event has the encoding of its files, {len(wanted)} that which the kernel got", *wrong[:20])
    tap.ok(set(wanted) <= set(strings), f"{name}: no event that the kernel got is missing")
    refused = any(not element["ok"] for element in elements)
    tap.same(result.status, 1 if refused else 0, f"{name}: the exit status is 1 if an event was refused")


def sysfs_alone(name):
    """A directory that is itself a sysfs is the same machine without the facts of /proc."""
    machines = [machine(name), ["--sysroot", str(MACHINES / name / "sys")]]
    strings = [f"{pmu.name}/{event.name}/" for pmu, event in events_of(name)[:200]] + ["cpu-clock:u", "r1a8", "cpu/event=0x3c/"]
    for what, words in (("PMUs", ["list"]), ("formats", ["list", "formats"]), ("sysfs events", ["list", "events", "--from", "sysfs"]),
                        ("encodings", ["encode", "--no-open", *strings])):
        whole, alone = (pmuq(*options, *words, "--json").json for options in machines)
        tap.same(alone, whole, f"{name}: {what} of sys/ alone")


def links(name):
    with tempfile.TemporaryDirectory() as directory:
        top = pathlib.Path(directory)
        devices = top / "fixture/bus/event_source/devices"
        shutil.copytree(MACHINES / name / "sys/bus/event_source/devices/msr", top / "fixture/devices/msr", symlinks=True)
        devices.mkdir(parents=True)
        (devices / "inside").symlink_to("../../../devices/msr")
        (devices / "outside").symlink_to(MACHINES / name / "sys/bus/event_source/devices/msr")
        bare = ["--sysroot", str(top / "fixture")]
        tap.same([row["name"] for row in pmuq(*bare, "list", "--json").json["pmus"]], ["inside"], "a link within a sysfs is followed")
        tap.same([(row["path"], row["message"]) for row in pmuq(*bare, "list", "problems", "--json").json["problems"]],
                 [("sys/bus/event_source/devices/outside",
                   "a symbolic link that leads out of the tree, or to no directory in it")], "a link that leads out is a problem")
        (top / "whole/sys").mkdir(parents=True)
        (top / "whole/sys/bus").symlink_to(top / "fixture/bus")
        refused = pmuq("--sysroot", str(top / "whole"), "list")
        tap.ok(refused.status == 4 and "sys/bus is a symbolic link that leads out of the tree" in refused.stderr,
               "so is one on the way to the PMUs", refused.status, refused.stderr)


names = machine_names()
tap.ok(len(names) >= 24, "the captured machines exist", names)
for each in names:
    check(each)
    sysfs_alone(each)
links("skylake-sp")
tap.finish()
