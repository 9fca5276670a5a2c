/* SPDX-License-Identifier: MIT */
/*
 * An attr that a program changes: its size grows with its fields, and it is copied into the struct
 * of a system header of any version, or not at all.
 */
#include "tests/api/program.h"
#include <linux/perf_event.h>

/* Larger than any layout so far. */
#define STRUCT_MAX 160

static const unsigned published[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144 };

static unsigned published_for(unsigned end_bytes)
{
	size_t i = 0;

	while (published[i] < end_bytes)
		i++;
	return published[i];
}

static void a_field_makes_the_attr_as_large_as_it_needs(void **state)
{
	const struct pmuq_field *field;

	(void)state;
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++) {
		struct pmuq_attr attr = { 0 };

		if (i == PMUQ_ATTR_SIZE)
			continue;
		assert_true(pmuq_attr_set(&attr, i, 1));
		if (attr.size != published_for(field->end_bytes))
			fail_msg("with %s the size is %u", field->name.p, attr.size);
		assert_int_equal(pmuq_attr_get(&attr, i), 1);
		/* It does not shrink: a program may want a larger one. */
		assert_true(pmuq_attr_set(&attr, i, 0));
		assert_int_equal(attr.size, published_for(field->end_bytes));
	}
}

static void the_clock_of_an_encoding_reaches_the_kernel(void **state)
{
	struct pmuq_encodings *encodings = encode("skylake-sp", "cpu-clock", NULL);
	const struct pmuq_encoding *one = NULL;
	struct pmuq_attr attr;

	(void)state;
	assert_int_equal(pmuq_encodings_one(encodings, &one, NULL), 0);
	attr = *one->attr;
	assert_int_equal(attr.size, 64);
	assert_true(pmuq_attr_set(&attr, PMUQ_ATTR_USE_CLOCKID, 1));
	assert_true(pmuq_attr_set(&attr, PMUQ_ATTR_CLOCKID, 1));
	assert_int_equal(attr.size, 96);
	assert_int_equal(attr.clockid, 1);
	assert_int_equal(attr.use_clockid, 1);
	pmuq_encodings_free(encodings);
}

static void a_value_that_is_refused_changes_nothing(void **state)
{
	static const struct {
		unsigned field;
		uint64_t value;
	} rows[] = {
		{ PMUQ_ATTR_PRECISE_IP, 4 },
		{ PMUQ_ATTR_AUX_WATERMARK, UINT64_C(1) << 32 },
		{ PMUQ_ATTR_SAMPLE_MAX_STACK, 1 << 16 },
		/* No kernel has such an attr, or it ends before clockid. */
		{ PMUQ_ATTR_SIZE, 0 },
		{ PMUQ_ATTR_SIZE, 100 },
		{ PMUQ_ATTR_SIZE, 152 },
		{ PMUQ_ATTR_SIZE, 80 },
		{ PMUQ_ATTR_CONFIG4 + 1, 0 },
	};
	const struct pmuq_attr before = { .type = 1, .size = 96, .clockid = 4 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pmuq_attr attr = before;

		if (pmuq_attr_set(&attr, rows[i].field, rows[i].value))
			fail_msg("row %zu is accepted", i);
		assert_memory_equal(&attr, &before, sizeof(attr));
	}
}

static void the_size_is_a_field_too(void **state)
{
	struct pmuq_attr attr = { .type = 1, .size = 96, .clockid = 4 };

	(void)state;
	assert_true(pmuq_attr_set(&attr, PMUQ_ATTR_SIZE, 144));
	assert_true(pmuq_attr_set(&attr, PMUQ_ATTR_CLOCKID, 0));
	assert_true(pmuq_attr_set(&attr, PMUQ_ATTR_SIZE, 64));
	assert_int_equal(attr.size, 64);
}

/* For each field and each size of a struct: the copy has the field, or the error names it. */
static void a_copy_has_every_field_or_fails(void **state)
{
	const struct pmuq_field *field;

	(void)state;
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++) {
		struct pmuq_attr attr = { .size = 64 };

		if (i != PMUQ_ATTR_SIZE)
			assert_true(pmuq_attr_set(&attr, i, 1));
		for (size_t bytes = 64; bytes <= STRUCT_MAX; bytes++) {
			unsigned char made[STRUCT_MAX + 1], untouched[STRUCT_MAX + 1];
			struct pmuq_error *error = NULL;
			struct pmuq_attr back = { 0 };
			char quoted[80];

			memset(made, 0xee, sizeof(made));
			memset(untouched, 0xee, sizeof(untouched));
			if (field->end_bytes > bytes) {
				assert_int_equal(pmuq_attr_copy(&attr, made, bytes, &error),
						 -PMUQ_E_ATTR_SIZE);
				snprintf(quoted, sizeof(quoted), "'%s'", field->name.p);
				assert_contains(error->message.p, quoted);
				assert_non_null(error->hint.p);
				pmuq_error_free(error);
				assert_memory_equal(made, untouched, sizeof(made));
				continue;
			}
			assert_int_equal(pmuq_attr_copy(&attr, made, bytes, &error), 0);
			memcpy(&back, made, bytes < sizeof(back) ? bytes : sizeof(back));
			assert_int_equal(pmuq_attr_get(&back, i), pmuq_attr_get(&attr, i));
			assert_true(back.size >= field->end_bytes && back.size <= bytes);
			for (size_t at = sizeof(back); at < bytes; at++)
				assert_int_equal(made[at], 0);
			assert_int_equal(made[bytes], 0xee);
		}
	}
}

static void a_copy_is_the_systems_struct(void **state)
{
	struct pmuq_attr attr = { 0 };
	struct perf_event_attr copy;

	(void)state;
	assert_true(pmuq_attr_set(&attr, PMUQ_ATTR_CONFIG, 0x1cd));
	assert_true(pmuq_attr_set(&attr, PMUQ_ATTR_EXCLUDE_KERNEL, 1));
	assert_true(pmuq_attr_set(&attr, PMUQ_ATTR_PRECISE_IP, 2));
	assert_int_equal(pmuq_attr_copy(&attr, &copy, sizeof(copy), NULL), 0);
	assert_int_equal(copy.size, 64);
	assert_int_equal(copy.config, 0x1cd);
	assert_int_equal(copy.exclude_kernel, 1);
	assert_int_equal(copy.precise_ip, 2);
}

/* A member that the program wrote itself, without the size. */
static void a_copy_makes_the_size_right(void **state)
{
	struct pmuq_attr attr = { .type = 1, .size = 64, .use_clockid = 1, .clockid = 1 }, copy;

	(void)state;
	assert_int_equal(pmuq_attr_copy(&attr, &copy, sizeof(copy), NULL), 0);
	assert_int_equal(copy.size, 96);
	attr.size = 0;
	assert_int_equal(pmuq_attr_copy(&attr, &copy, sizeof(copy), NULL), 0);
	assert_int_equal(copy.size, 96);
	/* Larger than the struct, but without anything there. */
	attr.size = 144;
	assert_int_equal(pmuq_attr_copy(&attr, &copy, 112, NULL), 0);
	assert_int_equal(copy.size, 112);
	assert_int_equal(pmuq_attr_copy(&attr, &copy, 63, NULL), -PMUQ_E_BAD_CALL);
}

static void fields_are_found_by_name(void **state)
{
	static const struct {
		const char *name;
		unsigned field;
	} others[] = {
		{ "sample_freq", PMUQ_ATTR_SAMPLE_PERIOD },
		{ "wakeup_watermark", PMUQ_ATTR_WAKEUP_EVENTS },
		{ "bp_addr", PMUQ_ATTR_CONFIG1 },
		{ "kprobe_addr", PMUQ_ATTR_CONFIG2 },
		{ "precise_ip", PMUQ_ATTR_PRECISE_IP },
		{ "config4", PMUQ_ATTR_CONFIG4 },
	};
	unsigned found = 77;

	(void)state;
	assert_false(pmuq_attr_find_field("clock_id", &found));
	assert_false(pmuq_attr_find_field("", &found));
	assert_int_equal(found, 77);
	for (unsigned i = 0; pmuq_attr_field(i); i++) {
		assert_true(pmuq_attr_find_field(pmuq_attr_field(i)->name.p, &found));
		assert_int_equal(found, i);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_true(pmuq_attr_find_field(others[i].name, &found));
		assert_int_equal(found, others[i].field);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_field_makes_the_attr_as_large_as_it_needs),
		cmocka_unit_test(the_clock_of_an_encoding_reaches_the_kernel),
		cmocka_unit_test(a_value_that_is_refused_changes_nothing),
		cmocka_unit_test(the_size_is_a_field_too),
		cmocka_unit_test(a_copy_has_every_field_or_fails),
		cmocka_unit_test(a_copy_is_the_systems_struct),
		cmocka_unit_test(a_copy_makes_the_size_right),
		cmocka_unit_test(fields_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, close_machines);
}
