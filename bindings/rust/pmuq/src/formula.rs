// SPDX-License-Identifier: MIT
//! Formulas of metrics: their inputs and their values.
use std::ptr;

use pmuq_sys as ffi;

use crate::error::call;
use crate::object::Object;
use crate::{Formula, FormulaReason, Names, Result};

/// The value of a name of a formula.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct FormulaInput(ffi::pmuq_formula_input);

impl FormulaInput {
    /// A count, a fact, 0 or 1; the value is of one event. NaN: not known.
    pub fn new(value: f64) -> Self {
        Self::of_many(value, 1.0, 1.0)
    }

    /// The same with `source_count()`, on how many PMUs the event was counted, and `aggr_nr()`, how many counts the value
    /// is the sum of.
    pub fn of_many(value: f64, source_count: f64, aggr_nr: f64) -> Self {
        Self(ffi::pmuq_formula_input { value, source_count, aggr_nr })
    }

    /// Not known: an event that was not counted.
    pub fn unknown() -> Self {
        Self::of_many(f64::NAN, f64::NAN, f64::NAN)
    }
}

/// What a formula gives.
#[derive(Clone, Copy, Debug)]
pub struct FormulaValue(ffi::pmuq_formula_result);

impl FormulaValue {
    /// The value. None: it is not known. In perf's dialect it may be infinite.
    pub fn value(&self) -> Option<f64> {
        (!self.0.value.is_nan()).then_some(self.0.value)
    }

    /// Why it is not known.
    pub fn reason(&self) -> FormulaReason {
        FormulaReason::from_raw(self.0.reason)
    }

    /// In the formula, of what made it unknown, in bytes.
    pub fn offset(&self) -> usize {
        self.0.offset as usize
    }

    /// In the formula, in bytes.
    pub fn length(&self) -> usize {
        self.0.length as usize
    }
}

impl Formula {
    /// Evaluates the formula with an input for each of its names, in their order.
    ///
    /// # Errors
    ///
    /// `BAD_CALL`, `BAD_FORMULA` (perf's dialect: perf refuses a formula in which a right side of % is 0, and crashes of
    /// one below 1)
    pub fn evaluate(&self, inputs: &[FormulaInput]) -> Result<FormulaValue> {
        let mut ret = ffi::pmuq_formula_result { value: 0.0, reason: 0, offset: 0, length: 0 };

        // SAFETY: the input is transparent, and all pointers are valid during the call.
        call(|error| unsafe {
            ffi::pmuq_formula_evaluate(self.ptr(), inputs.as_ptr().cast(), inputs.len(), &mut ret, error)
        })?;
        Ok(FormulaValue(ret))
    }

    /// Lists the events that must be counted: those that can change the result. Of the inputs only those that are not
    /// events are used.
    ///
    /// # Errors
    ///
    /// `BAD_CALL`, `BAD_FORMULA`, `MEMORY`
    pub fn list_events(&self, inputs: &[FormulaInput]) -> Result<Names> {
        let mut ret = ptr::null_mut();

        // SAFETY: the input is transparent, and all pointers are valid during the call.
        call(|error| unsafe {
            ffi::pmuq_formula_list_events(self.ptr(), inputs.as_ptr().cast(), inputs.len(), &mut ret, error)
        })?;
        // SAFETY: the new object is the caller's.
        Ok(unsafe { Names::from_ptr(ptr::NonNull::new_unchecked(ret)) })
    }
}
