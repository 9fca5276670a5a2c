#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs built against the last release run with this library: abidiff of the dump of that release and of what headers
and symbol map promise now (scripts/symbols.py --model; test_symbols.py says that libpmuq.so keeps it). What is new is no
fault, what is gone or of another shape is: test_abi.py SOURCE_DIR SCHEMAS LIBPMUQ CC [--update]"""
import lzma
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SOURCE, SCHEMAS, LIBRARY = map(pathlib.Path, sys.argv[1:4])
CC = shlex.split(sys.argv[4])
sys.path[:0] = [str(SOURCE / "tests/cli"), str(SOURCE / "scripts")]
from symbols import model, updated  # noqa: E402
from tap import Tap  # noqa: E402

DUMP, IGNORE = SOURCE / "tests/api/libpmuq.abi.xz", SOURCE / "tests/api/libpmuq.abignore"
KEPT = "what the last release promised is kept"
MAP = "PMUQ_0.1 {\nglobal:\n\tpmuq_a;\n\tpmuq_b;\nlocal:\n\t*;\n};\nPMUQ_0.2 {\nglobal:\n\tpmuq_c;\n} PMUQ_0.1;\n"
# What a release to come might do: the claim, in which file, what becomes what, and what abidiff tells; None if it may.
CHANGES = [
    ("a new function may come", "version.h", "", "int pmuq_what_is_new(void);", None),
    ("options may grow at their end", "encode.h", r"(struct pmuq_encode_options \{[^}]*)\}", r"\1int more; }", None),
    ("an enumeration may grow", "diff.h", r"(enum pmuq_weight \{)", r"\1 PMUQ_WEIGHT_MORE = 99,", None),
    ("options may not grow before it", "encode.h", r"(struct pmuq_encode_options \{)", r"\1 long more;", "offset changed"),
    ("a function may not go", "pmuq.h", r"const char \*pmuq_version\(void\);", "", "pmuq_version"),
    ("a function may not return something else", "pmuq.h", r"const char (\*pmuq_version)", r"const int \1", "return type"),
    ("a function may not take something else", "capture.h", r"(pmuq_capture_file_path\([^,]*, )size_t", r"\1int", "parameter 2"),
    ("a symbol may not change its node", "pmuq.map", r"PMUQ_0\.1 ", "PMUQ_0.9 ", "pmuq_version"),
]

tap = Tap()


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


def soname():
    return re.search(r"\[(libpmuq\.so\.[0-9]+)\]", run("readelf", "-d", LIBRARY).stdout).group(1)


def build(root, name):
    """The library of the headers and the map in that directory."""
    source, library = root / "model.c", root / "model.so"
    source.write_text(model(root / "include"))
    text = updated((root / "pmuq.map").read_text(), set(re.findall(r"\b(pmuq_\w+)\([^()]*\) \{", source.read_text())))[0]
    (root / "pmuq.map").write_text(text)
    done = run(*CC, "-std=c11", "-g", "-O0", "-fPIC", "-shared", f"-I{root}/include", f"-I{SCHEMAS}", f"-Wl,-soname,{name}",
               f"-Wl,--version-script={root}/pmuq.map", str(source), "-o", str(library))
    if done.returncode:
        raise RuntimeError(done.stderr)
    return library


def copy(root):
    shutil.copytree(SOURCE / "include", root / "include")
    shutil.copy(SOURCE / "pmuq.map", root)
    return root


def differences(dump, library):
    """What abidiff says, and whether that breaks programs: bit 2 tells of a change, bit 3 that it certainly does."""
    done = run("abidiff", "--no-architecture", "--no-added-syms", "--no-show-locs", "--suppressions", str(IGNORE), str(dump),
               str(library))
    return done.returncode, done.stdout + done.stderr


def compare(work, dump):
    status, said = differences(dump, build(copy(work / "now"), soname()))
    tap.same(status, 0, KEPT, said)
    status, said = differences(dump, build(copy(work / "soname"), "libpmuq.so.9"))
    tap.ok(status & 4 and "SONAME" in said, "another SONAME is another library", f"status {status}", said)
    for number, (claim, name, old, new, told) in enumerate(CHANGES):
        root = copy(work / str(number))
        path = root / name if name.endswith(".map") else root / "include/pmuq" / name
        before = path.read_text() if path.exists() else ""
        path.write_text(re.sub(old, new, before, count=1))
        tap.ok(path.read_text() != before, f"{claim}: tried in {name}")
        status, said = differences(dump, build(root, soname()))
        tap.ok(told in said and status & 4 if told else status == 0, claim, f"status {status}", said)


def write_dump(work):
    text = work / "libpmuq.abi"
    done = run("abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-parameter-names", "--type-id-style",
               "hash", "--out-file", str(text), str(build(copy(work / "now"), soname())))
    tap.same((done.returncode, done.stderr), (0, ""), "abidw writes the dump")
    # The one path that is left is that of the model, in a directory that is gone by then.
    DUMP.write_bytes(lzma.compress(re.sub(rb"path='[^']*'", b"path='pmuq.h'", text.read_bytes()), preset=9 | lzma.PRESET_EXTREME))


tap.same(updated(MAP, {"pmuq_b", "pmuq_d", "pmuq_e"}), (MAP.replace("pmuq_c", "pmuq_d;\n\tpmuq_e"), ["pmuq_a"]),
         "the last node of a map takes what is new, and nothing is taken from older ones")
if not shutil.which("abidiff"):
    tap.skip(KEPT, "no abidiff: it is in abigail-tools")
elif sys.maxsize < 2**32:
    tap.skip(KEPT, "the dump is of a 64-bit machine")
else:
    with tempfile.TemporaryDirectory() as room:
        if sys.argv[5:] == ["--update"]:
            write_dump(pathlib.Path(room))
        else:
            (pathlib.Path(room) / "libpmuq.abi").write_bytes(lzma.open(DUMP).read())
            compare(pathlib.Path(room), pathlib.Path(room) / "libpmuq.abi")
tap.finish()
