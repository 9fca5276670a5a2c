#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""many_agents.py PMUQ MACHINES HOSTS ROUNDS: 32 agents hand in HOSTS made-up hosts of 12 classes, 1 % of them with a content that no
other has, in random order; then 4 processes ingest them. All hosts change twice: first agents and ingest work at the same time, then
one after the other. Then ROUNDS rounds of heartbeats. Prints rates and sizes, and fails if a host is lost, if a transaction failed, or if a table has grown by more than 20 %.

An agent is a connection of pgbench (32 at once) that takes the role of one host after the other, which only a superuser may: it sends
one statement for each host. So the time to connect and to authenticate is not in the rates."""
import contextlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import server

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "harness"))
from many_documents import MACHINES  # noqa: E402

AGENTS, WORKERS = 32, 4
# What each host sends; `generation` changes a fact of its content.
STAGE = r"""
CREATE SCHEMA stage;
GRANT USAGE ON SCHEMA stage TO PUBLIC;
CREATE TABLE stage.class (class int, document text);
CREATE TABLE stage.content (hash bytea PRIMARY KEY, document text);
CREATE TABLE stage.host (n bigint PRIMARY KEY, role text, hash bytea, own text, state bytea);
CREATE SEQUENCE stage.turn;
GRANT SELECT ON ALL TABLES IN SCHEMA stage TO PUBLIC;
GRANT ALL ON SEQUENCE stage.turn TO PUBLIC;
CREATE FUNCTION stage.fill(hosts int, generation int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	TRUNCATE stage.content, stage.host;
	PERFORM setval('stage.turn', 1, false);
	CREATE TEMPORARY TABLE made ON COMMIT DROP AS
		SELECT k, format('host%s', lpad(k::text, 7, '0')) AS role,
			replace(regexp_replace(document, '"entries": [0-9]+, ', ''), '"facts": {', format('"facts": {"generation": "%s%s", ', generation,
				CASE WHEN k % 100 = 7 THEN format('.%s', k) ELSE '' END)) AS document
		FROM generate_series(1, hosts) AS k JOIN stage.class ON class = k % 12;
	INSERT INTO stage.content SELECT sha256(convert_to(document, 'UTF8')), document FROM made ON CONFLICT DO NOTHING;
	INSERT INTO stage.host SELECT row_number() OVER (ORDER BY random()), role, sha256(convert_to(document, 'UTF8')),
		format('8:hostname11:%s7:boot_id32:%s10:machine_id32:%s', role, md5('b' || k), md5('m' || k)) FROM made;
	UPDATE stage.host SET state = sha256(hash || convert_to(own, 'UTF8'));
END
$$;
-- As pmuq push does it.
CREATE FUNCTION stage.deliver(turn bigint) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	mine stage.host;
	taken int;
BEGIN
	SELECT * INTO STRICT mine FROM stage.host WHERE n = turn;
	PERFORM set_config('session_authorization', mine.role, false);
	taken := pmuq_inbox.deliver(mine.state, mine.hash, mine.own, extract(epoch FROM now())::bigint, NULL);
	IF taken = 0 THEN
		taken := pmuq_inbox.deliver(mine.state, mine.hash, mine.own, extract(epoch FROM now())::bigint,
			(SELECT document FROM stage.content WHERE hash = mine.hash));
	END IF;
	IF taken <> 1 THEN
		RAISE EXCEPTION 'not taken';
	END IF;
	RETURN taken;
END
$$;
CREATE FUNCTION stage.beat(turn bigint) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
	mine stage.host;
BEGIN
	SELECT * INTO STRICT mine FROM stage.host WHERE n = turn;
	PERFORM set_config('session_authorization', mine.role, false);
	IF pmuq_inbox.heartbeat(mine.state) <> 1 THEN
		RAISE EXCEPTION 'unknown';
	END IF;
	RETURN 1;
END
$$;
"""
ROLES = """DO $$ BEGIN FOR k IN 1..{hosts} LOOP
	EXECUTE format('CREATE ROLE host%s LOGIN IN ROLE pmuq_agent', lpad(k::text, 7, '0'));
END LOOP; END $$"""
SIZES = "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r' AND relnamespace IN ('pmuq'::regnamespace, 'pmuq_inbox'::regnamespace)"


class Load:
    def __init__(self, socket, pmuq, machines, hosts):
        self.socket, self.pmuq, self.machines, self.hosts = socket, pmuq, machines, hosts
        self.url = server.url(socket, "load")
        server.sql(socket, "CREATE DATABASE load")
        self.run("--db", self.url, "db", "init")
        self.sql(STAGE)

    def sql(self, text):
        return server.sql(self.socket, text, "load").strip()

    def number(self, text):
        return int(self.sql(text))

    def run(self, *words):
        return subprocess.run([self.pmuq, *words], check=True, capture_output=True, text=True).stdout

    def learn_classes(self):
        """The documents that `pmuq push` makes of captured machines."""
        self.sql("CREATE ROLE sample LOGIN IN ROLE pmuq_agent")
        for number, name in enumerate(MACHINES):
            self.run("--sysroot", f"{self.machines}/{name}", "push", "--to", server.url(self.socket, "load", "sample"))
            self.sql(f"INSERT INTO stage.class SELECT {number}, document FROM pmuq_inbox.delivery; DELETE FROM pmuq_inbox.delivery")
        self.sql("DELETE FROM pmuq_inbox.agent")
        sizes = self.sql("SELECT string_agg(octet_length(document)::text, ' ' ORDER BY class) FROM stage.class")
        print(f"documents of {sizes} bytes", flush=True)

    def cpu_s(self):
        """CPU seconds of all processes of the server that have ended, and of those that this program waited for."""
        pid = pathlib.Path(self.socket, "data/postmaster.pid").read_text().split()[0]
        words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK") + ended.ru_utime + ended.ru_stime

    @contextlib.contextmanager
    def measured(self, what):
        """Prints the rate of the hosts that the block adds to the list, also per CPU second: others may use the machine."""
        done, start, start_cpu = [], time.monotonic(), self.cpu_s()
        yield done
        took = time.monotonic() - start
        time.sleep(0.2)  # until the server has waited for its processes
        used = self.cpu_s() - start_cpu
        print(f"{what}: {sum(done):,} hosts in {took:.1f} s, {sum(done) / took:,.0f} a second, {sum(done) / used:,.0f} per second of CPU", flush=True)

    def agents(self, statement):
        """All hosts, once."""
        self.sql("SELECT setval('stage.turn', 1, false)")
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
            script.write(f"SELECT stage.{statement}(nextval('stage.turn'));\n")
            script.flush()
            done = subprocess.run([server.programs() / "pgbench", "-n", "-M", "prepared", "-c", str(AGENTS), "-j", "2", "-t", str(self.hosts // AGENTS),
                                   "-f", script.name, self.url], capture_output=True, text=True, check=False)
        if done.returncode or not re.search(r"actually processed: (\d+)/\1\b", done.stdout):
            sys.exit(f"agents failed: {done.stdout}{done.stderr}")
        return self.hosts

    @contextlib.contextmanager
    def workers(self, *words):
        children = [subprocess.Popen([self.pmuq, "--db", self.url, "ingest", "-J", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(WORKERS)]
        self.results = []
        yield
        for child in children:
            if words:
                child.send_signal(signal.SIGINT)
            out, err = child.communicate()
            if child.returncode not in (0, -signal.SIGINT):
                sys.exit(f"pmuq ingest failed: {child.returncode} {err}")
            self.results.append(json.loads(out))

    def ingest(self):
        """Everything that waits."""
        with self.workers():
            pass
        return sum(result["hosts"] + result["heartbeats"] for result in self.results)

    def check(self, snapshots):
        found = self.sql("SELECT (SELECT count(*) FROM pmuq.host), (SELECT count(*) FROM pmuq.snapshot), (SELECT count(*) FROM pmuq_inbox.delivery),"
                         " (SELECT deadlocks FROM pg_stat_database WHERE datname = 'load'),"
                         " (SELECT count(*) FROM pmuq.snapshot JOIN stage.host ON role = (SELECT name FROM pmuq.host WHERE id = snapshot.host)"
                         "  JOIN pmuq_inbox.agent ON agent.role::text = host.role AND agent.snapshot = snapshot.id AND agent.state = stage.host.state)")
        if found != f"{self.hosts}|{snapshots}|0|0|{self.hosts}":
            sys.exit(f"hosts, snapshots, deliveries left, deadlocks, hosts in their newest state: {found}")

    def sizes(self):
        return {name: int(size) for name, size in (line.split("|") for line in self.sql(SIZES).splitlines())}


def main(pmuq, machines, hosts, rounds):
    hosts, rounds = int(hosts) // AGENTS * AGENTS, int(rounds)
    with server.running("max_locks_per_transaction=256", "shared_buffers=256MB") as socket:
        load = Load(socket, pmuq, machines, hosts)
        load.learn_classes()
        start = time.monotonic()
        load.sql(ROLES.format(hosts=hosts))
        print(f"{hosts:,} roles in {time.monotonic() - start:.1f} s", flush=True)
        load.sql(f"SELECT stage.fill({hosts}, 1); ")
        load.sql("ANALYZE")
        handed_in_then_stored(load, "new hosts")
        load.check(hosts)
        size = load.number("SELECT pg_database_size('load') - sum(pg_total_relation_size(oid)) FROM pg_class"
                           " WHERE oid IN ('stage.host'::regclass, 'stage.content'::regclass, 'pmuq_inbox.delivery'::regclass)")
        print(f"the database has {size / hosts:,.0f} bytes per host, without the pages of deliveries", flush=True)
        load.sql(f"SELECT stage.fill({hosts}, 2)")
        with load.measured(f"all hosts changed, handed in by {AGENTS} agents and stored by {WORKERS} workers at the same time") as done, load.workers("--for", "100000"):
            done.append(load.agents("deliver"))
            while load.number("SELECT count(*) FROM pmuq_inbox.delivery"):
                time.sleep(0.05)
        load.check(2 * hosts)
        load.sql(f"SELECT stage.fill({hosts}, 3)")
        handed_in_then_stored(load, "all hosts changed")
        load.check(3 * hosts)
        heartbeats(load, rounds)


def handed_in_then_stored(load, what):
    with load.measured(f"{what}, handed in by {AGENTS} agents") as done:
        done.append(load.agents("deliver"))
    with load.measured(f"{what}, stored by {WORKERS} workers") as done:
        done.append(load.ingest())


def heartbeats(load, rounds):
    load.sql("VACUUM ANALYZE")
    before = load.sizes()
    for number in range(rounds):
        with load.measured(f"round {number + 1}: heartbeats handed in") as done:
            done.append(load.agents("beat"))
        with load.measured(f"round {number + 1}: heartbeats stored") as done:
            done.append(load.ingest())
    load.check(3 * load.hosts)
    growth = {name: (size - before[name]) / before[name] for name, size in load.sizes().items() if size != before[name]}
    print("growth: " + (", ".join(f"{name} {share:+.1%}" for name, share in sorted(growth.items(), key=lambda item: -item[1])) or "none"))
    if any(share > 0.2 for share in growth.values()):
        sys.exit("a table has grown by more than 20 %")


if len(sys.argv) != 5:
    sys.exit(__doc__)
if not server.programs():
    sys.exit("many_agents.py: no PostgreSQL server is installed (package postgresql)")
main(*sys.argv[1:])
