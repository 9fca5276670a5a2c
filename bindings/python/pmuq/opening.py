# SPDX-License-Identifier: MIT
"""What the running kernel says: verdicts on events that were opened and closed again, counts of those that ran for a
while, and opened events, which stay open."""
import ctypes
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

from . import _records, _structs
from ._arguments import whole
from ._library import lib, owned_text, text, text_or_none, to_bytes_or_none
from ._object import Owner
from .attr import attr_bytes, attr_of
from .cpus import Cpus, cpus_text
from .enums import Counting, OpenStatus
from .errors import call

_NONE = ctypes.c_size_t(-1).value


@dataclass(frozen=True)
class Verdict:
    """What the kernel said to an event."""

    status: OpenStatus
    pid: int  #: what it was opened on: 0 for this task, a process, -1 for all on its CPUs
    cpus: str  #: "-1" for any, or the list that it was opened on
    errno: int  #: of a refusal, else 0
    name: Optional[str]  #: the reason's name, stable for ever: "paranoid-kernel"
    reason: Optional[str]  #: why it was refused or skipped, one sentence
    hint: Optional[str]  #: what to do about it; also where it opened in another way than asked
    change: Optional[str]  #: the smallest change that opens, as tried: "without :u"
    steps: Tuple[str, ...]  #: what that change is made of, by name
    changed_attr: Optional[bytes]  #: the attr that opened after it

    @property
    def is_open(self) -> bool:
        """Whether the kernel opened it."""
        return self.status == OpenStatus.OPENED

    def __bool__(self) -> bool:
        return self.is_open


@dataclass(frozen=True)
class Budget:
    """How many descriptors it takes to keep all events open at once, and how many there may be."""

    needed: int  #: one for each event on each of its CPUs
    in_use: int  #: by this process, now
    limit: Optional[int]  #: RLIMIT_NOFILE; None: there is none
    hard_limit: Optional[int]  #: what it may be raised to without privilege
    fits: bool
    text: str  #: one sentence about it, with what to do if it does not fit


@dataclass(frozen=True)
class Reading:
    """What an event counted, summed over its CPUs. Multiply by the event's scale for its unit."""

    value: int
    time_enabled_ns: int
    time_running_ns: int
    scaled: int  #: the value as it would be, had it run all the time


@dataclass(frozen=True)
class Page:
    """What the page that the kernel maps for an event says while it counts."""

    errnum: int  #: why it could not be mapped, else 0
    has_rdpmc: bool
    has_time: bool
    has_time_zero: bool
    index: int  #: of the counter, from 1; 0: on none
    width_bits: int
    is_read: bool  #: the counter was read in user space, and gave the next three
    value: int
    time_enabled_ns: int
    time_running_ns: int
    reason: Optional[str]  #: why it was not mapped or not read in user space


@dataclass(frozen=True)
class Count:
    """Whether an event counts."""

    status: Counting
    name: str  #: of the status: "never-scheduled"
    errno: int  #: what stood in the way, or 0
    reading: Optional[Reading]  #: None when it was not counted
    page: Optional[Page]  #: None when it was not asked for
    parts: Optional[int]  #: how many groups its group fits in; 0: in none; None: it is in no group
    breaker: Optional[int]  #: the first member that did not fit
    part: Optional[int]  #: which of the parts it fits into


def open_options(pid: int = 0, cpus: Optional[Cpus] = None, cgroup: Optional[str] = None, work_ms: int = 0,
                 wants_page: bool = False) -> _structs.OpenOptions:
    return _structs.sized(_structs.OpenOptions, pid=pid, cpus=to_bytes_or_none(cpus_text(cpus)),
                          cgroup=to_bytes_or_none(cgroup), work_ms=work_ms, wants_page=wants_page)


def _verdict(verdicts: Any, i: int) -> Verdict:
    attr = lib.pmuq_verdict_changed_attr(verdicts, i)
    return Verdict(OpenStatus(lib.pmuq_verdict_status(verdicts, i)), lib.pmuq_verdict_pid(verdicts, i),
                   text(lib.pmuq_verdict_cpus(verdicts, i)), lib.pmuq_verdict_errno(verdicts, i),
                   text_or_none(lib.pmuq_verdict_name(verdicts, i)), text_or_none(lib.pmuq_verdict_reason(verdicts, i)),
                   text_or_none(lib.pmuq_verdict_hint(verdicts, i)), text_or_none(lib.pmuq_verdict_change(verdicts, i)),
                   tuple(text(lib.pmuq_verdict_step(verdicts, i, step))
                         for step in range(lib.pmuq_verdict_step_count(verdicts, i))),
                   attr_bytes(attr_of(attr)) if attr else None)


def verdicts_of(verdicts: Any) -> List[Verdict]:
    return [_verdict(verdicts, i) for i in range(lib.pmuq_verdicts_count(verdicts))]


def budget_of(budget: _structs.Budget) -> Budget:
    endless = ctypes.c_uint64(-1).value
    limits = [None if limit == endless else limit for limit in (budget.limit, budget.hard_limit)]
    return Budget(budget.needed, budget.in_use, limits[0], limits[1], bool(lib.pmuq_budget_fits(ctypes.byref(budget))),
                  owned_text(lib.pmuq_budget_text(ctypes.byref(budget))))


def _reading_of(reading: _structs.Reading) -> Reading:
    return Reading(reading.value, reading.time_enabled_ns, reading.time_running_ns, reading.scaled)


def _page(counts: Any, i: int) -> Optional[Page]:
    address = _count_member(counts, i, "page")
    if not address:
        return None
    page = _records.Page.from_address(address.value)
    fields = {name: getattr(page, name) for name, _ in _records.Page._fields_[2:]}
    return Page(**fields, reason=text_or_none(page.reason.p))


def _count_member(counts: Any, i: int, member: str) -> Any:
    return lib.read_member("counts", "pmuq_counts_get({0}, {1})->" + member, counts, i)


def _known(index: int) -> Optional[int]:
    return None if index == _NONE else index


def count_of(counts: Any, i: int) -> Count:
    status = Counting(lib.pmuq_count_status(counts, i))
    in_group = _count_member(counts, i, "is_grouped")
    reading = Reading(*(_count_member(counts, i, name) for name in ("value", "time_enabled_ns", "time_running_ns", "scaled")))
    has_reading = _count_member(counts, i, "is_read")
    return Count(status, text(lib.pmuq_counting_name(status)), lib.pmuq_count_errno(counts, i),
                 reading if has_reading else None, _page(counts, i),
                 _count_member(counts, i, "n_subgroups") if in_group else None,
                 _known(_count_member(counts, i, "breaker")) if in_group else None,
                 _known(lib.pmuq_count_part(counts, i)) if in_group else None)


def _target(handle: Any, index: int, i: int) -> _structs.Target:
    target = _structs.sized(_structs.Target)
    lib.pmuq_opened_target(handle, index, i, ctypes.byref(target))
    return target


@dataclass(frozen=True)
class Place:
    """Where an opened event counts."""

    cpu: int  #: -1: any
    fd: int  #: to be polled or mapped, not closed; good until the events are closed
    id: int  #: the kernel's, as samples carry it


class Opened(Owner):
    """Events that were opened and stay so, to be enabled, read and disabled as often as you like; close() closes them.

    >>> with machine.encode("{task-clock,context-switches}").open() as counters:
    ...     with counters.enabled():
    ...         work()
    ...     clock, switches = counters.read_all()
    """

    def __len__(self) -> int:
        """As many as there were encodings, with the same indexes, opened or not."""
        count: int = lib.pmuq_opened_count(self._handle)
        return count

    @property
    def verdicts(self) -> List[Verdict]:
        """What the kernel said to each."""
        handle = self._handle
        with handle.lock:
            return verdicts_of(lib.pmuq_opened_verdicts(handle))

    def _switch(self, function: Any) -> None:
        handle = self._handle
        with handle.lock:
            call(function, handle)

    def enable(self) -> None:
        """Start all of them, each group at one moment."""
        self._switch(lib.pmuq_opened_enable)

    def disable(self) -> None:
        """Stop all of them."""
        self._switch(lib.pmuq_opened_disable)

    def reset(self) -> None:
        """Set all of them to zero."""
        self._switch(lib.pmuq_opened_reset)

    def enabled(self) -> "Enabled":
        """For a `with`: they count inside of it."""
        return Enabled(self)

    def read(self, index: int = 0, place: Optional[int] = None) -> Reading:
        """Read an event: the sum over its places, or in one of them."""
        handle = self._handle
        reading = _structs.sized(_structs.Reading)
        with handle.lock:
            if place is None:
                call(lib.pmuq_opened_read, handle, _index(index), ctypes.byref(reading))
            else:
                call(lib.pmuq_opened_read_at, handle, _index(index), _index(place), ctypes.byref(reading))
        return _reading_of(reading)

    def read_all(self) -> List[Reading]:
        """Read all, each group by one system call; those that are not open read 0 with no time."""
        handle = self._handle
        with handle.lock:
            n = lib.pmuq_opened_count(handle)
            readings = (_structs.Reading * n)(*(_structs.sized(_structs.Reading) for _ in range(n)))
            call(lib.pmuq_opened_read_all, handle, readings, n)
        return [_reading_of(reading) for reading in readings]

    def places(self, index: int = 0) -> List[Place]:
        """Where an event is open; nowhere when it was refused."""
        handle = self._handle
        index = _index(index)
        with handle.lock:
            targets = [_target(handle, index, i) for i in range(lib.pmuq_opened_target_count(handle, index))]
        return [Place(target.cpu, target.fd, target.id) for target in targets]

    def read_format(self, index: int = 0) -> int:
        """attr.read_format of its descriptors, for those who read them themselves."""
        read_format: int = _target(self._handle, _index(index), 0).read_format
        return read_format


class Enabled:
    """Events that count inside a `with`."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def __enter__(self) -> Opened:
        self._opened.enable()
        return self._opened

    def __exit__(self, *_: object) -> None:
        self._opened.disable()


def _index(index: int) -> int:
    """Never one that ctypes would turn into another."""
    try:
        return whole("index", index, ctypes.c_size_t)
    except ValueError as beyond:
        raise IndexError(str(beyond)) from None
