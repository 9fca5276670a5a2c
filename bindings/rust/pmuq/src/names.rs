// SPDX-License-Identifier: MIT
//! Words of the event language, and functions of no object.
use std::os::raw::c_char;
use std::ptr;

use pmuq_sys as ffi;

use crate::error::call;
use crate::text::{owned_text, static_text, CText, Text};
use crate::{Error, Result};

/// The version of the library that runs: "MAJOR.MINOR.PATCH".
pub fn version() -> &'static str {
    // SAFETY: the text is static.
    unsafe { static_text(ffi::pmuq_version()) }.unwrap_or("")
}

/// "EINVAL" for 22; "errno" if pmuq has no name for the number.
pub fn errno_name(errnum: i32) -> &'static str {
    // SAFETY: the text is static.
    unsafe { static_text(ffi::pmuq_errno_name(errnum)) }.unwrap_or("errno")
}

/// The terms that every PMU accepts ("config", "period", "name" …), and whether they take a value.
pub fn terms() -> impl Iterator<Item = (&'static str, bool)> {
    (0..).map_while(|index| {
        let mut takes_value = false;

        // SAFETY: the text is static, and any index is allowed.
        unsafe { static_text(ffi::pmuq_term_name(index, &mut takes_value)) }.map(|name| (name, takes_value))
    })
}

/// The modifiers of events, each with its meaning in a few words.
pub fn modifiers() -> impl Iterator<Item = (char, &'static str)> {
    (0..).map_while(|index| {
        let mut letter: c_char = 0;

        // SAFETY: the text is static, and any index is allowed.
        unsafe { static_text(ffi::pmuq_modifier_meaning(index, &mut letter)) }
            .map(|meaning| (char::from(letter as u8), meaning))
    })
}

/// The kernel's generic events by their usual names: hardware, then software, then cache events.
pub fn generic_names() -> impl Iterator<Item = String> {
    (0..).map_while(|index| {
        let mut name: [c_char; ffi::PMUQ_GENERIC_NAME_MAX] = [0; ffi::PMUQ_GENERIC_NAME_MAX];

        // SAFETY: the array is as large as the header demands, and any index is allowed.
        let text = unsafe { ffi::pmuq_generic_name(index, name.as_mut_ptr()).then(|| Text::at(name.as_ptr())) };
        text.flatten().map(ToString::to_string)
    })
}

/// Writes a name as an event string must: as it is, or in single quotes if the parser would take it for modifiers, a
/// number or a raw event. None if no event string can contain the name.
///
/// # Errors
///
/// `MEMORY`
pub fn name_in_event(name: impl AsRef<[u8]>) -> Result<Option<Vec<u8>>> {
    let mut text = CText::new();
    let name = text.set(name.as_ref()).ok_or_else(Error::nul)?;
    let mut ret = ptr::null_mut();

    // SAFETY: all pointers are valid during the call.
    call(|error| unsafe { ffi::pmuq_name_in_event(name, &mut ret, error) })?;
    // SAFETY: the text is the caller's.
    Ok(unsafe { owned_text(ret) })
}
