/* SPDX-License-Identifier: MIT */
/*
 * Statements as statement.h describes them: compiled once and cached by their addresses, bound,
 * stepped, their rows read into structs. The files that use statements contain their texts.
 */
#include "db/statement.h"
#include "core/limits.h"
#include "core/vec.h"
#include "db/content/content.h"
#include "db/engine.h"
#include <assert.h>

const struct pq_column pq_one_number[1] = { { .type = PQ_COLUMN_INT64 } };
const struct pq_column pq_one_text[1] = { { .type = PQ_COLUMN_TEXT } };

/* The columns and their marks go on with a list, or begin one. */
static void print_word(struct pmuq_str word, const struct pq_table *table, struct pq_buf *ret)
{
	bool is_column = str_eq(word, STR("columns"));
	bool is_first = ret->n && ret->p[ret->n - 1] == '(';

	if (str_eq(word, STR("table")) || str_eq(word, STR("owner")))
		pq_buf_add(ret, str_of(word.p[0] == 't' ? table->name : table->owner));
	else
		for (size_t i = 0; i < table->n_columns; i++)
			pq_buf_print(ret, "%s%s", is_first && !i ? "" : ", ",
				     is_column ? table->columns[i].sql : "?");
}

static void print_sql(const struct pq_sql *sql, struct pq_buf *ret)
{
	struct pmuq_str rest = str_of(sql->text), part;
	bool has_list = sql->columns && sql->columns[0].sql;

	if (sql->has_owner)
		pq_buf_print(ret, "SELECT %s", sql->table->owner);
	for (size_t i = 0; has_list && i < sql->n_columns; i++)
		pq_buf_print(ret, "%s%s", i || sql->has_owner ? ", " : "SELECT ",
			     sql->columns[i].sql);
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

		if (!cached->text || (cached->text == sql->text && cached->table == sql->table &&
				      cached->has_owner == sql->has_owner))
			return cached;
		assert(n < COUNT(store->statements));
	}
}

/* NULL after an error. */
static void *compile(struct pmuq_store *store, const struct pq_sql *sql)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	print_sql(sql, &text);
	if (!text.failed)
		return store->engine->compile(store, sql, pq_buf_str(&text));
	pq_store_fail_memory(store);
	return NULL;
}

void pq_stmt_begin(struct pq_stmt *stmt, struct pmuq_store *store, const struct pq_sql *sql,
		   const struct pq_param *params, size_t n)
{
	struct pq_cached_stmt *cached = find_cached(store, sql);

	if (store->r == 0)
		store->engine->start(store);
	if (!cached->text && store->r == 0) {
		cached->compiled = compile(store, sql);
		cached->text = cached->compiled ? sql->text : NULL;
		cached->table = sql->table;
		cached->has_owner = sql->has_owner;
	}
	*stmt = (struct pq_stmt){ .store = store,
				  .compiled = store->r == 0 ? cached->compiled : NULL,
				  .columns = sql->columns,
				  .n_columns = sql->n_columns,
				  .has_owner = sql->has_owner };
	for (size_t i = 0; i < n; i++)
		pq_stmt_bind(stmt, params[i]);
}

void pq_stmt_end(struct pq_stmt *stmt)
{
	if (stmt->compiled)
		stmt->store->engine->reset(stmt);
	stmt->compiled = NULL;
}

/* ---- parameters */

void pq_stmt_bind(struct pq_stmt *stmt, struct pq_param param)
{
	size_t at = stmt->n_bound++;

	if (stmt->compiled && stmt->store->r == 0)
		stmt->store->engine->bind(stmt, at, &param);
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
		return (struct pq_param){ .type = type };
	return pq_param_number(pq_field_number(type, field));
}

void pq_stmt_bind_row(struct pq_stmt *stmt, const struct pq_table *table, const void *row)
{
	const struct pq_column *columns = table->columns;

	/* After an error a row may be incomplete. */
	for (size_t i = 0; stmt->compiled && i < table->n_columns; i++)
		pq_stmt_bind(stmt,
			     param_of(columns[i].type, (const char *)row + columns[i].offset));
}

void pq_stmt_queue(struct pq_stmt *stmt)
{
	if (stmt->compiled && stmt->store->r == 0 && stmt->store->engine->queue)
		stmt->store->engine->queue(stmt);
}

/* ---- rows */

/* False after the last row, and after an error. */
static bool step(struct pq_stmt *stmt)
{
	if (stmt->store->r < 0 || !stmt->compiled)
		return false;
	if (stmt->store->engine->step(stmt))
		return true;
	stmt->n_bound = 0;
	return false;
}

/* Engines convert types silently; pmuq does not: a column of another type is corrupt. */
static void fail_type(struct pq_stmt *stmt)
{
	pq_store_fail_content(stmt->store, "a value in it has the wrong type");
}

static struct pmuq_str read_text(struct pq_stmt *stmt, size_t at, bool is_nullable,
				 struct pq_arena *arena)
{
	const struct pq_value value = stmt->store->engine->column(stmt, at);
	struct pmuq_str text = { 0 };

	if (value.type == PQ_VALUE_NULL && is_nullable)
		return text;
	if (value.type != PQ_VALUE_BYTES) {
		fail_type(stmt);
		return text;
	}
	if (!arena)
		return value.bytes;
	text = pq_arena_str(arena, value.bytes);
	if (!text.p)
		pq_store_fail_memory(stmt->store);
	return text;
}

static int64_t read_number(struct pq_stmt *stmt, size_t at)
{
	const struct pq_value value = stmt->store->engine->column(stmt, at);

	if (value.type == PQ_VALUE_NUMBER)
		return value.number;
	fail_type(stmt);
	return 0;
}

static struct pq_hash read_hash(struct pq_stmt *stmt, size_t at)
{
	const struct pq_value value = stmt->store->engine->column(stmt, at);
	struct pq_hash hash = { 0 };

	if (value.type == PQ_VALUE_BYTES && value.bytes.n == sizeof(hash.bytes))
		memcpy(hash.bytes, value.bytes.p, sizeof(hash.bytes));
	else
		fail_type(stmt);
	return hash;
}

static struct pq_optional read_optional(struct pq_stmt *stmt, size_t at)
{
	const struct pq_value value = stmt->store->engine->column(stmt, at);

	if (value.type == PQ_VALUE_NUMBER)
		return (struct pq_optional){ .value = value.number, .is_set = true };
	if (value.type != PQ_VALUE_NULL)
		fail_type(stmt);
	return (struct pq_optional){ 0 };
}

static void read_column(struct pq_stmt *stmt, size_t at, const struct pq_column *column,
			void *field, struct pq_arena *arena)
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
	case PQ_COLUMN_IDS:
		break;
	}
}

bool pq_stmt_next(struct pq_stmt *stmt, void *ret_row, struct pq_arena *arena)
{
	if (!step(stmt))
		return false;
	if (stmt->has_owner)
		stmt->owner = read_number(stmt, 0);
	for (size_t i = 0; i < stmt->n_columns; i++)
		read_column(stmt, i + stmt->has_owner, &stmt->columns[i],
			    (char *)ret_row + stmt->columns[i].offset, arena);
	return stmt->store->r == 0;
}

bool pq_stmt_push(struct pq_stmt *stmt, struct pq_row_array *rows, struct pq_arena *arena)
{
	char *row;

	if (rows->n == rows->capacity)
		rows->v = pq_vec_enlarge(arena, rows->v, rows->n, 1, rows->row_bytes,
					 &rows->capacity);
	if (!rows->v) {
		rows->n = 0;
		pq_store_fail_memory(stmt->store);
		return false;
	}
	row = rows->v + rows->n * rows->row_bytes;
	memset(row, 0, rows->row_bytes);
	if (!pq_stmt_next(stmt, row, arena))
		return false;
	rows->n++;
	return true;
}

void pq_stmt_check_count(struct pq_stmt *stmt, size_t n, size_t max)
{
	if (n > max)
		pq_store_fail_content(stmt->store, "a list in it has too many rows");
}

struct pq_rows pq_stmt_rows(struct pq_stmt *stmt, size_t row_bytes, struct pq_arena *arena)
{
	struct pq_row_array rows = { .row_bytes = row_bytes };

	while (pq_stmt_push(stmt, &rows, arena))
		pq_stmt_check_count(stmt, rows.n, PQ_STORE_ROWS_MAX);
	return (struct pq_rows){ .v = rows.v, .own = rows.v, .n = rows.n };
}

void pq_stmt_run(struct pq_stmt *stmt)
{
	step(stmt);
}

int64_t pq_stmt_insert(struct pq_stmt *stmt)
{
	int64_t id = 0;

	if (stmt->store->r == 0 && stmt->compiled)
		id = stmt->store->engine->insert(stmt);
	stmt->n_bound = 0;
	return stmt->store->r == 0 ? id : 0;
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
