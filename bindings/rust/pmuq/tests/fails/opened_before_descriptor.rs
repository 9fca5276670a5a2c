// SPDX-License-Identifier: MIT
//! A descriptor is closed with its events. E0505: they are dropped while a descriptor borrows them.
use std::os::unix::io::AsRawFd;

fn main() {
    let machine = pmuq::Source::live().unwrap();
    let events = machine.encode("page-faults").unwrap();
    let opened = events.open().unwrap();
    let fd = opened.target(0, 0).unwrap().fd();

    drop(opened);
    println!("{}", fd.as_raw_fd());
}
