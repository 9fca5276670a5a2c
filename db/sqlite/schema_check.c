/* SPDX-License-Identifier: MIT */
/*
 * Whether a database has the tables, indexes and views of pmuq's own schema of its version, and
 * nothing else: a trigger, a view or a generated column of somebody else would run within pmuq's
 * statements. This is the first query of a connection. It cannot be deceived: the table is named
 * sqlite_master, because a database can contain a view `sqlite_schema`, and no index is used,
 * because one can be created on it.
 */
#include "core/buf.h"
#include "db/sqlite/schema.h"
#include "db/sqlite/statement.h"

static const struct pq_column object_columns[] = {
	{ PQ_COLUMN_AS(struct pq_schema_object, type, "type") },
	{ PQ_COLUMN_AS(struct pq_schema_object, name, "name") },
	{ PQ_COLUMN_AS(struct pq_schema_object, table, "tbl_name") },
	{ PQ_COLUMN_AS(struct pq_schema_object, sql, "sql"), .is_nullable = true },
};

/* The index for searches; it exists if the SQLite of an import had FTS5. */
static const struct pq_schema_object index_objects[] = {
	{ STR("table"), STR("vendor_words"), STR("vendor_words"), STR(PQ_SCHEMA_INDEX) },
	{ STR("table"), STR("vendor_words_data"), STR("vendor_words_data"),
	  STR("CREATE TABLE 'vendor_words_data'(id INTEGER PRIMARY KEY, block BLOB)") },
	{ STR("table"), STR("vendor_words_idx"), STR("vendor_words_idx"),
	  STR("CREATE TABLE 'vendor_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term))"
	      " WITHOUT ROWID") },
	{ STR("table"), STR("vendor_words_docsize"), STR("vendor_words_docsize"),
	  STR("CREATE TABLE 'vendor_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB)") },
	{ STR("table"), STR("vendor_words_config"), STR("vendor_words_config"),
	  STR("CREATE TABLE 'vendor_words_config'(k PRIMARY KEY, v) WITHOUT ROWID") },
};

/* The objects that a database may have, and which of them were found. */
struct schema_part {
	const struct pq_schema_object *objects;
	size_t n, n_found, next; /* after the one that was found last: they mostly come in order */
};

static size_t skip_space(struct pmuq_str text, size_t at)
{
	while (at < text.n && char_is_space(text.p[at]))
		at++;
	return at;
}

/* The amount of space between words depends on the version of pmuq that created the file. No
 * literal of pmuq's schema contains space. */
static bool is_same_text(struct pmuq_str a, struct pmuq_str b)
{
	size_t i = 0, k = 0;

	if (str_eq(a, b))
		return true;
	while (i < a.n && k < b.n) {
		size_t next_i = skip_space(a, i), next_k = skip_space(b, k);

		if ((next_i > i) != (next_k > k) || (next_i == i && a.p[next_i++] != b.p[next_k++]))
			return false;
		i = next_i;
		k = next_k;
	}
	return i == a.n && k == b.n && a.n && b.n;
}

/* NULL if there is no such object. */
static const struct pq_schema_object *find_object(struct schema_part *part,
						  const struct pq_schema_object *row)
{
	for (size_t i = 0; i < part->n; i++) {
		size_t at = (part->next + i) % part->n;

		if (!str_eq(part->objects[at].name, row->name))
			continue;
		part->next = at + 1;
		part->n_found++;
		return &part->objects[at];
	}
	return NULL;
}

/* The schema is foreign; its names are made printable when the error is printed. */
static void fail_object(struct pmuq_store *store, const struct pq_schema_object *row,
			const char *what)
{
	struct pq_buf hint = PQ_BUF_NULL;

	pq_buf_add(&hint, STR("name another file, or remove what was added; pmuq did not change "
			      "this one"));
	pq_store_fail_with(store, &hint, PMUQ_E_STORE_FOREIGN, "%s: the %.*s '%.*s' is not %s",
			   store->doing, STR_ARG(row->type), STR_ARG(row->name), what);
}

static void check_object(struct pmuq_store *store, struct schema_part parts[2],
			 const struct pq_schema_object *row)
{
	const struct pq_schema_object *object = find_object(&parts[0], row);

	if (!object)
		object = find_object(&parts[1], row);
	if (!object)
		fail_object(store, row, "pmuq's");
	else if (!str_eq(object->type, row->type) || !str_eq(object->table, row->table) ||
		 !is_same_text(object->sql, row->sql))
		fail_object(store, row, "as pmuq made it");
}

void pq_schema_check(struct pmuq_store *store, unsigned version)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	const struct pq_schema_step *step;
	struct schema_part parts[] = {
		{ 0 },
		{ .objects = index_objects, .n = COUNT(index_objects) },
	};
	struct pq_schema_object row;

	/* Then there is no such version. */
	if (store->r < 0)
		return;
	step = &store->schema->steps[version - 1];
	parts[0].objects = step->objects;
	parts[0].n = step->n_objects;
	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(object_columns, "FROM sqlite_master NOT INDEXED ORDER BY rowid"),
		      PQ_NO_PARAMS);
	while (pq_stmt_next(&stmt, &row, NULL))
		check_object(store, parts, &row);
	/* Names are unique. */
	if (parts[0].n_found != parts[0].n || (parts[1].n_found && parts[1].n_found != parts[1].n))
		pq_store_fail_content(store, "a table, an index or a view is missing");
}
