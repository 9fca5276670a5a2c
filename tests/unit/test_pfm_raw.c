/* SPDX-License-Identifier: MIT */
/*
 * What libpfm4 itself returns: codes with all bits, attrs with its defaults, its errors, and all
 * facts of its lists. tests/compat/ compares many names with libpfm4.
 */
#include "core/base.h"
#include "tests/harness/pfm.h"
#include <string.h>

#define SKX "GenuineIntel-6-55-4"
#define ZEN3 "AuthenticAMD-25-1-1"

/* Numbers of libpfm4's header, which this test does not include. */
enum {
	NOT_FOUND = -4,
	WRONG_COMBINATION = -5,
	NO_UMASK = -6,
	WRONG_ATTRIBUTE = -8,
	WRONG_VALUE = -9,
	TOO_MANY = -11,
	KERNEL = 1,
	USER = 8,
};

static int set_up(void **state)
{
	*state = pfm_open(getenv("PMUQ_TEST_PFM"), 60000);
	return 0;
}

static int tear_down(void **state)
{
	pmuq_pfm_free(*state);
	return 0;
}

static struct pmuq_pfm_raw *request_raw(struct pmuq_pfm *pfm, const char *name,
					struct pmuq_pfm_raw_options options)
{
	struct pmuq_pfm_raw *raw = NULL;
	struct pmuq_error *error = NULL;

	options.size = sizeof(options);
	if (pmuq_pfm_encode_raw(pfm, name, NULL, &options, &raw, &error) < 0)
		fail_msg("%s: %s", name, error->message.p);
	return raw;
}

struct code_row {
	const char *name, *cpuid, *canonical;
	unsigned levels;
	int result;
	size_t n;
	uint64_t codes[2];
};

// clang-format off
static const struct code_row codes[] = {
	{ .name = "skx::INST_RETIRED", .levels = USER | KERNEL, .n = 1, .codes = { 0x5300c0 },
	  .canonical = "skx::INST_RETIRED:ANY_P:k=1:u=1:e=0:i=0:c=0:t=0:intx=0:intxcp=0" },
	{ .name = "skx::INST_RETIRED", .levels = USER, .n = 1, .codes = { 0x5100c0 } },
	{ .name = "skx::INST_RETIRED:k", .levels = USER, .n = 1, .codes = { 0x5200c0 } },
	{ .name = "skx::OFFCORE_RESPONSE_0:0x18000", .levels = USER, .n = 2, .codes = { 0x5101b7, 0x18000 } },
	{ .name = "skx_unc_imc0::UNC_M_CAS_COUNT:RD", .n = 1, .codes = { 0x304 } },
	{ .name = "INST_RETIRED", .cpuid = SKX, .levels = USER, .n = 1, .codes = { 0x5100c0 } },
	{ .name = "UNC_M_CAS_COUNT:RD", .cpuid = SKX, .n = 1, .codes = { 0x304 } },
	{ .name = "RETIRED_INSTRUCTIONS", .cpuid = ZEN3, .levels = USER, .n = 1, .codes = { 0x5100c0 } },
	{ .name = "page-faults", .cpuid = ZEN3, .n = 1, .codes = { 2 } },
	{ .name = "page-faults", .n = 1, .codes = { 2 } },
	{ .name = "page-faults", .cpuid = "", .n = 1, .codes = { 2 } },
	{ .name = "INST_RETIRED", .cpuid = "", .result = NOT_FOUND },
	{ .name = "INST_RETIRED", .cpuid = ZEN3, .result = NOT_FOUND },
	/* No other PMU is tried. */
	{ .name = "skx::UNC_M_CAS_COUNT:RD", .result = NOT_FOUND },
	{ .name = "skx_unc_imc::UNC_M_CAS_COUNT:RD", .result = NOT_FOUND },
	{ .name = "skx_unc_imc99::UNC_M_CAS_COUNT:RD", .result = NOT_FOUND },
	{ .name = "nothing::X", .result = NOT_FOUND },
	{ .name = "msr/tsc/", .result = NOT_FOUND },
	{ .name = "", .result = NOT_FOUND },
	{ .name = "skx::", .result = NOT_FOUND },
	{ .name = "skx::INST_RETIRED:", .result = WRONG_ATTRIBUTE },
	{ .name = "skx::INST_RETIRED:nothing", .result = WRONG_ATTRIBUTE },
	{ .name = "skx::INST_RETIRED:period=3", .result = WRONG_ATTRIBUTE },
	{ .name = "skx::INST_RETIRED:c=256", .result = WRONG_VALUE },
	{ .name = "icx::INST_RETIRED", .result = NO_UMASK },
	{ .name = "core::L2_LINES_IN:SELF:BOTH_CORES", .result = WRONG_COMBINATION },
	{ .name = "skx::INST_RETIRED:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u:u", .result = TOO_MANY },
};
// clang-format on

static void test_codes(void **state)
{
	for (size_t i = 0; i < COUNT(codes); i++) {
		const struct code_row *row = &codes[i];
		struct pmuq_pfm_raw *raw =
			request_raw(*state, row->name,
				    (struct pmuq_pfm_raw_options){ .cpuid = row->cpuid,
								   .levels = row->levels });

		if (raw->result != row->result || raw->n_codes != row->n ||
		    raw->codes[0] != row->codes[0] || raw->codes[1] != row->codes[1])
			fail_msg("%s: %d, 0x%llx 0x%llx", row->name, raw->result,
				 (unsigned long long)raw->codes[0],
				 (unsigned long long)raw->codes[1]);
		if (row->canonical)
			assert_string_equal(raw->canonical.p, row->canonical);
		assert_null(raw->attr);
		assert_int_equal(raw->sysfs.n, 0);
		pmuq_pfm_raw_free(raw);
	}
	pmuq_pfm_raw_free(NULL);
}

static void test_attrs(void **state)
{
	struct pmuq_pfm_raw_options options = { .layer = PMUQ_PFM_LAYER_PERF_EXT, .levels = USER };
	struct pmuq_pfm_raw *raw = request_raw(*state, "skx::INST_RETIRED:period=7:cpu=3", options);

	assert_int_equal(raw->result, 0);
	assert_int_equal(raw->attr->type, 4);
	assert_int_equal(raw->attr->config, 0xc0);
	assert_int_equal(raw->attr->sample_period, 7);
	assert_true(raw->attr->exclude_kernel && raw->attr->exclude_guest);
	assert_false(raw->attr->exclude_user || raw->attr->exclude_host);
	assert_int_equal(raw->cpu, 3);
	assert_int_equal(raw->n_codes, 0);
	assert_int_equal(raw->sysfs.n, 0);
	pmuq_pfm_raw_free(raw);
	raw = request_raw(*state, "skx_unc_imc0::UNC_M_CAS_COUNT:RD", options);
	assert_string_equal(raw->sysfs.p, "uncore_imc_0");
	assert_int_equal(raw->cpu, -1);
	pmuq_pfm_raw_free(raw);
	options.layer = PMUQ_PFM_LAYER_PERF;
	raw = request_raw(*state, "skx::INST_RETIRED:period=7", options);
	assert_int_equal(raw->result, WRONG_ATTRIBUTE);
	assert_null(raw->attr);
	pmuq_pfm_raw_free(raw);
}

/* Fields that the name does not set are the caller's. */
static void test_callers_attr(void **state)
{
	struct pmuq_pfm_raw_options options = { .size = sizeof(options),
						.layer = PMUQ_PFM_LAYER_PERF_EXT };
	struct pmuq_attr attr = { .config1 = 5, .disabled = 1, .sample_period = 9 };
	struct pmuq_pfm_raw *raw = NULL;

	assert_int_equal(
		pmuq_pfm_encode_raw(*state, "skx::INST_RETIRED", &attr, &options, &raw, NULL), 0);
	assert_int_equal(raw->attr->config1, 5);
	assert_int_equal(raw->attr->sample_period, 9);
	assert_true(raw->attr->disabled);
	pmuq_pfm_raw_free(raw);
	assert_int_equal(pmuq_pfm_encode_raw(*state, "skx::INST_RETIRED:freq=1", &attr, &options,
					     &raw, NULL),
			 0);
	assert_int_equal(raw->result, WRONG_VALUE);
	pmuq_pfm_raw_free(raw);
}

/* An event is found without a umask that it needs. */
static void test_find(void **state)
{
	struct pmuq_pfm_raw_options options = { .finds_only = true };
	struct pmuq_pfm_raw *raw = request_raw(*state, "icx::INST_RETIRED", options);
	struct pmuq_pfm_events *events = NULL;
	bool is_listed = false;

	assert_int_equal(raw->result, 0);
	assert_int_equal(raw->n_codes, 0);
	assert_null(raw->attr);
	assert_int_equal(pmuq_pfm_list_events(*state, "icx", false, &events, NULL), 0);
	for (size_t i = 0; i < pmuq_pfm_events_count(events); i++)
		is_listed |= pmuq_pfm_events_get(events, i)->index == raw->event &&
			     strcmp(pmuq_pfm_events_get(events, i)->name.p, "INST_RETIRED") == 0;
	assert_true(is_listed);
	pmuq_pfm_events_free(events);
	pmuq_pfm_raw_free(raw);
	raw = request_raw(*state, "skx::NOTHING", options);
	assert_int_equal(raw->result, NOT_FOUND);
	pmuq_pfm_raw_free(raw);
}

static void test_bad_calls(void **state)
{
	struct pmuq_pfm_raw_options options = { .size = sizeof(options),
						.layer = (enum pmuq_pfm_layer)3 };
	struct pmuq_pfm_events *events = NULL;
	struct pmuq_pfm_raw *raw = NULL;

	assert_int_equal(pmuq_pfm_encode_raw(*state, "skx::X", NULL, &options, &raw, NULL),
			 -PMUQ_E_BAD_CALL);
	options = (struct pmuq_pfm_raw_options){ .size = 0 };
	assert_int_equal(pmuq_pfm_encode_raw(*state, "skx::X", NULL, &options, &raw, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(
		pmuq_pfm_list_events_of(*state, "skx", (enum pmuq_pfm_layer)3, &events, NULL),
		-PMUQ_E_BAD_CALL);
	assert_null(raw);
	assert_int_equal(pmuq_pfm_encode_raw(*state, "page-faults", NULL, NULL, &raw, NULL), 0);
	assert_int_equal(raw->result, 0);
	pmuq_pfm_raw_free(raw);
}

/* ---- lists */

static const struct pmuq_pfm_event *find_event(const struct pmuq_pfm_events *events,
					       const char *name)
{
	for (size_t i = 0; i < pmuq_pfm_events_count(events); i++)
		if (strcmp(pmuq_pfm_events_get(events, i)->name.p, name) == 0)
			return pmuq_pfm_events_get(events, i);
	fail_msg("there is no %s", name);
	return NULL;
}

static const struct pmuq_pfm_attribute *find_attribute(const struct pmuq_pfm_event *event,
						       const char *name)
{
	for (size_t i = 0; i < event->n_attributes; i++)
		if (strcmp(pmuq_pfm_event_attribute(event, i)->name.p, name) == 0)
			return pmuq_pfm_event_attribute(event, i);
	return NULL;
}

static void test_layers(void **state)
{
	static const struct {
		bool has_t, has_u, has_period, u_is_of_perf;
	} want[] = { [PMUQ_PFM_LAYER_PMU] = { true, true, false, false },
		     [PMUQ_PFM_LAYER_PERF] = { true, true, false, true },
		     [PMUQ_PFM_LAYER_PERF_EXT] = { true, true, true, true } };

	/* The last twice: the helper reads each layer once. */
	for (size_t i = 0; i < COUNT(want) + 1; i++) {
		size_t layer = i < COUNT(want) ? i : 0;
		struct pmuq_pfm_events *events = NULL;
		const struct pmuq_pfm_event *event;

		assert_int_equal(pmuq_pfm_list_events_of(*state, "skx", (enum pmuq_pfm_layer)layer,
							 &events, NULL),
				 0);
		event = find_event(events, "INST_RETIRED");
		assert_int_equal(find_attribute(event, "t") != NULL, want[layer].has_t);
		assert_int_equal(find_attribute(event, "u") != NULL, want[layer].has_u);
		assert_int_equal(find_attribute(event, "period") != NULL, want[layer].has_period);
		assert_int_equal(find_attribute(event, "u")->is_of_perf, want[layer].u_is_of_perf);
		pmuq_pfm_events_free(events);
	}
}

static void test_facts_of_events(void **state)
{
	struct pmuq_pfm_events *events = NULL;
	const struct pmuq_pfm_event *event;
	const struct pmuq_pfm_attribute *attribute;

	assert_int_equal(pmuq_pfm_list_events(*state, "skx", true, &events, NULL), 0);
	event = find_event(events, "MEM_LOAD_RETIRED");
	assert_int_equal(event->code, 0xd1);
	assert_true(event->is_precise);
	assert_true(event->has_hw_sample);
	assert_int_equal(event->data_type, 1);
	assert_int_equal(event->speculation, PMUQ_PFM_SPECULATION_UNKNOWN);
	attribute = find_attribute(event, "L3_MISS");
	assert_int_equal(attribute->code, 0x20);
	assert_true(attribute->is_precise);
	assert_true(attribute->has_hw_sample);
	assert_false(attribute->is_of_perf);
	assert_int_equal(attribute->speculation, PMUQ_PFM_SPECULATION_UNKNOWN);
	assert_int_equal(attribute->default_value, 0);
	pmuq_pfm_events_free(events);
}

static void test_facts_of_pmus(void **state)
{
	struct pmuq_pfm_pmus *pmus = NULL;
	size_t n = 0;

	assert_int_equal(pmuq_pfm_list_pmus(*state, &pmus, NULL), 0);
	for (size_t i = 0; i < pmuq_pfm_pmus_count(pmus); i++) {
		const struct pmuq_pfm_pmu *pmu = pmuq_pfm_pmus_get(pmus, i);

		assert_true(i == 0 || pmu->id > pmuq_pfm_pmus_get(pmus, i - 1)->id);
		if (strcmp(pmu->name.p, "skx") == 0) {
			assert_int_equal(pmu->n_counters, 8);
			assert_int_equal(pmu->n_fixed, 3);
			assert_int_equal(pmu->n_codes_max, 2);
			assert_false(pmu->is_of_architecture);
			n++;
		} else if (strcmp(pmu->name.p, "ix86arch") == 0) {
			assert_true(pmu->is_of_architecture);
			n++;
		}
	}
	assert_int_equal(n, 2);
	pmuq_pfm_pmus_free(pmus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_codes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_attrs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_callers_attr, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_find, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bad_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_layers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_facts_of_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_facts_of_pmus, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
