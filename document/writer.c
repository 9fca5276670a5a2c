/* SPDX-License-Identifier: MIT */
/*
 * The writer of the API: collects machines by host class, and writes each class as one document
 * with its hosts. Nothing is written before the end, because a document begins with the list of its
 * hosts.
 */
#include "core/catalog/catalog.h"
#include "core/catalog/check.h"
#include "core/catalog/fact.h"
#include "core/catalog/intern.h"
#include "core/limits.h"
#include "core/sha256.h"
#include "core/text/time.h"
#include "document/parts/parts.h"
#include <errno.h>
#include <pmuq/pmuq.h>

/* Machines with equal descriptions. The catalog is a reference to that of the first one. */
struct host_class {
	struct host_class *next;
	uint8_t hash[PQ_SHA256_BYTES];
	struct pmuq_catalog *catalog;
	struct pq_doc_host *first, **end;
};

/* A catalog that machines of a class vary, with the results of a check: the description of such a
 * machine is known. The reference keeps both addresses from being used again. */
struct known_base {
	struct known_base *next;
	const struct pmuq_catalog *base;
	const void *check;
	struct pmuq_catalog *reference;
	struct host_class *class;
};

/* Classes and hosts are in the arena, in the order in which they were added. */
struct pmuq_writer {
	struct pq_arena arena;
	struct pq_intern by_hash, by_base;
	struct known_base *bases;
	struct host_class *first, **end;
	size_t n_classes, n_hosts;
};

PQ_API int pmuq_writer_new(struct pmuq_writer **ret, struct pmuq_error **reterr)
{
	struct pmuq_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return pq_fail_memory(reterr);
	writer->arena = PQ_ARENA(PQ_WRITER_MAX_BYTES);
	writer->end = &writer->first;
	*ret = writer;
	return 0;
}

PQ_API void pmuq_writer_free(struct pmuq_writer *writer)
{
	if (!writer)
		return;
	for (struct host_class *class = writer->first; class; class = class->next)
		pmuq_catalog_free(class->catalog);
	for (struct known_base *known = writer->bases; known; known = known->next)
		pmuq_catalog_free(known->reference);
	pq_intern_free(&writer->by_hash);
	pq_intern_free(&writer->by_base);
	pq_arena_clear(&writer->arena);
	free(writer);
}

PQ_API size_t pmuq_writer_machine_count(const struct pmuq_writer *writer)
{
	return writer->n_hosts;
}

PQ_API size_t pmuq_writer_document_count(const struct pmuq_writer *writer)
{
	return writer->n_classes;
}

static bool keep_facts(struct pq_arena *arena, const struct pmuq_catalog *catalog,
		       struct pq_doc_host *host)
{
	const struct pmuq_machine *machine = pmuq_catalog_machine(catalog);

	host->facts = pq_arena_array(arena, machine->n_facts, sizeof(*host->facts));
	if (!host->facts)
		return false;
	for (size_t i = 0; i < machine->n_facts; i++) {
		struct pmuq_pair fact = machine->facts[i];

		if (pq_fact_owner(fact.name) == PQ_FACT_SHARED)
			continue;
		if (!pq_arena_keep(arena, &fact.name) || !pq_arena_keep(arena, &fact.text))
			return false;
		host->facts[host->n_facts++] = fact;
	}
	return true;
}

static struct pq_doc_host *make_host(struct pq_arena *arena, const struct pmuq_catalog *catalog,
				     const char *name, int64_t first_seen_s, int64_t last_seen_s)
{
	const struct pmuq_check *check = pmuq_catalog_machine(catalog)->check;
	struct pq_doc_host *host = pq_arena_zero(arena, sizeof(*host));

	if (!host)
		return NULL;
	*host = (struct pq_doc_host){
		.name = str_of(name),
		.first_seen_s = first_seen_s,
		.last_seen_s = last_seen_s > first_seen_s ? last_seen_s : 0,
		.has_check = check != NULL,
		.checked_s = check ? pmuq_check_progress(check)->time_s : 0,
	};
	if ((name && !pq_arena_keep(arena, &host->name)) || !keep_facts(arena, catalog, host))
		return NULL;
	return host;
}

/* The hash of the document without its hosts. False: out of memory. */
static bool hash_machine(const struct pmuq_catalog *catalog, uint8_t ret[PQ_SHA256_BYTES])
{
	cleanup(pq_buf_free) struct pq_buf buf = PQ_BUF_NULL;
	struct pq_sink *sink = pq_sink_json(&buf, 0);
	struct pq_sha256 sha;
	bool is_whole;

	if (!sink)
		return false;
	pq_sink_open(sink, '{');
	pq_doc_write_machine(sink, catalog);
	pq_sink_close(sink, '}');
	pq_sink_finish(sink);
	is_whole = !sink->failed;
	pq_sink_free(sink);
	pq_sha256_begin(&sha);
	pq_sha256_add(&sha, buf.p, buf.n);
	pq_sha256_end(&sha, ret);
	return is_whole;
}

/* The class of a catalog, added if it is the first of its class. NULL when out of memory. */
static struct host_class *class_of(struct pmuq_writer *writer, const struct pmuq_catalog *catalog)
{
	uint8_t digest[PQ_SHA256_BYTES];
	struct host_class *class;
	uint64_t key;
	size_t at;

	if (!hash_machine(catalog, digest))
		return NULL;
	memcpy(&key, digest, sizeof(key));
	at = pq_intern_start(&writer->by_hash, key);
	while ((class = pq_intern_next(&writer->by_hash, key, &at)))
		if (memcmp(class->hash, digest, sizeof(digest)) == 0)
			return class;
	class = pq_arena_zero(&writer->arena, sizeof(*class));
	if (!class || !pq_intern_add(&writer->by_hash, key, class))
		return NULL;
	memcpy(class->hash, digest, sizeof(digest));
	class->catalog = pmuq_catalog_share(catalog);
	class->end = &class->first;
	*writer->end = class;
	writer->end = &class->next;
	writer->n_classes++;
	return class;
}

static uint64_t key_of(const struct pmuq_catalog *base, const void *check)
{
	return ((uintptr_t)base ^ (uintptr_t)check >> 3) * 0x9e3779b97f4a7c15u >> 16;
}

static struct host_class *find_known(const struct pmuq_writer *writer,
				     const struct pmuq_catalog *base, const void *check)
{
	uint64_t key = key_of(base, check);
	size_t at = pq_intern_start(&writer->by_base, key);
	const struct known_base *known;

	while ((known = pq_intern_next(&writer->by_base, key, &at)))
		if (known->base == base && known->check == check)
			return known->class;
	return NULL;
}

/* False: out of memory. */
static bool add_known(struct pmuq_writer *writer, const struct pmuq_catalog *catalog,
		      struct host_class *class)
{
	struct known_base *known = pq_arena_zero(&writer->arena, sizeof(*known));

	if (!known)
		return false;
	known->base = pq_catalog_base(catalog);
	known->check = pq_check_identity(pmuq_catalog_machine(catalog)->check);
	known->class = class;
	if (!pq_intern_add(&writer->by_base, key_of(known->base, known->check), known))
		return false;
	known->reference = pmuq_catalog_share(catalog);
	known->next = writer->bases;
	writer->bases = known;
	return true;
}

/* Many hosts share few machines: only the first host of each is hashed. `n_own` facts of the
 * catalog are not part of the description. NULL when out of memory. */
static struct host_class *class_of_host(struct pmuq_writer *writer,
					const struct pmuq_catalog *catalog, size_t n_own)
{
	const struct pmuq_catalog *base = pq_catalog_base(catalog);
	const struct pmuq_machine *machine = pmuq_catalog_machine(catalog);
	struct host_class *class;

	/* A host may have an own text of a fact that others share. */
	if (!base || machine->n_facts - n_own != pmuq_catalog_machine(base)->n_facts)
		return class_of(writer, catalog);
	class = find_known(writer, base, pq_check_identity(machine->check));
	if (class)
		return class;
	class = class_of(writer, catalog);
	return class && add_known(writer, catalog, class) ? class : NULL;
}

/* Before anything is added. */
static int check_times(const struct pmuq_catalog *catalog, int64_t first_seen_s,
		       int64_t last_seen_s, struct pmuq_error **reterr)
{
	const struct pmuq_check *check = pmuq_catalog_machine(catalog)->check;

	if (!pq_time_is_valid(first_seen_s) || !pq_time_is_valid(last_seen_s) ||
	    (check && !pq_time_is_valid(pmuq_check_progress(check)->time_s)))
		return pq_fail(
			reterr, PMUQ_E_BAD_CALL,
			"the time of the machine or of its check is not between 1970 and 9999");
	if (last_seen_s && last_seen_s < first_seen_s)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "the machine was last seen before it was first seen");
	return 0;
}

PQ_API int pmuq_writer_add(struct pmuq_writer *writer, const struct pmuq_catalog *catalog,
			   const char *name, int64_t first_seen_s, struct pmuq_error **reterr)
{
	return pmuq_writer_add_seen(writer, catalog, name, first_seen_s, 0, reterr);
}

PQ_API int pmuq_writer_add_seen(struct pmuq_writer *writer, const struct pmuq_catalog *catalog,
				const char *name, int64_t first_seen_s, int64_t last_seen_s,
				struct pmuq_error **reterr)
{
	struct pq_doc_host *host;
	struct host_class *class;
	int r = pq_catalog_check_whole(catalog, reterr);

	if (r == 0)
		r = check_times(catalog, first_seen_s, last_seen_s, reterr);
	if (r < 0)
		return r;
	host = make_host(&writer->arena, catalog, name, first_seen_s ? first_seen_s : last_seen_s,
			 last_seen_s);
	class = host ? class_of_host(writer, catalog, host->n_facts) : NULL;
	if (!class)
		return pq_fail_memory(reterr);
	*class->end = host;
	class->end = &host->next;
	writer->n_hosts++;
	return 0;
}

void pq_doc_write(struct pq_sink *sink, const struct pq_doc_host *first,
		  const struct pmuq_catalog *catalog, size_t n_documents)
{
	struct pq_doc_end end = {
		.has_entries = true,
		.n_documents = n_documents,
		.has_documents = n_documents > 0,
	};
	size_t n_before;

	pq_sink_begin(sink);
	pq_sink_open(sink, '{');
	n_before = sink->n_values;
	pq_doc_write_hosts(sink, first);
	pq_doc_write_machine(sink, catalog);
	end.n_entries = sink->n_values - n_before;
	pq_doc_write_end(sink, &end);
	pq_sink_close(sink, '}');
	pq_sink_end(sink);
}

static int make_sink(enum pmuq_document_form form, struct pq_buf *buf, struct pq_sink **ret,
		     struct pmuq_error **reterr)
{
	switch (form) {
	case PMUQ_DOCUMENT_YAML:
		return pq_sink_yaml(buf, ret, reterr);
	case PMUQ_DOCUMENT_JSON:
		*ret = pq_sink_json(buf, PQ_SINK_ALL_LEVELS);
		return *ret ? 0 : pq_fail_memory(reterr);
	}
	return pq_fail(reterr, PMUQ_E_BAD_CALL, "%d is not a form of a document", (int)form);
}

/* JSON: a single document is not in a list, any other number is. */
static int write_all(const struct pmuq_writer *writer, enum pmuq_document_form form,
		     struct pq_buf *buf, struct pmuq_error **reterr)
{
	bool is_list = form == PMUQ_DOCUMENT_JSON && writer->n_classes != 1, is_whole;
	struct pq_sink *sink = NULL;
	int r = make_sink(form, buf, &sink, reterr);

	if (r < 0)
		return r;
	if (is_list)
		pq_sink_open(sink, '[');
	for (const struct host_class *class = writer->first; class; class = class->next)
		pq_doc_write(sink, class->first, class->catalog,
			     class->next ? 0 : writer->n_classes);
	if (is_list) {
		pq_sink_close(sink, ']');
		pq_sink_end(sink);
	}
	pq_sink_finish(sink);
	is_whole = !sink->failed;
	pq_sink_free(sink);
	return is_whole ? 0 : pq_fail_memory(reterr);
}

PQ_API int pmuq_writer_text(const struct pmuq_writer *writer, enum pmuq_document_form form,
			    char **ret, size_t *ret_bytes, struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf buf = PQ_BUF_NULL;
	int r = write_all(writer, form, &buf, reterr);
	size_t n = buf.n;
	char *text;

	if (r < 0)
		return r;
	text = pq_buf_take(&buf);
	if (!text)
		return pq_fail_memory(reterr);
	*ret = text;
	*ret_bytes = n;
	return 0;
}

/* A pipe accepts only a part at a time. */
static int write_bytes(int fd, struct pmuq_str bytes, struct pmuq_error **reterr)
{
	int r;

	while (bytes.n) {
		ssize_t n = write(fd, bytes.p, bytes.n);

		if (n > 0) {
			bytes = str_part(bytes, (size_t)n, bytes.n);
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		r = pq_fail(reterr, PMUQ_E_DOCUMENT_WRITE, "cannot write: %s",
			    n < 0 ? pq_errno_text(errno) : "no byte was written");
		pq_error_errno(reterr, n < 0 ? errno : 0);
		return r;
	}
	return 0;
}

PQ_API int pmuq_writer_write(const struct pmuq_writer *writer, enum pmuq_document_form form, int fd,
			     struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf buf = PQ_BUF_NULL;
	int r = write_all(writer, form, &buf, reterr);

	return r < 0 ? r : write_bytes(fd, pq_buf_str(&buf), reterr);
}
