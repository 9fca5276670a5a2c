#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pmuq and perf as processes, in turns, on captured machines: what a person waits for. perf is that of a Debian root (its loader
starts it, so no time is lost in chroot). `perf record --dry-run` ends when it has parsed the events, and opens none.

    beside_perf.py PMUQ ROOT MACHINES [PAIRS]
"""
import os
import pathlib
import sys

from pairs import measure

CPUIDS = {"skylake-sp": "GenuineIntel-6-55-4", "big-uncore-k6.12": "GenuineIntel-6-8F-8"}
STRINGS = ["cpu/event=0x2,inv,ldlat=3/", "cycles:u", "L1-dcache-load-misses", "cas_count_read"]


def main(pmuq, root, machines, pairs=20):
    library = next(pathlib.Path(root).glob("usr/lib/*-linux-gnu"))
    loader = next(pathlib.Path(root).glob("lib64/ld-linux*")).resolve()
    perf = [str(loader), "--library-path", str(library), f"{root}/usr/bin/perf"]
    for machine, cpuid in CPUIDS.items():
        tree = f"{machines}/{machine}"
        os.environ.update({"SYSFS_PATH": f"{tree}/sys", "TRACEFS_PATH": f"{tree}/sys/kernel/tracing", "PERF_CPUID": cpuid, "LC_ALL": "C"})
        ours = [pmuq, "--sysroot", tree]
        for string in STRINGS:
            measure(f"{machine}: encode {string}", [*ours, "encode", "--no-open", string],
                    [*perf, "record", "--dry-run", "-o", "/dev/null", "-e", string, "/bin/true"], int(pairs))
        measure(f"{machine}: list events", [*ours, "list", "events"], [*perf, "list", "pmu"], int(pairs))


if len(sys.argv) not in (4, 5):
    sys.exit(__doc__)
main(*sys.argv[1:])
