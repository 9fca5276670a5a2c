// SPDX-License-Identifier: MIT
//! One thread at a time may use a source. E0277: a reference to it cannot be sent to another thread.
fn main() {
    let machine = pmuq::Source::live().unwrap();

    std::thread::scope(|scope| {
        scope.spawn(|| println!("{}", machine.opens()));
    });
}
