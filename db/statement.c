/* SPDX-License-Identifier: MIT */
#include "db/statement.h"

static const char *const sql_texts[PQ_SQL_COUNT] = {
#define X(name, text) [PQ_SQL_##name] = text,
	PQ_STATEMENTS(X)
#undef X
};

int pq_stmt_begin(struct pq_stmt *stmt, struct pmuq_store *store, enum pq_sql which,
		  struct pmuq_error **reterr)
{
	int rc = SQLITE_OK;

	if (!store->statements[which])
		rc = store->lib.prepare_v3(store->db, sql_texts[which], -1,
					   SQLITE_PREPARE_PERSISTENT, &store->statements[which],
					   NULL);
	if (rc != SQLITE_OK)
		return pq_store_fail(store, rc, reterr);
	*stmt = (struct pq_stmt){ .store = store, .stmt = store->statements[which] };
	return 0;
}

void pq_stmt_end(struct pq_stmt *stmt)
{
	/* What it returns is the failure of the last step again. */
	if (stmt->stmt)
		stmt->store->lib.reset(stmt->stmt);
	stmt->stmt = NULL;
}

static void keep_first(struct pq_stmt *stmt, int rc)
{
	if (stmt->rc == SQLITE_OK)
		stmt->rc = rc;
}

void pq_bind_int(struct pq_stmt *stmt, int64_t value)
{
	keep_first(stmt, stmt->store->lib.bind_int64(stmt->stmt, ++stmt->n_bound, value));
}

void pq_bind_null(struct pq_stmt *stmt)
{
	keep_first(stmt, stmt->store->lib.bind_null(stmt->stmt, ++stmt->n_bound));
}

/* How many bytes the character takes that s begins with, 0 when it is none (or NUL). */
static size_t character_bytes(struct pmuq_str s)
{
	static const uint32_t least[] = { 0, 1, 0x80, 0x800, 0x10000 };
	unsigned char first = (unsigned char)s.p[0];
	size_t n = first < 0x80	      ? 1
		   : first >> 5 == 6  ? 2
		   : first >> 4 == 14 ? 3
		   : first >> 3 == 30 ? 4
				      : 0;
	uint32_t value = n == 1 ? first : first & (0x7fu >> n);

	if (!n || n > s.n)
		return 0;
	for (size_t i = 1; i < n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c >> 6 != 2)
			return 0;
		value = value << 6 | (c & 0x3f);
	}
	if (value < least[n] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 0;
	return n;
}

static bool is_text(struct pmuq_str s)
{
	while (s.n) {
		size_t n = character_bytes(s);

		if (!n)
			return false;
		s = str_part(s, n, s.n);
	}
	return true;
}

void pq_bind_str(struct pq_stmt *stmt, struct pmuq_str text)
{
	const struct pq_sqlite *lib = &stmt->store->lib;
	int at = ++stmt->n_bound;

	if (!text.p)
		keep_first(stmt, lib->bind_null(stmt->stmt, at));
	else if (is_text(text))
		keep_first(stmt, lib->bind_text64(stmt->stmt, at, text.p, text.n, SQLITE_STATIC,
						  SQLITE_UTF8));
	else
		keep_first(stmt, lib->bind_blob64(stmt->stmt, at, text.p, text.n, SQLITE_STATIC));
}

void pq_bind_hash(struct pq_stmt *stmt, const struct pq_hash *hash)
{
	keep_first(stmt, stmt->store->lib.bind_blob64(stmt->stmt, ++stmt->n_bound, hash->bytes,
						      sizeof(hash->bytes), SQLITE_STATIC));
}

int pq_stmt_step(struct pq_stmt *stmt, struct pmuq_error **reterr)
{
	const struct pq_sqlite *lib = &stmt->store->lib;
	int rc = stmt->rc;

	if (rc == SQLITE_OK)
		rc = lib->step(stmt->stmt);
	if (rc == SQLITE_ROW)
		return 0;
	if (rc != SQLITE_DONE) {
		int r = pq_store_fail(stmt->store, rc, reterr);

		lib->reset(stmt->stmt);
		return r;
	}
	lib->reset(stmt->stmt);
	stmt->n_bound = 0;
	return PQ_NONE;
}

int pq_stmt_check(struct pq_stmt *stmt, struct pmuq_error **reterr)
{
	return stmt->rc == SQLITE_OK ? 0 : pq_store_fail(stmt->store, stmt->rc, reterr);
}

int pq_stmt_find_id(struct pmuq_store *store, enum pq_sql which, struct pmuq_str name, int64_t *ret,
		    struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, which, reterr);

	if (r < 0)
		return r;
	pq_bind_str(&stmt, name);
	r = pq_stmt_step(&stmt, reterr);
	if (r != 0)
		return r;
	*ret = pq_column_int(&stmt, 0);
	return pq_stmt_check(&stmt, reterr);
}

int pq_stmt_run(struct pq_stmt *stmt, struct pmuq_error **reterr)
{
	int r = pq_stmt_step(stmt, reterr);

	return r < 0 ? r : 0;
}

bool pq_column_is_null(const struct pq_stmt *stmt, int column)
{
	return stmt->store->lib.column_type(stmt->stmt, column) == SQLITE_NULL;
}

int64_t pq_column_int(struct pq_stmt *stmt, int column)
{
	if (stmt->store->lib.column_type(stmt->stmt, column) != SQLITE_INTEGER)
		keep_first(stmt, SQLITE_MISMATCH);
	return stmt->store->lib.column_int64(stmt->stmt, column);
}

bool pq_column_bool(struct pq_stmt *stmt, int column)
{
	return pq_column_int(stmt, column) != 0;
}

struct pmuq_str pq_column_str(struct pq_stmt *stmt, int column, struct pq_arena *arena)
{
	const struct pq_sqlite *lib = &stmt->store->lib;
	int type = lib->column_type(stmt->stmt, column);
	struct pmuq_str text = { 0 };

	if (type == SQLITE_NULL)
		return text;
	if (type != SQLITE_TEXT && type != SQLITE_BLOB) {
		keep_first(stmt, SQLITE_MISMATCH);
		return text;
	}
	text.p = lib->column_blob(stmt->stmt, column);
	text.n = (size_t)lib->column_bytes(stmt->stmt, column);
	if (text.p || !text.n)
		text = pq_arena_str(arena, text);
	if (text.p)
		return text;
	keep_first(stmt, SQLITE_NOMEM);
	return (struct pmuq_str){ 0 };
}

struct pmuq_str pq_column_text(struct pq_stmt *stmt, int column, struct pq_arena *arena)
{
	if (pq_column_is_null(stmt, column))
		keep_first(stmt, SQLITE_MISMATCH);
	return pq_column_str(stmt, column, arena);
}

struct pq_hash pq_column_hash(struct pq_stmt *stmt, int column)
{
	const struct pq_sqlite *lib = &stmt->store->lib;
	const void *bytes = lib->column_blob(stmt->stmt, column);
	struct pq_hash hash = { 0 };

	if (!bytes || lib->column_bytes(stmt->stmt, column) != sizeof(hash.bytes))
		keep_first(stmt, SQLITE_MISMATCH);
	else
		memcpy(hash.bytes, bytes, sizeof(hash.bytes));
	return hash;
}

int pq_store_run(struct pmuq_store *store, enum pq_sql which, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, which, reterr);

	return r < 0 ? r : pq_stmt_run(&stmt, reterr);
}
