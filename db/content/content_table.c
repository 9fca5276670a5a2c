/* SPDX-License-Identifier: MIT */
/*
 * Inserts rows into a table and selects them. The statements are made from the description of the
 * table when they are first used; the same description defines which bytes are hashed, so that
 * every stored column is hashed. Contents, which consist of rows of several tables, are in
 * content.c.
 */
#include "db/content/content_table.h"
#include "db/content/content.h"

int64_t pq_table_add(struct pmuq_store *store, const struct pq_table *table,
		     const struct pq_hash *hash, const void *row)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	const struct pq_sql sql = {
		.text = hash ? "INSERT INTO {table} (hash{columns}) VALUES (?{marks})"
			     : "INSERT INTO {table} ({columns}) VALUES ({marks})",
		.is_insert = true,
		.table = table,
	};

	pq_stmt_begin(&stmt, store, &sql, PQ_NO_PARAMS);
	if (hash)
		pq_stmt_bind(&stmt, pq_param_hash(hash));
	pq_stmt_bind_row(&stmt, table, row);
	return pq_stmt_insert(&stmt);
}

void pq_table_add_rows(struct pmuq_store *store, const struct pq_table *table, int64_t owner,
		       size_t position, struct pq_rows rows)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	const struct pq_sql sql = {
		.text = "INSERT INTO {table} ({owner}, position{columns}) VALUES (?, ?{marks})",
		.table = table,
	};
	const char *row = rows.v;

	if (rows.n > PQ_STORE_ROWS_MAX) {
		pq_store_fail_too_long(store);
		return;
	}
	pq_stmt_begin(&stmt, store, &sql, PQ_NO_PARAMS);
	for (size_t i = 0; store->r == 0 && i < rows.n; i++, row += table->row_bytes) {
		pq_stmt_bind(&stmt, pq_param_number(owner));
		pq_stmt_bind(&stmt, pq_param_number((int64_t)(position + i)));
		pq_stmt_bind_row(&stmt, table, row);
		pq_stmt_run(&stmt);
	}
}

struct pq_rows pq_table_load(struct pmuq_store *store, const struct pq_table *table, int64_t owner,
			     struct pq_arena *arena)
{
	const struct pq_sql sql = {
		.text = "FROM {table} WHERE {owner} = ? ORDER BY position",
		PQ_TABLE_COLUMNS(table),
	};

	return pq_sql_rows(store, &sql, PQ_PARAMS(owner), table->row_bytes, arena);
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
