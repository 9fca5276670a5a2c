/* SPDX-License-Identifier: MIT */
/*
 * SQLite as an engine of the store: its statements, transactions, and readers without locks.
 * connect.c opens the file.
 */
#include "core/text/utf8.h"
#include "db/engine.h"
#include "db/sqlite/guard.h"
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

/* Frequent writers can disturb every read without locks. Locks need a writable directory, so they
 * are the second choice. */
#define UNLOCKED_TRIES 10

/* ---- the store */

/* The path stays relative if the current directory has no name any more. */
static char *absolute_path(const char *path)
{
	auto_free char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
	char *absolute = NULL;

	if (!here)
		return strdup(path);
	return asprintf(&absolute, "%s/%s", here, path) < 0 ? NULL : absolute;
}

static int open_store(struct pmuq_store *store, const char *path, struct pmuq_error **reterr)
{
	store->sqlite = calloc(1, sizeof(*store->sqlite));
	if (!store->sqlite)
		return pq_fail_memory(reterr);
	store->name = strdup(path);
	store->sqlite->path = absolute_path(path);
	if (!store->name || !store->sqlite->path)
		return pq_fail_memory(reterr);
	return pq_sqlite_load(&store->sqlite->lib, reterr);
}

static void close_store(struct pmuq_store *store)
{
	if (!store->sqlite)
		return;
	free(store->sqlite->path);
	free(store->sqlite->file);
	free(store->sqlite);
}

/* A reader connects again if the file has changed since it was opened without locks. */
static bool must_connect(struct pmuq_store *store, unsigned attempt)
{
	const struct pq_sqlite_file *file = store->sqlite;

	store->sqlite->wants_locks = attempt >= UNLOCKED_TRIES;
	return !file->db ||
	       (file->is_immutable &&
		(pq_store_is_changed(store) || (!file->is_foreign && pq_store_has_log(store))));
}

static bool is_sound(struct pmuq_store *store)
{
	return !store->sqlite->is_immutable || !pq_store_is_changed(store);
}

/* ---- transactions */

static void roll_back(struct pmuq_store *store)
{
	const struct pq_sqlite_file *file = store->sqlite;

	/* SQLite may have rolled it back itself. */
	if (!file->lib.get_autocommit(file->db))
		file->lib.exec(file->db, "ROLLBACK", NULL, NULL, NULL);
}

/* The transaction before is still open if there was no memory to roll it back. */
static void begin(struct pmuq_store *store, enum pq_transaction type)
{
	const struct pq_sqlite_file *file = store->sqlite;

	pq_guard_refill(store);
	if (!file->lib.get_autocommit(file->db))
		pq_sqlite_exec(store, "ROLLBACK");
	pq_sqlite_exec(store, type == PQ_TRANSACTION_READ ? "BEGIN" : "BEGIN IMMEDIATE");
}

static void commit(struct pmuq_store *store)
{
	pq_sqlite_exec(store, "COMMIT");
}

static int64_t free_bytes(struct pmuq_store *store)
{
	return pq_sqlite_number(store, "SELECT freelist_count * page_size"
				       " FROM pragma_freelist_count, pragma_page_size");
}

/* ---- statements */

static void *compile(struct pmuq_store *store, const struct pq_sql *sql, struct pmuq_str text)
{
	const struct pq_sqlite_file *file = store->sqlite;
	sqlite3_stmt *stmt = NULL;
	int rc = file->lib.prepare_v3(file->db, text.p, (int)text.n, SQLITE_PREPARE_PERSISTENT,
				      &stmt, NULL);

	if (rc != SQLITE_OK)
		pq_sqlite_fail(store, rc);
	else
		assert((size_t)file->lib.column_count(stmt) == sql->n_columns + sql->has_owner);
	(void)sql; /* of use to the assertion alone */
	return stmt;
}

static void finalize(struct pmuq_store *store, void *compiled)
{
	store->sqlite->lib.finalize(compiled);
}

/* A reader may take so many steps for all statements of a transaction. */
static void start(struct pmuq_store *store)
{
	if (store->mode != PMUQ_STORE_READ)
		pq_guard_refill(store);
}

/* A text with a NUL, or not in UTF-8, is stored as a BLOB. */
static int bind_text(const struct pq_sqlite *lib, sqlite3_stmt *stmt, int at, struct pmuq_str text)
{
	if (!text.p)
		return lib->bind_null(stmt, at);
	if (!pq_utf8_is_valid(text) || memchr(text.p, '\0', text.n))
		return lib->bind_blob64(stmt, at, text.p, text.n, SQLITE_STATIC);
	return lib->bind_text64(stmt, at, text.p, text.n, SQLITE_STATIC, SQLITE_UTF8);
}

static void bind(struct pq_stmt *stmt, size_t index, const struct pq_param *param)
{
	const struct pq_sqlite *lib = &stmt->store->sqlite->lib;
	int at = (int)index + 1, rc;

	if (param->type == PQ_COLUMN_TEXT)
		rc = bind_text(lib, stmt->compiled, at, param->text);
	else if (param->type == PQ_COLUMN_HASH)
		rc = lib->bind_blob64(stmt->compiled, at, param->hash->bytes,
				      sizeof(param->hash->bytes), SQLITE_STATIC);
	else if (param->type == PQ_COLUMN_OPTIONAL)
		rc = lib->bind_null(stmt->compiled, at);
	else if (param->type == PQ_COLUMN_IDS)
		rc = lib->bind_pointer(stmt->compiled, at, param->ids, PQ_SQLITE_IDS, NULL);
	else
		rc = lib->bind_int64(stmt->compiled, at, param->number);
	if (rc != SQLITE_OK)
		pq_sqlite_fail(stmt->store, rc);
}

static bool step(struct pq_stmt *stmt)
{
	const struct pq_sqlite *lib = &stmt->store->sqlite->lib;
	int rc = lib->step(stmt->compiled);

	if (rc == SQLITE_ROW)
		return true;
	if (rc != SQLITE_DONE)
		pq_sqlite_fail(stmt->store, rc);
	lib->reset(stmt->compiled);
	return false;
}

/* RETURNING would make an import slower by a tenth. */
static int64_t insert(struct pq_stmt *stmt)
{
	const struct pq_sqlite_file *file = stmt->store->sqlite;

	step(stmt);
	return stmt->store->r < 0 ? 0 : file->lib.last_insert_rowid(file->db);
}

static struct pq_value bytes_at(struct pq_stmt *stmt, int at)
{
	const struct pq_sqlite *lib = &stmt->store->sqlite->lib;
	struct pmuq_str bytes = { .p = lib->column_blob(stmt->compiled, at) };

	bytes.n = (size_t)lib->column_bytes(stmt->compiled, at);
	if (!bytes.p && bytes.n)
		pq_store_fail_memory(stmt->store);
	return (struct pq_value){ .type = PQ_VALUE_BYTES, .bytes = bytes.p ? bytes : STR("") };
}

static struct pq_value column(struct pq_stmt *stmt, size_t index)
{
	const struct pq_sqlite *lib = &stmt->store->sqlite->lib;
	int at = (int)index;

	switch (lib->column_type(stmt->compiled, at)) {
	case SQLITE_NULL:
		return (struct pq_value){ .type = PQ_VALUE_NULL };
	case SQLITE_INTEGER:
		return (struct pq_value){ .type = PQ_VALUE_NUMBER,
					  .number = lib->column_int64(stmt->compiled, at) };
	case SQLITE_TEXT:
	case SQLITE_BLOB:
		return bytes_at(stmt, at);
	default:
		return (struct pq_value){ .type = PQ_VALUE_OTHER };
	}
}

/* A read lock ends here. sqlite3_reset() returns the failure of the last step again. */
static void reset(struct pq_stmt *stmt)
{
	stmt->store->sqlite->lib.reset(stmt->compiled);
}

const struct pq_engine pq_sqlite_engine = {
	.restore = PQ_SQLITE_RESTORE,
	.open = open_store,
	.close = close_store,
	.connect = pq_sqlite_connect,
	.disconnect = pq_sqlite_disconnect,
	.must_connect = must_connect,
	.is_sound = is_sound,
	.begin = begin,
	.commit = commit,
	.roll_back = roll_back,
	.exec = pq_sqlite_exec,
	.number = pq_sqlite_number,
	.free_bytes = free_bytes,
	.begin_search = pq_sqlite_begin_search,
	.compile = compile,
	.finalize = finalize,
	.start = start,
	.bind = bind,
	.step = step,
	.insert = insert,
	.column = column,
	.reset = reset,
};
