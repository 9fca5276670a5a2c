#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seeds.py OUT MACHINES STAMP NAME...: the seeds of the fuzz targets, from the captured machines,
the cases and the recordings: OUT/machines/NAME, OUT/corpus/TARGET/, OUT/TARGET.dict; then touches STAMP.

A target selects one of the machines NAME by its number in that order."""
import json
import lzma
import pathlib
import re
import shutil
import sys

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


def main():
    out, machines, stamp, names = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    for part in ("machines", "corpus"):
        shutil.rmtree(out / part, ignore_errors=True)
    (out / "machines").mkdir(parents=True)
    link_machines(out / "machines", machines, names)
    roots = [out / "machines" / name for name in names]
    corpora = {"event": event_seeds(names), "alias": alias_seeds(roots), "format": format_seeds(roots),
               "complete": cut_seeds(names), "cpulist": cpu_list_seeds(roots), "decode": attr_seeds(names), "document": document_seeds(),
               "recording": recording_seeds()}
    for target, seeds in corpora.items():
        write_corpus(out / "corpus" / target, seeds)
        is_string = target in ("event", "complete")
        write_dictionary(out / f"{target}.dict", "event.dict" if is_string else f"{target}.dict", words(roots) if is_string else [])
    pathlib.Path(stamp).touch()


main()
