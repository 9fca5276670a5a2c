/* SPDX-License-Identifier: MIT */
/*
 * Opens every event of a machine, one after the other, from its event string, through the public
 * API. core/catalog/check.h stores the results; no event stays open. A caller can stop after any of
 * them: the check then has fewer results than events.
 */
#include "core/catalog/catalog.h"
#include "core/catalog/check.h"
#include "core/freep.h"

static int expect_named(struct pmuq_check *check, const struct pmuq_pmu *pmu,
			struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < pmu->definition->n_events; i++)
		r = pq_check_expect(check, pmu->name, pmuq_pmu_event(pmu, i)->name, false, reterr);
	return r;
}

/* Each PMU that counts it; where a PMU has an event of that name itself, the name means that. */
static int expect_generic(struct pmuq_check *check, const struct pmuq_catalog *catalog,
			  const char *name, struct pmuq_error **reterr)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	int r = 0;

	if (pmuq_catalog_encode(catalog, name, NULL, &encodings, NULL) == -PMUQ_E_MEMORY)
		return pq_fail_memory(reterr);
	for (size_t i = 0; encodings && r == 0 && i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, i);
		const char *pmu = encoding->pmu.p;

		if (pmu && encoding->origin == PMUQ_FROM_GENERIC &&
		    pmuq_catalog_find_pmu(catalog, pmu))
			r = pq_check_expect(check, str_of(pmu), str_of(name), true, reterr);
	}
	return r;
}

static int expect_all(struct pmuq_check *check, const struct pmuq_catalog *catalog,
		      struct pmuq_error **reterr)
{
	char name[PMUQ_GENERIC_NAME_MAX];
	int r = 0;

	for (size_t i = 0; r == 0 && i < pmuq_catalog_machine(catalog)->n_pmus; i++)
		r = expect_named(check, pmuq_catalog_pmu(catalog, i), reterr);
	for (size_t i = 0; r == 0 && pmuq_generic_name(i, name); i++)
		r = expect_generic(check, catalog, name, reterr);
	return r < 0 ? r : pq_check_index(check, reterr);
}

PQ_API int pmuq_check_begin(const struct pmuq_catalog *catalog, int64_t time_s,
			    struct pmuq_check **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_check_freep) struct pmuq_check *check = NULL;
	int r;

	if (!pmuq_catalog_machine(catalog)->is_live)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "only events of this machine can be opened here");
	r = pq_check_new(str_of(pmuq_catalog_find_fact(catalog, "kernel")), time_s, &check, reterr);
	if (r == 0)
		r = expect_all(check, catalog, reterr);
	if (r < 0)
		return r;
	pq_check_set_catalog(check, catalog);
	*ret = move(check);
	return 0;
}

/* A string may mean events of other PMUs, too. */
static size_t find_encoding(const struct pmuq_encodings *encodings, struct pmuq_str pmu)
{
	size_t n = pmuq_encodings_count(encodings);

	for (size_t i = 0; i < n; i++)
		if (str_eq(pmuq_encodings_get(encodings, i)->pmu, pmu))
			return i;
	return n;
}

static int skip(struct pmuq_check *check, const char *reason, const char *hint,
		struct pmuq_error **reterr)
{
	const struct pmuq_open_result result = {
		.status = PMUQ_SKIPPED,
		.reason = str_of(reason),
		.hint = str_of(hint),
	};

	return pq_check_add(check, &result, reterr);
}

static int open_event(struct pmuq_check *check, const struct pmuq_check_result *next,
		      const struct pmuq_encodings *encodings, struct pmuq_error **reterr)
{
	cleanup(pmuq_open_results_freep) struct pmuq_open_results *results = NULL;
	size_t index = find_encoding(encodings, next->pmu);
	int r;

	if (index == pmuq_encodings_count(encodings))
		return skip(check, "its name means another PMU's event", NULL, reterr);
	r = pmuq_encodings_test_open(encodings, NULL, &results, reterr);
	if (r < 0)
		return r;
	return pq_check_add(check, pmuq_open_results_get(results, index), reterr);
}

PQ_API int pmuq_check_next(struct pmuq_check *check, struct pmuq_error **reterr)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const struct pmuq_check_result *next = pq_check_next(check);
	const struct pmuq_catalog *catalog = pq_check_catalog(check);
	int r;

	if (!next || !catalog)
		return 0;
	r = pmuq_catalog_encode(catalog, next->event_string.p, NULL, &encodings, &error);
	if (r == -PMUQ_E_MEMORY)
		return pq_fail_memory(reterr);
	if (r < 0)
		return skip(check, error->message.p, error->hint.p, reterr);
	return open_event(check, next, encodings, reterr);
}

PQ_API const char *pmuq_check_upcoming(const struct pmuq_check *check)
{
	const struct pmuq_check_result *next = pq_check_next(check);

	return next ? next->event_string.p : NULL;
}
