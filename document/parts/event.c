/* SPDX-License-Identifier: MIT */
/*
 * An event: one line, `terms | unit U | scale S | per-pkg | snapshot`, or a mapping with the same
 * keys if its texts would be ambiguous in a line. Each event has exactly one form that pmuq writes,
 * so equal machines give equal bytes; the reader accepts both.
 */
#include "core/catalog/lookup.h"
#include "core/num.h"
#include "core/text/utf8.h"
#include "document/keys.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"

/* The keys of a mapping, and the words of a line. A row for each companion file follows the
 * terms. */
// clang-format off
static const struct pq_doc_key keys[] = {
	PQ_DOC_KEY("terms",    LINE,  struct pmuq_event, terms, .is_required = true),
	PQ_DOC_KEY("unit",     TEXT,  struct pmuq_event, unit, PQ_DOC_HAS(struct pmuq_event, has_unit_file)),
	PQ_DOC_KEY("scale",    SCALE, struct pmuq_event, scale, PQ_DOC_HAS(struct pmuq_event, has_scale_file)),
	PQ_DOC_KEY("per-pkg",  FLAG,  struct pmuq_event, is_per_pkg),
	PQ_DOC_KEY("snapshot", FLAG,  struct pmuq_event, is_snapshot),
};
// clang-format on
#define FIRST_COMPANION 1

/* ---- read */

static void fail_part(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str part)
{
	struct pq_buf hint = PQ_BUF_NULL;

	pq_doc_fail(doc, node->at, PMUQ_E_BAD_ENTRY, "'%.*s' cannot follow the terms of an event",
		    (int)(part.n < 60 ? part.n : 60), part.p);
	for (size_t i = FIRST_COMPANION; i < COUNT(keys); i++)
		pq_buf_print(&hint, "%.*s%s, ", STR_ARG(keys[i].name),
			     keys[i].type == PQ_DOC_KEY_TEXT	? " NAME"
			     : keys[i].type == PQ_DOC_KEY_SCALE ? " NUMBER"
								: "");
	pq_buf_add(&hint, STR("each once"));
	pq_error_hint_buf(doc->reterr, &hint);
}

/* "unit MiB" or "per-pkg" as an entry of a mapping. */
static bool is_entry(struct pmuq_str part, const struct pq_doc_key *key, struct pq_doc_node *ret)
{
	if (!str_starts(part, key->name))
		return false;
	part = str_part(part, key->name.n, part.n);
	if (key->type == PQ_DOC_KEY_FLAG) {
		ret->type = PQ_DOC_BARE;
		ret->text = STR("true");
		return !part.n;
	}
	ret->type = PQ_DOC_TEXT;
	ret->text = str_trim(part);
	return ret->text.n && part.p[0] == ' ';
}

static void read_part(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str part,
		      struct pmuq_event *event)
{
	struct pq_doc_node entry = *node;

	for (size_t i = FIRST_COMPANION; i < COUNT(keys); i++)
		if (!pq_doc_key_is_set(&keys[i], event) && is_entry(part, &keys[i], &entry)) {
			pq_doc_key_read(doc, &entry, &keys[i], event);
			return;
		}
	fail_part(doc, node, part);
}

static void read_line(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_event *event)
{
	struct pmuq_str part, rest = pq_entry_line(doc, node);
	bool more = str_cut(rest, '|', &part, &rest);

	event->terms = str_trim(part);
	if (more && !event->terms.n)
		pq_doc_fail(doc, node->at, PMUQ_E_BAD_ENTRY,
			    "an event without terms must be a mapping");
	while (more && doc->r == 0) {
		more = str_cut(rest, '|', &part, &rest);
		read_part(doc, node, str_trim(part), event);
	}
}

void pq_doc_read_event(struct pq_doc *doc, const struct pq_doc_node *node, void *ret)
{
	struct pmuq_event event = { .unit = STR(""), .scale = STR("1") };

	event.name = pq_entry_key_of_file(doc, node);
	if (pq_event_companion(event.name))
		pq_doc_fail(doc, node->key_at, PMUQ_E_BAD_ENTRY,
			    "'%.*s' is the name of a companion file, not of an event",
			    STR_ARG(event.name));
	if (node->type == PQ_DOC_MAPPING)
		pq_doc_read_record(doc, node, keys, COUNT(keys), &event);
	else
		read_line(doc, node, &event);
	memcpy(ret, &event, sizeof(event));
}

/* ---- write */

static struct pmuq_str text_of(const struct pq_doc_key *key, const struct pmuq_event *event)
{
	if (key->type == PQ_DOC_KEY_FLAG)
		return (struct pmuq_str){ 0 };
	return *(const struct pmuq_str *)((const char *)event + key->offset);
}

/* A text with a bar, a newline or blanks around it would be read as another text. */
static bool fits_in_line(struct pmuq_str s)
{
	return pq_utf8_is_text(s) && s.n && str_trim(s).n == s.n && !memchr(s.p, '|', s.n) &&
	       !memchr(s.p, '\n', s.n);
}

/* An event without terms and companions is an empty line. */
static bool is_line(const struct pmuq_event *event)
{
	bool has_companion = false, fits = true;

	for (size_t i = FIRST_COMPANION; i < COUNT(keys); i++) {
		if (!pq_doc_key_is_set(&keys[i], event))
			continue;
		has_companion = true;
		fits &= keys[i].type == PQ_DOC_KEY_FLAG || fits_in_line(text_of(&keys[i], event));
	}
	return (!has_companion && !event->terms.n) || (fits && fits_in_line(event->terms));
}

static void write_line(struct pq_sink *sink, const struct pmuq_event *event)
{
	cleanup(pq_buf_free) struct pq_buf line = PQ_BUF_NULL;

	pq_buf_add(&line, event->terms);
	for (size_t i = FIRST_COMPANION; i < COUNT(keys); i++) {
		struct pmuq_str text = text_of(&keys[i], event);

		if (pq_doc_key_is_set(&keys[i], event))
			pq_buf_print(&line, " | %.*s%s%.*s", STR_ARG(keys[i].name),
				     text.p ? " " : "", STR_ARG(text));
	}
	sink->failed |= line.failed;
	pq_sink_text(sink, pq_buf_str(&line));
}

void pq_doc_write_event(struct pq_sink *sink, const struct pmuq_event *event)
{
	pq_doc_write_name(sink, event->name);
	if (is_line(event)) {
		write_line(sink, event);
		return;
	}
	pq_sink_open(sink, '{');
	pq_doc_write_fields(sink, keys, COUNT(keys), event);
	pq_sink_close(sink, '}');
}
