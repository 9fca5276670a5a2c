/* SPDX-License-Identifier: MIT */
/* The hashes of the contents of a catalog and its check. No store is asked. */
#include "db/save.h"

/* As the catalog's own cap. */
#define MEASURE_MAX_BYTES ((size_t)64 << 20)

static struct pq_shared *find_shared(const struct pq_measured *measured, const void *address,
				     uint64_t key)
{
	size_t at = pq_intern_start(&measured->by_address, key);
	struct pq_shared *shared;

	while ((shared = pq_intern_next(&measured->by_address, key, &at)))
		if (shared->address == address)
			return shared;
	return NULL;
}

/* The entry of an address; its hash is to be filled in when it is new. NULL when out of memory. */
static struct pq_shared *share(struct pq_measured *measured, const void *address, bool *ret_is_new)
{
	/* Any odd number spreads the addresses, whose lowest bits are all zero. */
	uint64_t key = (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u;
	struct pq_shared *shared;

	key ^= key >> 32;
	shared = find_shared(measured, address, key);
	*ret_is_new = !shared;
	if (shared)
		return shared;
	shared = pq_arena_zero(&measured->arena, sizeof(*shared));
	if (!shared || !pq_intern_add(&measured->by_address, key, shared))
		return NULL;
	shared->address = address;
	return shared;
}

static bool measure_pmu(struct pq_measured *measured, const struct pmuq_pmu *pmu, size_t index)
{
	struct pq_shared *definition, *attributes;
	bool is_new;

	definition = share(measured, pq_def_of(pmu), &is_new);
	if (!definition)
		return false;
	if (is_new)
		definition->hash = pq_digest_definition(pq_def_of(pmu));
	attributes = share(measured, pmu->attributes, &is_new);
	if (!attributes)
		return false;
	if (is_new)
		attributes->hash = pq_digest_attributes(pmu->attributes, pmu->n_attributes);
	measured->definitions[index] = definition;
	measured->attributes[index] = attributes;
	return true;
}

static bool measure_pmus(const struct pmuq_catalog *catalog, struct pq_measured *measured)
{
	size_t n = pmuq_catalog_machine(catalog)->n_pmus;
	struct pq_digest digest;

	measured->definitions = pq_arena_array(&measured->arena, n, sizeof(void *));
	measured->attributes = pq_arena_array(&measured->arena, n, sizeof(void *));
	if (!measured->definitions || !measured->attributes)
		return false;
	pq_digest_begin(&digest, PQ_KIND_LAYOUT);
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		if (!measure_pmu(measured, pmu, i))
			return false;
		pq_digest_pmu(&digest, pmu, &measured->definitions[i]->hash,
			      &measured->attributes[i]->hash);
	}
	measured->layout = pq_digest_end(&digest);
	return true;
}

static void measure_rest(const struct pmuq_catalog *catalog, struct pq_measured *measured)
{
	struct pq_digest digest;

	pq_digest_begin(&digest, PQ_KIND_TRACEPOINTS);
	for (size_t i = 0; i < pq_catalog_tracepoint_count(catalog); i++)
		pq_digest_tracepoint(&digest, pq_catalog_tracepoint(catalog, i));
	measured->tracepoints = pq_digest_end(&digest);

	pq_digest_begin(&digest, PQ_KIND_PROBLEMS);
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_problems; i++)
		pq_digest_problem(&digest, pq_catalog_problem(catalog, i));
	measured->problems = pq_digest_end(&digest);
}

static void measure_facts(const struct pmuq_catalog *catalog, struct pq_measured *measured)
{
	struct pq_digest shared, own;

	pq_digest_begin(&shared, PQ_KIND_FACTS);
	pq_digest_begin(&own, PQ_KIND_SNAPSHOT);
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++) {
		const struct pmuq_pair *fact = pq_catalog_fact(catalog, i);
		enum pq_fact_owner owner = pq_fact_owner(fact->name);

		pq_digest_fact(owner == PQ_FACT_SHARED ? &shared : &own, owner, i, fact);
	}
	measured->facts = pq_digest_end(&shared);
	measured->snapshot = pq_digest_snapshot(&own, &measured->layout, &measured->facts,
						&measured->tracepoints, &measured->problems);
}

static bool measure_check(const struct pmuq_check *check, struct pq_measured *measured)
{
	size_t n = pmuq_check_progress(check)->n_results;
	struct pq_digest digest;
	bool is_new;

	measured->replies = pq_arena_array(&measured->arena, n, sizeof(void *));
	if (!measured->replies)
		return false;
	pq_digest_begin(&digest, PQ_KIND_ANSWERS);
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_check_result *answer = pmuq_check_get(check, i);
		struct pq_shared *reply = share(measured, answer->open, &is_new);

		if (!reply)
			return false;
		if (is_new)
			reply->hash = pq_digest_reply(answer->open);
		measured->replies[i] = reply;
		pq_digest_answer(&digest, answer, &reply->hash);
	}
	measured->answers = pq_digest_end(&digest);
	return true;
}

int pq_measure(const struct pmuq_catalog *catalog, const struct pmuq_check *check,
	       struct pq_measured *ret, struct pmuq_error **reterr)
{
	*ret = (struct pq_measured){ 0 };
	pq_arena_init(&ret->arena, NULL, 0, MEASURE_MAX_BYTES);
	if (!measure_pmus(catalog, ret) || (check && !measure_check(check, ret)))
		return pq_fail_memory(reterr);
	measure_rest(catalog, ret);
	measure_facts(catalog, ret);
	return 0;
}

void pq_measured_free(struct pq_measured *measured)
{
	pq_intern_free(&measured->by_address);
	pq_arena_clear(&measured->arena);
}
