/* SPDX-License-Identifier: MIT */
/* cpu=: the CPUs to open an event on. */
#include "core/cpulist.h"
#include "core/num.h"
#include "encode/attr/apply.h"
#include "encode/encode_lookup.h"

#define TAKES "'cpu' takes a CPU that is present, a list, or a PMU"

static int bad_cpu(const struct pq_encoder *e, const struct pq_term *term, const char *wrong)
{
	int r = pq_fail_at(e, term->type == PQ_VALUE_NONE ? term->at : term->value_at,
			   PMUQ_E_BAD_VALUE, "%s", wrong);
	struct pmuq_str present = { 0 };
	int hinted = e->lookup.ops->fact(e->lookup.self, PQ_CLASS_CPUS_PRESENT, &present, NULL);

	e->facts->failed |= hinted == -PMUQ_E_MEMORY;
	if (hinted == 0)
		pq_error_hint(e->reterr, "CPUs of this machine: %s", present.p);
	return r;
}

/* perf's limit of a number in a list. */
#define LISTED_CPUS_MAX INT16_MAX

static bool read_number(struct pmuq_str text, unsigned *ret)
{
	uint64_t number;

	if (!text.n || !char_is_digit(text.p[0]) || pq_num_c(text, &number) != PQ_NUM_OK ||
	    number >= LISTED_CPUS_MAX)
		return false;
	*ret = (unsigned)number;
	return true;
}

/* As perf reads a list: numbers as in C, and no CPU twice. The kernel's lists are different
 * (core/cpulist.h). Returns what is wrong, or NULL. */
static const char *read_list(struct pmuq_str text, struct pq_cpus *ret)
{
	struct pmuq_str item, head, tail;

	while (str_next(&text, ',', &item)) {
		bool is_pair = str_cut(item, '-', &head, &tail);
		unsigned low, high;

		if (!read_number(head, &low) || !read_number(is_pair ? tail : head, &high) ||
		    low > high)
			return str_starts(head, STR("0")) && head.n > 1
				       ? "in a list, a number after 0 is octal, and after 0x hex"
				       : TAKES;
		if (!pq_cpus_add_new(ret, low, high))
			return "a list has no CPU twice";
	}
	return NULL;
}

/* What the terms cpu= name. */
struct wanted {
	struct pq_cpus cpus;
	const struct pq_binding *last; /* the last term that names CPUs; NULL if none does */
};

static int want(const struct pq_encoder *e, const struct pq_binding *binding,
		const struct pq_cpus *cpus, struct wanted *wanted)
{
	wanted->last = binding;
	return pq_cpus_unite(e->scratch, &wanted->cpus, cpus) ? 0 : pq_fail_memory(e->reterr);
}

/* The CPUs of a PMU. A PMU that does not have any of its own names no CPU, as in perf. */
static int want_pmu(const struct pq_encoder *e, const struct pq_binding *binding,
		    const struct pmuq_pmu *pmu, struct wanted *wanted)
{
	struct pq_cpus cpus = { 0 };
	int r = pq_lookup_fill(e, pmu);

	if (r < 0)
		return r;
	if (!pmu->is_core && !pmu->cpumask.n && !pmu->cpus_file.n)
		return 0;
	if (!pq_cpus_parse(e->scratch, pmu->cpus, &cpus))
		return bad_cpu(e, binding->term, TAKES);
	return want(e, binding, &cpus, wanted);
}

static int want_word(const struct pq_encoder *e, const struct pq_binding *binding,
		     struct wanted *wanted)
{
	const struct pmuq_pmu *pmu;
	struct pq_cpus cpus;
	const char *wrong;
	int r = pq_find_pmu(e, binding->term->value, &pmu);

	if (r < 0)
		return r;
	if (r == 0)
		return want_pmu(e, binding, pmu, wanted);
	if (!pq_cpus_begin(e->scratch, &cpus))
		return pq_fail_memory(e->reterr);
	wrong = read_list(binding->term->value, &cpus);
	if (wrong)
		return bad_cpu(e, binding->term, wrong);
	return want(e, binding, &cpus, wanted);
}

static int want_number(const struct pq_encoder *e, const struct pq_binding *binding,
		       struct wanted *wanted)
{
	const struct pq_term *term = binding->term;
	uint64_t number = term->type == PQ_VALUE_NONE ? 1 : term->number;
	struct pmuq_str present = { 0 };
	struct pq_cpus all = { 0 }, one;
	int r = pq_query(e, fact, PQ_CLASS_CPUS_PRESENT, &present);

	if (r == PQ_NONE)
		r = pq_online_cpus(e, &present);
	if (r < 0)
		return r;
	if (term->type == PQ_VALUE_PARAMETER || !pq_cpus_parse(e->scratch, present, &all) ||
	    number >= all.n_words * 64 || pq_cpus_next(&all, (unsigned)number) == PQ_CPUS_MAX)
		return bad_cpu(e, term, TAKES);
	if (!pq_cpus_begin(e->scratch, &one))
		return pq_fail_memory(e->reterr);
	pq_cpus_add_new(&one, (unsigned)number, (unsigned)number);
	return want(e, binding, &one, wanted);
}

static int no_cpus_left(const struct pq_encoder *e, const struct pq_bindings *b,
			const struct pq_binding *last, struct pmuq_str own)
{
	int r = pq_fail_at(e, last->term->at, PMUQ_E_NO_CPUS_LEFT,
			   "no CPU is left: '%s' counts on %s", b->pmu->name.p,
			   own.n ? own.p : "no known CPU");

	return pq_fail_in_event(e, b, last, r);
}

int pq_limit_cpus(const struct pq_encoder *e, const struct pq_bindings *b,
		  struct pq_encoding *encoding)
{
	struct wanted wanted = { .last = NULL };
	struct pq_cpus own = { 0 };
	struct pq_buf text = PQ_BUF_IN(e->arena);

	for (size_t i = 0; i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];
		int r;

		if (binding->role != PQ_ROLE_KEYWORD || binding->keyword->effect != PQ_SETS_CPUS)
			continue;
		r = binding->term->type == PQ_VALUE_WORD ? want_word(e, binding, &wanted)
							 : want_number(e, binding, &wanted);
		r = pq_fail_in_event(e, b, binding, r);
		if (r < 0)
			return r;
	}
	if (!wanted.last)
		return 0;
	/* The file of a PMU may contain something else than a list: then no CPU is left. */
	pq_cpus_parse(e->scratch, encoding->record.cpus, &own);
	pq_cpus_intersect(&wanted.cpus, &own);
	encoding->is_limited = pq_cpus_count(&wanted.cpus) < pq_cpus_count(&own);
	if (!pq_cpus_count(&wanted.cpus))
		return no_cpus_left(e, b, wanted.last, encoding->record.cpus);
	pq_cpus_print(&wanted.cpus, &text);
	encoding->record.cpus = pq_buf_take_str(&text);
	return encoding->record.cpus.p ? 0 : pq_fail_memory(e->reterr);
}
