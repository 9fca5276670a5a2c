/* SPDX-License-Identifier: MIT */
/*
 * An agent hands in its machine: a hash if the server has it already, else its own facts with the
 * hash of what hosts share, and only if no host has sent that before, the document itself. The
 * connection is that of a store without a schema, since an agent may call two functions only.
 */
#include "core/freep.h"
#include "core/limits.h"
#include "core/sized.h"
#include "db/schema.h"
#include "document/parts/parts.h"
#include "inbox/inbox.h"
#include "inbox/own_facts.h"

struct push {
	struct pq_buf own, document;
	struct pq_hash content, state;
	int64_t time_s;
	enum pmuq_push_result result;
};

/* ---- what to send */

static int write_document(const struct pmuq_catalog *catalog, struct pq_buf *ret,
			  struct pmuq_error **reterr)
{
	const struct pq_doc_host host = { 0 };
	struct pq_sink *sink = pq_sink_json(ret, 0);
	bool is_whole = sink != NULL;

	if (sink) {
		pq_doc_write(sink, &host, catalog, 1);
		pq_sink_finish(sink);
		is_whole = !sink->failed;
	}
	pq_sink_free(sink);
	return is_whole ? 0 : pq_fail_memory(reterr);
}

static struct pq_hash hash_of(struct pmuq_str a, struct pmuq_str b)
{
	struct pq_hash hash;
	struct pq_sha256 sha;

	pq_sha256_begin(&sha);
	pq_sha256_add(&sha, a.p, a.n);
	pq_sha256_add(&sha, b.p, b.n);
	pq_sha256_end(&sha, hash.bytes);
	return hash;
}

/* The server computes the hash of the document, too. That of the state is of no meaning to it. */
static int make(const struct pmuq_catalog *catalog, struct push *push, struct pmuq_error **reterr)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *unchecked = NULL;
	int r = pq_catalog_check_whole(catalog, reterr);

	if (r == 0)
		r = pq_catalog_vary(catalog, NULL, 0, NULL, &unchecked, reterr);
	if (r == 0)
		r = write_document(unchecked, &push->document, reterr);
	if (r < 0)
		return r;
	if (push->document.n > PQ_DELIVERY_MAX_BYTES)
		return pq_fail(reterr, PMUQ_E_INBOX_REFUSED,
			       "cannot push the machine: its document has %zu bytes, and the most "
			       "is %d",
			       push->document.n, PQ_DELIVERY_MAX_BYTES);
	pq_own_facts_print(catalog, &push->own);
	if (push->own.failed)
		return pq_fail_memory(reterr);
	push->content = hash_of(pq_buf_str(&push->document), STR(""));
	push->state = hash_of((struct pmuq_str){ .p = (const char *)push->content.bytes,
						 .n = sizeof(push->content.bytes) },
			      pq_buf_str(&push->own));
	return 0;
}

/* ---- sending it */

static bool deliver(struct pmuq_store *store, const struct push *push, struct pmuq_str document)
{
	static const struct pq_sql sql = {
		.text = "SELECT pmuq_inbox.deliver(?, ?, ?, ?, ?)",
		PQ_COLUMNS(pq_one_number),
	};
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int64_t is_taken = 0;

	pq_stmt_begin(&stmt, store, &sql, PQ_PARAMS(&push->state, &push->content));
	pq_stmt_bind(&stmt, pq_param_text(pq_buf_str(&push->own)));
	pq_stmt_bind(&stmt, pq_param_number(push->time_s));
	pq_stmt_bind(&stmt, pq_param_text(document));
	return pq_stmt_next(&stmt, &is_taken, NULL) && is_taken;
}

static void deliver_document(struct pmuq_store *store, const struct push *push)
{
	if (!deliver(store, push, pq_buf_str(&push->document)) && store->r == 0)
		pq_store_refuse(store, PMUQ_E_INBOX_REFUSED, 0, NULL,
				"%s: the server does not take it", store->doing);
}

static void send(struct pmuq_store *store, struct push *push)
{
	int64_t known = 0;

	pq_sql_number(store, "SELECT pmuq_inbox.heartbeat(?)",
		      PQ_PARAMS((const struct pq_hash *)&push->state), &known);
	push->result = PMUQ_PUSH_HEARTBEAT;
	if (store->r < 0 || known == 1)
		return;
	if (known) {
		pq_store_refuse(store, PMUQ_E_DELIVERY_REJECTED, 0,
				"`pmuq db rejected` on the server shows the reason",
				"%s: the server could not read what this host delivered before",
				store->doing);
		return;
	}
	push->result = PMUQ_PUSH_FACTS;
	if (deliver(store, push, (struct pmuq_str){ 0 }) || store->r < 0)
		return;
	push->result = PMUQ_PUSH_DOCUMENT;
	deliver_document(store, push);
}

static int open_server(const char *to, struct pmuq_store **ret, struct pmuq_error **reterr)
{
	int r;

	if (pq_pg_is_named(to))
		return pq_store_open_with(to, PMUQ_STORE_WRITE, NULL, ret, reterr);
	r = pq_fail(reterr, PMUQ_E_INBOX_MISSING,
		    "cannot push the machine: '%s' is not a connection string of PostgreSQL", to);
	pq_error_hint(reterr, "for example: postgresql://web01@db.example.org/hosts");
	return r;
}

static int push_to(const char *to, struct push *push, struct pmuq_error **reterr)
{
	cleanup(pmuq_store_freep) struct pmuq_store *store = NULL;
	int r = open_server(to, &store, reterr);

	if (r < 0)
		return r;
	pq_store_begin_call(store, "cannot push the machine", reterr);
	send(store, push);
	return pq_store_end_call(store);
}

PQ_API int pmuq_catalog_push(const struct pmuq_catalog *catalog, const char *to, int64_t time_s,
			     struct pmuq_pushed *ret, struct pmuq_error **reterr)
{
	struct push push = { .time_s = time_s };
	int r = ret ? pq_sized_check(ret, reterr) : 0;

	if (r == 0)
		r = make(catalog, &push, reterr);
	if (r == 0 && to)
		r = push_to(to, &push, reterr);
	pq_buf_free(&push.own);
	pq_buf_free(&push.document);
	if (r == 0 && ret) {
		const struct pmuq_pushed pushed = { .result = push.result };

		pq_sized_give(&pushed, sizeof(pushed), ret);
	}
	return r;
}
