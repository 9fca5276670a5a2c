#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""diff: all ways to name two machines, breaking changes first, and the exit status of diff(1)."""
import json
import os
import pathlib
import re
import shutil
import tarfile
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None

import database
from tap import MACHINES, SCHEMAS, Tap, machine, machine_names, pmuq

tap = Tap()
directory = tempfile.TemporaryDirectory()
DIRECTORY = pathlib.Path(directory.name)
DB = DIRECTORY / "pmuq.db"
SKX = str(MACHINES / "skylake-sp")
ZEN1, ZEN3 = str(MACHINES / "zen1-epyc"), str(MACHINES / "zen3-epyc")
HYBRID, NOATOM = str(MACHINES / "alderlake-hybrid-k6.12"), str(MACHINES / "alderlake-hybrid-noatom")


def diff(*words, status, name=None, **how):
    result = pmuq("--db", str(DB), "diff", *words, **how)
    tap.same(result.status, status, f"{name or 'diff ' + ' '.join(pathlib.Path(w).name or w for w in words)}: {status}",
             result.text, result.stderr)
    return result


def changed(directory, edits):
    """A copy of skylake-sp with other texts in some files; None removes a file."""
    to = DIRECTORY / directory
    for part in ("sys/bus", "sys/devices/system/cpu", "proc"):
        if (pathlib.Path(SKX) / part).exists():
            shutil.copytree(pathlib.Path(SKX) / part, to / part, symlinks=True, dirs_exist_ok=True)
    for path, text in edits.items():
        file = to / path.replace("@", "sys/bus/event_source/devices/")
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)  # a file of sysfs is not writable
            file.write_text(text)
    return str(to)


def oldest(raw):
    """A tar of the old format: without the magic, and with the checksums of that time."""
    blocks, at = bytearray(raw), 0
    while at < len(blocks) and blocks[at]:
        blocks[at + 257:at + 265] = bytes(8)
        blocks[at + 148:at + 156] = b" " * 8
        blocks[at + 148:at + 156] = b"%06o\0 " % sum(blocks[at:at + 512])
        at += 512 + -(-int(blocks[at + 124:at + 135].rstrip(b"\0 ") or b"0", 8) // 512) * 512
    return bytes(blocks)


def words():
    """All ways to name a machine give the same machine."""
    for name in ("zen1-epyc", "zen3-epyc"):
        pmuq(*machine(name), "--db", str(DB), "scan", "--name", name)
        pmuq(*machine(name), "export", "--output", str(DIRECTORY / f"{name}.yaml"))
        pmuq(*machine(name), "export", "--json", "--output", str(DIRECTORY / f"{name}.json"))
        pmuq(*machine(name), "capture", str(DIRECTORY / f"{name}.tar"))
    both = (DIRECTORY / "both.yaml")
    pmuq("--db", str(DB), "export", "--all-hosts", "--output", str(both))
    number = database.rows(DB, "SELECT max(id) FROM snapshot")[0][0]
    ways = [ZEN3, str(DIRECTORY / "zen3-epyc.yaml"), str(DIRECTORY / "zen3-epyc.json"), str(DIRECTORY / "zen3-epyc.tar"),
            f"{both}#zen3-epyc", "zen3-epyc", f"zen3-epyc@{number}"]
    want = None
    for way in ways:
        diff(ZEN3, way, status=0, name=f"the same machine as {pathlib.Path(way).name}")
        result = diff(way, "zen1-epyc", "--json", status=1, name=f"{pathlib.Path(way).name} and another").json
        want = want or result["changes"]
        tap.same(result["changes"], want, "a machine by another name gives the same changes")
    document = (DIRECTORY / "zen3-epyc.yaml").read_bytes()
    diff("-", ZEN3, status=0, name="a document on stdin", stdin=document)
    diff("/dev/stdin", ZEN3, status=0, name="a document from a pipe that has a name", stdin=document)
    diff("-", "-", status=2, name="stdin is one of the two at most", stdin=document)
    tap.same(pmuq("--sysroot", ZEN3, "diff", ZEN1).text.splitlines()[2:], diff(ZEN1, ZEN3, status=1).text.splitlines()[2:],
             "diff compares one word with the machine of --sysroot")
    with tarfile.open(DIRECTORY / "oldest", "w", format=tarfile.USTAR_FORMAT) as tar:
        tar.add(ZEN3 + "/sys/bus", "sys/bus")
        tar.add(ZEN3 + "/sys/devices/system/cpu", "sys/devices/system/cpu")
        tar.add(ZEN3 + "/proc", "proc")
    (DIRECTORY / "oldest").write_bytes(oldest((DIRECTORY / "oldest").read_bytes()))
    diff(ZEN3, str(DIRECTORY / "oldest"), status=0, name="a tar that is as old as tar")
    live = diff("live", "live", status=0)
    tap.ok("no difference" in live.text, "this machine does not differ from itself", live.text)
    diff("live", status=0, name="one word is compared with this machine")
    os.mkdir(DIRECTORY / "zen1-epyc")
    diff("zen1-epyc@1", "zen3-epyc", status=1, name="HOST@SNAPSHOT is a host where a file has the host's name", cwd=DIRECTORY)
    diff("zen1-epyc", "zen3-epyc", status=2, name="HOST alone is refused there", cwd=DIRECTORY)


def inventory():
    """A machine of a document gives the same output as its tree."""
    for name in ("skylake-sp", "alderlake-hybrid-k6.12"):
        document = DIRECTORY / f"{name}.yaml"
        pmuq(*machine(name), "export", "--output", str(document))
        for words in (["list", "-J"], ["list", "-J", "events"], ["show", "cpu*"], ["export"],
                      ["encode", "--jsonl", "cycles", "mem-loads", "cpu/umsk=1/", "uncore_imc/clockticks/"]):
            there, here = pmuq("--sysroot", str(document), *words), pmuq(*machine(name), *words)
            tap.same((there.status, there.out), (here.status, here.out), f"{name}: {' '.join(words)[:30]} of a document")
    named = pmuq("--sysroot", f"{DIRECTORY}/both.yaml#zen1-epyc", "list", "facts", "-J")
    tap.ok("AuthenticAMD-23-1-2" in named.text, "FILE#NAME names one machine of a document", named.stderr)
    many = pmuq("--sysroot", str(DIRECTORY / "both.yaml"), "list")
    tap.ok(many.status == 4 and "PMUQ-221" in many.stderr, "a document of several machines needs #NAME", many.stderr)


def mistakes():
    """A word that is not a machine is an error, and the status is not that of a difference."""
    for names, code, message in (
            (["no-such-host"], "PMUQ-086", "zen3-epyc"),
            (["./missing.yaml"], "PMUQ-220", "No such file"),
            (["missing.tar"], "PMUQ-220", "No such file"),
            ([str(DIRECTORY / "both.yaml")], "PMUQ-221", "zen1-epyc, zen3-epyc"),
            ([f"{DIRECTORY}/both.yaml#zen2"], "PMUQ-220", "it has: zen1-epyc, zen3-epyc"),
            ([f"{DIRECTORY}/both.yaml#zen3"], "PMUQ-220", "hosts that begin so: zen3-epyc\n"),
            ([f"{DIRECTORY}/zen3-epyc.json#zen2"], "PMUQ-220", "zen3-epyc.json"),
            ([str(SCHEMAS / "messages.toml")], "PMUQ-17", ""),
            ([str(DIRECTORY)], "PMUQ-0", "")):
        result = diff(*names, ZEN3, status=4)
        tap.ok(code in result.stderr and message in result.stderr and not result.out, f"the error is {code} {message}", result.stderr)
        diff(ZEN3, *names, status=4)
    empty = pmuq("--db", str(DIRECTORY / "none.db"), "diff", "web01", ZEN3)
    tap.same(empty.status, 4, "a host without a database: 4", empty.stderr)
    away = pmuq("diff", "web01", ZEN3)
    tap.ok(away.status == 4 and "PMUQ-220" in away.stderr and "pmuq scan" in away.stderr, "a word that names nothing: 4, with a hint",
           away.stderr)
    for options in ([], ["a", "b", "c"], ["--stat", "--json", "a"], ["--weight", "braking", "a"], ["--jsn", "a"],
                    ["--sysroot", ZEN1, ZEN1, ZEN3], ["--all=1", "a"]):
        result = diff(*options, status=2)
        tap.ok(result.stderr and not result.out, f"usage: {' '.join(options)[:30]}", result.stderr)
    tap.ok("'breaking'" in diff("--weight", "braking", "a", status=2).stderr, "a misspelt weight has a hint")


UPGRADE = {
    "@cpu/events/mem-loads": "event=0xcd,umask=0x2,ldlat=3\n",       # other bits
    "@cpu/events/mem-stores": "umask=0x82, event=0xd0\n",            # another order
    "@cpu/events/tx-abort": None,
    "@cpu/events/fresh": "event=0x77\n",
    "@cpu/format/in_tx": "config:40\n",
    "@uncore_imc_2/events/cas_count_read.unit": "KiB\n",
    "@uncore_imc_3/events/cas_count_read.unit": "KiB\n",
    "proc/sys/kernel/perf_event_paranoid": "4\n",
    "proc/sys/kernel/osrelease": "6.12.9\n",
}
SHOWN = """\
--- {before}  kernel 6.1.192  GenuineIntel-6-55-4
+++ {after}  kernel 6.12.9  GenuineIntel-6-55-4

Broken
host
  ~ fact      perf_event_paranoid          2 -> 4
cpu
  - event     tx-abort                     event=0xc9,umask=0x4

Means something else
cpu
  ~ format    in_tx                        config:32 -> config:40
  ~ event     cycles-ct                    config 0x30000003c -> 0x1020000003c (bits 32,40)
                                           event=0x3c,in_tx=1,in_tx_cp=1, as before
  ~ event     cycles-t                     config 0x10000003c -> 0x1000000003c (bits 32,40)
                                           event=0x3c,in_tx=1, as before
  ~ event     mem-loads                    config 0x1cd -> 0x2cd (bits 8-9)
                                           event=0xcd,umask=0x1,ldlat=3 -> event=0xcd,umask=0x2,ldlat=3
uncore_imc_[2-3]
  ~ unit      cas_count_read               MiB -> KiB

Added
cpu
  + event     fresh                        event=0x77

2 breaking, 5 meaning, 1 addition; not shown: 2 cosmetic (--all)
"""
COSMETIC = """
Only looks different
host
  ~ fact      kernel                       6.1.192 -> 6.12.9
cpu
  ~ event     mem-stores                   event=0xd0,umask=0x82 -> umask=0x82, event=0xd0

2 breaking, 5 meaning, 1 addition, 2 cosmetic
"""
STAT = """\
 host             | 1 breaking
 cpu              | 1 breaking 4 meaning 1 addition
 uncore_imc_[2-3] | 1 meaning
2 breaking, 5 meaning, 1 addition; not shown: 2 cosmetic (--all)
"""


def upgrade():
    after = changed("upgraded", UPGRADE)
    shown = diff(SKX, after, status=1).text
    want = SHOWN.format(before=SKX, after=after)
    tap.same(shown, want, "breaking changes come first, by PMU, with the bits that moved")
    tap.same(diff("--all", SKX, after, status=1).text, want[:want.rindex("\n\n") + 1] + COSMETIC, "--all shows cosmetic changes")
    tap.same(diff("--stat", SKX, after, status=1).text, STAT, "--stat counts changes by weight")
    tap.same(diff("-q", SKX, after, status=1).text, f"Machines {SKX} and {after} differ\n", "-q prints one line if machines differ")
    heavy = diff("--weight", "breaking", SKX, after, status=1).text
    tap.ok("Broken" in heavy and "Means" not in heavy and "not shown: 5 meaning, 1 addition, 2 cosmetic" in heavy,
           "--weight leaves out lighter changes", heavy)
    coloured = diff("--color", "always", SKX, after, status=1)
    tap.ok("\033[" in coloured.text, "--color always prints colours")
    tap.same(re.sub("\033\\[[0-9;]*m", "", coloured.text), want, "colours do not change the text")
    renamed = changed("renamed", {"@cpu/events/mem-stores": None, "@cpu/events/stores": "event=0xd0,umask=0x82\n"})
    tap.ok("  ~ event     mem-stores                   is now called stores, with the same bits\n"
           in diff(SKX, renamed, status=1).text, "a renamed event is one change")
    broken = changed("broken", {"@cpu/format/ldlat": None})
    tap.ok("  ~ event     mem-loads                    cannot be encoded any more: the PMU has no term 'ldlat'\n"
           in diff(SKX, broken, status=1).text, "an event whose format is gone is marked")


def exit_status():
    cosmetic = changed("cosmetic", {"@cpu/events/mem-stores": "umask=0x82, event=0xd0\n"})
    same = diff(SKX, cosmetic, status=0)
    tap.same(same.text.splitlines()[-1], "no difference; not shown: 1 cosmetic (--all)", "cosmetic changes are not a difference")
    diff("--all", SKX, cosmetic, status=1)
    diff("-q", SKX, cosmetic, status=0)
    tap.same(diff("-q", SKX, cosmetic, status=0).text, "", "-q prints nothing for equal machines")
    more = changed("more", {"@cpu/events/fresh": "event=0x77\n"})
    diff(SKX, more, status=1)
    diff("--weight", "meaning", SKX, more, status=0)
    tap.same(diff("--weight", "meaning", "--json", SKX, more, status=0).json["differ"], False, "the JSON agrees with the exit status")
    unreadable = changed("unreadable", {"@cpu/format/umask": "config8-15\n"})
    result = diff(SKX, unreadable, status=1)
    tap.ok("1 file could not be read or understood" in result.stderr, "files that could not be read are noted", result.stderr)


def documents():
    """The JSON of each pair of machines matches the schema."""
    validator = jsonschema and jsonschema.Draft202012Validator(json.loads((SCHEMAS / "diff.schema.json").read_text()))
    names = machine_names()
    types = set()
    for before, after in list(zip(names, names[1:])) + [(HYBRID, NOATOM), (SKX, str(DIRECTORY / "upgraded")), (SKX, str(DIRECTORY / "renamed"))]:
        before, after = (path if "/" in path else str(MACHINES / path) for path in (before, after))
        document = diff("--json", before, after, status=1, name=f"{pathlib.Path(before).name}, {pathlib.Path(after).name}").json
        types |= {change["type"] for change in document["changes"]}
        counted = {weight: sum(change["weight"] == weight for change in document["changes"]) for weight in document["counts"]}
        tap.same(document["counts"], counted, "the counts are those of the changes")
        if validator:
            tap.same([error.message for error in validator.iter_errors(document)], [], "the document matches the schema")
    tap.ok(len(types) > 20, "the changes have more than 20 types", sorted(types))
    if not validator:
        tap.skip("documents match the schema", "no python3-jsonschema")
        return
    tap.ok(list(validator.iter_errors({"schema": "pmuq.diff/1", "changes": []})), "the schema does not take anything")
    described = {type_ for type_ in validator.schema["$defs"]["change"]["properties"]["type"]["enum"]}
    tap.ok(types <= described, "the schema contains all types of changes")
    try:
        import yaml
    except ImportError:
        tap.skip("--yaml has the content of --json", "no python3-yaml")
        return
    both = [diff(form, ZEN1, ZEN3, status=1) for form in ("--json", "--yaml")]
    tap.same(yaml.safe_load(both[1].text), both[0].json, "--yaml has the content of --json")


def opened():
    """Events that opened before and are refused now: a check of this machine, and the same check with other open results."""
    if pmuq("--db", str(DB), "scan", "--check", "--name", "here").status != 0:
        tap.skip("events that no longer open are reported", "this machine cannot be scanned")
        return
    checked = diff("here", "live", status=0)
    tap.ok("no difference" in checked.text, "a machine that was just checked has no difference", checked.text)
    document = pmuq("--db", str(DB), "--host", "here", "export", "--json").json
    generic = next(entry["generic"] for entry in document["check"]["checked"] if "generic" in entry)
    if sum(open_result == "opened" for open_result in generic.values()) < 3 or "software/cpu-clock" not in generic:
        tap.skip("events that no longer open are reported", "too little opens here")
        return
    document["check"]["open_results"]["closed"] = {"status": "refused", "errno": 13, "reason": "perf is closed to you"}
    names = [name for name, open_result in generic.items() if open_result == "opened"]
    generic.update({name: "closed" for name in names})
    del document["end"]["entries"]
    closed = DIRECTORY / "closed.json"
    closed.write_text(json.dumps(document))
    refused = diff("here", str(closed), status=1)
    tap.ok(f"  - opens     {len(names)} events: opened -> refused, EACCES: perf is closed to you\n" in refused.text,
           "events that no longer open are reported once for each reason", refused.text)
    tap.same(re.search(r"you\n((?: {13}.*\n)+)", refused.text)[1].split(), sorted(name.split("/")[1] for name in names),
             "the JSON names all events that no longer open")
    tap.ok("Added" in diff(str(closed), "here", status=1).text, "events that open again are additions")
    for name in names[1:]:
        generic[name] = "opened"
    closed.write_text(json.dumps(document))
    one = re.escape(names[0].split("/")[1])
    tap.ok(re.search(rf"  - opens     {one} +opened -> refused, EACCES", diff("here", str(closed), status=1).text), "a single event is reported by its name")


words()
inventory()
mistakes()
upgrade()
exit_status()
documents()
opened()
tap.finish()
