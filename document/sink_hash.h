/* SPDX-License-Identifier: MIT */
/* A sink that writes nothing, but hashes the document. */
#ifndef PQ_DOCUMENT_SINK_HASH_H
#define PQ_DOCUMENT_SINK_HASH_H

#include "core/sha256.h"
#include "core/text/sink.h"

struct pq_sink_hash {
	struct pq_sink sink;
	struct pq_sha256 sha;
};

void pq_sink_hash_begin(struct pq_sink_hash *hash);
void pq_sink_hash_end(struct pq_sink_hash *hash, uint8_t ret[PQ_SHA256_BYTES]);

#endif
