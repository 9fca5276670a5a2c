/* SPDX-License-Identifier: MIT */
/*
 * Whether a database has the tables, indexes and views of pmuq's own schema of its version, and
 * nothing else: a trigger, a view or a generated column of somebody else would run within pmuq's
 * statements. This is the first query of a connection. It cannot be deceived: the table is named
 * sqlite_master, because a database can contain a view `sqlite_schema`, and no index is used,
 * because one can be created on it.
 */
#include "core/buf.h"
#include "db/schema.h"
#include "db/sqlite/sqlite_file.h"
#include "db/statement.h"

struct object {
	struct pmuq_str type, name, table, sql;
};

static const struct pq_column object_columns[] = {
	{ PQ_COLUMN_AS(struct object, type, "type") },
	{ PQ_COLUMN_AS(struct object, name, "name") },
	{ PQ_COLUMN_AS(struct object, table, "tbl_name") },
	{ PQ_COLUMN_AS(struct object, sql, "sql"), .is_nullable = true },
};

/* The index for searches; it exists if the SQLite of an import had FTS5. */
#define N_INDEX_OBJECTS 5
#define INDEX_OBJECT(name, sql) PQ_SCHEMA_OBJECT("table", name, name, sql)
// clang-format off
static const char index_objects[] =
	INDEX_OBJECT("vendor_words", PQ_SCHEMA_INDEX)
	INDEX_OBJECT("vendor_words_data", "CREATE TABLE 'vendor_words_data'(id INTEGER PRIMARY KEY, block BLOB)")
	INDEX_OBJECT("vendor_words_idx", "CREATE TABLE 'vendor_words_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID")
	INDEX_OBJECT("vendor_words_docsize", "CREATE TABLE 'vendor_words_docsize'(id INTEGER PRIMARY KEY, sz BLOB)")
	INDEX_OBJECT("vendor_words_config", "CREATE TABLE 'vendor_words_config'(k PRIMARY KEY, v) WITHOUT ROWID");
// clang-format on

/* The objects that a database may have, and how many of them were found. */
struct schema_part {
	const char *objects;
	size_t n, n_found;
	/* After the one that was found last: they mostly come in order. */
	const char *next;
	size_t index;
};

static struct pmuq_str take_text(const char **at)
{
	struct pmuq_str text = str_of(*at);

	*at += text.n + 1;
	return text;
}

static struct object take_object(struct schema_part *part)
{
	struct object object;

	if (part->index % part->n == 0)
		part->next = part->objects;
	part->index++;
	object.type = take_text(&part->next);
	object.name = take_text(&part->next);
	object.table = take_text(&part->next);
	object.sql = take_text(&part->next);
	return object;
}

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

static bool find_object(struct schema_part *part, struct pmuq_str name, struct object *ret)
{
	for (size_t i = 0; i < part->n; i++) {
		*ret = take_object(part);
		if (!str_eq(ret->name, name))
			continue;
		part->n_found++;
		return true;
	}
	return false;
}

/* The schema is foreign; its names are made printable when the error is printed. */
static void fail_object(struct pmuq_store *store, const struct object *row, const char *what)
{
	struct pq_buf hint = PQ_BUF_NULL;

	pq_buf_add(&hint, STR("name another file, or remove what was added; pmuq did not change "
			      "this one"));
	pq_store_fail_with(store, &hint, PMUQ_E_STORE_FOREIGN, "%s: the %.*s '%.*s' is not %s",
			   store->doing, STR_ARG(row->type), STR_ARG(row->name), what);
}

static void check_object(struct pmuq_store *store, struct schema_part parts[2],
			 const struct object *row)
{
	struct object own;

	if (!find_object(&parts[0], row->name, &own) && !find_object(&parts[1], row->name, &own))
		fail_object(store, row, "pmuq's");
	else if (!str_eq(own.type, row->type) || !str_eq(own.table, row->table) ||
		 !is_same_text(own.sql, row->sql))
		fail_object(store, row, "as pmuq made it");
}

void pq_schema_check(struct pmuq_store *store, unsigned version)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	const struct pq_schema_step *step;
	struct schema_part parts[] = {
		{ 0 },
		{ .objects = index_objects, .n = N_INDEX_OBJECTS },
	};
	struct object row;

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
