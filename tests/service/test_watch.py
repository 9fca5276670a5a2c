#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The changes of a daemon's machine: `pmuq watch --via`, `pmuq scan --watch --via`."""
import contextlib
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from daemon import WAIT_S, Daemon, Fake, needs_silence, state_of, tree_of
from tap import PMUQ, Tap, pmuq, validated

tap = Tap()
# The timer of a command without a daemon is a second; a loaded machine needs some time for 20 ms of work.
SOON_S = 0.3


class Command:
    """A command that goes on, and when each of its lines came."""

    def __init__(self, daemon, *words):
        self.child = subprocess.Popen([PMUQ, "--via", str(daemon.path), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put((time.monotonic(), line))

    def line(self):
        """When it came, and its text."""
        return self.lines.get(timeout=WAIT_S)

    def state(self):
        return validated(json.loads(self.line()[1]), is_line=True)

    def __enter__(self):
        return self

    def end(self):
        """What it printed on stderr."""
        self.child.send_signal(signal.SIGINT)
        self.child.wait(timeout=WAIT_S)
        return self.child.stderr.read().decode()

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()


def calls_of(daemon, method):
    return daemon.text().count(f"calls {method}\n")


def subscribed(daemon):
    connection = daemon.connect()
    connection.send("Subscribe", more=True)
    connection.message()
    return connection


def changes():
    with (tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree, "--log-level", "debug") as daemon,
          subscribed(daemon) as other, Command(daemon, "watch", "--json") as watch):
        first = watch.state()
        tap.same((first["generation"], first["causes"], first["changes"]), (1, [], []), "the first line is the machine at the beginning")
        before = calls_of(daemon, "Export")
        late = []
        for n in range(5):
            (devices / "cpu/format/new").write_text(f"config:{n}\n")
            daemon.child.send_signal(signal.SIGHUP)
            sent = json.loads(other.message())["parameters"]
            start = time.monotonic()
            when, line = watch.line()
            late.append(when - start)
            printed = json.loads(line)
            tap.same([printed[key] for key in ("generation", "pmus", "causes", "changes")],
                     [sent[key] for key in ("generation", "pmus", "causes", "changes")], f"change {n} is that of the daemon")
        tap.ok(sorted(late)[3] < SOON_S, "each is printed as soon as the daemon announces it", late)
        tap.same(calls_of(daemon, "Export") - before, 5, "the machine is read once for each change")
        shutil.rmtree(devices / "msr")
        tap.same((watch.state()["causes"], json.loads(other.message())["parameters"]["causes"]), ([{"cause": "timer"}],) * 2,
                 "a change that the timer of the daemon finds has that cause")
        tap.ok("announces no change here" in watch.end(), "a note reports that nothing announces changes to the daemon")


def causes():
    """The kernel announces something to the daemon. Its names are untrusted."""
    announced = [{"cause": "pmu", "action": "remove", "name": "msr"}, {"cause": "module", "action": "remove", "name": "m\x1b[31m"},
                 {"cause": "lost"}]
    with tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree) as daemon, Fake(daemon) as fake:
        def changed(watch, text):
            """What is called and printed after one change of the machine and three messages."""
            subscriber = fake.subscriber()
            subscriber.socket.sendall(state_of())
            watch.line()
            (devices / "cpu/format/new").write_text(text)
            with subscribed(daemon) as other:
                daemon.child.send_signal(signal.SIGHUP)
                other.message()
            n = len(fake.called)
            subscriber.socket.sendall(state_of(announced[:1], 2) + state_of(announced[1:], 3) + state_of([{"cause": "moon"}], 4))
            return subscriber, watch.line()[1].decode(), fake.called[n:]

        with Command(fake, "watch") as watch:
            line = changed(watch, "config:1\n")[1]
            tap.ok("remove msr, remove m" in line and "announcements were lost" in line and "\x1b" not in line,
                   "the causes are printed, but no control byte", line)
        with Command(fake, "watch", "--json") as watch:
            subscriber, line, called = changed(watch, "config:2\n")
            tap.same((json.loads(line)["causes"], called), (announced, ["GetInfo", "Export"]), "messages that come together are one change")
            subscriber.socket.sendall(state_of(announced, 5))
            subscriber.socket.sendall(b'{"error": "io.pmuq.TooSlow", "parameters": {"message": "x"}}\0')
            fake.subscriber().socket.sendall(state_of())
            time.sleep(0.3)
            tap.ok(watch.lines.empty() and watch.child.poll() is None, "a message is not printed if the machine is the same")


def restarted():
    """Another daemon at the same socket begins with generation 1 again."""
    with tree_of("zen3-epyc") as (tree, devices), tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "io.pmuq"
        with contextlib.ExitStack() as stack:
            with Daemon("--sysroot", tree, path=path) as daemon:
                daemon.connect().close()
                watch = stack.enter_context(Command(daemon, "watch", "--json"))
                watch.state()
            shutil.rmtree(devices / "msr")
            time.sleep(1.5)
            start = time.monotonic()
            with Daemon("--sysroot", tree, path=path) as daemon:
                when, line = watch.line()
                state = json.loads(line)
                tap.same((state["causes"], [each["pmus"] for each in state["changes"]]), ([{"cause": "lost"}], [["msr"]]),
                         "what changed while there was no daemon is printed when one is there again")
                tap.ok(when - start < 5, "it connects again soon", when - start)
                (devices / "cpu/format/new").write_text("config:1\n")
                daemon.child.send_signal(signal.SIGHUP)
                tap.same(watch.state()["causes"], [{"cause": "timer"}], "and further changes are printed")


def live():
    """A daemon that gets announcements: its connection ends while nothing else happens."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "io.pmuq"
        with contextlib.ExitStack() as stack:
            with Daemon(path=path) as daemon, daemon.connect() as client:
                if not client.result("GetInfo")["announced"]:
                    tap.skip("a note about the connection", "announcements do not arrive here")
                    return
                watch = stack.enter_context(Command(daemon, "watch", "--jsonl"))
                watch.state()
            with Daemon(path=path) as daemon:
                end = time.monotonic() + WAIT_S
                while time.monotonic() < end:
                    with daemon.connect() as client:
                        if client.result("GetInfo")["subscribers"]:
                            break
                    time.sleep(0.05)
                tap.same(watch.end(), "pmuq: note: the daemon ended the connection; pmuq connects again\n", "a note reports the end of the connection")


def scans():
    with (tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree) as daemon, tempfile.TemporaryDirectory() as directory,
          subscribed(daemon) as other):
        db = os.path.join(directory, "db")
        with Command(daemon, "--db", db, "scan", "--name", "a", "--watch") as scan:
            scan.line()
            (devices / "cpu/format/new").write_text("config:1\n")
            daemon.child.send_signal(signal.SIGHUP)
            other.message()
            start = time.monotonic()
            when, line = scan.line()
            tap.ok(b"snapshot 2 (new)" in line and when - start < 1, "scan --watch stores each state of the daemon", line, when - start)
        tap.same(pmuq("--db", db, "hosts", "--history", "a", "--json").status, 0, "the database is whole")


needs_silence()
changes()
causes()
restarted()
live()
scans()
tap.finish()
