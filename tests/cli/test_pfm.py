#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names of libpfm4 as events: the bits are from the library, the rest is from the machine."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from tap import PMUQ, Tap, machine, pmuq

# machine, name, and for each encoding: PMU, type, config, other fields of the attr
TAKEN = [
    ("skylake-sp", "skx::MEM_LOAD_RETIRED:L3_MISS", [("cpu", 4, "0x20d1", {})]),
    ("skylake-sp", "MEM_LOAD_RETIRED:L3_MISS:u", [("cpu", 4, "0x20d1", {"exclude_kernel": 1, "exclude_hv": 1})]),
    ("skylake-sp", "pfm:INST_RETIRED:ANY_P:c=1:k", [("cpu", 4, "0x10000c0", {"exclude_user": 1, "exclude_hv": 1})]),
    ("skylake-sp", "INST_RETIRED:ANY_P:c=1", [("cpu", 4, "0x10000c0", {})]),
    ("skylake-sp", "INST_RETIRED", [("cpu", 4, "0xc0", {})]),
    ("skylake-sp", "inst_retired:precise=2:pinned:excl:mh",
     [("cpu", 4, "0xc0", {"precise_ip": 2, "pinned": 1, "exclusive": 1, "exclude_guest": 1})]),
    ("skylake-sp", "INST_RETIRED:mg", [("cpu", 4, "0xc0", {"exclude_host": 1})]),
    ("skylake-sp", "MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=30", [("cpu", 4, "0x1cd", {"config1": "0x1e"})]),
    ("skylake-sp", "skx_unc_imc::UNC_M_CAS_COUNT:RD",
     [(f"uncore_imc_{number}", 17 + number, "0x304", {}) for number in range(6)]),
    ("skylake-sp", "skx_unc_imc2::UNC_M_CAS_COUNT:RD", [("uncore_imc_2", 19, "0x304", {})]),
    ("skylake-sp", "skx::UNC_M_CAS_COUNT:RD",
     [(f"uncore_imc_{number}", 17 + number, "0x304", {}) for number in range(6)]),
    ("skylake-sp", "perf::PAGE-FAULTS", [("software", 1, "0x2", {})]),
    # Names without a PMU: the CPU's come first, then the kernel's own.
    ("skylake-sp", "PAGE-FAULTS:u=1", [("software", 1, "0x2", {"exclude_kernel": 1, "exclude_hv": 1})]),
    ("skylake-sp", "pfm:PAGE-FAULTS:k=1", [("software", 1, "0x2", {"exclude_user": 1, "exclude_hv": 1})]),
    ("skylake-sp", "pfm:CYCLES", [("cpu", 0, "0x0", {})]),
    ("unknown-intel", "PERF_COUNT_HW_CPU_CYCLES:u=1:k=0", [("cpu", 0, "0x0", {"exclude_kernel": 1, "exclude_hv": 1})]),
    ("skylake-sp", "perf_raw::r1a8", [("cpu", 4, "0x1a8", {})]),
    ("alderlake-hybrid-k6.12", "perf::CYCLES:u",
     [("cpu_atom", 0, "0xa00000000", {"exclude_kernel": 1, "exclude_hv": 1}),
      ("cpu_core", 0, "0x400000000", {"exclude_kernel": 1, "exclude_hv": 1})]),
    ("zen3-epyc", "RETIRED_INSTRUCTIONS", [("cpu", 4, "0xc0", {})]),
]
# machine, name, options, code, the bytes above the caret, a text of the hint
REFUSED = [
    ("skylake-sp", "skx::MEM_LOAD_RETIRD:L3_MISS", [], "PMUQ-164", "MEM_LOAD_RETIRD", "MEM_LOAD_RETIRED"),
    ("skylake-sp", "skx::MEM_LOAD_RETIRED:L3_MIS", [], "PMUQ-165", "L3_MIS", "'L3_MISS'"),
    ("skylake-sp", "skx::MEM_LOAD_RETIRED", [], "PMUQ-166", "MEM_LOAD_RETIRED", "L1_HIT"),
    ("skylake-sp", "skx::UNC_M_CAS_COUNT:RDX", [], "PMUQ-165", "RDX", "'RD'"),
    ("skylake-sp", "skx::UNC_M_CAS_COUNTS:RD", [], "PMUQ-164", "UNC_M_CAS_COUNTS", None),
    ("skylake-sp", "skz::X", [], "PMUQ-163", "skz", "'skx'"),
    ("skylake-sp", "cycles,MEM_LOAD_RETIRED:L3_MIS", [], "PMUQ-165", "L3_MIS", "'L3_MISS'"),
    ("alderlake-hybrid-k6.12", "skx::INST_RETIRED", [], "PMUQ-096", "skx::INST_RETIRED", "pfm:INST_RETIRED"),
    ("alderlake-hybrid-k6.12", "skx::INST_RETIRED", ["--any-cpu"], "PMUQ-030", "skx::INST_RETIRED", "the core PMUs of this machine: cpu_atom, cpu_core"),
    ("skylake-sp", "perf::sched:sched_switch:u=1", [], "PMUQ-033", "sched:sched_switch", "shows no tracepoints"),
    ("skylake-sp", "perf::NO_SUCH_EVENT", [], "PMUQ-164", "NO_SUCH_EVENT", None),
    ("skylake-sp", "skx::INST_RETIRED", ["--dialect", "perf"], "PMUQ-038", "skx::INST_RETIRED", None),
    ("skylake-sp", "skx::INST_RETIRED", ["--from", "sysfs"], "PMUQ-038", "skx::INST_RETIRED", None),
    # Unknown names: the error is that of the grammar.
    ("skylake-sp", "cylces", [], "PMUQ-031", "cylces", "'cycles'"),
    ("skylake-sp", "cycles:u:k", [], "PMUQ-010", ":", None),
    ("skylake-sp", "cycles:U", [], "PMUQ-033", "cycles:U", None),
    ("skylake-sp", "cycles:x=1", [], "PMUQ-165", "x", "modifiers of CYCLES"),
    ("skylake-sp", "cylces:u=1", [], "PMUQ-010", "=", None),
    ("skylake-sp", "sched:sched_switch:foo", [], "PMUQ-050", "f", None),
]


def encode(name, text, *options):
    return pmuq(*machine(name), "encode", "--no-open", "--json", *options, "--", text).json["inputs"][0]


def seen(encoding):
    attr = encoding["attr"]
    rest = {key: value for key, value in attr.items() if key not in ("type", "size", "config")}
    return encoding["pmu"], attr["type"], attr.get("config", "0x0"), rest


def test_taken(tap):
    for name, text, want in TAKEN:
        result = encode(name, text)
        encodings = result.get("encodings", [])
        tap.same([seen(e) for e in encodings], want, f"{name}: {text}".replace("#", ""), result.get("error"))
        tap.ok({e["source"] for e in encodings} == {"pfm"}, f"{name}: {text} has the source of its name", encodings)


def test_refused(tap):
    for name, text, options, code, location, hint in REFUSED:
        error = encode(name, text, *options).get("error", {})
        at = error.get("offset", 0)
        tap.same((error.get("code"), text.encode()[at:at + error.get("length", 0)].decode()), (code, location),
                 f"{name}: {text} {' '.join(options)} is refused at '{location}'", error)
        tap.ok(hint is None or hint in error.get("hint", ""), f"{name}: {text} has a hint", error)
        if code == "PMUQ-165":
            tap.ok(re.fullmatch(rf"\w+ has no umask or modifier '{location}'", error.get("message", "")), f"{name}: {text}: the message names it", error)


def test_beside_others(tap):
    result = encode("skylake-sp", "{skx::INST_RETIRED,cycles}:u,INST_RETIRED:period=7:cpu=1")
    encodings = result["encodings"]
    tap.same([e["group"] and e["group"]["leader"] for e in encodings], [0, 0, None], "names of libpfm4 can lead groups")
    tap.same((encodings[2]["cpus"], encodings[2]["tool_terms"]), ("1", {"period": 7}), "period= and cpu= work as in perf")
    tap.same(encode("haswell-client", "skx::INST_RETIRED")["error"]["code"], "PMUQ-096", "the name of another CPU is an error")
    other = encode("haswell-client", "skx::INST_RETIRED", "--any-cpu")["encodings"][0]
    tap.same((other["attr"]["config"], other["warnings"]), ("0xc0", []), "… unless --any-cpu accepts it")


def test_complete_name(tap):
    """The name that libpfm4 calls fstr, of each encoding."""
    encodings = encode("skylake-sp", "skx::INST_RETIRED:u,cycles,skx_unc_imc::UNC_M_CAS_COUNT:RD")["encodings"]
    names = [e.get("libpfm4_name") for e in encodings]
    tap.ok(names[0].startswith("skx::INST_RETIRED:ANY_P:") and ":u=1:k=0:" in names[0], "an encoding has its complete name in libpfm4", names)
    tap.same(names[1], None, "… if its name is one of libpfm4")
    tap.ok(len(set(names[2:])) == 1 and names[2].startswith("skx_unc_imc::UNC_M_CAS_COUNT:RD"), "all instances have one name", names)


def test_same_names(tap):
    def others(text):
        names = pmuq(*machine("skylake-sp"), "show", text).text.partition("  same as  ")[2]
        return [line.split()[0] for line in names.splitlines() if line.endswith("(pfm)")]

    name = "UNC_M_CAS_COUNT:RD"
    tap.same(others("uncore_imc/cas_count_read/"), [f"skx_unc_imc::{name}"], "all instances have the name of all instances")
    tap.same(others("uncore_imc_2/cas_count_read/"), [f"skx_unc_imc2::{name}"], "one instance has its own name")
    tap.same(others(f"skx_unc_imc::{name}"), [], "a name is not in its list of other names")


# perf::sched:sched_switch, the fields of the attr besides type and id; or the code, and the bytes above the caret
TRACEPOINTS = [
    ("", {}),
    (":u", {"exclude_kernel": 1, "exclude_hv": 1}),
    (":u=1:k=y:h=0", {"exclude_hv": 1}),
    (":u=0:k=n", {}),
    (":u=0:u", {"exclude_kernel": 1, "exclude_hv": 1}),
    (":precise=2:mg", {"precise_ip": 2, "exclude_host": 1}),
    (":excl:pinned=1:mh", {"exclude_guest": 1, "exclusive": 1, "pinned": 1}),
    (":uk", ("PMUQ-165", "uk")),
    (":u:p", ("PMUQ-165", "p")),
    (":period=3", ("PMUQ-165", "period")),
    (":u=2", ("PMUQ-167", "u=2")),
    (":k:precise=4", ("PMUQ-167", "precise=4")),
    (":precise=y", ("PMUQ-167", "precise=y")),
    (":u=", ("PMUQ-167", "u=")),
]


def test_tracepoints(tap):
    with tempfile.TemporaryDirectory() as directory:
        for path, text in {"bus/event_source/devices/tracepoint/type": "2", "kernel/tracing/events/sched/sched_switch/id": "316"}.items():
            file = pathlib.Path(directory, "sys", path)
            file.parent.mkdir(parents=True)
            file.write_text(text)
        for attributes, want in TRACEPOINTS:
            text = f"perf::sched:sched_switch{attributes}"
            result = pmuq("--sysroot", directory, "encode", "--no-open", "--json", "--", text).json["inputs"][0]
            error = result.get("error")
            seen_here = (error["code"], text[error["offset"]:error["offset"] + error["length"]]) if error else seen(result["encodings"][0])[3]
            tap.same(seen_here, want, f"{text} is a tracepoint with libpfm4's modifiers", result)


def test_planted(tap):
    """No file near the program is run, only the helper whose path the build fixed."""
    for name, command in (("the command of the build tree", PMUQ), ("the installed command", os.environ["PMUQ_INSTALLED"])):
        with tempfile.TemporaryDirectory() as directory:
            top = pathlib.Path(directory)
            for folder in ("bin", "pfm", "libexec/pmuq", "bin/pfm", "bin/libexec/pmuq"):
                (top / folder).mkdir(exist_ok=True, parents=True)
                helper = top / folder / "pmuq-pfm"
                helper.write_text(f"#!/bin/sh\ntouch {top}/planted\n")
                helper.chmod(0o755)
            copy = shutil.copy(command, top / "bin")
            done = subprocess.run([copy, *machine("skylake-sp"), "encode", "--no-open", "--json", "skx::INST_RETIRED"], cwd=top / "bin",
                                  capture_output=True, check=False, timeout=60, env={**os.environ, "PATH": f"{top}/bin:{os.environ['PATH']}"})
            tap.ok(not (top / "planted").exists() and b'"inputs"' in done.stdout, f"{name} runs no helper that lies near it", done.stdout, done.stderr)


def main():
    tap = Tap()
    test_planted(tap)
    if "PMUQ-160" in str(encode("skylake-sp", "skx::INST_RETIRED")):
        tap.skip("names of libpfm4", "this build has no helper for them")
        tap.finish()
    test_taken(tap)
    test_refused(tap)
    test_beside_others(tap)
    test_complete_name(tap)
    test_same_names(tap)
    test_tracepoints(tap)
    tap.finish()


main()
