#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One system call of a command fails, each in turn: the command fails too and prints why, or its output is right without
that call, or it reports the file that it could not read. Nothing crashes, hangs, or leaves half a file."""
import collections
import errno
import os
import pathlib
import subprocess
import sys
import tempfile

from tap import IS_THOROUGH, MACHINES, PMUQ, Tap

tap = Tap()
LIBRARY = os.environ["PMUQ_FAILING_CALLS"]
TREE = str(MACHINES / "zen3-epyc")
# Function: the errno values to try; EIO for all others.
ERRNUMS = {
    "openat2": [errno.EIO, errno.EMFILE], "openat64": [errno.EIO, errno.EMFILE], "open64": [errno.EIO, errno.EMFILE],
    "opendir": [errno.EMFILE], "fdopendir": [errno.ENOMEM], "mmap64": [errno.ENOMEM], "write": [errno.ENOSPC],
    "fflush": [errno.ENOSPC], "rename": [errno.ENOSPC], "mkdir": [errno.ENOSPC], "mkdirat": [errno.ENOSPC],
    "perf_event_open": [errno.EMFILE], "posix_spawn": [errno.EAGAIN], "socketpair": [errno.EMFILE], "lseek64": [errno.ESPIPE],
    "realpath": [errno.ENOENT], "syscall": [errno.ENOSYS],
}
# A file that cannot be read is reported: as a problem (PMUQ-07N), in a note, or by what is unknown without it.
REPORTS = (b"PMUQ-07", b"could not be read", b"not read ", b"problem", b"an unknown number in use", b"not known: the CPU is not known")
# Of a function with more calls than this, every STEP-th is tried; with PMUQ_ALL_CALLS, every one: scripts/thorough.sh.
ALL_CALLS, STEP = (sys.maxsize, 1) if IS_THOROUGH else (3, 37)


class Run:
    """A command in a directory of its own, which has `hosts.db` and `host.yaml`, and what it left there."""

    def __init__(self, words, **env):
        with tempfile.TemporaryDirectory() as directory:
            self.directory = pathlib.Path(directory)
            for name, content in FILES.items():
                (self.directory / name).write_bytes(content)
            before = set(os.listdir(directory))
            done = subprocess.run([PMUQ, *words], capture_output=True, cwd=directory, timeout=60, check=False, stdin=subprocess.DEVNULL,
                                  env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000", **env})
            self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
            self.left = sorted(name for name in set(os.listdir(directory)) - before)
            self.files = {name: (self.directory / name).read_bytes() for name in self.left if (self.directory / name).is_file()}


def calls_of(words):
    """{function: number of calls}"""
    run = Run(words, LD_PRELOAD=LIBRARY, FAIL_COUNTS="counts")
    return {name: int(n) for name, n in (line.split() for line in run.files["counts"].decode().splitlines())}


def is_right(run, usual):
    if run.status < 0:
        return False
    if (run.status, run.out) == (usual.status, usual.out):
        return True
    if run.status not in (0, usual.status):
        return bool(run.err.strip() or b'"error"' in run.out or b"refuses" in run.out)
    return any(report in run.out + run.err for report in REPORTS)


def walk(name, words):
    usual = Run(words)
    wrong, n = collections.Counter(), 0
    for function, n_calls in calls_of(words).items():
        for at in range(1, n_calls + 1):
            if n_calls > ALL_CALLS and at % STEP:
                continue
            for errnum in ERRNUMS.get(function, [errno.EIO]):
                run = Run(words, LD_PRELOAD=LIBRARY, FAIL_CALL=function, FAIL_AT=str(at), FAIL_ERRNO=str(errnum))
                n += 1
                if not is_right(run, usual):
                    wrong[f"{function} {at} {errno.errorcode[errnum]}: {run.status} {run.err[:80]}"] += 1
                # A failed command leaves no file, or a whole one; the test of the store is for databases.
                if run.status == 4 and any(content != usual.files.get(file) for file, content in run.files.items()
                                           if "db" not in file):
                    wrong[f"{function} {at} {errno.errorcode[errnum]}: leaves {run.left}"] += 1
    tap.same(sorted(wrong), [], f"{name}: right, or a failure with its reason, after each of {n} failures")


FILES = {}
MACHINE = ["--sysroot", TREE]
COMMANDS = {
    "list": [*MACHINE, "list"],
    "list events": [*MACHINE, "list", "-J", "events"],
    "list of this machine": ["list", "-J"],
    "show": [*MACHINE, "show", "cpu"],
    "encode": [*MACHINE, "encode", "--no-open", "--jsonl", "cycles:u", "cpu/event=0xc0/", "L1-dcache-load-misses"],
    "check": ["check", "msr/tsc/", "cpu-clock:u"],
    "scan": [*MACHINE, "--db", "new.db", "scan", "--name", "x"],
    "capture": [*MACHINE, "capture", "machine.tar.xz"],
    "export": ["--db", "hosts.db", "export", "--output", "out.yaml", "x"],
    "report": ["--db", "hosts.db", "report", "--output", "out.html", "x"],
    "import": ["--db", "new.db", "import", "host.yaml"],
    "diff": ["diff", TREE, "./host.yaml"],
    "hosts": ["--db", "hosts.db", "hosts"],
}


def prepare():
    """A database of one host, and its document."""
    with tempfile.TemporaryDirectory() as directory:
        for words in (["scan", "--sysroot", TREE, "--name", "x"], ["export", "--output", "host.yaml", "x"]):
            subprocess.run([PMUQ, "--db", "hosts.db", *words], cwd=directory, check=True, stdout=subprocess.DEVNULL)
        for name in ("hosts.db", "host.yaml"):
            FILES[name] = (pathlib.Path(directory) / name).read_bytes()


prepare()
for each, command in COMMANDS.items():
    walk(each, command)
tap.finish()
