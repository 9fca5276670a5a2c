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

static bool same_deferred(const struct pmuq_encoding *a, const struct pmuq_encoding *b)
{
	size_t n = pmuq_encoding_deferred_count(a);

	if (pmuq_encoding_deferred_count(b) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same_text(pmuq_encoding_deferred_name(a, i),
			       pmuq_encoding_deferred_name(b, i)) ||
		    !same_text(pmuq_encoding_deferred_text(a, i),
			       pmuq_encoding_deferred_text(b, i)))
			return false;
	return true;
}

/* What is to be said of all boxes is said with the first. */
static bool same_warnings(const struct pmuq_encoding *a, const struct pmuq_encoding *b)
{
	size_t n = pmuq_encoding_warning_count(b);

	if (n && pmuq_encoding_warning_count(a) != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_error *one = pmuq_encoding_warning(a, i);
		const struct pmuq_error *other = pmuq_encoding_warning(b, i);

		if (pmuq_error_code(one) != pmuq_error_code(other) ||
		    pmuq_error_offset(one) != pmuq_error_offset(other))
			return false;
	}
	return true;
}

/* Of the PMU's own, the box is all that may differ. */
static bool same_assignment(const struct pmuq_assignment *a, const struct pmuq_assignment *b)
{
	bool is_pmus = pmuq_assignment_cause(a) == PMUQ_CAUSE_PMU;

	return pmuq_assignment_cause(a) == pmuq_assignment_cause(b) &&
	       same_text(pmuq_assignment_field(a), pmuq_assignment_field(b)) &&
	       (is_pmus || (pmuq_assignment_number(a) == pmuq_assignment_number(b) &&
			    same_text(pmuq_assignment_term(a), pmuq_assignment_term(b)))) &&
	       pmuq_assignment_mask(a) == pmuq_assignment_mask(b) &&
	       pmuq_assignment_offset(a) == pmuq_assignment_offset(b) &&
	       same_text(pmuq_assignment_event(a), pmuq_assignment_event(b)) &&
	       same_text(pmuq_assignment_input(a), pmuq_assignment_input(b));
}

static bool same_assignments(const struct pmuq_encoding *a, const struct pmuq_encoding *b)
{
	size_t n = pmuq_encoding_assignment_count(a);

	if (pmuq_encoding_assignment_count(b) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!same_assignment(pmuq_encoding_assignment(a, i),
				     pmuq_encoding_assignment(b, i)))
			return false;
	return true;
}

static bool same_verdict(const struct pmuq_verdicts *verdicts, size_t a, size_t b)
{
	if (!verdicts)
		return true;
	return pmuq_verdict_status(verdicts, a) == pmuq_verdict_status(verdicts, b) &&
	       pmuq_verdict_errno(verdicts, a) == pmuq_verdict_errno(verdicts, b) &&
	       pmuq_verdict_pid(verdicts, a) == pmuq_verdict_pid(verdicts, b) &&
	       same_text(pmuq_verdict_cpus(verdicts, a), pmuq_verdict_cpus(verdicts, b));
}

static bool is_in_group(const struct pmuq_encoding *encoding)
{
	size_t leader, members;
	const char *name;

	return pmuq_encoding_group(encoding, &leader, &members, &name);
}

static bool belongs(const struct fold *fold, const struct pmuq_encoding *b)
{
	const struct pmuq_encoding *a = fold_get(fold, 0);

	return !is_in_group(a) && !is_in_group(b) &&
	       same_text(pmuq_encoding_name(a), pmuq_encoding_name(b)) &&
	       pmuq_encoding_origin(a) == pmuq_encoding_origin(b) &&
	       same_attr(pmuq_encoding_attr(a), pmuq_encoding_attr(b)) &&
	       same_text(pmuq_encoding_cpus(a), pmuq_encoding_cpus(b)) &&
	       same_text(pmuq_encoding_unit(a), pmuq_encoding_unit(b)) &&
	       same_text(pmuq_encoding_scale(a), pmuq_encoding_scale(b)) &&
	       same_text(pmuq_encoding_probe_text(a), pmuq_encoding_probe_text(b)) &&
	       pmuq_encoding_is_per_pkg(a) == pmuq_encoding_is_per_pkg(b) &&
	       pmuq_encoding_is_snapshot(a) == pmuq_encoding_is_snapshot(b) &&
	       same_deferred(a, b) && same_warnings(a, b) && same_assignments(a, b);
}

void fold_grow(struct fold *fold)
{
	size_t n = pmuq_encodings_count(fold->encodings) - fold->first;

	for (fold->n = 1; fold->n < n; fold->n++)
		if (!belongs(fold, fold_get(fold, fold->n)) ||
		    !same_verdict(fold->verdicts, fold->first, fold->first + fold->n))
			return;
}

char *fold_types(const struct fold *fold)
{
	auto_free uint32_t *types = calloc(fold->n, sizeof(*types));

	for (size_t i = 0; types && i < fold->n; i++)
		types[i] = pmuq_encoding_attr(fold_get(fold, i))->type;
	return types ? pq_ranges_of_numbers(types, fold->n) : NULL;
}

char *fold_pmus(const struct fold *fold)
{
	auto_free const char **names = calloc(fold->n, sizeof(*names));

	for (size_t i = 0; names && i < fold->n; i++) {
		const char *name = pmuq_encoding_pmu(fold_get(fold, i));

		names[i] = name ? name : "";
	}
	return names ? pq_ranges_of_names(names, fold->n) : NULL;
}
