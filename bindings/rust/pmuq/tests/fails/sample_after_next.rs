// SPDX-License-Identifier: MIT
//! A record of samples lives until the next call. E0499: a second borrow while the first is in use.
fn main() {
    let machine = pmuq::Source::live().unwrap();
    let events = machine.encode("page-faults").unwrap();
    let opened = events.open().unwrap();
    let mut samples = opened.sample(0).unwrap();
    let first = samples.next_record().unwrap();
    let second = samples.next_record().unwrap();

    println!("{} {}", first.time_ns(), second.time_ns());
}
