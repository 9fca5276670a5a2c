/* SPDX-License-Identifier: MIT */
/*
 * The hash of a content: SHA-256 over its domain and its fields in order, each text after its
 * length, so that no two contents have the same bytes. The hashed bytes are part of the format of
 * the store: to change them, change the domain ("…/2") and write a step of the schema. A number
 * takes as many bytes as it needs, in one byte order, so hosts of all architectures share contents.
 */
#pragma once

#include "core/sha256.h"

struct pq_hash {
	uint8_t bytes[PQ_SHA256_BYTES];
};

struct pq_hasher {
	struct pq_sha256 sha;
};

/* `domain` distinguishes contents of different types that have the same fields. */
void pq_hash_begin(struct pq_hasher *hasher, struct pmuq_str domain);
void pq_hash_number(struct pq_hasher *hasher, uint64_t number);
/* A text with .p NULL differs from an empty one. */
void pq_hash_text(struct pq_hasher *hasher, struct pmuq_str text);
void pq_hash_hash(struct pq_hasher *hasher, const struct pq_hash *hash);
/* After this the hasher can only be begun again. */
struct pq_hash pq_hash_end(struct pq_hasher *hasher);
