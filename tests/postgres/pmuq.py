#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command pmuq with a database on a server in place of each file of --db, for tests that were written for SQLite: the same
file is the same database. with_postgres.py sets the environment."""
import hashlib
import os
import pathlib
import sys

import server

SOCKET = os.environ["PMUQ_TEST_POSTGRES"]
# Commands that create a database file.
CREATING = {"scan", "import", "vendor"}


def url_of(path, creates):
    if path.startswith("postgresql://"):
        return path
    name = "db_" + hashlib.sha256(os.path.abspath(path).encode()).hexdigest()[:16]
    marker = pathlib.Path(SOCKET, name)
    if creates and not marker.exists():
        server.sql(SOCKET, f"CREATE DATABASE {name}")
        marker.touch()
    return server.url(SOCKET, name)


def main(words):
    if "--db" in words:
        at = words.index("--db") + 1
        words[at:at + 1] = [url_of(word, bool(CREATING & set(words))) for word in words[at:at + 1]]
    os.execv(os.environ["PMUQ_TEST_COMMAND"], ["pmuq", *words])


main(sys.argv[1:])
