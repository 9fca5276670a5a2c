// SPDX-License-Identifier: MIT
//! Encodings point to texts of the vendor's table in the options. E0505: it is dropped while they borrow it.
fn main() {
    let machine = pmuq::Source::live().unwrap();
    let store = pmuq::Store::open("hosts.db", pmuq::StoreMode::READ).unwrap();
    let vendor = store.open_vendor("GenuineIntel-6-55-4").unwrap();
    let options = pmuq::EncodeOptions::new().vendor(&vendor);
    let events = machine.encode_with("page-faults", &options).unwrap();

    drop(options);
    drop(vendor);
    println!("{}", events.len());
}
