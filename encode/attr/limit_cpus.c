/* SPDX-License-Identifier: MIT */
/* cpu=: the CPUs to open an event on. */
#include "core/cpulist.h"
#include "core/num.h"
#include "encode/attr/apply.h"
#include "encode/encode_lookup.h"

static int bad_cpu(const struct pq_encoder *e, const struct pq_term *term)
{
	int r = pq_fail_at(e, term->type == PQ_VALUE_NONE ? term->at : term->value_at,
			   PMUQ_E_BAD_VALUE, "'cpu' takes a CPU that is present, a list, or a PMU");
	struct pmuq_str present = { 0 };
	int hinted = e->lookup.ops->fact(e->lookup.self, PQ_CLASS_CPUS_PRESENT, &present, NULL);

	e->facts->failed |= hinted == -PMUQ_E_MEMORY;
	if (hinted == 0)
		pq_error_hint(e->reterr, "CPUs of this machine: %s", present.p);
	return r;
}

/* The CPUs that a value of cpu= names: a PMU's, a list, or one number. */
static int named_cpus(const struct pq_encoder *e, const struct pq_term *term, struct pq_cpus *ret)
{
	const struct pmuq_pmu *pmu;
	uint64_t number = term->type == PQ_VALUE_NONE ? 1 : term->number;
	struct pmuq_str present = { 0 };
	char digits[PQ_NUM_DIGITS_MAX];
	struct pq_cpus all = { 0 };
	int r;

	if (term->type == PQ_VALUE_WORD) {
		r = pq_find_pmu(e, term->value, &pmu);
		if (r == 0)
			r = pq_lookup_fill(e, pmu);
		if (r < 0)
			return r;
		if (r == 0)
			return pq_cpus_parse(e->scratch, pmu->cpus, ret) ? 0 : bad_cpu(e, term);
		return pq_cpus_parse(e->scratch, term->value, ret) && ret->n_words
			       ? 0
			       : bad_cpu(e, term);
	}
	r = pq_query(e, fact, PQ_CLASS_CPUS_PRESENT, &present);
	if (r == PQ_NONE)
		r = pq_online_cpus(e, &present);
	if (r < 0)
		return r;
	if (term->type == PQ_VALUE_PARAMETER || !pq_cpus_parse(e->scratch, present, &all) ||
	    number >= all.n_words * 64 || pq_cpus_next(&all, (unsigned)number) == PQ_CPUS_MAX)
		return bad_cpu(e, term);
	return pq_cpus_parse(e->scratch, pq_num_print(number, &digits), ret) ? 0 : bad_cpu(e, term);
}

int pq_limit_cpus(const struct pq_encoder *e, const struct pq_bindings *b,
		  struct pq_encoding *encoding)
{
	struct pq_cpus wanted = { 0 }, own = { 0 };
	const struct pq_binding *last = NULL;
	struct pq_buf text = PQ_BUF_IN(e->arena);

	for (size_t i = 0; i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];
		struct pq_cpus cpus = { 0 };
		int r;

		if (binding->role != PQ_ROLE_KEYWORD || binding->keyword->effect != PQ_SETS_CPUS)
			continue;
		r = pq_fail_in_event(e, b, binding, named_cpus(e, binding->term, &cpus));
		if (r < 0)
			return r;
		if (!pq_cpus_unite(e->scratch, &wanted, &cpus))
			return pq_fail_memory(e->reterr);
		last = binding;
	}
	if (!last)
		return 0;
	/* The file of a PMU may contain something else than a list: then no CPU is left. */
	pq_cpus_parse(e->scratch, encoding->record.cpus, &own);
	pq_cpus_intersect(&wanted, &own);
	if (!pq_cpus_count(&wanted)) {
		int r = pq_fail_at(e, last->term->at, PMUQ_E_NO_CPUS_LEFT,
				   "no CPU is left: '%s' counts on %s", b->pmu->name.p,
				   encoding->record.cpus.n ? encoding->record.cpus.p
							   : "no known CPU");
		return pq_fail_in_event(e, b, last, r);
	}
	pq_cpus_print(&wanted, &text);
	encoding->record.cpus = pq_buf_take_str(&text);
	return encoding->record.cpus.p ? 0 : pq_fail_memory(e->reterr);
}
