# SPDX-License-Identifier: MIT
"""Stores: snapshots of machines, and vendors' tables, in a database."""
import contextlib
import ctypes
from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _structs
from ._arguments import listed, time_or_now, whole
from ._library import Path, lib, path_bytes, text, text_array, text_or_none, to_bytes, to_bytes_or_none
from ._object import Handle, Owner, create, handle_of, handle_or_none, turn_of
from .catalog import Catalog
from .check import Check
from .enums import StoreMode
from .errors import call
from .libpfm4 import Pfm
from .source import Source
from .vendor import Found, Import, Vendor, found_of, imports_of

_NOT_KNOWN = ctypes.c_size_t(-1).value


@dataclass(frozen=True)
class Saved:
    """What became of a catalog that was saved."""

    snapshot: int  #: its number in the store
    is_new: bool  #: False: nothing had changed, and only the time was moved
    has_old_check: bool  #: the check was stopped early, and a whole one was there: it stays
    is_new_host: bool  #: the store had none of that name


@dataclass(frozen=True)
class Snapshot:
    """How a machine was, for some time."""

    number: int
    first_seen_s: int  #: seconds since 1970
    last_seen_s: int
    kernel: Optional[str]
    is_checked: bool
    facts: Mapping[str, str] = field(hash=False)  #: those of the facts that were asked for


@dataclass(frozen=True)
class Host:
    """A host of the store."""

    name: str
    machine_id: Optional[str]
    snapshots: Tuple[Snapshot, ...]  #: oldest first; one at least
    kept_count: int  #: how many snapshots the store has of it
    kind: Optional[str]  #: the kind that its newest snapshot is of, eight hex digits
    check: Optional[int]  #: which of the checks of its kind it has; None: it was not checked


@dataclass(frozen=True)
class Kind:
    """Hosts that give the same answers to every event string: one question to one of them answers for all."""

    name: str  #: eight hex digits, the same in every store
    hosts: Tuple[str, ...]
    check_hosts: Tuple[str, ...]  #: for each different answer of the kernels, a host that has it


@dataclass(frozen=True)
class Hosts:
    """What a store holds, or the part of it that was asked for."""

    hosts: Tuple[Host, ...]
    kinds: Tuple[Kind, ...]  #: the one with most hosts first
    matched: Mapping[str, int] = field(hash=False)  #: how many hosts each glob matched

    def __iter__(self) -> Iterator[Host]:
        return iter(self.hosts)

    def __len__(self) -> int:
        return len(self.hosts)


@dataclass(frozen=True)
class Forgotten:
    """What was forgotten."""

    hosts: int  #: that have no snapshot any more
    snapshots: int
    layouts: int  #: sets of PMUs that no other snapshot shared
    kinds: int
    free_bytes: int  #: of the file, free now for what comes next


class Store(Owner):
    """A database of snapshots (SQLite).

    >>> with pmuq.Store("fleet.db") as store:
    ...     for host in store.hosts(["web*"]):
    ...         print(host.name, store.source(host.name).encode("cycles")[0].fields)
    """

    def __init__(self, path: Path, mode: StoreMode = StoreMode.READ) -> None:
        super().__init__(create("store", lib.pmuq_store_free, lib.pmuq_store_open, path_bytes(path),
                                whole("mode", mode, ctypes.c_uint)))

    def source(self, host: str, snapshot: int = 0) -> Source:
        """A machine as a source, which does not need the store afterwards; 0: its newest snapshot."""
        return Source(self._make("source", lib.pmuq_source_free, lib.pmuq_store_open_host, to_bytes(host),
                                 whole("snapshot", snapshot, ctypes.c_int64)))

    def find_snapshot(self, host: str, when: str) -> int:
        """The number of the snapshot that a word means: its number, a date ("2026-11-01 10:30"), or a kernel ("6.1")."""
        handle, number = self._handle, ctypes.c_int64()
        with handle.lock:
            call(lib.pmuq_store_find_snapshot, handle, to_bytes(host), to_bytes(when), ctypes.byref(number))
        return number.value

    def hosts(self, globs: Sequence[str] = (), *, machine_id: Optional[str] = None, newest_only: bool = False,
              facts: Sequence[str] = ()) -> Hosts:
        """The hosts whose names match one of the globs (all, when there are none), by name, with their snapshots.

        `newest_only`: of each the newest snapshot alone, which is much faster; `facts`: facts to be told of each that
        machines may share ("cpuid", "arch").
        """
        globs, facts = listed("globs", globs), listed("facts", facts)
        raw = [to_bytes(glob) for glob in globs]
        wanted = _structs.sized(_structs.HostsFilter, globs=text_array(raw), n_globs=len(raw),
                                machine_id=to_bytes_or_none(machine_id), is_newest_only=newest_only)
        found = self._make("hosts", lib.pmuq_hosts_free, lib.pmuq_store_list_hosts, ctypes.byref(wanted))
        return _hosts(found, globs, facts)

    def save(self, catalog: Catalog, *, name: Optional[str] = None, time_s: Optional[int] = None,
             check: Optional[Check] = None) -> Saved:
        """Keep a catalog as a snapshot of a host, with what a check of it found.

        `name`: the host's; none: the catalog's hostname; `time_s`: seconds since 1970; none: now.
        """
        handle, saved = self._handle, _structs.sized(_structs.Saved)
        catalog_handle, check_handle = handle_of("catalog", catalog, Catalog), handle_or_none("check", check, Check)
        now = time_or_now(time_s)
        with handle.lock, turn_of(check_handle):
            call(lib.pmuq_store_save, handle, catalog_handle, check_handle, to_bytes_or_none(name), now,
                 ctypes.byref(saved))
        return Saved(saved.snapshot, saved.is_new, saved.has_old_check, saved.is_new_host)

    @contextlib.contextmanager
    def transaction(self) -> Iterator["Store"]:
        """For a `with`: what is saved inside is saved together at its end, or, after an exception, not at all. The
        store is this thread's until then."""
        handle = self._handle
        with handle.lock:
            call(lib.pmuq_store_begin, handle)
            try:
                yield self
            except BaseException:
                lib.pmuq_store_roll_back(handle)
                raise
            call(lib.pmuq_store_commit, handle)

    def read_check(self, host: str, snapshot: int = 0) -> Optional[Check]:
        """What the check of a snapshot found; None when it was not checked."""
        return self._check(lib.pmuq_store_read_check, to_bytes(host), whole("snapshot", snapshot, ctypes.c_int64))

    def find_check(self, catalog: Catalog) -> Optional[Check]:
        """The last check of this very machine, under whatever name it was saved."""
        return self._check(lib.pmuq_store_find_check, handle_of("catalog", catalog, Catalog))

    def rename(self, host: str, new_name: str) -> None:
        """Give a host another name; its snapshots stay as they are."""
        handle = self._handle
        with handle.lock:
            call(lib.pmuq_store_rename_host, handle, to_bytes(host), to_bytes(new_name))

    def forget(self, names: Sequence[Union[str, Tuple[str, int]]] = (), *, before_s: int = 0, keep: int = 0,
               trial: bool = False, everything: bool = False) -> Forgotten:
        """Forget hosts, or single snapshots as (host, number), and what no other one shares; all that is named, or nothing.
        The names are a list, also a single one.

        `before_s`: only what was last seen before; `keep`: of each host so many of its newest snapshots stay; `trial`:
        find out, and change nothing. Without names, and without `before_s` and `keep`, `everything` must say so.
        """
        pairs = [_named(one) for one in listed("names", names)]
        if not (pairs or before_s or keep or everything):
            raise ValueError("neither names nor options: to forget all hosts, say everything=True")
        handle, forgotten = self._handle, _structs.sized(_structs.Forgotten)
        numbers = (ctypes.c_int64 * len(pairs))(*(number for _, number in pairs))
        options = _structs.sized(_structs.ForgetOptions, before_s=before_s, keep=keep, is_trial=trial)
        with handle.lock:
            call(lib.pmuq_store_forget, handle, text_array([name for name, _ in pairs]) if pairs else None,
                 numbers if pairs else None, len(pairs), ctypes.byref(options), ctypes.byref(forgotten))
        return Forgotten(forgotten.hosts, forgotten.snapshots, forgotten.layouts, forgotten.host_classes, forgotten.free_bytes)

    def vendor(self, cpuid: str) -> Vendor:
        """The imported events of one CPU, as the fact "cpuid" names it."""
        return Vendor(self._make("vendor", lib.pmuq_vendor_free, lib.pmuq_store_open_vendor, to_bytes(cpuid)))

    def imports(self) -> List[Import]:
        """What was imported, by name."""
        return imports_of(self._make("vendors", lib.pmuq_vendors_free, lib.pmuq_store_list_vendors))

    def import_vendor(self, directory: Path, *, name: Optional[str] = None, time_s: Optional[int] = None) -> Import:
        """Take the events of a vendor's tables into the store: the kernel's tools/perf/pmu-events/arch, or Intel's
        perfmon. An import of the same name is replaced."""
        now = time_or_now(time_s)
        return imports_of(self._make("vendors", lib.pmuq_vendors_free, lib.pmuq_store_import_vendor,
                                     path_bytes(directory), to_bytes_or_none(name), now))[0]

    def import_pfm(self, pfm: Pfm, *, name: Optional[str] = None, time_s: Optional[int] = None) -> Import:
        """Take all names that libpfm4 knows into the store, so that they can be searched."""
        handle, pfm_handle = self._handle, handle_of("pfm", pfm, Pfm)
        now = time_or_now(time_s)
        with handle.lock, pfm_handle.lock:  # in this order, as a transaction has the store's already
            return imports_of(self._make("vendors", lib.pmuq_vendors_free, lib.pmuq_store_import_pfm, pfm_handle,
                                         to_bytes_or_none(name), now))[0]

    def remove_vendor(self, name: str) -> None:
        """Drop an import, and what no other one has."""
        handle = self._handle
        with handle.lock:
            call(lib.pmuq_store_remove_vendor, handle, to_bytes(name))

    def search(self, words: str, limit: int = 20) -> List[Found]:
        """Events of all imported tables by words in their names and descriptions, best first."""
        return found_of(self._make("found", lib.pmuq_found_free, lib.pmuq_store_search, to_bytes(words),
                                   whole("limit", limit, ctypes.c_size_t)))

    def _make(self, kind: str, free: Any, function: Any, *arguments: Any) -> Handle:
        handle = self._handle
        with handle.lock:
            return create(kind, free, function, handle, *arguments)

    def _check(self, function: Any, *arguments: Any) -> Optional[Check]:
        handle = self._make("check", lib.pmuq_check_free, function, *arguments)
        return Check(handle) if handle.address else None


def parse_time(listed: str) -> Tuple[int, int]:
    """The first and last second, since 1970, of a date as Store.find_snapshot() takes them; ValueError when it is none."""
    first, last = ctypes.c_int64(), ctypes.c_int64()
    if not lib.pmuq_time_parse(to_bytes(listed), ctypes.byref(first), ctypes.byref(last)):
        raise ValueError(f"{listed!r} is no date")
    return first.value, last.value


def _named(one: Union[str, Tuple[str, int]]) -> Tuple[bytes, int]:
    """A host, or one of its snapshots; a number 0 is all of them."""
    if isinstance(one, (str, bytes)):
        return to_bytes(one), 0
    if not isinstance(one, (tuple, list)) or len(one) != 2:
        raise TypeError(f"names: expected hosts and pairs (host, number), not {one!r}")
    return to_bytes(one[0]), whole("number", one[1], ctypes.c_int64)


def _snapshot(hosts: Any, host: int, i: int, facts: List[str]) -> Snapshot:
    told: Dict[str, str] = {}
    for name in facts:
        fact = text_or_none(lib.pmuq_hosts_fact(hosts, host, i, to_bytes(name)))
        if fact is not None:
            told[name] = fact
    return Snapshot(lib.pmuq_hosts_snapshot_number(hosts, host, i), lib.pmuq_hosts_first_seen(hosts, host, i),
                    lib.pmuq_hosts_last_seen(hosts, host, i), text_or_none(lib.pmuq_hosts_kernel(hosts, host, i)),
                    bool(lib.pmuq_hosts_is_checked(hosts, host, i)), told)


def _host(hosts: Any, i: int, facts: List[str]) -> Host:
    check, kind = lib.pmuq_hosts_check(hosts, i), lib.pmuq_hosts_kind(hosts, i)
    return Host(text(lib.pmuq_hosts_name(hosts, i)), text_or_none(lib.pmuq_hosts_machine_id(hosts, i)),
                tuple(_snapshot(hosts, i, n, facts) for n in range(lib.pmuq_hosts_snapshot_count(hosts, i))),
                lib.pmuq_hosts_kept_count(hosts, i),
                None if kind == _NOT_KNOWN else text(lib.pmuq_hosts_kind_name(hosts, kind)),
                None if check == _NOT_KNOWN else check)


def _kind(hosts: Any, i: int) -> Kind:
    members = (lib.pmuq_hosts_kind_host(hosts, i, n) for n in range(lib.pmuq_hosts_kind_host_count(hosts, i)))
    checked = (lib.pmuq_hosts_kind_check_host(hosts, i, n) for n in range(lib.pmuq_hosts_kind_check_count(hosts, i)))
    return Kind(text(lib.pmuq_hosts_kind_name(hosts, i)), tuple(text(lib.pmuq_hosts_name(hosts, n)) for n in members),
                tuple(text(lib.pmuq_hosts_name(hosts, n)) for n in checked))


def _hosts(hosts: Handle, globs: List[str], facts: List[str]) -> Hosts:
    return Hosts(tuple(_host(hosts, i, facts) for i in range(lib.pmuq_hosts_count(hosts))),
                 tuple(_kind(hosts, i) for i in range(lib.pmuq_hosts_kind_count(hosts))),
                 {glob: lib.pmuq_hosts_matched(hosts, i) for i, glob in enumerate(globs)})
