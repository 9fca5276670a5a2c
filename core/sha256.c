/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 by FIPS 180-4. pmuq has its own because the core depends on libc alone. Many CPUs have
 * instructions for it, which take a sixth of the time; those of x86 are used.
 */
#include "core/sha256.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

// clang-format off
static const uint32_t round_constants[64] __attribute__((aligned(16))) = {
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

/* Each round renames the eight words instead of moving them. */
void pq_sha256_add_block(uint32_t state[8], const uint8_t *block)
{
	uint32_t words[64], v[8];

	spread(block, words);
	memcpy(v, state, sizeof(v));
	for (unsigned i = 0; i < 64; i++) {
		uint32_t a = v[-i % 8], b = v[(1 - i) % 8], c = v[(2 - i) % 8], e = v[(4 - i) % 8];
		uint32_t f = v[(5 - i) % 8], g = v[(6 - i) % 8], *h = &v[(7 - i) % 8];
		uint32_t high = *h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
				((e & f) ^ (~e & g)) + round_constants[i] + words[i];

		v[(3 - i) % 8] += high;
		*h = high + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) | (c & (a | b)));
	}
	for (unsigned i = 0; i < 8; i++)
		state[i] += v[i];
}

#ifdef __x86_64__

enum { UNKNOWN, ABSENT, PRESENT };

/* CPUs that have them have SSE4.1, too. CPUID is slow in a virtual machine, so it is used once;
 * threads that do it at the same time find the same. */
static bool has_instructions(void)
{
	static int known = UNKNOWN;
	int state = __atomic_load_n(&known, __ATOMIC_RELAXED);
	unsigned a, b = 0, c, d;

	if (state == UNKNOWN) {
		__get_cpuid_count(7, 0, &a, &b, &c, &d);
		state = b & bit_SHA ? PRESENT : ABSENT;
		__atomic_store_n(&known, state, __ATOMIC_RELAXED);
	}
	return state == PRESENT;
}

/* Intel SDM, volume 2, SHA256RNDS2: it takes the eight words as (a, b, e, f) and (c, d, g, h), the
 * first in the highest bits, and does two rounds. */
__attribute__((target("sha,ssse3,sse4.1"))) static void add_block_fast(uint32_t state[8],
								       const uint8_t *block)
{
	const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
	__m128i *words = (__m128i *)(void *)state;
	__m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
	__m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
	__m128i abef = _mm_alignr_epi8(badc, efgh, 8);
	__m128i cdgh = _mm_blend_epi16(efgh, badc, 0xf0);
	const __m128i abef_before = abef, cdgh_before = cdgh;
	__m128i w[4]; /* the last sixteen words of the schedule */

	for (unsigned i = 0; i < 16; i++) {
		__m128i *next = &w[i % 4], last = w[(i + 3) % 4], with;

		if (i < 4)
			*next = _mm_shuffle_epi8(
				_mm_loadu_si128((const __m128i *)(const void *)block + i), swap);
		else
			*next = _mm_sha256msg2_epu32(
				_mm_add_epi32(_mm_sha256msg1_epu32(*next, w[(i + 1) % 4]),
					      _mm_alignr_epi8(last, w[(i + 2) % 4], 4)),
				last);
		with = _mm_add_epi32(
			*next, _mm_load_si128((const __m128i *)(const void *)round_constants + i));
		cdgh = _mm_sha256rnds2_epu32(cdgh, abef, with);
		abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(with, 0x0e));
	}
	abef = _mm_shuffle_epi32(_mm_add_epi32(abef, abef_before), 0x1b);
	cdgh = _mm_shuffle_epi32(_mm_add_epi32(cdgh, cdgh_before), 0xb1);
	_mm_storeu_si128(words, _mm_blend_epi16(abef, cdgh, 0xf0));
	_mm_storeu_si128(words + 1, _mm_alignr_epi8(cdgh, abef, 8));
}

#endif

static void add_block(uint32_t state[8], const uint8_t *block)
{
#ifdef __x86_64__
	if (has_instructions()) {
		add_block_fast(state, block);
		return;
	}
#endif
	pq_sha256_add_block(state, block);
}

void pq_sha256_begin(struct pq_sha256 *sha)
{
	*sha = (struct pq_sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

void pq_sha256_add(struct pq_sha256 *sha, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n) {
		size_t at = sha->n_bytes % sizeof(sha->block);
		size_t part = sizeof(sha->block) - at < n ? sizeof(sha->block) - at : n;

		str_copy((char *)sha->block + at, (struct pmuq_str){ .p = p, .n = part });
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
