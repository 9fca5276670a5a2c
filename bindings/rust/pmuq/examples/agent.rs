// SPDX-License-Identifier: MIT
//! A small agent: counts on all CPUs, and prints the new counts once a second.
//! Usage: agent [SECONDS [EVENT...]]. It reports events that this machine does not have or does not count, and leaves
//! them out. examples/agent.c is the same in C.
use std::{env, process, thread, time};

use pmuq::{OpenOptions, Result, Source, Text};

const USUAL: [&str; 3] = ["msr/tsc/", "page-faults", "sched:sched_switch"];

fn report(event: &str, why: Option<&Text>, hint: Option<&Text>) {
    eprintln!("not counted: {event}: {}", why.unwrap_or(Text::new("unknown")));
    if let Some(hint) = hint {
        eprintln!("  {hint}");
    }
}

/// Whether the machine has the event.
fn is_known(machine: &Source, event: &str) -> bool {
    match machine.encode(event) {
        Ok(_) => true,
        Err(error) => {
            report(event, Some(error.message()), error.hint());
            false
        }
    }
}

fn run(seconds: u64, events: &[String]) -> Result<()> {
    let machine = Source::live()?;
    let known: Vec<_> = events.iter().filter(|event| is_known(&machine, event)).map(String::as_str).collect();
    let events = machine.encode(known.join(","))?;
    let everywhere = OpenOptions::new().cpus(machine.find_fact("cpus_online")?.unwrap_or(Text::new("0")));
    let opened = events.open_with(&everywhere)?;

    for (index, event) in events.iter().enumerate().filter(|(index, _)| !opened.is_open(*index)) {
        let result = opened.result(index);

        report(&event.name().to_string_lossy(), result.and_then(|one| one.reason()), result.and_then(|one| one.hint()));
    }
    opened.enable()?;
    let (mut before, mut now) = (opened.read_all()?, Vec::new());
    for _ in 0..seconds {
        thread::sleep(time::Duration::from_secs(1));
        opened.read_all_into(&mut now)?;
        for (index, event) in events.iter().enumerate().filter(|(index, _)| opened.is_open(*index)) {
            let count = (now[index].scaled() - before[index].scaled()) as f64;

            println!("{} {} {}", event.name(), count * event.scale().parse().unwrap_or(1.0), event.unit());
        }
        std::mem::swap(&mut before, &mut now);
    }
    Ok(())
}

fn main() {
    let mut words = env::args().skip(1);
    let seconds = words.next().and_then(|word| word.parse().ok()).unwrap_or(3);
    let mut events: Vec<_> = words.collect();

    if events.is_empty() {
        events = USUAL.map(String::from).to_vec();
    }
    if let Err(error) = run(seconds, &events) {
        eprintln!("{error}");
        process::exit(1);
    }
}
