// SPDX-License-Identifier: MIT
//! Finds libpmuq: in the directory that PMUQ_LIB_DIR names, else by pkg-config, else where the linker searches.
//! The feature `static`, or PMUQ_STATIC=1, links libpmuq.a.
use std::env;
use std::process::Command;

/// What pkg-config prints for libpmuq, or None without pkg-config or a suitable libpmuq.
fn pkg_config(is_static: bool) -> Option<String> {
    let version = env::var("CARGO_PKG_VERSION").ok()?;
    let mut command = Command::new(env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into()));

    command.args(["--libs-only-L", &format!("pmuq >= {version}")]);
    if is_static {
        command.arg("--static");
    }
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

fn main() {
    let is_static =
        env::var_os("CARGO_FEATURE_STATIC").is_some() || env::var_os("PMUQ_STATIC").map_or(false, |value| value != "0");

    for name in ["PMUQ_LIB_DIR", "PMUQ_STATIC", "PKG_CONFIG", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    if let Some(directory) = env::var_os("PMUQ_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", directory.to_string_lossy());
    } else if let Some(words) = pkg_config(is_static) {
        for directory in words.split_whitespace().filter_map(|word| word.strip_prefix("-L")) {
            println!("cargo:rustc-link-search=native={directory}");
        }
    }
    if is_static {
        println!("cargo:rustc-link-lib=static=pmuq");
        // Needed if dlopen() is not in the C library.
        println!("cargo:rustc-link-lib=dylib=dl");
    } else {
        println!("cargo:rustc-link-lib=dylib=pmuq");
    }
}
