# SPDX-License-Identifier: MIT
"""Sources: a machine to ask, read as questions come."""
import ctypes
from typing import Optional

from ._library import Path, lib, path_bytes, pointer_type, text_or_none, to_bytes
from ._object import create
from .catalog import Catalog
from .errors import call
from .machine import Machine
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
        """A captured tree: a directory that holds sys/ and perhaps proc/. Nothing outside it is read."""
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
        """One PMU in full, by its name or alias; an Error with a hint when there is none."""
        handle, pmu = self._handle, pointer_type("pmu")()
        with handle.lock:
            call(lib.pmuq_source_find_pmu, handle, to_bytes(name), ctypes.byref(pmu))
        return Pmu(handle, pmu)

    def fact(self, name: str) -> Optional[str]:
        """A fact about the host, as a catalog has it ("cpuid"); None when the machine does not tell it."""
        handle = self._handle
        with handle.lock:
            return text_or_none(lib.pmuq_source_find_fact(handle, to_bytes(name)))

    def catalog(self) -> Catalog:
        """Read all that it offers. What could not be read is a problem of the catalog, no exception."""
        handle = self._handle
        with handle.lock:
            return Catalog(create("catalog", lib.pmuq_catalog_free, lib.pmuq_source_read_catalog, handle))
