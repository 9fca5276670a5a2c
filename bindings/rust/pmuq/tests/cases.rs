// SPDX-License-Identifier: MIT
//! All cases of tests/cases, through a source, a catalog, a store and a capture: the same encodings and errors, byte
//! for byte. PMUQ_TEST_MACHINES and PMUQ_TEST_CASES are the directories.
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

mod common;

use common::Temporary;
use pmuq::*;

/// A machine, in all the forms in which it can be queried.
struct Machine {
    name: String,
    sources: Vec<Source>,
    catalog: Catalog,
}

fn directory(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from)
}

impl Machine {
    fn open(machines: &Path, name: &str) -> Result<Self> {
        let tree = machines.join(name);
        let work = Temporary::new("cases");
        // The source that is queried has not read everything yet.
        let (lazy, whole) = (Source::tree(&tree)?, Source::tree(&tree)?);
        let catalog = whole.read_catalog()?;
        let store = Store::open(work.0.join("db"), StoreMode::CREATE)?;

        store.save(&catalog, None, Some("m"), 1)?;
        Capture::take(&whole)?.write(work.0.join("m.tar"))?;
        let sources =
            vec![lazy, store.open_host("m", 0)?, Source::tree(work.0.join("m.tar"))?, Source::of(catalog.clone())?];
        Ok(Self { name: name.into(), sources, catalog })
    }
}

fn marked(mark: char, text: &str) -> String {
    text.split('\n').fold(String::new(), |all, line| all + &format!("{mark} {line}\n"))
}

fn print_attr(to: &mut String, attr: &Attr) {
    for (field, value) in attr.fields() {
        // The kernel's flags in aux_action begin at the byte order's own end; a case has them from the low one.
        let value = if cfg!(target_endian = "big") && field.name() == "aux_action" {
            (value as u32).reverse_bits().into()
        } else {
            value
        };
        let hex = if field.format() == FieldFormat::WORD { "0x" } else { "" };

        match hex {
            "" => write!(to, " {}={value}", field.name()),
            _ => write!(to, " {}={value:#x}", field.name()),
        }
        .unwrap();
    }
}

fn print_encoding(to: &mut String, encoding: Encoding<'_>, event: &str) {
    let mut add = |text: String| to.push_str(&text);

    add(format!("= {}:", encoding.pmu().unwrap_or(Text::new("-"))));
    let mut attr = String::new();
    print_attr(&mut attr, encoding.attr());
    add(attr);
    add(format!(" from={} cpus={}", encoding.origin().name().unwrap(), encoding.cpus()));
    if let (Some(field), Some(text)) = (encoding.probe_field(), encoding.probe_text()) {
        add(format!(" {field}={text}"));
    }
    if !encoding.unit().is_empty() {
        add(format!(" unit={}", encoding.unit()));
    }
    if encoding.scale() != "1" {
        add(format!(" scale={}", encoding.scale()));
    }
    if encoding.is_added() {
        add(" added".into());
    }
    if encoding.event() != 0 {
        add(format!(" event={}", encoding.event()));
    }
    if encoding.is_per_pkg() {
        add(" per-pkg".into());
    }
    if encoding.is_snapshot() {
        add(" snapshot".into());
    }
    if encoding.name() != event {
        add(format!(" name={}", encoding.name()));
    }
    if encoding.n_members() != 0 {
        add(format!(" leader={} members={}", encoding.leader(), encoding.n_members()));
        if !encoding.group_name().is_empty() {
            add(format!(" group={}", encoding.group_name()));
        }
    }
    for term in encoding.tool_terms() {
        add(format!(" defer.{}={}", term.name(), term.text()));
    }
    add("\n".into());
    for warning in encoding.warnings() {
        assert!(warning.is_warning());
        add(marked('~', &warning.to_string()));
    }
}

/// The lines of a case for these encodings or this error.
fn outcome(result: Result<Encodings<'_>>, event: &str) -> String {
    match result {
        Err(error) => marked('!', &error.to_string()),
        Ok(encodings) => {
            let mut text = String::new();

            for encoding in &encodings {
                print_encoding(&mut text, encoding, event);
            }
            text
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Options {
    dialect: Dialect,
    preset: Preset,
    is_as_written: bool,
}

/// Runs one case; returns what was wrong.
fn run(machine: &Machine, options: Options, event: &str, wanted: &str) -> Vec<String> {
    let options =
        EncodeOptions::new().dialect(options.dialect).preset(options.preset).as_written(options.is_as_written);
    let mut all = vec![outcome(machine.catalog.encode_with(event, &options), event)];

    for source in &machine.sources {
        all.push(outcome(source.encode_with(event, &options), event));
    }
    all.retain(|one| one != wanted);
    all
}

/// Runs the cases of a file, and returns how many there are.
fn run_file(machines: &Path, file: &Path, failures: &mut Vec<String>) -> usize {
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines().peekable();
    let mut options = Options::default();
    let mut machine: Option<Machine> = None;
    let mut n = 0;

    while let Some(line) = lines.next() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));

        match word {
            "machine" if machine.as_ref().map_or(true, |one| one.name != rest) => {
                machine = Some(Machine::open(machines, rest).unwrap());
            }
            "dialect" => options.dialect = if rest == "perf" { Dialect::PERF } else { Dialect::PMUQ },
            "preset" => {
                options.preset = match rest {
                    "stat" => Preset::STAT,
                    "record" => Preset::RECORD,
                    _ => Preset::NONE,
                }
            }
            "groups" => options.is_as_written = rest == "written",
            "event" => {
                let mut wanted = String::new();
                let is_outcome = |line: &&str| ["= ", "~ ", "! "].iter().any(|mark| line.starts_with(mark));

                while let Some(line) = lines.next_if(is_outcome) {
                    wanted += &format!("{line}\n");
                }
                n += 1;
                for got in run(machine.as_ref().unwrap(), options, rest, &wanted) {
                    failures.push(format!("{}: {rest}\nwanted {wanted}got    {got}", file.display()));
                }
            }
            _ => {}
        }
    }
    n
}

#[test]
fn cases() {
    let (machines, cases) = match (directory("PMUQ_TEST_MACHINES"), directory("PMUQ_TEST_CASES")) {
        (Some(machines), Some(cases)) => (machines, cases),
        _ => return eprintln!("skipped: PMUQ_TEST_MACHINES and PMUQ_TEST_CASES are not set"),
    };
    let mut failures = Vec::new();
    let mut files: Vec<_> = fs::read_dir(cases).unwrap().map(|one| one.unwrap().path()).collect();

    files.retain(|path| path.extension().map_or(false, |ending| ending == "case"));
    files.sort();
    let n: usize = files.iter().map(|file| run_file(&machines, file, &mut failures)).sum();
    println!("{n} cases of {} files", files.len());
    assert!(n > 300, "there are only {n} cases");
    assert!(failures.is_empty(), "{} of {n} cases failed:\n{}", failures.len(), failures.join("\n"));
}
