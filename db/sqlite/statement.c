/* SPDX-License-Identifier: MIT */
/*
 * Statements as statement.h describes them: compiled once and cached by their addresses, bound,
 * stepped, their rows read into structs. The files that use statements contain their texts.
 */
#include "db/sqlite/statement.h"
#include "core/text/utf8.h"
#include "core/vec.h"
#include "db/content/content.h"
#include "db/sqlite/guard.h"
#include <assert.h>

const struct pq_column pq_one_number[1] = { { .type = PQ_COLUMN_INT64 } };
const struct pq_column pq_one_text[1] = { { .type = PQ_COLUMN_TEXT } };

static void print_word(struct pmuq_str word, const struct pq_table *table, struct pq_buf *ret)
{
	bool is_column = str_eq(word, STR("columns"));

	if (str_eq(word, STR("table")) || str_eq(word, STR("owner")))
		pq_buf_add(ret, str_of(word.p[0] == 't' ? table->name : table->owner));
	else
		for (size_t i = 0; i < table->n_columns; i++)
			pq_buf_print(ret, ", %s", is_column ? table->columns[i].sql : "?");
}

static void print_sql(const struct pq_sql *sql, struct pq_buf *ret)
{
	struct pmuq_str rest = str_of(sql->text), part;
	bool has_list = sql->columns && sql->columns[0].sql;

	for (size_t i = 0; has_list && i < sql->n_columns; i++)
		pq_buf_print(ret, "%s%s", i ? ", " : "SELECT ", sql->columns[i].sql);
	pq_buf_char(ret, ' ', has_list);
	while (str_cut(rest, '{', &part, &rest)) {
		pq_buf_add(ret, part);
		str_cut(rest, '}', &part, &rest);
		print_word(part, sql->table, ret);
	}
	pq_buf_add(ret, part);
}

/* The entry of the statement in the cache, or the free one for it. Open addressing by the
 * addresses; a statement is never removed, so a search ends at the first free entry. There are
 * fewer statements than entries. */
static struct pq_cached_stmt *find_cached(struct pmuq_store *store, const struct pq_sql *sql)
{
	size_t at = ((uintptr_t)sql->text >> 4) * 31 + ((uintptr_t)sql->table >> 4);

	for (size_t n = 0;; n++) {
		struct pq_cached_stmt *cached =
			&store->statements[(at + n) % COUNT(store->statements)];

		if (!cached->text || (cached->text == sql->text && cached->table == sql->table))
			return cached;
		assert(n < COUNT(store->statements));
	}
}

/* NULL after an error. */
static sqlite3_stmt *compile(struct pmuq_store *store, const struct pq_sql *sql)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	sqlite3_stmt *stmt = NULL;
	int rc = SQLITE_NOMEM;

	print_sql(sql, &text);
	if (!text.failed)
		rc = store->lib.prepare_v3(store->db, text.p, (int)text.n,
					   SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
	if (rc != SQLITE_OK)
		pq_store_fail(store, rc);
	else
		assert((size_t)store->lib.column_count(stmt) == sql->n_columns);
	return stmt;
}

void pq_stmt_begin(struct pq_stmt *stmt, struct pmuq_store *store, const struct pq_sql *sql,
		   const struct pq_param *params, size_t n)
{
	struct pq_cached_stmt *cached = find_cached(store, sql);

	/* A reader may take so many steps for all statements of a transaction. */
	if (store->mode != PMUQ_STORE_READ)
		pq_guard_refill(store);
	if (!cached->text && store->r == 0) {
		cached->stmt = compile(store, sql);
		cached->text = cached->stmt ? sql->text : NULL;
		cached->table = sql->table;
	}
	*stmt = (struct pq_stmt){ .store = store,
				  .stmt = store->r == 0 ? cached->stmt : NULL,
				  .columns = sql->columns,
				  .n_columns = sql->n_columns };
	for (size_t i = 0; i < n; i++)
		pq_stmt_bind(stmt, params[i]);
}

/* The statement stays compiled; a read lock ends here. */
void pq_stmt_end(struct pq_stmt *stmt)
{
	/* sqlite3_reset() returns the failure of the last step again. */
	if (stmt->stmt)
		stmt->store->lib.reset(stmt->stmt);
	stmt->stmt = NULL;
}

/* ---- parameters */

static void keep_first(struct pq_stmt *stmt, int rc)
{
	if (stmt->rc == SQLITE_OK)
		stmt->rc = rc;
}

/* A text with a NUL, or not in UTF-8, is stored as a BLOB. */
static int bind_text(struct pq_stmt *stmt, int at, struct pmuq_str text)
{
	const struct pq_sqlite *lib = &stmt->store->lib;

	if (!text.p)
		return lib->bind_null(stmt->stmt, at);
	if (!pq_utf8_is_valid(text) || memchr(text.p, '\0', text.n))
		return lib->bind_blob64(stmt->stmt, at, text.p, text.n, SQLITE_STATIC);
	return lib->bind_text64(stmt->stmt, at, text.p, text.n, SQLITE_STATIC, SQLITE_UTF8);
}

void pq_stmt_bind(struct pq_stmt *stmt, struct pq_param param)
{
	const struct pq_sqlite *lib = &stmt->store->lib;
	int at = ++stmt->n_bound;

	if (!stmt->stmt)
		return;
	if (param.type == PQ_COLUMN_TEXT)
		keep_first(stmt, bind_text(stmt, at, param.text));
	else if (param.type == PQ_COLUMN_HASH)
		keep_first(stmt, lib->bind_blob64(stmt->stmt, at, param.hash->bytes,
						  sizeof(param.hash->bytes), SQLITE_STATIC));
	else
		keep_first(stmt, lib->bind_int64(stmt->stmt, at, param.number));
}

int64_t pq_field_number(enum pq_column_type type, const void *field)
{
	switch (type) {
	case PQ_COLUMN_BOOL:
		return *(const bool *)field;
	case PQ_COLUMN_INT:
		return *(const int *)field;
	case PQ_COLUMN_OPTIONAL:
		return ((const struct pq_optional *)field)->value;
	case PQ_COLUMN_REF:
		return ((const struct pq_ref *)field)->content->id;
	default:
		return *(const int64_t *)field;
	}
}

static struct pq_param param_of(enum pq_column_type type, const void *field)
{
	if (type == PQ_COLUMN_TEXT)
		return pq_param_text(*(const struct pmuq_str *)field);
	if (type == PQ_COLUMN_HASH)
		return pq_param_hash(field);
	if (type == PQ_COLUMN_OPTIONAL && !((const struct pq_optional *)field)->is_set)
		return pq_param_text((struct pmuq_str){ 0 });
	return pq_param_number(pq_field_number(type, field));
}

void pq_stmt_bind_row(struct pq_stmt *stmt, const struct pq_table *table, const void *row)
{
	const struct pq_column *columns = table->columns;

	/* After an error a row may be incomplete. */
	for (size_t i = 0; stmt->stmt && i < table->n_columns; i++)
		pq_stmt_bind(stmt,
			     param_of(columns[i].type, (const char *)row + columns[i].offset));
}

/* ---- rows */

/* False after the last row, and after an error. */
static bool step(struct pq_stmt *stmt)
{
	const struct pq_sqlite *lib = &stmt->store->lib;
	int rc = stmt->rc;

	if (stmt->store->r < 0 || !stmt->stmt)
		return false;
	if (rc == SQLITE_OK)
		rc = lib->step(stmt->stmt);
	if (rc == SQLITE_ROW)
		return true;
	if (rc != SQLITE_DONE)
		pq_store_fail(stmt->store, rc);
	lib->reset(stmt->stmt);
	stmt->n_bound = 0;
	return false;
}

static struct pmuq_str read_text(struct pq_stmt *stmt, int at, bool is_nullable,
				 struct pq_arena *arena)
{
	const struct pq_sqlite *lib = &stmt->store->lib;
	int type = lib->column_type(stmt->stmt, at);
	struct pmuq_str text = { 0 };

	if (type == SQLITE_NULL && is_nullable)
		return text;
	if (type != SQLITE_TEXT && type != SQLITE_BLOB) {
		keep_first(stmt, SQLITE_MISMATCH);
		return text;
	}
	text.p = lib->column_blob(stmt->stmt, at);
	text.n = (size_t)lib->column_bytes(stmt->stmt, at);
	if (!text.p && !text.n)
		text = STR("");
	if (text.p && arena)
		text = pq_arena_str(arena, text);
	if (!text.p)
		keep_first(stmt, SQLITE_NOMEM);
	return text;
}

/* SQLite converts types silently; pmuq does not: a column of another type is corrupt. */
static int64_t read_number(struct pq_stmt *stmt, int at)
{
	const struct pq_sqlite *lib = &stmt->store->lib;

	if (lib->column_type(stmt->stmt, at) != SQLITE_INTEGER)
		keep_first(stmt, SQLITE_MISMATCH);
	return lib->column_int64(stmt->stmt, at);
}

static struct pq_hash read_hash(struct pq_stmt *stmt, int at)
{
	const struct pq_sqlite *lib = &stmt->store->lib;
	const void *bytes = lib->column_blob(stmt->stmt, at);
	struct pq_hash hash = { 0 };

	if (!bytes || lib->column_bytes(stmt->stmt, at) != sizeof(hash.bytes))
		keep_first(stmt, SQLITE_MISMATCH);
	else
		memcpy(hash.bytes, bytes, sizeof(hash.bytes));
	return hash;
}

static struct pq_optional read_optional(struct pq_stmt *stmt, int at)
{
	if (stmt->store->lib.column_type(stmt->stmt, at) == SQLITE_NULL)
		return (struct pq_optional){ 0 };
	return (struct pq_optional){ .value = read_number(stmt, at), .is_set = true };
}

static void read_column(struct pq_stmt *stmt, int at, const struct pq_column *column, void *field,
			struct pq_arena *arena)
{
	switch (column->type) {
	case PQ_COLUMN_TEXT:
		*(struct pmuq_str *)field = read_text(stmt, at, column->is_nullable, arena);
		break;
	case PQ_COLUMN_HASH:
		*(struct pq_hash *)field = read_hash(stmt, at);
		break;
	case PQ_COLUMN_BOOL:
		*(bool *)field = read_number(stmt, at) != 0;
		break;
	case PQ_COLUMN_INT:
		*(int *)field = (int)read_number(stmt, at);
		break;
	case PQ_COLUMN_INT64:
		*(int64_t *)field = read_number(stmt, at);
		break;
	case PQ_COLUMN_OPTIONAL:
		*(struct pq_optional *)field = read_optional(stmt, at);
		break;
	case PQ_COLUMN_REF:
		*(struct pq_ref *)field = (struct pq_ref){ .id = read_number(stmt, at) };
		break;
	}
}

bool pq_stmt_next(struct pq_stmt *stmt, void *ret_row, struct pq_arena *arena)
{
	if (!step(stmt))
		return false;
	for (size_t i = 0; i < stmt->n_columns; i++)
		read_column(stmt, (int)i, &stmt->columns[i],
			    (char *)ret_row + stmt->columns[i].offset, arena);
	if (stmt->rc != SQLITE_OK)
		pq_store_fail(stmt->store, stmt->rc);
	return stmt->store->r == 0;
}

struct pq_rows pq_stmt_rows(struct pq_stmt *stmt, size_t row_bytes, struct pq_arena *arena)
{
	size_t capacity = 0, n = 0;
	char *v = NULL;

	for (;;) {
		if (n == PQ_STORE_ROWS_MAX) {
			pq_store_fail_content(stmt->store, "a list in it has too many rows");
			return (struct pq_rows){ 0 };
		}
		if (n == capacity)
			v = pq_vec_enlarge(arena, v, n, 1, row_bytes, &capacity);
		if (!v) {
			pq_store_fail_memory(stmt->store);
			return (struct pq_rows){ 0 };
		}
		memset(v + n * row_bytes, 0, row_bytes);
		if (!pq_stmt_next(stmt, v + n * row_bytes, arena))
			return (struct pq_rows){ .v = v, .own = v, .n = n };
		n++;
	}
}

void pq_stmt_run(struct pq_stmt *stmt)
{
	step(stmt);
}

int64_t pq_stmt_insert(struct pq_stmt *stmt)
{
	struct pmuq_store *store = stmt->store;

	step(stmt);
	return store->r < 0 ? 0 : store->lib.last_insert_rowid(store->db);
}

/* ---- in one call */

void pq_sql_run(struct pmuq_store *store, const char *text, const struct pq_param *params, size_t n)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };

	pq_stmt_begin(&stmt, store, &(const struct pq_sql){ .text = text }, params, n);
	pq_stmt_run(&stmt);
}

bool pq_sql_row(struct pmuq_store *store, const struct pq_sql *sql, const struct pq_param *params,
		size_t n, void *ret_row, struct pq_arena *arena)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };

	pq_stmt_begin(&stmt, store, sql, params, n);
	return pq_stmt_next(&stmt, ret_row, arena);
}

bool pq_sql_number(struct pmuq_store *store, const char *text, const struct pq_param *params,
		   size_t n, int64_t *ret)
{
	const struct pq_sql sql = { .text = text, PQ_COLUMNS(pq_one_number) };

	return pq_sql_row(store, &sql, params, n, ret, NULL);
}

struct pq_rows pq_sql_rows(struct pmuq_store *store, const struct pq_sql *sql,
			   const struct pq_param *params, size_t n, size_t row_bytes,
			   struct pq_arena *arena)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };

	pq_stmt_begin(&stmt, store, sql, params, n);
	return pq_stmt_rows(&stmt, row_bytes, arena);
}
