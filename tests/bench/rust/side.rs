// SPDX-License-Identifier: MIT
//! Functions for bench_rust.c, which does the same in C: read a machine, and encode an event often.
use std::ffi::CStr;
use std::os::raw::{c_char, c_uint};

use pmuq::{Catalog, Source};

/// # Safety
/// NUL-terminated text.
unsafe fn text<'a>(text: *const c_char) -> &'a str {
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap()
}

/// # Safety
/// The path of a captured tree. The catalog is never freed.
#[no_mangle]
pub unsafe extern "C" fn rust_read(tree: *const c_char) -> *const Catalog {
    // SAFETY: as the caller promises.
    let source = Source::tree(unsafe { text(tree) }).unwrap();

    Box::into_raw(Box::new(source.read_catalog().unwrap()))
}

/// Encodes the event `calls` times, and returns the sum of the configs of all encodings.
///
/// # Safety
/// A catalog of `rust_read()`, and an event string.
#[no_mangle]
pub unsafe extern "C" fn rust_encode(catalog: *const Catalog, event: *const c_char, calls: c_uint) -> u64 {
    // SAFETY: as the caller promises.
    let (catalog, event) = unsafe { (&*catalog, text(event)) };
    let mut sum = 0u64;

    for _ in 0..calls {
        for encoding in &catalog.encode(event).unwrap() {
            sum = sum.wrapping_add(encoding.attr().config());
        }
    }
    sum
}

/// The same for an event string with an error: the sum of the codes.
///
/// # Safety
/// As above.
#[no_mangle]
pub unsafe extern "C" fn rust_fail(catalog: *const Catalog, event: *const c_char, calls: c_uint) -> u64 {
    // SAFETY: as the caller promises.
    let (catalog, event) = unsafe { (&*catalog, text(event)) };

    (0..calls).map(|_| u64::from(catalog.encode(event).unwrap_err().code().raw())).sum()
}
