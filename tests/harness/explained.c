/* SPDX-License-Identifier: MIT */
#include "tests/harness/explained.h"
#include "core/buf.h"

static bool same_str(struct pmuq_str a, struct pmuq_str b)
{
	return a.n == b.n && (!a.n || memcmp(a.p, b.p, a.n) == 0);
}

static bool is_field(struct pmuq_str name)
{
	const struct pmuq_field *field;

	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		if (same_str(field->name, name))
			return true;
	return false;
}

/* The error of one assignment by itself; NULL if there is none. */
static const char *problem_of(const struct pmuq_assignment *a, const char *string)
{
	size_t n = a->input.p ? a->input.n : strlen(string);

	if (!is_field(a->field))
		return "names no field of an attr";
	if (!a->term.n)
		return "names no term";
	if (a->value & ~a->mask)
		return "has a value outside its mask";
	if (a->offset + a->length > n)
		return "has a span outside the text";
	if ((a->input.p != NULL) != (a->cause == PMUQ_CAUSE_EVENT))
		return "has an event's text and another cause, or no text";
	if (a->cause == PMUQ_CAUSE_EVENT && (!a->event.n || !a->origin.n))
		return "comes from an event without a name or a file";
	if (a->cause == PMUQ_CAUSE_TEXT && !a->length)
		return "has no location in the text";
	return pmuq_cause_name(a->cause) ? NULL : "has no cause";
}

static void check_fields(const struct pmuq_encoding *encoding, struct explained *seen,
			 struct pq_buf *problem)
{
	const struct pmuq_field *field;

	for (unsigned i = 0; !problem->n && (field = pmuq_attr_field(i)); i++) {
		uint64_t sum = 0, value = pmuq_attr_get(encoding->attr, i);

		for (size_t j = 0; j < encoding->n_assignments; j++) {
			const struct pmuq_assignment *a = pmuq_encoding_assignment(encoding, j);

			if (!a->is_overridden && same_str(a->field, field->name))
				sum |= a->value;
		}
		if (strcmp(field->name.p, "size") == 0)
			continue;
		seen->fields |= (uint64_t)(value != 0) << i;
		if (sum != value)
			pq_buf_print(problem, "%s is 0x%llx, assigned is 0x%llx", field->name.p,
				     (unsigned long long)value, (unsigned long long)sum);
	}
}

static void check_encoding(const struct pmuq_encoding *encoding, const char *string,
			   struct explained *seen, struct pq_buf *problem)
{
	for (size_t i = 0; i < encoding->n_assignments; i++) {
		const struct pmuq_assignment *a = pmuq_encoding_assignment(encoding, i);
		const char *why = problem_of(a, string);

		if (why)
			pq_buf_print(problem, "the assignment %zu, of '%.*s', %s", i,
				     STR_ARG(a->term), why);
	}
	check_fields(encoding, seen, problem);
	seen->n_encodings++;
}

/* The difference between the encodings with assignments and those without. */
static const char *difference(const struct pmuq_encoding *with, const struct pmuq_encoding *without)
{
	if (without->n_assignments)
		return "assignments that were not requested";
	if (with->attr->size != without->attr->size ||
	    memcmp(with->attr, without->attr, with->attr->size) != 0)
		return "another attr with assignments";
	if (!same_str(with->cpus, without->cpus) || with->n_warnings != without->n_warnings ||
	    with->n_tool_terms != without->n_tool_terms)
		return "other CPUs, warnings or tool terms with assignments";
	if (!same_str(with->name, without->name) || !same_str(with->pmu, without->pmu) ||
	    !same_str(with->unit, without->unit) || !same_str(with->scale, without->scale) ||
	    with->origin != without->origin)
		return "another name, PMU, unit, scale or origin with assignments";
	return NULL;
}

static void check_all(const struct pmuq_encodings *with, const struct pmuq_encodings *without,
		      const char *string, struct explained *seen, struct pq_buf *problem)
{
	size_t n = pmuq_encodings_count(with);

	if (n != pmuq_encodings_count(without))
		pq_buf_print(problem, "another number of encodings with assignments");
	for (size_t i = 0; i < n && !problem->n; i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(with, i);
		const char *why = difference(encoding, pmuq_encodings_get(without, i));

		if (why)
			pq_buf_print(problem, "%s", why);
		else
			check_encoding(encoding, string, seen, problem);
	}
}

static void check_with(const struct pmuq_catalog *catalog, const char *string,
		       struct pmuq_encode_options *options, struct explained *seen,
		       struct pq_buf *problem)
{
	struct pmuq_encodings *without = NULL, *with = NULL;
	int r = pmuq_catalog_encode(catalog, string, options, &without, NULL);

	options->with_assignments = true;
	if (pmuq_catalog_encode(catalog, string, options, &with, NULL) != r)
		pq_buf_print(problem, "another result with assignments");
	else if (r == 0)
		check_all(with, without, string, seen, problem);
	pmuq_encodings_free(without);
	pmuq_encodings_free(with);
}

char *explained_check(const struct pmuq_catalog *catalog, const char *string,
		      const struct pmuq_vendor *vendor, struct explained *seen)
{
	struct pq_buf problem = PQ_BUF_NULL;

	for (enum pmuq_dialect dialect = PMUQ_DIALECT_PMUQ; dialect <= PMUQ_DIALECT_PERF; dialect++)
		for (enum pmuq_preset preset = PMUQ_PRESET_NONE; preset <= PMUQ_PRESET_RECORD;
		     preset++) {
			struct pmuq_encode_options options = { .size = sizeof(options),
							       .dialect = dialect,
							       .preset = preset,
							       .vendor = vendor };

			check_with(catalog, string, &options, seen, &problem);
			if (!problem.n)
				continue;
			pq_buf_print(&problem, " ('%s', dialect %d, preset %d)", string, dialect,
				     preset);
			return pq_buf_take(&problem);
		}
	seen->n_strings++;
	pq_buf_free(&problem);
	return NULL;
}
