/* SPDX-License-Identifier: MIT */
/*
 * Single values of a document: texts, numbers and names. Each check rejects what no file of a
 * machine can contain, and text that is not in the form that pmuq writes. keys.c has the values
 * that only keys of a table can have.
 */
#include "document/parts/entry.h"
#include "core/catalog/lookup.h"
#include "core/near.h"
#include "core/num.h"
#include "core/text/utf8.h"
#include "core/text/yaml_words.h"
#include "document/base64.h"

/* The largest file that pmuq reads from a machine. */
#define TEXT_MAX_BYTES ((size_t)64 << 10)
/* The maximum length of a key or a value in a message. */
#define SHOWN_BYTES 60

static const char *const type_names[] = {
	[PQ_DOC_TEXT] = "a text",
	[PQ_DOC_BARE] = "a bare value",
	[PQ_DOC_MAPPING] = "a mapping",
	[PQ_DOC_LIST] = "a list",
};

static struct pmuq_str shown(struct pmuq_str s)
{
	return s.n <= SHOWN_BYTES ? s : str_part(s, 0, SHOWN_BYTES);
}

/* An entry of a list has no key. */
void pq_entry_fail(struct pq_doc *doc, const struct pq_doc_node *node, const char *what)
{
	struct pmuq_str key = shown(node->key);

	pq_doc_fail(doc, node->at, PMUQ_E_BAD_ENTRY, "%s%.*s%s%s", key.p ? "'" : "", STR_ARG(key),
		    key.p ? "': " : "", what);
}

static void fail_type(struct pq_doc *doc, const struct pq_doc_node *node, const char *wanted)
{
	struct pmuq_str key = node->key.p ? shown(node->key) : STR("the entry");

	pq_doc_fail(doc, node->at, PMUQ_E_BAD_ENTRY, "'%.*s' takes %s, and this is %s",
		    STR_ARG(key), wanted, type_names[node->type]);
}

/* ---- mappings and lists */

static void fail_key(struct pq_doc *doc, const struct pq_doc_node *entry,
		     const struct pmuq_str *keys, size_t n_keys)
{
	struct pq_near near = { .word = entry->key };
	struct pq_buf hint = PQ_BUF_NULL;

	pq_doc_fail(doc, entry->key_at, PMUQ_E_UNKNOWN_KEY, "unknown key '%.*s'",
		    STR_ARG(shown(entry->key)));
	for (size_t i = 0; i < n_keys; i++)
		pq_near_consider(&near, keys[i]);
	pq_near_print(&near, &hint);
	pq_buf_add(&hint, hint.n ? STR(" keys here: ") : STR("keys here: "));
	for (size_t i = 0, start = hint.n; i < n_keys; i++)
		pq_buf_list(&hint, start, keys[i]);
	pq_error_hint_buf(doc->reterr, &hint);
}

const struct pq_doc_node *pq_entry_of_mapping(struct pq_doc *doc, const struct pq_doc_node *node)
{
	if (node->type != PQ_DOC_MAPPING)
		fail_type(doc, node, "a mapping");
	return doc->r == 0 ? node->first : NULL;
}

const struct pq_doc_node *pq_entry_of_list(struct pq_doc *doc, const struct pq_doc_node *node)
{
	if (node->type != PQ_DOC_LIST)
		fail_type(doc, node, "a list");
	return doc->r == 0 ? node->first : NULL;
}

const struct pq_doc_node *pq_entry_after(const struct pq_doc *doc, const struct pq_doc_node *node)
{
	return doc->r == 0 ? node->next : NULL;
}

void pq_entry_check_keys(struct pq_doc *doc, const struct pq_doc_node *node,
			 const struct pmuq_str *keys, size_t n_keys)
{
	const struct pq_doc_node *entry = pq_entry_of_mapping(doc, node);

	for (; entry; entry = pq_entry_after(doc, entry)) {
		size_t i = 0;

		while (i < n_keys && !str_eq(keys[i], entry->key))
			i++;
		if (i == n_keys)
			fail_key(doc, entry, keys, n_keys);
	}
}

/* Linear: a mapping with fixed keys is short, and no other mapping is searched. */
const struct pq_doc_node *pq_entry_find(const struct pq_doc_node *mapping, struct pmuq_str key)
{
	const struct pq_doc_node *node = mapping->type == PQ_DOC_MAPPING ? mapping->first : NULL;

	while (node && !str_eq(node->key, key))
		node = node->next;
	return node;
}

const struct pq_doc_node *pq_entry_need(struct pq_doc *doc, const struct pq_doc_node *mapping,
					struct pmuq_str key)
{
	static const struct pq_doc_node none = { .type = PQ_DOC_LIST };
	const struct pq_doc_node *node = pq_entry_find(mapping, key);

	if (node)
		return node;
	pq_doc_fail(doc, mapping->at, PMUQ_E_MISSING_KEY, "the key '%.*s' is missing",
		    STR_ARG(key));
	return &none;
}

/* ---- texts */

/* Base64 is only for text that cannot be written in any other way, so that each text has one
 * form. */
static struct pmuq_str decode(struct pq_doc *doc, struct pmuq_str text, struct pq_doc_location at)
{
	struct pmuq_str bytes;

	if (!pq_base64_read(&doc->arena, text, &bytes))
		pq_doc_fail(doc, at, PMUQ_E_BAD_ENTRY, "not base64 (RFC 4648, with padding)");
	else if (!bytes.p)
		pq_doc_fail_memory(doc);
	return doc->r == 0 ? bytes : STR("");
}

static struct pmuq_str read_base64(struct pq_doc *doc, const struct pq_doc_node *node)
{
	const struct pmuq_str key = PQ_BASE64_VALUE;
	const struct pq_doc_node *base64;
	struct pmuq_str bytes;

	pq_entry_check_keys(doc, node, &key, 1);
	base64 = pq_entry_need(doc, node, key);
	/* base64 that consists of digits looks like a number, but is text. */
	if (base64->type != PQ_DOC_TEXT && base64->type != PQ_DOC_BARE)
		fail_type(doc, base64, "a text");
	bytes = decode(doc, base64->text, base64->at);
	if (pq_utf8_is_text(bytes))
		pq_entry_fail(doc, base64, "this is text: write it without base64");
	return bytes;
}

struct pmuq_str pq_entry_text(struct pq_doc *doc, const struct pq_doc_node *node)
{
	struct pmuq_str text = node->text;

	if (node->type == PQ_DOC_MAPPING)
		text = read_base64(doc, node);
	else if (node->type == PQ_DOC_LIST)
		fail_type(doc, node, "a text");
	else if (node->type == PQ_DOC_BARE && (doc->is_json || pq_yaml_is_typed(text)))
		pq_entry_fail(doc, node, "a text is expected: put it into double quotes");
	else if (!pq_utf8_is_text(text))
		pq_entry_fail(doc, node, "text with control characters must be {base64: …}");
	if (text.n > TEXT_MAX_BYTES)
		pq_entry_fail(doc, node, "longer than a file of a machine can be (64 KiB)");
	if (text.n && memchr(text.p, '\0', text.n))
		pq_entry_fail(doc, node, "text of a machine cannot contain a NUL");
	return doc->r == 0 ? text : STR("");
}

struct pmuq_str pq_entry_line(struct pq_doc *doc, const struct pq_doc_node *node)
{
	struct pmuq_str text = pq_entry_text(doc, node);

	if ((text.n && memchr(text.p, '\n', text.n)) || str_trim(text).n != text.n)
		pq_entry_fail(doc, node,
			      "a single line without leading or trailing blanks is expected");
	return text;
}

struct pmuq_str pq_entry_file(struct pq_doc *doc, const struct pq_doc_node *node)
{
	struct pmuq_str text = pq_entry_text(doc, node);

	if (str_ends(text, STR("\n")))
		pq_entry_fail(doc, node, "text of a file does not end with a newline here");
	return text;
}

bool pq_entry_is_number(const struct pq_doc_node *node, uint64_t max, uint64_t *ret)
{
	struct pmuq_str text = node->text;

	return node->type == PQ_DOC_BARE && pq_num_decimal(text, ret) == PQ_NUM_OK && *ret <= max &&
	       (text.n == 1 || text.p[0] != '0');
}

uint64_t pq_entry_number(struct pq_doc *doc, const struct pq_doc_node *node, uint64_t max)
{
	uint64_t number = 0;

	if (!pq_entry_is_number(node, max, &number))
		pq_doc_fail(doc, node->at, PMUQ_E_BAD_ENTRY,
			    "'%.*s' takes a decimal number, without quotes, of at most %llu",
			    STR_ARG(shown(node->key)), (unsigned long long)max);
	return number;
}

/* ---- keys that are names */

/* A name that is text, but begins like base64, is written as base64, too: see write_text.c. */
struct pmuq_str pq_entry_key(struct pq_doc *doc, const struct pq_doc_node *node)
{
	struct pmuq_str name = node->key, head = PQ_BASE64_KEY;

	if (str_starts(name, head)) {
		name = decode(doc, str_part(name, head.n, name.n), node->key_at);
		if (pq_utf8_is_text(name) && !str_starts(name, head))
			pq_doc_fail(doc, node->key_at, PMUQ_E_BAD_ENTRY,
				    "the name is text: write it without base64");
	} else if (!pq_utf8_is_text(name)) {
		pq_doc_fail(doc, node->key_at, PMUQ_E_BAD_ENTRY,
			    "a name with control characters must be base64:…");
	}
	if (!name.n || memchr(name.p, '\0', name.n))
		pq_doc_fail(doc, node->key_at, PMUQ_E_BAD_ENTRY,
			    "a name is empty or contains a NUL");
	return name;
}

void pq_entry_check_file_name(struct pq_doc *doc, struct pmuq_str name, struct pq_doc_location at)
{
	if (!name.n || name.n > PQ_NAME_MAX_BYTES || memchr(name.p, '/', name.n) ||
	    memchr(name.p, '\0', name.n) || str_eq(name, STR(".")) || str_eq(name, STR("..")))
		pq_doc_fail(doc, at, PMUQ_E_BAD_ENTRY,
			    "'%.*s' cannot be the name of a file, as it is in sysfs",
			    STR_ARG(shown(name)));
}

struct pmuq_str pq_entry_key_of_file(struct pq_doc *doc, const struct pq_doc_node *node)
{
	struct pmuq_str name = pq_entry_key(doc, node);

	pq_entry_check_file_name(doc, name, node->key_at);
	return name;
}

void pq_entry_check_unique(struct pq_doc *doc, struct pq_doc_named *v, size_t n, const char *what)
{
	const struct pq_doc_named *again = pq_doc_find_repeated(v, n);

	if (again)
		pq_doc_fail(doc, again->at, PMUQ_E_REPEATED_KEY,
			    "the %s '%.*s' was already defined in line %u", what,
			    STR_ARG(again->name), again[-1].at.line);
}

void *pq_entry_array(struct pq_doc *doc, const struct pq_doc_node *node, size_t n,
		     size_t each_bytes)
{
	void *array = doc->r == 0 ? pq_arena_array(&doc->arena, n ? n : 1, each_bytes) : NULL;

	if (!array)
		pq_doc_fail_arena(doc, node->at);
	return array;
}
