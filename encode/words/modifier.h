/* SPDX-License-Identifier: MIT */
/* The letters behind an event or a group, and what they do to an attr. */
#ifndef PQ_MODIFIER_H
#define PQ_MODIFIER_H

#include "core/attr/attr.h"
#include "core/error.h"

#define PQ_MODIFIERS_MAX 17u

struct pq_modifiers {
	bool user, kernel, hypervisor, guest, host, idle;
	bool pinned, exclusive;
	/* What a counting or sampling tool applies, not the attr. */
	bool precise_max, sample_read, weak, bpf, retire_latency, dont_regroup;
	unsigned precise;
	struct pq_span at;
};

bool pq_modifier_is_letter(char c);
/* Letters to modifiers; `is_group` decides where W may stand. Spans are of the input. */
int pq_modifiers_parse(struct pmuq_str letters, struct pq_span at, bool is_group,
		       struct pq_modifiers *ret, struct pmuq_error **reterr);
/* An event's own modifiers, on a fresh attr. */
void pq_modifiers_apply(const struct pq_modifiers *modifiers, struct pmuq_attr *attr);
/* A group's, on top of a member's; D and e reach only the leader. */
int pq_modifiers_apply_group(const struct pq_modifiers *modifiers, bool is_leader,
			     struct pmuq_attr *attr, struct pmuq_error **reterr);

#endif
