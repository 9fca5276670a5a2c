# SPDX-License-Identifier: MIT
"""What reads better by hand of databases and documents."""
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
        """For a `with`: what is saved inside is saved together at its end, or, after an exception, not at all. The
        store is this thread's until then."""
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
        """Forget hosts, or single snapshots as (host, number), and what no other one shares; all that is named, or nothing.
        The names are a list, also a single one.

        `before_s`: only what was last seen before; `keep`: of each host so many of its newest snapshots stay; `trial`:
        find out, and change nothing. Without names, `before_s` and `keep`, it takes `everything` to forget all hosts.
        """
        pairs = [_named(one) for one in listed("names", names)]
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


def _named(one: Any) -> Tuple[Text, int]:
    """A host's name and a snapshot's number, 0 for all."""
    if isinstance(one, (str, bytes)):
        return one, 0
    try:
        name, number = one
    except (TypeError, ValueError):
        raise TypeError(f"names: expected names and (name, number) pairs, not {one!r}") from None
    return name, whole("number", number, ctypes.c_int64)


class Entry(NamedTuple):
    """A machine of a document."""

    catalog: "pmuq.Catalog"
    name: Optional[str]  #: in the store that it came from
    first_seen_s: int  #: seconds since 1970; 0: not known
    document: int  #: its document, from 1


class Reader(_classes.Reader):
    """Reads documents. It remembers descriptions of machines, so that the same again costs next to nothing: use one for
    many files.

    >>> with pmuq.Reader() as reader:
    ...     for entry in reader.read("inventory.yaml"):
    ...         print(entry.name, len(entry.catalog.pmus))
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: List[Optional[bytes]] = []
        self._turn = object()

    def read(self, path: Path) -> Iterator[Entry]:
        """The machines of a file, as they are iterated over; reading another one ends it."""
        return self._entries(self._open(None, lib.pmuq_reader_open, path_bytes(path)))

    def loads(self, document: Text, *, origin: str = "<text>") -> Iterator[Entry]:
        """The same of text; `origin` is what errors call it."""
        bytes_ = document.encode("utf-8", "surrogateescape") if isinstance(document, str) else document
        if not isinstance(bytes_, bytes):
            raise TypeError(f"document: expected str or bytes, not {type(bytes_).__name__}")
        return self._entries(self._open(bytes_, lib.pmuq_reader_open_bytes, bytes_, len(bytes_), to_bytes(origin)))

    def _open(self, document: Optional[bytes], function: Any, *arguments: Any) -> object:
        handle = self._handle
        with handle.lock:
            self._kept.append(document)  # lives until another is opened
            self._turn = object()
            call(function, handle, *arguments)
            self._kept = [document]
            return self._turn

    def _entries(self, turn: object) -> Iterator[Entry]:
        while True:
            handle = self._handle
            with handle.lock:
                if turn is not self._turn:
                    raise ValueError("the reader has opened another file since")
                made = create("pmuq_catalog", lib.pmuq_reader_next, handle)
                if not made.address:
                    return
                entry = Entry(pmuq.Catalog._of(made), self.name, self.first_seen_s, self.document)
            yield entry
