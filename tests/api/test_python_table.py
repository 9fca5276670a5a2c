#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of the Python binding say what the headers say: every function with its types, every enum with its values,
every struct as the C compiler lays it out. What differs is named with the line to put into the table.
test_python_table.py INCLUDE GENERATED PYTHON CC (PYTHON is bindings/python; the library is not loaded)"""
import ctypes
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import types

import declarations

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from tap import Tap  # noqa: E402

INCLUDE, GENERATED, PYTHON = map(pathlib.Path, sys.argv[1:4])
CC = shlex.split(sys.argv[4])
HEADERS = {path.name: path.read_text() for path in sorted(INCLUDE.glob("pmuq/*.h"))}

# The tables without the package, whose first act is to load the library.
sys.dont_write_bytecode = True
sys.modules["pmuq"] = types.ModuleType("pmuq")
sys.modules["pmuq"].__path__ = [str(PYTHON / "pmuq")]
from pmuq import _records, _structs, _table, enums  # noqa: E402

tap = Tap()
KINDS = {**_records.RECORDS, **_structs.STRUCTS}


def of_all(read):
    return {name: (what, header) for header, text in HEADERS.items() for name, what in read(text)}


def functions():
    declared = of_all(declarations.functions)
    tap.ok(len(declared) > 150, "the headers declare functions", str(len(declared)))
    wrong = [f'in {header}: "{name}": "{words}",' for name, (words, header) in declared.items()
             if _table.FUNCTIONS.get(name) != words]
    tap.same(wrong, [], "the table has each of them with its types", *wrong)
    tap.same(sorted(set(_table.FUNCTIONS) - set(declared)), [], "… and no others")


def wrapped():
    """No function of the headers is forgotten by the package: those that it does not call, it does better without."""
    without = {
        "a catalog answers itself, a source need not be made of it": "pmuq_source_open_catalog",
        "a catalog's facts are a dict, a diff's changes a list": "pmuq_catalog_find_fact pmuq_diff_weight_count",
        "enums have names": "pmuq_cause_name pmuq_weight_name pmuq_errno_name",
        "files are opened by their names, and read as bytes": "pmuq_reader_open_fd pmuq_recording_open_fd pmuq_recording_is",
    }
    called = "\n".join(path.read_text() for path in sorted((PYTHON / "pmuq").glob("*.py")) if path.name != "_table.py")
    left = [name for name in _table.FUNCTIONS if not re.search(rf"\b{name}\b", called)]
    tap.same(sorted(left), sorted(" ".join(without.values()).split()), "the package calls each function, or need not")


def enumerations():
    declared = of_all(declarations.enums)
    tap.same(sorted(set(enums.ENUMS) ^ set(declared)), [], "each enum of the headers is one of Python's")
    for name, (kind, prefix) in sorted(enums.ENUMS.items()):
        want = {key[len(prefix):]: value for key, value in declared.get(name, ({}, ""))[0].items()}
        want.pop("MODIFIERS", None)  # how many there are
        tap.same({member.name: member.value for member in kind}, want, f"enum {name} has its values")


def layout_program(structs):
    lines = ["#include <pmuq/pmuq.h>", "#include <stdio.h>", "int main(void)", "{"]
    for name, fields in structs.items():
        lines.append(f'\tprintf("{name} size %zu\\n", sizeof(struct {name}));')
        lines += [f'\tprintf("{name} {field} %zu %zu\\n", offsetof(struct {name}, {field}),'
                  f" sizeof(((struct {name} *)0)->{field}));" for field in fields]
    return "\n".join([*lines, "\treturn 0;", "}"]) + "\n"


def laid_out_by_c(structs):
    with tempfile.TemporaryDirectory() as work:
        source, program = pathlib.Path(work, "layout.c"), pathlib.Path(work, "layout")
        source.write_text(layout_program(structs))
        subprocess.run([*CC, "-std=c11", f"-I{INCLUDE}", f"-I{GENERATED}", source, "-o", program], check=True)
        return subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()


def laid_out_by_python(structs):
    for name, fields in structs.items():
        kind = KINDS[name]
        yield f"{name} size {ctypes.sizeof(kind)}"
        for field in fields:
            place = getattr(kind, field)
            yield f"{name} {field} {place.offset} {place.size}"


def structures():
    declared = {name: fields for name, (fields, _) in of_all(declarations.structs).items()}
    tap.same(sorted(set(KINDS) ^ set(declared)), [], "each struct of the headers is one of Python's")
    declared["pmuq_attr"] = ["type", "size"]  # the rest is bytes to Python
    for name, fields in sorted(declared.items()):
        if name != "pmuq_attr":
            tap.same([field for field, _ in KINDS[name]._fields_], fields, f"struct {name} has its fields")
    tap.same(list(laid_out_by_python(declared)), laid_out_by_c(declared), "the compiler lays them out like ctypes")


functions()
wrapped()
enumerations()
structures()
tap.finish()
