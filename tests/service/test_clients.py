#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients in Python: the classes Service, Source and Watch of the package, and the example of io.pmuq(7)."""
import contextlib
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from daemon import WAIT_S, Daemon, Fake, needs_silence, service, state_of, tree_of
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


def change_of(watch, wait_s=WAIT_S):
    """The next change: its causes, and what was announced. None after so long."""
    end = time.monotonic() + wait_s
    while time.monotonic() < end:
        select.select([watch.fd], [], [], end - time.monotonic())
        change = watch.next()
        if change is not None:
            each = [watch.get(index) for index in range(change.n_announcements)]
            return change.causes, [(one.cause, one.action, one.name) for one in each]
    return None


def opened(fake):
    """A watch of a fake daemon, and the connection of its subscription. Opening waits for the first state."""
    made = []
    thread = threading.Thread(target=lambda: made.append(package.Watch(service=str(fake.path))))
    thread.start()
    subscriber = fake.subscriber()
    subscriber.socket.sendall(state_of())
    thread.join()
    return made[0], subscriber


def watches():
    cause = package.WatchCause
    with tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree) as daemon:
        daemon.connect().close()
        with package.Watch(service=str(daemon.path)) as watch, package.Source.service(str(daemon.path)) as source:
            tap.same((watch.is_announced, watch.next(), source.refresh()), (False, None, False), "a watch of a daemon begins without a change")
            shutil.rmtree(devices / "msr")
            tap.same((change_of(watch), source.refresh(), change_of(watch, 0.2)), ((cause.TIMER, []), True, None),
                     "it reports a change of the daemon, and no other")
            daemon.child.send_signal(signal.SIGHUP)
            tap.same((change_of(watch, 0.2), source.refresh()), (None, False), "nothing is reported if nothing changes")
            (devices / "cpu/format/new").write_text("config:1\n")
            daemon.child.send_signal(signal.SIGHUP)
            tap.same((change_of(watch), source.refresh()), ((cause.TIMER, []), True), "a change that nothing announced has the cause of the timer")


def announcements():
    cause = package.WatchCause
    announced = [{"cause": "cpu", "action": "offline", "name": f"cpu{n}"} for n in range(70)]
    with Daemon() as daemon, Fake(daemon) as fake:
        daemon.connect().close()
        watch, subscriber = opened(fake)
        with watch, daemon.connect() as client:
            tap.same(watch.is_announced, client.result("GetInfo")["announced"], "whether changes are announced is that of the daemon")
            subscriber.socket.sendall(state_of([announced[0], {"cause": "module", "action": "add", "name": "rapl"}]) + state_of(announced[:1]))
            tap.same(change_of(watch), (cause.CPU | cause.MODULE, [(cause.CPU, "offline", "cpu0"), (cause.MODULE, "add", "rapl")]),
                     "announcements have the names of the daemon, each once")
            subscriber.socket.sendall(state_of(announced))
            tap.same(len(change_of(watch)[1]), 64, "a change has the first 64")
            subscriber.socket.sendall(state_of() * 200)
            n = 0
            while change_of(watch, 0.3):
                n += 1
            tap.ok(n > 1, "many messages are read in parts, and none is left", n)
            subscriber.socket.sendall(b'{"parameters": {"causes"')
            start = time.monotonic()
            tap.ok(watch.next() is None and time.monotonic() - start < 1, "half a message does not make it wait")


def broken():
    """A daemon that ends its connections, or that sends something else, does not keep the watch busy."""
    cause = package.WatchCause
    with Daemon() as daemon, Fake(daemon) as fake:
        daemon.connect().close()
        watch, subscriber = opened(fake)
        with watch:
            start, before, reported = time.monotonic(), time.process_time(), []
            for bad in (b"nix\0", b"", state_of()[:-4] + b"\0"):
                subscriber.socket.sendall(bad)
                subscriber.socket.shutdown(socket.SHUT_RDWR)
                while fake.subscribers.empty():
                    reported.append(change_of(watch, 0.05))
                subscriber = fake.subscriber()
            tap.ok(time.monotonic() - start > 1.9, "it connects again at most once a second", time.monotonic() - start)
            tap.ok(time.process_time() - before < 1, "and waits for that", time.process_time() - before)
            tap.same((watch.is_announced, set(reported)), (False, {None}), "without a state it reports nothing")
            subscriber.socket.sendall(state_of())
            tap.same((change_of(watch), change_of(watch, 0.1)), ((cause.LOST, []), None), "then anything may have changed")


def code_of(*replies):
    with service(*replies) as path:
        try:
            package.Watch(service=path).close()
        except package.Error as error:
            return error.name, error.message
    return None


def refused():
    """The errors when a watch is opened."""
    info = b'{"parameters": {"announced": true}}\0'
    try:
        package.Watch(service="/nonexistent/socket")
    except package.Error as error:
        tap.same((error.name, error.message), ("no-service", "no daemon can be called: no such file or directory"), "no daemon")
    for name, replies, message in (
            ("no reply", (b"", b""), "the connection ended without a reply"),
            ("a service that is not pmuqd", (b'{"error": "x"}\0',), "the daemon reports x"),
            ("a reply that is too large", (b" " * (3 << 20),), "the reply is too large"),
            ("no state", (info, b'{"error": "x"}\0'), "the daemon reports x"),
            ("one reply only", (info, state_of().replace(b"true", b"false")), "the reply has no 'continues'"),
            ("causes that are a text", (info, state_of().replace(b"[]", b'"cpu"', 1)), "the causes are not a list")):
        tap.same(code_of(*replies), ("bad-service", message), f"{name} is an error of a new watch")


needs_silence()
example()
methods()
subscribes()
called_again()
source()
watches()
announcements()
broken()
refused()
tap.finish()
