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

int pq_doc_fail(struct pq_doc *doc, struct pq_doc_location at, struct pmuq_error **reterr,
		enum pmuq_code code, const char *format, ...)
{
	cleanup(pq_buf_free) struct pq_buf origin = PQ_BUF_NULL;
	struct pmuq_str line = line_at(doc, at.line);
	size_t offset = offset_in_line(doc, line, at);
	struct pmuq_str part = part_around(line, &offset);
	va_list args;
	int r;

	va_start(args, format);
	r = pq_fail_args(reterr, code, format, args);
	va_end(args);
	pq_buf_add(&origin, doc->origin);
	pq_buf_print(&origin, ":%u:%u", at.line, at.column);
	if (!origin.failed)
		pq_error_origin(reterr, pq_buf_str(&origin));
	/* An empty line is not worth quoting; the origin has the location. */
	if (!part.n)
		return r;
	pq_error_input(reterr, part);
	pq_error_at(reterr, (struct pq_span){ .offset = (uint32_t)offset, .length = 0 });
	return r;
}

struct pq_doc_location pq_doc_locate(const struct pq_doc *doc, size_t offset)
{
	struct pq_doc_location location = doc->start;

	for (size_t i = 0; i < offset && i < doc->text.n; i++) {
		location.column++;
		if (doc->text.p[i] != '\n')
			continue;
		location.line++;
		location.column = 1;
	}
	return location;
}

/* ------------------------------------------------------------------------------------ building */

static struct pq_frame *top(struct pq_doc *doc)
{
	return doc->depth ? &doc->stack[doc->depth - 1] : NULL;
}

static int fail_memory(struct pq_doc *doc, struct pq_doc_location at, struct pmuq_error **reterr)
{
	/* If it is the limit of the arena that was reached, the document is too large. */
	if (doc->arena.left_bytes < 2 * PQ_SCALAR_MAX_BYTES)
		return pq_doc_fail(doc, at, reterr, PMUQ_E_DOCUMENT_LIMIT,
				   "the document is larger than any machine needs");
	return pq_fail_memory(reterr);
}

static int check_scalar(struct pq_doc *doc, struct pmuq_str text, struct pq_doc_location at,
			struct pmuq_error **reterr)
{
	if (text.n <= PQ_SCALAR_MAX_BYTES)
		return 0;
	return pq_doc_fail(doc, at, reterr, PMUQ_E_DOCUMENT_LIMIT,
			   "a text of %zu bytes; the limit is %zu", text.n, PQ_SCALAR_MAX_BYTES);
}

static int add_node(struct pq_doc *doc, enum pq_doc_node_type type, struct pq_doc_location at,
		    struct pq_doc_node **ret, struct pmuq_error **reterr)
{
	struct pq_frame *frame = top(doc);
	struct pq_doc_node *node = NULL;

	if (frame && frame->node->type == PQ_DOC_MAPPING && !frame->has_key)
		return pq_doc_fail(doc, at, reterr, PMUQ_E_BAD_ENTRY, "a key must be a text");
	if (doc->n_nodes++ == PQ_NODES_MAX)
		return pq_doc_fail(doc, at, reterr, PMUQ_E_DOCUMENT_LIMIT, "more than %u entries",
				   PQ_NODES_MAX);
	node = pq_arena_zero(&doc->arena, sizeof(*node));
	if (!node)
		return fail_memory(doc, at, reterr);
	node->type = type;
	node->at = at;
	if (frame) {
		node->key = frame->key;
		node->key_at = frame->has_key ? frame->key_at : at;
		frame->has_key = false;
		*(frame->last ? &frame->last->next : &frame->node->first) = node;
		frame->last = node;
		frame->node->n++;
	} else {
		node->key_at = at;
		doc->root = node;
	}
	*ret = node;
	return 0;
}

int pq_tree_open(struct pq_doc *doc, enum pq_doc_node_type type, struct pq_doc_location at,
		 struct pmuq_error **reterr)
{
	struct pq_doc_node *node = NULL;
	int r;

	if (doc->depth == PQ_DEPTH_MAX)
		return pq_doc_fail(doc, at, reterr, PMUQ_E_DOCUMENT_LIMIT,
				   "nested deeper than %u levels", PQ_DEPTH_MAX);
	r = add_node(doc, type, at, &node, reterr);
	if (r == 0)
		doc->stack[doc->depth++] = (struct pq_frame){ .node = node };
	return r;
}

static int take_key(struct pq_doc *doc, struct pq_frame *frame, struct pmuq_str text,
		    struct pq_doc_location at, struct pmuq_error **reterr)
{
	frame->key = pq_arena_str(&doc->arena, text);
	if (!frame->key.p)
		return fail_memory(doc, at, reterr);
	frame->key_at = at;
	frame->has_key = true;
	return 0;
}

int pq_tree_scalar(struct pq_doc *doc, struct pmuq_str text, enum pq_doc_node_type type,
		   struct pq_doc_location at, struct pmuq_error **reterr)
{
	struct pq_frame *frame = top(doc);
	struct pq_doc_node *node = NULL;
	int r = check_scalar(doc, text, at, reterr);

	if (r < 0)
		return r;
	if (frame && frame->node->type == PQ_DOC_MAPPING && !frame->has_key)
		return take_key(doc, frame, text, at, reterr);
	r = add_node(doc, type, at, &node, reterr);
	if (r < 0)
		return r;
	node->text = pq_arena_str(&doc->arena, text);
	return node->text.p ? 0 : fail_memory(doc, at, reterr);
}

static int compare_locations(struct pq_doc_location a, struct pq_doc_location b)
{
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	return a.column < b.column ? -1 : a.column > b.column;
}

/* By key, then by location. */
static int compare_nodes(const void *of_a, const void *of_b)
{
	const struct pq_doc_node *a = *(const struct pq_doc_node *const *)of_a;
	const struct pq_doc_node *b = *(const struct pq_doc_node *const *)of_b;
	int r = str_cmp(a->key, b->key);

	return r ? r : compare_locations(a->key_at, b->key_at);
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

static int fail_repeated(struct pq_doc *doc, const struct pq_doc_node *first,
			 const struct pq_doc_node *again, struct pmuq_error **reterr)
{
	int r = pq_doc_fail(doc, again->key_at, reterr, PMUQ_E_REPEATED_KEY,
			    "the key '%.*s' is repeated, first in line %u", STR_ARG(again->key),
			    first->key_at.line);

	/* Probably files that were concatenated. */
	if (!doc->depth && !doc->is_json && str_eq(again->key, PQ_SCHEMA_KEY))
		pq_error_hint(reterr, "documents in one file are separated by a line of ---");
	return r;
}

static int check_keys(struct pq_doc *doc, const struct pq_doc_node *mapping,
		      struct pmuq_error **reterr)
{
	const struct pq_doc_node *first = NULL, *again = NULL;
	auto_free const struct pq_doc_node **v = NULL;
	size_t n = 0;

	if (is_sorted(mapping))
		return 0;
	v = calloc(mapping->n, sizeof(const void *));
	if (!v)
		return pq_fail_memory(reterr);
	for (const struct pq_doc_node *node = mapping->first; node; node = node->next)
		v[n++] = node;
	qsort(v, n, sizeof(*v), compare_nodes);
	for (size_t i = 1; i < n; i++) {
		if (!str_eq(v[i - 1]->key, v[i]->key))
			continue;
		if (again && compare_locations(v[i]->key_at, again->key_at) > 0)
			continue;
		first = v[i - 1];
		again = v[i];
	}
	return again ? fail_repeated(doc, first, again, reterr) : 0;
}

int pq_tree_close(struct pq_doc *doc, struct pmuq_error **reterr)
{
	const struct pq_doc_node *node = top(doc)->node;

	doc->depth--;
	return node->type == PQ_DOC_MAPPING ? check_keys(doc, node, reterr) : 0;
}
