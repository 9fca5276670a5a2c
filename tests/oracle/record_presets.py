#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the attrs that `perf stat` and `perf record` open around a command: --preset adds the same.

    record_presets.py --root ROOT [--seed N --count N] OUT.jsonl.xz TREE…

ROOT and TREE are those of record.py. With --count, the strings are generated ones instead of those here. Left out: events that perf opens for itself (to probe features, to
watch BPF programs, and the dummy event that reports mappings on a hybrid machine)."""
import argparse
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from record import ENTER, NO_TABLES, prepare, query as parse  # noqa: E402
from strings import Strings  # noqa: E402

BOTH = """cycles:u cycles,page-faults {cycles,instructions} {cycles,instructions}:S {cycles:S,instructions}
    {cycles:D,instructions}:u page-faults cpu-clock mem:0x1000 mem:0x1000/4:w cycles:p cycles,mem:0x1000
    cycles/name=x/ cycles,cpu-clock/name=y/ r1a cycles:I {cycles,page-faults}:S bpf-output cycles,bpf-output dummy cycles:S
    {cycles:S} {cycles:S,instructions:S} cycles:S,instructions:S {cs,cycles} cycles/cpu=0/ msr/tsc/ cycles/@x/""".split()
COUNTED = """cycles/period=1000/ power/energy-pkg/ power/energy-pkg/,uncore_imc_0/cas_count_read/ {power/energy-pkg/,cycles}
    cs/cpu=0/ cycles/percore/ {cycles,cs/cpu=0/} {cycles,instructions/cpu=0/,branches} {cycles/cpu=0/,instructions,branches}
    {cycles/cpu=0/,instructions/cpu=0/} {cs/cpu=0/,cycles/cpu=0/} {cycles/cpu='0-15'/,instructions} {cs/cpu='0-15'/,cycles}
    {cycles/cpu=cpu/,instructions} {msr/tsc/,cycles} {msr/tsc,cpu=0/,cycles} {mem:0x1000,cycles/cpu=0/} {1:3,10:2} 10:2
    {power/energy-pkg/,cs} {uncore_imc/cas_count_read/,uncore_imc/cas_count_write,cpu=0/} {uncore_imc_0/cas_count_read/,cs}
    {cpu_core/cycles/,cs/cpu=0/} {cpu_core/cycles,cpu='0-3'/,cpu_core/instructions/} {cpu_core/cycles,cpu=cpu_core/,cs}
    {cpu_core/cycles,cpu=cpu_core/,cpu_core/instructions/} {cpu_core/slots/,cpu_core/cycles,cpu=0/,cpu_core/topdown-retiring,cpu=0/}
    {slots,topdown-retiring/cpu=0/} {slots,topdown-retiring,cycles/cpu=0/} cycles/period=1,metric-id=x/ cycles/@x,name=y/
    {cs,cycles:b} {cycles:b,instructions,branches} {cs,cycles:b,instructions:b} {cycles,branches:b}:b {bpf-output,cycles}
    {cs,cycles},bpf-output {bpf-output,cs,cpu_core/cycles/}""".split()
# Terms of sampling, which perf stat refuses, and raw terms of events without a PMU's name.
REFUSED = """cycles/freq=9/ cycles/time/ cycles/time=0/ cycles/call-graph=fp/ cycles/call-graph=no/ cycles/stack-size=8/
    cycles/max-stack=0/ cycles/nr=0/ cycles/inherit/ cycles/inherit=0/ cycles/no-inherit/ cycles/overwrite/ cycles/no-overwrite=0/
    cycles/branch_type=any/ cycles/aux-output/ cycles/aux-action=pause/ cycles/aux-sample-size=5/ r1a/freq=9/ mem:0x1000/time/
    1:0/nr=3/ cpu/event=1,time/ {cycles,instructions/ratio-to-prev=0.5/} mem:0x1000/r1a/ r1a/r5/ 1:0/r5/""".split()
SAMPLED = """cycles/period=1000/ cycles/freq=99/ cycles/freq=8,period=7/ cycles/period=7,freq=8/ cycles/time=0/
    cycles,cycles/time=0/ cycles/no-inherit/ cycles/inherit=0/ cycles/call-graph=fp/ cycles/call-graph=dwarf/
    cycles/call-graph=dwarf,stack-size=100/ cycles/call-graph=lbr/ cycles/call-graph=no/ cycles/max-stack=5/
    cycles/call-graph=fp,max-stack=127/ cycles/branch_type=any/ cycles/branch_type=any_call,call-graph=fp/
    cycles/overwrite/ cycles/overwrite=0/ cycles/percore/ cycles/nr=3/ cycles:P cycles:uP
    {cycles/period=3/,instructions} {cycles,instructions/period=3/}:S page-faults/call-graph=fp/
    {cycles,instructions/period=3/} cycles/time=1/ mem:0x1000/period=5/ page-faults/period=1/
    cpu-clock/freq=50/ cycles/call-graph=lbr,branch_type=any/ cycles/branch_type=any,call-graph=lbr/ cycles/call-graph=no,max-stack=5/
    cycles/max-stack=0/ cycles/stack-size=0/ cycles/call-graph=fp,max-stack=0/ cycles/call-graph=dwarf,stack-size=0/
    cycles/call-graph=dwarf,stack-size=65529/ cycles/call-graph=dwarf,stack-size=4294967296/ cycles/max-stack=65536/
    dummy/branch_type=any/ dummy/period=5/ 2:100 bpf-output:S {cycles,dummy}:S {cs,cycles}:S intel_pt// msr/tsc/
    {intel_pt//,cycles/aux-output/}:S {intel_pt//,cycles/aux-output/} {cycles/call-graph=fp,period=9/,instructions}:S
    {slots,topdown-retiring}:S topdown-retiring:S {topdown-retiring,cycles}:S {slots:S,topdown-retiring} {slots,cycles}:S
    {slots,topdown-retiring} topdown-retiring/period=100/ {cycles/freq=0/,cs/period=0/} {cycles,instructions/freq=7/}:S
    {cycles,instructions/freq=7,period=9/}:S {cycles,instructions/period=7,freq=9/}:S {cycles,instructions/freq=0/}:S
    cycles,instructions/call-graph=dwarf/ cycles/call-graph=dwarf/,cs dummy,cycles dummy/period=5/,cycles/period=5/ cs/period=5/
    cycles/period=5/,dummy {dummy,cs} {dummy,cs}:S cpu_core/cycles/ cpu_core/cycles,time=0/ {cpu_core/cycles/,cs} cycles,cs/time=0/
    cpu_core/cycles,branch_type=any/ cpu_core/cycles,period=5/ cycles,cs cycles:R {cycles,instructions:R} {cycles,instructions:R}:S
    breakpoint/config1=1/ 5:0 mem:0x1000/config1=3/""".split()
PERIOD_1 = (1).to_bytes(8, "little")
TOOLS = {"stat": ["stat", "--no-big-num", "-e"], "record": ["record", "-o", "/dev/null", "-e"]}


def own_attrs(log):
    """The attrs of the string, each once, without those that perf opened for itself."""
    found = []
    for line in filter(None, log.splitlines()):
        attr = bytes.fromhex(line)
        word = [int.from_bytes(attr[at:at + 8], "little") for at in (8, 24, 32)]
        is_dummy_or_clock = attr[0] == 1 and attr[1:4] == b"\0\0\0" and word[0] in (0, 9)
        # A probe reads nothing; perf's dummy has a period of 1 and the flag mmap.
        is_own = is_dummy_or_clock and (not word[2] or word[0] == 9 and attr[16:24] == PERIOD_1 and attr[41] & 1)
        if not is_own and line not in found:
            found.append(line)
    return found


def query(options, tools, tree, preset, string):
    log = tools / "log"
    log.write_text("")
    enter = ENTER.replace("env -i ", 'env -i PERF_OPENS_LOG="/$tools/log" ').replace(
        '/usr/bin/python3 "/$tools/parse.py"', '/usr/bin/perf "$@"').replace("cpuid=$4", "cpuid=$4; shift 4")
    subprocess.run(["unshare", "-m", "sh", "-c", enter, "sh", options.root, tree.resolve(),
                    tools.relative_to(options.root), NO_TABLES, *TOOLS[preset], string, "true"], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return own_attrs(log.read_text())


def strings_of(options, tree, preset):
    if options.count:
        return Strings(tree, f"{preset} {options.seed}").strings(options.count)
    return BOTH + (COUNTED + REFUSED if preset == "stat" else SAMPLED)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=0, help="generated strings for each machine and preset")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("trees", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    options.root = options.root.resolve()
    os.nice(10)
    tools = prepare(options.root)
    rows = []
    try:
        for tree in options.trees:
            for preset in TOOLS:
                strings = strings_of(options, tree, preset)
                # The results without a preset separate differences of the language from those of the preset.
                parsed = parse(options.root, tools, tree, strings) if options.count else [{}] * len(strings)
                for string, result in zip(strings, parsed):
                    attrs = query(options, tools, tree, preset, string)
                    if attrs or string in REFUSED or options.count:
                        rows.append({"machine": tree.name, "preset": preset, "input": string, **result, "attrs": attrs})
    finally:
        shutil.rmtree(tools)
    with lzma.open(options.out, "wt", preset=9) as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    print(f"{len(rows)} strings")


if __name__ == "__main__":
    main()
