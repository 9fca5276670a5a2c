# SPDX-License-Identifier: MIT
"""Checks and converts arguments before ctypes gets them. ctypes would cut a number to the width of the C type, and take a
str for a sequence of its letters."""
import ctypes
import operator
import time
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Type, TypeVar

from ._library import Text, to_bytes

T = TypeVar("T")


def _range_of(type_: Any) -> Tuple[int, int]:
    bits = 8 * ctypes.sizeof(type_)
    return (-1 << bits - 1, (1 << bits - 1) - 1) if type_(-1).value < 0 else (0, (1 << bits) - 1)


#: The smallest and the largest number of each C type.
RANGES: Dict[Any, Tuple[int, int]] = {type_: _range_of(type_) for type_ in (
    ctypes.c_int, ctypes.c_int64, ctypes.c_size_t, ctypes.c_uint, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64)}


def whole(name: str, value: Any, type_: Any) -> int:
    """Return the value as an int; ValueError if the C type cannot hold it, TypeError if it is not an integer."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected int, not {type(value).__name__}") from None
    smallest, largest = RANGES[type_]
    if not smallest <= number <= largest:
        raise ValueError(f"{name} is {number}, but must be from {smallest} to {largest}")
    return number


def index_of(name: str, value: Any) -> int:
    """Return an index as an int; IndexError if no size_t can hold it, since ctypes would turn it into another index."""
    try:
        return whole(name, value, ctypes.c_size_t)
    except ValueError as error:
        raise IndexError(str(error)) from None


def index_or_none(index: int) -> Optional[int]:
    """Convert an index of the library: its largest number (PMUQ_NOT_KNOWN) becomes None."""
    return None if index == RANGES[ctypes.c_size_t][1] else int(index)


def enum_of(name: str, value: Any, type_: Type[T]) -> T:
    """Return the enumerator with that number; ValueError if the enum has none."""
    return type_(whole(name, value, ctypes.c_uint))  # type: ignore[call-arg]


def known(type_: Type[T], value: int) -> T:
    """Convert a number that the library returned. A later library may return a number that this module has no name for."""
    try:
        return type_(value)  # type: ignore[call-arg]
    except ValueError:
        unnamed: Any = int.__new__(type_, value)
        unnamed._name_, unnamed._value_ = f"UNKNOWN_{value}", value
        member: T = unnamed
        return member


def time_or_now(time_s: Optional[int]) -> int:
    """Return the time in seconds since 1970; None means now."""
    return int(time.time()) if time_s is None else whole("time_s", time_s, ctypes.c_int64)


def listed(name: str, values: Sequence[T]) -> List[T]:
    """Return the names as a list; TypeError for a single name, which would be taken for a list of letters."""
    if isinstance(values, (str, bytes, bytearray)):
        raise TypeError(f"{name}: expected a list of names, not {type(values).__name__}; for one name, write [{values!r}]")
    return list(values)


def text_array(name: str, values: Sequence[Text]) -> Any:
    """Return the names as a C array of strings."""
    raw = [to_bytes(value) for value in listed(name, values)]
    return (ctypes.c_char_p * len(raw))(*raw)


def number_array(name: str, values: Iterable[int], type_: Any) -> Any:
    """Return the numbers as a C array."""
    numbers = [whole(name, value, type_) for value in values]
    return (type_ * len(numbers))(*numbers)
