/* SPDX-License-Identifier: MIT */
/*
 * Every fact, file and cap in pmuq's tables: how the weight of a change follows from its
 * rule. A name that is added to a table without a row here fails.
 */
#include "core/catalog/fact.h"
#include "core/catalog/pmu_file.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>

struct row {
	const char *path; /* of a file of the PMU; "fact/NAME" */
	const char *before, *after;
	enum pmuq_weight weight, reverse;
};

#define BREAKS(path, before, after)                                                                \
	{                                                                                          \
		path, before, after, PMUQ_WEIGHT_BREAKING, PMUQ_WEIGHT_ADDITION                    \
	}
#define ALWAYS(path, weight)                                                                       \
	{                                                                                          \
		path, "1", "2", PMUQ_WEIGHT_##weight, PMUQ_WEIGHT_##weight                         \
	}

static const struct row rows[] = {
	BREAKS("rdpmc", "2", "1"),
	ALWAYS("identifier", MEANING),
	BREAKS("nr_addr_filters", "10", "9"),
	ALWAYS("perf_event_mux_interval_ms", COSMETIC),
	ALWAYS("freeze_on_smi", MEANING),
	ALWAYS("allow_tsx_force_abort", MEANING),
	ALWAYS("max_nonturbo_ratio", MEANING),
	ALWAYS("tsc_art_ratio", MEANING),
	ALWAYS("some_other_file", MEANING),
	BREAKS("caps/max_precise", "3", "2"),
	BREAKS("caps/branches", "32", "8"),
	BREAKS("caps/branch_counter_nr", "4", "2"),
	BREAKS("caps/branch_counter_width", "2", "1"),
	BREAKS("caps/threshold_max", "256", "16"),
	ALWAYS("caps/pmu_name", MEANING),
	ALWAYS("caps/slots", MEANING),
	ALWAYS("caps/bus_slots", MEANING),
	ALWAYS("caps/bus_width", MEANING),
	ALWAYS("caps/some_other_cap", MEANING),
	ALWAYS("fact/hostname", PASSING),
	ALWAYS("fact/kernel", COSMETIC),
	ALWAYS("fact/arch", MEANING),
	ALWAYS("fact/cpuid", MEANING),
	BREAKS("fact/cpus_present", "0-3", "0-2"),
	BREAKS("fact/cpus_online", "0-3", "0-2"),
	ALWAYS("fact/cores", MEANING),
	ALWAYS("fact/dies", MEANING),
	ALWAYS("fact/packages", MEANING),
	ALWAYS("fact/smt", MEANING),
	ALWAYS("fact/tsc_hz", MEANING),
	ALWAYS("fact/pmem", MEANING),
	BREAKS("fact/perf_event_paranoid", "-1", "2"),
	ALWAYS("fact/perf_event_max_sample_rate", PASSING),
	BREAKS("fact/perf_event_mlock_kb", "516", "100"),
	BREAKS("fact/perf_event_max_stack", "127", "64"),
	BREAKS("fact/nmi_watchdog", "0", "1"),
	ALWAYS("fact/boot_id", PASSING),
	ALWAYS("fact/machine_id", PASSING),
	ALWAYS("fact/extended_type", COSMETIC),
	ALWAYS("fact/hypervisor", COSMETIC),
	ALWAYS("fact/incomplete", PASSING),
	ALWAYS("fact/some_other_fact", PASSING),
};

#define FACT "fact/"
#define CAPS "caps/"

static bool starts(const char *text, const char *head)
{
	return strncmp(text, head, strlen(head)) == 0;
}

/* A machine with one PMU that has the text at that path. */
static struct pmuq_catalog *machine(const char *path, const char *text)
{
	const char *slash = strchr(path, '/');
	struct pmuq_pair pair = { .name = str_of(slash ? slash + 1 : path), .text = str_of(text) };
	struct pq_pmu_draft draft = { .name = STR("cpu"), .type = 4, .has_type = true };
	struct pq_builder *builder = NULL;
	struct pmuq_catalog *catalog = NULL;

	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	if (starts(path, FACT)) {
		assert_int_equal(pq_builder_fact(builder, pair.name, pair.text, NULL), 0);
	} else if (starts(path, CAPS)) {
		draft.caps = &pair;
		draft.n_caps = 1;
	} else {
		draft.attributes = &pair;
		draft.n_attributes = 1;
	}
	assert_int_equal(pq_builder_pmu(builder, &draft, NULL), 0);
	assert_int_equal(pq_builder_finish(builder, &catalog, NULL), 0);
	return catalog;
}

static void has_weight(const struct pmuq_catalog *before, const struct pmuq_catalog *after,
		       enum pmuq_weight weight)
{
	struct pmuq_diff *diff = NULL;

	assert_int_equal(pmuq_catalog_diff(before, after, NULL, &diff, NULL), 0);
	assert_int_equal(pmuq_diff_count(diff), 1);
	assert_int_equal(pmuq_diff_weight_count(diff, weight), 1);
	pmuq_diff_free(diff);
}

static void weighs(void **state)
{
	const struct row *row = *state;
	struct pmuq_catalog *before = machine(row->path, row->before);
	struct pmuq_catalog *after = machine(row->path, row->after);

	has_weight(before, after, row->weight);
	has_weight(after, before, row->reverse);
	pmuq_catalog_free(before);
	pmuq_catalog_free(after);
}

static bool has_row(const char *head, const char *name)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		if (starts(rows[i].path, head) && strcmp(rows[i].path + strlen(head), name) == 0)
			return true;
	return false;
}

/* Type, cpumask, cpus and alias have their own types of changes; test_diff.c has rows for them. */
static void every_known_file_has_a_row(void **state)
{
	const struct pq_pmu_file *file;

	(void)state;
	for (size_t i = 0; (file = pq_pmu_file_at(i)); i++) {
		bool is_own = file->rule == PQ_RULE_OWN;

		assert_true(file->rule != PQ_RULE_NONE);
		assert_int_equal(has_row("", file->info.path.p), !is_own);
		assert_true(is_own != (file->storage == PQ_STORED_ATTRIBUTE ||
				       file->storage == PQ_STORED_CAP));
	}
}

static void every_known_fact_has_a_row(void **state)
{
	(void)state;
	for (enum pq_fact fact = 0; fact < PQ_FACT_COUNT; fact++)
		assert_true(has_row(FACT, pq_fact_name(fact).p));
}

static void every_known_file_is_described(void **state)
{
	const struct pmuq_pmu_file *info;
	size_t n = 0;

	(void)state;
	for (; (info = pmuq_pmu_file_at(n)); n++) {
		assert_int_equal(info->size, sizeof(*info));
		assert_true(info->path.n && info->name.n && info->help.n && info->unit.p);
		for (size_t i = 0; i < n; i++) {
			assert_false(str_eq(pmuq_pmu_file_at(i)->path, info->path));
			assert_false(str_eq(pmuq_pmu_file_at(i)->name, info->name));
		}
	}
	assert_int_equal(pq_pmu_file_at(n)->storage, PQ_STORED_NOWHERE);
	assert_null(pq_pmu_file_at(n + 1));
}

static void a_file_is_read_by_its_path(void **state)
{
	struct pmuq_pair attribute = { .name = STR("rdpmc"), .text = STR("1") };
	struct pmuq_pair cap = { .name = STR("branches"), .text = STR("32") };
	struct pq_pmu_draft draft = {
		.name = STR("cpu"),
		.alias = STR("second"),
		.cpumask = STR("0,8"),
		.attributes = &attribute,
		.n_attributes = 1,
		.caps = &cap,
		.n_caps = 1,
	};
	struct pq_builder *builder = NULL;
	struct pmuq_catalog *catalog = NULL;
	const struct pmuq_pmu *pmu;

	(void)state;
	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	assert_int_equal(pq_builder_pmu(builder, &draft, NULL), 0);
	assert_int_equal(pq_builder_finish(builder, &catalog, NULL), 0);
	pmu = pmuq_catalog_pmu(catalog, 0);
	assert_string_equal(pmuq_pmu_file_text(pmu, "alias"), "second");
	assert_string_equal(pmuq_pmu_file_text(pmu, "cpumask"), "0,8");
	assert_string_equal(pmuq_pmu_file_text(pmu, "rdpmc"), "1");
	assert_string_equal(pmuq_pmu_file_text(pmu, "caps/branches"), "32");
	assert_null(pmuq_pmu_file_text(pmu, "cpus"));
	assert_null(pmuq_pmu_file_text(pmu, "branches"));
	assert_null(pmuq_pmu_file_text(pmu, "caps/rdpmc"));
	assert_null(pmuq_pmu_file_text(pmu, "type"));
	pmuq_catalog_free(catalog);
}

int main(void)
{
	static struct CMUnitTest tests[COUNT(rows) + 4];
	size_t n = 0;

	n += ADD_ROWS(tests, weighs, rows, path);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(every_known_file_has_a_row);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(every_known_fact_has_a_row);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(every_known_file_is_described);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_file_is_read_by_its_path);
	return _cmocka_run_group_tests("change_rules", tests, n, NULL, NULL);
}
