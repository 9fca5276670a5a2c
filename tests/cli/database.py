# SPDX-License-Identifier: MIT
"""The content of a test's database, without pmuq: of a file of SQLite, or of a database on the server that
tests/postgres/with_postgres.py started, which has the same path for the tests."""
import contextlib
import os
import pathlib
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "postgres"))
import server  # noqa: E402

SOCKET = os.environ.get("PMUQ_TEST_POSTGRES")
IS_FILE = not SOCKET


def opened(path):
    """What a program has to open for that path."""
    return str(path) if IS_FILE else server.url(SOCKET, server.name_of(path))


def rows(path, sql):
    """Runs one statement; the rows as tuples."""
    if IS_FILE:
        with sqlite3.connect(path) as connection:
            return connection.execute(sql).fetchall()
    return server.rows(SOCKET, sql, server.name_of(path))


def tables(path, prefix=""):
    """The number of rows of each table whose name begins so; not of those for the index of SQLite."""
    names = rows(path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'" if IS_FILE else
                 "SELECT tablename FROM pg_tables WHERE schemaname = 'pmuq'")
    return {name: rows(path, f"SELECT count(*) FROM {name}")[0][0] for name, in sorted(names)
            if name.startswith(prefix) and not name.startswith("vendor_words")}


def copy(path, target):
    if IS_FILE:
        # Not a copy of the file: changes can still be in its log.
        with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(target)) as copied:
            source.backup(copied)
    else:
        server.copy(SOCKET, path, target)


def damages(path):
    """What is wrong with a database after a crash; the server checks its own."""
    return [] if not IS_FILE else [row for row in rows(path, "PRAGMA integrity_check") if row != ("ok",)] + rows(path, "PRAGMA foreign_key_check")
