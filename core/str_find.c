/* SPDX-License-Identifier: MIT */
/* Words of a text, and globs. They are for files and patterns: no event needs them. */
#include "core/str.h"

bool str_has_word(struct pmuq_str text, char separator, struct pmuq_str word)
{
	struct pmuq_str part;

	while (str_next(&text, separator, &part))
		if (str_eq(part, word))
			return true;
	return false;
}

/* Matches c against the class that opens at pattern[*at]; moves *at to the byte after it.
 * A class that never closes is a plain '['. */
static bool glob_class(struct pmuq_str pattern, size_t *at, char c)
{
	size_t i = *at + 1;
	bool negated = i < pattern.n && (pattern.p[i] == '!' || pattern.p[i] == '^');
	bool found = false;
	size_t first;

	if (negated)
		i++;
	for (first = i; i < pattern.n && (pattern.p[i] != ']' || i == first); i++) {
		if (i + 2 < pattern.n && pattern.p[i + 1] == '-' && pattern.p[i + 2] != ']') {
			found |= c >= pattern.p[i] && c <= pattern.p[i + 2];
			i += 2;
		} else {
			found |= c == pattern.p[i];
		}
	}
	if (i >= pattern.n) {
		*at += 1;
		return c == '[';
	}
	*at = i + 1;
	return found != negated;
}

static bool glob_one(struct pmuq_str pattern, size_t *at, char c)
{
	switch (pattern.p[*at]) {
	case '?':
		++*at;
		return true;
	case '[':
		return glob_class(pattern, at, c);
	case '\\':
		if (*at + 1 < pattern.n)
			++*at;
		break;
	default:
		break;
	}
	return pattern.p[(*at)++] == c;
}

bool str_glob(struct pmuq_str pattern, struct pmuq_str text)
{
	size_t p = 0, t = 0, star = SIZE_MAX, retry = 0;

	while (t < text.n) {
		size_t next = p;

		if (p < pattern.n && pattern.p[p] == '*') {
			star = ++p;
			retry = t;
		} else if (p < pattern.n && glob_one(pattern, &next, text.p[t])) {
			p = next;
			t++;
		} else if (star != SIZE_MAX) {
			p = star;
			t = ++retry;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}
