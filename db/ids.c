/* SPDX-License-Identifier: MIT */
#include "db/ids.h"

void pq_ids_write(struct pq_buf *bytes, int64_t before, int64_t id)
{
	uint64_t rest = (uint64_t)id - (uint64_t)before;

	for (; rest > 0x7f; rest >>= 7)
		pq_buf_char(bytes, (char)(rest | 0x80), 1);
	pq_buf_char(bytes, (char)rest, 1);
}

/* The next number; false if the bytes end in it, or if it does not fit an id. */
static bool read_number(struct pmuq_str bytes, size_t *at, uint64_t *ret)
{
	unsigned shift = 0;
	unsigned char byte;

	*ret = 0;
	do {
		if (*at == bytes.n || shift > 56)
			return false;
		byte = (unsigned char)bytes.p[(*at)++];
		*ret |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return true;
}

int pq_ids_read(struct pq_arena *arena, struct pq_ids *ids, struct pmuq_str bytes)
{
	uint64_t id = 0, more;

	/* No id has less than a byte. */
	if (!pq_vec_reserve_in(arena, ids, bytes.n))
		return -PMUQ_E_MEMORY;
	for (size_t at = 0; at < bytes.n;) {
		if (!read_number(bytes, &at, &more) || !more || more > INT64_MAX - id)
			return -PMUQ_E_STORE_CORRUPT;
		id += more;
		ids->v[ids->n++] = (int64_t)id;
	}
	return 0;
}

bool pq_ids_index(struct pq_arena *arena, struct pq_ids *ids)
{
	size_t n = 4;

	while (n < 2 * ids->n)
		n *= 2;
	ids->slots = pq_arena_array(arena, n, sizeof(*ids->slots));
	if (!ids->slots)
		return false;
	ids->mask = n - 1;
	for (size_t i = 0; i < ids->n; i++)
		*pq_ids_slot(ids, ids->v[i]) = ids->v[i];
	return true;
}
