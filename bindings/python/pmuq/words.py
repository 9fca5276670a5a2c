# SPDX-License-Identifier: MIT
"""Lists of everything that the library has names for: error codes, files of PMUs, terms, modifiers, generic events."""
import ctypes
from typing import Dict, Iterator, List, NamedTuple, Optional

import pmuq

from ._library import Text, lib, owned_text, text_of, to_bytes
from ._object import Handle, part
from .errors import call


class Code(NamedTuple):
    """An error code: its number, name and meaning, an example, and what to do."""

    number: int
    name: str
    meaning: str
    example: str
    remedy: str


def codes() -> Iterator[Code]:
    """Yield all error codes, in ascending order."""
    index = 0
    while number := lib.pmuq_code_at(index):
        yield Code(number, text_of(lib.pmuq_code_name(number)), text_of(lib.pmuq_code_meaning(number)),
                   text_of(lib.pmuq_code_example(number)), text_of(lib.pmuq_code_remedy(number)))
        index += 1


def pmu_files() -> List["pmuq.PmuFile"]:
    """Return the known files of PMUs; no PMU has all of them."""
    nothing = Handle(ctypes.c_void_p(), None)
    files: List["pmuq.PmuFile"] = []
    while file := lib.pmuq_pmu_file_at(len(files)):
        files.append(part(pmuq.PmuFile, nothing, file))
    return files


def terms() -> Dict[str, bool]:
    """Return the terms that every PMU accepts, whatever its formats, and whether each takes a value."""
    found: Dict[str, bool] = {}
    takes_value = ctypes.c_bool()
    while name := lib.pmuq_term_name(len(found), ctypes.byref(takes_value)):
        found[text_of(name)] = takes_value.value
    return found


def modifiers() -> Dict[str, str]:
    """Return the meaning of each modifier in a few words, by its letter."""
    found: Dict[str, str] = {}
    letter = ctypes.create_string_buffer(2)
    while meaning := lib.pmuq_modifier_meaning(len(found), letter):
        found[text_of(letter.value)] = text_of(meaning)
    return found


def generic_names() -> List[str]:
    """Return the usual names of the kernel's generic events: hardware, then software, then cache events."""
    names: List[str] = []
    buffer = ctypes.create_string_buffer(64)
    while lib.pmuq_generic_name(len(names), buffer):
        names.append(text_of(buffer.value))
    return names


def name_in_event(name: Text) -> Optional[str]:
    """Return a name as an event string must write it: in quotes if it would mean something else without them. None if no event
    string can contain it."""
    pointer = ctypes.c_void_p()
    call(lib.pmuq_name_in_event, to_bytes(name), ctypes.byref(pointer))
    return owned_text(pointer.value) if pointer else None
