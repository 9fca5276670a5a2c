# SPDX-License-Identifier: MIT
"""Handwritten parts of the class for plans of metrics."""
import ctypes
import math
from typing import NamedTuple, Optional, Sequence

import pmuq

from . import _classes
from . import _declarations as raw
from ._arguments import index_of
from ._library import lib
from .enums import FormulaReason, Rating
from .errors import call


class MetricCount(NamedTuple):
    """The count of an event of a plan: the sum over all encodings and CPUs (None: not counted), how long it was enabled and counted,
    of how many counts it is the sum, and on how many PMUs it was counted."""

    value: Optional[float]
    enabled_ns: int = 0
    running_ns: int = 0
    counts: int = 1
    pmus: int = 1


class MetricValue(NamedTuple):
    """The value of a metric in its unit, or None with the reason and the index of the event that made it unknown."""

    value: Optional[float]
    error_bound: float
    reason: "pmuq.FormulaReason"
    rating: "pmuq.Rating"
    event: Optional[int]


class MetricPlan(_classes.MetricPlan):
    """What to count for metrics, and the values that the counts give."""

    def evaluate(self, index: int, counts: Sequence[MetricCount]) -> MetricValue:
        """Evaluate a metric of the plan with a count for each of its events, in their order. Raises Error."""
        rows = (raw.MetricCount(math.nan if one.value is None else one.value, one.enabled_ns, one.running_ns, one.counts, one.pmus)
                for one in counts)
        made, result = (raw.MetricCount * len(counts))(*rows), raw.MetricValue()
        call(lib.pmuq_metric_plan_evaluate, self._handle, index_of("index", index), made, len(made), ctypes.byref(result))
        value = None if math.isnan(result.value) else float(result.value)
        return MetricValue(value, float(result.error_bound), FormulaReason(result.reason), Rating(result.rating),
                           None if result.event == ctypes.c_size_t(-1).value else int(result.event))
