#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_queries.py MAKE_HOSTS MACHINES DOCUMENT [--update]: each query of the document gives the result below it.

A query is a fenced block of sql, its result the fenced block after it."""
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

BLOCKS = re.compile(r"(```sql\n(.*?)```\n\n```\n)(.*?)(```\n)", re.S)
WANTED = 10


def result(store, sql):
    """The rows in the layout of `sqlite3 -column -header`."""
    cursor = store.execute(sql)
    rows = [[column[0] for column in cursor.description]]
    rows += [["" if value is None else str(value) for value in row] for row in cursor]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    rows.insert(1, ["-" * width for width in widths])
    return "".join("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() + "\n" for row in rows)


def keeps_classes_apart(path):
    """Whether classes whose names are the same have rows of their own; changes the database."""
    with sqlite3.connect(path) as store:
        count = "SELECT count(*) FROM v_class"
        (before,) = store.execute(count).fetchone()
        store.execute("UPDATE host_class SET hash = CAST(zeroblob(4) || substr(hash, 5) AS BLOB)")
        return before > 1 and store.execute(count).fetchone() == (before,) and store.execute("SELECT DISTINCT class FROM v_class").fetchall() == [("00000000",)]


def main():
    make, machines, document = sys.argv[1:4]
    path = pathlib.Path(document)
    text = path.read_text()
    failed = count = 0
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([make, machines, f"{directory}/hosts.db"], check=True)
        store = sqlite3.connect(f"file:{directory}/hosts.db?mode=ro", uri=True)
        if "--update" in sys.argv:
            path.write_text(BLOCKS.sub(lambda block: block[1] + result(store, block[2]) + block[4], text))
            return 0
        for block in BLOCKS.finditer(text):
            count += 1
            got = result(store, block[2])
            fine = got == block[3] and got.count("\n") > 2
            failed += not fine
            print(f"{'ok' if fine else 'not ok'} {count} - {block[2].splitlines()[0]}")
            if not fine:
                print("".join(f"# {line}\n" for line in got.splitlines()), end="")
        count += 1
        apart = keeps_classes_apart(f"{directory}/hosts.db")
        failed += not apart
        print(f"{'ok' if apart else 'not ok'} {count} - classes of one name are rows of their own")
    count += 1
    enough = count - 2 == WANTED
    print(f"{'ok' if enough else 'not ok'} {count} - the document has {WANTED} queries")
    print(f"1..{count}")
    return 1 if failed or not enough else 0


sys.exit(main())
