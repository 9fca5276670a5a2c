/* SPDX-License-Identifier: MIT */
/* Hints about invalid event strings that other tools would accept. */
#include "core/event/modifier.h"
#include "encode/hint/hint.h"

/* The part of the input that could be one event and ends before a byte. */
static struct pmuq_str event_before(struct pmuq_str input, size_t end)
{
	size_t from = end;

	while (from && input.p[from - 1] != ',' && input.p[from - 1] != '{')
		from--;
	return str_trim(str_part(input, from, end));
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

/* libpfm4 is slow, and has no names with a slash. */
static bool encodes(const struct pq_encoder *e, const char *text)
{
	struct pmuq_encode_options options = *e->options;
	struct pmuq_encodings *encodings = NULL;
	int r;

	options.pfm = NULL;
	r = text ? pq_encode(e->lookup, text, &options, &encodings, NULL) : -PMUQ_E_MEMORY;
	pq_note_memory(e, r);
	pmuq_encodings_free(encodings);
	return r == 0;
}

/* cycles/u, power/energy-pkg, {cycles/u,instructions}. The first text that is valid. */
static void print_closed(const struct pq_encoder *e, size_t slash, struct pq_buf *hint)
{
	static const struct {
		const char *before, *after, *meaning;
	} corrections[] = {
		{ .before = "/", .after = "/", .meaning = "close the list" },
		{ .before = ":", .after = "", .meaning = "modifiers of an event follow a ':'" },
		{ .before = "//", .after = "", .meaning = "modifiers follow the last '/'" },
	};
	const struct pmuq_error *error = *e->reterr;
	bool is_group = error->code == PMUQ_E_SYNTAX;
	struct pmuq_str event = event_before(e->input, slash), first, others;
	struct pmuq_str rest =
		str_trim(str_part(e->input, slash + 1, is_group ? error->offset : e->input.n));

	str_cut(rest, ',', &first, &others);
	if (!event.n || !first.n)
		return;
	for (size_t i = is_group; i < COUNT(corrections); i++) {
		struct pq_buf text = PQ_BUF_IN(e->scratch);
		const char *kept;

		if (i && !pq_modifier_are_letters(first))
			break;
		pq_buf_print(&text, "%.*s%s%.*s%s", STR_ARG(event), corrections[i].before,
			     STR_ARG(rest), corrections[i].after);
		kept = pq_buf_take(&text);
		if (encodes(e, kept)) {
			pq_hint_begin(hint, "%s: %s", corrections[i].meaning, kept);
			return;
		}
	}
	if (is_group)
		pq_hint_begin(hint, "close the list that begins with %.*s/", STR_ARG(event));
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
