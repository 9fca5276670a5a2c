/* SPDX-License-Identifier: MIT */
/*
 * Builds a catalog of the recorded machine from the features and from the recorded tracepoints. A
 * perf.data file has no formats and no events, so the catalog has the fact `incomplete`.
 */
#include "core/attr/attr.h"
#include "core/catalog/catalog.h"
#include "core/cpulist.h"
#include "core/num.h"
#include "perfdata/recording.h"
#include "perfdata/recording_cpuid.h"
#include <inttypes.h>
#include <pmuq/pmuq.h>

/* The kernel's types are positive ints; perf uses larger numbers for PMUs of its own. */
#define TYPE_MAX INT32_MAX

struct building {
	const struct pmuq_recording *recording;
	struct pq_builder *builder;
	struct pq_arena scratch;
	struct pmuq_error **reterr;
	int r;
};

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

static void cpu_facts(struct building *in)
{
	const struct pmuq_feature *counts = pq_recording_find(in->recording, PQ_FEATURE_NRCPUS);
	uint64_t n = number_of(counts, STR("available"));
	uint64_t n_online = number_of(counts, STR("online"));
	cleanup(pq_buf_free) struct pq_buf present = PQ_BUF_NULL, online = PQ_BUF_NULL;

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

struct recorded_pmu {
	struct pmuq_str name, cpus;
	bool has_type;
	uint32_t type;
};

struct recorded_cap {
	struct pmuq_str pmu;
	struct pmuq_pair pair;
	size_t order; /* in the file: of equal names, the first is used */
};

struct recorded_pmus {
	PQ_VEC(struct recorded_pmu);
};

struct recorded_caps {
	PQ_VEC(struct recorded_cap);
};

struct recorded_pairs {
	PQ_VEC(struct pmuq_pair);
};

static int compare_pmus(const void *a, const void *b)
{
	return str_cmp(((const struct recorded_pmu *)a)->name,
		       ((const struct recorded_pmu *)b)->name);
}

static int compare_caps(const void *a, const void *b)
{
	const struct recorded_cap *x = a, *y = b;
	int r = str_cmp(x->pmu, y->pmu);

	r = r ? r : str_cmp(x->pair.name, y->pair.name);
	return r ? r : x->order < y->order ? -1 : x->order > y->order;
}

/* Sets the failure if an element could not be added. */
static void check_added(struct building *in, bool is_added)
{
	if (!is_added && in->r >= 0)
		in->r = pq_fail_memory(in->reterr);
}

static void add_pmu(struct building *in, struct recorded_pmus *pmus, const struct recorded_pmu *pmu)
{
	if (pmu->name.n)
		check_added(in, pq_vec_push_in(&in->scratch, pmus, *pmu));
}

static void add_cap(struct building *in, struct recorded_caps *caps, struct recorded_pmus *pmus,
		    struct pmuq_str pmu, struct pmuq_pair pair)
{
	if (!pair.name.n)
		return;
	check_added(in, pq_vec_push_in(&in->scratch, caps,
				       { .pmu = pmu, .pair = pair, .order = caps->n }));
	add_pmu(in, pmus, &(struct recorded_pmu){ .name = pmu });
}

static void gather_types(struct building *in, struct recorded_pmus *pmus)
{
	const struct pmuq_feature *types =
		pq_recording_find(in->recording, PQ_FEATURE_PMU_MAPPINGS);

	for (size_t i = 0; types && i < types->n_values; i++) {
		uint64_t type;

		if (pq_num_any(types->values[i].text, &type) == PQ_NUM_OK && type <= TYPE_MAX)
			add_pmu(in, pmus,
				&(struct recorded_pmu){ .name = types->values[i].name,
							.has_type = true,
							.type = (uint32_t)type });
	}
}

static void gather_cpus(struct building *in, struct recorded_pmus *pmus)
{
	const struct pmuq_feature *hybrid =
		pq_recording_find(in->recording, PQ_FEATURE_HYBRID_TOPOLOGY);

	for (size_t i = 0; hybrid && i < hybrid->n_values; i++)
		add_pmu(in, pmus,
			&(struct recorded_pmu){ .name = hybrid->values[i].name,
						.cpus = hybrid->values[i].text });
}

static void gather_caps(struct building *in, struct recorded_pmus *pmus, struct recorded_caps *caps)
{
	const struct pmuq_feature *own = pq_recording_find(in->recording, PQ_FEATURE_CPU_PMU_CAPS);
	const struct pmuq_feature *others = pq_recording_find(in->recording, PQ_FEATURE_PMU_CAPS);

	for (size_t i = 0; own && i < own->n_values; i++)
		add_cap(in, caps, pmus, STR("cpu"), own->values[i]);
	for (size_t i = 0; others && i < others->n_values; i++) {
		struct pmuq_pair cap = others->values[i];
		struct pmuq_str pmu;

		if (str_cut(cap.name, '/', &pmu, &cap.name))
			add_cap(in, caps, pmus, pmu, cap);
	}
}

/* Merges the entries of one PMU, from `at` on: the first type and the first CPUs are used. */
static struct recorded_pmu merge(const struct recorded_pmus *pmus, size_t *at)
{
	const struct recorded_pmu *v = pmus->v;
	struct recorded_pmu merged = v[*at];

	while (++*at < pmus->n && str_eq(v[*at].name, merged.name)) {
		if (!merged.has_type && v[*at].has_type) {
			merged.has_type = true;
			merged.type = v[*at].type;
		}
		if (!merged.cpus.p)
			merged.cpus = v[*at].cpus;
	}
	return merged;
}

/* The caps of the next PMU, each once. They are sorted like the PMUs. */
static struct recorded_pairs caps_of(struct building *in, const struct recorded_caps *caps,
				     struct pmuq_str pmu, size_t *at)
{
	struct recorded_pairs ret = { 0 };

	for (; *at < caps->n && str_eq(caps->v[*at].pmu, pmu); ++*at) {
		struct pmuq_pair cap = caps->v[*at].pair;

		if (!ret.n || !str_eq(ret.v[ret.n - 1].name, cap.name))
			check_added(in, pq_vec_push_in(&in->scratch, &ret, cap));
	}
	return ret;
}

static void build_pmus(struct building *in)
{
	struct recorded_pmus pmus = { 0 };
	struct recorded_caps caps = { 0 };
	size_t at = 0, cap = 0;

	gather_types(in, &pmus);
	gather_cpus(in, &pmus);
	gather_caps(in, &pmus, &caps);
	if (in->r < 0 || !pmus.n)
		return;
	qsort(pmus.v, pmus.n, sizeof(*pmus.v), compare_pmus);
	if (caps.n)
		qsort(caps.v, caps.n, sizeof(*caps.v), compare_caps);
	while (at < pmus.n && in->r >= 0) {
		struct recorded_pmu pmu = merge(&pmus, &at);
		struct recorded_pairs own = caps_of(in, &caps, pmu.name, &cap);
		struct pq_pmu_draft draft = { .name = pmu.name,
					      .type = pmu.type,
					      .has_type = pmu.has_type,
					      .cpus_file = pmu.cpus,
					      .caps = own.v,
					      .n_caps = own.n };

		if (in->r >= 0)
			in->r = pq_builder_pmu(in->builder, &draft, in->reterr);
	}
}

/* --------------------------------------------------------------------------------- tracepoints */

/* "sched:sched_switch", perhaps with modifiers after a second colon. */
static bool split_tracepoint(struct pmuq_str name, struct pq_tracepoint *ret)
{
	struct pmuq_str modifiers;

	if (!str_cut(name, ':', &ret->subsystem, &ret->name))
		return false;
	str_cut(ret->name, ':', &ret->name, &modifiers);
	return ret->subsystem.n && ret->name.n && !memchr(name.p, '/', name.n);
}

static int compare_tracepoints(const void *a, const void *b)
{
	const struct pq_tracepoint *x = a, *y = b;
	int r = str_cmp(x->subsystem, y->subsystem);

	return r ? r : str_cmp(x->name, y->name);
}

static void build_tracepoints(struct building *in)
{
	struct {
		PQ_VEC(struct pq_tracepoint);
	} found = { 0 };

	for (size_t i = 0; i < in->recording->events.n && in->r >= 0; i++) {
		const struct pq_recorded_event *event = pq_recording_event(in->recording, i);
		struct pq_tracepoint tracepoint = { .id = event->attr.config };

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

static void build_facts(struct building *in)
{
	cleanup(pq_buf_free) struct pq_buf cpuid = PQ_BUF_NULL;
	struct pmuq_str arch = text_of(in, PQ_FEATURE_ARCH);

	pq_cpuid_of_recording(arch, text_of(in, PQ_FEATURE_CPUID), &cpuid);
	fact(in, "hostname", text_of(in, PQ_FEATURE_HOSTNAME));
	fact(in, "kernel", text_of(in, PQ_FEATURE_OSRELEASE));
	fact(in, "arch", arch);
	fact(in, "cpuid", pq_buf_str(&cpuid));
	cpu_facts(in);
	fact(in, "incomplete", STR("perf.data"));
}

/* As much as the recording itself may take. */
#define SCRATCH_MAX_BYTES ((size_t)256 << 20)

PQ_API int pmuq_recording_catalog(const struct pmuq_recording *recording, struct pmuq_catalog **ret,
				  struct pmuq_error **reterr)
{
	struct building in = { .recording = recording, .reterr = reterr };
	int r = pq_builder_new(&in.builder, reterr);

	if (r < 0)
		return r;
	pq_arena_init(&in.scratch, NULL, 0, SCRATCH_MAX_BYTES);
	build_facts(&in);
	build_pmus(&in);
	build_tracepoints(&in);
	build_problems(&in);
	pq_arena_clear(&in.scratch);
	if (in.r >= 0)
		return pq_builder_finish(in.builder, ret, reterr);
	pq_builder_free(in.builder);
	return in.r;
}
