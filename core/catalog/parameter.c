/* SPDX-License-Identifier: MIT */
/* The parameters of an event: its terms that take their value from the event string. */
#include "core/catalog/model.h"
#include "core/event/terms.h"

/* Enough for the terms of any event, so that the call needs no other memory. */
#define TERMS_BYTES (PQ_TERMS_MAX * sizeof(struct pq_term) + 64)

PQ_API const struct pmuq_format *pmuq_pmu_parameter(const struct pmuq_pmu *pmu, const char *event,
						    size_t index)
{
	const struct pq_def *def = pq_def_of(pmu);
	const struct pmuq_event *found = pq_def_event(def, str_of(event));
	_Alignas(16) char memory[TERMS_BYTES];
	const struct pmuq_format *format;
	struct pq_term *terms = NULL;
	auto_arena struct pq_arena arena = { 0 };

	if (!found || !found->terms.n || !memchr(found->terms.p, '?', found->terms.n))
		return NULL;
	pq_arena_init(&arena, memory, sizeof(memory), sizeof(memory));
	pq_parse_terms(&arena, found->terms, &terms, NULL);
	for (const struct pq_term *term = terms; term; term = term->next) {
		if (term->type != PQ_VALUE_PARAMETER)
			continue;
		format = pq_def_format(def, term->key);
		if (format && !index--)
			return format;
	}
	return NULL;
}
