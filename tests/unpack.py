#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unpack.py DIRECTORY STAMP ARCHIVE...: unpacks the captured machines, one directory each, then touches STAMP.
A directory of the same archive is kept, so that builds can share DIRECTORY. Builds that run at the same time wait for
each other: one unpacks, and the others find its directories."""
import fcntl
import hashlib
import os
import pathlib
import shutil
import sys
import tarfile


def unpack(archive, into):
    folder = into / archive.name.removesuffix(".tar.xz")
    mark, digest = folder / ".unpacked", hashlib.sha256(archive.read_bytes()).hexdigest()
    if mark.exists() and mark.read_text() == digest:
        return
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(archive) as tar:
        tar.extractall(into)
    mark.write_text(digest)


def main():
    into, stamp = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    os.makedirs(into, exist_ok=True)
    # The end of the process frees the lock.
    fcntl.flock(os.open(into, os.O_RDONLY | os.O_DIRECTORY), fcntl.LOCK_EX)
    for archive in sys.argv[3:]:
        unpack(pathlib.Path(archive), into)
    stamp.touch()


if __name__ == "__main__":
    main()
