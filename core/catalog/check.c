/* SPDX-License-Identifier: MIT */
#include "core/catalog/check.h"
#include "core/catalog/intern.h"
#include "core/vec.h"

/* A reply is some sentences; a machine of 100,000 events fits. */
#define CHECK_MAX_BYTES ((size_t)256 << 20)

/* An event of a PMU: the one as a text that none else has, as names of events hold no slash. */
struct key {
	struct pmuq_str text; /* "PMU/EVENT/" */
};

struct pmuq_check {
	struct pq_arena arena;
	struct pq_intern replies;
	struct {
		PQ_VEC(struct pmuq_answer);
	} expected;
	struct {
		PQ_VEC(struct key);
	} keys;		 /* of each of them */
	size_t n, total; /* answered; there are on the machine */
	struct pq_map by_key;
	struct pmuq_str kernel;
	int64_t time_s;
	const struct pmuq_catalog *catalog; /* only while it is made */
	struct pmuq_check *base;	    /* where all of it lives; NULL: here */
	unsigned references;		    /* those whose base it is, and its owner */
	struct pmuq_check *shared;	    /* itself: const is for all but the references */
};

static void freep(struct pmuq_check **check)
{
	pmuq_check_free(*check);
}

PQ_API void pmuq_check_free(struct pmuq_check *check)
{
	if (!check || __atomic_sub_fetch(&check->references, 1, __ATOMIC_ACQ_REL))
		return;
	if (check->base) {
		pmuq_check_free(check->base);
		free(check);
		return;
	}
	pq_intern_free(&check->replies);
	pq_arena_clear(&check->arena);
	pq_vec_free(&check->expected);
	pq_vec_free(&check->keys);
	free(check);
}

/* A copy in the arena; NULL stays NULL. */
static bool keep(struct pq_arena *arena, struct pmuq_str *text)
{
	if (!text->p)
		return true;
	*text = pq_arena_str(arena, *text);
	return text->p != NULL;
}

int pq_check_new(struct pmuq_str kernel, int64_t time_s, struct pmuq_check **ret,
		 struct pmuq_error **reterr)
{
	cleanup(freep) struct pmuq_check *check = calloc(1, sizeof(*check));

	if (!check)
		return pq_fail_memory(reterr);
	pq_arena_init(&check->arena, NULL, 0, CHECK_MAX_BYTES);
	check->references = 1;
	check->shared = check;
	check->time_s = time_s;
	check->kernel = kernel;
	if (!keep(&check->arena, &check->kernel))
		return pq_fail_memory(reterr);
	*ret = move(check);
	return 0;
}

static bool make_key(struct pq_arena *arena, struct pmuq_str pmu, struct pmuq_str event,
		     struct pmuq_str *ret)
{
	struct pq_buf text = PQ_BUF_NULL;

	pq_buf_add(&text, pmu);
	pq_buf_char(&text, '/', 1);
	pq_buf_add(&text, event);
	pq_buf_char(&text, '/', 1);
	*ret = text.failed ? (struct pmuq_str){ 0 } : pq_arena_str(arena, pq_buf_str(&text));
	pq_buf_free(&text);
	return ret->p != NULL;
}

int pq_check_expect(struct pmuq_check *check, struct pmuq_str pmu, struct pmuq_str event,
		    bool is_generic, struct pmuq_error **reterr)
{
	struct pmuq_answer answer = { .pmu = pmu, .event = event, .is_generic = is_generic };
	struct key key;

	if (!keep(&check->arena, &answer.pmu) || !keep(&check->arena, &answer.event) ||
	    !make_key(&check->arena, pmu, event, &key.text))
		return pq_fail_memory(reterr);
	answer.string = is_generic ? answer.event : key.text;
	if (!pq_vec_reserve(&check->keys, 1) || !pq_vec_push(&check->expected, answer))
		return pq_fail_memory(reterr);
	pq_vec_push(&check->keys, key);
	check->total = check->expected.n;
	return 0;
}

int pq_check_index(struct pmuq_check *check, struct pmuq_error **reterr)
{
	if (pq_map_build(&check->arena, check->keys.v, sizeof(*check->keys.v), check->keys.n,
			 &check->by_key))
		return 0;
	return pq_fail_memory(reterr);
}

void pq_check_set_total(struct pmuq_check *check, size_t total)
{
	check->total = total > check->expected.n ? total : check->expected.n;
}

/* ---------------------------------------------------------------------------------- replies */

#define REPLY_TEXTS 5

static void texts_of(const struct pq_reply *reply, struct pmuq_str ret[REPLY_TEXTS])
{
	ret[0] = reply->cpus;
	ret[1] = reply->name;
	ret[2] = reply->reason;
	ret[3] = reply->hint;
	ret[4] = reply->change;
}

static uint64_t hash_of(const struct pq_reply *reply)
{
	uint64_t hash = (uint64_t)reply->status << 32 | (uint32_t)reply->errnum;
	struct pmuq_str texts[REPLY_TEXTS];

	texts_of(reply, texts);
	for (size_t i = 0; i < REPLY_TEXTS; i++)
		hash = (hash ^ str_hash(texts[i])) * 0x9e3779b97f4a7c15u;
	return hash;
}

static bool is_same(const struct pq_reply *a, const struct pq_reply *b)
{
	struct pmuq_str x[REPLY_TEXTS], y[REPLY_TEXTS];

	texts_of(a, x);
	texts_of(b, y);
	for (size_t i = 0; i < REPLY_TEXTS; i++)
		if (!x[i].p != !y[i].p || !str_eq(x[i], y[i]))
			return false;
	return a->status == b->status && a->errnum == b->errnum;
}

static const struct pq_reply *add_reply(struct pmuq_check *check, const struct pq_reply *reply,
					uint64_t hash)
{
	struct pq_reply *kept = pq_arena_take(&check->arena, sizeof(*kept));

	if (!kept)
		return NULL;
	*kept = *reply;
	if (!keep(&check->arena, &kept->cpus) || !keep(&check->arena, &kept->name) ||
	    !keep(&check->arena, &kept->reason) || !keep(&check->arena, &kept->hint) ||
	    !keep(&check->arena, &kept->change) || !pq_intern_add(&check->replies, hash, kept))
		return NULL;
	return kept;
}

static const struct pq_reply *intern(struct pmuq_check *check, const struct pq_reply *reply)
{
	uint64_t hash = hash_of(reply);
	size_t at = pq_intern_start(&check->replies, hash);
	const struct pq_reply *known;

	while ((known = pq_intern_next(&check->replies, hash, &at)))
		if (is_same(known, reply))
			return known;
	return add_reply(check, reply, hash);
}

const struct pmuq_answer *pq_check_next(const struct pmuq_check *check)
{
	return check->n < check->expected.n ? &check->expected.v[check->n] : NULL;
}

int pq_check_answer(struct pmuq_check *check, const struct pq_reply *reply,
		    struct pmuq_error **reterr)
{
	const struct pq_reply *kept = intern(check, reply);

	if (!kept)
		return pq_fail_memory(reterr);
	check->expected.v[check->n++].reply = kept;
	return 0;
}

int pq_check_copy(const struct pmuq_check *check, struct pmuq_check **ret,
		  struct pmuq_error **reterr)
{
	cleanup(freep) struct pmuq_check *copy = NULL;
	int r = pq_check_new(check->kernel, check->time_s, &copy, reterr);

	for (size_t i = 0; r == 0 && i < check->expected.n; i++)
		r = pq_check_expect(copy, check->expected.v[i].pmu, check->expected.v[i].event,
				    check->expected.v[i].is_generic, reterr);
	if (r == 0)
		r = pq_check_index(copy, reterr);
	for (size_t i = 0; r == 0 && i < check->n; i++)
		r = pq_check_answer(copy, check->expected.v[i].reply, reterr);
	if (r < 0)
		return r;
	copy->total = check->total;
	*ret = move(copy);
	return 0;
}

int pq_check_again(const struct pmuq_check *check, int64_t time_s, struct pmuq_check **ret,
		   struct pmuq_error **reterr)
{
	struct pmuq_check *again = malloc(sizeof(*again));

	if (!again)
		return pq_fail_memory(reterr);
	*again = *check;
	again->time_s = time_s;
	again->references = 1;
	again->shared = again;
	again->base = check->shared;
	__atomic_add_fetch(&again->base->references, 1, __ATOMIC_RELAXED);
	*ret = again;
	return 0;
}

void pq_check_set_catalog(struct pmuq_check *check, const struct pmuq_catalog *catalog)
{
	check->catalog = catalog;
}

const struct pmuq_catalog *pq_check_catalog(const struct pmuq_check *check)
{
	return check->catalog;
}

/* ------------------------------------------------------------------------------- public side */

PQ_API size_t pmuq_check_count(const struct pmuq_check *check)
{
	return check->n;
}

PQ_API size_t pmuq_check_total(const struct pmuq_check *check)
{
	return check->total;
}

PQ_API int64_t pmuq_check_time_s(const struct pmuq_check *check)
{
	return check->time_s;
}

PQ_API const char *pmuq_check_kernel(const struct pmuq_check *check)
{
	return check->kernel.p;
}

PQ_API const struct pmuq_answer *pmuq_check_get(const struct pmuq_check *check, size_t index)
{
	return index < check->n ? &check->expected.v[index] : NULL;
}

PQ_API const struct pmuq_answer *pmuq_check_find(const struct pmuq_check *check, const char *pmu,
						 const char *event)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	const struct key *key;
	const struct pmuq_answer *answer;

	pq_buf_print(&text, "%s/%s/", pmu, event);
	if (text.failed)
		return NULL;
	key = pq_map_find(&check->by_key, check->keys.v, sizeof(*check->keys.v), pq_buf_str(&text));
	if (!key)
		return NULL;
	answer = &check->expected.v[key - check->keys.v];
	return answer->reply ? answer : NULL;
}

PQ_API const char *pmuq_answer_pmu(const struct pmuq_answer *answer)
{
	return answer->pmu.p;
}

PQ_API const char *pmuq_answer_event(const struct pmuq_answer *answer)
{
	return answer->event.p;
}

PQ_API const char *pmuq_answer_string(const struct pmuq_answer *answer)
{
	return answer->string.p;
}

PQ_API enum pmuq_open_status pmuq_answer_status(const struct pmuq_answer *answer)
{
	return answer->reply->status;
}

PQ_API const char *pmuq_answer_cpus(const struct pmuq_answer *answer)
{
	return answer->reply->cpus.p;
}

PQ_API int pmuq_answer_errno(const struct pmuq_answer *answer)
{
	return answer->reply->errnum;
}

PQ_API const char *pmuq_answer_name(const struct pmuq_answer *answer)
{
	return answer->reply->name.p;
}

PQ_API const char *pmuq_answer_reason(const struct pmuq_answer *answer)
{
	return answer->reply->reason.p;
}

PQ_API const char *pmuq_answer_hint(const struct pmuq_answer *answer)
{
	return answer->reply->hint.p;
}

PQ_API const char *pmuq_answer_change(const struct pmuq_answer *answer)
{
	return answer->reply->change.p;
}
