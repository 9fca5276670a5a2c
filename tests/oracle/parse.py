# SPDX-License-Identifier: MIT
"""Runs inside a root that has perf and its Python module: strings in (a JSON string a line), perf's own
parser's results out (a JSON object a line).

The module has few members of an event, so the rest is read from the event's memory, at offsets that are
found by searching for the values of a known string, or by comparing two. Each string has its own process, forked before
perf has read anything: results do not depend on earlier strings."""
import ctypes
import json
import os
import struct
import sys

import perf

ATTR_SIZE = 144
OBJECT_EVENT = 16  # offset of the pointer to perf's event, after the head of the Python object
SEARCHED = 1024
# struct perf_event_attr: field, offset, format; the flags are bits of one word.
ATTR = [("type", 0, "I"), ("config", 8, "Q"), ("sample_period", 16, "Q"), ("sample_type", 24, "Q"),
        ("read_format", 32, "Q"), ("wakeup_events", 48, "I"), ("bp_type", 52, "I"), ("config1", 56, "Q"),
        ("config2", 64, "Q"), ("branch_sample_type", 72, "Q"), ("sample_regs_user", 80, "Q"),
        ("sample_stack_user", 88, "I"), ("clockid", 92, "i"), ("sample_regs_intr", 96, "Q"),
        ("aux_watermark", 104, "I"), ("sample_max_stack", 108, "H"), ("aux_sample_size", 112, "I"),
        ("sig_data", 120, "Q"), ("config3", 128, "Q"), ("config4", 136, "Q")]
FLAGS = """disabled inherit pinned exclusive exclude_user exclude_kernel exclude_hv exclude_idle mmap comm freq
    inherit_stat enable_on_exec task watermark precise_ip - mmap_data sample_id_all exclude_host
    exclude_guest""".split()

# Tool terms: judge.py's name, and a string that has it alone. perf keeps them in a list, each with a number of its type.
TERMS = {"period": "1:0/period=7/", "freq": "1:0/freq=7/", "time": "1:0/time=1/", "call-graph": "1:0/call-graph=fp/",
         "stack-size": "1:0/stack-size=8/", "inherit": "1:0/inherit=1/", "max-stack": "1:0/max-stack=7/",
         "nr": "1:0/nr=7/", "overwrite": "1:0/overwrite=1/", "branch_type": "1:0/branch_type=any/",
         "percore": "1:0/percore=1/", "aux-output": "1:0/aux-output=1/", "aux-action": "1:0/aux-action=pause/",
         "aux-sample-size": "1:0/aux-sample-size=7/", "ratio-to-prev": "1:0/ratio-to-prev=0.5/",
         # The scanner has no settings after a number.
         "driver-config": "breakpoint/@x/"}
# Where a term has its type, whether its value is a text, and the value, after the links of the list.
TERM_TYPE, TERM_IS_TEXT, TERM_VALUE = 16, 20, 24
# Modifiers that are members of the event: each is a byte.
MODIFIER_FLAGS = {"P": "precise_max", "S": "sample_read", "W": "weak_group", "b": "bpf_counter", "R": "retire_lat", "X": "dont_regroup"}


def number(address, form="Q"):
    return struct.unpack("<" + form, ctypes.string_at(address, struct.calcsize(form)))[0]


def text(address):
    pointer = number(address)
    return ctypes.string_at(pointer).decode(errors="replace") if pointer else ""


def events(string):
    found = list(perf.parse_events(string))
    return found, [number(id(event) + OBJECT_EVENT) for event in found]


def bytes_of(address):
    return ctypes.string_at(address, SEARCHED)


def find(haystack, needle, from_=0):
    at = haystack.find(needle, from_)
    if at < 0:
        sys.exit(f"this perf keeps {needle.hex()} elsewhere: its events cannot be read")
    return at


def known_text(address, word):
    """The offset of a pointer to that word."""
    for at in range(0, SEARCHED, 8):
        pointer = number(address + at)
        if pointer >> 12 and abs(pointer - address) < 1 << 26 and \
                ctypes.string_at(pointer, len(word) + 1) == word + b"\0":
            return at
    return sys.exit(f"this perf keeps {word} elsewhere: its events cannot be read")


def flag_of(letter, from_):
    """The offset of the byte that is 1 with that modifier, and 0 without. W is for groups only."""
    _, (plain, _) = events("{1:0,1:1}")
    _, (other, _) = events("{1:0,1:1}:" + letter)
    found = [at for at in range(from_, from_ + 80) if number(plain + at, "B") == 0 and number(other + at, "B") == 1]
    if len(found) != 1:
        sys.exit(f"this perf keeps the modifier {letter} elsewhere: its events cannot be read")
    return found[0]


def terms_list(string):
    """The offset of the list of tool terms: one that is empty with `1:0` (it links to itself), and has one element here."""
    _, (plain,) = events("1:0")
    _, (other,) = events(string)
    found = [at for at in range(0, SEARCHED, 8) if number(plain + at) == plain + at and number(other + at) != other + at]
    if len(found) != 1 or number(number(other + found[0])) != other + found[0]:
        sys.exit("this perf keeps tool terms elsewhere: its events cannot be read")
    return found[0]


def term_type(string, at):
    _, (event,) = events(string)
    return number(number(event + at) + TERM_TYPE, "I")


def calibrate():
    """Offsets within perf's event, and numbers of tool terms, from strings of known meaning."""
    _, (clock,) = events("1:0/name=pmuqname/")
    _, (first, second) = events("{1:0,1:1}")
    memory = bytes_of(clock)
    attr = find(memory, struct.pack("<II", 1, ATTR_SIZE))
    leader = find(bytes_of(second), struct.pack("<Q", first), attr + ATTR_SIZE)
    if number(first + leader) != first:
        sys.exit("this perf keeps a group's leader elsewhere: its events cannot be read")
    unit = known_text(clock, b"msec")
    flags = {name: flag_of(letter, unit + 8) for letter, name in MODIFIER_FLAGS.items()}
    terms = terms_list(TERMS["period"])
    return {"attr": attr, "leader": leader, "scale": find(memory, struct.pack("<d", 1e-6)),
            "unit": unit, "name": known_text(clock, b"pmuqname"),
            # The flag that an event is one of a package is two before that of the modifier P.
            "per_pkg": flags["precise_max"] - 2, "flags": flags,
            "terms": terms, "types": {name: term_type(string, terms) for name, string in TERMS.items()}}


def terms_of(address, at):
    """Tool terms in their order. The list has members of other types, too: which bits of a config the string sets."""
    names = {number_: name for name, number_ in at["types"].items()}
    head = address + at["terms"]
    term, found = number(head), []
    while term != head:
        name = names.get(number(term + TERM_TYPE, "I"))
        if name:
            found.append([name, text(term + TERM_VALUE) if number(term + TERM_IS_TEXT, "B") else number(term + TERM_VALUE)])
        term = number(term)
    return found


def attr_of(address):
    attr = {name: number(address + at, form) for name, at, form in ATTR}
    flags = number(address + 40)
    for bit, name in enumerate(FLAGS):
        if name == "precise_ip":
            attr[name] = flags >> bit & 3
        elif name != "-":
            attr[name] = flags >> bit & 1
    if flags >> len(FLAGS):
        attr["flags"] = flags >> len(FLAGS)
    return {name: hex(value) if value > 9 else value for name, value in attr.items() if value}


def ranges(cpus):
    """A list of CPUs as the kernel prints it."""
    runs = []
    for cpu in cpus:
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(f"{low}-{high}" if high > low else f"{low}" for low, high in runs)


def describe(event, address, addresses, at):
    leader = number(address + at["leader"])
    name, shown = text(address + at["name"]), str(event).removeprefix("evsel(").removesuffix(")")
    own = f"/{name}/" if name and shown.endswith(f"/{name}/") else None
    return {"pmu": shown.removesuffix(own) if own else shown.partition("/")[0], "name": name,
            "attr": attr_of(address + at["attr"]),
            "leader": addresses.index(leader) if leader in addresses else None,
            "unit": text(address + at["unit"]), "scale": number(address + at["scale"], "d"),
            "cpus": ranges(event.cpus()), "per_pkg": bool(number(address + at["per_pkg"], "B")),
            "terms": terms_of(address, at),
            "flags": [name for name, offset in at["flags"].items() if number(address + offset, "B")]}


def alone_leads_nobody(result):
    leaders = [event["leader"] for event in result]
    for event in result:
        if leaders.count(event["leader"]) < 2:
            event["leader"] = None
    return result


def parse(string, at):
    try:
        found, addresses = events(string)
    except (OSError, SyntaxError, ValueError, TypeError, MemoryError):
        return {"accepted": False}
    return {"accepted": True, "encodings": alone_leads_nobody(
        [describe(event, address, addresses, at) for event, address in zip(found, addresses)])}


def in_a_process(work):
    """The result of `work` in a child whose output is discarded; None if the child crashed."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        quiet = os.open("/dev/null", os.O_RDWR)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        with os.fdopen(writer, "w") as out:
            json.dump(work(), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as result:
        text_of_result = result.read()
    _, status = os.waitpid(child, 0)
    return json.loads(text_of_result) if status == 0 else None


def main():
    at = in_a_process(calibrate)
    if not at:
        sys.exit("perf's events cannot be read here: it is of another version, or of another machine")
    for line in sys.stdin:
        string = json.loads(line)
        result = in_a_process(lambda: parse(string, at))
        print(json.dumps({"input": string, **(result or {"crashed": True})}), flush=True)


main()
