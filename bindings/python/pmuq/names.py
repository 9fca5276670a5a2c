# SPDX-License-Identifier: MIT
"""Names, for who offers or completes them: those of a machine, and the words of the event language."""
import ctypes
from typing import Any, Dict, List

from ._library import lib, text, to_bytes
from ._object import Handle, create


def names_of(source: Handle, function: Any, head: str) -> List[str]:
    """What a function lists that begins with `head`."""
    names = create("names", lib.pmuq_names_free, function, source, to_bytes(head))
    return [text(lib.pmuq_names_get(names, i)) for i in range(lib.pmuq_names_count(names))]


def terms() -> Dict[str, bool]:
    """The terms that every PMU takes, whatever its formats ("config", "period" …), and whether one takes a value."""
    found: Dict[str, bool] = {}
    takes_value = ctypes.c_bool()
    while name := lib.pmuq_term_name(len(found), ctypes.byref(takes_value)):
        found[text(name)] = takes_value.value
    return found


def modifiers() -> Dict[str, str]:
    """The letters that may stand behind an event ("u", "p" …), and what each means."""
    found: Dict[str, str] = {}
    letter = ctypes.create_string_buffer(1)
    while meaning := lib.pmuq_modifier_meaning(len(found), letter):
        found[text(letter.raw)] = text(meaning)
    return found
