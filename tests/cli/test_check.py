#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check: open results of this kernel, targets, counts, and the JSON.

Kernels differ: each statement holds on all of them, or is skipped if this kernel cannot be probed (a sandbox, another
user, an architecture without four breakpoints)."""
import json
import os
import platform
import re
import resource
import subprocess
import sys

from tap import Tap, machine, pmuq

CLOCK = "cpu-clock:u"
BREAKPOINTS = ",".join(f"mem:{hex(0x1000 + 4 * i)}/4:rw" for i in range(5))
SUBGROUPS = [{"members": [0, 1, 2, 3]}, {"members": [4]}]

tap = Tap()


def check(*words, **how):
    result = pmuq("check", "--json", *words, **how)
    return result, (result.json if result.out else None)


def encodings(document):
    return [encoding for element in document["inputs"] for encoding in element.get("encodings", [])]


def only(*words, **how):
    """The encoding of one string."""
    return encodings(check(*words, **how)[1])[0]


def opens(*words):
    return pmuq("check", *words).status == 0


def inputs():
    strings = [CLOCK, "cycles", "cpu-clock,page-faults", f"{{{BREAKPOINTS}}}", "no-such", "{cpu-clock,page-faults}:u", ""]
    for options in ([], ["--count=2"], ["--rdpmc", "--count=2"], ["-C", "0"], ["-p", "1"], ["-p", "999999999"]):
        document = check(*options, "--", *strings)[1]
        tap.same([element["input"] for element in document["inputs"]], strings, f"every string has a result {' '.join(options)}")
        lines = pmuq("check", "--jsonl", *options, "--", *strings).lines
        tap.same(([line.get("input") for line in lines[:-1]], list(lines[-1])), (strings, ["budget"]),
                 f"--jsonl has a line for each string, and one for the file descriptors {' '.join(options)}")
    empty = check("-f", "/dev/null")[1]
    tap.same((empty["inputs"], empty["budget"]["needed"]), ([], 0), "without events no file descriptor is needed")


def usage():
    for words, part in ((["-p", "0", CLOCK], "--pid takes a number from 1"), (["-p", "x", CLOCK], "--pid takes a number from 1"),
                        (["-p", "99999999999", CLOCK], "--pid takes a number from 1"), (["--count=0", CLOCK], "--count takes a number from 1"),
                        (["--count=-5", CLOCK], "--count takes a number from 1"), (["-p", "1", "-G", "/", CLOCK], "exclude each other"),
                        (["-C", "0..3", CLOCK], "PMUQ-120"), (["-C", "", CLOCK], "PMUQ-120"), ([], "needs an event")):
        result = pmuq("check", *words)
        tap.same((result.status, result.out, part in result.stderr), (2, b"", True), f"check {' '.join(words)}: {part}", result.stderr)
    captured = pmuq(*machine("skylake-sp"), "check", CLOCK)
    tap.same((captured.status, "running kernel" in captured.stderr), (2, True), "a captured machine cannot be checked", captured.stderr)
    tap.ok("--count[=MS]" in pmuq("help", "check").text, "the help marks optional words")


def statuses():
    invalid, document = check("no-such-event", CLOCK)
    tap.same((invalid.status >= 1, document["inputs"][0]["ok"], document["inputs"][1]["ok"]), (True, False, True),
             "the other events are checked after an invalid one")
    tap.same(pmuq("check", "no-such-event").status, 1, "the status is 1 for an invalid event")
    refused = pmuq("check", "mem:0x1000/3:rw")
    tap.same(refused.status, 3, "the status is 3 for a refusal")
    tap.ok("refuses" in refused.text and "file descriptors: 1 needed" in refused.text,
           "the text contains the refusal and the file descriptors", refused.text)
    lost = pmuq("check", "-G", "/no/such/cgroup", CLOCK)
    tap.same((lost.status, "PMUQ-121" in lost.stderr, "hint: " in lost.stderr), (1, True, True), "a cgroup that does not exist is reported, with a hint", lost.stderr)
    tap.ok(pmuq("check", "-f", "-", stdin=b"cpu-clock:u # mine\n\n").text.startswith("cpu-clock:u"), "-f - reads strings from stdin")


def diagnosis():
    refused = only("mem:0x1000/3:rw")
    tap.ok(refused["open"]["status"] == "refused" and refused["diagnosis"]["name"], "a refusal contains the name of the errno", refused)
    if platform.machine() == "x86_64" and opens("mem:0x1000/4:rw"):
        tap.same((refused["diagnosis"]["name"], refused["diagnosis"]["steps"], refused["open"]["change"]),
                 ("breakpoint-length", ["length"], "with length 4"), "a refusal names the field to change")
        changed = bytes.fromhex(refused["diagnosis"]["changed_attr_hex"])
        tap.same(int.from_bytes(changed[64:72], sys.byteorder), 4, "a refusal contains the attr that opens")
    tap.ok("diagnosis" not in only(CLOCK), "an opened event has no refusal")


def targets():
    if not opens(CLOCK):
        tap.skip("other targets", "perf events are closed here")
        return
    child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        tap.same(only("-p", str(child.pid), CLOCK)["open"], {"status": "opened", "pid": child.pid, "cpu": -1}, "-p opens events for a process")
        tap.ok(f"for process {child.pid}\n" in pmuq("check", "-p", str(child.pid), CLOCK).text, "the text contains it")
        counted = only("-p", str(child.pid), "--count=200", CLOCK)["count"]
        tap.ok(counted["status"] == "counted" and counted["value"] > 0, "--count counts the work of the process", counted)
    finally:
        child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    gone = only("-p", str(child.pid), CLOCK)  # a zombie: killed, not yet waited for
    tap.ok(gone["open"]["status"] == "opened" or gone["diagnosis"]["name"] in ("task-dead", "task-gone"), "a zombie is reported", gone)
    child.wait()
    gone = only("-p", str(child.pid), CLOCK)
    tap.same((gone["open"].get("errno_name"), gone.get("diagnosis", {}).get("name")), ("ESRCH", "task-gone"), "a process that ended is reported")
    sleeper = subprocess.Popen(["sleep", "100"])
    idle = only("-p", str(sleeper.pid), "--count=20", CLOCK)["count"]["status"]
    sleeper.kill()
    sleeper.wait()
    tap.ok(idle in ("target-idle", "counted"), "a sleeping process is reported as idle", idle)


def cpus():
    if not opens("-C", "0", "cpu-clock"):
        tap.skip("CPUs", "whole CPUs may not be counted here")
        return
    tap.same(only("-C", "0", "cpu-clock")["open"], {"status": "opened", "pid": -1, "cpu": 0}, "-C opens events for all processes")
    document = check("-C", "0", "cpu-clock", "page-faults")[1]
    tap.same(document["budget"]["needed"], 2, "an event needs one file descriptor for each CPU")
    far = only("-C", "60000", "cpu-clock")
    tap.same((far["open"]["errno_name"], far["diagnosis"]["name"]), ("EINVAL", "cpu-missing"), "a CPU that does not exist is reported")
    counted = only("-C", "0", "--count=20", "cpu-clock")["count"]
    tap.ok(counted["status"] == "counted" and counted["value"] >= 10_000_000, "--count counts on a CPU", counted)


def budget():
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
    strings = ["page-faults:u"] * 20
    result, document = check(*strings, preexec_fn=few)
    found = document["budget"]
    tap.same((found["needed"], found["limit"], found["hard_limit"], found["fits"]), (20, 8, 8, False), "a limit of 8 files is reported before it is reached")
    tap.ok("limit 8 (hard limit 8)" in found["text"] and "20 needed" in found["text"], "the text contains the limit", found["text"])
    if opens(CLOCK):
        tap.same(result.status, 0, "the events open one at a time below the limit", result.stderr)

    def soft():
        resource.setrlimit(resource.RLIMIT_NOFILE, (16, 4096))
    text = check(*strings, preexec_fn=soft)[1]["budget"]["text"]
    tap.ok(": raise it with ulimit -n " in text, "the hint names a soft limit that can be raised", text)


def counts():
    if not opens(CLOCK):
        tap.skip("counting", "perf events are closed here")
        return
    tap.ok("count" not in only(CLOCK), "check does not count without --count")
    clock = only("--count=50", CLOCK)["count"]
    tap.same((clock["status"], clock["time_enabled_ns"] == clock["time_running_ns"]), ("counted", True), "a clock is counted")
    tap.ok(0 < clock["value"] and clock["scaled"] == clock["value"], "a clock runs all the time, so its count is not scaled", clock)
    tap.ok(only("--count", CLOCK)["count"]["time_enabled_ns"] > 2_000_000, "without a number there is work, too")
    page_faults = only("--count=20", "page-faults:u")["count"]
    tap.ok(page_faults["status"] == "counted" and page_faults["value"] > 16, "page faults of the work are counted", page_faults)
    if opens("mem:0x10/4:rw"):
        zero = pmuq("check", "--count=5", "mem:0x10/4:rw")
        tap.same((zero.status, "counted 0" in zero.text), (0, True), "a breakpoint on an unused address counts 0", zero.text)
    page = only("--rdpmc", "--count=5", CLOCK)["page"]
    tap.same((page["is_mapped"], page["cap_user_rdpmc"], page["is_read"]), (True, False, False), "a software event has no counter for rdpmc", page)
    refused = only("--count=5", "mem:0x1000/3:rw")["count"]
    tap.same((refused["status"], "value" in refused), ("not-counted", False), "an event that does not open is not counted", refused)


def groups():
    if not opens("{cpu-clock,page-faults}:u"):
        tap.skip("groups", "perf events are closed here")
        return
    whole = check("--count=5", "pair{cpu-clock,page-faults}:u")[1]["inputs"][0]
    tap.same(whole["groups"], [{"name": "pair", "leader": 0, "members": [0, 1], "opens": True, "fits": True, "predicts_open": "yes", "predicts_count": "yes",
                                "prediction": None, "agrees": "yes", "subgroups": [{"members": [0, 1]}]}],
             "a group that fits is counted as a whole, as predicted")
    tap.same([(item["opened_with"], item["counted_with"]) for item in whole["encodings"]], [([1], [1]), ([0], [0])],
             "its members open and count together")
    single = only("--count=5", CLOCK)
    tap.same(("opened_with" in single, "counted_with" in single), (False, False), "an event without a group opens and counts alone")
    if platform.machine() != "x86_64" or not opens("mem:0x1000/4:rw"):
        tap.skip("a group that does not fit is reported", "no four breakpoints")
        return
    result, document = check("--count=5", f"{{{BREAKPOINTS}}}")
    group = document["inputs"][0]["groups"][0]
    tap.same(result.status, 3, "the status is 3 for a group that does not fit")
    tap.same((group["opens"], group["fits"], group["breaker"], group["subgroups"]), (False, False, 4, SUBGROUPS), "the result contains the member that does not fit and the groups that do")
    if group["agrees"] == "unknown":
        tap.skip("the kernel agrees", "the CPU is not known")
    else:
        tap.same((group["predicts_open"], group["predicts_count"], group["prediction"], group["agrees"]),
                 ("no", "no", "5 events compete for 4 counters of breakpoint: 0-3", "yes"), "the kernel agrees with the prediction")
    text = pmuq("check", "--count=5", f"{{{BREAKPOINTS}}}").text
    shown = document["inputs"][0]["encodings"]
    tap.same([(item.get("opened_with"), item.get("counted_with")) for item in shown],
             [([other for other in range(4) if other != index], [other for other in range(4) if other != index]) for index in range(4)]
             + [([0, 1, 2, 3], None)], "each result contains the members that were open at the same time")
    tap.ok(re.search(r"hint: [^\n]*\n +refused next to mem:0x1000/4:rw mem:0x1004/4:rw[^=]*?\n  count [^\n]*\n +counted alone\n", text) and
           re.search(r"\n  count [^\n]*\n +counted next to mem:0x1004/4:rw mem:0x1008/4:rw\s+mem:0x100c/4:rw\n", text),
           "the text contains what was open next to an event, and what counted alone", text)
    tap.ok("'mem:0x1010/4:rw' does not fit with those before it" in text and "  fits as  mem:0x1000/4:rw mem:0x1004/4:rw" in text,
           "the text contains it", text)
    one = check(f"{{{BREAKPOINTS}}}")[1]["inputs"][0]["groups"][0]
    tap.same((one["opens"], "subgroups" in one), (False, False), "check does not split groups without --count")


def nothing_left():
    """check removes the probes that it created."""
    paths = [path for path in ("/sys/kernel/tracing/uprobe_events", "/sys/kernel/debug/tracing/uprobe_events") if os.access(path, os.R_OK)]
    before = [open(path).read() for path in paths]
    found = only(f"uprobe/path='{os.path.realpath(sys.executable)}',offset=0x40/") if os.path.isdir(
        "/sys/bus/event_source/devices/uprobe") else None
    if found is None:
        tap.skip("probes", "this kernel has no uprobe")
        return
    tap.ok(found["open"]["status"] in ("opened", "refused"), "a probe is opened", found)
    tap.same([open(path).read() for path in paths], before, "the probe is removed afterwards")
    lost = only("uprobe/path='/no/such/file',offset=0/")
    tap.ok(lost["open"]["status"] == "refused", "a probe in a file that does not exist is refused", lost)
    if found["open"]["status"] == "opened":
        tap.same((lost["open"]["errno_name"], lost["diagnosis"]["name"]), ("ENOENT", "file-none"), "the error names the file")


inputs()
usage()
statuses()
diagnosis()
targets()
cpus()
budget()
counts()
groups()
nothing_left()
tap.finish()
