// SPDX-License-Identifier: MIT
//! Samples use the opened events, so they stay in their thread. E0277: they cannot be sent to another thread.
fn main() {
    let machine = pmuq::Source::live().unwrap();
    let events = machine.encode("page-faults").unwrap();
    let opened = events.open().unwrap();
    let samples = opened.sample(0).unwrap();

    std::thread::scope(|scope| {
        scope.spawn(move || println!("{}", samples.lost()));
    });
}
