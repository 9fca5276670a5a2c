# SPDX-License-Identifier: MIT
"""Documents: machines as text (YAML or JSON), to keep in git, to read, and to bring elsewhere; pmuq-inventory(5)."""
import ctypes
from dataclasses import dataclass
from typing import Any, Iterator, List, Optional, Union

from ._arguments import whole
from ._library import Path, lib, owned_text, path_bytes, text_or_none, to_bytes, to_bytes_or_none
from ._object import Owner, create, handle_of
from .catalog import Catalog
from .enums import DocumentForm
from .errors import call


@dataclass(frozen=True)
class Entry:
    """A machine of a document."""

    catalog: Catalog
    name: Optional[str]  #: in the store that it came from
    first_seen_s: int  #: seconds since 1970; 0: not known
    document: int  #: its document, from 1


class Writer(Owner):
    """Gathers machines, and writes them: those that differ only in what belongs to one host are one document.

    >>> writer = pmuq.Writer()
    >>> writer.add(pmuq.Source.live().catalog(), name="web01")
    >>> print(writer.text())
    """

    def __init__(self) -> None:
        super().__init__(create("writer", lib.pmuq_writer_free, lib.pmuq_writer_new))

    def add(self, catalog: Catalog, *, name: Optional[str] = None, first_seen_s: int = 0) -> None:
        """Add a machine, with the check that its catalog has. `name`: the host's in a store."""
        handle, catalog_handle = self._handle, handle_of("catalog", catalog, Catalog)
        first_seen_s = whole("first_seen_s", first_seen_s, ctypes.c_int64)
        with handle.lock:
            call(lib.pmuq_writer_add, handle, catalog_handle, to_bytes_or_none(name), first_seen_s)

    @property
    def machine_count(self) -> int:
        """How many machines were added."""
        handle = self._handle
        with handle.lock:
            return int(lib.pmuq_writer_machine_count(handle))

    @property
    def document_count(self) -> int:
        """How many documents they make."""
        handle = self._handle
        with handle.lock:
            return int(lib.pmuq_writer_document_count(handle))

    def text(self, form: DocumentForm = DocumentForm.YAML) -> str:
        """All that was added: the same text for the same machines."""
        handle, form, pointer, size = self._handle, DocumentForm(form), ctypes.c_void_p(), ctypes.c_size_t()
        with handle.lock:
            call(lib.pmuq_writer_text, handle, form, ctypes.byref(pointer), ctypes.byref(size))
        return owned_text(pointer.value)

    def write(self, fd: int, form: DocumentForm = DocumentForm.YAML) -> None:
        """The same to a file that is open, by its descriptor."""
        handle, form, fd = self._handle, DocumentForm(form), whole("fd", fd, ctypes.c_int)
        with handle.lock:
            call(lib.pmuq_writer_write, handle, form, fd)


class Reader(Owner):
    """Reads documents. It remembers descriptions of machines, so that the same again costs next to nothing: use one for
    many files.

    >>> with pmuq.Reader() as reader:
    ...     for entry in reader.read("inventory.yaml"):
    ...         print(entry.name, len(entry.catalog.pmus))
    """

    def __init__(self) -> None:
        super().__init__(create("reader", lib.pmuq_reader_free, lib.pmuq_reader_new))
        self._kept: List[Optional[bytes]] = []
        self._turn = object()

    def read(self, path: Path) -> Iterator[Entry]:
        """The machines of a file, as they are iterated over; reading another one ends it."""
        return self._entries(self._open(None, lib.pmuq_reader_open, path_bytes(path)))

    def loads(self, document: Union[str, bytes], *, origin: str = "<text>") -> Iterator[Entry]:
        """The same of text; `origin` is what errors call it."""
        raw = document.encode("utf-8", "surrogateescape") if isinstance(document, str) else document
        if not isinstance(raw, bytes):
            raise TypeError(f"document: expected str or bytes, not {type(raw).__name__}")
        return self._entries(self._open(raw, lib.pmuq_reader_open_bytes, raw, len(raw), to_bytes(origin)))

    def _open(self, raw: Optional[bytes], function: Any, *arguments: Any) -> object:
        handle = self._handle
        with handle.lock:
            self._kept.append(raw)  # lives until another is opened
            self._turn = object()
            call(function, handle, *arguments)
            self._kept = [raw]
            return self._turn

    def _entries(self, turn: object) -> Iterator[Entry]:
        while True:
            handle = self._handle
            with handle.lock:
                if turn is not self._turn:
                    raise ValueError("the reader has opened another file since")
                made = create("catalog", lib.pmuq_catalog_free, lib.pmuq_reader_next, handle)
                if not made.address:
                    return
                entry = Entry(Catalog(made), text_or_none(lib.pmuq_reader_name(handle)),
                              lib.pmuq_reader_first_seen(handle), lib.pmuq_reader_document(handle))
            yield entry
