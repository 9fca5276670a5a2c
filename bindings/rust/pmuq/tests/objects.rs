// SPDX-License-Identifier: MIT
//! Objects with captured machines and this one: each class, and threads on one catalog.
//! PMUQ_TEST_MACHINES is the directory of the captured machines, PMUQ_TEST_RECORDINGS that of files of perf, PMUQ_TEST_TABLES that
//! of a vendor's tables, and PMUQ_PFM the helper for libpfm4. Without the last three, some tests are skipped.
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::mem::MaybeUninit;
use std::os::unix::io::AsFd;
use std::path::PathBuf;
use std::{env, thread};

mod common;

use common::Temporary;
use pmuq::*;

fn tree(name: &str) -> Source {
    let machines = env::var_os("PMUQ_TEST_MACHINES").expect("PMUQ_TEST_MACHINES is the directory of captured machines");

    Source::tree(PathBuf::from(machines).join(name)).unwrap()
}

#[test]
fn encodings() {
    let machine = tree("skylake-sp");
    let options = EncodeOptions::new().assignments(true);
    let events = machine.encode_with("cpu/mem-loads,ldlat=30/u", &options).unwrap();
    let event = events.one().unwrap();
    let ldlat: Vec<_> = event.assignments().filter(|one| one.term() == "ldlat").collect();

    assert_eq!(events.len(), 1);
    assert_eq!(
        event.attr().fields().map(|(field, value)| (field.name().to_string(), value)).collect::<Vec<_>>(),
        [("type", 4), ("size", 64), ("config", 0x1cd), ("exclude_kernel", 1), ("exclude_hv", 1), ("config1", 0x1e)]
            .map(|(name, value)| (name.to_string(), value))
    );
    assert_eq!((event.attr().as_bytes().len(), event.attr().config()), (64, 0x1cd));
    assert_eq!(*event.attr(), Attr::parse("type=4 config=0x1cd exclude_kernel=1 exclude_hv=1 config1=30").unwrap());
    assert_eq!((event.origin(), event.origin().name()), (Origin::SYSFS, Some("sysfs")));
    assert_eq!((ldlat[0].cause(), ldlat[0].number(), ldlat[0].is_overridden()), (Cause::EVENT, 3, true));
    assert_eq!((ldlat[1].cause(), ldlat[1].number(), ldlat[1].offset()), (Cause::TEXT, 30, 14));
    assert_eq!(ldlat[1].origin(), None);

    let instances = machine.encode("uncore_imc/cas_count_read/").unwrap();
    assert_eq!(instances.iter().next_back().unwrap().pmu().unwrap(), "uncore_imc_5");
    assert_eq!(instances.get(1).unwrap().scale().parse(), Some(6.103515625e-5));
    assert!(instances.get(6).is_none() && instances.iter().nth(6).is_none());
    let error = instances.one().unwrap_err();
    assert_eq!((error.code(), error.name(), error.span()), (Code::SEVERAL_ENCODINGS, "several-encodings", 0..26));

    let parts = EventParts::new().pmu("cpu").event("mem-loads").term("ldlat", 30).modifiers("u");
    assert_eq!(machine.encode_parts(&parts).unwrap().one().unwrap().attr(), event.attr());
    let attr = machine.encode_attr(event.attr()).unwrap();
    assert_eq!(attr.one().unwrap().pmu().unwrap(), "cpu");
}

#[test]
fn errors() {
    let machine = tree("skylake-sp");
    let error = machine.encode("cpu/umsk=1/").unwrap_err();
    let text = error.to_string();

    assert_eq!((error.code(), error.span(), error.errnum()), (Code::UNKNOWN_TERM, 4..8, 0));
    assert_eq!(
        (error.message().to_str(), error.input().unwrap().to_str()),
        (Ok("PMU 'cpu' has no term 'umsk'"), Ok("cpu/umsk=1/"))
    );
    assert!(
        error.hint().unwrap().to_str().unwrap().contains("umask") && error.origin().is_none() && !error.is_warning()
    );
    assert!(text.starts_with("error[PMUQ-034] unknown-term: ") && text.contains("\n      ^^^^\nhint: "), "{text}");
    assert!(Code::UNKNOWN_TERM.meaning().is_some() && Code::UNKNOWN_TERM.example().is_some());
    assert!(Code::UNKNOWN_TERM.remedy().is_some() && Code::from_raw(9999).name().is_none());
    assert_eq!(Code::all().filter(|code| *code == Code::UNKNOWN_TERM).count(), 1);
    assert_eq!(format!("{:?} {:?}", Code::UNKNOWN_TERM, Code::from_raw(9999)), "Code::UNKNOWN_TERM Code(9999)");

    let error = machine.encode("cpu/event=1/\0").unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        (Code::BAD_CALL, "error[PMUQ-002] bad-call: the text contains a NUL byte")
    );
    assert!(machine.encode_with("cycles", &EncodeOptions::new()).is_ok());
    assert!(DecodeOptions::new()
        .probe_text("a\0b")
        .dialect(Dialect::PERF)
        .origins(Origin::SYSFS | Origin::RAW)
        .clone_is_refused(&machine));
    // A text that is longer than the memory on the stack.
    let long = format!("cpu/event=1,name={}/", "x".repeat(300));
    assert_eq!(machine.encode(&long).unwrap().one().unwrap().name().as_bytes().len(), 300);
    // Threads and `?` in functions of others.
    let other: Box<dyn std::error::Error + Send + Sync> = error.into();
    assert!(other.downcast_ref::<Error>().is_some());
}

/// Whether the options are refused because of the NUL byte.
trait Refused {
    fn clone_is_refused(&self, machine: &Source) -> bool;
}

impl Refused for DecodeOptions<'_> {
    fn clone_is_refused(&self, machine: &Source) -> bool {
        machine.decode_with(&Attr::new(4, 1), self).unwrap_err().code() == Code::BAD_CALL
    }
}

#[test]
fn texts() {
    let text = Text::new(b"a\xff");

    assert_eq!(
        (text.to_str().is_err(), text.to_string(), text.as_bytes()),
        (true, "a\u{fffd}".to_string(), &b"a\xff"[..])
    );
    assert!(*"b" == *Text::new("b") && Text::new("") < Text::new("b") && text.as_path().to_str().is_none());
    assert_eq!(format!("[{:>4}] {:?}", Text::new("ab"), Text::new("\"")), "[  ab] \"\\\"\"");
    assert!(
        terms().any(|(name, takes_value)| name == "period" && takes_value)
            && modifiers().any(|(letter, _)| letter == 'u')
    );
    assert!(generic_names().any(|name| name == "L1-dcache-load-misses") && errno_name(22) == "EINVAL");
    assert_eq!(name_in_event("u").unwrap().unwrap(), b"'u'");
    assert!(name_in_event("a'/").unwrap().is_none() || version().starts_with("0.") && build_info().contains(": "));
    assert_eq!(time_parse("2026-11-01"), Some((1793491200, 1793577599)));
    assert!(pmu_file_at(0).is_some() && recording_is(b"PERFILE2") && !capture_library_info().is_empty());
}

#[test]
fn attrs() {
    let mut attr = Attr::new(4, 1);
    let mut bytes = [0xff; 64];

    assert!(attr.set(AttrField::EXCLUDE_KERNEL, 1) && !attr.set(AttrField::EXCLUDE_KERNEL, 2));
    assert_eq!((attr.get(AttrField::EXCLUDE_KERNEL), attr.size()), (1, 64));
    attr.copy_to(&mut bytes).unwrap();
    assert_eq!(bytes, attr.as_bytes());
    assert!(attr.set(AttrField::CONFIG3, 5) && attr.size() > 64);
    assert_eq!(attr.copy_to(&mut bytes).unwrap_err().code(), Code::ATTR_SIZE);
    assert_eq!((AttrField::find("bp_addr"), AttrField::find("none")), (Some(AttrField::CONFIG1), None));
    assert_eq!(AttrField::CONFIG.about().unwrap().format(), FieldFormat::WORD);
    assert_eq!(format!("{:?}", Attr::new(4, 1)), "{\"type\": 4, \"size\": 64, \"config\": 1}");
    assert_eq!(Attr::parse("type=").unwrap_err().name(), "bad-attr");
    // A kernel takes size 0 for 64, and reads the whole of it.
    let no_size = Attr::parse("type=4 size=0 config=1").unwrap();
    assert_ne!(no_size, Attr::parse("type=4 size=0 config=2").unwrap());
    assert_eq!(no_size.as_bytes().len(), 64);
    assert_eq!(no_size.as_bytes()[8], 1);
}

#[test]
fn catalogs() {
    let machine = tree("skylake-sp");
    let catalog = machine.read_catalog().unwrap();
    let share = catalog.clone();

    drop(catalog);
    drop(machine);
    let cpu = share.find_pmu("cpu").unwrap();
    assert_eq!((cpu.type_(), cpu.is_core(), cpu.cpus().to_str(), cpu.alias()), (Some(4), true, Ok("0-15"), None));
    let event = cpu.formats().find(|one| one.name() == "event").unwrap();
    assert_eq!((event.text().to_str(), event.mask(), event.word(), event.max()), (Ok("config:0-7"), 0xff, 0, 0xff));
    assert_eq!(cpu.formats().len(), cpu.formats().count());
    assert!(cpu.events().any(|one| one.name() == "mem-loads") && !cpu.definition().caps().is_empty());
    assert_eq!(share.pmus().len(), 70);
    assert_eq!(share.find_fact("arch").unwrap(), "x86_64");
    assert!(share.find_fact("none").is_none() && share.find_pmu("none").is_none() && share.find_pmu("a\0").is_none());
    assert!(share.machine().facts().any(|(name, text)| name == "arch" && text == "x86_64"));
    assert!(!share.machine().is_live() && share.machine().check().is_none() && share.problems().is_empty());
    assert!(format!("{cpu:?}").starts_with("Pmu { name: \"cpu\", alias: None"));

    let arm = tree("arm64-biglittle");
    let cci = arm.find_pmu("CCI_400_r1").unwrap();
    let parameters = cci.parameters("si_rrq_hs_dvm_msg_sync");
    assert_eq!((parameters[0].name().to_str(), parameters[0].max(), parameters.len()), (Ok("source"), 7, 1));
    assert!(cci.parameters("cycles").is_empty());

    let mut memory = [MaybeUninit::uninit(); 4096];
    let options = EncodeOptions::new();
    assert_eq!(share.encode_in("cpu/event=1/", &options, &mut memory).unwrap().get(0).unwrap().attr().config(), 1);
    assert_eq!(share.encode_in("cpu/umsk=1/", &options, &mut memory).unwrap_err(), Code::UNKNOWN_TERM);
    assert_eq!(share.encode_in("cpu/event=1/", &options, &mut []).unwrap_err(), Code::MEMORY);

    let other = tree("sandybridge-ep").read_catalog().unwrap();
    let diff = other.diff(&share).unwrap();
    let change = diff.iter().find(|change| change.type_() == ChangeType::EVENT_BITS).unwrap();
    assert_eq!(change.pmus().next().unwrap(), "cpu");
    assert_eq!(change.words_before().len(), change.words_after().len());
    assert_eq!(diff.weight_count(Weight::MEANING), diff.iter().filter(|one| one.weight() == Weight::MEANING).count());
}

#[test]
fn sources() {
    let machine = tree("skylake-sp");
    let attr = Attr::parse("type=4 config=0x1cd config1=30 inherit=1").unwrap();
    let meant = machine.decode(&attr).unwrap();

    assert_eq!((meant.text().to_str(), meant.is_exact()), (Ok("cpu/mem-loads,ldlat=0x1e/"), true));
    assert_eq!(meant.left().map(|left| left.name().to_string()).collect::<Vec<_>>(), ["inherit"]);
    assert!(!meant.alternatives().is_empty());
    let completion = machine.complete("cpu/mem-l").unwrap();
    assert_eq!(completion.candidates().map(|one| one.text().to_string()).collect::<Vec<_>>(), ["mem-loads/"]);
    assert_eq!((completion.cursor(), completion.offset()), (Cursor::TERM, 4));
    let names = machine.list_pmus("uncore_imc").unwrap();
    assert_eq!((names.len(), names.get(0).unwrap().to_str()), (6, Ok("uncore_imc_0")));
    assert_eq!(machine.find_fact("arch").unwrap().unwrap(), "x86_64");
    assert!(machine.find_fact("none").unwrap().is_none() && machine.find_pmu("none").is_err());
    assert!(machine.refresh().unwrap() && !machine.refresh().unwrap() && !machine.is_live() && machine.opens() > 0);
    assert_eq!(Source::tree("/nonexistent").unwrap_err().code(), Code::NO_ROOT);
    assert_eq!(Source::service(Some("/nonexistent".as_ref())).unwrap_err().code(), Code::NO_SERVICE);
    let cpus = CpuList::from_text("8,0-3").unwrap();
    assert_eq!((cpus.numbers(), cpus.text().to_str(), cpus.has(4)), (&[0, 1, 2, 3, 8][..], Ok("0-3,8"), false));
    assert_eq!(CpuList::from_numbers(&[2, 1]).unwrap().text(), "1-2");
    assert!(CpuList::from_numbers(&[]).unwrap().numbers().is_empty() && CpuList::from_text("1-").is_err());
}

#[test]
fn formulas() {
    let formula = Formula::parse("instructions / cycles if #smt_on else misses").unwrap();
    let names: Vec<_> = formula.operands().map(|one| one.name().to_string()).collect();
    let inputs = |cycles, smt_on| {
        [FormulaInput::new(3.0), FormulaInput::new(cycles), FormulaInput::new(smt_on), FormulaInput::unknown()]
    };
    let lost = formula.evaluate(&inputs(0.0, 1.0)).unwrap();

    assert_eq!(names, ["instructions", "cycles", "smt_on", "misses"]);
    assert_eq!(formula.evaluate(&inputs(2.0, 1.0)).unwrap().value(), Some(1.5));
    assert_eq!((lost.value(), lost.reason(), lost.offset(), lost.length()), (None, FormulaReason::DIVIDED_BY_0, 13, 1));
    assert_eq!(formula.list_events(&inputs(2.0, 0.0)).unwrap().get(0).unwrap(), "misses");
    assert_eq!(formula.evaluate(&[]).unwrap_err().code(), Code::BAD_CALL);
    assert_eq!(Formula::parse("a >= b").unwrap_err().code(), Code::BAD_FORMULA);
    let counted = Formula::parse("source_count(x) + aggr_nr(x)").unwrap();
    assert_eq!(counted.evaluate(&[FormulaInput::of_many(7.0, 2.0, 40.0)]).unwrap().value(), Some(42.0));
}

#[test]
fn stores() {
    let work = Temporary::new("store");
    let store = Store::open(work.0.join("db"), StoreMode::CREATE).unwrap();
    let catalog = tree("skylake-sp").read_catalog().unwrap();

    let unfinished = store.begin().unwrap();
    unfinished.save(&catalog, None, Some("lost"), 1).unwrap();
    drop(unfinished);
    let both = store.begin().unwrap();
    assert!(both.save(&catalog, None, Some("a"), 1).unwrap().is_new_host());
    assert!(both.save(&catalog, None, Some("b"), 2).unwrap().is_new());
    assert_eq!(store.begin().unwrap_err().code(), Code::BAD_CALL);
    both.commit().unwrap();

    let hosts = store.list_hosts().unwrap();
    assert_eq!(hosts.iter().map(|host| host.name().to_string()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!((hosts.classes().len(), hosts.classes().next().unwrap().hosts()), (1, &[0, 1][..]));
    assert_eq!(hosts.snapshots(1).map(|one| one.last_seen_s()).collect::<Vec<_>>(), [2]);
    assert!(hosts.snapshots(2).is_empty() && hosts.get(0).unwrap().check().is_none());
    assert_eq!(store.list_hosts_with(&HostsFilter::new().glob("b*").newest_only(true)).unwrap().len(), 1);
    assert!(store.find_check(&catalog).unwrap().is_none() && store.read_check("a", 0).unwrap().is_none());
    assert_eq!(store.open_host("b", 0).unwrap().encode("cpu/mem-loads/").unwrap().len(), 1);
    assert_eq!(store.open_host("c", 0).unwrap_err().code(), Code::UNKNOWN_HOST);
    store.rename_host("b", "c").unwrap();
    assert_eq!(store.forget(&[("c", 0)], &ForgetOptions::new()).unwrap().hosts(), 1);
    assert_eq!(store.list_vendors().unwrap().len(), 0);
    assert_eq!(store.open_vendor("GenuineIntel-6-55-4").unwrap_err().code(), Code::NO_VENDOR_TABLE);
    let source = store.open_host("a", 0).unwrap();
    drop(store);
    assert!(source.encode("cycles").is_ok());
}

#[test]
fn documents() {
    let work = Temporary::new("documents");
    let mut writer = Writer::new().unwrap();
    let catalog = tree("zen1-epyc").read_catalog().unwrap();

    writer.add(&catalog, Some("one"), 1).unwrap();
    writer.add(&catalog, None, 0).unwrap();
    assert_eq!((writer.machine_count(), writer.document_count()), (2, 1));
    let text = writer.text(DocumentForm::JSON).unwrap();
    let mut file = File::options().create_new(true).read(true).write(true).open(work.0.join("machines")).unwrap();
    writer.write(DocumentForm::JSON, &file).unwrap();
    file.flush().unwrap();
    file.rewind().unwrap();
    assert_eq!(fs::read(work.0.join("machines")).unwrap(), text);

    let mut reader = Reader::new().unwrap();
    reader.open_bytes(&text, "bytes").unwrap();
    assert_eq!(reader.next().unwrap().unwrap().pmus().len(), catalog.pmus().len());
    assert_eq!((reader.host().name().unwrap().to_str(), reader.host().document()), (Ok("one"), 1));
    assert_eq!(reader.by_ref().filter(|one| one.is_ok()).count(), 1);
    reader.open_fd(file.as_fd(), "file").unwrap();
    assert_eq!(reader.by_ref().count(), 2);
    reader.open_bytes(b"{\"schema\": 1}", "bad").unwrap();
    assert!(reader.next().unwrap().unwrap_err().origin().is_some() && reader.next().is_none());
    assert_eq!(reader.open(work.0.join("none")).unwrap_err().code(), Code::DOCUMENT_UNREADABLE);
}

#[test]
fn recordings() {
    let directory = match env::var_os("PMUQ_TEST_RECORDINGS") {
        Some(directory) => PathBuf::from(directory),
        None => return,
    };
    let path = fs::read_dir(directory)
        .unwrap()
        .map(|one| one.unwrap().path())
        .find(|path| path.extension().map_or(false, |ending| ending == "data"))
        .unwrap();
    let recording = Recording::open(&path).unwrap();
    let again = Recording::open_fd(File::open(&path).unwrap(), "again").unwrap();

    assert!(recording.content().n_events() > 0);
    assert_eq!(
        recording.events().map(|one| *one.attr()).collect::<Vec<_>>(),
        again.events().map(|one| *one.attr()).collect::<Vec<_>>()
    );
    assert!(recording.features().any(|one| one.is_read()));
    assert_eq!(recording.catalog().unwrap().find_fact("incomplete").unwrap(), "perf.data");
}

#[test]
fn vendors() {
    let tables = match env::var_os("PMUQ_TEST_TABLES") {
        Some(directory) => directory,
        None => return,
    };
    let work = Temporary::new("vendors");
    let store = Store::open(work.0.join("db"), StoreMode::CREATE).unwrap();
    let taken = store.import_vendor(&tables, None, 1000).unwrap();

    assert_eq!((taken.len(), taken.get(0).unwrap().layout().to_str()), (1, Ok("kernel")));
    assert_eq!(taken.problems(0).len(), taken.get(0).unwrap().n_problems());
    assert!(taken.problems(0).all(|one| one.line() > 0 && !one.message().is_empty()) && !taken.problems(0).is_empty());
    let found = store.search("load miss third", 20).unwrap();
    assert_eq!(found.get(0).unwrap().name(), "mem_load_retired.l3_miss");
    let vendor = store.open_vendor("GenuineIntel-6-F0-1").unwrap();
    store.remove_vendor(taken.get(0).unwrap().name()).unwrap();
    drop((taken, found, store));

    let machine = tree("skylake-sp");
    let event = vendor.find_event(machine.find_pmu("cpu").unwrap(), "MEM_LOAD_RETIRED.L3_MISS").unwrap();
    assert!(event.event().terms().to_str().unwrap().starts_with("event=0xd1") && !event.description().is_empty());
    assert_eq!(
        (vendor.content().folder().to_str(), vendor.events().len()),
        (Ok("x86/testlake"), vendor.content().n_events())
    );
    let options = EncodeOptions::new().vendor(&vendor);
    let encodings = machine.encode_with("mem_load_retired.l3_miss", &options).unwrap();
    let encoding = encodings.one().unwrap();
    assert_eq!((encoding.origin(), encoding.attr().config()), (Origin::JSON, 0x20d1));
    assert_eq!(encoding.table().unwrap().import(), vendor.content().import());
    let meant = machine.decode_with(encoding.attr(), &DecodeOptions::new().vendor(&vendor)).unwrap();
    assert!(meant.text().to_str().unwrap().contains("mem_load_retired.l3_miss"));
}

#[test]
fn libpfm4() {
    let pfm = Pfm::open_with(&PfmOptions::new().helper("/nonexistent")).unwrap();
    assert_eq!(pfm.encode(None, &["skx::INST_RETIRED"]).unwrap_err().code(), Code::PFM_UNAVAILABLE);
    let helper = match env::var_os("PMUQ_PFM").map(PathBuf::from) {
        Some(path) if path.exists() => path,
        _ => return,
    };
    let pfm = Pfm::open_with(&PfmOptions::new().helper(helper)).unwrap();
    let encodings = pfm.encode(None, &["skx::MEM_LOAD_RETIRED:L3_MISS:u", "skx::MEM_LOAD_RETIRED:L9_MISS"]).unwrap();
    let (good, bad) = (encodings.get(0).unwrap(), encodings.get(1).unwrap());

    assert_eq!((good.modifier(PfmModifier::U), good.modifier(PfmModifier::K)), (Some(1), None));
    assert!(good.error().is_none() && good.codes().next().unwrap().config()[0] != 0);
    assert!(bad.codes().is_empty() && bad.error().unwrap().span().start > 0);
    assert!(pfm.list_pmus().unwrap().iter().any(|pmu| pmu.name() == "skx"));
    let events = pfm.list_events("skx", true).unwrap();
    assert!(events.iter().any(|event| event.attributes().any(|one| one.is_default())));
    let machine = tree("skylake-sp");
    let options = EncodeOptions::new().pfm(&pfm);
    let encodings = machine.encode_with("skx::MEM_LOAD_RETIRED:L3_MISS:u", &options).unwrap();
    assert_eq!(encodings.one().unwrap().origin(), Origin::PFM);
    assert!(pfm.library().unwrap().0.to_str().unwrap().starts_with("libpfm"));
}

#[test]
fn captures() {
    let work = Temporary::new("capture");
    let capture = Capture::take_with(&tree("zen1-epyc"), &CaptureOptions::new().hostname("web01")).unwrap();

    capture.write(work.0.join("tree")).unwrap();
    assert_eq!(capture.write(work.0.join("tree")).unwrap_err().code(), Code::CAPTURE_EXISTS);
    assert_eq!(capture.files().len(), capture.content().n_files());
    assert!(capture.content().catalog().find_pmu("cpu").is_some());
    assert_eq!(Source::tree(work.0.join("tree")).unwrap().find_fact("hostname").unwrap().unwrap(), "web01");
}

/// On the running kernel: software events open everywhere, unless perf_event_open(2) is forbidden as a whole.
#[test]
fn kernel() {
    let machine = Source::live().unwrap();
    let events = machine.encode("{page-faults:u,context-switches:u},r1").unwrap();
    let results = events.test_open().unwrap();

    if results.get(0).unwrap().status() != OpenStatus::OPENED {
        return eprintln!("skipped: {:?}", results.get(0).unwrap());
    }
    assert_eq!(results.len(), 3);
    let opened = events.open().unwrap();
    opened.enable().unwrap();
    let touched = vec![1u8; 4 << 20];
    opened.disable().unwrap();
    let values = opened.read_all().unwrap();
    assert!(values[0].value() >= 1 && values[0].time_running_ns() > 0 && touched[0] == 1, "{values:?}");
    assert_eq!(opened.read(0).unwrap().value(), values[0].value());
    assert_eq!(opened.read_at(0, 0).unwrap().scaled(), values[0].scaled());
    assert_eq!((opened.len(), opened.results().len(), opened.is_open(0), opened.is_open(3)), (3, 3, true, false));
    let target = opened.targets(0).next().unwrap();
    assert_eq!((target.cpu(), opened.targets(0).count()), (None, 1));
    let owned = target.try_clone_fd().unwrap();
    opened.reset().unwrap();
    assert_eq!(opened.read(0).unwrap().value(), 0);
    drop(opened);
    drop(owned);
    let everywhere = OpenOptions::new().cpus("0");
    assert!(
        events.budget_with(&everywhere).unwrap().fits() && events.budget().unwrap().text().contains("file descriptors")
    );
    assert_eq!(events.open_with(&OpenOptions::new().cpus("x")).unwrap_err().code(), Code::BAD_CPUS);
    let explained = events.explain_errno(0, &OpenCall::new(0, -1, 22)).unwrap();
    assert_eq!((explained.len(), explained.get(0).unwrap().errnum()), (1, 22));
    let counts = events.measure_with(&OpenOptions::new().work_ms(1)).unwrap();
    assert!(counts.get(0).unwrap().status().name().is_some());
    let catalog = machine.read_catalog().unwrap();
    let mut check = Check::begin(&catalog, 1).unwrap();
    let first = check.upcoming().map(ToString::to_string);
    check.open_next().unwrap();
    assert_eq!(check.results().next().map(|one| one.event_string().to_string()), first);
}

#[test]
fn samples() {
    let machine = Source::live().unwrap();
    let options = EncodeOptions::new().preset(Preset::SAMPLE);
    let events = machine.encode_with("cpu-clock/freq=4000/u", &options).unwrap();
    let opened = events.open_with(&OpenOptions::new().wants_samples(true)).unwrap();

    if !opened.is_open(0) {
        return eprintln!("skipped: {:?}", opened.results().get(0));
    }
    let mut samples = opened.sample(0).unwrap();
    let mut n = 0;
    opened.enable().unwrap();
    for round in 0u64.. {
        assert!(round < 1000, "there are no samples");
        let work = (0..1_000_000u64).fold(round, |sum, i| sum ^ (sum << 1).wrapping_add(i));
        samples.wait(i32::from(work == 1)).unwrap();
        while let Some(record) = samples.next_record() {
            let sample = match record.parse() {
                Some(sample) => sample,
                None => continue,
            };
            assert_eq!((record.type_(), record.index(), record.data().len() % 8), (9, Some(0), 0));
            assert_eq!((sample.pid(), sample.callers().len()), (std::process::id(), 0));
            assert!(sample.ip() != 0 && sample.time_ns() == record.time_ns());
            n += 1;
        }
        if n > 3 {
            break;
        }
    }
    assert_eq!(samples.lost(), 0);
    assert!(samples.as_fd().try_clone_to_owned().is_ok());
}

#[test]
fn watches() {
    let mut watch = Watch::open_with(&WatchOptions::new().timer_ms(1)).unwrap();

    thread::sleep(std::time::Duration::from_millis(20));
    let change = watch.next_change().expect("the timer reports a change");
    assert!(change.causes().contains(WatchCause::TIMER) && WatchCause::TIMER.name() == Some("timer"));
    assert_eq!(change.announcements().len(), change.announcements().count());
    assert!(watch.as_fd().try_clone_to_owned().is_ok());
}

fn is_send<T: Send>() {}
fn is_sync<T: Sync>() {}

#[test]
fn threads() {
    is_send::<Source>();
    is_send::<Store>();
    is_send::<Encodings<'_>>();
    is_send::<Opened>();
    is_send::<Check<'_>>();
    is_send::<Pfm>();
    is_send::<Pmu<'_>>();
    is_sync::<Pmu<'_>>();
    is_sync::<Catalog>();
    is_sync::<Vendor>();
    is_sync::<VendorTable<'_>>();
    is_sync::<Error>();
    is_sync::<Names>();
    is_sync::<Diff>();
    is_sync::<Change<'_>>();
    is_sync::<Recording>();
    is_sync::<CpuList>();
    is_sync::<Fit>();
    is_sync::<FitSet<'_>>();
    is_sync::<FitEvent<'_>>();
    is_sync::<Formula>();
    is_sync::<Metrics>();
    is_sync::<MetricPlan<'_>>();
    is_sync::<List<'_, Pmu<'_>>>();

    let catalog = tree("skylake-sp").read_catalog().unwrap();
    let wanted = catalog.encode("cpu/mem-loads/").unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let encodings = catalog.encode("cpu/mem-loads/").unwrap();

                    assert_eq!(encodings.get(0).unwrap().attr().config(), 0x1cd);
                    assert_eq!(catalog.encode("cpu/umsk=1/").unwrap_err().code(), Code::UNKNOWN_TERM);
                    assert_eq!(catalog.decode(encodings.get(0).unwrap().attr()).unwrap().text(), "cpu/mem-loads/");
                    drop(catalog.clone());
                }
            });
        }
    });
    // An object moves to another thread with what it points into.
    thread::scope(|scope| scope.spawn(move || assert_eq!(wanted.len(), 1)).join().unwrap());
}
