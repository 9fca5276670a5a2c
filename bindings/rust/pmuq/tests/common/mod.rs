// SPDX-License-Identifier: MIT
//! What the tests share.
use std::path::PathBuf;
use std::{env, fs};

/// A directory that is removed with this object.
pub struct Temporary(pub PathBuf);

impl Temporary {
    pub fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("pmuq-rust-{name}-{}", std::process::id()));

        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
