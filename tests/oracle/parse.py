# SPDX-License-Identifier: MIT
"""Runs inside a root that has perf and its Python module: strings in (a JSON string a line), perf's own
parser's results out (a JSON object a line).

The module has few members of an event, so the rest is read from the event's memory, at offsets that are
found by searching for the values of a known string. Each string has its own process, forked before perf
has read anything: results do not depend on earlier strings."""
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


def package_flag(unit):
    """The offset of the flag that an event is one of a package: two before that of the modifier P, after the unit."""
    _, (plain,) = events("1:0")
    _, (precise,) = events("1:0:P")
    found = [at for at in range(unit + 8, unit + 64)
             if number(plain + at, "B") == 0 and number(precise + at, "B") == 1]
    if len(found) != 1:
        sys.exit("this perf keeps the modifier P elsewhere: its events cannot be read")
    return found[0] - 2


def calibrate():
    """Offsets within perf's event, from two strings of known meaning."""
    _, (clock,) = events("1:0/name=pmuqname/")
    _, (first, second) = events("{1:0,1:1}")
    memory = bytes_of(clock)
    attr = find(memory, struct.pack("<II", 1, ATTR_SIZE))
    leader = find(bytes_of(second), struct.pack("<Q", first), attr + ATTR_SIZE)
    if number(first + leader) != first:
        sys.exit("this perf keeps a group's leader elsewhere: its events cannot be read")
    unit = known_text(clock, b"msec")
    return {"attr": attr, "leader": leader, "scale": find(memory, struct.pack("<d", 1e-6)),
            "unit": unit, "name": known_text(clock, b"pmuqname"), "per_pkg": package_flag(unit)}


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
            "cpus": ranges(event.cpus()), "per_pkg": bool(number(address + at["per_pkg"], "B"))}


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
