// SPDX-License-Identifier: MIT
//! Samples: the records that the kernel writes while opened events count.
use std::fmt;
use std::marker::PhantomData;
use std::os::unix::io::{AsFd, BorrowedFd};
use std::ptr::NonNull;

use pmuq_sys as ffi;

use crate::error::call;
use crate::object::numbers;
use crate::{Object, Opened, Result};

/// The ring buffers of opened events: `Opened::sample()` maps them.
///
/// It cannot outlive the opened events. It is not `Send`, since it uses them: all of it is for one thread.
pub struct Samples<'a> {
    object: NonNull<ffi::pmuq_samples>,
    opened: PhantomData<&'a Opened>,
}

impl Object for Samples<'_> {
    type C = ffi::pmuq_samples;

    unsafe fn from_ptr(object: NonNull<ffi::pmuq_samples>) -> Self {
        Self { object, opened: PhantomData }
    }
}

impl Drop for Samples<'_> {
    fn drop(&mut self) {
        // SAFETY: this object owns it.
        unsafe { ffi::pmuq_samples_free(self.object.as_ptr()) }
    }
}

impl Samples<'_> {
    /// Takes the next record: the oldest of all buffers. It lives until the next call. None: there are none now; it
    /// never waits.
    pub fn next_record(&mut self) -> Option<SampleRecord<'_>> {
        // SAFETY: the object is valid; the record lives until this object is borrowed again.
        unsafe { ffi::pmuq_samples_next(self.object.as_ptr()).as_ref() }
            .map(|c| SampleRecord { c, samples: self.object.as_ptr() })
    }

    /// How many records the kernel lost because a buffer was full, as far as records that `next_record()` has
    /// returned report it.
    pub fn lost(&self) -> u64 {
        // SAFETY: the object is valid.
        unsafe { ffi::pmuq_samples_lost(self.object.as_ptr()) }
    }

    /// Waits for records, at most `timeout_ms` (0: do not wait; -1: without a limit). A signal ends the wait, too.
    ///
    /// Returns whether all tasks have ended: after the next records there will be none.
    ///
    /// # Errors
    ///
    /// `EVENT_FAILED`
    pub fn wait(&mut self, timeout_ms: i32) -> Result<bool> {
        let mut has_ended = false;

        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_samples_wait(self.object.as_ptr(), timeout_ms, &mut has_ended, error) })?;
        Ok(has_ended)
    }
}

impl AsFd for Samples<'_> {
    /// For a loop of one's own: poll it, then take the records.
    fn as_fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the descriptor is open as long as this object lives.
        unsafe { BorrowedFd::borrow_raw(ffi::pmuq_samples_fd(self.object.as_ptr())) }
    }
}

impl fmt::Debug for Samples<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples").field("lost", &self.lost()).finish_non_exhaustive()
    }
}

/// A record of the kernel (perf_event_open(2), "MMAP layout").
#[derive(Clone, Copy)]
pub struct SampleRecord<'a> {
    c: &'a ffi::pmuq_sample_record,
    samples: *const ffi::pmuq_samples,
}

impl<'a> SampleRecord<'a> {
    /// `PERF_RECORD_SAMPLE` (9), `PERF_RECORD_LOST` (2) … of linux/perf_event.h.
    pub fn type_(&self) -> u32 {
        self.c.type_
    }

    /// `PERF_RECORD_MISC_…`.
    pub fn misc(&self) -> u16 {
        self.c.misc
    }

    /// All of it, with its header; aligned to 8 bytes.
    pub fn data(&self) -> &'a [u8] {
        // SAFETY: the record lives for 'a.
        unsafe { numbers(self.c.data.cast(), self.c.data_bytes) }
    }

    /// The index of the encoding that it belongs to. None: of no one event.
    pub fn index(&self) -> Option<usize> {
        (self.c.index != usize::MAX).then_some(self.c.index)
    }

    /// The time, of the clock of the events; 0: the record has no time.
    pub fn time_ns(&self) -> u64 {
        self.c.time_ns
    }

    /// The CPU whose buffer it was in. None: the buffer of a task.
    pub fn cpu(&self) -> Option<u32> {
        u32::try_from(self.c.cpu).ok()
    }

    /// The fields of a sample. None: the record is not a sample, or its event is not known.
    pub fn parse(&self) -> Option<Sample<'a>> {
        let mut sample = Sample::empty();

        // SAFETY: all pointers are valid during the call. The record is the last one, since it borrows the buffers.
        unsafe { ffi::pmuq_samples_parse(self.samples, self.c, &mut sample) }
            .then_some(Sample { c: sample, record: PhantomData })
    }
}

impl fmt::Debug for SampleRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.c, f)
    }
}

/// The fields of a sample. Only those in `types` are set; the others are 0. It lives as long as its record.
#[derive(Clone, Copy)]
pub struct Sample<'a> {
    c: ffi::pmuq_sample,
    record: PhantomData<&'a [u8]>,
}

impl Sample<'_> {
    fn empty() -> ffi::pmuq_sample {
        // SAFETY: zeros are valid for all members: numbers and pointers.
        ffi::pmuq_sample { size: std::mem::size_of::<ffi::pmuq_sample>(), ..unsafe { std::mem::zeroed() } }
    }

    pub(crate) fn c(&self) -> &ffi::pmuq_sample {
        &self.c
    }
}
