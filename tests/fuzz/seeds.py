#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seeds.py OUT MACHINES STAMP NAME...: the seeds of the fuzz targets, from the captured machines,
the cases, the recordings and corpus.tar.xz: OUT/machines/NAME, OUT/corpus/TARGET/, OUT/TARGET.dict; then touches STAMP.

A target selects one of the machines NAME by its number in that order."""
import io
import json
import lzma
import pathlib
import re
import shutil
import struct
import sys
import tarfile

from corpus import kept

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "oracle"))
from trees import small_trees  # noqa: E402

sys.path.insert(0, str(HERE.parent / "recordings"))
from perfdata import MADE, swapped  # noqa: E402

RECORDINGS = ["machines-perf7.2.jsonl.xz", "small-trees-perf7.2.jsonl.xz"]
EVERY = 60  # one of so many recorded strings is a seed
DEVICES = "sys/bus/event_source/devices"
CPU_LISTS = ["0", "0-3,8", "0,2,4-7;1,3,5-9", "65535", "0-65535;7", "3-1", "1,,2", " 0 - 3 , 5 ", "", "0-63;64-127"]
ALIASES = ["box/evt,event=3/u", "evt", "evt:k", "*/evt/", "box/asks,ldlat=3/", "box/event=evt/", "box/name=e,evt/",
           "{evt,box/other/}:S"]
ATTRS = ["", "0400000040000000" + "3c01" + "00" * 54, "00000004 00000040" + "00" * 6 + "013c" + "00" * 48,
         "type=0 config=0xa00000000", "type=3,config=0x10002", "type=9999 config=1 config3=7 inherit=1"]
VALUES = [0, 1, 0xA5, (1 << 64) - 1]


def link_machines(out, machines, names):
    small_trees(out)
    shutil.rmtree(out / "raw")
    for name in names:
        if not (out / name).exists():
            (out / name).symlink_to(machines.resolve() / name)


def case_strings():
    """Machine and event string of each case."""
    for path in sorted((HERE.parent / "cases").glob("*.case")):
        machine = None
        for line in path.read_text(errors="surrogateescape").split("\n"):
            if line.startswith("machine "):
                machine = line[8:]
            elif line.startswith("event "):
                yield machine, line[6:]


def recorded_strings():
    for name in RECORDINGS:
        with lzma.open(HERE.parent / "oracle" / name, "rt") as file:
            for number, line in enumerate(file):
                if number % EVERY == 0:
                    row = json.loads(line)
                    yield row.get("machine") or row.get("tree"), row.get("input") or row.get("event")


def chosen(machine, has_bit):
    """The byte that selects the machine; the meaning of its bit depends on the target."""
    return bytes([ord("0") + machine + 8 * has_bit])


def event_seeds(names):
    """A string of another machine is used on one of NAME."""
    for number, (machine, text) in enumerate([*case_strings(), *recorded_strings()]):
        index = names.index(machine) if machine in names else number % len(names)
        yield chosen(index, False) + text.encode(errors="surrogateescape")


def cut_seeds(names):
    """The same, cut off somewhere."""
    for number, seed in enumerate(event_seeds(names)):
        yield seed[:1 + number % len(seed)]


def attr_seeds(names):
    """Attrs of the recordings as fields, in either dialect."""
    for name in RECORDINGS:
        with lzma.open(HERE.parent / "oracle" / name, "rt") as file:
            for number, line in enumerate(file):
                row = json.loads(line)
                found = [e["attr"] for e in row.get("encodings", [])] or row.get("attrs")
                if number % EVERY or not found:
                    continue
                machine = row.get("machine") or row.get("tree")
                index = names.index(machine) if machine in names else number % len(names)
                fields = " ".join(f"{field}={value}" for field, value in found[0].items())
                yield chosen(index, number // EVERY % 2) + fields.encode()
    yield from (chosen(0, False) + text.encode() for text in ATTRS)


def files(root, pattern):
    return [path for path in sorted((root / DEVICES).glob(pattern)) if path.is_file()]


def texts(root, pattern):
    return [path.read_bytes().strip() for path in files(root, pattern)]


def distinct(things):
    return list(dict.fromkeys(things))


def alias_seeds(roots):
    """For each PMU definition one event with each set of files."""
    seen = set()
    for path in [path for root in roots for path in files(root, "*/events/*")]:
        if re.search(r"\.(unit|scale|per-pkg|snapshot)$", path.name):
            continue
        companions = [path.with_name(path.name + end) for end in (".unit", ".scale")]
        definition = re.sub(rb"0x[0-9a-f]+|\d+", b"0", path.read_bytes()), *(b.exists() for b in companions)
        if definition not in seen:
            yield b"\xff".join([b"box/evt/", path.read_bytes(), *(b.read_bytes() for b in companions if b.exists())])
        seen.add(definition)
    yield from (a.encode() + b"\xffevent=0x1,umask=0x2,holes=3\n" for a in ALIASES)


def cpu_list_seeds(roots):
    return [*(text for root in roots for text in texts(root, "*/cpu*")), *(text.encode() for text in CPU_LISTS)]


def format_seeds(roots):
    found = distinct(text for root in roots for text in texts(root, "*/format/*"))
    return [VALUES[i % len(VALUES)].to_bytes(8, "little") + text for i, text in enumerate(found)]


def recording_seeds():
    """Real and made recordings, in both byte orders."""
    real = [path.read_bytes() for path in sorted((HERE.parent / "recordings").glob("*.data")) if path.is_file()]
    for data in [*real, *MADE.values()]:
        yield from (data, swapped(data))


def document_seeds():
    """Complete documents, parts that are documents, and cut documents."""
    for path in sorted((HERE.parent / "documents").iterdir()):
        data = path.read_bytes()
        yield from (data, data[:len(data) // 2], data[:len(data) // 3 * 2])
        yield from data.split(b"---\n")


def records(root, most=40):
    """The files of a machine as fuzz_files.h reads them: some PMUs, each with a few files of each directory, and the host's files."""
    host = [path for top in ("proc", "etc", "sys/devices/system/cpu") for path in sorted((root / top).rglob("*")) if path.is_file()]
    pmus = [path for pmu in sorted((root / DEVICES).iterdir())[:5] for sub in ("*", "format/*", "events/*", "caps/*")
            for path in sorted(pmu.glob(sub))[:3] if path.is_file()]
    tracepoints = sorted((root / "sys/kernel/tracing/events").glob("*/*/id"))[:2]
    manifest = [path for path in [root / "pmuq-capture"] if path.is_file()]
    chosen_files = [*manifest, *pmus[:most], *host[:8], *tracepoints]
    return [b"f" + str(path.relative_to(root)).replace(DEVICES + "/", "@").encode() + b"\n" + path.read_bytes()[:400] for path in chosen_files]


LINKS = [b"l@link\ncpu", b"lsys/bus/up\n../../..", b"l@cpu/format/round\nround", b"p@cpu/events/pipe\n", b"d@empty/events\n", b"d@msr/format",
         b"f@cpu/events/e.unit\nJoules", b"f@odd\xfe\x01name/type\n12", b"fpmuq-capture\npmuq-capture 1\nunread dir 71 13 sys/kernel/tracing/events\n"
         b"unread link 0 0 " + DEVICES.encode() + b"/cpu/subsystem\nfact extended_type yes\n"]


def tree_seeds(roots):
    """Some files of each machine, alone and with links, FIFOs and a manifest."""
    for root in roots:
        yield b"\xff".join(records(root))
        yield b"\xff".join([*records(root, 12), *LINKS])


def diff_seeds(roots):
    """Each machine, and what is different on the next one; and a machine of which records change."""
    listed = [records(root, 24) for root in roots]
    for number, mine in enumerate(listed):
        yield b"\xff".join(mine) + b"\xfe" + b"\xff".join(listed[(number + 1) % len(listed)])
        changed = [record.replace(b"0x", b"0x1").replace(b"config:", b"config1:") for record in mine[::2]]
        removed = [b"-" + record[1:].split(b"\n")[0] for record in mine[1::4]]
        yield b"\xff".join(mine) + b"\xfe" + b"\xff".join(changed + removed)


def tar_of(files, form, mode="w"):
    """A tar of the records, in a format and a compression."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=form) as tar:
        for record in files:
            path, _, text = record[1:].partition(b"\n")
            info = tarfile.TarInfo(path.decode(errors="surrogateescape").replace("@", DEVICES + "/", 1))
            info.type = {b"l": tarfile.SYMTYPE, b"d": tarfile.DIRTYPE, b"p": tarfile.FIFOTYPE}.get(record[:1], tarfile.REGTYPE)
            info.linkname = text.decode() if record[:1] == b"l" else ""
            info.size = len(text) if record[:1] == b"f" else 0
            tar.addfile(info, io.BytesIO(text))
    return out.getvalue().rstrip(b"\0") + b"\0" * 1024 if mode == "w" else out.getvalue()


def tar_seeds(roots):
    """Small tars of each format, with long names, links and manifests; compressed, cut, and with names that lead out."""
    for number, root in enumerate(roots):
        files = [*records(root, 6)[:10], *LINKS[number::4], b"fsys/" + b"long/" * 30 + b"name\nx"]
        for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
            yield tar_of([file for file in files if len(file.split(b"\n")[0]) < 100 or form != tarfile.USTAR_FORMAT], form)
        yield from (tar_of(files, tarfile.GNU_FORMAT, mode) for mode in ("w:gz", "w:xz"))
    whole = tar_of([b"fx/" + record[1:].replace(b"@", DEVICES.encode() + b"/", 1) for record in records(roots[0], 4)], tarfile.PAX_FORMAT)
    yield from (whole, whole[:1500], whole[:len(whole) - 1024], tar_of([b"f../out\n", b"f/abs\n"], tarfile.GNU_FORMAT))


def cpuinfo_seeds(machines):
    """The first CPUs of every captured machine."""
    for path in sorted(machines.glob("*/proc/cpuinfo")):
        yield b"\n\n".join(path.read_bytes().split(b"\n\n")[:3])[:3000]


def vendor_seeds():
    """The hand-written tables, whole; those of Intel's layout by themselves."""
    for path in sorted((HERE.parent / "vendor").rglob("*.json")):
        layout = b"3" if "metrics" in path.parts else b"1" if "perfmon" in path.parts else b"2" if "telemetry" in path.parts else b"0"
        yield layout + path.read_bytes()[:8000]


CPU_IDS = [b"GenuineIntel-6-55-4", b"0x00000000410fd0b0", b"0x004e1202", b"0x489-0x8000000000000007-0x1", b"IBM,8561,703,A01,3.6,002f"]


def mapfile_seeds():
    """The files of the hand-written trees, by an ID of each architecture."""
    for path in sorted((HERE.parent / "vendor").rglob("mapfile.csv")):
        text = path.read_bytes()
        yield from (bytes([number]) + name + b"\n" + text for number, name in enumerate(CPU_IDS))
    yield b"0GenuineIntel-6-55-4\nGenuineIntel-6-(5[5-9]|6[[:digit:]])(-[01234])?,v1,x,core\n\"a,b\",v,\"c\",core,,,Hybrid\n"


def wire_text(text):
    return struct.pack("=I", len(text)) + text


def frame(number, payload, count):
    return b"PFM2" + struct.pack("=III", number, len(payload), count) + payload


def pfm_seeds():
    """What a helper sends after its HELLO: codes, errors, PMUs and events, each of which may be cut."""
    hello = frame(1, wire_text(b"libpfm.so.4") + wire_text(b"abc"), 1)
    code = struct.pack("=BIQQQ", 0, 4, 0x1C0, 0, 0) + b"".join(map(wire_text, (b"cpu", b"skx", b"INST_RETIRED", b"skx::INST_RETIRED:ANY")))
    encoding = b"\1" + code + struct.pack("=IQQ", 3, 1, 0)
    error = b"\0" + struct.pack("=BII", 3, 0, 4) + wire_text(b"no such event") + wire_text(b"did you mean x?")
    pmu = b"".join(map(wire_text, (b"skx", b"Intel Skylake X", b"cpu", b""))) + struct.pack("=BBIIIIIIB", 1, 1, 70, 0xFFFFFFFF, 319, 8, 3, 2, 0)
    traits = b"\0\1\1"
    attribute = b"".join(map(wire_text, (b"ANY", b"any", b""))) + b"\0\1" + struct.pack("=QQB", 1, 0, 0) + traits
    event = b"".join(map(wire_text, (b"INST_RETIRED", b"instructions", b""))) + struct.pack("=QIB", 0xC0, 7, 1) + traits
    event += struct.pack("=I", 1) + attribute
    raw = struct.pack("=IIIi", 0, 319, 7, -1) + wire_text(b"") + wire_text(b"skx::INST_RETIRED:ANY") + struct.pack("=BQ", 1, 0x5300C0) + bytes(48)
    for number, frames in enumerate([frame(2, encoding + error, 2), frame(3, pmu, 1) + frame(3, b"", 0), frame(4, event, 1) + frame(4, b"", 0),
                                     frame(6, raw, 1)]):
        yield from (bytes([number]) + hello + frames, bytes([number]) + hello + frames[:-7], bytes([number]) + frames)
    yield b"\0" + hello + frame(2, encoding, 1) + frame(2, error, 1)
    yield b"\2" + hello + frame(5, error[1:], 1)
    yield b"\3" + hello + frame(6, struct.pack("=I", 4), 1)


PFM_NAMES = ["skx\nINST_RETIRED:ANY", "\nskx::MEM_LOAD_RETIRED:L3_HIT:u=1:c=2", "skx,skx_unc_cha\nUNC_C_CLOCKTICKS\nNOTHING:x", "\nskx_unc_cha0::UNC_C_CLOCKTICKS",
             "\nperf::CYCLES:period=100:precise=2\nperf_raw::r1c2:k", "\nskx::OFFCORE_RESPONSE_0:ANY_DATA:L3_HIT", "\nskx::NO::::", "\narm_n1::CPU_CYCLES:u"]


def helper_seeds():
    """Names for several CPUs, and a request of each type."""
    yield from (b"0" + text.encode() for text in PFM_NAMES)
    yield from (b"1" + bytes([number, 1]) + wire_text(b"skx") + more for number in range(7) for more in (b"", b"\0", b"\1", wire_text(b"INST_RETIRED:ANY")))
    for layer in range(4):
        yield b"1" + bytes([6, 1, layer]) + struct.pack("=I", 9) + wire_text(b"skx") + wire_text(b"INST_RETIRED:ANY") + bytes(48)


LINES = ["", "e", "encode", "encode|", "encode|cpu/", "encode|-|", "encode|--di", "encode|--dialect|", "encode|--dialect=p", "show|", "show|unc",
         "--host|", "--host|web", "--host|web02.example@", "--host=web01|show|", "list|", "list|events|", "list|events|--columns=", "list|events|--columns=+name,",
         "list|--sources=", "diff|", "diff|live|s", "help|PMUQ-", "--sysroot|", "--sysroot=s", "encode|{cpu/ev", "encode|-e|cycles:", "encode|sched:", "vendor|",
         "vendor|import|", "import|~/", "hosts|--columns|", "forget|web|", "encode|--|--", "--color=", "-", "complete|--|e", "nothing|"]


def line_seeds(names):
    """Command lines of all words, on each machine."""
    for number, line in enumerate(LINES):
        yield bytes([ord("0") + number % len(names)]) + line.encode().replace(b"|", b"\xff")
    for number, seed in enumerate(cut_seeds(names)):
        if number % 10 == 0:
            yield seed[:1] + b"encode\xff" + seed[1:].replace(b"\0", b"")


STORE_CHANGES = ["u\3\2\1\1text", "u\5\1\0\0\1", "u\4\1\0\2" + "h" * 32, "u\6\2\0\3", "u\x20\3\0\2\x80", "u\x1a\2\0\0\x7f",
                 "u\x24\1\1\2\0\0", "shost\nCREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT)",
                 "vhosts\nCREATE VIEW hosts AS SELECT 1", "tx\nCREATE TRIGGER x AFTER UPDATE ON host BEGIN DELETE FROM host; END", "p\0\0\0\x12\2\2",
                 "p\0\1\0\0\r\0\0\0\0", "p\0\3\0\x64\1\2\3\4", "l\0\x20\0\0\0\1\0\0\0\3", "l\0\0\x37\x7f\6\x83", "c\0\1", "c\1\0", "e\0\1", "e\1\0",
                 "j" + "\xd9\xd5\5\xf9\x20\xa1\x63\xd7", "wnothing"]


def store_seeds():
    """One change of each, with the log and without it; and several."""
    changes = [text.encode("latin-1") for text in STORE_CHANGES]
    yield from (b"0", b"1")
    for change in changes:
        yield from (b"0" + change, b"1" + change)
    yield b"1" + b"\xff".join(changes[:4])


def write_corpus(folder, seeds):
    folder.mkdir(parents=True)
    for number, seed in enumerate(distinct(seeds)):
        (folder / f"{number:04}").write_bytes(seed)


def words(roots):
    """The names of PMUs, formats and events of the machines; one of several sibling instances."""
    found = [path.name for root in roots for pattern in ("*", "*/format/*", "*/events/*")
             for path in sorted((root / DEVICES).glob(pattern))]
    return distinct(name for name in found if not re.search(r"_[1-9a-f]\d*$|^\d", name))


def write_dictionary(path, mine, more):
    lines = (HERE / mine).read_text() + "".join(f'"{word}"\n' for word in more if re.fullmatch(r"[\w.-]+", word))
    path.write_text(lines)


def call_seeds():
    def calls(*messages):
        return b"\0" + b"\0".join(json.dumps({"method": method, "parameters": parameters}).encode() for method, parameters in messages)

    events = {"events": ["cycles:u", "box/evt,event=3/u"]}
    yield calls(*((f"io.pmuq.{name}", events) for name in ("Encode", "Explain", "Check")))
    yield calls(("io.pmuq.Encode", {**events, "strict": True, "preset": "stat", "dialect": "perf", "from": "sysfs"}))
    yield calls(*(("io.pmuq.List", {"type": rows, "globs": ["*"], "fold": True}) for rows in ("pmus", "events", "formats", "facts")))
    yield calls(("io.pmuq.Show", {"names": ["box", "evt"]}), ("io.pmuq.Search", {"words": ["evt"], "limit": 2}))
    yield calls(("io.pmuq.Decode", {"attrs": ["type=4 config=1", "0400"]}), ("io.pmuq.Diff", {"generation": 1, "all": True}))
    yield calls(("io.pmuq.GetInfo", {}), ("io.pmuq.Export", {}), ("org.varlink.service.GetInterfaceDescription", {"interface": "io.pmuq"}))
    yield b'\0{"method": "io.pmuq.Subscribe", "more": true}'
    yield b'\1{"parameters": {"document": {"pmus": [{}]}, "generation": 3}}'
    causes = [{"cause": "module", "action": "add", "name": "rapl"}, {"cause": "cpu", "action": "offline", "name": "cpu2"}, {"cause": "lost"}]
    states = [{"parameters": {"generation": 2, "causes": causes[:n], "changes": []}, "continues": True} for n in range(4)]
    yield b"\2" + b"".join(json.dumps(one).encode() + b"\0" for one in ({"parameters": {"announced": True}}, *states))


def uevent_seeds():
    """As the kernel sends them, and as udevd does."""
    messages = [("add", "/devices/uncore_imc_0", "event_source"), ("remove", "/devices/msr", "event_source"), ("add", "/module/rapl", "module"),
                ("offline", "/devices/system/cpu/cpu2", "cpu"), ("change", "/devices/virtual/block/loop0", "block")]
    seeds = [f"{action}@{path}\0ACTION={action}\0DEVPATH={path}\0SUBSYSTEM={subsystem}\0SEQNUM=1\0" for action, path, subsystem in messages]
    return [seed.encode() for seed in [*seeds, "libudev\0" + seeds[0]]]


def formula_seeds():
    """Recorded formulas of each length."""
    lines = lzma.decompress((pathlib.Path(__file__).resolve().parents[1] / "metrics/formulas-perf7.2.jsonl.xz").read_bytes()).splitlines()
    by_length = {len(formula) // 8: formula for formula in (json.loads(line)["expr"] for line in lines)}
    return [b"\5\0\3" + formula.encode() for formula in by_length.values()]


def plan_seeds():
    """Metrics of real tables whose formulas differ most in length, three of them an input."""
    formulas = [seed[3:].decode() for seed in formula_seeds()]
    seeds = []
    for i, formula in enumerate(formulas):
        metrics = [f"m{k}\nGroup{k % 2};All\n\n{text}\nm{k} > 0.2\n\n100%" for k, text in enumerate([formula, formulas[i - 1], "m0 / (m1 + 1)"])]
        seeds.append(bytes([i % 256]) + b"\xff".join(part.encode() for part in ["m2,All" if i % 2 else "m*:u", *metrics]))
    core = ["ipc\nTopdownL1\n\ninstructions / cycles\nipc < 1\nNO_GROUP_EVENTS_NMI\n", "cpi\nTopdownL1\n\n1 / ipc if #SMT_on else 2 / ipc\n\n\n1e3per",
            "mem\nSoC\nuncore_imc\nunc_m_cas_count.rd * 64 / duration_time\n\n\n9.5e-7MiB/s", "self\n\n\nself + 1\n", "both\n\n\ncpu_core@cycles@ + cpu_atom@cycles@\n"]
    return seeds + [bytes([machine]) + b"\xff".join(part.encode() for part in ["TopdownL1,mem,self,both", *core]) for machine in range(0, 256, 17)]


def main():
    out, machines, stamp, names = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    for part in ("machines", "corpus"):
        shutil.rmtree(out / part, ignore_errors=True)
    (out / "machines").mkdir(parents=True)
    link_machines(out / "machines", machines, names)
    roots = [out / "machines" / name for name in names]
    corpora = {"event": event_seeds(names), "alias": alias_seeds(roots), "format": format_seeds(roots),
               "complete": cut_seeds(names), "cpulist": cpu_list_seeds(roots), "decode": attr_seeds(names), "document": document_seeds(),
               "recording": recording_seeds(), "tar": tar_seeds(roots), "tree": tree_seeds(roots), "diff": diff_seeds(roots),
               "cpuinfo": cpuinfo_seeds(machines), "vendor": vendor_seeds(), "mapfile": mapfile_seeds(), "pfm": pfm_seeds(), "helper": helper_seeds(),
               "line": line_seeds(names), "store": store_seeds(), "uevent": uevent_seeds(), "calls": call_seeds(), "formula": formula_seeds(), "plan": plan_seeds()}
    found = kept()
    for target, seeds in corpora.items():
        write_corpus(out / "corpus" / target, [*seeds, *found.get(target, [])])
        is_string = target in ("event", "complete")
        mine = "event" if is_string else "files" if target in ("tree", "diff") else target
        write_dictionary(out / f"{target}.dict", f"{mine}.dict", words(roots) if is_string else [])
    pathlib.Path(stamp).touch()


main()
