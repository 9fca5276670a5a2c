/* SPDX-License-Identifier: MIT */
/* A check out of the store, by itself or as a part of its snapshot. */
#include "db/load.h"
#include "db/save.h"

struct stored {
	int64_t answers, checked, total;
};

/* PQ_NONE when the snapshot has none. */
static int load_stored(struct pmuq_store *store, int64_t snapshot, struct stored *ret,
		       struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LOAD_CHECK, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, snapshot);
	r = pq_stmt_step(&stmt, reterr);
	if (r != 0)
		return r;
	*ret = (struct stored){
		.answers = pq_column_int(&stmt, 0),
		.checked = pq_column_int(&stmt, 1),
		.total = pq_column_int(&stmt, 2),
	};
	return pq_stmt_check(&stmt, reterr);
}

static int read_reply(struct pq_loading *loading, struct pq_kept *kept, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_arena *arena = &loading->arena;
	struct pmuq_open_result *reply = &kept->reply;
	struct pq_hash found;
	int r = pq_stmt_begin(&stmt, loading->store, PQ_SQL_LOAD_REPLY, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, kept->id);
	r = pq_stmt_step(&stmt, reterr);
	if (r == PQ_NONE)
		return pq_store_fail_content(loading->store, "a reply is missing", reterr);
	if (r < 0)
		return r;
	reply->status = (enum pmuq_open_status)pq_column_int(&stmt, 0);
	reply->errnum = (int)pq_column_int(&stmt, 1);
	reply->cpus = pq_column_str(&stmt, 2, arena);
	reply->name = pq_column_str(&stmt, 3, arena);
	reply->reason = pq_column_str(&stmt, 4, arena);
	reply->hint = pq_column_str(&stmt, 5, arena);
	reply->change = pq_column_str(&stmt, 6, arena);
	r = pq_stmt_check(&stmt, reterr);
	if (r < 0)
		return r;
	found = pq_digest_reply(reply);
	return pq_load_check(loading->store, &kept->hash, &found, reterr);
}

static int load_reply(struct pq_loading *loading, int64_t id, const struct pq_kept **ret,
		      struct pmuq_error **reterr)
{
	struct pq_kept *kept = NULL;
	int r;

	*ret = pq_load_find_kept(&loading->replies, id);
	if (*ret)
		return 0;
	r = pq_load_keep(loading, &loading->replies, PQ_SQL_HASH_OF_REPLY, id, &kept, reterr);
	if (r == 0)
		r = read_reply(loading, kept, reterr);
	*ret = kept;
	return r;
}

struct replies {
	const struct pq_kept **v; /* for each answer */
	size_t n, room;
};

static bool push(struct replies *replies, const struct pq_kept *reply)
{
	if (replies->n == replies->room) {
		size_t room = replies->room ? 2 * replies->room : 64;
		void *v = reallocarray(replies->v, room, sizeof(*replies->v));

		if (!v)
			return false;
		replies->v = v;
		replies->room = room;
	}
	replies->v[replies->n++] = reply;
	return true;
}

static int load_answers(struct pq_loading *loading, int64_t set, struct pmuq_check *check,
			struct replies *replies, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_hash kept, found;
	struct pq_digest digest;
	int r = pq_stmt_begin(&stmt, loading->store, PQ_SQL_LOAD_ANSWERS, reterr);

	if (r < 0)
		return r;
	pq_digest_begin(&digest, PQ_KIND_ANSWERS);
	pq_bind_int(&stmt, set);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		const struct pmuq_check_result answer = {
			.pmu = pq_column_text(&stmt, 0, &loading->arena),
			.event = pq_column_text(&stmt, 1, &loading->arena),
			.is_generic = pq_column_bool(&stmt, 2),
		};
		const struct pq_kept *reply = NULL;

		r = load_reply(loading, pq_column_int(&stmt, 3), &reply, reterr);
		if (r < 0)
			return r;
		if (!push(replies, reply))
			return pq_fail_memory(reterr);
		pq_digest_answer(&digest, &answer, &reply->hash);
		r = pq_check_expect(check, answer.pmu, answer.event, answer.is_generic, reterr);
		if (r < 0)
			return r;
	}
	if (r == PQ_NONE)
		r = pq_load_hash(loading->store, PQ_SQL_HASH_OF_ANSWERS, set, &kept, reterr);
	if (r < 0)
		return r;
	found = pq_digest_end(&digest);
	return pq_load_check(loading->store, &kept, &found, reterr);
}

static int fill(struct pq_loading *loading, const struct stored *stored, struct pmuq_check *check,
		struct pmuq_error **reterr)
{
	struct replies replies = { 0 };
	int r = load_answers(loading, stored->answers, check, &replies, reterr);

	if (r == 0)
		r = pq_check_index(check, reterr);
	for (size_t i = 0; r == 0 && i < replies.n; i++)
		r = pq_check_add(check, &replies.v[i]->reply, reterr);
	if (stored->total > 0)
		pq_check_set_total(check, (size_t)stored->total);
	free(replies.v);
	return r;
}

int pq_load_check_of(struct pq_loading *loading, int64_t snapshot, struct pmuq_str kernel,
		     struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct pmuq_check *check = NULL;
	struct stored stored;
	int r = load_stored(loading->store, snapshot, &stored, reterr);

	if (r != 0)
		return r;
	r = pq_check_new(kernel, stored.checked, &check, reterr);
	if (r == 0)
		r = fill(loading, &stored, check, reterr);
	if (r == 0)
		*ret = move(check);
	pmuq_check_free(check);
	return r;
}

struct finding {
	const struct pq_hash *snapshot;
	struct pmuq_str kernel;
	struct pmuq_check *check; /* NULL: there is none */
};

static int find_checked(struct pmuq_store *store, const struct pq_hash *hash, int64_t *ret,
			struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_FIND_CHECKED, reterr);

	if (r < 0)
		return r;
	pq_bind_hash(&stmt, hash);
	r = pq_stmt_step(&stmt, reterr);
	if (r != 0)
		return r;
	*ret = pq_column_int(&stmt, 0);
	return pq_stmt_check(&stmt, reterr);
}

static int find_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct finding *finding = arg;
	struct pq_loading loading = { .store = store };
	int64_t snapshot = 0;
	int r = find_checked(store, finding->snapshot, &snapshot, reterr);

	if (r == 0) {
		pq_arena_init(&loading.arena, NULL, 0, PQ_LOAD_MAX_BYTES);
		r = pq_load_check_of(&loading, snapshot, finding->kernel, &finding->check, reterr);
		pq_intern_free(&loading.replies);
		pq_arena_clear(&loading.arena);
	}
	return r < 0 ? r : 0;
}

static void forget_check(void *arg)
{
	struct finding *finding = arg;

	pmuq_check_free(move(finding->check));
}

PQ_API int pmuq_store_find_check(struct pmuq_store *store, const struct pmuq_catalog *catalog,
				 struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct pq_measured measured;
	struct finding finding = {
		.snapshot = &measured.snapshot,
		.kernel = str_of(pmuq_catalog_find_fact(catalog, "kernel")),
	};
	const struct pq_work work = { .run = find_within, .undo = forget_check, .arg = &finding };
	int r = pq_measure(catalog, NULL, &measured, reterr);

	store->doing = "cannot look for a check";
	if (r == 0)
		r = pq_store_read(store, &work, reterr);
	pq_measured_free(&measured);
	if (r == 0)
		*ret = finding.check;
	return r;
}

struct reading {
	struct pmuq_str name;
	int64_t snapshot;
	struct pmuq_check *check;
};

/* The snapshot's number and kernel. */
static int find_kernel(struct pmuq_store *store, const struct reading *reading,
		       struct pq_arena *arena, int64_t *ret, struct pmuq_str *ret_kernel,
		       struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int64_t host = 0;
	int r = pq_store_find_host(store, reading->name, &host, reterr);

	if (r == PQ_NONE)
		return pq_store_fail_unknown_host(store, reading->name, reterr);
	if (r == 0)
		r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_KERNELS, reterr);
	if (r < 0)
		return r;
	pq_bind_int(&stmt, host);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		*ret = pq_column_int(&stmt, 0);
		if (reading->snapshot && *ret != reading->snapshot)
			continue;
		*ret_kernel = pq_column_str(&stmt, 2, arena);
		return pq_stmt_check(&stmt, reterr);
	}
	if (r < 0)
		return r;
	return pq_store_fail_unknown_snapshot(store, reading->name, host, reading->snapshot,
					      reterr);
}

static int read_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct reading *reading = arg;
	struct pq_loading loading = { .store = store };
	struct pmuq_str kernel = { 0 };
	int64_t snapshot = 0;
	int r;

	pq_arena_init(&loading.arena, NULL, 0, PQ_LOAD_MAX_BYTES);
	r = find_kernel(store, reading, &loading.arena, &snapshot, &kernel, reterr);
	if (r == 0)
		r = pq_load_check_of(&loading, snapshot, kernel, &reading->check, reterr);
	pq_intern_free(&loading.replies);
	pq_arena_clear(&loading.arena);
	return r < 0 ? r : 0;
}

static void unread_check(void *arg)
{
	struct reading *reading = arg;

	pmuq_check_free(move(reading->check));
}

PQ_API int pmuq_store_read_check(struct pmuq_store *store, const char *name, int64_t snapshot,
				 struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct reading reading = { .name = str_of(name ? name : ""), .snapshot = snapshot };
	const struct pq_work work = { .run = read_within, .undo = unread_check, .arg = &reading };
	int r;

	store->doing = "cannot read the check";
	r = pq_store_read(store, &work, reterr);
	if (r == 0)
		*ret = reading.check;
	return r;
}
