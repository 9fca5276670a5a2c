# SPDX-License-Identifier: MIT
"""Encodings: what an event string means on a machine."""
import ctypes
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Dict, List, Optional, Sequence, Union, overload

from . import _structs
from ._library import lib, text, text_or_none
from ._object import Handle, Owner, Part, create
from .attr import attr_bytes, attr_of, fields_of
from .cpus import Cpus, parse_cpus
from .enums import Cause, Origin
from .errors import Diagnosis, call, diagnosis_of
from .opening import Budget, Count, Opened, Verdict, budget_of, count_of, open_options, verdicts_of
from .pmu import decimal_of


@dataclass(frozen=True)
class Group:
    """The group that an event is in."""

    leader: int  #: its index
    members: int  #: how many events are in it, the leader too
    name: str  #: "" when unnamed


@dataclass(frozen=True)
class Deferred:
    """A term that only a sampling or counting tool applies: period, call-graph …"""

    name: str
    value: Union[int, str]


@dataclass(frozen=True)
class Assignment:
    """Which term put which value where. Those of a field that are not overridden, ORed, are the field."""

    term: str
    field: str  #: of the attr, by the kernel's name
    mask: int  #: the bits of the field that it speaks for
    value: int  #: what it put there, in place
    number: int  #: the same before it was spread over the mask
    format: Optional[str]  #: the text of the format that says where
    cause: Cause
    event: Optional[str]  #: the sysfs event whose term it is
    origin: Optional[str]  #: that event's file, or the PMU's
    input: Optional[str]  #: what the span points into: the event's terms; None: the event string
    offset: int
    length: int
    is_overridden: bool  #: another one replaced its value


class Encoding(Part):
    """One event: an attr, and what goes with it."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """As written, or the value of name=."""
        return text(lib.pmuq_encoding_name(self._pointer))

    @property
    def pmu(self) -> Optional[str]:
        """The PMU that counts it; None when the machine has none of that type."""
        return text_or_none(lib.pmuq_encoding_pmu(self._pointer))

    @property
    def origin(self) -> Origin:
        """Where the meaning of its name came from."""
        return Origin(lib.pmuq_encoding_origin(self._pointer))

    @property
    def source(self) -> str:
        """The same as a word, as the command shows it: "sysfs"."""
        return text(lib.pmuq_origin_name(lib.pmuq_encoding_origin(self._pointer)))

    @property
    def attr(self) -> bytes:
        """The perf_event_attr, as many bytes as its size says (the smallest published one that holds what is set)."""
        return attr_bytes(lib.pmuq_encoding_attr(self._pointer).contents)

    @property
    def fields(self) -> Dict[str, int]:
        """The attr by the kernel's names: type, size, config, and all others that are not 0."""
        return fields_of(attr_of(lib.pmuq_encoding_attr(self._pointer)))

    @property
    def probe_text(self) -> Optional[str]:
        """The text that the kernel wants a pointer to in config1: the function of a kprobe, the file of an uprobe."""
        return text_or_none(lib.pmuq_encoding_probe_text(self._pointer))

    @property
    def probe_field(self) -> Optional[str]:
        """The field that wants it: "kprobe_func", "uprobe_path"."""
        return text_or_none(lib.pmuq_encoding_probe_field(self._pointer))

    @property
    def cpus(self) -> List[int]:
        """The CPUs to open it on; ValueError when the kernel wrote something else."""
        return parse_cpus(self.cpus_text)

    @property
    def cpus_text(self) -> str:
        """The same as a list of the kernel's, "0,8"."""
        return text(lib.pmuq_encoding_cpus(self._pointer))

    @property
    def needs_cpu(self) -> bool:
        """Whether the PMU counts only per CPU (pid -1)."""
        return bool(lib.pmuq_encoding_needs_cpu(self._pointer))

    @property
    def unit(self) -> str:
        """ "" when there is none."""
        return text(lib.pmuq_encoding_unit(self._pointer))

    @property
    def scale(self) -> Decimal:
        """What to multiply a count by, exactly; 1 when there is none."""
        return decimal_of(self.scale_text)

    @property
    def scale_text(self) -> str:
        """The same as it is written."""
        return text(lib.pmuq_encoding_scale(self._pointer))

    @property
    def is_per_pkg(self) -> bool:
        """Whether one CPU of a package counts for all of it."""
        return bool(lib.pmuq_encoding_is_per_pkg(self._pointer))

    @property
    def is_snapshot(self) -> bool:
        """Whether the value is a state, not a count."""
        return bool(lib.pmuq_encoding_is_snapshot(self._pointer))

    @property
    def group(self) -> Optional[Group]:
        """The group that it is in."""
        leader, members, name = (lib.read_member("encoding", "{0}->" + member, self._pointer)
                                 for member in ("leader", "n_members", "group_name.p"))
        return Group(leader, members, text(name)) if members else None

    @property
    def deferred(self) -> List[Deferred]:
        """What is left to a tool."""
        return [self._deferred(i) for i in range(lib.pmuq_encoding_deferred_count(self._pointer))]

    def _deferred(self, i: int) -> Deferred:
        value = text(lib.pmuq_encoding_deferred_text(self._pointer, i))
        is_number = lib.pmuq_encoding_deferred_is_number(self._pointer, i)
        return Deferred(text(lib.pmuq_encoding_deferred_name(self._pointer, i)), int(value) if is_number else value)

    @property
    def warnings(self) -> List[Diagnosis]:
        """What is legal but surprising."""
        return [diagnosis_of(lib.pmuq_encoding_warning(self._pointer, i))
                for i in range(lib.pmuq_encoding_warning_count(self._pointer))]

    @property
    def assignments(self) -> List[Assignment]:
        """Who put which value where, in the order in which it was done; none unless encode() was asked for them."""
        return [_assignment(lib.pmuq_encoding_assignment(self._pointer, i))
                for i in range(lib.pmuq_encoding_assignment_count(self._pointer))]

    def __repr__(self) -> str:
        return f"<Encoding {self.name}: {' '.join(f'{k}={v:#x}' for k, v in self.fields.items())}>"


def _assignment(a: Any) -> Assignment:
    return Assignment(text(lib.pmuq_assignment_term(a)), text(lib.pmuq_assignment_field(a)), lib.pmuq_assignment_mask(a),
                      lib.pmuq_assignment_value(a), lib.pmuq_assignment_number(a),
                      text_or_none(lib.pmuq_assignment_format(a)), Cause(lib.pmuq_assignment_cause(a)),
                      text_or_none(lib.pmuq_assignment_event(a)), text_or_none(lib.pmuq_assignment_origin(a)),
                      text_or_none(lib.pmuq_assignment_input(a)), lib.pmuq_assignment_offset(a),
                      lib.pmuq_assignment_length(a), bool(lib.pmuq_assignment_is_overridden(a)))


class Encodings(Owner, Sequence[Encoding]):
    """What an event string means: one string may give many events (a list, a group, an event of several PMUs), in
    perf's order. They stay good when the machine that was asked is closed."""

    def __init__(self, handle: Handle, is_live: bool) -> None:
        super().__init__(handle)
        self.is_live = is_live  #: whether they are of this machine, so that they can be opened here

    def __len__(self) -> int:
        count: int = lib.pmuq_encodings_count(self._handle)
        return count

    @overload
    def __getitem__(self, index: int) -> Encoding: ...

    @overload
    def __getitem__(self, index: slice) -> List[Encoding]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Encoding, List[Encoding]]:
        handle = self._handle
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return Encoding(handle, lib.pmuq_encodings_get(handle, range(len(self))[index]))

    def __repr__(self) -> str:
        return repr(list(self)) if not self.closed else "<Encodings, closed>"

    def test_open(self, *, pid: int = 0, cpus: Optional[Cpus] = None, cgroup: Optional[str] = None) -> List[Verdict]:
        """Ask the running kernel: each is opened (never enabled) and closed at once. A refusal is a verdict, no
        exception.

        `pid` is a process, `cpus` a list of numbers or text, `cgroup` one instead of a process; none: this task.
        """
        verdicts = self._ask("open_results", lib.pmuq_verdicts_free, lib.pmuq_encodings_test_open,
                             open_options(pid, cpus, cgroup))
        return verdicts_of(verdicts)

    def budget(self, *, pid: int = 0, cpus: Optional[Cpus] = None, cgroup: Optional[str] = None) -> Budget:
        """How many descriptors it would take to keep all of them open; nothing is opened."""
        handle, budget, options = self._live_handle(), _structs.sized(_structs.Budget), open_options(pid, cpus, cgroup)
        with handle.lock:
            call(lib.pmuq_encodings_budget, handle, ctypes.byref(options), ctypes.byref(budget))
        return budget_of(budget)

    def measure(self, *, pid: int = 0, cpus: Optional[Cpus] = None, cgroup: Optional[str] = None, work_ms: int = 0,
                wants_page: bool = False) -> List[Count]:
        """Ask whether they count: each, or each group, is opened, enabled, given work for `work_ms` (100), and read."""
        counts = self._ask("counts", lib.pmuq_counts_free, lib.pmuq_encodings_measure,
                           open_options(pid, cpus, cgroup, work_ms, wants_page))
        return [count_of(counts, i) for i in range(lib.pmuq_counts_count(counts))]

    def open(self, *, pid: int = 0, cpus: Optional[Cpus] = None, cgroup: Optional[str] = None) -> Opened:
        """Open them and keep them open, disabled. An event that is refused is no exception: see Opened.verdicts."""
        return Opened(self._ask("opened", lib.pmuq_opened_free, lib.pmuq_encodings_open, open_options(pid, cpus, cgroup)))

    def _ask(self, kind: str, free: Any, function: Any, options: _structs.OpenOptions) -> Handle:
        handle = self._live_handle()
        with handle.lock:
            return create(kind, free, function, handle, ctypes.byref(options))

    def _live_handle(self) -> Handle:
        handle = self._handle
        if not self.is_live:
            raise ValueError("these events are of another machine: only that one's kernel can be asked")
        return handle


def generic_names() -> List[str]:
    """The kernel's generic events by their usual names: hardware, then software, then cache events."""
    names: List[str] = []
    buffer = ctypes.create_string_buffer(64)
    while lib.pmuq_generic_name(len(names), buffer):
        names.append(text(buffer.value))
    return names
