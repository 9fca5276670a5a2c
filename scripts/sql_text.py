#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sql_text.py FILE...: prints a C source with the statements of each file as a string: NAME.sql is `pq_NAME_sql`."""
import json
import pathlib
import sys

print('/* Generated from schemas/. */\n#include "inbox/inbox.h"')
for path in map(pathlib.Path, sys.argv[1:]):
    print(f"\nconst char pq_{path.stem}_sql[] =")
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.strip() and not line.startswith("--"):
            print(f"\t{json.dumps(line)}")
    print("\t;")
