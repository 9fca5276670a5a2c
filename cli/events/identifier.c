/* SPDX-License-Identifier: MIT */
#include "cli/events/identifier.h"
#include "cli/or_die.h"
#include "core/base.h"
#include "core/str.h"
#include <search.h>
#include <stdio.h>
#include <string.h>

/* Fits the 63 significant characters of C11, with space for a number. */
#define WORD_BYTES_MAX 50

/* An identifier that is in use. A file may contain millions of events, so it is a tree. */
struct taken {
	unsigned next; /* the number to try for the next identifier with the same text */
	char text[];
};

static int compare(const void *a, const void *b)
{
	const struct taken *one = a, *other = b;

	return strcmp(one->text, other->text);
}

/* Appends the letters and digits of `text`, with one "_" for anything between them, and none at the
 * ends. */
static size_t append(char *word, size_t n, const char *text)
{
	bool wants_gap = false;

	for (; *text && n + 1 < WORD_BYTES_MAX; text++) {
		if (!char_is(*text, CHAR_DIGIT | CHAR_ALPHA)) {
			wants_gap = true;
			continue;
		}
		if (wants_gap && n > 0 && word[n - 1] != '_')
			word[n++] = '_';
		wants_gap = false;
		word[n++] = *text;
	}
	return n;
}

/* Appends a word, or the default if none of its characters are allowed. */
static size_t append_word(char *word, size_t n, const char *text, const char *without)
{
	size_t before;

	if (n > 0 && n + 1 < WORD_BYTES_MAX)
		word[n++] = '_';
	before = n;
	n = append(word, n, text);
	return n > before ? n : append(word, n, without);
}

/* Makes at least two words, so that the result is not a keyword of C; the first begins with a
 * letter. */
static void make_word(char word[WORD_BYTES_MAX + 1], const char *prefix, const char *rest)
{
	size_t n = 0;

	if (char_is_digit(*prefix))
		n = append_word(word, n, "pmu", "");
	n = append_word(word, n, prefix, "pmu");
	n = append_word(word, n, rest, "event");
	word[n] = 0;
}

/* The text as stored in the set; `*ret_is_new` if it was not there before. */
static struct taken *take(struct identifiers *identifiers, const char *text, bool *ret_is_new)
{
	size_t n = strlen(text) + 1;
	auto_free struct taken *taken = or_die(malloc(sizeof(*taken) + n));
	struct taken **found;

	taken->next = 2;
	memcpy(taken->text, text, n);
	found = or_die(tsearch(taken, &identifiers->tree, compare));
	*ret_is_new = *found == taken;
	return *ret_is_new ? move(taken) : *found;
}

const char *identifiers_take(struct identifiers *identifiers, const char *prefix, const char *rest)
{
	char word[WORD_BYTES_MAX + 1], numbered[sizeof(word) + 12];
	bool is_new = false;
	struct taken *first, *taken;

	make_word(word, prefix, rest);
	first = taken = take(identifiers, word, &is_new);
	while (!is_new) {
		snprintf(numbered, sizeof(numbered), "%s_%u", word, first->next++);
		taken = take(identifiers, numbered, &is_new);
	}
	return taken->text;
}

void identifiers_clear(struct identifiers *identifiers)
{
	tdestroy(identifiers->tree, free);
	identifiers->tree = NULL;
}
