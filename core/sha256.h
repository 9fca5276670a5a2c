/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4) of data in pieces: for hashes of contents, and to hide identifying data. */
#pragma once

#include "core/str.h"

#define PQ_SHA256_BYTES 32

struct pq_sha256 {
	uint32_t state[8];
	uint64_t n_bytes;
	uint8_t block[64];
};

/* One block of 64 bytes, in portable C: what pq_sha256_add() does where the CPU has no instructions
 * for it. */
void pq_sha256_add_block(uint32_t state[8], const uint8_t *block);

void pq_sha256_begin(struct pq_sha256 *sha);
void pq_sha256_add(struct pq_sha256 *sha, const void *bytes, size_t n);
void pq_sha256_end(struct pq_sha256 *sha, uint8_t ret[PQ_SHA256_BYTES]);
