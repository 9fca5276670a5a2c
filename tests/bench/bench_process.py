#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of the command as a process: on this machine compared with /bin/true, and completion in TREE compared with
/bin/ls of its PMUs, and a scan of TREE with a walk without a store. EVENT_FILES is the floor of an encoding.

    bench_process.py PMUQ TREE EVENT_FILES [PAIRS]
"""
import os
import sys
import tempfile

from pairs import PAIRS, TRUE, measure

COMMANDS = [["encode", "--no-open", "msr/tsc/"], ["list"]]
DEVICES = "sys/bus/event_source/devices"
# At the cursor: nothing, one of many instances, terms of one PMU, the bare name of an event.
WORDS = ["", "uncore_cha_1", "cpu/ev", "mem-l"]


def commands():
    """The commands that work on this machine: it may not have the PMU msr."""
    has_msr = os.path.exists("/sys/bus/event_source/devices/msr/events/tsc")
    for command in COMMANDS:
        yield command if has_msr or command == ["list"] else ["encode", "--no-open", "page-faults"]


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: bench_process.py PMUQ TREE EVENT_FILES [PAIRS]")
    pmuq, tree, event_files = sys.argv[1:4]
    pairs = int(sys.argv[4]) if len(sys.argv) > 4 else PAIRS
    for command in commands():
        measure(f"pmuq {' '.join(command)}", [pmuq, *command], [TRUE], pairs)
    measure("the files of msr/tsc/ alone", [event_files, "msr", "tsc"], [TRUE], pairs)
    for word in WORDS:
        measure(f"pmuq complete … encode '{word}'", [pmuq, "complete", "--", "--sysroot", tree, "encode", word],
                ["/bin/ls", f"{tree}/{DEVICES}"], pairs)
    with tempfile.TemporaryDirectory() as directory:
        measure("pmuq scan, nothing changed", [pmuq, "--db", f"{directory}/db", "--sysroot", tree, "scan", "--name", "host"],
                [pmuq, "--sysroot", tree, "list", "problems"], pairs)


main()
