/* SPDX-License-Identifier: MIT */
/*
 * Commands on their way to the server: they are queued, and their results are read later
 * (pg_server.h). pg_statement.c has statements with parameters.
 */
#include "core/buf.h"
#include "db/postgres/pg_server.h"
#include <poll.h>

/* Results of more commands than this would fill the memory of libpq. */
#define QUEUED_MAX 1000

/* A command that was not executed because one before it failed is not an error of its own. */
static void check(struct pmuq_store *store, const struct pg_result *result)
{
	unsigned status = store->pg->lib.resultStatus(result);

	if (status != PQ_PG_COMMAND_OK && status != PQ_PG_TUPLES_OK && status != PQ_PG_COPY_OUT &&
	    status != PQ_PG_PIPELINE_ABORTED)
		pq_pg_fail(store, result);
}

/* After this nobody knows which result is whose: only a new connection helps. The server rolls
 * back. */
static void give_up(struct pmuq_store *store)
{
	if (store->pg->lib.status(store->pg->connection) != PQ_PG_CONNECTION_OK)
		pq_pg_fail(store, NULL);
	pq_store_fail_memory(store);
	pq_pg_disconnect(store);
}

/* How long to wait for bytes. Those that are decrypted already are not seen by poll(). */
static int timeout_ms(const struct pq_pg_server *pg)
{
	return pg->lib.sslInUse(pg->connection) || pg->lib.gssEncInUse(pg->connection) ? 1 : -1;
}

/* Waits until libpq has a result. It has none, and would wait until the server ends the connection,
 * if there was no memory for one: then there is only more text of errors than before. */
static bool wait_for_result(const struct pq_pg_server *pg)
{
	struct pollfd socket = { .fd = pg->lib.socket(pg->connection), .events = POLLIN };
	size_t n_before = strlen(pg->lib.errorMessage(pg->connection));

	/* Without a connection there is no socket; getResult() has the error. */
	while (socket.fd >= 0 && pg->lib.isBusy(pg->connection)) {
		if (strlen(pg->lib.errorMessage(pg->connection)) > n_before)
			return false;
		if (poll(&socket, 1, timeout_ms(pg)) >= 0 && !pg->lib.consumeInput(pg->connection))
			return true;
	}
	return true;
}

/* The next result of a command, or a mark of synchronization; NULL if the connection is lost.
 * libpq returns NULL once after the result of each command, and for ever without a connection, or
 * if there was no memory for a result. */
static struct pg_result *next_result(struct pmuq_store *store)
{
	const struct pq_pg_server *pg = store->pg;

	for (unsigned n = 0; n < 2 && wait_for_result(pg); n++) {
		struct pg_result *result = pg->lib.getResult(pg->connection);

		if (result)
			return result;
	}
	give_up(store);
	return NULL;
}

/* Of the next command; false if the connection is lost. */
static bool read_result(struct pmuq_store *store, struct pg_result **ret)
{
	struct pq_pg_server *pg = store->pg;
	struct pg_result *result;

	while ((result = next_result(store))) {
		if (pg->lib.resultStatus(result) != PQ_PG_PIPELINE_SYNC) {
			check(store, result);
			*ret = result;
			return true;
		}
		pg->lib.clear(result);
		pg->n_marks--;
	}
	return false;
}

static bool skip_results(struct pmuq_store *store, size_t n)
{
	struct pg_result *result;

	for (; n; n--) {
		if (!read_result(store, &result))
			return false;
		store->pg->lib.clear(result);
	}
	return true;
}

/* A mark ends what is queued: libpq sends it, and after an error the server executes what follows
 * the mark. */
void pq_pg_send(struct pmuq_store *store)
{
	struct pq_pg_server *pg = store->pg;

	if (!pg->n_unsent)
		return;
	pg->n_unsent = 0;
	pg->n_marks++;
	if (!pg->lib.pipelineSync(pg->connection))
		give_up(store);
}

void pq_pg_await(struct pq_pg_server *pg, struct pq_pg_pending *ret)
{
	struct pq_pg_pending **last = &pg->pending;

	while (*last)
		last = &(*last)->next;
	*last = ret;
	*ret = (struct pq_pg_pending){ .is_pending = true, .n_before = pg->n_queued - 1 };
	pg->n_queued = 0;
}

/* Results come in the order of the commands. */
void pq_pg_receive(struct pmuq_store *store, struct pq_pg_pending *pending)
{
	struct pq_pg_server *pg = store->pg;

	if (pending->is_pending)
		pq_pg_send(store);
	while (pending->is_pending) {
		struct pq_pg_pending *first = pg->pending;

		if (!skip_results(store, first->n_before) || !read_result(store, &first->result))
			return;
		pg->pending = first->next;
		first->is_pending = false;
		if (store->r < 0)
			pg->lib.clear(move(first->result));
	}
}

void pq_pg_sync(struct pmuq_store *store)
{
	struct pq_pg_server *pg = store->pg;

	pq_pg_send(store);
	while (pg->pending)
		pq_pg_receive(store, pg->pending);
	if (!skip_results(store, pg->n_queued))
		return;
	pg->n_queued = 0;
	for (; pg->n_marks; pg->n_marks--) {
		struct pg_result *mark = next_result(store);

		if (!mark)
			return;
		pg->lib.clear(mark);
	}
}

void pq_pg_forget(struct pq_pg_server *pg)
{
	for (; pg->pending; pg->pending = pg->pending->next)
		pg->pending->is_pending = false;
	pg->n_queued = pg->n_unsent = pg->n_marks = 0;
}

void pq_pg_limit_queue(struct pmuq_store *store)
{
	if (store->pg->n_unsent >= QUEUED_MAX)
		pq_pg_sync(store);
}

void pq_pg_queued(struct pmuq_store *store, bool is_queued)
{
	if (is_queued) {
		store->pg->n_queued++;
		store->pg->n_unsent++;
	} else {
		pq_pg_fail(store, NULL);
	}
}

void pq_pg_queue(struct pmuq_store *store, const char *sql)
{
	const struct pq_pg_server *pg = store->pg;

	pq_pg_limit_queue(store);
	pq_pg_queued(store,
		     pg->lib.sendQueryParams(pg->connection, sql, 0, NULL, NULL, NULL, NULL, 0));
}

void pq_pg_queue_text(struct pmuq_store *store, const char *sql, struct pmuq_str text)
{
	const struct pq_pg_server *pg = store->pg;
	auto_free char *encoded = NULL;
	const int formats[] = { 1 };
	const char *values[1];
	int lengths[1];

	if (!pq_pg_text_is_plain(text)) {
		encoded = pq_pg_text_encode(text);
		text = str_of(encoded);
	}
	if (!text.p) {
		pq_store_fail_memory(store);
		return;
	}
	values[0] = text.p;
	lengths[0] = (int)text.n;
	pq_pg_limit_queue(store);
	pq_pg_queued(store, pg->lib.sendQueryParams(pg->connection, sql, 1, NULL, values, lengths,
						    formats, 0));
}

/* ---- at once */

/* In pipeline mode libpq has no way to run several statements in one string, nor COPY. */
static struct pg_result *run_alone(struct pmuq_store *store, const char *sql)
{
	struct pq_pg_server *pg = store->pg;
	struct pg_result *result;

	pq_pg_sync(store);
	if (store->r < 0)
		return NULL;
	if (pg->is_pipelined)
		pg->lib.exitPipelineMode(pg->connection);
	result = pg->lib.exec(pg->connection, sql);
	if (result)
		check(store, result);
	else
		pq_pg_fail(store, NULL);
	return result;
}

static void go_on(const struct pq_pg_server *pg)
{
	if (pg->is_pipelined)
		pg->lib.enterPipelineMode(pg->connection);
}

static struct pg_result *run(struct pmuq_store *store, const char *sql)
{
	struct pg_result *result = run_alone(store, sql);

	go_on(store->pg);
	return result;
}

void pq_pg_exec(struct pmuq_store *store, const char *sql)
{
	store->pg->lib.clear(run(store, sql));
}

char *pq_pg_get(struct pmuq_store *store, const char *sql)
{
	const struct pq_libpq *lib = &store->pg->lib;
	struct pg_result *result = run(store, sql);
	char *text = NULL;

	if (store->r == 0 && lib->ntuples(result) && !lib->getisnull(result, 0, 0)) {
		text = strdup(lib->getvalue(result, 0, 0));
		if (!text)
			pq_store_fail_memory(store);
	}
	lib->clear(result);
	return text;
}

bool pq_pg_copy_out(struct pmuq_store *store, const char *sql)
{
	store->pg->lib.clear(run_alone(store, sql));
	if (store->r < 0)
		go_on(store->pg);
	return store->r == 0;
}

static void end_copy(struct pmuq_store *store)
{
	const struct pq_pg_server *pg = store->pg;
	struct pg_result *result;

	while ((result = pg->lib.getResult(pg->connection))) {
		check(store, result);
		pg->lib.clear(result);
	}
	if (pg->lib.status(pg->connection) == PQ_PG_CONNECTION_OK)
		go_on(pg);
	else
		give_up(store);
}

/* What PQgetCopyData() returns in place of the bytes of a row. */
#define COPY_DONE (-1)

char *pq_pg_copy_row(struct pmuq_store *store, size_t *ret_bytes)
{
	const struct pq_pg_server *pg = store->pg;
	char *row = NULL;
	int n = pg->lib.getCopyData(pg->connection, &row, 0);

	if (n == COPY_DONE)
		end_copy(store);
	else if (n < 0)
		give_up(store);
	*ret_bytes = n > 0 ? (size_t)n : 0;
	return n > 0 ? row : NULL;
}
