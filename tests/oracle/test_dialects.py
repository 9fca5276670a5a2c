#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The default dialect differs from perf's in the rows of docs/grammar.md ("Where the two dialects differ") and in
nothing else, for every recorded string. ROWS below has each row as a test of the two results."""
import re
import tempfile

from results import encode, recordings
from judge import fields
from tap import Tap

REPEATED, NO_NUMBER, BAD_NUMBER, NOT_USABLE, NO_MATCH = (
    "PMUQ-046", "PMUQ-043", "PMUQ-013", "PMUQ-056", "PMUQ-032")
SLOTS = 0x400
CONFIGS = ("config", "config1", "config2", "config3", "config4")


def attrs(element):
    """The attrs of the string, without the sampling that perf's parser adds to tracepoints and others."""
    return [{k: v for k, v in fields(e["attr"]).items() if k not in ("sample_type", "sample_period")}
            for e in element["encodings"]]


def code(element):
    return None if element["ok"] else element["error"]["code"]


def is_repeated(_text, perf, ours):
    return perf["ok"] and code(ours) == REPEATED


def is_glob(text, perf, ours):
    """A glob of complete names matches fewer PMUs, or none; or more if perf removes `uncore_` from the names only."""
    if not re.search(r"[*?\[]", text):
        return False
    if not perf["ok"]:
        return code(perf) == NO_MATCH
    return not ours["ok"] or {e["pmu"] for e in ours["encodings"]} != {e["pmu"] for e in perf["encodings"]}


def without_slots(found):
    return [attr for attr in found if attr.get("config") != SLOTS]


def is_overridden(text, perf, ours):
    """A user's term replaces the event's: the attrs are equal but for bits of the config words that perf ORed. Without
    these bits an event may be no topdown metric, which needs slots."""
    if not (perf["ok"] and ours["ok"]) or "/" not in text:
        return False
    theirs, own = attrs(perf), attrs(ours)
    if len(theirs) > len(own) and "topdown" in text:
        theirs, own = without_slots(theirs), without_slots(own)
    plain = [[{k: v for k, v in a.items() if k not in CONFIGS} for a in found] for found in (theirs, own)]
    fewer = all(not o.get(word, 0) & ~p.get(word, 0) for p, o in zip(theirs, own) for word in CONFIGS)
    return plain[0] == plain[1] and (fewer or "config" in text)


def is_arm_length(text, perf, ours):
    return perf["ok"] and ours["ok"] and ":x" in text and "mem:" in text


def is_wide_number(text, perf, ours):
    """A type, percore= or max-stack= of more than 32 bits."""
    return perf["ok"] and (code(ours) == BAD_NUMBER or re.search("percore=|max-stack=", text) and code(ours) == "PMUQ-049")


def is_idle_raw_term(_text, perf, ours):
    return perf["ok"] and code(ours) == NOT_USABLE


def is_users_parameter(text, perf, ours):
    return "=?" in text and code(ours) in (NO_NUMBER, "PMUQ-045") and code(perf) != code(ours)


ROWS = [is_repeated, is_glob, is_overridden, is_arm_length, is_wide_number, is_idle_raw_term, is_users_parameter]


def same(perf, ours):
    if not perf["ok"] or not ours["ok"]:
        return perf["ok"] == ours["ok"]
    return attrs(perf) == attrs(ours)


def names_a_format(root, text):
    """A bare word that is an event and a format: pmuq uses the event, perf the format."""
    formats = {path.name.lower() for path in (root / "sys/bus/event_source/devices").glob("*/format/*")}
    return bool({word.lower() for word in re.findall(r"[\w.-]+", text)} & formats)


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as scratch:
        for what, root, rows in recordings(scratch):
            texts = [row["input"] if "input" in row else row["event"] for row in rows]
            pairs = zip(texts, encode(root, texts, "--dialect", "perf"), encode(root, texts))
            differences = [(text, attrs(perf)[:2] if perf["ok"] else perf["error"]["message"],
                            attrs(ours)[:2] if ours["ok"] else ours["error"]["message"])
                           for text, perf, ours in pairs
                           if not same(perf, ours) and not any(row(text, perf, ours) for row in ROWS)
                           and not (perf["ok"] != ours["ok"] and names_a_format(root, text))]
            tap.ok(not differences, f"{len(texts)} strings on {what}: the dialects differ only in rows of the page", *differences[:5])
    tap.finish()


main()
