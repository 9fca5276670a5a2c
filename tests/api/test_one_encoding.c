/* SPDX-License-Identifier: MIT */
/*
 * Which written event an encoding comes from, and the one encoding of a string or the reasons why
 * there are several; as a program sees it that has only the installed headers.
 */
#include "tests/api/program.h"

static void each_encoding_names_its_event(void **state)
{
	static const char text[] = "cycles,{cpu/mem-loads/,uncore_imc/cas_count_read/}:D";
	struct pmuq_encodings *encodings = encode("skylake-sp", text, NULL);
	static const char *const events[] = { "cycles", "cpu/mem-loads/",
					      "uncore_imc/cas_count_read/" };
	size_t seen[3] = { 0 };

	(void)state;
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *one = pmuq_encodings_get(encodings, i);

		assert_true(one->event < 3);
		assert_int_equal(one->length, strlen(events[one->event]));
		assert_memory_equal(text + one->offset, events[one->event], one->length);
		assert_false(one->is_added);
		seen[one->event]++;
	}
	assert_int_equal(seen[0], 1);
	assert_int_equal(seen[1], 1);
	assert_int_equal(seen[2], 6);
	pmuq_encodings_free(encodings);
}

static void an_added_event_is_marked_and_can_be_left_out(void **state)
{
	struct pmuq_encode_options options = { .size = sizeof(options), .is_as_written = true };
	struct pmuq_encodings *encodings =
		encode("icelake-sp-k6.12", "cpu/topdown-retiring/", NULL);
	const struct pmuq_encoding *one = NULL;

	(void)state;
	assert_int_equal(pmuq_encodings_count(encodings), 2);
	assert_true(pmuq_encodings_get(encodings, 0)->is_added);
	assert_string_equal(pmuq_encodings_get(encodings, 0)->name.p, "slots");
	assert_false(pmuq_encodings_get(encodings, 1)->is_added);
	pmuq_encodings_free(encodings);

	encodings = encode("icelake-sp-k6.12", "cpu/topdown-retiring/", &options);
	assert_int_equal(pmuq_encodings_one(encodings, &one, NULL), 0);
	assert_string_equal(one->name.p, "cpu/topdown-retiring/");
	pmuq_encodings_free(encodings);
}

/* `one` is what the hint writes for a single encoding; NULL: nothing. */
struct several {
	const char *machine, *text, *message, *one;
	size_t offset, length;
};

// clang-format off
static const struct several severals[] = {
	{ .machine = "skylake-sp", .text = "cycles,instructions,page-faults", .message = "the string has 3 events",
	  .offset = 7, .length = 12 },
	{ .machine = "skylake-sp", .text = "{cycles,instructions}:u", .message = "the string has 2 events",
	  .offset = 8, .length = 12 },
	{ .machine = "skylake-sp", .text = " uncore_imc/cas_count_read/", .offset = 1, .length = 26,
	  .message = "the event stands for 6 PMUs: uncore_imc_[0-5]", .one = "uncore_imc_0/cas_count_read/" },
	{ .machine = "skylake-sp", .text = "uncore_*/event=1,name=ab/", .length = 25,
	  .message = "the event stands for ", .one = "uncore_cha_0/event=1,name=ab/" },
	{ .machine = "alderlake-hybrid-k6.12", .text = "cycles:u", .length = 8,
	  .message = "the event stands for 2 PMUs: cpu_atom, cpu_core", .one = "cpu_atom/cycles/u" },
	{ .machine = "alderlake-hybrid-k6.12", .text = "L1-dcache-loads:uk", .length = 18,
	  .message = "the event stands for 2 PMUs: cpu_atom, cpu_core", .one = "cpu_atom/L1-dcache-loads/uk" },
	{ .machine = "alderlake-hybrid-k6.12", .text = "'L1-dcache-loads'", .length = 17,
	  .message = "the event stands for 2 PMUs: cpu_atom, cpu_core", .one = "cpu_atom/'L1-dcache-loads'/" },
	{ .machine = "alderlake-hybrid-k6.12", .text = "{cycles}:u", .offset = 1, .length = 6,
	  .message = "the event stands for 2 PMUs: cpu_atom, cpu_core" },
	{ .machine = "icelake-sp-k6.12", .text = "cpu/topdown-retiring/", .length = 21,
	  .message = "the event counts only in a group with 'slots', which pmuq added" },
};
// clang-format on

static void several_encodings_are_explained(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(severals) / sizeof(severals[0]); i++) {
		const struct several *row = &severals[i];
		struct pmuq_encodings *encodings = encode(row->machine, row->text, NULL);
		const struct pmuq_encoding *one = NULL;
		struct pmuq_error *error = NULL;
		int r = pmuq_encodings_one(encodings, &one, &error);

		if (r != -PMUQ_E_SEVERAL_ENCODINGS)
			fail_msg("%s has one encoding", row->text);
		assert_null(one);
		assert_contains(error->message.p, row->message);
		assert_string_equal(error->input.p, row->text);
		assert_int_equal(error->offset, row->offset);
		assert_int_equal(error->length, row->length);
		assert_int_equal(error->code, PMUQ_E_SEVERAL_ENCODINGS);
		if (row->one)
			assert_contains(error->hint.p, row->one);
		assert_contains(error->hint.p, "use ");
		pmuq_error_free(error);
		assert_int_equal(pmuq_encodings_one(encodings, &one, NULL),
				 -PMUQ_E_SEVERAL_ENCODINGS);
		pmuq_encodings_free(encodings);
	}
}

/* The string in the hint has one encoding: the first of the string that it replaces. */
static void the_hint_is_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(severals) / sizeof(severals[0]); i++) {
		const struct pmuq_encoding *one = NULL;
		struct pmuq_encodings *all, *single;

		if (!severals[i].one)
			continue;
		all = encode(severals[i].machine, severals[i].text, NULL);
		single = encode(severals[i].machine, severals[i].one, NULL);
		assert_int_equal(pmuq_encodings_one(single, &one, NULL), 0);
		assert_memory_equal(one->attr, pmuq_encodings_get(all, 0)->attr,
				    sizeof(*one->attr));
		pmuq_encodings_free(single);
		pmuq_encodings_free(all);
	}
}

static void a_pattern_of_tracepoints_is_explained(void **state)
{
	static const struct file files[] = {
		{ "sys/bus/event_source/devices/tracepoint/type", "2" },
		{ "sys/kernel/tracing/events/sched/sched_migrate/id", "311" },
		{ "sys/kernel/tracing/events/sched/sched_switch/id", "312" },
		{ "sys/kernel/tracing/events/sched/sched_wait/id", "313" },
		{ "sys/kernel/tracing/events/sched/sched_waking/id", "314" },
	};
	struct pmuq_source *source = machine_of_files(files, sizeof(files) / sizeof(files[0]));
	struct pmuq_encodings *encodings = NULL;
	const struct pmuq_encoding *one = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_source_encode(source, "sched:*", NULL, &encodings, NULL), 0);
	assert_int_equal(pmuq_encodings_one(encodings, &one, &error), -PMUQ_E_SEVERAL_ENCODINGS);
	assert_string_equal(error->message.p,
			    "the pattern stands for 4 events: sched:sched_migrate, "
			    "sched:sched_switch, sched:sched_wait and 1 more");
	assert_string_equal(error->hint.p, "write one of these names, or use all 4 encodings");
	pmuq_error_free(error);
	pmuq_encodings_free(encodings);
	pmuq_source_free(source);
}

static void a_string_with_one_encoding_gives_it(void **state)
{
	struct pmuq_encodings *encodings = encode("skylake-sp", "cpu/mem-loads,ldlat=30/u", NULL);
	const struct pmuq_encoding *one = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_encodings_one(encodings, &one, &error), 0);
	assert_null(error);
	assert_ptr_equal(one, pmuq_encodings_get(encodings, 0));
	assert_string_equal(one->name.p, "cpu/mem-loads,ldlat=30/u");
	pmuq_encodings_free(encodings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_encoding_names_its_event),
		cmocka_unit_test(an_added_event_is_marked_and_can_be_left_out),
		cmocka_unit_test(several_encodings_are_explained),
		cmocka_unit_test(the_hint_is_right),
		cmocka_unit_test(a_pattern_of_tracepoints_is_explained),
		cmocka_unit_test(a_string_with_one_encoding_gives_it),
	};

	return cmocka_run_group_tests(tests, NULL, close_machines);
}
