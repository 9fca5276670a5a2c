/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes records by the tables of keys.h. `types` is the only list of the types that a
 * value can have: how each is read and written, and when a field has no value. Texts and numbers
 * are read by parts/entry.c, which checks them.
 */
#include "document/keys.h"
#include "core/num.h"
#include "core/text/time.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"
#include <assert.h>
#include <limits.h>
#include <pmuq/pmuq.h>

/* ---- types: each pair of functions reads an entry into a field, and writes the field */

static void read_text(struct pq_doc *doc, const struct pq_doc_node *entry, void *field)
{
	*(struct pmuq_str *)field = pq_entry_text(doc, entry);
}

static void read_line(struct pq_doc *doc, const struct pq_doc_node *entry, void *field)
{
	*(struct pmuq_str *)field = pq_entry_line(doc, entry);
}

static void read_scale(struct pq_doc *doc, const struct pq_doc_node *entry, void *field)
{
	struct pmuq_str text = pq_entry_text(doc, entry);

	if (!str_eq(pq_num_scale_text(text), text))
		pq_doc_fail(doc, entry->at, PMUQ_E_BAD_ENTRY,
			    "a scale is a decimal number like 6.1e-5, and not zero");
	*(struct pmuq_str *)field = text;
}

static void write_text(struct pq_sink *sink, const void *field)
{
	pq_doc_write_value(sink, *(const struct pmuq_str *)field);
}

static void read_count(struct pq_doc *doc, const struct pq_doc_node *entry, void *field)
{
	*(uint64_t *)field = pq_entry_number(doc, entry, INT32_MAX);
}

static void write_count(struct pq_sink *sink, const void *field)
{
	pq_sink_count(sink, *(const uint64_t *)field);
}

static void read_errno(struct pq_doc *doc, const struct pq_doc_node *entry, void *field)
{
	*(int *)field = (int)pq_entry_number(doc, entry, INT_MAX);
}

static void write_errno(struct pq_sink *sink, const void *field)
{
	pq_sink_number(sink, *(const int *)field);
}

static void read_time(struct pq_doc *doc, const struct pq_doc_node *entry, void *field)
{
	if (entry->type != PQ_DOC_TEXT || !pq_time_read(entry->text, field))
		pq_doc_fail(doc, entry->at, PMUQ_E_BAD_ENTRY,
			    "'%.*s' takes a time like \"2026-11-21T19:30:19Z\", in quotes",
			    STR_ARG(entry->key));
}

static void write_time(struct pq_sink *sink, const void *field)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	sink->failed |= !pq_time_print(&text, *(const int64_t *)field) || text.failed;
	pq_sink_text(sink, pq_buf_str(&text));
}

static void read_flag(struct pq_doc *doc, const struct pq_doc_node *entry, void *field)
{
	if (entry->type != PQ_DOC_BARE || !str_eq(entry->text, STR("true")))
		pq_entry_fail(doc, entry, "the value must be true; otherwise omit the key");
	*(bool *)field = true;
}

static void write_flag(struct pq_sink *sink, const void *field)
{
	pq_sink_bool(sink, *(const bool *)field);
}

/* A code by its name, or by its number if another release of pmuq wrote it. */
static void read_code(struct pq_doc *doc, const struct pq_doc_node *entry, void *field)
{
	enum pmuq_code *ret = field;
	uint64_t number = 0;

	for (size_t i = 0; entry->type != PQ_DOC_MAPPING && pmuq_code_at(i); i++) {
		*ret = (enum pmuq_code)pmuq_code_at(i);
		if (str_eq(entry->text, str_of(pmuq_code_name(*ret))))
			return;
	}
	*ret = (enum pmuq_code)0;
	if (pq_entry_is_number(entry, INT_MAX, &number))
		*ret = (enum pmuq_code)number;
	else
		pq_doc_fail(doc, entry->at, PMUQ_E_BAD_ENTRY,
			    "'%.*s' takes the name of an error: see `pmuq help`",
			    STR_ARG(entry->key));
}

static void write_code(struct pq_sink *sink, const void *field)
{
	enum pmuq_code code = *(const enum pmuq_code *)field;
	const char *name = pmuq_code_name(code);

	if (name)
		pq_sink_text(sink, str_of(name));
	else
		pq_sink_count(sink, (uint64_t)code);
}

static const struct pmuq_str status_words[] = {
	[PMUQ_OPENED] = STR("opened"),
	[PMUQ_REFUSED] = STR("refused"),
	[PMUQ_SKIPPED] = STR("skipped"),
};

struct pmuq_str pq_doc_status_word(enum pmuq_open_status status)
{
	return status_words[status];
}

static void read_status(struct pq_doc *doc, const struct pq_doc_node *entry, void *field)
{
	size_t i = 0;

	while (i < COUNT(status_words) && !str_eq(entry->text, status_words[i]))
		i++;
	if (i == COUNT(status_words))
		pq_doc_fail(doc, entry->at, PMUQ_E_BAD_ENTRY,
			    "'%.*s' takes opened, refused or skipped", STR_ARG(entry->key));
	*(enum pmuq_open_status *)field = (enum pmuq_open_status)i;
}

static void write_status(struct pq_sink *sink, const void *field)
{
	pq_sink_text(sink, status_words[*(const enum pmuq_open_status *)field]);
}

/* A part is read and written by its own functions. */
static const struct {
	void (*read)(struct pq_doc *doc, const struct pq_doc_node *entry, void *field);
	void (*write)(struct pq_sink *sink, const void *field);
	/* A field has no value if this number of bytes at its start is zero (for a text, the
	 * pointer). 0: it always has one. */
	size_t empty_bytes;
} types[] = {
	[PQ_DOC_KEY_TEXT] = { read_text, write_text, sizeof(const char *) },
	[PQ_DOC_KEY_LINE] = { read_line, write_text, sizeof(const char *) },
	[PQ_DOC_KEY_SCALE] = { read_scale, write_text, sizeof(const char *) },
	[PQ_DOC_KEY_COUNT] = { read_count, write_count, 0 },
	[PQ_DOC_KEY_ERRNO] = { read_errno, write_errno, sizeof(int) },
	[PQ_DOC_KEY_TIME] = { read_time, write_time, sizeof(int64_t) },
	[PQ_DOC_KEY_FLAG] = { read_flag, write_flag, sizeof(bool) },
	[PQ_DOC_KEY_CODE] = { read_code, write_code, 0 },
	[PQ_DOC_KEY_STATUS] = { read_status, write_status, 0 },
};
static_assert(offsetof(struct pmuq_str, p) == 0, "the pointer of a text comes first");

/* ---- records */

void pq_doc_key_read(struct pq_doc *doc, const struct pq_doc_node *entry,
		     const struct pq_doc_key *key, void *ret_record)
{
	char *record = ret_record;

	if (key->has_offset)
		*(bool *)(record + key->has_offset) = true;
	if (types[key->type].read)
		types[key->type].read(doc, entry, record + key->offset);
}

void pq_doc_read_fields(struct pq_doc *doc, const struct pq_doc_node *mapping,
			const struct pq_doc_key *keys, size_t n, void *ret_record)
{
	for (size_t i = 0; doc->r == 0 && i < n; i++) {
		const struct pq_doc_node *entry = pq_entry_find(mapping, keys[i].name);

		if (entry)
			pq_doc_key_read(doc, entry, &keys[i], ret_record);
		else if (keys[i].is_required)
			pq_entry_need(doc, mapping, keys[i].name);
	}
}

void pq_doc_read_record(struct pq_doc *doc, const struct pq_doc_node *node,
			const struct pq_doc_key *keys, size_t n, void *ret_record)
{
	struct pmuq_str names[PQ_DOC_KEYS_MAX];

	for (size_t i = 0; i < n; i++)
		names[i] = keys[i].name;
	pq_entry_check_keys(doc, node, names, n);
	pq_doc_read_fields(doc, node, keys, n, ret_record);
}

bool pq_doc_key_is_set(const struct pq_doc_key *key, const void *of_record)
{
	static const char zeroes[sizeof(int64_t)];
	const char *record = of_record;
	size_t n = types[key->type].empty_bytes;

	if (key->has_offset)
		return *(const bool *)(record + key->has_offset);
	return types[key->type].write && (!n || memcmp(record + key->offset, zeroes, n) != 0);
}

void pq_doc_write_fields(struct pq_sink *sink, const struct pq_doc_key *keys, size_t n,
			 const void *record)
{
	for (size_t i = 0; i < n; i++) {
		if (!pq_doc_key_is_set(&keys[i], record))
			continue;
		pq_sink_key(sink, keys[i].name);
		types[keys[i].type].write(sink, (const char *)record + keys[i].offset);
	}
}
