# SPDX-License-Identifier: MIT
"""Compares a result of `pmuq encode --jsonl --dialect perf` with perf 7.2's result for the same string.

A difference is an error unless a row of docs/grammar.md explains it; those rows are tests here of one
string and its two results. Returns the difference, or None."""
import json
import re

BREAKPOINT = re.compile(r"\bmem:")
RENAMED = {"bp_addr": "config1", "bp_len": "config2"}
# perf's names of tool terms, and pmuq's.
TOOL_TERMS = {"branch": "branch_type", "aux_action": "aux-action", "max_events": "nr", "drv_cfg": "driver-config",
              "aux_output": "aux-output", "callgraph": "call-graph", "stack_user": "stack-size",
              "max_stack": "max-stack", "ratio_to_prev": "ratio-to-prev", "aux_sample_size": "aux-sample-size",
              "retire_lat": "retire_latency"}
NOT_TOOL_TERMS = {"requires_cpu", "snapshot", "metric-id"}
# Characters that perf's scanner drops if they begin no token, for example a sign before a number. Control characters
# and all bytes that are not ASCII belong to them.
DROPPED = set("""'"`#$%^&()+;<>\\|~/.{}-!=@""")
BLANKS = " \t\n"
SYNTAX, UNTERMINATED = "PMUQ-010", "PMUQ-012"
BAD_NUMBER, PSEUDO_EVENT, UNUSABLE_FORMAT, NO_CPUS_LEFT = "PMUQ-013", "PMUQ-035", "PMUQ-063", "PMUQ-057"
TWO_EVENTS, BAD_VALUE = "PMUQ-048", "PMUQ-049"
UNKNOWN_EVENT = "PMUQ-031"
UNIT_MAX = 31
CPU_NUMBER = r"(?:0x[0-9a-fA-F]+|0[0-7]*|[1-9]\d*)"
CPU_RANGE = rf"{CPU_NUMBER}(?:-{CPU_NUMBER})?"
CPU_LIST = re.compile(rf"{CPU_RANGE}(?:,{CPU_RANGE})*")
# perf knows its PMU of these types, which no kernel has.
TOOL_TYPE = re.compile(r"\b(4294967294|0xfffffffe):|:0xfffffffe[0-9a-f]{8}\b", re.I)
CPU_TERM = re.compile(r"[/,]cpu(?=[=,/])")
# A tracepoint with a pattern in its subsystem or its name.
TRACEPOINT_PATTERN = re.compile(r"[*?\[\]][^,{}/:]*:|:[^,{}/]*[*?\[\]]")
LEADERS_FLAGS = ("pinned", "exclusive")


def number(value):
    return int(value, 16) if isinstance(value, str) else value


def fields(attr):
    return {RENAMED.get(k, k): number(v) for k, v in attr.items() if k != "size" and number(v)}


def tool_terms(event):
    """Of several terms of one name the last one counts; of a driver's settings, all."""
    if "terms" not in event and "flags" not in event:
        return None
    terms, found = event.get("terms", {}), {}
    for name, value in terms if isinstance(terms, list) else terms.items():
        name = TOOL_TERMS.get(name, name)
        found[name] = f"{found[name]},{value}" if name == "driver-config" and name in found else value
    flags = {TOOL_TERMS.get(flag, flag): 1 for flag in event.get("flags", []) if flag not in NOT_TOOL_TERMS}
    return found | flags


def of_machine(event):
    """One event of a recording; older recordings have more members than parse.py can read."""
    return {"attr": fields(event["attr"]), "pmu": None if event["pmu"] == "unknown" else event["pmu"],
            "unit": event["unit"], "scale": event["scale"], "cpus": event["cpus"], "leader": event["leader"],
            "name": event["name"], "per_pkg": event.get("per_pkg"), "tool_terms": tool_terms(event)}


def of_small_tree(row, i):
    leader = row["leaders"][i] if row["leaders"].count(row["leaders"][i]) > 1 else None
    return {"attr": fields(row["attrs"][i]), "pmu": row["pmus"][i], "unit": row["units"][i],
            "scale": row["scales"][i], "cpus": None, "leader": leader, "name": row["names"][i], "per_pkg": None,
            "tool_terms": None}


def of_recording(row):
    """A row of any recording in one shape."""
    small = "event" in row
    if not row["accepted"]:
        events = []
    elif small:
        events = [of_small_tree(row, i) for i in range(len(row["attrs"]))]
    else:
        events = [of_machine(event) for event in row["encodings"]]
    return {"input": row["event" if small else "input"], "accepted": row["accepted"], "encodings": events,
            "caveats": set(row.get("caveats", []))}


def of_pmuq(element):
    if not element["ok"]:
        return None
    return [{"attr": fields(e["attr"]), "pmu": e["pmu"], "unit": e["unit"], "scale": float(e["scale"]),
             "cpus": e["cpus"], "leader": e["group"] and e["group"]["leader"], "per_pkg": e["per_pkg"],
             "name": e["name"], "tool_terms": {k: v for k, v in e["tool_terms"].items() if k not in NOT_TOOL_TERMS}}
            for e in element["encodings"]]


def as_set(events):
    return sorted(json.dumps(e["attr"], sort_keys=True) for e in events)


def without_dropped(text, element):
    """The string without the character that pmuq refuses and perf's scanner drops; None if it is another one."""
    if element["ok"] or element["error"]["code"] not in ("PMUQ-010", "PMUQ-012", "PMUQ-013", "PMUQ-050"):
        return None
    at, raw = element["error"]["offset"], text.encode()
    # After a '@' without a name, or a quote that is closed too late or never, the error is at a later offset.
    quote = raw.rfind(b"'", 0, at)
    is_quoted = raw[:at].count(b"'") % 2
    for dropped in (at - 1 if raw[at - 1:at] == b"@" else -1, quote if is_quoted else -1, at, quote):
        if 0 <= dropped < len(raw):
            head, character = raw[:dropped].decode(), raw[dropped:].decode()[0]
            if character in DROPPED or not " " <= character <= "~" and character not in BLANKS:
                return head + text[len(head) + 1:]
    return None


def first_line(path):
    return path.read_text(errors="replace").partition("\n")[0].strip()


def has_word(text, words):
    """Whether the text contains one of the names, in any case."""
    return bool({word.lower() for word in re.findall(r"[\w.-]+", text)} & {word.lower() for word in words})


def begins_like_a_list(text):
    """Whether a list of CPUs, in quotes, begins with CPUs and continues with something else."""
    return any((start := CPU_LIST.match(value)) and start.end() < len(value)
               for value in re.findall(r"\bcpu='([^']*)'", text))


def without(attr, names):
    return {name: value for name, value in attr.items() if name not in names}


def base(pmu):
    """A PMU's name without the number of the instance."""
    return re.sub(r"_?(\d+|[0-9a-f]{3,})$", "", pmu or "")


class Judge:
    """Contains the data of a machine that the explanations need: the names of its PMUs and of their events."""

    def __init__(self, devices):
        files = list(devices.glob("*/events/*"))
        names = {path.name for path in files}
        # perf reads a scale in hex, and cuts a long unit.
        self.odd_units = {path.stem for path in files if path.suffix == ".scale" and path.read_text().startswith("0x")
                          or path.suffix == ".unit" and len(path.read_text()) > UNIT_MAX}
        self.raw_terms = {path.name for path in files if re.match(r"r0?x?[0-9a-f]+$", first_line(path))}
        self.bitless = {path.name for path in devices.glob("*/format/*") if not re.search(r":\D*\d", first_line(path))}
        # perf treats scale 0 as no scale, so it accepts the event next to another in a list of terms.
        self.scaleless = {path.stem for path in files if path.suffix == ".scale" and not re.search("[1-9]", first_line(path))}
        self.has_software = (devices / "software").is_dir()
        # perf finds such files only if another event of the PMU was used before.
        self.mixed_case = [name for name in names if name not in (name.lower(), name.upper())]
        bases = {base(path.name) for path in devices.iterdir()}
        # perf's order of these is the directory's: uncore_imc_0 and uncore_imc_free_running_0.
        self.alike = {a for a in bases for b in bases if a != b and (a.startswith(b) or b.startswith(a))}

    def names_mixed_case(self, text):
        return has_word(text, self.mixed_case)

    def refused_on_purpose(self, row, element, stripped):
        """Whether a row of "Where both dialects differ from perf" explains an error of pmuq."""
        code, text = element["error"]["code"], row["input"]
        events = [e for e in row["encodings"] if e["pmu"] != "tool"]
        if code == NO_CPUS_LEFT:
            return CPU_TERM.search(text)
        if code == TWO_EVENTS:
            return has_word(text, self.scaleless)
        if code == UNUSABLE_FORMAT:  # a value that needs no bits
            return has_word(text, self.bitless)
        if code == BAD_VALUE:
            return begins_like_a_list(text) or re.search(r"\bcpu=tool\b|\bratio-to-prev=(inf|nan|0x)", text)
        if code == BAD_NUMBER and element["error"]["message"].startswith("event '"):
            return True  # a sign in the text of an event
        if len(events) < len(row["encodings"]):
            return code in (PSEUDO_EVENT, SYNTAX, UNTERMINATED) or stripped is not None or \
                code == UNKNOWN_EVENT and has_word(text, {"slots"})
        return stripped is not None and self.same_encodings(row, stripped)

    @staticmethod
    def known(row):
        """perf's events, without those of its own PMU that have no number."""
        return [e for e in row["encodings"] if e["pmu"] != "tool" or TOOL_TYPE.search(row["input"])]

    @staticmethod
    def kept(row, ours):
        """pmuq's events, without those of no PMU that perf drops because of their CPUs."""
        is_dropped = len(ours) > len(row["encodings"]) and CPU_TERM.search(row["input"])
        return [e for e in ours if e["pmu"] or not is_dropped]

    def same_encodings(self, row, ours):
        """Whether the attrs are equal in order, or as a set if a row explains another order."""
        theirs, ours, text = self.known(row), self.kept(row, ours), row["input"]
        if [e["attr"] for e in theirs] == [e["attr"] for e in ours]:
            return True
        if as_set(theirs) != as_set(ours):
            return self.names_mixed_case(text) and self.same_but_for_files(theirs, ours) or \
                has_word(text, self.raw_terms) and self.same_but_for(("config",), theirs, ours) or \
                (self.are_alike(theirs) or TRACEPOINT_PATTERN.search(text) or TOOL_TYPE.search(text)) and \
                self.same_but_for(LEADERS_FLAGS, theirs, ours) or \
                self.takes_no_bits(row, theirs, ours)
        return bool(row["caveats"] & {"pmu-order", "readdir-dependent", "regrouped-names"}
                    or re.search(r"\{[^}]*\bcpu=[^}]*\}", text) or self.are_alike(theirs) or TRACEPOINT_PATTERN.search(text)
                    or TOOL_TYPE.search(text))

    def are_alike(self, events):
        return any(base(e["pmu"]) in self.alike for e in events)

    @staticmethod
    def same_but_for(names, theirs, ours):
        return as_set([{"attr": without(e["attr"], names)} for e in theirs]) == \
            as_set([{"attr": without(e["attr"], names)} for e in ours])

    def takes_no_bits(self, row, theirs, ours):
        """A pattern leaves out the PMUs whose format names no bits; to perf, these take a 0."""
        return has_word(row["input"], self.bitless) and all(e["attr"] in [t["attr"] for t in theirs] for e in ours)

    @staticmethod
    def same_but_for_files(theirs, ours):
        """Whether only generic events of perf differ, because pmuq found the PMU's event of that name."""
        return all(e["attr"].get("type", 0) in (0, 3) or e["attr"] in [o["attr"] for o in ours] for e in theirs)

    def details(self, row, ours):
        """Differences besides the attrs, which are the same and in the same order."""
        for want, got in zip(self.known(row), self.kept(row, ours)):
            is_odd = has_word(row["input"], self.odd_units)
            if abs(want["scale"] - got["scale"]) > 1e-12 * abs(want["scale"]) and not is_odd:
                yield f"scale {got['scale']}, not {want['scale']}"
            if not self.same_name(row, want, got):
                yield f"name {got['name']!r}, not {want['name']!r}"
            for key in ("pmu", "unit", "leader", "cpus", "per_pkg", "tool_terms"):
                if want[key] is not None and want[key] != got[key] and not (
                        key == "cpus" and BREAKPOINT.search(row["input"]) or key == "unit" and is_odd
                        or key in ("cpus", "pmu") and want["pmu"] == "tool"):
                    yield f"{key} {got[key]!r}, not {want[key]!r}"
            if want["leader"] is None and got["leader"] is not None:
                yield f"leader {got['leader']}, not none"

    def same_name(self, row, want, got):
        """pmuq drops blanks around a name; perf renames events that it regroups or opens on fewer CPUs."""
        def plain(name):
            return re.sub(r"[\s/:,]+", ":", name).strip(":")

        theirs = want["name"].strip()
        return (plain(theirs) == plain(got["name"]) or got["attr"]["type" if "type" in got["attr"] else "config"] == 5
                if theirs.startswith("mem:") else
                plain(theirs) == plain(got["name"]) or plain(theirs.removeprefix(f"{want['pmu']}/")) == plain(got["name"])
                or "regrouped-names" in row["caveats"] or CPU_TERM.search(row["input"]) and got["name"] in row["input"])

    def judge(self, row, element, stripped=None):
        ours = of_pmuq(element)
        if ours is None:
            if not row["accepted"] or self.refused_on_purpose(row, element, stripped):
                return None
            return f"refused: {element['error']['message']}"
        if not row["accepted"]:
            return None if self.accepted_on_purpose(row, ours) else "accepted, and perf refuses it"
        if not self.same_encodings(row, ours):
            return f"got {[e['attr'] for e in ours][:3]}"
        if [e["attr"] for e in self.known(row)] != [e["attr"] for e in self.kept(row, ours)]:
            return None
        return next(self.details(row, ours), None)

    def accepted_on_purpose(self, row, ours):
        """A tracepoint glob matches the existing ones; a file in mixed case is found by its exact name; software
        events need no file."""
        return bool(TRACEPOINT_PATTERN.search(row["input"])) or self.names_mixed_case(row["input"]) or \
            not self.has_software and any(e["attr"].get("type") == 1 for e in ours)
