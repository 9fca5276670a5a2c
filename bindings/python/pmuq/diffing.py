# SPDX-License-Identifier: MIT
"""What changed between two machines, or between two snapshots of one."""
import ctypes
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Optional, Tuple

from . import _structs
from ._library import lib, text, text_or_none
from ._object import create, handle_of, handle_or_none
from .catalog import Catalog
from .check import Check
from .enums import ChangeKind, Weight

_WORDS = ("config", "config1", "config2", "config3", "config4")


@dataclass(frozen=True)
class Change:
    """One thing that changed; PMUs of one kind that changed alike are one change."""

    kind: ChangeKind
    kind_name: str  #: "event-bits"
    weight: Weight
    pmus: Tuple[str, ...]  #: as they are called before (new ones: after); none: the host
    new_pmus: Tuple[str, ...]  #: the new names of PMUs that were renamed
    name: Optional[str]  #: of the event, format, cap, file, fact or tracepoint
    before: Optional[str]  #: as the machine told it
    after: Optional[str]
    words: Mapping[str, Tuple[int, int]] = field(hash=False)  #: config words that differ, before and after
    text: str  #: what happened, in a sentence without the PMU's name

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Diff:
    """All changes, the heaviest first."""

    changes: Tuple[Change, ...]

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def of_weight(self, weight: Weight) -> Tuple[Change, ...]:
        """Those that weigh so much."""
        return tuple(change for change in self.changes if change.weight == weight)


def _words(change: Any) -> Mapping[str, Tuple[int, int]]:
    before, after = (lib.read_member("change", "{0}->words_" + side, change) for side in ("before", "after"))
    return {name: (before[i], after[i]) for i, name in enumerate(_WORDS) if before[i] != after[i]}


def _change(c: Any) -> Change:
    kind = ChangeKind(lib.pmuq_change_get_kind(c))
    return Change(kind, text(lib.pmuq_change_kind_name(kind)), Weight(lib.pmuq_change_get_weight(c)),
                  tuple(text(lib.pmuq_change_pmu(c, i)) for i in range(lib.pmuq_change_pmu_count(c))),
                  tuple(text(lib.pmuq_change_new_pmu(c, i)) for i in range(lib.pmuq_change_new_pmu_count(c))),
                  text_or_none(lib.pmuq_change_name(c)), text_or_none(lib.pmuq_change_before(c)),
                  text_or_none(lib.pmuq_change_after(c)), _words(c), text(lib.pmuq_change_text(c)))


def diff(before: Catalog, after: Catalog, *, check_before: Optional[Check] = None,
         check_after: Optional[Check] = None) -> Diff:
    """Compare two machines. The checks: what is known of whether events open; none: what the catalogs know themselves."""
    machines = handle_of("before", before, Catalog), handle_of("after", after, Catalog)
    checks = handle_or_none("check_before", check_before, Check), handle_or_none("check_after", check_after, Check)
    options = _structs.sized(_structs.DiffOptions, check_before=checks[0].address if checks[0] else None,
                             check_after=checks[1].address if checks[1] else None)
    made = create("diff", lib.pmuq_diff_free, lib.pmuq_catalog_diff, *machines, ctypes.byref(options))
    return Diff(tuple(_change(lib.pmuq_diff_get(made, i)) for i in range(lib.pmuq_diff_count(made))))
