#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of examples/ work on this machine: test_examples.py BUILD_DIR"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import MACHINES, Tap  # noqa: E402

BUILD = pathlib.Path(sys.argv[1])
DEVICES = pathlib.Path("/sys/bus/event_source/devices")

tap = Tap()


def run(name, *words):
    done = subprocess.run([BUILD / f"example_{name}", *words], capture_output=True, text=True, timeout=30)
    return done.returncode, done.stdout, done.stderr


def list_pmus():
    status, out, err = run("list_pmus")
    tap.same((status, err), (0, ""), "list_pmus exits with 0")
    tap.same(sorted(line.split()[0] for line in out.splitlines()), sorted(os.listdir(DEVICES)), "… and prints every PMU")


def count_event():
    status, out, err = run("count_event")
    page_faults = re.fullmatch(r"page-faults: (\d+)\n", out)
    tap.ok(status == 0 and page_faults and int(page_faults[1]) >= 16384 // 16, "count_event counts page faults", out + err)
    status, out, err = run("count_event", "no-such-event")
    tap.ok(status == 1 and "PMUQ-" in err and "^^^" in err, "… and prints an invalid event with a caret", err)


def why_refused():
    status, out, err = run("why_refused", "page-faults", "page-fautls", "r1")
    tap.same((status, err), (0, ""), "why_refused exits with 0")
    tap.ok("page-faults: opens\n" in out, "… prints the event that opens", out)
    tap.ok("page-fautls: at byte 0: " in out and "page-faults" in out.split("fautls", 1)[1],
           "… prints the error and the proposed event", out)
    if not (DEVICES / "cpu").exists():
        tap.ok(re.search(r"^r1: E[A-Z]+: ", out, re.M), "… prints why the kernel refuses an event", out)


def own_open():
    tap.same(run("own_open", "1", "0"), (0, "it opens\n", ""), "own_open opens an event by itself")
    status, out, err = run("own_open", "1", "0x7777")
    tap.ok(status == 0 and re.match(r"E[A-Z0-9]+: .+\n", out) and "software" in out, "… and explains the errno of a refusal", out + err)


def read_group():
    status, out, err = run("read_group")
    ran = re.fullmatch(r"ran for ([\d.]+) ms, was switched out (\d+) times\n", out)
    tap.ok(status == 0 and ran and float(ran[1]) > 0 and int(ran[2]) >= 1, "read_group reads both events", out + err)


def other_machine():
    status, out, err = run("other_machine", str(MACHINES / "skylake-sp"), "cas_count_read")
    tap.ok(status == 0 and re.search(r"^cas_count_read: PMU uncore_imc_\d+, type \d+, config 0x304,", out, re.M),
           "other_machine encodes for a captured machine", out + err)
    status, out, err = run("other_machine", str(MACHINES / "skylake-sp"), "cpu/umsk=1/")
    tap.ok(status == 1 and "PMUQ-034" in err, "… and reports an invalid event", err)


def agent():
    status, out, err = run("agent", "1")
    lines = dict(line.split()[:2] for line in out.splitlines())
    tap.same(status, 0, "agent exits with 0")
    if os.geteuid() == 0:
        tap.ok(float(lines.get("page-faults", -1)) >= 0, "… counts page faults on all CPUs", out + err)
        tap.ok("msr/tsc/" not in lines or float(lines["msr/tsc/"]) > 1e6, "… and counts the clock's cycles", out + err)
        tap.ok(("sched:sched_switch" in lines) == os.path.exists("/sys/kernel/tracing/events/sched/sched_switch/id"),
               "… and counts a tracepoint if tracefs is mounted", out + err)
    status, out, err = run("agent", "1", "page-faults", "page-fautls", "cycles")
    tap.ok("not counted: page-fautls: " in err and "did you mean 'page-faults'?" in err,
           "… reports an unknown event, with a hint", err)
    if os.geteuid() == 0 and not (DEVICES / "cpu").exists():
        tap.ok(status == 0 and "not counted: cycles: " in err and "page-faults" in out,
               "… and counts the other events", out + err)
    status, out, err = run("agent", "1", "page-fautls")
    tap.ok(status == 1 and not out and err, "… exits if there is nothing to count", out + err)


def sampler():
    status, out, err = run("sampler", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")
    shares = {pathlib.Path(name).name: int(share) for share, name in re.findall(r"^ *(\d+) % (\S+)$", out, re.M)}
    shell = pathlib.Path(shutil.which("sh")).resolve().name
    tap.ok(status == 0 and shares.get(shell, 0) > 0, "sampler finds the file in which a command works", out + err)
    tap.ok(run("sampler", "true")[0] == 0, "… and takes a command that ends at once")


for question in (list_pmus, count_event, why_refused, own_open, read_group, other_machine, agent, sampler):
    question()
tap.finish()
