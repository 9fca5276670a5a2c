#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""decode and import of perf.data: the output, the machine that decodes it, and a comparison with perf's output."""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from tap import PMUQ, SCHEMAS, Tap, machine, pmuq

RECORDINGS = pathlib.Path(os.environ["PMUQ_TEST_RECORDINGS"])
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "recordings"))
import perfdata  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

tap = Tap()
SKYLAKE = "GenuineIntel,6,85,4"


def path(name):
    return str(RECORDINGS / f"{name}.data")


def strings(result):
    return [line for line in result.text.splitlines() if not line.startswith("#")]


def plain(home):
    got = pmuq("decode", path("groups"), env=home)
    lines = got.text.splitlines()
    tap.same((got.status, got.stderr), (0, ""), "a recording is decoded")
    tap.same(re.sub(r"^.*groups", "# groups", lines[0]),
             "# groups.data: recorded on recorder, Linux 6.18.44, x86_64, AuthenticAMD-25-1-1, 2 CPUs, by perf 6.1.187",
             "the first line has the machine of the recording")
    tap.ok(lines[1].startswith("# command: /usr/bin/perf record"), "the second line has the command", lines[1])
    tap.same(lines[2], "# decoded by the recording alone: there is no database with host recorder",
             "the third line has the source of the decoding")
    tap.same(strings(got), ["{cpu-clock:uH,task-clock:uH}", "page-faults:uH", "mem:0x1000/4:rw:H"], "groups are printed in braces")
    tap.ok("#   event 3 mem:0x1000:rw: type=5 size=128 config=0x0" in got.text and re.search(r"; ids \d+-\d+\n", got.text),
           "name, attr and ids are printed below a string", got.text)
    again = pmuq("encode", "--no-open", "--jsonl", "-f", "-", stdin=got.out)
    tap.same([len(line["encodings"]) for line in again.lines], [2, 1, 1], "encode accepts the output")
    tap.same(pmuq("decode", "-f", path("groups"), env=home).text, got.text, "-f recognises a recording by its first bytes")
    whole = pmuq("decode", "-a", path("groups"), env=home).text
    tap.ok("#   CACHE L3 Unified: 32768K, CPUs 0-1, lines of 64 bytes, 32768 sets, 16 ways\n" in whole and
           "#   PMU_MAPPINGS msr: 9\n" in whole, "-a prints the features", whole)


def other_forms(home):
    first = strings(pmuq("decode", path("groups-stream"), env=home))
    for name, how in {"a pipe": {"stdin": (RECORDINGS / "groups-stream.data").read_bytes()},
                      "a big-endian machine's": {"stdin": (RECORDINGS / "groups-stream.swapped").read_bytes()}}.items():
        tap.same(strings(pmuq("decode", "-", env=home, **how)), first, f"{name} gives the same strings")
    tap.same(first, ["{cpu-clock:uH,task-clock:uH}", "sched:sched_process_exit:H"], "a tracepoint has the name that perf wrote")
    piped = pmuq("decode", "-", env=home, stdin=(RECORDINGS / "compressed.data").read_bytes())
    tap.same((strings(piped), piped.status), (["cpu-clock:H"], 0), "a compressed file is read from a pipe")
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory) / "perf.data"
        folder.mkdir()
        shutil.copy(path("threads-7.2"), folder / "data")
        tap.same(strings(pmuq("decode", str(folder), env=home)), ["cpu-clock"], "a directory of perf record --threads is decoded")
        kept = ["--db", f"{directory}/pmuq.db"]
        brought = pmuq(*kept, "import", "--name", "threads", str(folder))
        tap.same((brought.status, brought.stderr), (0, ""), "import accepts such a directory")
        tap.same(pmuq(*kept, "diff", "-q", "threads", str(folder)).status, 0, "diff accepts such a directory")
        tap.same(pmuq(*kept, "--sysroot", str(folder), "list").out, pmuq(*kept, "--host", "threads", "list").out,
                 "--sysroot accepts such a directory")
        empty = pmuq(*kept, "import", directory)
        tap.ok(empty.status == 4 and "directory" in empty.stderr, "another directory is refused", empty.stderr)
        tree = pmuq(*kept, "import", machine("zen3-epyc")[1])
        tap.ok(tree.status == 4 and "scan --name NAME" in tree.stderr, "the error for a captured machine has a hint", tree.stderr)
    many = perfdata.file([(perfdata.attr(1, i % 2), "e", [i + 1]) for i in range(20000)],
                         {**perfdata.host(), perfdata.GROUPS: perfdata.groups([("", i, 2) for i in range(0, 20000, 2)])})
    got = strings(pmuq("decode", "-", env=home, stdin=many))
    tap.same((len(got), set(got)), (10000, {"{cpu-clock,task-clock}"}), "10,000 groups are decoded")
    tail = pmuq("decode", path("unknown-tail"), env=home).text
    tap.ok("more is set in its 200 bytes than pmuq knows" in tail, "an attr of a newer kernel is marked", tail)


def documents(home):
    schema = json.loads((SCHEMAS / "decode.schema.json").read_text())
    names = sorted(found.name for found in RECORDINGS.glob("*.data"))
    got = pmuq("decode", "--json", *(str(RECORDINGS / name) for name in names), env=home)
    tap.same(got.status, 0, "all recordings as one document", got.stderr)
    if jsonschema:
        errors = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(got.json)]
        tap.same(errors, [], "the document matches the schema")
    else:
        tap.skip("the document matches the schema", "python3-jsonschema is not here")
    of = {pathlib.Path(result["input"]).stem: result for result in got.json["inputs"]}
    tap.ok(all(len(a["decodings"]) == len(a["recording"]["events"]) for a in of.values()), "each event has a decoding", "")
    events = of["groups"]["recording"]["events"]
    tap.same([(e["name"], e["leader"], e["group_size"], len(e["ids"])) for e in events],
             [("cpu-clock", 0, 2, 2), ("task-clock", 0, 2, 2), ("page-faults:u", 2, 1, 2), ("mem:0x1000:rw", 3, 1, 2)],
             "events have names, groups and ids")
    tap.same(of["updates"]["recording"]["events"][0]["unit"], "MiB", "the events of a stream have units")
    bad = pmuq("decode", "--json", path("groups") + "x.data", path("groups"), env=home)
    tap.same([a["ok"] for a in bad.json["inputs"]], [False, True], "a file that is not a recording is an error in the document")


def damaged(home):
    with tempfile.TemporaryDirectory() as directory:
        cut = pathlib.Path(directory) / "cut.data"
        cut.write_bytes((RECORDINGS / "groups.data").read_bytes()[:3000])
        got = pmuq("decode", str(cut), env=home)
        tap.same((len(strings(got)), got.status), (4, 4), "the rest of a cut file is printed, with status 4")
        tap.ok(f"error[PMUQ-192] cut-recording: at byte " in got.stderr and f"in: {cut}" in got.stderr, "the error of a cut file contains the byte where it ends", got.stderr)
        done = pmuq("--db", f"{directory}/x.db", "import", str(cut), env=home)
        tap.ok(done.status == 4 and "PMUQ-192" in done.stderr and not done.text, "a cut file is not imported", done.stderr)
        text = pathlib.Path(directory) / "notes.data"
        text.write_text("no recording at all")
        got = pmuq("decode", str(text), env=home)
        tap.ok(got.status == 4 and "PMUQ-190" in got.stderr, "text is not a recording", got.stderr)
        got = pmuq("decode", f"{directory}/missing.data", env=home)
        tap.ok(got.status == 4 and "PMUQ-195" in got.stderr and "No such file" in got.stderr, "a file that does not exist is reported", got.stderr)


def skylake(directory, name="skx", **facts):
    """A recording of the captured machine, whose boot gave its PMUs other numbers."""
    events = [(perfdata.attr(40, 0x304), "uncore_imc_0/cas_count_read/", [1]),
              (perfdata.attr(4, 0x1CD, config1=0x1E), "cpu/mem-loads,ldlat=30/", [2])]
    types = [("cpu", 4), ("uncore_imc_0", 40), ("uncore_cha_0", 17), ("software", 1)]
    host = {**perfdata.host(name=name, cpuid=SKYLAKE, **facts), perfdata.MAPPINGS: perfdata.mappings(types)}
    made = pathlib.Path(directory) / f"{name}.data"
    made.write_bytes(perfdata.file(events, host))
    return str(made)


def by_database(home):
    names = ["uncore_imc_0/cas_count_read/", "cpu/mem-loads,ldlat=0x1e/"]
    with tempfile.TemporaryDirectory() as directory:
        made, db = skylake(directory), f"{directory}/pmuq.db"
        alone = pmuq("decode", made, env=home)
        tap.same(strings(alone), ["uncore_imc_0/config=0x304/", "r1cd/config1=0x1e/"],
                 "without the machine PMUs have names and events do not")
        tap.same(strings(pmuq(*machine("skylake-sp"), "decode", made, env=home)), names,
                 "--sysroot names the machine; its PMU may have another number")
        tap.same(pmuq(*machine("skylake-sp"), "--db", db, "scan", "--name", "skx").status, 0, "(the machine is scanned)")
        found = pmuq("--db", db, "decode", made, env=home)
        tap.same(strings(found), names, "the host of that name in the database is used")
        tap.ok("# decoded by snapshot 1 of host skx, with that CPU and kernel" in found.text, "the output names that host", found.text)
        called = pathlib.Path(directory, "called.yaml")
        text = re.sub(r"^  entries: .*\n", "", pmuq(*machine("skylake-sp"), "export").text, flags=re.MULTILINE)
        called.write_text(text.replace("hosts:\n- ", "hosts:\n- name: web01\n  hostname: skx\n  ", 1))
        tap.same(pmuq("--db", f"{directory}/called.db", "import", called).status, 0, "(a host with another name)")
        found = pmuq("--db", f"{directory}/called.db", "decode", made, env=home)
        tap.ok(strings(found) == names and "# decoded by snapshot 1 of host web01, with that CPU" in found.text,
               "a renamed host is found by its hostname", found.text)
        state = {"XDG_STATE_HOME": directory}
        os.makedirs(f"{directory}/pmuq")
        shutil.copy(db, f"{directory}/pmuq/pmuq.db")
        tap.same(strings(pmuq("decode", made, env=state)), names, "the host is found in the default database")
        other = skylake(directory, "other")
        tap.ok("the database has no host other" in pmuq("--db", db, "decode", other, env=home).text, "a host that is not in the database is not used", "")
        tap.same(strings(pmuq("--db", db, "--host", "skx", "decode", other, env=home)), names, "--host selects another host")
        wrong = pathlib.Path(directory) / "wrong.data"
        wrong.write_bytes(perfdata.file([], perfdata.host(name="skx", cpuid="GenuineIntel,6,151,2")))
        tap.ok("has no complete snapshot with that CPU" in pmuq("--db", db, "decode", str(wrong), env=home).text,
               "a host of that name with another CPU is not used", "")


def imported(home):
    with tempfile.TemporaryDirectory() as directory:
        db, made = f"{directory}/pmuq.db", skylake(directory)
        done = pmuq("--db", db, "import", made, path("groups-stream"), env=home)
        tap.same((done.status, done.stderr), (0, ""), "recordings are imported")
        tap.ok("host skx: snapshot 1 (new)" in done.text and "host recorder: snapshot 2 (new)" in done.text, "imported recordings are hosts", done.text)
        tap.ok("(unchanged)" in pmuq("--db", db, "import", made, env=home).text, "a recording is imported once", "")
        pmus = pmuq("--db", db, "--host", "skx", "list", "-J", "pmus", env=home)
        tap.ok("uncore_cha_0" in pmus.text, "imported recordings have PMUs", pmus.text + pmus.stderr)
        plain_ones = pmuq("--db", db, "--host", "skx", "encode", "--no-open", "--jsonl", "cycles:u", "r1a", "cpu/config=0x3c/u",
                          "uncore_imc_0/config=0x304/", env=home)
        tap.same([line["ok"] for line in plain_ones.lines], [True] * 4, "generic names and raw configs can be encoded", plain_ones.text)
        bad = pmuq("--db", db, "--host", "skx", "encode", "--no-open", "cpu/umask=1/", "cas_count_read", env=home)
        tap.ok(bad.stderr.count("only known from perf.data") == 2, "hints name the missing files", bad.stderr)
        trace = pmuq("--db", db, "--host", "recorder", "encode", "--no-open", "--jsonl", "sched:sched_process_exit", env=home)
        tap.ok(trace.lines[0]["ok"], "its tracepoints can be encoded", trace.text)
        scanned = pmuq(*machine("skylake-sp"), "--db", db, "scan", "--name", "skx")
        tap.same(scanned.status, 0, "a scan completes the machine")
        again = pmuq("--db", db, "import", made, env=home)
        tap.ok(again.status == 4 and "PMUQ-197" in again.stderr, "a recording does not replace a complete machine", again.stderr)
        tap.same(pmuq("--db", db, "--host", "skx", "encode", "--no-open", "cas_count_read", env=home).status, 0,
                 "the machine is still complete")
        unnamed_path = pathlib.Path(directory, "nobody.data")
        unnamed_path.write_bytes(perfdata.MADE["no-features"])
        unnamed = pmuq("--db", db, "import", str(unnamed_path), env=home)
        tap.ok(unnamed.status == 4 and "PMUQ-088" in unnamed.stderr and "--name NAME" in unnamed.stderr, "a recording without a hostname needs --name",
               unnamed.stderr)
        renamed = pmuq("--db", db, "import", "--name", "skx-recorded", made, env=home)
        tap.same(renamed.status, 0, "--name imports it under that name", renamed.stderr)


def slowly(home):
    """A slow writer, through a pipe or through a socket as of a service or ssh."""
    recording = pathlib.Path(path("groups-stream")).read_bytes()
    document = pmuq(*machine("zen3-epyc"), "export").out
    with tempfile.TemporaryDirectory() as directory:
        for stream in ("pipe", "socket"):
            for what, data in (("recording", recording), ("document", document), ("recording of 4 bytes", recording[:4])):
                ends = socket.socketpair() if stream == "socket" else [open(fd, mode, buffering=0) for fd, mode in zip(os.pipe(), ("rb", "wb"))]
                words = [PMUQ, "--db", f"{directory}/{stream}.db", "import", "--name", what, "-"]
                with subprocess.Popen(words, stdin=ends[0], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
                    ends[0].close()
                    write = ends[1].sendall if stream == "socket" else ends[1].write
                    write(data[:3])
                    time.sleep(0.1)
                    write(data[3:])
                    ends[1].close()
                    out, stderr = done.communicate(timeout=60)
                is_whole = data != recording[:4]
                tap.ok(done.returncode == (0 if is_whole else 4) and (not is_whole or b"(new)" in out) and (is_whole or b"PMUQ-171" in stderr),
                       f"a {what} is read from a slow {stream}", out.decode(), stderr.decode())


def spoken(text):
    """The fields that perf prints of the header, as pairs; of its events only names and ids are compared."""
    return dict(re.findall(r"^# ([a-z ]+?) ?: (.*?) *$", text, re.M))


def agree_with_perf():
    for name in ("clock", "groups", "tracepoint", "stat", "groups-stream", "clock-stream-7.2"):
        stdin = (RECORDINGS / f"{name}.data").read_bytes()
        how = ["report", "--header-only", "-i", "-"] if "stream" in name else ["script", "--header-only", "-i", path(name)]
        out = subprocess.run(["perf", *how],
                             input=stdin, capture_output=True, check=False).stdout.decode(errors="replace")
        if "# hostname" not in out:
            tap.skip(f"perf prints the same fields of {name}", "the perf of this machine does not read it")
            continue
        recording = pmuq("decode", "--json", path(name)).json["inputs"][0]["recording"]
        features = {f["name"]: [value["text"] for value in f["values"]] for f in recording["features"]}
        pairs = spoken(out)
        ours = {"hostname": features["HOSTNAME"][0], "os release": features["OSRELEASE"][0], "arch": features["ARCH"][0],
                "perf version": features["VERSION"][0], "nrcpus online": features["NRCPUS"][1],
                "nrcpus avail": features["NRCPUS"][0], "cpudesc": features["CPUDESC"][0], "cpuid": features["CPUID"][0],
                "total memory": features["TOTAL_MEM"][0], "cmdline": " ".join(features["CMDLINE"])}
        tap.same({key: pairs.get(key) for key in ours}, ours, f"perf prints the same fields of {name}")
        theirs = re.findall(r"^# event : name = (.*?), , id = \{ (.*?) \}, type = (\d+)", out, re.M)
        tap.same([(e["name"], ", ".join(str(int(i, 16)) for i in e["ids"]), str(e["attr"]["type"])) for e in recording["events"]],
                 theirs, f"perf prints the same events of {name}")


def main():
    with tempfile.TemporaryDirectory() as directory:
        home = {"XDG_STATE_HOME": directory}
        plain(home)
        other_forms(home)
        documents(home)
        damaged(home)
        by_database(home)
        imported(home)
        slowly(home)
    if shutil.which("perf"):
        agree_with_perf()
    else:
        tap.skip("perf prints the same fields", "there is no perf here")
    tap.finish()


main()
