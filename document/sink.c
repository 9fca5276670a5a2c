/* SPDX-License-Identifier: MIT */
/* What all sinks are told alike, and the one that only takes a hash. */
#include "document/sink.h"
#include <inttypes.h>
#include <stdio.h>

/* Both hold for names: one that looks like base64 is no text. */
static bool is_own_key(struct pmuq_str name)
{
	return pq_is_text(name) && !str_starts(name, PQ_BASE64_KEY);
}

void pq_sink_name(struct pq_sink *sink, struct pmuq_str name)
{
	cleanup(pq_buf_free) struct pq_buf key = PQ_BUF_NULL;

	if (is_own_key(name)) {
		sink->key(sink, name);
		return;
	}
	pq_buf_add(&key, PQ_BASE64_KEY);
	pq_base64_print(&key, name);
	sink->failed |= key.failed;
	sink->key(sink, pq_buf_str(&key));
}

void pq_sink_value(struct pq_sink *sink, struct pmuq_str text)
{
	cleanup(pq_buf_free) struct pq_buf base64 = PQ_BUF_NULL;

	if (pq_is_text(text)) {
		sink->text(sink, text);
		return;
	}
	pq_base64_print(&base64, text);
	sink->failed |= base64.failed;
	sink->open(sink, '{');
	sink->key(sink, STR("base64"));
	sink->text(sink, pq_buf_str(&base64));
	sink->close(sink, '}');
}

void pq_sink_number(struct pq_sink *sink, uint64_t number)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%" PRIu64, number);

	sink->bare(sink, (struct pmuq_str){ .p = text, .n = (size_t)n });
}

void pq_sink_pair(struct pq_sink *sink, struct pmuq_str name, struct pmuq_str text)
{
	pq_sink_name(sink, name);
	pq_sink_value(sink, text);
}

/* Each with its kind and length before it, so that no two documents are told alike. */
static void add(struct pq_sink *sink, char kind, struct pmuq_str text)
{
	struct pq_sink_hash *hash = (struct pq_sink_hash *)sink;
	uint64_t n = text.n;

	pq_sha256_add(&hash->sha, &kind, 1);
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

void pq_sink_hash_begin(struct pq_sink_hash *hash)
{
	*hash = (struct pq_sink_hash){
		.sink = { .open = hash_bracket,
			  .close = hash_bracket,
			  .key = hash_key,
			  .text = hash_text,
			  .bare = hash_bare },
	};
	pq_sha256_begin(&hash->sha);
}

void pq_sink_hash_end(struct pq_sink_hash *hash, uint8_t ret[PQ_SHA256_BYTES])
{
	pq_sha256_end(&hash->sha, ret);
}
