# SPDX-License-Identifier: MIT
"""Converts lists of CPUs and decimal numbers from and to the kernel's text."""
from decimal import Decimal, InvalidOperation
from typing import Iterable, List, Optional, Union

import pmuq

Cpus = Union[str, Iterable[int]]


def parse_cpus(listed: str) -> List[int]:
    """Return the CPUs of a list: "0-3,8" is [0, 1, 2, 3, 8]. Raises Error if the text is not such a list."""
    if not isinstance(listed, str):
        raise TypeError(f"expected a list of CPUs as str, not {type(listed).__name__}")
    return list(pmuq.CpuList.from_text(listed).numbers)


def cpus_text(cpus: Optional[Cpus]) -> Optional[str]:
    """Return CPUs as the text of a list; text and None are returned unchanged."""
    if cpus is None or isinstance(cpus, str):
        return cpus
    if isinstance(cpus, (bytes, bytearray)):  # iterating over them gives the codes of the characters
        raise TypeError(f"cpus: expected str or a list of int, not {type(cpus).__name__}")
    return pmuq.CpuList.from_numbers(cpus).text


def decimal_of(scale: str) -> Decimal:
    """Return a scale as an exact Decimal."""
    try:
        return Decimal(scale)
    except InvalidOperation:
        raise ValueError(f"the scale {scale!r} is not a number that Decimal can hold") from None
