# SPDX-License-Identifier: MIT
"""Recordings: what a perf.data file says of its events and of the machine that it was made on."""
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, List, Optional, Tuple

from ._library import Path, lib, path_bytes, text, text_or_none
from ._object import Owner, create
from .attr import attr_bytes, attr_of
from .catalog import Catalog
from .errors import Diagnosis, diagnosis_of
from .pmu import decimal_of


@dataclass(frozen=True)
class RecordedEvent:
    """An event of a recording."""

    name: Optional[str]  #: that perf gave it
    attr: bytes  #: in this machine's byte order, the part that pmuq knows
    attr_size: int  #: how long the file says that it is
    has_unknown_tail: bool  #: something is set behind what pmuq knows
    unit: str
    scale: Decimal
    ids: Tuple[int, ...]  #: the numbers that samples carry
    leader: int
    group_size: int
    group_name: Optional[str]


@dataclass(frozen=True)
class Feature:
    """Something that the file says of machine and recording."""

    number: int  #: of its bit
    name: Optional[str]
    size: int  #: bytes
    is_read: bool
    values: Tuple[Tuple[str, str], ...]  #: names ("" where there is none) and texts


class Recording(Owner):
    """A perf.data file; the samples are passed over. Any number of threads may look at one.

    >>> with pmuq.Recording("perf.data") as recording:
    ...     machine = recording.catalog()
    ...     print([pmuq.decode(event.attr, machine).text for event in recording.events])
    """

    def __init__(self, path: Path) -> None:
        super().__init__(create("recording", lib.pmuq_recording_free, lib.pmuq_recording_open, path_bytes(path)))

    @property
    def events(self) -> List[RecordedEvent]:
        """In perf's order."""
        handle = self._handle
        return [_event(handle, i) for i in range(lib.pmuq_recording_event_count(handle))]

    @property
    def features(self) -> List[Feature]:
        """In the order of the file."""
        handle = self._handle
        return [_feature(handle, i) for i in range(lib.pmuq_recording_feature_count(handle))]

    @property
    def problems(self) -> List[Diagnosis]:
        """What was cut off, or contradicts itself: there may be less of everything, then."""
        handle = self._handle
        return [diagnosis_of(lib.pmuq_recording_problem(handle, i))
                for i in range(lib.pmuq_recording_problem_count(handle))]

    @property
    def is_stream(self) -> bool:
        """Whether it is what `perf record -o -` writes."""
        return bool(lib.pmuq_recording_is_stream(self._handle))

    @property
    def is_big_endian(self) -> bool:
        """Whether the machine that it was made on is."""
        return bool(lib.pmuq_recording_is_big_endian(self._handle))

    @property
    def bytes_read(self) -> int:
        """How many bytes of the file were read."""
        return int(lib.pmuq_recording_bytes_read(self._handle))

    def catalog(self) -> Catalog:
        """The machine as far as the recording tells: facts, PMUs with types and caps, no formats and no events."""
        return Catalog(create("catalog", lib.pmuq_catalog_free, lib.pmuq_recording_catalog, self._handle))


def _event(r: Any, i: int) -> RecordedEvent:
    return RecordedEvent(text_or_none(lib.pmuq_recording_event_name(r, i)),
                         attr_bytes(attr_of(lib.pmuq_recording_event_attr(r, i))), lib.pmuq_recording_event_attr_size(r, i),
                         bool(lib.pmuq_recording_event_has_unknown_tail(r, i)), text(lib.pmuq_recording_event_unit(r, i)),
                         decimal_of(text(lib.pmuq_recording_event_scale(r, i))),
                         tuple(lib.pmuq_recording_event_id(r, i, n) for n in range(lib.pmuq_recording_event_id_count(r, i))),
                         lib.pmuq_recording_event_leader(r, i), lib.pmuq_recording_event_group_size(r, i),
                         text_or_none(lib.pmuq_recording_event_group_name(r, i)))


def _feature(r: Any, i: int) -> Feature:
    values = tuple((text(lib.pmuq_recording_value_name(r, i, n)), text(lib.pmuq_recording_value_text(r, i, n)))
                   for n in range(lib.pmuq_recording_value_count(r, i)))
    return Feature(lib.pmuq_recording_feature_number(r, i), text_or_none(lib.pmuq_recording_feature_name(r, i)),
                   lib.pmuq_recording_feature_bytes(r, i), bool(lib.pmuq_recording_feature_is_read(r, i)), values)
