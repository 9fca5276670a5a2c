/* SPDX-License-Identifier: MIT */
/* The documents of a batch: each is read once, by the reader of documents with all of its limits.
 */
#include "core/freep.h"
#include "core/limits.h"
#include "inbox/ingest.h"
#include <stdio.h>

static struct pq_ingest_content *find(const struct pq_ingest *ingest, const struct pq_hash *hash)
{
	for (size_t i = 0; i < ingest->contents.n; i++)
		if (memcmp(&ingest->contents.v[i]->hash, hash, sizeof(*hash)) == 0)
			return ingest->contents.v[i];
	return NULL;
}

void pq_ingest_content_clear(struct pq_ingest_content *content)
{
	pq_snapshot_free(&content->snapshot);
	pmuq_catalog_free(move(content->catalog));
	free(move(content->error));
}

/* A document of an agent is JSON, and describes one host without facts of its own: else facts of a
 * document would be those of all hosts that share it. */
static int read_catalog(struct pmuq_str text, struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_reader_freep) struct pmuq_reader *reader = NULL;
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *second = NULL;
	int r;

	if (!str_starts(text, STR("{")))
		return pq_fail(reterr, PMUQ_E_NOT_A_DOCUMENT, "the delivery is not JSON");
	r = pmuq_reader_new(&reader, reterr);
	if (r == 0)
		r = pmuq_reader_open_bytes(reader, text.p, text.n, "document", reterr);
	if (r == 0)
		r = pmuq_reader_next(reader, ret, reterr);
	if (r == 0)
		r = pmuq_reader_next(reader, &second, reterr);
	if (r == 0 && (!*ret || second))
		r = pq_fail(reterr, PMUQ_E_BAD_DOCUMENT, "a delivery describes one host");
	return r;
}

static int make_content(struct pmuq_str text, struct pq_ingest_content *content,
			struct pmuq_error **reterr)
{
	int r = read_catalog(text, &content->catalog, reterr);

	if (r == 0)
		r = pq_snapshot_make(content->catalog, NULL, &content->snapshot, reterr);
	if (r == 0 && content->snapshot.own_facts.n)
		r = pq_fail(reterr, PMUQ_E_BAD_DOCUMENT,
			    "the document of a delivery has facts of a host");
	return r;
}

/* "[PMUQ-143] document:1:20: …"; NULL if there is no memory. */
static char *describe(const struct pmuq_error *error)
{
	char *text = NULL;

	if (asprintf(&text, "[PMUQ-%03u] %.*s%s%.*s", (unsigned)error->code, STR_ARG(error->origin),
		     error->origin.n ? ": " : "", STR_ARG(error->message)) < 0)
		return NULL;
	return text;
}

/* A document that cannot be read is a fact about it; without memory nothing is known. */
static void parse(struct pmuq_store *store, struct pmuq_str text, struct pq_ingest_content *content)
{
	struct pmuq_error *error = NULL;
	int r = make_content(text, content, &error);

	if (r < 0 && r != -PMUQ_E_MEMORY)
		content->error = describe(error);
	if (r < 0 && !content->error)
		pq_store_fail_memory(store);
	pmuq_error_free(error);
}

static void read_content(struct pmuq_store *store, struct pq_ingest *ingest,
			 struct pq_delivery *delivery)
{
	struct pq_arena arena = PQ_ARENA(PQ_CONTENTS_MAX_BYTES);
	struct pq_ingest_content *content = pq_arena_zero(&ingest->arena, sizeof(*content));
	struct pmuq_str text = { 0 };

	if (!content || !pq_vec_push_in(&ingest->arena, &ingest->contents, content)) {
		pq_store_fail_memory(store);
		return;
	}
	content->hash = delivery->hash;
	if (!pq_sql_row(store,
			PQ_QUERY(pq_one_text,
				 "SELECT coalesce(document, (SELECT content.document FROM"
				 " pmuq_inbox.content WHERE content.id = delivery.content))"
				 " FROM pmuq_inbox.delivery WHERE id = ?"),
			PQ_PARAMS(delivery->id), &text, &arena))
		pq_store_fail_content(store, "a document of the inbox is missing");
	if (store->r == 0)
		parse(store, text, content);
	ingest->document_bytes += text.n;
	delivery->content = content;
	pq_arena_clear(&arena);
}

void pq_ingest_read_contents(struct pmuq_store *store, struct pq_ingest *ingest)
{
	for (size_t i = 0; store->r == 0 && i < ingest->n; i++) {
		struct pq_delivery *delivery = &ingest->deliveries[i];

		delivery->content = find(ingest, &delivery->hash);
		if (!delivery->content && ingest->document_bytes < PQ_INGEST_MAX_BYTES)
			read_content(store, ingest, delivery);
	}
}

/* ---- save */

static int compare(const void *a, const void *b)
{
	const struct pq_ingest_content *const *first = a, *const *second = b;

	return memcmp(&(*first)->hash, &(*second)->hash, sizeof((*first)->hash));
}

/* An id is that of one transaction: after it, `pmuq forget` may remove the content. */
static void forget_ids(struct pq_snapshot *snapshot)
{
	struct pq_snapshot_row *row = &snapshot->row;
	const struct pq_pmu_row *pmus = row->layout.content->rows[0].v;

	for (size_t i = 0; i < row->layout.content->rows[0].n; i++)
		pmus[i].definition.content->id = pmus[i].attribute_set.content->id = 0;
	row->layout.content->id = row->fact_set.content->id = 0;
	row->tracepoint_set.content->id = row->problem_set.content->id = 0;
	snapshot->host_class.id = 0;
}

static void save(struct pmuq_store *store, struct pq_ingest_content *content)
{
	struct pq_snapshot *snapshot = &content->snapshot;

	pq_refs_save(store, &pq_snapshot_table, (struct pq_rows){ .v = &snapshot->row, .n = 1 });
	pq_content_save(store, &snapshot->host_class);
	snapshot->row.host_class = snapshot->host_class.id;
}

/* ---- what the store has already, in one query: a batch has few new contents */

struct known {
	int64_t layout, fact_set, tracepoint_set, problem_set, host_class; /* 0: not there */
};

static const struct pq_column known_columns[] = {
	{ PQ_COLUMN_AS(struct known, layout,
		       "coalesce((SELECT id FROM layout WHERE hash = new.layout), 0)") },
	{ PQ_COLUMN_AS(struct known, fact_set,
		       "coalesce((SELECT id FROM fact_set WHERE hash = new.fact_set), 0)") },
	{ PQ_COLUMN_AS(
		struct known, tracepoint_set,
		"coalesce((SELECT id FROM tracepoint_set WHERE hash = new.tracepoint_set), 0)") },
	{ PQ_COLUMN_AS(struct known, problem_set,
		       "coalesce((SELECT id FROM problem_set WHERE hash = new.problem_set), 0)") },
	{ PQ_COLUMN_AS(struct known, host_class,
		       "coalesce((SELECT id FROM host_class WHERE hash = new.host_class), 0)") },
};

void pq_ingest_put_hash(struct pq_buf *array, const struct pq_hash *hash)
{
	static const char digits[] = "0123456789abcdef";

	pq_buf_char(array, array->n ? ',' : '{', 1);
	pq_buf_add(array, STR("\"\\\\x"));
	for (size_t i = 0; i < sizeof(hash->bytes); i++) {
		pq_buf_char(array, digits[hash->bytes[i] >> 4], 1);
		pq_buf_char(array, digits[hash->bytes[i] & 15], 1);
	}
	pq_buf_char(array, '"', 1);
}

static void put_hashes(struct pq_buf arrays[5], const struct pq_snapshot *snapshot)
{
	const struct pq_snapshot_row *row = &snapshot->row;
	const struct pq_content *contents[] = {
		row->layout.content,	  row->fact_set.content, row->tracepoint_set.content,
		row->problem_set.content, &snapshot->host_class,
	};

	for (size_t i = 0; i < COUNT(contents); i++)
		pq_ingest_put_hash(&arrays[i], &contents[i]->hash);
}

static struct pq_rows query_known(struct pmuq_store *store, struct pq_arena *arena,
				  struct pq_buf arrays[5])
{
	struct pq_param params[5];

	for (size_t i = 0; i < COUNT(params); i++) {
		pq_buf_char(&arrays[i], '}', 1);
		params[i] = pq_param_text(pq_buf_str(&arrays[i]));
		if (arrays[i].failed)
			pq_store_fail_memory(store);
	}
	return pq_sql_rows(
		store,
		PQ_QUERY(known_columns,
			 "FROM unnest(?1::bytea[], ?2::bytea[], ?3::bytea[], ?4::bytea[],"
			 " ?5::bytea[]) WITH ORDINALITY AS new (layout, fact_set, tracepoint_set,"
			 " problem_set, host_class, number) ORDER BY number"),
		params, COUNT(params), sizeof(struct known), arena);
}

static void find_known(struct pmuq_store *store, struct pq_arena *arena,
		       struct pq_ingest_content **contents, size_t n)
{
	struct pq_buf arrays[5];
	struct pq_rows rows;

	for (size_t i = 0; i < COUNT(arrays); i++)
		arrays[i] = PQ_BUF_IN(arena);
	for (size_t i = 0; i < n; i++)
		put_hashes(arrays, &contents[i]->snapshot);
	rows = query_known(store, arena, arrays);
	for (size_t i = 0; store->r == 0 && i < n && i < rows.n; i++) {
		const struct known *known = (const struct known *)rows.v + i;
		struct pq_snapshot *snapshot = &contents[i]->snapshot;

		forget_ids(snapshot);
		snapshot->row.layout.content->id = known->layout;
		snapshot->row.fact_set.content->id = known->fact_set;
		snapshot->row.tracepoint_set.content->id = known->tracepoint_set;
		snapshot->row.problem_set.content->id = known->problem_set;
		snapshot->host_class.id = known->host_class;
	}
}

void pq_ingest_save_contents(struct pmuq_store *store, struct pq_ingest *ingest)
{
	struct pq_ingest_content **order;
	size_t n = 0;

	/* A document that was not read to its end, because there was no memory, has no snapshot. */
	if (store->r < 0)
		return;
	order = pq_arena_array(&ingest->arena, ingest->contents.n, sizeof(*order));
	if (!order) {
		pq_store_fail_memory(store);
		return;
	}
	for (size_t i = 0; i < ingest->contents.n; i++)
		if (!ingest->contents.v[i]->error)
			order[n++] = ingest->contents.v[i];
	qsort(order, n, sizeof(*order), compare);
	if (n)
		find_known(store, &ingest->arena, order, n);
	for (size_t i = 0; store->r == 0 && i < n; i++)
		save(store, order[i]);
}
