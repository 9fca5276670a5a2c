/* SPDX-License-Identifier: MIT */
/* Names that sysfs does not have: those of libpfm4, and those of a vendor's tables with their
 * descriptions. */
#include "tests/api/program.h"
#include <time.h>

static struct pmuq_pfm *pfm;

static int open_pfm(void **state)
{
	const struct pmuq_pfm_options options = { .size = sizeof(options),
						  .helper = getenv("PMUQ_PFM") };

	(void)state;
	return options.helper ? pmuq_pfm_open(&options, &pfm, NULL) : 0;
}

static int close_all(void **state)
{
	pmuq_pfm_free(pfm);
	return close_machines(state);
}

static struct pmuq_encode_options options_of_pfm(void)
{
	const struct pmuq_encode_options options = { .size = sizeof(options), .pfm = pfm };

	if (!pfm || access(getenv("PMUQ_PFM"), X_OK) < 0)
		skip();
	return options;
}

static void names_of_libpfm4_give_the_attr_and_the_complete_name(void **state)
{
	static const struct {
		const char *text;
		unsigned type;
		uint64_t config;
		const char *begins;
	} rows[] = {
		{ "skx::INST_RETIRED:u", 4, 0xc0, "skx::INST_RETIRED:ANY_P:" },
		{ "MEM_LOAD_RETIRED:L3_MISS", 4, 0x20d1, "skx::MEM_LOAD_RETIRED:L3_MISS:" },
		{ "PAGE-FAULTS:u=1", 1, 2, "perf::PERF_COUNT_SW_PAGE_FAULTS:" },
		{ "pfm:CYCLES", 0, 0, "perf::" },
		{ "perf::PAGE-FAULTS", 1, 2, "perf::PERF_COUNT_SW_PAGE_FAULTS:" },
	};
	const struct pmuq_encode_options options = options_of_pfm();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pmuq_encodings *encodings = encode("skylake-sp", rows[i].text, &options);
		const struct pmuq_encoding *one = pmuq_encodings_get(encodings, 0);

		assert_int_equal(one->attr->type, rows[i].type);
		assert_int_equal(one->attr->config, rows[i].config);
		assert_int_equal(
			strncmp(one->libpfm4_name.p, rows[i].begins, strlen(rows[i].begins)), 0);
		pmuq_encodings_free(encodings);
	}
}

static void a_name_of_another_cpu_is_an_error_unless_it_is_accepted(void **state)
{
	struct pmuq_encode_options options = options_of_pfm();
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_source_encode(machine_named("haswell-client"), "skx::INST_RETIRED",
					    &options, &encodings, &error),
			 -PMUQ_E_FOREIGN_NAME);
	assert_string_equal(error->hint.p,
			    "pfm:INST_RETIRED names the event of this machine's CPU");
	pmuq_error_free(error);
	options.accepts_other_cpus = true;
	encodings = encode("haswell-client", "skx::INST_RETIRED", &options);
	assert_int_equal(pmuq_encodings_get(encodings, 0)->attr->config, 0xc0);
	pmuq_encodings_free(encodings);
}

/* A store with the tables of tests/vendor. */
static void import(struct own_store *imported)
{
	own_store_begin(imported);
	assert_int_equal(pmuq_store_import_vendor(imported->store, getenv("PMUQ_TEST_VENDOR"), "v",
						  time(NULL), NULL, NULL),
			 0);
}

static void an_event_of_a_table_has_its_description(void **state)
{
	struct pmuq_encode_options options = { .size = sizeof(options) };
	struct pmuq_vendor *vendor = NULL;
	struct pmuq_encodings *encodings;
	const struct pmuq_encoding *one;
	struct own_store imported = { 0 };
	struct pmuq_store *store;

	(void)state;
	import(&imported);
	store = imported.store;
	assert_int_equal(pmuq_store_open_vendor(store, "GenuineIntel-6-F0", &vendor, NULL), 0);
	options.vendor = vendor;
	encodings = encode("skylake-sp", "mem_load_retired.l3_miss", &options);
	one = pmuq_encodings_get(encodings, 0);
	assert_int_equal(one->attr->config, 0x20d1);
	assert_int_equal(one->origin, PMUQ_FROM_JSON);
	assert_non_null(strstr(one->description.p, "Loads that missed"));
	assert_non_null(one->table);
	assert_string_equal(one->table->folder.p, pmuq_vendor_content(vendor)->folder.p);
	assert_null(one->libpfm4_name.p);
	pmuq_encodings_free(encodings);
	encodings = encode("skylake-sp", "cycles", &options);
	assert_string_equal(pmuq_encodings_get(encodings, 0)->description.p, "");
	assert_null(pmuq_encodings_get(encodings, 0)->table);
	pmuq_encodings_free(encodings);
	pmuq_vendor_free(vendor);
	own_store_end(&imported);
}

static void assert_same_metric(const struct pmuq_metric *a, const struct pmuq_metric *b)
{
	assert_string_equal(a->name.p, b->name.p);
	assert_string_equal(a->pmu.p, b->pmu.p);
	assert_string_equal(a->groups.p, b->groups.p);
	assert_string_equal(a->formula.p, b->formula.p);
	assert_string_equal(a->unit.p, b->unit.p);
	assert_string_equal(a->description.p, b->description.p);
	assert_string_equal(a->folder.p, b->folder.p);
	assert_string_equal(a->file.p, b->file.p);
	assert_string_equal(a->version.p, b->version.p);
}

static void a_lazy_table_has_the_metrics_of_the_whole_one(void **state)
{
	struct pmuq_metrics *whole = NULL, *lazy = NULL;
	struct own_store imported = { 0 };
	size_t n;

	(void)state;
	import(&imported);
	assert_int_equal(pmuq_store_open_metrics(imported.store, "GenuineIntel-6-F0", &whole, NULL),
			 0);
	assert_int_equal(
		pmuq_store_open_lazy_metrics(imported.store, "GenuineIntel-6-F0", &lazy, NULL), 0);
	n = pmuq_metrics_count(whole);
	assert_int_equal(pmuq_metrics_count(lazy), n);
	assert_true(n >= 2);
	for (size_t i = n; i-- > 0;)
		assert_same_metric(pmuq_metrics_get(lazy, i), pmuq_metrics_get(whole, i));
	assert_null(pmuq_metrics_get(lazy, n));
	pmuq_metrics_free(lazy);
	pmuq_metrics_free(whole);
	own_store_end(&imported);
}

static void a_lazy_table_whose_import_is_gone_is_busy(void **state)
{
	struct pmuq_metrics *lazy = NULL;
	struct pmuq_metric_plan *plan = NULL;
	struct own_store imported = { 0 };
	struct pmuq_error *error = NULL;

	(void)state;
	import(&imported);
	assert_int_equal(
		pmuq_store_open_lazy_metrics(imported.store, "GenuineIntel-6-F0", &lazy, NULL), 0);
	assert_int_equal(pmuq_store_remove_vendor(imported.store, "v", NULL), 0);
	assert_null(pmuq_metrics_get(lazy, 0));
	assert_int_equal(pmuq_source_plan_metrics(machine_named("skylake-sp"), lazy, "all", NULL,
						  NULL, &plan, &error),
			 -PMUQ_E_STORE_BUSY);
	assert_non_null(strstr(error->message.p, "replaced since they were opened"));
	pmuq_error_free(error);
	assert_null(plan);
	pmuq_metrics_free(lazy);
	own_store_end(&imported);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_libpfm4_give_the_attr_and_the_complete_name),
		cmocka_unit_test(a_name_of_another_cpu_is_an_error_unless_it_is_accepted),
		cmocka_unit_test(an_event_of_a_table_has_its_description),
		cmocka_unit_test(a_lazy_table_has_the_metrics_of_the_whole_one),
		cmocka_unit_test(a_lazy_table_whose_import_is_gone_is_busy),
	};

	return cmocka_run_group_tests(tests, open_pfm, close_all);
}
