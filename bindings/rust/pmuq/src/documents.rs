// SPDX-License-Identifier: MIT
//! Documents and recordings: what is read from files and written to files.
use std::os::unix::io::{AsFd, AsRawFd, BorrowedFd};
use std::ptr::{self, NonNull};

use pmuq_sys as ffi;

use crate::error::call;
use crate::text::{owned_text, CText};
use crate::{Catalog, DocumentForm, Error, Object, Reader, Recording, Result, Writer};

impl Writer {
    /// All documents as text. The same machines always give the same bytes.
    ///
    /// # Errors
    ///
    /// `NO_LIBRARY` (libyaml), `MEMORY`
    pub fn text(&self, form: DocumentForm) -> Result<Vec<u8>> {
        let (mut ret, mut bytes) = (ptr::null_mut(), 0);

        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_writer_text(self.ptr(), form.raw(), &mut ret, &mut bytes, error) })?;
        // SAFETY: the text is the caller's.
        Ok(unsafe { owned_text(ret) }.unwrap_or_default())
    }

    /// Writes all documents to an open file. As with write(2), a pipe without a reader raises SIGPIPE.
    ///
    /// # Errors
    ///
    /// `NO_LIBRARY` (libyaml), `DOCUMENT_WRITE`, `MEMORY`
    pub fn write(&self, form: DocumentForm, file: impl AsFd) -> Result<()> {
        let fd = file.as_fd().as_raw_fd();

        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_writer_write(self.ptr(), form.raw(), fd, error) })
    }
}

impl<'a> Reader<'a> {
    /// A reader of documents. It reads one file after the other.
    ///
    /// # Errors
    ///
    /// `MEMORY`
    pub fn new() -> Result<Self> {
        let mut ret = ptr::null_mut();

        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_reader_new(&mut ret, error) })?;
        // SAFETY: the new object is the caller's.
        Ok(unsafe { Self::from_ptr(NonNull::new_unchecked(ret)) })
    }

    /// Like `open()` for a file descriptor, from its current offset. `origin` is its name in errors.
    pub fn open_fd(&mut self, fd: BorrowedFd<'a>, origin: impl AsRef<[u8]>) -> Result<()> {
        let mut text = CText::new();
        let origin = text.set(origin.as_ref()).ok_or_else(Error::nul)?;

        // SAFETY: all pointers are valid during the call, and the descriptor stays open for 'a.
        call(|error| unsafe { ffi::pmuq_reader_open_fd(self.ptr(), fd.as_raw_fd(), origin, error) })
    }

    /// Like `open()` for bytes. `origin` is their name in errors.
    pub fn open_bytes(&mut self, bytes: &'a [u8], origin: impl AsRef<[u8]>) -> Result<()> {
        let mut text = CText::new();
        let origin = text.set(origin.as_ref()).ok_or_else(Error::nul)?;

        // SAFETY: all pointers are valid during the call, and the bytes live for 'a.
        call(|error| unsafe {
            ffi::pmuq_reader_open_bytes(self.ptr(), bytes.as_ptr().cast(), bytes.len(), origin, error)
        })
    }
}

/// Reads the machines of the opened file: host by host, document by document. After a failure the file has no more
/// machines; the error's origin is "FILE:LINE:COLUMN".
impl Iterator for Reader<'_> {
    type Item = Result<Catalog>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut ret = ptr::null_mut();

        // SAFETY: all pointers are valid during the call.
        if let Err(error) = call(|error| unsafe { ffi::pmuq_reader_next(self.ptr(), &mut ret, error) }) {
            return Some(Err(error));
        }
        // SAFETY: the new object is the caller's.
        NonNull::new(ret).map(|ret| Ok(unsafe { Catalog::from_ptr(ret) }))
    }
}

impl Recording {
    /// Like `open()` for an open file, from its current offset. `name` is its name in errors.
    pub fn open_fd(file: impl AsFd, name: impl AsRef<[u8]>) -> Result<Self> {
        let mut text = CText::new();
        let name = text.set(name.as_ref()).ok_or_else(Error::nul)?;
        let mut ret = ptr::null_mut();

        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_recording_open_fd(file.as_fd().as_raw_fd(), name, &mut ret, error) })?;
        // SAFETY: the new object is the caller's.
        Ok(unsafe { Self::from_ptr(NonNull::new_unchecked(ret)) })
    }
}
