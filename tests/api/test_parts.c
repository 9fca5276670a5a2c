/* SPDX-License-Identifier: MIT */
/* The parameters of events, and events that a program has in parts and not as a string. */
#include "tests/api/program.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct file power[] = {
	{ "sys/bus/event_source/devices/hv_24x7/type", "11" },
	{ "sys/bus/event_source/devices/hv_24x7/format/domain", "config:0-3" },
	{ "sys/bus/event_source/devices/hv_24x7/format/core", "config:16-31" },
	{ "sys/bus/event_source/devices/hv_24x7/format/chip", "config:16-31" },
	{ "sys/bus/event_source/devices/hv_24x7/format/offset", "config:32-63" },
	{ "sys/bus/event_source/devices/hv_24x7/format/lpar", "config1:0-15" },
	{ "sys/bus/event_source/devices/hv_24x7/format/all", "config2:0-63" },
	{ "sys/bus/event_source/devices/hv_24x7/events/HPM_INST__CORE",
	  "domain=?,offset=0x98,core=?,lpar=0x0" },
	{ "sys/bus/event_source/devices/hv_24x7/events/PM_CHIP", "domain=1,offset=0x10,chip=?" },
	{ "sys/bus/event_source/devices/hv_24x7/events/whole", "all=?" },
	{ "sys/bus/event_source/devices/hv_24x7/events/fixed", "domain=1" },
	/* Names that mean something else as terms. */
	{ "sys/bus/event_source/devices/hv_24x7/events/period", "domain=3" },
	{ "sys/bus/event_source/devices/hv_24x7/events/config1", "domain=4,chip=?" },
	{ "sys/bus/event_source/devices/hv_24x7/events/a,b=c", "domain=5" },
};

static struct pmuq_source *source;

static int begin(void **state)
{
	(void)state;
	source = machine_of_files(power, COUNT(power));
	return 0;
}

static int end(void **state)
{
	pmuq_source_free(source);
	return close_machines(state);
}

static const struct pmuq_pmu *pmu_named(struct pmuq_source *of, const char *name)
{
	const struct pmuq_pmu *pmu = NULL;

	assert_int_equal(pmuq_source_find_pmu(of, name, &pmu, NULL), 0);
	return pmu;
}

static void parameters_are_listed_with_their_formats(void **state)
{
	const struct pmuq_pmu *pmu = pmu_named(source, "hv_24x7");
	const struct pmuq_format *format = pmuq_pmu_parameter(pmu, "HPM_INST__CORE", 0);

	(void)state;
	assert_string_equal(format->name.p, "domain");
	assert_string_equal(format->text.p, "config:0-3");
	assert_int_equal(format->bits.mask, 0xf);
	assert_int_equal(format->max, 15);
	format = pmuq_pmu_parameter(pmu, "HPM_INST__CORE", 1);
	assert_string_equal(format->name.p, "core");
	assert_int_equal(format->bits.shift, 16);
	assert_int_equal(format->max, 0xffff);
	assert_null(pmuq_pmu_parameter(pmu, "HPM_INST__CORE", 2));
	assert_string_equal(pmuq_pmu_parameter(pmu, "PM_CHIP", 0)->name.p, "chip");
	assert_null(pmuq_pmu_parameter(pmu, "PM_CHIP", 1));
	assert_true(pmuq_pmu_parameter(pmu, "whole", 0)->max == UINT64_MAX);
	assert_null(pmuq_pmu_parameter(pmu, "fixed", 0));
	assert_null(pmuq_pmu_parameter(pmu, "no such event", 0));
	/* A source that reads a file when a query needs it has them, too. */
	pmu = pmu_named(machine_named("arm64-biglittle"), "CCI_400_r1");
	assert_string_equal(pmuq_pmu_parameter(pmu, "si_rrq_hs_dvm_msg_sync", 0)->name.p, "source");
}

static void values_go_into_the_bits_of_their_formats(void **state)
{
	const struct pmuq_term terms[] = { { "core", 5 }, { "domain", 2 } };
	const struct pmuq_event_parts parts = { .size = sizeof(parts),
						.pmu = "hv_24x7",
						.event = "HPM_INST__CORE",
						.terms = terms,
						.n_terms = COUNT(terms) };
	struct pmuq_encodings *encodings = NULL;
	const struct pmuq_encoding *one = NULL;

	(void)state;
	assert_int_equal(pmuq_source_encode_parts(source, &parts, NULL, &encodings, NULL), 0);
	assert_int_equal(pmuq_encodings_one(encodings, &one, NULL), 0);
	assert_true(one->attr->config == (UINT64_C(0x98) << 32 | 5 << 16 | 2));
	assert_int_equal(one->attr->type, 11);
	assert_string_equal(one->name.p, "hv_24x7/HPM_INST__CORE,core=5,domain=2/");
	pmuq_encodings_free(encodings);
}

static void a_value_that_is_missing_or_too_large_is_an_error(void **state)
{
	const struct pmuq_term few = { "domain", 2 }, large[] = { { "domain", 16 }, { "core", 1 } };
	struct pmuq_event_parts parts = { .size = sizeof(parts),
					  .pmu = "hv_24x7",
					  .event = "HPM_INST__CORE",
					  .terms = &few,
					  .n_terms = 1 };
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_source_encode_parts(source, &parts, NULL, &encodings, &error),
			 -PMUQ_E_MISSING_PARAMETER);
	assert_contains(error->message.p, "core (0 to 0xffff)");
	pmuq_error_free(error);
	error = NULL;
	parts.terms = large;
	parts.n_terms = COUNT(large);
	assert_int_equal(pmuq_source_encode_parts(source, &parts, NULL, &encodings, &error),
			 -PMUQ_E_VALUE_TOO_BIG);
	assert_string_equal(error->input.p, "hv_24x7/HPM_INST__CORE,domain=16,core=1/");
	assert_memory_equal(error->input.p + error->offset, "16", error->length);
	pmuq_error_free(error);
	assert_null(encodings);
}

/* Parts, and the string that means the same. */
static void parts_mean_what_their_string_means(void **state)
{
	static const struct pmuq_term period = { "period", 1000 }, raw = { "config", 0x3c },
				      chip = { "chip", 3 };
	static const struct {
		struct pmuq_event_parts parts;
		const char *text;
	} rows[] = {
		{ { .event = "cycles" }, "cycles" },
		{ { .event = "cycles", .modifiers = "uk" }, "cycles:uk" },
		{ { .event = "L1-dcache-loads", .terms = &period, .n_terms = 1, .modifiers = "u" },
		  "L1-dcache-loads/period=1000/u" },
		{ { .pmu = "hv_24x7" }, "hv_24x7//" },
		{ { .pmu = "hv_*", .terms = &raw, .n_terms = 1 }, "hv_24x7/config=0x3c/" },
		{ { .pmu = "hv_24x7", .event = "fixed", .modifiers = "u" }, "hv_24x7/fixed/u" },
		{ { .pmu = "hv_24x7", .event = "FIXED" }, "hv_24x7/fixed/" },
		{ { .pmu = "hv_24x7", .event = "period" }, "hv_24x7/domain=3/" },
		{ { .pmu = "hv_24x7", .event = "config1", .terms = &chip, .n_terms = 1 },
		  "hv_24x7/domain=4,chip=3/" },
		{ { .pmu = "hv_24x7", .event = "a,b=c" }, "hv_24x7/domain=5/" },
		{ { .pmu = "hv_24x7", .modifiers = "" }, "hv_24x7//" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_event_parts parts = rows[i].parts;
		struct pmuq_encodings *made = NULL, *wanted = NULL;
		struct pmuq_error *error = NULL;

		parts.size = sizeof(parts);
		if (pmuq_source_encode_parts(source, &parts, NULL, &made, &error) < 0)
			fail_msg("%s: %s", rows[i].text, error->message.p);
		assert_int_equal(pmuq_source_encode(source, rows[i].text, NULL, &wanted, NULL), 0);
		assert_int_equal(pmuq_encodings_count(made), pmuq_encodings_count(wanted));
		assert_memory_equal(pmuq_encodings_get(made, 0)->attr,
				    pmuq_encodings_get(wanted, 0)->attr, sizeof(struct pmuq_attr));
		pmuq_encodings_free(made);
		pmuq_encodings_free(wanted);
	}
}

static void a_part_cannot_become_two(void **state)
{
	static const struct pmuq_term split = { "chip=1,config", 1 },
				      closed = { "chip'/,cycles", 1 }, nameless = { "", 1 },
				      dashed = { "-chip", 1 };
	static const struct {
		struct pmuq_event_parts parts;
		int code;
	} rows[] = {
		{ { .pmu = "hv_24x7/config=1/,x" }, PMUQ_E_SYNTAX },
		{ { .pmu = "" }, PMUQ_E_SYNTAX },
		{ { .event = "cycles,instructions" }, PMUQ_E_UNKNOWN_PMU },
		{ { .pmu = "hv_24x7", .event = "fixed',config='1" }, PMUQ_E_SYNTAX },
		{ { .pmu = "hv_24x7", .event = "" }, PMUQ_E_SYNTAX },
		{ { .pmu = "hv_24x7", .event = "fixed", .modifiers = "u,cycles" }, PMUQ_E_SYNTAX },
		{ { .pmu = "hv_24x7", .event = "fixed", .modifiers = "q" }, PMUQ_E_BAD_MODIFIER },
		{ { .pmu = "hv_24x7", .terms = &split, .n_terms = 1 }, PMUQ_E_UNKNOWN_TERM },
		{ { .pmu = "hv_24x7", .terms = &closed, .n_terms = 1 }, PMUQ_E_SYNTAX },
		{ { .pmu = "hv_24x7", .terms = &nameless, .n_terms = 1 }, PMUQ_E_SYNTAX },
		{ { .pmu = "hv_24x7", .terms = &dashed, .n_terms = 1 }, PMUQ_E_SYNTAX },
		{ { .pmu = "hv_24x7", .event = "-fixed" }, PMUQ_E_SYNTAX },
		{ { .modifiers = "u" }, PMUQ_E_BAD_CALL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_event_parts parts = rows[i].parts;
		struct pmuq_encodings *encodings = NULL;
		struct pmuq_error *error = NULL;
		int r;

		parts.size = sizeof(parts);
		r = pmuq_source_encode_parts(source, &parts, NULL, &encodings, &error);
		if (r != -rows[i].code)
			fail_msg("row %zu: %d: %s", i, r, error ? error->message.p : "");
		pmuq_error_free(error);
		parts.size = 0;
		assert_int_equal(pmuq_source_encode_parts(source, &parts, NULL, &encodings, NULL),
				 -PMUQ_E_BAD_CALL);
	}
}

/* "PMU/EVENT,NAME=MAX,…/" */
static void write_string(char *text, size_t bytes, const struct pmuq_event_parts *parts)
{
	size_t n = (size_t)snprintf(text, bytes, "%s/event='%s'", parts->pmu, parts->event);

	for (size_t i = 0; i < parts->n_terms; i++)
		n += (size_t)snprintf(text + n, bytes - n, ",%s=%llu", parts->terms[i].name,
				      (unsigned long long)parts->terms[i].value);
	snprintf(text + n, bytes - n, "/");
}

static void try_event(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu,
		      const struct pmuq_event *event, size_t *n_parameters)
{
	struct pmuq_term terms[8];
	struct pmuq_event_parts parts = {
		.size = sizeof(parts), .pmu = pmu->name.p, .event = event->name.p, .terms = terms
	};
	struct pmuq_encodings *made = NULL, *wanted = NULL;
	const struct pmuq_format *format;
	char text[512];
	int r;

	while ((format = pmuq_pmu_parameter(pmu, event->name.p, parts.n_terms))) {
		assert_true(parts.n_terms < COUNT(terms));
		terms[parts.n_terms++] =
			(struct pmuq_term){ .name = format->name.p, .value = format->max };
	}
	*n_parameters += parts.n_terms;
	write_string(text, sizeof(text), &parts);
	r = pmuq_catalog_encode(catalog, text, NULL, &wanted, NULL);
	assert_int_equal(pmuq_catalog_encode_parts(catalog, &parts, NULL, &made, NULL), r);
	if (r == 0) {
		assert_memory_equal(pmuq_encodings_get(made, 0)->attr,
				    pmuq_encodings_get(wanted, 0)->attr, sizeof(struct pmuq_attr));
		pmuq_encodings_free(made);
		pmuq_encodings_free(wanted);
	}
	if (parts.n_terms--)
		assert_int_equal(pmuq_catalog_encode_parts(catalog, &parts, NULL, &made, NULL),
				 -PMUQ_E_MISSING_PARAMETER);
}

/* With a value for each parameter every event of a machine is the event of its string; with one
 * less it is an error. */
static void each_parameter_is_needed_and_no_other(void **state)
{
	static const struct {
		const char *machine;
		bool has_parameters;
	} rows[] = { { "arm64-biglittle", true }, { "skylake-client", false } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_catalog *catalog = NULL;
		const struct pmuq_event *event;
		const struct pmuq_pmu *pmu;
		size_t n_parameters = 0;

		assert_int_equal(
			pmuq_source_read_catalog(machine_named(rows[i].machine), &catalog, NULL),
			0);
		for (size_t p = 0; (pmu = pmuq_catalog_pmu(catalog, p)); p++)
			for (size_t e = 0; (event = pmuq_pmu_event(pmu, e)); e++)
				try_event(catalog, pmu, event, &n_parameters);
		assert_int_equal(n_parameters > 0, rows[i].has_parameters);
		pmuq_catalog_free(catalog);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_listed_with_their_formats),
		cmocka_unit_test(values_go_into_the_bits_of_their_formats),
		cmocka_unit_test(a_value_that_is_missing_or_too_large_is_an_error),
		cmocka_unit_test(parts_mean_what_their_string_means),
		cmocka_unit_test(a_part_cannot_become_two),
		cmocka_unit_test(each_parameter_is_needed_and_no_other),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
