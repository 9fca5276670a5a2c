// SPDX-License-Identifier: MIT
//! Attrs: the argument of perf_event_open(2).
use std::fmt;
use std::mem;
use std::ptr;

use pmuq_sys as ffi;

use crate::error::call;
use crate::text::CText;
use crate::{AttrField, Error, Field, Result};

/// PERF_ATTR_SIZE_VER0, which a kernel also takes a size of 0 for.
const SMALLEST: usize = 64;

/// The event to open: the layout of `struct perf_event_attr` up to PERF_ATTR_SIZE_VER9 (144 bytes).
///
/// [`Attr::size()`] is the number of bytes that the kernel reads; the others are zero. A pointer to an attr is an
/// argument for `perf_event_open(2)`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Attr(ffi::pmuq_attr);

impl Attr {
    /// An attr with that type and config, and zeros.
    pub fn new(type_: u32, config: u64) -> Self {
        // SAFETY: zeros are valid for all members, which are numbers.
        let mut attr = Self(unsafe { mem::zeroed() });

        attr.0.size = SMALLEST as u32;
        attr.0.type_ = type_;
        attr.0.config = config;
        attr
    }

    /// Reads an attr from text: the bytes of the struct in hex, or its fields by the kernel's names
    /// ("type=4 config=0x800002 exclude_kernel=1"). Needs no machine.
    ///
    /// # Errors
    ///
    /// `BAD_ATTR`, `BAD_HEX`, `ATTR_SIZE`, `UNKNOWN_FIELD`, `FIELD_RANGE`, `REPEATED_FIELD`, `MEMORY`; the span is in
    /// the text.
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Self> {
        let mut text_ = CText::new();
        let text = text_.set(text.as_ref()).ok_or_else(Error::nul)?;
        let mut attr = Self::new(0, 0);

        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_attr_parse(text, &mut attr.0, error) })?;
        Ok(attr)
    }

    /// `type`: that of the PMU.
    pub fn type_(&self) -> u32 {
        self.0.type_
    }

    /// `size`: the number of bytes that the kernel reads.
    pub fn size(&self) -> u32 {
        self.0.size
    }

    /// `config`.
    pub fn config(&self) -> u64 {
        self.0.config
    }

    /// The value of a field.
    pub fn get(&self, field: AttrField) -> u64 {
        // SAFETY: the attr is valid, and any field is allowed.
        unsafe { ffi::pmuq_attr_get(&self.0, field.raw()) }
    }

    /// Sets a field. The size grows if the kernel would not read the field otherwise.
    ///
    /// Returns false, and the attr is unchanged, if the field cannot hold the value.
    #[must_use]
    pub fn set(&mut self, field: AttrField, value: u64) -> bool {
        // SAFETY: the attr is valid, and any field is allowed.
        unsafe { ffi::pmuq_attr_set(&mut self.0, field.raw(), value) }
    }

    /// The fields that are not 0, and the type, in the order of the layout.
    pub fn fields(&self) -> impl Iterator<Item = (Field<'static>, u64)> + '_ {
        (0..)
            .map(AttrField::from_raw)
            .map_while(|field| field.about().map(|about| (about, self.get(field))))
            .enumerate()
            .filter(|(index, (_, value))| *index == 0 || *value != 0)
            .map(|(_, field)| field)
    }

    /// The bytes that the kernel reads: 64 if the size is 0.
    pub fn as_bytes(&self) -> &[u8] {
        let size = if self.0.size == 0 { SMALLEST } else { self.0.size as usize };

        &self.all_bytes()[..size.min(mem::size_of::<Self>())]
    }

    fn all_bytes(&self) -> &[u8] {
        // SAFETY: the struct has that many bytes, and no padding.
        unsafe { std::slice::from_raw_parts((self as *const Self).cast(), mem::size_of::<Self>()) }
    }

    /// Copies it into a `struct perf_event_attr` of another size. The bytes after the last field become zero.
    ///
    /// # Errors
    ///
    /// `ATTR_SIZE` if the struct ends before a field that is not 0, `BAD_CALL` if it has less than 64 bytes.
    pub fn copy_to(&self, bytes: &mut [u8]) -> Result<()> {
        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_attr_copy(&self.0, bytes.as_mut_ptr().cast(), bytes.len(), error) })
    }

    pub(crate) fn as_ptr(&self) -> *const ffi::pmuq_attr {
        &self.0
    }

    /// # Safety
    /// NULL, or an attr that lives for `'a`.
    pub(crate) unsafe fn at<'a>(attr: *const ffi::pmuq_attr) -> Option<&'a Self> {
        // SAFETY: as the caller promises; Attr is transparent.
        unsafe { attr.cast::<Self>().as_ref() }
    }
}

impl PartialEq for Attr {
    fn eq(&self, other: &Self) -> bool {
        self.all_bytes() == other.all_bytes()
    }
}

impl Eq for Attr {}

impl fmt::Debug for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();

        for (field, value) in self.fields() {
            map.entry(&field.name(), &value);
        }
        map.finish()
    }
}

impl AttrField {
    /// The field by the kernel's name, or by the name of another member of its union: "sample_freq".
    pub fn find(name: impl AsRef<[u8]>) -> Option<Self> {
        let mut text = CText::new();
        let mut field = 0;
        let name = text.set(name.as_ref()).unwrap_or(ptr::null());

        // SAFETY: all pointers are valid during the call.
        unsafe { ffi::pmuq_attr_find_field(name, &mut field) }.then(|| Self::from_raw(field))
    }

    /// Its name, how to print it, and the smallest attr that contains it. None if there is no such field.
    pub fn about(self) -> Option<Field<'static>> {
        // SAFETY: the record is static.
        unsafe { Field::new(ffi::pmuq_attr_field(self.raw())) }
    }
}
