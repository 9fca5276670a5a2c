#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Subscribe and Diff: what a machine becomes while the daemon runs."""
import json
import os
import pathlib
import shutil
import signal
import time

from daemon import WAIT_S, Daemon, announcing, needs_silence, tree_of
from tap import Tap, pmuq, validated

tap = Tap()


def subscribed(daemon):
    connection = daemon.connect()
    connection.send("Subscribe", more=True)
    return connection


def state(connection):
    """The next state, without its time."""
    reply = json.loads(connection.message())
    assert reply.get("continues"), reply
    value = validated(reply["parameters"], is_line=True)
    return {key: value for key, value in value.items() if key not in ("schema", "time")}


def trees():
    with tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree) as daemon:
        with subscribed(daemon) as one, subscribed(daemon) as two, daemon.connect() as client:
            n = len(list(devices.iterdir()))
            tap.same([state(one), state(two)], [{"generation": 1, "pmus": n, "causes": [], "changes": []}] * 2,
                     "a subscriber gets the state of the machine first")
            tap.same(client.result("GetInfo")["subscribers"], 2, "subscribers are counted")
            shutil.move(devices / "msr", tree / "msr")
            gone = state(one)
            tap.same((gone, gone["generation"], gone["pmus"]), (state(two), 2, n - 1), "each subscriber gets a change")
            tap.same([change["pmus"] for change in gone["changes"]], [["msr"]], "the change names the PMU")
            tap.same(client.result("Encode", {"events": ["msr/tsc/"]})["inputs"][0]["error"]["name"], "unknown-pmu",
                     "an event of a PMU that is gone is refused")
            diff = client.result("Diff", {"generation": 1})
            tap.same((diff["differ"], [change["pmus"] for change in diff["changes"]], diff["generation"]), (True, [["msr"]], 2),
                     "Diff compares with the state before")
            shutil.move(tree / "msr", devices / "msr")
            tap.same((state(one)["generation"], client.result("Diff", {"generation": 1})["differ"]), (3, False),
                     "a PMU that is there again is a new state, which does not differ from the first")
            one.close()
            shutil.rmtree(devices / "msr")
            tap.same([state(two)["generation"] for _ in range(2)], [3, 4], "a subscriber that is gone harms no other")


def half_read():
    """A PMU appears before its files, as in sysfs: no state has a part of it."""
    with tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree) as daemon, subscribed(daemon) as connection:
        state(connection)
        formats = {path.name: path.read_text() for path in (devices / "cpu/format").iterdir()}
        new = devices / "new_pmu"
        (new / "format").mkdir(parents=True)
        (new / "type").write_text("99\n")
        for name, text in formats.items():
            (new / "format" / name).write_text(text)
            time.sleep(0.01)
        states = [state(connection)]
        while states[-1]["pmus"] and not any("new_pmu" in change["pmus"] for change in states[-1]["changes"]):
            states.append(state(connection))
        with daemon.connect() as client:
            rows = client.result("List", {"type": "formats", "globs": ["new_pmu"]})["formats"]
        tap.same((len(states), sorted(row["format"] for row in rows)), (1, sorted(formats)), "a new PMU is one change, with all its files")


def tracepoints():
    """Nothing announces that a probe was removed and made again: its number is another one."""
    with tree_of("zen3-epyc") as (tree, _):
        event = tree / "sys/kernel/tracing/events/probe/here"
        event.mkdir(parents=True)
        (event / "id").write_text("1234\n")
        with Daemon("--sysroot", tree) as daemon, daemon.connect() as client:
            def config():
                return client.result("Encode", {"events": ["probe:here"]})["inputs"][0]["encodings"][0]["attr"]["config"]

            first = config()
            (event / "id").write_text("1235\n")
            time.sleep(0.6)
            client.result("Encode", {"events": ["cycles"]})
            time.sleep(0.6)
            tap.same((first, config()), ("0x4d2", "0x4d3"), "a probe that was made again gets its new number")


def idle():
    with tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree, "--idle", "1") as daemon:
        connection = subscribed(daemon)
        state(connection)
        time.sleep(2.5)
        shutil.rmtree(devices / "msr")
        tap.same(state(connection)["generation"], 2, "a daemon with a subscriber does not end")
        connection.close()
        tap.same(daemon.child.wait(timeout=WAIT_S), 0, "it ends when the last one is gone")


def generations():
    """The daemon keeps some. SIGHUP makes it read the machine at once."""
    with tree_of("zen3-epyc") as (tree, devices), Daemon("--sysroot", tree) as daemon, subscribed(daemon) as connection:
        state(connection)
        states = []
        for n in range(18):
            (devices / "cpu/format/new").write_text(f"config:{n}\n")
            daemon.child.send_signal(signal.SIGHUP)
            states.append(state(connection))
        tap.same([each["causes"] for each in states], [[{"cause": "timer"}]] * 18, "each change has a cause, if nothing was announced, too")
        with daemon.connect() as client:
            tap.same((states[-1]["generation"], client.result("GetInfo")["oldest"]), (19, 3), "the last 16 states before the newest are kept")
            reply = client.call("Diff", {"generation": 2})
            tap.same(reply["parameters"]["message"], "there is no such generation: the daemon has 3 to 19", "an older one is not there")
            tap.ok(client.result("Diff", {"generation": 3})["differ"], "the oldest one can be compared")


def lost():
    """A tree that is moved, and later comes back."""
    with tree_of("zen3-epyc") as (tree, _), Daemon("--sysroot", tree) as daemon, daemon.connect() as client:
        client.result("List")
        moved = tree.rename(tree.with_name("moved"))
        end = time.monotonic() + 60
        while (reply := client.call("List")).get("error") is None and time.monotonic() < end:
            time.sleep(0.1)
        tap.same(reply.get("error"), "io.pmuq.Failed", "a machine that is gone is not served")
        for _ in range(3):
            time.sleep(1)
            client.call("List")
        lines = daemon.text()
        tap.same([lines.count("was moved or removed"), lines.count("its last state remains") <= 1], [1, True], "the log has the reason once", lines)
        moved.rename(tree)
        client.result("List")
        tap.ok(True, "it is served again when it is back")


def live():
    """The kernel of this machine announces what a test writes to a file uevent."""
    uevent = pathlib.Path("/sys/bus/event_source/devices/software/uevent")
    with Daemon() as daemon, subscribed(daemon) as connection, daemon.connect() as client:
        state(connection)
        if not client.result("GetInfo")["announced"] or not os.access(uevent, os.W_OK):
            tap.skip("announcements", "they do not arrive here, or only root can cause them")
            return
        before = client.result("List", {"type": "pmus"})
        daemon.child.send_signal(signal.SIGSTOP)
        with open(uevent, "wb", buffering=0) as file:
            for _ in range(60_000):
                file.write(b"add")
        daemon.child.send_signal(signal.SIGCONT)
        start = time.monotonic()
        after = client.result("List", {"type": "pmus"})
        tap.ok(before == after and time.monotonic() - start < 60, "after 60,000 announcements to a stopped daemon its lists are right",
               time.monotonic() - start)
        tap.same(pmuq("list", "--json").json["pmus"], after["pmus"], "they are those of a new process")


needs_silence()
trees()
half_read()
tracepoints()
idle()
generations()
lost()
with announcing():
    live()
tap.finish()
