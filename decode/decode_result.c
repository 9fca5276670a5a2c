/* SPDX-License-Identifier: MIT */
/* The public functions of a decoding. */
#include "decode/decode.h"

PQ_API void pmuq_decoding_free(struct pmuq_decoding *record)
{
	struct pq_decoding *decoding = (struct pq_decoding *)record;

	if (!decoding)
		return;
	pq_arena_clear(&decoding->arena);
	free(decoding);
}

PQ_API const struct pmuq_left_field *pmuq_decoding_left(const struct pmuq_decoding *decoding,
							size_t index)
{
	return index < decoding->n_left ? &((const struct pq_decoding *)decoding)->left[index]
					: NULL;
}
