/* SPDX-License-Identifier: MIT */
/* Lists of CPUs as numbers, and back as text. */
#include "tests/api/program.h"

static struct pmuq_cpu_list *list_of(const char *text)
{
	struct pmuq_cpu_list *list = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_cpu_list_from_text(text, &list, &error) < 0)
		fail_msg("%s: %s", text, error->message.p);
	return list;
}

static const struct {
	const char *text, *shortest;
	unsigned numbers[8];
	size_t n;
} lists[] = {
	{ "0", "0", { 0 }, 1 },
	{ "0-3,8", "0-3,8", { 0, 1, 2, 3, 8 }, 5 },
	{ " 8, 2,1,1-3\n", "1-3,8", { 1, 2, 3, 8 }, 4 },
	{ "63-65", "63-65", { 63, 64, 65 }, 3 },
	{ "65535", "65535", { 65535 }, 1 },
	{ "4-4", "4", { 4 }, 1 },
	{ "0,2", "0,2", { 0, 2 }, 2 },
	{ "", "", { 0 }, 0 },
	{ " \n", "", { 0 }, 0 },
};

static void text_becomes_numbers_and_numbers_become_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct pmuq_cpu_list *list = list_of(lists[i].text), *again = NULL;

		assert_int_equal(list->n_numbers, lists[i].n);
		assert_memory_equal(list->numbers, lists[i].numbers,
				    lists[i].n * sizeof(*list->numbers));
		assert_string_equal(list->text.p, lists[i].shortest);
		assert_int_equal(list->text.n, strlen(lists[i].shortest));
		assert_int_equal(
			pmuq_cpu_list_from_numbers(lists[i].numbers, lists[i].n, &again, NULL), 0);
		assert_string_equal(again->text.p, lists[i].shortest);
		pmuq_cpu_list_free(again);
		pmuq_cpu_list_free(list);
	}
}

static void a_list_has_its_cpus_and_no_others(void **state)
{
	struct pmuq_cpu_list *list = list_of("1-3,64,65535");
	size_t n = 0;

	(void)state;
	for (unsigned cpu = 0; cpu < 1u << 17; cpu++)
		n += pmuq_cpu_list_has(list, cpu);
	assert_int_equal(n, 5);
	assert_true(pmuq_cpu_list_has(list, 1));
	assert_true(pmuq_cpu_list_has(list, 64));
	assert_true(pmuq_cpu_list_has(list, 65535));
	assert_false(pmuq_cpu_list_has(list, 65536));
	assert_false(pmuq_cpu_list_has(list, UINT32_MAX));
	pmuq_cpu_list_free(list);
}

static void every_cpu_at_once(void **state)
{
	struct pmuq_cpu_list *list = list_of("0-65535");

	(void)state;
	assert_int_equal(list->n_numbers, 65536);
	for (unsigned cpu = 0; cpu < 65536; cpu++)
		assert_int_equal(list->numbers[cpu], cpu);
	assert_string_equal(list->text.p, "0-65535");
	pmuq_cpu_list_free(list);
}

static void numbers_may_be_in_any_order_and_repeated(void **state)
{
	static const unsigned numbers[] = { 9, 1, 9, 3, 2, 1 }, large[] = { 0, 65536 };
	struct pmuq_cpu_list *list = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_cpu_list_from_numbers(numbers, 6, &list, NULL), 0);
	assert_string_equal(list->text.p, "1-3,9");
	pmuq_cpu_list_free(list);
	list = NULL;
	assert_int_equal(pmuq_cpu_list_from_numbers(large, 2, &list, &error), -PMUQ_E_BAD_CPUS);
	assert_null(list);
	assert_contains(error->message.p, "65536");
	pmuq_error_free(error);
}

static void an_error_is_at_the_part_that_is_wrong(void **state)
{
	static const struct {
		const char *text;
		size_t offset, length;
		const char *message;
	} rows[] = {
		{ "x", 0, 1, "'x' is not a CPU or a range of CPUs" },
		{ "0-3, 8x,9", 5, 2, "'8x' is not a CPU" },
		{ "0-3,,9", 4, 0, "'' is not a CPU" },
		{ "0,", 2, 0, "'' is not a CPU" },
		{ "1,8-3", 2, 3, "the range 8-3 ends before it begins" },
		{ "0-65536", 0, 7, "the largest number is 65535" },
		{ "1,99999999999999999999", 2, 20, "is not a CPU" },
		{ "1-", 0, 2, "'1-' is not a CPU" },
		{ "-1", 0, 2, "'-1' is not a CPU" },
		{ "0-7:2/4", 0, 7, "'0-7:2/4' is not a CPU" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pmuq_cpu_list *list = NULL;
		struct pmuq_error *error = NULL;

		if (pmuq_cpu_list_from_text(rows[i].text, &list, &error) != -PMUQ_E_BAD_CPUS)
			fail_msg("%s is a list", rows[i].text);
		assert_null(list);
		assert_contains(error->message.p, rows[i].message);
		assert_string_equal(error->input.p, rows[i].text);
		if (error->offset != rows[i].offset || error->length != rows[i].length)
			fail_msg("%s: at %zu, %zu bytes", rows[i].text, error->offset,
				 error->length);
		assert_contains(error->hint.p, "0-3,8");
		pmuq_error_free(error);
	}
}

static void the_cpus_of_an_encoding_are_numbers(void **state)
{
	struct pmuq_encodings *encodings =
		encode("skylake-sp", "uncore_imc_0/cas_count_read/", NULL);
	struct pmuq_cpu_list *list = list_of(pmuq_encodings_get(encodings, 0)->cpus.p);

	(void)state;
	assert_int_equal(list->n_numbers, 2);
	assert_int_equal(list->numbers[0], 0);
	assert_int_equal(list->numbers[1], 8);
	pmuq_encodings_free(encodings);
	pmuq_cpu_list_free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_becomes_numbers_and_numbers_become_text),
		cmocka_unit_test(a_list_has_its_cpus_and_no_others),
		cmocka_unit_test(every_cpu_at_once),
		cmocka_unit_test(numbers_may_be_in_any_order_and_repeated),
		cmocka_unit_test(an_error_is_at_the_part_that_is_wrong),
		cmocka_unit_test(the_cpus_of_an_encoding_are_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, close_machines);
}
