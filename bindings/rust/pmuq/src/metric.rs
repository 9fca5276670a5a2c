// SPDX-License-Identifier: MIT
//! Plans of metrics: counts and values.
use pmuq_sys as ffi;

use crate::error::call;
use crate::{FormulaReason, MetricPlan, Rating, Result};

/// The count of an event of a plan.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct MetricCount(ffi::pmuq_metric_count);

impl MetricCount {
    /// The sum over all encodings and CPUs (a time: in seconds), how long it was enabled, and how long a counter counted it.
    pub fn new(value: f64, enabled_ns: u64, running_ns: u64) -> Self {
        Self(ffi::pmuq_metric_count { value, enabled_ns, running_ns, n_counts: 1, n_pmus: 1 })
    }

    /// How many counts the value is the sum of, and on how many PMUs.
    pub fn of_many(mut self, n_counts: u32, n_pmus: u32) -> Self {
        self.0.n_counts = n_counts;
        self.0.n_pmus = n_pmus;
        self
    }

    /// Not counted.
    pub fn unknown() -> Self {
        Self::new(f64::NAN, 0, 0)
    }
}

/// The value of a metric.
#[derive(Clone, Copy, Debug)]
pub struct MetricValue(ffi::pmuq_metric_value);

impl MetricValue {
    /// The value in the metric's unit. None: it is not known. In perf's dialect it may be infinite.
    pub fn value(&self) -> Option<f64> {
        (!self.0.value.is_nan()).then_some(self.0.value)
    }

    /// How far the value may be off because counters were shared. 0: not shared.
    pub fn error_bound(&self) -> f64 {
        self.0.error_bound
    }

    /// Why it is not known.
    pub fn reason(&self) -> FormulaReason {
        FormulaReason::from_raw(self.0.reason)
    }

    /// The value by its threshold.
    pub fn rating(&self) -> Rating {
        Rating::from_raw(self.0.rating)
    }

    /// The index in the plan of the event that made it unknown.
    pub fn event(&self) -> Option<usize> {
        (self.0.event != usize::MAX).then_some(self.0.event)
    }
}

impl MetricPlan<'_> {
    /// Evaluates a metric of the plan with a count for each of the plan's events, in their order.
    ///
    /// # Errors
    ///
    /// `BAD_CALL`, `BAD_FORMULA` as [`Formula::evaluate()`](crate::Formula::evaluate)
    pub fn evaluate(&self, index: usize, counts: &[MetricCount]) -> Result<MetricValue> {
        let mut ret = ffi::pmuq_metric_value { value: 0.0, error_bound: 0.0, reason: 0, rating: 0, event: 0 };

        // SAFETY: the count is transparent, and all pointers are valid during the call.
        call(|error| unsafe {
            ffi::pmuq_metric_plan_evaluate(self.ptr(), index, counts.as_ptr().cast(), counts.len(), &mut ret, error)
        })?;
        Ok(MetricValue(ret))
    }
}
