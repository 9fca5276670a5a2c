// SPDX-License-Identifier: MIT
//! Texts: from the library to Rust as [`Text`], and from Rust to the library as NUL-terminated bytes.
use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr};
use std::fmt;
use std::mem::MaybeUninit;
use std::os::raw::{c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::str::{self, FromStr, Utf8Error};

use pmuq_sys as ffi;

use crate::object::numbers;

/// Text of the library: UTF-8, or whatever bytes the kernel wrote.
///
/// It compares with `str`, prints as text (with U+FFFD for bytes that are not UTF-8), and has its bytes.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Text([u8]);

impl Text {
    /// The text of these bytes.
    pub fn new(bytes: &(impl AsRef<[u8]> + ?Sized)) -> &Self {
        let bytes: *const [u8] = bytes.as_ref();

        // SAFETY: Text is transparent, so both pointers have the same form.
        unsafe { &*(bytes as *const Self) }
    }

    /// The bytes, without a NUL at the end.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text, if it is UTF-8.
    pub fn to_str(&self) -> Result<&str, Utf8Error> {
        str::from_utf8(&self.0)
    }

    /// The text, with U+FFFD for bytes that are not UTF-8.
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// The text as the name of a file.
    pub fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Parses it, for example a scale as `f64`. None if that fails.
    pub fn parse<T: FromStr>(&self) -> Option<T> {
        self.to_str().ok()?.parse().ok()
    }

    /// # Safety
    /// The text must live for `'a`. No text is "".
    #[inline]
    pub(crate) unsafe fn of<'a>(text: ffi::pmuq_str) -> &'a Self {
        // SAFETY: the library promises `n` bytes.
        Self::new(unsafe { numbers(text.p.cast::<u8>(), text.n) })
    }

    /// # Safety
    /// The text must live for `'a`.
    pub(crate) unsafe fn of_or_none<'a>(text: ffi::pmuq_str) -> Option<&'a Self> {
        // SAFETY: it is not NULL.
        (!text.p.is_null()).then(|| unsafe { Self::of(text) })
    }

    /// # Safety
    /// NULL, or NUL-terminated text that lives for `'a`.
    pub(crate) unsafe fn at<'a>(text: *const c_char) -> Option<&'a Self> {
        // SAFETY: it is not NULL.
        (!text.is_null()).then(|| Self::new(unsafe { CStr::from_ptr(text) }.to_bytes()))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_str() {
            Ok(text) => f.pad(text),
            Err(_) => f.pad(&self.to_string_lossy()),
        }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), f)
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.0 == *other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other.as_bytes()
    }
}

impl PartialEq<Text> for str {
    fn eq(&self, other: &Text) -> bool {
        *self.as_bytes() == other.0
    }
}

impl PartialEq<&Text> for str {
    fn eq(&self, other: &&Text) -> bool {
        *self.as_bytes() == other.0
    }
}

/// Static text of the library. All of it is ASCII.
///
/// # Safety
/// NULL, or NUL-terminated text that is never freed.
pub(crate) unsafe fn static_text(text: *const c_char) -> Option<&'static str> {
    // SAFETY: as the caller promises.
    unsafe { Text::at(text) }.and_then(|text| text.to_str().ok())
}

/// Takes text that is to be freed with free(). None if it is NULL.
///
/// # Safety
/// NULL, or NUL-terminated text that the library allocated for the caller.
pub(crate) unsafe fn owned_text(text: *mut c_char) -> Option<Vec<u8>> {
    extern "C" {
        fn free(pointer: *mut c_char);
    }

    // SAFETY: as the caller promises; the bytes are copied before they are freed.
    let copy = unsafe { Text::at(text) }.map(|text| text.as_bytes().to_vec());
    // SAFETY: nothing points to it any more.
    unsafe { free(text) };
    copy
}

/// Takes text as above, for people. It is empty when out of memory.
///
/// # Safety
/// As [`owned_text()`].
pub(crate) unsafe fn owned_string(text: *mut c_char) -> String {
    // SAFETY: as the caller promises.
    String::from_utf8_lossy(&unsafe { owned_text(text) }.unwrap_or_default()).into_owned()
}

/// Whether it contains a NUL byte. The C library is faster than `contains()`, which tests byte by byte in short texts.
#[inline]
fn has_nul(text: &[u8]) -> bool {
    extern "C" {
        fn memchr(bytes: *const u8, byte: c_int, n: usize) -> *const u8;
    }

    // SAFETY: the text has that many bytes.
    !unsafe { memchr(text.as_ptr(), 0, text.len()) }.is_null()
}

/// The length up to which a text needs no memory on the heap.
const INLINE: usize = 128;

/// A NUL-terminated copy of a text. Short texts, such as most event strings, are copied to the stack:
/// an allocation would take a quarter of the time to encode one.
pub(crate) struct CText {
    inline: [MaybeUninit<u8>; INLINE],
    heap: Vec<u8>,
}

impl CText {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { inline: [MaybeUninit::uninit(); INLINE], heap: Vec::new() }
    }

    /// Copies the text. None if it contains a NUL byte, after which C would not read it.
    #[inline]
    pub(crate) fn set(&mut self, text: &[u8]) -> Option<*const c_char> {
        if has_nul(text) {
            return None;
        }
        if text.len() >= INLINE {
            return Some(self.set_long(text));
        }
        // SAFETY: the array is longer than the text.
        unsafe {
            let to = self.inline.as_mut_ptr().cast::<u8>();

            ptr::copy_nonoverlapping(text.as_ptr(), to, text.len());
            to.add(text.len()).write(0);
        }
        Some(self.inline.as_ptr().cast())
    }

    #[cold]
    fn set_long(&mut self, text: &[u8]) -> *const c_char {
        self.heap.reserve_exact(text.len() + 1);
        self.heap.extend_from_slice(text);
        self.heap.push(0);
        self.heap.as_ptr().cast()
    }

    /// The same for a text that may be missing, which is NULL in C.
    #[inline]
    pub(crate) fn set_or_null(&mut self, text: Option<&[u8]>) -> Option<*const c_char> {
        text.map_or(Some(ptr::null()), |text| self.set(text))
    }
}

/// The bytes of the name of a file.
pub(crate) fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

/// A NUL-terminated copy on the heap. A pointer to it stays valid when this object moves.
#[derive(Debug)]
struct Owned(*mut c_char);

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the pointer is from CString::into_raw().
        drop(unsafe { CString::from_raw(self.0) });
    }
}

/// NUL-terminated copies of several texts.
#[derive(Debug, Default)]
pub(crate) struct CTexts {
    /// Owns what the pointers point to.
    _texts: Vec<Owned>,
    pointers: Vec<*const c_char>,
}

impl CTexts {
    /// None if one of them contains a NUL byte.
    pub(crate) fn new<T: AsRef<[u8]>>(texts: &[T]) -> Option<Self> {
        let mut made = Self::default();

        for text in texts {
            let text = Owned(CString::new(text.as_ref()).ok()?.into_raw());

            made.pointers.push(text.0);
            made._texts.push(text);
        }
        Some(made)
    }

    pub(crate) fn as_ptr(&self) -> *const *const c_char {
        self.pointers.as_ptr()
    }

    pub(crate) fn len(&self) -> usize {
        self.pointers.len()
    }
}

/// Texts that options point to. They are freed with the options.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    texts: Vec<Owned>,
    has_nul: bool,
}

impl Kept {
    /// A copy of the text. If it contains a NUL byte, the options are refused when they are used.
    pub(crate) fn keep(&mut self, text: &[u8]) -> *const c_char {
        match CString::new(text) {
            Ok(text) => {
                let text = Owned(text.into_raw());
                let pointer = text.0;

                self.texts.push(text);
                pointer
            }
            Err(_) => {
                self.has_nul = true;
                ptr::null()
            }
        }
    }

    pub(crate) fn has_nul(&self) -> bool {
        self.has_nul
    }
}
