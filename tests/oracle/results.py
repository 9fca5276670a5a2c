# SPDX-License-Identifier: MIT
"""What the tests of this directory share: recordings by tree, and pmuq's results for many strings."""
import json
import lzma
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cli"))
from tap import MACHINES, pmuq  # noqa: E402
from judge import NO_CPUS_LEFT, of_pmuq, without_dropped  # noqa: E402
from trees import odd_trees, small_trees  # noqa: E402

HERE = pathlib.Path(__file__).parent
OF_MACHINES = ("machines-perf7.2.jsonl.xz", "generated-perf7.2.jsonl.xz")
OF_TREES = ("small-trees-perf7.2.jsonl.xz", "odd-trees-perf7.2.jsonl.xz")
# As many strings as fit a command line.
STRINGS_MAX = 500
# At most so many bytes of a string are dropped by perf's scanner and refused by pmuq.
DROPPED_MAX = 5
PERF = ("--dialect", "perf")


def rows_of(name):
    with lzma.open(HERE / name, "rt") as file:
        yield from map(json.loads, file)


def by_tree(name):
    """Rows by tree, without those on which perf crashed, and without those with its tables of a CPU ("sys@CPUID")."""
    trees = {}
    for row in rows_of(name):
        tree = row.get("machine") or row["tree"]
        if "crashed" not in row and "@" not in tree:
            trees.setdefault(tree, []).append(row)
    return trees


def recording(file, trees):
    """(name, root, rows) of every tree of one recording; the trees are directories of `trees`."""
    for tree, rows in by_tree(pathlib.Path(file).resolve()).items():
        yield tree, pathlib.Path(trees) / tree, rows


def recordings(scratch):
    """(name, root, rows) of every tree of every recording; the trees are unpacked into `scratch`."""
    scratch = pathlib.Path(scratch)
    small_trees(scratch)
    odd_trees(scratch)
    for name in OF_MACHINES:
        for tree, rows in by_tree(name).items():
            yield tree, MACHINES / tree, rows
    for name in OF_TREES:
        for tree, rows in by_tree(name).items():
            yield f"the tree '{tree}'", scratch / tree, rows


def encode(root, texts, *options):
    found = []
    for at in range(0, len(texts), STRINGS_MAX):
        found += pmuq("--sysroot", str(root), "encode", "--no-open", "--jsonl", *options, "--",
                      *texts[at:at + STRINGS_MAX]).lines
    return found


def encode_stripped(root, rows, elements):
    """For strings that pmuq refuses: pmuq's result for the bytes that perf's scanner keeps."""
    waiting = {i: (row["input"], element) for i, (row, element) in enumerate(zip(rows, elements))
               if row["accepted"] and not element["ok"]}
    results = {}
    for _ in range(DROPPED_MAX):
        shorter = {i: without_dropped(*pair) for i, pair in waiting.items()}
        shorter = {i: text for i, text in shorter.items() if text}
        if not shorter:
            break
        again = encode(root, list(shorter.values()), *PERF)
        waiting = {i: (text, element) for (i, text), element in zip(shorter.items(), again) if not element["ok"]}
        results |= {i: of_pmuq(element) or [] for i, element in zip(shorter, again)
                    if element["ok"] or element["error"]["code"] == NO_CPUS_LEFT}
    return results
