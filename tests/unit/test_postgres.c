/* SPDX-License-Identifier: MIT */
/*
 * The engine PostgreSQL without a server: names of databases, stored texts, translated statements,
 * and the declarations of libpq's functions. tests/postgres/ has the tests with a server.
 */
#include "core/buf.h"
#include "db/postgres/pg_server.h"
#include "tests/unit/cmocka_all.h"

#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>

#define pq_pg_option _PQconninfoOption
#define SAME(type, name, args)                                                                     \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&PQ##name), type(*) args), #name);
PQ_LIBPQ_FUNCTIONS(SAME)
#undef pq_pg_option
_Static_assert(PQ_PG_CONNECTION_OK == (int)CONNECTION_OK, "");
_Static_assert(PQ_PG_IDLE == (int)PQTRANS_IDLE, "");
_Static_assert(PQ_PG_COMMAND_OK == (int)PGRES_COMMAND_OK, "");
_Static_assert(PQ_PG_TUPLES_OK == (int)PGRES_TUPLES_OK, "");
_Static_assert(PQ_PG_PIPELINE_SYNC == (int)PGRES_PIPELINE_SYNC, "");
_Static_assert(PQ_PG_PIPELINE_ABORTED == (int)PGRES_PIPELINE_ABORTED, "");
_Static_assert(PQ_PG_DIAG_SQLSTATE == PG_DIAG_SQLSTATE, "");
_Static_assert(PQ_PG_DIAG_MESSAGE == PG_DIAG_MESSAGE_PRIMARY, "");
_Static_assert(sizeof(struct pq_pg_option) == sizeof(PQconninfoOption), "");
_Static_assert(offsetof(struct pq_pg_option, val) == offsetof(PQconninfoOption, val), "");
#endif

/* ---- names */

struct name_case {
	const char *info;
	const char *shown; /* NULL: the path of a file */
};

static const struct name_case name_cases[] = {
	{ "postgresql://", "postgresql:///" },
	{ "postgres://me@db.example.org:5433/hosts?sslmode=require",
	  "postgresql://me@db.example.org:5433/hosts" },
	{ "postgresql://me:secret@db/hosts", "postgresql://me@db/hosts" },
	{ "postgresql://me:s%40e%2Fcret@db/hosts", "postgresql://me@db/hosts" },
	{ "postgresql:///hosts?host=/run/pg&password=secret", "postgresql:///hosts?host=/run/pg" },
	{ "postgresql:///?host=/run/pg&service=main", "postgresql:///?host=/run/pg&service=main" },
	{ "host=db user=me password='se cret' dbname=hosts", "postgresql://me@db/hosts" },
	{ "password=secret host=db", "postgresql://db/" },
	{ "host = db user = me password = secret dbname = hosts", "postgresql://me@db/hosts" },
	{ "  password\t= secret", "postgresql:///" },
	{ "\nservice =pmuq", "postgresql:///?service=pmuq" },
	{ "password = secret secret", "" },
	{ "service=pmuq", "postgresql:///?service=pmuq" },
	/* What libpq cannot parse, or would take for a host, is not repeated. */
	{ "postgresql://me:se@cret@db/hosts", "" },
	{ "postgresql://me:se/cret@db/hosts", "" },
	{ "postgresql://me:se%zzcret@db/hosts", "" },
	{ "password=secret secret", "" },
	{ "postgresql", NULL },
	{ "/srv/postgresql://x", NULL },
	{ "./host=x", NULL },
	{ "hosts.db", NULL },
	{ "database=x", NULL },
	{ "hosts =x", NULL },
	{ "host", NULL },
	{ "host ", NULL },
	{ "", NULL },
};

static void test_name(void **state)
{
	const struct name_case *row = *state;
	struct pmuq_error *error = NULL;
	struct pq_libpq lib;
	char *shown = NULL;

	assert_int_equal(pq_pg_is_named(row->info), row->shown != NULL);
	if (!row->shown || pq_libpq_load(&lib, NULL) < 0)
		return;
	if (pq_pg_name(&lib, row->info, &shown, &error) == 0) {
		assert_string_equal(shown, row->shown);
	} else {
		assert_string_equal("", row->shown);
		assert_int_equal(error->code, PMUQ_E_STORE_OPEN);
		assert_null(strstr(error->message.p, "cret"));
		assert_non_null(error->hint.p);
	}
	pmuq_error_free(error);
	free(shown);
}

/* ---- texts */

struct text_case {
	const char *name;
	struct pmuq_str text;
	const char *stored; /* NULL: the same */
};

#define MARK "\xf4\x8f\xbf\xbf"

static const struct text_case text_cases[] = {
	{ "nothing", { "", 0 }, NULL },
	{ "letters", { "cpu", 3 }, NULL },
	{ "UTF-8", { "\xc3\xa9", 2 }, NULL },
	{ "the last other character", { "\xf4\x8f\xbf\xbe", 4 }, NULL },
	{ "a NUL", { "a\0b", 3 }, MARK "610062" },
	{ "a byte that is not UTF-8", { "\xff", 1 }, MARK "ff" },
	{ "half of a character", { "a\xc3", 2 }, MARK "61c3" },
	{ "the mark itself", { MARK, 4 }, MARK "f48fbfbf" },
	{ "the mark in a text", { "a" MARK, 5 }, NULL },
	{ "a text that looks stored", { MARK "ff", 6 }, MARK "f48fbfbf6666" },
};

static void test_text(void **state)
{
	const struct text_case *row = *state;
	char *stored;
	size_t n;

	assert_int_equal(pq_pg_text_is_plain(row->text), row->stored == NULL);
	stored = row->stored ? pq_pg_text_encode(row->text) : strndup(row->text.p, row->text.n);
	assert_non_null(stored);
	if (row->stored)
		assert_string_equal(stored, row->stored);
	n = strlen(stored);
	assert_true(pq_pg_text_decode(stored, &n));
	assert_int_equal(n, row->text.n);
	assert_memory_equal(stored, row->text.p, n);
	free(stored);
}

static void what_no_pmuq_stored_is_refused(void **state)
{
	static const char *const wrong[] = { MARK "f", MARK "0g", MARK "FF", MARK "f f" };

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		char *stored = strdup(wrong[i]);
		size_t n = strlen(stored);

		assert_false(pq_pg_text_decode(stored, &n));
		free(stored);
	}
}

/* ---- statements */

struct sql_case {
	const char *sqlite, *postgres;
};

static const struct sql_case sql_cases[] = {
	{ "SELECT 1", "SELECT 1" },
	{ "VALUES (?, ?, ?)", "VALUES ($1, $2, $3)" },
	{ "WHERE a = ?2 OR ?1 = 0", "WHERE a = $2 OR $1 = 0" },
	{ "FROM a CROSS JOIN b ON b.id = a.id", "FROM a JOIN b ON b.id = a.id" },
	{ "LIMIT ?", "LIMIT $1" },
};

static void test_sql(void **state)
{
	const struct sql_case *row = *state;
	struct pq_buf text = PQ_BUF_NULL;

	pq_pg_translate(str_of(row->sqlite), &text);
	assert_true(str_eq(pq_buf_str(&text), str_of(row->postgres)));
	pq_buf_free(&text);
}

int main(void)
{
	struct CMUnitTest tests[COUNT(name_cases) + COUNT(text_cases) + COUNT(sql_cases) + 1] = {
		cmocka_unit_test(what_no_pmuq_stored_is_refused),
	};
	size_t n = 1;

	n += ADD_ROWS(tests + n, test_name, name_cases, info);
	n += ADD_ROWS(tests + n, test_text, text_cases, name);
	n += ADD_ROWS(tests + n, test_sql, sql_cases, sqlite);
	return _cmocka_run_group_tests("postgres", tests, n, NULL, NULL);
}
