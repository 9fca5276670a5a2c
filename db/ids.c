/* SPDX-License-Identifier: MIT */
#include "db/ids.h"

#define WORDS_MIN 256u

void pq_ids_write(struct pq_buf *bytes, int64_t before, int64_t id)
{
	uint64_t rest = (uint64_t)id - (uint64_t)before;

	for (; rest > 0x7f; rest >>= 7)
		pq_buf_char(bytes, (char)(rest | 0x80), 1);
	pq_buf_char(bytes, (char)rest, 1);
}

/* The next number; false if the bytes end in it, or if it has more than five of them: PQ_ID_MAX has
 * 30 bits. */
static bool read_number(struct pmuq_str bytes, size_t *at, uint64_t *ret)
{
	unsigned shift = 0;
	unsigned char byte;

	*ret = 0;
	do {
		if (*at == bytes.n || shift > 28)
			return false;
		byte = (unsigned char)bytes.p[(*at)++];
		*ret |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return true;
}

static bool reserve(struct pq_arena *arena, struct pq_ids *ids, size_t n_words)
{
	size_t n = ids->n_words ? ids->n_words : WORDS_MIN;
	uint64_t *words;

	while (n < n_words)
		n *= 2;
	words = pq_arena_array(arena, n, sizeof(*words));
	if (!words)
		return false;
	for (size_t i = 0; i < ids->n_words; i++)
		words[i] = ids->words[i];
	ids->words = words;
	ids->n_words = n;
	return true;
}

int pq_ids_read(struct pq_arena *arena, struct pq_ids *ids, struct pmuq_str bytes)
{
	uint64_t id = 0, more;

	for (size_t at = 0; at < bytes.n;) {
		if (!read_number(bytes, &at, &more) || !more || id + more > PQ_ID_MAX)
			return -PMUQ_E_STORE_CORRUPT;
		id += more;
		if (id / 64 >= ids->n_words && !reserve(arena, ids, id / 64 + 1))
			return -PMUQ_E_MEMORY;
		ids->words[id / 64] |= UINT64_C(1) << id % 64;
	}
	return 0;
}
