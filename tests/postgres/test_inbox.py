#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many hosts that push to one server: what each role may do, what an agent can hand in, the spool, deliveries that cannot be
stored, many processes at once, and processes that are killed at any moment. It starts servers itself."""
import collections
import concurrent.futures
import contextlib
import gzip
import hashlib
import json
import math
import os
import pathlib
import pty
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import server  # noqa: E402
from tap import IS_THOROUGH, PMUQ, Tap, machine, pmuq, printed_on  # noqa: E402

tap = Tap()
MACHINES = ["skylake-sp", "zen3-epyc", "arm64-biglittle", "s390x-max", "haswell-client", "zen1-epyc"]
#: scripts/thorough.sh kills 100 times.
KILLS = int(os.environ.get("PMUQ_KILLS", "5"))


class Database:
    """A database with an inbox, on a running server."""

    def __init__(self, socket, name):
        self.socket, self.name, self.url = socket, name, server.url(socket, name)
        server.sql(socket, f"CREATE DATABASE {name}")
        done = pmuq("--db", self.url, "db", "init")
        tap.ok(done.status == 0 and "inbox: created" in done.text, f"db init of {name}", done.stderr)

    def sql(self, text):
        return server.sql(self.socket, text, self.name).strip()

    def as_role(self, role, text):
        """Statements as that role: psql's status and output."""
        done = subprocess.run([server.programs() / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", self.of(role)], input=text, capture_output=True, text=True, check=False)
        return done.returncode, (done.stdout + done.stderr).strip()

    def of(self, role):
        return server.url(self.socket, self.name, role)

    def add_agents(self, *names):
        for name in names:
            # Roles are those of all databases of a server.
            if not self.sql(f"SELECT 1 FROM pg_roles WHERE rolname = '{name}'"):
                server.sql(self.socket, f'CREATE ROLE "{name}" LOGIN IN ROLE pmuq_agent')

    def push(self, role, name, *words, **how):
        return pmuq(*machine(name), "push", "--to", self.of(role), *words, **how)

    def ingest(self, *words):
        done = pmuq("--db", self.url, "ingest", "-J", *words)
        tap.same(done.status, 0, "ingest", done.stderr)
        return {key: value for key, value in done.json.items() if key != "schema"}

    def hosts(self):
        return [row["host"] for row in pmuq("--db", self.url, "hosts", "-J").rows]


def ingested(hosts=0, snapshots=0, rejected=0, heartbeats=0):
    return {"hosts": hosts, "snapshots": snapshots, "rejected": rejected, "heartbeats": heartbeats}


def refused(result, status, code, hint, name):
    shown = result.stderr + result.text
    tap.ok(result.status == status and re.search(rf"\[({code})\]", shown) and re.search(hint, shown), name, result.status, shown)


# ------------------------------------------------------------------------------------------- db init

def init(socket):
    db = Database(socket, "init")
    again = pmuq("--db", db.url, "db", "init", "-J").json
    tap.same((again["prefix"], again["new_inbox"], again["new_reader"], again["closed"]), ("pmuq", False, False, True), "db init again changes nothing", again)
    other = pmuq("--db", db.url, "db", "init", "--prefix", "site_b", "-J").json
    tap.same((other["new_inbox"], other["new_reader"], other["new_agent"]), (False, True, True), "other names of roles")
    wrong = pmuq("--db", db.url, "db", "init", "--prefix", 'x"; DROP TABLE host')
    tap.ok(wrong.status and "lower-case" in wrong.stderr, "a prefix that is not a name", wrong.stderr)
    server.sql(socket, "CREATE ROLE owner LOGIN")
    server.sql(socket, "CREATE DATABASE owned OWNER owner")
    mine = server.url(socket, "owned", "owner")
    server.sql(socket, "DROP OWNED BY site_b_reader, site_b_writer, site_b_agent; DROP ROLE site_b_reader, site_b_writer, site_b_agent", "init")
    refused(pmuq("--db", mine, "db", "init", "--prefix", "site_b"), 4, "PMUQ-080", "CREATEROLE", "a role that may not create roles")
    done = pmuq("--db", mine, "db", "init")
    tap.ok(done.status == 0 and "as a superuser" in done.stderr, "an owner whose roles exist: a note about what is left open", done.stderr)
    server.sql(socket, "CREATE ROLE other LOGIN CREATEROLE IN ROLE pmuq_writer")
    refused(pmuq("--db", server.url(socket, "owned", "other"), "db", "init"), 4, "PMUQ-080", "role that owns them", "a role that does not own the tables")
    server.sql(socket, "UPDATE pmuq_inbox.inbox_setting SET version = 9", "init")
    refused(pmuq("--db", db.url, "db", "init"), 4, "PMUQ-082", "newer|updated", "the inbox of a newer pmuq")
    with tempfile.TemporaryDirectory() as directory:
        refused(pmuq("--db", f"{directory}/x.db", "db", "init"), 4, "PMUQ-260", "postgresql://", "a file has no inbox")
        refused(pmuq("--db", f"{directory}/x.db", "ingest"), 4, "PMUQ-260|PMUQ-080", "", "nor can it be ingested")
    server.sql(socket, "CREATE DATABASE bare")
    pmuq("--db", server.url(socket, "bare"), *machine(MACHINES[0]), "scan", "--name", "a")
    for words in (["ingest"], ["db", "rejected"], ["db", "drop", "a"]):
        refused(pmuq("--db", server.url(socket, "bare"), *words), 4, "PMUQ-260", "db init", f"{' '.join(words)} without an inbox")
    db.add_agents("early")
    refused(pmuq(*machine(MACHINES[0]), "push", "--to", server.url(socket, "bare", "early")), 4, "PMUQ-260", "db init", "push without an inbox")
    for words, text in ((["db", "inti"], "did you mean 'init'"), (["db", "x"], "only init"), (["db", "init", "--all-hosts"], "takes no --all-hosts"), (["db", "drop"], "needs hosts"),
                        (["push"], "--to"), (["db", "drop", "--prefix", "x"], "takes no --prefix"), (["db", "init", "x"], "takes no argument"), (["db", "rejected", "x"], "takes no argument"),
                        (["db", "drop", "--all-hosts=x"], "no pattern")):
        done = pmuq("--db", db.url, *words)
        tap.ok(done.status == 2 and text in done.stderr, f"usage: {' '.join(words)}", done.stderr)


# -------------------------------------------------------------------------------------------- rights

def deliver(content, own="8:hostname1:x", document=None, state=None):
    """SQL that calls deliver() with a document, or with the hash of one."""
    text = content if document is None else document
    digest = hashlib.sha256(content.encode()).hexdigest()
    state = state or hashlib.sha256((digest + own).encode()).hexdigest()
    quoted = "NULL" if document is None else "$d$" + text + "$d$"
    return f"SELECT pmuq_inbox.deliver('\\x{state}', '\\x{digest}', $o${own}$o$, 1, {quoted})"


def rights(socket):
    db = Database(socket, "rights")
    db.add_agents("web01", "web02")
    server.sql(socket, "CREATE ROLE ann LOGIN IN ROLE pmuq_reader; CREATE ROLE work LOGIN IN ROLE pmuq_writer; CREATE ROLE nobody LOGIN")
    tap.same(db.push("web01", MACHINES[0]).status, 0, "an agent pushes")
    tap.same(pmuq("--db", db.of("work"), "ingest", "-J").json["hosts"], 1, "a writer ingests")
    tables = db.sql("SELECT n.nspname || '.' || relname FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname LIKE 'pmuq%' AND relkind IN ('r', 'v')").split()
    verbs = [verb for table in tables for verb in (f"SELECT * FROM {table}", f"DELETE FROM {table}", f"INSERT INTO {table} DEFAULT VALUES", f"BEGIN; LOCK TABLE {table}; ROLLBACK", f"TRUNCATE {table}")]
    status, out = db.as_role("web01", "\\set ON_ERROR_STOP 0\n" + ";\n".join(verbs))
    tap.ok(len(tables) > 35 and len(re.findall("ERROR:  permission denied for (?:schema pmuq|table)", out)) == len(verbs), f"an agent can read and write none of {len(tables)} tables and views", out[:1000])
    for verb in ("CREATE TABLE public.t (x int)", "CREATE TEMP TABLE t (x int)", "CREATE SCHEMA s", "SELECT lo_from_bytea(0, 'x')", "SELECT lo_create(0)", "SELECT pg_advisory_lock(1886221681, 1)",
                 "SELECT pg_try_advisory_xact_lock(1)", "SET ROLE web02", "SET SESSION AUTHORIZATION web02", "SET ROLE pmuq_writer", "CREATE FUNCTION pmuq_inbox.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                 "ALTER FUNCTION pmuq_inbox.heartbeat(bytea) OWNER TO web01", "COPY pmuq.host TO STDOUT", "SELECT pg_read_file('/etc/passwd')"):
        status, out = db.as_role("web01", verb)
        tap.ok(status and re.search("permission denied|must be", out), f"an agent cannot: {verb}", out)
    # A function that runs as the owner must not use what the caller put into its way.
    status, out = db.as_role("web01", "SET search_path = pmuq_inbox, pg_temp; SELECT pmuq_inbox.heartbeat('\\x00')")
    tap.same((status, out), (0, "0"), "the caller's search_path has no effect")
    db.push("web01", MACHINES[1])
    tap.same(db.sql("SELECT DISTINCT role, host FROM pmuq_inbox.agent JOIN pmuq_inbox.delivery ON agent = agent.id"), "web01|web01", "what an agent delivers is its own host's")
    status, out = db.as_role("web01", "SET ROLE pmuq_agent; " + deliver("{}", document="{}"))
    tap.same(db.sql("SELECT count(*) FROM pmuq_inbox.agent"), "1", "as pmuq_agent it is still itself", out)
    tap.same([row["host"] for row in pmuq("--db", db.of("ann"), "hosts", "-J").rows], ["web01"], "a reader reads")
    refused(pmuq("--db", db.of("ann"), *machine(MACHINES[0]), "scan", "--name", "x"), 4, "PMUQ-080", "GRANT pmuq_writer", "a reader does not write")
    for words in (["forget", "web01"], ["ingest"], ["db", "rejected"]):
        refused(pmuq("--db", db.of("ann"), *words), 4, "PMUQ-080", "GRANT pmuq_writer", f"a reader has no right to {' '.join(words)}")
    status, out = db.as_role("ann", "SELECT * FROM pmuq_inbox.delivery")
    tap.ok(status and "permission denied" in out, "a reader does not read the inbox", out)
    tap.same(pmuq("--db", db.of("work"), *machine(MACHINES[0]), "scan", "--name", "x").status, 0, "a writer scans")
    status, out = db.as_role("work", "DROP TABLE pmuq.snapshot")
    tap.ok(status and "must be owner" in out, "a writer does not change tables", out)
    refused(db.push("nobody", MACHINES[0]), 4, "PMUQ-260", "GRANT pmuq_agent", "a role that is not an agent")
    db.add_agents("a@b")
    refused(pmuq(*machine(MACHINES[0]), "push", "--to", db.of("a%40b")), 4, "PMUQ-261", "another host", "a role whose name is not that of a host")
    db.sql("INSERT INTO pmuq_inbox.agent (role, host) VALUES ('a@b', 'b')")
    tap.same(pmuq(*machine(MACHINES[0]), "push", "--to", db.of("a%40b")).status, 0, "unless it has another host")
    db.sql("INSERT INTO pmuq_inbox.agent (role, host) VALUES ('web02', 'db9')")
    db.push("web02", MACHINES[0])
    db.ingest()
    tap.ok("db9" in db.hosts() and "web02" not in db.hosts(), "a role can have another host", db.hosts())


# -------------------------------------------------------------------------------------------- quotas

def quotas(socket):
    db = Database(socket, "quotas")
    db.add_agents("q1", "q2")
    db.sql("INSERT INTO pmuq_inbox.agent (role, host, waiting_max, waiting_max_bytes) VALUES ('q1', 'q1', 3, 100000)")
    for name in MACHINES[:3]:
        tap.same(db.push("q1", name).status, 0, "within the quota")
    refused(db.push("q1", MACHINES[3]), 4, "PMUQ-262", "ingest", "more deliveries than the quota")
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda n: db.as_role("q2", deliver(f"{{\"a\": {n}}}", document=f"{{\"a\": {n}}}")), range(40)))
    tap.same(db.sql("SELECT count(*) FROM pmuq_inbox.delivery JOIN pmuq_inbox.agent ON agent = agent.id WHERE role = 'q2'"), "16", "40 at once do not exceed it together")
    tap.same(db.push("q1", MACHINES[3], env={"PGOPTIONS": ""}).status, 4, "and the other agent's quota is its own")
    db.ingest()
    tap.same(db.push("q1", MACHINES[3]).status, 0, "what was ingested does not count")
    db.sql("UPDATE pmuq_inbox.agent SET waiting_max = 1000, waiting_max_bytes = 20000 WHERE role = 'q1'")
    big = json.dumps({"a": "x" * 15000})
    status, out = db.as_role("q1", deliver(big, document=big))
    tap.ok(status == 0, "15,000 bytes", out[-300:])
    big = json.dumps({"b": "x" * 15000})
    status, out = db.as_role("q1", deliver(big, document=big))
    tap.ok(status and "wait already" in out, "as many again are too many bytes", out[-300:])
    for size in (1_000_001, 100_000_000, *([(1 << 30) - 1000] if IS_THOROUGH else [])):
        status, out = db.as_role("q2", f"SELECT pmuq_inbox.deliver(sha256('a'), sha256('b'), '', 1, repeat('x', {size}))")
        tap.ok(status and "takes at most 1000000" in out, f"a document of {size:,} bytes is refused", out[-300:])
    status, out = db.as_role("q2", "SELECT pmuq_inbox.deliver(sha256('a'), sha256('b'), repeat('x', 5000), 1, NULL)")
    tap.ok(status and "not a delivery" in out, "facts of 5,000 bytes are refused", out[-300:])
    for call in ("sha256('a'), sha256('b'), '', 1, '{}'", "NULL, sha256('b'), '', 1, NULL", "'x', sha256('b'), '', 1, NULL", "sha256('a'), 'x', '', 1, NULL", "sha256('a'), sha256('b'), NULL, 1, NULL", "sha256('a'), sha256('b'), '', NULL, NULL"):
        status, out = db.as_role("q2", f"SELECT pmuq_inbox.deliver({call})")
        tap.ok(status and re.search("not a delivery|match its hash|wait already", out), f"deliver({call}) is refused", out[-300:])
    db.ingest()
    db.as_role("q2", deliver("{}", document="{}", own="8:hostname1:y"))
    db.sql("UPDATE pmuq_inbox.agent SET seen = 0, applied = 0")
    tap.same(db.sql("SELECT max(seen) < extract(epoch FROM now()) + 1 FROM pmuq_inbox.delivery"), "t", "a time in the future is not kept")


# ----------------------------------------------------------------------------------- push and ingest

def pushes(socket):
    db = Database(socket, "pushes")
    db.add_agents("web01", "web02", "web03")
    tap.same(db.push("web01", MACHINES[0], "-J").json["result"], "document", "the first host sends its document")
    tap.same(db.push("web01", MACHINES[0], "-J").json["result"], "heartbeat", "then a heartbeat, although nothing was ingested")
    tap.same({**db.ingest(), "heartbeats": 0}, ingested(1, 1), "it is ingested")
    tap.same(db.push("web02", MACHINES[0], "-J").json["result"], "facts", "another host with the same machine sends its facts only")
    tap.same({**db.ingest(), "heartbeats": 0}, ingested(1, 1), "and is a host of its own")
    times = db.sql("UPDATE pmuq.snapshot SET first_seen = 1000, last_seen = 1000; UPDATE pmuq_inbox.agent SET seen = 1000, applied = 1000")
    db.push("web02", MACHINES[0])
    tap.same(db.ingest(), ingested(heartbeats=1), "a heartbeat", times)
    tap.same(db.sql("SELECT name, last_seen > 1000, first_seen FROM pmuq.snapshot JOIN pmuq.host ON host.id = host ORDER BY name"), "web01|f|1000\nweb02|t|1000", "moves the time of its host only")
    for name in MACHINES:
        tap.same(db.push("web03", name).status, 0, f"a machine that becomes {name}")
    tap.same(db.ingest()["snapshots"], len(MACHINES), "each state is a snapshot")
    newest = pmuq("--db", db.url, "--host", "web03", "list", "facts", "-J").rows
    scanned = server.url(socket, "scanned")
    server.sql(socket, "CREATE DATABASE scanned")
    pmuq("--db", scanned, *machine(MACHINES[-1]), "scan", "--name", "web03")
    tap.same(newest, pmuq("--db", scanned, "--host", "web03", "list", "facts", "-J").rows, "the last one is the newest")
    # The same rows as those of a scan.
    same = server.url(socket, "same")
    server.sql(socket, "CREATE DATABASE same")
    for role, name in (("web01", MACHINES[0]), ("web02", MACHINES[0]), *(("web03", name) for name in MACHINES)):
        pmuq("--db", same, *machine(name), "scan", "--name", role)
    query = ("SELECT host.name, encode(snapshot.hash, 'hex'), class, (SELECT string_agg(position || name || text || is_volatile, ',' ORDER BY position) FROM pmuq.snapshot_fact WHERE snapshot = snapshot.id),"
             " machine_id FROM pmuq.snapshot JOIN pmuq.host ON host.id = host JOIN pmuq.v_snapshot v ON v.snapshot = snapshot.id ORDER BY 1, snapshot.id")
    tap.same(db.sql(query), server.sql(socket, query, "same").strip(), "ingest stores the same as scan")
    db.sql("UPDATE pmuq_inbox.agent SET seen = 0, applied = 0")
    pmuq("--db", db.url, "forget", "web01", "web02")
    db.push("web01", MACHINES[0])
    tap.same(db.ingest(), ingested(heartbeats=1), "a heartbeat of a host that was forgotten")
    tap.same(db.push("web01", MACHINES[0], "-J").json["result"], "facts", "makes the host deliver again")
    tap.same(db.ingest(), ingested(1, 1), "so it is there again")
    pmuq("--db", db.url, *machine(MACHINES[1]), "scan", "--name", "web01")
    db.sql("UPDATE pmuq_inbox.agent SET seen = 0, applied = 0")
    db.push("web01", MACHINES[0])
    db.ingest()
    tap.same(db.push("web01", MACHINES[0], "-J").json["result"], "facts", "so does one that somebody scanned otherwise")
    db.ingest()
    db.sql("UPDATE pmuq_inbox.inbox_setting SET swept = 0")
    db.ingest()
    tap.same(db.sql("SELECT count(*) FROM pmuq_inbox.content WHERE id NOT IN (SELECT content FROM pmuq_inbox.agent WHERE content IS NOT NULL)"), "0", "contents of no host are removed")
    refused(pmuq(*machine(MACHINES[0]), "push", "--to", "hosts.db"), 4, "PMUQ-260", "postgresql://", "a file is not a server")


def renamed(socket):
    """A host that is renamed goes on to be pushed."""
    db = Database(socket, "renamed")
    db.add_agents("ag1", "ag2")
    db.push("ag1", MACHINES[0])
    db.ingest()
    tap.same(pmuq("--db", db.url, "hosts", "--rename", "ag1", "new1").text, "renamed host ag1 to new1\n", "a host that is pushed can be renamed")
    tap.same(db.push("ag1", MACHINES[0], "-J").json["result"], "heartbeat", "its agent goes on")
    db.ingest()
    db.push("ag1", MACHINES[1])
    db.ingest()
    tap.same(db.sql("SELECT name, count(*) FROM pmuq.snapshot JOIN pmuq.host ON host.id = host GROUP BY name"), "new1|2", "a changed machine is a snapshot of the renamed host")
    db.push("ag2", MACHINES[0])
    refused(pmuq("--db", db.url, "hosts", "--rename", "new1", "ag2"), 1, "PMUQ-210", "already has a host 'ag2'", "the name of a host that another agent has pushed is taken")
    db.sql("ALTER ROLE ag1 RENAME TO ag3; UPDATE pmuq_inbox.agent SET role = 'ag3' WHERE role = 'ag1'")
    tap.same(db.push("ag3", MACHINES[1], "-J").json["result"], "heartbeat", "a role can be renamed, too")


def wire(socket):
    """The bytes of a heartbeat between client and server, without those of the connection."""
    db = Database(socket, "wire")
    db.add_agents("w1")
    db.push("w1", MACHINES[0])
    trace = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("count_bytes.py"), f"{socket}/.s.PGSQL.5432", PMUQ, *machine(MACHINES[0]), "push", "--to", "postgresql://w1@/wire?host=HERE"],
                           capture_output=True, text=True, check=False)
    sent, received = map(int, trace.stdout.split()[-2:]) if trace.returncode == 0 else (0, 0)
    print(f"# a heartbeat: {sent} bytes sent, {received} received")
    tap.ok(0 < sent < 300 and 0 < received < 300, "a heartbeat has fewer than 300 bytes", sent, received, trace.stdout + trace.stderr)


# --------------------------------------------------------------------------------------------- spool

def spools(socket):
    db = Database(socket, "spools")
    db.add_agents("s1")
    with tempfile.TemporaryDirectory() as directory:
        spool = pathlib.Path(directory, "spool")

        def push(name, *words, to=db.of("s1"), when=1000):
            return pmuq(*machine(name), "push", "--to", to, "--spool", str(spool), "-J", *words, env={"SOURCE_DATE_EPOCH": str(when)})
        away = server.url("/nonexistent", "x")
        tap.same(pmuq(*machine(MACHINES[0]), "push", "--to", away).status, 4, "without a spool a server that is away is an error")
        for when, name in enumerate(MACHINES[:3], 1000):
            done = push(name, to=away, when=when)
            tap.same((done.status, done.json["result"], done.json["waiting"]), (0, "kept", when - 999), f"{name} is kept", done.stderr)
        tap.same(push(MACHINES[2], to=away, when=1003).json["waiting"], 3, "a machine that did not change is kept once")
        reasons = {push(MACHINES[2], to=db.of("no_role"), when=1004).stderr for _ in range(2)}
        tap.ok(len(reasons) == 1 and 'role "no_role" does not exist' in reasons.pop(), "each push prints why nothing was sent", reasons)
        files = sorted(spool.iterdir())
        tap.same([(path.stat().st_mode & 0o777, path.suffix) for path in files], [(0o600, ".json")] * 3, "the files are the user's alone", files)
        tap.same(spool.stat().st_mode & 0o777, 0o700, "so is the directory")
        tap.same(pmuq("--db", f"{directory}/x.db", "import", "--name", "old", str(files[0])).status, 0, "a file of the spool can be imported, too")
        done = push(MACHINES[2], when=2000)
        tap.same((done.json["result"], done.json["sent"], done.json["waiting"]), ("heartbeat", 3, 0), "they are sent when the server is there", done.stderr)
        tap.same(list(spool.iterdir()), [], "and removed")
        db.ingest()
        tap.same(db.sql("SELECT string_agg(first_seen::text, ' ' ORDER BY id) FROM pmuq.snapshot"), "1000 1001 1002", "with the times when the machine was in these states")
        (spool / "000000000500-000000.json").write_text("{")
        done = push(MACHINES[2], when=2001)
        tap.ok(done.status == 4 and not list(spool.iterdir()), "a file that cannot be read is an error once", done.stderr)
        tap.same(push(MACHINES[2], when=2002).status, 0, "then it is gone")
        with tempfile.TemporaryDirectory() as large:
            tree = pathlib.Path(large, "tree")
            shutil.copytree(machine(MACHINES[0])[1], tree, symlinks=True)
            for n in range(20):
                (tree / f"sys/bus/event_source/devices/cpu/events/long{n}").write_text("event=1," * 7000 + "event=1\n")
            for n, to in (0, away), (1, away), (0, db.of("s1")):
                if n:
                    push(MACHINES[2], to=away, when=2050)
                refused(pmuq("--sysroot", str(tree), "push", "--to", to, "--spool", str(spool)), 4, "PMUQ-261", "the most is 1000000", "a machine that no server takes is refused at once")
                tap.same(len(list(spool.iterdir())), n, "and it is not kept")
        db.sql("UPDATE pmuq_inbox.inbox_setting SET document_max_bytes = 100")
        push(MACHINES[4], to=away, when=2060)
        done = push(MACHINES[2], when=2061)
        tap.same((done.status, done.json["lost"], list(spool.iterdir())), (4, 1, []), "a state that this server refuses is an error once", done.stderr)
        db.sql("UPDATE pmuq_inbox.inbox_setting SET document_max_bytes = 1000000")
        states = []
        for name in MACHINES[1], MACHINES[2]:
            push(name, to=away, when=2100)
            states.append(next(spool.iterdir()).read_bytes())
            for path in spool.iterdir():
                path.unlink()
        push(MACHINES[1], to=away, when=2100)
        kept = next(spool.iterdir()).read_bytes()
        for n in range(66):
            (spool / f"{n:012}-000000.json").write_bytes(kept)
        done = push(MACHINES[0], to=away, when=3000)
        tap.ok(len(list(spool.iterdir())) == 64 and "oldest" in done.stderr, "the spool has at most 64 files", len(list(spool.iterdir())), done.stderr)
        # The server takes three states, and then no more: 61 wait, and nothing is lost.
        db.sql("UPDATE pmuq_inbox.inbox_setting SET waiting_max = 3")
        db.sql("DELETE FROM pmuq_inbox.delivery")
        for n, path in enumerate(sorted(spool.iterdir())):
            path.write_bytes(states[n % 2])
        done = push(MACHINES[0], when=4000)
        tap.same([done.json[key] for key in ("result", "sent", "waiting", "lost")], ["kept", 3, 62, 0], "a spool that was full and is sent in part loses nothing", done.stderr)
        db.sql("DELETE FROM pmuq_inbox.delivery")
        done = pmuq(*machine(MACHINES[1]), "push", "--to", db.of("s1"), "--spool", str(spool), env={"SOURCE_DATE_EPOCH": "4000"})
        tap.same(done.text, "kept this host in the spool; 3 of the spool were sent (60 wait there)\n", "people read what was sent", done.stderr)
        names = sorted(path.name for path in spool.iterdir())
        tap.same(names[-2:], ["000000004000-000000.json", "000000004000-000001.json"], "the newest state of a second is the last")
        for path in sorted(spool.iterdir())[:-1]:
            path.unlink()
        push(MACHINES[2], to=away, when=4000)
        tap.same(sorted(path.name for path in spool.iterdir()), ["000000004000-000001.json", "000000004000-000002.json"],
                 "also if those before it are gone")
        db.sql("UPDATE pmuq_inbox.inbox_setting SET waiting_max = 16")
        spool.chmod(0o777)
        tap.ok(push(MACHINES[0]).status == 4, "a directory that others can write to is refused")
        spool.chmod(0o700)
        with open(spool / "held", "w") as _:
            holder = subprocess.Popen(["flock", str(spool), "sh", "-c", "echo held; read x"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            holder.stdout.readline()
            tap.ok("another `pmuq push` uses it" in push(MACHINES[0]).stderr, "one process at a time")
            holder.communicate(b"\n")


# ---------------------------------------------------------------------------------------------- bad

def bad(socket):
    db = Database(socket, "bad")
    db.add_agents(*(f"b{n}" for n in range(12)))
    db.push("b0", MACHINES[0])
    document = db.sql("SELECT document FROM pmuq_inbox.delivery") + "\n"
    db.ingest()
    bomb = gzip.compress(b"x" * 100_000_000).hex()
    whole = json.loads(document)
    cases = {
        "b1": "not JSON", "b2": "{}", "b3": document[:-20], "b4": bomb, "b5": document.replace("inventory/2", "inventory/3"),
        "b6": document.replace('"hosts": [{}]', '"hosts": [{"hostname":"other"}]'), "b7": document.replace('"hosts": [{}]', '"hosts": [{},{}]'),
        "b8": "[" * 100_000, "b9": json.dumps({**whole, "facts": {str(n): "x" for n in range(5000)}}), "b10": document + document,
    }
    for role, text in cases.items():
        status, out = db.as_role(role, deliver(text, document=text))
        tap.same((status, out[-200:]), (0, "1"), f"{role} hands in something else")
    status, out = db.as_role("b11", deliver(document, own="8:hostname99:x"))
    tap.same((status, out), (0, "1"), "and facts that are none", out)
    db.push("b0", MACHINES[1])
    tap.same(db.ingest(), ingested(1, 1, 11), "the good one is stored, the others are rejected")
    rows = pmuq("--db", db.url, "db", "rejected", "-J").rows
    tap.same(sorted(row["host"] for row in rows), sorted(f"b{n}" for n in range(1, 12)), "they are listed")
    errors = {row["host"]: row["error"] for row in rows}
    tap.ok(all(errors.values()) and "schema 3" in errors["b5"] and "not JSON" in errors["b4"], "each with its error", errors)
    tap.ok("b5" in pmuq("--db", db.url, "db", "rejected").text, "also as a table")
    tap.same(db.ingest(), ingested(), "they are not tried again")
    tap.same(db.hosts(), ["b0"], "no other host has come to be")
    for n in range(3):
        db.as_role("b1", deliver(f"bad {n}", document=f"bad {n}"))
    db.ingest()
    tap.same(db.sql("SELECT count(*) FROM pmuq_inbox.delivery JOIN pmuq_inbox.agent ON agent = agent.id WHERE role = 'b1'"), "1", "of each host the last one is kept")
    state = db.sql("SELECT encode(state, 'hex') FROM pmuq_inbox.agent WHERE role = 'b1'")
    tap.same(db.as_role("b1", f"SELECT pmuq_inbox.heartbeat('\\x{state}')"), (0, "2"), "its heartbeat learns of it")
    db.sql("UPDATE pmuq_inbox.delivery SET error = 'test' WHERE agent = 1")
    db.push("b0", MACHINES[2])
    db.sql("UPDATE pmuq_inbox.agent SET is_rejected = true WHERE role = 'b0'")
    refused(db.push("b0", MACHINES[2]), 4, "PMUQ-263", "db rejected", "so does the host itself")
    db.ingest()
    refused(pmuq("--db", db.url, "db", "drop", "nosuch"), 4, "PMUQ-086", "db rejected", "drop of a host without one")
    tap.ok("removed 2 rejected" in pmuq("--db", db.url, "db", "drop", "b1", "b2").text, "drop")
    tap.same(db.as_role("b1", f"SELECT pmuq_inbox.heartbeat('\\x{state}')"), (0, "0"), "the host delivers again")
    tap.ok("removed 9 rejected" in pmuq("--db", db.url, "db", "drop", "--all-hosts").text, "drop of all")
    tap.same(pmuq("--db", db.url, "db", "rejected", "-J").rows, [], "none is left")
    # What a constraint of a table refuses: nothing that the reader accepts does, so the test adds one.
    db.push("b3", MACHINES[0])
    db.push("b4", MACHINES[3])
    db.push("b5", MACHINES[0])
    db.sql("ALTER TABLE pmuq.host ADD CONSTRAINT odd CHECK (name <> 'b4')")
    done = db.ingest()
    tap.same((done["hosts"], done["rejected"]), (2, 1), "a delivery that the tables refuse stops no other", done)
    tap.same([row["host"] for row in pmuq("--db", db.url, "db", "rejected", "-J").rows], ["b4"], "it is rejected")


# -------------------------------------------------------------------------------- at once, and killed

def at_once(socket):
    db = Database(socket, "once")
    names = [f"h{n:02}" for n in range(24)]
    db.add_agents(*names)

    def work(n):
        if n % 12 == 11:
            return pmuq("--db", db.url, "ingest")
        return db.push(names[n % 24], MACHINES[(n * 7 // 24) % len(MACHINES)])
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        results = list(pool.map(work, range(72)))
    tap.same([result.stderr for result in results if result.status], [], "agents and workers at once: none fails")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: pmuq("--db", db.url, "ingest"), range(4)))
    tap.same(db.sql("SELECT count(*) FROM pmuq_inbox.delivery"), "0", "the inbox is empty")
    tap.same(db.sql("SELECT deadlocks FROM pg_stat_database WHERE datname = 'once'"), "0", "no deadlock")
    tap.ok(set(db.hosts()) <= set(names) and len(db.hosts()) == 22, "each host is there", db.hosts())
    tap.same(pmuq("--db", db.url, "export", "--all-hosts").status, 0, "and can be read")
    # A transaction that an agent leaves open stops nobody else.
    holder = subprocess.Popen([server.programs() / "psql", "-XAtq", db.of("h00")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    text = "{\"held\": 1}"
    holder.stdin.write("BEGIN;\n" + deliver(text, document=text) + ";\n")
    holder.stdin.flush()
    holder.stdout.readline()
    tap.same([db.push("h01", "big-uncore-k6.12").status, db.ingest()["hosts"]], [0, 1], "an agent with an open transaction stops nobody")
    tap.same(db.as_role("h02", deliver(text, document=text)), (0, "1"), "also not one with the same document")
    holder.communicate("ROLLBACK;\n")
    while_unused_are_dropped(db)


class Explained:
    """The plans of all statements in the block, by their text, as they were executed."""

    def __init__(self, socket):
        self.log, self.plans = pathlib.Path(socket, "log"), collections.defaultdict(list)

    def __enter__(self):
        self.start = self.log.stat().st_size
        return self

    def __exit__(self, *_):
        for entry in self.log.read_bytes()[self.start:].decode(errors="replace").split("Query Text: ")[1:]:
            query, plan = entry.split("\n", 1)
            self.plans[query].append(plan)

    def sums(self, pattern):
        """Of the product of the numbers that match, for each statement."""
        return {query: sum(math.prod(map(int, found.groups())) for plan in plans for found in re.finditer(pattern, plan))
                for query, plans in self.plans.items()}


def filled(socket):
    """The server's statistics are from the moment when the inbox was empty. No statement reads all rows only to throw them away,
    whether all of them wait, or one."""
    db = Database(socket, "filled")
    db.add_agents("first")
    db.sql("ALTER TABLE pmuq_inbox.delivery SET (autovacuum_enabled = false); ALTER TABLE pmuq_inbox.agent SET (autovacuum_enabled = false)")
    db.push("first", "zen1-epyc")
    db.ingest()
    db.sql("DELETE FROM pmuq_inbox.agent; ANALYZE")  # pages without a row
    for name in MACHINES:
        db.push("first", name)
    n_hosts = 300
    deliver_as = ("INSERT INTO pmuq_inbox.delivery (agent, hash, document, bytes, own, seen)"
                  " SELECT agent.id, hash, document, bytes, format('8:hostname%s:%s7:boot_id1:{boot}', length(host), host), agent.seen")
    db.sql(f"INSERT INTO pmuq_inbox.agent (role, host) SELECT 'h' || n, 'h' || n FROM generate_series(1, {n_hosts}) AS n; CREATE TABLE public.sample AS TABLE pmuq_inbox.delivery;"
           + deliver_as.format(boot="a") + f" FROM pmuq_inbox.agent, public.sample WHERE agent.role <> 'first' AND sample.id = 2 + agent.id % {len(MACHINES)}")
    for setting in ("session_preload_libraries = auto_explain", "auto_explain.log_analyze = on", "auto_explain.log_timing = off",
                    "auto_explain.log_nested_statements = on", "auto_explain.log_min_duration = 0"):
        db.sql(f"ALTER DATABASE filled SET {setting}")
    with Explained(socket) as explained:
        tap.same(db.ingest()["hosts"], n_hosts + len(MACHINES), "an inbox that was empty a moment ago")
    thrown_away = {query: n for query, n in explained.sums(r"Rows Removed by (?:Join )?Filter: (\d+)").items() if "pmuq_inbox" in query}
    tap.ok(len(thrown_away) > 5 and max(thrown_away.values()) < 10 * n_hosts, "all of them wait", thrown_away)
    db.sql("UPDATE pmuq_inbox.agent SET seen = applied + 9 WHERE role IN ('h1', 'h2');"
           + deliver_as.format(boot="b") + " FROM pmuq_inbox.agent, public.sample WHERE agent.role = 'h1' AND sample.id = 2 + agent.id % "
           f"{len(MACHINES)}")
    with Explained(socket) as explained:
        tap.same(db.ingest(), ingested(hosts=1, heartbeats=1), "a host that was started again, and a heartbeat")
    tap.same(db.sql("SELECT text FROM pmuq.snapshot_fact WHERE name = 'boot_id' AND snapshot = (SELECT snapshot FROM pmuq_inbox.agent WHERE role = 'h1')"), "b", "are stored")
    read = explained.sums(r"Scan (?:using \w+ )?on (?:snapshot|snapshot_fact|host|delivery|content)\b.*\(actual rows=(\d+)(?:\.\d+)? loops=(\d+)\)")
    tap.ok(len(read) > 5 and max(read.values()) < 30, "one of them waits", {query: n for query, n in read.items() if n > 9})


def while_unused_are_dropped(db):
    """An agent delivers a content that no host has any longer, just before it is removed."""
    db.sql("TRUNCATE pmuq_inbox.delivery; UPDATE pmuq_inbox.agent SET content = NULL, state = NULL, applied = seen;"
           " UPDATE pmuq_inbox.inbox_setting SET swept = 0;"
           " CREATE FUNCTION public.pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NEW; END';"
           " CREATE TRIGGER pause BEFORE UPDATE ON pmuq_inbox.inbox_setting FOR EACH ROW EXECUTE FUNCTION public.pause()")
    contents = int(db.sql("SELECT count(*) FROM pmuq_inbox.content"))
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        worker = pool.submit(pmuq, "--db", db.url, "ingest")
        while db.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "0":
            time.sleep(0.05)
        tap.same(db.push("h03", MACHINES[0], "-J").json["result"], "facts", "a host delivers a known content while unused ones are removed")
        tap.same(worker.result().stderr, "", "… which does not fail")
    db.sql("DROP TRIGGER pause ON pmuq_inbox.inbox_setting")
    tap.same((contents > 2, db.sql("SELECT count(*) FROM pmuq_inbox.content")), (True, "1"), "… and removes the others")
    tap.same(db.ingest()["hosts"], 1, "… so the delivery is stored")


def interrupted(socket):
    db = Database(socket, "interrupted")
    db.add_agents("i1")
    db.push("i1", MACHINES[0])
    child = subprocess.Popen([PMUQ, "--db", db.url, "ingest", "--for", "100"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while db.sql("SELECT count(*) FROM pmuq.host") == "0":
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    tap.ok(child.returncode in (130, -signal.SIGINT) and "ingested 1 host" in out and "stays in the inbox" in err, "Ctrl-C: what was ingested, and what happens to the rest", child.returncode, out + err)


def progress(socket):
    db = Database(socket, "progress")
    db.add_agents("p1")
    db.push("p1", MACHINES[0])
    master, terminal = pty.openpty()
    with subprocess.Popen([PMUQ, "--db", db.url, "ingest"], stdout=subprocess.PIPE, stderr=terminal) as child:
        os.close(terminal)
        shown = b"".join(printed_on(master))
        out = child.stdout.read()
    tap.ok(b"1/" in shown and b"deliveries" in shown and shown.endswith(b"\r") and out.startswith(b"ingested 1 host"), "progress on a terminal, which is erased at the end", shown, out)


def killed():
    """An agent, a worker or the server is killed at any moment: what was acknowledged is stored once."""
    chance = random.Random(19)
    with server.running("restart_after_crash=on") as socket:
        db = Database(socket, "killed")
        names = [f"k{n:02}" for n in range(12)]
        db.add_agents(*names)
        wanted = dict.fromkeys(names, 0)
        for turn in range(KILLS):
            victims = []
            for name in names:
                victims.append((name, subprocess.Popen([PMUQ, *machine(MACHINES[turn % len(MACHINES)]), "push", "--to", db.of(name)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)))
            workers = [subprocess.Popen([PMUQ, "--db", db.url, "ingest"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(3)]
            time.sleep(chance.uniform(0, 0.15))
            victim = turn % 3
            if victim == 0:
                chance.choice(victims)[1].kill()
            elif victim == 1:
                chance.choice(workers).kill()
            else:
                backend = db.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'pmuq' ORDER BY random() LIMIT 1")
                with contextlib.suppress(ProcessLookupError, ValueError):  # there may be none any more
                    os.kill(int(backend), signal.SIGKILL)
            for name, child in victims:
                out, _ = child.communicate()
                if child.returncode == 0 and b"heartbeat" not in out:
                    wanted[name] += 1
            for child in workers:
                child.wait()
            for _ in range(600):  # the server is up again
                if pmuq("--db", db.url, "hosts").status == 0:
                    break
                time.sleep(0.1)
        while any(db.ingest().values()):
            pass
        found = dict(line.split("|") for line in db.sql("SELECT host.name, count(*) FROM pmuq.host JOIN pmuq.snapshot ON host = host.id GROUP BY 1").splitlines())
        tap.ok(all(int(found.get(name, 0)) >= wanted[name] for name in names), f"{KILLS} kills: every acknowledged delivery is stored", wanted, found)
        tap.ok(all(int(found.get(name, 0)) <= KILLS for name in names), "and none twice", found)
        tap.same(pmuq("--db", db.url, "export", "--all-hosts").status, 0, "every definition is complete")
        tap.same(db.sql("SELECT count(*) FROM pmuq_inbox.delivery"), "0", "the inbox is empty")


# --------------------------------------------------------------------------------------- certificates

def openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


def certificate(directory, name, ca=None):
    """NAME.key and NAME.crt for the role NAME, signed by `ca` or by itself."""
    key, request, crt = (f"{directory}/{name}.{end}" for end in ("key", "csr", "crt"))
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}", "-keyout", key, "-out", request)
    signer = ["-CA", f"{directory}/{ca}.crt", "-CAkey", f"{directory}/{ca}.key", "-CAcreateserial"] if ca else ["-signkey", key]
    openssl("x509", "-req", "-in", request, "-out", crt, "-days", "1", *signer)
    os.chmod(key, 0o600)


def certificates():
    """Agents with certificates: the name in the certificate is the role, and so the host."""
    if not shutil.which("openssl"):
        tap.skip("certificates", "no openssl")
        return
    with server.running() as socket, tempfile.TemporaryDirectory() as directory:
        db = Database(socket, "tls")
        db.add_agents("web01", "web02")
        certificate(directory, "ca")
        certificate(directory, "localhost", "ca")
        certificate(directory, "web01", "ca")
        shutil.copy(f"{directory}/web01.key", f"{directory}/old.key")
        openssl("req", "-new", "-key", f"{directory}/old.key", "-subj", "/CN=web01", "-out", f"{directory}/old.csr")
        # x509 -days takes no negative number in every version: `ca` has dates.
        pathlib.Path(directory, "index").touch()
        pathlib.Path(directory, "ca.cnf").write_text(f"[ca]\ndefault_ca=c\n[c]\ndatabase={directory}/index\nnew_certs_dir={directory}\nserial={directory}/serial\ndefault_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n")
        openssl("ca", "-batch", "-config", f"{directory}/ca.cnf", "-rand_serial", "-cert", f"{directory}/ca.crt", "-keyfile", f"{directory}/ca.key", "-startdate", "20200101000000Z", "-enddate", "20200201000000Z",
                "-in", f"{directory}/old.csr", "-out", f"{directory}/old.crt")
        data = pathlib.Path(socket, "data")
        for name in ("localhost.key", "localhost.crt", "ca.crt"):
            shutil.copy(f"{directory}/{name}", data / name)
            if server.OWNER:
                os.chown(data / name, server.OWNER["user"], server.OWNER["group"])
        os.chmod(data / "localhost.key", 0o600)
        with open(data / "postgresql.auto.conf", "a") as settings:
            settings.write("ssl = on\nssl_cert_file = 'localhost.crt'\nssl_key_file = 'localhost.key'\nssl_ca_file = 'ca.crt'\nlisten_addresses = '127.0.0.1'\n")
        (data / "pg_hba.conf").write_text("local all pmuq trust\nhostssl tls +pmuq_agent 127.0.0.1/32 cert\n")
        port = free_port()
        control = [server.programs() / "pg_ctl", "-D", data, "-w", "-t", "60", "-l", f"{socket}/log"]
        server.run(*control, "-m", "fast", "stop")
        server.run(*control, "-o", f"-k{socket} -p{port} -cfsync=off", "start")

        def push(role, name):
            files = f"sslcert={directory}/{name}.crt&sslkey={directory}/{name}.key&sslrootcert={directory}/ca.crt&sslmode=verify-ca"
            return pmuq(*machine(MACHINES[0]), "push", "--to", f"postgresql://{role}@127.0.0.1:{port}/tls?{files}")
        result = push("web01", "web01")
        tap.same((result.status, result.stderr), (0, ""), "a certificate logs in its host")
        refused(push("web02", "web01"), 4, "PMUQ-080", "certificate|check", "it logs in no other host")
        refused(push("web01", "old"), 4, "PMUQ-080", "expired|check", "an expired certificate is refused by the server")
        plain = pmuq(*machine(MACHINES[0]), "push", "--to", f"postgresql://web01@127.0.0.1:{port}/tls?sslmode=disable")
        refused(plain, 4, "PMUQ-080", "check", "a connection without TLS is refused")
        server.run(*control, "-m", "immediate", "stop")


def free_port():
    import socket
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    if not server.programs():
        print("1..0 # SKIP no PostgreSQL server is installed")
        return
    with server.running("max_locks_per_transaction=256") as socket:
        for test in (init, rights, quotas, pushes, renamed, wire, spools, bad, at_once, filled, interrupted, progress):
            test(socket)
    killed()
    certificates()
    tap.finish()


main()
