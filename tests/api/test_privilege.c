/* SPDX-License-Identifier: MIT */
/* A privilege for all events of a call is the modifier of each event that has none of its own, if
 * the PMU distinguishes who causes an event. */
#include "tests/api/program.h"

static struct pmuq_encodings *encode_for(const char *machine, const char *text,
					 enum pmuq_privilege privilege)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .privilege = privilege };

	return encode(machine, text, &options);
}

/* Both have the same attrs. */
static void expect_same(const char *machine, const char *text, enum pmuq_privilege privilege,
			const char *written)
{
	struct pmuq_encodings *ours = encode_for(machine, text, privilege);
	struct pmuq_encodings *theirs = encode_for(machine, written, PMUQ_PRIVILEGE_ANY);

	assert_int_equal(pmuq_encodings_count(ours), pmuq_encodings_count(theirs));
	for (size_t i = 0; i < pmuq_encodings_count(ours); i++)
		if (memcmp(pmuq_encodings_get(ours, i)->attr, pmuq_encodings_get(theirs, i)->attr,
			   sizeof(struct pmuq_attr)) != 0)
			fail_msg("'%s' with privilege %d is not '%s'", text, privilege, written);
	pmuq_encodings_free(ours);
	pmuq_encodings_free(theirs);
}

static void it_is_the_modifier_of_events_without_one(void **state)
{
	static const struct {
		const char *machine, *text;
		enum pmuq_privilege privilege;
		const char *written;
	} rows[] = {
		{ "skylake-sp", "cycles", PMUQ_PRIVILEGE_USER, "cycles:u" },
		{ "skylake-sp", "cycles", PMUQ_PRIVILEGE_KERNEL, "cycles:k" },
		{ "skylake-sp", "cycles", PMUQ_PRIVILEGE_BOTH, "cycles:uk" },
		{ "skylake-sp", "cycles", PMUQ_PRIVILEGE_ANY, "cycles" },
		{ "skylake-sp", "cycles:k,cycles:h,cycles:uk,cycles:pp,cycles:G",
		  PMUQ_PRIVILEGE_USER, "cycles:k,cycles:h,cycles:uk,cycles:ppu,cycles:Gu" },
		{ "skylake-sp", "{cycles,instructions}:k,{branches:u,branch-misses}",
		  PMUQ_PRIVILEGE_USER, "{cycles,instructions}:k,{branches:u,branch-misses:u}" },
		{ "skylake-sp", "cpu/mem-loads,ldlat=30/p,r1a8,LLC-loads,4:0x3c",
		  PMUQ_PRIVILEGE_USER, "cpu/mem-loads,ldlat=30/pu,r1a8:u,LLC-loads:u,4:0x3c:u" },
		{ "skylake-sp", "page-faults,mem:0x1000:w", PMUQ_PRIVILEGE_USER,
		  "page-faults:u,mem:0x1000:w:u" },
		{ "alderlake-hybrid-k6.12", "cycles,cpu_atom/event=0x3c/", PMUQ_PRIVILEGE_USER,
		  "cycles:u,cpu_atom/event=0x3c/u" },
		/* The slots event that pmuq adds. */
		{ "alderlake-hybrid-k6.12", "{cpu_core/topdown-retiring/,cpu_core/cycles/}",
		  PMUQ_PRIVILEGE_USER, "{cpu_core/topdown-retiring/u,cpu_core/cycles/u}" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_same(rows[i].machine, rows[i].text, rows[i].privilege, rows[i].written);
}

static void events_without_levels_keep_their_attrs(void **state)
{
	static const char *const events[] = { "uncore_imc/cas_count_read/", "msr/tsc/", "2:314",
					      "power/energy-pkg/" };

	(void)state;
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		expect_same("skylake-sp", events[i], PMUQ_PRIVILEGE_USER, events[i]);
}

static void it_is_a_default_in_the_assignments(void **state)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .privilege = PMUQ_PRIVILEGE_USER,
						     .with_assignments = true };
	struct pmuq_encodings *encodings = encode("skylake-sp", "cycles", &options);
	const struct pmuq_encoding *one = pmuq_encodings_get(encodings, 0);
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < one->n_assignments; i++) {
		const struct pmuq_assignment *a = pmuq_encoding_assignment(one, i);

		if (strncmp(a->field.p, "exclude_", 8) != 0)
			continue;
		n++;
		assert_string_equal(a->term.p, "u");
		assert_int_equal(a->cause, PMUQ_CAUSE_DEFAULT);
	}
	assert_int_equal(n, 2);
	pmuq_encodings_free(encodings);
}

static void a_preset_comes_after_it(void **state)
{
	struct pmuq_encode_options options = { .size = sizeof(options),
					       .preset = PMUQ_PRESET_STAT,
					       .privilege = PMUQ_PRIVILEGE_USER };
	struct pmuq_encodings *ours = encode("skylake-sp", "cycles", &options), *theirs;

	(void)state;
	options.privilege = PMUQ_PRIVILEGE_ANY;
	theirs = encode("skylake-sp", "cycles:u", &options);
	assert_memory_equal(pmuq_encodings_get(ours, 0)->attr, pmuq_encodings_get(theirs, 0)->attr,
			    sizeof(struct pmuq_attr));
	pmuq_encodings_free(ours);
	pmuq_encodings_free(theirs);
}

static void an_unknown_privilege_is_a_bad_call(void **state)
{
	const struct pmuq_encode_options options = { .size = sizeof(options),
						     .privilege = (enum pmuq_privilege)4 };

	struct pmuq_encodings *encodings = NULL;

	(void)state;
	assert_int_equal(pmuq_source_encode(machine_named("skylake-sp"), "cycles", &options,
					    &encodings, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_null(encodings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_modifier_of_events_without_one),
		cmocka_unit_test(events_without_levels_keep_their_attrs),
		cmocka_unit_test(it_is_a_default_in_the_assignments),
		cmocka_unit_test(a_preset_comes_after_it),
		cmocka_unit_test(an_unknown_privilege_is_a_bad_call),
	};

	return cmocka_run_group_tests(tests, NULL, close_machines);
}
