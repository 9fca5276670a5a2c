// SPDX-License-Identifier: MIT
//! The same for a catalog. E0597: it does not live long enough.
fn main() {
    let machine = pmuq::Source::live().unwrap();
    let events;

    {
        let catalog = machine.read_catalog().unwrap();

        events = catalog.encode("page-faults").unwrap();
    }
    println!("{}", events.len());
}
