/* SPDX-License-Identifier: MIT */
/* One request of the library: reads its payload, and writes the frames of the result. */
#include "pfm/helper/helper.h"

static bool handle_encode(struct pq_pfm_tables *tables, size_t count, struct pq_wire *in,
			  struct pq_buf *out)
{
	struct pmuq_str defaults = pq_wire_get_text(in);
	size_t begun = pq_wire_begin(out), n = 0;

	for (size_t i = 0; i < count; i++) {
		struct pmuq_str name = pq_wire_get_text(in);

		if (in->failed)
			return false;
		pq_helper_encode(tables, defaults, name, out);
		n++;
		if (out->n - begun < PQ_PFM_BATCH_BYTES || i + 1 == count)
			continue;
		pq_wire_end(out, begun, PQ_PFM_ENCODE, n);
		begun = pq_wire_begin(out);
		n = 0;
	}
	pq_wire_end(out, begun, PQ_PFM_ENCODE, n);
	return pq_wire_is_done(in);
}

bool pq_helper_handle(struct pq_pfm_tables *tables, const struct pq_pfm_header *header,
		      struct pq_wire *in, struct pq_buf *out)
{
	struct pmuq_str pmu;
	bool with_attributes;

	if (header->type == PQ_PFM_ENCODE)
		return handle_encode(tables, header->count, in, out);
	if (header->type == PQ_PFM_PMUS)
		return pq_helper_list_pmus(tables, out);
	if (header->type != PQ_PFM_EVENTS)
		return false;
	pmu = pq_wire_get_text(in);
	with_attributes = pq_wire_get_u8(in);
	return pq_wire_is_done(in) && pq_helper_list_events(tables, pmu, with_attributes, out);
}
