#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the tables of CPUs in perf that vendors.py lists, and perf's results for their events.

    record_vendors.py --root ARCH=ROOT… [--emulator ARCH=FILE…] --tables PMU-EVENTS/ARCH [--seed N] [--most N]
                      OUT.jsonl.xz MACHINES

ROOT is as for record.py, one for each architecture whose tables perf has (x86, arm64, powerpc); if this
machine cannot run it, FILE is the static user emulator, and CC_ARCH in the environment the compiler. --tables is
the source that this perf was built from: the same version. MACHINES contains the captured machines."""
import argparse
import json
import lzma
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from record import query, prepare  # noqa: E402
from vendors import CPUS, Table, VendorStrings  # noqa: E402


def pairs(words):
    return {name: pathlib.Path(path).resolve() for name, path in (word.split("=", 1) for word in words)}


def record(options, tools, cpu):
    """The row of a CPU's table, and the rows of results."""
    arch, _pattern, folder, cpuid, machine = cpu
    whole = Table.read(options.tables, cpu)
    tree = options.machines / machine
    devices = tree / "sys/bus/event_source/devices"
    # Names that the machine also has come first.
    files = {path.name for path in devices.glob("*/events/*")}
    table = whole.only(whole.sample(options.seed, options.most, files))
    strings = list(VendorStrings(table, devices, options.seed).strings())
    results = query(options.root[arch], tools, tree, strings, cpuid)
    print(f"{folder}: {len(table.elements)} of {len(whole.elements)} events, {len(strings)} strings, "
          f"{sum(row.get('accepted', False) for row in results)} accepted, "
          f"{sum('crashed' in row for row in results)} ended perf", flush=True)
    return [table.row(), *({"cpuid": cpuid, **row} for row in results)]


def record_arch(options, arch):
    compiler = os.environ.get(f"CC_{arch.upper()}")
    if compiler:
        os.environ["CC"] = compiler
    tools = prepare(options.root[arch], options.emulator.get(arch))
    try:
        return [row for cpu in CPUS if cpu[0] == arch for row in record(options, tools, cpu)]
    finally:
        shutil.rmtree(tools)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", action="append", required=True)
    parser.add_argument("--emulator", action="append", default=[])
    parser.add_argument("--tables", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=400, help="names a CPU")
    parser.add_argument("out")
    parser.add_argument("machines", type=pathlib.Path)
    options = parser.parse_args()
    options.root, options.emulator = pairs(options.root), pairs(options.emulator)
    os.nice(10)
    rows = [row for arch in options.root for row in record_arch(options, arch)]
    with lzma.open(options.out, "wt", preset=9) as out:
        for row in rows:
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(f"{sum('elements' in row for row in rows)} CPUs, {sum('input' in row for row in rows)} strings")


if __name__ == "__main__":
    main()
