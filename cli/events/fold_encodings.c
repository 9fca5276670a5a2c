/* SPDX-License-Identifier: MIT */
/*
 * Decides which adjacent encodings are printed as one. Everything that is printed must be equal,
 * except the PMU and its type. Members of groups are never folded, because their indexes matter.
 */
#include "cli/events/fold_encodings.h"
#include "cli/or_die.h"
#include "core/ranges.h"
#include <string.h>

const struct pmuq_encoding *fold_get(const struct fold *fold, size_t index)
{
	return pmuq_encodings_get(fold->encodings, fold->first + index);
}

/* The bytes up to attr.size; the type may differ. */
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
	for (size_t i = 0; i < a->n_tool_terms && i < b->n_tool_terms; i++) {
		const struct pmuq_tool_term *one = pmuq_encoding_tool_term(a, i);
		const struct pmuq_tool_term *other = pmuq_encoding_tool_term(b, i);

		if (!str_eq(one->name, other->name) || !str_eq(one->text, other->text))
			return false;
	}
	return a->n_tool_terms == b->n_tool_terms;
}

/* Instances share their warnings. */
static bool same_warnings(const struct pmuq_encoding *a, const struct pmuq_encoding *b)
{
	for (size_t i = 0; i < a->n_warnings; i++)
		if (pmuq_encoding_warning(a, i) != pmuq_encoding_warning(b, i))
			return false;
	return a->n_warnings == b->n_warnings;
}

/* The PMUs may only differ in the instance number. */
static bool same_assignment(const struct pmuq_assignment *a, const struct pmuq_assignment *b)
{
	bool is_pmus = a->cause == PMUQ_CAUSE_PMU;

	return a->cause == b->cause && str_eq(a->field, b->field) &&
	       (is_pmus || (a->number == b->number && str_eq(a->term, b->term))) &&
	       a->mask == b->mask && a->offset == b->offset && str_eq(a->event, b->event) &&
	       str_eq(a->input, b->input);
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

static bool same_open(const struct pmuq_open_results *opens, size_t first, size_t second)
{
	const struct pmuq_open_result *a = pmuq_open_results_get(opens, first);
	const struct pmuq_open_result *b = pmuq_open_results_get(opens, second);

	return !opens || (a->status == b->status && a->errnum == b->errnum && a->pid == b->pid &&
			  str_eq(a->cpus, b->cpus));
}

static bool belongs(const struct fold *fold, const struct pmuq_encoding *b)
{
	const struct pmuq_encoding *a = fold_get(fold, 0);

	return a->event == b->event && !a->n_members && !b->n_members && str_eq(a->name, b->name) &&
	       a->origin == b->origin && same_attr(a->attr, b->attr) && str_eq(a->cpus, b->cpus) &&
	       str_eq(a->unit, b->unit) && str_eq(a->scale, b->scale) &&
	       str_eq(a->probe_text, b->probe_text) && a->is_per_pkg == b->is_per_pkg &&
	       a->is_snapshot == b->is_snapshot && same_tool_terms(a, b) && same_warnings(a, b) &&
	       same_assignments(a, b);
}

bool fold_next(struct fold *fold)
{
	size_t n;

	fold->first += fold->n;
	n = fold->encodings ? pmuq_encodings_count(fold->encodings) - fold->first : 0;
	for (fold->n = n > 0; fold->n < n && !fold->keeps_apart; fold->n++)
		if (!belongs(fold, fold_get(fold, fold->n)) ||
		    !same_open(fold->opens, fold->first, fold->first + fold->n))
			break;
	return n > 0;
}

char *fold_types(const struct fold *fold)
{
	auto_free uint32_t *types = or_die(calloc(fold->n, sizeof(*types)));

	for (size_t i = 0; i < fold->n; i++)
		types[i] = fold_get(fold, i)->attr->type;
	return or_die(pq_ranges_of_numbers(types, fold->n));
}

char *fold_pmus(const struct fold *fold)
{
	auto_free struct pmuq_str *names = or_die(calloc(fold->n, sizeof(*names)));

	for (size_t i = 0; i < fold->n; i++)
		names[i] = fold_get(fold, i)->pmu;
	return or_die(pq_ranges_of_names(names, fold->n));
}
