#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""export and import: every machine is the same bytes after an import, as YAML and as JSON; other readers read both
alike and find that they match the schema; a bad file changes nothing."""
import gzip
import json
import os
import pathlib
import re
import resource
import stat
import subprocess
import tempfile

try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    import yaml
except ImportError:
    yaml = None

from tap import PMUQ, SCHEMAS, Tap, machine, machine_names, pmuq

tap = Tap()
directory = tempfile.TemporaryDirectory()
DIRECTORY = pathlib.Path(directory.name)
DOCUMENTS = pathlib.Path(__file__).parent.parent / "documents"
SCANNED, BACK = DIRECTORY / "scanned.db", DIRECTORY / "back.db"
HEAD = "schema: pmuq.inventory/2\nhosts:\n- name: "
END = "end: {documents: 1}\n"


def db(path, *words, **how):
    return pmuq("--db", str(path), *words, **how)


def file(name, text):
    path = DIRECTORY / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def summary(n, new=0, updated=0, unchanged=0):
    return f": {n} host{'s' * (n != 1)}: {new} new, {updated} updated, {unchanged} unchanged\n"


def validator():
    if not jsonschema:
        return None
    schema = json.loads((SCHEMAS / "inventory.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


VALIDATOR = validator()


def judge(name, as_yaml, as_json):
    """For other readers both forms have one content, which matches the schema."""
    data = json.loads(as_json)
    if VALIDATOR:
        tap.same([error.message for error in VALIDATOR.iter_errors(data)], [], f"{name}: JSON matches the schema")
    else:
        tap.skip(f"{name}: JSON matches the schema", "no python3-jsonschema")
    if yaml:
        tap.ok(yaml.safe_load(as_yaml) == data, f"{name}: YAML has the content of JSON, so it matches the schema")
    else:
        tap.skip(f"{name}: YAML has the content of JSON", "no python3-yaml")


def comes_back(name):
    scan = db(SCANNED, "scan", *machine(name), "--name", name)
    plain = [pmuq(*machine(name), "export", *form) for form in ([], ["--json"])]
    tap.ok(scan.status == 0 and all(result.status == 0 and not result.err for result in plain), f"{name}: is exported",
           *[result.stderr for result in plain])
    judge(name, plain[0].out, plain[1].out)
    for result, form in zip(plain, ("YAML", "JSON")):
        result = db(SCANNED, "import", "--name", name, "-", stdin=result.out)
        tap.same(result.text.split("\n", 1)[1], "<stdin>" + summary(1, unchanged=1),
                 f"{name}: the {form} of the tree is that of its scan", result.stderr)
    kept = [db(SCANNED, "--host", name, "export", *form) for form in ([], ["--json"])]
    judge(name + " of the database", kept[0].out, kept[1].out)
    came = db(BACK, "import", file("kept.yaml", kept[0].out))
    tap.same(came.text.split("\n", 1)[1], str(DIRECTORY / "kept.yaml") + summary(1, new=1), f"{name}: is imported", came.stderr)
    again = [db(BACK, "--host", name, "export", *form) for form in ([], ["--json"])]
    tap.ok(all(a.out == b.out for a, b in zip(kept, again)), f"{name}: export, import, export is the same bytes")


def all_of_them():
    for form in ([], ["--json"]):
        result = db(SCANNED, "export", "--all-hosts", *form)
        fresh = DIRECTORY / f"fresh{len(form)}.db"
        came = db(fresh, "import", "-", stdin=result.out)
        n = len(machine_names())
        tap.same(came.text.splitlines(True)[-1], "<stdin>" + summary(n, new=n), f"--all {form}: all hosts are imported", came.stderr)
        tap.same(db(fresh, "export", "--all-hosts", *form).out, result.out, f"--all {form}: the next export is the same bytes")


def the_format():
    """Documents of the repository are imported, and exported as the same bytes."""
    for name, form in (("all.yaml", []), ("all.json", ["--json"])):
        path, fresh = DOCUMENTS / name, DIRECTORY / f"{name}.db"
        db(fresh, "import", str(path))
        tap.same(db(fresh, "export", "--all-hosts", *form).out, path.read_bytes(), f"{name}: export writes the imported bytes")
        for document in json.loads((DOCUMENTS / "all.json").read_text()):
            found = [error.message for error in VALIDATOR.iter_errors(document)] if VALIDATOR else []
            tap.same(found, [], f"{name}: it matches the schema")


def hosts_that_are_alike():
    path = DIRECTORY / "alike.db"
    for name in ("c", "a", "b"):
        db(path, "scan", *machine("skylake-sp"), "--name", name)
    db(path, "scan", *machine("zen3-epyc"), "--name", "aa")
    result = db(path, "export", "--all-hosts", "--json")
    tap.same([[host["name"] for host in document["hosts"]] for document in result.json], [["a", "b", "c"], ["aa"]],
             "hosts of one class are one document")
    tap.ok("--all" in db(path, "export", "--all-hosts", "--host", "a").stderr, "--all and --host exclude each other")


def a_check():
    one, other = DIRECTORY / "check.db", DIRECTORY / "other.db"
    scan = db(one, "scan", "--check", "--name", "here")
    tap.ok(scan.status == 0, "this machine is checked", scan.stderr)
    for form in ([], ["--json"]):
        first = db(one, "--host", "here", "export", *form)
        db(other, "import", "-", stdin=first.out)
        tap.same(db(other, "--host", "here", "export", *form).out, first.out, f"a check {form} is the same bytes after an import")
    judge("a checked machine", db(one, "--host", "here", "export").out, first.out)
    tap.ok("check" in first.json and first.json["check"]["checked"] and "checked" in first.json["hosts"][0], "the document contains the check")
    tap.same(db(other, "--host", "here", "list", "events").out, db(one, "--host", "here", "list", "events").out,
             "the imported host has the open results")


def odd_machines():
    tree = DIRECTORY / "odd"
    devices = tree / "sys/bus/event_source/devices"
    for name, text in {b"cpu\xff/type": b"4\n", b"cpu\xff/events/a|b": b"event=1 | unit x\n", b"cpu\xff/events/yes": b"no\n",
                       b"cpu\xff/events/e\x01": b"event=2\n", b"cpu\xff/events/e\x01.unit": b" %\xf0\x28\n",
                       b"cpu\xff/format/event": b"x\n config:0-7\n", b"cpu\xff/caps/\xe2\x82\xac": b"1\n2\n",
                       b"cpu\xff/note": b"\x1b[31mred\r\n", b"base64:eA==/type": b"5\n", b"a[0-1]/type": b"6\n",
                       b"null/type": b"7\n", b"null/alias": b"0x10\n", b"null/cpumask": b"0,8\n"}.items():
        path = pathlib.Path(os.fsdecode(os.fsencode(devices) + b"/" + name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    there = ["--sysroot", str(tree), "export"]
    judge("odd bytes", pmuq(*there).out, pmuq(*there, "--json").out)
    db(SCANNED, "scan", "--sysroot", str(tree), "--name", "odd")
    for form in ([], ["--json"]):
        result = db(SCANNED, "import", "--name", "odd", "-", stdin=pmuq(*there, *form).out)
        tap.ok(result.text.endswith(summary(1, unchanged=1)), f"odd bytes {form} are the same after an import", result.text, result.stderr)


def few_facts():
    """A document needs neither facts nor PMUs: every command reads what is there."""
    path = file("little.yaml", HEAD + "a\n" + END)
    pmus = file("pmus.yaml", HEAD + "a\npmus:\n- name: cpu\n  type: 4\n- name: uncore_x\n" + END)
    for at in (path, pmus):
        for words in (["list"], ["list", "events"], ["list", "facts"], ["encode", "cycles"], ["encode", "cpu/config=1/"], ["encode", "r1a,{page-faults,cpu-clock:u}"],
                      ["encode", "uncore_x/config=1/"], ["encode", "--preset", "stat"], ["explain", "cycles:u"], ["decode", "type=4 config=1"], ["export"],
                      ["complete", "encode", "c"]):
            result = pmuq("--host", at, *words)
            tap.ok(result.status == 0 or (result.status in (1, 2, 3) and result.stderr.strip()), f"{pathlib.Path(at).name}: {' '.join(words)}",
                   result.status, result.text, result.stderr)


def summaries():
    path = DIRECTORY / "summary.db"
    text = HEAD + "web01\nfacts:\n  kernel: six\n" + END
    first = db(path, "import", file("m.yaml", text))
    tap.same(first.text, f"host web01: snapshot 1 (new)\n{DIRECTORY}/m.yaml" + summary(1, new=1), "import reports a new host")
    again = db(path, "import", file("m.yaml", text))
    tap.same(again.text, f"host web01: snapshot 1 (unchanged)\n{DIRECTORY}/m.yaml" + summary(1, unchanged=1), "import reports an unchanged host")
    other = db(path, "import", file("m.yaml", text.replace("six", "seven")))
    tap.same(other.text, f"host web01: snapshot 2 (updated)\n{DIRECTORY}/m.yaml" + summary(1, updated=1), "import reports an updated host")
    named = db(path, "import", "--name", "db", "-", stdin=text.encode())
    tap.ok("host db: snapshot 3 (new)" in named.text, "import reports a host with another name", named.stderr)
    seen = HEAD + 'old\n  first_seen: "2020-02-29T12:00:00Z"\n' + END
    db(path, "import", "-", stdin=seen.encode())
    tap.ok('first_seen: "2020-02-29T12:00:00Z"' in db(path, "--host", "old", "export").text, "import keeps the time when the host was first seen")


def times():
    """An import restores the times of a host: a host that was seen today does not become an old one."""
    skylake = (*machine("skylake-sp"), "scan", "--name", "web1")

    def seen(path):
        host, = db(path, "hosts", "--history", "--json").json["hosts"]
        return host["first_seen"], host["last_seen"]

    old, new = DIRECTORY / "times.db", DIRECTORY / "times2.db"
    first, second, third = "2026-01-01T00:00:00Z", "2026-07-01T00:00:00Z", "2026-07-02T00:00:00Z"
    db(old, *skylake, env={"SOURCE_DATE_EPOCH": "1767225600"})
    db(new, "import", "-", stdin=db(old, "export", "--all-hosts").out)
    tap.same(seen(new), (first, first), "a host that was seen once has one time")
    db(old, *skylake, env={"SOURCE_DATE_EPOCH": "1782864000"})
    exported = db(old, "export", "--all-hosts").out
    db(new, "import", "-", stdin=exported)
    tap.same(seen(new), (first, second), "an import moves the time when the host was last seen")
    tap.same(db(new, "export", "--all-hosts").out, exported, "… and its export is the same")
    db(old, *skylake, env={"SOURCE_DATE_EPOCH": "1782950400"})
    db(new, "import", "-", stdin=db(old, "--host", "web1", "export", "--json").out)
    tap.same(seen(new), (first, third), "… also of one host")
    db(new, "import", "-", stdin=exported)
    tap.same(seen(new), (first, third), "… and never back")
    unset = DIRECTORY / "times3.db"
    for clock in ("0", "1782950400"):
        db(unset, *skylake, env={"SOURCE_DATE_EPOCH": clock})
    text = db(unset, "export", "--all-hosts").text
    tap.ok(f'first_seen: "{third}"' in text and "last_seen" not in text, "a host that was first seen without a clock has the last time", text)


def long_names():
    """The longest name of a host that a database accepts comes back from a document."""
    path, other = DIRECTORY / "long.db", DIRECTORY / "long2.db"
    tap.same(db(path, *machine("zen1-epyc"), "scan", "--name", "n" * 1025).status, 2, "a long name is refused")
    for name in ("n" * 1024, os.fsdecode(b"\xff" * 1024)):
        db(path, *machine("zen1-epyc"), "scan", "--name", name)
    exported = db(path, "export", "--all-hosts").out
    tap.ok("2 new" in db(other, "import", "-", stdin=exported).text, "the longest names are imported")
    tap.same(db(other, "export", "--all-hosts").out, exported, "… and the same bytes")
    result = db(other, "import", "-", stdin=exported.replace(b"n" * 1024, b"n" * 1025))
    tap.ok(result.status == 4 and "1024" in result.stderr, "a document with a longer name is refused", result.stderr)


def older_documents():
    """An older document does not become the newest state of a host."""
    path = DIRECTORY / "older.db"
    states = []
    for clock, tree in (("1790000000", "skylake-sp"), ("1795000000", "skylake-client")):
        db(path, *machine(tree), "scan", "--name", "w", env={"SOURCE_DATE_EPOCH": clock})
        states.append(db(path, "--host", "w", "export").out)
    result = db(path, "import", "-", stdin=states[0])
    tap.same(result.text, "host w: snapshot 1 (unchanged)\n<stdin>" + summary(1, unchanged=1), "an older document of a snapshot adds nothing")
    tap.same(db(path, "--host", "w", "export").out, states[1], "… and the newest state stays the newest")
    other = re.sub("\n  entries: .*", "", pmuq(*machine("zen1-epyc"), "export").text).replace("hosts:\n-", 'hosts:\n- name: w\n  first_seen: "2026-10-01T00:00:00Z"\n ', 1)
    result = db(path, "import", file("unknown.yaml", other))
    tap.ok("host w: snapshot 2 (older)\n" in result.text and result.text.endswith("0 unchanged, 1 older\n") and not result.status,
           "an older state that the database does not have is not stored", result.text, result.stderr)
    row, = db(path, "import", "--json", file("unknown.yaml", other)).json["hosts"]
    tap.same((row["snapshot"], row["result"]), (2, "older"), "… and JSON contains that")
    tap.same(db(path, "--host", "w", "export").out, states[1], "… the newest state is the same")
    tap.ok("(new)" in db(path, "import", "--name", "w-old", file("unknown.yaml", other)).text, "--name stores it as another host")


def what_is_bad():
    path = DIRECTORY / "bad.db"
    good, other = file("good.yaml", HEAD + "a\n" + END), file(
        "other.json", '{"schema": "pmuq.inventory/2", "hosts": [{"name": "b"}], "end": {"documents": 1}}')
    bad = file("bad.yaml", HEAD + "c\nend: {}\n---\n" + HEAD + "d\nfacts:\n  arch: 1\n")
    result = db(path, "import", good, bad, other)
    tap.ok(result.status == 4 and "(new)" in result.text, "the status is 4 if one of three files is bad", result.stderr)
    tap.same(result.stderr, "error[PMUQ-178] bad-entry: 'arch': a text is expected: put it into double quotes\n"
             "    arch: 1\n          ^\n" f"in: {bad}:10:9\n", "the error contains line and column")
    names = sorted(host["name"] for host in db(path, "export", "--all-hosts", "--json").json["hosts"])
    tap.same(names, ["a", "b"], "the other files are imported, and nothing of the bad one")
    for name, words, status, stderr in [
            ("no file", ["import"], 2, "needs a file"), ("a missing one", ["import", "missing"], 4, "missing"),
            ("a directory", ["import", str(DIRECTORY)], 4, "PMUQ-179"),
            ("an empty one", ["import", "/dev/null"], 4, "empty"),
            ("several hosts of one name", ["import", "--name", "x", file("two.yaml", HEAD + "a\n- name: b\n" + END)], 4, "--name"),
            ("a name with an @", ["import", file("at.yaml", HEAD + "a@b\n" + END)], 4, "@"),
            ("a host without a name", ["import", file("no.yaml", HEAD.replace("name: ", "{}\n") + END)], 4, "name"),
            ("a machine and a file", ["--host", "a", "import", good], 2, "--host")]:
        result = db(path, *words)
        tap.ok(result.status == status and stderr in result.stderr, f"import of {name}", result.stderr, result.text)
    tap.same(sorted(host["name"] for host in db(path, "export", "--all-hosts", "--json").json["hosts"]), ["a", "b"],
             "refused files leave no host in the database")
    tap.same(db(path, "import", "/dev/null").stderr, "error[PMUQ-171] not-a-document: the file is empty\nin: /dev/null:1:1\n",
             "the error of an empty file has no excerpt")


def what_is_cut():
    """A file that ends too early is refused by every command, and the database stays as it was."""
    path, into = DIRECTORY / "whole.db", DIRECTORY / "into-cut.db"
    for name in ("zen3-epyc", "skylake-sp", "zen1-epyc"):
        db(path, *machine(name), "scan", "--name", name)
    db(into, *machine("zen3-epyc"), "scan", "--name", "before")
    before = db(into, "export", "--all-hosts").out
    for form in ([], ["--json"]):
        whole = db(path, "export", "--all-hosts", *form).out
        names = [b"pmuq.inventory", b"documents", b"entries", b"\n---\n", b"\nend:"]
        cuts = {at + extra for word in names for at in found_at(whole, word) for extra in (0, 1, len(word), len(word) + 3)}
        cuts |= {int(step * len(whole) / 40) for step in range(40)} | {len(whole) - 2}
        bad = []
        for cut in sorted(cut for cut in cuts if cut < len(whole) - 1):
            result = db(into, "import", "-", stdin=whole[:cut])
            if result.status != 4 or result.out or "error[PMUQ-1" not in result.stderr:
                bad.append((cut, result.status, result.text, result.stderr))
        tap.same(bad, [], f"{len(cuts)} cuts of an export {form}: each is refused, with an error")
        tap.same(db(into, "export", "--all-hosts").out, before, f"cuts {form}: the database stays as it was")
        cut = file("cut.yaml", whole[:whole.rindex(b"documents") - 3])
        for words in (["--sysroot", f"{cut}#zen1-epyc", "list"], ["diff", f"{cut}#zen1-epyc", machine("zen1-epyc")[1]], ["export", f"{cut}#zen1-epyc"]):
            result = pmuq(*words)
            tap.ok(result.status == 4 and not result.out and "error[PMUQ-1" in result.stderr, f"{words[0]} {form}: a cut file is refused",
                   result.stderr)
    edited = db(path, "export", "zen3-epyc").text.replace("  events:\n", "  events:\n    mine: event=0x1\n", 1)
    result = db(into, "import", file("edited.yaml", edited))
    tap.ok("PMUQ-181" in result.stderr and "correct 'entries' or remove it" in result.stderr, "an edited document: the error has the numbers",
           result.stderr)
    edited = "".join(line for line in edited.splitlines(True) if not line.startswith("  entries:"))
    result = db(into, "import", file("edited.yaml", edited))
    tap.ok(result.status == 0 and "host zen3-epyc: snapshot 2 (new)" in result.text, "without the number it is imported", result.stderr)


def found_at(text, word):
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def what_is_no_document():
    """A file of another type is refused with a hint that names the right command."""
    path, tar, tree = DIRECTORY / "forms.db", DIRECTORY / "captured.tar.xz", DIRECTORY / "captured"
    for machine_path in (tar, tree):
        pmuq(*machine("zen3-epyc"), "capture", str(machine_path))
    db(path, *machine("zen3-epyc"), "scan", "--name", "a")
    packed = file("hosts.yaml.gz", gzip.compress(db(path, "export", "--all-hosts").out))
    for machine_path, words in [(tar, "is a captured machine: `pmuq --sysroot"), (tree, "is a captured machine: `pmuq --sysroot"),
                                (packed, "is compressed, and not a captured machine"), (path, "export --all-hosts | pmuq import -` imports")]:
        result = db(DIRECTORY / "into.db", "import", str(machine_path))
        tap.ok(result.status == 4 and f"pmuq: note: {machine_path} is " in result.stderr and words in result.stderr,
               f"{pathlib.Path(machine_path).name}: refused with a hint", result.stderr)
    tap.ok("note" not in db(DIRECTORY / "into.db", "import", "/dev/null").stderr, "a file of an unknown type has no hint")


def what_is_large():
    """The memory of an import is bounded for every input."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    huge = DIRECTORY / "huge.yaml"
    with open(huge, "wb") as out:
        out.write(HEAD.encode() + b'"')
        out.truncate(1 << 30)
    laughs = "a: &a [" + ",".join("x" * 9) + "]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [" + ",".join([f"*{chr(97 + i)}"] * 9) + "]\n" for i in range(9))
    # A sanitizer needs unlimited address space.
    limited = {} if b"__asan_init" in pathlib.Path(PMUQ).read_bytes() else {"preexec_fn": limit}
    for name, path, code in [("a value of a GiB", str(huge), "PMUQ-174"), ("a billion laughs", file("l.yaml", laughs), "PMUQ-173"),
                             ("100,000 brackets", file("b.yaml", "a: " + "[" * 100000), "PMUQ-174"),
                             ("the same of JSON", file("b.json", '{"a":' * 100000), "PMUQ-174")]:
        result = db(DIRECTORY / "large.db", "import", path, **limited)
        tap.ok(result.status == 4 and code in result.stderr and f"in: {path}:" in result.stderr, f"{name}: refused with line and column",
               result.stderr)


def files_share_transactions():
    """Many small files are stored in one transaction, and a bad one does not concern the others."""
    directory = DIRECTORY / "many"
    directory.mkdir()
    text = pmuq(*machine("zen3-epyc"), "export").text
    names = [f"h{number:03}" for number in range(300)]

    def named(name):
        return re.sub("(?ms)(?<=^hosts:\n).*?(?=^facts:\n)", f"- name: {name}\n", text)
    for name in names:
        (directory / f"{name}.yaml").write_text(named(name))
    bad = {"h000": "{", "h120": named("x").replace("hosts:", "host:", 1), "h255": named("a@b")}
    for name, content in bad.items():
        (directory / f"{name}.yaml").write_text(content)
    database = DIRECTORY / "many.db"
    result = db(database, "import", *(str(directory / f"{name}.yaml") for name in names))
    good = [name for name in names if name not in bad]
    tap.same(re.findall(r"(?m)^host (\w+): snapshot \d+ \(new\)$", result.text), good, "import of 300 files: the good ones are stored and printed, in their order")
    tap.ok(result.status == 4 and all(f"{name}.yaml" in result.stderr for name in bad) and "h119.yaml" not in result.stderr,
           "the bad ones are reported", result.status, result.stderr)
    tap.same([row["host"] for row in db(database, "hosts", "-J").rows], good, "the database has the good ones")


def files_are_whole():
    path = DIRECTORY / "out.yaml"
    path.write_text("before\n")
    path.chmod(0o640)
    there = machine("zen3-epyc")
    for words in (["--db", str(DIRECTORY / "none.db"), "--host", "none"], ["--sysroot", str(DIRECTORY / "none")]):
        result = pmuq(*words, "export", "--output", str(path))
        tap.ok(result.status != 0 and path.read_text() == "before\n", f"{words[-2]}: a failed export does not change the file", result.stderr)
    (DIRECTORY / "link.yaml").symlink_to(path)
    result = pmuq(*there, "export", "--output", str(DIRECTORY / "link.yaml"))
    tap.ok(result.status == 0 and path.read_bytes() == pmuq(*there, "export").out and (DIRECTORY / "link.yaml").is_symlink(),
           "a symbolic link is kept, and its target is written", result.stderr)
    tap.same(stat.S_IMODE(path.stat().st_mode), 0o640, "the mode of the file is kept")
    for stdout in ("/dev/stdout", "-"):
        result = pmuq(*there, "export", "--output", stdout, cwd=DIRECTORY)
        tap.same(result.out, path.read_bytes(), f"-o {stdout} writes to stdout")
    tap.ok(not (DIRECTORY / "-").exists(), "-o creates no file of that name")
    empty = DIRECTORY / "empty.db"
    db(empty, *there, "scan", "--name", "a")
    db(empty, "forget", "a")
    for words in ([], ["--output", str(path)]):
        before = path.read_bytes()
        result = db(empty, "export", "--all-hosts", *words)
        tap.ok(result.status == 1 and not result.out and "has no host" in result.stderr and path.read_bytes() == before,
               f"a database without hosts cannot be exported: export --all-hosts {' '.join(words[:1])}", result.stderr, result.text)
    tap.same(sorted(p.name for p in DIRECTORY.glob("out.yaml.*")), [], "no temporary file is left")
    for words, part in ((["--output", "/dev/full"], "PMUQ-180"), (["--output", str(DIRECTORY / "none/x.yaml")], "No such file"),
                        (["--output", str(DIRECTORY)], "directory")):
        result = pmuq(*there, "export", *words)
        tap.ok(result.status == 4 and part in result.stderr, f"{words[-1].replace(str(DIRECTORY), '…')}: an error is reported", result.stderr)
    for limit in (0, 1, 1000, 2000):
        result = pmuq(*there, "export", "--output", str(path), preexec_fn=lambda limit=limit: resource.setrlimit(
            resource.RLIMIT_FSIZE, (limit, limit)))
        tap.ok(result.status == 4 and "PMUQ-180" in result.stderr and path.read_bytes() == before,
               f"a file of at most {limit} bytes: an error is reported, and the old file stays", result.stderr)
    tap.same(sorted(p.name for p in DIRECTORY.glob("out.yaml.*")), [], "after that no temporary file is left")
    small = DIRECTORY / "small"
    small.mkdir()
    script = 'mount -t tmpfs -o size=8k none "$1" && cd "$1" && echo before >x.yaml && { shift; "$@" --output x.yaml; echo $?; ls; cat x.yaml; }'
    result = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", str(small), PMUQ, *machine("skylake-sp"), "export"],
                            capture_output=True, text=True)
    if result.returncode and "PMUQ-180" not in result.stderr:
        tap.skip("a full tmpfs: an error is reported, and the old file stays", "no tmpfs can be mounted")
    else:
        tap.ok(result.stdout == "4\nx.yaml\nbefore\n" and "PMUQ-180" in result.stderr,
               "a full tmpfs: an error is reported, and the old file stays", result.stdout, result.stderr)
    with open("/dev/full", "wb") as full:
        result = pmuq(*there, "export", stdout=full)
    tap.ok(result.status == 4 and "stdout" in result.stderr, "a full stdout is reported", result.stderr)


for machine_name in machine_names():
    comes_back(machine_name)
all_of_them()
the_format()
hosts_that_are_alike()
a_check()
odd_machines()
few_facts()
summaries()
times()
long_names()
older_documents()
what_is_bad()
what_is_cut()
what_is_no_document()
what_is_large()
files_share_transactions()
files_are_whole()
tap.finish()
