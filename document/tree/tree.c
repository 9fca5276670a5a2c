/* SPDX-License-Identifier: MIT */
/*
 * Builds the tree of a document for both parsers, within limits on its depth and size: a small
 * hostile file must not take much memory or time. Errors get their location here, as line and
 * column of the file, with the part of the line around it.
 */
#include "document/tree/tree.h"
#include "core/text/utf8.h"

/* How much of a long line an error quotes on either side of the error. */
#define SEEN_BYTES ((size_t)200)

/* -------------------------------------------------------------------------------------- errors */

static struct pmuq_str line_at(const struct pq_doc *doc, uint32_t line)
{
	struct pmuq_str head = { 0 }, rest = doc->text;
	bool more = true;

	for (uint32_t i = doc->start.line; more && i <= line; i++)
		more = str_cut(rest, '\n', &head, &rest);
	return head;
}

/* The offset in the line of a column. */
static size_t offset_in_line(const struct pq_doc *doc, struct pmuq_str line,
			     struct pq_doc_location at)
{
	uint32_t from = at.line == doc->start.line ? doc->start.column : 1;
	size_t column = at.column > from ? at.column - from : 0, offset = 0;

	if (doc->is_json)
		return column < line.n ? column : line.n;
	for (; column && offset < line.n; column--) {
		size_t n = pq_utf8_length(str_part(line, offset, line.n));

		offset += n ? n : 1;
	}
	return offset;
}

/* The part of a line around an offset, without NULs at its ends. */
static struct pmuq_str part_around(struct pmuq_str line, size_t *offset)
{
	size_t from = *offset, to = *offset;

	while (from && *offset - from < SEEN_BYTES && line.p[from - 1])
		from--;
	while (to < line.n && to - *offset < SEEN_BYTES && line.p[to])
		to++;
	*offset -= from;
	return str_part(line, from, to);
}

void pq_doc_fail(struct pq_doc *doc, struct pq_doc_location at, enum pmuq_code code,
		 const char *format, ...)
{
	struct pq_buf origin = PQ_BUF_NULL;
	struct pmuq_str part;
	size_t offset;
	va_list args;

	if (doc->r < 0)
		return;
	va_start(args, format);
	doc->r = pq_fail_args(doc->reterr, code, format, args);
	va_end(args);
	pq_buf_add(&origin, doc->origin);
	pq_buf_print(&origin, ":%u:%u", at.line, at.column);
	pq_error_origin_buf(doc->reterr, &origin);
	part = line_at(doc, at.line);
	offset = offset_in_line(doc, part, at);
	part = part_around(part, &offset);
	/* An empty line is not worth quoting; the origin has the location. */
	if (!part.n)
		return;
	pq_error_input(doc->reterr, part);
	pq_error_at(doc->reterr, (struct pq_span){ .offset = (uint32_t)offset, .length = 0 });
}

void pq_doc_fail_memory(struct pq_doc *doc)
{
	if (doc->r == 0)
		doc->r = pq_fail_memory(doc->reterr);
}

void pq_doc_fail_arena(struct pq_doc *doc, struct pq_doc_location at)
{
	if (doc->arena.is_refused)
		pq_doc_fail_memory(doc);
	else
		pq_doc_fail(doc, at, PMUQ_E_DOCUMENT_LIMIT,
			    "the document is larger than any machine needs");
}

struct pq_doc_location pq_doc_pass(struct pq_doc_location at, struct pmuq_str text)
{
	for (size_t i = 0; i < text.n; i++) {
		at.column++;
		if (text.p[i] != '\n')
			continue;
		at.line++;
		at.column = 1;
	}
	return at;
}

/* ------------------------------------------------------------------------------------ building */

static struct pq_frame *top(struct pq_doc *doc)
{
	return doc->depth ? &doc->stack[doc->depth - 1] : NULL;
}

/* A scalar in a mapping is a key, unless a key is waiting for its value. */
static bool wants_key(const struct pq_frame *frame)
{
	return frame && frame->node->type == PQ_DOC_MAPPING && !frame->has_key;
}

/* Puts the node into its mapping, after its key, or into its list. */
static void attach(struct pq_doc *doc, struct pq_frame *frame, struct pq_doc_node *node)
{
	node->key_at = node->at;
	if (!frame) {
		doc->root = node;
		return;
	}
	node->key = frame->key;
	if (frame->has_key)
		node->key_at = frame->key_at;
	frame->has_key = false;
	*(frame->last ? &frame->last->next : &frame->node->first) = node;
	frame->last = node;
	frame->node->n++;
}

/* NULL after an error. */
static struct pq_doc_node *add_node(struct pq_doc *doc, enum pq_doc_node_type type,
				    struct pq_doc_location at)
{
	struct pq_doc_node *node = NULL;

	if (wants_key(top(doc)))
		pq_doc_fail(doc, at, PMUQ_E_BAD_ENTRY, "a key must be a text");
	if (doc->n_nodes++ == PQ_NODES_MAX)
		pq_doc_fail(doc, at, PMUQ_E_DOCUMENT_LIMIT, "more than %u entries", PQ_NODES_MAX);
	if (doc->r == 0)
		node = pq_arena_zero(&doc->arena, sizeof(*node));
	if (!node) {
		pq_doc_fail_arena(doc, at);
		return NULL;
	}
	node->type = type;
	node->at = at;
	attach(doc, top(doc), node);
	return node;
}

void pq_tree_open(struct pq_doc *doc, enum pq_doc_node_type type, struct pq_doc_location at)
{
	struct pq_doc_node *node;

	if (doc->depth == PQ_DEPTH_MAX)
		pq_doc_fail(doc, at, PMUQ_E_DOCUMENT_LIMIT, "nested deeper than %u levels",
			    PQ_DEPTH_MAX);
	node = add_node(doc, type, at);
	if (node)
		doc->stack[doc->depth++] = (struct pq_frame){ .node = node };
}

void pq_tree_scalar(struct pq_doc *doc, struct pmuq_str text, enum pq_doc_node_type type,
		    struct pq_doc_location at)
{
	struct pq_frame *frame = top(doc);
	struct pq_doc_node *node;
	struct pmuq_str *copy;

	if (text.n > PQ_SCALAR_MAX_BYTES)
		pq_doc_fail(doc, at, PMUQ_E_DOCUMENT_LIMIT, "a text of %zu bytes; the limit is %zu",
			    text.n, PQ_SCALAR_MAX_BYTES);
	if (wants_key(frame)) {
		frame->key_at = at;
		frame->has_key = true;
		copy = &frame->key;
	} else {
		node = add_node(doc, type, at);
		copy = node ? &node->text : NULL;
	}
	if (doc->r < 0)
		return;
	*copy = pq_arena_str(&doc->arena, text);
	if (!copy->p)
		pq_doc_fail_arena(doc, at);
}

static int compare_locations(struct pq_doc_location a, struct pq_doc_location b)
{
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	return a.column < b.column ? -1 : a.column > b.column;
}

/* By name, then by location. */
static int compare_named(const void *of_a, const void *of_b)
{
	const struct pq_doc_named *a = of_a, *b = of_b;
	int r = str_cmp(a->name, b->name);

	return r ? r : compare_locations(a->at, b->at);
}

const struct pq_doc_named *pq_doc_find_repeated(struct pq_doc_named *v, size_t n)
{
	const struct pq_doc_named *found = NULL;

	if (n)
		qsort(v, n, sizeof(*v), compare_named);
	for (size_t i = 1; i < n; i++)
		if (str_eq(v[i - 1].name, v[i].name) &&
		    (!found || compare_locations(v[i].at, found->at) < 0))
			found = &v[i];
	return found;
}

/* A mapping that is in order, as pmuq writes them, needs no sorting. */
static bool is_sorted(const struct pq_doc_node *mapping)
{
	const struct pq_doc_node *node = mapping->first;

	for (; node && node->next; node = node->next)
		if (str_cmp(node->key, node->next->key) >= 0)
			return false;
	return true;
}

/* Fails at the first key of the text that is repeated. */
static void check_keys(struct pq_doc *doc, const struct pq_doc_node *mapping)
{
	const struct pq_doc_named *again;
	auto_free struct pq_doc_named *v = NULL;
	size_t n = 0;

	if (is_sorted(mapping))
		return;
	v = calloc(mapping->n, sizeof(*v));
	if (!v) {
		pq_doc_fail_memory(doc);
		return;
	}
	for (const struct pq_doc_node *node = mapping->first; node; node = node->next)
		v[n++] = (struct pq_doc_named){ .name = node->key, .at = node->key_at };
	again = pq_doc_find_repeated(v, n);
	if (!again)
		return;
	pq_doc_fail(doc, again->at, PMUQ_E_REPEATED_KEY,
		    "the key '%.*s' is repeated, first in line %u", STR_ARG(again->name),
		    again[-1].at.line);
	/* Probably files that were concatenated. */
	if (!doc->depth && !doc->is_json && str_eq(again->name, PQ_SCHEMA_KEY))
		pq_error_hint(doc->reterr, "documents in one file are separated by a line of ---");
}

void pq_tree_close(struct pq_doc *doc)
{
	const struct pq_doc_node *node = top(doc)->node;

	doc->depth--;
	if (node->type == PQ_DOC_MAPPING)
		check_keys(doc, node);
}
