// SPDX-License-Identifier: MIT
//! What all objects, records and enums have in common.
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::os::raw::c_void;
use std::ptr::NonNull;

/// An object that owns one of the library.
pub trait Object {
    /// Its type in C.
    type C;

    /// Takes the object over.
    ///
    /// # Safety
    /// The pointer is valid, and nothing else frees it.
    unsafe fn from_ptr(object: NonNull<Self::C>) -> Self;
}

/// An object that another object owns: it lives as long as the other one.
pub struct Borrowed<'a, T> {
    object: ManuallyDrop<T>,
    owner: PhantomData<&'a T>,
}

impl<T: Object> Borrowed<'_, T> {
    /// # Safety
    /// NULL, or an object that lives as long as this one.
    pub(crate) unsafe fn new(object: *const T::C) -> Option<Self> {
        let object = NonNull::new(object as *mut T::C)?;

        // SAFETY: the object is never dropped, and nothing changes it: see Deref.
        Some(Self { object: ManuallyDrop::new(unsafe { T::from_ptr(object) }), owner: PhantomData })
    }
}

impl<T> Deref for Borrowed<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.object
    }
}

impl<T: fmt::Debug> fmt::Debug for Borrowed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.object, f)
    }
}

impl<T: fmt::Display> fmt::Display for Borrowed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.object, f)
    }
}

/// A function that returns an element: of this object, of its part with the first number, with the second number.
type Get<T> = fn(*const c_void, usize, usize) -> Option<T>;

/// A list of an object or a record. It is its own iterator.
pub struct List<'a, T> {
    object: *const c_void,
    part: usize,
    next: usize,
    end: usize,
    get: Get<T>,
    owner: PhantomData<&'a c_void>,
}

// SAFETY: a list is a pointer to an object whose functions it calls, as its elements do: it may go where they may go.
unsafe impl<T: Send> Send for List<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for List<'_, T> {}

impl<'a, T> List<'a, T> {
    /// # Safety
    /// The object lives for `'a`, and `get` may be called with it, the part and each number below `n`.
    pub(crate) unsafe fn new<C>(object: *const C, part: usize, n: usize, get: Get<T>) -> Self {
        Self { object: object.cast(), part, next: 0, end: n, get, owner: PhantomData }
    }

    /// The element with that number, from 0; not counting those that the iterator has returned.
    pub fn get(&self, index: usize) -> Option<T> {
        let index = self.next.checked_add(index).filter(|index| *index < self.end)?;

        (self.get)(self.object, self.part, index)
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.next == self.end
    }

    /// The elements again, from here on.
    pub fn iter(&self) -> Self {
        self.clone()
    }
}

impl<T> Clone for List<'_, T> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<T> Iterator for List<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let element = self.get(0)?;

        self.next += 1;
        Some(element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }

    fn nth(&mut self, n: usize) -> Option<T> {
        self.next = self.next.saturating_add(n).min(self.end);
        self.next()
    }
}

impl<T> DoubleEndedIterator for List<'_, T> {
    fn next_back(&mut self) -> Option<T> {
        let last = (self.end - self.next).checked_sub(1)?;
        let element = self.get(last)?;

        self.end -= 1;
        Some(element)
    }
}

impl<T> ExactSizeIterator for List<'_, T> {}

impl<T: fmt::Debug> fmt::Debug for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A slice of numbers in a record.
///
/// # Safety
/// `n` numbers, which live for `'a`; the pointer may be NULL if there are none.
pub(crate) unsafe fn numbers<'a, T>(first: *const T, n: usize) -> &'a [T] {
    if n == 0 || first.is_null() {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(first, n) }
}

/// An enum of the library: its number. A later library may have numbers without a constant here.
macro_rules! enumeration {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $number:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(u32);

        impl $name {
            $($(#[$value_doc])* pub const $value: Self = Self($number);)*

            /// The value with that number of C.
            pub const fn from_raw(number: u32) -> Self {
                Self(number)
            }

            /// The number in C.
            pub const fn raw(self) -> u32 {
                self.0
            }
        }

        impl std::fmt::Debug for $name {
            #[allow(unreachable_patterns)]
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match *self {
                    $(Self::$value => f.write_str(concat!(stringify!($name), "::", stringify!($value))),)*
                    _ => write!(f, "{}({})", stringify!($name), self.0),
                }
            }
        }
    };
}

/// Bits: values of an enum that can be combined with `|`.
macro_rules! bits {
    ($name:ident) => {
        impl std::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self::from_raw(self.raw() | other.raw())
            }
        }

        impl $name {
            /// Whether all bits of the other value are set.
            pub const fn contains(self, other: Self) -> bool {
                self.raw() & other.raw() == other.raw()
            }
        }
    };
}

/// A record: a pointer into the object that it came from, which it cannot outlive.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident, $c:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $name<'a> {
            c: &'a ffi::$c,
        }

        impl<'a> $name<'a> {
            /// # Safety
            /// NULL, or a record that lives for `'a`.
            #[allow(dead_code)]
            pub(crate) unsafe fn new(record: *const ffi::$c) -> Option<Self> {
                // SAFETY: as the caller promises.
                unsafe { record.as_ref() }.map(|c| Self { c })
            }

            #[inline]
            #[allow(dead_code)]
            pub(crate) fn c(&self) -> &'a ffi::$c {
                self.c
            }
        }
    };
}

/// A result that the library filled in.
macro_rules! filled {
    ($(#[$doc:meta])* $name:ident, $c:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub struct $name {
            c: ffi::$c,
        }

        impl $name {
            /// One with its size, and zeros.
            #[allow(dead_code)]
            pub(crate) fn empty() -> ffi::$c {
                // SAFETY: zeros are valid for all members: numbers, bools and pointers.
                ffi::$c { size: std::mem::size_of::<ffi::$c>(), ..unsafe { std::mem::zeroed() } }
            }

            #[allow(dead_code)]
            pub(crate) fn of(c: ffi::$c) -> Self {
                Self { c }
            }

            #[inline]
            #[allow(dead_code)]
            fn c(&self) -> &ffi::$c {
                &self.c
            }
        }
    };
}

/// An object of the library that this one owns. With a lifetime, it borrows from another object.
macro_rules! object {
    ($(#[$doc:meta])* $name:ident $(<$lifetime:lifetime>)?, $c:ident, $free:ident) => {
        $(#[$doc])*
        pub struct $name $(<$lifetime>)? {
            object: std::ptr::NonNull<ffi::$c>,
            $(owner: std::marker::PhantomData<&$lifetime ()>,)?
        }

        impl $(<$lifetime>)? $name $(<$lifetime>)? {
            /// The object in C.
            #[inline]
            // An object that is a record and has no method does not need it.
            #[allow(dead_code)]
            pub(crate) fn ptr(&self) -> *mut ffi::$c {
                self.object.as_ptr()
            }
        }

        impl $(<$lifetime>)? crate::Object for $name $(<$lifetime>)? {
            type C = ffi::$c;

            #[inline]
            unsafe fn from_ptr(object: std::ptr::NonNull<ffi::$c>) -> Self {
                Self { object, $(owner: std::marker::PhantomData::<&$lifetime ()>)? }
            }
        }

        impl $(<$lifetime>)? Drop for $name $(<$lifetime>)? {
            #[inline]
            fn drop(&mut self) {
                // SAFETY: this object owns it.
                unsafe { ffi::$free(self.object.as_ptr()) }
            }
        }

        // SAFETY: <pmuq/pmuq.h>: only one thread at a time may use an object; which one does not matter.
        unsafe impl $(<$lifetime>)? Send for $name $(<$lifetime>)? {}
    };
}

/// Options that the caller fills in.
macro_rules! options {
    ($(#[$doc:meta])* $name:ident, $c:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<'a> {
            c: ffi::$c,
            kept: crate::text::Kept,
            used: std::marker::PhantomData<&'a ()>,
        }

        impl Default for $name<'_> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl $name<'_> {
            /// The defaults.
            pub fn new() -> Self {
                // SAFETY: zeros are valid for all members: numbers, bools and pointers.
                let c = ffi::$c { size: std::mem::size_of::<ffi::$c>(), ..unsafe { std::mem::zeroed() } };

                Self { c, kept: Default::default(), used: std::marker::PhantomData }
            }

            /// The struct of C, unless a text contains a NUL byte.
            #[inline]
            #[allow(dead_code)]
            pub(crate) fn c(&self) -> crate::Result<*const ffi::$c> {
                if self.kept.has_nul() {
                    return Err(crate::Error::nul());
                }
                Ok(&self.c)
            }
        }
    };
}
