/* SPDX-License-Identifier: MIT */
/*
 * Contents in memory. Those that rows refer to are loaded in batches, with as many statements as
 * one alone; each is checked against the hash that it is stored under.
 */
#include "db/content/content.h"
#include <assert.h>

void pq_contents_begin(struct pq_contents *contents, struct pmuq_store *store)
{
	*contents = (struct pq_contents){ .store = store };
	contents->arena = PQ_ARENA(PQ_CONTENTS_MAX_BYTES);
}

void pq_contents_end(struct pq_contents *contents)
{
	pq_intern_free(&contents->by_id);
	pq_arena_clear(&contents->arena);
}

/* Ids count up from 1: an odd factor spreads them. */
static uint64_t key_of(const struct pq_set *set, int64_t id)
{
	return ((uint64_t)id ^ (uintptr_t)set) * 0x9e3779b97f4a7c15u >> 16;
}

static struct pq_content *find_loaded(const struct pq_contents *contents, const struct pq_set *set,
				      int64_t id)
{
	uint64_t key = key_of(set, id);
	size_t at = pq_intern_start(&contents->by_id, key);
	struct pq_content *content;

	while ((content = pq_intern_next(&contents->by_id, key, &at)))
		if (content->id == id && content->set == set)
			return content;
	return NULL;
}

/* A content whose rows are still to be loaded. NULL after an error. */
static struct pq_content *add(struct pq_contents *contents, const struct pq_set *set, int64_t id)
{
	struct pq_content *content = pq_arena_zero(&contents->arena, sizeof(*content));

	if (!content || !pq_intern_add(&contents->by_id, key_of(set, id), content)) {
		pq_store_fail_memory(contents->store);
		return NULL;
	}
	content->set = set;
	content->id = id;
	return content;
}

/* ---- statements */

#define BATCH_MAX 16
#define MARKS "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

/* Contents of one set that are loaded together, by id. All statements are queued before the
 * rows of the first are read. */
struct content_batch {
	struct pmuq_store *store;
	struct pq_contents *contents; /* NULL: only hashes are loaded */
	const struct pq_set *set;
	struct pq_content *v[BATCH_MAX];
	size_t n;
	struct pq_stmt hashes, own, tables[PQ_SET_TABLES_MAX];
};

/* In the order of ids. */
static void insert(struct content_batch *batch, struct pq_content *content)
{
	size_t at = batch->n++;

	for (; at && batch->v[at - 1]->id > content->id; at--)
		batch->v[at] = batch->v[at - 1];
	batch->v[at] = content;
}

/* A statement for one content, and one for a batch, in the order of their ids. */
struct batch_text {
	const char *of_one, *of_batch;
};

static const struct batch_text hash_text = {
	"SELECT id, hash FROM {table} WHERE id = ?",
	"SELECT id, hash FROM {table} WHERE id IN (" MARKS ") ORDER BY id",
};
static const struct batch_text own_text = {
	"FROM {table} WHERE id = ?",
	"FROM {table} WHERE id IN (" MARKS ") ORDER BY id",
};
static const struct batch_text rows_text = {
	"FROM {table} WHERE {owner} = ? ORDER BY position",
	"FROM {table} WHERE {owner} IN (" MARKS ") ORDER BY {owner}, position",
};

/* `sql` without a text. Marks that a batch does not need repeat its last content. */
static void queue_statement(const struct content_batch *batch, const struct batch_text *text,
			    struct pq_sql sql, struct pq_stmt *ret)
{
	size_t n_marks = batch->n > 1 ? BATCH_MAX : 1;

	sql.text = batch->n > 1 ? text->of_batch : text->of_one;
	pq_stmt_begin(ret, batch->store, &sql, PQ_NO_PARAMS);
	for (size_t i = 0; i < n_marks; i++)
		pq_stmt_bind(ret, pq_param_number(batch->v[i < batch->n ? i : batch->n - 1]->id));
	pq_stmt_queue(ret);
}

struct stored_hash {
	int64_t id;
	struct pq_hash hash;
};

static const struct pq_column hash_columns[] = {
	{ .type = PQ_COLUMN_INT64, .offset = offsetof(struct stored_hash, id) },
	{ .type = PQ_COLUMN_HASH, .offset = offsetof(struct stored_hash, hash) },
};

/* NULL after the last one. */
static const struct pq_table *table_of(const struct content_batch *batch, size_t index)
{
	const struct pq_table *tables = batch->set->tables;

	return index < PQ_SET_TABLES_MAX && tables[index].name ? &tables[index] : NULL;
}

static void queue_hashes(struct content_batch *batch)
{
	queue_statement(batch, &hash_text,
			(struct pq_sql){ PQ_COLUMNS(hash_columns), .table = &batch->set->own },
			&batch->hashes);
}

static void queue_batch(struct content_batch *batch)
{
	const struct pq_table *own = &batch->set->own, *table;

	if (!batch->n)
		return;
	queue_hashes(batch);
	if (own->n_columns)
		queue_statement(batch, &own_text, (struct pq_sql){ PQ_TABLE_COLUMNS(own) },
				&batch->own);
	for (size_t i = 0; (table = table_of(batch, i)); i++)
		queue_statement(batch, &rows_text,
				(struct pq_sql){ PQ_TABLE_COLUMNS(table), .has_owner = true },
				&batch->tables[i]);
}

/* ---- load */

static void fail_missing(struct pmuq_store *store)
{
	pq_store_fail_content(store, "a part of it is missing");
}

static void load_hashes(struct content_batch *batch)
{
	struct stored_hash stored;

	for (size_t i = 0; i < batch->n; i++) {
		if (!pq_stmt_next(&batch->hashes, &stored, NULL) || stored.id != batch->v[i]->id) {
			fail_missing(batch->store);
			return;
		}
		batch->v[i]->hash = stored.hash;
	}
}

/* The set's own columns, a row for each content. */
static void load_own(struct content_batch *batch)
{
	const struct pq_table *own = &batch->set->own;
	struct pq_rows rows;

	if (!own->n_columns)
		return;
	rows = pq_stmt_rows(&batch->own, own->row_bytes, &batch->contents->arena);
	if (batch->store->r == 0 && rows.n != batch->n)
		fail_missing(batch->store);
	for (size_t i = 0; batch->store->r == 0 && i < batch->n; i++)
		batch->v[i]->own = (const char *)rows.v + i * own->row_bytes;
}

/* The content whose row was read, from the one before it on; both are in the order of ids. NULL
 * after an error. */
static struct pq_content *find_owner(struct content_batch *batch, const struct pq_stmt *stmt,
				     size_t *at)
{
	while (*at < batch->n && batch->v[*at]->id < stmt->owner)
		++*at;
	if (*at < batch->n && batch->v[*at]->id == stmt->owner)
		return batch->v[*at];
	fail_missing(stmt->store);
	return NULL;
}

/* The rows of all contents are read into one array, and each content has a part of it. */
static void load_table(struct content_batch *batch, size_t index, size_t row_bytes)
{
	struct pq_stmt *stmt = &batch->tables[index];
	struct pq_row_array rows = { .row_bytes = row_bytes };
	struct pq_content *content;
	size_t at = 0;
	char *first;

	while (pq_stmt_push(stmt, &rows, &batch->contents->arena)) {
		content = find_owner(batch, stmt, &at);
		if (content)
			pq_stmt_check_count(stmt, ++content->rows[index].n, PQ_STORE_ROWS_MAX);
	}
	first = rows.v;
	for (size_t i = 0; stmt->store->r == 0 && i < batch->n; i++) {
		struct pq_rows *of = &batch->v[i]->rows[index];

		of->v = of->own = first;
		first += of->n * row_bytes;
	}
}

static void end_statements(struct content_batch *batch)
{
	pq_stmt_end(&batch->hashes);
	pq_stmt_end(&batch->own);
	for (size_t i = 0; i < PQ_SET_TABLES_MAX; i++)
		pq_stmt_end(&batch->tables[i]);
}

/* Loads what the content refers to, and checks the hash. */
static void complete(struct pq_contents *contents, struct pq_content *content)
{
	struct pq_hash stored = content->hash;

	for (size_t i = 0; i < PQ_SET_TABLES_MAX && content->set->tables[i].name; i++)
		pq_refs_load(contents, &content->set->tables[i], content->rows[i]);
	if (contents->store->r < 0)
		return;
	pq_content_hash(content);
	pq_hash_check(contents->store, &stored, &content->hash);
}

/* Empties the batch, which was queued. */
static void load_batch(struct content_batch *batch)
{
	struct pmuq_store *store = batch->store;
	const struct pq_table *table;

	if (!batch->n)
		return;
	if (store->r == 0)
		load_hashes(batch);
	if (store->r == 0)
		load_own(batch);
	for (size_t i = 0; store->r == 0 && (table = table_of(batch, i)); i++)
		load_table(batch, i, table->row_bytes);
	end_statements(batch);
	for (size_t i = 0; store->r == 0 && i < batch->n; i++)
		complete(batch->contents, batch->v[i]);
	batch->n = 0;
}

struct pq_content *pq_content_load(struct pq_contents *contents, const struct pq_set *set,
				   int64_t id)
{
	struct pq_content *content = find_loaded(contents, set, id);
	struct content_batch one = {
		.store = contents->store,
		.contents = contents,
		.set = set,
		.n = 1,
	};

	if (content || contents->store->r < 0)
		return content;
	one.v[0] = content = add(contents, set, id);
	if (!content)
		return NULL;
	queue_batch(&one);
	load_batch(&one);
	return contents->store->r == 0 ? content : NULL;
}

/* Loads all contents of the column but the last batch, which is queued. */
static void queue_refs(struct content_batch *batch, const struct pq_table *table,
		       struct pq_rows rows, const struct pq_column *column)
{
	struct pq_contents *contents = batch->contents;
	char *field = (char *)rows.own + column->offset;

	batch->set = column->set;
	for (size_t i = 0; contents->store->r == 0 && i < rows.n; i++, field += table->row_bytes) {
		struct pq_ref *ref = (struct pq_ref *)field;

		ref->content = find_loaded(contents, column->set, ref->id);
		if (ref->content)
			continue;
		if (batch->n == BATCH_MAX) {
			queue_batch(batch);
			load_batch(batch);
		}
		ref->content = add(contents, column->set, ref->id);
		if (ref->content)
			insert(batch, ref->content);
	}
	queue_batch(batch);
}

/* The columns of one table refer to different sets. */
#define REFS_MAX 4

void pq_refs_load(struct pq_contents *contents, const struct pq_table *table, struct pq_rows rows)
{
	struct content_batch batches[REFS_MAX];
	size_t n = 0;

	for (size_t i = 0; rows.n && i < table->n_columns; i++) {
		if (table->columns[i].type != PQ_COLUMN_REF)
			continue;
		assert(n < REFS_MAX);
		batches[n] =
			(struct content_batch){ .store = contents->store, .contents = contents };
		queue_refs(&batches[n++], table, rows, &table->columns[i]);
	}
	for (size_t i = 0; i < n; i++)
		load_batch(&batches[i]);
}

/* ---- hashes alone */

void pq_contents_load_hashes(struct pmuq_store *store, struct pq_content *contents, size_t n)
{
	for (size_t i = 0; store->r == 0 && i < n; i += BATCH_MAX) {
		struct content_batch batch = { .store = store, .set = contents->set };

		for (size_t at = i; at < n && at < i + BATCH_MAX; at++)
			insert(&batch, &contents[at]);
		queue_hashes(&batch);
		load_hashes(&batch);
		end_statements(&batch);
	}
}

struct pq_hash pq_set_hash(struct pmuq_store *store, const struct pq_set *set, int64_t id)
{
	struct pq_content content = { .set = set, .id = id };

	pq_contents_load_hashes(store, &content, 1);
	return content.hash;
}
