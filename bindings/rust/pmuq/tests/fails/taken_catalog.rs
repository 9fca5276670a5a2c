// SPDX-License-Identifier: MIT
//! A source takes its catalog over. E0382: the catalog was moved.
fn main() {
    let catalog = pmuq::Source::live().unwrap().read_catalog().unwrap();
    let machine = pmuq::Source::of(catalog).unwrap();

    println!("{} {}", machine.is_live(), catalog.pmus().len());
}
