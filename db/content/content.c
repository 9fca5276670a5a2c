/* SPDX-License-Identifier: MIT */
/*
 * Contents by the description of their set: hashed, saved unless they are in the store, loaded and
 * checked. Which sets there are is in db/snapshot/sets.c and vendor/vendor_sets.c.
 */
#include "db/content/content.h"
#include "core/buf.h"
#include "db/db.h"

/* ---- statements */

enum set_verb {
	FIND,
	ADD,
	GET_HASH,
	GET_OWN,
	DROP,
};

static const struct pq_column hash_column = { .sql = "hash", .type = PQ_COLUMN_HASH };

static void print_find(const void *of, struct pq_buf *ret)
{
	const struct pq_set *set = of;

	pq_buf_print(ret, "SELECT id FROM %s WHERE hash = ?", set->name);
}

static void print_add(const void *of, struct pq_buf *ret)
{
	const struct pq_set *set = of;

	pq_buf_print(ret, "INSERT INTO %s (hash%s", set->name, set->n_columns ? ", " : "");
	pq_columns_print(set->columns, set->n_columns, ret);
	pq_buf_add(ret, STR(") VALUES (?"));
	for (size_t i = 0; i < set->n_columns; i++)
		pq_buf_add(ret, STR(", ?"));
	pq_buf_char(ret, ')', 1);
}

static void print_get_hash(const void *of, struct pq_buf *ret)
{
	const struct pq_set *set = of;

	pq_select_print(&hash_column, 1, set->name, "id", ret);
}

static void print_get_own(const void *of, struct pq_buf *ret)
{
	const struct pq_set *set = of;

	pq_select_print(set->columns, set->n_columns, set->name, "id", ret);
}

static void print_drop(const void *of, struct pq_buf *ret)
{
	const struct pq_set *set = of;

	pq_buf_print(ret, "DELETE FROM %s WHERE id NOT IN (SELECT %s FROM %s)", set->name,
		     set->name, set->used_by);
}

static int begin(struct pq_stmt *stmt, struct pmuq_store *store, const struct pq_set *set,
		 enum set_verb verb, struct pmuq_error **reterr)
{
	const struct pq_made_sql sql[] = {
		[FIND] = { .print = print_find, .columns = pq_number_column, .n_columns = 1 },
		[ADD] = { .print = print_add },
		[GET_HASH] = { .print = print_get_hash, .columns = &hash_column, .n_columns = 1 },
		[GET_OWN] = { .print = print_get_own,
			      .columns = set->columns,
			      .n_columns = set->n_columns },
		[DROP] = { .print = print_drop },
	};

	return pq_stmt_begin_made(stmt, store, set, verb, &sql[verb], reterr);
}

static int get(struct pmuq_store *store, const struct pq_set *set, enum set_verb verb, int64_t id,
	       void *ret_row, struct pq_arena *arena, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = begin(&stmt, store, set, verb, reterr);

	if (r < 0)
		return r;
	pq_stmt_bind(&stmt, pq_param_number(id));
	r = pq_stmt_first(&stmt, ret_row, arena, reterr);
	return r == PQ_NONE ? pq_store_fail_content(store, "a part of it is missing", reterr) : r;
}

int pq_set_hash(struct pmuq_store *store, const struct pq_set *set, int64_t id, struct pq_hash *ret,
		struct pmuq_error **reterr)
{
	return get(store, set, GET_HASH, id, ret, NULL, reterr);
}

int pq_set_get(struct pmuq_store *store, const struct pq_set *set, int64_t id,
	       struct pq_arena *arena, void *ret_row, struct pmuq_error **reterr)
{
	return get(store, set, GET_OWN, id, ret_row, arena, reterr);
}

int pq_set_drop_unused(struct pmuq_store *store, const struct pq_set *set,
		       struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = begin(&stmt, store, set, DROP, reterr);

	return r < 0 ? r : pq_stmt_run(&stmt, reterr);
}

int pq_hash_check(struct pmuq_store *store, const struct pq_hash *stored,
		  const struct pq_hash *computed, struct pmuq_error **reterr)
{
	if (pq_hash_eq(stored, computed))
		return 0;
	return pq_store_fail_content(store, "the content does not match its hash", reterr);
}

/* ---- save */

void pq_content_hash(struct pq_content *content)
{
	const struct pq_set *set = content->set;
	struct pq_hasher hasher;

	pq_hash_begin(&hasher, str_of(set->domain));
	pq_row_hash(set->columns, set->n_columns, content->own, &hasher);
	for (size_t i = 0; i < PQ_SET_TABLES_MAX && set->tables[i]; i++) {
		const struct pq_table *table = set->tables[i];
		const char *row = content->rows[i].v;

		pq_hash_number(&hasher, content->rows[i].n);
		for (size_t n = content->rows[i].n; n; n--, row += table->row_bytes)
			pq_row_hash(table->columns, table->n_columns, row, &hasher);
	}
	content->hash = pq_hash_end(&hasher);
}

/* PQ_NONE if the store does not have it. */
static int find(struct pmuq_store *store, struct pq_content *content, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = begin(&stmt, store, content->set, FIND, reterr);

	if (r < 0)
		return r;
	pq_stmt_bind(&stmt, pq_param_hash(&content->hash));
	return pq_stmt_first(&stmt, &content->id, NULL, reterr);
}

static int add_own(struct pmuq_store *store, struct pq_content *content, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	const struct pq_set *set = content->set;
	int r = begin(&stmt, store, set, ADD, reterr);

	if (r < 0)
		return r;
	pq_stmt_bind(&stmt, pq_param_hash(&content->hash));
	pq_stmt_bind_row(&stmt, set->columns, set->n_columns, content->own);
	r = pq_stmt_run(&stmt, reterr);
	if (r == 0)
		content->id = store->lib.last_insert_rowid(store->db);
	return r;
}

int pq_refs_save(struct pmuq_store *store, const struct pq_table *table, struct pq_rows rows,
		 struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t k = 0; k < table->n_columns; k++) {
		const char *field = (const char *)rows.v + table->columns[k].offset;

		if (table->columns[k].type != PQ_COLUMN_REF)
			continue;
		for (size_t i = 0; r == 0 && i < rows.n; i++, field += table->row_bytes)
			r = pq_content_save(store, ((const struct pq_ref *)field)->content, reterr);
	}
	return r;
}

int pq_content_save(struct pmuq_store *store, struct pq_content *content,
		    struct pmuq_error **reterr)
{
	const struct pq_set *set = content->set;
	int r = content->id ? 0 : find(store, content, reterr);

	if (r != PQ_NONE)
		return r;
	r = add_own(store, content, reterr);
	for (size_t i = 0; r == 0 && i < PQ_SET_TABLES_MAX && set->tables[i]; i++) {
		r = pq_refs_save(store, set->tables[i], content->rows[i], reterr);
		if (r == 0)
			r = pq_table_add_rows(store, set->tables[i], content->id, 0,
					      content->rows[i], reterr);
	}
	return r;
}

/* ---- load */

void pq_contents_begin(struct pq_contents *contents, struct pmuq_store *store)
{
	*contents = (struct pq_contents){ .store = store };
	pq_arena_init(&contents->arena, NULL, 0, PQ_CONTENTS_MAX_BYTES);
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

/* NULL when out of memory. */
static struct pq_content *new_content(struct pq_contents *contents, const struct pq_set *set,
				      int64_t id)
{
	struct pq_content *content = pq_arena_zero(&contents->arena, sizeof(*content));

	if (!content || !pq_intern_add(&contents->by_id, key_of(set, id), content))
		return NULL;
	content->set = set;
	content->id = id;
	return content;
}

int pq_refs_load(struct pq_contents *contents, const struct pq_table *table, struct pq_rows rows,
		 struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t k = 0; k < table->n_columns; k++) {
		char *field = (char *)rows.own + table->columns[k].offset;

		if (table->columns[k].type != PQ_COLUMN_REF)
			continue;
		for (size_t i = 0; r == 0 && i < rows.n; i++, field += table->row_bytes) {
			struct pq_ref *ref = (struct pq_ref *)field;

			r = pq_content_load(contents, table->columns[k].set, ref->id, &ref->content,
					    reterr);
		}
	}
	return r;
}

static int load_own(struct pq_contents *contents, struct pq_content *content,
		    struct pmuq_error **reterr)
{
	const struct pq_set *set = content->set;
	void *row;

	if (!set->n_columns)
		return 0;
	content->own = row = pq_arena_zero(&contents->arena, set->row_bytes);
	return row ? pq_set_get(contents->store, set, content->id, &contents->arena, row, reterr)
		   : pq_fail_memory(reterr);
}

static int load_rows(struct pq_contents *contents, struct pq_content *content,
		     struct pmuq_error **reterr)
{
	int r = load_own(contents, content, reterr);

	for (size_t i = 0; r == 0 && i < PQ_SET_TABLES_MAX && content->set->tables[i]; i++) {
		const struct pq_table *table = content->set->tables[i];

		r = pq_table_load(contents->store, table, content->id, &contents->arena,
				  &content->rows[i], reterr);
		if (r == 0)
			r = pq_refs_load(contents, table, content->rows[i], reterr);
	}
	return r;
}

int pq_content_load(struct pq_contents *contents, const struct pq_set *set, int64_t id,
		    struct pq_content **ret, struct pmuq_error **reterr)
{
	struct pq_content *content = find_loaded(contents, set, id);
	struct pq_hash stored;
	int r;

	*ret = content;
	if (content)
		return 0;
	r = pq_set_hash(contents->store, set, id, &stored, reterr);
	if (r < 0)
		return r;
	*ret = content = new_content(contents, set, id);
	r = content ? load_rows(contents, content, reterr) : pq_fail_memory(reterr);
	if (r < 0)
		return r;
	pq_content_hash(content);
	return pq_hash_check(contents->store, &stored, &content->hash, reterr);
}
