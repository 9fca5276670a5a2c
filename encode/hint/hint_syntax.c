/* SPDX-License-Identifier: MIT */
/* Hints about invalid event strings that other tools would accept. */
#include "core/event/modifier.h"
#include "encode/hint/hint.h"

/* The part of the input that ends before, or begins at, a byte and could be one event. */
static struct pmuq_str word_before(struct pmuq_str input, size_t end)
{
	size_t from = end;

	while (from && char_is(input.p[from - 1], CHAR_WORD))
		from--;
	return str_part(input, from, end);
}

static struct pmuq_str event_from(struct pmuq_str input, size_t from)
{
	size_t end = from;

	while (end < input.n && !strchr("{} \t\n", input.p[end]))
		end++;
	return str_part(input, from, end);
}

/* The slash of a list of terms that is not closed; the length of the input for other errors. */
static size_t open_slash(const struct pq_encoder *e)
{
	const struct pmuq_error *error = *e->reterr;
	size_t at = error->offset;

	if (at >= e->input.n)
		return e->input.n;
	if (error->code == PMUQ_E_UNTERMINATED && e->input.p[at] == '/')
		return at;
	if (error->code != PMUQ_E_SYNTAX || e->input.p[at] != '}')
		return e->input.n;
	while (at && e->input.p[at] != '/')
		at--;
	return e->input.p[at] == '/' ? at : e->input.n;
}

/* cycles/u, power/energy-pkg, {cycles/u,instructions} */
static void print_closed(const struct pq_encoder *e, size_t slash, struct pq_buf *hint)
{
	struct pmuq_str name = word_before(e->input, slash);
	struct pmuq_str rest = event_from(e->input, slash + 1), first, others;
	const struct pmuq_pmu *pmu;

	str_cut(rest, ',', &first, &others);
	if (!name.n || !rest.n)
		return;
	if (first.n && pq_modifier_are_letters(first) &&
	    pq_query_hint(e, find_pmu, name, &pmu) == PQ_NONE)
		pq_hint_begin(hint, "modifiers of an event follow a ':': %.*s:%.*s", STR_ARG(name),
			      STR_ARG(first));
	else if ((*e->reterr)->code == PMUQ_E_UNTERMINATED)
		pq_hint_begin(hint, "close the list: %.*s/%.*s/", STR_ARG(name), STR_ARG(rest));
	else
		pq_hint_begin(hint, "close the list that begins with %.*s/", STR_ARG(name));
}

static bool has_byte_order_mark(struct pmuq_str text)
{
	return str_starts(text, STR("\xef\xbb\xbf")) || str_starts(text, STR("\xff\xfe")) ||
	       str_starts(text, STR("\xfe\xff"));
}

void pq_hint_syntax(const struct pq_encoder *e)
{
	struct pq_buf hint = PQ_BUF_NULL;
	size_t slash;

	if (!pq_can_hint(e) || (*e->reterr)->hint.n)
		return;
	slash = open_slash(e);
	if (slash < e->input.n)
		print_closed(e, slash, &hint);
	else if (has_byte_order_mark(e->input))
		pq_hint_begin(&hint, "the text begins with a byte-order mark: save it as UTF-8 "
				     "without one");
	pq_error_hint_buf(e->reterr, &hint);
}
