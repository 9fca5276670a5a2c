/* SPDX-License-Identifier: MIT */
/* The fields of a sample, and the id and the time of any record, are where perf_event_open(2) has
 * them for each sample_type. */
#include "core/flags.h"
#include "open/samples/sample.h"
#include "tests/unit/cmocka_all.h"
#include <linux/perf_event.h>
#include <string.h>

#define ALL_TYPES ((UINT64_C(1) << 25) - 1 - PQ_SAMPLE_WEIGHT_STRUCT)

struct built {
	struct pq_record_header header;
	uint64_t words[128];
};

static void end(struct built *built, uint32_t type, size_t n_words)
{
	built->header = (struct pq_record_header){
		.type = type,
		.bytes = (uint16_t)(sizeof(built->header) + n_words * sizeof(uint64_t)),
	};
}

static size_t add(struct built *built, size_t at, const uint64_t *words, size_t n)
{
	memcpy(built->words + at, words, n * sizeof(*words));
	return at + n;
}

#define ADD(...)                                                                                   \
	do {                                                                                       \
		const uint64_t added[] = { __VA_ARGS__ };                                          \
		n = add(built, n, added, COUNT(added));                                            \
	} while (0)

static uint64_t pair(uint32_t first, uint32_t second)
{
	const uint32_t both[] = { first, second };
	uint64_t word;

	memcpy(&word, both, sizeof(word));
	return word;
}

static const struct pq_sample_layout whole = {
	.types = ALL_TYPES,
	.read_format = PQ_READ_TOTAL_TIME_ENABLED | PQ_READ_TOTAL_TIME_RUNNING | PQ_READ_ID |
		       PQ_READ_GROUP,
	.branches = PQ_BRANCH_ANY | PQ_BRANCH_HW_INDEX | PQ_BRANCH_COUNTERS,
	.user_registers = 0x15,
	.intr_registers = 0x3,
	.has_id_all = true,
};

/* A sample with every field. */
static size_t build(struct built *built)
{
	size_t n = 0;

	ADD(90, 0x1000, pair(11, 12), 13000, 0xadd2, 90, 91, pair(3, 0), 17);
	/* A group of two events: how many, both times, a value and an id each. */
	ADD(2, 100, 50, 1, 90, 2, 92);
	ADD(3, 0x1000, 0x2000, 0x3000);
	/* Raw data: 12 bytes, so that it ends with a word. */
	ADD(pair(12, 0x61626364), 0x6566676869);
	/* Two branches of hardware index 5, and their counters. */
	ADD(2, 5, 1, 2, 3, 4, 5, 6, 21, 22);
	ADD(2, 31, 32, 33);
	/* 16 bytes of stack, 9 of which were read. */
	ADD(16, 41, 42, 9);
	ADD(51, 52, 53);
	ADD(1, 61, 62);
	ADD(71, 72, 73, 74);
	ADD(8, 81);
	end(built, PERF_RECORD_SAMPLE, n);
	return n;
}

static void every_field_is_read(void **state)
{
	struct built built;
	struct pmuq_sample sample;

	(void)state;
	build(&built);
	assert_true(pq_sample_parse(&built.header, &whole, &sample));
	assert_int_equal(sample.types, ALL_TYPES);
	assert_int_equal(sample.id, 90);
	assert_int_equal(sample.ip, 0x1000);
	assert_int_equal(sample.pid, 11);
	assert_int_equal(sample.tid, 12);
	assert_int_equal(sample.time_ns, 13000);
	assert_int_equal(sample.addr, 0xadd2);
	assert_int_equal(sample.stream_id, 91);
	assert_int_equal(sample.cpu, 3);
	assert_int_equal(sample.period, 17);
	assert_int_equal(sample.n_values, 7);
	assert_int_equal(sample.values[6], 92);
	assert_int_equal(sample.n_callers, 3);
	assert_int_equal(sample.callers[2], 0x3000);
	assert_int_equal(sample.raw_bytes, 12);
	assert_memory_equal((const char *)sample.raw - 4, &built.words[20], 16);
	assert_int_equal(sample.n_branches, 6);
	assert_int_equal(sample.n_branch_counters, 2);
	assert_int_equal(sample.branch_index, 5);
	assert_int_equal(sample.branches[5], 6);
	assert_int_equal(sample.branch_counters[1], 22);
	assert_int_equal(sample.user_abi, 2);
	assert_int_equal(sample.n_user_registers, 3);
	assert_int_equal(sample.user_registers[2], 33);
	assert_int_equal(sample.stack_bytes, 9);
	assert_int_equal(*(const uint64_t *)sample.stack, 41);
	assert_int_equal(sample.weight, 51);
	assert_int_equal(sample.data_src, 52);
	assert_int_equal(sample.transaction, 53);
	assert_int_equal(sample.intr_abi, 1);
	assert_int_equal(sample.n_intr_registers, 2);
	assert_int_equal(sample.intr_registers[1], 62);
	assert_int_equal(sample.phys_addr, 71);
	assert_int_equal(sample.cgroup, 72);
	assert_int_equal(sample.data_page_bytes, 73);
	assert_int_equal(sample.code_page_bytes, 74);
	assert_int_equal(sample.aux_bytes, 8);
	assert_int_equal(*(const uint64_t *)sample.aux, 81);
}

static void a_sample_that_ends_early_is_refused(void **state)
{
	struct built built;
	struct pmuq_sample sample;
	size_t n = build(&built);

	(void)state;
	for (size_t left = 0; left < n; left++) {
		end(&built, PERF_RECORD_SAMPLE, left);
		if (pq_sample_parse(&built.header, &whole, &sample))
			fail_msg("%zu words of %zu are enough", left, n);
	}
}

static void a_number_that_goes_beyond_the_sample_is_refused(void **state)
{
	/* Each is the first word of a sample of three. */
	const struct {
		uint64_t type, number;
	} rows[] = {
		{ PQ_SAMPLE_READ, 1 },
		{ PQ_SAMPLE_READ, UINT64_MAX / 2 },
		{ PQ_SAMPLE_READ, UINT64_MAX },
		{ PQ_SAMPLE_CALLCHAIN, 3 },
		{ PQ_SAMPLE_CALLCHAIN, UINT64_MAX / 8 + 1 },
		{ PQ_SAMPLE_CALLCHAIN, UINT64_MAX },
		{ PQ_SAMPLE_RAW, pair(21, 0) },
		{ PQ_SAMPLE_RAW, pair(UINT32_MAX, 0) },
		{ PQ_SAMPLE_BRANCH_STACK, 1 },
		{ PQ_SAMPLE_BRANCH_STACK, UINT64_MAX / 3 + 1 },
		{ PQ_SAMPLE_STACK_USER, 9 },
		{ PQ_SAMPLE_STACK_USER, UINT64_MAX },
		/* Of a stack of 8 bytes the kernel read 9. */
		{ PQ_SAMPLE_STACK_USER, 8 },
		{ PQ_SAMPLE_AUX, 17 },
		{ PQ_SAMPLE_AUX, UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pq_sample_layout layout = whole;
		struct built built = { .words = { rows[i].number, 1, 9 } };
		struct pmuq_sample sample;

		layout.types = rows[i].type;
		end(&built, PERF_RECORD_SAMPLE, 3);
		if (pq_sample_parse(&built.header, &layout, &sample))
			fail_msg("row %zu is read", i);
	}
}

static void a_sample_without_branches_may_end_there(void **state)
{
	const struct pq_sample_layout layout = { .types = PQ_SAMPLE_BRANCH_STACK };
	struct built built = { .words = { 0 } };
	struct pmuq_sample sample;

	(void)state;
	end(&built, PERF_RECORD_SAMPLE, 1);
	assert_true(pq_sample_parse(&built.header, &layout, &sample));
	assert_int_equal(sample.n_branches, 0);
}

static void bytes_end_with_a_word(void **state)
{
	const struct pq_sample_layout layout = { .types = PQ_SAMPLE_AUX };
	struct pmuq_sample sample;

	(void)state;
	for (uint64_t bytes = 0; bytes < 130; bytes++) {
		struct built built = { .words = { bytes } };

		end(&built, PERF_RECORD_SAMPLE, 1 + (bytes + 7) / 8);
		assert_true(pq_sample_parse(&built.header, &layout, &sample));
		assert_int_equal(sample.aux_bytes, bytes);
		end(&built, PERF_RECORD_SAMPLE, (bytes + 7) / 8);
		assert_false(pq_sample_parse(&built.header, &layout, &sample));
	}
}

/* Three times this number, for the words of each branch, is 2. */
static void a_number_of_branches_that_overflows_is_refused(void **state)
{
	const struct pq_sample_layout layout = { .types = PQ_SAMPLE_BRANCH_STACK };
	struct built built = { .words = { UINT64_C(0x5555555555555556), 1, 2 } };
	struct pmuq_sample sample;

	(void)state;
	end(&built, PERF_RECORD_SAMPLE, 3);
	assert_false(pq_sample_parse(&built.header, &layout, &sample));
}

static void fields_that_may_be_absent_are(void **state)
{
	struct pq_sample_layout layout = { .types = PQ_SAMPLE_BRANCH_STACK | PQ_SAMPLE_REGS_USER |
						    PQ_SAMPLE_STACK_USER | PQ_SAMPLE_AUX };
	/* No branch, no registers of a kernel thread, no stack, no trace. */
	struct built built = { .words = { 0, 0, 0, 0 } };
	struct pmuq_sample sample;

	(void)state;
	layout.user_registers = 0xff;
	end(&built, PERF_RECORD_SAMPLE, 4);
	assert_true(pq_sample_parse(&built.header, &layout, &sample));
	assert_int_equal(sample.n_branches, 0);
	assert_true(sample.branch_index == UINT64_MAX);
	assert_null(sample.branch_counters);
	assert_null(sample.user_registers);
	assert_null(sample.stack);
	assert_null(sample.aux);
	end(&built, PERF_RECORD_SAMPLE, 3);
	assert_false(pq_sample_parse(&built.header, &layout, &sample));
}

static void a_count_without_a_group_has_the_words_of_its_format(void **state)
{
	static const struct {
		uint64_t format;
		size_t n;
	} rows[] = {
		{ 0, 1 },
		{ PQ_READ_TOTAL_TIME_ENABLED, 2 },
		{ PQ_READ_ID, 2 },
		{ PQ_READ_TOTAL_TIME_ENABLED | PQ_READ_TOTAL_TIME_RUNNING | PQ_READ_ID |
			  PQ_READ_LOST,
		  5 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct pq_sample_layout layout = { .types = PQ_SAMPLE_READ,
							 .read_format = rows[i].format };
		struct built built = { .words = { 1000, 2, 3, 4, 5 } };
		struct pmuq_sample sample;

		end(&built, PERF_RECORD_SAMPLE, 5);
		assert_true(pq_sample_parse(&built.header, &layout, &sample));
		assert_int_equal(sample.n_values, rows[i].n);
	}
}

/* For each combination of the fields with ids, against a slow search for the words. */
static void the_id_and_the_time_are_found(void **state)
{
	static const uint64_t in_sample[] = { PQ_SAMPLE_IDENTIFIER, PQ_SAMPLE_IP,   PQ_SAMPLE_TID,
					      PQ_SAMPLE_TIME,	    PQ_SAMPLE_ADDR, PQ_SAMPLE_ID,
					      PQ_SAMPLE_STREAM_ID,  PQ_SAMPLE_CPU };
	static const uint64_t in_record[] = { PQ_SAMPLE_TID, PQ_SAMPLE_TIME,
					      PQ_SAMPLE_ID,  PQ_SAMPLE_STREAM_ID,
					      PQ_SAMPLE_CPU, PQ_SAMPLE_IDENTIFIER };

	(void)state;
	for (unsigned choice = 0; choice < 1u << COUNT(in_sample); choice++) {
		struct pmuq_attr attr = { .sample_id_all = 1 };
		struct pq_sample_layout layout;
		struct built sample = { 0 }, record = { .words = { 1000, 1001 } };
		size_t n_sample = 0, n_record = 2;
		struct pq_record_id found;

		for (size_t i = 0; i < COUNT(in_sample); i++)
			attr.sample_type |= choice >> i & 1 ? in_sample[i] : 0;
		layout = pq_sample_layout_of(&attr, 0);
		for (size_t i = 0; i < COUNT(in_sample); i++)
			if (layout.types & in_sample[i])
				sample.words[n_sample++] = in_sample[i];
		for (size_t i = 0; i < COUNT(in_record); i++)
			if (layout.types & in_record[i])
				record.words[n_record++] = in_record[i];
		end(&sample, PERF_RECORD_SAMPLE, n_sample);
		end(&record, PERF_RECORD_EXIT, n_record);
		for (unsigned k = 0; k < 2; k++) {
			found = pq_record_identify(k ? &record.header : &sample.header, &layout);
			assert_int_equal(found.time_ns, layout.types & PQ_SAMPLE_TIME);
			assert_int_equal(found.id, layout.types & PQ_SAMPLE_IDENTIFIER
							   ? PQ_SAMPLE_IDENTIFIER
							   : layout.types & PQ_SAMPLE_ID);
		}
		/* Records without ids at their end, and records too short for them. */
		layout.has_id_all = false;
		assert_int_equal(pq_record_identify(&record.header, &layout).id, 0);
		layout.has_id_all = true;
		end(&record, PERF_RECORD_EXIT, 0);
		assert_int_equal(pq_record_identify(&record.header, &layout).id, 0);
		assert_int_equal(pq_record_identify(&record.header, &layout).time_ns, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_read),
		cmocka_unit_test(a_sample_that_ends_early_is_refused),
		cmocka_unit_test(a_number_that_goes_beyond_the_sample_is_refused),
		cmocka_unit_test(a_sample_without_branches_may_end_there),
		cmocka_unit_test(bytes_end_with_a_word),
		cmocka_unit_test(a_number_of_branches_that_overflows_is_refused),
		cmocka_unit_test(fields_that_may_be_absent_are),
		cmocka_unit_test(a_count_without_a_group_has_the_words_of_its_format),
		cmocka_unit_test(the_id_and_the_time_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
