#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The example of each code in schemas/messages.toml gives that code on some machine, if an event string or an attr can
give it: a captured machine, or a small or odd tree."""
import pathlib
import re
import shlex
import tempfile
import tomllib

from results import encode
from tap import MACHINES, SCHEMAS, Tap, machine_names, pmuq
from trees import odd_trees, small_trees

# Codes that need more than a machine and a string: the tests that contain them.
ELSEWHERE = {
    "several-encodings": "tests/api/test_one_encoding.c",
    "deprecated-event": "tests/cli/test_vendor.py",
    "group-does-not-fit": "tests/metrics/test_fit.py",
    "pfm-unavailable": "tests/unit/test_pfm_abuse.c",
    "pfm-failed": "tests/unit/test_pfm_abuse.c",
}
# Examples in words, and the strings that they describe.
IN_WORDS = {
    "too-long": ("cycles/" + "@a," * 300 + "@a/",),
    "no-type": ("typeless/event=1/",),
    "excluded-source": ("page-faults", "--from", "sysfs"),
    "empty-alias": ("faulty/empty/",),
    "unusable-format": ("faulty/five=1/",),
}


def codes(element):
    """The code of the refusal, or the codes of the warnings."""
    if not element["ok"]:
        return {element["error"]["code"]}
    return {warning["code"] for e in element["encodings"] for warning in e["warnings"]}


def event_of(name, row):
    """The string and options of an example; the text after it names the machine."""
    return IN_WORDS.get(name) or (re.split(r" for | on a |, if ", row["example"])[0],)


def test_event(tap, roots, name, row):
    text, *options = event_of(name, row)
    code = f"PMUQ-{row['number']:03}"
    found = next((root.name for root in roots if code in codes(encode(root, [text], *options)[0])), None)
    tap.ok(found, f"{code} {name}: {text[:60]} gives the code", f"{text[:60]} gives {code} on no machine")


def test_attr(tap, name, row):
    code = f"PMUQ-{row['number']:03}"
    result = pmuq("--sysroot", str(MACHINES / "skylake-sp"), *shlex.split(row["example"])[1:])
    tap.ok(result.status and code in result.stderr, f"{code} {name}: {row['example']} gives the code", result.stderr)


def main():
    tap = Tap()
    table = tomllib.loads((SCHEMAS / "messages.toml").read_text())
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        small_trees(scratch)
        odd_trees(scratch)
        roots = [MACHINES / name for name in machine_names()] + sorted(p for p in scratch.iterdir() if (p / "sys").is_dir())
        for name, row in table.items():
            if row.get("retired") or name in ELSEWHERE:
                continue
            if row["about"] == "event":
                test_event(tap, roots, name, row)
            elif row["about"] == "attr":
                test_attr(tap, name, row)
    tap.finish()


main()
