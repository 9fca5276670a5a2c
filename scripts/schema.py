#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates a C table of schema steps, in order, from schemas/schema.sql and schemas/steps/NNNN-name.sql, with the objects
that a database has after each step. SQLite itself makes them: its text of a table differs from the step after an ALTER TABLE."""
import json
import pathlib
import sqlite3
import sys

OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid"


def statements(path):
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [line for line in lines if line.strip() and not line.startswith("--")]


def print_steps(steps):
    print("static const struct pq_schema_step steps[] = {")
    for number, (path, lines, objects) in enumerate(steps, 1):
        print(f"\t{{ .name = {json.dumps(path.stem)}, .objects = objects_{number}, .n_objects = {len(objects)}, .sql =")
        for line in lines:
            print(f"\t\t{json.dumps(line)}")
        print("\t},")
    print("};")


def print_objects(number, objects):
    print(f"static const struct pq_schema_object objects_{number}[] = {{")
    for object_type, name, table, sql in objects:
        text = "{ 0 }" if sql is None else f"STR({json.dumps(sql)})"
        print(f"\t{{ STR({json.dumps(object_type)}), STR({json.dumps(name)}), STR({json.dumps(table)}), {text} }},")
    print("};")


def main(paths):
    if sqlite3.sqlite_version_info < (3, 37):
        sys.exit(f"Python's SQLite is {sqlite3.sqlite_version}; the schema needs 3.37 or newer")
    database = sqlite3.connect(":memory:")
    steps = []
    print('/* Generated from schemas/. */\n#include "db/sqlite/schema.h"\n')
    for number, path in enumerate(map(pathlib.Path, paths), 1):
        if number > 1 and path.name[:5] != f"{number:04}-":
            sys.exit(f"{path}: step {number} must be named {number:04}-….sql")
        lines = statements(path)
        database.executescript("".join(lines))
        steps.append((path, lines, database.execute(OBJECTS).fetchall()))
        print_objects(number, steps[-1][2])
    print_steps(steps)
    print("const struct pq_schema pq_schema = { .steps = steps, .n = sizeof(steps) / sizeof(steps[0]) };")


main(sys.argv[1:])
