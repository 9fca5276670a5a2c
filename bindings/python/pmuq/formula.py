# SPDX-License-Identifier: MIT
"""Handwritten parts of the class for formulas of metrics."""
import ctypes
import math
from typing import NamedTuple, Optional, Sequence, Tuple, Union

import pmuq

from . import _classes
from . import _declarations as raw
from ._library import lib
from ._object import create
from .enums import FormulaReason
from .errors import call

#: A value, or a value with source_count() and aggr_nr(); None: not known.
Input = Union[None, float, Tuple[Optional[float], Optional[float], Optional[float]]]


class FormulaValue(NamedTuple):
    """What a formula gives: its value, or None with the reason and with the place in the formula, in bytes."""

    value: Optional[float]
    reason: "pmuq.FormulaReason"
    offset: int
    length: int


def _number(value: Optional[float]) -> float:
    return math.nan if value is None else float(value)


class Formula(_classes.Formula):
    """A formula of a metric.

    >>> ipc = pmuq.Formula.parse("instructions / cycles")
    >>> [one.name for one in ipc.operands]
    ['instructions', 'cycles']
    >>> ipc.evaluate([3e9, 2e9]).value
    1.5
    """

    def evaluate(self, inputs: Sequence[Input]) -> FormulaValue:
        """Evaluate the formula with an input for each of its names, in their order. In perf's dialect the value may be infinite or
        NaN. Raises Error."""
        made, result = self._inputs(inputs), raw.FormulaResult()
        call(lib.pmuq_formula_evaluate, self._handle, made, len(made), ctypes.byref(result))
        value: Optional[float] = float(result.value)
        if result.reason and math.isnan(result.value):
            value = None
        return FormulaValue(value, FormulaReason(result.reason), int(result.offset), int(result.length))

    def list_events(self, inputs: Sequence[Input]) -> "pmuq.Names":
        """Return the events that must be counted. Of the inputs only those that are not events are used. Raises Error."""
        made = self._inputs(inputs)
        return pmuq.Names._of(create("pmuq_names", lib.pmuq_formula_list_events, self._handle, made, len(made)))

    def _inputs(self, inputs: Sequence[Input]) -> "ctypes.Array[raw.FormulaInput]":
        triples = [one if isinstance(one, tuple) else (one, 1.0, 1.0) for one in inputs]
        return (raw.FormulaInput * len(triples))(*(raw.FormulaInput(*map(_number, one)) for one in triples))
