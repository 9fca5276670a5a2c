#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The memory of the daemon does not grow with the number of its calls. With PMUQ_ALL_CALLS=1 in the environment, as in
scripts/thorough.sh, there are a million."""
import json
import os

from daemon import Daemon
from tap import MACHINES, Tap

tap = Tap()
CALLS = 1_000_000 if os.environ.get("PMUQ_ALL_CALLS") else 10_000
WARM_UP_CALLS = 10_000
# Of one connection, and of them without a reply.
CONNECTION_CALLS, SENT_CALLS = 1_000, 100
GROWTH_MAX_KIB = 1024

# Of a hundred calls; all others encode.
OTHERS = [
    ("List", {"type": "pmus"}),
    ("List", {"type": "events", "globs": ["uncore_imc_0/*"]}),
    ("Show", {"names": ["cpu", "mem-loads"]}),
    ("Explain", {"events": ["cpu/event=0x3c,umask=0x1/u", "{cycles,instructions}:k"]}),
    ("Decode", {"attrs": ["type=4 config=0x3c"]}),
    ("Search", {"words": ["mem", "loads"]}),
    ("Show", {"names": ["nix"]}),
    ("GetInfo", {}),
]
STRINGS = ["cycles:u", "cpu/event=0x3c,umask=0x1/", "cpu/event=/", "uncore_imc/cas_count_read/", "cyclez", "{cycles,instructions}:k"]


def message(method, parameters):
    return json.dumps({"method": f"io.pmuq.{method}", "parameters": parameters}).encode() + b"\0"


def calls_of(n):
    """A hundred calls. The next hundred, n + 1, has other strings."""
    encodes = [message("Encode", {"events": [STRINGS[(n + i) % len(STRINGS)], f"r{n % 4096:x}"]}) for i in range(SENT_CALLS - len(OTHERS))]
    return b"".join(encodes + [message(*other) for other in OTHERS])


def call(daemon, n_calls):
    """Some calls by one connection after the other."""
    for _ in range(n_calls // CONNECTION_CALLS):
        with daemon.connect() as connection:
            for n in range(CONNECTION_CALLS // SENT_CALLS):
                connection.socket.sendall(calls_of(n))
                replies = 0
                while replies < SENT_CALLS:
                    part = connection.socket.recv(1 << 20)
                    assert part, daemon.text()
                    replies += part.count(b"\0")


with Daemon("--sysroot", MACHINES / "skylake-sp") as daemon:
    call(daemon, WARM_UP_CALLS)
    before = daemon.memory("VmRSS")
    call(daemon, CALLS)
    after = daemon.memory("VmRSS")
    tap.ok(after - before <= GROWTH_MAX_KIB, f"memory does not grow by more than 1 MiB in {CALLS:,} calls", f"{before} KiB, then {after} KiB")
    print(f"# {before} KiB after {WARM_UP_CALLS:,} calls, {after} KiB after {CALLS:,} more")
tap.finish()
