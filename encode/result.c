/* SPDX-License-Identifier: MIT */
#include "encode/result.h"
#include "encode/limits.h"

static void init(struct pmuq_encodings *result, void *first, size_t first_bytes, size_t cap_bytes)
{
	result->v = NULL;
	result->n = result->room = 0;
	result->owned = NULL;
	result->is_callers = false;
	pq_arena_init(&result->arena, first, first_bytes, cap_bytes);
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

struct pmuq_encoding *pq_result_reserve(struct pmuq_encodings *result, size_t n)
{
	size_t need = result->n + n, room = result->room * 2;
	struct pmuq_encoding *v;

	if (need <= result->room)
		return result->v + result->n;
	if (need > PQ_ENCODINGS_MAX)
		return NULL;
	room = room > need ? room : need;
	v = pq_arena_take(&result->arena, room * sizeof(*v));
	if (!v)
		return NULL;
	if (result->n)
		memcpy(v, result->v, result->n * sizeof(*v));
	result->v = v;
	result->room = room;
	return v + result->n;
}

struct pq_warning *pq_result_keep(struct pmuq_encodings *result, struct pmuq_error *warning)
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

PQ_API const struct pmuq_encoding *pmuq_encodings_get(const struct pmuq_encodings *encodings,
						      size_t index)
{
	return index < encodings->n ? &encodings->v[index] : NULL;
}

PQ_API const char *pmuq_encoding_name(const struct pmuq_encoding *encoding)
{
	return encoding->name;
}

PQ_API const char *pmuq_encoding_pmu(const struct pmuq_encoding *encoding)
{
	return encoding->on ? encoding->on->name.p : NULL;
}

PQ_API enum pmuq_origin pmuq_encoding_origin(const struct pmuq_encoding *encoding)
{
	return encoding->origin;
}

PQ_API const char *pmuq_origin_name(enum pmuq_origin origin)
{
	static const char *const names[] = { "format",	   "sysfs", "generic", "raw", "breakpoint",
					     "tracepoint", "probe", "pfm",     "json" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (origin == (enum pmuq_origin)(1 << i))
			return names[i];
	return NULL;
}

PQ_API const struct pmuq_attr *pmuq_encoding_attr(const struct pmuq_encoding *encoding)
{
	return &encoding->attr;
}

PQ_API const char *pmuq_encoding_cpus(const struct pmuq_encoding *encoding)
{
	return encoding->cpus.p ? encoding->cpus.p : "";
}

PQ_API bool pmuq_encoding_needs_cpu(const struct pmuq_encoding *encoding)
{
	return encoding->needs_cpu;
}

PQ_API const char *pmuq_encoding_unit(const struct pmuq_encoding *encoding)
{
	return encoding->unit.p;
}

PQ_API const char *pmuq_encoding_scale(const struct pmuq_encoding *encoding)
{
	return encoding->scale.p;
}

PQ_API bool pmuq_encoding_is_per_pkg(const struct pmuq_encoding *encoding)
{
	return encoding->is_per_pkg;
}

PQ_API bool pmuq_encoding_is_snapshot(const struct pmuq_encoding *encoding)
{
	return encoding->is_snapshot;
}

PQ_API bool pmuq_encoding_group(const struct pmuq_encoding *encoding, size_t *ret_leader,
				size_t *ret_members, const char **ret_name)
{
	if (!encoding->members)
		return false;
	*ret_leader = encoding->leader;
	*ret_members = encoding->members;
	*ret_name = encoding->group_name;
	return true;
}

PQ_API const char *pmuq_encoding_probe_text(const struct pmuq_encoding *encoding)
{
	return encoding->probe;
}

PQ_API const char *pmuq_encoding_probe_field(const struct pmuq_encoding *encoding)
{
	return encoding->probe ? encoding->probe_field : NULL;
}

PQ_API size_t pmuq_encoding_deferred_count(const struct pmuq_encoding *encoding)
{
	return encoding->tool_terms.n;
}

PQ_API const char *pmuq_encoding_deferred_name(const struct pmuq_encoding *encoding, size_t index)
{
	return index < encoding->tool_terms.n ? encoding->tool_terms.v[index].name : NULL;
}

PQ_API const char *pmuq_encoding_deferred_text(const struct pmuq_encoding *encoding, size_t index)
{
	return index < encoding->tool_terms.n ? encoding->tool_terms.v[index].text : NULL;
}

PQ_API bool pmuq_encoding_deferred_is_number(const struct pmuq_encoding *encoding, size_t index)
{
	return index < encoding->tool_terms.n && encoding->tool_terms.v[index].is_number;
}

PQ_API size_t pmuq_encoding_warning_count(const struct pmuq_encoding *encoding)
{
	size_t n = 0;

	for (const struct pq_warning *w = encoding->warnings; w; w = w->next)
		n++;
	return n;
}

PQ_API const struct pmuq_error *pmuq_encoding_warning(const struct pmuq_encoding *encoding,
						      size_t index)
{
	const struct pq_warning *warning = encoding->warnings;

	while (warning && index--)
		warning = warning->next;
	return warning ? warning->error : NULL;
}
