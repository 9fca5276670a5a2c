/* SPDX-License-Identifier: MIT */
/*
 * The ring buffers of opened events: which events share one, the order of the records of all rings,
 * and what the kernel may overwrite. The kernel is a fake whose rings the tests fill.
 */
#include "core/attr/attr.h"
#include "core/flags.h"
#include "open/open.h"
#include "open/samples/samples.h"
#include "tests/harness/failing_malloc.h"
#include "tests/harness/fake_kernel.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#define TYPES                                                                                      \
	(PQ_SAMPLE_IDENTIFIER | PQ_SAMPLE_IP | PQ_SAMPLE_TID | PQ_SAMPLE_TIME | PQ_SAMPLE_PERIOD)

static const struct pmuq_attr clock_attr = {
	.type = PQ_TYPE_SOFTWARE, .sample_period = 1000, .sample_type = TYPES, .sample_id_all = 1
};
static const struct pmuq_attr other_attr = { .type = PQ_TYPE_SOFTWARE,
					     .config = 2,
					     .sample_period = 1,
					     .sample_type = TYPES | PQ_SAMPLE_ADDR,
					     .sample_id_all = 1 };
static const struct pmuq_attr counting_attr = { .type = PQ_TYPE_SOFTWARE };

#define REQUEST(a)                                                                                 \
	{                                                                                          \
		.attr = &(a), .cpus = ""                                                           \
	}

struct fixture {
	struct fake_kernel kernel;
	struct fake_host host;
	struct pq_open_scope scope;
	struct pmuq_opened *opened;
	struct pmuq_samples *samples;
};

static void open_all(struct fixture *fixture, const struct pq_open_request *requests, size_t n)
{
	const struct pq_opener opener = {
		fake_kernel_interface(&fixture->kernel),
		fake_host_interface(&fixture->host),
		fixture->scope,
	};

	assert_int_equal(pq_open_to_stay(&opener, requests, n, &fixture->opened, NULL), 0);
}

static void start(struct fixture *fixture, const struct pq_open_request *requests, size_t n)
{
	struct pmuq_error *error = NULL;

	open_all(fixture, requests, n);
	if (pmuq_opened_sample(fixture->opened, pq_page_bytes(), &fixture->samples, &error) < 0)
		fail_msg("%s", error->message.p);
}

static void release(struct fixture *fixture)
{
	pmuq_samples_free(fixture->samples);
	pmuq_opened_free(fixture->opened);
	assert_int_equal(fixture->kernel.n_open, 0);
	assert_int_equal(fixture->kernel.n_mapped, fixture->kernel.n_unmapped);
	if (fixture->kernel.misuse)
		fail_msg("%s", fixture->kernel.misuse);
}

static uint64_t id_of(const struct fixture *fixture, size_t index, size_t target)
{
	struct pmuq_target found = { .size = sizeof(found) };

	assert_true(pmuq_opened_target(fixture->opened, index, target, &found));
	return found.id;
}

/* Writes a record as the kernel does. False: it does not fit. */
static bool write_record(struct fixture *fixture, size_t ring, uint32_t type, const uint64_t *words,
			 size_t n)
{
	struct perf_event_mmap_page *page = fixture->kernel.rings[ring];
	char *data = (char *)page + pq_page_bytes();
	struct perf_event_header header = {
		.type = type,
		.size = (uint16_t)(sizeof(header) + n * sizeof(*words)),
	};
	size_t bytes = pq_page_bytes();

	if (page->data_head + header.size - page->data_tail > bytes)
		return false;
	for (size_t i = 0; i < header.size; i++)
		data[(page->data_head + i) % bytes] =
			i < sizeof(header) ? ((const char *)&header)[i]
					   : ((const char *)words)[i - sizeof(header)];
	page->data_head += header.size;
	return true;
}

static bool write_sample(struct fixture *fixture, size_t ring, uint64_t id, uint64_t time)
{
	const uint64_t words[] = { id, 0x1234, 7, time, 1000 };

	return write_record(fixture, ring, PERF_RECORD_SAMPLE, words, COUNT(words));
}

static void start_with(struct fixture *fixture, const struct pq_open_request *requests, size_t n,
		       size_t bytes)
{
	open_all(fixture, requests, n);
	assert_int_equal(pmuq_opened_sample(fixture->opened, bytes, &fixture->samples, NULL), 0);
}

/* The data follow the page that the kernel shares, whatever their size is. */
static void a_ring_may_have_many_pages(void **state)
{
	const struct pq_open_request request = REQUEST(clock_attr);
	struct fixture fixture = { 0 };

	(void)state;
	start_with(&fixture, &request, 1, 4 * pq_page_bytes());
	write_sample(&fixture, 0, 0, 10);
	assert_int_equal(pmuq_samples_next(fixture.samples)->time_ns, 10);
	release(&fixture);
}

static void a_ring_of_any_size_is_refused_by_the_kernel_at_most(void **state)
{
	const struct pq_open_request request = REQUEST(clock_attr);
	struct fixture fixture = { .kernel.map_errnum = ENOMEM };

	(void)state;
	open_all(&fixture, &request, 1);
	assert_int_equal(
		pmuq_opened_sample(fixture.opened, SIZE_MAX, &fixture.samples, NULL),
		-PMUQ_E_NO_SAMPLES);
	release(&fixture);
}

static void records_of_all_rings_come_in_the_order_of_time(void **state)
{
	const struct pq_open_request request = REQUEST(clock_attr);
	struct fixture fixture = { .scope = { .cpus = "0-2" } };
	const struct pmuq_sample_record *record;
	uint64_t time = 1, expected = 1;
	unsigned random = 1;

	(void)state;
	start(&fixture, &request, 1);
	assert_int_equal(fixture.kernel.n_mapped, 3);
	for (unsigned batch = 0; batch < 200; batch++) {
		/* The rings are of one page, so the records go across their ends. */
		for (unsigned i = 0; i < batch % 60; i++) {
			random = random * 1103515245 + 12345;
			assert_true(write_sample(&fixture,
						 random >> 16 & 1   ? 0
						 : random >> 20 & 1 ? 1
								    : 2,
						 0, time++));
		}
		while ((record = pmuq_samples_next(fixture.samples))) {
			struct pmuq_sample sample = { .size = sizeof(sample) };

			assert_int_equal(record->time_ns, expected++);
			assert_int_equal(record->data_bytes, 48);
			assert_int_equal(record->index, 0);
			assert_true(pmuq_samples_parse(fixture.samples, record, &sample));
			assert_int_equal(sample.time_ns, record->time_ns);
			assert_int_equal(sample.ip, 0x1234);
			assert_int_equal(sample.period, 1000);
		}
		assert_int_equal(expected, time);
	}
	assert_int_equal(pmuq_samples_lost(fixture.samples), 0);
	release(&fixture);
}

static void records_that_cannot_be_distinguished_have_rings_of_their_own(void **state)
{
	struct pmuq_attr no_id_all = clock_attr, no_id = clock_attr;
	const struct pq_open_request others[] = { REQUEST(no_id_all), REQUEST(no_id) };

	(void)state;
	no_id_all.sample_id_all = 0;
	no_id.sample_type &= ~(uint64_t)PQ_SAMPLE_IDENTIFIER;
	for (size_t i = 0; i < COUNT(others); i++) {
		const struct pq_open_request requests[] = { REQUEST(clock_attr), others[i] };
		struct fixture fixture = { 0 };

		start(&fixture, requests, 2);
		assert_int_equal(fixture.kernel.n_mapped, 2);
		assert_int_equal(fixture.kernel.n_redirected, 0);
		release(&fixture);
	}
}

/* In a ring that events share, each has its own fields. */
static void the_time_is_where_the_event_of_a_record_has_it(void **state)
{
	const struct pmuq_attr short_attr = { .type = PQ_TYPE_SOFTWARE,
					      .sample_period = 1,
					      .sample_type =
						      PQ_SAMPLE_IDENTIFIER | PQ_SAMPLE_TIME,
					      .sample_id_all = 1 };
	const struct pq_open_request requests[] = { REQUEST(clock_attr), REQUEST(short_attr) };
	struct fixture fixture = { 0 };
	uint64_t words[] = { 0, 55 };

	(void)state;
	start(&fixture, requests, 2);
	assert_int_equal(fixture.kernel.n_mapped, 1);
	words[0] = id_of(&fixture, 1, 0);
	write_record(&fixture, 0, PERF_RECORD_SAMPLE, words, COUNT(words));
	assert_int_equal(pmuq_samples_next(fixture.samples)->time_ns, 55);
	release(&fixture);
}

static void an_older_caller_gets_the_fields_that_it_knows(void **state)
{
	enum { OLDER = offsetof(struct pmuq_sample, stack) };
	const struct pq_open_request request = REQUEST(clock_attr);
	const struct pmuq_sample unknown = { .stack = "unknown", .stack_bytes = 77 };
	struct pmuq_sample sample = unknown;
	struct fixture fixture = { 0 };

	(void)state;
	sample.size = OLDER;
	start(&fixture, &request, 1);
	write_sample(&fixture, 0, 0, 10);
	assert_true(pmuq_samples_parse(fixture.samples, pmuq_samples_next(fixture.samples),
				       &sample));
	assert_int_equal(sample.ip, 0x1234);
	assert_memory_equal((const char *)&sample + OLDER, (const char *)&unknown + OLDER,
			    sizeof(sample) - OLDER);
	release(&fixture);
}

static void only_samples_are_parsed(void **state)
{
	const struct pq_open_request request = REQUEST(clock_attr);
	const uint64_t words[] = { 7, 8, 0, 0, 0 };
	struct pmuq_sample sample = { .size = sizeof(sample) };
	struct fixture fixture = { 0 };

	(void)state;
	start(&fixture, &request, 1);
	assert_false(pmuq_samples_parse(fixture.samples, NULL, &sample));
	write_record(&fixture, 0, PERF_RECORD_EXIT, words, COUNT(words));
	assert_false(pmuq_samples_parse(fixture.samples, pmuq_samples_next(fixture.samples),
					&sample));
	write_sample(&fixture, 0, 0, 10);
	sample.size = 0;
	assert_false(pmuq_samples_parse(fixture.samples, pmuq_samples_next(fixture.samples),
					&sample));
	release(&fixture);
}

static void a_record_that_ends_before_its_number_has_lost_none(void **state)
{
	const struct pmuq_attr bare_attr = { .type = PQ_TYPE_SOFTWARE, .sample_period = 1 };
	const struct pq_open_request request = REQUEST(bare_attr);
	const uint64_t words[] = { 1, 5 };
	struct fixture fixture = { 0 };

	(void)state;
	start(&fixture, &request, 1);
	/* What is in the ring after the record does not count. */
	write_record(&fixture, 0, PERF_RECORD_LOST, words, 1);
	write_record(&fixture, 0, PERF_RECORD_LOST_SAMPLES, words, 0);
	write_record(&fixture, 0, PERF_RECORD_SAMPLE, words, 2);
	while (pmuq_samples_next(fixture.samples))
		;
	assert_int_equal(pmuq_samples_lost(fixture.samples), 0);
	release(&fixture);
}

static void every_event_that_writes_records_has_a_ring(void **state)
{
	static const struct pmuq_attr writers[] = {
		{ .sample_period = 1 }, { .mmap = 1 },	     { .mmap2 = 1 },
		{ .comm = 1 },		{ .task = 1 },	     { .context_switch = 1 },
		{ .namespaces = 1 },	{ .ksymbol = 1 },    { .bpf_event = 1 },
		{ .cgroup = 1 },	{ .text_poke = 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(writers); i++) {
		const struct pq_open_request requests[] = { REQUEST(counting_attr),
							    REQUEST(writers[i]) };
		struct fixture fixture = { 0 };

		start(&fixture, requests, 2);
		assert_int_equal(fixture.kernel.n_mapped, 1);
		release(&fixture);
	}
}

static void a_record_may_have_no_fields(void **state)
{
	const struct pmuq_attr bare_attr = { .type = PQ_TYPE_SOFTWARE, .sample_period = 1 };
	const struct pq_open_request request = REQUEST(bare_attr);
	struct fixture fixture = { 0 };
	const struct pmuq_sample_record *record;

	(void)state;
	start(&fixture, &request, 1);
	write_record(&fixture, 0, PERF_RECORD_SAMPLE, NULL, 0);
	record = pmuq_samples_next(fixture.samples);
	assert_non_null(record);
	assert_int_equal(record->data_bytes, sizeof(struct perf_event_header));
	assert_null(pmuq_samples_next(fixture.samples));
	release(&fixture);
}

/* A record that appears in one ring while another one is read is older than what comes later. */
static void a_record_waits_for_older_ones_of_other_rings(void **state)
{
	const struct pq_open_request request = REQUEST(clock_attr);
	struct fixture fixture = { .scope = { .cpus = "0-1" } };

	(void)state;
	start(&fixture, &request, 1);
	write_sample(&fixture, 0, 0, 10);
	write_sample(&fixture, 0, 0, 30);
	assert_int_equal(pmuq_samples_next(fixture.samples)->time_ns, 10);
	/* Written after the rings were read for 30; 40 comes only after they were read again. */
	write_sample(&fixture, 0, 0, 40);
	write_sample(&fixture, 1, 0, 35);
	assert_int_equal(pmuq_samples_next(fixture.samples)->time_ns, 30);
	assert_int_equal(pmuq_samples_next(fixture.samples)->time_ns, 35);
	assert_int_equal(pmuq_samples_next(fixture.samples)->time_ns, 40);
	assert_null(pmuq_samples_next(fixture.samples));
	release(&fixture);
}

static void the_kernel_may_overwrite_a_record_after_the_next_call(void **state)
{
	const struct pq_open_request request = REQUEST(clock_attr);
	struct fixture fixture = { 0 };
	const struct perf_event_mmap_page *page;

	(void)state;
	start(&fixture, &request, 1);
	page = fixture.kernel.rings[0];
	write_sample(&fixture, 0, 0, 1);
	assert_non_null(pmuq_samples_next(fixture.samples));
	assert_int_equal(page->data_tail, 0);
	assert_null(pmuq_samples_next(fixture.samples));
	assert_int_equal(page->data_tail, 48);
	release(&fixture);
}

static void events_of_one_task_share_a_ring_and_are_distinguished(void **state)
{
	const struct pq_open_request requests[] = { REQUEST(counting_attr), REQUEST(clock_attr),
						    REQUEST(other_attr) };
	struct fixture fixture = { 0 };
	const struct pmuq_sample_record *record;
	struct pmuq_sample sample = { .size = sizeof(sample) };
	uint64_t words[] = { 0, 0x1234, 7, 5, 0xadd2, 1 };

	(void)state;
	start(&fixture, requests, 3);
	assert_int_equal(fixture.kernel.n_mapped, 1);
	assert_int_equal(fixture.kernel.n_redirected, 1);
	words[0] = id_of(&fixture, 2, 0);
	write_record(&fixture, 0, PERF_RECORD_SAMPLE, words, COUNT(words));
	write_sample(&fixture, 0, id_of(&fixture, 1, 0), 6);
	write_sample(&fixture, 0, 999, 7);
	record = pmuq_samples_next(fixture.samples);
	assert_int_equal(record->index, 2);
	assert_true(pmuq_samples_parse(fixture.samples, record, &sample));
	assert_int_equal(sample.addr, 0xadd2);
	assert_int_equal(pmuq_samples_next(fixture.samples)->index, 1);
	record = pmuq_samples_next(fixture.samples);
	assert_int_equal(record->index, SIZE_MAX);
	assert_int_equal(record->time_ns, 7);
	assert_false(pmuq_samples_parse(fixture.samples, record, &sample));
	release(&fixture);
}

/* Its leader is opened before the first event, so that their ids are not in the order of the list. */
static void a_member_before_its_leader_is_distinguished(void **state)
{
	const struct pq_open_request requests[] = {
		{ .attr = &clock_attr, .cpus = "", .leader = 2, .members = 2 },
		REQUEST(clock_attr),
		{ .attr = &clock_attr, .cpus = "", .leader = 2, .members = 2 },
	};
	struct fixture fixture = { 0 };

	(void)state;
	start(&fixture, requests, COUNT(requests));
	assert_true(id_of(&fixture, 2, 0) < id_of(&fixture, 0, 0));
	for (size_t i = 0; i < COUNT(requests); i++) {
		write_sample(&fixture, 0, id_of(&fixture, i, 0), i);
		assert_int_equal(pmuq_samples_next(fixture.samples)->index, i);
	}
	release(&fixture);
}

static void events_have_rings_of_their_own_if_they_must(void **state)
{
	struct pmuq_attr without_id = clock_attr, with_id = clock_attr, with_addr = clock_attr;
	const struct {
		const struct pmuq_attr *first, *second;
		int redirect_errnum;
		unsigned n_rings;
	} rows[] = {
		{ &clock_attr, &other_attr, 0, 1 },
		/* The kernel does not mix clocks in a ring. */
		{ &clock_attr, &other_attr, EINVAL, 2 },
		{ &without_id, &without_id, 0, 2 },
		{ &with_id, &with_id, 0, 1 },
		/* The id of one of them is where the other has its address. */
		{ &with_id, &with_addr, 0, 2 },
		{ &clock_attr, &with_id, 0, 2 },
	};

	(void)state;
	without_id.sample_type = PQ_SAMPLE_IP | PQ_SAMPLE_TIME;
	with_id.sample_type = PQ_SAMPLE_IP | PQ_SAMPLE_TIME | PQ_SAMPLE_ID;
	with_addr.sample_type = with_id.sample_type | PQ_SAMPLE_ADDR;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct pq_open_request requests[] = { REQUEST(*rows[i].first),
							    REQUEST(*rows[i].second) };
		struct fixture fixture = { .kernel = { .redirect_errnum =
							       rows[i].redirect_errnum } };

		start(&fixture, requests, 2);
		if (fixture.kernel.n_mapped != rows[i].n_rings)
			fail_msg("row %zu has %u rings", i, fixture.kernel.n_mapped);
		release(&fixture);
	}
}

/* Of a newer kernel: its type is not known, and it has a header alone. */
static void a_record_without_data_is_one(void **state)
{
	const struct pq_open_request request = REQUEST(clock_attr);
	struct fixture fixture = { 0 };
	const struct pmuq_sample_record *record;

	(void)state;
	start(&fixture, &request, 1);
	write_record(&fixture, 0, 99, NULL, 0);
	write_sample(&fixture, 0, 0, 5);
	record = pmuq_samples_next(fixture.samples);
	assert_int_equal(record->type, 99);
	assert_int_equal(pmuq_samples_next(fixture.samples)->time_ns, 5);
	release(&fixture);
}

static void lost_records_are_counted(void **state)
{
	const struct pq_open_request request = REQUEST(clock_attr);
	struct fixture fixture = { 0 };
	/* The event's id, the number; a number alone; each with the id of the record. */
	const uint64_t lost[] = { 1, 5, 0, 7, 3, 1 }, lost_samples[] = { 2, 0, 7, 4, 1 };
	const struct pmuq_sample_record *record;

	(void)state;
	start(&fixture, &request, 1);
	write_record(&fixture, 0, PERF_RECORD_LOST, lost, COUNT(lost));
	write_record(&fixture, 0, PERF_RECORD_LOST_SAMPLES, lost_samples, COUNT(lost_samples));
	record = pmuq_samples_next(fixture.samples);
	assert_int_equal(record->type, PERF_RECORD_LOST);
	assert_int_equal(record->time_ns, 3);
	assert_int_equal(pmuq_samples_lost(fixture.samples), 5);
	assert_int_equal(pmuq_samples_next(fixture.samples)->time_ns, 4);
	assert_int_equal(pmuq_samples_lost(fixture.samples), 7);
	release(&fixture);
}

static void a_ring_that_something_else_wrote_to_is_skipped(void **state)
{
	static const uint16_t sizes[] = { 0, 7, 12, 65528 };

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		const struct pq_open_request request = REQUEST(clock_attr);
		struct fixture fixture = { 0 };
		struct perf_event_header *first;

		start(&fixture, &request, 1);
		write_sample(&fixture, 0, 0, 1);
		first = (struct perf_event_header *)((char *)fixture.kernel.rings[0] +
						     pq_page_bytes());
		first->size = sizes[i];
		assert_null(pmuq_samples_next(fixture.samples));
		assert_int_equal(pmuq_samples_lost(fixture.samples), 1);
		write_sample(&fixture, 0, 0, 2);
		assert_int_equal(pmuq_samples_next(fixture.samples)->time_ns, 2);
		/* Nor can the kernel have written more than fits. */
		((struct perf_event_mmap_page *)fixture.kernel.rings[0])->data_head += 1u << 20;
		assert_null(pmuq_samples_next(fixture.samples));
		release(&fixture);
	}
}

static void an_inherited_event_is_opened_for_the_task_on_each_cpu(void **state)
{
	struct pmuq_attr inherited = clock_attr;
	const struct pq_open_request request = REQUEST(inherited);
	struct fixture fixture = { .host.view.cpus_online = STR("0-1,3") };

	(void)state;
	inherited.inherit = 1;
	open_all(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_target_count(fixture.opened, 0), 1);
	release(&fixture);
	fixture =
		(struct fixture){ .host.view.cpus_online = STR("0-1,3"), .scope.is_sampled = true };
	start(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_target_count(fixture.opened, 0), 3);
	assert_int_equal(fixture.kernel.n_mapped, 3);
	assert_int_equal(fixture.kernel.last.pid, 0);
	assert_int_equal(fixture.kernel.last.cpu, 3);
	assert_string_equal(pmuq_open_results_get(pmuq_opened_results(fixture.opened), 0)->cpus.p,
			    "0-1,3");
	assert_int_equal(pmuq_open_results_get(pmuq_opened_results(fixture.opened), 0)->pid, 0);
	release(&fixture);
	/* If no CPU is known, it is opened as usual. */
	fixture = (struct fixture){ .host.view.cpus_online = STR(""), .scope.is_sampled = true };
	open_all(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_target_count(fixture.opened, 0), 1);
	assert_int_equal(fixture.kernel.last.cpu, -1);
	release(&fixture);
}

static void a_wake_up_after_some_samples_is_for_events_that_sample(void **state)
{
	const struct pq_open_request requests[] = { REQUEST(clock_attr), REQUEST(counting_attr) };
	struct fixture fixture = { .scope.wakeup_samples = 3 };

	(void)state;
	open_all(&fixture, requests, 1);
	assert_int_equal(fixture.kernel.last.attr.wakeup_events, 3);
	release(&fixture);
	fixture = (struct fixture){ .scope.wakeup_samples = 3 };
	open_all(&fixture, requests + 1, 1);
	assert_int_equal(fixture.kernel.last.attr.wakeup_events, 0);
	release(&fixture);
}

static void a_failure_names_its_reason(void **state)
{
	struct pmuq_attr inherited = clock_attr, backward = clock_attr;
	const struct {
		const struct pmuq_attr *attr;
		int map_errnum;
		const char *message, *hint;
	} rows[] = {
		{ &counting_attr, 0, "no opened event takes samples",
		  "encode with PMUQ_PRESET_SAMPLE, or set sample_period" },
		{ &backward, 0,
		  "event 0 writes its buffer backward, and overwrites what was not read",
		  "encode it without the term 'overwrite'" },
		{ &clock_attr, EPERM,
		  "the mapping needs more memory than kernel.perf_event_mlock_kb and the limit of "
		  "locked memory allow",
		  "use smaller buffers" },
		{ &inherited, EINVAL,
		  "the kernel does not map an event of any CPU that child tasks inherit",
		  "open the events with pmuq_open_options.wants_samples" },
		{ &inherited, ENODEV, "the kernel does not map this event", NULL },
		{ &clock_attr, ENODEV, "the kernel does not map this event", NULL },
	};

	(void)state;
	inherited.inherit = backward.write_backward = 1;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct pq_open_request request = REQUEST(*rows[i].attr);
		struct fixture fixture = { .kernel.map_errnum = rows[i].map_errnum };
		struct pmuq_error *error = NULL;

		open_all(&fixture, &request, 1);
		assert_int_equal(pmuq_opened_sample(fixture.opened, 0, &fixture.samples, &error),
				 -PMUQ_E_NO_SAMPLES);
		assert_string_equal(error->message.p, rows[i].message);
		if (rows[i].hint)
			assert_string_equal(error->hint.p, rows[i].hint);
		else
			assert_null(error->hint.p);
		assert_int_equal(error->errnum, rows[i].map_errnum);
		pmuq_error_free(error);
		release(&fixture);
	}
}

static void without_memory_nothing_stays_mapped(void **state)
{
	const struct pq_open_request requests[] = { REQUEST(clock_attr), REQUEST(other_attr) };
	bool is_enough = false;

	(void)state;
	for (unsigned nth = 0; !is_enough; nth++) {
		struct fixture fixture = { .scope.cpus = "0-3" };
		int r;

		open_all(&fixture, requests, 2);
		fail_malloc_at(nth);
		r = pmuq_opened_sample(fixture.opened, 0, &fixture.samples, NULL);
		is_enough = !fail_malloc_no_more();
		/* The fake's own memory may be what is missing. */
		assert_true(r == 0 || r == -PMUQ_E_MEMORY || r == -PMUQ_E_NO_SAMPLES);
		assert_true(r == 0 || !is_enough);
		release(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_of_all_rings_come_in_the_order_of_time),
		cmocka_unit_test(a_ring_may_have_many_pages),
		cmocka_unit_test(a_ring_of_any_size_is_refused_by_the_kernel_at_most),
		cmocka_unit_test(records_that_cannot_be_distinguished_have_rings_of_their_own),
		cmocka_unit_test(the_time_is_where_the_event_of_a_record_has_it),
		cmocka_unit_test(an_older_caller_gets_the_fields_that_it_knows),
		cmocka_unit_test(only_samples_are_parsed),
		cmocka_unit_test(a_record_that_ends_before_its_number_has_lost_none),
		cmocka_unit_test(every_event_that_writes_records_has_a_ring),
		cmocka_unit_test(a_record_may_have_no_fields),
		cmocka_unit_test(a_record_waits_for_older_ones_of_other_rings),
		cmocka_unit_test(the_kernel_may_overwrite_a_record_after_the_next_call),
		cmocka_unit_test(events_of_one_task_share_a_ring_and_are_distinguished),
		cmocka_unit_test(a_member_before_its_leader_is_distinguished),
		cmocka_unit_test(events_have_rings_of_their_own_if_they_must),
		cmocka_unit_test(a_record_without_data_is_one),
		cmocka_unit_test(lost_records_are_counted),
		cmocka_unit_test(a_ring_that_something_else_wrote_to_is_skipped),
		cmocka_unit_test(an_inherited_event_is_opened_for_the_task_on_each_cpu),
		cmocka_unit_test(a_wake_up_after_some_samples_is_for_events_that_sample),
		cmocka_unit_test(a_failure_names_its_reason),
		cmocka_unit_test(without_memory_nothing_stays_mapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
