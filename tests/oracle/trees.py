# SPDX-License-Identifier: MIT
"""The small trees of small-trees.tar.xz: each is a machine with something odd."""
import os
import pathlib
import shutil
import sys
import tarfile

HERE = pathlib.Path(__file__).parent


def small_trees(directory):
    """The small trees, each as a machine; all of them get tracefs."""
    with tarfile.open(HERE / "small-trees.tar.xz") as archive:
        archive.extractall(directory / "raw")
    for tree in ["sys", "hyb", "tst", "quirk"]:
        root = directory / tree
        root.mkdir()
        os.rename(directory / "raw" / tree, root / "sys")
        (root / "sys/kernel").mkdir(exist_ok=True)
        shutil.copytree(directory / "raw/tracefs", root / "sys/kernel/tracing")
        cpus = root / "sys/devices/system/cpu"
        cpus.mkdir(parents=True, exist_ok=True)
        for name in ("online", "present", "possible"):
            (cpus / name).write_text("0-1\n")


def odd_trees(directory):
    """The machines of odd-trees.txt, each of 8 CPUs; returns their names."""
    names, devices = [], None
    for line in (HERE / "odd-trees.txt").read_text().splitlines():
        if line.startswith("tree "):
            names.append(line.removeprefix("tree "))
            devices = directory / names[-1] / "sys/bus/event_source/devices"
            cpus = directory / names[-1] / "sys/devices/system/cpu"
            cpus.mkdir(parents=True)
            for name in ("online", "present", "possible"):
                (cpus / name).write_text("0-7\n")
        elif line and not line.startswith("#"):
            name, text = line.split(" = ", 1)
            (devices / name).parent.mkdir(parents=True, exist_ok=True)
            (devices / name).write_text(text.replace("\\n", "\n").replace("\\t", "\t") + "\n")
    return names


if __name__ == "__main__":
    small_trees(pathlib.Path(sys.argv[1]))
    odd_trees(pathlib.Path(sys.argv[1]))
