# SPDX-License-Identifier: MIT
"""Handwritten parts of the classes for databases and documents."""
import contextlib
import ctypes
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import pmuq

from . import _classes
from . import _declarations as raw
from ._arguments import listed, text_array, whole
from ._library import Path, Text, lib, path_bytes, to_bytes
from ._object import create
from .errors import call


class Store(_classes.Store):
    """A database of snapshots (SQLite).

    >>> with pmuq.Store("hosts.db") as store:
    ...     for host in store.list_hosts(globs=["web*"]):
    ...         print(host.name, store.open_host(host.name).encode("cycles")[0].fields)
    """

    @contextlib.contextmanager
    def transaction(self) -> Iterator["Store"]:
        """Return a context manager that commits at the end of the `with` block, or rolls back after an exception. Other
        threads that use the store wait until then. Raises Error."""
        with self._handle.lock:
            self.begin()
            try:
                yield self
            except BaseException:
                self.roll_back()
                raise
            self.commit()

    def forget(self, names: Sequence[Union[str, Tuple[str, int]]] = (), *, before_s: int = 0, keep: int = 0,
               trial: bool = False, everything: bool = False) -> "pmuq.Forgotten":
        """Forget hosts, or single snapshots as (host, number), with everything that no other snapshot shares. Return what was
        forgotten. If the call fails, nothing is forgotten. `names` is a list, even of one name.

        `before_s`: only snapshots last seen before this time. `keep`: the number of newest snapshots to keep of each host.
        `trial`: count what would be forgotten, and change nothing. `everything` must be set to forget all hosts, that is, if
        there are no names, no `before_s` and no `keep`: otherwise the call raises ValueError. Raises Error.
        """
        pairs = [_host_and_number(name) for name in listed("names", names)]
        if not (pairs or before_s or keep or everything):
            raise ValueError("neither names nor options: to forget all hosts, pass everything=True")
        handle, forgotten = self._handle, raw.Forgotten(ctypes.sizeof(raw.Forgotten))
        numbers = (ctypes.c_int64 * len(pairs))(*(number for _, number in pairs))
        options = raw.ForgetOptions(ctypes.sizeof(raw.ForgetOptions), whole("before_s", before_s, ctypes.c_int64),
                                    whole("keep", keep, ctypes.c_size_t), bool(trial))
        with handle.lock:
            call(lib.pmuq_store_forget, handle, text_array("names", [name for name, _ in pairs]) if pairs else None,
                 numbers if pairs else None, len(pairs), ctypes.byref(options), ctypes.byref(forgotten))
        return pmuq.Forgotten(forgotten)


def _host_and_number(item: Any) -> Tuple[Text, int]:
    """Return the name of a host and the number of a snapshot; 0: all snapshots."""
    if isinstance(item, (str, bytes)):
        return item, 0
    try:
        name, number = item
    except (TypeError, ValueError):
        raise TypeError(f"names: expected names and (name, number) pairs, not {item!r}") from None
    return name, whole("number", number, ctypes.c_int64)


class Entry(NamedTuple):
    """A machine of a document."""

    catalog: "pmuq.Catalog"
    name: Optional[str]  #: its name in the store that exported it, or None
    first_seen_s: int  #: seconds since 1970; 0: unknown
    document: int  #: the number of its document in the file, from 1
    last_seen_s: int = 0  #: when it was last seen in this state; 0: unknown


class Reader(_classes.Reader):
    """Reads documents. A reader remembers descriptions of machines and reads equal ones faster, so use one reader for many
    files.

    >>> with pmuq.Reader() as reader:
    ...     for entry in reader.read("inventory.yaml"):
    ...         print(entry.name, len(entry.catalog.pmus))
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: List[Optional[bytes]] = []  # bytes that the C reader uses
        self._opened = object()  # identifies the document that is open

    def read(self, path: Path) -> Iterator[Entry]:
        """Yield the machines of a file, each when it is requested. The caller owns the catalogs. Reading another file ends the
        iteration: it then raises ValueError. Raises Error."""
        return self._entries(self._open(None, lib.pmuq_reader_open, path_bytes(path)))

    def loads(self, document: Text, *, origin: str = "<text>") -> Iterator[Entry]:
        """Yield the machines of a text, like read(). Errors show `origin` as the name of the text."""
        bytes_ = document.encode("utf-8", "surrogateescape") if isinstance(document, str) else document
        if not isinstance(bytes_, bytes):
            raise TypeError(f"document: expected str or bytes, not {type(bytes_).__name__}")
        return self._entries(self._open(bytes_, lib.pmuq_reader_open_bytes, bytes_, len(bytes_), to_bytes(origin)))

    def _open(self, document: Optional[bytes], function: Any, *arguments: Any) -> object:
        handle = self._handle
        with handle.lock:
            self._kept.append(document)  # the C reader uses it until it opens another document
            self._opened = object()
            call(function, handle, *arguments)
            self._kept = [document]
            return self._opened

    def _entries(self, opened: object) -> Iterator[Entry]:
        while True:
            handle = self._handle
            with handle.lock:
                if opened is not self._opened:
                    raise ValueError("the reader has opened another document since")
                catalog = create("pmuq_catalog", lib.pmuq_reader_next, handle)
                if not catalog.address:
                    return
                entry = Entry(pmuq.Catalog._of(catalog), self.name, self.first_seen_s, self.document, self.last_seen_s)
            yield entry
