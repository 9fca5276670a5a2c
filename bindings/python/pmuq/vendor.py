# SPDX-License-Identifier: MIT
"""Vendors' event tables: the events of one CPU, what was imported, and what a search found."""
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, List, Optional, Sequence, Tuple

from ._library import lib, text, text_or_none, to_bytes
from ._object import Items, Owner, Part
from .enums import Match
from .pmu import Pmu, decimal_of


class VendorEvent(Part):
    """An event of a vendor's table."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """In lower case."""
        return text(lib.pmuq_vendor_event_name(self._pointer))

    @property
    def pmu(self) -> str:
        """What the tables call the PMU: "default_core", "uncore_imc" (every box of them) …"""
        return text(lib.pmuq_vendor_event_pmu(self._pointer))

    @property
    def terms(self) -> str:
        """As a file in events/ has them."""
        return text(lib.pmuq_vendor_event_terms(self._pointer))

    @property
    def unit(self) -> str:
        """ "" when there is none."""
        return text(lib.pmuq_vendor_event_unit(self._pointer))

    @property
    def scale(self) -> Decimal:
        """What to multiply a count by."""
        return decimal_of(text(lib.pmuq_vendor_event_scale(self._pointer)))

    @property
    def is_per_pkg(self) -> bool:
        """Whether one CPU of a package counts for all of it."""
        return bool(lib.pmuq_vendor_event_is_per_pkg(self._pointer))

    @property
    def is_deprecated(self) -> bool:
        """Whether the vendor would rather that another one is used."""
        return bool(lib.pmuq_vendor_event_is_deprecated(self._pointer))

    @property
    def topic(self) -> str:
        """ "" where the table says nothing; so with the next three."""
        return text(lib.pmuq_vendor_event_topic(self._pointer))

    @property
    def description(self) -> str:
        """In a sentence."""
        return text(lib.pmuq_vendor_event_description(self._pointer))

    @property
    def long_description(self) -> str:
        """In more."""
        return text(lib.pmuq_vendor_event_long_description(self._pointer))

    @property
    def compat(self) -> str:
        """What the PMU's file `identifier` must match as a whole; "" for any."""
        return text(lib.pmuq_vendor_event_compat(self._pointer))

    def __repr__(self) -> str:
        return f"<VendorEvent {self.name} of {self.pmu}: {self.terms}>"


class Vendor(Owner):
    """The events of one CPU; any number of threads may use it. Store.vendor() opens one."""

    @property
    def cpuid(self) -> str:
        """What it was opened for."""
        return text(lib.pmuq_vendor_cpuid(self._handle))

    @property
    def import_name(self) -> str:
        """The import that it was found in."""
        return text(lib.pmuq_vendor_import(self._handle))

    @property
    def folder(self) -> str:
        """ "x86/skylakex"."""
        return text(lib.pmuq_vendor_folder(self._handle))

    @property
    def version(self) -> str:
        """What the vendor gives, or ""."""
        return text(lib.pmuq_vendor_version(self._handle))

    @property
    def events(self) -> Sequence[VendorEvent]:
        """By name, then by PMU."""
        handle = self._handle
        return Items(lib.pmuq_vendor_event_count(handle), lambda i: VendorEvent(handle, lib.pmuq_vendor_get(handle, i)))

    def find_event(self, pmu: Pmu, name: str) -> Optional[VendorEvent]:
        """The event that a name, in any case, means on a PMU of a machine."""
        handle = self._handle
        if not isinstance(pmu, Pmu):
            raise TypeError(f"pmu: expected Pmu, not {type(pmu).__name__}")
        event = lib.pmuq_vendor_find_event(handle, pmu._pointer, to_bytes(name))
        return VendorEvent(handle, event) if event else None


@dataclass(frozen=True)
class ImportProblem:
    """An event that was left out of an import."""

    path: str
    line: int
    message: str
    code: int


@dataclass(frozen=True)
class Import:
    """A vendor's tables, as they were imported."""

    name: str
    directory: str
    layout: str  #: "kernel", "perfmon" or "libpfm4"
    time_s: int
    folder_count: int
    cpu_count: int
    event_count: int
    metric_count: int
    problems: Tuple[ImportProblem, ...]


@dataclass(frozen=True)
class Found:
    """An event that a search found."""

    folders: str  #: where it stands: "x86/cascadelakex, x86/skylakex"
    pmu: str
    name: str
    match: Match
    is_libpfm4: bool  #: a name of libpfm4: PMU::NAME
    terms: Optional[str]  #: None where the CPUs that have it differ
    topic: str
    description: str
    long_description: str
    is_deprecated: bool


def _import(vendors: Any, i: int) -> Import:
    problems = tuple(ImportProblem(text(lib.pmuq_vendors_problem_path(vendors, i, n)),
                                   lib.pmuq_vendors_problem_line(vendors, i, n),
                                   text(lib.pmuq_vendors_problem_message(vendors, i, n)),
                                   lib.pmuq_vendors_problem_code(vendors, i, n))
                     for n in range(lib.pmuq_vendors_problem_count(vendors, i)))
    return Import(text(lib.pmuq_vendors_name(vendors, i)), text(lib.pmuq_vendors_directory(vendors, i)),
                  text(lib.pmuq_vendors_layout(vendors, i)), lib.pmuq_vendors_time_s(vendors, i),
                  lib.pmuq_vendors_folder_count(vendors, i), lib.pmuq_vendors_cpu_count(vendors, i),
                  lib.pmuq_vendors_event_count(vendors, i), lib.pmuq_vendors_metric_count(vendors, i), problems)


def imports_of(vendors: Any) -> List[Import]:
    return [_import(vendors, i) for i in range(lib.pmuq_vendors_count(vendors))]


def _found(found: Any, i: int) -> Found:
    return Found(text(lib.pmuq_found_folders(found, i)), text(lib.pmuq_found_pmu(found, i)),
                 text(lib.pmuq_found_name(found, i)), Match(lib.pmuq_found_match(found, i)),
                 bool(lib.pmuq_found_is_libpfm4(found, i)), text_or_none(lib.pmuq_found_terms(found, i)),
                 text(lib.pmuq_found_topic(found, i)), text(lib.pmuq_found_description(found, i)),
                 text(lib.pmuq_found_long_description(found, i)), bool(lib.pmuq_found_is_deprecated(found, i)))


def found_of(found: Any) -> List[Found]:
    return [_found(found, i) for i in range(lib.pmuq_found_count(found))]
