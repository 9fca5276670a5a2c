/* SPDX-License-Identifier: MIT */
/*
 * Single values of a document: texts, numbers, times, flags and keys. Each check rejects what no
 * file of a machine can contain, and text that has another form than pmuq writes.
 */
#include "document/parts/entry.h"
#include "core/catalog/lookup.h"
#include "core/near.h"
#include "core/num.h"
#include "core/text/time.h"
#include "core/text/utf8.h"
#include "core/text/yaml_words.h"
#include "document/base64.h"

/* The largest file that pmuq reads from a machine. */
#define TEXT_MAX_BYTES ((size_t)64 << 10)
/* How much of a key or a value a message contains. */
#define SHOWN_BYTES 60

static const char *type_name(const struct pq_doc_node *node)
{
	switch (node->type) {
	case PQ_DOC_TEXT:
		return "a text";
	case PQ_DOC_BARE:
		return "a bare value";
	case PQ_DOC_MAPPING:
		return "a mapping";
	case PQ_DOC_LIST:
		return "a list";
	}
	return "";
}

static struct pmuq_str shown(struct pmuq_str s)
{
	return s.n <= SHOWN_BYTES ? s : str_part(s, 0, SHOWN_BYTES);
}

/* "'type'" in a mapping, "an entry" in a list. */
static int fail_value(struct pq_doc *doc, const struct pq_doc_node *node, const char *what,
		      struct pmuq_error **reterr)
{
	struct pmuq_str key = shown(node->key);

	if (!key.p)
		return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY, "%s", what);
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY, "'%.*s': %s", STR_ARG(key),
			   what);
}

static int fail_type(struct pq_doc *doc, const struct pq_doc_node *node, const char *wanted,
		     struct pmuq_error **reterr)
{
	struct pmuq_str key = node->key.p ? shown(node->key) : STR("the entry");

	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "'%.*s' takes %s, and this is %s", STR_ARG(key), wanted,
			   type_name(node));
}

static void hint_keys(struct pmuq_error **reterr, struct pmuq_str key, const struct pmuq_str *keys,
		      size_t n_keys)
{
	struct pq_near near = { .word = key };
	struct pq_buf hint = PQ_BUF_NULL;

	for (size_t i = 0; i < n_keys; i++)
		pq_near_consider(&near, keys[i]);
	pq_near_print(&near, &hint);
	pq_buf_add(&hint, hint.n ? STR(" keys here: ") : STR("keys here: "));
	for (size_t i = 0, start = hint.n; i < n_keys; i++)
		pq_buf_list(&hint, start, keys[i]);
	pq_error_hint_buf(reterr, &hint);
}

int pq_entry_mapping(struct pq_doc *doc, const struct pq_doc_node *node,
		     const struct pmuq_str *keys, size_t n_keys, struct pmuq_error **reterr)
{
	int r;

	if (node->type != PQ_DOC_MAPPING)
		return fail_type(doc, node, "a mapping", reterr);
	for (const struct pq_doc_node *entry = node->first; keys && entry; entry = entry->next) {
		size_t i = 0;

		while (i < n_keys && !str_eq(keys[i], entry->key))
			i++;
		if (i < n_keys)
			continue;
		r = pq_doc_fail(doc, entry->key_at, reterr, PMUQ_E_UNKNOWN_KEY,
				"unknown key '%.*s'", STR_ARG(shown(entry->key)));
		hint_keys(reterr, entry->key, keys, n_keys);
		return r;
	}
	return 0;
}

int pq_entry_list(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_error **reterr)
{
	return node->type == PQ_DOC_LIST ? 0 : fail_type(doc, node, "a list", reterr);
}

const struct pq_doc_node *pq_entry_find(const struct pq_doc_node *mapping, struct pmuq_str key)
{
	const struct pq_doc_node *node = mapping->first;

	while (node && !str_eq(node->key, key))
		node = node->next;
	return node;
}

int pq_entry_need(struct pq_doc *doc, const struct pq_doc_node *mapping, struct pmuq_str key,
		  const struct pq_doc_node **ret, struct pmuq_error **reterr)
{
	const struct pq_doc_node *node = pq_entry_find(mapping, key);

	if (!node)
		return pq_doc_fail(doc, mapping->at, reterr, PMUQ_E_MISSING_KEY,
				   "the key '%.*s' is missing", STR_ARG(key));
	*ret = node;
	return 0;
}

/* Only for text that cannot be written in any other way, so that each text has one form. */
static int decode(struct pq_doc *doc, struct pmuq_str text, struct pq_doc_location at,
		  struct pmuq_str *ret, struct pmuq_error **reterr)
{
	if (!pq_base64_read(&doc->arena, text, ret))
		return pq_doc_fail(doc, at, reterr, PMUQ_E_BAD_ENTRY,
				   "not base64 (RFC 4648, with padding)");
	if (!ret->p)
		return pq_fail_memory(reterr);
	return 0;
}

static int read_base64(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		       struct pmuq_error **reterr)
{
	static const struct pmuq_str keys[] = { PQ_BASE64_VALUE };
	const struct pq_doc_node *base64 = NULL;
	int r = pq_entry_mapping(doc, node, keys, COUNT(keys), reterr);

	if (r == 0)
		r = pq_entry_need(doc, node, keys[0], &base64, reterr);
	if (r < 0)
		return r;
	/* base64 that consists of digits looks like a number, but is text. */
	if (base64->type != PQ_DOC_TEXT && base64->type != PQ_DOC_BARE)
		return fail_type(doc, base64, "a text", reterr);
	r = decode(doc, base64->text, base64->at, ret, reterr);
	if (r == 0 && pq_utf8_is_text(*ret))
		return fail_value(doc, base64, "this is text: write it without base64", reterr);
	return r;
}

int pq_entry_text(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		  struct pmuq_error **reterr)
{
	int r = 0;

	if (node->type == PQ_DOC_MAPPING)
		r = read_base64(doc, node, ret, reterr);
	else if (node->type == PQ_DOC_LIST)
		r = fail_type(doc, node, "a text", reterr);
	else if (node->type == PQ_DOC_BARE && (doc->is_json || pq_yaml_is_typed(node->text)))
		r = fail_value(doc, node, "a text is expected: put it into double quotes", reterr);
	else if (!pq_utf8_is_text(node->text))
		r = fail_value(doc, node, "text with control characters must be {base64: …}",
			       reterr);
	else
		*ret = node->text;
	if (r < 0)
		return r;
	if (ret->n > TEXT_MAX_BYTES)
		return fail_value(doc, node, "longer than a file of a machine can be (64 KiB)",
				  reterr);
	if (ret->n && memchr(ret->p, '\0', ret->n))
		return fail_value(doc, node, "text of a machine cannot contain a NUL", reterr);
	return 0;
}

int pq_entry_line(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		  struct pmuq_error **reterr)
{
	int r = pq_entry_text(doc, node, ret, reterr);

	if (r < 0)
		return r;
	if ((ret->n && memchr(ret->p, '\n', ret->n)) || str_trim(*ret).n != ret->n)
		return fail_value(doc, node,
				  "a single line without leading or trailing blanks is expected",
				  reterr);
	return 0;
}

int pq_entry_file(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		  struct pmuq_error **reterr)
{
	int r = pq_entry_text(doc, node, ret, reterr);

	if (r == 0 && ret->n && ret->p[ret->n - 1] == '\n')
		return fail_value(doc, node, "text of a file does not end with a newline here",
				  reterr);
	return r;
}

int pq_entry_scale(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		   struct pmuq_error **reterr)
{
	int r = pq_entry_text(doc, node, ret, reterr);

	if (r < 0 || str_eq(pq_num_scale_text(*ret), *ret))
		return r;
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "a scale is a decimal number like 6.1e-5, and not zero");
}

int pq_entry_number(struct pq_doc *doc, const struct pq_doc_node *node, uint64_t max, uint64_t *ret,
		    struct pmuq_error **reterr)
{
	struct pmuq_str text = node->text;

	if (node->type == PQ_DOC_BARE && pq_num_decimal(text, ret) == PQ_NUM_OK && *ret <= max &&
	    (text.n == 1 || text.p[0] != '0'))
		return 0;
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "'%.*s' takes a decimal number, without quotes, of at most %llu",
			   STR_ARG(shown(node->key)), (unsigned long long)max);
}

int pq_entry_time(struct pq_doc *doc, const struct pq_doc_node *node, int64_t *ret,
		  struct pmuq_error **reterr)
{
	if (node->type == PQ_DOC_TEXT && pq_time_read(node->text, ret))
		return 0;
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "'%.*s' takes a time like \"2026-11-21T19:30:19Z\", in quotes",
			   STR_ARG(shown(node->key)));
}

int pq_entry_flag(struct pq_doc *doc, const struct pq_doc_node *node, bool *ret,
		  struct pmuq_error **reterr)
{
	if (node->type != PQ_DOC_BARE || !str_eq(node->text, STR("true")))
		return fail_value(doc, node, "the value must be true; otherwise omit the key",
				  reterr);
	*ret = true;
	return 0;
}

int pq_entry_key(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		 struct pmuq_error **reterr)
{
	struct pmuq_str head = PQ_BASE64_KEY;
	int r;

	*ret = node->key;
	if (str_starts(node->key, head)) {
		r = decode(doc, str_part(node->key, head.n, node->key.n), node->key_at, ret,
			   reterr);
		if (r < 0)
			return r;
		if (pq_utf8_is_text(*ret) && !str_starts(*ret, head))
			return pq_doc_fail(doc, node->key_at, reterr, PMUQ_E_BAD_ENTRY,
					   "the name is text: write it without base64");
	} else if (!pq_utf8_is_text(*ret)) {
		return pq_doc_fail(doc, node->key_at, reterr, PMUQ_E_BAD_ENTRY,
				   "a name with control characters must be base64:…");
	}
	if (!ret->n || memchr(ret->p, '\0', ret->n))
		return pq_doc_fail(doc, node->key_at, reterr, PMUQ_E_BAD_ENTRY,
				   "a name is empty or contains a NUL");
	return 0;
}

int pq_entry_file_name(struct pq_doc *doc, struct pmuq_str name, struct pq_doc_location at,
		       struct pmuq_error **reterr)
{
	if (name.n && name.n <= PQ_NAME_MAX_BYTES && !memchr(name.p, '/', name.n) &&
	    !memchr(name.p, '\0', name.n) && !str_eq(name, STR(".")) && !str_eq(name, STR("..")))
		return 0;
	return pq_doc_fail(doc, at, reterr, PMUQ_E_BAD_ENTRY,
			   "'%.*s' cannot be the name of a file, as it is in sysfs",
			   STR_ARG(shown(name)));
}

int pq_entry_key_of_file(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
			 struct pmuq_error **reterr)
{
	int r = pq_entry_key(doc, node, ret, reterr);

	return r < 0 ? r : pq_entry_file_name(doc, *ret, node->key_at, reterr);
}

static int compare_named(const void *of_a, const void *of_b)
{
	const struct pq_doc_named *a = of_a, *b = of_b;
	int r = str_cmp(a->name, b->name);

	return r ? r : a->at.line < b->at.line ? -1 : a->at.line > b->at.line;
}

int pq_entry_unique(struct pq_doc *doc, struct pq_doc_named *v, size_t n, const char *what,
		    struct pmuq_error **reterr)
{
	if (n)
		qsort(v, n, sizeof(*v), compare_named);
	for (size_t i = 1; i < n; i++)
		if (str_eq(v[i - 1].name, v[i].name))
			return pq_doc_fail(doc, v[i].at, reterr, PMUQ_E_REPEATED_KEY,
					   "the %s '%.*s' was already defined in line %u", what,
					   STR_ARG(v[i].name), v[i - 1].at.line);
	return 0;
}

int pq_entry_array(struct pq_doc *doc, const struct pq_doc_node *node, size_t n, size_t each_bytes,
		   void *ret, struct pmuq_error **reterr)
{
	void *array = pq_arena_array(&doc->arena, n ? n : 1, each_bytes);

	if (!array)
		return pq_doc_fail(doc, node->at, reterr, PMUQ_E_DOCUMENT_LIMIT,
				   "the document is larger than any machine needs");
	memcpy(ret, &array, sizeof(array));
	return 0;
}
