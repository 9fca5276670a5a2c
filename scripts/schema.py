#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates a C table of schema steps, in order, from schemas/schema.sql and schemas/steps/NNNN-name.sql, with the objects
that a database has after each step. SQLite itself makes them: its text of a table differs from the step after an ALTER TABLE.
schema_postgres.py translates the steps for PostgreSQL; for a step that it cannot translate, NNNN-name.postgres.sql next to it
has the statements."""
import json
import pathlib
import sqlite3
import sys

import schema_postgres

OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid"


def statements(path):
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [line for line in lines if line.strip() and not line.startswith("--")]


def postgres_sql(path, lines, is_first):
    own = path.with_suffix(".postgres.sql")
    return "".join(statements(own)) if own.exists() else schema_postgres.sql_of(lines, is_first)


def print_lines(lines):
    for line in lines:
        print(f"\t\t{json.dumps(line)}")


def print_steps(steps):
    print("static const struct pq_schema_step steps[] = {")
    for path, lines, objects, postgres, fingerprint in steps:
        print(f"\t{{ .name = {json.dumps(path.stem)}, .n_objects = {len(objects)}, .objects =")
        for words in objects:
            print(f"\t\tPQ_SCHEMA_OBJECT({', '.join(json.dumps(word or '') for word in words)})")
        print("\t\t, .sql =")
        print_lines(lines)
        print("\t\t, .pg_sql =")
        print_lines(postgres.splitlines(keepends=True))
        print(f'\t\t, .pg_fingerprint = "{fingerprint}"')
        print("\t},")
    print("};")


def main(paths):
    if sqlite3.sqlite_version_info < (3, 37):
        sys.exit(f"Python's SQLite is {sqlite3.sqlite_version}; the schema needs 3.37 or newer")
    database = sqlite3.connect(":memory:")
    steps = []
    print('/* Generated from schemas/. */\n#include "db/schema.h"\n')
    for number, path in enumerate(map(pathlib.Path, paths), 1):
        if number > 1 and path.name[:5] != f"{number:04}-":
            sys.exit(f"{path}: step {number} must be named {number:04}-….sql")
        lines = statements(path)
        database.executescript("".join(lines))
        steps.append((path, lines, database.execute(OBJECTS).fetchall(), postgres_sql(path, lines, number == 1),
                      schema_postgres.fingerprint(database)))
    print_steps(steps)
    print("const struct pq_schema pq_schema = { .steps = steps, .n = sizeof(steps) / sizeof(steps[0]) };")


main(sys.argv[1:])
