// SPDX-License-Identifier: MIT
//! A reader of bytes does not copy them. E0505: they are dropped while the reader borrows them.
fn main() {
    let bytes = vec![b'{'];
    let mut reader = pmuq::Reader::new().unwrap();

    reader.open_bytes(&bytes, "bytes").unwrap();
    drop(bytes);
    println!("{}", reader.count());
}
