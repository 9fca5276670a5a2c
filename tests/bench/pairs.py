# SPDX-License-Identifier: MIT
"""The time of a command as a process, in turns with another one. The ratio is that of each pair, so that other processes do not
move its median."""
import os
import statistics
import sys
import time

TRUE = "/bin/true"
PAIRS = 400
WARM_UP = 20


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
