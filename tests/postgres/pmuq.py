#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command pmuq with a database on a server in place of each file of --db, for tests that were written for SQLite: the same
file is the same database. with_postgres.py sets the environment."""
import os
import sys

import server

SOCKET = os.environ["PMUQ_TEST_POSTGRES"]
# Commands that create a database file.
CREATING = {"scan", "import", "vendor"}


def database(path, words):
    if path.startswith("postgresql://"):
        return path
    if CREATING & set(words):
        server.create_once(SOCKET, path)
    return server.url(SOCKET, server.name_of(path))


def main(words):
    at = words.index("--db") + 1 if "--db" in words else len(words)
    words[at:at + 1] = [database(path, words) for path in words[at:at + 1]]
    os.execv(os.environ["PMUQ_TEST_COMMAND"], ["pmuq", *words])


main(sys.argv[1:])
