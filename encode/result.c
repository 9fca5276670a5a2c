/* SPDX-License-Identifier: MIT */
/*
 * Memory and public functions of a result. The stages fill it; result.h describes when its records
 * are complete.
 */
#include "encode/result.h"
#include "core/limits.h"

static __attribute__((noinline)) void init(struct pmuq_encodings *result, void *first,
					   size_t first_bytes, size_t cap_bytes)
{
	result->n = 0;
	result->owned = NULL;
	result->input = (struct pmuq_str){ 0 };
	result->is_callers = false;
	pq_arena_init(&result->arena, first, first_bytes, cap_bytes);
	/* Most results have one encoding: the array need not grow for it. */
	result->v = pq_arena_take(&result->arena, sizeof(*result->v));
	result->capacity = result->v ? 1 : 0;
}

struct pmuq_encodings *pq_result_new(void)
{
	/* Not calloc: the first block need not be zeroed, and most of it is never touched. */
	struct pmuq_encodings *result = malloc(sizeof(*result));

	if (!result)
		return NULL;
	init(result, result->first, sizeof(result->first), PQ_ENCODE_MAX_BYTES);
	return result;
}

struct pmuq_encodings *pq_result_new_in(void *memory, size_t bytes)
{
	size_t skew = (16 - ((uintptr_t)memory & 15)) & 15;
	const size_t head = offsetof(struct pmuq_encodings, first);
	struct pmuq_encodings *result;

	if (bytes < skew || bytes - skew < sizeof(*result))
		return NULL;
	result = (struct pmuq_encodings *)((char *)memory + skew);
	init(result, (char *)result + head, bytes - skew - head, 0);
	result->is_callers = true;
	return result;
}

struct pq_encoding *pq_result_reserve(struct pmuq_encodings *result, size_t n)
{
	if (n > PQ_ENCODINGS_MAX - result->n || !pq_vec_reserve_in(&result->arena, result, n))
		return NULL;
	return result->v + result->n;
}

PQ_COLD struct pq_warning *pq_result_keep(struct pmuq_encodings *result, struct pmuq_error *warning)
{
	struct pq_warning *node = pq_arena_zero(&result->arena, sizeof(*node));

	if (!node) {
		pmuq_error_free(warning);
		return NULL;
	}
	node->error = warning;
	node->next_owned = result->owned;
	result->owned = node;
	return node;
}

static void count_lists(struct pq_encoding *encoding)
{
	for (const struct pq_assignments *a = encoding->assignments; a; a = a->next)
		encoding->record.n_assignments += a->n;
	for (const struct pq_warning *w = encoding->warnings; w; w = w->next)
		encoding->record.n_warnings++;
}

void pq_result_complete(struct pmuq_encodings *result)
{
	for (size_t i = 0; i < result->n; i++) {
		struct pq_encoding *encoding = &result->v[i];

		encoding->record.attr = &encoding->attr;
		encoding->record.n_tool_terms = encoding->tool_terms.n;
		if (encoding->assignments || encoding->warnings)
			count_lists(encoding);
	}
}

PQ_COLD void pq_result_forget(struct pmuq_encodings *result, enum pmuq_code code)
{
	for (size_t i = 0; i < result->n; i++) {
		struct pq_warning **at = &result->v[i].warnings;

		while (*at) {
			if ((*at)->error->code != code) {
				at = &(*at)->next;
				continue;
			}
			*at = (*at)->next;
			result->v[i].record.n_warnings--;
		}
	}
}

PQ_API void pmuq_encodings_free(struct pmuq_encodings *encodings)
{
	if (!encodings || encodings->is_callers)
		return;
	for (struct pq_warning *w = encodings->owned; w; w = w->next_owned)
		pmuq_error_free(w->error);
	pq_arena_clear(&encodings->arena);
	free(encodings);
}

PQ_API size_t pmuq_encodings_count(const struct pmuq_encodings *encodings)
{
	return encodings->n;
}

PQ_API PQ_COLD bool pmuq_encodings_are_live(const struct pmuq_encodings *encodings)
{
	return encodings->is_live;
}

PQ_API const struct pmuq_encoding *pmuq_encodings_get(const struct pmuq_encodings *encodings,
						      size_t index)
{
	return index < encodings->n ? &encodings->v[index].record : NULL;
}

PQ_API PQ_COLD const char *pmuq_origin_name(enum pmuq_origin origin)
{
	static const char *const names[] = { "format",	   "sysfs", "generic", "raw", "breakpoint",
					     "tracepoint", "probe", "pfm",     "json" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (origin == (enum pmuq_origin)(1 << i))
			return names[i];
	return NULL;
}

static const struct pq_encoding *encoding_of(const struct pmuq_encoding *record)
{
	return (const struct pq_encoding *)record;
}

PQ_API const struct pmuq_tool_term *pmuq_encoding_tool_term(const struct pmuq_encoding *encoding,
							    size_t index)
{
	return index < encoding->n_tool_terms ? &encoding_of(encoding)->tool_terms.v[index].record
					      : NULL;
}

PQ_API PQ_COLD const struct pmuq_assignment *
pmuq_encoding_assignment(const struct pmuq_encoding *encoding, size_t index)
{
	const struct pq_assignments *list = encoding_of(encoding)->assignments;

	if (index >= encoding->n_assignments)
		return NULL;
	for (; index >= PQ_ASSIGNMENTS_EACH; index -= PQ_ASSIGNMENTS_EACH)
		list = list->next;
	return &list->v[index];
}

PQ_API PQ_COLD const struct pmuq_error *pmuq_encoding_warning(const struct pmuq_encoding *encoding,
							      size_t index)
{
	const struct pq_warning *warning = encoding_of(encoding)->warnings;

	while (warning && index--)
		warning = warning->next;
	return warning ? warning->error : NULL;
}
