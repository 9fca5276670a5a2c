/* SPDX-License-Identifier: MIT */
/*
 * The speed of encoding with a loaded catalog, allocation and freeing of the result included,
 * compared with libpfm4's pfm_get_os_event_encoding() of one event, in the same process and run.
 * The two sides take turns in short rounds; the ratio is the median of the pairs, so that a machine
 * that changes speed changes both.
 *
 *     bench_encode MACHINES
 */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <string.h>

#include "tests/bench/bench_machine.h"

#define PAIRS 41
#define ROUND_US 500
#define PEER_EVENT "skx::INST_RETIRED:u"

static struct pmuq_catalog *load(const char *machines, const char *name)
{
	struct pmuq_catalog *catalog;
	char *dir = NULL;

	if (asprintf(&dir, "%s/%s", machines, name) < 0)
		bench_die(name);
	catalog = bench_read_machine(dir);
	free(dir);
	return catalog;
}

struct ours {
	const struct pmuq_catalog *catalog;
	const char *text;
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

/* For the CPU that the event names, not the one it runs on. */
static void encode_peer(const void *text)
{
	struct perf_event_attr attr = { 0 };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };

	if (pfm_get_os_event_encoding(text, PFM_PLM3, PFM_OS_PERF_EVENT, &arg) != PFM_SUCCESS)
		bench_die("libpfm4 refuses " PEER_EVENT);
}

/* Microseconds of one call, averaged over a round. */
static double round_of(void (*call)(const void *), const void *of)
{
	double start = bench_now_us(), elapsed;
	unsigned n = 0;

	do {
		for (int i = 0; i < 50; i++)
			call(of);
		n += 50;
		elapsed = bench_now_us() - start;
	} while (elapsed < ROUND_US);
	return elapsed / n;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

struct result {
	double ours_ns, peer_ns, ratio; /* the peer's time divided by pmuq's */
};

static struct result measure(void (*a)(const void *), const void *of_a, void (*b)(const void *),
			     const void *of_b)
{
	struct result best = { 0 };
	double ratios[PAIRS];

	for (int i = 0; i < PAIRS; i++) {
		double ours = round_of(a, of_a) * 1e3, peer = round_of(b, of_b) * 1e3;

		best.ours_ns = bench_best(best.ours_ns, ours);
		best.peer_ns = bench_best(best.peer_ns, peer);
		ratios[i] = peer / ours;
	}
	qsort(ratios, PAIRS, sizeof(*ratios), compare_doubles);
	best.ratio = ratios[PAIRS / 2];
	return best;
}

static size_t count(const struct ours *ours)
{
	struct pmuq_encodings *encodings = NULL;
	size_t n;

	if (pmuq_catalog_encode(ours->catalog, ours->text, NULL, &encodings, NULL) < 0)
		return 0;
	n = pmuq_encodings_count(encodings);
	pmuq_encodings_free(encodings);
	return n;
}

static void against_libpfm4(struct pmuq_catalog *const *catalogs, const char *const *machines,
			    size_t n)
{
	static const char *const texts[] = {
		"cpu/event=0x2,inv,ldlat=3/",
		"cycles:u",
		"L1-dcache-load-misses",
		"page-faults:u",
		"cpu/mem-loads,ldlat=30/",
		"cas_count_read",
		"r1a:u",
		"{cycles,instructions}:S",
	};

	printf("against libpfm4's " PEER_EVENT "; ratio: libpfm4 / ours\n");
	printf("%-28s %-18s %6s %9s %9s %7s\n", "event", "machine", "gives", "ns", "peer ns",
	       "ratio");
	for (size_t t = 0; t < sizeof(texts) / sizeof(*texts); t++)
		for (size_t m = 0; m < n; m++) {
			struct ours ours = { .catalog = catalogs[m], .text = texts[t] };
			struct result r = measure(encode_ours, &ours, encode_peer, PEER_EVENT);

			if (count(&ours))
				printf("%-28s %-18s %6zu %9.0f %9.0f %7.2f\n", texts[t],
				       machines[m], count(&ours), r.ours_ns, r.peer_ns, r.ratio);
		}
}

/* Without a peer: the cost of a generic name, an instance and a refusal, as multiples of a plain
 * event.
 */
static void against_plain(const struct pmuq_catalog *large)
{
	static const struct {
		const char *what, *text;
	} rows[] = {
		{ "cycles:u, large", "cycles:u" },
		{ "L1-dcache-load-misses, large", "L1-dcache-load-misses" },
		{ "cas_count_read, large, all instances", "cas_count_read" },
		{ "refusal: cpu/umsk=1/, large", "cpu/umsk=1/" },
		{ "refusal: cylces, large", "cylces" },
	};
	struct ours plain = { .catalog = large, .text = "cpu/event=0x2,inv,ldlat=3/" };

	printf("\nagainst cpu/event=0x2,inv,ldlat=3/ of the same machine; ratio: ours / plain\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct ours ours = { .catalog = large, .text = rows[i].text };
		struct result r = measure(encode_ours, &ours, encode_ours, &plain);
		size_t n = count(&ours);

		printf("%-36s %9.0f %9.0f %7.2f", rows[i].what, r.ours_ns, r.peer_ns, 1 / r.ratio);
		if (n > 1)
			printf("  (%.3f an instance)", 1 / r.ratio / (double)n);
		printf("\n");
	}
}

/* The same strings on a machine with 86 times as many PMUs; the last is a bare alias of one of
 * them.
 */
static void against_small(const struct pmuq_catalog *small, const struct pmuq_catalog *large)
{
	static const char *const texts[] = { "cycles:u", "L1-dcache-load-misses", "cpu-cycles" };

	printf("\n%zu PMUs against %zu; ratio: large / small\n",
	       pmuq_catalog_machine(large)->n_pmus, pmuq_catalog_machine(small)->n_pmus);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct ours a = { .catalog = large, .text = texts[i] };
		struct ours b = { .catalog = small, .text = texts[i] };
		struct result r = measure(encode_ours, &a, encode_ours, &b);

		printf("%-36s %9.0f %9.0f %7.2f\n", texts[i], r.ours_ns, r.peer_ns, 1 / r.ratio);
	}
}

int main(int argc, char **argv)
{
	static const char *const machines[] = { "skylake-sp", "big-uncore-k6.12", "zen3-epyc" };
	struct pmuq_catalog *catalogs[3];

	if (argc != 2)
		bench_die("usage: bench_encode MACHINES");
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS)
		bench_die("libpfm4 does not start");
	for (size_t m = 0; m < 3; m++)
		catalogs[m] = load(argv[1], machines[m]);
	against_libpfm4(catalogs, machines, 2);
	against_plain(catalogs[1]);
	against_small(catalogs[2], catalogs[1]);
	for (size_t m = 0; m < 3; m++)
		pmuq_catalog_free(catalogs[m]);
	pfm_terminate();
	return 0;
}
