/* SPDX-License-Identifier: MIT */
/*
 * The bytes that a content's hash is computed from. Every text is preceded by its length, and every
 * array by its number of rows (content.c), so that no two contents have the same bytes. The bytes
 * are the same on every machine, whatever its byte order.
 */
#include "db/hash.h"

void pq_hash_begin(struct pq_hasher *hasher, struct pmuq_str domain)
{
	pq_sha256_begin(&hasher->sha);
	pq_hash_text(hasher, domain);
}

/* Seven bits a byte, lowest first, the top bit on all but the last: most numbers are small. */
void pq_hash_number(struct pq_hasher *hasher, uint64_t number)
{
	uint8_t bytes[10];
	size_t n = 0;

	for (; number >= 0x80; number >>= 7)
		bytes[n++] = (uint8_t)(number | 0x80);
	bytes[n++] = (uint8_t)number;
	pq_sha256_add(&hasher->sha, bytes, n);
}

/* The length plus one, and 0 for a text that does not exist. */
void pq_hash_text(struct pq_hasher *hasher, struct pmuq_str text)
{
	pq_hash_number(hasher, text.p ? (uint64_t)text.n + 1 : 0);
	if (text.n)
		pq_sha256_add(&hasher->sha, text.p, text.n);
}

void pq_hash_hash(struct pq_hasher *hasher, const struct pq_hash *hash)
{
	pq_sha256_add(&hasher->sha, hash->bytes, sizeof(hash->bytes));
}

struct pq_hash pq_hash_end(struct pq_hasher *hasher)
{
	struct pq_hash hash;

	pq_sha256_end(&hasher->sha, hash.bytes);
	return hash;
}
