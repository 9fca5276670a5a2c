// SPDX-License-Identifier: MIT
//! Memory does not grow. It is a program of its own, since other tests would change the figure.
use std::path::PathBuf;
use std::{env, fs};

use pmuq::*;

fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();

    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Uses each way in which an object is made and freed.
fn use_often(machine: &Source, n: usize) {
    let catalog = machine.read_catalog().unwrap();
    let source = Source::of(catalog.clone()).unwrap();
    let options = EncodeOptions::new().assignments(true);

    for _ in 0..n {
        let encodings = source.encode_with("{cycles,instructions},uncore_imc/cas_count_read/", &options).unwrap();
        let error = source.encode("cpu/umsk=1/").unwrap_err();
        let attr = *encodings.get(0).unwrap().attr();

        assert!(!error.to_string().is_empty() && !build_info().is_empty());
        drop(source.decode(&attr).unwrap());
        drop(source.list_events("mem").unwrap());
        drop(source.complete("cpu/mem").unwrap());
        drop(source.encode_parts(&EventParts::new().pmu("cpu").term("event", 1)).unwrap());
        drop(catalog.clone());
        drop(CpuList::from_text("0-3,8").unwrap());
        drop(DecodeOptions::new().probe_text("a probe"));
        drop(name_in_event("u").unwrap());
    }
}

#[test]
fn memory() {
    let machines = env::var_os("PMUQ_TEST_MACHINES").expect("PMUQ_TEST_MACHINES is the directory of captured machines");
    let machine = Source::tree(PathBuf::from(machines).join("skylake-sp")).unwrap();
    let n = 1000;

    use_often(&machine, n);
    let before = resident_kib();
    use_often(&machine, n);
    use_often(&machine, n);
    let after = resident_kib();
    // A leak of 100 bytes in each call would be megabytes.
    assert!(after < before + 1024, "the memory grew from {before} to {after} KiB");
}
