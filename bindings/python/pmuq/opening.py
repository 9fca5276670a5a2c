# SPDX-License-Identifier: MIT
"""Handwritten parts of the class for opened events."""
import ctypes
from typing import List

import pmuq

from . import _classes
from . import _declarations as raw
from ._arguments import index_of
from ._library import lib
from .errors import call


class Opened(_classes.Opened):
    """Events that stay open until close(). They can be enabled, read and disabled any number of times.

    >>> with machine.encode("{task-clock,context-switches}").open() as counters:
    ...     with counters.enabled():
    ...         work()
    ...     clock, switches = counters.read_all()
    """

    def __len__(self) -> int:
        count: int = lib.pmuq_opened_count(self._handle)
        return count

    def enabled(self) -> "Enabled":
        """Return a context manager: the events count inside the `with` block. Entering and leaving it can raise Error."""
        return Enabled(self)

    def read_all(self) -> List["pmuq.Value"]:
        """Return the values of all events; each group is read by one system call. An event that is not open has the value 0 and
        no time. Raises Error."""
        handle, size = self._handle, ctypes.sizeof(raw.Value)
        with handle.lock:
            n = lib.pmuq_opened_count(handle)
            values = (raw.Value * n)(*([(size,)] * n))
            call(lib.pmuq_opened_read_all, handle, values, n)
        return [pmuq.Value(value) for value in values]

    def targets(self, index: int = 0) -> List["pmuq.Target"]:
        """Return the targets (pid and CPU) on which an event is open; an empty list if the kernel refused it."""
        index_of("index", index)
        found = (self.target(index, i) for i in range(self.target_count(index)))
        return [target for target in found if target]


class Enabled:
    """The context manager of Opened.enabled()."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def __enter__(self) -> Opened:
        self._opened.enable()
        return self._opened

    def __exit__(self, *_: object) -> None:
        self._opened.disable()
