# SPDX-License-Identifier: MIT
"""Captures: the files of a machine that pmuq reads, redacted, to be asked elsewhere."""
import ctypes
from dataclasses import dataclass
from typing import List, Optional

from . import _structs
from ._arguments import time_or_now
from ._library import Path, lib, path_bytes, text, to_bytes_or_none
from ._object import Owner, create, handle_of
from .errors import call
from .source import Source


@dataclass(frozen=True)
class CapturedFile:
    """A file that is written."""

    path: str
    size: int  #: bytes


@dataclass(frozen=True)
class Redaction:
    """What was left out or changed, and how."""

    path: str
    text: str


@dataclass(frozen=True)
class Unread:
    """What could not be read, and answers in the captured tree as it did on the machine."""

    path: str
    why: str
    errno: int


class Capture(Owner):
    """A machine as it is now, in memory: write() makes a directory or a tar of it, for Source.tree().

    >>> pmuq.Capture(pmuq.Source.live()).write("web01.tar.xz")
    """

    def __init__(self, source: Source, *, time_s: Optional[int] = None, hostname: Optional[str] = None,
                 keeps_hostname: bool = False) -> None:
        """`time_s`: when it is taken; none: now; 0: it is not told. `hostname`: to be named so; none: no name, unless it
        `keeps_hostname`."""
        handle = handle_of("source", source, Source)
        options = _structs.sized(_structs.CaptureOptions, time_s=time_or_now(time_s),
                                 hostname=to_bytes_or_none(hostname), keeps_hostname=keeps_hostname)
        with handle.lock:
            super().__init__(create("capture", lib.pmuq_capture_free, lib.pmuq_capture_take, handle, ctypes.byref(options)))

    def write(self, path: Path) -> None:
        """To a new or empty directory, or to a new file: a tar, packed as its name ends (.tar, .tar.gz, .tar.xz …)."""
        handle = self._handle
        with handle.lock:
            call(lib.pmuq_capture_write, handle, path_bytes(path))

    @property
    def files(self) -> List[CapturedFile]:
        """Those that are written, by their paths in the tree."""
        handle = self._handle
        return [CapturedFile(text(lib.pmuq_capture_file_path(handle, i)), lib.pmuq_capture_file_bytes(handle, i))
                for i in range(lib.pmuq_capture_file_count(handle))]

    @property
    def redactions(self) -> List[Redaction]:
        """What was left out or changed."""
        handle = self._handle
        return [Redaction(text(lib.pmuq_capture_redaction_path(handle, i)), text(lib.pmuq_capture_redaction_text(handle, i)))
                for i in range(lib.pmuq_capture_redaction_count(handle))]

    @property
    def unread(self) -> List[Unread]:
        """What could not be read."""
        handle = self._handle
        return [Unread(text(lib.pmuq_capture_unread_path(handle, i)), text(lib.pmuq_capture_unread_why(handle, i)),
                       lib.pmuq_capture_unread_errno(handle, i))
                for i in range(lib.pmuq_capture_unread_count(handle))]

    @property
    def tracepoint_count(self) -> int:
        """How many tracepoints it has."""
        return int(lib.pmuq_capture_tracepoint_count(self._handle))
