/* SPDX-License-Identifier: MIT */
/*
 * Every event of a machine, one after the other: encoded as its string means it, and opened, both
 * through the public API. The answers are core/catalog/check.h's; nothing stays open between two
 * events.
 */
#include "core/catalog/catalog.h"
#include "core/catalog/check.h"

static void freep(struct pmuq_check **check)
{
	pmuq_check_free(*check);
}

static void encodings_freep(struct pmuq_encodings **encodings)
{
	pmuq_encodings_free(*encodings);
}

static void verdicts_freep(struct pmuq_verdicts **verdicts)
{
	pmuq_verdicts_free(*verdicts);
}

static void error_freep(struct pmuq_error **error)
{
	pmuq_error_free(*error);
}

static int expect_named(struct pmuq_check *check, const struct pmuq_pmu *pmu,
			struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < pmuq_pmu_event_count(pmu); i++)
		r = pq_check_expect(check, pmu->name,
				    str_of(pmuq_event_name(pmuq_pmu_event(pmu, i))), false, reterr);
	return r;
}

/* Each PMU that counts it; where a PMU has an event of that name itself, the name means that. */
static int expect_generic(struct pmuq_check *check, const struct pmuq_catalog *catalog,
			  const char *name, struct pmuq_error **reterr)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	int r = pmuq_catalog_encode(catalog, name, NULL, &encodings, NULL);

	if (r < 0)
		return r == -PMUQ_E_MEMORY ? pq_fail_memory(reterr) : 0;
	for (size_t i = 0; r == 0 && i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, i);
		const char *pmu = pmuq_encoding_pmu(encoding);

		if (pmu && pmuq_encoding_origin(encoding) == PMUQ_FROM_GENERIC &&
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

	for (size_t i = 0; r == 0 && i < pmuq_catalog_pmu_count(catalog); i++)
		r = expect_named(check, pmuq_catalog_pmu(catalog, i), reterr);
	for (size_t i = 0; r == 0 && pmuq_generic_name(i, name); i++)
		r = expect_generic(check, catalog, name, reterr);
	return r < 0 ? r : pq_check_index(check, reterr);
}

PQ_API int pmuq_check_begin(const struct pmuq_catalog *catalog, int64_t time_s,
			    struct pmuq_check **ret, struct pmuq_error **reterr)
{
	cleanup(freep) struct pmuq_check *check = NULL;
	int r;

	if (!pmuq_catalog_is_live(catalog))
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

static struct pq_reply reply_of(const struct pmuq_verdicts *verdicts, size_t index)
{
	return (struct pq_reply){
		.status = pmuq_verdict_status(verdicts, index),
		.errnum = pmuq_verdict_errno(verdicts, index),
		.cpus = str_of(pmuq_verdict_cpus(verdicts, index)),
		.name = str_of(pmuq_verdict_name(verdicts, index)),
		.reason = str_of(pmuq_verdict_reason(verdicts, index)),
		.hint = str_of(pmuq_verdict_hint(verdicts, index)),
		.change = str_of(pmuq_verdict_change(verdicts, index)),
	};
}

/* A string may mean events of other PMUs, too. */
static size_t find_encoding(const struct pmuq_encodings *encodings, struct pmuq_str pmu)
{
	size_t n = pmuq_encodings_count(encodings);

	for (size_t i = 0; i < n; i++)
		if (str_eq(str_of(pmuq_encoding_pmu(pmuq_encodings_get(encodings, i))), pmu))
			return i;
	return n;
}

static int skip(struct pmuq_check *check, const char *reason, const char *hint,
		struct pmuq_error **reterr)
{
	const struct pq_reply reply = {
		.status = PMUQ_SKIPPED,
		.reason = str_of(reason),
		.hint = str_of(hint),
	};

	return pq_check_answer(check, &reply, reterr);
}

static int ask(struct pmuq_check *check, const struct pmuq_answer *next,
	       const struct pmuq_encodings *encodings, struct pmuq_error **reterr)
{
	cleanup(verdicts_freep) struct pmuq_verdicts *verdicts = NULL;
	size_t index = find_encoding(encodings, next->pmu);
	struct pq_reply reply;
	int r;

	if (index == pmuq_encodings_count(encodings))
		return skip(check, "its name means another PMU's event", NULL, reterr);
	r = pmuq_encodings_test_open(encodings, NULL, &verdicts, reterr);
	if (r < 0)
		return r;
	reply = reply_of(verdicts, index);
	return pq_check_answer(check, &reply, reterr);
}

PQ_API int pmuq_check_next(struct pmuq_check *check, struct pmuq_error **reterr)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	const struct pmuq_answer *next = pq_check_next(check);
	const struct pmuq_catalog *catalog = pq_check_catalog(check);
	int r;

	if (!next || !catalog)
		return 0;
	r = pmuq_catalog_encode(catalog, next->string.p, NULL, &encodings, &error);
	if (r == -PMUQ_E_MEMORY)
		return pq_fail_memory(reterr);
	if (r < 0)
		return skip(check, pmuq_error_message(error), pmuq_error_hint(error), reterr);
	return ask(check, next, encodings, reterr);
}

PQ_API const char *pmuq_check_upcoming(const struct pmuq_check *check)
{
	const struct pmuq_answer *next = pq_check_next(check);

	return next ? next->string.p : NULL;
}
