/* SPDX-License-Identifier: MIT */
/* Names of libpfm4: libpfm4 defines their parts, so they are read up to the end of the event. */
#include "encode/parse/parse.h"

/* PMU "::" PFM or "pfm:" PFM; the cursor is after the first word. */
int pq_scan_pfm_name(struct pq_scanner *s, struct pq_node *node)
{
	size_t from = str_eq(node->name, STR("pfm")) ? s->at + 1 : node->name_at.offset;

	while (s->at < s->text.n && !char_is_space(pq_scan_peek(s)) &&
	       !strchr(",{}/", pq_scan_peek(s)))
		s->at++;
	node->type = PQ_NODE_PFM;
	node->name_at = pq_scan_span(from, s->at);
	node->name = pq_scan_slice(s, node->name_at);
	if (!node->name.n)
		return pq_scan_unexpected(s, PQ_EXPECTED_PFM_NAME);
	return pq_scan_at_event_end(s) ? 0 : pq_scan_unexpected(s, PQ_EXPECTED_EVENT_END);
}
