/* SPDX-License-Identifier: MIT */
/*
 * Contents in memory. Those that the rows of one owner refer to are loaded together, with as many
 * statements as one alone; each is checked against the hash that it is stored under.
 */
#include "db/content/content.h"

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

/* ---- statements */

/* Contents of a set that are loaded together. */
struct content_batch {
	struct pq_contents *contents;
	const struct pq_set *set;
	/* Those that the rows of its owner `id` refer to; NULL: the one content `id`. */
	const struct pq_table *parent;
	int64_t id;
	struct pq_content *v; /* by id */
	size_t n;
};

/* A statement for one content, and one for those of a parent, in the order of their ids. */
struct batch_text {
	const char *of_one, *of_parent;
};

#define OF_PARENT(column, referring)                                                               \
	" WHERE " column " IN (SELECT " referring " FROM {parent} WHERE {parent_owner} = ?)"       \
	" ORDER BY " column

static const struct batch_text hash_text = {
	"SELECT id, hash FROM {table} WHERE id = ?",
	"SELECT id, hash FROM {table}" OF_PARENT("id", "{table}"),
};
static const struct batch_text own_text = {
	"FROM {table} WHERE id = ?",
	"FROM {table}" OF_PARENT("id", "{table}"),
};
static const struct batch_text rows_text = {
	"FROM {table} WHERE {owner} = ? ORDER BY position",
	"FROM {table}" OF_PARENT("{owner}", "{owner}") ", position",
};

static const struct pq_column hash_columns[] = {
	{ .type = PQ_COLUMN_INT64, .offset = offsetof(struct pq_content, id) },
	{ .type = PQ_COLUMN_HASH, .offset = offsetof(struct pq_content, hash) },
};

/* `sql` without a text. */
static void begin(const struct content_batch *batch, const struct batch_text *text,
		  struct pq_sql sql, struct pq_stmt *ret)
{
	sql.text = batch->parent ? text->of_parent : text->of_one;
	sql.parent = batch->parent;
	pq_stmt_begin(ret, batch->contents->store, &sql, PQ_PARAMS(batch->id));
}

/* ---- load */

static void fail_missing(struct pmuq_store *store)
{
	pq_store_fail_content(store, "a part of it is missing");
}

/* Ids and hashes. */
static void find(struct content_batch *batch)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_rows found;

	begin(batch, &hash_text,
	      (struct pq_sql){ PQ_COLUMNS(hash_columns), .table = &batch->set->own }, &stmt);
	found = pq_stmt_rows(&stmt, sizeof(*batch->v), &batch->contents->arena);
	batch->v = found.own;
	batch->n = found.n;
}

/* The set's own columns, a row for each content. */
static void load_own(struct content_batch *batch)
{
	const struct pq_table *own = &batch->set->own;
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_rows rows;

	if (!own->n_columns)
		return;
	begin(batch, &own_text, (struct pq_sql){ PQ_TABLE_COLUMNS(own) }, &stmt);
	rows = pq_stmt_rows(&stmt, own->row_bytes, &batch->contents->arena);
	if (batch->contents->store->r == 0 && rows.n != batch->n)
		fail_missing(batch->contents->store);
	for (size_t i = 0; batch->contents->store->r == 0 && i < batch->n; i++)
		batch->v[i].own = (const char *)rows.v + i * own->row_bytes;
}

/* The content whose row was read, from the one before it on; both are in the order of ids. NULL
 * after an error. */
static struct pq_content *find_owner(struct content_batch *batch, const struct pq_stmt *stmt,
				     size_t *at)
{
	while (*at < batch->n && batch->v[*at].id < stmt->owner)
		++*at;
	if (*at < batch->n && batch->v[*at].id == stmt->owner)
		return &batch->v[*at];
	fail_missing(stmt->store);
	return NULL;
}

/* The rows of all contents are read into one array, and each content has a part of it. */
static void load_table(struct content_batch *batch, size_t index)
{
	const struct pq_table *table = &batch->set->tables[index];
	struct pq_row_array rows = { .row_bytes = table->row_bytes };
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_content *content = NULL;
	char *first;
	size_t at = 0;

	begin(batch, &rows_text, (struct pq_sql){ PQ_TABLE_COLUMNS(table), .has_owner = true },
	      &stmt);
	while (pq_stmt_push(&stmt, &rows, &batch->contents->arena)) {
		content = find_owner(batch, &stmt, &at);
		if (content)
			pq_stmt_check_count(&stmt, ++content->rows[index].n);
	}
	first = rows.v;
	for (size_t i = 0; i < batch->n; i++) {
		struct pq_rows *of = &batch->v[i].rows[index];

		of->v = of->own = first;
		first += of->n * table->row_bytes;
	}
}

/* Loads what the content refers to, and checks the hash. */
static void complete(struct pq_contents *contents, struct pq_content *content)
{
	struct pq_hash stored = content->hash;

	for (size_t i = 0; i < PQ_SET_TABLES_MAX && content->set->tables[i].name; i++)
		pq_refs_load(contents, &content->set->tables[i], content->id, content->rows[i]);
	if (contents->store->r < 0)
		return;
	pq_content_hash(content);
	pq_hash_check(contents->store, &stored, &content->hash);
}

static void load(struct content_batch *batch)
{
	struct pq_contents *contents = batch->contents;
	struct pmuq_store *store = contents->store;

	find(batch);
	load_own(batch);
	for (size_t i = 0; store->r == 0 && i < PQ_SET_TABLES_MAX && batch->set->tables[i].name;
	     i++)
		load_table(batch, i);
	for (size_t i = 0; store->r == 0 && i < batch->n; i++) {
		struct pq_content *content = &batch->v[i];

		content->set = batch->set;
		if (!pq_intern_add(&contents->by_id, key_of(batch->set, content->id), content))
			pq_store_fail_memory(store);
		complete(contents, content);
	}
}

struct pq_content *pq_content_load(struct pq_contents *contents, const struct pq_set *set,
				   int64_t id)
{
	struct pq_content *content = find_loaded(contents, set, id);
	struct content_batch one = { .contents = contents, .set = set, .id = id };

	if (content || contents->store->r < 0)
		return content;
	load(&one);
	if (contents->store->r < 0)
		return NULL;
	if (!one.n)
		fail_missing(contents->store);
	return one.n ? one.v : NULL;
}

static void load_refs(struct pq_contents *contents, const struct pq_table *table, int64_t owner,
		      struct pq_rows rows, const struct pq_column *column)
{
	struct content_batch all = {
		.contents = contents,
		.set = column->set,
		.parent = table,
		.id = owner,
	};
	char *field = (char *)rows.own + column->offset;

	if (table->owner)
		load(&all);
	for (size_t i = 0; i < rows.n; i++, field += table->row_bytes) {
		struct pq_ref *ref = (struct pq_ref *)field;

		ref->content = pq_content_load(contents, column->set, ref->id);
	}
}

void pq_refs_load(struct pq_contents *contents, const struct pq_table *table, int64_t owner,
		  struct pq_rows rows)
{
	for (size_t i = 0; rows.n && i < table->n_columns; i++)
		if (table->columns[i].type == PQ_COLUMN_REF)
			load_refs(contents, table, owner, rows, &table->columns[i]);
}
