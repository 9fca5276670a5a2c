/* SPDX-License-Identifier: MIT */
#include "cli/events/fold_encodings.h"
#include "core/ranges.h"
#include <string.h>

const struct pmuq_encoding *fold_get(const struct fold *fold, size_t index)
{
	return pmuq_encodings_get(fold->encodings, fold->first + index);
}

static bool same_text(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return strcmp(a, b) == 0;
}

static bool same_attr(const struct pmuq_attr *a, const struct pmuq_attr *b)
{
	struct pmuq_attr of_type_b;

	if (a->size != b->size)
		return false;
	memcpy(&of_type_b, a, a->size);
	of_type_b.type = b->type;
	return memcmp(&of_type_b, b, a->size) == 0;
}

static bool same_tool_terms(const struct pmuq_encoding *a, const struct pmuq_encoding *b)
{
	size_t n = a->n_tool_terms;

	if (b->n_tool_terms != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same_text(pmuq_encoding_tool_term(a, i)->name.p,
			       pmuq_encoding_tool_term(b, i)->name.p) ||
		    !same_text(pmuq_encoding_tool_term(a, i)->text.p,
			       pmuq_encoding_tool_term(b, i)->text.p))
			return false;
	return true;
}

/* Warnings of all instances are printed with the first. */
static bool same_warnings(const struct pmuq_encoding *a, const struct pmuq_encoding *b)
{
	size_t n = b->n_warnings;

	if (n && a->n_warnings != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_error *one = pmuq_encoding_warning(a, i);
		const struct pmuq_error *other = pmuq_encoding_warning(b, i);

		if (one->code != other->code || one->offset != other->offset)
			return false;
	}
	return true;
}

/* Only the instance may differ. */
static bool same_assignment(const struct pmuq_assignment *a, const struct pmuq_assignment *b)
{
	bool is_pmus = a->cause == PMUQ_CAUSE_PMU;

	return a->cause == b->cause && same_text(a->field.p, b->field.p) &&
	       (is_pmus || (a->number == b->number && same_text(a->term.p, b->term.p))) &&
	       a->mask == b->mask && a->offset == b->offset && same_text(a->event.p, b->event.p) &&
	       same_text(a->input.p, b->input.p);
}

static bool same_assignments(const struct pmuq_encoding *a, const struct pmuq_encoding *b)
{
	size_t n = a->n_assignments;

	if (b->n_assignments != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same_assignment(pmuq_encoding_assignment(a, i),
				     pmuq_encoding_assignment(b, i)))
			return false;
	return true;
}

static bool same_open(const struct pmuq_open_results *opens, size_t a, size_t b)
{
	if (!opens)
		return true;
	return pmuq_open_results_get(opens, a)->status == pmuq_open_results_get(opens, b)->status &&
	       pmuq_open_results_get(opens, a)->errnum == pmuq_open_results_get(opens, b)->errnum &&
	       pmuq_open_results_get(opens, a)->pid == pmuq_open_results_get(opens, b)->pid &&
	       same_text(pmuq_open_results_get(opens, a)->cpus.p,
			 pmuq_open_results_get(opens, b)->cpus.p);
}

static bool belongs(const struct fold *fold, const struct pmuq_encoding *b)
{
	const struct pmuq_encoding *a = fold_get(fold, 0);

	return !a->n_members && !b->n_members && same_text(a->name.p, b->name.p) &&
	       a->origin == b->origin && same_attr(a->attr, b->attr) &&
	       same_text(a->cpus.p, b->cpus.p) && same_text(a->unit.p, b->unit.p) &&
	       same_text(a->scale.p, b->scale.p) && same_text(a->probe_text.p, b->probe_text.p) &&
	       a->is_per_pkg == b->is_per_pkg && a->is_snapshot == b->is_snapshot &&
	       same_tool_terms(a, b) && same_warnings(a, b) && same_assignments(a, b);
}

void fold_grow(struct fold *fold)
{
	size_t n = pmuq_encodings_count(fold->encodings) - fold->first;

	for (fold->n = 1; fold->n < n; fold->n++)
		if (!belongs(fold, fold_get(fold, fold->n)) ||
		    !same_open(fold->opens, fold->first, fold->first + fold->n))
			return;
}

char *fold_types(const struct fold *fold)
{
	auto_free uint32_t *types = calloc(fold->n, sizeof(*types));

	for (size_t i = 0; types && i < fold->n; i++)
		types[i] = fold_get(fold, i)->attr->type;
	return types ? pq_ranges_of_numbers(types, fold->n) : NULL;
}

char *fold_pmus(const struct fold *fold)
{
	auto_free const char **names = calloc(fold->n, sizeof(*names));

	for (size_t i = 0; names && i < fold->n; i++) {
		const char *name = fold_get(fold, i)->pmu.p;

		names[i] = name ? name : "";
	}
	return names ? pq_ranges_of_names(names, fold->n) : NULL;
}
