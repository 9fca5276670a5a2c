#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients in Python: the class Service of the package, and the example of io.pmuq(7)."""
import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

from daemon import Daemon
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
        with package.Service(daemon.path) as service:
            own = pmuq(*machine(name), "encode", "--json", "--no-open", "cycles:u", "cyclez").json
            tap.same(service.encode(["cycles:u", "cyclez"])["inputs"], own["inputs"], "Service.encode() gives the rows of the command")
            calls = {
                "pmus": service.list(), "formats": service.list("formats", ["cpu"]), "shown": service.show(["cpu"]),
                "inputs": service.explain(["cycles"], strict=True), "events": service.search(["mem", "loads"], limit=2),
                "changes": service.diff(generation=1), "document": service.export(), "version": service.get_info(),
            }
            tap.same([key for key, value in calls.items() if key not in value], [], "each method gives its document")
            tap.same(service.decode(["type=4 config=0x3c"])["inputs"][0]["ok"], True, "attrs are decoded")
            try:
                service.list(globs=["nix"])
            except package.ServiceError as error:
                tap.same((error.name, str(error)), ("io.pmuq.NotFound", "io.pmuq.NotFound: no PMU matches 'nix'"),
                         "an error of the daemon is an exception")


def subscribes():
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory) / "tree"
        shutil.copytree(MACHINES / "zen3-epyc", tree, symlinks=True)
        with Daemon("--sysroot", tree) as daemon:
            daemon.connect().close()
            with package.Service(daemon.path) as service, contextlib.closing(service.subscribe()) as states:
                first = next(states)
                shutil.rmtree(tree / "sys/bus/event_source/devices/msr")
                tap.same(next(states)["pmus"], first["pmus"] - 1, "subscribe() waits for changes")


def called_again():
    """A daemon that ended is started by the next connection."""
    with tempfile.TemporaryDirectory() as directory, socket.socket(socket.AF_UNIX) as listener:
        path = f"{directory}/socket"
        listener.bind(path)
        listener.listen()

        def serve():
            for reply in (b"", b'{"parameters": {"generation": 1}}\0'):
                connection, _ = listener.accept()
                with connection:
                    connection.recv(1000)
                    connection.sendall(reply)

        threading.Thread(target=serve, daemon=True).start()
        with package.Service(path) as service:
            tap.same(service.get_info(), {"generation": 1}, "a call is repeated on a new connection")


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
