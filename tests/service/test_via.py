#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--via: the machine of a daemon gives what the machine itself gives, and a bad service gives an error."""
import contextlib
import json
import shutil
import subprocess

from daemon import Daemon, service, tree_of
from event_strings import strings_of_machines
from tap import MACHINES, PMUQ, Tap, machine, machine_names, pmuq

tap = Tap()


def machines():
    strings = strings_of_machines()
    for name in machine_names():
        with Daemon("--sysroot", MACHINES / name) as daemon:
            daemon.connect().close()
            via, own = ("--via", str(daemon.path)), machine(name)
            words = ("encode", "--jsonl", "--no-open", "-f", "-")
            text = "\n".join(strings[name]).encode()
            tap.ok(pmuq(*via, *words, stdin=text).out == pmuq(*own, *words, stdin=text).out,
                   f"{name}: {len(strings[name])} strings give the same bytes")
            tap.ok(pmuq(*via, "export", "--json").out == pmuq(*own, "export", "--json").out, f"{name}: the machine is the same")


def live():
    with Daemon() as daemon:
        daemon.connect().close()
        via = ("--via", str(daemon.path))
        for words in (("list",), ("list", "events"), ("show", "software"), ("encode", "page-faults"), ("list", "-r", "-n")):
            tap.same(pmuq(*via, *words).out, pmuq(*words).out, f"`pmuq {' '.join(words)}` prints the same")
        checked = pmuq(*via, "check", "--json", "page-faults").json
        tap.same(checked["inputs"][0]["encodings"][0]["open"]["status"], "opened", "events of this machine can be opened")
        both = pmuq(*via, "--sysroot", "/", "list")
        tap.same((both.status, both.stderr.splitlines()[0]), (2, "pmuq: error: --sysroot and --via name two machines; use one of them"),
                 "two machines exclude each other")
        tap.same(pmuq(*via, "hosts").stderr.splitlines()[0], "pmuq: error: hosts does not take --via: it lists the database",
                 "a command without a machine takes no daemon")


def watched():
    with tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree) as daemon:
        daemon.connect().close()
        child = subprocess.Popen([PMUQ, "--via", daemon.path, "watch", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        first = json.loads(child.stdout.readline())
        shutil.rmtree(devices / "msr")
        second = json.loads(child.stdout.readline())
        child.kill()
        child.wait()
        tap.same((second["pmus"], [change["pmus"] for change in second["changes"]]), (first["pmus"] - 1, [["msr"]]),
                 "watch prints the changes that the daemon notices")


def error_of(*replies):
    with service(*replies) as path:
        result = pmuq("--via", path, "list")
        return result.status, result.stderr.splitlines()[0]


def errors():
    none = pmuq("--via", "/nonexistent/socket", "list")
    tap.same((none.status, none.stderr.splitlines()[0]),
             (4, "error[PMUQ-222] no-service: no daemon can be called: no such file or directory"), "a socket that is not there")
    tap.ok("hint: start one: systemctl start pmuqd.socket" in none.stderr, "the hint starts a daemon")
    long = pmuq("--via", "/" + "x" * 200, "list")
    tap.ok("PMUQ-222" in long.stderr, "a path that is too long for a socket", long.stderr)
    bad = "error[PMUQ-223] bad-service: "
    tap.same(error_of(b"nix\0"), (4, bad + "the reply has no 'generation'"), "a reply that is not JSON")
    tap.same(error_of(b"{}\0"), (4, bad + "the reply has no 'generation'"), "a reply without parameters")
    tap.same(error_of(b'{"error": "org.varlink.service.InterfaceNotFound", "parameters": {}}\0'),
             (4, bad + "the daemon reports org.varlink.service.InterfaceNotFound"), "a service of another interface")
    tap.same(error_of(b'{"parameters": {"message": "a\\u001bb"}, "error": "io.pmuq.Failed"}\0'),
             (4, bad + "the daemon reports io.pmuq.Failed: a\\x1bb"), "the reason of the daemon, with escapes for its control bytes")
    status, line = error_of(b'{"error": "io.pmuq.Failed", "parameters": {"message": "' + b"x" * 100_000 + b'"}}\0')
    tap.ok(status == 4 and len(line) < 400, "a reason that is too long", line[:500])
    tap.same(error_of(b'{"parameters": {"generation": "x", "document": {}}}\0'), (4, bad + "the generation is not a number"),
             "a generation that is a text")
    tap.same(error_of(b'{"parameters": {"generation": 1}}\0'), (4, bad + "the reply has no 'document'"), "a reply without a machine")
    status, line = error_of(b'{"parameters": {"generation": 1, "document": {"pmuq": "nix"}}}\0')
    tap.ok(status == 4 and line.startswith("error["), "a document that is not one", line)
    tap.same(error_of(b'{"parameters": {"gen'), (4, bad + "the connection ended within the reply"), "half a reply")
    tap.same(error_of(b"", b""), (4, bad + "the connection ended without a reply"), "no reply, twice")
    status, line = error_of(b"x" * (33 << 20))
    tap.ok(status == 4 and line == bad + "the reply is too large", "a reply that is too large", line)


def refused():
    with Daemon("--sysroot", MACHINES / "zen3-epyc") as daemon, contextlib.ExitStack() as stack:
        for _ in range(64):
            stack.enter_context(daemon.connect()).result("GetInfo")
        result = pmuq("--via", str(daemon.path), "list")
        tap.same((result.status, result.stderr.splitlines()[0]),
                 (4, "error[PMUQ-223] bad-service: the daemon reports io.pmuq.TooManyClients: there are too many connections; "
                     "use one for several calls"), "a daemon that refuses the connection reports the reason")


def started_again():
    """A daemon may end between the connection and the call: the call is repeated."""
    with Daemon("--sysroot", MACHINES / "zen3-epyc") as daemon, daemon.connect() as connection:
        connection.send("Export")
        exported = connection.message() + b"\0"
        connection.send("GetInfo")
        info = connection.message() + b"\0"
        with service(b"", exported, info) as path:
            tap.same(pmuq("--via", path, "list").out, pmuq("--via", str(daemon.path), "list").out, "a call is repeated once")


machines()
live()
watched()
errors()
refused()
started_again()
tap.finish()
