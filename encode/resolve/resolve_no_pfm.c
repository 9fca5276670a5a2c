/* SPDX-License-Identifier: MIT */
/* Replaces resolve_pfm.c in a build without libpfm4. */
#include "core/absent.h"
#include "encode/parse/parse.h"
#include "encode/resolve/resolve.h"

int pq_encode_pfm_else(const struct pq_encoder *e)
{
	(void)e;
	return PQ_UNKNOWN_NAME;
}

int pq_encode_pfm(const struct pq_encoder *e)
{
	int r;

	if (e->node->is_guess)
		return pq_parse_refusal(e->scratch, e->input, e->node->at.offset, e->reterr);
	r = pq_absent(e->reterr, "libpfm4", "pfm");
	pq_error_at(e->reterr, e->node->name_at);
	return r;
}
