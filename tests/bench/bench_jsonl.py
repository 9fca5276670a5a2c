#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""encode --jsonl as a stream: how many different strings a second, and whether memory grows with them.

    bench_jsonl.py PMUQ TREE

Fails when a hundred times the strings take a tenth more memory."""
import os
import subprocess
import sys
import tempfile
import threading
import time

RATE_STRINGS = 500_000
MEMORY_STRINGS = [10_000, 100_000, 1_000_000]
ROUNDS = 5


def string(number):
    return b"cpu/event=0x%x,umask=0x%x,cmask=%d/\n" % (number & 255, number >> 8 & 255, number >> 16)


def strings(count, start=0):
    return b"".join(string(number) for number in range(start, start + count))


def rate(words):
    """The best of several rounds, because other processes use the machine."""
    with tempfile.TemporaryFile() as file:
        file.write(strings(RATE_STRINGS))
        best = None
        for _ in range(ROUNDS):
            file.seek(0)
            start = time.monotonic()
            subprocess.run(words, stdin=file, stdout=subprocess.DEVNULL, check=True)
            taken = time.monotonic() - start
            best = min(best or taken, taken)
    return RATE_STRINGS / best


def feed(to, count):
    for start in range(0, count, 10_000):
        to.write(strings(min(10_000, count - start), start))
    to.flush()


def peak_kib(words, count):
    """VmHWM after all results, read while the command waits for more input."""
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    feeder = threading.Thread(target=feed, args=(child.stdin, count))
    feeder.start()
    n_results = 0
    while n_results < count:
        part = os.read(child.stdout.fileno(), 1 << 20)
        if not part:
            sys.exit(f"bench_jsonl: it ended after {n_results} of {count} results")
        n_results += part.count(b"\n")
    with open(f"/proc/{child.pid}/status", encoding="ascii") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
    feeder.join()
    child.stdin.close()
    child.stdout.close()
    child.wait()
    return peak


def main():
    words = [sys.argv[1], "--sysroot", sys.argv[2], "encode", "--jsonl", "--no-open", "-f", "-"]
    print(f"strings_per_second {rate(words):.0f}")
    peaks = [peak_kib(words, count) for count in MEMORY_STRINGS]
    for count, peak in zip(MEMORY_STRINGS, peaks):
        print(f"peak_kib_at_{count} {peak}")
    ratio = max(peaks) / peaks[0]
    print(f"memory_ratio {ratio:.3f}")
    return ratio > 1.25


sys.exit(main())
