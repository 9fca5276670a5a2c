#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vary.py OUT: the recordings of this directory, each also in big-endian order (NAME.swapped),
and built recordings that no perf here can make."""
import pathlib
import sys

from perfdata import MADE, swapped

HERE = pathlib.Path(__file__).parent


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    recordings = {path.stem: (path / "data" if path.is_dir() else path).read_bytes() for path in sorted(HERE.glob("*.data"))}
    for name, data in {**recordings, **MADE}.items():
        (out / f"{name}.data").write_bytes(data)
        (out / f"{name}.swapped").write_bytes(swapped(data))
    (out / "stamp").touch()


main()
