#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How instructions grow: with the PMUs of a machine (12, 70, 1,034 and 10,000), and with the hosts of a database (100, 10,000 and
100,000). A machine has 5 PMUs of big-uncore-k6.12, and as many instances of each of its 18 families. The exponent is that between
the last two: 1 is linear.

    bench_growth.py PMUQ MACHINES INSTRUCTIONS
"""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "harness")]
from callgrind import count_operations, count_process  # noqa: E402
from many_documents import documents, entry  # noqa: E402

PMUS, HOSTS = (12, 70, 1034, 10_000), (100, 10_000, 100_000)
DEVICES = "sys/bus/event_source/devices"
OTHERS = ["breakpoint", "cpu", "msr", "software", "tracepoint"]
STRINGS = ["cycles", "cpu/cache-misses/", "no-such-event"]


def copy_pmu(source, target, number):
    """Files are links, but for the type: each PMU has its own."""
    shutil.copytree(source, target, symlinks=True, copy_function=os.link)
    (target / "type").unlink()
    (target / "type").write_text(f"{number}\n")


def make_machine(machines, path, n):
    """The family with the event cas_count_read comes first: it is in the smallest machine, too."""
    source = pathlib.Path(machines, "big-uncore-k6.12")
    shutil.copytree(source, path, symlinks=True, ignore=lambda at, names: names if at == str(source / DEVICES) else ["meta"])
    devices = sorted(os.listdir(source / DEVICES))
    families = sorted({re.sub("_[0-9]+$", "", name) for name in devices if name.startswith("uncore_")}, key=lambda name: (name != "uncore_imc", name))
    for name in OTHERS:
        shutil.copytree(source / DEVICES / name, path / DEVICES / name, symlinks=True)
    for i in range(n - len(OTHERS)):
        family = families[i % len(families)]
        first = next(name for name in devices if re.fullmatch(f"{family}_[0-9]+", name))
        copy_pmu(source / DEVICES / first, path / DEVICES / f"{family}_{i // len(families)}", 1000 + i)


def of_pmus(pmuq, machines, program):
    found = []
    for n in PMUS:
        with tempfile.TemporaryDirectory(dir=pathlib.Path(machines).parent) as directory:
            path = pathlib.Path(directory, "machine")
            make_machine(machines, path, n)
            _, counts = count_operations(program, machines, path)
            for words in (["encode", "--no-open", "cycles:u"], ["encode", "--no-open", "cas_count_read"], ["complete", "--", "encode", "mem-l"], ["list"]):
                tree = ["--sysroot", str(path)]
                counts[f"pmuq {' '.join(words)}"] = count_process(pmuq, *([*words[:2], *tree, *words[2:]] if words[0] == "complete" else [*tree, *words]))
        found.append(counts)
    return found


def fill(pmuq, machines, database, n):
    classes = list(documents(pmuq, machines))
    text = "---\n".join(before + "".join(map(entry, range(number, n, len(classes)))) + after for number, (before, after) in enumerate(classes))
    subprocess.run([pmuq, "--db", database, "import", "-"], input=text, text=True, stdout=subprocess.DEVNULL, check=True)


def of_hosts(pmuq, machines):
    found = []
    for n in HOSTS:
        with tempfile.TemporaryDirectory() as directory:
            database = f"{directory}/hosts.db"
            fill(pmuq, machines, database, n)
            commands = [["hosts", "host00050"], ["--host", "host00050", "encode", "--no-open", "cycles"], ["hosts", "--with", "mem-loads"],
                        ["encode", "--all-hosts", *STRINGS], ["diff", "host00050", "host00062"], ["export", "--all-hosts"], ["report", "--all-hosts"]]
            found.append({f"pmuq {' '.join(words)}": count_process(pmuq, "--db", database, *words) for words in commands})
    return found


def show(what, sizes, found):
    print(f"{what:<48} " + " ".join(f"{n:>14,}" for n in sizes) + "  exponent")
    for name in found[0]:
        counts = [counts[name] for counts in found]
        exponent = math.log(counts[-1] / counts[-2]) / math.log(sizes[-1] / sizes[-2])
        print(f"{name:<48} " + " ".join(f"{count:>14,}" for count in counts) + f"  {exponent:8.2f}", flush=True)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    pmuq, machines, program = sys.argv[1:]
    show("instructions, by PMUs", PMUS, of_pmus(pmuq, machines, program))
    show("instructions, by hosts", HOSTS, of_hosts(pmuq, machines))


main()
