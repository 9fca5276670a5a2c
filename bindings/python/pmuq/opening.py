# SPDX-License-Identifier: MIT
"""What reads better by hand of opened events."""
import ctypes
from typing import List

import pmuq

from . import _classes
from . import _declarations as raw
from ._arguments import index_of
from ._library import lib
from .errors import call


class Opened(_classes.Opened):
    """Events that were opened and stay so, to be enabled, read and disabled as often as you like; close() closes them.

    >>> with machine.encode("{task-clock,context-switches}").open() as counters:
    ...     with counters.enabled():
    ...         work()
    ...     clock, switches = counters.read_all()
    """

    def __len__(self) -> int:
        count: int = lib.pmuq_opened_count(self._handle)
        return count

    def enabled(self) -> "Enabled":
        """For a `with`: they count inside of it."""
        return Enabled(self)

    def read_all(self) -> List["pmuq.Value"]:
        """Read all, each group by one system call; those that are not open read 0 with no time."""
        handle, size = self._handle, ctypes.sizeof(raw.Value)
        with handle.lock:
            n = lib.pmuq_opened_count(handle)
            values = (raw.Value * n)(*([(size,)] * n))
            call(lib.pmuq_opened_read_all, handle, values, n)
        return [pmuq.Value(one) for one in values]

    def targets(self, index: int = 0) -> List["pmuq.Target"]:
        """What an event is open on; nothing if it was refused."""
        index_of("index", index)
        found = (self.target(index, i) for i in range(self.target_count(index)))
        return [target for target in found if target]


class Enabled:
    """Events that count inside a `with`."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def __enter__(self) -> Opened:
        self._opened.enable()
        return self._opened

    def __exit__(self, *_: object) -> None:
        self._opened.disable()
