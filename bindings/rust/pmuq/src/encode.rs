// SPDX-License-Identifier: MIT
//! Events in parts.
use std::mem;
use std::ptr;

use pmuq_sys as ffi;

use crate::text::Kept;
use crate::{Error, Result};

/// An event in parts, for programs that have no event string: the PMU, the event, or both, with terms and modifiers.
#[derive(Debug, Default)]
pub struct EventParts {
    pmu: Option<Vec<u8>>,
    event: Option<Vec<u8>>,
    terms: Vec<(Vec<u8>, u64)>,
    modifiers: Option<Vec<u8>>,
}

impl EventParts {
    /// No parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// The PMU, as in an event string before the slash.
    pub fn pmu(mut self, name: impl AsRef<[u8]>) -> Self {
        self.pmu = Some(name.as_ref().into());
        self
    }

    /// The name of the event. Without one, the terms are the event.
    pub fn event(mut self, name: impl AsRef<[u8]>) -> Self {
        self.event = Some(name.as_ref().into());
        self
    }

    /// Adds a term with a number: a format of the PMU ("chip"), or a term of every PMU ("period").
    pub fn term(mut self, name: impl AsRef<[u8]>, value: u64) -> Self {
        self.terms.push((name.as_ref().into(), value));
        self
    }

    /// The modifiers: letters, "u".
    pub fn modifiers(mut self, letters: impl AsRef<[u8]>) -> Self {
        self.modifiers = Some(letters.as_ref().into());
        self
    }

    /// The struct of C, which this call fills in, for the time of a call.
    pub(crate) fn c(&self) -> Result<Parts> {
        let mut kept = Kept::default();
        let mut keep = |text: &Option<Vec<u8>>| text.as_ref().map_or(ptr::null(), |text| kept.keep(text));
        let (pmu, event, modifiers) = (keep(&self.pmu), keep(&self.event), keep(&self.modifiers));
        let terms: Vec<_> =
            self.terms.iter().map(|(name, value)| ffi::pmuq_term { name: kept.keep(name), value: *value }).collect();

        if kept.has_nul() {
            return Err(Error::nul());
        }
        let c = ffi::pmuq_event_parts {
            size: mem::size_of::<ffi::pmuq_event_parts>(),
            pmu,
            event,
            terms: terms.as_ptr(),
            n_terms: terms.len(),
            modifiers,
        };
        Ok(Parts { c, _terms: terms, _kept: kept })
    }
}

/// The struct of C, and what it points to.
pub(crate) struct Parts {
    pub(crate) c: ffi::pmuq_event_parts,
    _terms: Vec<ffi::pmuq_term>,
    _kept: Kept,
}
