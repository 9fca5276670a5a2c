# SPDX-License-Identifier: MIT
"""Checks: what the running kernel says of every event of a machine."""
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence

from ._library import lib, text, text_or_none, to_bytes
from ._object import Items, Owner
from .enums import OpenStatus
from .errors import call


@dataclass(frozen=True)
class Answer:
    """What the kernel said to an event of a PMU."""

    pmu: str
    event: str
    string: str  #: what was opened: "PMU/EVENT/", or the name of a generic event
    status: OpenStatus
    cpus: Optional[str]  #: as of a verdict, and so are the others
    errno: int
    name: Optional[str]
    reason: Optional[str]
    hint: Optional[str]
    change: Optional[str]


class Check(Owner):
    """The answers of the kernel, one an event. Catalog.begin_check() begins one; run() goes through all events, and
    step() through one, for those who want to stop early: a check knows of the events that it got to.

    >>> with catalog.begin_check() as check:
    ...     refused = [answer for answer in check.run() if answer.errno]
    """

    @property
    def upcoming(self) -> Optional[str]:
        """What will be opened next, as an event string; None when all is done."""
        handle = self._handle
        with handle.lock:
            return text_or_none(lib.pmuq_check_upcoming(handle))

    def step(self) -> bool:
        """Ask for the next event; False when there is none left."""
        handle = self._handle
        with handle.lock:
            if not lib.pmuq_check_upcoming(handle):
                return False
            call(lib.pmuq_check_next, handle)
            return True

    def run(self) -> Iterator[Answer]:
        """Ask for all that are left, and give the answers as they come."""
        while self.step():
            yield self.answers[-1]

    @property
    def answers(self) -> Sequence[Answer]:
        """Those that there are so far: PMUs in the catalog's order, then generic events."""
        handle = self._handle

        def get(index: int) -> Answer:
            with handle.lock:  # steps may move them
                return _answer(lib.pmuq_check_get(handle, index))

        return Items(lib.pmuq_check_count(handle), get)

    @property
    def total(self) -> int:
        """How many events there are."""
        total: int = lib.pmuq_check_total(self._handle)
        return total

    @property
    def time_s(self) -> int:
        """When it was made, seconds since 1970."""
        time_s: int = lib.pmuq_check_time_s(self._handle)
        return time_s

    @property
    def kernel(self) -> Optional[str]:
        """The kernel that was asked."""
        return text_or_none(lib.pmuq_check_kernel(self._handle))

    def find(self, pmu: str, event: str) -> Optional[Answer]:
        """The answer about an event of a PMU, or about a generic event that it counts."""
        handle = self._handle
        with handle.lock:
            answer = lib.pmuq_check_find(handle, to_bytes(pmu), to_bytes(event))
            return _answer(answer) if answer else None


def _answer(a: Any) -> Answer:
    return Answer(text(lib.pmuq_answer_pmu(a)), text(lib.pmuq_answer_event(a)), text(lib.pmuq_answer_string(a)),
                  OpenStatus(lib.pmuq_answer_status(a)), text_or_none(lib.pmuq_answer_cpus(a)), lib.pmuq_answer_errno(a),
                  text_or_none(lib.pmuq_answer_name(a)), text_or_none(lib.pmuq_answer_reason(a)),
                  text_or_none(lib.pmuq_answer_hint(a)), text_or_none(lib.pmuq_answer_change(a)))
