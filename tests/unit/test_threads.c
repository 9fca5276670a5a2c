/* SPDX-License-Identifier: MIT */
/*
 * One catalog, sixteen threads: each encodes all events in another order, at the same time as the
 * others, and gets the results of a single thread. A list of strings that the command encodes in a
 * second thread has the same results. ThreadSanitizer (scripts/test.sh) also checks that no thread
 * writes what another one uses.
 */
#include "cli/events/encode_ahead.h"
#include "core/base.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define THREADS 16u
/* Not a multiple of a batch. */
#define AHEAD_STRINGS 5003u

struct shared {
	struct pmuq_catalog *catalog;
	char **strings;
	uint64_t *sums; /* of the result of each string */
	size_t n;
	pthread_barrier_t start;
};

struct job {
	struct shared *shared;
	size_t first;
	size_t n_wrong;
};

static uint64_t mix(uint64_t sum, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		sum = (sum ^ p[i]) * UINT64_C(0x100000001b3);
	return sum;
}

/* A result as a number: attrs, names and CPUs, or the code and its message. */
static uint64_t sum_of(const struct encoded *encoded)
{
	uint64_t sum = 0;

	if (!encoded->encodings) {
		const char *message = encoded->error->message.p;

		return mix(encoded->error->code, message, strlen(message));
	}
	for (size_t i = 0; i < pmuq_encodings_count(encoded->encodings); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encoded->encodings, i);
		const struct pmuq_attr *attr = encoding->attr;

		sum = mix(sum, attr, attr->size);
		sum = mix(sum, encoding->name.p, strlen(encoding->name.p));
		sum = mix(sum, encoding->cpus.p, strlen(encoding->cpus.p));
	}
	return sum;
}

static uint64_t outcome(const struct pmuq_catalog *catalog, const char *text)
{
	struct encoded encoded = { 0 };
	uint64_t sum;

	pmuq_catalog_encode(catalog, text, NULL, &encoded.encodings, &encoded.error);
	sum = sum_of(&encoded);
	pmuq_encodings_free(encoded.encodings);
	pmuq_error_free(encoded.error);
	return sum;
}

static size_t count_events(const struct pmuq_catalog *catalog)
{
	size_t n = 0;

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++)
		n += pmuq_catalog_pmu(catalog, i)->definition->n_events;
	return n;
}

/* Every event by PMU, by its bare name, and with an error. */
static void collect(struct shared *shared)
{
	size_t capacity = count_events(shared->catalog) * 3;

	shared->strings = calloc(capacity, sizeof(*shared->strings));
	shared->sums = calloc(capacity, sizeof(*shared->sums));
	assert_true(shared->strings && shared->sums);
	for (size_t i = 0; i < pmuq_catalog_machine(shared->catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(shared->catalog, i);

		for (size_t k = 0; k < pmu->definition->n_events; k++) {
			const char *event = pmuq_pmu_event(pmu, k)->name.p;

			assert_true(asprintf(&shared->strings[shared->n++], "%s/%s/u", pmu->name.p,
					     event) > 0);
			assert_true(asprintf(&shared->strings[shared->n++], "{%s,cycles}", event) >
				    0);
			assert_true(asprintf(&shared->strings[shared->n++], "%s/%sx/", pmu->name.p,
					     event) > 0);
		}
	}
	for (size_t i = 0; i < shared->n; i++)
		shared->sums[i] = outcome(shared->catalog, shared->strings[i]);
}

static void *encode_all(void *arg)
{
	struct job *job = arg;
	struct shared *shared = job->shared;

	pthread_barrier_wait(&shared->start);
	for (size_t i = 0; i < shared->n; i++) {
		size_t at = (i + job->first) % shared->n;

		job->n_wrong += outcome(shared->catalog, shared->strings[at]) != shared->sums[at];
	}
	return NULL;
}

static struct pmuq_source *open_machine(const char *name)
{
	struct pmuq_source *source = NULL;
	auto_free char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", getenv("PMUQ_TEST_MACHINES"), name) > 0);
	assert_int_equal(pmuq_source_open_tree(path, &source, NULL), 0);
	return source;
}

static struct pmuq_catalog *read_machine(const char *name)
{
	struct pmuq_source *source = open_machine(name);
	struct pmuq_catalog *catalog = NULL;

	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	pmuq_source_free(source);
	return catalog;
}

static void clear(struct shared *shared)
{
	for (size_t i = 0; i < shared->n; i++)
		free(shared->strings[i]);
	free(shared->strings);
	free(shared->sums);
	pmuq_catalog_free(shared->catalog);
}

static void sixteen_threads_get_what_one_gets(void **state)
{
	struct shared shared = { .catalog = read_machine(*state) };
	pthread_t threads[THREADS];
	struct job jobs[THREADS];

	collect(&shared);
	assert_true(shared.n > 100);
	assert_int_equal(pthread_barrier_init(&shared.start, NULL, THREADS), 0);
	for (size_t i = 0; i < THREADS; i++) {
		jobs[i] = (struct job){ .shared = &shared, .first = i * shared.n / THREADS };
		assert_int_equal(pthread_create(&threads[i], NULL, encode_all, &jobs[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(jobs[i].n_wrong, 0);
	}
	pthread_barrier_destroy(&shared.start);
	clear(&shared);
}

/* test_walk_halves.c compares what is read. */
static void a_large_machine_is_read_by_two_threads(void **state)
{
	struct pmuq_catalog *catalog = read_machine(*state);

	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, 1034);
	pmuq_catalog_free(catalog);
}

/* The source reads its files on demand, in the second thread. */
static void strings_that_are_encoded_ahead_have_the_same_results(void **state)
{
	struct shared shared = { .catalog = read_machine(*state) };
	struct pmuq_source *source = open_machine(*state);
	char *texts[AHEAD_STRINGS];
	struct encode_ahead *ahead;

	collect(&shared);
	for (size_t i = 0; i < AHEAD_STRINGS; i++)
		texts[i] = shared.strings[i % shared.n];
	assert_null(encode_ahead_start(source, NULL, texts, 10));
	ahead = encode_ahead_start(source, NULL, texts, AHEAD_STRINGS);
	if (ahead) /* there are several CPUs */
		for (size_t i = 0; i < AHEAD_STRINGS; i++)
			assert_true(sum_of(encode_ahead_next(ahead)) == shared.sums[i % shared.n]);
	encode_ahead_free(ahead);
	pmuq_source_free(source);
	clear(&shared);
}

int main(void)
{
	static char skylake[] = "skylake-sp", alderlake[] = "alderlake-hybrid-k6.12";
	static char large[] = "big-uncore-k6.12";
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(sixteen_threads_get_what_one_gets, skylake),
		cmocka_unit_test_prestate(sixteen_threads_get_what_one_gets, alderlake),
		cmocka_unit_test_prestate(a_large_machine_is_read_by_two_threads, large),
		cmocka_unit_test_prestate(strings_that_are_encoded_ahead_have_the_same_results,
					  skylake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
