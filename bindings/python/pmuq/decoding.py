# SPDX-License-Identifier: MIT
"""Decodings: the event string that an attr means on a machine."""
from dataclasses import dataclass
from typing import Any, Optional, Tuple

from ._library import lib, text, text_or_none
from .enums import FieldKind, Origin


@dataclass(frozen=True)
class Left:
    """A field of the attr that the event string does not say."""

    name: str
    value: int
    kind: FieldKind
    is_event: bool  #: a part of the event itself; no string can say it, then


@dataclass(frozen=True)
class Decoding:
    """What an attr means."""

    text: str  #: the event string
    pmu: Optional[str]  #: the PMU that counts it; None when the machine has none of that type
    origin: Origin
    is_exact: bool  #: the string says the event whole, so that what is left is a tool's business
    left: Tuple[Left, ...]
    readings: Tuple[str, ...]  #: other strings that give the same attr, the likeliest first

    def __str__(self) -> str:
        return self.text


def _left(decoding: Any, i: int) -> Left:
    return Left(text(lib.pmuq_decoding_left_name(decoding, i)), lib.pmuq_decoding_left_value(decoding, i),
                FieldKind(lib.pmuq_decoding_left_kind(decoding, i)), bool(lib.pmuq_decoding_left_is_event(decoding, i)))


def decoding_of(decoding: Any) -> Decoding:
    return Decoding(text(lib.pmuq_decoding_text(decoding)), text_or_none(lib.pmuq_decoding_pmu(decoding)),
                    Origin(lib.pmuq_decoding_origin(decoding)), bool(lib.pmuq_decoding_is_exact(decoding)),
                    tuple(_left(decoding, i) for i in range(lib.pmuq_decoding_left_count(decoding))),
                    tuple(text(lib.pmuq_decoding_reading(decoding, i))
                          for i in range(lib.pmuq_decoding_reading_count(decoding))))
