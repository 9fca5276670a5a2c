/* SPDX-License-Identifier: MIT */
/* In the place of pfm_name.c, decode_pfm.c and decode_umasks.c where libpfm4 is not asked. */
#include "core/absent.h"
#include "encode/decode.h"
#include "encode/encoder.h"
#include "encode/parse.h"

int pq_encode_pfm_else(struct pq_encoder *e)
{
	(void)e;
	return PQ_NONE;
}

int pq_encode_pfm(struct pq_encoder *e)
{
	int r;

	if (e->node->is_guess)
		return pq_parse_refusal(e->scratch, e->input, e->node->at.offset, e->reterr);
	r = pq_absent(e->reterr, "libpfm4", "pfm");
	pq_error_at(e->reterr, e->node->name_at);
	return r;
}

int pq_decode_pfm(struct pq_decoder *d)
{
	(void)d;
	return 0;
}
