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
#include "cli/or_die.h"
#include "core/str.h"

/* Cuts off the part before the next `c` outside of brackets. */
static struct pmuq_str cut(struct pmuq_str *rest, char c)
{
	struct pmuq_str head = { .p = rest->p };
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

static bool drop_end(struct pmuq_str *text, struct pmuq_str end)
{
	bool has_end = str_ends(*text, end);

	text->n -= has_end ? end.n : 0;
	return has_end;
}

/* Whether the last byte closes the first bracket. */
static bool is_bracketed(struct pmuq_str slice)
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
static bool peel(struct pmuq_str *token)
{
	bool repeats = false;

	for (;;) {
		if (drop_end(token, STR("...")) || drop_end(token, STR("…"))) {
			repeats = true;
		} else if (is_bracketed(*token)) {
			token->p++;
			token->n -= 2;
		} else {
			return repeats;
		}
	}
}

/* The placeholder at the beginning; empty if the word is written as it is. */
static struct pmuq_str name_of(struct pmuq_str choice)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-";
	struct pmuq_str name = { .p = choice.p };

	if (choice.n && *choice.p == '-')
		return name;
	while (name.n < choice.n && memchr(letters, choice.p[name.n], sizeof(letters) - 1))
		name.n++;
	return name;
}

/* What the token can be: words written as they are, or what a placeholder stands for. */
static void offer_choices(struct line_completion *completion, struct pmuq_str token)
{
	while (token.n) {
		struct pmuq_str choice = cut(&token, '|'), name = name_of(choice);
		auto_free char *word = name.n ? NULL : or_die(strndup(choice.p, choice.n));

		if (name.n)
			complete_placeholder(completion, name.p, name.n);
		else
			complete_offer(completion, 0, word, "", NULL, NULL);
	}
}

/* Whether an existing word fits the token; any word fits a placeholder. */
static bool allows(struct pmuq_str token, const char *word)
{
	while (token.n) {
		struct pmuq_str choice = cut(&token, '|');

		if (name_of(choice).n || str_eq(choice, str_of(word)))
			return true;
	}
	return false;
}

/* Steps through the tokens with the existing words, and offers the next token. */
static void try_form(struct line_completion *completion, struct pmuq_str form)
{
	struct pmuq_str token = { 0 };
	bool repeats = false;

	for (size_t i = 0; i <= completion->options.n_operands; i++) {
		if (!repeats) {
			if (!form.n)
				return;
			token = cut(&form, ' ');
			repeats = peel(&token);
		}
		if (i < completion->options.n_operands &&
		    !allows(token, completion->options.operands[i]))
			return;
	}
	offer_choices(completion, token);
}

void complete_usage(struct line_completion *completion, const char *usage)
{
	struct pmuq_str rest = str_of(usage);

	while (rest.n)
		try_form(completion, cut(&rest, '|'));
}

void complete_argument(struct line_completion *completion, const char *usage)
{
	struct pmuq_str token = str_of(usage);

	peel(&token);
	if (token.n && *token.p == '=')
		token = str_part(token, 1, token.n);
	offer_choices(completion, token);
}
