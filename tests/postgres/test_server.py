#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command with a database on a PostgreSQL server: the same results as with a file, many processes at once, a schema that
somebody changed, and every way in which a server refuses. It starts servers itself."""
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import server  # noqa: E402
from tap import PMUQ, Tap, machine, pmuq  # noqa: E402

tap = Tap()
MACHINES = ["skylake-sp", "zen3-epyc", "arm64-biglittle", "s390x-max", "haswell-client", "zen1-epyc"]
SECRET = "geheim-7"


def new_database(socket, name):
    server.sql(socket, f"CREATE DATABASE {name}")
    return server.url(socket, name)


def scan(url, name, host=None, *words):
    return pmuq("--db", url, *machine(name), "scan", "--name", host or name, *words)


def refused(result, status, code, hint, name):
    """A failure with that code and a hint, in which nothing secret is printed."""
    shown = result.stderr + result.text
    tap.ok(result.status == status and f"[{code}]" in shown and re.search(hint, shown) and SECRET not in shown, name, result.status, shown)


# ------------------------------------------------------------------------------------------- results

def same_exports(socket):
    """The database is filled by scans, copied to a file and back: all exports are equal."""
    url = new_database(socket, "exports")
    with tempfile.TemporaryDirectory() as directory:
        files = [f"{directory}/{name}.db" for name in ("scanned", "imported")]
        for name in MACHINES:
            for db in (url, files[0]):
                result = pmuq("--db", db, *machine(name), "scan", "--name", name, env={"SOURCE_DATE_EPOCH": "1800000000"})
                tap.ok(result.status == 0, f"scan of {name}", result.stderr)
        for form in ("--yaml", "--json"):
            exports = [pmuq("--db", db, "export", "--all-hosts", form).out for db in (url, files[0])]
            tap.ok(exports[0] == exports[1] and len(exports[0]) > 20_000, f"export {form}: a server and a file give the same bytes", len(exports[0]))
        exported = pmuq("--db", url, "export", "--all-hosts").out
        back = new_database(socket, "imported")
        for source, target in ((url, files[1]), (files[1], back)):
            result = pmuq("--db", target, "import", "-", stdin=pmuq("--db", source, "export", "--all-hosts").out)
            tap.ok(result.status == 0, "import of all hosts", result.stderr)
        for target in (files[1], back):
            tap.ok(pmuq("--db", target, "export", "--all-hosts").out == exported, "an imported database exports the same bytes")
        for words in (["hosts", "-J"], ["hosts", "--history", "--jsonl"], ["hosts", "--with", "instructions"], ["encode", "--all-hosts", "--jsonl", "cycles", "instructions:u", "nosuch"],
                      ["diff", MACHINES[0], MACHINES[1]]):
            results = [pmuq("--db", db, *words, env={"SOURCE_DATE_EPOCH": "1800000001"}) for db in (url, files[0])]
            tap.same((results[0].status, results[0].out), (results[1].status, results[1].out), f"{' '.join(words)}: the same as from a file")
        result = pmuq("--db", url, "forget", MACHINES[0], "--dry-run")
        tap.ok(result.status == 0 and "1 host" in result.text, "forget --dry-run counts", result.text, result.stderr)
        tap.ok(pmuq("--db", url, "export", "--all-hosts").out == exported, "and deletes nothing")
        for db in (url, files[0]):
            tap.same(pmuq("--db", db, *machine("big-uncore-k6.12"), "scan", "--name", "big", env={"SOURCE_DATE_EPOCH": "1800000000"}).status, 0, "a machine with more rows than are queued at once")
        tap.ok(pmuq("--db", url, "--host", "big", "export").out == pmuq("--db", files[0], "--host", "big", "export").out, "is stored completely")
        pmuq("--db", url, "forget", "big", *MACHINES)
        left = {table: server.sql(socket, f"SELECT count(*) FROM pmuq.{table}", "exports").strip() for table in (
            "host", "snapshot", "layout", "definition", "definition_event", "fact_set", "tracepoint", "host_class")}
        tap.same(set(left.values()), {"0"}, "forget of all hosts leaves no rows", left)


def views(socket):
    url = new_database(socket, "views")
    for name in MACHINES[:3]:
        scan(url, name)
    found = server.sql(socket, "SELECT viewname FROM pg_views WHERE schemaname = 'pmuq'", "views").split()
    for view in found:
        rows = int(server.sql(socket, f"SELECT count(*) FROM pmuq.{view}", "views"))
        tap.ok(rows > 0 or view == "v_host_check", f"the view {view} has rows", rows)
    tap.same(server.sql(socket, "SELECT host, kernel, class ~ '^[0-9a-f]{8}$' FROM pmuq.v_host ORDER BY host LIMIT 1", "views").strip().split("|")[::2],
             ["arm64-biglittle", "t"], "v_host has names and classes")


# -------------------------------------------------------------------------------------- many at once

def at_once(socket):
    """Scans of all machines in all orders, into an empty database: the schema is created once, contents are shared, and no
    scan fails."""
    url = new_database(socket, "many")
    jobs = [(name, f"{name}-{n}") for n in range(4) for name in (MACHINES[n:] + MACHINES[:n])]
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        results = list(pool.map(lambda job: scan(url, *job), jobs))
    tap.same([result.stderr for result in results if result.status], [], "24 scans at once, 12 at a time: none fails")
    tap.same(server.sql(socket, "SELECT count(*), (SELECT count(*) FROM pmuq.layout) FROM pmuq.snapshot", "many").strip(),
             f"{len(jobs)}|{len(MACHINES)}", "each host has its snapshot, and each layout is stored once")
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        results = list(pool.map(lambda n: scan(url, MACHINES[n % 2], "one"), range(12)))
    tap.same([result.stderr for result in results if result.status], [], "12 scans of one host at once: none fails")
    tap.same(server.sql(socket, "SELECT count(*) FROM pmuq.host WHERE name = 'one'", "many").strip(), "1", "it is one host")
    exported = pmuq("--db", url, "export", "--all-hosts").out

    def work(n):
        if n % 4 == 0:
            return pmuq("--db", url, "import", "-", stdin=exported)
        if n % 4 == 1:
            return pmuq("--db", url, "forget", "one") if n == 1 else pmuq("--db", url, "hosts")
        return scan(url, MACHINES[n % len(MACHINES)], f"new-{n % 5}")
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        results = list(pool.map(work, range(24)))
    tap.same([result.stderr for result in results if result.status], [], "imports, forget, lists and scans at once: none fails")
    tap.ok(pmuq("--db", url, "export", "--all-hosts").status == 0, "every host can be read afterwards")


def killed(socket):
    """A process that is killed while it writes leaves nothing, and blocks nobody."""
    url = new_database(socket, "killed")
    scan(url, MACHINES[0])
    before = pmuq("--db", url, "export", "--all-hosts").out
    for n in range(8):
        child = subprocess.Popen([PMUQ, "--db", url, *machine("big-uncore-k6.12"), "scan", "--name", "big"], stdout=subprocess.PIPE)
        time.sleep(0.02 * n)  # anywhere in its work
        child.kill()
        child.communicate()
    hosts = [row["host"] for row in pmuq("--db", url, "hosts", "-J").rows]
    tap.ok(set(hosts) <= {MACHINES[0], "big"}, "hosts after 8 killed scans", hosts)
    if "big" in hosts:
        pmuq("--db", url, "forget", "big")
    tap.ok(pmuq("--db", url, "export", "--all-hosts").out == before, "what was there is unchanged")
    tap.same(scan(url, "big-uncore-k6.12", "big").status, 0, "the next scan is not blocked")


def waits(socket):
    """A writer that waits for another one for too long fails with a code that means: try again."""
    url = new_database(socket, "waits")
    scan(url, MACHINES[0])
    holder = subprocess.Popen([server.programs() / "psql", "-XAtq", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    holder.stdin.write("BEGIN; SELECT pg_advisory_xact_lock(1886221681, 1), 'held';\n")
    holder.stdin.flush()
    holder.stdout.readline()
    for limit in ("lock_timeout", "statement_timeout"):
        result = pmuq("--db", url + f"&options=-c{limit}%3D300", *machine(MACHINES[0]), "scan", "--name", "x")
        refused(result, 4, "PMUQ-084", "try again", f"a writer that cannot wait any longer: {limit}")
    tap.same(pmuq("--db", url, "hosts").status, 0, "a reader does not wait")
    holder.communicate("COMMIT;\n")
    tap.same(scan(url, MACHINES[0], "x").status, 0, "then it writes")


# ------------------------------------------------------------------------------------------ refusals

def schemas(socket):
    """pmuq uses only tables as it made them."""
    url = new_database(socket, "schemas")
    refused(pmuq("--db", url, "hosts"), 4, "PMUQ-080", "`pmuq scan` creates them", "a database without tables is not read")
    for words in (["ingest"], ["db", "rejected"], ["db", "drop", "x"]):
        refused(pmuq("--db", url, *words), 4, "PMUQ-080", "`pmuq db init`", f"a database without tables: {' '.join(words)}")
    scan(url, MACHINES[0])

    def after(sql, undo, code, hint, name):
        server.sql(socket, sql, "schemas")
        for words in (["hosts"], [*machine(MACHINES[0]), "scan", "--name", "x"]):
            refused(pmuq("--db", url, *words), 4, code, hint, f"{name}: {words[-1]}")
        server.sql(socket, undo, "schemas")
    after("ALTER TABLE pmuq.host ADD COLUMN owner text", "ALTER TABLE pmuq.host DROP COLUMN owner", "PMUQ-081", "nothing was changed", "a column more")
    after("CREATE TABLE pmuq.note (x int)", "DROP TABLE pmuq.note", "PMUQ-081", "nothing was changed", "a table more")
    after("CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
          "CREATE TRIGGER spy BEFORE INSERT ON pmuq.host FOR EACH ROW EXECUTE FUNCTION f()", "DROP TRIGGER spy ON pmuq.host", "PMUQ-081",
          "remove what was added", "a trigger")
    after("CREATE RULE spy AS ON INSERT TO pmuq.host DO NOTHING", "DROP RULE spy ON pmuq.host", "PMUQ-081", "remove what was added", "a rule")
    after("UPDATE pmuq.store_version SET version = 99", "UPDATE pmuq.store_version SET version = 1", "PMUQ-082", "use the pmuq that updated it", "a newer schema")
    after("ALTER TABLE pmuq.store_version RENAME TO v", "ALTER TABLE pmuq.v RENAME TO store_version", "PMUQ-081", "name another database", "another schema `pmuq`")
    server.sql(socket, "CREATE TABLE public.host AS SELECT 1 AS id, 'x' AS name", "schemas")
    tap.same([row["host"] for row in pmuq("--db", url, "hosts", "-J").rows], [MACHINES[0]], "a table of another schema is not used")
    server.sql(socket, "UPDATE pmuq.definition_format SET text = 'config:0-3'", "schemas")
    refused(pmuq("--db", url, "--host", MACHINES[0], "list"), 4, "PMUQ-083", "restore", "a content that does not match its hash")
    server.sql(socket, "UPDATE pmuq.host SET name = chr(1114111) || 'no digits'", "schemas")
    refused(pmuq("--db", url, "hosts"), 4, "PMUQ-083", "restore", "a text that no pmuq stored")
    server.sql(socket, "DROP SCHEMA pmuq CASCADE", "schemas")
    tap.same(scan(url, MACHINES[0]).status, 0, "a dropped schema is created again")


def references(socket):
    """Triggers keep what foreign keys would keep (scripts/schema_postgres.py)."""
    url = new_database(socket, "keys")
    scan(url, MACHINES[0])
    refuse = "DO $$ BEGIN {}; RAISE 'done'; EXCEPTION WHEN foreign_key_violation THEN NULL; END $$"
    another = "INSERT INTO pmuq.snapshot (host, hash, host_class, layout, fact_set, tracepoint_set, problem_set, first_seen, last_seen) " \
              "SELECT host, hash, host_class, {}, first_seen, last_seen FROM pmuq.snapshot"
    columns = ("layout", "fact_set", "tracepoint_set", "problem_set")
    for missing in columns:
        values = ", ".join("99999" if name == missing else name for name in columns)
        server.sql(socket, refuse.format(another.format(values)), "keys")
        server.sql(socket, refuse.format(f"DELETE FROM pmuq.{missing}"), "keys")
    server.sql(socket, refuse.format("INSERT INTO pmuq.snapshot_fact (snapshot, position, name, text, is_volatile) VALUES (99999, 0, 'a', 'b', 0)"), "keys")
    tap.ok(True, "a snapshot, or a fact, without what it refers to is refused, and a content in use is not deleted")
    server.sql(socket, "DELETE FROM pmuq.host", "keys")
    tap.same(server.sql(socket, "SELECT (SELECT count(*) FROM pmuq.snapshot), (SELECT count(*) FROM pmuq.snapshot_fact)", "keys").strip(), "0|0",
             "with a host, its snapshots and their facts are deleted")


def rights(socket):
    url = new_database(socket, "rights")
    scan(url, MACHINES[0])
    server.sql(socket, "CREATE ROLE reader LOGIN; CREATE ROLE nobody LOGIN")
    mine = server.url(socket, "rights", "reader")
    refused(pmuq("--db", mine, "hosts"), 4, "PMUQ-080", "GRANT USAGE", "a user without rights cannot read")
    server.sql(socket, "GRANT USAGE ON SCHEMA pmuq TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA pmuq TO reader", "rights")
    tap.same([row["host"] for row in pmuq("--db", mine, "hosts", "-J").rows], [MACHINES[0]], "two rights are enough to read")
    refused(scan(mine, MACHINES[0], "x"), 4, "PMUQ-080", "INSERT", "they are not enough to write")
    server.sql(socket, "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pmuq TO reader", "rights")
    tap.same(scan(mine, MACHINES[0], "x").status, 0, "three more are")
    refused(scan(server.url(socket, "postgres", "nobody"), MACHINES[0]), 4, "PMUQ-080", "owner|GRANT", "a user who may not create a schema")
    server.sql(socket, "ALTER ROLE reader SET default_transaction_read_only = on")
    tap.same(pmuq("--db", mine, "hosts").status, 0, "a read-only role reads")


def connections(socket):
    def fails(url, hint, name, env=None):
        refused(pmuq("--db", url, "hosts", env=env), 4, "PMUQ-080", hint, name)
    fails(server.url("/nonexistent", "x"), "check that the server runs", "no server")
    fails("postgresql://127.0.0.1:1/x", "check that the server runs", "no server on that port")
    fails("postgresql://db.invalid/x", "check that the server runs", "no such computer")
    fails(server.url(socket, "nosuch"), "`createdb` creates a database", "no such database")
    fails(server.url(socket, "postgres", "nosuch"), "name another user", "no such user")
    fails("service=nosuch", "check that|for example", "no such service")
    fails(f"postgresql://me:{SECRET}@@x/y", "for example", "a connection string that cannot be parsed")
    fails(f"host=x password={SECRET} {SECRET}", "for example", "nor these keywords")
    fails(f"host = {socket} dbname = nosuch user = {server.USER} password = {SECRET}", "`createdb` creates a database", "keywords with blanks")
    fails("postgresql://me@x/y?nosuch=1", "for example", "an option that does not exist")
    server.sql(socket, "CREATE DATABASE latin1 ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    fails(server.url(socket, "latin1"), "createdb -E UTF8", "another encoding")
    with tempfile.TemporaryDirectory() as directory:
        pathlib.Path(directory, "libpq.so.5").touch()
        refused(pmuq("--db", server.url(socket, "postgres"), "hosts", env={"LD_LIBRARY_PATH": directory}), 4, "PMUQ-003", "package libpq5", "libpq is missing")
        tap.same(pmuq(*machine(MACHINES[0]), "--db", f"{directory}/x.db", "scan", "--name", "x", env={"LD_LIBRARY_PATH": directory}).status, 0,
                 "a file needs no libpq")
        path = pathlib.Path(directory, "service")
        path.write_text(f"[here]\nhost={socket}\nuser={server.USER}\ndbname=postgres\n")
        result = pmuq("--db", "service=here", "hosts", env={"PGSERVICEFILE": str(path)})
        refused(result, 4, "PMUQ-080", "`pmuq scan` creates them", "a service file names the database")


def passwords():
    with server.running("password_encryption=scram-sha-256") as socket:
        scan(new_database(socket, "a"), MACHINES[0])
        server.sql(socket, f"CREATE ROLE keeper LOGIN SUPERUSER PASSWORD '{SECRET}'")
        path = pathlib.Path(socket, "data/pg_hba.conf")
        path.write_text("local all all scram-sha-256\n")
        subprocess.run([server.programs() / "pg_ctl", "-D", f"{socket}/data", "reload"], check=True, stdout=subprocess.DEVNULL, cwd="/", **server.OWNER)
        mine = server.url(socket, "a", "keeper")
        refused(pmuq("--db", mine, "hosts", env={"PGPASSFILE": "/nonexistent"}), 4, "PMUQ-080", "wants a password", "no password")
        refused(pmuq("--db", mine, "hosts", env={"PGPASSWORD": "x" + SECRET}), 4, "PMUQ-080", "check the user and the password", "a wrong password")
        wrong = mine.replace("keeper@", f"keeper:{SECRET}x@")
        refused(pmuq("--db", wrong, "hosts"), 4, "PMUQ-080", "check the user and the password", "a wrong password in the URL")
        right = mine.replace("keeper@", f"keeper:{SECRET}@")
        tap.same(pmuq("--db", right, "hosts").status, 0, "the right password in the URL")
        refused(pmuq("--db", right, "--host", "nosuch", "list"), 4, "PMUQ-086", MACHINES[0], "a later error does not contain it either")
        tap.same(pmuq("--db", mine, "hosts", env={"PGPASSWORD": SECRET}).status, 0, "the right password in the environment")


def ends_early():
    """The server stops while a command reads and writes."""
    with server.running() as socket:
        url = new_database(socket, "ends")
        scan(url, MACHINES[0])
        exported = pmuq("--db", url, "export", "--all-hosts").text
        child = subprocess.Popen([PMUQ, "--db", url, "import", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not server.sql(socket, "SELECT 1 FROM pg_stat_activity WHERE datname = 'ends' AND application_name = 'pmuq'"):
            time.sleep(0.05)
        os.kill(int(pathlib.Path(socket, "data/postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
        while pathlib.Path(socket, "data/postmaster.pid").exists():
            time.sleep(0.05)
        out, err = child.communicate(exported)
        tap.ok(child.returncode == 4 and "PMUQ-080" in out + err, "a server that stops in the middle: 4 and PMUQ-080", child.returncode, out + err)


def main():
    if not server.programs():
        print("1..0 # SKIP no PostgreSQL server is installed")
        return
    with server.running() as socket:
        for test in (same_exports, views, at_once, killed, waits, schemas, references, rights, connections):
            test(socket)
    passwords()
    ends_early()
    tap.finish()


main()
