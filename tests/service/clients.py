#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients that are not ours use pmuqd: varlinkctl and systemd-socket-activate of Debian 13, and the Go library. systemd-analyze of
that Debian reads the units. scripts/varlink.sh runs it. VARLINK_ROOT is the root directory of that Debian, of which nothing else
runs; GO_CLIENT is the compiled client.go."""
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from daemon import PMUQD, WAIT_S, Connection, Daemon
from tap import MACHINES, Tap, machine_names, pmuq

tap = Tap()
USR = pathlib.Path(os.environ["VARLINK_ROOT"]) / "usr"
UNITS = pathlib.Path(os.environ["PMUQ_TESTS"]).parent / "systemd"
# That of pmuqd.service: it needs AF_UNIX, AF_NETLINK, the network namespace of the system, /proc and perf_event_open().
EXPOSURE_MAX = 8
# Methods of io.pmuq that ran.
called = set()


def of_root(program):
    """The words that run a program of the other Debian with its libraries."""
    loader = next(USR.glob("lib*/ld*.so.*"))
    systemd = next(USR.glob("lib/*/systemd/libsystemd-shared-*.so")).parent
    return [str(loader), "--library-path", f"{systemd.parent}:{systemd}", str(USR / "bin" / program)]


def run_of_root(program, *words):
    return subprocess.run([*of_root(program), *map(str, words)], capture_output=True, text=True, timeout=WAIT_S, check=False)


def varlinkctl(*words):
    return run_of_root("varlinkctl", *words)


def value_of(done):
    """The JSON that it printed; --more puts a control character before each value."""
    return json.loads(done.stdout.lstrip("\x1e")) if done.stdout.strip() else None


def call(address, method, parameters=None):
    called.add(method)
    return varlinkctl("call", "-j", address, f"io.pmuq.{method}", json.dumps(parameters or {}))


def go(*words):
    return subprocess.run([os.environ["GO_CLIENT"], *map(str, words)], capture_output=True, text=True, timeout=WAIT_S, check=False)


def matches(address, method, parameters):
    """The Go program compares each value of the reply with its type."""
    done = go("call", f"unix:{address}", method, json.dumps(parameters))
    tap.same(done.returncode, 0, "    the reply has the types of the interface", done.stderr)
    return done


def same(address, method, parameters, *words):
    """The method gives the JSON value of the command, with a generation. What the command prints on stderr becomes notes."""
    done = call(address, method, parameters)
    got, printed = value_of(done) or {}, pmuq(*words)
    notes = got.pop("notes", [])
    tap.same(got, {**printed.json, "generation": 1}, f"varlinkctl calls {method} {json.dumps(parameters)}", done.stderr)
    tap.ok(done.returncode == 0 and all(note in printed.stderr for note in notes), "    it ends with 0, and notes are those of the command", notes)
    matches(address, method, parameters)


def interface(daemon):
    done = varlinkctl("info", daemon.path)
    tap.ok(done.returncode == 0 and "Product: pmuqd" in done.stdout, "varlinkctl info describes the daemon", done.stdout, done.stderr)
    done = varlinkctl("list-interfaces", daemon.path)
    tap.same(sorted(done.stdout.split()), ["io.pmuq", "org.varlink.service"], "varlinkctl list-interfaces prints both", done.stderr)
    path = pathlib.Path(os.environ["PMUQ_INTERFACE"])
    text = path.read_text()
    done = varlinkctl("validate-idl", path)
    tap.same(done.returncode, 0, "varlinkctl validate-idl accepts the interface file", done.stderr)
    done = varlinkctl("introspect", daemon.path, "io.pmuq")
    for word in ("method", "type", "error"):
        names = [sorted(re.findall(rf"^{word} (\w+)", source, re.M)) for source in (done.stdout, text)]
        tap.ok(names[0] and names[0] == names[1], f"varlinkctl introspect prints every {word} ({len(names[1])})", done.stderr, *names)
    done = varlinkctl("introspect", daemon.path, "org.varlink.service")
    tap.same((done.returncode, len(re.findall(r"^method ", done.stdout, re.M))), (0, 2),
             "varlinkctl introspect prints the interface of every service", done.stderr)
    done = varlinkctl("list-methods", daemon.path, "io.pmuq")
    methods = {f"io.pmuq.{name}" for name in re.findall(r"^method (\w+)", text, re.M)}
    tap.same(set(done.stdout.split()), methods, "varlinkctl list-methods prints all methods")
    return {name.removeprefix("io.pmuq.") for name in methods}


def methods_of_tree(daemon, tree):
    options = ["--sysroot", str(tree)]
    for rows in ("pmus", "events", "tracepoints", "formats", "facts", "problems"):
        same(daemon.path, "List", {"type": rows}, *options, "list", rows, "--json")
    same(daemon.path, "List", {"globs": ["msr"], "fold": True}, *options, "list", "--fold", "--json", "msr")
    same(daemon.path, "Show", {"names": ["cpu", "msr/tsc/", "nix"]}, *options, "show", "--json", "cpu", "msr/tsc/", "nix")
    strings = ["cycles:u", "cpu/event=0xc0,umask=1/", "{cycles,msr/tsc/}", "cyclez"]
    same(daemon.path, "Encode", {"events": strings, "preset": "stat"}, *options, "encode", "--no-open", "--preset", "stat", "--json", *strings)
    same(daemon.path, "EncodeCompact", {"events": strings}, *options, "encode", "--no-open", "--json", "--compact", *strings)
    same(daemon.path, "Explain", {"events": strings}, *options, "explain", "--json", *strings)
    same(daemon.path, "Decode", {"attrs": ["type=4 config=0x3c", "nix"]}, *options, "decode", "--json", "type=4 config=0x3c", "nix")
    same(daemon.path, "Search", {"words": ["tsc"], "limit": 3}, *options, "search", "--limit", "3", "--json", "tsc")
    got = value_of(call(daemon.path, "Export"))
    tap.same(got, {"document": pmuq(*options, "export", "--json").json, "generation": 1}, "varlinkctl calls Export")
    matches(daemon.path, "Export", {})
    got = value_of(call(daemon.path, "Diff", {"generation": 1}))
    want = pmuq("diff", "--json", str(tree), str(tree)).json
    for side in ("before", "after"):
        del got[side]["machine"], want[side]["machine"]
    tap.same(got, {**want, "generation": 1}, "varlinkctl calls Diff; only the words for the machines differ")
    matches(daemon.path, "Diff", {"generation": 1})
    info = value_of(call(daemon.path, "GetInfo"))
    tap.same((info["live"], info["generation"], info["pmus"]), (False, 1, len(pmuq(*options, "list", "--json").json["pmus"])),
             "varlinkctl calls GetInfo")
    matches(daemon.path, "GetInfo", {})


def strings_of(name):
    """Event strings of the cases of a machine, as many as a word of a command line can hold."""
    strings = []
    for path in sorted((pathlib.Path(os.environ["PMUQ_TESTS"]) / "cases").glob("*.case")):
        for block in re.split(r"^machine ", path.read_text(), flags=re.M)[1:]:
            if block.split(None, 1)[0] == name:
                strings += re.findall(r"^event (.+)", block, re.M)
    return strings[:1000]


def types_of_machines():
    for name in machine_names():
        with Daemon("--sysroot", MACHINES / name) as daemon:
            daemon.connect().close()
            strings = strings_of(name) or ["cycles"]
            rows = ("pmus", "events", "tracepoints", "formats", "facts", "problems")
            calls = [*(("List", {"type": row}) for row in rows), ("Encode", {"events": strings}), ("Explain", {"events": strings}),
                     ("Show", {"names": ["cpu", "*", *strings[:50]]})]
            failed = []
            for method, parameters in calls:
                done = go("call", f"unix:{daemon.path}", method, json.dumps(parameters))
                failed += [(method, done.stderr, done.stdout[:200])] * (done.returncode != 0)
            tap.same(failed, [], f"{name}: replies to lists and {len(strings)} strings have the types of the interface")


def live():
    """Check opens events on the running kernel only."""
    with Daemon() as daemon:
        daemon.connect().close()
        got, want = value_of(call(daemon.path, "Check", {"events": ["page-faults"]})), pmuq("check", "--json", "page-faults").json
        # The daemon is another process.
        del got["budget"], want["budget"]
        tap.same(got, {**want, "generation": 1}, "varlinkctl calls Check; only the budgets differ")
        # An event that opens, one that the kernel may refuse, a group, and a string that is not valid.
        matches(daemon.path, "Check", {"events": ["page-faults", "cycles", "{cycles,instructions}", "cyclez"]})


def fails(daemon, method, parameters, error, want):
    done = call(daemon.path, method, parameters)
    called.discard("Nix")
    got = value_of(done)
    tap.ok(done.returncode != 0 and re.search(rf"failed: {re.escape(error)}$", done.stderr, re.M) and want.items() <= got.items(),
           f"varlinkctl shows the error {error} and its parameters", done.stdout, done.stderr)


def errors(daemon):
    fails(daemon, "List", {"globs": ["nix"]}, "io.pmuq.NotFound", {"message": "no PMU matches 'nix'"})
    fails(daemon, "Encode", {"events": ["cycles"], "preset": "nix"}, "io.pmuq.BadRequest",
          {"message": "--preset takes stat|record|sample, not 'nix'"})
    fails(daemon, "Encode", {"events": ["cycles"], "vendor": "nix"}, "io.pmuq.PmuqError", {"name": "store-open"})
    fails(daemon, "Encode", {"evnts": []}, "org.varlink.service.InvalidParameter", {"parameter": "evnts"})
    fails(daemon, "Encode", {}, "org.varlink.service.InvalidParameter", {"parameter": "events"})
    fails(daemon, "Subscribe", {}, "org.varlink.service.ExpectedMore", {})
    fails(daemon, "Nix", {}, "org.varlink.service.MethodNotFound", {"method": "Nix"})
    done = varlinkctl("call", "--graceful=io.pmuq.NotFound", daemon.path, "io.pmuq.List", '{"globs": ["nix"]}')
    tap.same(done.returncode, 0, "varlinkctl --graceful accepts an error by its name", done.stderr)


def ways_to_call(daemon):
    done = varlinkctl("call", "-j", f"unix:{daemon.path}", "io.pmuq.GetInfo")
    tap.ok(done.returncode == 0, "varlinkctl takes the address unix:PATH", done.stderr)
    done = varlinkctl("call", "-j", "--collect", daemon.path, "io.pmuq.List", '{"type": "facts"}')
    tap.same([sorted(reply) for reply in value_of(done)], [["facts", "generation", "schema"]],
             "varlinkctl --collect gets one reply of a method that has one", done.stderr)
    done = varlinkctl("call", "--oneway", daemon.path, "io.pmuq.List")
    tap.same((done.returncode, done.stdout), (0, ""), "varlinkctl --oneway gets no reply", done.stderr)


def line_of(stream):
    return json.loads(stream.readline().lstrip(b"\x1e"))


def changes(daemon, tree):
    """The state and a change arrive as they happen, in varlinkctl and in the Go program."""
    called.add("Subscribe")
    with contextlib.ExitStack() as stack:
        command = [*of_root("varlinkctl"), "call", "-j", "--more", "--timeout=infinity", str(daemon.path), "io.pmuq.Subscribe", "{}"]
        clients = []
        for words in (command, [os.environ["GO_CLIENT"], "subscribe", f"unix:{daemon.path}", "2"]):
            clients.append(stack.enter_context(subprocess.Popen(words, stdout=subprocess.PIPE)))
            stack.callback(clients[-1].kill)
        states = [line_of(client.stdout) for client in clients]
        want = json.loads(pmuq("--sysroot", str(tree), "watch", "--for", "1", "--jsonl").out.splitlines()[0])
        for name, got in zip(("varlinkctl --more", "the Go library"), states):
            tap.same({**got, "time": 0}, {**want, "time": 0}, f"{name} subscribes, and gets the state of the machine")
        shutil.rmtree(tree / "sys/bus/event_source/devices/msr")
        for name, client in zip(("varlinkctl --more", "the Go library"), clients):
            got = line_of(client.stdout)
            tap.same((got["generation"], [change["pmus"] for change in got["changes"]]), (2, [["msr"]]), f"{name} gets a change")
        matches(daemon.path, "Diff", {"generation": 1})
        tap.same(clients[1].wait(timeout=WAIT_S), 0, "the Go program ends after two states")


def go_library(daemon, tree):
    address = f"unix:{daemon.path}"
    done = go("describe", address)
    tap.same((done.returncode, done.stdout), (0, pathlib.Path(os.environ["PMUQ_INTERFACE"]).read_text()),
             "the Go library gets and parses the description of the interface", done.stderr)
    strings = ["cycles:u", "{cycles,msr/tsc/}", "cyclez"]
    tap.same(value_of(go("call", address, "Encode", json.dumps({"events": strings}))),
             {**pmuq("--sysroot", str(tree), "encode", "--no-open", "--json", *strings).json, "generation": 1}, "the Go library calls Encode")
    done = go("error", address, "cycles", "nix")
    tap.same((done.returncode, value_of(done)["error"], value_of(done)["parameters"]["name"]), (1, "io.pmuq.PmuqError", "store-open"),
             "the Go library gets an error with its parameters", done.stderr)


def started():
    """By systemd, at the first client; and by varlinkctl, for itself."""
    with tempfile.TemporaryDirectory() as directory:
        path = f"{directory}/io.pmuq"
        child = subprocess.Popen([*of_root("systemd-socket-activate"), "--listen", path, PMUQD, "--idle", "1"], stderr=subprocess.PIPE)
        tap.ok(b"Listening" in child.stderr.readline(), "systemd-socket-activate listens")
        info = value_of(varlinkctl("call", "-j", path, "io.pmuq.GetInfo"))
        tap.same((info["live"], info["clients"]), (True, 1), "its first client starts the daemon")
        Connection(path).close()
        child.communicate(timeout=WAIT_S)
        tap.same((child.returncode, os.path.exists(path)), (0, True), "the daemon ends when it is idle, and leaves the socket")
    want = {**pmuq("encode", "--no-open", "--json", "cycles").json, "generation": 1}
    for address in (f"exec:{PMUQD}", PMUQD):
        done = varlinkctl("call", "-j", address, "io.pmuq.Encode", '{"events": ["cycles"]}')
        tap.same((done.returncode, value_of(done)), (0, want), f"varlinkctl starts a daemon at the address {address.replace(PMUQD, 'PMUQD')}",
                 done.stderr)


def units():
    """As systemd reads and judges them. A threshold is in tenths of the exposure that `security` prints."""
    with tempfile.TemporaryDirectory() as directory:
        for path in UNITS.glob("pmuq*.*"):
            text = path.read_text().replace("@pmuqd@", PMUQD).replace("@pmuq@", os.environ["PMUQ"])
            pathlib.Path(directory, path.name.removesuffix(".in")).write_text(text)
        for path in sorted(pathlib.Path(directory).iterdir()):
            # It ends with 0 although it ignores a word.
            done = run_of_root("systemd-analyze", "--man=no", "verify", path)
            tap.same((done.returncode, done.stderr), (0, ""), f"systemd-analyze verify accepts {path.name}")
        for path in sorted(pathlib.Path(directory).glob("*.service")):
            done = run_of_root("systemd-analyze", "--no-pager", "security", "--offline=yes", f"--threshold={EXPOSURE_MAX}", path)
            tap.ok(done.returncode == 0 and "Overall exposure level" in done.stdout,
                   f"systemd-analyze security: the exposure of {path.name} is at most {EXPOSURE_MAX / 10}", done.stdout[-200:], done.stderr)


def main():
    methods = set()
    with tempfile.TemporaryDirectory() as directory:
        tree = pathlib.Path(directory) / "tree"
        shutil.copytree(MACHINES / "zen3-epyc", tree, symlinks=True)
        with Daemon("--sysroot", tree) as daemon:
            daemon.connect().close()
            methods = interface(daemon)
            methods_of_tree(daemon, tree)
            errors(daemon)
            ways_to_call(daemon)
            go_library(daemon, tree)
            changes(daemon, tree)
    types_of_machines()
    live()
    started()
    units()
    tap.same(called, methods, "varlinkctl called every method")
    tap.finish()


main()
