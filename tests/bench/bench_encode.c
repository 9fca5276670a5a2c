/* SPDX-License-Identifier: MIT */
/*
 * How fast a loaded catalog encodes, allocation and freeing of the result included, beside
 * libpfm4's pfm_get_os_event_encoding() in the same process and run. Each figure is the best of
 * several rounds, and the two sides take turns, so that a machine that changes speed changes both.
 *
 *     bench_encode MACHINES
 */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 9
#define ROUND_NS 4e6

struct machine {
	const char *name;
	struct pmuq_catalog *catalog;
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void die(const char *what)
{
	fprintf(stderr, "bench_encode: %s\n", what);
	exit(2);
}

static struct pmuq_catalog *load(const char *machines, const char *name)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	char *dir = NULL;

	if (asprintf(&dir, "%s/%s", machines, name) < 0 ||
	    pmuq_source_open_tree(dir, &source, NULL) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, NULL) < 0)
		die(name);
	pmuq_source_free(source);
	free(dir);
	return catalog;
}

/* One encoding of libpfm4: for the CPU it is told of, not the one it runs on. */
static void encode_pfm(const void *text)
{
	struct perf_event_attr attr = { 0 };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };

	if (pfm_get_os_event_encoding(text, PFM_PLM3, PFM_OS_PERF_EVENT, &arg) != PFM_SUCCESS)
		die("libpfm4 refuses the event");
}

struct ours {
	const struct pmuq_catalog *catalog;
	const char *text;
	size_t n; /* encodings that it gives; 0: it is refused */
};

static void encode_ours(const void *of)
{
	const struct ours *ours = of;
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_catalog_encode(ours->catalog, ours->text, NULL, &encodings, &error) < 0)
		pmuq_error_free(error);
	else
		pmuq_encodings_free(encodings);
}

/* The time of one call, over as many as fill a round. */
static double round_of(void (*call)(const void *), const void *of)
{
	double start = now_ns(), elapsed;
	unsigned n = 0;

	do {
		for (int i = 0; i < 100; i++)
			call(of);
		n += 100;
		elapsed = now_ns() - start;
	} while (elapsed < ROUND_NS);
	return elapsed / n;
}

/* Best times of ours and of the floor, in turns. */
static void measure(const struct ours *ours, const char *pfm, double *ret_ours, double *ret_pfm)
{
	*ret_ours = *ret_pfm = 1e18;
	for (int i = 0; i < ROUNDS; i++) {
		double a = round_of(encode_ours, ours), b = round_of(encode_pfm, pfm);

		*ret_ours = a < *ret_ours ? a : *ret_ours;
		*ret_pfm = b < *ret_pfm ? b : *ret_pfm;
	}
}

static size_t count(const struct pmuq_catalog *catalog, const char *text)
{
	struct pmuq_encodings *encodings = NULL;
	size_t n;

	if (pmuq_catalog_encode(catalog, text, NULL, &encodings, NULL) < 0)
		return 0;
	n = pmuq_encodings_count(encodings);
	pmuq_encodings_free(encodings);
	return n;
}

int main(int argc, char **argv)
{
	static const char pfm_event[] = "skx::INST_RETIRED:u";
	static const char *const texts[] = {
		"cpu/event=0x2,inv,ldlat=3/",
		"cycles:u",
		"L1-dcache-load-misses",
		"page-faults:u",
		"cpu/mem-loads,ldlat=30/",
		"cas_count_read",
		"uncore_imc/cas_count_read/",
		"r1a:u",
		"msr/tsc/",
		"{cycles,instructions}:S",
		"cpu/umsk=1/",
		"cylces",
	};
	struct machine machines[] = { { .name = "skylake-sp" },
				      { .name = "big-uncore-k6.12" },
				      { .name = "core2-merom" } };
	double first = 0;

	if (argc != 2)
		die("usage: bench_encode MACHINES");
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS)
		die("libpfm4 does not start");
	printf("%-28s %-18s %6s %10s %10s %12s %10s\n", "event", "machine", "gives", "ns",
	       "libpfm4 ns", "libpfm4/ours", "of first");
	for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++)
		for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++) {
			struct ours ours = { .text = texts[t] };
			double mine, pfm;

			if (!machines[m].catalog)
				machines[m].catalog = load(argv[1], machines[m].name);
			ours.catalog = machines[m].catalog;
			ours.n = count(ours.catalog, ours.text);
			measure(&ours, pfm_event, &mine, &pfm);
			first = first > 0 ? first : mine;
			printf("%-28s %-18s %6zu %10.1f %10.1f %12.2f %10.2f\n", texts[t],
			       machines[m].name, ours.n, mine, pfm, pfm / mine, mine / first);
		}
	for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++)
		pmuq_catalog_free(machines[m].catalog);
	pfm_terminate();
	return 0;
}
