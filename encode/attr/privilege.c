/* SPDX-License-Identifier: MIT */
/* The privilege that a caller wants for events whose string names none. */
#include "encode/attr/apply.h"

static const char letters_of[][3] = {
	[PMUQ_PRIVILEGE_USER] = "u",
	[PMUQ_PRIVILEGE_KERNEL] = "k",
	[PMUQ_PRIVILEGE_BOTH] = "uk",
};

/* A PMU of devices counts whatever causes its events, and a tracepoint is in the kernel: there a
 * default would only make the kernel refuse the event, or the count zero. */
static bool has_levels(const struct pq_encoding *encoding)
{
	switch (encoding->attr.type) {
	case PQ_TYPE_TRACEPOINT:
		return false;
	case PQ_TYPE_HARDWARE:
	case PQ_TYPE_SOFTWARE:
	case PQ_TYPE_HW_CACHE:
	case PQ_TYPE_RAW:
	case PQ_TYPE_BREAKPOINT:
		return true;
	}
	return encoding->on && encoding->on->is_core;
}

int pq_apply_privilege(const struct pq_encoder *e)
{
	struct pmuq_str letters = str_of(letters_of[e->options->privilege]);
	struct pq_modifiers modifiers;
	int r = pq_modifiers_parse(letters, (struct pq_span){ 0 }, false, &modifiers, e->reterr);

	for (size_t i = 0; i < e->result->n && r == 0; i++) {
		struct pq_encoding *encoding = &e->result->v[i];

		if (has_levels(encoding) &&
		    !(encoding->modifiers & pq_modifier_sets[PQ_SET_LEVELS]))
			r = pq_apply_modifiers(e, &modifiers, PQ_OF_OPTIONS, encoding);
	}
	return r;
}
