/* SPDX-License-Identifier: MIT */
/*
 * Matches texts only: every text is converted to small letters with one blank between words, and a
 * word matches where " word" occurs, so it also matches longer words that begin like it.
 */
#include "cli/tables/search_words.h"
#include "cli/or_die.h"
#include "core/str.h"
#include <string.h>

/* Bytes beyond ASCII are letters of some language. */
static bool is_of_word(char c)
{
	return char_is(c, CHAR_DIGIT | CHAR_ALPHA) || (unsigned char)c >= 0x80;
}

/* " mem load retired": small letters, a blank between words, and one before the first. `to` has
 * memory for the length of the text plus one, and the NUL. */
static size_t flatten(const struct search_words *words, const char *text, char *to)
{
	size_t n = 0;

	to[n++] = ' ';
	/* Without branches: a search flattens half a megabyte. */
	for (; *text; text++) {
		to[n] = words->flat[(unsigned char)*text];
		n += to[n] != ' ' || to[n - 1] != ' ';
	}
	while (n > 1 && to[n - 1] == ' ')
		n--;
	to[n] = '\0';
	return n;
}

static bool ends(const char *text, size_t n, const char *ending)
{
	size_t length = strlen(ending);

	return n >= length && strncmp(text + n - length, ending, length) == 0;
}

/* The last word without its ending, at least three letters. */
static size_t stem_length(const char *text, size_t n)
{
	static const char *const endings[] = { "ing", "ed", "es", "s" };
	size_t start = n;

	while (start > 0 && text[start - 1] != ' ')
		start--;
	for (size_t i = 0; i < COUNT(endings); i++)
		if (ends(text, n, endings[i]) && n - strlen(endings[i]) >= start + 3)
			return n - strlen(endings[i]);
	return n;
}

/* One word of the command line, which may contain several ("l3-miss"). */
static void add_word(struct search_words *words, const char *text, size_t n)
{
	struct search_word *word = &words->at[words->n];
	auto_free char *own = or_die(strndup(text, n));
	size_t length;

	word->text = or_die(malloc(n + 2));
	length = flatten(words, own, word->text);
	if (length == 1) {
		free(move(word->text));
		return;
	}
	word->stem = or_die(strndup(word->text, stem_length(word->text, length)));
	words->n++;
}

/* The number of bytes before the next word, and of the word itself: "skx::L1D" are two words. */
static size_t skip_between(const char *text)
{
	size_t n = strspn(text, " \t\n\r\v\f");

	return n ? n : strncmp(text, "::", 2) == 0 ? 2 : 0;
}

static size_t word_length(const char *text)
{
	size_t n = 0;

	while (text[n] && !skip_between(text + n))
		n++;
	return n;
}

void search_words_read(struct search_words *words, const char *text)
{
	for (size_t i = 0; i < sizeof(words->flat); i++)
		words->flat[i] = (char)(is_of_word((char)i) ? char_lower((char)i) : ' ');
	while (*text && words->n < SEARCH_WORDS_MAX) {
		size_t between = skip_between(text), n = word_length(text + between);

		text += between;
		if (n)
			add_word(words, text, n);
		text += n;
	}
}

/* The words may be read again afterwards. */
void search_words_clear(struct search_words *words)
{
	for (size_t i = 0; i < words->n; i++) {
		free(words->at[i].text);
		free(words->at[i].stem);
	}
	*words = (struct search_words){ 0 };
}

/* Which words a text has, a bit for each. */
static uint32_t words_of(const struct search_words *words, const char *text, unsigned *ret_bytes)
{
	char memory[512];
	size_t size = text ? strlen(text) + 2 : 0;
	char *flat = size <= sizeof(memory) ? memory : or_die(malloc(size));
	uint32_t found = 0;

	*ret_bytes = 0;
	if (!text)
		return 0;
	flatten(words, text, flat);
	for (size_t i = 0; i < words->n; i++)
		if (strstr(flat, words->at[i].stem)) {
			found |= UINT32_C(1) << i;
			*ret_bytes += (unsigned)strlen(words->at[i].stem);
		}
	if (flat != memory)
		free(flat);
	return found;
}

static unsigned count(uint32_t bits)
{
	return (unsigned)__builtin_popcount(bits);
}

/* A PMU that nearly all events have does not count as a match. */
static const char *telling(const char *pmu)
{
	return pmu && strcmp(pmu, "default_core") != 0 && strcmp(pmu, "cpu_core") != 0 ? pmu : NULL;
}

/* The name consists of the words, in their order, and of nothing else. */
static bool is_whole_name(const struct search_words *words, const char *name)
{
	auto_free char *flat = or_die(malloc(strlen(name) + 2));
	const char *at = flat;

	flatten(words, name, flat);
	for (size_t i = 0; i < words->n; i++) {
		size_t n = strlen(words->at[i].text);

		if (strncmp(at, words->at[i].text, n) != 0)
			return false;
		at += n;
	}
	return *at == '\0';
}

/* More than any other score. */
#define WHOLE_NAME (1u << 24)

/* For a name with all words: the share of the name that they are; otherwise the number of words
 * that match in the more important texts. A name that was written as it is comes first. */
bool search_words_find(const struct search_words *words, const struct search_texts *texts,
		       struct search_match *ret)
{
	uint32_t all = words->n == 32 ? UINT32_MAX : (UINT32_C(1) << words->n) - 1;
	unsigned name_bytes, bytes, covered;
	uint32_t in_name = words_of(words, texts->name, &name_bytes);
	uint32_t in_names = in_name | words_of(words, telling(texts->pmu), &bytes);
	uint32_t in_brief = words_of(words, texts->brief, &bytes), found = in_names | in_brief;

	if (found != all)
		found |= words_of(words, texts->more, &bytes);
	if (!found)
		return false;
	covered = name_bytes * 1000 / ((unsigned)strlen(texts->name) + 1);
	ret->match = in_names == all ? PMUQ_MATCH_NAME
		     : found == all  ? PMUQ_MATCH_ALL
				     : PMUQ_MATCH_ANY;
	ret->score = count(found) * 100000 + count(in_name) * 10000 + count(in_brief) * 2000 +
		     (covered < 1000 ? covered : 1000);
	if (in_name == all && is_whole_name(words, texts->name))
		ret->score |= WHOLE_NAME;
	return true;
}
