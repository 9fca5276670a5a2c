#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients in Python: the class Service of the package, and the example of io.pmuq(7)."""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

from daemon import Daemon, service, tree_of
from tap import MACHINES, Tap, machine, pmuq

sys.path.insert(0, os.environ["PMUQ_PYTHON"])
import pmuq as package  # noqa: E402

tap = Tap()
PAGE = pathlib.Path(os.environ["PMUQ_MAN"]) / "io.pmuq.7"


def example():
    program = re.search(r"^\.Bd -literal\n(import json.*?)^\.Ed", PAGE.read_text(), re.M | re.S)[1].replace("\\e", "\\")
    tap.ok(len(program.splitlines()) <= 13, "the client of the page has a few lines")
    with Daemon() as daemon:
        daemon.connect().close()
        done = subprocess.run([sys.executable, "-c", program.replace("/run/pmuq/io.pmuq", str(daemon.path))], capture_output=True,
                              text=True, check=False)
        tap.same((done.stdout, done.stderr), ("{'type': 1, 'size': 64, 'config': '0x2'}\n", ""), "and it prints an attr")


def methods():
    name = "skylake-sp"
    with Daemon("--sysroot", MACHINES / name) as daemon:
        daemon.connect().close()
        with package.Service(daemon.path) as client:
            own = pmuq(*machine(name), "encode", "--json", "--no-open", "cycles:u", "cyclez").json
            tap.same(client.encode(["cycles:u", "cyclez"])["inputs"], own["inputs"], "Service.encode() gives the rows of the command")
            calls = {
                "pmus": client.list(), "formats": client.list("formats", ["cpu"]), "shown": client.show(["cpu"]),
                "inputs": client.explain(["cycles"], strict=True), "events": client.search(["mem", "loads"], limit=2),
                "changes": client.diff(generation=1), "document": client.export(), "version": client.get_info(),
            }
            tap.same([key for key, value in calls.items() if key not in value], [], "each method gives its document")
            tap.same(client.decode(["type=4 config=0x3c"])["inputs"][0]["ok"], True, "attrs are decoded")
            try:
                client.list(globs=["nix"])
            except package.ServiceError as error:
                tap.same((error.name, str(error)), ("io.pmuq.NotFound", "io.pmuq.NotFound: no PMU matches 'nix'"),
                         "an error of the daemon is an exception")


def subscribes():
    with tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree) as daemon:
        daemon.connect().close()
        with package.Service(daemon.path) as client, contextlib.closing(client.subscribe()) as states:
            first = next(states)
            shutil.rmtree(devices / "msr")
            tap.same(next(states)["pmus"], first["pmus"] - 1, "subscribe() waits for changes")


def called_again():
    """A daemon that ended is started by the next connection."""
    with service(b"", b'{"parameters": {"generation": 1}}\0') as path, package.Service(path) as client:
        tap.same(client.get_info(), {"generation": 1}, "a call is repeated on a new connection")


def source():
    with Daemon("--sysroot", MACHINES / "skylake-sp") as daemon:
        daemon.connect().close()
        with package.Source.service(str(daemon.path)) as machine_of_daemon:
            tap.same([event.pmu for event in machine_of_daemon.encode("cycles")], ["cpu"], "Source.service() encodes")


example()
methods()
subscribes()
called_again()
source()
tap.finish()
