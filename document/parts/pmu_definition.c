/* SPDX-License-Identifier: MIT */
/*
 * What the instances of a PMU share: its formats, events and caps, one row each in `parts`. Lists
 * of names and texts, as caps and attributes are, are read and written here, too.
 */
#include "document/parts/entry.h"
#include "document/parts/parts.h"

/* Reads one entry of a mapping into one element of an array. */
typedef void read_entry(struct pq_doc *doc, const struct pq_doc_node *entry, void *ret);

static void read_pair(struct pq_doc *doc, const struct pq_doc_node *node, void *of_ret)
{
	struct pmuq_pair *ret = of_ret;

	ret->name = pq_entry_key_of_file(doc, node);
	ret->text = pq_entry_file(doc, node);
}

/* If a file has several lines, the last one is used; it may begin with blanks. */
static void read_format(struct pq_doc *doc, const struct pq_doc_node *node, void *of_ret)
{
	struct pmuq_format *ret = of_ret;

	ret->name = pq_entry_key_of_file(doc, node);
	ret->text = pq_entry_file(doc, node);
	if (ret->text.n && memchr(ret->text.p, '\n', ret->text.n))
		pq_doc_fail(doc, node->at, PMUQ_E_BAD_ENTRY, "'%.*s': a format is one line",
			    STR_ARG(ret->name));
}

/* An array with an element for each entry of the mapping; NULL after an error. */
static void *read_entries(struct pq_doc *doc, const struct pq_doc_node *mapping,
			  read_entry *read_one, size_t each_bytes)
{
	const struct pq_doc_node *node = pq_entry_of_mapping(doc, mapping);
	char *array = pq_entry_array(doc, mapping, mapping->n, each_bytes), *at = array;

	for (; array && node; node = pq_entry_after(doc, node), at += each_bytes)
		read_one(doc, node, at);
	return array;
}

struct pmuq_pair *pq_doc_read_pairs(struct pq_doc *doc, const struct pq_doc_node *mapping)
{
	return read_entries(doc, mapping, read_pair, sizeof(struct pmuq_pair));
}

void pq_doc_write_pairs(struct pq_sink *sink, struct pmuq_str key, const struct pmuq_pair *pairs,
			size_t n)
{
	if (!n)
		return;
	pq_sink_key(sink, key);
	pq_sink_open(sink, '{');
	for (size_t i = 0; i < n; i++)
		pq_doc_write_pair(sink, pairs[i].name, pairs[i].text);
	pq_sink_close(sink, '}');
}

/* ---- formats, events and caps */

static void write_formats(struct pq_sink *sink, const struct pq_def *def)
{
	for (size_t i = 0; i < def->record.n_formats; i++)
		pq_doc_write_pair(sink, def->formats[i].name, def->formats[i].text);
}

static void write_events(struct pq_sink *sink, const struct pq_def *def)
{
	for (size_t i = 0; i < def->record.n_events; i++)
		pq_doc_write_event(sink, &def->events[i]);
}

static void write_caps(struct pq_sink *sink, const struct pq_def *def)
{
	for (size_t i = 0; i < def->record.n_caps; i++)
		pq_doc_write_pair(sink, def->record.caps[i].name, def->record.caps[i].text);
}

/* A part has the same name in the document, in a draft and in a definition. */
static const struct definition_part {
	struct pmuq_str key;
	read_entry *read_one;
	void (*write)(struct pq_sink *sink, const struct pq_def *def);
	size_t each_bytes;
	size_t array_offset, n_offset; /* in a draft */
	size_t written_offset;	       /* how many a definition has */
} parts[] = {
// clang-format off
#define PART(name, read, type) \
	{ .key = STR(#name), .read_one = read, .write = write_##name, .each_bytes = sizeof(type), \
	  .array_offset = offsetof(struct pq_pmu_draft, name), \
	  .n_offset = offsetof(struct pq_pmu_draft, n_##name), \
	  .written_offset = offsetof(struct pq_def, record.n_##name) }
	PART(formats, read_format, struct pmuq_format),
	PART(events, pq_doc_read_event, struct pmuq_event),
	PART(caps, read_pair, struct pmuq_pair),
#undef PART
	// clang-format on
};

size_t pq_doc_definition_keys(struct pmuq_str *names, size_t n)
{
	for (size_t i = 0; i < COUNT(parts); i++)
		names[n++] = parts[i].key;
	return n;
}

void pq_doc_read_definition(struct pq_doc *doc, const struct pq_doc_node *pmu,
			    struct pq_pmu_draft *draft)
{
	for (size_t i = 0; i < COUNT(parts); i++) {
		const struct definition_part *part = &parts[i];
		const struct pq_doc_node *mapping = pq_entry_find(pmu, part->key);
		size_t n = mapping ? mapping->n : 0;
		void *array;

		if (!mapping)
			continue;
		array = read_entries(doc, mapping, part->read_one, part->each_bytes);
		memcpy((char *)draft + part->array_offset, &array, sizeof(array));
		memcpy((char *)draft + part->n_offset, &n, sizeof(n));
	}
}

void pq_doc_write_definition(struct pq_sink *sink, const struct pq_def *def)
{
	for (size_t i = 0; i < COUNT(parts); i++) {
		if (!*(const size_t *)((const char *)def + parts[i].written_offset))
			continue;
		pq_sink_key(sink, parts[i].key);
		pq_sink_open(sink, '{');
		parts[i].write(sink, def);
		pq_sink_close(sink, '}');
	}
}
