/* SPDX-License-Identifier: MIT */
/*
 * A sink that hashes what is written to it. Each value has its type and length before it, so that
 * no two documents have the same bytes.
 */
#include "document/sink_hash.h"

/* Each token is hashed with its type and length, so that different documents differ. */
static void add(struct pq_sink *sink, char type, struct pmuq_str text)
{
	struct pq_sink_hash *hash = (struct pq_sink_hash *)sink;
	uint64_t n = text.n;

	pq_sha256_add(&hash->sha, &type, 1);
	pq_sha256_add(&hash->sha, &n, sizeof(n));
	pq_sha256_add(&hash->sha, text.p, text.n);
}

static void hash_bracket(struct pq_sink *sink, char bracket)
{
	add(sink, bracket, STR(""));
}

static void hash_key(struct pq_sink *sink, struct pmuq_str text)
{
	add(sink, 'k', text);
}

static void hash_text(struct pq_sink *sink, struct pmuq_str text)
{
	add(sink, 't', text);
}

static void hash_bare(struct pq_sink *sink, struct pmuq_str text)
{
	add(sink, 'b', text);
}

static const struct pq_sink_ops hash_ops = {
	.open = hash_bracket,
	.close = hash_bracket,
	.key = hash_key,
	.text = hash_text,
	.bare = hash_bare,
};

void pq_sink_hash_begin(struct pq_sink_hash *hash)
{
	*hash = (struct pq_sink_hash){ .sink = { .ops = &hash_ops } };
	pq_sha256_begin(&hash->sha);
}

void pq_sink_hash_end(struct pq_sink_hash *hash, uint8_t ret[PQ_SHA256_BYTES])
{
	pq_sha256_end(&hash->sha, ret);
}
