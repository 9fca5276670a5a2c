// SPDX-License-Identifier: MIT
//! Ring buffers are unmapped before the events are closed. E0505: the events are dropped while samples borrow them.
fn main() {
    let machine = pmuq::Source::live().unwrap();
    let events = machine.encode("page-faults").unwrap();
    let opened = events.open().unwrap();
    let samples = opened.sample(0).unwrap();

    drop(opened);
    println!("{}", samples.lost());
}
