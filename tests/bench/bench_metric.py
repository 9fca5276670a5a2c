#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of metrics and of a vendor's table as a process, compared with /bin/true.

    bench_metric.py PMUQ TABLES MACHINES [PAIRS]

TABLES is a directory that `pmuq vendor import` reads, or a tar of one."""
import pathlib
import subprocess
import sys
import tarfile
import tempfile

from pairs import TRUE, measure

PAIRS = 100
COMMANDS = ["encode --no-open cycles", "encode --no-open --metric TopdownL1", "list metrics"]
MACHINES = ["skylake-sp", "sapphirerapids-k6.12"]


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: bench_metric.py PMUQ TABLES MACHINES [PAIRS]")
    pmuq, tables, machines = sys.argv[1:4]
    pairs = int(sys.argv[4]) if len(sys.argv) > 4 else PAIRS
    with tempfile.TemporaryDirectory() as directory:
        if not pathlib.Path(tables).is_dir():
            with tarfile.open(tables) as archive:
                archive.extractall(f"{directory}/arch")
            tables = f"{directory}/arch"
        database = f"{directory}/pmuq.db"
        subprocess.run([pmuq, "--db", database, "vendor", "import", "--no-libpfm4", tables], stdout=subprocess.DEVNULL, check=True)
        for machine in MACHINES:
            for command in COMMANDS:
                measure(f"{machine}: {command}", [pmuq, "--db", database, "--sysroot", f"{machines}/{machine}", *command.split()], [TRUE], pairs)


main()
