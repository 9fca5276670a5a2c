#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py [--seconds N | --runs N] [--corpus DIR] [--crashes DIR] [--log FILE] PROGRAM DATA
Runs one fuzz target from the seeds in DATA, and prints a summary line. Fails if the target crashes: the input
is printed then, and stored in the directory of crashes. The log is the output of the target.

Without --corpus new inputs are dropped, and the same number of runs gives the same result."""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

TIMEOUT_S, MEMORY_MB = 10, 2048
LONGEST_BYTES = {"event": 1024, "complete": 256, "alias": 1024, "format": 128, "cpulist": 256, "decode": 512, "document": 16384, "recording": 16384,
                 "tar": 16384, "tree": 8192, "cpuinfo": 4096, "diff": 8192, "vendor": 8192,
                 "mapfile": 2048, "pfm": 4096, "helper": 512, "line": 256, "store": 1024, "uevent": 4096, "calls": 2048, "formula": 512, "plan": 2048}
SHARED_MEMORY = "/dev/shm"  # for the trees that a target writes in each run


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--crashes", type=pathlib.Path, default=pathlib.Path.cwd())
    parser.add_argument("--log", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    return parser.parse_args()


def command(args, corpus):
    name = args.program.name.removeprefix("fuzz_")
    # A target that does not follow the code (-Dfuzz_coverage=false) would forget all seeds but one.
    how_long = [f"-max_total_time={args.seconds}"] if args.seconds else [f"-runs={args.runs}", "-seed=1", "-keep_seed=1"]
    return [str(args.program.resolve()), *how_long, f"-max_len={LONGEST_BYTES[name]}", f"-timeout={TIMEOUT_S}",
            f"-rss_limit_mb={MEMORY_MB}", f"-dict={args.data / (name + '.dict')}", "-print_final_stats=1",
            f"-artifact_prefix={args.crashes}/{name}-", str(corpus), str(args.data / "corpus" / name)]


def summary(name, output, seconds, cpu_seconds):
    runs = re.findall(r"stat::number_of_executed_units: (\d+)", output)
    seen = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", output)
    if not (runs and seen):
        return f"{name}: did not begin"
    edges, features, inputs = seen[-1]
    return (f"{name}: {runs[-1]} runs in {seconds:.0f} s, {cpu_seconds:.0f} s of CPU, {int(runs[-1]) / seconds:.0f} a second, "
            f"{edges} edges, {features} features, {inputs} inputs kept")


def show_crash(output):
    print("\n".join(output.split("\n")[-120:]))
    for path in re.findall(r"Test unit written to (\S+)", output):
        print(f"the input, {path}: {pathlib.Path(path).read_bytes()!r}")


def main():
    args = arguments()
    # A target may change its directory.
    args.crashes, args.data = args.crashes.resolve(), args.data.resolve()
    args.crashes.mkdir(parents=True, exist_ok=True)
    memory = SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pmuq-fuzz-", dir=memory) as scratch:
        corpus = (args.corpus or pathlib.Path(scratch, "corpus")).resolve()
        corpus.mkdir(parents=True, exist_ok=True)
        # The target writes its trees to a directory that is removed after a crash.
        environment = {**os.environ, "TMPDIR": scratch, "PMUQ_TEST_MACHINES": str(args.data / "machines")}
        log = args.log or pathlib.Path(scratch, "log")
        with log.open("wb") as file:
            run = subprocess.run(command(args, corpus), env=environment, stdout=file, stderr=subprocess.STDOUT)
        output = log.read_text(errors="replace")
    if run.returncode:
        show_crash(output)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(summary(args.program.name, output, time.monotonic() - began, used.ru_utime + used.ru_stime) + (", FAILED" if run.returncode else ""))
    return run.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
