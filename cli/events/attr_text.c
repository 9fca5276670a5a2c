/* SPDX-License-Identifier: MIT */
#include "cli/events/attr_text.h"
#include <inttypes.h>

void attr_print(struct pq_buf *to, const struct pmuq_attr *attr, unsigned first)
{
	const struct pmuq_field *field;

	for (unsigned i = first; (field = pmuq_attr_field(i)); i++) {
		uint64_t value = pmuq_attr_get(attr, i);

		if (!attr_shows(attr, i))
			continue;
		pq_buf_print(to, "%s%s=", i > first ? " " : "", field->name.p);
		if (field->format == PMUQ_FIELD_WORD)
			pq_buf_print(to, "0x%" PRIx64, value);
		else
			pq_buf_print(to, "%" PRId64, (int64_t)value);
	}
}
