/* SPDX-License-Identifier: MIT */
/*
 * The usage line of a command, read as a grammar, so that help and completion cannot differ:
 *
 *     usage  = form *("|" form)            a "|" in brackets is the token's
 *     form   = token *(" " token)
 *     token  = choices ["..."] / "[" token "]" ["..."]
 *     choice = a word in small letters, written as it is / a placeholder in capitals
 */
#include "cli/complete/complete.h"
#include <string.h>

struct slice {
	const char *p;
	size_t n;
};

/* Cuts off what is before the next `c` outside of brackets. */
static struct slice cut(struct slice *rest, char c)
{
	struct slice head = { .p = rest->p };
	unsigned depth = 0;

	while (head.n < rest->n && (depth || rest->p[head.n] != c)) {
		depth += rest->p[head.n] == '[';
		depth -= depth && rest->p[head.n] == ']';
		head.n++;
	}
	rest->p += head.n + (head.n < rest->n);
	rest->n -= head.n + (head.n < rest->n);
	return head;
}

static bool drop_end(struct slice *slice, const char *end)
{
	size_t n = strlen(end);

	if (slice->n < n || memcmp(slice->p + slice->n - n, end, n) != 0)
		return false;
	slice->n -= n;
	return true;
}

/* Whether the first bracket is closed by the last byte. */
static bool is_bracketed(struct slice slice)
{
	unsigned depth = 0;

	for (size_t i = 0; i < slice.n; i++) {
		depth += slice.p[i] == '[';
		depth -= depth && slice.p[i] == ']';
		if (!depth)
			return i > 0 && i + 1 == slice.n;
	}
	return false;
}

/* Removes the brackets and dots around a token; true if it may be repeated. */
static bool peel(struct slice *token)
{
	bool repeats = false;

	for (;;) {
		if (drop_end(token, "...") || drop_end(token, "…")) {
			repeats = true;
		} else if (is_bracketed(*token)) {
			token->p++;
			token->n -= 2;
		} else {
			return repeats;
		}
	}
}

/* The placeholder that it begins with; empty if it is a word to be written as it is. */
static struct slice name_of(struct slice choice)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-";
	struct slice name = { .p = choice.p };

	if (choice.n && *choice.p == '-')
		return name;
	while (name.n < choice.n && memchr(letters, choice.p[name.n], sizeof(letters) - 1))
		name.n++;
	return name;
}

static void offer_choices(struct line_completion *completion, struct slice token)
{
	while (token.n) {
		struct slice choice = cut(&token, '|'), name = name_of(choice);
		auto_free char *word = name.n ? NULL : strndup(choice.p, choice.n);

		if (name.n)
			complete_placeholder(completion, name.p, name.n);
		else if (word)
			complete_offer(completion, 0, word, "", NULL, NULL);
	}
}

static bool allows(struct slice token, const char *word)
{
	while (token.n) {
		struct slice choice = cut(&token, '|');

		if (name_of(choice).n ||
		    (strlen(word) == choice.n && memcmp(word, choice.p, choice.n) == 0))
			return true;
	}
	return false;
}

static void try_form(struct line_completion *completion, struct slice form)
{
	struct slice token = { 0 };
	bool repeats = false;

	for (size_t i = 0; i <= completion->n_words; i++) {
		if (!repeats) {
			if (!form.n)
				return;
			token = cut(&form, ' ');
			repeats = peel(&token);
		}
		if (i < completion->n_words && !allows(token, completion->words[i]))
			return;
	}
	offer_choices(completion, token);
}

void complete_usage(struct line_completion *completion, const char *usage)
{
	struct slice rest = { .p = usage, .n = usage ? strlen(usage) : 0 };

	while (rest.n)
		try_form(completion, cut(&rest, '|'));
}

void complete_argument(struct line_completion *completion, const char *usage)
{
	struct slice token = { .p = usage, .n = strlen(usage) };

	peel(&token);
	if (token.n && *token.p == '=')
		token = (struct slice){ .p = token.p + 1, .n = token.n - 1 };
	offer_choices(completion, token);
}
