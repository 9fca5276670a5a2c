/* SPDX-License-Identifier: MIT */
/*
 * Guesses which umasks of one libpfm4 event give an attr's bits together. decode_pfm.c verifies the
 * guess with libpfm4: some umasks exclude each other, and some set more bits when combined.
 */
#include "decode/decode.h"

static bool has_all(const struct pq_words *words, const struct pq_words *bits)
{
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		if (bits->v[word] & ~words->v[word])
			return false;
	return true;
}

static unsigned count_gain(const struct pq_words *own, const struct pq_words *need)
{
	unsigned gain = 0;

	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		gain += (unsigned)__builtin_popcountll(own->v[word] & need->v[word]);
	return gain;
}

/* Greedy: always the umask that adds most of the missing bits. */
size_t pq_pick_umasks(const struct pq_words *own, size_t n_umasks, const struct pq_words *wanted,
		      size_t ret[PQ_PICKED_MAX])
{
	struct pq_words need = *wanted;
	size_t n = 0;

	while (n < PQ_PICKED_MAX) {
		unsigned best = 0;

		for (size_t i = 0; i < n_umasks; i++) {
			unsigned gain = count_gain(&own[i], &need);

			if (gain <= best || !has_all(wanted, &own[i]))
				continue;
			best = gain;
			ret[n] = i;
		}
		if (!best)
			break;
		for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
			need.v[word] &= ~own[ret[n]].v[word];
		n++;
	}
	return n > 1 ? n : 0;
}
