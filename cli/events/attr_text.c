/* SPDX-License-Identifier: MIT */
#include "cli/events/attr_text.h"
#include <inttypes.h>
#include <stdio.h>

bool attr_text_next(struct attr_text *text, const struct pmuq_attr *attr)
{
	const struct pmuq_field *field;

	while ((field = pmuq_attr_field(text->next))) {
		unsigned i = text->next++;
		uint64_t value = pmuq_attr_get(attr, i);

		if (!value && i > ATTR_CONFIG)
			continue;
		if (pmuq_attr_field(i)->format == PMUQ_FIELD_WORD)
			snprintf(text->text, sizeof(text->text), "%s=0x%" PRIx64, field->name.p,
				 value);
		else
			snprintf(text->text, sizeof(text->text), "%s=%" PRId64, field->name.p,
				 (int64_t)value);
		return true;
	}
	return false;
}
