# SPDX-License-Identifier: MIT
"""PMUs, and what they consist of: formats, events, caps. They keep the catalog or source alive that they are of."""
import ctypes
from decimal import Decimal, InvalidOperation
from typing import Dict, List, NamedTuple, Optional, Sequence

from ._library import lib, text, text_or_none, to_bytes
from ._object import Items, Part
from .cpus import parse_cpus
from .enums import FileContent


def decimal_of(scale: str) -> Decimal:
    try:
        return Decimal(scale)
    except InvalidOperation:
        raise ValueError(f"{scale!r} is a scale beyond all numbers") from None


class PmuFile(NamedTuple):
    """A file of a PMU's directory whose meaning pmuq knows."""

    path: str
    title: str
    help: str
    unit: str
    content: FileContent


def pmu_files() -> List[PmuFile]:
    """The files that pmuq knows; no PMU has all of them."""
    files, index = [], 0
    while info := lib.pmuq_pmu_file_at(index):
        one = info.contents
        files.append(PmuFile(text(one.path.p), text(one.title.p), text(one.help.p), text(one.unit.p),
                             FileContent(one.content)))
        index += 1
    return files


class Format(Part):
    """Which bits of the attr a term's value goes to."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The term."""
        return text(lib.pmuq_format_name(self._pointer))

    @property
    def text(self) -> str:
        """As the kernel wrote it: "config1:0-7,32-35"."""
        return text(lib.pmuq_format_text(self._pointer))

    @property
    def word(self) -> Optional[int]:
        """0 for config, 1 for config1 … 4 for config4; None when the text names no word that pmuq knows."""
        word: int = lib.pmuq_format_word(self._pointer)
        return word if word >= 0 else None

    @property
    def mask(self) -> int:
        """The bits of that word that it takes; 0 when the text could not be understood."""
        mask: int = lib.pmuq_format_mask(self._pointer)
        return mask

    def __repr__(self) -> str:
        return f"<Format {self.name}: {self.text}>"


class Event(Part):
    """An event that a PMU names in its directory events/."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Its file's name."""
        return text(lib.pmuq_event_name(self._pointer))

    @property
    def terms(self) -> str:
        """ "event=0xcd,umask=0x1,ldlat=3"."""
        return text(lib.pmuq_event_terms(self._pointer))

    @property
    def unit(self) -> str:
        """ "" when there is none."""
        return text(lib.pmuq_event_unit(self._pointer))

    @property
    def scale(self) -> Decimal:
        """What to multiply a count by, exactly; 1 when there is none."""
        return decimal_of(self.scale_text)

    @property
    def scale_text(self) -> str:
        """The same as it is written."""
        return text(lib.pmuq_event_scale(self._pointer))

    @property
    def is_per_pkg(self) -> bool:
        """Whether one CPU of a package counts for all of it."""
        return bool(lib.pmuq_event_is_per_pkg(self._pointer))

    @property
    def is_snapshot(self) -> bool:
        """Whether the value is a state, not a count."""
        return bool(lib.pmuq_event_is_snapshot(self._pointer))

    def __repr__(self) -> str:
        return f"<Event {self.name}: {self.terms}>"


class Pmu(Part):
    """A PMU: a directory under /sys/bus/event_source/devices."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The directory's name."""
        return text(lib.pmuq_pmu_name(self._pointer))

    @property
    def alias(self) -> Optional[str]:
        """A second name."""
        return text_or_none(lib.pmuq_pmu_alias(self._pointer))

    @property
    def type(self) -> Optional[int]:
        """perf_event_attr.type; None when the machine does not tell it."""
        has_type, number = (lib.read_member("pmu", "{0}->" + member, self._pointer) for member in ("has_type", "type"))
        return number if has_type else None

    @property
    def cpus(self) -> List[int]:
        """The CPUs to open events on; ValueError when the kernel wrote something else."""
        return parse_cpus(self.cpus_text)

    @property
    def cpus_text(self) -> str:
        """The same as a list of the kernel's, "0,8"."""
        return text(lib.pmuq_pmu_cpus(self._pointer))

    @property
    def cpumask(self) -> Optional[str]:
        """The content of `cpumask`; None when there is no such file."""
        return text_or_none(lib.pmuq_pmu_cpumask(self._pointer))

    @property
    def is_core(self) -> bool:
        """Whether it counts what the CPU cores do."""
        return bool(lib.pmuq_pmu_is_core(self._pointer))

    @property
    def is_uncore(self) -> bool:
        """Whether its events open per CPU only."""
        return bool(lib.pmuq_pmu_is_uncore(self._pointer))

    @property
    def kind(self) -> int:
        """The same for PMUs of one catalog with the same formats, events and caps."""
        kind: int = lib.pmuq_pmu_kind(self._pointer)
        return kind

    @property
    def attributes(self) -> Dict[str, str]:
        """Plain files of the directory that have no place of their own here."""
        return {text(lib.pmuq_pmu_attribute_name(self._pointer, i)): text(lib.pmuq_pmu_attribute_text(self._pointer, i))
                for i in range(lib.pmuq_pmu_attribute_count(self._pointer))}

    @property
    def caps(self) -> Dict[str, str]:
        """The files of caps/."""
        return {text(lib.pmuq_pmu_cap_name(self._pointer, i)): text(lib.pmuq_pmu_cap_text(self._pointer, i))
                for i in range(lib.pmuq_pmu_cap_count(self._pointer))}

    def file(self, path: str) -> Optional[str]:
        """The content of a plain file of the directory, "cpumask" or "caps/max_precise"; None if there is no such file."""
        return text_or_none(lib.pmuq_pmu_file_text(self._pointer, to_bytes(path)))

    @property
    def formats(self) -> Sequence[Format]:
        """The files of format/, by name."""
        return Items(lib.pmuq_pmu_format_count(self._pointer),
                     lambda i: Format(self._handle, lib.pmuq_pmu_format(self._pointer, i)))

    @property
    def events(self) -> Sequence[Event]:
        """The events of events/, by name."""
        return Items(lib.pmuq_pmu_event_count(self._pointer),
                     lambda i: Event(self._handle, lib.pmuq_pmu_event(self._pointer, i)))

    def find_event(self, name: str) -> Optional[Event]:
        """An event by its name."""
        return next((event for event in self.events if event.name == name), None)

    def __repr__(self) -> str:
        return f"<Pmu {self.name}>"
