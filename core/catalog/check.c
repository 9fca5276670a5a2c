/* SPDX-License-Identifier: MIT */
/*
 * The check of a machine: its events in the order in which they are opened, and the results, equal
 * ones stored once. open/ opens the events; this file stores the results, and finds them by event.
 */
#include "core/catalog/check.h"
#include "core/catalog/intern.h"
#include "core/catalog/model.h"
#include "core/freep.h"
#include "core/limits.h"
#include "core/vec.h"
#include <stdio.h>

struct expected_event {
	struct pmuq_check_result result;
	struct pmuq_str
		key; /* "PMU/EVENT/": unique, since the name of an event contains no slash */
};

struct pmuq_check {
	struct pmuq_progress progress;
	struct pq_arena arena;
	struct pq_intern open_results;
	PQ_VEC(struct expected_event) expected;
	struct pq_map by_key;
	const struct pmuq_catalog *catalog; /* only while the check is being made */
	struct pmuq_check *base;	    /* owns everything; NULL: this check does */
	unsigned references;		    /* references: its owner, and checks whose base it is */
	struct pmuq_check *shared;	    /* itself: const except for the references */
};

PQ_API void pmuq_check_free(struct pmuq_check *check)
{
	if (!check || __atomic_sub_fetch(&check->references, 1, __ATOMIC_ACQ_REL))
		return;
	if (check->base) {
		pmuq_check_free(check->base);
		free(check);
		return;
	}
	pq_intern_free(&check->open_results);
	pq_arena_clear(&check->arena);
	pq_vec_free(&check->expected);
	free(check);
}

/* A copy in the arena; NULL stays NULL. */
static bool keep(struct pq_arena *arena, struct pmuq_str *text)
{
	return !text->p || pq_arena_keep(arena, text);
}

int pq_check_new(struct pmuq_str kernel, int64_t time_s, struct pmuq_check **ret,
		 struct pmuq_error **reterr)
{
	cleanup(pmuq_check_freep) struct pmuq_check *check = calloc(1, sizeof(*check));

	if (!check)
		return pq_fail_memory(reterr);
	check->arena = PQ_ARENA(PQ_CHECK_MAX_BYTES);
	check->references = 1;
	check->shared = check;
	check->progress.size = sizeof(check->progress);
	check->progress.time_s = time_s;
	check->progress.kernel = kernel;
	if (!keep(&check->arena, &check->progress.kernel))
		return pq_fail_memory(reterr);
	*ret = move(check);
	return 0;
}

static bool make_key(struct pq_arena *arena, struct pmuq_str pmu, struct pmuq_str event,
		     struct pmuq_str *ret)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_buf_add(&text, pmu);
	pq_buf_char(&text, '/', 1);
	pq_buf_add(&text, event);
	pq_buf_char(&text, '/', 1);
	*ret = pq_buf_str(&text);
	return !text.failed && pq_arena_keep(arena, ret);
}

int pq_check_expect(struct pmuq_check *check, struct pmuq_str pmu, struct pmuq_str event,
		    bool is_generic, struct pmuq_error **reterr)
{
	struct expected_event new = {
		.result = { .size = sizeof(new.result),
			    .pmu = pmu,
			    .event = event,
			    .is_generic = is_generic },
	};

	if (!keep(&check->arena, &new.result.pmu) || !keep(&check->arena, &new.result.event) ||
	    !make_key(&check->arena, pmu, event, &new.key))
		return pq_fail_memory(reterr);
	new.result.event_string = is_generic ? new.result.event : new.key;
	if (!pq_vec_push(&check->expected, new))
		return pq_fail_memory(reterr);
	check->progress.n_events = check->expected.n;
	return 0;
}

int pq_check_index(struct pmuq_check *check, struct pmuq_error **reterr)
{
	if (pq_map_build(&check->arena, PQ_NAMED(check->expected.v, key), check->expected.n,
			 &check->by_key))
		return 0;
	return pq_fail_memory(reterr);
}

void pq_check_set_total(struct pmuq_check *check, size_t total)
{
	check->progress.n_events = total > check->expected.n ? total : check->expected.n;
}

/* ----------------------------------------------------------------------------- open results */

static const size_t result_texts[] = {
	offsetof(struct pmuq_open_result, cpus),   offsetof(struct pmuq_open_result, name),
	offsetof(struct pmuq_open_result, reason), offsetof(struct pmuq_open_result, hint),
	offsetof(struct pmuq_open_result, change),
};

static struct pmuq_str text_of(const struct pmuq_open_result *result, size_t index)
{
	return *(const struct pmuq_str *)((const char *)result + result_texts[index]);
}

static uint64_t hash_of(const struct pmuq_open_result *result)
{
	uint64_t hash = (uint64_t)result->status << 32 | (uint32_t)result->errnum;

	for (size_t i = 0; i < COUNT(result_texts); i++)
		hash = (hash ^ str_hash(text_of(result, i))) * 0x9e3779b97f4a7c15u;
	return hash;
}

static bool is_same(const struct pmuq_open_result *a, const struct pmuq_open_result *b)
{
	for (size_t i = 0; i < COUNT(result_texts); i++)
		if (!str_same(text_of(a, i), text_of(b, i)))
			return false;
	return a->status == b->status && a->errnum == b->errnum;
}

static const struct pmuq_open_result *
add_result(struct pmuq_check *check, const struct pmuq_open_result *result, uint64_t hash)
{
	struct pmuq_open_result *kept = pq_arena_take(&check->arena, sizeof(*kept));

	if (!kept)
		return NULL;
	*kept = (struct pmuq_open_result){
		.size = sizeof(*kept),
		.status = result->status,
		.errnum = result->errnum,
	};
	for (size_t i = 0; i < COUNT(result_texts); i++) {
		struct pmuq_str *text = (struct pmuq_str *)((char *)kept + result_texts[i]);

		*text = text_of(result, i);
		if (!keep(&check->arena, text))
			return NULL;
	}
	return pq_intern_add(&check->open_results, hash, kept) ? kept : NULL;
}

static const struct pmuq_open_result *intern(struct pmuq_check *check,
					     const struct pmuq_open_result *result)
{
	uint64_t hash = hash_of(result);
	size_t at = pq_intern_start(&check->open_results, hash);
	const struct pmuq_open_result *known;

	while ((known = pq_intern_next(&check->open_results, hash, &at)))
		if (is_same(known, result))
			return known;
	return add_result(check, result, hash);
}

const struct pmuq_check_result *pq_check_next(const struct pmuq_check *check)
{
	return check->progress.n_results < check->expected.n
		       ? &check->expected.v[check->progress.n_results].result
		       : NULL;
}

int pq_check_add(struct pmuq_check *check, const struct pmuq_open_result *result,
		 struct pmuq_error **reterr)
{
	const struct pmuq_open_result *kept = intern(check, result);

	if (!kept)
		return pq_fail_memory(reterr);
	check->expected.v[check->progress.n_results++].result.open = kept;
	return 0;
}

int pq_check_fill(struct pmuq_check *check, const struct pmuq_check_result *results, size_t n,
		  struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++)
		r = pq_check_expect(check, results[i].pmu, results[i].event, results[i].is_generic,
				    reterr);
	if (r == 0)
		r = pq_check_index(check, reterr);
	for (size_t i = 0; r == 0 && i < n; i++)
		r = pq_check_add(check, results[i].open, reterr);
	return r;
}

int pq_check_again(const struct pmuq_check *check, int64_t time_s, struct pmuq_check **ret,
		   struct pmuq_error **reterr)
{
	struct pmuq_check *again = malloc(sizeof(*again));

	if (!again)
		return pq_fail_memory(reterr);
	*again = *check;
	again->progress.time_s = time_s;
	again->references = 1;
	again->shared = again;
	again->base = pq_check_share(check->base ? check->base : check);
	*ret = again;
	return 0;
}

struct pmuq_check *pq_check_share(const struct pmuq_check *check)
{
	__atomic_add_fetch(&check->shared->references, 1, __ATOMIC_RELAXED);
	return check->shared;
}

const void *pq_check_identity(const struct pmuq_check *check)
{
	return check && check->base ? check->base : check;
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

PQ_API const struct pmuq_progress *pmuq_check_progress(const struct pmuq_check *check)
{
	return &check->progress;
}

PQ_API const struct pmuq_check_result *pmuq_check_get(const struct pmuq_check *check, size_t index)
{
	return index < check->progress.n_results ? &check->expected.v[index].result : NULL;
}

/* A look-up needs no memory. Only the check of a strange document has names longer than those of
 * files: these are searched one by one. */
static const struct expected_event *find_long(const struct pmuq_check *check, struct pmuq_str pmu,
					      struct pmuq_str event)
{
	for (size_t i = 0; i < check->expected.n; i++)
		if (str_eq(check->expected.v[i].result.pmu, pmu) &&
		    str_eq(check->expected.v[i].result.event, event))
			return &check->expected.v[i];
	return NULL;
}

static const struct expected_event *find(const struct pmuq_check *check, struct pmuq_str pmu,
					 struct pmuq_str event)
{
	char key[2 * PQ_NAME_MAX_BYTES + sizeof("//")];

	if (pmu.n + event.n > 2 * PQ_NAME_MAX_BYTES)
		return find_long(check, pmu, event);
	snprintf(key, sizeof(key), "%s/%s/", pmu.p, event.p);
	return pq_map_find(&check->by_key, PQ_NAMED(check->expected.v, key), str_of(key));
}

PQ_API const struct pmuq_check_result *pmuq_check_find(const struct pmuq_check *check,
						       const char *pmu, const char *event)
{
	const struct expected_event *found = find(check, str_of(pmu), str_of(event));

	return found && found->result.open ? &found->result : NULL;
}
