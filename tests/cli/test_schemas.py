#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""schemas/*.schema.json are what `pmuq schema` prints, and every form of every command matches them.

`meson test cli-schemas --test-args=--update` writes them again; then read the diff."""
import json
import pathlib
import re
import shutil
import sys
import tempfile

from tap import SCHEMAS, Tap, forms_of, jsonschema, machine, pmuq, validated

try:
    import yaml
except ImportError:
    yaml = None

DIRECTORY = tempfile.TemporaryDirectory()
# Every command line starts in its own copy of this directory, so that earlier ones have no effect.
HERE = pathlib.Path(DIRECTORY.name) / "start"
TREE = machine("skylake-sp")
DB = ["--db", "hosts.db"]
# For each schema, command lines that print it: first a document with rows, if it has rows.
EXAMPLES = {
    "audit": [[*DB, "encode", "--all-hosts", "cycles:u", "no-such", "uncore_imc/cas_count_read/"]],
    "capture": [[*TREE, "capture", "machine.tar"]],
    "check": [["check", "page-faults:u", "no-such", "{page-faults,cpu-clock}:u"]],
    "decode": [[*TREE, "decode", "r1a", "0x13c"]],
    "diff": [[*DB, "diff", "web1", "web1"], [*DB, "diff", "web1", "other"], [*DB, "diff", "--all", "web1", "odd"]],
    "encode": [[*TREE, "encode", "{cycles,instructions}:k", "no-such", "uncore_imc/cas_count_read/", "cpu/event=1,period=7/"],
               ["encode", "page-faults:u", "mem:0x1000/3:rw"]],
    "encode-compact": [[*TREE, "encode", "--compact", "{cycles,instructions}:k", "no-such", "uncore_imc/cas_count_read/"],
                       ["encode", "--compact", "page-faults:u", "mem:0x1000/3:rw"]],
    "explain": [[*TREE, "explain", "cpu/mem-loads,ldlat=30/u", "no-such"]],
    "fit": [[*TREE, "fit", "{cycles,r1,task-clock}", "no-such"]],
    "forget": [[*DB, "forget", "web1", "web2@2"]],
    "hosts": [[*DB, "hosts"], [*DB, "hosts", "--history"]],
    "import": [[*DB, "import", "web.yaml"]],
    "list-events": [[*TREE, "list", "events", "cpu"], [*TREE, "list", "events", "--fold", "uncore_imc_*"]],
    "list-facts": [[*TREE, "list", "facts"]],
    "list-formats": [[*TREE, "list", "formats", "cpu"]],
    "list-metricgroups": [[*TREE, "--db", "tables.db", "list", "metricgroups"]],
    "list-metrics": [[*TREE, "--db", "tables.db", "list", "metrics"]],
    "list-pmus": [[*TREE, "list"]],
    "list-problems": [["--sysroot", "odd", "list", "problems"]],
    "list-tracepoints": [["--sysroot", "odd", "list", "tracepoints"]],
    "metric": [["metric", "--formula", "a / b + c", "a=1.5", "b=2"], ["metric", "--formula", "a / b", "a=1", "b=2"], ["metric", "--formula", "a >= b"]],
    "metrics": [[*TREE, "--db", "tables.db", "metric", "ipc,unknown", "-f", "counts"]],
    "scan": [[*TREE, *DB, "scan", "--name", "web3"]],
    "search": [[*TREE, "search", "cycles"]],
    "show": [[*TREE, "show", "cpu", "uncore_imc", "msr/tsc/", "no-such"], [*TREE, *DB, "show", "uncore_imc/cas_count_read/", "intel_pt"]],
    "vendor-import": [[*DB, "vendor", "import", "--no-libpfm4", "arch"]],
    "vendor-list": [[*DB, "vendor", "list"]],
    "watch": [[*TREE, "watch", "--for", "1"]],
}
# Commands that need a server: tests/postgres/test_inbox.py validates their documents.
ON_SERVER = {"db-init", "db-rejected", "ingest", "push"}
# Export's document is the inventory: pmuq-inventory(5).
OTHERS = {"inventory"}
FORMS = ["--json", "--jsonl", "--yaml"]
tap = Tap()


def printed():
    return {line.split()[0]: pmuq("schema", line.split()[0]).text for line in pmuq("schema").text.splitlines()}


def prepare():
    devices = HERE / "odd/sys/bus/event_source/devices/odd"
    (devices / "format").mkdir(parents=True)
    (devices / "type").write_text("not a number\n")
    (devices / "format/wrong").write_text("config9:1-2\n")
    tracepoint = HERE / "odd/sys/kernel/tracing/events/sched/sched_switch/id"
    tracepoint.parent.mkdir(parents=True)
    tracepoint.write_text("316\n")
    cpu = HERE / "arch/x86/skylakex"
    cpu.mkdir(parents=True)
    (HERE / "arch/x86/mapfile.csv").write_text("Family-model,Version,Filename,EventType\nGenuineIntel-6-55-[01234],v1,skylakex,core\n")
    (cpu / "cache.json").write_text(json.dumps([
        {"EventName": "L3_MISS", "EventCode": "0xd1", "UMask": "0x20", "BriefDescription": "Misses"},
        {"EventName": "BROKEN", "EventCode": "0xzz"},
        {"MetricName": "ipc", "MetricExpr": "instructions / cycles", "MetricThreshold": "ipc < 1", "ScaleUnit": "100%"},
        {"MetricName": "unknown", "MetricExpr": "no_such_event / cycles"}]))
    (HERE / "counts").write_text('{"event": "instructions", "counter-value": "3"}\n{"event": "cycles", "counter-value": "2"}\n')
    pmuq("--db", "tables.db", "vendor", "import", "--no-libpfm4", "arch", cwd=HERE)
    for name, tree in (("web1", TREE), ("web2", TREE), ("other", machine("alderlake-hybrid-k6.12"))):
        pmuq(*tree, *DB, "scan", "--name", name, cwd=HERE)
    (HERE / "web.yaml").write_text(pmuq(*DB, "export", "web1", cwd=HERE).text)


def pmuq_here(*words):
    """Runs a command line in a fresh copy of the directory."""
    with tempfile.TemporaryDirectory(dir=DIRECTORY.name) as copy:
        return pmuq(*words, cwd=shutil.copytree(HERE, copy, dirs_exist_ok=True))


def files(schemas):
    for name, text in schemas.items():
        path = SCHEMAS / f"{name}.schema.json"
        if "--update" in sys.argv:
            path.write_text(text)
        tap.same(path.read_text() if path.exists() else "", text, f"schemas/{name}.schema.json is what `pmuq schema {name}` prints")
    kept = {path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.schema.json")}
    tap.same(kept, set(schemas) | OTHERS, "every schema belongs to a command")
    tap.same(set(EXAMPLES) | ON_SERVER, set(schemas), "every schema has an example in this test")


def commands():
    """A command with one form in its help has all forms and a schema."""
    with_schema = {line.split()[2] for line in pmuq("schema").text.splitlines()}
    for line in pmuq("help").text.split("Commands:\n")[1].split("\n\n")[0].splitlines():
        command = line.split()[0]
        offered = [f"--{form}" for form in forms_of(command) if f"--{form}" in FORMS]
        tap.ok(command == "export" or (offered in ([], FORMS) and bool(offered) == (command in with_schema)),
               f"{command} has all forms and a schema, or none", offered)


def without(value, *keys):
    return {key: item for key, item in value.items() if key not in keys}


def timeless(value):
    """The document without times: two runs can be in different seconds."""
    return json.loads(re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", json.dumps(value)))


def is_same_content(document, lines):
    """Each row is a line; the other members of the document are the lines before and after them."""
    if lines == [without(document, "schema")]:
        return True
    for key, rows in document.items():
        for start in (0, 1) if isinstance(rows, list) else ():
            rest = lines[:start] + lines[start + len(rows):]
            merged = {name: value for line in rest for name, value in line.items()}
            if lines[start:start + len(rows)] == rows and merged == without(document, "schema", key):
                return True
    return False


def forms(name, words):
    shown = " ".join(word for word in words if not word.startswith("/"))
    document, lines = pmuq_here(*words, "--json"), pmuq_here(*words, "--jsonl")
    if not document.out:
        tap.ok(False, f"{shown} prints a document", document.stderr)
        return
    tap.same({json.loads(line)["schema"] for line in [document.text, *lines.text.splitlines()]}, {f"pmuq.{name}/1"}, f"{shown}: the document names its schema")
    tap.ok(is_same_content(timeless(document.json), timeless(lines.lines)), f"{shown}: --jsonl has the rows of --json", lines.text[:500])
    if yaml:
        tap.same(timeless(yaml.safe_load(pmuq_here(*words, "--yaml").out)), timeless(document.json), f"{shown}: --yaml has the content of --json")


def mistakes():
    if not jsonschema:
        tap.skip("a schema refuses another document", "no python3-jsonschema")
        return
    for name in sorted({*EXAMPLES, *ON_SERVER}):
        try:
            validated({"schema": f"pmuq.{name}/1"})
            taken = True
        except AssertionError:
            taken = False
        tap.ok(not taken, f"{name}.schema.json refuses a document without members")


prepare()
all_schemas = printed()
files(all_schemas)
commands()
for name, examples in EXAMPLES.items():
    for example in examples:
        forms(name, example)
mistakes()
for words, near in ((["schema", "hots"], "hosts"), (["schema", "nonsense-nonsense"], "lists them")):
    result = pmuq(*words)
    tap.ok(result.status == 1 and near in result.stderr, f"{' '.join(words)}: 1, and {near}", result.stderr)
tap.finish()
