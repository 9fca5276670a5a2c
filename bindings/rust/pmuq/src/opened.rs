// SPDX-License-Identifier: MIT
//! Opened events: their values, and the descriptors that they are open on.
use std::io;
use std::marker::PhantomData;
use std::mem;
use std::os::unix::io::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::ptr::{self, NonNull};

// The second not as `ffi::`, since the method for the whole list is generated.
use pmuq_sys::{self as ffi, pmuq_opened_results};

use crate::error::call;
use crate::{Encodings, Object, OpenResult, OpenResults, Opened, Result, Value};

/// A target that an event is open on: a task, or a CPU.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    c: ffi::pmuq_target,
    opened: PhantomData<&'a Opened>,
}

impl<'a> Target<'a> {
    /// The CPU. None: any CPU.
    pub fn cpu(&self) -> Option<u32> {
        u32::try_from(self.c.cpu).ok()
    }

    /// The file descriptor, to map it or poll it. It is closed with the opened events.
    pub fn fd(&self) -> BorrowedFd<'a> {
        // SAFETY: the descriptor is open as long as the opened events live.
        unsafe { BorrowedFd::borrow_raw(self.c.fd) }
    }

    /// Another descriptor of the same event, which the caller owns: the event stays open with it.
    pub fn try_clone_fd(&self) -> io::Result<OwnedFd> {
        self.fd().try_clone_to_owned()
    }

    /// The kernel's id in samples (`PERF_EVENT_IOC_ID`), or 0.
    pub fn id(&self) -> u64 {
        self.c.id
    }

    /// `attr.read_format` of the descriptor, for programs that read it themselves.
    pub fn read_format(&self) -> u64 {
        self.c.read_format
    }
}

impl AsFd for Target<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd()
    }
}

impl Opened {
    /// The number of encodings, opened or not; the indexes are the same.
    pub fn len(&self) -> usize {
        // SAFETY: the object is valid.
        unsafe { ffi::pmuq_opened_count(self.ptr()) }
    }

    /// Whether there are none. There is always at least one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The open result of an event: why it is not open, and what would open.
    pub fn result(&self, index: usize) -> Option<OpenResult<'_>> {
        // SAFETY: the objects are valid, and any index is allowed; the result lives as long as this object.
        unsafe { OpenResult::new(pmuq_sys::pmuq_open_results_get(pmuq_opened_results(self.ptr()), index)) }
    }

    /// Reads all events. On each target a group is read by one system call, so that its values are consistent. The
    /// value and the times of an event that is not open are 0.
    ///
    /// # Errors
    ///
    /// `EVENT_FAILED`
    pub fn read_all(&self) -> Result<Vec<Value>> {
        let mut values = Vec::new();

        self.read_all_into(&mut values)?;
        Ok(values)
    }

    /// Like `read_all()`, but uses the memory of `values` again: with a second call it allocates nothing.
    pub fn read_all_into(&self, values: &mut Vec<Value>) -> Result<()> {
        values.clear();
        values.resize(self.len(), Value::of(Value::empty()));
        // SAFETY: Value is transparent, and each value has its size.
        call(|error| unsafe { ffi::pmuq_opened_read_all(self.ptr(), values.as_mut_ptr().cast(), values.len(), error) })
    }

    /// The targets of an event. None if it is not open.
    pub fn targets(&self, index: usize) -> impl Iterator<Item = Target<'_>> + '_ {
        // SAFETY: the object is valid, and any index is allowed.
        let n = unsafe { ffi::pmuq_opened_target_count(self.ptr(), index) };

        (0..n).map_while(move |target| self.target(index, target))
    }

    /// A target of an event.
    pub fn target(&self, index: usize, target: usize) -> Option<Target<'_>> {
        // SAFETY: zeros are valid for all members, which are numbers.
        let mut c: ffi::pmuq_target = unsafe { mem::zeroed() };

        c.size = mem::size_of::<ffi::pmuq_target>();
        // SAFETY: all pointers are valid during the call.
        unsafe { ffi::pmuq_opened_target(self.ptr(), index, target, &mut c) }
            .then_some(Target { c, opened: PhantomData })
    }

    /// Whether the event is open.
    pub fn is_open(&self, index: usize) -> bool {
        // SAFETY: the object is valid, and any index is allowed.
        unsafe { ffi::pmuq_opened_target_count(self.ptr(), index) > 0 }
    }
}

/// A call of perf_event_open(2) that the program made itself and that failed.
#[derive(Clone, Copy, Debug)]
pub struct OpenCall<'a> {
    c: ffi::pmuq_open_call,
    group: PhantomData<BorrowedFd<'a>>,
}

impl<'a> OpenCall<'a> {
    /// A call with that pid and CPU (-1: any), and the errno after it.
    pub fn new(pid: i32, cpu: i32, errnum: i32) -> Self {
        let c = ffi::pmuq_open_call {
            size: mem::size_of::<ffi::pmuq_open_call>(),
            pid,
            cpu,
            group_fd: -1,
            errnum,
            flags: 0,
        };

        Self { c, group: PhantomData }
    }

    /// Its leader.
    pub fn group(mut self, fd: BorrowedFd<'a>) -> Self {
        self.c.group_fd = fd.as_raw_fd();
        self
    }

    /// Its flags (`PERF_FLAG_PID_CGROUP` …).
    pub fn flags(mut self, flags: u64) -> Self {
        self.c.flags = flags;
        self
    }
}

impl Encodings<'_> {
    /// Explains why the kernel refused an encoding that the program opened itself, with the same reason, hint and
    /// smallest change that opens as `test_open()`. The result has one open result.
    ///
    /// # Errors
    ///
    /// `BAD_CALL`, `MEMORY`
    pub fn explain_errno(&self, index: usize, open_call: &OpenCall<'_>) -> Result<OpenResults> {
        let mut ret = ptr::null_mut();

        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_encodings_explain_errno(self.ptr(), index, &open_call.c, &mut ret, error) })?;
        // SAFETY: the new object is the caller's.
        Ok(unsafe { OpenResults::from_ptr(NonNull::new_unchecked(ret)) })
    }
}
