#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands of a server's inbox without memory (../cli/memory_walk.py). Afterwards the inbox and the hosts are the old ones or the
new ones. test_memory.py [NAME...] starts a server itself."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
import server  # noqa: E402
from memory_walk import walk  # noqa: E402
from tap import MACHINES, Tap, pmuq  # noqa: E402

tap = Tap()
SKYLAKE = ["--sysroot", str(MACHINES / "skylake-sp")]
HOSTS, DELIVERIES = "pmuq.host", "pmuq_inbox.delivery"
DATABASE = "walked"


class Walk:
    """Walks over a command that changes the numbers of rows of those tables. Each run finds the same rows of all tables."""

    def __init__(self, socket, *counted):
        self.socket, self.counted = socket, counted
        listed = self.sql("SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname LIKE 'pmuq%'").split()
        full = [table for table in listed if self.sql(f"SELECT 1 FROM {table} LIMIT 1")]
        # Constraints hold for the rows as a whole.
        steps = ["SET session_replication_role = replica", *(f"DELETE FROM {table}" for table in listed)]
        self.sql("DROP SCHEMA IF EXISTS saved CASCADE; CREATE SCHEMA saved")
        for number, table in enumerate(full):
            self.sql(f"CREATE TABLE saved.t{number} AS TABLE {table}")
            steps.append(f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM saved.t{number}")
        self.reset = "; ".join(steps)
        self.old, self.new = self.counts(), None

    def sql(self, text):
        return server.sql(self.socket, text, DATABASE).strip()

    def counts(self):
        return [self.sql(f"SELECT count(*) FROM {table}") for table in self.counted]

    def before(self):
        self.sql(self.reset)

    def wrong_after(self, status):
        """A command that reports success has done all; one that fails has done all or nothing."""
        counts = self.counts()
        return "" if counts == self.new or (status and counts == self.old) else f"{counts} rows, not {self.old} or {self.new}"

    def __call__(self, name, words):
        if sys.argv[1:] and name not in sys.argv[1:]:
            return
        self.before()
        assert pmuq(*words).status == 0
        self.new = self.counts()
        walk(tap, name, words, {}, before=self.before, wrong_after=self.wrong_after)


class WalkOfSchemas(Walk):
    """Each run finds no schema of pmuq. Afterwards there is a whole inbox or none; the store's tables are made before it."""

    def __init__(self, socket):
        self.socket, self.old = socket, ["0"]
        self.reset = "DROP SCHEMA IF EXISTS pmuq CASCADE; DROP SCHEMA IF EXISTS pmuq_inbox CASCADE"

    def counts(self):
        return [self.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'pmuq_inbox'")]


def main():
    if not server.programs():
        print("1..0 # SKIP no PostgreSQL server is installed")
        return
    with server.running() as socket:
        server.sql(socket, f"CREATE DATABASE {DATABASE}")
        owner, agent = server.url(socket, DATABASE), server.url(socket, DATABASE, "web1")
        assert pmuq("--db", owner, "db", "init").status == 0
        server.sql(socket, "CREATE ROLE web1 LOGIN IN ROLE pmuq_agent")
        WalkOfSchemas(socket)("db init", ["--db", owner, "db", "init"])
        assert pmuq("--db", owner, "db", "init").status == 0
        Walk(socket, DELIVERIES)("push", [*SKYLAKE, "push", "--to", agent])
        assert pmuq(*SKYLAKE, "push", "--to", agent).status == 0
        Walk(socket, DELIVERIES)("push of a heartbeat", [*SKYLAKE, "push", "--to", agent])
        Walk(socket, HOSTS, DELIVERIES)("ingest", ["--db", owner, "ingest"])
    tap.finish()


main()
