/* SPDX-License-Identifier: MIT */
/*
 * Statements on the server: prepared when they are first run, since the types of their parameters
 * are known then. Parameters and columns are in PostgreSQL's binary format. The rows of a query are
 * all in memory while it runs, so other statements may run between its steps.
 */
#include "core/limits.h"
#include "db/postgres/pg_server.h"
#include <assert.h>
#include <endian.h>
#include <stdio.h>

#define PARAMS_MAX PQ_PG_COLUMNS_MAX

/* Types of PostgreSQL (pg_type.dat): these numbers are part of its protocol. */
enum {
	TYPE_BOOL = 16,
	TYPE_BYTEA = 17,
	TYPE_INT8 = 20,
	TYPE_INT2 = 21,
	TYPE_INT4 = 23,
	TYPE_TEXT = 25,
};

struct pg_compiled {
	char *text, *name;
	unsigned generation; /* in which it was prepared; 0: never */
	bool has_rows, is_long;
	bool is_running;
	int n;
	unsigned types[PARAMS_MAX];
	const char *values[PARAMS_MAX];
	int lengths[PARAMS_MAX];
	uint64_t numbers[PARAMS_MAX]; /* big-endian */
	char *encoded[PARAMS_MAX];    /* texts that are not plain */
	struct pq_pg_pending rows;
	int row;
	struct pq_pg_copy copy; /* if it is long */
};

/* All parameters are binary. */
static const int formats[PARAMS_MAX] = {
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};

static void release(struct pg_compiled *compiled)
{
	if (!compiled)
		return;
	free(compiled->text);
	free(compiled->name);
	free(compiled);
}

void *pq_pg_compile(struct pmuq_store *store, const struct pq_sql *sql, struct pmuq_str text)
{
	cleanup(pq_buf_free) struct pq_buf translated = PQ_BUF_NULL;
	struct pg_compiled *compiled = calloc(1, sizeof(*compiled));

	if (sql->is_long)
		pq_buf_add(&translated, STR("COPY ("));
	pq_pg_translate(text, &translated);
	if (sql->is_long)
		pq_buf_add(&translated, STR(") TO STDOUT (FORMAT binary)"));
	if (sql->is_insert)
		pq_buf_add(&translated, STR(" RETURNING id"));
	if (compiled) {
		compiled->has_rows = sql->columns || sql->is_insert;
		compiled->is_long = sql->is_long;
		compiled->text = pq_buf_take(&translated);
		if (asprintf(&compiled->name, "pmuq%u", store->pg->n_compiled++) < 0)
			compiled->name = NULL;
	}
	if (compiled && compiled->text && compiled->name)
		return compiled;
	pq_store_fail_memory(store);
	release(compiled);
	return NULL;
}

static void free_encoded(struct pg_compiled *compiled)
{
	for (size_t i = 0; i < PARAMS_MAX; i++)
		free(move(compiled->encoded[i]));
}

static void end(struct pmuq_store *store, struct pg_compiled *compiled)
{
	if (compiled->rows.is_pending)
		pq_pg_receive(store, &compiled->rows);
	pq_pg_copy_end(store, &compiled->copy);
	free_encoded(compiled);
	store->pg->lib.clear(move(compiled->rows.result));
	compiled->is_running = false;
}

void pq_pg_finalize(struct pmuq_store *store, void *of)
{
	struct pg_compiled *compiled = of;

	if (!compiled)
		return;
	pq_pg_forget(store->pg);
	end(store, compiled);
	release(compiled);
}

void pq_pg_reset(struct pq_stmt *stmt)
{
	end(stmt->store, stmt->compiled);
}

/* ---- parameters */

static void bind_bytes(struct pg_compiled *compiled, size_t at, unsigned type, const void *bytes,
		       size_t n)
{
	compiled->types[at] = type;
	compiled->values[at] = bytes;
	compiled->lengths[at] = (int)n;
}

static void bind_text(struct pq_stmt *stmt, size_t at, struct pmuq_str text)
{
	struct pg_compiled *compiled = stmt->compiled;

	if (text.n > PQ_STORE_VALUE_MAX_BYTES) {
		pq_store_fail_too_long(stmt->store);
		return;
	}
	if (text.p && !pq_pg_text_is_plain(text)) {
		compiled->encoded[at] = pq_pg_text_encode(text);
		text = str_of(compiled->encoded[at]);
		if (!text.p)
			pq_store_fail_memory(stmt->store);
	}
	bind_bytes(compiled, at, TYPE_TEXT, text.p, text.n);
}

void pq_pg_bind(struct pq_stmt *stmt, size_t at, const struct pq_param *param)
{
	struct pg_compiled *compiled = stmt->compiled;

	assert(at < PARAMS_MAX && param->type != PQ_COLUMN_IDS);
	compiled->n = (int)at + 1;
	free(move(compiled->encoded[at]));
	if (param->type == PQ_COLUMN_TEXT) {
		bind_text(stmt, at, param->text);
	} else if (param->type == PQ_COLUMN_HASH) {
		bind_bytes(compiled, at, TYPE_BYTEA, param->hash->bytes,
			   sizeof(param->hash->bytes));
	} else if (param->type == PQ_COLUMN_OPTIONAL) {
		bind_bytes(compiled, at, TYPE_INT8, NULL, 0);
	} else {
		compiled->numbers[at] = htobe64((uint64_t)param->number);
		bind_bytes(compiled, at, TYPE_INT8, &compiled->numbers[at],
			   sizeof(compiled->numbers[at]));
	}
}

/* ---- rows */

static void prepare(struct pmuq_store *store, struct pg_compiled *compiled)
{
	const struct pq_pg_server *pg = store->pg;

	if (compiled->generation == pg->generation)
		return;
	compiled->generation = pg->generation;
	pq_pg_limit_queue(store);
	pq_pg_queued(store, pg->lib.sendPrepare(pg->connection, compiled->name, compiled->text,
						compiled->n, compiled->types));
}

static void queue(struct pmuq_store *store, struct pg_compiled *compiled)
{
	const struct pq_pg_server *pg = store->pg;

	prepare(store, compiled);
	if (store->r < 0)
		return;
	pq_pg_limit_queue(store);
	pq_pg_queued(store,
		     pg->lib.sendQueryPrepared(pg->connection, compiled->name, compiled->n,
					       compiled->values, compiled->lengths, formats, 1));
	if (store->r == 0 && compiled->has_rows)
		pq_pg_await(store->pg, &compiled->rows);
}

void pq_pg_queue_query(struct pq_stmt *stmt)
{
	struct pg_compiled *compiled = stmt->compiled;

	if (!compiled->is_long)
		queue(stmt->store, compiled);
}

static void run(struct pmuq_store *store, struct pg_compiled *compiled)
{
	if (compiled->is_long) {
		pq_pg_copy_begin(store, compiled->text, &compiled->copy);
	} else {
		if (!compiled->rows.is_pending && !compiled->rows.result)
			queue(store, compiled);
		pq_pg_receive(store, &compiled->rows);
	}
	compiled->row = -1;
	compiled->is_running = store->r == 0 && (compiled->copy.is_open || compiled->rows.result);
}

static bool next_row(struct pq_stmt *stmt, struct pg_compiled *compiled)
{
	if (compiled->is_long)
		return pq_pg_copy_next(stmt->store, &compiled->copy, stmt->n_columns);
	return ++compiled->row < stmt->store->pg->lib.ntuples(compiled->rows.result);
}

bool pq_pg_step(struct pq_stmt *stmt)
{
	struct pg_compiled *compiled = stmt->compiled;

	if (!compiled->is_running)
		run(stmt->store, compiled);
	if (compiled->is_running && next_row(stmt, compiled))
		return true;
	end(stmt->store, compiled);
	return false;
}

int64_t pq_pg_insert(struct pq_stmt *stmt)
{
	int64_t id = pq_pg_step(stmt) ? pq_pg_column(stmt, 0).number : 0;

	end(stmt->store, stmt->compiled);
	return id;
}

/* Of the types that are shorter than 8 bytes, pmuq has no negative numbers. */
static int64_t number_in(const char *bytes, int n)
{
	uint64_t number = 0;

	for (int i = 0; i < n; i++)
		number = number << 8 | (unsigned char)bytes[i];
	return (int64_t)number;
}

static struct pq_value bytes_in(const char *bytes, int n)
{
	return (struct pq_value){ .type = PQ_VALUE_BYTES, .bytes = { .p = bytes, .n = (size_t)n } };
}

/* The bytes are libpq's copy of the row, and each column is read once: decoding in place is safe.
 */
static struct pq_value text_in(char *bytes, int length)
{
	size_t n = (size_t)length;

	if (!pq_pg_text_decode(bytes, &n))
		return (struct pq_value){ .type = PQ_VALUE_OTHER };
	return (struct pq_value){ .type = PQ_VALUE_BYTES, .bytes = { .p = bytes, .n = n } };
}

/* COPY does not send types: the schema, which was checked, has them. */
static struct pq_value copied(const struct pq_pg_field *field, enum pq_column_type type)
{
	if (field->n < 0)
		return (struct pq_value){ .type = PQ_VALUE_NULL };
	if (type == PQ_COLUMN_TEXT)
		return text_in(field->bytes, field->n);
	if (type == PQ_COLUMN_HASH)
		return bytes_in(field->bytes, field->n);
	return (struct pq_value){ .type = PQ_VALUE_NUMBER,
				  .number = number_in(field->bytes, field->n) };
}

static struct pq_value selected(const struct pmuq_store *store, const struct pg_compiled *compiled,
				int at)
{
	const struct pq_libpq *lib = &store->pg->lib;
	char *bytes;
	int n;

	if (lib->getisnull(compiled->rows.result, compiled->row, at))
		return (struct pq_value){ .type = PQ_VALUE_NULL };
	bytes = lib->getvalue(compiled->rows.result, compiled->row, at);
	n = lib->getlength(compiled->rows.result, compiled->row, at);
	switch (lib->ftype(compiled->rows.result, at)) {
	case TYPE_BOOL:
	case TYPE_INT2:
	case TYPE_INT4:
	case TYPE_INT8:
		return (struct pq_value){ .type = PQ_VALUE_NUMBER, .number = number_in(bytes, n) };
	case TYPE_TEXT:
		return text_in(bytes, n);
	case TYPE_BYTEA:
		return bytes_in(bytes, n);
	default:
		return (struct pq_value){ .type = PQ_VALUE_OTHER };
	}
}

struct pq_value pq_pg_column(struct pq_stmt *stmt, size_t index)
{
	const struct pg_compiled *compiled = stmt->compiled;

	if (compiled->is_long)
		return copied(&compiled->copy.fields[index], stmt->columns[index].type);
	return selected(stmt->store, compiled, (int)index);
}
