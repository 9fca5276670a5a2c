/* SPDX-License-Identifier: MIT */
/* The C++ wrappers as an outsider uses them, on captured machines and this one: wrappers MACHINES
 * WORK RECORDINGS. Prints TAP. Without exceptions and RTTI: test_cpp.py compiles it. */
#include <pmuq/pmuq.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <linux/perf_event.h>
#include <string>
#include <thread>
#include <vector>

namespace
{

int count, failed;

void ok(bool claim, const std::string &name)
{
	std::printf("%s %d - %s\n", claim ? "ok" : "not ok", ++count, name.c_str());
	failed += !claim;
}

/* A wrapper costs nothing: it is the pointer. */
static_assert(sizeof(pmuq::Source) == sizeof(void *) && sizeof(pmuq::Encodings) == sizeof(void *));
static_assert(sizeof(pmuq::Pmu) == sizeof(void *) && sizeof(pmuq::Encoding) == sizeof(void *));
static_assert(sizeof(pmuq::Error) == sizeof(void *));
static_assert(std::is_trivially_copyable_v<pmuq::Pmu> &&
	      std::is_trivially_copyable_v<pmuq::Encoding>);
static_assert(!std::is_copy_constructible_v<pmuq::Source> &&
	      !std::is_copy_constructible_v<pmuq::Error>);
static_assert(std::is_nothrow_move_constructible_v<pmuq::Catalog>);
static_assert(std::is_nothrow_move_constructible_v<pmuq::Result<pmuq::Encodings>>);
/* A temporary result gives what it holds by value, so that it outlives the result. */
static_assert(
	std::is_same_v<decltype(*std::declval<pmuq::Result<pmuq::Encodings>>()), pmuq::Encodings>);
static_assert(std::is_same_v<decltype(std::declval<pmuq::Result<pmuq::Encodings>>().value()),
			     pmuq::Encodings>);
static_assert(std::is_same_v<decltype(std::declval<pmuq::Result<void>>().error()), pmuq::Error>);

/* What an algorithm requires of a range and its iterators. */
template <class R> constexpr bool is_range()
{
	using Iterator = decltype(std::declval<const R &>().begin());

	static_assert(std::is_nothrow_default_constructible_v<Iterator>);
	static_assert(std::is_trivially_copyable_v<Iterator>);
#ifdef __cpp_lib_ranges
	static_assert(std::random_access_iterator<Iterator>);
	static_assert(std::ranges::random_access_range<const R> && std::ranges::sized_range<R>);
	static_assert(std::ranges::borrowed_range<R> && std::ranges::view<R>);
#endif
	return true;
}
template <class Owner> constexpr bool is_list()
{
	static_assert(std::is_nothrow_default_constructible_v<
		      decltype(std::declval<const Owner &>().begin())>);
#ifdef __cpp_lib_ranges
	static_assert(std::ranges::random_access_range<const Owner>);
	static_assert(std::ranges::sized_range<Owner> && !std::ranges::borrowed_range<Owner>);
#endif
	return true;
}
static_assert(is_range<decltype(std::declval<pmuq::Catalog>().pmus())>() &&
	      is_range<decltype(std::declval<pmuq::Catalog>().facts())>() &&
	      is_range<pmuq::OpenResultsView>() &&
	      is_range<decltype(std::declval<pmuq::CheckView>().results())>());
static_assert(is_range<decltype(std::declval<pmuq::OpenResult>().steps())>() &&
	      is_range<decltype(std::declval<pmuq::RecordedEvent>().ids())>() &&
	      is_range<decltype(std::declval<pmuq::Feature>().values())>() &&
	      is_range<decltype(std::declval<pmuq::PfmCode>().config())>() &&
	      is_range<decltype(std::declval<pmuq::Hosts>().snapshots(0))>() &&
	      is_range<decltype(std::declval<pmuq::HostClass>().hosts())>() &&
	      is_range<decltype(std::declval<pmuq::HostClass>().check_hosts())>() &&
	      is_range<decltype(std::declval<pmuq::Vendors>().problems(0))>());
static_assert(is_list<pmuq::Encodings>() && is_list<pmuq::Hosts>() && is_list<pmuq::Names>() &&
	      is_list<pmuq::Diff>());

void encodings(pmuq::Source &machine)
{
	pmuq::EncodeOptions options;
	options.with_assignments = true;
	auto events = machine.encode("cpu/mem-loads,ldlat=30/u", options);
	bool is_overridden = false;

	ok(events.has_value() && events->size() == 1, "an event is encoded");
	const pmuq::Encoding event = (*events)[0];
	ok(event.attr().type == 4 && event.attr().config == 0x1cd && event.attr().config1 == 0x1e,
	   "its attr");
	ok(event.pmu() == "cpu" && event.cpus() == "0-15" && event.origin_name() == "sysfs",
	   "its PMU and CPUs");
	ok(event.n_members() == 0 && event.warnings().empty() && event.tool_terms().empty(),
	   "nothing that it has not");
	for (const pmuq::Assignment one : event.assignments())
		is_overridden |= one.term() == "ldlat" && one.number() == 3 && one.is_overridden();
	ok(is_overridden, "who put what where");
	ok(events->one() && events->one()->name() == "cpu/mem-loads,ldlat=30/u",
	   "the one encoding");

	auto group = machine.encode("{cycles/period=7/,instructions}");
	ok(group && group->size() == 2 && (*group)[1].leader() == 0 && (*group)[1].n_members() == 2,
	   "a group");
	auto instances = machine.encode(std::string("uncore_imc/cas_count_read/"));
	ok(instances && instances->size() == 6 && (*instances)[5].unit() == "MiB" &&
		   (*instances)[5].scale() == "6.103515625e-5",
	   "instances");
	auto several = instances->one();
	ok(!several && several.error().message() == "the event stands for 6 PMUs: uncore_imc_[0-5]",
	   "why there is not one encoding");
	const pmuq_term ldlat{ "ldlat", 30 };
	pmuq::EventParts parts;
	parts.pmu = "cpu";
	parts.event = "mem-loads";
	parts.terms = &ldlat;
	parts.n_terms = 1;
	parts.modifiers = "u";
	auto of_parts = machine.encode_parts(parts);
	ok(of_parts && of_parts->one()->name() == "cpu/mem-loads,ldlat=30/u" &&
		   (*of_parts)[0].attr().config1 == 0x1e,
	   "an event in parts");
	ok(!machine.find_pmu("cpu")->parameter("mem-loads", 0), "an event without parameters");
	const unsigned numbers[] = { 8, 0 };
	auto on = pmuq::CpuList::from_text((*instances)[0].cpus().data());
	auto same = pmuq::CpuList::from_numbers(numbers, 2);
	ok(on && same && on->text() == same->text() && on->numbers().size() == 2 &&
		   on->numbers()[1] == 8 && on->has(0) && !on->has(1),
	   "a list of CPUs");
	ok(pmuq::CpuList::from_text("0-").error().code_name() == "bad-cpus", "… with an error");
	const pmuq_formula_input counts[] = { { 3, 1, 1 }, { 2, 1, 1 } };
	auto ipc = pmuq::Formula::parse("instructions / cycles");
	ok(ipc && ipc->operands().size() == 2 && ipc->operands()[1].name() == "cycles" &&
		   ipc->evaluate(counts, 2)->value == 1.5 &&
		   ipc->list_events(counts, 2)->size() == 2,
	   "a formula");
	ok(pmuq::Formula::parse("a >= b").error().code_name() == "bad-formula", "… with an error");
	auto warned = machine.encode("cpu/config=0x10000000000/");
	ok(warned && (*warned)[0].warnings()[0].code_name() == "unknown-bits", "a warning");
	auto tool_terms = machine.encode("cycles/call-graph=fp/");
	ok(tool_terms && (*tool_terms)[0].tool_terms()[0].text() == "fp", "what is left to tools");
}

void errors(pmuq::Source &machine)
{
	auto events = machine.encode("cpu/umsk=1/");

	ok(!events && events.error().code() == PMUQ_E_UNKNOWN_TERM &&
		   events.error().code_name() == "unknown-term",
	   "an error");
	ok(events.error().offset() == 4 && events.error().length() == 4 &&
		   events.error().input() == "cpu/umsk=1/",
	   "its place");
	ok(events.error().hint()->find("umask") != std::string_view::npos &&
		   !events.error().origin(),
	   "its hint");
	ok(events.error().format().find("\n      ^^^^\n") != std::string::npos, "its drawing");
	const pmuq::Error kept = std::move(events).error();
	ok(kept.message().find("umsk") != std::string_view::npos, "an error is moved");
	auto nowhere = pmuq::Source::tree("/nowhere/at/all");
	ok(!nowhere && nowhere.error().code_name() == "no-root" && nowhere.error().errnum() == 2,
	   "its errno");
}

void results(const std::string &tree)
{
	auto names = pmuq::Source::tree(tree)
			     .and_then([](pmuq::Source machine) { return machine.read_catalog(); })
			     .transform([](pmuq::Catalog catalog) {
				     return std::string(catalog.pmus()[0].name());
			     });
	ok(names && *names == "cpu", "results are chained");
	auto lost = pmuq::Source::tree("/nowhere").and_then([](pmuq::Source machine) {
		return machine.read_catalog();
	});
	ok(!lost && lost.error().code_name() == "no-root", "… and so are errors");
	ok(pmuq::Result<int>(7).value_or(3) == 7, "value_or");
	pmuq::Source first = pmuq::Source::tree(tree).value();
	pmuq::Source second = std::move(first);
	ok(second && !first, "what was moved from is empty");
	first = std::move(second);
	ok(first.encode("cycles").has_value(), "… and can be filled again");
	pmuq_source *raw = first.release();
	ok(pmuq::Source(raw).get() == raw, "… and released");
}

/* A result that may be nothing, and what is made of errors. */
void chains(pmuq::Source &machine)
{
	using Nothing = pmuq::Result<void>;
	std::size_t seen = 0, n = 0;
	Nothing done = machine.encode("cycles").transform(
		[&seen](pmuq::Encodings events) { seen = events.size(); });

	ok(done && seen == 1, "a function that returns nothing");
	done.value();
	*done;
	ok(!machine.encode("cpu/x/").transform([](pmuq::Encodings) {}),
	   "… is not called without a value");
	const pmuq::Result<int> number =
		machine.encode("cpu/x/")
			.transform([](pmuq::Encodings) { return 1; })
			.or_else([](pmuq::Error error) { return pmuq::Result<int>(error.code()); });
	ok(number && *number == PMUQ_E_UNKNOWN_TERM, "an error becomes a value");
	ok(pmuq::Result<int>(7).or_else([](pmuq::Error) { return pmuq::Result<int>(0); }).value() ==
			   7 &&
		   number.value_or(1) == *number,
	   "… where there is one");
	ok(Nothing().transform([] { return 4; }).value() == 4 &&
		   Nothing().and_then([] { return Nothing(); }).has_value() &&
		   Nothing(machine.encode("cpu/x/").error())
			   .or_else([](pmuq::Error) { return Nothing(); })
			   .has_value(),
	   "nothing is chained");
	auto lost = Nothing(machine.encode("cpu/x/").error()).transform([] { return 4; });
	ok(lost.error().code_name() == "unknown-term", "… and its error kept");
	for (const pmuq::Encoding event : *machine.encode("cycles,instructions"))
		n += event.attr().size;
	ok(n == 128, "a temporary is looped over");
}

/* What was moved from is an empty list; iterators of nothing are assigned to. */
void ranges(pmuq::Source &machine)
{
	auto events = machine.encode("cycles,instructions");
	const pmuq::Encodings kept = std::move(*events);
	const auto all = kept.end() - kept.begin(), none = events->end() - events->begin();

	ok(kept.size() == 2 && all == 2 && events->size() == 0 && events->empty() && none == 0,
	   "a list that was moved from is empty");
	auto i = kept.begin();
	decltype(i) j, k;
	ok(j == k && j != kept.end(), "iterators of nothing are alike");
	k = j;
	j = i + 1;
	ok((*j).name() == "instructions" && k != j, "… and assigned to");
	auto catalog = machine.read_catalog();
#ifdef __cpp_lib_ranges
	const auto is_cpu = [](pmuq::Pmu pmu) { return pmu.name() == "cpu"; };
	const auto found = std::ranges::find_if(catalog->pmus(), is_cpu);
	ok((*found).is_core(), "an iterator outlives its range");
#endif
	ok(!catalog->pmus().empty(), "a range of a temporary");
	ok(pmuq::pmu_file_at(0) && catalog->find_pmu("cpu").file_text("rdpmc") == "1" &&
		   !catalog->find_pmu("cpu").file_text("nothing"),
	   "files of a PMU by their paths");
}

void catalogs(pmuq::Source &machine)
{
	auto catalog = machine.read_catalog();
	std::size_t n = 0;

	ok(catalog && !catalog->is_live() && !catalog->check(), "a catalog");
	for (const pmuq::Pmu pmu : catalog->pmus())
		n += !pmu.name().empty() && pmu.type();
	ok(n == catalog->pmus().size() && n > 60, "all PMUs are looped over");
	const auto cpu = catalog->find_pmu("cpu");
	ok(cpu && cpu.is_core() && !cpu.is_uncore() && cpu.type() == 4u && !cpu.alias(), "a PMU");
	bool has_ldlat = false, has_loads = false;
	for (const auto format : cpu.formats())
		has_ldlat |=
			format.name() == "ldlat" && format.word() == 1 && format.mask() == 0xffff;
	for (const auto event : cpu.events())
		has_loads |= event.name() == "mem-loads" &&
			     event.terms() == "event=0xcd,umask=0x1,ldlat=3";
	ok(has_ldlat && has_loads && !cpu.caps().empty(), "its formats, events and caps");
	ok(!catalog->find_pmu("nobody"), "there is no such PMU");
	ok(catalog->find_fact("cpuid") == machine.find_fact("cpuid").value() &&
		   !catalog->find_fact("nothing") && !machine.find_fact("nothing").value(),
	   "facts");
	const auto pmus = catalog->pmus();
	ok(pmus.end() - pmus.begin() == static_cast<std::ptrdiff_t>(n) &&
		   (*(pmus.begin() + 1)).name() == pmus[1].name(),
	   "iterators");

	const auto instances = machine.list_pmus("uncore_imc");
	ok(instances && instances->size() == 6 && (*instances)[0] == "uncore_imc_0",
	   "names of PMUs");
	bool has_reads = false;
	const auto events = machine.list_events("cas_");
	for (const std::string_view name : *events)
		has_reads |= name == "cas_count_read";
	ok(has_reads && machine.list_tracepoints("no:").value().empty(), "… of events, and none");
	ok(pmuq::name_in_event("bpu").value() == "'bpu'" &&
		   pmuq::name_in_event("a/b").value().empty(),
	   "names in events");
	std::string offered;
	const auto completion = machine.complete("cpu/event=1,in_");
	for (const auto candidate : completion->candidates())
		offered += std::string(candidate.text()) + ' ';
	ok(offered == "in_tx in_tx_cp " && completion->offset() == 12, "completion");
	ok(machine.refresh().has_value() && machine.refresh().value() == false, "nothing changed");

	std::vector<std::thread> threads;
	std::vector<std::size_t> given(8);
	for (std::size_t i = 0; i < given.size(); i++)
		threads.emplace_back([&given, &catalog, i] {
			for (int round = 0; round < 200; round++)
				given[i] += catalog->encode("cpu/mem-loads/")->size();
		});
	for (auto &thread : threads)
		thread.join();
	ok(given == std::vector<std::size_t>(8, 200), "threads share a catalog");

	auto decoding = catalog->decode(
		pmuq::attr_parse("type=4 config=0x1cd config1=0x1e inherit=1").value());
	ok(decoding && decoding->text() == "cpu/mem-loads,ldlat=0x1e/" && decoding->is_exact(),
	   "decode");
	ok(decoding->left()[0].name() == "inherit" && decoding->left()[0].value() == 1 &&
		   decoding->pmu() == "cpu",
	   "what is left");
	ok(pmuq::attr_parse("typo=1").error().code_name() == "unknown-field", "no attr");
	pmuq_attr clocked{};
	perf_event_attr copy;
	char small[92];
	ok(pmuq::attr_set(clocked, pmuq::attr_find_field("clockid").value(), 1) &&
		   clocked.size == 96 && pmuq::attr_copy(clocked, copy) && copy.clockid == 1 &&
		   !pmuq::attr_find_field("typo"),
	   "an attr that grows, and its copy");
	ok(pmuq::attr_copy(clocked, small).error().code_name() == "attr-size", "… if it fits");
}

void kernel()
{
	auto machine = pmuq::Source::live();
	auto events = machine->encode("{page-faults:u,task-clock:u}");
	auto results = events->test_open();

	ok(results && results->size() == 2 && (*results)[0].status() == PMUQ_OPENED &&
		   !(*results)[0].reason(),
	   "this machine opens events");
	for (const pmuq::OpenResult result : *results)
		ok(result.steps().empty() && result.errnum() == 0, "an open result");
	auto opened = events->open();
	ok(opened && opened->enable(), "they stay open, and count");
	std::vector<char> touched(16 << 20, 'x');
	std::memset(touched.data(), touched[7], touched.size());
	ok(opened->disable().has_value(), "they are stopped");
	auto values = pmuq::read_all(*opened);
	ok(values && (*values)[0].value >= 1000 && (*values)[1].time_running_ns > 0,
	   "all are read");
	ok(opened->read(0)->value == (*values)[0].value &&
		   opened->read_at(0, 0)->value == (*values)[0].value,
	   "one is read");
	const auto target = opened->target(0, 0);
	ok(target && target->fd > 2 && target->id && target->cpu == -1 &&
		   opened->target_count(0) == 1 && !opened->target(0, 1),
	   "its target");
	ok(!opened->read(9) && opened->results().size() == 2 && opened->reset(),
	   "there is no such event");
	ok(opened->sample(0).error().code_name() == "no-samples", "they take no samples");
	pmuq::EncodeOptions sampling;
	sampling.preset = PMUQ_PRESET_SAMPLE;
	auto sampled = machine->encode("page-faults/period=1/u", sampling)->open();
	auto samples = sampled->sample(0);
	ok(samples && sampled->enable(), "an event that takes samples");
	std::vector<char> more(1 << 20, 'x');
	unsigned n = 0;
	while (const pmuq::SampleRecord record = samples->next())
		n += record.type() == 9 && samples->parse(record)->ip != 0;
	ok(n >= 100 && more[5] == 'x' && samples->lost() == 0 && !*samples->wait(0),
	   "its samples are read");
	pmuq::OpenOptions options;
	options.cpus = "0";
	ok(events->budget(options)->needed == 2 && events->budget(options)->fits(), "budget");
	options.cpus = "x";
	ok(events->test_open(options).error().code_name() == "bad-cpus", "a bad list of CPUs");
	static_assert(!std::is_default_constructible_v<pmuq::OpenCall>);
	const pmuq::OpenCall refused(EINVAL);
	ok(refused.cpu == -1 && refused.group_fd == -1 &&
		   (*events->explain_errno(0, refused))[0].name() != "group-full",
	   "an errno is explained without a leader");
	pmuq::OpenOptions quick;
	quick.work_ms = 10;
	auto counts = events->measure(quick);
	ok(counts && (*counts)[1].status_name() == "counted" && (*counts)[1].value() > 0 &&
		   (*counts)[1].n_subgroups() == 1 && (*counts)[1].subgroup() == 0u &&
		   !(*counts)[1].breaker() && !(*counts)[1].page(),
	   "measure");
	auto catalog = machine->read_catalog();
	auto check = pmuq::Check::begin(*catalog, 1000);
	while (check->upcoming())
		if (!check->next())
			break;
	ok(check->results().size() == check->n_events() && check->find("software", "page-faults") &&
		   !check->find("software", "nothing"),
	   "a check");
}

void stores(const std::string &work, const pmuq::Catalog &catalog)
{
	auto store = pmuq::Store::open(work + "/hosts.db", PMUQ_STORE_CREATE);

	ok(store.has_value() && store->begin(), "a store");
	ok(store->save(catalog, {}, "web1", 1000)->is_new &&
		   store->save(catalog, {}, "web2", 1000)->is_new && store->commit(),
	   "machines are saved");
	auto hosts = store->list_hosts();
	std::string names;
	for (std::size_t i = 0; i < hosts->size(); i++)
		for (const pmuq::Snapshot snapshot : hosts->snapshots(i))
			names += std::string((*hosts)[i].name()) +
				 (snapshot.first_seen_s() == 1000 ? " " : "?");
	ok(names == "web1 web2 ", "hosts and their snapshots");
	ok(hosts->classes().size() == 1 && hosts->classes()[0].hosts().size() == 2 &&
		   !(*hosts)[0].check() && hosts->snapshots(9).empty(),
	   "host classes");
	ok(store->open_host("web2", 0)->encode("cpu/mem-loads/")->size() == 1,
	   "a snapshot is a source");
	ok(store->open_host("nobody", 0).error().code_name() == "unknown-host", "nobody");
	ok(store->rename_host("web2", "db1").has_value() && !*store->find_check(catalog),
	   "hosts are renamed");
	const char *names_gone[] = { "db1" };
	ok(store->forget(names_gone, nullptr, 1, {})->hosts == 1, "… and forgotten");
	ok(store->list_vendors()->empty() &&
		   store->open_vendor("nobody").error().code_name() == "no-vendor-table",
	   "no tables");
	ok(pmuq::Store::open(work + "/no.db", PMUQ_STORE_READ).error().origin()->find("no.db") !=
		   std::string_view::npos,
	   "no store");
}

void inventories(const std::string &work, const pmuq::Catalog &skylake, const std::string &other,
		 const std::string &recordings)
{
	auto machine = pmuq::Source::tree(other);
	auto zen = machine->read_catalog();
	auto diff = skylake.diff(*zen);
	bool has_words = false;

	for (const pmuq::Change change : *diff)
		has_words |= change.words_before()[0] != change.words_after()[0] &&
			     !change.pmus().empty() && !change.text().empty();
	ok(has_words && diff->weight_count(PMUQ_WEIGHT_BREAKING) > 0 &&
		   !(*diff)[0].type_name().empty(),
	   "machines differ");
	ok(skylake.diff(skylake)->size() == 0, "… but not from themselves");

	auto writer = pmuq::Writer::make();
	ok(writer->add(skylake, "web1", 1000) && writer->add(*zen, nullptr, 0) &&
		   writer->document_count() == 2,
	   "a writer");
	const std::string text = writer->text(PMUQ_DOCUMENT_JSON).value();
	auto reader = pmuq::Reader::make();
	ok(reader->open_bytes(text.data(), text.size(), "mine").has_value(), "a reader");
	auto first = reader->next();
	ok(*first && reader->name() == "web1" && reader->first_seen_s() == 1000 &&
		   reader->document() == 1,
	   "a document is read back");
	ok(first->diff(skylake)->size() == 0, "… and lost nothing");
	ok(*reader->next() && !*reader->next(), "there is none after the last");
	auto source = pmuq::Source::of(std::move(*first));
	ok(source && !*first && source->encode("cpu/mem-loads/").has_value(),
	   "a catalog becomes a source");
	ok(reader->open_bytes("a: [", 4, "mine") && !reader->next(), "no document");

	auto capture = pmuq::Capture::take(*machine);
	ok(capture && capture->write(work + "/copy") && capture->files().size() > 10, "a capture");
	ok(capture->catalog().diff(*zen)->weight_count(PMUQ_WEIGHT_BREAKING) == 0,
	   "… of the machine");
	ok(capture->write(work + "/copy").error().code_name() == "capture-exists",
	   "… which is not written over");

	auto recording = pmuq::Recording::open(recordings + "/groups.data");
	ok(recording && !recording->events().empty() && recording->events()[0].attr().size >= 64 &&
		   recording->is_big_endian() == recording->content().is_big_endian(),
	   "a recording");
	ok(!recording->features().empty() &&
		   recording->catalog()->find_fact("incomplete") == "perf.data",
	   "… and its machine");
	ok(pmuq::Recording::open("/nowhere").error().code_name() == "recording-unreadable",
	   "no recording");
}

void libpfm4()
{
	pmuq::PfmOptions options;
	options.helper = "/nowhere/pmuq-pfm";
	const char *names[] = { "skx::INST_RETIRED" };
	auto pfm = pmuq::Pfm::open(options);

	ok(pfm && pfm->encode(nullptr, names, 1).error().code_name() == "pfm-unavailable",
	   "a helper that is not there");
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	const std::string tree = std::string(argv[1]) + "/skylake-sp";
	auto machine = pmuq::Source::tree(tree);
	if (!machine) {
		std::fprintf(stderr, "%s\n", machine.error().format().c_str());
		return 1;
	}
	encodings(*machine);
	errors(*machine);
	results(tree);
	chains(*machine);
	ranges(*machine);
	catalogs(*machine);
	kernel();
	stores(argv[2], machine->read_catalog().value());
	inventories(argv[2], machine->read_catalog().value(), std::string(argv[1]) + "/zen1-epyc",
		    argv[3]);
	libpfm4();
	ok(!pmuq::version().empty() && pmuq::build_info().find("compiler: ") == 0 &&
		   pmuq::generic_name(0),
	   "it returns its version");
	std::printf("1..%d\n", count);
	return failed > 0;
}
