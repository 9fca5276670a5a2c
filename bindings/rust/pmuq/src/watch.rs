// SPDX-License-Identifier: MIT
//! Watches: changes of the machine, and their announcements.
use std::fmt;
use std::os::unix::io::{AsFd, BorrowedFd};

use pmuq_sys as ffi;

use crate::{Announcement, List, Watch, WatchCause};

impl Watch {
    /// Takes the next change, which lives until the next call. None: nothing yet, poll again. It never waits.
    pub fn next_change(&mut self) -> Option<WatchChange<'_>> {
        // SAFETY: the object is valid; the change lives until this object is borrowed again.
        unsafe { ffi::pmuq_watch_next(self.ptr()).as_ref() }.map(|c| WatchChange { c, watch: self.ptr() })
    }
}

impl AsFd for Watch {
    /// Poll it, then call `next_change()`.
    fn as_fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the descriptor is open as long as the watch lives.
        unsafe { BorrowedFd::borrow_raw(ffi::pmuq_watch_fd(self.ptr())) }
    }
}

/// What may have changed since the last change.
#[derive(Clone, Copy)]
pub struct WatchChange<'a> {
    c: &'a ffi::pmuq_watch_change,
    watch: *const ffi::pmuq_watch,
}

impl<'a> WatchChange<'a> {
    /// Why the machine may have changed. No bits: a daemon found what nothing had announced.
    pub fn causes(&self) -> WatchCause {
        WatchCause::from_raw(self.c.causes)
    }

    /// What the kernel announced: the first 64 announcements, each once.
    pub fn announcements(&self) -> List<'a, Announcement<'a>> {
        // SAFETY: the announcements live as long as the change, and the function takes any index.
        unsafe {
            List::new(self.watch, 0, self.c.n_announcements, |watch, _, index| {
                Announcement::new(ffi::pmuq_watch_get(watch.cast(), index))
            })
        }
    }
}

impl fmt::Debug for WatchChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatchChange")
            .field("causes", &self.causes())
            .field("announcements", &self.announcements())
            .finish()
    }
}
