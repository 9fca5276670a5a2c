// SPDX-License-Identifier: MIT
//! Encodings point to texts of their source. E0505: it is dropped while they borrow it.
fn main() {
    let machine = pmuq::Source::live().unwrap();
    let events = machine.encode("page-faults").unwrap();

    drop(machine);
    println!("{}", events.len());
}
