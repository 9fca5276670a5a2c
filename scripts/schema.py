#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates a C table of schema steps, in order, from schemas/schema.sql and schemas/steps/NNNN-name.sql."""
import json
import pathlib
import sys


def main(paths):
    print('/* Generated from schemas/. */\n#include "db/sqlite/schema.h"\n\nstatic const struct pq_schema_step steps[] = {')
    for number, path in enumerate(map(pathlib.Path, paths), 1):
        if number > 1 and path.name[:5] != f"{number:04}-":
            sys.exit(f"{path}: step {number} must be named {number:04}-….sql")
        print(f"\t{{ .name = {json.dumps(path.stem)}, .sql =")
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.strip() and not line.startswith("--"):
                print(f"\t\t{json.dumps(line)}")
        print("\t},")
    print("};\nconst struct pq_schema pq_schema = { .steps = steps, .n = sizeof(steps) / sizeof(steps[0]) };")


main(sys.argv[1:])
