#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of docs/containers.md is what the running kernel does, and its files can be parsed: test_containers.py PAGE"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import yaml
from tap import PMUQ, UNWANTED, Tap, path_for_all

PAGE = pathlib.Path(sys.argv[1]).read_text()
SITUATED = os.environ["PMUQ_SITUATED"]
OPENS, REFUSES, SKIPPED = 0, 3, 77
ROW = re.compile(r"^\| ([^|`]+) \| `([^`]+)` \| (-?\d|never) \| (CAP_\w+) \|$", re.M)
tap = Tap()


def check(level, situation, words):
    clean = {key: value for key, value in os.environ.items() if key not in UNWANTED}
    return subprocess.run([SITUATED, f"paranoid={level}", situation, path_for_all(PMUQ), "check", *words], env=clean, timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def expect(status, level, situation, words):
    done = check(level, situation, words)
    name = f"{' '.join(words)} as {situation}, perf_event_paranoid {level}: {'opens' if status == OPENS else 'is refused'}"
    if done.returncode == SKIPPED:
        tap.skip(name, done.stderr.strip())
    else:
        tap.same(done.returncode, status, name, done.stdout, done.stderr)


def row(example, most, capability):
    words = shlex.split(example) if example.startswith("-") else [example]
    # Only root may read the ids of tracepoints.
    user, is_tracepoint = ("tracefs userns", True) if example.startswith("sched:") else ("user", False)
    if check(2, "tracefs" if is_tracepoint else "", words).returncode not in (OPENS, REFUSES):
        return tap.skip(example, "this machine has no such event")
    for level in range(-1, 3):
        expect(OPENS if most != "never" and level <= int(most) else REFUSES, level, user, words)
    if is_tracepoint:
        return None
    expect(OPENS if capability == "CAP_PERFMON" else REFUSES, 2, "perfmon", words)
    expect(OPENS, 2, "admin", words)
    return expect(OPENS if most == "2" else REFUSES, 2, "userns", words)


rows = ROW.findall(PAGE)
tap.same(len(rows), 8, "every row of the table is read")
for _, example, most, capability in rows:
    row(example, most, capability)
blocks = dict(re.findall(r"^```(json|yaml|python)\n(.*?)^```$", PAGE, re.S | re.M))
with tempfile.NamedTemporaryFile("w") as profile:
    rules = [{"names": ["read", "perf_event_open"], "action": "SCMP_ACT_ALLOW"}, {"names": ["perf_event_open"], "action": "SCMP_ACT_ERRNO"}]
    json.dump({"syscalls": rules}, profile)
    profile.flush()
    program = blocks["python"].replace("/usr/share/containers/seccomp.json", profile.name)
    made = json.loads(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)
tap.same(made["syscalls"], [{"names": ["read"], "action": "SCMP_ACT_ALLOW"}, json.loads(blocks["json"])],
         "the program makes a filter that has one rule of perf_event_open")
tap.same(json.loads(blocks["json"])["names"], ["perf_event_open"], "the rule of seccomp is JSON")
pod = yaml.safe_load(blocks["yaml"])["spec"]["template"]["spec"]
names = {volume["name"] for volume in pod["volumes"]}
tap.same({mount["name"] for mount in pod["containers"][0]["volumeMounts"]}, names, "the manifest mounts its volumes")
tap.finish()
