/* SPDX-License-Identifier: MIT */
#include "document/kept_documents.h"
#include "core/freep.h"
#include "core/vec.h"
#include "document/parts/entry.h"
#include <string.h>

/* A line of the list: an item, what belongs to it, or nothing. */
static bool is_of_hosts(char first)
{
	return memchr(" -#\n", first, 4);
}

/* False if it is not clear from the lines alone where the hosts begin and end. */
static bool split(const struct pq_doc *doc, struct pq_doc_text *ret)
{
	static const char key[] = "\nhosts:\n";
	struct pmuq_str text = doc->text;
	const char *hosts, *newline;
	size_t at;

	if (doc->is_json || text.n > PQ_KEPT_DOCUMENT_MAX_BYTES)
		return false;
	hosts = memmem(text.p, text.n, key, sizeof(key) - 1);
	if (!hosts)
		return false;
	at = (size_t)(hosts - text.p) + sizeof(key) - 1;
	ret->before = str_part(text, 0, at);
	while (at < text.n && is_of_hosts(text.p[at])) {
		newline = memchr(text.p + at, '\n', text.n - at);
		at = newline ? (size_t)(newline - text.p) + 1 : text.n;
	}
	ret->hosts = str_part(text, ret->before.n, at);
	ret->after = str_part(text, at, text.n);
	return ret->after.n && char_is_alpha(ret->after.p[0]);
}

const struct pq_kept_document *pq_doc_find_kept(const struct pq_kept_documents *kept,
						const struct pq_doc *doc, struct pq_doc_text *ret)
{
	if (!kept->n_added || !split(doc, ret))
		return NULL;
	for (size_t i = 0; i < COUNT(kept->v); i++) {
		const struct pq_kept_document *one = &kept->v[i];

		if (one->text && one->n_before == ret->before.n && one->n_after == ret->after.n &&
		    memcmp(one->text, ret->before.p, one->n_before) == 0 &&
		    memcmp(one->text + one->n_before, ret->after.p, one->n_after) == 0)
			return one;
	}
	return NULL;
}

static size_t count_nodes(const struct pq_doc_node *node)
{
	size_t n = 1;

	for (const struct pq_doc_node *in = node->first; in; in = in->next)
		n += count_nodes(in);
	return n;
}

static size_t count_to_hosts(const struct pq_doc *doc)
{
	const struct pq_doc_node *node = doc->root->first;
	size_t n = 1;

	for (; node && !str_eq(node->key, PQ_DOC_HOSTS_KEY); node = node->next)
		n += count_nodes(node);
	return node ? n + count_nodes(node) : n;
}

static void drop(struct pq_kept_document *document)
{
	free(document->text);
	pmuq_catalog_free(document->base);
	pmuq_check_free(document->check);
	*document = (struct pq_kept_document){ 0 };
}

void pq_doc_keep(struct pq_kept_documents *kept, const struct pq_doc *doc,
		 const struct pmuq_catalog *base, const struct pmuq_check *check,
		 const struct pq_doc_end *end)
{
	struct pq_kept_document *document;
	struct pq_doc_text text;
	char *copy = split(doc, &text) ? malloc(text.before.n + text.after.n) : NULL;

	if (!copy)
		return;
	memcpy(copy, text.before.p, text.before.n);
	memcpy(copy + text.before.n, text.after.p, text.after.n);
	document = &kept->v[kept->n_added++ % COUNT(kept->v)];
	drop(document);
	*document = (struct pq_kept_document){
		.text = copy,
		.n_before = text.before.n,
		.n_after = text.after.n,
		.n_nodes = count_to_hosts(doc),
		.base = pmuq_catalog_share(base),
		.check = check ? pq_check_share(check) : NULL,
		.end = *end,
	};
}

void pq_doc_free_kept(struct pq_kept_documents *kept)
{
	for (size_t i = 0; i < COUNT(kept->v); i++)
		drop(&kept->v[i]);
}
