#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""decode: its input, its output, and that its output encodes to the same attrs."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from tap import MACHINES, PMUQ, Tap, machine, machine_names, pmuq

TREE = machine("skylake-sp")
VENDORS = pathlib.Path(__file__).parent.parent / "vendor/arch"
FIELDS = "type=4 config=0x13c exclude_kernel=1 exclude_hv=1"
STRINGS = ["cycles", "cycles:u", "{cycles,instructions}:k", "team{cycles,cpu/mem-loads/}", "uncore_imc/cas_count_read/",
           "cpu/event=1,period=1000/", "r1a", "mem:0x1000/8:rw", "page-faults,context-switches", "L1-dcache-load-misses:ppp",
           "cpu/mem-loads,ldlat=30/u", "intel_pt//", "kprobe/func='do_exit',offset=0x10/", "{cycles:D,branches}:u",
           "uprobe/path='/bin/ls -l',offset=16,retprobe/"]

tap = Tap()


def attrs(lines):
    """The attrs and probes of each line of encode --jsonl, in order."""
    return [[(encoding["attr"], encoding.get("probe")) for encoding in line.get("encodings", [])] for line in lines]


def extended_types():
    """Generic events with the type of a PMU, or of none, in their upper half: each string counts on that PMU."""
    for name, types in (("alderlake-hybrid-k6.12", (0, 1, 4, 10, 99)), ("arm64-biglittle", (0, 2, 8, 9, 10))):
        fields = [f"type={generic} config={pmu << 32 | config:#x}"
                  for pmu in types for generic, configs in ((0, (0, 1, 9)), (3, (0, 0x10001))) for config in configs]
        for dialect in ("pmuq", "perf"):
            found = pmuq(*machine(name), "decode", "--dialect", dialect, "--jsonl", "--", *fields).lines
            wanted = [(string, decoding["pmu"]) for line in found for decoding in line["decodings"]
                      for string in (decoding["string"], *decoding["alternatives"])]
            lines = pmuq(*machine(name), "encode", "--dialect", dialect, "--no-open", "--jsonl", "--",
                         *(string for string, _ in wanted)).lines
            got = [(line["input"], *{encoding["pmu"] for encoding in line["encodings"]}) for line in lines]
            tap.same(got, wanted, f"{name}, {dialect}: each string that decode prints counts on the PMU of the attr")


def plain():
    got = pmuq(*TREE, "decode", FIELDS)
    tap.same((got.text, got.stderr, got.status), ("cpu/bus-cycles/u\n", "", 0), "decode accepts fields")
    raw = pmuq(*TREE, "encode", "--hex", "--no-open", "cpu/bus-cycles/u").text
    tap.same(pmuq(*TREE, "decode", raw).text, "cpu/bus-cycles/u\n", "decode accepts hex")
    swapped = "00000004 00000040 000000000000013c" + "0" * 48 + "0600000000000000" + "0" * 32
    tap.same(pmuq(*TREE, "decode", swapped).text, "cpu/bus-cycles/u\n", "decode accepts hex of the other byte order")
    several = pmuq(*TREE, "decode", FIELDS, "type=0", "type=1 config=2").text
    tap.same(several, "cpu/bus-cycles/u\ncycles\npage-faults\n", "each attr is printed as a line")
    tap.same(pmuq(*TREE, "decode", "--dialect", "perf", "--from", "format", FIELDS).text,
             "cpu/event=0x3c,umask=0x1/u\n", "--from restricts the sources of names")
    for words, want in (
            (FIELDS.split(), "cpu/bus-cycles/u\n"),
            (["type=4,config=0x13c", "exclude_kernel=1", "exclude_hv=1", "type=1", "config=2"], "cpu/bus-cycles/u\npage-faults\n"),
            (["config=0x13c", "type=4", "exclude_kernel=1 exclude_hv=1"], "cpu/bus-cycles/u\n"),
            (["type=1", "config=2", raw.strip(), "type=0"], "page-faults\ncpu/bus-cycles/u\ncycles\n")):
        tap.same(pmuq(*TREE, "decode", *words).text, want, f"words of fields are one attr: {' '.join(words)[:60]}")
    row = pmuq(*TREE, "decode", "--json", "type=1", "config=2").json["inputs"][0]
    tap.same(row["input"], "type=1 config=2", "the input in a document is the whole attr")
    twice = pmuq(*TREE, "decode", "type=1", "config=2", "config=3")
    tap.ok((twice.status, twice.text) == (1, "") and "'config' is set twice\n  type=1 config=2 config=3\n                  ^" in twice.stderr
           and "hint: words of fields are one attr up to the next type=" in twice.stderr, "a repeated field is an error", twice.stderr)
    tap.ok("hint" not in pmuq(*TREE, "decode", "type=1 type=2").stderr, "one word has no such hint")
    lines = pmuq(*TREE, "decode", "-f", "-", stdin=b"\xef\xbb\xbftype=1 config=2\nconfig=1\n")
    tap.same((lines.text, lines.stderr), ("page-faults\n0:0x1\n", ""), "each line of a file is an attr; a byte-order mark is skipped")
    hybrid = [pmuq(*machine("alderlake-hybrid-k6.12"), "decode", f"type=0 config={config}").text
              for config in ("0x400000000", "0xa00000000", "0xa00000063")]
    tap.same(hybrid, ["cpu_core/cycles/\n", "cpu_atom/cycles/\n", "0:0xa00000063\n"], "the upper half of a generic event is its core PMU")
    left = pmuq(*TREE, "decode", FIELDS + " inherit=1 read_format=3").text
    tap.same(left, "cpu/bus-cycles/u  # left to a tool: read_format=0x3 inherit=1\n", "fields that no string expresses are a comment")
    tap.same(pmuq(*TREE, "encode", "--hex", "--no-open", "-f", "-", stdin=left.encode()).text, raw, "encode ignores the comment")
    tap.same(pmuq(*TREE, "decode", "type=0 exclude_user=1,exclude_kernel=1,exclude_hv=1").text,
             "cycles  # cannot be written: exclude_user=1 exclude_kernel=1 exclude_hv=1\n", "an attr that no string expresses is a comment")
    tap.same(pmuq(*TREE, "decode", "--from", "sysfs", "type=5 bp_type=3 bp_addr=1 bp_len=4").text,
             "5:0x0/config1=0x1,config2=0x4/  # cannot be written from these sources: bp_type=3\n",
             "with --from, a form that was left out may express the fields")
    everything = pmuq(*TREE, "decode", "--all", FIELDS).text.splitlines()
    tap.same(everything[:3], ["cpu/bus-cycles/u", "#   or cpu/event=0x3c,umask=0x1/u", "#   or r13c:u"], "--all prints all alternatives")


def from_json():
    whole = pmuq(*TREE, "encode", "--json", "--no-open", "--", *STRINGS)
    lines = pmuq(*TREE, "encode", "--jsonl", "--no-open", "--", *STRINGS)
    got = pmuq(*TREE, "decode", "-f", "-", stdin=lines.out)
    tap.same(got.status, 0, "decode accepts lines of encode --jsonl", got.stderr)
    tap.same(pmuq(*TREE, "decode", "-f", "-", stdin=whole.out).text, got.text, "decode accepts a document of several lines")
    tap.same(pmuq(*TREE, "decode", whole.text).text, got.text, "decode accepts a document as an argument")
    tap.same(pmuq(*TREE, "decode", *lines.text.splitlines()).text, got.text, "decode accepts a line of --jsonl as an argument")
    for form in ("--json", "--jsonl"):
        short = pmuq(*TREE, "encode", form, "--compact", "--no-open", "--", *STRINGS)
        tap.same(pmuq(*TREE, "decode", "-f", "-", stdin=short.out).text, got.text, f"decode accepts encode {form} --compact")
    strings = got.text.splitlines()
    tap.ok("{cycles:k,cpu/instructions/k}" in strings, "a group is printed in braces", strings)
    tap.ok("team{cycles,cpu/mem-loads/}" in strings, "a group is printed with its name", strings)
    tap.ok("cpu/event=0x1/  # tool terms: period=1000" in strings, "tool terms are a comment", strings)
    tap.ok("uprobe/path='/bin/ls -l',offset=0x10,retprobe/" in strings, "the path of a probe is kept", strings)
    one = lines.lines[1]["encodings"][0]
    for value, name in ((one, "an encoding"), (one["attr"], "an attr"), ([one, one["attr"]], "a list")):
        want = "cycles:u\n" * (2 if isinstance(value, list) else 1)
        tap.same(pmuq(*TREE, "decode", json.dumps(value, indent=1)).text, want, f"{name} alone is accepted")
    short = {key: value for key, value in one.items() if key != "attr"}
    tap.same(pmuq(*TREE, "decode", json.dumps(short)).text, "cycles:u\n", "a compact encoding alone is accepted")
    refused = pmuq(*TREE, "encode", "--jsonl", "--no-open", "cycles", "cpu/umsk=1/").out
    got = pmuq(*TREE, "decode", "-f", "-", stdin=refused)
    tap.same((got.status, got.text), (1, "cycles\n"), "an element with an error is an error")
    tap.ok("<stdin>:2: error[PMUQ-100]" in got.stderr and "no term 'umsk'" in got.stderr, "the error contains the reason", got.stderr)


def both_forms():
    lines = pmuq(*TREE, "encode", "--jsonl", "--no-open", "--", *STRINGS, "no-such").text.splitlines()
    attrs = [*lines, FIELDS, FIELDS + " inherit=1 clockid=-1 exclude_user=1", "type=4 confg=1", "04", "{", "[1]", "", "type=99",
             "type=5 bp_type=9 sample_period=1"]
    document = pmuq(*TREE, "decode", "--json", "--", *attrs)
    tap.same(document.status, 1, "the exit status is the worst one")
    each = pmuq(*TREE, "decode", "--jsonl", "--", *attrs).lines
    tap.same(document.json["inputs"], each, "--json and --jsonl have the same content")
    tap.same([line["ok"] for line in each[-9:]], [True, True, False, False, False, False, False, True, True], "valid and invalid attrs each have a result")
    inexact = each[-1]["decodings"][0]
    tap.same((inexact["exact"], inexact["inexpressible"], inexact["left"]), (False, {"bp_type": 9}, {"sample_period": "0x1"}),
             "fields that no string expresses are separate from tool terms")
    tap.same(each[-2]["decodings"][0]["pmu"], None, "a type without a PMU on the machine is decoded without a PMU")


def errors():
    got = pmuq(*TREE, "decode", "type=4 confg=1", "0", FIELDS)
    tap.same((got.status, got.text), (1, "cpu/bus-cycles/u\n"), "every attr has a result")
    tap.ok("  type=4 confg=1\n         ^^^^^\nhint: did you mean 'config'?" in got.stderr, "the caret is below the wrong field", got.stderr)
    got = pmuq(*TREE, "decode", "--jsonl", '{"type": 4, "config": 60.5}', "type=-1").lines
    tap.same([(row["error"]["message"], row["error"]["offset"]) for row in got],
             [("'config' is neither an integer nor a string", 22), ("-1 does not fit 'type', which has 32 bits and no sign", 5)],
             "a value that no field takes is marked, with the reason")
    got = pmuq(*TREE, "decode", "-f", "-", stdin=b"# attrs\n\ntype=0 # cycles\ntype=x\n\0\n{\"type\":\n1,\"config\": 2}\n{\"x\": [\n")
    tap.same((got.status, got.text), (1, "cycles\npage-faults\n"), "a file may contain comments, and JSON of several lines")
    tap.ok(all(f"<stdin>:{line}: error[PMUQ-{code}]" in got.stderr for line, code in ((4, 100), (5, 100), (8, 106))),
           "errors contain file and line", got.stderr)
    tap.same(pmuq(*TREE, "decode").status, 2, "decode without an attr is a usage error")
    tap.same(pmuq(*TREE, "decode", "--from", "nowhere", "type=0").status, 2, "an unknown source is a usage error")
    tap.same(pmuq(*TREE, "decode", "-f", "/no/such/file").status, 4, "the status is 4 if a file cannot be read")


def events_of(name):
    """Every event of every PMU, some with another term and modifiers."""
    devices = MACHINES / name / "sys/bus/event_source/devices"
    for pmu in sorted(devices.iterdir()):
        events = pmu / "events"
        for event in sorted(events.iterdir()) if events.is_dir() else ():
            if not event.name.endswith((".unit", ".scale", ".per-pkg", ".snapshot")):
                yield f"{pmu.name}/{event.name}/"
                yield f"{pmu.name}/{event.name},config4=1/uH"


def law(name):
    for dialect in ("pmuq", "perf"):
        options = [*machine(name), "encode", "--no-open", "--dialect", dialect, "--jsonl", "-f", "-"]
        texts = "\n".join([*events_of(name), "cycles", "{cycles:u,instructions}", "r1f", "LLC-loads:k", "4:0x1ff", "mem:0x10:w"])
        first = pmuq(*options, stdin=texts.encode())
        good = [line for line in first.lines if line["ok"]]
        tap.ok(len(good) >= 4, f"{name}: there are attrs to decode")
        decoded = pmuq(*machine(name), "decode", "--dialect", dialect, "--jsonl", "-f", "-",
                       stdin="\n".join(map(json.dumps, good)).encode())
        wrong = []
        groups = ["\n".join(line["strings"]) for line in decoded.lines]
        again = iter(pmuq(*options, stdin="\n".join(groups).encode()).lines)
        for line, result in zip(good, decoded.lines):
            made = [pair for _ in result["strings"] for pair in attrs([next(again)])[0]]
            if made != attrs([line])[0]:
                wrong.append((line["input"], result["strings"]))
        tap.same((len(decoded.lines), wrong[:5]), (len(good), []), f"{name}: encode | decode | encode, dialect {dialect}")


def stored():
    with tempfile.TemporaryDirectory() as directory:
        db = os.path.join(directory, "pmuq.db")
        kept = pmuq("--db", db, *TREE, "scan", "--name", "skx")
        if kept.status == 4 and "libsqlite3" in kept.stderr:
            tap.skip("a stored machine decodes like its tree", "no libsqlite3")
            return
        lines = pmuq(*TREE, "encode", "--jsonl", "--no-open", "--", *STRINGS).out
        tap.same(pmuq("--db", db, "--host", "skx", "decode", "--all", "-f", "-", stdin=lines).text,
                 pmuq(*TREE, "decode", "--all", "-f", "-", stdin=lines).text, "a stored machine decodes like its tree")


# The CPU of tests/vendor whose events the cpu of this machine can count.
TESTLAKE = ["--vendor", "GenuineIntel-6-F0-1"]


def tables():
    with tempfile.TemporaryDirectory() as directory:
        db = ["--db", os.path.join(directory, "pmuq.db")]
        kept = pmuq(*db, "vendor", "import", "--no-libpfm4", VENDORS)
        if kept.status == 4 and "lib" in kept.stderr:
            tap.skip("--vendor adds names of a vendor table", kept.stderr)
            return
        query = [*db, *TREE, "decode", *TESTLAKE]
        got = pmuq(*query, "type=4 config=0x20d1 exclude_kernel=1 exclude_hv=1").text
        tap.same(got, "mem_load_retired.l3_miss:u\n", "an event of a vendor table is printed by its name", kept.stderr)
        tap.same(pmuq(*query, "type=4 config=0x9").text, "uops.old\n", "a deprecated name is used if there is no other")
        tap.same(pmuq(*query, "type=4 config=0x10020d1").text, "cpu/mem_load_retired.l3_miss,cmask=0x1/\n", "terms are added to a name of a table")
        tap.same(pmuq(*query, FIELDS).text, "cpu/bus-cycles/u\n", "the machine's name is printed before the table's")
        tap.same(pmuq(*query, "type=17 config=0x304").text, "uncore_imc_0/cas_count_read/\n", "the machine's name comes first on an uncore instance")
        tap.same(pmuq(*query, "--from", "json", "type=17 config=0x304").text, "uncore_imc_0/unc_m_cas_count.rd/\n",
                 "--from json leaves out the machine's name")
        tap.same(pmuq(*query, "--from", "format", "type=4 config=0x20d1").text, "cpu/event=0xd1,umask=0x20/\n",
                 "--from format leaves out the tables")
        tap.same(pmuq(*query, "--json", "type=4 config=0x20d1").json["inputs"][0]["decodings"][0]["source"], "json",
                 "the JSON contains the source of the name")
        tap.same(pmuq(*db, *TREE, "decode", "--vendor", "auto", "type=0").status, 1, "a CPU without a table is an error")
        names = [event["EventName"] for file in sorted((VENDORS / "x86/testlake").glob("*.json"))
                 for event in json.loads(file.read_text()) if isinstance(event, dict) and "EventName" in event]
        law_of_tables(db, names)


def law_of_tables(db, names):
    for dialect in ("pmuq", "perf"):
        encode = [*db, *TREE, "encode", "--no-open", "--jsonl", "--dialect", dialect, *TESTLAKE, "-f", "-"]
        first = [line for line in pmuq(*encode, stdin="\n".join(names).encode()).lines if line["ok"]]
        tap.ok(len(first) > 5, "tables: there are attrs to decode", names)
        wrong = []
        for line in pmuq(*db, *TREE, "decode", "--jsonl", "--dialect", dialect, *TESTLAKE, "-f", "-",
                         stdin="\n".join(map(json.dumps, first)).encode()).lines:
            want = attrs([next(at for at in first if at["input"] == line["input"])])[0]
            again = pmuq(*encode, stdin="\n".join(line["strings"]).encode()).lines
            if [pair for result in attrs(again) for pair in result] != want:
                wrong.append((line["input"], line["strings"]))
        tap.same(wrong, [], f"tables: encode | decode | encode, dialect {dialect}")


# What each attr becomes if names of libpfm4 are allowed.
PFM = [
    ("type=4 config=0x20d1", "skx::MEM_LOAD_RETIRED:L3_MISS"),
    ("type=4 config=0x20d1 exclude_kernel=1 exclude_hv=1 precise_ip=2 pinned=1", "skx::MEM_LOAD_RETIRED:L3_MISS:u:precise=2:pinned=1"),
    ("type=4 config=0x20d1 exclude_host=1", "skx::MEM_LOAD_RETIRED:L3_MISS:mg=1"),
    ("type=4 config=0x20d1 exclude_guest=1 exclusive=1", "skx::MEM_LOAD_RETIRED:L3_MISS:mh=1:excl=1"),
    ("type=4 config=0x10420d1", "skx::MEM_LOAD_RETIRED:L3_MISS:e=1:c=1"),
    ("type=4 config=0x18020d1 exclude_user=1 exclude_hv=1", "skx::MEM_LOAD_RETIRED:L3_MISS:i=1:c=1:k"),
    ("type=4 config=0x2020d1", "skx::MEM_LOAD_RETIRED:L3_MISS:t=1"),
    ("type=4 config=0x1b7 config1=0x204000003", "skx::OFFCORE_RESPONSE_0:DMND_DATA_RD:DMND_RFO:L3_MISS_LOCAL:SNP_MISS"),
    ("type=4 config=0x20001b7 config1=0x10003 exclude_kernel=1 exclude_hv=1",
     "skx::OFFCORE_RESPONSE_0:DMND_DATA_RD:DMND_RFO:ANY_RESPONSE:c=2:u"),
    ("type=4 config=0x3c7", "skx::FP_ARITH:SCALAR_DOUBLE:SCALAR_SINGLE"),
    ("type=4 config=0x1cd config1=5", "cpu/mem-loads,ldlat=0x5/"),
    ("type=4 config=0x20d1 exclude_idle=1", "cpu/event=0xd1,umask=0x20/I"),
    ("type=4 config=0x20d1 branch_sample_type=8", "cpu/event=0xd1,umask=0x20,branch_type=any/"),
    ("type=4 config=0xfffe", "cpu/event=0xfe,umask=0xff/"),
    (FIELDS, "cpu/bus-cycles/u"),
    ("type=17 config=0x304", "uncore_imc_0/cas_count_read/"),
]


# Each umask of two events in turn, and a name whose bits are exactly these.
PFM_ALL = [
    # An event that sysfs names needs no other names.
    ("type=4 config=0x13c", []),
    ("type=4 config=0x3c7", ["skx::FP_ARITH:SCALAR_DOUBLE:SCALAR_SINGLE", "skx::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:SCALAR_SINGLE"]),
    ("type=4 config=0xa8001c0", ["skx::INST_RETIRED:TOTAL_CYCLES"]),
]


def libpfm4():
    helped = pmuq(*TREE, "encode", "--no-open", "skx::INST_RETIRED")
    if helped.status != 0:
        tap.skip("names of libpfm4", helped.stderr)
        return
    sources = ["--from", "format,sysfs,raw,pfm"]
    for attr, want in PFM:
        tap.same(pmuq(*TREE, "decode", *sources, attr).text, want + "\n", f"{attr}: the name of libpfm4")
    for attr, want in PFM_ALL:
        names = re.findall(r"skx::\S+", pmuq(*TREE, "decode", "--all", *sources, attr).text)
        tap.same(names, want, f"{attr}: all names of libpfm4")
    tap.same(pmuq(*TREE, "decode", "--from", "format,pfm", "type=17 config=0x304").text,
             "skx_unc_imc0::UNC_M_CAS_COUNT:RD\n", "an uncore instance has names of libpfm4")
    tap.same(pmuq(*TREE, "decode", "--from", "format,pfm", "type=31 config=0x334 config1=0xc00000").text,
             "skx_unc_cha0::UNC_C_LLC_LOOKUP:DATA_READ:STATE_LLC_E:STATE_LLC_M\n", "a name of libpfm4 may have umasks of several groups")
    tap.same(pmuq(*TREE, "decode", "type=4 config=0x20d1").text, "cpu/event=0xd1,umask=0x20/\n", "names of libpfm4 need --from pfm")
    tap.same(pmuq(*TREE, "decode", "--dialect", "perf", *sources, "type=4 config=0x20d1").text,
             "cpu/event=0xd1,umask=0x20/\n", "names of libpfm4 are not used in the perf dialect")
    tap.same(pmuq(*TREE, "decode", "--json", *sources, "type=4 config=0x20d1").json["inputs"][0]["decodings"][0]["source"],
             "pfm", "the JSON contains the source of the name")
    tap.same(pmuq(*machine("unknown-intel"), "decode", *sources, "type=4 config=0x20d1").text,
             "cpu/event=0xd1,umask=0x20/\n", "a CPU that is not in pmuq's list for libpfm4 has no names")
    with tempfile.TemporaryDirectory() as directory:
        cpu = pathlib.Path(directory, "sys/bus/event_source/devices/cpu")
        cpu.mkdir(parents=True)
        (cpu / "type").write_text("4")
        tap.same(pmuq("--sysroot", directory, "decode", *sources, "type=4 config=0x20d1").text, "r20d1\n",
                 "a machine whose CPU is not known has no names")
    tap.same(pmuq(*machine("zen3-epyc"), "decode", "--from", "format,pfm", "type=4 config=0x10000c0 exclude_kernel=1 exclude_hv=1").text,
             "amd64_fam19h_zen3::RETIRED_INSTRUCTIONS:c=1:u\n", "names of AMD CPUs have modifiers")


def closed_output():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([PMUQ, *TREE, "decode", FIELDS], stdout=full, stderr=subprocess.PIPE, check=False)
    tap.same(done.returncode, 4, "the status is 4 if the output cannot be written")


plain()
extended_types()
from_json()
both_forms()
errors()
stored()
tables()
libpfm4()
closed_output()
for name in machine_names():
    law(name)
tap.finish()
