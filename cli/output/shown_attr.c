/* SPDX-License-Identifier: MIT */
#include "cli/output/shown_attr.h"
#include <inttypes.h>

/* Whether a field after the flags is set; most attrs have none. */
static bool has_more(const struct pmuq_attr *attr)
{
	static const struct pmuq_attr none;
	size_t before = offsetof(struct pmuq_attr, wakeup_events);

	return memcmp((const char *)attr + before, (const char *)&none + before,
		      sizeof(none) - before) != 0;
}

const struct pmuq_field *attr_next_shown(const struct pmuq_attr *attr, unsigned *index)
{
	unsigned i = *index;

	while (i > PQ_FIELD_config && i < PQ_FIELD_COUNT) {
		if (pq_attr_is_flag(i))
			i = pq_attr_next_flag(attr, i);
		if (i == PQ_FIELD_wakeup_events && !has_more(attr))
			i = PQ_FIELD_COUNT;
		if (i < PQ_FIELD_COUNT && pmuq_attr_get(attr, i))
			break;
		i++;
	}
	*index = i;
	return pmuq_attr_field(i);
}

void attr_print(struct pq_buf *to, const struct pmuq_attr *attr, enum pq_attr_field first)
{
	const struct pmuq_field *field;

	for (unsigned i = first; (field = attr_next_shown(attr, &i)); i++) {
		uint64_t value = pmuq_attr_get(attr, i);

		pq_buf_print(to, "%s%s=", i > first ? " " : "", field->name.p);
		if (field->format == PMUQ_FIELD_WORD)
			pq_buf_print(to, "0x%" PRIx64, value);
		else
			pq_buf_print(to, "%" PRId64, (int64_t)value);
	}
}

void attr_write(struct pq_sink *sink, const struct pmuq_attr *attr)
{
	const struct pmuq_field *field;

	pq_sink_open(sink, '{');
	for (unsigned i = 0; (field = attr_next_shown(attr, &i)); i++) {
		uint64_t value = pmuq_attr_get(attr, i);

		pq_sink_name(sink, field->name);
		if (field->format == PMUQ_FIELD_WORD)
			pq_sink_word(sink, value);
		else
			pq_sink_number(sink, (int64_t)value);
	}
	pq_sink_close(sink, '}');
}
