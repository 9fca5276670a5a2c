# SPDX-License-Identifier: MIT
"""Arguments of callers, checked before ctypes gets them: it would cut a number to the width of C's, and take any text for
a sequence of its letters."""
import ctypes
import operator
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type, TypeVar

from ._library import Text, to_bytes

T = TypeVar("T")


def _range_of(type_: Any) -> Tuple[int, int]:
    bits = 8 * ctypes.sizeof(type_)
    return (-1 << bits - 1, (1 << bits - 1) - 1) if type_(-1).value < 0 else (0, (1 << bits) - 1)


#: The least and the greatest number of each of C's types.
RANGES: Dict[Any, Tuple[int, int]] = {type_: _range_of(type_) for type_ in (
    ctypes.c_int, ctypes.c_int64, ctypes.c_size_t, ctypes.c_uint, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64)}


def whole(name: str, value: Any, type_: Any) -> int:
    """A number that a type of C has."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected int, not {type(value).__name__}") from None
    least, greatest = RANGES[type_]
    if not least <= number <= greatest:
        raise ValueError(f"{name} is {number}, and must be from {least} to {greatest}")
    return number


def index_of(name: str, value: Any) -> int:
    """An index, never one that ctypes would turn into another."""
    try:
        return whole(name, value, ctypes.c_size_t)
    except ValueError as beyond:
        raise IndexError(str(beyond)) from None


def index_or_none(index: int) -> Optional[int]:
    """An index; the library's greatest number means that there is no index."""
    return None if index == RANGES[ctypes.c_size_t][1] else int(index)


def enum_of(name: str, value: Any, type_: Type[T]) -> T:
    """A number that an enum has."""
    return type_(whole(name, value, ctypes.c_uint))  # type: ignore[call-arg]


def known(type_: Type[T], value: int) -> T:
    """What the library put out; a later one may have numbers that this module has no name for."""
    try:
        return type_(value)  # type: ignore[call-arg]
    except ValueError:
        unnamed: Any = int.__new__(type_, value)
        unnamed._name_, unnamed._value_ = f"UNKNOWN_{value}", value
        made: T = unnamed
        return made


def time_or_now(time_s: Optional[int]) -> int:
    """Seconds since 1970."""
    return int(time.time()) if time_s is None else whole("time_s", time_s, ctypes.c_int64)


def listed(name: str, values: Sequence[T]) -> List[T]:
    """A list of names, which a single one is not."""
    if isinstance(values, (str, bytes, bytearray)):
        raise TypeError(f"{name}: expected a list of names, not {type(values).__name__}; for one name, write [{values!r}]")
    return list(values)


def text_array(name: str, values: Sequence[Text]) -> Any:
    """A list of names as C has it."""
    raw = [to_bytes(value) for value in listed(name, values)]
    return (ctypes.c_char_p * len(raw))(*raw)
