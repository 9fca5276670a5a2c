/* SPDX-License-Identifier: MIT */
/*
 * Builds a catalog of the recorded machine from the features and from the recorded tracepoints. A
 * perf.data file has no formats and no events, so the catalog has the fact `incomplete`. The
 * catalog copies what it keeps, so it may outlive the recording.
 */
#include "core/attr/attr.h"
#include "core/catalog/catalog.h"
#include "core/cpulist.h"
#include "core/num.h"
#include "perfdata/recording.h"
#include <inttypes.h>
#include <pmuq/pmuq.h>

/* The kernel's types are positive ints; perf uses larger numbers for PMUs of its own. */
#define TYPE_MAX INT32_MAX

/* The first failure sticks in r. The scratch arena is freed when the catalog is complete. */
struct building {
	const struct pmuq_recording *recording;
	struct pq_builder *builder;
	struct pq_arena scratch;
	struct pmuq_error **reterr;
	int r;
};

/* An empty text is not a fact. */
static void fact(struct building *in, const char *name, struct pmuq_str text)
{
	if (in->r >= 0 && text.n)
		in->r = pq_builder_fact(in->builder, str_of(name), text, in->reterr);
}

/* The only text of a feature, without blanks around it. */
static struct pmuq_str text_of(const struct building *in, unsigned number)
{
	const struct pmuq_feature *feature = pq_recording_find(in->recording, number);

	return feature ? str_trim(feature->values[0].text) : STR("");
}

/* ---------------------------------------------------------------------------------------- CPUs */

static uint64_t number_of(const struct pmuq_feature *feature, struct pmuq_str name)
{
	uint64_t n = 0;

	for (size_t i = 0; feature && i < feature->n_values; i++)
		if (str_eq(feature->values[i].name, name))
			pq_num_any(feature->values[i].text, &n);
	return n;
}

/* The lists of threads have the online CPUs. They are used if their number is that of NRCPUS. */
static void online_of_threads(struct building *in, uint64_t n_online, struct pq_buf *ret)
{
	const struct pmuq_feature *topology =
		pq_recording_find(in->recording, PQ_FEATURE_CPU_TOPOLOGY);
	struct pq_cpus cpus = { 0 };

	for (size_t i = 0; topology && i < topology->n_values; i++) {
		struct pq_cpus some;

		if (!str_eq(topology->values[i].name, STR("threads")))
			continue;
		if (!pq_cpus_parse(&in->scratch, topology->values[i].text, &some) ||
		    !pq_cpus_unite(&in->scratch, &cpus, &some))
			return;
	}
	if (pq_cpus_count(&cpus) == n_online)
		pq_cpus_print(&cpus, ret);
}

static void print_all(struct pq_buf *buf, uint64_t n)
{
	pq_buf_print(buf, n > 1 ? "0-%" PRIu64 : "%" PRIu64, n - 1);
}

/* NRCPUS has only numbers. Without another source, CPUs are assumed to be numbered without gaps. */
static void cpu_facts(struct building *in)
{
	const struct pmuq_feature *counts = pq_recording_find(in->recording, PQ_FEATURE_NRCPUS);
	uint64_t n = number_of(counts, STR("available"));
	uint64_t n_online = number_of(counts, STR("online"));
	struct pq_buf present = PQ_BUF_IN(&in->scratch), online = PQ_BUF_IN(&in->scratch);

	if (!n || n > PQ_CPUS_MAX || n_online > n)
		return;
	print_all(&present, n);
	if (n == n_online)
		print_all(&online, n);
	else if (n_online)
		online_of_threads(in, n_online, &online);
	fact(in, "cpus_present", pq_buf_str(&present));
	fact(in, "cpus_online", pq_buf_str(&online));
}

/* ---------------------------------------------------------------------------------------- PMUs */

/* The data of one feature about a PMU: its type, its CPUs, or one of its caps. */
struct pmu_entry {
	struct pmuq_str pmu, cpus; /* .p NULL: no CPUs */
	bool has_type;
	uint32_t type;
	struct pmuq_pair cap; /* .name.n 0: no cap */
	size_t order;	      /* of the entries: of equal ones, the first is used */
};

struct pmu_entries {
	PQ_VEC(struct pmu_entry);
};

struct recorded_pairs {
	PQ_VEC(struct pmuq_pair);
};

/* By PMU, then by cap. */
static int compare_entries(const void *a, const void *b)
{
	const struct pmu_entry *x = a, *y = b;
	int r = str_cmp(x->pmu, y->pmu);

	r = r ? r : str_cmp(x->cap.name, y->cap.name);
	return r ? r : x->order < y->order ? -1 : x->order > y->order;
}

/* Sets the failure if an element could not be added. */
static void check_added(struct building *in, bool is_added)
{
	if (!is_added && in->r >= 0)
		in->r = pq_fail_memory(in->reterr);
}

static void add_entry(struct building *in, struct pmu_entries *entries, struct pmu_entry entry)
{
	entry.order = entries->n;
	if (entry.pmu.n)
		check_added(in, pq_vec_push_in(&in->scratch, entries, entry));
}

/* Adds the values of a feature, each by `make`, which returns false for one without a meaning. */
static void gather(struct building *in, struct pmu_entries *entries, unsigned number,
		   bool (*make)(struct pmuq_pair value, struct pmu_entry *ret))
{
	const struct pmuq_feature *feature = pq_recording_find(in->recording, number);

	for (size_t i = 0; feature && i < feature->n_values; i++) {
		struct pmu_entry entry = { 0 };

		if (make(feature->values[i], &entry))
			add_entry(in, entries, entry);
	}
}

static bool make_type(struct pmuq_pair value, struct pmu_entry *ret)
{
	uint64_t type = 0;

	if (pq_num_any(value.text, &type) != PQ_NUM_OK || type > TYPE_MAX)
		return false;
	*ret = (struct pmu_entry){ .pmu = value.name, .has_type = true, .type = (uint32_t)type };
	return true;
}

static bool make_cpus(struct pmuq_pair value, struct pmu_entry *ret)
{
	*ret = (struct pmu_entry){ .pmu = value.name, .cpus = value.text };
	return true;
}

static bool make_cpu_cap(struct pmuq_pair value, struct pmu_entry *ret)
{
	*ret = (struct pmu_entry){ .pmu = STR("cpu"), .cap = value };
	return value.name.n;
}

/* "cpu_core/branches": see feature_pmus.c. */
static bool make_cap(struct pmuq_pair value, struct pmu_entry *ret)
{
	ret->cap = value;
	return str_cut(value.name, '/', &ret->pmu, &ret->cap.name) && ret->cap.name.n;
}

/* Builds the next PMU from its entries: the first type, the first CPUs, and each cap once. */
static void build_pmu(struct building *in, const struct pmu_entries *entries, size_t *at)
{
	const struct pmu_entry *v = entries->v;
	struct pq_pmu_draft draft = { .name = v[*at].pmu };
	struct recorded_pairs caps = { 0 };

	for (; *at < entries->n && str_eq(v[*at].pmu, draft.name); ++*at) {
		const struct pmu_entry *entry = &v[*at];

		if (entry->has_type && !draft.has_type) {
			draft.has_type = true;
			draft.type = entry->type;
		}
		if (!draft.cpus_file.p)
			draft.cpus_file = entry->cpus;
		if (entry->cap.name.n &&
		    (!caps.n || !str_eq(caps.v[caps.n - 1].name, entry->cap.name)))
			check_added(in, pq_vec_push_in(&in->scratch, &caps, entry->cap));
	}
	draft.caps = caps.v;
	draft.n_caps = caps.n;
	if (in->r >= 0)
		in->r = pq_builder_pmu(in->builder, &draft, in->reterr);
}

static void build_pmus(struct building *in)
{
	struct pmu_entries entries = { 0 };
	size_t at = 0;

	gather(in, &entries, PQ_FEATURE_PMU_MAPPINGS, make_type);
	gather(in, &entries, PQ_FEATURE_HYBRID_TOPOLOGY, make_cpus);
	gather(in, &entries, PQ_FEATURE_CPU_PMU_CAPS, make_cpu_cap);
	gather(in, &entries, PQ_FEATURE_PMU_CAPS, make_cap);
	if (entries.n)
		qsort(entries.v, entries.n, sizeof(*entries.v), compare_entries);
	while (in->r >= 0 && at < entries.n)
		build_pmu(in, &entries, &at);
}

/* --------------------------------------------------------------------------------- tracepoints */

/* "sched:sched_switch", perhaps with modifiers after a second colon. */
static bool split_tracepoint(struct pmuq_str name, struct pmuq_tracepoint *ret)
{
	struct pmuq_str modifiers;

	if (!str_cut(name, ':', &ret->subsystem, &ret->name))
		return false;
	str_cut(ret->name, ':', &ret->name, &modifiers);
	return ret->subsystem.n && ret->name.n && !memchr(name.p, '/', name.n);
}

static int compare_tracepoints(const void *a, const void *b)
{
	const struct pmuq_tracepoint *x = a, *y = b;
	int r = str_cmp(x->subsystem, y->subsystem);

	return r ? r : str_cmp(x->name, y->name);
}

/* The config of a tracepoint event is its id. */
static void build_tracepoints(struct building *in)
{
	PQ_VEC(struct pmuq_tracepoint) found = { 0 };

	for (size_t i = 0; i < in->recording->events.n && in->r >= 0; i++) {
		const struct pq_recorded_event *event = pq_recording_event(in->recording, i);
		struct pmuq_tracepoint tracepoint = { .id = event->attr.config };

		if (event->attr.type != PQ_TYPE_TRACEPOINT || !event->record.name.p ||
		    !split_tracepoint(event->record.name, &tracepoint))
			continue;
		check_added(in, pq_vec_push_in(&in->scratch, &found, tracepoint));
	}
	if (found.n)
		qsort(found.v, found.n, sizeof(*found.v), compare_tracepoints);
	for (size_t i = 0; i < found.n && in->r >= 0; i++)
		if (!i || compare_tracepoints(&found.v[i - 1], &found.v[i]) != 0)
			in->r = pq_builder_tracepoint(in->builder, &found.v[i], in->reterr);
}

/* ------------------------------------------------------------------------------------- problems */

/* A part of the recording that could not be read is a problem of the machine, too. */
static void build_problems(struct building *in)
{
	for (size_t i = 0; i < in->recording->problems.n && in->r >= 0; i++) {
		const struct pmuq_error *error = pmuq_recording_problem(in->recording, i);
		const struct pmuq_problem problem = { .path = STR("perf.data"),
						      .message = error->message,
						      .code = error->code };

		in->r = pq_builder_problem(in->builder, &problem, in->reterr);
	}
}

/* --------------------------------------------------------------------------------------- facts */

/* Exactly n decimal numbers, separated by commas. */
static bool read_numbers(struct pmuq_str text, uint64_t *ret, size_t n)
{
	struct pmuq_str number;

	for (size_t i = 0; i < n; i++) {
		bool more = str_cut(text, ',', &number, &text);

		if (more != (i + 1 < n) || pq_num_any(number, &ret[i]) != PQ_NUM_OK)
			return false;
	}
	return true;
}

/* Vendor, family, model, stepping. A catalog has the last two in hex. */
static bool print_x86(struct pmuq_str text, struct pq_buf *ret)
{
	uint64_t numbers[3];
	struct pmuq_str vendor;

	if (!str_cut(text, ',', &vendor, &text) || !read_numbers(text, numbers, COUNT(numbers)))
		return false;
	pq_buf_print(ret, "%.*s-%llu-%llX-%llX", STR_ARG(vendor), (unsigned long long)numbers[0],
		     (unsigned long long)numbers[1], (unsigned long long)numbers[2]);
	return true;
}

/* The two halves of the processor version register (PVR). */
static bool print_powerpc(struct pmuq_str text, struct pq_buf *ret)
{
	uint64_t numbers[2];

	if (!read_numbers(text, numbers, COUNT(numbers)) || (numbers[0] | numbers[1]) > UINT16_MAX)
		return false;
	pq_buf_print(ret, "0x%04x%04x", (unsigned)numbers[0], (unsigned)numbers[1]);
	return true;
}

/* "GenuineIntel,6,85,4" of an x86_64 → "GenuineIntel-6-55-4". Any other text is copied. */
static void print_cpuid(struct pmuq_str arch, struct pmuq_str text, struct pq_buf *ret)
{
	bool is_x86 = str_eq(arch, STR("x86_64")) || str_glob(STR("i?86"), arch);
	bool is_printed = false;

	if (is_x86)
		is_printed = print_x86(text, ret);
	else if (str_starts(arch, STR("ppc")))
		is_printed = print_powerpc(text, ret);
	if (!is_printed)
		pq_buf_add(ret, text);
}

static void build_facts(struct building *in)
{
	struct pq_buf cpuid = PQ_BUF_IN(&in->scratch);
	struct pmuq_str arch = text_of(in, PQ_FEATURE_ARCH);

	print_cpuid(arch, text_of(in, PQ_FEATURE_CPUID), &cpuid);
	fact(in, "hostname", text_of(in, PQ_FEATURE_HOSTNAME));
	fact(in, "kernel", text_of(in, PQ_FEATURE_OSRELEASE));
	fact(in, "arch", arch);
	fact(in, "cpuid", pq_buf_str(&cpuid));
	cpu_facts(in);
	fact(in, "incomplete", STR("perf.data"));
}

PQ_API int pmuq_recording_catalog(const struct pmuq_recording *recording, struct pmuq_catalog **ret,
				  struct pmuq_error **reterr)
{
	struct building in = { .recording = recording, .reterr = reterr };
	int r = pq_builder_new(&in.builder, reterr);

	if (r < 0)
		return r;
	in.scratch = PQ_ARENA(PQ_RECORDED_MACHINE_MAX_BYTES);
	build_facts(&in);
	build_pmus(&in);
	build_tracepoints(&in);
	build_problems(&in);
	pq_arena_clear(&in.scratch);
	if (in.r >= 0 && in.scratch.is_refused)
		in.r = pq_fail_memory(reterr);
	if (in.r >= 0)
		return pq_builder_finish(in.builder, ret, reterr);
	pq_builder_free(in.builder);
	return in.r;
}
