/* SPDX-License-Identifier: MIT */
/*
 * Reading samples from ring buffers: pmuq_samples_next() and pmuq_samples_parse() against a loop
 * that knows the layout of the samples by heart. Each page fault is a sample; both read the same
 * number.
 */
#include <linux/perf_event.h>
#include <pmuq/pmuq.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/bench/bench.h"

#define SAMPLES 8000
#define BUFFER_BYTES ((size_t)1 << 20)
#define PAGE_BYTES 4096
#define PAIRS 101
#define SKIPPED 77

/* The samples of PMUQ_PRESET_SAMPLE with a period. */
struct known_sample {
	struct perf_event_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time;
};

static void touch_pages(void)
{
	size_t bytes = (size_t)SAMPLES * PAGE_BYTES;
	char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		bench_die("mmap");
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < bytes; at += PAGE_BYTES)
		memory[at] = 1;
	munmap(memory, bytes);
}

static struct pmuq_opened *open_touches(struct pmuq_source *source)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .preset = PMUQ_PRESET_SAMPLE };
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_opened *opened = NULL;

	if (pmuq_source_encode(source, "page-faults/period=1/u", &options, &encodings, NULL) < 0 ||
	    pmuq_encodings_open(encodings, NULL, &opened, NULL) < 0)
		bench_die("open");
	pmuq_encodings_free(encodings);
	return opened;
}

static void record_touches(struct pmuq_opened *opened)
{
	if (pmuq_opened_enable(opened, NULL) < 0)
		bench_die("enable");
	touch_pages();
	pmuq_opened_disable(opened, NULL);
}

static double ours_ns(struct pmuq_opened *opened, struct pmuq_samples *samples)
{
	const struct pmuq_sample_record *record;
	struct pmuq_sample sample = { .size = sizeof(sample) };
	uint64_t sum = 0;
	size_t n = 0;
	double start;

	record_touches(opened);
	start = bench_now_us();
	for (; (record = pmuq_samples_next(samples)); n++)
		if (pmuq_samples_parse(samples, record, &sample))
			sum += sample.ip + sample.time_ns;
	start = bench_now_us() - start;
	if (n < SAMPLES || !sum)
		bench_die("samples");
	return start * 1e3 / (double)n;
}

static double peer_ns(struct pmuq_opened *opened, struct perf_event_mmap_page *page)
{
	const char *data = (const char *)page + PAGE_BYTES;
	uint64_t head, tail = page->data_tail, sum = 0;
	struct known_sample sample;
	size_t n = 0;
	double start;

	record_touches(opened);
	start = bench_now_us();
	head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	for (; tail < head; n++) {
		size_t at = tail & (BUFFER_BYTES - 1);
		size_t first =
			BUFFER_BYTES - at < sizeof(sample) ? BUFFER_BYTES - at : sizeof(sample);

		memcpy(&sample, data + at, first);
		memcpy((char *)&sample + first, data, sizeof(sample) - first);
		sum += sample.ip + sample.time;
		tail += sample.header.size;
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
	start = bench_now_us() - start;
	if (n < SAMPLES || !sum)
		bench_die("samples of the peer");
	return start * 1e3 / (double)n;
}

int main(void)
{
	struct pmuq_target target = { .size = sizeof(target) };
	struct pmuq_source *source = NULL;
	struct pmuq_samples *samples = NULL;
	struct pmuq_opened *ours, *peers;
	double our_best = 0, peer_best = 0;
	void *page;

	if (pmuq_source_open_live(&source, NULL) < 0)
		bench_die("source");
	ours = open_touches(source);
	peers = open_touches(source);
	if (!pmuq_opened_target(peers, 0, 0, &target)) {
		fprintf(stderr, "page faults cannot be sampled here\n");
		return SKIPPED;
	}
	page = mmap(NULL, BUFFER_BYTES + PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, target.fd,
		    0);
	if (page == MAP_FAILED || pmuq_opened_sample(ours, BUFFER_BYTES, &samples, NULL) < 0)
		bench_die("buffer");
	for (int i = 0; i < PAIRS; i++) {
		our_best = bench_best(our_best, ours_ns(ours, samples));
		peer_best = bench_best(peer_best, peer_ns(peers, page));
	}
	bench_line("a sample from its ring buffer", "ns", our_best, peer_best);
	pmuq_samples_free(samples);
	munmap(page, BUFFER_BYTES + PAGE_BYTES);
	pmuq_opened_free(ours);
	pmuq_opened_free(peers);
	pmuq_source_free(source);
	return 0;
}
