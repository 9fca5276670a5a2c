/* SPDX-License-Identifier: MIT */
/*
 * An event in parts: the event string of a PMU, an event, terms and modifiers, which is then
 * encoded as if the caller had written it. Errors, spans and the name of the encoding are those of
 * that string.
 */
#include "core/catalog/source.h"
#include "core/sized.h"
#include "encode/encoder.h"
#include "encode/parse/parse.h"
#include "encode/words/keyword.h"

/* A string that is being written; a part that no event string can contain sticks. */
struct writing {
	struct pq_buf text;
	const char *refused;
};

static void write_name(struct writing *to, const char *name)
{
	if (!pq_write_name(&to->text, str_of(name)))
		to->refused = name;
}

/* A key of a term, or a value that is a word. The parser refuses a wrong first byte. */
static void write_word(struct writing *to, const char *word, bool is_quoted)
{
	struct pmuq_str s = str_of(word);

	for (size_t i = 0; i < s.n; i++)
		if (!char_is(s.p[i], CHAR_QUOTED))
			to->refused = word;
	pq_buf_print(&to->text, is_quoted ? "'%s'" : "%s", word);
}

/* As a term the event is its name, unless that is a term of every PMU. */
static void write_event(struct writing *to, const char *event)
{
	struct pmuq_str name = str_of(event);

	if (pq_word_is_key(name) && !pq_keyword_find(name) &&
	    !pq_word_is_raw(name, true, &(uint64_t){ 0 })) {
		pq_buf_add(&to->text, name);
		return;
	}
	pq_buf_add(&to->text, STR("event="));
	write_word(to, event, true);
}

static void write_term(struct writing *to, const struct pmuq_term *term)
{
	write_word(to, term->name, !pq_word_is_key(str_of(term->name)));
	pq_buf_print(&to->text, "=%llu", (unsigned long long)term->value);
}

/* PMU/EVENT,TERM=VALUE/MODIFIERS, or EVENT/TERM=VALUE/MODIFIERS. */
static void write_parts(struct writing *to, const struct pmuq_event_parts *parts)
{
	bool has_event = parts->pmu && parts->event;

	write_name(to, parts->pmu ? parts->pmu : parts->event);
	pq_buf_char(&to->text, '/', 1);
	if (has_event)
		write_event(to, parts->event);
	for (size_t i = 0; i < parts->n_terms; i++) {
		if (i || has_event)
			pq_buf_char(&to->text, ',', 1);
		write_term(to, &parts->terms[i]);
	}
	pq_buf_char(&to->text, '/', 1);
	for (const char *letter = parts->modifiers; letter && *letter; letter++) {
		if (!char_is(*letter, CHAR_ALPHA))
			to->refused = parts->modifiers;
		pq_buf_char(&to->text, *letter, 1);
	}
}

static int encode_parts(struct pq_lookup lookup, const struct pmuq_event_parts *parts,
			const struct pmuq_encode_options *options, struct pmuq_encodings **ret,
			struct pmuq_error **reterr)
{
	struct writing to = { .text = PQ_BUF_NULL };
	struct pmuq_event_parts taken;
	auto_free char *text = NULL;
	int r = pq_sized_take(parts, &taken, sizeof(taken), reterr);

	if (r < 0)
		return r;
	if (!taken.pmu && !taken.event)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "an event in parts needs a PMU or an event");
	write_parts(&to, &taken);
	text = pq_buf_take(&to.text);
	if (!text)
		return pq_fail_memory(reterr);
	if (to.refused)
		return pq_fail(reterr, PMUQ_E_SYNTAX, "no event string can contain '%s'",
			       to.refused);
	return pq_encode(lookup, text, options, ret, reterr);
}

PQ_API int pmuq_source_encode_parts(struct pmuq_source *source,
				    const struct pmuq_event_parts *parts,
				    const struct pmuq_encode_options *options,
				    struct pmuq_encodings **ret, struct pmuq_error **reterr)
{
	return encode_parts(source->lookup, parts, options, ret, reterr);
}

PQ_API int pmuq_catalog_encode_parts(const struct pmuq_catalog *catalog,
				     const struct pmuq_event_parts *parts,
				     const struct pmuq_encode_options *options,
				     struct pmuq_encodings **ret, struct pmuq_error **reterr)
{
	return encode_parts(pq_catalog_lookup(catalog), parts, options, ret, reterr);
}
