#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Metrics on captured machines give the groups that perf 7.2 opened for them, and the values that it printed. Prints TAP.
test_perf_metrics.py RECORDINGS TABLES; PMUQ_TEST_MACHINES has the machines. tables.py makes TABLES.

perf's kernel was a shim: a count is a function of the attr, the same on every CPU. It did not replace nmi_watchdog (off)."""
import collections
import functools
import json
import lzma
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile

import pmuq
from tap import Tap

tap = Tap()
MACHINES = pathlib.Path(os.environ["PMUQ_TEST_MACHINES"])
TIMES = {pmuq.MetricEventType.DURATION: "duration_time", pmuq.MetricEventType.USER_TIME: "user_time",
         pmuq.MetricEventType.SYSTEM_TIME: "system_time"}
RATINGS = {pmuq.Rating.NONE: None, pmuq.Rating.GOOD: "good", pmuq.Rating.BAD: "bad"}
#: Fields that perf stat adds to what was recorded.
ADDED = {"size", "disabled", "inherit", "enable_on_exec", "read_format", "sample_type", "exclude_guest"}
#: Machines with metrics of #system_tsc_freq, which perf took from the machine that it ran on.
WITH_TSC = {"skylake-sp", "sapphirerapids-k6.12", "icelake-sp-k6.12", "big-uncore-k6.12"}

# Each exception is a row of docs/metrics.md: (machine or its beginning, metric or its beginning, arguments).
MIXED_CASE = [("ppc64el-power9", name, ()) for name in ("dtlb_miss_rate", "l1_prefetch_miss_rate", "llc_miss_rate", "Default4")]
WEAK = [("alderlake-hybrid-k6.12", "tma_bottleneck_irregular_overhead", ()), ("sapphirerapids-k6.12", "Ret", ())]
OTHER_GROUPS = MIXED_CASE + WEAK
OTHER_VALUES = OTHER_GROUPS + [
    # Events of cpu_core over events of cpu_atom.
    ("alderlake-hybrid", "lpm_ldst_", ()), ("alderlake-hybrid", "lpm_ilp_", ()), ("alderlake-hybrid", "lpm_fpu_total_flopc", ()),
    # The value of the first core PMU only.
    ("alderlake-hybrid", "smi_cycles", ()), ("arm64-biglittle", "branch_frequency", ()),
    # Constants.
    ("alderlake-hybrid-noatom", "tma_info_thread_slots_utilization", ()), ("big-uncore", "tma_info_system_cxl_mem_", ()),
    ("big-uncore", "tma_info_system_mem_pmm_read_latency", ()),
    # A metric that was named twice.
    ("arm64-cortex-a57-icount", "cs_per_second", ()),
    # A threshold that names metrics which the formula does not name.
    ("ivybridge-client", "tma_l3_bound", ("--metric-no-threshold",)),
]


def is_among(exceptions, recording, name):
    return any(recording["machine"].startswith(machine) and name.startswith(head) and set(words) <= set(recording["args"])
               for machine, head, words in exceptions)


class Machine:
    """A machine with the tables of a CPU."""

    def __init__(self, name, cpuid, store, directory):
        tree = MACHINES / name
        if name in WITH_TSC:
            tree = shutil.copytree(tree, directory / name, symlinks=True)
            with (tree / "pmuq-capture").open("w") as manifest:
                manifest.write("pmuq-capture 1\nfact tsc_hz 2000000000\n")
        self.source, self.metrics = pmuq.Source.tree(tree), store.open_metrics(cpuid)
        self.online = self.source.find_fact("cpus_online")
        try:
            self.vendor = store.open_vendor(cpuid)
        except pmuq.Error:
            self.vendor = None

    def plan(self, recording):
        args = recording["args"]
        return self.source.plan_metrics(
            self.metrics, recording["metric"], dialect=pmuq.Dialect.PERF, preset=pmuq.Preset.STAT, vendor=self.vendor,
            system_wide="-a" in args, without_thresholds="--metric-no-threshold" in args,
            without_groups="--metric-no-group" in args, without_sharing="--metric-no-merge" in args, nmi_watchdog=2)


def attr_of(fields):
    numbers = {name: int(value, 16) if isinstance(value, str) else value for name, value in fields.items() if name not in ADDED}
    return tuple(sorted((name, value) for name, value in numbers.items() if value))


class Run:
    """A recording, and pmuq's plan of it. perf opens a group on each CPU; "-1" is any CPU."""

    def __init__(self, recording, machine, plan):
        self.recording, self.machine, self.plan = recording, machine, plan
        self.is_wide = "-a" in recording["args"]
        self.lists = [[(encoding, attr_of(encoding.fields)) for encoding in one.encodings] for one in plan.lists]
        self.counts = {}
        for group in recording["groups"]:
            for attr, count in zip(group["attrs"], group["counts"]):
                for cpu in self.numbers(group["cpus"]):
                    self.counts[attr_of(attr), cpu] = count

    @staticmethod
    @functools.lru_cache(None)
    def numbers(text):
        return ("-1",) if text == "-1" else tuple(pmuq.parse_cpus(text))

    def cpus(self, encoding):
        is_limited = encoding.pmu == "msr" and encoding.cpus_text != self.machine.online  # by the term cpu
        if self.is_wide or encoding.needs_cpu or is_limited:
            return self.numbers(encoding.cpus_text or self.machine.online)
        return ("-1",)

    def groups(self):
        found = collections.Counter()
        for encodings in self.lists:
            groups = collections.defaultdict(list)
            for i, (encoding, attr) in enumerate(encodings):
                groups[encoding.leader if encoding.n_members else -1 - i].append((encoding, attr))
            for members in groups.values():
                self.add(found, self.cpus(members[0][0]), [attr for _, attr in members])
        return found

    def recorded_groups(self):
        found = collections.Counter()
        for group in self.recording["groups"]:
            self.add(found, self.numbers(group["cpus"]), list(map(attr_of, group["attrs"])))
        return found

    def add(self, groups, cpus, attrs):
        """If a group could hold few events, perf opened the members alone: they are compared without their groups."""
        parts = [[attr] for attr in attrs] if self.recording["group_limit"] else [sorted(attrs)]
        for part in map(tuple, parts):
            groups.update((cpu, part) for cpu in cpus)

    def count(self, index, number):
        event = self.plan.events[number]
        if event.type != pmuq.MetricEventType.COUNT:
            times = {name: float(value) / 1e9 for name, value, _ in self.recording["events"]}
            return pmuq.MetricCount(times.get(TIMES[event.type], 0.0) if event.type in TIMES else None)
        parts = [one for one in self.lists[event.list] if self.plan.counts(index, number, one[0])]
        counts = [self.counts.get((attr, cpu)) for encoding, attr in parts for cpu in self.cpus(encoding)]
        if None in counts or not counts:
            return pmuq.MetricCount(None)
        return pmuq.MetricCount(sum(counts), 1, 1, len(counts), len(parts))

    def values(self):
        """{metric: [(value, rating)]}"""
        found, counts = collections.defaultdict(list), {}
        for i, metric in enumerate(self.plan):
            if metric.pmu not in counts:
                counts[metric.pmu] = [self.count(i, k) for k in range(len(self.plan.events))]
            value = self.plan.evaluate(i, counts[metric.pmu])
            found[metric.name + (":" + metric.modifiers if metric.modifiers else "")].append((value.value, RATINGS[value.rating]))
        return found

    def recorded_values(self):
        found = collections.defaultdict(list)
        for one in self.recording["results"]:
            value = float(one["value"])
            found[one["name"]].append((None if value != value else value, one.get("threshold")))
        return found


def is_same(have, want):
    def order(row):
        return row[0] is None, row[0] or 0, row[1] or ""

    def is_near(a, b):
        return a == b or (a is not None and b is not None and abs(a - b) <= 1e-6 + 1e-9 * abs(b))

    return len(have) == len(want) and all(is_near(a[0], b[0]) and a[1] == b[1]
                                          for a, b in zip(sorted(have, key=order), sorted(want, key=order)))


def compare(recording, machine, tally):
    try:
        plan = machine.plan(recording)
    except pmuq.Error as error:
        tally["refused"].append((not recording["ok"], recording, str(error)))
        return
    if not recording["ok"]:
        tally["refused"].append((False, recording, "perf refuses it"))
        return
    run = Run(recording, machine, plan)
    have, want = run.groups(), run.recorded_groups()
    tally["groups"].append((have == want or is_among(OTHER_GROUPS, recording, recording["metric"]), recording, (have - want, want - have)))
    values, wanted = run.values(), run.recorded_values()
    for name in {*values, *wanted}:
        is_known = is_among(OTHER_VALUES, recording, name) or is_among(OTHER_GROUPS, recording, recording["metric"])
        tally["values"].append((is_known or is_same(values[name], wanted[name]), recording, (name, values[name], wanted[name])))


def main():
    tally, machines = collections.defaultdict(list), {}
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        with tarfile.open(sys.argv[2]) as tables:
            tables.extractall(directory / "arch")
        store = pmuq.Store(directory / "pmuq.db", pmuq.StoreMode.CREATE)
        store.import_vendor(directory / "arch", None)
        for line in lzma.open(sys.argv[1], "rt"):
            recording = json.loads(line)
            key = recording["machine"], recording["cpuid"]
            if key not in machines:
                machines[key] = Machine(*key, store, directory)
            compare(recording, machines[key], tally)
    for what, name in (("refused", "what perf refuses is an error"), ("groups", "perf opens the same groups"), ("values", "perf prints the same values")):
        bad = [(recording["machine"], recording["metric"], *recording["args"], why) for ok, recording, why in tally[what] if not ok]
        tap.ok(tally[what] and not bad, f"{name}: {len(tally[what])}", *map(str, bad[:20]))


main()
tap.finish()
