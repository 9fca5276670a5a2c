/* SPDX-License-Identifier: MIT */
#include "cli/events/attr_text.h"
#include <inttypes.h>
#include <stdio.h>

bool attr_text_next(struct attr_text *text, const struct pmuq_attr *attr)
{
	const char *name;

	while ((name = pmuq_attr_field_name(text->next))) {
		unsigned i = text->next++;
		uint64_t value = pmuq_attr_field_get(attr, i);

		if (!value && i > ATTR_CONFIG)
			continue;
		if (pmuq_attr_field_kind(i) == PMUQ_FIELD_WORD)
			snprintf(text->text, sizeof(text->text), "%s=0x%" PRIx64, name, value);
		else
			snprintf(text->text, sizeof(text->text), "%s=%" PRId64, name,
				 (int64_t)value);
		return true;
	}
	return false;
}
