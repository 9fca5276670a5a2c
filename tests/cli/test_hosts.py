#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""hosts, forget, encode --all-hosts: queries of a database of many machines."""
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import tempfile

import database
from tap import MACHINES, ORDINARY, Tap, machine, pmuq

tap = Tap()
directory = tempfile.TemporaryDirectory()
HERE = pathlib.Path(directory.name)
DB = str(HERE / "hosts.db")
WEB = [f"web{i}" for i in (1, 2, 3, 10, 11)]


def db(*words, **how):
    return pmuq("--db", DB, *words, **how)


def copy_of(name, **facts):
    """The tree of a captured machine with other facts."""
    target = HERE / "-".join([name, *facts.values()]).replace("/", "_")
    shutil.copytree(MACHINES / name, target, symlinks=True)
    for path, text in {"hostname": "proc/sys/kernel/hostname", "kernel": "proc/sys/kernel/osrelease",
                       "machine_id": "etc/machine-id", "boot_id": "proc/sys/kernel/random/boot_id"}.items():
        if path in facts:
            file = target / text
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.exists():
                file.chmod(0o644)
            file.write_text(facts[path] + "\n")
    return ["--sysroot", str(target)]


def scan(source, *words):
    result = pmuq("--db", DB, *source, "scan", *words)
    tap.same(result.status, 0, f"scan {' '.join(words)}", result.stderr)
    return result


def names(result):
    return [host["host"] for host in result.json["hosts"]]


def make():
    for name in WEB:
        scan(machine("skylake-sp"), "--name", name)
    scan(machine("zen3-epyc"), "--name", "zen")
    scan(machine("arm64-biglittle"), "--name", "arm")


def hosts():
    result = db("hosts", "-J")
    tap.same(names(result), ["arm", *WEB, "zen"], "hosts are sorted by number: web2 before web10")
    classes = {host["host"]: host["class"] for host in result.json["hosts"]}
    tap.ok(len(set(classes.values())) == 3 and len({classes[name] for name in WEB}) == 1, "equal machines are in one class",
           classes)
    tap.same(names(db("hosts", "-J", "web1*", "zen")), ["web1", "web10", "web11", "zen"], "globs select hosts")
    nothing = db("hosts", "none*", "zen")
    tap.ok(nothing.status == 1 and "zen" in nothing.text and "none*" in nothing.stderr, "a glob that matches nothing is reported",
           nothing.stderr)
    tap.same(db("hosts", "-rn", "-o", "HOST", "web*").text.split(), WEB, "-r -n -o print bare values for scripts")
    tap.ok("LAST_SEEN" in db("hosts", "--list-columns").text, "--list-columns lists the columns")
    wrong = db("hosts", "-o", "KERNL")
    tap.ok(wrong.status == 2 and "KERNEL" in wrong.stderr, "an unknown column is reported", wrong.stderr)
    for words in (["--history", "--with", "cycles"], ["--rename", "web1"], ["--rename", "web1", "a@b"]):
        tap.same(db("hosts", *words).status, 2, f"hosts {' '.join(words)}: usage")
    tap.same(pmuq("--db", DB, "--host", "zen", "hosts").status, 2, "--host is refused")
    missing = pmuq("--db", str(HERE / "no.db"), "hosts")
    tap.ok(missing.status == 4 and "PMUQ-080" in missing.stderr, "a database that does not exist is reported", missing.stderr)


def with_event():
    tap.same(names(db("hosts", "-J", "--with", "cpu/mem-loads,ldlat=30/")), WEB, "--with selects hosts that have the event")
    both = db("hosts", "-J", "--with", "msr/tsc/")
    tap.same(names(both), [*WEB, "zen"], "--with encodes the event on every host class")
    tap.ok(all(host["opens"] is None for host in both.json["hosts"]), "without a check it is unknown whether the event opens")
    none = db("hosts", "--with", "no-such-event")
    tap.ok(none.status == 1 and "not valid on any of 7" in none.stderr, "an event that is valid nowhere is reported: 1", none.stderr)
    wrong = db("hosts", "--with", "cpu/event=")
    tap.ok(wrong.status == 1 and "PMUQ-030" not in wrong.stderr and "cpu/event=" in wrong.stderr,
           "an invalid event string is shown with its error", wrong.stderr)


def history():
    scan(copy_of("skylake-sp", kernel="6.1.0-40-amd64"), "--name", "web3")
    scan(machine("skylake-client"), "--name", "web3")
    result = db("hosts", "--history", "-J", "web3")
    kernels = [row["kernel"] for row in result.json["hosts"]]
    tap.same(len(kernels), 3, "--history has a row for each snapshot", result.text)
    tap.same(kernels[1], "6.1.0-40-amd64", "--history has the oldest snapshot first", kernels)
    want = pmuq(*machine("skylake-client"), "list", "-J").out
    tap.same(db("--host", "web3", "list", "-J").out, want, "--host NAME is the newest snapshot")
    old = pmuq(*machine("skylake-sp"), "list", "-J").out
    for when in ("6.1.0-40-amd64", "6.1.0", str(result.json["hosts"][0]["snapshot"])):
        tap.same(db("--host", f"web3@{when}", "list", "-J").out, old, f"--host NAME@{when}")
    today = result.json["hosts"][-1]["first_seen"][:10]
    tap.same(db("--host", f"web3@{today}", "list", "-J").out, want, "--host NAME@today")
    seen = result.json["hosts"][-1]["last_seen"]
    tap.ok(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", seen), "the JSON has times with seconds and time zone", seen)
    tap.same(db("--host", f"web3@{seen}", "list", "-J").out, want, "--host NAME@ accepts the times of the JSON")
    tap.same(db("hosts", "-rn", "-o", "LAST_SEEN", "web3").text, f"{seen}\n", "--raw has the times of the JSON")
    for when in ("2020-01-01", "5.10", "99"):
        result = db("--host", f"web3@{when}", "list")
        tap.ok(result.status == 4 and "PMUQ-087" in result.stderr and "hint: its newest" in result.stderr,
               f"--host NAME@{when}: 4, with a hint", result.stderr)
    tap.same(db("--host", "web3@", "list").status, 2, "--host NAME@: usage")


def removed(result):
    """What forget removed, without the bytes that are free then."""
    return result.text.strip().split(":")[0]


def forget():
    trial = db("forget", "--dry-run", "web3")
    tap.ok(trial.status == 0 and trial.text.startswith("would remove 3 snapshots, 1 host"), "--dry-run lists the snapshots", trial.text)
    tap.ok("web3" in names(db("hosts", "-J")), "--dry-run removes nothing")
    one = db("forget", "web3@6.1.0-40-amd64")
    tap.ok(removed(one) == "removed 1 snapshot", "forget removes one snapshot, selected by its kernel", one.text, one.stderr)
    kept = db("forget", "--keep", "1")
    tap.ok(removed(kept) == "removed 1 snapshot", "--keep removes the other snapshots", kept.text)
    unknown = db("forget", "web1", "nobody")
    tap.ok(unknown.status == 4 and "PMUQ-086" in unknown.stderr and "web1" in names(db("hosts", "-J")),
           "forget removes all named hosts or none", unknown.stderr)
    gone = db("forget", "web3")
    tap.ok(removed(gone) == "removed 1 snapshot, 1 host, 1 layout, 1 host class", "forget removes a host with its layout", gone.text)
    gone = db("forget", "web11")
    tap.ok(removed(gone) == "removed 1 snapshot, 1 host", "forget keeps a layout that other hosts share", gone.text)
    tap.same(removed(db("forget", "--before", "2020-01-01")), "removed 0 snapshots", "--before removes older snapshots")
    tap.same(removed(db("forget", "--before", "2d")), "removed 0 snapshots", "--before accepts days")
    for words in ([], ["--before", "soon"], ["--keep", "0"], ["--keep", "x"], ["web1@"]):
        tap.same(db("forget", *words).status, 2, f"forget {' '.join(words)}: usage")
    tap.same(names(db("hosts", "-J")), ["arm", "web1", "web2", "web10", "zen"], "forget keeps the other hosts")


def rename():
    done = db("hosts", "--rename", "web10", "db1")
    tap.same((done.status, done.text), (0, "renamed host web10 to db1\n"), "--rename renames a host")
    taken = db("hosts", "--rename", "web1", "web2")
    tap.ok(taken.status == 1 and "PMUQ-210" in taken.stderr, "--rename refuses a name that is in use", taken.stderr)
    # A table of plain texts is printed as it is, faster; a backslash is not plain: the name is not taken for an escape byte.
    db("hosts", "--rename", "db1", "a\\x1bb")
    tap.same(db("hosts", "-n", "-o", "HOST").text.split(), ["a\\x5cx1bb", *names(db("hosts", "-J"))[1:]], "a backslash in a name is shown as one")
    db("hosts", "--rename", "a\\x1bb", "web10")
    # Messages name it as tables do.
    odd = db(*machine("pentium4"), "scan", "--name", "a\nb\udcff")
    tap.ok(odd.text.startswith("host a\\x0ab\\xff: snapshot"), "a text has escapes for the bytes of a name", odd.text)
    unknown = db("--host", "c\nd\x7f", "list")
    tap.ok("no host 'c\\x0ad\\x7f'" in unknown.stderr and "a\\x0ab" in unknown.stderr, "… an error, too", unknown.stderr)
    db("forget", "a\nb\udcff")
    dashed = db("hosts", "--rename", "web10", "-x")
    tap.ok(dashed.status == 2 and "put -- after" in dashed.stderr, "a name that begins with - is not an option after --", dashed.stderr)
    tap.same((db("hosts", "--rename", "web10", "--", "-x").status, db("hosts", "--rename=-x", "web10").status), (0, 0), "… and then it is a name")


def identity():
    here = ["first", "second"]
    trees = [copy_of("zen1-epyc", hostname=name, machine_id="8" * 32) for name in here]
    scan(trees[0])
    tap.ok("first" in names(db("hosts", "-J")), "a machine is stored under its hostname")
    moved = scan(trees[1])
    tap.ok("renamed host 'first' to 'second'" in moved.stderr and "(unchanged)" not in moved.text, "a machine with a new hostname is the same host",
           moved.stderr, moved.text)
    tap.same([name for name in names(db("hosts", "-J")) if name in here], ["second"], "a renamed machine is stored once")
    odd = db(*copy_of("zen1-epyc", hostname="a@b", machine_id="8" * 32), "scan")
    tap.ok(odd.status == 1 and "--name" in odd.stderr and "second" in names(db("hosts", "-J")), "… but never to a name that --host could not select", odd.stderr)
    db("hosts", "--rename", "second", "mine")
    named = scan(trees[0])
    tap.ok("host mine:" in named.text, "a name from --name is kept", named.text)
    other = scan(trees[0], "--name", "yours")
    tap.ok("host 'mine' has the same machine-id" in other.stderr, "a machine with two names is reported", other.stderr)
    if database.IS_FILE:
        raw = pathlib.Path(DB).read_bytes()
        tap.ok(b"8" * 32 not in raw, "the machine-id itself is not in the database")
    db("forget", "mine", "yours")
    tap.same(db("scan", "--name", "a@b").status, 2, "--name refuses a name that --host could not select")


def clones():
    """Machines that share only a machine-id, by mistake."""
    def clone(name, boot):
        return copy_of("zen1-epyc", hostname=name, machine_id="9" * 32, boot_id=boot)

    def kept():
        return [name for name in names(db("hosts", "-J")) if name.startswith("vm")]

    scan(clone("vm1", "a"))
    other = scan(clone("vm2", "b"))
    tap.same(kept(), ["vm1", "vm2"], "a clone is not stored as the host that it was cloned from", other.stderr)
    tap.ok("host 'vm1' has the same machine-id" in other.stderr and "clone" in other.stderr, "a clone is reported", other.stderr)
    scan(clone("vm1", "c"))
    tap.same(kept(), ["vm1", "vm2"], "each clone is recognised after a boot")
    moved = scan(clone("vm3", "b"))
    tap.same(kept(), ["vm1", "vm3"], "of two hosts, the one of the same boot is renamed", moved.stderr)
    db("hosts", "--rename", "vm1", "vmine")
    again = scan(clone("vm1", "d"))
    tap.ok("host vmine:" in again.text, "a name from --name stays with its hostname", again.text)
    scan(clone("vm4", "e"))
    tap.same(kept(), ["vm3", "vm4", "vmine"], "a clone does not get the name from --name")
    db("forget", *kept())


def audit():
    result = db("encode", "--all-hosts", "cycles", "cpu/mem-loads/")
    tap.same(result.status, 1, "invalid on one host class: 1", result.stderr)
    tap.ok("  valid on 3 hosts: web[1-2,10]\n    cpu, type 4: config=0x1cd config1=0x3\n" in result.text,
           "hosts with the same result are printed together", result.text)
    tap.ok("    never checked: 3 hosts: web[1-2,10]\n" in result.text and "not tried on" not in result.text,
           "hosts without a check are printed as such", result.text)
    tap.ok("error[PMUQ-034]" in result.text and "PMUQ-030" in result.text, "the other hosts are printed with the error", result.text)
    *summaries, total = result.text.splitlines()[-4:]
    tap.same(total, "2 strings on 5 hosts: 1 string fails on 2 hosts; 5 hosts were never checked (`pmuq scan --check`)",
             "the last line counts strings and hosts")
    tap.ok(summaries[0].startswith("ok ") and summaries[0].endswith("2 of 2 valid; GenuineIntel-6-55-4; "
                                                                    "3 hosts: web[1-2,10]; never checked"),
           "a summary for each host class, the largest first", summaries)
    tap.ok(all(line.startswith("FAILED ") and "1 of 2 valid" in line for line in summaries[1:]), "a summary counts invalid strings", summaries)
    tap.same(db("encode", "--all-hosts", "cycles").status, 0, "valid on all: 0")
    tap.same(db("encode", "--all-hosts=web*", "cpu/mem-loads/").status, 0, "--all-hosts=GLOB selects hosts")
    nothing = db("encode", "--all-hosts=none*", "cycles")
    tap.ok(nothing.status == 1 and "none*" in nothing.stderr, "a glob that matches no host: 1", nothing.stderr)
    unopened = db("encode", "--no-open", "--all-hosts", "cycles").text
    tap.ok("not tried" not in unopened and "check" not in unopened and unopened.endswith("\n1 string on 5 hosts: no string fails\n"),
           "--no-open leaves out open results", unopened)


def audit_hints():
    """The same error on hosts whose terms differ."""
    result = db("encode", "--all-hosts", "--no-open", "cpu/ldla=3/", "no-such-pmu/x/")
    zen, web = (re.search(rf"^    hint on (1 host: zen|3 hosts: web\[1-2,10\]): .*{word}", result.text, re.M)
                for word in ("terms of cpu: cmask, edge, event, inv, umask", "'ldlat'"))
    tap.ok(zen and web and "zen" in zen[1] and "web" in web[1], "each hint is printed with its hosts", result.text)
    tap.ok("2 strings on 5 hosts: 2 strings fail on 5 hosts" in result.text, "a string that fails everywhere fails on all hosts",
           result.text.splitlines()[-1])


def audit_of_many():
    """Ranges beyond the sixth are counted, not printed; JSON has every name, as numbers count up."""
    odd = [f"node{i}" for i in range(1, 30, 2)]
    for name in reversed(odd):
        scan(machine("zen3-epyc"), "--name", name)
    result = db("encode", "--all-hosts=node*", "--no-open", "cycles")
    tap.ok("  valid on 15 hosts: node[1,3,5,7,9,11] and 9 more\n" in result.text, "an outcome has the first six ranges", result.text)
    tap.ok("15 hosts: node[1,3,5,7,9,11] and 9 more" in result.text.splitlines()[-2], "so has the summary of a class", result.text)
    whole, = db("encode", "--all-hosts=node*", "--no-open", "--json", "cycles").json["classes"]
    tap.same(whole["hosts"], odd, "JSON has all names, in the order of their numbers")
    db("forget", *odd)


def audit_checked():
    result = db("encode", "--all-hosts", "--checked", "cycles")
    tap.ok(result.status == 1 and re.findall(r"^\S+", result.text.partition("\n\n")[2], re.M)[:3] == ["FAILED"] * 3,
           "--checked: hosts that were never checked fail", result.text)
    document = db("encode", "--all-hosts=web*", "--checked", "--json", "cycles")
    item, = document.json["classes"]
    tap.same((document.status, item["ok"], item["unchecked"]), (1, False, ["web1", "web2", "web10"]), "--checked --json: such hosts fail")
    opens = document.json["inputs"][0]["outcomes"][0]["opens"]
    tap.same([(row["status"], row["hosts"]) for row in opens], [("unchecked", item["hosts"])], "without a check the open result is unchecked")
    item, = db("encode", "--all-hosts=web*", "--json", "cycles").json["classes"]
    tap.same((item["ok"], item["unchecked"]), (True, ["web1", "web2", "web10"]), "without --checked they pass, and are listed")
    for words in (["--all-hosts", "--no-open"], []):
        tap.same(db("encode", "--checked", *words, "cycles").status, 2, f"--checked cannot be used with {words or 'one machine'}")


def audit_file():
    path = HERE / "events.txt"
    path.write_text("# what we count\ncycles\n\ncpu/mem-loads/  # sampled\n")
    result = db("encode", "--all-hosts=web*", "-f", str(path))
    tap.ok(result.status == 0 and len(result.text.splitlines()) == 2, "a valid list prints one line for each host class, and the total: 0",
           result.text)
    result = db("encode", "--all-hosts", "-f", str(path))
    tap.ok(result.status == 1 and f"{path}:4: cpu/mem-loads/" in result.text and ":2: cycles" not in result.text,
           "an invalid list prints the invalid strings with their lines", result.text)
    tap.ok("valid on 3 hosts" not in result.text.replace("invalid", ""), "host classes without errors print no strings", result.text)
    same = db("encode", "--all-hosts", "-f", "-", stdin=path.read_bytes())
    tap.same(same.text, result.text.replace(f"{path}:", "<stdin>:"), "-f - reads the list from stdin")
    missing = db("encode", "--all-hosts", "-f", str(HERE / "none.txt"))
    tap.same((missing.status, missing.out), (4, b""), "a list that does not exist: 4, and no summary", missing.stderr)
    for text in (b"", b"\n  \n# cycles\n"):
        empty = db("encode", "--all-hosts", "-f", "-", stdin=text)
        tap.same((empty.status, empty.out, empty.stderr), (1, b"", "pmuq: error: there is no event string to audit\n"),
                 f"a list without strings ({text}): 1, and no summary")
    nul = db("encode", "--all-hosts", "-f", "-", stdin=b"cycles\ncyc\0les\n")
    tap.ok(nul.status == 1 and "NUL" in nul.stderr, "a comment is not a string", nul.stderr)
    for words in (["--bytes"], ["--c"], ["--hex"]):
        tap.same(db("encode", "--all-hosts", *words, "cycles").status, 2, f"{words[0]} is for one machine")
    tap.same(pmuq("--db", DB, "--host", "zen", "encode", "--all-hosts", "cycles").status, 2, "--host excludes --all-hosts")


def audit_opens():
    """This machine after a check: events that open here, and events that its kernel refuses."""
    scan([], "--check", "--name", "here")
    result = db("encode", "--all-hosts=here", "msr/tsc/", "page-faults", "--json")
    if result.status == 1:
        tap.skip("msr/tsc/ opened", "this machine has no such PMU")
        return
    found = [outcome["opens"] for string in result.json["inputs"] for outcome in string["outcomes"]]
    check = db("--host", "here", "list", "events", "-J", "-o", "+OPENS").json["events"]
    tsc = next((row["opens"] for row in check if row["event"] == "tsc"), None)
    want = {"yes": "opened", "no": "refused", True: "opened", False: "refused"}.get(tsc, "unknown")
    tap.ok("unchecked" not in result.json["classes"][0], "no host is listed as never checked", result.text)
    tap.same(found[0][0]["status"], want, "the summary has the open results of the check", found)
    tap.same(found[1][0]["status"], "opened", "a generic event has the open result of the check", found)
    tap.same([row["opens"] for row in db("hosts", "-J", "--with", "page-faults", "here").json["hosts"]], ["yes"],
             "hosts --with prints the open result of the check")
    other = db("encode", "--all-hosts=here", "--checked", "page-faults", "dummy:uk")
    tap.ok(other.status == 0 and "    not tried on 1 host: here\n" in other.text and "checked" not in other.text
           and other.text.endswith("\n2 strings on 1 host: no string fails\n"), "--checked: a checked host passes", other.text)
    db("forget", "here")


def as_json():
    result = db("encode", "--all-hosts", "--json", "cycles", "cpu/mem-loads,ldlat=30/u", "cpu/umsk=1/", "{cycles,msr/tsc/}:u",
                "uncore_imc/cas_count_read/")
    document = result.json
    tap.same([item["hosts"] for item in document["classes"]][0], ["web1", "web2", "web10"], "each class has its hosts")
    for string in document["inputs"]:
        classes = sorted(name for outcome in string["outcomes"] for name in outcome["classes"])
        tap.same(classes, sorted(item["class"] for item in document["classes"]), f"{string['input']}: every class has one outcome")
        for outcome in string["outcomes"]:
            host = next(item["hosts"][0] for item in document["classes"] if item["class"] == outcome["classes"][0])
            alone = pmuq("--db", DB, "--host", host, "encode", "--jsonl", string["input"]).lines[0]
            for encoding in alone.get("encodings", []):
                del encoding["open"]
            tap.same(outcome["result"], alone, f"{string['input']}: the result is that of {host} alone")
    tap.ok(db("encode", "--all-hosts", "--no-open", "--json", "cycles").json, "--no-open gives the same results")


def read_only():
    """A read-only copy of the database in a read-only directory, used by another user."""
    directory = HERE / "kept"
    directory.mkdir()
    kept = directory / "pmuq.db"
    shutil.copy(DB, kept)
    kept.chmod(0o444)
    directory.chmod(0o555)
    HERE.chmod(0o755)
    result = pmuq("--db", str(kept), "hosts", "-rn", "-o", "HOST", **ORDINARY)
    tap.same((result.status, result.text.split()), (0, ["arm", "web1", "web2", "web10", "zen"]), "another user can read the database",
             result.stderr)
    for words in (["forget", "zen"], ["hosts", "--rename", "zen", "x"], ["scan", "--name", "x"]):
        result = pmuq("--db", str(kept), *words, **ORDINARY)
        tap.ok(result.status == 4 and "PMUQ-080" in result.stderr and "hint:" in result.stderr,
               f"another user gets an error from {words[0]}", result.stderr)
    tap.same(stat.S_IMODE(kept.stat().st_mode), 0o444, "the database does not change")
    tap.same(sorted(path.name for path in directory.iterdir()), ["pmuq.db"], "no file is left next to the database")
    directory.chmod(0o755)


def no_space():
    """A full disk: a limit on the size of files, and a small disk that is full if one can be mounted."""
    def limit_to(n):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (n, n))
        return limit

    before = names(db("hosts", "-J"))
    for n, code in ((16384, "PMUQ-080"), (65536, "PMUQ-085")):
        full = db(*machine("big-uncore-k6.12"), "scan", "--name", "big", preexec_fn=limit_to(n))
        tap.ok(full.status == 4 and code in full.stderr and "hint:" in full.stderr and "unchanged" in full.stderr,
               f"space for {n} bytes: 4, and an error", full.stderr)
    tap.same(names(db("hosts", "-J")), before, "the database keeps what it contained")
    disk = HERE / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m,mode=755", "tmpfs", str(disk)], capture_output=True, check=False).returncode:
        tap.skip("a full disk is reported", "none can be mounted here")
        return
    try:
        small = ["--db", str(disk / "small.db")]
        pmuq("--db", str(HERE / "small.db"), *machine("zen3-epyc"), "scan", "--name", "zen3-epyc")
        shutil.copy(HERE / "small.db", disk)
        # Space for the files next to the database only.
        (disk / "rest").write_bytes(b"x" * (shutil.disk_usage(disk).free - 48 * 1024))
        full = pmuq(*small, *machine("big-uncore-k6.12"), "scan", "--name", "big")
        tap.ok(full.status == 4 and "PMUQ-085" in full.stderr and "free some space" in full.stderr, "a full disk is reported", full.stderr)
        tap.same(names(pmuq(*small, "hosts", "-J")), ["zen3-epyc"], "a full disk does not change the database")
    finally:
        subprocess.run(["umount", str(disk)], check=False)


make()
hosts()
with_event()
history()
forget()
rename()
identity()
clones()
audit()
audit_hints()
audit_of_many()
audit_checked()
audit_file()
as_json()
if database.IS_FILE:
    no_space()
    read_only()
audit_opens()
directory.cleanup()
tap.finish()
