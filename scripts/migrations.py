#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""schemas/migrations/NNNN-name.sql → a C table of steps (migrations.c), in order."""
import json
import os
import sys


def main(paths):
    print("/* Generated from schemas/migrations. */")
    print('#include "db/migrate.h"\n\nconst struct pq_migration pq_migrations[] = {')
    for number, path in enumerate(paths, 1):
        name = os.path.basename(path).removesuffix(".sql")
        if name[:5] != f"{number:04}-":
            sys.exit(f"{path}: step {number} must be named {number:04}-….sql")
        with open(path, encoding="utf-8") as file:
            lines = [line for line in file if line.strip() and not line.startswith("--")]
        print(f"\t{{ .name = {json.dumps(name)}, .sql =")
        for line in lines:
            print(f"\t\t{json.dumps(line)}")
        print("\t},")
    print("};\nconst unsigned pq_migrations_count = sizeof(pq_migrations) / sizeof(pq_migrations[0]);")


if __name__ == "__main__":
    main(sys.argv[1:])
