#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""For an event of one PMU of a thousand the command opens no file of the other PMUs; inotify(7) reports what it opens."""
import ctypes
import os
import pathlib
import struct
import tempfile

from tap import Tap, pmuq

IN_OPEN, IN_Q_OVERFLOW = 0x20, 0x4000
INSTANCES = 1000
FILES = {"type": "20\n", "cpumask": "0\n", "alias": "other\n", "format/event": "config:0-7\n",
         "events/tsc2": "event=1\n"}
MSR = {"type": "10\n", "format/event": "config:0-63\n", "events/tsc": "event=0x00\n"}

tap = Tap()


class Watch:
    """Watches directories: which of them, or files in them, are opened."""

    def __init__(self, directories):
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.of = {}
        for directory in directories if self.fd >= 0 else []:
            self.of[libc.inotify_add_watch(self.fd, os.fsencode(directory), IN_OPEN)] = directory
        self.works = self.fd >= 0 and -1 not in self.of
        self.why = os.strerror(ctypes.get_errno())

    def opened(self):
        """The paths that were opened since the last call; None if the kernel dropped some."""
        paths = set()
        while True:
            try:
                buffer = os.read(self.fd, 1 << 20)
            except BlockingIOError:
                return paths
            while buffer:
                watch, mask, _, length = struct.unpack_from("iIII", buffer)
                if mask & IN_Q_OVERFLOW:
                    return None
                paths.add(self.of[watch] / buffer[16:16 + length].rstrip(b"\0").decode())
                buffer = buffer[16 + length:]


def make_pmu(directory, files):
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)


def make_tree(root):
    devices = root / "sys/bus/event_source/devices"
    for number in range(INSTANCES):
        make_pmu(devices / f"uncore_cha_{number}", FILES)
    make_pmu(devices / "cpu", {"type": "4\n", "format/event": "config:0-7\n"})
    make_pmu(devices / "msr", MSR)
    return devices


def one_of_a_thousand(root):
    devices = make_tree(root)
    watch = Watch([path for path in devices.rglob("*") if path.is_dir()])
    name = f"encode msr/tsc/ opens no file of another PMU of {INSTANCES + 2}"
    if not watch.works:
        tap.skip(name, f"no inotify for so many directories: {watch.why}")
        return
    result = pmuq("--sysroot", str(root), "encode", "--no-open", "msr/tsc/")
    opened = watch.opened()
    others = sorted(str(path) for path in opened or [] if "msr" not in path.relative_to(devices).parts)
    tap.ok(result.status == 0 and opened is not None and not others, name, result.stderr, *others[:5])
    tap.ok(devices / "msr/type" in (opened or []) and devices / "msr/events/tsc" in (opened or []),
           "the opened files of the PMU are reported", opened)
    pmuq("--sysroot", str(root), "encode", "--no-open", "uncore_cha_7/tsc2/")
    opened = watch.opened() or set()
    tap.ok(devices / "uncore_cha_7/type" in opened and devices / "uncore_cha_8/type" not in opened,
           "an event of an instance opens no file of another PMU", sorted(map(str, opened))[:5])


with tempfile.TemporaryDirectory() as directory:
    one_of_a_thousand(pathlib.Path(directory))
tap.finish()
