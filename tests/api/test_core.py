#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The core alone (sysfs, catalogs, encode, decode, open) is built without SQLite, libyaml, libpfm4, libarchive and
libsmartcols, needs libc alone, is small, and has every symbol: test_core.py SOURCE_DIR LIBPMUQ CC"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import MACHINES, Tap  # noqa: E402

SOURCE, WHOLE = map(pathlib.Path, sys.argv[1:3])
CC = shlex.split(sys.argv[3])
WITHOUT = ["store", "inventory", "tar", "pfm", "completion", "metrics", "watch", "command"]
TEXT_MAX_BYTES = 200 << 10
FIGURES = SOURCE / "tests/bench/instructions.toml"

USES_A_STORE = """#include <pmuq/pmuq.h>
#include <stdio.h>
int main(void)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_store_open("none.db", PMUQ_STORE_READ, &store, &error);

	printf("%d %s; %s\\n", r, error->message.p, error->hint.p);
	pmuq_error_free(error);
	pmuq_store_free(store);
	return pmuq_hosts_count(NULL) != 0;
}
"""

tap = Tap()


def run(*words, **how):
    # LD_LIBRARY_PATH of the whole library would come before the run path of a program.
    env = {key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"}
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=240, env=env, **how)


def symbols(library):
    done = run("nm", "-D", "--defined-only", library)
    return {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if line.split()[-2] in "TDRB"}


def text_bytes(library):
    return int(re.search(r"^\.text +(\d+)", run("size", "-A", library).stdout, re.M)[1])


def build(work):
    done = run("meson", "setup", work, SOURCE, "--buildtype=release",
               *(f"-D{option}=disabled" for option in WITHOUT))
    tap.same(done.returncode, 0, "the core is set up without any of them", done.stdout[-2000:], done.stderr)
    for library in ("sqlite3", "yaml-0.1", "libarchive", "smartcols"):
        tap.ok(not re.search(rf"dependency {library} found: YES", done.stdout), f"… and does not look for {library}", done.stdout)
    done = run("ninja", "-C", work)
    tap.same(done.returncode, 0, "… and builds", done.stdout[-2000:])
    return work / "libpmuq.so"


def uses_a_store(work, library):
    source, program = work / "uses_a_store.c", work / "uses_a_store"
    source.write_text(USES_A_STORE)
    done = run(*CC, f"-I{SOURCE / 'include'}", f"-I{work / 'include'}", source, library, f"-Wl,-rpath,{work}", "-o", program)
    tap.same((done.returncode, done.stderr), (0, ""), "a program that uses a store links with the core")
    done = run(program)
    tap.ok("-3 this libpmuq was built without a store; build it with the option -Dstore=enabled" in done.stdout,
           "… and gets an error that names the missing library", done.stdout)


def documented():
    """The pages have the command of this test, and all options of the build."""
    for name in ("docs/install.md", "docs/DEVELOPING.md"):
        [command] = re.findall(r"^    meson setup build-core (.*)$", (SOURCE / name).read_text(), re.M)
        tap.same(command, " ".join(f"-D{option}=disabled" for option in WITHOUT), f"{name} has the command that builds the core")
    options = re.findall(r"^option\('(\w+)'", (SOURCE / "meson_options.txt").read_text(), re.M)
    listed = re.findall(r"`-D(\w+)=`", (SOURCE / "docs/install.md").read_text())
    tap.same(sorted(listed), sorted(options), "docs/install.md lists each option once")


documented()
with tempfile.TemporaryDirectory() as directory:
    directory = pathlib.Path(directory)
    core = build(directory)
    if core.exists():
        needed = [line.split()[0] for line in run("ldd", core).stdout.splitlines() if not re.search(r"vdso|ld-linux|/ld", line)]
        tap.same(needed, ["libc.so.6"], "the core needs libc only")
        what, compiler = f"the code of the core is under {TEXT_MAX_BYTES >> 10} KiB", f"gcc {run(*CC, '-dumpfullversion').stdout.strip()}"
        if f'"{compiler},' in FIGURES.read_text():
            tap.ok(text_bytes(core) < TEXT_MAX_BYTES, what, text_bytes(core))
        else:
            tap.skip(what, f"the size depends on the compiler, and this is {compiler}")
        tap.same(sorted(symbols(WHOLE) ^ symbols(core)), [], "the core has the symbols of the whole library")
        uses_a_store(directory, core)
        result = run(directory / "examples/example_other_machine", MACHINES / "skylake-sp", "cpu/mem-loads/p")
        tap.ok(result.returncode == 0 and "config 0x" in result.stdout, "the core encodes", result.stdout, result.stderr)
        result = run(directory / "examples/example_other_machine", MACHINES / "skylake-sp", "skx::INST_RETIRED")
        tap.ok(result.returncode != 0 and "was built without libpfm4" in result.stderr, "… but reports that it has no names of libpfm4",
               result.stdout, result.stderr)
tap.finish()
