/* SPDX-License-Identifier: MIT */
#include "cli/output/doc.h"

/* `type`, `size` and `config` are written even if they are 0. */
#define ALWAYS_WRITTEN_BYTES 16

void doc_attr(struct pq_sink *doc, const struct pmuq_attr *attr)
{
	const struct pmuq_field *field;

	doc_key(doc, "attr");
	doc_open(doc, '{');
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++) {
		uint64_t value = pmuq_attr_get(attr, i);

		if (!value && field->end_bytes > ALWAYS_WRITTEN_BYTES)
			continue;
		doc_key(doc, field->name.p);
		if (field->format == PMUQ_FIELD_WORD)
			pq_sink_word(doc, value);
		else
			pq_sink_number(doc, (int64_t)value);
	}
	doc_close(doc, '}');
}
