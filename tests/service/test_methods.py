#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each method gives the bytes that the command prints with --json, on every machine."""
import os
import pathlib
import re
import subprocess

from daemon import PMUQD, Daemon
from event_strings import strings_of_machines
from tap import MACHINES, Tap, machine, machine_names, pmuq, validated

tap = Tap()
TYPES = ("pmus", "events", "tracepoints", "formats", "facts", "problems")
# A request may have 1 MiB.
STRINGS_MAX = 4000


def is_document(message, printed):
    """Whether the reply is the printed document, with a generation and perhaps notes after its members."""
    begin = b'{"parameters": ' + printed.rstrip(b"\n").removesuffix(b"}").rstrip(b"\n")
    return message.startswith(begin) and re.fullmatch(rb',\s+"generation": [0-9]+(, "notes": \[.*\])?\s*}}', message[len(begin):])


def same(connection, name, method, parameters, *words, env=None):
    """The method gives the document of the command."""
    printed = pmuq(*words, *(() if "--json" in words else ("--json",)))
    connection.send(method, parameters)
    message = connection.message()
    tap.ok(is_document(message, printed.out), name, message[:300], printed.out[:300])
    return printed


def lists(connection, name):
    for rows in TYPES:
        printed = pmuq(*machine(name), "list", rows, "--json").out
        connection.send("List", {"type": rows})
        if not is_document(message := connection.message(), printed):
            return rows, message[:300], printed[:300]
    return None


def encodes(connection, name, strings):
    """The first part of the strings whose encodings differ."""
    for start in range(0, len(strings), STRINGS_MAX):
        part = strings[start:start + STRINGS_MAX]
        for method, words in (("Encode", ["encode", "--no-open"]), ("Explain", ["explain"])):
            printed = pmuq(*machine(name), *words, "--json", "--", *part).out
            connection.send(method, {"events": part})
            if not is_document(connection.message(), printed):
                return method, part[:3]
    return None


def machines():
    strings = strings_of_machines()
    for name in machine_names():
        with Daemon("--sysroot", MACHINES / name) as daemon, daemon.connect() as connection:
            tap.same(lists(connection, name), None, f"{name}: all lists are those of the command")
            tap.same(encodes(connection, name, strings[name]), None,
                     f"{name}: {len(strings[name])} strings encode and explain as the command does")
            exported = pmuq(*machine(name), "export", "--json").out
            connection.send("Export")
            tap.ok(connection.message().startswith(b'{"parameters": {"document": ' + exported.rstrip()),
                   f"{name}: the exported machine is that of the command")


def one_machine():
    name = "skylake-sp"
    options = machine(name)
    with Daemon("--sysroot", MACHINES / name) as daemon, daemon.connect() as connection:
        same(connection, "globs select rows", "List", {"type": "events", "globs": ["cpu/*"]}, *options, "list", "events", "cpu/*")
        same(connection, "the default list is of PMUs", "List", {}, *options, "list")
        same(connection, "instances can be folded", "List", {"type": "pmus", "fold": True}, *options, "list", "--fold")
        same(connection, "sources of events can be selected", "List", {"type": "events", "from": "sysfs"},
             *options, "list", "events", "--from", "sysfs")
        same(connection, "PMUs and events are shown", "Show", {"names": ["cpu", "uncore_imc_*", "mem-loads"]},
             *options, "show", "cpu", "uncore_imc_*", "mem-loads")
        same(connection, "an unknown name has an error of its own", "Show", {"names": ["cpu", "nix"]}, *options, "show", "cpu", "nix")
        same(connection, "a compact reply", "EncodeCompact", {"events": ["cycles", "cyclez", "{instructions,cpu/event=1,period=3/}"]},
             *options, "encode", "--no-open", "--compact", "cycles", "cyclez", "{instructions,cpu/event=1,period=3/}")
        same(connection, "an invalid string has an error of its own", "Encode", {"events": ["cycles", "cyclez", "cpu/event=/"]},
             *options, "encode", "--no-open", "cycles", "cyclez", "cpu/event=/")
        same(connection, "options of Encode are those of the command", "Encode",
             {"events": ["cycles", "cpu/event=0x1ff/"], "strict": True, "preset": "stat", "as_written": True, "dialect": "perf"},
             *options, "encode", "--no-open", "--strict", "--preset", "stat", "--as-written", "--dialect", "perf", "cycles",
             "cpu/event=0x1ff/")
        same(connection, "… also the privilege of events that name none", "Encode", {"events": ["cycles", "cycles:k"], "privilege": "user"},
             *options, "encode", "--no-open", "--privilege", "user", "cycles", "cycles:k")
        for words in ([], ["--any-cpu"]):
            same(connection, f"… and names of another CPU {' '.join(words)}", "Encode", {"events": ["hsw::INST_RETIRED"], "any_cpu": bool(words)},
                 *options, "encode", "--no-open", *words, "hsw::INST_RETIRED")
        same(connection, "a string that begins with a dash is not an option", "Encode", {"events": ["--help", "-f/etc/passwd"]},
             *options, "encode", "--no-open", "--json", "--", "--help", "-f/etc/passwd")
        same(connection, "attrs are decoded", "Decode", {"attrs": ["type=4 config=0x3c", "0400", "nix"]},
             *options, "decode", "type=4 config=0x3c", "0400", "nix")
        same(connection, "an attr can be JSON of Encode", "Decode",
             {"attrs": [pmuq(*options, "encode", "--jsonl", "--no-open", "cycles:u").text]},
             *options, "decode", pmuq(*options, "encode", "--jsonl", "--no-open", "cycles:u").text)
        same(connection, "events are searched", "Search", {"words": ["mem", "loads"], "limit": 3, "from": "sysfs"},
             *options, "search", "--from", "sysfs", "--limit", "3", "mem", "loads")
        notes = connection.result("List", {"type": "pmus", "globs": ["cpu", "nix*"]})["notes"]
        tap.same(notes, ["no PMU matches 'nix*'"], "if some globs match, the others are notes")


def errors():
    with Daemon("--sysroot", MACHINES / "skylake-sp") as daemon, daemon.connect() as connection:
        def error(method, parameters=None, **flags):
            reply = connection.call(method, parameters, **flags)
            return reply.get("error", "").removeprefix("io.pmuq."), reply["parameters"]

        invalid = "org.varlink.service.InvalidParameter"
        tap.same(error("List", {"globs": ["nix"]}), ("NotFound", {"message": "no PMU matches 'nix'"}), "a glob that matches nothing")
        tap.same(error("Encode", {}), (invalid, {"parameter": "events"}), "a parameter that is missing is named")
        tap.same(error("Encode", {"events": []}), (invalid, {"parameter": "events"}), "an empty list is like none")
        tap.same(error("Encode", {"events": ["cycles"], "evnts": 1}), (invalid, {"parameter": "evnts"}), "an unknown parameter is named")
        tap.same(error("Encode", {"events": "cycles"}), (invalid, {"parameter": "events"}), "a text is not a list")
        tap.same(error("Encode", {"events": ["a\0b"]}), (invalid, {"parameter": "events"}), "no text has a NUL byte")
        tap.same(error("Encode", {"events": ["cycles"], "strict": "yes"}), (invalid, {"parameter": "strict"}), "a flag is a boolean")
        tap.same(error("Search", {"words": ["l3"], "limit": "3"}), (invalid, {"parameter": "limit"}), "a number is a number")
        name, parameters = error("Encode", {"events": ["cycles"], "preset": "nix"})
        tap.same((name, parameters["message"]), ("BadRequest", "--preset takes stat|record|sample, not 'nix'"), "a wrong choice is described")
        tap.same(error("Encode", {"events": ["cycles"], "db": "/etc/passwd"}), (invalid, {"parameter": "db"}),
                 "options that name files are not parameters")
        for method in ("GetInfo", "Subscribe", "Export"):
            tap.same(error(method, {"a": 1}, more=True), (invalid, {"parameter": "a"}), f"{method} has no parameters")
        tap.same(error("Diff", {"generation": 1, "host": "x"}),
                 ("BadRequest", {"message": "'generation' and 'host' exclude each other"}), "Diff compares with one machine")
        name, parameters = error("List", {"type": "cpu"})
        tap.same((name, parameters["message"][:35]), ("BadRequest", "'type' is one of pmus (the default)"), "a type is not a glob")
        tap.same(error("List", {"globs": ["events"]}), ("NotFound", {"message": "no PMU matches 'events'; did you mean `pmuq list events`?"}),
                 "a glob is not a type")
        tap.same(error("Diff"), (invalid, {"parameter": "generation"}), "Diff needs a machine")
        tap.same(error("Diff", {"generation": 5}),
                 ("NotFound", {"message": "there is no such generation: the daemon has 1 to 1"}), "a generation that is not kept")
        tap.same(error("Check", {"events": ["cycles"]})[0], "BadRequest", "only events of this machine can be opened")
        tap.same(error("Check", {"events": ["cycles"] * 1025}),
                 ("TooManyStrings", {"message": "'events' has at most 1024 strings: pass fewer"}), "one call opens at most 1,024 events")
        tap.same(error("Nix"), ("org.varlink.service.MethodNotFound", {"method": "Nix"}), "an unknown method")
        tap.same(error("org.nix.Do"), ("org.varlink.service.InterfaceNotFound", {"interface": "org.nix"}), "an unknown interface")
        tap.same(error("Subscribe")[0], "org.varlink.service.ExpectedMore", "Subscribe needs `more`")
        name, parameters = error("Decode", {"attrs": ["/etc/passwd"]})
        tap.ok(name == "" and not parameters["inputs"][0]["ok"], "Decode reads no file", name, parameters)
        tap.same(connection.result("Encode", {"events": ["cycles"], "vendor": None, "strict": False})["inputs"][0]["ok"], True,
                 "null is like a parameter that is missing")


def live():
    with Daemon() as daemon, daemon.connect() as connection:
        same(connection, "this machine: PMUs", "List", {}, "list")
        same(connection, "this machine: facts", "List", {"type": "facts"}, "list", "facts")
        same(connection, "this machine: encodings", "Encode", {"events": ["page-faults", "msr/tsc/", "mem:0x1000:rw"]},
             "encode", "--no-open", "page-faults", "msr/tsc/", "mem:0x1000:rw")
        checked = validated({key: value for key, value in connection.result("Check", {"events": ["page-faults"]}).items()
                             if key != "generation"})
        tap.same(checked["inputs"][0]["encodings"][0]["open"]["status"], "opened", "the daemon opens events of this machine")
        diff = connection.result("Diff", {"generation": 1})
        tap.same((diff["differ"], diff["generation"]), (False, 1), "the newest state does not differ from itself")
        info = connection.result("GetInfo")
        tap.same((info["live"], info["generation"], info["clients"], info["rights"]["user"]), (True, 1, 1, os.geteuid()),
                 "GetInfo describes the daemon")


def options():
    """The help of pmuqd and its page have the same options."""
    page = set(re.findall(r"^\.It .*[, ] ?-([a-z]+(?:-[a-z]+)*)", (pathlib.Path(os.environ["PMUQ_MAN"]) / "pmuqd.8").read_text(), re.M))
    text = subprocess.run([PMUQD, "--help"], capture_output=True, text=True, check=True).stdout
    shown = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", text, re.M))
    tap.same(sorted(shown - page), ["color", "host", "via"], "pmuqd(8) has the options of the help, except those of every command")
    tap.same(sorted(page - shown), [], "and no others")


def introspection():
    with Daemon("--sysroot", MACHINES / "skylake-sp") as daemon, daemon.connect() as connection:
        info = connection.result("org.varlink.service.GetInfo")
        tap.same(info["interfaces"], ["org.varlink.service", "io.pmuq"], "the service lists its interfaces")
        text = connection.result("org.varlink.service.GetInterfaceDescription", {"interface": "io.pmuq"})["description"]
        installed = pathlib.Path(os.environ["PMUQ_INTERFACE"]).read_text()
        tap.same(text, installed, "introspection gives the installed interface file")
        methods = re.findall(r"^method (\w+)\(", text, re.M)
        tap.same(methods, ["GetInfo", "List", "Show", "Encode", "EncodeCompact", "Explain", "Decode", "Search", "Check", "Diff", "Export",
                           "Subscribe"],
                 "the interface has all methods")
        defined = re.findall(r"^type (\w+) \(", text, re.M)
        names = re.findall(r"^(?:type|method|error) (\w+)", text, re.M)
        tap.same(len(names), len(set(names)), "no two types, methods or errors have one name")
        used = set(re.findall(r"(?:: |[\]?])([A-Z]\w*)\b", re.sub(r"#.*", "", text)))
        tap.same((sorted(used - set(defined)), len(defined) - len(set(defined))), ([], 0), "each type is defined once")


one_machine()
errors()
live()
introspection()
options()
machines()
tap.finish()
