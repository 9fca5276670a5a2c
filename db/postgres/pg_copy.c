/* SPDX-License-Identifier: MIT */
/*
 * Long tables: COPY TO sends rows while the server still reads them, and libpq keeps one of them. A
 * message of it has whole rows in PostgreSQL's binary format (manual: COPY, File Formats).
 */
#include "db/postgres/pg_server.h"
#include <assert.h>

/* Before the first row: a signature of 11 bytes, flags, and the length of an extension. */
#define HEADER_BYTES 19u
#define SIGNATURE "PGCOPY\n\377\r\n"
#define NO_MORE_ROWS (-1) /* in place of the number of fields of a row */

static void fail_bytes(struct pmuq_store *store)
{
	pq_store_fail_content(store, "the server sends rows of another format");
}

static size_t left(const struct pq_pg_copy *copy)
{
	return (size_t)(copy->end - copy->at);
}

/* A big-endian number of `n` bytes, at most 4. */
static int32_t take_number(struct pmuq_store *store, struct pq_pg_copy *copy, size_t n)
{
	uint32_t number = 0;

	if (left(copy) < n) {
		fail_bytes(store);
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		number = number << 8 | (unsigned char)*copy->at++;
	return n == 2 ? (int16_t)number : (int32_t)number;
}

void pq_pg_copy_begin(struct pmuq_store *store, const char *sql, struct pq_pg_copy *ret)
{
	*ret = (struct pq_pg_copy){ 0 };
	ret->is_open = pq_pg_copy_out(store, sql);
}

static void skip_header(struct pmuq_store *store, struct pq_pg_copy *copy)
{
	if (left(copy) < HEADER_BYTES || memcmp(copy->at, SIGNATURE, sizeof(SIGNATURE)) != 0)
		fail_bytes(store);
	else
		copy->at += HEADER_BYTES;
	copy->has_header = true;
}

/* False after the last message, and after an error. */
static bool receive(struct pmuq_store *store, struct pq_pg_copy *copy)
{
	size_t n;

	store->pg->lib.freemem(move(copy->message));
	copy->at = copy->message = pq_pg_copy_row(store, &n);
	copy->is_open = copy->at != NULL;
	copy->end = copy->is_open ? copy->at + n : NULL;
	if (copy->is_open && !copy->has_header)
		skip_header(store, copy);
	return copy->is_open && store->r == 0;
}

static void read_fields(struct pmuq_store *store, struct pq_pg_copy *copy, size_t n)
{
	for (size_t i = 0; store->r == 0 && i < n; i++) {
		int32_t bytes = take_number(store, copy, sizeof(bytes));

		copy->fields[i] = (struct pq_pg_field){ .bytes = copy->at, .n = bytes };
		if (bytes > 0 && left(copy) < (size_t)bytes)
			fail_bytes(store);
		else if (bytes > 0)
			copy->at += bytes;
	}
}

bool pq_pg_copy_next(struct pmuq_store *store, struct pq_pg_copy *copy, size_t n_columns)
{
	int32_t n;

	assert(n_columns <= COUNT(copy->fields));
	while (store->r == 0 && copy->is_open) {
		if (copy->at == copy->end && !receive(store, copy))
			break;
		n = take_number(store, copy, sizeof(int16_t));
		if (n == NO_MORE_ROWS)
			continue;
		if (n != (int32_t)n_columns)
			fail_bytes(store);
		read_fields(store, copy, n_columns);
		return store->r == 0;
	}
	return false;
}

/* Nobody wants the rows that are left. */
void pq_pg_copy_end(struct pmuq_store *store, struct pq_pg_copy *copy)
{
	while (copy->is_open)
		receive(store, copy);
	store->pg->lib.freemem(move(copy->message));
}
