// SPDX-License-Identifier: MIT
//! Catalogs: references to one, encodings in the caller's memory, and parameters of events.
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

// Not as `ffi::`, since the usual method for this function is generated.
use pmuq_sys::{self as ffi, pmuq_catalog_encode};

use crate::text::CText;
use crate::{Catalog, Code, EncodeOptions, Encodings, Format, Object, Pmu};

impl Clone for Catalog {
    /// Another reference to the same catalog; it allocates nothing.
    fn clone(&self) -> Self {
        // SAFETY: the catalog is valid, and the reference is the caller's.
        unsafe { Self::from_ptr(NonNull::new_unchecked(ffi::pmuq_catalog_share(self.ptr()))) }
    }
}

impl Catalog {
    /// Like `encode_with()`, but the result is in the caller's memory, and nothing calls malloc().
    ///
    /// 4 KiB are enough for a usual event, plus 3 KiB for each further encoding; with assignments, 8 KiB for each.
    /// `options.pfm` must not be set. Of an error there is the code only: encode again without memory for the rest.
    pub fn encode_in<'a>(
        &'a self,
        text: impl AsRef<[u8]>,
        options: &EncodeOptions<'a>,
        memory: &'a mut [MaybeUninit<u8>],
    ) -> std::result::Result<Encodings<'a>, Code> {
        let mut text_ = CText::new();
        let text = text_.set(text.as_ref()).ok_or(Code::BAD_CALL)?;
        // SAFETY: the pointer is valid, and the struct is plain.
        let mut options = unsafe { *options.c().map_err(|error| error.code())? };
        let mut ret = ptr::null_mut();

        options.memory = memory.as_mut_ptr().cast();
        options.memory_bytes = memory.len();
        // SAFETY: all pointers are valid during the call; the memory, for which the result is alone, lives for 'a.
        let r = unsafe { pmuq_catalog_encode(self.ptr(), text, &options, &mut ret, ptr::null_mut()) };
        if r < 0 {
            return Err(Code::from_raw(r.unsigned_abs()));
        }
        // SAFETY: the new object is the caller's.
        Ok(unsafe { Encodings::from_ptr(NonNull::new_unchecked(ret)) })
    }
}

impl<'a> Pmu<'a> {
    /// The parameters of an event: the formats for which its terms have no value ("chip=?"). The event string must
    /// have a term for each. Empty if there is no event of that name.
    pub fn parameters(&self, event: impl AsRef<[u8]>) -> Vec<Format<'a>> {
        let mut text = CText::new();
        let event = text.set(event.as_ref());

        (0..)
            // SAFETY: all pointers are valid during the call; the format lives as long as the PMU.
            .map_while(|index| unsafe { Format::new(ffi::pmuq_pmu_parameter(self.c(), event?, index)) })
            .collect()
    }
}
