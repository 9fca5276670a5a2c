/* SPDX-License-Identifier: MIT */
/*
 * Each query of a machine fails once: for every string of the cases, for every attr that they
 * become, and for completions. The result is then the failure, or the usual one, but never another
 * one.
 */
#include "core/catalog/catalog.h"
#include "core/catalog/source.h"
#include "tests/harness/each_case.h"
#include "tests/harness/vendors_machine.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A completion of all names makes thousands of similar queries. */
#define COMPLETE_QUERIES_MAX 60u

/* A machine that is a catalog, except for one query. */
struct failing {
	struct pmuq_source source;
	struct pq_lookup real;
	unsigned n, fails_at; /* queries so far; the one that fails, from 1 */
};

static int fail_now(struct failing *f, struct pmuq_error **reterr)
{
	return ++f->n == f->fails_at ? pq_fail(reterr, PMUQ_E_TOO_MANY_FILES, "this query fails")
				     : 0;
}

/* clang-format off */
#define QUERY(op, parameters, ...) \
	static int op(void *self, PQ_UNPACK parameters, struct pmuq_error **reterr) \
	{ \
		struct failing *f = self; \
		int r = fail_now(f, reterr); \
	\
		return r < 0 ? r : f->real.ops->op(f->real.self, __VA_ARGS__, reterr); \
	}
#define PQ_UNPACK(...) __VA_ARGS__

QUERY(find_pmu, (struct pmuq_str name, const struct pmuq_pmu **ret), name, ret)
QUERY(list_pmus, (struct pq_pmu_list *ret), ret)
QUERY(core_pmus, (struct pq_pmu_list *ret), ret)
QUERY(find_event, (struct pmuq_str name, struct pq_pmu_list *ret), name, ret)
QUERY(fill, (const struct pmuq_pmu *pmu), pmu)
QUERY(load, (const struct pmuq_pmu *pmu), pmu)
QUERY(format, (const struct pmuq_pmu *pmu, struct pmuq_str name, const struct pmuq_format **ret), pmu, name, ret)
QUERY(event, (const struct pmuq_pmu *pmu, struct pmuq_str name, const struct pmuq_event **ret), pmu, name, ret)
QUERY(event_names, (const struct pmuq_pmu *pmu, struct pq_names *ret), pmu, ret)
QUERY(cap, (const struct pmuq_pmu *pmu, struct pmuq_str name, struct pmuq_str *ret), pmu, name, ret)
QUERY(fact, (enum pq_class_fact fact, struct pmuq_str *ret), fact, ret)
QUERY(tracepoint, (struct pmuq_str subsystem, struct pmuq_str name, uint64_t *ret), subsystem, name, ret)
QUERY(list_tracepoints, (struct pq_arena *arena, struct pmuq_str subsystems, struct pmuq_str names, struct pq_tracepoint_list *ret),
	arena, subsystems, names, ret)
/* clang-format on */

static bool is_live(const void *self)
{
	(void)self;
	return false;
}

static const struct pq_lookup_ops ops = {
	.find_pmu = find_pmu,
	.list_pmus = list_pmus,
	.core_pmus = core_pmus,
	.find_event = find_event,
	.fill = fill,
	.load = load,
	.format = format,
	.event = event,
	.event_names = event_names,
	.cap = cap,
	.fact = fact,
	.tracepoint = tracepoint,
	.list_tracepoints = list_tracepoints,
	.is_live = is_live,
};

static struct failing failing_source(const struct pmuq_catalog *catalog, unsigned fails_at)
{
	return (struct failing){ .real = pq_catalog_lookup(catalog), .fails_at = fails_at };
}

/* The source contains a pointer to its own struct, so this is done where it will stay. */
static struct pmuq_source *source_of(struct failing *f)
{
	f->source.lookup = (struct pq_lookup){ .ops = &ops, .self = f };
	return &f->source;
}

/* Prints that the failed query made a result which is neither the failure nor the usual one. */
#define DIFFERS(f, text, what) fail_msg("%s: query %u fails: %s", (text), (f)->fails_at, (what))

/* ------------------------------------------------------------------------------------- encode */

static bool same_encodings(const struct pmuq_encodings *a, const struct pmuq_encodings *b)
{
	bool is_same = pmuq_encodings_count(a) == pmuq_encodings_count(b);

	for (size_t i = 0; is_same && i < pmuq_encodings_count(a); i++) {
		const struct pmuq_encoding *x = pmuq_encodings_get(a, i);
		const struct pmuq_encoding *y = pmuq_encodings_get(b, i);

		is_same = memcmp(x->attr, y->attr, sizeof(*x->attr)) == 0 &&
			  strcmp(x->cpus.p, y->cpus.p) == 0 && strcmp(x->unit.p, y->unit.p) == 0 &&
			  strcmp(x->scale.p, y->scale.p) == 0 && x->n_warnings == y->n_warnings;
	}
	return is_same;
}

/* An error without its hint is right, too. */
static bool same_error(const struct pmuq_error *a, const struct pmuq_error *b)
{
	return a->code == b->code && strcmp(a->message.p, b->message.p) == 0;
}

/* Whether there was a query that could fail. */
static bool encode_once(const struct pmuq_catalog *catalog, const char *text,
			const struct pmuq_encode_options *options, unsigned fails_at,
			const struct pmuq_encodings *want, const struct pmuq_error *want_error)
{
	struct failing f = failing_source(catalog, fails_at);
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_source_encode(source_of(&f), text, options, &encodings, &error);

	if (r == -PMUQ_E_TOO_MANY_FILES)
		assert_true(f.n >= fails_at && error->code == PMUQ_E_TOO_MANY_FILES);
	else if (r < 0 ? !want_error || !same_error(error, want_error)
		       : !want || !same_encodings(encodings, want))
		DIFFERS(&f, text, r < 0 ? error->message.p : "other encodings");
	pmuq_encodings_free(encodings);
	pmuq_error_free(error);
	return f.n >= fails_at;
}

static void decode_all(const struct pmuq_catalog *catalog, const struct pmuq_encodings *encodings,
		       const struct pmuq_encode_options *options);

static void encode_all(const struct each_case *one)
{
	struct pmuq_encode_options options = one->options;
	struct pmuq_encodings *want = NULL;
	struct pmuq_error *error = NULL;

	options.with_assignments = true;
	pmuq_catalog_encode(one->catalog, one->text, &options, &want, &error);
	for (unsigned n = 1; encode_once(one->catalog, one->text, &options, n, want, error); n++)
		;
	if (want)
		decode_all(one->catalog, want, &options);
	pmuq_encodings_free(want);
	pmuq_error_free(error);
}

/* ------------------------------------------------------------------------------------- decode */

static bool decode_once(const struct pmuq_catalog *catalog, const struct pmuq_attr *attr,
			const struct pmuq_decode_options *options, unsigned fails_at,
			const struct pmuq_decoding *want)
{
	struct failing f = failing_source(catalog, fails_at);
	struct pmuq_decoding *decoding = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_source_decode(source_of(&f), attr, options, &decoding, &error);

	if (r < 0) {
		if (r != -PMUQ_E_TOO_MANY_FILES)
			DIFFERS(&f, want->text.p, error->message.p);
	} else {
		bool is_same = strcmp(decoding->text.p, want->text.p) == 0 &&
			       decoding->n_alternatives == want->n_alternatives &&
			       decoding->n_left == want->n_left;

		if (!is_same)
			DIFFERS(&f, want->text.p, decoding->text.p);
	}
	pmuq_decoding_free(decoding);
	pmuq_error_free(error);
	return f.n >= fails_at;
}

static void decode_all(const struct pmuq_catalog *catalog, const struct pmuq_encodings *encodings,
		       const struct pmuq_encode_options *encoding_options)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, 0);
	struct pmuq_decode_options options = { .size = sizeof(options),
					       .dialect = encoding_options->dialect,
					       .vendor = encoding_options->vendor,
					       .probe_text =
						       encoding ? encoding->probe_text.p : NULL };
	struct pmuq_decoding *want = NULL;

	if (!encoding)
		return;
	assert_int_equal(pmuq_catalog_decode(catalog, encoding->attr, &options, &want, NULL), 0);
	for (unsigned n = 1; decode_once(catalog, encoding->attr, &options, n, want); n++)
		;
	pmuq_decoding_free(want);
}

/* ----------------------------------------------------------------------------------- complete */

static bool complete_once(const struct pmuq_catalog *catalog, const char *text, unsigned fails_at,
			  const struct pmuq_completion *want)
{
	struct failing f = failing_source(catalog, fails_at);
	struct pmuq_completion *completion = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_source_complete(source_of(&f), text, NULL, &completion, &error);

	if (r < 0 && r != -PMUQ_E_TOO_MANY_FILES)
		DIFFERS(&f, text, error->message.p);
	if (r == 0 && (completion->n_candidates != want->n_candidates ||
		       completion->offset != want->offset || completion->cursor != want->cursor))
		DIFFERS(&f, text, "other candidates");
	pmuq_completion_free(completion);
	pmuq_error_free(error);
	return f.n >= fails_at;
}

/* The first half of the string: that ends in names, terms and values. */
static void complete_half(const struct each_case *one)
{
	char *half = strndup(one->text, strlen(one->text) / 2);
	struct failing never = failing_source(one->catalog, 0);
	struct pmuq_completion *want = NULL;

	assert_int_equal(pmuq_source_complete(source_of(&never), half, NULL, &want, NULL), 0);
	for (unsigned n = 1;
	     n <= COMPLETE_QUERIES_MAX && complete_once(one->catalog, half, n, want); n++)
		;
	pmuq_completion_free(want);
	free(half);
}

static void strings_and_their_attrs(void **state)
{
	(void)state;
	each_case("encode", encode_all);
	each_case("presets", encode_all);
	each_case("probes", encode_all);
}

static void strings_that_are_refused(void **state)
{
	(void)state;
	each_case("errors", encode_all);
}

static void names_of_a_vendor(void **state)
{
	struct pmuq_catalog *catalog = test_catalog(vendors_machine, COUNT(vendors_machine));
	struct pmuq_vendor *vendor = test_vendor(vendors_events, COUNT(vendors_events));

	(void)state;
	for (enum pmuq_dialect dialect = 0; dialect <= PMUQ_DIALECT_PERF; dialect++)
		for (size_t i = 0; i < COUNT(vendors_strings); i++)
			encode_all(&(struct each_case){
				.catalog = catalog,
				.text = vendors_strings[i],
				.options = { .size = sizeof(struct pmuq_encode_options),
					     .dialect = dialect,
					     .vendor = vendor } });
	pmuq_vendor_free(vendor);
	pmuq_catalog_free(catalog);
}

static void completions(void **state)
{
	(void)state;
	each_case("encode", complete_half);
	each_case("errors", complete_half);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_and_their_attrs),
		cmocka_unit_test(strings_that_are_refused),
		cmocka_unit_test(names_of_a_vendor),
		cmocka_unit_test(completions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
