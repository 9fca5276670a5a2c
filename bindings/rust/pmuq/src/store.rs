// SPDX-License-Identifier: MIT
//! Stores: transactions, lists of hosts, and what to forget.
use std::mem;
use std::ops::Deref;
use std::ptr::{self, NonNull};

use pmuq_sys as ffi;

use crate::error::call;
use crate::text::{CTexts, Kept};
use crate::{Error, ForgetOptions, Forgotten, Hosts, Object, Result, Store};

/// A transaction of a store: several catalogs are saved together, or none. Without `commit()` nothing is saved.
#[derive(Debug)]
pub struct Transaction<'a> {
    store: &'a Store,
    is_open: bool,
}

impl Transaction<'_> {
    /// Saves everything.
    ///
    /// # Errors
    ///
    /// `BAD_CALL` if a save has failed, `STORE_WRITE`, `STORE_BUSY`, `STORE_CORRUPT`, `MEMORY`; nothing is saved then.
    pub fn commit(mut self) -> Result<()> {
        // SAFETY: all pointers are valid during the call.
        let done = call(|error| unsafe { ffi::pmuq_store_commit(self.store.ptr(), error) });

        self.is_open = done.is_err();
        done
    }
}

impl Deref for Transaction<'_> {
    type Target = Store;

    fn deref(&self) -> &Store {
        self.store
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.is_open {
            // SAFETY: the store is valid.
            unsafe { ffi::pmuq_store_roll_back(self.store.ptr()) }
        }
    }
}

/// Which hosts to list.
#[derive(Debug, Default)]
pub struct HostsFilter {
    globs: Vec<Vec<u8>>,
    machine_id: Option<Vec<u8>>,
    hostname: Option<Vec<u8>>,
    is_newest_only: bool,
}

impl HostsFilter {
    /// All hosts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a pattern (`* ? [abc]`): the name must match one of them.
    pub fn glob(mut self, pattern: impl AsRef<[u8]>) -> Self {
        self.globs.push(pattern.as_ref().into());
        self
    }

    /// The fact `machine_id`.
    pub fn machine_id(mut self, machine_id: impl AsRef<[u8]>) -> Self {
        self.machine_id = Some(machine_id.as_ref().into());
        self
    }

    /// The fact `hostname` of its newest snapshot, whatever its name in the store is.
    pub fn hostname(mut self, hostname: impl AsRef<[u8]>) -> Self {
        self.hostname = Some(hostname.as_ref().into());
        self
    }

    /// Lists only the newest snapshot of each host: much faster.
    pub fn newest_only(mut self, is_newest_only: bool) -> Self {
        self.is_newest_only = is_newest_only;
        self
    }
}

impl Store {
    /// Begins a transaction. Only calls that save or read are allowed in it.
    ///
    /// # Errors
    ///
    /// `BAD_CALL` (already in a transaction), `STORE_WRITE`, `STORE_BUSY`, `STORE_CORRUPT`, `MEMORY`
    pub fn begin(&self) -> Result<Transaction<'_>> {
        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_store_begin(self.ptr(), error) })?;
        Ok(Transaction { store: self, is_open: true })
    }

    /// Lists all hosts by name, each with its snapshots, oldest first.
    ///
    /// # Errors
    ///
    /// `STORE_CORRUPT`, `STORE_BUSY`, `MEMORY`
    pub fn list_hosts(&self) -> Result<Hosts> {
        self.list_hosts_with(&HostsFilter::new())
    }

    /// Lists hosts by name. If no host matches, the list is empty.
    pub fn list_hosts_with(&self, filter: &HostsFilter) -> Result<Hosts> {
        let mut kept = Kept::default();
        let mut keep = |text: &Option<Vec<u8>>| text.as_ref().map_or(ptr::null(), |text| kept.keep(text));
        let (machine_id, hostname) = (keep(&filter.machine_id), keep(&filter.hostname));
        let globs = CTexts::new(&filter.globs).filter(|_| !kept.has_nul()).ok_or_else(Error::nul)?;
        let c = ffi::pmuq_hosts_filter {
            size: mem::size_of::<ffi::pmuq_hosts_filter>(),
            globs: globs.as_ptr(),
            n_globs: globs.len(),
            machine_id,
            is_newest_only: filter.is_newest_only,
            hostname,
        };
        let mut ret = ptr::null_mut();

        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe { ffi::pmuq_store_list_hosts(self.ptr(), &c, &mut ret, error) })?;
        // SAFETY: the new object is the caller's.
        Ok(unsafe { Hosts::from_ptr(NonNull::new_unchecked(ret)) })
    }

    /// Forgets hosts or single snapshots, and everything that no other snapshot shares: all of it, or nothing.
    ///
    /// * `hosts`: the name of each host, and the number of a snapshot, or 0 for all of the host's snapshots. If it is
    ///   empty: every host, as selected by the options
    ///
    /// # Errors
    ///
    /// `UNKNOWN_HOST`, `UNKNOWN_SNAPSHOT`, `STORE_WRITE`, `STORE_BUSY`, `STORE_CORRUPT`, `MEMORY`
    pub fn forget(&self, hosts: &[(&str, i64)], options: &ForgetOptions<'_>) -> Result<Forgotten> {
        let names: Vec<_> = hosts.iter().map(|(name, _)| name).collect();
        let names = CTexts::new(&names).ok_or_else(Error::nul)?;
        let snapshots: Vec<_> = hosts.iter().map(|(_, snapshot)| *snapshot).collect();
        let first = if hosts.is_empty() { ptr::null() } else { names.as_ptr() };
        let mut ret = Forgotten::empty();
        let options = options.c()?;

        // SAFETY: all pointers are valid during the call.
        call(|error| unsafe {
            ffi::pmuq_store_forget(self.ptr(), first, snapshots.as_ptr(), hosts.len(), options, &mut ret, error)
        })?;
        Ok(Forgotten::of(ret))
    }
}
