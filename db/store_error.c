/* SPDX-License-Identifier: MIT */
/*
 * The error that sticks in a store (db.h). The result codes of an engine become errors of pmuq in
 * sqlite/sqlite_error.c and postgres/pg_error.c.
 */
#include "core/text/time.h"
#include "db/engine.h"

void pq_store_begin_call(struct pmuq_store *store, const char *doing, struct pmuq_error **reterr)
{
	store->r = 0;
	store->reterr = reterr;
	store->doing = doing;
}

int pq_store_end_call(struct pmuq_store *store)
{
	store->reterr = NULL;
	return store->r;
}

static void fail_args(struct pmuq_store *store, enum pmuq_code code, const char *format,
		      va_list args)
{
	store->r = pq_fail_args(store->reterr, code, format, args);
	pq_error_origin(store->reterr, str_of(store->name));
}

void pq_store_refuse(struct pmuq_store *store, enum pmuq_code code, int errnum, const char *hint,
		     const char *format, ...)
{
	va_list args;

	if (store->r < 0)
		return;
	va_start(args, format);
	fail_args(store, code, format, args);
	va_end(args);
	pq_error_errno(store->reterr, errnum);
	if (hint)
		pq_error_hint(store->reterr, "%s", hint);
}

void pq_store_fail_with(struct pmuq_store *store, struct pq_buf *hint, enum pmuq_code code,
			const char *format, ...)
{
	va_list args;

	if (store->r == 0) {
		va_start(args, format);
		fail_args(store, code, format, args);
		va_end(args);
		pq_error_hint_buf(store->reterr, hint);
	}
	pq_buf_free(hint);
}

void pq_store_check_time(struct pmuq_store *store, int64_t time_s)
{
	if (!pq_time_is_valid(time_s))
		pq_store_fail_content(store, "a time in it is not between 1970 and 9999");
}

void pq_store_fail_memory(struct pmuq_store *store)
{
	if (store->r == 0)
		store->r = pq_fail_memory(store->reterr);
}

void pq_store_fail_content(struct pmuq_store *store, const char *what)
{
	pq_store_refuse(store, PMUQ_E_STORE_CORRUPT, 0, store->engine->restore, "%s: %s",
			store->doing, what);
}

void pq_store_fail_too_long(struct pmuq_store *store)
{
	pq_store_refuse(store, PMUQ_E_STORE_WRITE, 0, "the data that was there is unchanged",
			"%s: a text is too long, or a list", store->doing);
}

void pq_store_fail_busy(struct pmuq_store *store, const char *why)
{
	pq_store_refuse(store, PMUQ_E_STORE_BUSY, 0, "another process is using it; try again",
			"%s: %s", store->doing, why);
}
