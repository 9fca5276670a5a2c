#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""record.py OUT [PERF-7.2-ROOT]: makes the recordings of this directory again, as root, with the perf on PATH and
with the one of a Debian root that has perf 7.2.

They are unchanged except for two things: the host is called `recorder`, by a UTS namespace, and the text after the
version in the kernel's release is replaced by blanks."""
import os
import pathlib
import platform
import subprocess
import sys

OWN = {  # name: arguments of perf; "-o" is added
    "clock": ["record", "-F", "50", "-e", "cpu-clock"],
    "compressed": ["record", "-z", "-F", "50", "-e", "cpu-clock"],
    "groups": ["record", "-F", "50", "-e", "{cpu-clock,task-clock}:u,page-faults:u,mem:0x1000:rw"],
    "tracepoint": ["record", "-e", "sched:sched_process_exit,cpu-clock:u"],
    "stat": ["stat", "record", "-a", "-e", "msr/tsc/,cpu-clock"],
    "clock-stream": ["record", "-F", "50", "-e", "cpu-clock"],
    "groups-stream": ["record", "-F", "50", "-e", "{cpu-clock,task-clock}:u,sched:sched_process_exit"],
}
NEW = {
    "clock-7.2": ["record", "-F", "50", "-e", "cpu-clock"],
    "compressed-7.2": ["record", "-z", "-F", "50", "-e", "cpu-clock"],
    "groups-7.2": ["record", "-F", "50", "-e", "{cpu-clock,task-clock}:u,page-faults:u"],
    "stat-7.2": ["stat", "record", "-a", "-e", "msr/tsc/,cpu-clock"],
    "clock-stream-7.2": ["record", "-F", "50", "-e", "cpu-clock"],
    "threads-7.2": ["record", "--threads", "-F", "50", "-e", "cpu-clock"],
}


def blank_release(data):
    release = platform.release().encode()
    plain = release.split(b"-")[0]
    return data.replace(release + b"\0", plain.ljust(len(release) + 1, b"\0"))


def record(out, name, arguments, root):
    """perf's output goes through a pipe for a stream; in another root it is written to /tmp there."""
    where = pathlib.Path(root or "/") / "tmp" / "pmuq-recordings"
    where.mkdir(parents=True, exist_ok=True)
    path = where / f"{name}.data"
    perf = f"chroot {root} perf" if root else "perf"
    to = f"-o - {{}} >{path}" if "stream" in name else f"-o {'/' / path.relative_to(root or '/')} {{}}"
    verb = 2 if arguments[0] == "stat" else 1
    words = " ".join(f"'{word}'" for word in arguments[verb:])
    mounts = f"mount --rbind /sys {root}/sys; mount --rbind /proc {root}/proc;" if root else ""
    script = f"{mounts} hostname recorder; {perf} {' '.join(arguments[:verb])} {to.format(words + ' true')}"
    subprocess.run(["unshare", "--mount", "--uts", "sh", "-c", script], check=True, stderr=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, env=dict(os.environ, LC_ALL="C"))
    if path.is_dir():
        (out / path.name).mkdir(exist_ok=True)
        (out / path.name / "data").write_bytes(blank_release((path / "data").read_bytes()))
    else:
        (out / path.name).write_bytes(blank_release(path.read_bytes()))


def main():
    out = pathlib.Path(sys.argv[1])
    for name, arguments in OWN.items():
        record(out, name, arguments, None)
    for name, arguments in NEW.items() if len(sys.argv) > 2 else []:
        record(out, name, arguments, sys.argv[2])


main()
