#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The exit status and the output of the command in the situations of tests/kernel."""
import os
import subprocess

from tap import PMUQ, UNWANTED, Result, Tap, path_for_all

SITUATED = os.environ["PMUQ_SITUATED"]
IS_SANITIZED = bool(os.environ.get("PMUQ_SANITIZED"))
SKIPPED = 77

tap = Tap()


def situated(level, words, *arguments):
    clean = {key: value for key, value in os.environ.items() if key not in UNWANTED}
    return Result(subprocess.run([SITUATED, f"paranoid={level}", words, path_for_all(PMUQ), *arguments], env=clean, timeout=60,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 check=False))


# perf_event_paranoid, situation, event, exit status, parts of the output.
ROWS = [
    (2, "", "page-faults", 0, ["opens it for a task"]),
    (4, "perfmon", "page-faults", 0, ["opens it for a task"]),
    (2, "admin", "cpu-clock", 0, ["opens it for a task"]),
    (2, "user", "page-faults:u", 0, ["opens it for a task"]),
    (2, "user", "page-faults", 3, ["EACCES (13), perf_event_paranoid is 2 and this process does not have CAP_PERFMON", "opens with :u",
                                   "hint: add ':u', set kernel.perf_event_paranoid to 1"]),
    (4, "user", "page-faults", 3, ["EACCES (13), perf_event_paranoid is 4"]),
    (1, "user", "page-faults", 0, ["opens it for a task"]),
    (-1, "user", "page-faults", 0, ["opens it for a task"]),
    (2, "bare-root", "cpu-clock:k", 3, ["does not have CAP_PERFMON", "opens with :u instead of :k", "keep CAP_PERFMON"]),
    (2, "userns", "cpu-clock", 3, ["CAP_PERFMON only inside a user namespace"]),
    (2, "seccomp=EPERM", "cpu-clock:u", 3, ["EPERM (1), ", "seccomp filter"]),
    (2, "user seccomp=ENOSYS", "cpu-clock:u", 3, ["ENOSYS (38), ", "seccomp filter"]),
    (2, "files=8", "cpu-clock,page-faults", 0, ["opens it for a task"]),
    (2, "files=8", "{cpu-clock,cpu-clock,cpu-clock,cpu-clock,cpu-clock,cpu-clock,cpu-clock,cpu-clock}", 3,
     ["EMFILE (24), this process may open 8 files at most"]),
    (2, "no-proc user", "page-faults", 3, ["does not have CAP_PERFMON; perf_event_paranoid requires it, but cannot be read"]),
    (2, "no-sys", "page-faults", 4, ["PMUQ-070", "is sysfs mounted"]),
    (-1, "user", "mem:0xffffffff81000000/4:rw", 3, ["EPERM (1), a breakpoint on a kernel address needs CAP_SYS_ADMIN"]),
    (-1, "perfmon", "uprobe/path='/proc/version',offset=0/", 3, ["a uprobe needs CAP_SYS_ADMIN, which this process does not have"]),
]


def is_here(event):
    """Whether this machine has the event; it need not open."""
    return situated(2, "", "encode", "--no-open", event).status == 0


def try_row(command, row):
    level, words, event, status, parts = row
    name = f"{command} {event[:40]} as {words or 'root'}, perf_event_paranoid {level}"
    if IS_SANITIZED and "no-proc" in words:
        tap.skip(name, "a sanitized program reads /proc when it ends")
        return
    result = situated(level, words, command, event)
    if result.status == SKIPPED:
        tap.skip(name, result.stderr.strip())
        return
    missing = [part for part in parts if part not in result.text + result.stderr]
    tap.ok(result.status == status and not missing, name, f"exit status {result.status}", result.text, result.stderr,
           *missing)


for every in ROWS:
    for word in ("encode", "check"):
        if is_here(every[2]):
            try_row(word, every)
        else:
            tap.skip(f"{word} {every[2]}", "this machine has no such event")
tap.finish()
