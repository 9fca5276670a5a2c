#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small inputs that would need much work: each command ends within 10 seconds of CPU and 512 MiB, with an error for
what exceeds a limit, and with the results of the rest."""
import json
import os
import pathlib
import resource
import subprocess
import tempfile

from tap import PMUQ, Tap, machine, pmuq

tap = Tap()
directory = tempfile.TemporaryDirectory()
DIRECTORY = pathlib.Path(directory.name)
# A sanitizer needs unlimited address space, and twice the time.
BODY = pathlib.Path(PMUQ).read_bytes()
HAS_ASAN, IS_SLOW = b"__asan_init" in BODY, b"__ubsan_handle" in BODY
CPU_S, MEMORY = 30 if IS_SLOW else 10, 512 << 20
DEVICES = "sys/bus/event_source/devices"


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    if not HAS_ASAN:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def limited(*words, **how):
    return pmuq(*map(str, words), preexec_fn=limit, **how)


def document(pmus):
    return f"schema: pmuq.inventory/2\nhosts:\n- name: a\npmus:\n{pmus}end: {{documents: 1}}\n"


def events(n, terms="event=0x1"):
    return "  events:\n" + "".join(f"    e{i}: {terms}\n" for i in range(n))


def many_instances():
    """Names as ranges times events: the limit is that of the lists, not of the document."""
    path = DIRECTORY / "instances.yaml"
    for what, pmus in (("60,001 instances of 200 events", "- names: a[0-60000]\n" + events(200)),
                       ("2,000 instances of 20 events of 60 kB", "- names: a[0-1999]\n" + events(20, "x" * 60000)),
                       ("300 lines of 200 instances of 200 events",
                        "- instances:\n" + "".join(f"  - names: a{i}_[0-199]\n" for i in range(300)) + events(200))):
        path.write_text(document(pmus))
        for words in (["list", "events"], ["show", "a0"], ["export"]):
            result = limited("--sysroot", path, *words)
            tap.ok(result.status == 4 and "PMUQ-174" in result.stderr and not result.out, f"{words[0]} of {what}: refused", result.stderr[-300:])
    path.write_text(document("- names: a[0-1699]\n" + events(200)))
    for words in (["list", "events"], ["list", "--json", "events"], ["list", "--fold", "events"], ["encode", "e7"], ["export", "--json"]):
        result = limited("--sysroot", path, *words, stdout=subprocess.DEVNULL)
        tap.ok(result.status in (0, 1) and "memory" not in result.stderr, f"{' '.join(words)} of 340,000 events: within the limits",
               result.status, result.stderr[-300:])


def many_formats():
    """Formats that share bits are drawn on lines of their own."""
    path = DIRECTORY / "formats.yaml"
    for what, bits in (("a bit each", lambda i: i % 64), ("all bits", lambda i: "0-63")):
        path.write_text(document("- name: a\n  type: 9\n  formats:\n" + "".join(f"    f{i}: config:{bits(i)}\n" for i in range(50_000))))
        result = limited("--sysroot", path, "show", "a")
        tap.ok(result.status == 0 and "f49999" in result.text, f"show of 50,000 formats, {what}: within the limits", result.status, result.stderr[-300:])


def header(name, entry_type, size, link=b""):
    head = bytearray(512)
    head[0:len(name)] = name
    head[100:124] = b"0000644\x000000000\x000000000\x00"
    head[124:136] = b"%011o\0" % size
    head[136:148] = b"00000000000\0"
    head[156:157], head[157:157 + len(link)] = entry_type, link
    head[257:265], head[148:156] = b"ustar\x0000", b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head)


def hidden_content():
    """Entries whose content is not read are unpacked, too."""
    zeros = bytes(1 << 20)
    for what, entry_type in (("hard links", b"1"), ("files", b"0"), ("entries of an unknown type", b"Q")):
        path = DIRECTORY / "hidden.tar.gz"
        with open(path, "wb") as out, subprocess.Popen(["gzip", "-1"], stdin=subprocess.PIPE, stdout=out) as packer:
            for name in (b"m/sys/", b"m/sys/bus/", b"m/sys/bus/event_source/", b"m/sys/bus/event_source/devices/"):
                packer.stdin.write(header(name, b"5", 0))
            record = b"13 comment=x\n"
            for number in range(2):
                # Only entries with an extended header have links with content.
                packer.stdin.write(header(b"x", b"x", len(record)) + record.ljust(512, b"\0"))
                packer.stdin.write(header(b"m/f%d" % number, entry_type, 96 << 20, b"m/sys"))
                for _ in range(96):
                    packer.stdin.write(zeros)
            packer.stdin.write(bytes(1024))
            packer.stdin.close()
        result = limited("--sysroot", path, "list")
        tap.ok(result.status == 4 and "PMUQ-226" in result.stderr and "128 MiB" in result.stderr,
               f"{what} of 192 MiB in {path.stat().st_size >> 10} KiB of a tar: refused", result.stderr)


def large_directory():
    """A directory with very many files is a problem of its PMU; the others work."""
    tree = DIRECTORY / "tree"
    for pmu, pmu_type in (("big", 4), ("small", 5)):
        (tree / DEVICES / pmu / "events").mkdir(parents=True)
        (tree / DEVICES / pmu / "type").write_text(f"{pmu_type}\n")
        (tree / DEVICES / pmu / "events/one").write_text("config=1\n")
    for number in range(65536):
        (tree / DEVICES / f"big/events/e{number}").touch()
    tar = DIRECTORY / "tree.tar.gz"
    subprocess.run(["tar", "-czf", tar, "-C", tree, "sys"], check=True)
    for path in (tree, tar):
        found = limited("--sysroot", path, "list", "-J", "events")
        names = [event["pmu"] + "/" + event["event"] for event in found.json["events"]] if found.status == 0 else found.stderr
        tap.same(names, ["small/one"], f"{path.name}: the events of the other PMU are listed")
        problems = limited("--sysroot", path, "list", "-J", "problems").json["problems"]
        tap.ok([(p["path"], p["code"]) for p in problems] == [(DEVICES + "/big/events", "PMUQ-075")]
               and "more than 65,536 files" in problems[0]["message"], f"{path.name}: the directory is a problem", json.dumps(problems))
        tap.same(limited("--sysroot", path, "encode", "small/one/").status, 0, f"{path.name}: the other PMU works")


def many_links():
    """Many links to one PMU."""
    tree = DIRECTORY / "links"
    (tree / "sys/devices/pmu/events").mkdir(parents=True)
    (tree / DEVICES).mkdir(parents=True)
    (tree / "sys/devices/pmu/type").write_text("9\n")
    for number in range(100):
        (tree / f"sys/devices/pmu/events/e{number}").write_text("event=1\n")
    for number in range(20000):
        os.symlink("../../../devices/pmu", tree / DEVICES / f"p{number}")
    result = limited("--sysroot", tree, "list", "events", stdout=subprocess.DEVNULL)
    tap.ok(result.status == 0 and "could not be read or understood" in result.stderr, "20,000 links to a PMU of 100 events: some are left out",
           result.status, result.stderr)


def long_lines():
    """decode reads lines and documents of any length in limited memory."""
    there = machine("zen3-epyc")
    good = "type=4 config=0x3c\n"
    line = "1," * 20 + "\n" if IS_SLOW else "1,\n"
    for what, text, code in (("a line of 40 MB", "e" * 40_000_000 + "\n", "PMUQ-"),
                             ("a JSON document of 40 MB", "[" + "1," * 20_000_000 + "1]\n", "PMUQ-"),
                             ("the same over lines", "[" + line * (42_000_000 // len(line)) + "1]\n", "larger than 32 MiB"),
                             ("a list of 4,000,000 numbers", "[" + "1," * 4_000_000 + "1]\n", "PMUQ-")):
        path = DIRECTORY / "lines"
        path.write_text(good + text + good)
        result = limited(*there, "decode", "-f", path)
        tap.ok(result.status in (1, 4) and code in result.stderr and len(result.stderr) < 100_000,
               f"{what}: an error", result.status, result.stderr[:300])
        tap.same(result.text.count("cpu/"), 2, f"{what}: the other lines are decoded", result.text[:300])


def long_names():
    """What is printed for people takes time by its length, not by its square: names have up to a mebibyte."""
    path = DIRECTORY / "names"
    path.write_text(("cpu/name='" + "n" * 1_000_000 + "'/\n") * 3)
    for command in (["encode", "--no-open"], ["explain"]):
        result = limited(*machine("zen3-epyc"), *command, "-f", path)
        tap.ok(result.status == 0 and result.text.count("n" * 1_000_000) >= 3, f"{command[0]} of names of 1 MB: within the limits", result.status,
               result.stderr[:300])


def json_attrs():
    """A document of many attrs is decoded one after the other; one that needs too much memory is refused."""
    there, path = machine("zen3-epyc"), DIRECTORY / "attrs.json"
    n = 10_000 if IS_SLOW else 150_000
    path.write_text("[" + ",".join(f'{{"type": 4, "size": 64, "config": "{i:#x}"}}' for i in range(n)) + "]")
    result = limited(*there, "decode", "-f", path)
    tap.ok(result.status == 0 and result.text.count("\n") == n, f"a JSON document of {n:,} attrs is decoded", result.status, result.stderr[:300])
    path.write_text("[" + '{"a":1},' * 3_000_000 + "{}]")
    result = limited(*there, "decode", "-f", path)
    tap.ok(result.status == 1 and "more than 256 MiB" in result.stderr and "split it" in result.stderr, "3,000,000 objects: refused", result.status,
           result.stderr[:300])


def standard_events():
    """References to one long standard event."""
    tree = DIRECTORY / "vendor/arm64"
    (tree / "model").mkdir(parents=True)
    (tree / "mapfile.csv").write_text("Family-model,Version,Filename,EventType\n0x1,v1,model,core\n")
    (tree / "common.json").write_text(json.dumps([{"EventName": "LONG", "EventCode": "0x1", "BriefDescription": "x" * 780_000}]))
    refers = [{"ArchStdEvent": "LONG", "EventName": f"E{number}"} for number in range(100_000)]
    (tree / "model/core.json").write_text(json.dumps(refers))
    database = DIRECTORY / "vendor.db"
    result = limited("--db", database, "vendor", "import", "--no-libpfm4", DIRECTORY / "vendor")
    tap.ok(result.status == 4 and "16 MiB of text from standard events" in result.stderr, "100,000 references to a text of 780 kB: refused",
           result.status, result.stderr[:500])
    tap.ok(not database.exists() or database.stat().st_size < 1 << 20, "nothing of it is stored")


many_instances()
many_formats()
hidden_content()
large_directory()
many_links()
long_lines()
json_attrs()
long_names()
standard_events()
tap.finish()
