/* SPDX-License-Identifier: MIT */
/*
 * Test opens per second: pmuq_encodings_test_open() of cpu-clock, result and freeing included,
 * compared with a bare loop of the same perf_event_open(2) and close(2). The two sides take
 * turns in short rounds, and the best of each counts. Nothing is enabled.
 *
 *     bench_open
 */
#include <pmuq/pmuq.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/bench/bench.h"

#define PAIRS 401
#define ROUND_US 500
#define CLOEXEC_FLAG (1ul << 3)

/* Events in one call. */
static const unsigned sizes[] = { 1, 16, 256 };

static void open_ours(const struct pmuq_encodings *encodings)
{
	struct pmuq_open_results *results = NULL;

	if (pmuq_encodings_test_open(encodings, NULL, &results, NULL) < 0 ||
	    pmuq_open_results_get(results, 0)->status != PMUQ_OPENED)
		bench_die("the kernel refuses cpu-clock");
	pmuq_open_results_free(results);
}

static void open_bare(const struct pmuq_encodings *encodings)
{
	struct pmuq_attr attr = { 0 };
	size_t n = pmuq_encodings_count(encodings);

	memcpy(&attr, pmuq_encodings_get(encodings, 0)->attr, 64);
	attr.disabled = 1;
	for (size_t i = 0; i < n; i++) {
		long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, CLOEXEC_FLAG);

		if (fd < 0)
			bench_die("the kernel refuses cpu-clock");
		close((int)fd);
	}
}

/* Microseconds of one event. */
static double round_of(void (*call)(const struct pmuq_encodings *),
		       const struct pmuq_encodings *encodings)
{
	double start = bench_now_us(), elapsed;
	size_t n = 0;

	do {
		call(encodings);
		n += pmuq_encodings_count(encodings);
		elapsed = bench_now_us() - start;
	} while (elapsed < ROUND_US);
	return elapsed / (double)n;
}

static void measure(const struct pmuq_encodings *encodings)
{
	double ours_us = 0, bare_us = 0;
	char name[64];

	for (int i = 0; i < PAIRS; i++) {
		ours_us = bench_best(ours_us, round_of(open_ours, encodings));
		bare_us = bench_best(bare_us, round_of(open_bare, encodings));
	}
	snprintf(name, sizeof(name), "test-opens of cpu-clock:u, %zu a call",
		 pmuq_encodings_count(encodings));
	bench_line(name, "/s", 1e6 / ours_us, 1e6 / bare_us);
}

static struct pmuq_encodings *encode(struct pmuq_source *source, unsigned n)
{
	struct pmuq_encodings *encodings = NULL;
	char text[256 * sizeof("cpu-clock:u,")] = "cpu-clock:u";

	for (unsigned i = 1; i < n; i++)
		strcat(text, ",cpu-clock:u");
	if (pmuq_source_encode(source, text, NULL, &encodings, NULL) < 0)
		bench_die("cpu-clock cannot be encoded");
	return encodings;
}

int main(void)
{
	struct pmuq_source *source = NULL;

	if (pmuq_source_open_live(&source, NULL) < 0)
		bench_die("this machine cannot be read");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct pmuq_encodings *encodings = encode(source, sizes[i]);

		measure(encodings);
		pmuq_encodings_free(encodings);
	}
	pmuq_source_free(source);
	return 0;
}
