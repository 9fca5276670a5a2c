#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""corpus.py BUILD [TARGET...]: keeps what fuzzing found. Of the inputs in BUILD/corpus and of the seeds, the few that reach every
edge together replace those in corpus.tar.xz; by default for each target that has inputs in BUILD/corpus."""
import io
import lzma
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

from run import LONGEST_BYTES

ARCHIVE = pathlib.Path(__file__).parent / "corpus.tar.xz"


def kept():
    """The kept inputs by target."""
    inputs = {}
    if not ARCHIVE.exists():
        return inputs
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            inputs.setdefault(member.name.split("/")[0], []).append(archive.extractfile(member).read())
    return inputs


def minimized(build, target):
    data = build / "tests/fuzz"
    with tempfile.TemporaryDirectory(prefix="pmuq-corpus-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as directory:
        out = pathlib.Path(directory, "out")
        out.mkdir()
        # Without counters an input counts for its edges only, not for how often it takes each.
        subprocess.run([data / f"fuzz_{target}", "-set_cover_merge=1", "-use_counters=0", f"-max_len={LONGEST_BYTES[target]}", out,
                        data / "corpus" / target, build / "corpus" / target], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": directory, "PMUQ_TEST_MACHINES": str(data / "machines")})
        return [path.read_bytes() for path in sorted(out.iterdir())]


def write(inputs):
    """The same inputs give the same bytes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for target in sorted(inputs):
            for number, data in enumerate(sorted(inputs[target])):
                member = tarfile.TarInfo(f"{target}/{number:04}")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    ARCHIVE.write_bytes(lzma.compress(packed.getvalue(), preset=9 | lzma.PRESET_EXTREME))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    inputs = kept()
    for target in sys.argv[2:] or sorted(path.name for path in (build / "corpus").iterdir()):
        inputs[target] = minimized(build, target)
        print(f"{target}: {len(inputs[target])} inputs, {sum(map(len, inputs[target]))} bytes", flush=True)
    write(inputs)


if __name__ == "__main__":
    main()
