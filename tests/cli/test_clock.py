#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SOURCE_DATE_EPOCH is the time of what the command writes: a scan, an import, a capture; and of "so many days ago"."""
import pathlib
import tempfile
import time

from tap import Tap, machine, pmuq

FIXED = {"SOURCE_DATE_EPOCH": "1700000000"}
FIXED_TEXT = "2023-11-14T22:13:20Z"
TREE = machine("pentium4")

tap = Tap()


def scanned(directory, text):
    """What `hosts` shows as the time of a scan with that SOURCE_DATE_EPOCH."""
    db = ["--db", str(directory / f"of-{len(list(directory.iterdir()))}.db")]
    pmuq(*db, *TREE, "scan", "--name", "a", env={"SOURCE_DATE_EPOCH": text})
    return pmuq(*db, "hosts", "--json").json["hosts"][0]["last_seen"]


def scans(directory):
    tap.same(scanned(directory, "1700000000"), FIXED_TEXT, "a scan has the fixed time")
    tap.same(scanned(directory, "0"), "1970-01-01T00:00:00Z", "… the first second, too")
    this_year = time.gmtime().tm_year
    for text in ("", "x", "-5", "1e9", "1700000000x", "99999999999999999999"):
        tap.ok(int(scanned(directory, text)[:4]) >= this_year, f"'{text}' is not a time: the clock's is taken")


def captures(directory):
    archives = []
    for name, env in (("a", FIXED), ("b", FIXED), ("c", {"SOURCE_DATE_EPOCH": "1700000001"})):
        path = directory / name / "captured.tar"
        path.parent.mkdir()
        tap.same(pmuq(*TREE, "capture", str(path), env=env).status, 0, f"capture {name}")
        archives.append(path.read_bytes())
    tap.ok(archives[0] == archives[1], "captures of one time are the same bytes")
    tap.ok(archives[0] != archives[2], "… and of another time other bytes")


def forgets(directory):
    db = ["--db", str(directory / "old.db")]
    for name, at in (("old", "1600000000"), ("new", "1699990000")):
        pmuq(*db, *TREE, "scan", "--name", name, env={"SOURCE_DATE_EPOCH": at})
    pmuq(*db, "forget", "--before", "30d", env=FIXED)
    tap.same([host["host"] for host in pmuq(*db, "hosts", "--json").json["hosts"]], ["new"],
             "days ago are counted from the fixed time")


with tempfile.TemporaryDirectory() as directory:
    scans(pathlib.Path(directory))
    captures(pathlib.Path(directory))
    forgets(pathlib.Path(directory))
tap.finish()
