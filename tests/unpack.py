#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unpack.py DIRECTORY STAMP ARCHIVE...: the captured machines, one directory each, then touches STAMP.
What is there and no older than its archive stays."""
import os
import pathlib
import shutil
import sys
import tarfile


def is_fresh(folder, archive):
    mark = folder / ".unpacked"
    return mark.exists() and mark.stat().st_mtime >= archive.stat().st_mtime


def unpack(archive, into):
    folder = into / archive.name.removesuffix(".tar.xz")
    if is_fresh(folder, archive):
        return
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(archive) as tar:
        tar.extractall(into)
    (folder / ".unpacked").touch()


def main():
    into, stamp = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    os.makedirs(into, exist_ok=True)
    for archive in sys.argv[3:]:
        unpack(pathlib.Path(archive), into)
    stamp.touch()


if __name__ == "__main__":
    main()
