// SPDX-License-Identifier: MIT
//! Errors: why a call failed, or a warning.
use std::fmt;
use std::ops::Range;
use std::os::raw::c_int;
use std::ptr::{self, NonNull};

use pmuq_sys as ffi;

use crate::text::{owned_string, static_text, Text};
use crate::{Code, Object};

/// What a call of the library returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a call failed, or a warning: a code, a sentence, a hint, and the span in the input.
///
/// [`Display`](fmt::Display) prints all of it, with a caret under the span, in several lines; [`Error::message()`] is
/// one sentence.
pub struct Error {
    repr: Repr,
}

enum Repr {
    Library(NonNull<ffi::pmuq_error>),
    /// A text of the program contains a NUL byte.
    Nul,
}

// SAFETY: <pmuq/error.h>: "An error never changes: any number of threads may read it."
unsafe impl Send for Error {}
// SAFETY: as above.
unsafe impl Sync for Error {}

impl Error {
    /// A text with a NUL byte, after which C would not read it.
    #[cold]
    pub(crate) fn nul() -> Self {
        Self { repr: Repr::Nul }
    }

    fn c(&self) -> Option<&ffi::pmuq_error> {
        match self.repr {
            // SAFETY: it lives as long as this object.
            Repr::Library(error) => Some(unsafe { error.as_ref() }),
            Repr::Nul => None,
        }
    }

    /// The code, stable forever.
    pub fn code(&self) -> Code {
        self.c().map_or(Code::BAD_CALL, |c| Code::from_raw(c.code))
    }

    /// The name of the code: "unknown-term".
    pub fn name(&self) -> &'static str {
        self.code().name().unwrap_or("")
    }

    /// One sentence without a full stop.
    pub fn message(&self) -> &Text {
        // SAFETY: the text lives as long as the error.
        self.c().map_or_else(|| Text::new("the text contains a NUL byte"), |c| unsafe { Text::of(c.message) })
    }

    /// What to do about it, or None.
    pub fn hint(&self) -> Option<&Text> {
        // SAFETY: the text lives as long as the error.
        self.c().and_then(|c| unsafe { Text::of_or_none(c.hint) })
    }

    /// The text that the span is in (the event string, or an alias's), or None.
    pub fn input(&self) -> Option<&Text> {
        // SAFETY: the text lives as long as the error.
        self.c().and_then(|c| unsafe { Text::of_or_none(c.input) })
    }

    /// The bytes of the input that the error is about. If it is empty: just before that byte.
    pub fn span(&self) -> Range<usize> {
        self.c().map_or(0..0, |c| c.offset..c.offset + c.length)
    }

    /// The file, directory or database concerned, or None.
    pub fn origin(&self) -> Option<&Text> {
        // SAFETY: the text lives as long as the error.
        self.c().and_then(|c| unsafe { Text::of_or_none(c.origin) })
    }

    /// The errno of the failed call, or 0.
    pub fn errnum(&self) -> i32 {
        self.c().map_or(0, |c| c.errnum)
    }

    /// Whether it is a warning: the call did not fail because of it.
    pub fn is_warning(&self) -> bool {
        self.c().map_or(false, |c| c.is_warning)
    }
}

impl Object for Error {
    type C = ffi::pmuq_error;

    unsafe fn from_ptr(error: NonNull<ffi::pmuq_error>) -> Self {
        Self { repr: Repr::Library(error) }
    }
}

impl Drop for Error {
    fn drop(&mut self) {
        if let Repr::Library(error) = self.repr {
            // SAFETY: this object owns it.
            unsafe { ffi::pmuq_error_free(error.as_ptr()) }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.repr {
            // SAFETY: the error is valid, and the text is for the caller.
            Repr::Library(error) => f.write_str(&unsafe { owned_string(ffi::pmuq_error_format(error.as_ptr())) }),
            Repr::Nul => write!(f, "error[PMUQ-{:03}] {}: {}", self.code().raw(), self.name(), self.message()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("code", &self.code())
            .field("message", &self.message())
            .field("hint", &self.hint())
            .field("input", &self.input())
            .field("span", &self.span())
            .field("origin", &self.origin())
            .field("errnum", &self.errnum())
            .finish()
    }
}

impl std::error::Error for Error {}

/// Calls a function of the library that can fail.
#[inline]
pub(crate) fn call(function: impl FnOnce(*mut *mut ffi::pmuq_error) -> c_int) -> Result<()> {
    let mut error = ptr::null_mut();

    if function(&mut error) >= 0 {
        return Ok(());
    }
    Err(failed(error))
}

#[cold]
fn failed(error: *mut ffi::pmuq_error) -> Error {
    // The library has a static error for the case that there is no memory for one.
    let error = NonNull::new(error).expect("a function that fails sets an error");

    Error { repr: Repr::Library(error) }
}

impl Code {
    /// The name: "unknown-term". None if the number is not a code.
    pub fn name(self) -> Option<&'static str> {
        // SAFETY: the text is static.
        unsafe { static_text(ffi::pmuq_code_name(self.raw())) }
    }

    /// What the code means, in one sentence.
    pub fn meaning(self) -> Option<&'static str> {
        // SAFETY: the text is static.
        unsafe { static_text(ffi::pmuq_code_meaning(self.raw())) }
    }

    /// An example of the error.
    pub fn example(self) -> Option<&'static str> {
        // SAFETY: the text is static.
        unsafe { static_text(ffi::pmuq_code_example(self.raw())) }
    }

    /// What to do about it.
    pub fn remedy(self) -> Option<&'static str> {
        // SAFETY: the text is static.
        unsafe { static_text(ffi::pmuq_code_remedy(self.raw())) }
    }

    /// All codes of the library that runs, in ascending order.
    pub fn all() -> impl Iterator<Item = Code> {
        // SAFETY: any index is allowed.
        (0..).map(|index| unsafe { ffi::pmuq_code_at(index) }).take_while(|code| *code != 0).map(Code::from_raw)
    }
}
