/* SPDX-License-Identifier: MIT */
/* Tool terms: terms that a counting or sampling tool applies, and that are not part of the attr. */
#include "core/event/keywords.h"
#include "core/num.h"
#include "encode/attr/apply.h"

const struct pq_tool_term *pq_tool_term_find(const struct pq_tool_terms *terms, const char *name)
{
	for (size_t i = 0; i < terms->n; i++)
		if (strcmp(terms->v[i].record.name.p, name) == 0)
			return &terms->v[i];
	return NULL;
}

/* Settings of a driver all apply, so they are one term with a list. No setting contains a comma. */
static struct pmuq_str value_after(const struct pq_encoder *e, const struct pq_tool_term *earlier,
				   struct pmuq_str text)
{
	struct pq_buf list = PQ_BUF_IN(e->arena);

	if (strcmp(earlier->record.name.p, PQ_DRIVER_SETTING) != 0)
		return pq_keep_str(e, text);
	pq_buf_print(&list, "%s,%.*s", earlier->record.text.p, STR_ARG(text));
	e->facts->failed |= list.failed;
	return pq_buf_take_str(&list);
}

void pq_add_tool_term(const struct pq_encoder *e, struct pq_encoding *encoding, const char *name,
		      struct pmuq_str text, struct pq_span at, bool is_number)
{
	struct pq_tool_terms *terms = &encoding->tool_terms;
	size_t i = 0;

	if (!pq_vec_reserve_in(e->arena, terms, 1)) {
		e->facts->failed = true;
		return;
	}
	while (i < terms->n && strcmp(terms->v[i].record.name.p, name) != 0)
		i++;
	terms->v[i] = (struct pq_tool_term){
		.record = { .size = sizeof(terms->v[i].record),
			    .name = str_of(name),
			    .text = i < terms->n ? value_after(e, &terms->v[i], text)
						 : pq_keep_str(e, text),
			    .is_number = is_number },
		.at = at,
	};
	terms->n += i == terms->n;
}

void pq_add_tool_number(const struct pq_encoder *e, struct pq_encoding *encoding, const char *name,
			uint64_t value, struct pq_span at)
{
	char digits[PQ_NUM_DIGITS_MAX];

	pq_add_tool_term(e, encoding, name, pq_num_print(value, &digits), at, true);
}
