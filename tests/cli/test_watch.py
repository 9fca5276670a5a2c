#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""watch: each state of a machine that changes while the command runs."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from tap import MACHINES, PMUQ, Tap, pmuq, validated

tap = Tap()
WAIT_S = 120


def copied(directory):
    tree = pathlib.Path(directory) / "tree"
    shutil.copytree(MACHINES / "zen3-epyc", tree, symlinks=True)
    return tree, tree / "sys/bus/event_source/devices"


class Watch:
    """The command as it runs. A state is waited for, not a time."""

    def __init__(self, *words):
        self.child = subprocess.Popen([PMUQ, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def line(self):
        return self.child.stdout.readline().decode()

    def state(self):
        state = validated(json.loads(self.line()), is_line=True)
        return {key: value for key, value in state.items() if key not in ("schema", "time")}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()

    def end(self):
        self.child.send_signal(signal.SIGINT)
        out, err = self.child.communicate(timeout=WAIT_S)
        return self.child.returncode, out.decode(), err.decode()


def changes():
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as stack:
        tree, devices = copied(directory)
        watch = stack.enter_context(Watch("--sysroot", str(tree), "watch", "--json"))
        first = watch.state()
        n = len(list(devices.iterdir()))
        tap.same(first, {"generation": 1, "pmus": n, "causes": [], "changes": []}, "the first line is the machine at the beginning")
        shutil.rmtree(devices / "msr")
        gone = watch.state()
        tap.same((gone["generation"], gone["pmus"], gone["causes"]), (2, n - 1, [{"cause": "timer"}]), "a PMU that is gone is a new state")
        tap.same([(each["weight"], each["type"], each["pmus"]) for each in gone["changes"]], [("breaking", "pmu-gone", ["msr"])],
                 "the state has the changes of diff")
        (devices / "new/events").mkdir(parents=True)
        (devices / "new/events/one").write_text("event=1\n")
        (devices / "new/type").write_text("77\n")
        new = watch.state()
        tap.same([(each["type"], each["pmus"]) for each in new["changes"]], [("pmu-new", ["new"])], "so is a new PMU")
        status, out, err = watch.end()
        tap.same((status, out, "announces no change here" in err), (-signal.SIGINT, "", True), "Ctrl-C ends it; a note reports that a timer finds changes", err)


def scans():
    """scan --watch stores each state."""
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as stack:
        tree, devices = copied(directory)
        db = str(pathlib.Path(directory) / "state/hosts.db")
        pathlib.Path(db).parent.mkdir(mode=0o700)
        scan = stack.enter_context(Watch("--sysroot", str(tree), "--db", db, "scan", "--name", "a", "--watch"))
        tap.ok("snapshot 1 (new)" in scan.line(), "the first snapshot is stored at once")
        shutil.rmtree(devices / "msr")
        tap.ok("snapshot 2 (new)" in scan.line(), "a change is a snapshot")
        scan.end()
        tap.same([row["snapshot"] for row in pmuq("--db", db, "hosts", "--history", "--json").json["hosts"]], [1, 2], "the database has both")
        gone = pmuq("--db", db, "diff", "--json", "a@1", "a@2").json["changes"]
        tap.same([(each["type"], each["pmus"]) for each in gone], [("pmu-gone", ["msr"])], "and what changed between them")


def text():
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as stack:
        tree, devices = copied(directory)
        watch = stack.enter_context(Watch("--sysroot", str(tree), "watch"))
        tap.ok("generation 1, " in watch.line(), "the text begins with the first state")
        shutil.rmtree(devices / "msr")
        lines = [watch.line()]
        while lines[-1] and "msr" not in lines[-1]:
            lines.append(watch.line())
        tap.ok("generation 2: found by the timer, " in lines[0] and "msr" in lines[-1], "a change is printed as by diff", *lines)
        watch.end()


def lost():
    """A captured machine that is moved or removed."""
    for words, state in ((("watch",), "generation 1"), (("--db", "hosts.db", "scan", "--name", "a", "--watch"), "snapshot 1")):
        for how, reason in ((lambda tree: tree.rename(tree.with_name("moved")), "was moved or removed"), (shutil.rmtree, "stale-source")):
            with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as stack:
                tree, _ = copied(directory)
                words = [str(pathlib.Path(directory) / word) if word == "hosts.db" else word for word in words]
                watch = stack.enter_context(Watch("--sysroot", str(tree), *words))
                tap.ok(state in watch.line(), f"{words[-1]}: the machine is there")
                how(tree)
                _, err = watch.child.communicate(timeout=WAIT_S)
                tap.ok(watch.child.returncode == 4 and reason in err.decode(), f"{words[-1]} ends when it is gone: {reason}",
                       watch.child.returncode, err.decode())


def ends():
    tap.same(pmuq("watch", "--for", "1", "--jsonl").lines[0]["generation"], 1, "--for ends it")
    for words, reason in ((["watch", "x"], "takes no argument"), (["--host", "a", "watch"], "does not change"), (["watch", "--for", "0"], "from 1")):
        result = pmuq(*words)
        tap.ok(result.status == 2 and reason in result.stderr, f"{' '.join(words)}: {reason}", result.stderr)
    read, write = os.pipe()
    os.close(read)
    result = pmuq("watch", stdout=write)
    os.close(write)
    tap.ok(result.status not in (0, 1), "a closed pipe ends it", result.status)
    nowhere = pmuq("--sysroot", "/nonexistent", "watch")
    tap.same(nowhere.status, 4, "a machine that cannot be read is an error")


changes()
scans()
text()
lost()
ends()
tap.finish()
