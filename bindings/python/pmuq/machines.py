# SPDX-License-Identifier: MIT
"""Handwritten parts of the classes for machines, events, checks and diffs."""
import functools
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, TypeVar

import pmuq

from . import _classes
from ._declarations import POINTERS
from ._library import Path, lib, owned_text, to_bytes
from ._object import part

F = TypeVar("F", bound=Callable[..., Any])


def _of_this_machine(method: F) -> F:
    """Wrap a method of Encodings: ValueError if the events are not of this machine and cannot be opened here."""
    @functools.wraps(method)
    def checked(self: "Encodings", *arguments: Any, **options: Any) -> Any:
        if not self.is_live:
            raise ValueError("these events belong to another machine: they cannot be opened here")
        return method(self, *arguments, **options)

    return checked  # type: ignore[return-value]


class Source(_classes.Source):
    """A machine to query: this one (live()), a captured tree or tar (tree()), or a snapshot from a database (snapshot()). A
    source reads only what a call needs; a catalog is the whole machine in memory. Threads that share a source wait for each
    other.

    >>> with pmuq.Source.live() as machine:
    ...     machine.encode("msr/tsc/")[0].fields
    {'type': 9, 'size': 64, 'config': 0}
    """

    @classmethod
    def snapshot(cls, database: Path, host: str, when: str = "") -> "pmuq.Source":
        """Open a snapshot of a host as a source: the newest, or the one that `when` selects (its number, a date or a kernel,
        see Store.find_snapshot()). It does not need the database afterwards. Raises Error."""
        with pmuq.Store(database) as store:
            return store.open_host(host, store.find_snapshot(host, when) if when else 0)


class Pmu(_classes.Pmu):
    __doc__ = _classes.Pmu.__doc__
    __slots__ = ()

    def find_event(self, name: str) -> Optional["pmuq.Event"]:
        """Return the event with that name, or None."""
        return next((event for event in self.events if event.name == name), None)

    def parameters(self, event: str) -> List["pmuq.Format"]:
        """Return the formats for which an event string with that event must set a value: those with "?" in its terms.

        >>> [(format.name, format.max) for format in pmu.parameters("HPM_INST__CORE")]
        [('domain', 15), ('core', 65535)]
        """
        made: List["pmuq.Format"] = []
        while found := lib.pmuq_pmu_parameter(self._pointer, to_bytes(event), len(made)):
            made.append(part(pmuq.Format, self._handle, found))
        return made


class Encodings(_classes.Encodings):
    """The encodings of an event string, in perf's order. One string may have many: of a list, a group, or an event of several
    PMUs. They stay valid after the machine is closed."""

    test_open = _of_this_machine(_classes.Encodings.test_open)
    budget = _of_this_machine(_classes.Encodings.budget)
    measure = _of_this_machine(_classes.Encodings.measure)
    open = _of_this_machine(_classes.Encodings.open)

    @property
    def is_live(self) -> bool:
        """Whether the events are of this machine, so that they can be opened here."""
        machine = self._handle.needs[0]
        is_source = isinstance(machine._as_parameter_, POINTERS["pmuq_source"])
        return pmuq.Source._of(machine).is_live if is_source else pmuq.Catalog._of(machine).is_live


class OpenResult(_classes.OpenResult):
    __doc__ = _classes.OpenResult.__doc__
    __slots__ = ()

    def __bool__(self) -> bool:
        return self.status == pmuq.OpenStatus.OPENED


class Check(_classes.Check):
    """The open results of all events of a machine on the running kernel. run() opens all events; next() opens one, for
    programs that may stop early.

    >>> with pmuq.Check.begin(catalog) as check:
    ...     refused = [result for result in check.run() if not result.open]
    """

    def run(self) -> Iterator["pmuq.CheckResult"]:
        """Open the remaining events one by one, and yield each result. Raises Error."""
        while self.upcoming:
            self.next()
            yield self.results[-1]


class Diff(_classes.Diff):
    """The changes between two machines, the heaviest first."""

    def of_weight(self, weight: "pmuq.Weight") -> List["pmuq.Change"]:
        """Return the changes of that weight."""
        return [change for change in self if change.weight == weight]


class Change(_classes.Change):
    __doc__ = _classes.Change.__doc__
    __slots__ = ()

    @property
    def words(self) -> Dict[str, Tuple[int, int]]:
        """The config words that differ, by name, each as (before, after)."""
        pairs = enumerate(zip(self.words_before, self.words_after))
        return {f"config{i or ''}": words for i, words in pairs if words[0] != words[1]}

    def __str__(self) -> str:
        return self.text


class Decoding(_classes.Decoding):
    __doc__ = _classes.Decoding.__doc__
    __slots__ = ()

    def __str__(self) -> str:
        return self.text


class Diagnosis(_classes.Diagnosis):
    """An error or a warning of the library; str() prints it with a caret under the location."""

    __slots__ = ()

    def __str__(self) -> str:
        return owned_text(lib.pmuq_error_format(self._pointer))
