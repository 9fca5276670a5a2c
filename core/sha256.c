/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 by FIPS 180-4. pmuq has its own because the core depends on libc alone.
 */
#include "core/sha256.h"

// clang-format off
static const uint32_t round_constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
// clang-format on

static uint32_t turn(uint32_t x, unsigned bits)
{
	return x >> bits | x << (32 - bits);
}

static uint32_t big_endian(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void spread(const uint8_t *block, uint32_t words[64])
{
	for (unsigned i = 0; i < 16; i++)
		words[i] = big_endian(block + 4 * i);
	for (unsigned i = 16; i < 64; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];

		words[i] = words[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + words[i - 7] +
			   (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
}

/* One round; the caller permutes the names of the eight words instead of moving their values. */
static inline void mix(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
		       uint32_t g, uint32_t *h, uint32_t with)
{
	uint32_t high = *h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + with;

	*d += high;
	*h = high + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) | (c & (a | b)));
}

static void add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t w[64];
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

	spread(block, w);
	for (unsigned i = 0; i < 64; i += 8) {
		const uint32_t *k = round_constants + i, *x = w + i;

		mix(a, b, c, &d, e, f, g, &h, k[0] + x[0]);
		mix(h, a, b, &c, d, e, f, &g, k[1] + x[1]);
		mix(g, h, a, &b, c, d, e, &f, k[2] + x[2]);
		mix(f, g, h, &a, b, c, d, &e, k[3] + x[3]);
		mix(e, f, g, &h, a, b, c, &d, k[4] + x[4]);
		mix(d, e, f, &g, h, a, b, &c, k[5] + x[5]);
		mix(c, d, e, &f, g, h, a, &b, k[6] + x[6]);
		mix(b, c, d, &e, f, g, h, &a, k[7] + x[7]);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

void pq_sha256_begin(struct pq_sha256 *sha)
{
	*sha = (struct pq_sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

void pq_sha256_add(struct pq_sha256 *sha, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	while (n) {
		size_t at = sha->n_bytes % sizeof(sha->block);
		size_t part = sizeof(sha->block) - at < n ? sizeof(sha->block) - at : n;

		memcpy(sha->block + at, p, part);
		sha->n_bytes += part;
		p += part;
		n -= part;
		if (at + part == sizeof(sha->block))
			add_block(sha->state, sha->block);
	}
}

void pq_sha256_end(struct pq_sha256 *sha, uint8_t ret[PQ_SHA256_BYTES])
{
	static const uint8_t padding[64] = { 0x80 };
	uint64_t n_bits = sha->n_bytes * 8;
	size_t at = sha->n_bytes % sizeof(sha->block);
	uint8_t length[8];

	pq_sha256_add(sha, padding, at < 56 ? 56 - at : 120 - at);
	for (unsigned i = 0; i < 8; i++)
		length[i] = (uint8_t)(n_bits >> (56 - 8 * i));
	pq_sha256_add(sha, length, sizeof(length));
	for (unsigned i = 0; i < PQ_SHA256_BYTES; i++)
		ret[i] = (uint8_t)(sha->state[i / 4] >> (24 - 8 * (i % 4)));
}
