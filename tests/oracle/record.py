#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records how perf parses generated strings on captured trees.

    record.py --root ROOT [--seed N] [--count N] [--jobs N] OUT.jsonl.xz TREE…

ROOT is the root directory of a Debian with perf and its Python module (linux-perf, python3); TREE contains
a machine's sys/. Needs root, for a mount namespace and chroot, and a C compiler. perf's tables of CPUs are
left out, and all opens seem to succeed. strings.py makes the strings, parse.py runs perf's parser."""
import argparse
import concurrent.futures
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from strings import Strings  # noqa: E402

HERE = pathlib.Path(__file__).parent
NO_TABLES = "NoVendor-0-0-0"
# In its own mount namespace: the tree, and the file systems that python needs, inside the root.
ENTER = """
set -eu
root=$1 tree=$2 tools=$3 cpuid=$4
preload="LD_PRELOAD=/$tools/opens_succeed.so"
if [ -e "$root/$tools/emulator" ]; then run="/$tools/emulator -E $preload"; else run="/usr/bin/env $preload"; fi
mount --bind "$tree" "$root/$tools/tree"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C HOME=/nonexistent PERF_CPUID="$cpuid" \
    SYSFS_PATH="/$tools/tree/sys" TRACEFS_PATH="/$tools/tree/sys/kernel/tracing" \
    chroot "$root" $run /usr/bin/python3 "/$tools/parse.py"
"""


def prepare(root, emulator=None):
    """Puts the tools into the root and returns their directory. A root of another architecture needs its static user emulator."""
    tools = pathlib.Path(tempfile.mkdtemp(prefix="pmuq-oracle-", dir=root / "tmp"))
    (tools / "tree").mkdir()
    shutil.copy(HERE / "parse.py", tools)
    if emulator:
        shutil.copy(emulator, tools / "emulator")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", tools / "opens_succeed.so",
                    HERE / "opens_succeed.c", "-ldl"], check=True)
    return tools


def query(root, tools, tree, strings, cpuid=NO_TABLES):
    """perf's results for one tree, in the order of the strings."""
    words = ["unshare", "-m", "sh", "-c", ENTER, "sh", root, tree.resolve(), tools.relative_to(root), cpuid]
    done = subprocess.run(words, input="".join(json.dumps(s) + "\n" for s in strings), check=False, text=True,
                          stdout=subprocess.PIPE)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    if len(rows) != len(strings):
        sys.exit(f"{tree.name}: {len(rows)} results for {len(strings)} strings")
    return [{"machine": tree.name, **row} for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500, help="strings a machine")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("out")
    parser.add_argument("trees", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    options.root = options.root.resolve()
    os.nice(10)
    tools = prepare(options.root)
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(
                lambda tree: query(options.root, tools, tree, Strings(tree, options.seed).strings(options.count)), options.trees))
    finally:
        shutil.rmtree(tools)
    rows = [row for rows in results for row in rows]
    with lzma.open(options.out, "wt", preset=9) as out:
        for row in rows:
            out.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(f"{len(rows)} strings, {sum(row.get('accepted', False) for row in rows)} accepted, "
          f"{sum('crashed' in row for row in rows)} ended perf")


if __name__ == "__main__":
    main()
