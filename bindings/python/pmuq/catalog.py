# SPDX-License-Identifier: MIT
"""Catalogs: all that a machine offers, in memory, immutable."""
import contextlib
from dataclasses import dataclass
from typing import ContextManager, Dict, List, Optional, Sequence

from ._arguments import time_or_now
from ._library import lib, text, to_bytes
from ._object import Handle, Items, create
from .check import Check
from .machine import Machine
from .pmu import Pmu


@dataclass(frozen=True)
class Problem:
    """What could not be read or understood, and why."""

    path: str  #: the file, relative to the root
    message: str
    code: int


class Catalog(Machine):
    """A whole machine. Any number of threads may use one, and encode at once."""

    _encode, _decode, _is_live = "pmuq_catalog_encode", "pmuq_catalog_decode", "pmuq_catalog_is_live"

    def _turn(self, handle: Handle) -> ContextManager[object]:
        return contextlib.nullcontext()

    @property
    def facts(self) -> Dict[str, str]:
        """Facts about the host: hostname, kernel, arch, cpuid …; those that the machine does not tell are absent."""
        handle = self._handle
        return {text(lib.pmuq_catalog_fact_name(handle, i)): text(lib.pmuq_catalog_fact_text(handle, i))
                for i in range(lib.pmuq_catalog_fact_count(handle))}

    @property
    def pmus(self) -> Sequence[Pmu]:
        """Core PMUs first, then by name without its number, then by number."""
        handle = self._handle
        return Items(lib.pmuq_catalog_pmu_count(handle), lambda i: Pmu(handle, lib.pmuq_catalog_pmu(handle, i)))

    def find_pmu(self, name: str) -> Optional[Pmu]:
        """By name or alias; case matters."""
        handle = self._handle
        pmu = lib.pmuq_catalog_find_pmu(handle, to_bytes(name))
        return Pmu(handle, pmu) if pmu else None

    @property
    def problems(self) -> List[Problem]:
        """What could not be read or understood."""
        handle = self._handle
        return [Problem(text(lib.pmuq_catalog_problem_path(handle, i)), text(lib.pmuq_catalog_problem_message(handle, i)),
                        lib.pmuq_catalog_problem_code(handle, i))
                for i in range(lib.pmuq_catalog_problem_count(handle))]

    @property
    def check(self) -> Optional[Check]:
        """What is known of a stored machine: its last check."""
        handle = self._handle
        check = lib.pmuq_catalog_check(handle)
        return Check(Handle(check, None, handle)) if check else None

    def begin_check(self, time_s: Optional[int] = None) -> Check:
        """Begin to ask the running kernel for every event of this machine: see Check.

        `time_s`: now, in seconds since 1970.
        """
        handle = self._handle
        now = time_or_now(time_s)
        return Check(create("check", lib.pmuq_check_free, lib.pmuq_check_begin, handle, now, needs=(handle,)))

    def __repr__(self) -> str:
        return "<Catalog, closed>" if self.closed else f"<Catalog of {len(self.pmus)} PMUs>"
