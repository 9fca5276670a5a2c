#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command uses SOURCE_DATE_EPOCH as the time of a scan, an import and a capture, and to count days back."""
import pathlib
import tempfile
import time

from tap import Tap, machine, pmuq

FIXED = {"SOURCE_DATE_EPOCH": "1700000000"}
FIXED_TEXT = "2023-11-14T22:13:20Z"
TREE = machine("pentium4")

tap = Tap()


def scanned(directory, text):
    """The time that `hosts` prints for a scan with that SOURCE_DATE_EPOCH."""
    db = ["--db", str(directory / f"of-{len(list(directory.iterdir()))}.db")]
    pmuq(*db, *TREE, "scan", "--name", "a", env={"SOURCE_DATE_EPOCH": text})
    return pmuq(*db, "hosts", "--json").json["hosts"][0]["last_seen"]


def scans(directory):
    tap.same(scanned(directory, "1700000000"), FIXED_TEXT, "a scan has the time of SOURCE_DATE_EPOCH")
    tap.same(scanned(directory, "0"), "1970-01-01T00:00:00Z", "SOURCE_DATE_EPOCH may be 0")
    this_year = time.gmtime().tm_year
    for text in ("", "x", "-5", "1e9", "1700000000x", "99999999999999999999"):
        tap.ok(int(scanned(directory, text)[:4]) >= this_year, f"'{text}' is not a time: the scan has the time of the clock")


def scans_too_late(directory):
    db = ["--db", str(directory / "late.db")]
    pmuq(*db, *TREE, "scan", "--name", "a", env=FIXED)
    late = pmuq(*db, *TREE, "scan", "--name", "b", env={"SOURCE_DATE_EPOCH": "253402300800"})
    tap.ok(late.status == 2 and "9999" in late.stderr and "SOURCE_DATE_EPOCH" in late.stderr, "a scan after the year 9999 is refused", late.status, late.stderr)
    tap.same([host["host"] for host in pmuq(*db, "hosts", "--json").json["hosts"]], ["a"], "… and the database can be read")


def captures(directory):
    archives = []
    for name, env in (("a", FIXED), ("b", FIXED), ("c", {"SOURCE_DATE_EPOCH": "1700000001"})):
        path = directory / name / "captured.tar"
        path.parent.mkdir()
        tap.same(pmuq(*TREE, "capture", str(path), env=env).status, 0, f"capture {name}")
        archives.append(path.read_bytes())
    tap.ok(archives[0] == archives[1], "captures with one SOURCE_DATE_EPOCH are the same bytes")
    tap.ok(archives[0] != archives[2], "captures with different SOURCE_DATE_EPOCHs differ")


def forgets(directory):
    db = ["--db", str(directory / "old.db")]
    for name, at in (("old", "1600000000"), ("new", "1699990000")):
        pmuq(*db, *TREE, "scan", "--name", name, env={"SOURCE_DATE_EPOCH": at})
    pmuq(*db, "forget", "--before", "30d", env=FIXED)
    tap.same([host["host"] for host in pmuq(*db, "hosts", "--json").json["hosts"]], ["new"],
             "ages in days are counted from SOURCE_DATE_EPOCH")


with tempfile.TemporaryDirectory() as directory:
    scans(pathlib.Path(directory))
    scans_too_late(pathlib.Path(directory))
    captures(pathlib.Path(directory))
    forgets(pathlib.Path(directory))
tap.finish()
