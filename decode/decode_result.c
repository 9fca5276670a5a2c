/* SPDX-License-Identifier: MIT */
/* What decoding gives out. */
#include "decode/decode.h"

PQ_API void pmuq_decoding_free(struct pmuq_decoding *decoding)
{
	if (!decoding)
		return;
	pq_arena_clear(&decoding->arena);
	free(decoding);
}

PQ_API const char *pmuq_decoding_text(const struct pmuq_decoding *decoding)
{
	return decoding->text;
}

PQ_API const char *pmuq_decoding_pmu(const struct pmuq_decoding *decoding)
{
	return decoding->pmu;
}

PQ_API enum pmuq_origin pmuq_decoding_origin(const struct pmuq_decoding *decoding)
{
	return decoding->origin;
}

PQ_API bool pmuq_decoding_is_exact(const struct pmuq_decoding *decoding)
{
	return decoding->is_exact;
}

PQ_API size_t pmuq_decoding_left_count(const struct pmuq_decoding *decoding)
{
	return decoding->n_left;
}

PQ_API const char *pmuq_decoding_left_name(const struct pmuq_decoding *decoding, size_t index)
{
	return index < decoding->n_left ? decoding->left[index].name : NULL;
}

PQ_API uint64_t pmuq_decoding_left_value(const struct pmuq_decoding *decoding, size_t index)
{
	return index < decoding->n_left ? decoding->left[index].value : 0;
}

PQ_API enum pmuq_field_kind pmuq_decoding_left_kind(const struct pmuq_decoding *decoding,
						    size_t index)
{
	return index < decoding->n_left ? decoding->left[index].kind : PMUQ_FIELD_NUMBER;
}

PQ_API bool pmuq_decoding_left_is_event(const struct pmuq_decoding *decoding, size_t index)
{
	return index < decoding->n_left && decoding->left[index].is_event;
}

PQ_API size_t pmuq_decoding_reading_count(const struct pmuq_decoding *decoding)
{
	return decoding->n_readings;
}

PQ_API const char *pmuq_decoding_reading(const struct pmuq_decoding *decoding, size_t index)
{
	return index < decoding->n_readings ? decoding->readings[index] : NULL;
}
