/* SPDX-License-Identifier: MIT */
/*
 * The reader of the API: documents one after the other, and the hosts of each. Data that hosts
 * share is read once; each host is that catalog with its own facts, and not a copy of it.
 */
#include "core/limits.h"
#include "document/kept_documents.h"
#include "document/tree/document_input.h"
#include <pmuq/pmuq.h>

struct pmuq_reader {
	struct pq_doc_input input;
	struct pq_doc doc;
	struct pmuq_catalog *base; /* the data that the hosts share */
	struct pmuq_check *check;
	struct pq_doc_host *hosts; /* of the document */
	size_t n_hosts, next, n_documents;
	size_t n_open; /* documents since the start, or since the last one that ends a file */
	bool is_over;
	struct pq_kept_documents kept;
	struct pmuq_document_host host; /* the one that was returned last */
};

PQ_API int pmuq_reader_new(struct pmuq_reader **ret, struct pmuq_error **reterr)
{
	struct pmuq_reader *reader = calloc(1, sizeof(*reader));

	if (!reader)
		return pq_fail_memory(reterr);
	reader->input = PQ_DOC_INPUT_NULL;
	reader->is_over = true;
	reader->host.size = sizeof(reader->host);
	*ret = reader;
	return 0;
}

/* Catalogs that were returned stay valid: they share the data of the base. */
static void forget_document(struct pmuq_reader *reader)
{
	pmuq_catalog_free(move(reader->base));
	pmuq_check_free(move(reader->check));
	pq_arena_clear(&reader->doc.arena);
	reader->doc = (struct pq_doc){ 0 };
	reader->hosts = NULL;
	reader->n_hosts = reader->next = 0;
	reader->host.name = (struct pmuq_str){ 0 };
	reader->host.first_seen_s = reader->host.last_seen_s = 0;
}

PQ_API void pmuq_reader_free(struct pmuq_reader *reader)
{
	if (!reader)
		return;
	forget_document(reader);
	pq_doc_free_kept(&reader->kept);
	pq_doc_input_close(&reader->input);
	free(reader);
}

/* There are documents to read unless the input cannot be opened. */
static int begin_file(struct pmuq_reader *reader, struct pq_doc_input input, const char *origin,
		      struct pmuq_error **reterr)
{
	int r;

	forget_document(reader);
	pq_doc_input_close(&reader->input);
	reader->n_documents = reader->n_open = reader->host.document = 0;
	reader->input = input;
	r = pq_doc_input_begin(&reader->input, origin, reterr);
	reader->is_over = r < 0;
	return r;
}

PQ_API int pmuq_reader_open(struct pmuq_reader *reader, const char *path,
			    struct pmuq_error **reterr)
{
	const struct pq_doc_input input = { .fd = -1, .opens_file = true };

	return begin_file(reader, input, path, reterr);
}

PQ_API int pmuq_reader_open_fd(struct pmuq_reader *reader, int fd, const char *origin,
			       struct pmuq_error **reterr)
{
	return begin_file(reader, (struct pq_doc_input){ .fd = fd }, origin, reterr);
}

PQ_API int pmuq_reader_open_bytes(struct pmuq_reader *reader, const void *bytes, size_t n,
				  const char *origin, struct pmuq_error **reterr)
{
	const struct pq_doc_input input = {
		.fd = -1,
		.bytes = { .p = bytes, .n = n },
		.is_at_end = true,
	};

	return begin_file(reader, input, origin, reterr);
}

/* Files may be concatenated: the last document of each has the number of its documents. */
static void end_document(struct pmuq_reader *reader, const struct pq_doc_end *end)
{
	reader->n_open++;
	if (!end->has_documents)
		return;
	pq_doc_check_file_end(&reader->doc, end, reader->n_open);
	reader->n_open = 0;
}

/* The first host with the time of a check; NULL: none. */
static const struct pq_doc_host *find_checked(const struct pmuq_reader *reader)
{
	for (size_t i = 0; i < reader->n_hosts; i++)
		if (reader->hosts[i].has_check)
			return &reader->hosts[i];
	return NULL;
}

static void read_tree(struct pmuq_reader *reader)
{
	struct pq_doc *doc = &reader->doc;
	const struct pq_doc_host *checked;
	struct pq_doc_end end;

	pq_doc_check_schema(doc);
	reader->hosts = pq_doc_read_hosts(doc, &reader->n_hosts);
	pq_doc_read_machine(doc, &reader->base, &reader->check);
	checked = find_checked(reader);
	if (doc->r == 0 && !reader->check && checked)
		pq_doc_fail(doc, checked->at, PMUQ_E_MISSING_KEY,
			    "the host was checked, and there is no 'check'");
	if (doc->r < 0)
		return;
	end = pq_doc_read_end(doc);
	end_document(reader, &end);
	if (doc->r == 0)
		pq_doc_keep(&reader->kept, doc, reader->base, reader->check, &end);
}

static bool is_alike(const struct pmuq_reader *reader, const struct pq_kept_document *kept)
{
	const struct pq_doc *doc = &reader->doc;

	return doc->r == 0 && doc->n_nodes == kept->n_nodes &&
	       (kept->check || !find_checked(reader)) &&
	       (!kept->end.has_documents || kept->end.n_documents == reader->n_open + 1);
}

/* Reads the hosts of a document that is otherwise equal to an earlier one. False if it is not, or
 * has an error: then it is read as a whole, which describes the error. */
static bool read_hosts_alone(struct pmuq_reader *reader)
{
	const struct pq_doc whole = reader->doc;
	struct pq_doc *doc = &reader->doc;
	struct pq_doc_text text;
	const struct pq_kept_document *kept = pq_doc_find_kept(&reader->kept, doc, &text);

	if (!kept)
		return false;
	doc->text = str_part(doc->text, 0, text.before.n + text.hosts.n);
	doc->reterr = NULL;
	pq_doc_read_yaml(doc);
	if (doc->r == 0 && doc->root)
		reader->hosts = pq_doc_read_hosts(doc, &reader->n_hosts);
	if (!is_alike(reader, kept)) {
		pq_arena_clear(&doc->arena);
		*doc = whole;
		return false;
	}
	doc->text = whole.text;
	doc->reterr = whole.reterr;
	reader->base = pmuq_catalog_share(kept->base);
	reader->check = kept->check ? pq_check_share(kept->check) : NULL;
	end_document(reader, &kept->end);
	return true;
}

/* Reads the next document that is not empty; PQ_END after the last. */
static int next_document(struct pmuq_reader *reader, struct pmuq_error **reterr)
{
	struct pq_doc *doc = &reader->doc;
	bool is_document, is_read = false;

	do {
		forget_document(reader);
		doc->arena = PQ_ARENA(PQ_DOCUMENT_MEMORY_MAX_BYTES);
		doc->reterr = reterr;
		is_document = pq_doc_input_next(&reader->input, doc);
		is_read = is_document && read_hosts_alone(reader);
		if (is_document && !is_read)
			(doc->is_json ? pq_doc_read_json : pq_doc_read_yaml)(doc);
	} while (is_document && doc->r == 0 && !doc->root);
	if (is_document)
		reader->host.document = ++reader->n_documents;
	if (is_document && !is_read && doc->r == 0)
		read_tree(reader);
	return doc->r == 0 && !is_document ? PQ_END : doc->r;
}

/* The check has its own time for each host, and the same results. */
static int make_host(const struct pmuq_reader *reader, const struct pq_doc_host *host,
		     struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	struct pmuq_check *check = NULL;
	int r = 0;

	if (host->has_check)
		r = pq_check_again(reader->check, host->checked_s, &check, reterr);
	if (r < 0)
		return r;
	return pq_catalog_vary(reader->base, host->facts, host->n_facts, check, ret, reterr);
}

/* After the last document: PQ_END, or the file is not complete. */
static int end_file(struct pmuq_reader *reader)
{
	struct pq_doc *doc = &reader->doc;

	if (!reader->n_documents)
		pq_doc_fail(doc, reader->input.location, PMUQ_E_NOT_A_DOCUMENT,
			    "the file is empty");
	else if (reader->n_open)
		pq_doc_fail_cut_file(doc, reader->input.location);
	return doc->r < 0 ? doc->r : PQ_END;
}

static int next_machine(struct pmuq_reader *reader, struct pmuq_catalog **ret,
			struct pmuq_error **reterr)
{
	const struct pq_doc_host *host;
	int r = 0;

	if (reader->next == reader->n_hosts)
		r = next_document(reader, reterr);
	if (r == PQ_END)
		return end_file(reader);
	if (r < 0)
		return r;
	host = &reader->hosts[reader->next++];
	reader->host.name = host->name;
	reader->host.first_seen_s = host->first_seen_s;
	reader->host.last_seen_s = host->last_seen_s;
	return make_host(reader, host, ret, reterr);
}

PQ_API int pmuq_reader_next(struct pmuq_reader *reader, struct pmuq_catalog **ret,
			    struct pmuq_error **reterr)
{
	struct pmuq_catalog *catalog = NULL;
	int r = reader->is_over ? PQ_END : next_machine(reader, &catalog, reterr);

	if (r < 0 || r == PQ_END) {
		forget_document(reader);
		reader->is_over = true;
	}
	if (r < 0)
		return r;
	*ret = catalog;
	return 0;
}

PQ_API const struct pmuq_document_host *pmuq_reader_host(const struct pmuq_reader *reader)
{
	return &reader->host;
}
