/* SPDX-License-Identifier: MIT */
/*
 * The cost of libpfm4's names through the helper: a batch of 10,000 of them, from all of its PMUs
 * in equal steps, compared with pfm_get_os_event_encoding() of the same names in this process,
 * canonical strings included. The library gets the same machine on both sides
 * (pfm/helper/pfm_host.c). The two take turns; the ratio is the median of the pairs.
 *
 * Then the first name, with start and end of the helper, compared with a process that only starts
 * libpfm4: this program without an argument.
 *
 *     bench_pfm HELPER
 */
#include "pfm/helper/pfm_host.h"
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pmuq/pmuq.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/bench/bench.h"

#define PAIRS 21
#define BATCH 10000u
#define ALL_MAX 200000u

static char *all[ALL_MAX];
static const char *batch[BATCH];

static bool encode_one(const char *name)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char *canonical = NULL;
	pfm_perf_encode_arg_t arg = { .attr = &attr, .fstr = &canonical, .size = sizeof(arg) };
	int r = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg);

	free(canonical);
	return r == PFM_SUCCESS;
}

static void add_name(size_t *n, const char *pmu, const char *event, const char *umask)
{
	if (*n == ALL_MAX ||
	    asprintf(&all[*n], "%s::%s%s%s", pmu, event, umask ? ":" : "", umask ? umask : "") < 0)
		bench_die("too many names");
	if (encode_one(all[*n]))
		(*n)++;
	else
		free(all[*n]);
}

static void add_event(size_t *n, const char *pmu, const struct pmuq_pfm_event *event)
{
	add_name(n, pmu, event->name.p, NULL);
	for (size_t i = 0; i < event->n_attributes; i++)
		if (pmuq_pfm_event_attribute(event, i)->type == PMUQ_PFM_UMASK)
			add_name(n, pmu, event->name.p, pmuq_pfm_event_attribute(event, i)->name.p);
}

static size_t list_names(struct pmuq_pfm *pfm)
{
	struct pmuq_pfm_pmus *pmus = NULL;
	size_t n = 0;

	if (pmuq_pfm_list_pmus(pfm, &pmus, NULL) < 0)
		bench_die("the helper sends no result");
	for (size_t i = 0; i < pmuq_pfm_pmus_count(pmus); i++) {
		const char *pmu = pmuq_pfm_pmus_get(pmus, i)->name.p;
		struct pmuq_pfm_events *events = NULL;

		if (pmuq_pfm_list_events(pfm, pmu, true, &events, NULL) < 0)
			bench_die(pmu);
		for (size_t e = 0; e < pmuq_pfm_events_count(events); e++)
			add_event(&n, pmu, pmuq_pfm_events_get(events, e));
		pmuq_pfm_events_free(events);
	}
	pmuq_pfm_pmus_free(pmus);
	return n;
}

static double time_ours(struct pmuq_pfm *pfm)
{
	struct pmuq_pfm_encodings *encodings = NULL;
	double start = bench_now_us();

	if (pmuq_pfm_encode(pfm, NULL, batch, BATCH, &encodings, NULL) < 0)
		bench_die("the helper sends no result");
	for (size_t i = 0; i < BATCH; i++)
		if (pmuq_pfm_encodings_get(encodings, i)->error)
			bench_die(batch[i]);
	pmuq_pfm_encodings_free(encodings);
	return (bench_now_us() - start) / BATCH;
}

static double time_peer(void)
{
	double start = bench_now_us();

	for (size_t i = 0; i < BATCH; i++)
		if (!encode_one(batch[i]))
			bench_die(batch[i]);
	return (bench_now_us() - start) / BATCH;
}

static int compare(const void *of_a, const void *of_b)
{
	const double *a = of_a, *b = of_b;

	return (*a > *b) - (*a < *b);
}

/* The median of the ratios is printed next to pmuq's best time. */
static void print_pairs(const char *name, double best_us, double ratios[PAIRS])
{
	qsort(ratios, PAIRS, sizeof(*ratios), compare);
	bench_line(name, "us", best_us, best_us / ratios[PAIRS / 2]);
}

static void measure_batch(struct pmuq_pfm *pfm)
{
	double ratios[PAIRS], best_us = 0;

	for (size_t i = 0; i < PAIRS; i++) {
		double ours_us = time_ours(pfm);

		ratios[i] = ours_us / time_peer();
		best_us = bench_best(best_us, ours_us);
	}
	print_pairs("a libpfm4 name, 10,000 a batch", best_us, ratios);
}

static double time_first(const char *helper)
{
	struct pmuq_pfm_options options = { .size = sizeof(options), .helper = helper };
	struct pmuq_pfm_encodings *encodings = NULL;
	struct pmuq_pfm *pfm = NULL;
	double start = bench_now_us();

	if (pmuq_pfm_open(&options, &pfm, NULL) < 0 ||
	    pmuq_pfm_encode(pfm, NULL, batch, 1, &encodings, NULL) < 0)
		bench_die("the helper does not start");
	pmuq_pfm_encodings_free(encodings);
	pmuq_pfm_free(pfm);
	return bench_now_us() - start;
}

static double time_start_of_libpfm4(char *program)
{
	char *words[] = { program, NULL }, *environment[] = { NULL };
	double start = bench_now_us();
	int status = -1;
	pid_t pid;

	if (posix_spawn(&pid, program, NULL, NULL, words, environment) ||
	    waitpid(pid, &status, 0) < 0 || status)
		bench_die("a process with libpfm4 does not start");
	return bench_now_us() - start;
}

static void measure_first(const char *helper, char *program)
{
	double ratios[PAIRS], best_us = 0;

	for (size_t i = 0; i < PAIRS; i++) {
		double ours_us = time_first(helper);

		ratios[i] = ours_us / time_start_of_libpfm4(program);
		best_us = bench_best(best_us, ours_us);
	}
	print_pairs("the first libpfm4 name, helper included", best_us, ratios);
}

int main(int argc, char **argv)
{
	struct pmuq_pfm_options options = { .size = sizeof(options), .helper = argv[argc - 1] };
	struct pmuq_pfm *pfm = NULL;
	size_t n;

	if (argc == 1)
		return pfm_initialize() != PFM_SUCCESS;
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS || pmuq_pfm_open(&options, &pfm, NULL) < 0)
		bench_die("libpfm4 does not start");
	n = list_names(pfm);
	if (n < BATCH)
		bench_die("too few names");
	for (size_t i = 0; i < BATCH; i++)
		batch[i] = all[i * n / BATCH];
	measure_batch(pfm);
	measure_first(options.helper, argv[0]);
	pmuq_pfm_free(pfm);
	return 0;
}
