/* SPDX-License-Identifier: MIT */
/*
 * Searches names and descriptions for words, in the same way as the database: not case-sensitive,
 * each word also as the beginning of a longer one and without its ending ("misses" finds "miss").
 * Does not depend on events.
 */
#pragma once

#include <pmuq/pmuq.h>

#define SEARCH_WORDS_MAX 32

struct search_words {
	char flat[256]; /* each byte: the small letter or the digit, or a blank */
	struct search_word {
		char *text, *stem; /* " l3 miss": the words, with a blank before each */
	} at[SEARCH_WORDS_MAX];
	size_t n;
};

struct search_match {
	enum pmuq_match match;
	unsigned score; /* of results with the same match, the one with the higher score is first */
};

/* Splits the text into words; words of punctuation alone are left out. */
void search_words_read(struct search_words *words, const char *text);
void search_words_clear(struct search_words *words);
/* The texts to search; all except the name may be NULL. */
struct search_texts {
	const char *name, *pmu, *brief, *more;
};
/* False if none of the words is found. */
bool search_words_find(const struct search_words *words, const struct search_texts *texts,
		       struct search_match *ret);
