// SPDX-License-Identifier: MIT
//! Encodings cannot leave the function that has their source. E0515: they point to a local variable.
fn encode<'a>() -> pmuq::Encodings<'a> {
    let machine = pmuq::Source::live().unwrap();

    machine.encode("page-faults").unwrap()
}

fn main() {
    println!("{}", encode().len());
}
