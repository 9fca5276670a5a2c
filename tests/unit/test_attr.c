/* SPDX-License-Identifier: MIT */
/* The attr's layout and its table of fields: include/pmuq/attr.h, core/attr/attr.c. */
#include "core/attr/attr.h"
#include "tests/unit/cmocka_all.h"
#include <linux/perf_event.h>
#include <string.h>

static unsigned field_named(const char *name)
{
	for (unsigned i = 0; pmuq_attr_field(i); i++)
		if (!strcmp(pmuq_attr_field(i)->name.p, name))
			return i;
	fail_msg("no field %s", name);
	return 0;
}

/* Bit fields have no offset: set pmuq's, read the kernel's. */
static void bit_fields_are_where_the_kernel_has_them(void **state)
{
#define ROW(field, theirs)                                                                         \
	{                                                                                          \
#field, (struct perf_event_attr)                                                   \
		{                                                                                  \
			.theirs = 1                                                                \
		}                                                                                  \
	}
	static const struct {
		const char *name;
		struct perf_event_attr attr;
	} rows[] = {
		ROW(disabled, disabled),
		ROW(inherit, inherit),
		ROW(pinned, pinned),
		ROW(exclusive, exclusive),
		ROW(exclude_user, exclude_user),
		ROW(exclude_kernel, exclude_kernel),
		ROW(exclude_hv, exclude_hv),
		ROW(exclude_idle, exclude_idle),
		ROW(freq, freq),
		ROW(enable_on_exec, enable_on_exec),
		ROW(precise_ip, precise_ip),
		ROW(exclude_host, exclude_host),
		ROW(exclude_guest, exclude_guest),
		ROW(write_backward, write_backward),
		ROW(aux_output, aux_output),
		ROW(build_id, build_id),
		ROW(remove_on_exec, remove_on_exec),
		ROW(sigtrap, sigtrap),
		ROW(bp_type, bp_type),
		ROW(sample_max_stack, sample_max_stack),
	};
#undef ROW
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pmuq_attr ours = { 0 };

		assert_true(pq_attr_set_if_fits(&ours, field_named(rows[i].name), 1));
		assert_memory_equal(&ours, &rows[i].attr, PERF_ATTR_SIZE_VER7);
	}
}

static void every_field_is_set_and_read_alone(void **state)
{
	(void)state;
	for (unsigned i = 0; pmuq_attr_field(i); i++) {
		struct pmuq_attr attr = { 0 };

		assert_true(pq_attr_set_if_fits(&attr, i, 1));
		for (unsigned j = 0; pmuq_attr_field(j); j++)
			assert_int_equal(pmuq_attr_get(&attr, j), i == j);
	}
}

/* Every byte of the layout except the reserved ones belongs to a field. The table has the end of
 * each field; for the flags, some of whose bits are free, that is the end of their word. */
#define FLAGS_END_BYTES 48

static void the_table_reaches_all_of_the_layout(void **state)
{
	struct pmuq_attr attr = { 0 };
	const unsigned char *bytes = (const unsigned char *)&attr;

	(void)state;
	for (unsigned i = 0; pmuq_attr_field(i); i++) {
		struct pmuq_attr one = { 0 };
		uint64_t all = UINT64_MAX;

		while (!pq_attr_set_if_fits(&one, i, all))
			all >>= 1;
		for (size_t b = pmuq_attr_field(i)->end_bytes; b < sizeof(one); b++)
			assert_int_equal(((unsigned char *)&one)[b], 0);
		if (pmuq_attr_field(i)->end_bytes != FLAGS_END_BYTES)
			assert_int_not_equal(
				((unsigned char *)&one)[pmuq_attr_field(i)->end_bytes - 1], 0);
		pq_attr_set_if_fits(&attr, i, all);
	}
	for (size_t b = 0; b < sizeof(attr); b++)
		if (b != 45 && b != 46 && b != 47 && b != 110 && b != 111)
			assert_int_not_equal(bytes[b], 0);
}

/* 64 bits are a config, a mask or an address. */
static void fields_of_64_bits_are_printed_in_hex(void **state)
{
	(void)state;
	for (unsigned i = 0; pmuq_attr_field(i); i++) {
		struct pmuq_attr attr = { 0 };
		bool has_64_bits = pq_attr_set_if_fits(&attr, i, INT64_MAX);

		if (has_64_bits != (pmuq_attr_field(i)->format == PMUQ_FIELD_WORD))
			fail_msg("the format of %s", pmuq_attr_field(i)->name.p);
	}
}

static void a_value_that_does_not_fit_leaves_the_field(void **state)
{
	struct pmuq_attr attr = { .precise_ip = 2, .bp_type = 7 };

	(void)state;
	assert_false(pq_attr_set_if_fits(&attr, field_named("precise_ip"), 4));
	assert_int_equal(attr.precise_ip, 2);
	assert_false(pq_attr_set_if_fits(&attr, field_named("bp_type"), UINT64_C(1) << 32));
	assert_int_equal(attr.bp_type, 7);
}

static void there_is_no_field_after_the_last(void **state)
{
	const struct pmuq_attr none = { 0 };
	struct pmuq_attr attr, ones;

	(void)state;
	memset(&ones, 0xff, sizeof(ones));
	attr = none;
	assert_null(pmuq_attr_field(PQ_FIELD_COUNT));
	assert_int_equal(pmuq_attr_get(&ones, PQ_FIELD_COUNT), 0);
	assert_false(pq_attr_set_if_fits(&attr, PQ_FIELD_COUNT, 0));
	assert_false(pq_attr_set_if_fits(&attr, PQ_FIELD_COUNT, 1));
	assert_memory_equal(&attr, &none, sizeof(attr));
}

static void size_is_the_smallest_published_one(void **state)
{
	static const struct {
		const char *field;
		uint32_t size;
	} rows[] = {
		{ "config", 64 },
		{ "bp_type", 64 },
		{ "config1", 64 },
		{ "config2", 72 },
		{ "branch_sample_type", 80 },
		{ "sample_stack_user", 96 },
		{ "clockid", 96 },
		{ "sample_regs_intr", 104 },
		{ "aux_watermark", 112 },
		{ "sample_max_stack", 112 },
		{ "aux_sample_size", 120 },
		{ "aux_action", 120 },
		{ "sig_data", 128 },
		{ "config3", 136 },
		{ "config4", 144 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pmuq_attr attr = { 0 };

		pq_attr_set_if_fits(&attr, field_named(rows[i].field), 1);
		assert_int_equal(pq_attr_fit_size(&attr), rows[i].size);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bit_fields_are_where_the_kernel_has_them),
		cmocka_unit_test(every_field_is_set_and_read_alone),
		cmocka_unit_test(the_table_reaches_all_of_the_layout),
		cmocka_unit_test(fields_of_64_bits_are_printed_in_hex),
		cmocka_unit_test(a_value_that_does_not_fit_leaves_the_field),
		cmocka_unit_test(there_is_no_field_after_the_last),
		cmocka_unit_test(size_is_the_smallest_published_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
