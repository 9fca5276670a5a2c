#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of the command as a process: on this machine compared with /bin/true, and completion in TREE compared with
/bin/ls of its PMUs. The two take turns, and the ratio is that of each pair, so that other processes do not move its median.

    bench_process.py PMUQ TREE [PAIRS]
"""
import os
import statistics
import sys
import time

TRUE = "/bin/true"
PAIRS = 400
WARM_UP = 20
COMMANDS = [["encode", "--no-open", "msr/tsc/"], ["list"]]
DEVICES = "sys/bus/event_source/devices"
# At the cursor: nothing, one of many instances, terms of one PMU, the bare name of an event.
WORDS = ["", "uncore_cha_1", "cpu/ev", "mem-l"]


def run(words):
    """Microseconds from the start of a process to its end."""
    quiet = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]
    start = time.perf_counter_ns()
    pid = os.posix_spawn(words[0], words, os.environ, file_actions=quiet)
    _, status, _ = os.wait4(pid, 0)
    return (time.perf_counter_ns() - start) / 1e3, os.waitstatus_to_exitcode(status)


def measure(name, command, floor, pairs):
    ours, peer = [], []
    for _ in range(WARM_UP):
        run(command)
    for turn in range(pairs):
        for words, times in (((floor, peer), (command, ours))[::1 if turn % 2 else -1]):
            taken, status = run(words)
            if status:
                sys.exit(f"bench: {' '.join(words)} ends with {status}")
            times.append(taken)
    ratio = statistics.median(mine / its for mine, its in zip(ours, peer))
    print(f"{name:<44} {statistics.median(ours):10.1f} us {statistics.median(peer):10.1f} us {ratio:7.2f}")
    print(f"{'  the best of ' + str(pairs):<44} {min(ours):10.1f} us {min(peer):10.1f} us {min(ours) / min(peer):7.2f}")


def commands():
    """The commands that work on this machine: it may not have the PMU msr."""
    has_msr = os.path.exists("/sys/bus/event_source/devices/msr/events/tsc")
    for command in COMMANDS:
        yield command if has_msr or command == ["list"] else ["encode", "--no-open", "page-faults"]


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: bench_process.py PMUQ TREE [PAIRS]")
    pmuq, tree = sys.argv[1:3]
    pairs = int(sys.argv[3]) if len(sys.argv) > 3 else PAIRS
    for command in commands():
        measure(f"pmuq {' '.join(command)}", [pmuq, *command], [TRUE], pairs)
    for word in WORDS:
        measure(f"pmuq complete … encode '{word}'", [pmuq, "complete", "--", "--sysroot", tree, "encode", word],
                ["/bin/ls", f"{tree}/{DEVICES}"], pairs)


main()
