/* SPDX-License-Identifier: MIT */
/*
 * Rows into a table and out of it. The statements are made from the description of the table when
 * they are first used; the same description says which bytes are hashed, so a column cannot be
 * stored and left out of the hash. Contents, which consist of rows of several tables, are in
 * content.c.
 */
#include "db/content/content_table.h"
#include "core/buf.h"
#include "db/content/content.h"
#include "db/db.h"
#include "db/sqlite/guard.h"

enum table_verb {
	ADD,
	GET,
	LOAD,
};

static void print_add(const void *of, struct pq_buf *ret)
{
	const struct pq_table *table = of;

	pq_buf_print(ret, "INSERT INTO %s (", table->name);
	if (table->owner)
		pq_buf_print(ret, "%s, position, ", table->owner);
	pq_columns_print(table->columns, table->n_columns, ret);
	pq_buf_print(ret, ") VALUES (%s", table->owner ? "?, ?, ?" : "?");
	for (size_t i = 1; i < table->n_columns; i++)
		pq_buf_add(ret, STR(", ?"));
	pq_buf_char(ret, ')', 1);
}

static void print_load(const void *of, struct pq_buf *ret)
{
	const struct pq_table *table = of;

	pq_select_print(table->columns, table->n_columns, table->name, table->owner, ret);
	pq_buf_add(ret, STR(" ORDER BY position"));
}

static void print_get(const void *of, struct pq_buf *ret)
{
	const struct pq_table *table = of;

	pq_select_print(table->columns, table->n_columns, table->name, "id", ret);
}

static void begin(struct pq_stmt *stmt, struct pmuq_store *store, const struct pq_table *table,
		  enum table_verb verb)
{
	static void (*const prints[])(const void *, struct pq_buf *) = {
		[ADD] = print_add,
		[GET] = print_get,
		[LOAD] = print_load,
	};
	const struct pq_made_sql sql = {
		.print = prints[verb],
		.columns = verb == ADD ? NULL : table->columns,
		.n_columns = verb == ADD ? 0 : table->n_columns,
	};

	pq_stmt_begin_made(stmt, store, table, verb, &sql);
}

int64_t pq_table_add(struct pmuq_store *store, const struct pq_table *table, const void *row)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };

	begin(&stmt, store, table, ADD);
	pq_stmt_bind_row(&stmt, table->columns, table->n_columns, row);
	pq_stmt_run(&stmt);
	return store->lib.last_insert_rowid(store->db);
}

bool pq_table_get(struct pmuq_store *store, const struct pq_table *table, int64_t id,
		  struct pq_arena *arena, void *ret_row)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };

	begin(&stmt, store, table, GET);
	pq_stmt_bind(&stmt, pq_param_number(id));
	return pq_stmt_next(&stmt, ret_row, arena);
}

void pq_table_add_rows(struct pmuq_store *store, const struct pq_table *table, int64_t owner,
		       size_t position, struct pq_rows rows)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	const char *row = rows.v;

	if (rows.n > PQ_STORE_ROWS_MAX) {
		pq_work_fail(store, SQLITE_TOOBIG);
		return;
	}
	begin(&stmt, store, table, ADD);
	for (size_t i = 0; store->r == 0 && i < rows.n; i++, row += table->row_bytes) {
		pq_stmt_bind(&stmt, pq_param_number(owner));
		pq_stmt_bind(&stmt, pq_param_number((int64_t)(position + i)));
		pq_stmt_bind_row(&stmt, table->columns, table->n_columns, row);
		pq_stmt_run(&stmt);
	}
}

struct pq_rows pq_table_load(struct pmuq_store *store, const struct pq_table *table, int64_t owner,
			     struct pq_arena *arena)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };

	begin(&stmt, store, table, LOAD);
	pq_stmt_bind(&stmt, pq_param_number(owner));
	return pq_stmt_rows(&stmt, table->row_bytes, arena);
}

/* Numbers are hashed with the sign that they have in the table. An optional number that is not set
 * is hashed as 0, one that is set as its value plus one. */
static void hash_field(enum pq_column_type type, const void *field, struct pq_hasher *hasher)
{
	const struct pq_optional *optional = field;

	if (type == PQ_COLUMN_TEXT)
		pq_hash_text(hasher, *(const struct pmuq_str *)field);
	else if (type == PQ_COLUMN_HASH)
		pq_hash_hash(hasher, field);
	else if (type == PQ_COLUMN_REF)
		pq_hash_hash(hasher, &((const struct pq_ref *)field)->content->hash);
	else if (type == PQ_COLUMN_OPTIONAL)
		pq_hash_number(hasher, optional->is_set ? (uint64_t)optional->value + 1 : 0);
	else
		pq_hash_number(hasher, (uint64_t)pq_field_number(type, field));
}

void pq_row_hash(const struct pq_column *columns, size_t n, const void *row,
		 struct pq_hasher *hasher)
{
	for (size_t i = 0; i < n; i++)
		hash_field(columns[i].type, (const char *)row + columns[i].offset, hasher);
}
