# SPDX-License-Identifier: MIT
"""Sources: a machine to ask, read as questions come."""
import ctypes
from typing import Any, List, Optional

from ._library import Path, lib, path_bytes, pointer_type, text_or_none, to_bytes
from ._object import create
from .catalog import Catalog
from .errors import call
from .machine import Machine
from .names import names_of
from .pmu import Pmu


class Source(Machine):
    """This machine, a captured tree, or a snapshot of a database. It reads what a question needs, and no more; a catalog
    is the whole machine in memory. Threads that use one source wait for each other.

    >>> with pmuq.Source.live() as machine:
    ...     machine.encode("msr/tsc/")[0].fields
    {'type': 9, 'size': 64, 'config': 0}
    """

    _encode, _decode, _is_live = "pmuq_source_encode", "pmuq_source_decode", "pmuq_source_is_live"

    @classmethod
    def live(cls) -> "Source":
        """This machine."""
        return cls(create("source", lib.pmuq_source_free, lib.pmuq_source_open_live))

    @classmethod
    def tree(cls, path: Path) -> "Source":
        """A captured tree: a directory that holds sys/ and perhaps proc/, or a tar of one, packed or not. Nothing outside it
        is read."""
        return cls(create("source", lib.pmuq_source_free, lib.pmuq_source_open_tree, path_bytes(path)))

    @classmethod
    def snapshot(cls, database: Path, host: str, when: str = "") -> "Source":
        """A machine of which a snapshot is in a database: the newest, or the one that `when` means (its number, a date,
        a kernel: see Store.find_snapshot())."""
        from .store import Store  # which knows sources

        with Store(database) as store:
            return store.source(host, store.find_snapshot(host, when) if when else 0)

    @property
    def opens(self) -> int:
        """How many files and directories it has opened so far."""
        handle = self._handle
        with handle.lock:
            opens: int = lib.pmuq_source_opens(handle)
            return opens

    def find_pmu(self, name: str) -> Pmu:
        """One PMU in full, by its name or alias; an Error (unknown-pmu) when there is none."""
        handle, pmu = self._handle, pointer_type("pmu")()
        with handle.lock:
            call(lib.pmuq_source_find_pmu, handle, to_bytes(name), ctypes.byref(pmu))
        return Pmu(handle, pmu)

    def fact(self, name: str) -> Optional[str]:
        """A fact about the host, as a catalog has it ("cpuid"); None when the machine does not tell it."""
        handle = self._handle
        with handle.lock:
            return text_or_none(lib.pmuq_source_find_fact(handle, to_bytes(name)))

    def pmu_names(self, head: str = "") -> List[str]:
        """The names of all PMUs that begin with `head`, in the order of a catalog. No PMU is read for it: it is far faster
        than a catalog. So with the next two."""
        return self._names(lib.pmuq_source_list_pmus, head)

    def event_names(self, head: str = "") -> List[str]:
        """The names of the events of all PMUs, each once."""
        return self._names(lib.pmuq_source_list_events, head)

    def tracepoint_names(self, head: str = "") -> List[str]:
        """The tracepoints ("sched:sched_switch") whose number can be read."""
        return self._names(lib.pmuq_source_list_tracepoints, head)

    def _names(self, function: Any, head: str) -> List[str]:
        handle = self._handle
        with handle.lock:
            return names_of(handle, function, head)

    def refresh(self) -> bool:
        """Look whether the machine has become another one since the last time: a PMU came or went, a CPU went on- or
        offline, perf_event_paranoid was set; True the first time, too. If so, what was learnt is read anew. What was got
        before stays as it was."""
        handle, is_changed = self._handle, ctypes.c_bool()
        with handle.lock:
            call(lib.pmuq_source_refresh, handle, ctypes.byref(is_changed))
        return is_changed.value

    def catalog(self) -> Catalog:
        """Read all that it offers. What could not be read is a problem of the catalog, no exception."""
        handle = self._handle
        with handle.lock:
            return Catalog(create("catalog", lib.pmuq_catalog_free, lib.pmuq_source_read_catalog, handle))
