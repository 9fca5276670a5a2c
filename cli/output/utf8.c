/* SPDX-License-Identifier: MIT */
#include "cli/output/utf8.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* First bytes, and the range of the second byte that keeps out overlong forms and surrogates. */
static const struct {
	unsigned char first, last, second_first, second_last, length;
} utf8_forms[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

size_t utf8_length(const char *text)
{
	unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;

	if (first < 0x80)
		return first ? 1 : 0;
	for (size_t i = 0; i < sizeof(utf8_forms) / sizeof(utf8_forms[0]); i++) {
		if (first < utf8_forms[i].first || first > utf8_forms[i].last)
			continue;
		if (second < utf8_forms[i].second_first || second > utf8_forms[i].second_last)
			return 0;
		for (size_t k = 2; k < utf8_forms[i].length; k++)
			if (!is_tail(text[k]))
				return 0;
		return utf8_forms[i].length;
	}
	return 0;
}

char *utf8_copy(const char *text)
{
	char *copy = malloc(strlen(UTF8_REPLACEMENT) * strlen(text) + 1), *to = copy;

	if (!copy)
		return NULL;
	while (*text) {
		size_t n = utf8_length(text), n_to = n ? n : strlen(UTF8_REPLACEMENT);

		memcpy(to, n ? text : UTF8_REPLACEMENT, n_to);
		to += n_to;
		text += n ? n : 1;
	}
	*to = 0;
	return copy;
}
