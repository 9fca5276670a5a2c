// SPDX-License-Identifier: MIT
//! A record lives as long as its object. E0505: the encodings are dropped while a record borrows them.
fn main() {
    let machine = pmuq::Source::live().unwrap();
    let events = machine.encode("page-faults").unwrap();
    let name = events.get(0).unwrap().name();

    drop(events);
    println!("{name}");
}
