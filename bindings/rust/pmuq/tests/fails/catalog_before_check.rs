// SPDX-License-Identifier: MIT
//! A check reads its catalog. E0505: the catalog is dropped while the check borrows it.
fn main() {
    let machine = pmuq::Source::live().unwrap();
    let catalog = machine.read_catalog().unwrap();
    let check = pmuq::Check::begin(&catalog, 0).unwrap();

    drop(catalog);
    println!("{:?}", check.upcoming());
}
