/* SPDX-License-Identifier: MIT */
/* A vendor table in memory: names in any case, the PMUs that a name of a table covers. */
#include "core/catalog/catalog_private.h"
#include "core/limits.h"
#include "tests/harness/build.h"
#include "tests/harness/build_vendor.h"
#include <pmuq/pmuq.h>
#include <stdio.h>

static const struct test_event events[] = {
	{ "unc_clockticks", "uncore_imc", "event=1" },
	{ "mem_load", "default_core", "event=2" },
	{ "unc_clockticks", "uncore_cha", "event=3" },
	{ "slots", "cpu_core", "event=4" },
	{ "slots", "cpu_atom", "event=5" },
	{ "ddr_cycles", "imx8_ddr", "config=6", "i.MX8M[QM]" },
	{ "ddr_cycles", "imx8_ddr", "config=7", "v1(\\.[0-9]+)?" },
	{ "ddr_reads", "imx8_ddr", "config=8", "i.MX8M[QM]" },
};

static struct pmuq_vendor *make(void)
{
	return test_vendor(events, COUNT(events));
}

static struct pq_vendor_list find(const struct pmuq_vendor *vendor, struct pmuq_str name)
{
	struct pq_vendor_list list;

	assert_int_equal(pq_vendor_find(vendor, name, &list, NULL), 0);
	return list;
}

static void names_are_found_in_any_case(void **state)
{
	struct pmuq_vendor *vendor = make();
	struct pq_vendor_list list = find(vendor, STR("Unc_ClockTicks"));
	char long_name[1000];

	(void)state;
	memset(long_name, 'a', sizeof(long_name));
	assert_int_equal(list.n, 2);
	assert_string_equal(list.v[0].record.pmu.p, "uncore_cha");
	assert_string_equal(list.v[1].record.pmu.p, "uncore_imc");
	assert_int_equal(find(vendor, STR("MEM_LOAD")).n, 1);
	assert_int_equal(find(vendor, STR("mem_loa")).n, 0);
	assert_int_equal(find(vendor, STR("")).n, 0);
	assert_int_equal(
		find(vendor, (struct pmuq_str){ .p = long_name, .n = sizeof(long_name) }).n, 0);
	pmuq_vendor_free(vendor);
}

static void events_are_in_their_order(void **state)
{
	struct pmuq_vendor *vendor = make();

	(void)state;
	assert_int_equal(pmuq_vendor_content(vendor)->n_events, COUNT(events));
	for (size_t i = 1; i < COUNT(events); i++)
		assert_true(strcmp(pmuq_vendor_get(vendor, i - 1)->event->name.p,
				   pmuq_vendor_get(vendor, i)->event->name.p) <= 0);
	assert_null(pmuq_vendor_get(vendor, COUNT(events)));
	assert_string_equal(pmuq_vendor_content(vendor)->folder.p, "x86/t");
	pmuq_vendor_free(vendor);
}

static struct pmuq_pmu pmu_of(const char *name, bool is_core, bool is_uncore)
{
	return (struct pmuq_pmu){ .name = str_of(name),
				  .is_core = is_core,
				  .is_uncore = is_uncore };
}

/* As perf 7.2 has it. */
static const struct cover {
	const char *pattern, *pmu;
	bool is_core, is_uncore, covers;
} covers[] = {
	{ "default_core", "cpu", true, false, true },
	{ "default_core", "armv8_cortex_a53", true, false, true },
	{ "default_core", "uncore_imc_0", false, true, false },
	{ "cpu_atom", "cpu_atom", true, false, true },
	{ "cpu_atom", "cpu_core", true, false, false },
	{ "cpu", "cpu_core", true, false, false },
	{ "uncore_imc", "uncore_imc", false, true, true },
	{ "uncore_imc", "uncore_imc_0", false, true, true },
	{ "uncore_imc", "uncore_imc_12", false, true, true },
	{ "uncore_imc", "uncore_imc12", false, true, true },
	{ "uncore_imc", "uncore_imc_1_2", false, true, false },
	{ "uncore_imc", "uncore_imc1_2", false, true, true },
	{ "uncore_imc", "uncore_imc_", false, true, false },
	{ "uncore_imc", "uncore_imc_free_running_0", false, true, false },
	{ "uncore_imc_free_running", "uncore_imc_free_running_0", false, true, true },
	{ "uncore_imc", "imc_0", false, true, true },
	{ "uncore_arm_cmn", "arm_cmn_0", false, true, true },
	{ "uncore_cha", "uncore_cha_ab", false, true, false },
	{ "uncore_cha", "uncore_cha_abc", false, true, true },
	{ "uncore_cha", "uncore_cha_0", false, false, false },
	{ "uncore_cha", "uncore_cha", false, false, true },
	{ "hisi_sccl,ddrc", "hisi_sccl1_ddrc0", false, true, true },
	{ "hisi_sccl,ddrc", "hisi_sccl12_ddrc", false, true, true },
	{ "hisi_sccl,ddrc", "hisi_sccl1_l3c0", false, true, false },
	{ "hisi_sccl,ddrc", "hisi_sccl1_ddrc0_x", false, true, false },
	{ "hisi_sccl,ddrc", "hisi_sccl1ddrc0", false, true, true },
	{ "uncore_imc", "uncore_", false, true, false },
};

static void a_table_covers_instances(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(covers); i++) {
		const struct cover *cover = &covers[i];
		struct pmuq_pmu pmu = pmu_of(cover->pmu, cover->is_core, cover->is_uncore);

		if (pq_vendor_covers(str_of(cover->pattern), &pmu) != cover->covers)
			fail_msg("%s and %s", cover->pattern, cover->pmu);
	}
}

/* In the order of a catalog. */
static const struct instance {
	struct test_pmu pmu;
	uint32_t n_siblings;
} instances[] = {
	{ { .name = "cpu", .cpus = "0-3" }, 0 },
	{ { .name = "hisi_sccl1_ddrc0", .cpumask = "0" }, 0 },
	{ { .name = "hisi_sccl1_l3c0", .cpumask = "0" }, 0 },
	{ { .name = "imc_0", .cpumask = "0" }, 1 },
	{ { .name = "imc_1", .cpumask = "0" }, 0 },
	{ { .name = "uncore", .cpumask = "0" }, 0 },
	{ { .name = "uncore_0", .cpumask = "0" }, 0 },
	{ { .name = "uncore_cha_0", .cpumask = "0" }, 1 },
	{ { .name = "uncore_cha_ab1", .cpumask = "0" }, 0 },
	{ { .name = "uncore_imc_0", .cpumask = "0" }, 2 },
	{ { .name = "uncore_imc_1", .cpumask = "0" }, 1 },
	{ { .name = "uncore_imc_10", .cpumask = "0" }, 0 },
	{ { .name = "uncore_imc_free_running_0", .cpumask = "0" }, 1 },
	{ { .name = "uncore_imc_free_running_1", .cpumask = "0" }, 0 },
	{ { .name = "uncore_type_1_0", .alias = "uncore_m2m_0", .cpumask = "0" }, 1 },
	{ { .name = "uncore_type_1_1", .alias = "uncore_m2m_1", .cpumask = "0" }, 0 },
	{ { .name = "uncore_type_1_2", .alias = "uncore_iio_2", .cpumask = "0" }, 0 },
	{ { .name = "uncore_type_1_3", .cpumask = "0" }, 0 },
};

static const char *const patterns[] = {
	"uncore_imc",	"imc",	      "uncore_imc_1", "uncore_im", "uncore_imc_free_running",
	"uncore_cha",	"uncore_m2m", "m2m_1",	      "iio",	   "uncore_iio",
	"default_core", "uncore",     "uncore_0",     "u",	   "hisi_sccl,ddrc",
	",imc",		"",	      "uncore_type",  "type_1",	   "uncore_imc_free_running_10",
};

/* An instance that is skipped because of the first one is not covered. */
static void siblings_are_covered_together(void **state)
{
	struct test_pmu machine[COUNT(instances)];
	struct pmuq_catalog *catalog;

	(void)state;
	for (size_t i = 0; i < COUNT(instances); i++)
		machine[i] = instances[COUNT(instances) - 1 - i].pmu;
	catalog = test_catalog(machine, COUNT(machine));
	for (size_t i = 0; i < COUNT(instances); i++) {
		const struct pmuq_pmu *pmu = catalog->pmus[i];

		assert_string_equal(pmu->name.p, instances[i].pmu.name);
		if (pmu->n_siblings != instances[i].n_siblings)
			fail_msg("%s has %u siblings", pmu->name.p, pmu->n_siblings);
		for (size_t k = 0; k < COUNT(patterns); k++) {
			struct pmuq_str pattern = str_of(patterns[k]);

			for (size_t n = 0; n <= pmu->n_siblings; n++)
				if (pq_vendor_covers(pattern, catalog->pmus[i + n]) &&
				    !pq_vendor_may_cover(pattern, pmu))
					fail_msg("'%s' and %s", pattern.p, pmu->name.p);
		}
	}
	assert_false(pq_vendor_may_cover(STR("uncore_imc"), catalog->pmus[7]));
	pmuq_catalog_free(catalog);
}

static void a_pmu_has_its_event(void **state)
{
	const struct pmuq_pair identifiers[] = {
		{ .name = STR("identifier"), .text = STR("i.MX8MQ") },
		{ .name = STR("identifier"), .text = STR("v1.2") },
		{ .name = STR("identifier"), .text = STR("v1.2x") },
	};
	static const char *const expected[] = { "config=6", "config=7", NULL };
	struct pmuq_vendor *vendor = make();
	struct pmuq_pmu pmu = pmu_of("uncore_cha_3", false, true);

	(void)state;
	assert_string_equal(pmuq_vendor_find_event(vendor, &pmu, "UNC_CLOCKTICKS")->event->terms.p,
			    "event=3");
	assert_null(pmuq_vendor_find_event(vendor, &pmu, "slots"));
	pmu = pmu_of("imx8_ddr0", false, true);
	assert_null(pmuq_vendor_find_event(vendor, &pmu, "ddr_cycles"));
	for (size_t i = 0; i < COUNT(expected); i++) {
		const struct pmuq_vendor_event *event;

		pmu.attributes = &identifiers[i];
		pmu.n_attributes = 1;
		event = pmuq_vendor_find_event(vendor, &pmu, "ddr_cycles");
		if (expected[i])
			assert_string_equal(event->event->terms.p, expected[i]);
		else
			assert_null(event);
	}
	pmuq_vendor_free(vendor);
}

/* Equal expressions are compiled once. */
static void an_identifier_decides_for_all_events(void **state)
{
	const struct pmuq_pair identifier = { .name = STR("identifier"), .text = STR("i.MX8MM") };
	struct pmuq_vendor *vendor = make();
	struct pmuq_pmu pmu = pmu_of("imx8_ddr0", false, true);

	(void)state;
	pmu.attributes = &identifier;
	pmu.n_attributes = 1;
	assert_string_equal(pmuq_vendor_find_event(vendor, &pmu, "ddr_cycles")->event->terms.p,
			    "config=6");
	assert_string_equal(pmuq_vendor_find_event(vendor, &pmu, "ddr_reads")->event->terms.p,
			    "config=8");
	pmuq_vendor_free(vendor);
}

static void a_table_may_be_empty(void **state)
{
	struct pmuq_vendor *vendor = test_vendor(NULL, 0);

	(void)state;
	assert_int_equal(pmuq_vendor_content(vendor)->n_events, 0);
	assert_null(pmuq_vendor_get(vendor, 0));
	assert_int_equal(find(vendor, STR("mem_load")).n, 0);
	pmuq_vendor_free(vendor);
	pmuq_vendor_free(NULL);
}

static void a_table_beyond_the_limit_is_refused(void **state)
{
	struct pmuq_vendor *vendor = NULL;

	(void)state;
	assert_int_equal(pq_vendor_new(SIZE_MAX, &vendor, NULL), -PMUQ_E_MEMORY);
	assert_int_equal(pq_vendor_new(PQ_VENDOR_TABLE_MAX_BYTES, &vendor, NULL), -PMUQ_E_MEMORY);
	assert_null(vendor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_in_any_case),
		cmocka_unit_test(events_are_in_their_order),
		cmocka_unit_test(a_table_covers_instances),
		cmocka_unit_test(siblings_are_covered_together),
		cmocka_unit_test(a_pmu_has_its_event),
		cmocka_unit_test(an_identifier_decides_for_all_events),
		cmocka_unit_test(a_table_may_be_empty),
		cmocka_unit_test(a_table_beyond_the_limit_is_refused),
	};

	return cmocka_run_group_tests_name("vendor", tests, NULL, NULL);
}
