# SPDX-License-Identifier: MIT
"""Counts instructions by callgrind. The same build has the same numbers in each run, on a busy machine, too."""
import os
import pathlib
import re
import subprocess
import tempfile

# libc selects its memcpy(3) by the processor: with these, it is the same one everywhere.
TUNABLES = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-BMI2,-ERMS,-FSRM,-SSE4_2,-SSE4_1,-SSSE3"
TOTAL = re.compile(r"^(?:summary|totals): (\d+)", re.M)


def use_one_cpu():
    """Then pmuq starts no second thread, whose instructions would be counted at another time."""
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])


def run(words, directory):
    """The dumps of callgrind, in order, and the output of the program. 1: some of many are not valid, or there are changes."""
    out = pathlib.Path(directory, "out")
    done = subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", *map(str, words)], capture_output=True, text=True,
                          check=False, env={"PATH": os.environ["PATH"], "GLIBC_TUNABLES": TUNABLES}, preexec_fn=use_one_cpu)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{words} ends with {done.returncode}: {done.stderr[:500]}")
    dumps = sorted(pathlib.Path(directory).glob("out*"), key=lambda path: int(path.suffix[1:] or "0"))
    return [path.read_text() for path in dumps], done.stdout


def count_process(*words):
    with tempfile.TemporaryDirectory() as directory:
        return int(TOTAL.search(run(words, directory)[0][-1]).group(1))


def count_operations(program, machines, *tree):
    """Of instructions.c: what its figures depend on, and the number of instructions of each operation."""
    with tempfile.TemporaryDirectory() as directory:
        texts, printed = run([program, machines, directory, *tree], directory)
    found = {}
    for text in texts:
        name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
        if name:
            found[name.group(1)] = int(TOTAL.search(text).group(1))
    return printed.strip(), found
