# SPDX-License-Identifier: MIT
"""Lists of CPUs and numbers as the kernel writes them."""
import operator
from decimal import Decimal, InvalidOperation
from typing import Iterable, List, Optional, Union

#: More than any kernel is built for.
CPUS_MAX = 65536

Cpus = Union[str, Iterable[int]]


def parse_cpus(listed: str) -> List[int]:
    """The CPUs of a list, in its order: "0-3,8" is [0, 1, 2, 3, 8]; ValueError if the text is not a list."""
    if not isinstance(listed, str):
        raise TypeError(f"expected a list of CPUs as str, not {type(listed).__name__}")
    cpus: List[int] = []
    for part in filter(None, listed.strip().split(",")):
        first, dash, last = part.partition("-")
        if not all(end.isascii() and end.isdigit() for end in ((first, last) if dash else (first,))):
            raise ValueError(f"{listed!r} is no list of CPUs")
        span = range(int(first), int(last or first) + 1)
        if not span:
            raise ValueError(f"{listed!r} is no list of CPUs: {part} ends before it begins")
        if span.stop > CPUS_MAX or len(cpus) > CPUS_MAX:
            raise ValueError(f"{listed!r} names CPUs beyond {CPUS_MAX - 1}")
        cpus.extend(span)
    return cpus


def cpus_text(cpus: Optional[Cpus]) -> Optional[str]:
    """The other way round, for functions that take either."""
    if cpus is None or isinstance(cpus, str):
        return cpus
    if isinstance(cpus, (bytes, bytearray)):  # which are numbers, but not those that are meant
        raise TypeError(f"cpus: expected str or a list of int, not {type(cpus).__name__}")
    return ",".join(str(operator.index(cpu)) for cpu in cpus)


def decimal_of(scale: str) -> Decimal:
    """A scale, exactly."""
    try:
        return Decimal(scale)
    except InvalidOperation:
        raise ValueError(f"{scale!r} is a scale beyond all numbers") from None
