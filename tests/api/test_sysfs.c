/* SPDX-License-Identifier: MIT */
/* A copy of /sys under any name, as fixtures of other projects are, is a machine. */
#include "tests/api/program.h"

static char fixture[4096];

static int find_fixture(void **state)
{
	(void)state;
	snprintf(fixture, sizeof(fixture), "%s/skylake-sp/sys", getenv("PMUQ_TEST_MACHINES"));
	return 0;
}

static void it_encodes_as_the_whole_machine_does(void **state)
{
	static const char *const events[] = { "cpu/mem-loads,ldlat=30/u", "cycles",
					      "uncore_imc/cas_count_read/", "msr/tsc/" };
	struct pmuq_source *source = NULL;

	(void)state;
	assert_int_equal(pmuq_source_open_sysfs(fixture, &source, NULL), 0);
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct pmuq_encodings *whole = encode("skylake-sp", events[i], NULL), *ours = NULL;

		assert_int_equal(pmuq_source_encode(source, events[i], NULL, &ours, NULL), 0);
		assert_int_equal(pmuq_encodings_count(ours), pmuq_encodings_count(whole));
		for (size_t k = 0; k < pmuq_encodings_count(ours); k++)
			assert_memory_equal(pmuq_encodings_get(ours, k)->attr,
					    pmuq_encodings_get(whole, k)->attr,
					    sizeof(struct pmuq_attr));
		pmuq_encodings_free(whole);
		pmuq_encodings_free(ours);
	}
	pmuq_source_free(source);
}

static void a_link_that_leads_out_is_named(void **state)
{
	char directory[] = "/tmp/pmuq-sysfs-XXXXXX", link[64], target[sizeof(fixture) + 8];
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(link, sizeof(link), "%s/bus", directory);
	snprintf(target, sizeof(target), "%s/bus", fixture);
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(pmuq_source_open_sysfs(directory, &source, &error), -PMUQ_E_NO_ROOT);
	assert_non_null(strstr(error->message.p, "bus is a symbolic link that leads out"));
	pmuq_error_free(error);
	unlink(link);
	rmdir(directory);
}

static void a_directory_without_pmus_is_refused(void **state)
{
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_source_open_sysfs("/etc", &source, &error), -PMUQ_E_NO_ROOT);
	assert_non_null(strstr(error->message.p, "/etc"));
	pmuq_error_free(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_encodes_as_the_whole_machine_does),
		cmocka_unit_test(a_link_that_leads_out_is_named),
		cmocka_unit_test(a_directory_without_pmus_is_refused),
	};

	return cmocka_run_group_tests(tests, find_fixture, close_machines);
}
