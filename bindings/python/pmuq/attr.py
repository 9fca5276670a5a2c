# SPDX-License-Identifier: MIT
"""Converts struct perf_event_attr between bytes, text, and a dict of its fields."""
import ctypes
import functools
from typing import Any, Dict, Mapping, Optional, Union

from ._arguments import whole
from ._declarations import Attr, Field, Term
from ._library import Text, lib, text, to_bytes
from .errors import call

#: An attr as an argument: its bytes (in either byte order), its fields, or text (see parse_attr()).
AttrLike = Union[bytes, bytearray, memoryview, str, Mapping[str, int]]


def parse_attr(what: Union[str, bytes]) -> bytes:
    """Return the bytes of an attr from text: bytes in hex, or fields by the kernel's names. Raises Error.

    >>> pmuq.attr_fields(pmuq.parse_attr("type=4 config=0x3c exclude_kernel=1"))
    {'type': 4, 'size': 64, 'config': 60, 'exclude_kernel': 1}
    """
    return attr_bytes(_parse(to_bytes(what)))


def attr_fields(attr: AttrLike) -> Dict[str, int]:
    """Return type, size and config of an attr, and all other fields that are not 0, in the kernel's order. Raises Error."""
    return fields_of(attr_struct(attr))


def pack_attr(attr: Mapping[str, int]) -> bytes:
    """Return the bytes of an attr with these fields. Without `size` it has the smallest published size that contains them.
    Raises Error."""
    return attr_bytes(attr_struct(attr))


def change_attr(attr: AttrLike, fields: Mapping[str, int]) -> bytes:
    """Return the bytes of an attr with other values for these fields. Its size grows to contain them. ValueError if there is
    no such field, or if it cannot hold the value.

    >>> pmuq.attr_fields(pmuq.change_attr("type=1 config=0", {"use_clockid": 1, "clockid": 1}))["size"]
    96
    """
    made = attr_struct(attr)
    for name, value in fields.items():
        index = ctypes.c_uint()
        if not lib.pmuq_attr_find_field(to_bytes(name), ctypes.byref(index)):
            raise ValueError(f"an attr has no field {name!r}")
        bits = whole(name, value, ctypes.c_int64 if value < 0 else ctypes.c_uint64)
        if not lib.pmuq_attr_set(ctypes.byref(made), index, bits):
            raise ValueError(f"the field {name} cannot be set to {value}")
    return attr_bytes(made)


def copy_attr(attr: AttrLike, n_bytes: int) -> bytes:
    """Return an attr as a struct perf_event_attr of that many bytes, which another program has. Raises Error if the struct
    ends before a field that is not 0."""
    made = ctypes.create_string_buffer(whole("n_bytes", n_bytes, ctypes.c_uint16))
    call(lib.pmuq_attr_copy, ctypes.byref(attr_struct(attr)), made, len(made))
    return made.raw


def _parse(what: bytes) -> Attr:
    attr = Attr()
    call(lib.pmuq_attr_parse, what, ctypes.byref(attr))
    return attr


def attr_struct(attr: AttrLike) -> Attr:
    if isinstance(attr, str):
        return _parse(to_bytes(attr))
    if isinstance(attr, Mapping):
        return _parse(b" ".join(to_bytes(f"{name}={value:#x}" if value > 9 else f"{name}={value}")
                                for name, value in attr.items()))
    if isinstance(attr, int):  # bytes(int) would return that many zeros
        raise TypeError("expected an attr: bytes, str or a mapping of its fields, not int")
    return _parse(bytes(attr).hex().encode())


def attr_bytes(attr: Attr) -> bytes:
    """Return the attr as bytes, as many as its size."""
    return ctypes.string_at(ctypes.addressof(attr), min(attr.size, ctypes.sizeof(attr)))


def attr_at(address: int) -> bytes:
    """Return the attr at an address as bytes."""
    return attr_bytes(Attr.from_address(address))


def fields_at(address: int) -> Dict[str, int]:
    return fields_of(Attr.from_address(address))


@functools.lru_cache(maxsize=None)
def field_names() -> Dict[str, int]:
    """Return the names of all fields with their indexes, in the kernel's order."""
    fields: Dict[str, int] = {}
    while field := lib.pmuq_attr_field(len(fields)):
        fields[text(Field.from_address(field.value).name)] = len(fields)
    return fields


def fields_of(attr: Attr) -> Dict[str, int]:
    pointer = ctypes.byref(attr)
    values = {name: lib.pmuq_attr_get(pointer, index) for name, index in field_names().items()}
    return {name: value for name, value in values.items() if value or name in ("type", "size", "config")}


def term_array(name: str, terms: Optional[Mapping[Text, int]]) -> Any:
    """Return terms with their numbers as a C array."""
    made = [Term(to_bytes(key), whole(f"{name}[{key!r}]", value, ctypes.c_uint64)) for key, value in (terms or {}).items()]
    return (Term * len(made))(*made)
