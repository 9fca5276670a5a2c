# SPDX-License-Identifier: MIT
"""Lists of CPUs as the kernel writes them."""
from typing import Iterable, List, Optional, Union

#: More than any kernel is built for.
CPUS_MAX = 65536

Cpus = Union[str, Iterable[int]]


def parse_cpus(listed: str) -> List[int]:
    """The CPUs of a list, in its order: "0-3,8" is [0, 1, 2, 3, 8]; ValueError when it is none."""
    cpus: List[int] = []
    for part in filter(None, listed.strip().split(",")):
        first, _, last = part.partition("-")
        if not (first.isascii() and first.isdigit() and (not last or last.isascii() and last.isdigit())):
            raise ValueError(f"{listed!r} is no list of CPUs")
        span = range(int(first), int(last or first) + 1)
        if span.stop > CPUS_MAX or len(cpus) > CPUS_MAX:
            raise ValueError(f"{listed!r} names CPUs beyond {CPUS_MAX - 1}")
        cpus.extend(span)
    return cpus


def cpus_text(cpus: Optional[Cpus]) -> Optional[str]:
    """The other way round, for functions that take either."""
    return cpus if cpus is None or isinstance(cpus, str) else ",".join(str(int(cpu)) for cpu in cpus)
