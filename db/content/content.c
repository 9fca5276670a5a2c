/* SPDX-License-Identifier: MIT */
/*
 * Contents by the description of their set: hashed, saved unless they are in the store, and deleted
 * when nothing refers to them. content_load.c loads them. db/snapshot/sets.c and
 * vendor/vendor_sets.c list the sets.
 */
#include "db/content/content.h"
#include <assert.h>

void pq_set_drop_unused(struct pmuq_store *store, const struct pq_set *set)
{
	const struct pq_sql sql = {
		.text = "DELETE FROM {table} WHERE id NOT IN (SELECT {table} FROM {owner})",
		.table = &set->own,
	};

	pq_sql_row(store, &sql, PQ_NO_PARAMS, NULL, NULL);
}

void pq_hash_check(struct pmuq_store *store, const struct pq_hash *stored,
		   const struct pq_hash *computed)
{
	if (memcmp(stored->bytes, computed->bytes, sizeof(stored->bytes)) != 0)
		pq_store_fail_content(store, "the content does not match its hash");
}

/* ---- save */

/* Own columns first, then each table with its number of rows. */
void pq_content_hash(struct pq_content *content)
{
	const struct pq_set *set = content->set;
	struct pq_hasher hasher;

	pq_hash_begin(&hasher, str_of(set->domain));
	pq_row_hash(set->own.columns, set->own.n_columns, content->own, &hasher);
	for (size_t i = 0; i < PQ_SET_TABLES_MAX && set->tables[i].name; i++) {
		const struct pq_table *table = &set->tables[i];
		const char *row = content->rows[i].v;

		pq_hash_number(&hasher, content->rows[i].n);
		for (size_t n = content->rows[i].n; n; n--, row += table->row_bytes)
			pq_row_hash(table->columns, table->n_columns, row, &hasher);
	}
	content->hash = pq_hash_end(&hasher);
}

void pq_contents_find(struct pmuq_store *store, struct pq_content *const *contents, size_t n)
{
	struct pq_stmt stmts[PQ_FIND_MAX] = { 0 };

	assert(n <= PQ_FIND_MAX);
	for (size_t i = 0; i < n; i++) {
		const struct pq_sql sql = {
			.text = "SELECT id FROM {table} WHERE hash = ?",
			PQ_COLUMNS(pq_one_number),
			.table = &contents[i]->set->own,
		};

		pq_stmt_begin(&stmts[i], store, &sql, PQ_PARAMS(&contents[i]->hash));
		pq_stmt_queue(&stmts[i]);
	}
	for (size_t i = 0; i < n; i++) {
		pq_stmt_next(&stmts[i], &contents[i]->id, NULL);
		pq_stmt_end(&stmts[i]);
	}
}

void pq_refs_save(struct pmuq_store *store, const struct pq_table *table, struct pq_rows rows)
{
	for (size_t k = 0; k < table->n_columns; k++) {
		if (table->columns[k].type != PQ_COLUMN_REF)
			continue;
		for (size_t i = 0; store->r == 0 && i < rows.n; i++) {
			const char *row = (const char *)rows.v + i * table->row_bytes;
			const void *field = row + table->columns[k].offset;

			pq_content_save(store, ((const struct pq_ref *)field)->content);
		}
	}
}

/* A content with an id was saved or found before, in this transaction. */
void pq_content_save(struct pmuq_store *store, struct pq_content *content)
{
	const struct pq_set *set = content->set;

	if (!content->id)
		pq_contents_find(store, &content, 1);
	/* Another process may have added it before this one has the lock. */
	if (!content->id && pq_store_lock_contents(store))
		pq_contents_find(store, &content, 1);
	if (content->id || store->r < 0)
		return;
	content->id = pq_table_add(store, &set->own, &content->hash, content->own);
	for (size_t i = 0; store->r == 0 && i < PQ_SET_TABLES_MAX && set->tables[i].name; i++) {
		pq_refs_save(store, &set->tables[i], content->rows[i]);
		pq_table_add_rows(store, &set->tables[i], content->id, 0, content->rows[i]);
	}
}
