/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes records by the tables of keys.h. What a value may be is in parts/entry.c; the
 * names of error codes and the words of a status are here.
 */
#include "document/keys.h"
#include "core/text/time.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"
#include <limits.h>
#include <pmuq/pmuq.h>

static const struct pmuq_str status_words[] = {
	[PMUQ_OPENED] = STR("opened"),
	[PMUQ_REFUSED] = STR("refused"),
	[PMUQ_SKIPPED] = STR("skipped"),
};

struct pmuq_str pq_doc_status_word(enum pmuq_open_status status)
{
	return status_words[status];
}

/* ---- read */

static int read_status(struct pq_doc *doc, const struct pq_doc_node *node,
		       enum pmuq_open_status *ret, struct pmuq_error **reterr)
{
	for (size_t i = 0; i < COUNT(status_words); i++) {
		if (!str_eq(node->text, status_words[i]))
			continue;
		*ret = (enum pmuq_open_status)i;
		return 0;
	}
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "'%.*s' takes opened, refused or skipped", STR_ARG(node->key));
}

/* A code by its name, or by its number if another release of pmuq wrote it. */
static int read_code(struct pq_doc *doc, const struct pq_doc_node *node, enum pmuq_code *ret,
		     struct pmuq_error **reterr)
{
	uint64_t number = 0;

	for (size_t i = 0; node->type != PQ_DOC_MAPPING && pmuq_code_at(i); i++) {
		*ret = (enum pmuq_code)pmuq_code_at(i);
		if (str_eq(node->text, str_of(pmuq_code_name(*ret))))
			return 0;
	}
	if (pq_entry_number(doc, node, INT_MAX, &number, NULL) == 0) {
		*ret = (enum pmuq_code)number;
		return 0;
	}
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "'%.*s' takes the name of an error: see `pmuq help`",
			   STR_ARG(node->key));
}

static int read_errno(struct pq_doc *doc, const struct pq_doc_node *node, int *ret,
		      struct pmuq_error **reterr)
{
	uint64_t number = 0;
	int r = pq_entry_number(doc, node, INT_MAX, &number, reterr);

	*ret = (int)number;
	return r;
}

static int read_field(struct pq_doc *doc, const struct pq_doc_node *entry,
		      enum pq_doc_key_type type, void *field, struct pmuq_error **reterr)
{
	switch (type) {
	case PQ_DOC_KEY_PART:
		return 0;
	case PQ_DOC_KEY_TEXT:
		return pq_entry_text(doc, entry, field, reterr);
	case PQ_DOC_KEY_LINE:
		return pq_entry_line(doc, entry, field, reterr);
	case PQ_DOC_KEY_SCALE:
		return pq_entry_scale(doc, entry, field, reterr);
	case PQ_DOC_KEY_COUNT:
		return pq_entry_number(doc, entry, INT32_MAX, field, reterr);
	case PQ_DOC_KEY_ERRNO:
		return read_errno(doc, entry, field, reterr);
	case PQ_DOC_KEY_TIME:
		return pq_entry_time(doc, entry, field, reterr);
	case PQ_DOC_KEY_FLAG:
		return pq_entry_flag(doc, entry, field, reterr);
	case PQ_DOC_KEY_CODE:
		return read_code(doc, entry, field, reterr);
	case PQ_DOC_KEY_STATUS:
		return read_status(doc, entry, field, reterr);
	}
	return 0;
}

int pq_doc_key_read(struct pq_doc *doc, const struct pq_doc_node *entry,
		    const struct pq_doc_key *key, void *ret_record, struct pmuq_error **reterr)
{
	char *record = ret_record;

	if (key->has_offset)
		*(bool *)(record + key->has_offset) = true;
	return read_field(doc, entry, key->type, record + key->offset, reterr);
}

int pq_doc_read_fields(struct pq_doc *doc, const struct pq_doc_node *mapping,
		       const struct pq_doc_key *keys, size_t n, void *ret_record,
		       struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++) {
		const struct pq_doc_node *entry = pq_entry_find(mapping, keys[i].name);

		if (!entry && keys[i].is_required)
			r = pq_entry_need(doc, mapping, keys[i].name, &entry, reterr);
		if (entry)
			r = pq_doc_key_read(doc, entry, &keys[i], ret_record, reterr);
	}
	return r;
}

int pq_doc_read_record(struct pq_doc *doc, const struct pq_doc_node *node,
		       const struct pq_doc_key *keys, size_t n, void *ret_record,
		       struct pmuq_error **reterr)
{
	struct pmuq_str names[PQ_DOC_KEYS_MAX];
	int r;

	for (size_t i = 0; i < n; i++)
		names[i] = keys[i].name;
	r = pq_entry_mapping(doc, node, names, n, reterr);
	return r < 0 ? r : pq_doc_read_fields(doc, node, keys, n, ret_record, reterr);
}

/* ---- write */

static void write_time(struct pq_sink *sink, int64_t time_s)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	sink->failed |= !pq_time_print(&text, time_s) || text.failed;
	pq_sink_text(sink, pq_buf_str(&text));
}

static void write_code(struct pq_sink *sink, enum pmuq_code code)
{
	const char *name = pmuq_code_name(code);

	if (name)
		pq_sink_text(sink, str_of(name));
	else
		pq_sink_count(sink, (uint64_t)code);
}

static bool is_text(enum pq_doc_key_type type)
{
	return type == PQ_DOC_KEY_TEXT || type == PQ_DOC_KEY_LINE || type == PQ_DOC_KEY_SCALE;
}

static void write_field(struct pq_sink *sink, enum pq_doc_key_type type, const void *field)
{
	if (is_text(type))
		pq_doc_write_value(sink, *(const struct pmuq_str *)field);
	else if (type == PQ_DOC_KEY_COUNT)
		pq_sink_count(sink, *(const uint64_t *)field);
	else if (type == PQ_DOC_KEY_ERRNO)
		pq_sink_number(sink, *(const int *)field);
	else if (type == PQ_DOC_KEY_TIME)
		write_time(sink, *(const int64_t *)field);
	else if (type == PQ_DOC_KEY_FLAG)
		pq_sink_bool(sink, true);
	else if (type == PQ_DOC_KEY_CODE)
		write_code(sink, *(const enum pmuq_code *)field);
	else if (type == PQ_DOC_KEY_STATUS)
		pq_sink_text(sink, pq_doc_status_word(*(const enum pmuq_open_status *)field));
}

bool pq_doc_key_is_set(const struct pq_doc_key *key, const void *of_record)
{
	const char *record = of_record, *field = record + key->offset;

	if (key->has_offset)
		return *(const bool *)(record + key->has_offset);
	if (is_text(key->type))
		return ((const struct pmuq_str *)field)->p;
	if (key->type == PQ_DOC_KEY_ERRNO)
		return *(const int *)field;
	if (key->type == PQ_DOC_KEY_TIME)
		return *(const int64_t *)field;
	if (key->type == PQ_DOC_KEY_FLAG)
		return *(const bool *)field;
	return key->type != PQ_DOC_KEY_PART;
}

void pq_doc_write_fields(struct pq_sink *sink, const struct pq_doc_key *keys, size_t n,
			 const void *record)
{
	for (size_t i = 0; i < n; i++) {
		if (!pq_doc_key_is_set(&keys[i], record))
			continue;
		pq_sink_key(sink, keys[i].name);
		write_field(sink, keys[i].type, (const char *)record + keys[i].offset);
	}
}
