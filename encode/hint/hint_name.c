/* SPDX-License-Identifier: MIT */
/* Hints about a name that no PMU and no event has, and the parts that other hints share. */
#include "core/event/scan.h"
#include "core/instance.h"
#include "core/vendor/vendor_table.h"
#include "encode/hint/hint.h"
#include "encode/resolve/resolve.h"
#include "encode/words/generic.h"

bool pq_print_incomplete(const struct pq_encoder *e, const char *what, struct pq_buf *hint)
{
	struct pmuq_str known_from;

	if (pq_query_hint(e, fact, PQ_CLASS_INCOMPLETE, &known_from) != 0)
		return false;
	pq_hint_begin(hint, "this machine is only known from %.*s, which contains no %s: scan it",
		      STR_ARG(known_from), what);
	return true;
}

void pq_print_no_core(const struct pq_encoder *e, struct pq_buf *hint)
{
	if (!pq_print_incomplete(e, "core PMU", hint))
		pq_hint_begin(hint, "a virtual machine needs a virtual PMU from its hypervisor, "
				    "other machines a kernel that supports their CPU; `pmuq check "
				    "cycles` reports the reason");
}

void pq_consider_events(struct pq_near *nearest, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < pmu->definition->n_events; i++)
		pq_near_consider(nearest, pq_def_of(pmu)->events[i].name);
}

/* Names of manuals are in capitals: INST_RETIRED.ANY, LLC_MISSES, CPU_CYCLES. */
static bool is_of_manual(struct pmuq_str word)
{
	bool has_capital = false, has_separator = false;

	for (size_t i = 0; i < word.n; i++) {
		bool is_separator = word.p[i] == '.' || word.p[i] == '_';
		bool is_capital = word.p[i] >= 'A' && word.p[i] <= 'Z';

		if (!is_separator && !is_capital && !char_is_digit(word.p[i]))
			return false;
		has_capital |= is_capital;
		has_separator |= is_separator;
	}
	return has_capital && has_separator;
}

void pq_print_manuals(const struct pq_encoder *e, struct pmuq_str word, struct pq_buf *hint)
{
	struct pmuq_str cpuid = { 0 };

	if (!PQ_HAS_TABLES || e->options->vendor || !pq_allows(e, PMUQ_FROM_JSON) ||
	    !is_of_manual(word))
		return;
	if (pq_query_hint(e, fact, PQ_CLASS_CPUID, &cpuid) == 0 &&
	    str_starts(cpuid, STR("GenuineIntel")))
		pq_hint_begin(hint, "the names of Intel's manuals have to be imported: git clone "
				    "--depth 1 https://github.com/intel/perfmon && pmuq vendor "
				    "import perfmon");
	else
		pq_hint_begin(hint, "the names of vendors' manuals have to be imported: git clone "
				    "--depth 1 https://github.com/torvalds/linux && pmuq vendor "
				    "import linux/tools/perf/pmu-events/arch");
}

/* Whether the machine has a PMU of a vendor's table. */
static bool has_covered(const struct pq_encoder *e, struct pmuq_str pattern)
{
	const struct pmuq_pmu *pmu;

	return pq_note_memory(e, pq_vendor_next_covered(e->lookup, pattern, &(size_t){ 0 }, &pmu,
							NULL)) == 0;
}

/* A table has more events than this many PMUs; the PMUs of others are compared again. */
#define PATTERNS_MAX 64u

/* The PMUs of a table that the machine has. */
struct present {
	struct pmuq_str pattern[PATTERNS_MAX];
	bool is_present[PATTERNS_MAX];
	size_t n;
};

static bool is_present(const struct pq_encoder *e, struct present *present, struct pmuq_str pattern)
{
	size_t i = 0;

	while (i < present->n && !str_eq(present->pattern[i], pattern))
		i++;
	if (i < present->n)
		return present->is_present[i];
	if (i == PATTERNS_MAX)
		return has_covered(e, pattern);
	present->pattern[i] = pattern;
	present->n++;
	return present->is_present[i] = has_covered(e, pattern);
}

void pq_consider_vendor(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			struct pq_near *nearest)
{
	const struct pmuq_vendor *tables = pq_tables(e);
	const struct pmuq_vendor_event *event;
	struct present present = { .n = 0 };

	if (!tables || pq_note_memory(e, pq_vendor_read_all(tables, NULL)) < 0)
		return;
	for (size_t i = 0; (event = pmuq_vendor_get(tables, i)); i++)
		if (pmu ? pq_vendor_covers(event->pmu, pmu) : is_present(e, &present, event->pmu))
			pq_near_consider(nearest, event->event->name);
}

static void consider_generic(struct pq_near *nearest)
{
	for (size_t i = 0; pq_generic_at(i).n; i++)
		pq_near_consider(nearest, pq_generic_at(i));
}

/* Each definition once: dozens of PMU instances have the same events. */
static void consider_all_events(const struct pq_encoder *e, struct pq_near *nearest)
{
	struct pq_pmu_list all;
	const void *seen = NULL;

	if (pq_query_hint(e, list_pmus, &all) < 0)
		return;
	for (size_t i = 0; i < all.n; i++) {
		struct pq_names names;

		if (pq_query_hint(e, event_names, all.v[i], &names) != 0 || names.array.v == seen)
			continue;
		seen = names.array.v;
		for (size_t n = 0; n < names.n; n++)
			pq_near_consider(nearest, pq_names_at(&names, n));
	}
}

/* For several instances only the common name, unless the word ends with a digit: then the user
 * meant an instance. */
static void consider_pmus(const struct pq_encoder *e, struct pq_near *nearest)
{
	struct pq_pmu_list all;
	struct pmuq_str last = { 0 }, base;
	uint64_t suffix;

	if (pq_query_hint(e, list_pmus, &all) < 0)
		return;
	for (size_t i = 0; i < all.n; i++) {
		bool is_instance = pq_instance_split(all.v[i]->name, &base, &suffix);

		if (is_instance && !str_eq(base, last))
			pq_near_consider(nearest, base);
		last = is_instance ? base : last;
		if (!is_instance || char_is_digit(nearest->word.p[nearest->word.n - 1]))
			pq_near_consider(nearest, all.v[i]->name);
	}
}

/* For "cpu" on a machine whose core PMUs have other names. */
static void print_core_pmus(const struct pq_encoder *e, struct pq_buf *hint)
{
	struct pq_pmu_list core;
	size_t start;

	if (pq_note_memory(e, pq_core_pmus(e, &core)) < 0)
		return;
	if (!core.n) {
		pq_print_no_core(e, hint);
		return;
	}
	start = pq_hint_begin(hint, "the core PMUs of this machine: ");
	for (size_t i = 0; i < core.n; i++)
		pq_buf_list(hint, start, core.v[i]->name);
}

void pq_hint_core(const struct pq_encoder *e)
{
	struct pq_buf hint = PQ_BUF_NULL;

	if (!pq_can_hint(e))
		return;
	print_core_pmus(e, &hint);
	pq_error_hint_buf(e->reterr, &hint);
}

/* For an instance that does not exist: "uncore_imc_7". */
static void print_instances(const struct pq_encoder *e, struct pmuq_str word, struct pq_buf *hint)
{
	struct pmuq_str wanted, base;
	const struct pmuq_pmu *first = NULL, *last = NULL;
	struct pq_pmu_list all;
	uint64_t number;
	size_t n = 0;

	if (!pq_instance_split(word, &wanted, &number) || pq_query_hint(e, list_pmus, &all) < 0)
		return;
	for (size_t i = 0; i < all.n; i++)
		if (pq_instance_split(all.v[i]->name, &base, &number) && str_eq(base, wanted)) {
			first = first ? first : all.v[i];
			last = all.v[i];
			n++;
		}
	if (n == 1)
		pq_hint_begin(hint, "the only instance here is %s", first->name.p);
	else if (n)
		pq_hint_begin(hint, "this machine has %zu instances, %s to %s", n, first->name.p,
			      last->name.p);
}

/* A raw event has no 0x: r0x1c2. */
static void print_raw(struct pmuq_str word, struct pq_buf *hint)
{
	uint64_t number;

	if (pq_word_is_raw(word, true, &number))
		pq_hint_begin(hint, "a raw event has no 0x: r%llx", (unsigned long long)number);
}

/* For a pattern that matches PMUs as in perf, without "uncore_" on both sides. */
static void hint_glob(const struct pq_encoder *e, struct pmuq_str word, struct pq_buf *hint)
{
	struct pq_wildcard as_perf = pq_wildcard_of(word, true);
	struct pq_pmu_list all;

	if (pq_is_perf(e) || pq_query_hint(e, list_pmus, &all) < 0)
		return;
	for (size_t i = 0; i < all.n; i++)
		if (pq_wildcard_matches(&as_perf, all.v[i]->name)) {
			pq_buf_print(hint, "write '%s%.*s': a pattern must match the whole name",
				     pq_without_uncore(all.v[i]->name).n < all.v[i]->name.n
					     ? "uncore_"
					     : "",
				     STR_ARG(as_perf.text));
			return;
		}
}

/* What the user may have meant, if it is not a misspelt name. */
static void print_habits(const struct pq_encoder *e, struct pmuq_str word, struct pq_buf *hint)
{
	print_instances(e, word, hint);
	if (e->node->has_terms)
		return;
	print_raw(word, hint);
	pq_print_tracepoints(e, word, hint);
}

static void print_similar(const struct pq_encoder *e, struct pmuq_str word, struct pq_buf *hint)
{
	struct pq_near nearest = { .word = word };

	if (e->node->has_terms)
		consider_pmus(e, &nearest);
	consider_all_events(e, &nearest);
	pq_consider_vendor(e, NULL, &nearest);
	consider_generic(&nearest);
	pq_near_print(&nearest, hint);
	pq_print_manuals(e, word, hint);
}

void pq_hint_name(const struct pq_encoder *e, struct pmuq_str word)
{
	struct pq_buf hint = PQ_BUF_NULL;

	if (!pq_can_hint(e))
		return;
	if (str_has_glob(word)) {
		hint_glob(e, word, &hint);
	} else if (str_eq(word, STR("cpu"))) {
		print_core_pmus(e, &hint);
	} else {
		print_habits(e, word, &hint);
		if (!hint.n)
			print_similar(e, word, &hint);
	}
	if (!str_has_glob(word) && !str_eq(word, STR("cpu")))
		pq_print_incomplete(e, e->node->has_terms ? "PMUs" : "events", &hint);
	if (!hint.n)
		pq_buf_add(&hint, e->node->has_terms ? STR("`pmuq list` shows all PMUs")
						     : STR("`pmuq list events` shows all events"));
	pq_error_hint_buf(e->reterr, &hint);
}
