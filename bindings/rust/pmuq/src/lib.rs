// SPDX-License-Identifier: MIT
//! libpmuq: what a Linux machine can count, and how to open it.
//!
//! A [`Source`] is a machine to query: this one, a captured sysfs tree, or a snapshot from a [`Store`]. A [`Catalog`]
//! contains everything that a source offers, in memory. [`Encodings`] are what an event string means there: attrs of
//! `perf_event_open(2)` with names, CPUs and units. [`Encodings::open()`] opens them, and [`Opened`] reads them.
//!
//! ```no_run
//! let machine = pmuq::Source::live()?;
//!
//! for event in &machine.encode("cpu/mem-loads,ldlat=30/u,page-faults")? {
//!     println!("{}: config {:#x} on CPUs {}", event.name(), event.attr().config(), event.cpus());
//! }
//! # Ok::<(), pmuq::Error>(())
//! ```
//!
//! The classes have the names of the C structs, and most are generated from the C headers: a method has the name of
//! the C function, and an accessor that of the member. Text is [`Text`], since the kernel may write bytes that are not
//! UTF-8. A call that can fail returns an [`Error`], whose `Display` has several lines with a caret and a hint.
//!
//! An object that points into another one has its lifetime: encodings cannot outlive their source. All objects can be
//! moved to another thread, except for [`Samples`]. Those that any number of threads may use at a time are `Sync`.
#![deny(missing_docs, unsafe_op_in_unsafe_fn)]

#[macro_use]
mod object;

mod attr;
mod catalog;
mod documents;
mod encode;
mod error;
mod formula;
#[allow(unused_imports)]
#[rustfmt::skip]
mod generated;
mod metric;
mod names;
mod opened;
mod samples;
mod store;
mod text;
mod watch;

pub use crate::attr::Attr;
pub use crate::encode::EventParts;
pub use crate::error::{Error, Result};
pub use crate::formula::{FormulaInput, FormulaValue};
pub use crate::generated::*;
pub use crate::metric::{MetricCount, MetricValue};
pub use crate::names::{errno_name, generic_names, modifiers, name_in_event, terms, version};
pub use crate::object::{Borrowed, List};
pub use crate::opened::{OpenCall, Target};
pub use crate::samples::{Sample, SampleRecord, Samples};
pub use crate::store::{HostsFilter, Transaction};
pub use crate::text::Text;
pub use crate::watch::WatchChange;

use crate::object::Object;
