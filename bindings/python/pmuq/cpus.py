# SPDX-License-Identifier: MIT
"""Converts lists of CPUs and decimal numbers from and to the kernel's text."""
import operator
from decimal import Decimal, InvalidOperation
from typing import Iterable, List, Optional, Union

#: No kernel supports more CPUs.
CPUS_MAX = 65536

Cpus = Union[str, Iterable[int]]


def parse_cpus(listed: str) -> List[int]:
    """Return the CPUs of a list in its order: "0-3,8" is [0, 1, 2, 3, 8]. ValueError if the text is not such a list."""
    if not isinstance(listed, str):
        raise TypeError(f"expected a list of CPUs as str, not {type(listed).__name__}")
    cpus: List[int] = []
    for part in filter(None, listed.strip().split(",")):
        first, dash, last = part.partition("-")
        if not all(end.isascii() and end.isdigit() for end in ((first, last) if dash else (first,))):
            raise ValueError(f"{listed!r} is not a list of CPUs")
        span = range(int(first), int(last or first) + 1)
        if not span:
            raise ValueError(f"{listed!r} is not a list of CPUs: {part} ends before it begins")
        if span.stop > CPUS_MAX or len(cpus) > CPUS_MAX:
            raise ValueError(f"{listed!r} contains CPUs above {CPUS_MAX - 1}")
        cpus.extend(span)
    return cpus


def cpus_text(cpus: Optional[Cpus]) -> Optional[str]:
    """Return CPUs as the text of a list; text and None are returned unchanged."""
    if cpus is None or isinstance(cpus, str):
        return cpus
    if isinstance(cpus, (bytes, bytearray)):  # iterating over them gives the codes of the characters
        raise TypeError(f"cpus: expected str or a list of int, not {type(cpus).__name__}")
    return ",".join(str(operator.index(cpu)) for cpu in cpus)


def decimal_of(scale: str) -> Decimal:
    """Return a scale as an exact Decimal."""
    try:
        return Decimal(scale)
    except InvalidOperation:
        raise ValueError(f"the scale {scale!r} is not a number that Decimal can hold") from None
