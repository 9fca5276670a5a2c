/* SPDX-License-Identifier: MIT */
/*
 * Tries an event on PMUs, one after the other; resolve_name.c finds the PMUs. Hundreds of uncore
 * PMUs have one definition: their encodings are copied if possible.
 */
#include "encode/resolve/expand.h"
#include "core/vendor/vendor_table.h"
#include "encode/attr/apply.h"
#include "encode/encode_lookup.h"
#include "encode/resolve/resolve.h"

/* Whether both are instances of one definition, so that encodings differ in type, name and CPUs
 * only. */
static bool same_definition(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	return a && a->definition->hash && a->definition == b->definition && a->has_type &&
	       b->has_type && a->is_core == b->is_core && a->is_uncore == b->is_uncore;
}

/* Whether the encoding depends on the instance only in the PMU's type, name and CPUs. */
static bool is_shareable(const struct pq_bindings *b)
{
	if (b->has_generic || b->has_cpus || b->sets_type || pq_has_default_config(b->pmu))
		return false;
	/* A file of each instance must match the event. */
	return !b->vendor || !b->vendor->compat.n;
}

/* Usual events need no bindings. A default config would make no difference: the number replaces it.
 */
static bool is_number(const struct pq_named *named, const struct pmuq_pmu *pmu)
{
	return named && named->is_alone && pq_counts_generic(pmu, &named->generic) &&
	       pmu->has_type && !pq_takes_probes(pmu);
}

static int encode_number(const struct pq_encoder *e, struct pq_expansion *x,
			 const struct pmuq_pmu *pmu, struct pq_encoding *ret)
{
	int r = pq_encoding_init(e, pmu, ret);

	x->vendor = NULL;
	x->is_shareable = false;
	if (r == 0)
		r = pq_apply_generic(e, pmu, &x->named->generic, ret);
	if (r == 0)
		r = pq_finish(e, ret);
	return r == 0 && pq_may_warn_modifiers(e, pmu, ret) ? pq_warn_modifiers(e, pmu, ret) : r;
}

/* All stages for one PMU. Warnings come last: they need the finished attr. */
static int encode_on(const struct pq_encoder *e, struct pq_expansion *x, const struct pmuq_pmu *pmu,
		     struct pq_encoding *ret)
{
	struct pq_bindings bindings;
	int r;

	if (is_number(x->named, pmu))
		return encode_number(e, x, pmu, ret);
	r = pq_bind(e, pmu, x->named, &bindings);
	if (r == 0)
		r = pq_merge(e, &bindings);
	if (r == 0)
		r = pq_encoding_init(e, pmu, ret);
	if (r == 0)
		r = pq_apply(e, &bindings, ret);
	if (r == 0)
		r = pq_finish(e, ret);
	if (r == 0)
		r = pq_warn_event(e, &bindings, ret);
	if (r == 0 && bindings.vendor)
		r = pq_warn_vendor(e, &bindings, ret);
	x->vendor = r == 0 ? bindings.vendor : NULL;
	if (PQ_HAS_TABLES && x->vendor) {
		ret->record.table = pmuq_vendor_content(pq_tables(e));
		ret->record.description = x->vendor->description;
	}
	/* Assignments name the files of their own PMU. */
	x->is_shareable = r == 0 && !pq_is_explained(e) && is_shareable(&bindings);
	return r;
}

/* Whether the newest encoding is right for this PMU, too. */
static bool serves(const struct pq_expansion *x, const struct pmuq_pmu *pmu)
{
	return same_definition(x->last, pmu) &&
	       (!PQ_HAS_TABLES || !x->vendor || pq_vendor_covers(x->vendor->pmu, pmu));
}

/* `ret` is a copy of `from`. */
static void set_instance(const struct pq_encoder *e, const struct pq_encoding *from,
			 const struct pmuq_pmu *pmu, struct pq_encoding *ret)
{
	pq_encoding_own(ret);
	ret->attr.type = pmu->type;
	ret->on = pmu;
	ret->record.pmu = pmu->name;
	ret->record.cpus = pmu->cpus;
	if (from->warnings && pq_share_warnings(e, from, ret) < 0)
		e->facts->failed = true;
}

/* A PMU that has the terms and rejects them explains more than one without the term. */
static bool explains_more(const struct pq_expansion *x, int r)
{
	return !x->n_refused || (x->refusal == -PMUQ_E_UNKNOWN_TERM && r != -PMUQ_E_UNKNOWN_TERM);
}

PQ_COLD static int note_refusal(const struct pq_encoder *e, struct pq_expansion *x,
				const struct pmuq_pmu *pmu, int r)
{
	if (pq_is_resource_error(r))
		return pq_fail_resource(e->reterr, r);
	if (r == -PMUQ_E_STALE_SOURCE)
		return pq_fail(e->reterr, PMUQ_E_STALE_SOURCE, "%s",
			       pmuq_code_meaning((unsigned)-r));
	if (explains_more(x, r))
		x->refusal = r;
	x->n_refused++;
	/* CPUs differ between instances; every other refusal applies to the whole definition. */
	x->refused = r == -PMUQ_E_NO_CPUS_LEFT ? NULL : pmu;
	return 0;
}

/* Only a refusal that may be reported gets a text, because making one is slow. */
static int try_terms(const struct pq_encoder *e, struct pq_expansion *x, const struct pmuq_pmu *pmu,
		     struct pq_encoding *ret)
{
	struct pq_encoder catching = *e;
	int r;

	catching.reterr = e->reterr && !x->n_refused ? &x->error : NULL;
	r = encode_on(&catching, x, pmu, ret);
	if (r >= 0 || !e->reterr || !x->n_refused || !explains_more(x, r) ||
	    pq_is_resource_error(r))
		return r;
	pmuq_error_free(x->error);
	x->error = NULL;
	catching.reterr = &x->error;
	return encode_on(&catching, x, pmu, ret);
}

/* Copies the first one n times: each time twice as many, since a large copy is quicker. */
static void repeat(struct pq_encoding *first, size_t n)
{
	for (size_t done = 1; done <= n;) {
		size_t more = done < n + 1 - done ? done : n + 1 - done;

		memcpy(first + done, first, more * sizeof(*first));
		done += more;
	}
}

/* Instances that follow one of their definition: their encodings are copies. Returns the index
 * after them. The result has memory for the whole list. */
static size_t copy_to_siblings(const struct pq_encoder *e, struct pq_expansion *x,
			       struct pq_pmu_list list, size_t i)
{
	struct pq_encoding *from = e->result->v + e->result->n - 1;
	size_t end = i;

	while (end < list.n && serves(x, list.v[end]))
		end++;
	repeat(from, end - i);
	x->n_tried += end - i;
	e->result->n += end - i;
	for (struct pq_encoding *copy = from + 1; i < end; i++, copy++)
		set_instance(e, from, list.v[i], copy);
	return end;
}

int pq_expand_on(const struct pq_encoder *e, struct pq_expansion *x, const struct pmuq_pmu *pmu)
{
	struct pq_encoding *slot = pq_result_slots(e->result, 1);
	int r;

	if (!slot)
		return pq_fail_too_many(e, 1);
	if (x->is_shareable && copy_to_siblings(e, x, (struct pq_pmu_list){ &pmu, 1 }, 0))
		return 0;
	x->n_tried++;
	if (same_definition(x->refused, pmu)) {
		x->n_refused++;
		return 0;
	}
	r = pq_lookup_fill(e, pmu);
	if (r < 0)
		return r;
	r = try_terms(e, x, pmu, slot);
	if (r < 0)
		return note_refusal(e, x, pmu, r);
	x->last = pmu;
	e->result->n++;
	return 0;
}

int pq_expand_on_list(const struct pq_encoder *e, struct pq_expansion *x, struct pq_pmu_list list,
		      bool skips_core)
{
	for (size_t i = 0; i < list.n;) {
		int r;

		if (skips_core && list.v[i]->is_core) {
			i++;
			continue;
		}
		if (!pq_result_slots(e->result, list.n - i))
			return pq_fail_too_many(e, list.n - i);
		r = pq_expand_on(e, x, list.v[i++]);
		if (r < 0)
			return r;
		if (x->is_shareable)
			i = copy_to_siblings(e, x, list, i);
	}
	return 0;
}

static int warn_incomplete(const struct pq_encoder *e, const struct pq_expansion *x)
{
	const struct pmuq_error *why = x->error;
	int r = 0;

	if (!x->n_refused || x->refusal == -PMUQ_E_NO_CPUS_LEFT)
		return 0;
	for (size_t i = x->first; i < e->result->n && r == 0; i++)
		r = pq_warn_at(e, &e->result->v[i], e->node->name_at, PMUQ_E_INCOMPLETE_MATCH,
			       "%zu of %zu PMUs reject the terms and were skipped: %s",
			       x->n_refused, x->n_tried,
			       why ? why->message.p : "they do not have these terms");
	return r;
}

int pq_expand_end(const struct pq_encoder *e, struct pq_expansion *x)
{
	int r;

	if (e->result->n > x->first) {
		r = warn_incomplete(e, x);
		return r == -PMUQ_E_MEMORY ? pq_fail_memory(e->reterr) : r;
	}
	if (x->refusal == -PMUQ_E_MEMORY)
		return pq_fail_memory(e->reterr);
	if (e->reterr)
		*e->reterr = move(x->error);
	return x->refusal;
}

void pq_expansion_clear(struct pq_expansion *x)
{
	pmuq_error_free(x->error);
}
