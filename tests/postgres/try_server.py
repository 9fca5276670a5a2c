#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A PostgreSQL server with many made-up hosts, to try commands on: try_server.py PMUQ MACHINES HOSTS [COMMAND...]
Runs the command with the connection string in $DB, or prints commands to try and waits for Ctrl-C. The server and its data
are gone at the end."""
import os
import pathlib
import signal
import subprocess
import sys
import time

import server

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "harness"))
from many_documents import documents, entry  # noqa: E402

def to_try(n):
    """Commands that work with n hosts."""
    return f"""hosts | head
hosts --with mem-loads
encode --all-hosts cpu/event=0x3c,umask=0x1/
diff host00000 host{min(n - 1, 12):05}
report --all-hosts --output hosts.html
forget host{min(n - 1, 1):05}"""


def text_of(pmuq, machines, n):
    classes = list(documents(pmuq, machines))[:n]
    return "---\n".join(before + "".join(map(entry, range(number, n, len(classes)))) + after for number, (before, after) in enumerate(classes))


def fill(pmuq, url, text):
    start = time.monotonic()
    subprocess.run([pmuq, "--db", url, "import", "-"], input=text.encode(), stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def wait():
    try:
        signal.pause()
    except KeyboardInterrupt:
        print()


def main(pmuq, machines, hosts, *command):
    if not server.programs():
        sys.exit("try_server.py: no PostgreSQL server is installed (package postgresql)")
    n = int(hosts)
    text = text_of(pmuq, machines, n)
    with server.running() as socket:
        server.sql(socket, "CREATE DATABASE hosts")
        url = server.url(socket, "hosts")
        print(f"{n:,} hosts of {min(n, 12)} classes, imported in {fill(pmuq, url, text):.1f} s", flush=True)
        if command:
            return subprocess.run(command, env={**os.environ, "DB": url}, check=False).returncode
        print(f"\nIn another terminal:\n\nDB='{url}'")
        for line in to_try(n).splitlines():
            print(f"{os.path.relpath(pmuq)} --db \"$DB\" {line}")
        print(f"psql \"$DB\" -c 'SELECT class, hosts, cpuid FROM pmuq.v_class ORDER BY hosts DESC'\n\nCtrl-C ends the server.", flush=True)
        wait()
    return 0


if len(sys.argv) < 4 or not sys.argv[3].isdecimal() or int(sys.argv[3]) < 1:
    sys.exit(__doc__)
sys.exit(main(*sys.argv[1:]))
