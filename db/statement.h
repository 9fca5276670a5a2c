/* SPDX-License-Identifier: MIT */
/*
 * Statements. A query and the columns of its rows are one thing: struct pq_sql contains both, and
 * each column names the field of a row struct that it is read into. The SELECT list is made from
 * the columns, so a column cannot be read into the wrong field. The text of a statement is a string
 * literal where the statement is used.
 *
 * A statement is compiled when it is first used and stays compiled until the store is disconnected.
 * Errors stick in the store (db/db.h).
 *
 *     cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
 */
#pragma once

#include "core/arena.h"
#include "db/db.h"
#include "db/hash.h"

/* ---- columns */

enum pq_column_type {
	PQ_COLUMN_TEXT,
	PQ_COLUMN_BOOL,
	PQ_COLUMN_INT,	 /* also an enum, whose numbers are small */
	PQ_COLUMN_INT64, /* also a uint64_t, stored as a signed integer */
	PQ_COLUMN_OPTIONAL,
	PQ_COLUMN_HASH,
	PQ_COLUMN_REF,
	PQ_COLUMN_IDS, /* of parameters only */
};

/* A number that can be NULL. */
struct pq_optional {
	int64_t value;
	bool is_set;
};

struct pq_content;
struct pq_ids;
struct pq_set;
struct pq_table;

/* The content that a row refers to by its id (db/content/content.h). */
struct pq_ref {
	int64_t id;
	struct pq_content *content; /* NULL: only the id is known */
};

struct pq_column {
	const char *sql; /* a name or an expression */
	size_t offset;	 /* of the field in the row struct */
	enum pq_column_type type;
	bool is_nullable;	  /* a text: .p is NULL then */
	const struct pq_set *set; /* of a PQ_COLUMN_REF */
};

#define PQ_COLUMN_TYPE(field)                                                                      \
	_Generic((field), struct pmuq_str                                                          \
		 : PQ_COLUMN_TEXT, bool                                                            \
		 : PQ_COLUMN_BOOL, int                                                             \
		 : PQ_COLUMN_INT, unsigned                                                         \
		 : PQ_COLUMN_INT, int64_t                                                          \
		 : PQ_COLUMN_INT64, uint64_t                                                       \
		 : PQ_COLUMN_INT64, struct pq_optional                                             \
		 : PQ_COLUMN_OPTIONAL, struct pq_hash                                              \
		 : PQ_COLUMN_HASH, struct pq_ref                                                   \
		 : PQ_COLUMN_REF)
#define PQ_COLUMN_AS(row, field, text)                                                             \
	.sql = (text), .type = PQ_COLUMN_TYPE(((row *)0)->field), .offset = offsetof(row, field)
/* Named like the field. */
#define PQ_COLUMN(row, field) PQ_COLUMN_AS(row, field, #field)

/* ---- statements */

/* The addresses of the text, which is a literal, and of the table identify the compiled statement,
 * with has_owner: statements that are equal in them have the same columns. */
struct pq_sql {
	const char *text;		 /* of a query: without SELECT and the columns */
	const struct pq_column *columns; /* NULL: the statement returns no rows */
	size_t n_columns;
	bool is_insert; /* for pq_stmt_insert() */
	/* A query of very many rows, without parameters: an engine need not keep them in memory. No
	 * other statement may run until all are read, or the statement is ended. */
	bool is_long;
	/* NULL, or the text contains {words}: {table} and {owner} are the table's names, {columns}
	 * its columns and {marks} their parameters, with commas. */
	const struct pq_table *table;
	/* Each row begins with the id of its owner: that of the struct pq_stmt. */
	bool has_owner;
};

#define PQ_COLUMNS(array) .columns = (array), .n_columns = COUNT(array)

/* A query whose rows are read by an array of columns; for one number (an int64_t) or one text the
 * array is that of this name, and the text a whole SELECT. */
#define PQ_QUERY(array, literal) (&(const struct pq_sql){ .text = "" literal, PQ_COLUMNS(array) })
extern const struct pq_column pq_one_number[1], pq_one_text[1];

/* Parameters, in the order of the text. */
struct pq_param {
	/* Of a text, a number or a hash; PQ_COLUMN_OPTIONAL: no number. */
	enum pq_column_type type;
	union {
		struct pmuq_str text;
		int64_t number;
		const struct pq_hash *hash;
		struct pq_ids *ids; /* for pmuq_has() of SQLite */
	};
};

static inline struct pq_param pq_param_text(struct pmuq_str text)
{
	return (struct pq_param){ .type = PQ_COLUMN_TEXT, .text = text };
}

static inline struct pq_param pq_param_number(int64_t number)
{
	return (struct pq_param){ .type = PQ_COLUMN_INT64, .number = number };
}

static inline struct pq_param pq_param_hash(const struct pq_hash *hash)
{
	return (struct pq_param){ .type = PQ_COLUMN_HASH, .hash = hash };
}

/* They must live until the statement has run. NULL has every id. */
static inline struct pq_param pq_param_ids(struct pq_ids *ids)
{
	return (struct pq_param){ .type = PQ_COLUMN_IDS, .ids = ids };
}

/* At most four texts, numbers and addresses of hashes. */
#define PQ_PARAMS(...)                                                                             \
	((const struct pq_param[]){ PQ_PARAMS_OF(__VA_ARGS__) }),                                  \
		sizeof((const struct pq_param[]){ PQ_PARAMS_OF(__VA_ARGS__) }) /                   \
			sizeof(struct pq_param)
#define PQ_NO_PARAMS NULL, 0

// clang-format off
#define PQ_PARAM(of) _Generic((of), struct pmuq_str: pq_param_text, struct pq_hash *: pq_param_hash, \
	const struct pq_hash *: pq_param_hash, struct pq_ids *: pq_param_ids, \
	default: pq_param_number)(of)
#define PQ_PARAMS_1(of) PQ_PARAM(of)
#define PQ_PARAMS_2(of, ...) PQ_PARAM(of), PQ_PARAMS_1(__VA_ARGS__)
#define PQ_PARAMS_3(of, ...) PQ_PARAM(of), PQ_PARAMS_2(__VA_ARGS__)
#define PQ_PARAMS_4(of, ...) PQ_PARAM(of), PQ_PARAMS_3(__VA_ARGS__)
#define PQ_PARAMS_COUNTED(a, b, c, d, macro, ...) macro
#define PQ_PARAMS_OF(...) \
	PQ_PARAMS_COUNTED(__VA_ARGS__, PQ_PARAMS_4, PQ_PARAMS_3, PQ_PARAMS_2, PQ_PARAMS_1, )(__VA_ARGS__)
// clang-format on

/* An array of row structs. Loaded ones are in the arena that the caller passed. */
struct pq_rows {
	const void *v;
	void *own; /* the same if it was loaded; else NULL */
	size_t n;
};

/* One that grows. */
struct pq_row_array {
	size_t row_bytes;
	char *v;
	size_t n, capacity;
};

struct pq_stmt {
	struct pmuq_store *store;
	void *compiled; /* NULL after an error */
	const struct pq_column *columns;
	size_t n_columns, n_bound;
	bool has_owner;
	int64_t owner; /* of the last row */
};

/* A statement must be ended before it is begun again: both are the same compiled one. */
void pq_stmt_begin(struct pq_stmt *stmt, struct pmuq_store *store, const struct pq_sql *sql,
		   const struct pq_param *params, size_t n);
/* Releases the read lock; the statement stays compiled. Fine after an error, and twice. */
void pq_stmt_end(struct pq_stmt *stmt);

/* Binds the next parameter. Texts and hashes are not copied: they must live until the statement has
 * run. A text with .p NULL is NULL. */
void pq_stmt_bind(struct pq_stmt *stmt, struct pq_param param);
void pq_stmt_bind_row(struct pq_stmt *stmt, const struct pq_table *table, const void *row);
/* Queues a query, whose parameters are bound: a server gets it together with those that are queued
 * before it, in one round trip, and works on it while their rows are read. */
void pq_stmt_queue(struct pq_stmt *stmt);
/* Reads the next row; false after the last, and after an error. Texts are copied into the arena;
 * without an arena they live until the next step. A column of another type makes the database
 * corrupt. */
bool pq_stmt_next(struct pq_stmt *stmt, void *ret_row, struct pq_arena *arena);
/* Appends the next row to an array in the arena. Without memory for it the array is empty. */
bool pq_stmt_push(struct pq_stmt *stmt, struct pq_row_array *rows, struct pq_arena *arena);
/* A list of more rows than `max` is an error of the database. */
void pq_stmt_check_count(struct pq_stmt *stmt, size_t n, size_t max);
/* Reads the remaining rows as one list. */
struct pq_rows pq_stmt_rows(struct pq_stmt *stmt, size_t row_bytes, struct pq_arena *arena);
/* Runs a statement that returns no rows; then its parameters may be bound again. */
void pq_stmt_run(struct pq_stmt *stmt);
/* Runs an INSERT of one row (.is_insert) and returns its id; 0 after an error. */
int64_t pq_stmt_insert(struct pq_stmt *stmt);

/* ---- in one call */

/* A text that is passed alone must be a literal, too. */
void pq_sql_run(struct pmuq_store *store, const char *text, const struct pq_param *params,
		size_t n);
/* The first row; false if there is none, and after an error. Texts need an arena. */
bool pq_sql_row(struct pmuq_store *store, const struct pq_sql *sql, const struct pq_param *params,
		size_t n, void *ret_row, struct pq_arena *arena);
/* The same for a SELECT of one number. */
bool pq_sql_number(struct pmuq_store *store, const char *text, const struct pq_param *params,
		   size_t n, int64_t *ret);
struct pq_rows pq_sql_rows(struct pmuq_store *store, const struct pq_sql *sql,
			   const struct pq_param *params, size_t n, size_t row_bytes,
			   struct pq_arena *arena);

/* The number in a field of any numeric type; of an optional one that is set, its value. */
int64_t pq_field_number(enum pq_column_type type, const void *field);
