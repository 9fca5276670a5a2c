/* SPDX-License-Identifier: MIT */
/*
 * Assignments: the law that they add up to the attr, for every event and format of every machine
 * and for the rest of the language; and which term a value is assigned to.
 */
#include "encode/result.h"
#include "tests/harness/build.h"
#include "tests/harness/explained.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

static const struct test_pmu machine[] = {
	{ .name = "cpu",
	  .type = 4,
	  .formats = "event config:0-7,32-35; umask config:8-15; inv config:23; all config1:0-63; "
		     "low config1:0-15",
	  .events = "loads event=0xcd,umask=1,low=3; par event=?,umask=2; slots event=0,umask=4; "
		    "metric event=0,umask=0x80; whole config=0x12,umask=0x3; beat event=1" },
	TEST_TWO_INSTANCES,
	{ .name = "software", .type = 1 },
};

TEST_CATALOG(machine)

/* ---------------------------------------------------------------------------------- the law */

static struct explained seen;

static void check(const struct pmuq_catalog *of, const char *string)
{
	auto_free char *problem = explained_check(of, string, NULL, &seen);

	if (problem)
		fail_msg("%s", problem);
}

static void check_print(const struct pmuq_catalog *of, const char *format, ...) PQ_PRINTF(2, 3);
static void check_print(const struct pmuq_catalog *of, const char *format, ...)
{
	auto_free char *string = NULL;
	va_list args;

	va_start(args, format);
	assert_true(vasprintf(&string, format, args) > 0);
	va_end(args);
	check(of, string);
}

/* The event with a value for each of its parameters: ",domain=1". */
static void check_parameters(const struct pmuq_catalog *of, const char *pmu,
			     const struct pmuq_event *event)
{
	const char *terms = event->terms.p;
	char values[512] = "";
	size_t n = 0;

	for (const char *at = terms; (at = strstr(at, "=?")); at++) {
		const char *from = at;

		while (from > terms && from[-1] != ',')
			from--;
		n += (size_t)snprintf(values + n, sizeof(values) - n, ",%.*s=1", (int)(at - from),
				      from);
		assert_true(n < sizeof(values));
	}
	if (n)
		check_print(of, "%s/%s%s/k", pmu, event->name.p, values);
}

static void check_pmu(const struct pmuq_catalog *of, const struct pmuq_pmu *pmu)
{
	const char *name = pmu->name.p;

	for (size_t i = 0; i < pmu->definition->n_events; i++) {
		const struct pmuq_event *event = pmuq_pmu_event(pmu, i);

		check_print(of, "%s/%s/", name, event->name.p);
		check_print(of, "{%s/%s/ukp}:kGHp", name, event->name.p);
		check_parameters(of, name, event);
		for (size_t j = 0; j < pmu->definition->n_formats; j++)
			check_print(of, "%s/%s,%s=1/", name, event->name.p,
				    pmuq_pmu_format(pmu, j)->name.p);
	}
	for (size_t i = 0; i < pmu->definition->n_formats; i++) {
		const char *format = pmuq_pmu_format(pmu, i)->name.p;

		check_print(of, "%s/%s=1,%s=0/", name, format, format);
		check_print(of, "%s/config=0xffff,%s=0/I", name, format);
		check_print(of, "%s/%s=1,config1=3,config=0x6/u", name, format);
	}
}

/* Parts of the language that no machine's files have. */
static const char *const strings[] = {
	"cycles",
	"cycles:u",
	"instructions:kh",
	"cycles:uk",
	"cycles:kuh",
	"cycles:G",
	"cycles:H",
	"cycles:GH",
	"cycles:HG",
	"cycles:upp",
	"cycles:pIp",
	"cycles:ppD",
	"cycles:e",
	"{cycles:u,instructions:k}:k",
	"{cycles:p,instructions}:pDeI",
	"{cycles:GH,instructions:H}:G",
	"team{cycles,page-faults:u,cpu-clock}:S",
	"L1-dcache-load-misses",
	"cpu/cycles/",
	"cpu/event=cycles/",
	"cpu/cycles,config1=3/u",
	"cpu/legacy-hardware-config=3/",
	"cpu/legacy-cache-config=0x10002/",
	"cpu/config=1,config=2,config3=4/",
	"cpu/r1a/",
	"cpu/event=1,branch_type=any_call/",
	"cpu/event=1,branch_type=u/",
	"cpu/event=1,branch_type=no,branch_type=any_ret,branch_type=k/",
	"cpu/event=1,name=x,period=7,cpu=0/",
	"page-faults:u",
	"bpf-output",
	"software/config=10/",
	"task-clock",
	"r1a",
	"r1a:ppp",
	"r1a/config1=7,name=x/u",
	"1:3",
	"4 : 0x1ab:k",
	"77:0xffffffffffffffff",
	"0x100000001:7",
	"mem:0x1000",
	"mem:0x1000:x",
	"mem:0x1000/8:rw",
	"mem:0xffffffff81000000/4:w:u",
	"mem:0x10/config=5,config1=6/",
	"sched:sched_switch",
	"sched:*",
	"sched:sched_switch:u",
	"*/event=1/",
	"kprobe/func='do_exit',offset=8/",
	"kprobe/addr=0xffffffff81000000/u",
	"uprobe/path='/bin/ls',offset=0x10,retprobe/",
	"kprobe/config1=1,config2=3/",
	"cpu/event=1,branch_type=u,branch_type=any_call/",
	"cycles/branch_type=k,branch_type=any_ret/",
	"cpu/cycles,branch_type='u,any',call-graph=lbr/",
	"cycles/period=7,freq=8,time=0,call-graph=dwarf,stack-size=100,max-stack=5/P",
	"cycles/max-stack=5,no-inherit,overwrite/",
	"cycles/aux-output,aux-action=pause,aux-sample-size=64/",
	"{cycles,instructions/period=3/,page-faults}:S",
	"{cycles/call-graph=fp/,instructions}:SW",
	"sched:sched_switch/call-graph=fp,nr=3/",
	"mem:0x10:x/branch_type=any/ppp",
	"r1a/config4=9/X",
	"intel_pt/tsc=0,psb_period=1/u",
	"intel_pt/config=0/",
	"cycles,intel_pt//,mem:0x10",
};

/* Fields that no string and no preset sets. Every other field is set by some string here; by the
 * law it is then explained. */
static const char *const unset_fields[] = {
	"size",
	"inherit_stat",
	"watermark",
	"exclude_callchain_kernel",
	"use_clockid",
	"context_switch",
	"namespaces",
	"cgroup",
	"text_poke",
	"inherit_thread",
	"remove_on_exec",
	"sigtrap",
	"defer_callchain",
	"defer_output",
	"wakeup_events",
	"clockid",
	"sample_regs_intr",
	"aux_watermark",
	"sig_data",
};

static bool is_unset(const char *field)
{
	for (size_t i = 0; i < COUNT(unset_fields); i++)
		if (strcmp(unset_fields[i], field) == 0)
			return true;
	return false;
}

static void check_machine(struct pmuq_source *source)
{
	struct pmuq_catalog *of = NULL;

	assert_int_equal(pmuq_source_read_catalog(source, &of, NULL), 0);
	for (size_t i = 0; i < COUNT(strings); i++)
		check(of, strings[i]);
	for (size_t i = 0; i < pmuq_catalog_machine(of)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(of, i);

		/* One instance of each definition is enough. */
		if (!i || pmu->definition != pmuq_catalog_pmu(of, i - 1)->definition)
			check_pmu(of, pmu);
	}
	pmuq_catalog_free(of);
}

static void the_law_holds_for_every_machine(void **state)
{
	const char *dir = getenv("PMUQ_TEST_MACHINES");
	const struct pmuq_field *field;
	DIR *machines = opendir(dir);
	struct dirent *entry;
	size_t n_machines = 0;

	(void)state;
	assert_non_null(machines);
	while ((entry = readdir(machines))) {
		struct pmuq_source *source = NULL;
		auto_free char *path = NULL;

		assert_true(asprintf(&path, "%s/%s", dir, entry->d_name) > 0);
		if (entry->d_name[0] == '.' || pmuq_source_open_tree(path, &source, NULL) < 0)
			continue;
		check_machine(source);
		n_machines++;
		pmuq_source_free(source);
	}
	closedir(machines);
	assert_true(n_machines >= 20);
	assert_true(seen.n_encodings >= 20000);
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		if (is_unset(field->name.p) != !(seen.fields >> i & 1))
			fail_msg("the field '%s' is %sset", field->name.p,
				 is_unset(field->name.p) ? "" : "not ");
}

/* ----------------------------------------------------------------------------------- the causes */

struct expected {
	const char *term, *field;
	uint64_t mask, value, number;
	enum pmuq_cause cause;
	const char *event;
	size_t offset;
	bool is_overridden;
};

#define WORD UINT64_MAX
#define TYPE UINT32_MAX

// clang-format off
static const struct row {
	const char *string;
	enum pmuq_dialect dialect;
	struct expected v[10];
} rows[] = {
	{ "cpu/loads,low=30/u", PMUQ_DIALECT_PMUQ, {
		{ "cpu", "type", TYPE, 4, 4, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "event", "config", 0xf000000ff, 0xcd, 0xcd, PMUQ_CAUSE_EVENT, "loads", 0, false },
		{ "umask", "config", 0xff00, 0x100, 1, PMUQ_CAUSE_EVENT, "loads", 11, false },
		{ "low", "config1", 0xffff, 3, 3, PMUQ_CAUSE_EVENT, "loads", 19, true },
		{ "low", "config1", 0xffff, 30, 30, PMUQ_CAUSE_TEXT, NULL, 10, false },
		{ "u", "exclude_hv", 1, 1, 1, PMUQ_CAUSE_TEXT, NULL, 17, false },
		{ "u", "exclude_kernel", 1, 1, 1, PMUQ_CAUSE_TEXT, NULL, 17, false } } },
	{ "cpu/loads,low=28/", PMUQ_DIALECT_PERF, {
		{ "cpu", "type", TYPE, 4, 4, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "event", "config", 0xf000000ff, 0xcd, 0xcd, PMUQ_CAUSE_EVENT, "loads", 0, false },
		{ "umask", "config", 0xff00, 0x100, 1, PMUQ_CAUSE_EVENT, "loads", 11, false },
		{ "low", "config1", 0xffff, 3, 3, PMUQ_CAUSE_EVENT, "loads", 19, false },
		{ "low", "config1", 0xffff, 28, 28, PMUQ_CAUSE_TEXT, NULL, 10, false } } },
	{ "cpu/event=0xa3c/", PMUQ_DIALECT_PMUQ, {
		{ "cpu", "type", TYPE, 4, 4, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "event", "config", 0xf000000ff, 0xa0000003c, 0xa3c, PMUQ_CAUSE_TEXT, NULL, 4, false } } },
	{ "cpu/par,event=7/", PMUQ_DIALECT_PMUQ, {
		{ "cpu", "type", TYPE, 4, 4, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "event", "config", 0xf000000ff, 7, 7, PMUQ_CAUSE_TEXT, "par", 8, false },
		{ "umask", "config", 0xff00, 0x200, 2, PMUQ_CAUSE_EVENT, "par", 8, false } } },
	{ "cpu/whole,config=5/", PMUQ_DIALECT_PMUQ, {
		{ "cpu", "type", TYPE, 4, 4, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "config", "config", WORD, 0x12, 0x12, PMUQ_CAUSE_EVENT, "whole", 0, true },
		{ "config", "config", WORD, 5, 5, PMUQ_CAUSE_TEXT, NULL, 10, false },
		{ "umask", "config", 0xff00, 0x300, 3, PMUQ_CAUSE_EVENT, "whole", 12, false } } },
	{ "cpu/config=1,config=2/", PMUQ_DIALECT_PERF, {
		{ "cpu", "type", TYPE, 4, 4, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "config", "config", WORD, 1, 1, PMUQ_CAUSE_TEXT, NULL, 4, true },
		{ "config", "config", WORD, 2, 2, PMUQ_CAUSE_TEXT, NULL, 13, false } } },
	{ "instructions:kpup", PMUQ_DIALECT_PMUQ, {
		{ "instructions", "type", TYPE, 0, 0, PMUQ_CAUSE_TEXT, NULL, 0, false },
		{ "instructions", "config", WORD, 1, 1, PMUQ_CAUSE_TEXT, NULL, 0, false },
		{ "k", "exclude_hv", 1, 1, 1, PMUQ_CAUSE_TEXT, NULL, 13, false },
		{ "k", "exclude_user", 1, 1, 1, PMUQ_CAUSE_TEXT, NULL, 13, true },
		{ "pup", "precise_ip", 3, 2, 2, PMUQ_CAUSE_TEXT, NULL, 14, false },
		{ "u", "exclude_user", 1, 0, 0, PMUQ_CAUSE_TEXT, NULL, 15, false } } },
	{ "{cycles:p}:pD", PMUQ_DIALECT_PMUQ, {
		{ "cycles", "type", TYPE, 0, 0, PMUQ_CAUSE_TEXT, NULL, 1, false },
		{ "cycles", "config", WORD, 0, 0, PMUQ_CAUSE_TEXT, NULL, 1, false },
		{ "p", "precise_ip", 3, 1, 1, PMUQ_CAUSE_TEXT, NULL, 8, true },
		{ "p", "precise_ip", 3, 2, 2, PMUQ_CAUSE_TEXT, NULL, 11, false },
		{ "D", "pinned", 1, 1, 1, PMUQ_CAUSE_TEXT, NULL, 12, false } } },
	{ "r1a", PMUQ_DIALECT_PMUQ, {
		{ "r1a", "type", TYPE, 4, 4, PMUQ_CAUSE_TEXT, NULL, 0, false },
		{ "r1a", "config", WORD, 0x1a, 0x1a, PMUQ_CAUSE_TEXT, NULL, 0, false } } },
	{ "20 : 0x1ab:u", PMUQ_DIALECT_PMUQ, {
		{ "type", "type", TYPE, 20, 20, PMUQ_CAUSE_TEXT, NULL, 0, false },
		{ "config", "config", WORD, 0x1ab, 0x1ab, PMUQ_CAUSE_TEXT, NULL, 5, false },
		{ "u", "exclude_hv", 1, 1, 1, PMUQ_CAUSE_TEXT, NULL, 11, false },
		{ "u", "exclude_kernel", 1, 1, 1, PMUQ_CAUSE_TEXT, NULL, 11, false } } },
	{ "mem:0x1000/8:w", PMUQ_DIALECT_PMUQ, {
		{ "mem", "type", TYPE, 5, 5, PMUQ_CAUSE_TEXT, NULL, 0, false },
		{ "address", "config1", WORD, 0x1000, 0x1000, PMUQ_CAUSE_TEXT, NULL, 4, false },
		{ "length", "config2", WORD, 8, 8, PMUQ_CAUSE_TEXT, NULL, 11, false },
		{ "access", "bp_type", TYPE, 2, 2, PMUQ_CAUSE_TEXT, NULL, 13, false } } },
	{ "mem:16", PMUQ_DIALECT_PERF, {
		{ "mem", "type", TYPE, 5, 5, PMUQ_CAUSE_TEXT, NULL, 0, false },
		{ "address", "config1", WORD, 16, 16, PMUQ_CAUSE_TEXT, NULL, 4, false },
		{ "length", "config2", WORD, 4, 4, PMUQ_CAUSE_DEFAULT, NULL, 0, false },
		{ "access", "bp_type", TYPE, 3, 3, PMUQ_CAUSE_DEFAULT, NULL, 0, false },
		{ "mem", "sample_period", WORD, 1, 1, PMUQ_CAUSE_DEFAULT, NULL, 0, false } } },
	{ "bpf-output", PMUQ_DIALECT_PERF, {
		{ "software", "type", TYPE, 1, 1, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "bpf-output", "config", WORD, 10, 10, PMUQ_CAUSE_TEXT, NULL, 0, false },
		{ "bpf-output", "sample_type", WORD, 0x584, 0x584, PMUQ_CAUSE_DEFAULT, NULL, 0, false },
		{ "bpf-output", "sample_period", WORD, 1, 1, PMUQ_CAUSE_DEFAULT, NULL, 0, false } } },
	/* A level alone means all of its branches; the next filter is added, and nothing is that was
	 * not set. */
	{ "cpu/event=2,branch_type=u,branch_type=any_call/", PMUQ_DIALECT_PERF, {
		{ "cpu", "type", TYPE, 4, 4, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "branch_type", "branch_sample_type", WORD, 8, 8, PMUQ_CAUSE_TEXT, NULL, 12, false },
		{ "branch_type", "branch_sample_type", 16, 16, 16, PMUQ_CAUSE_TEXT, NULL, 26, false },
		{ "event", "config", 0xf000000ff, 2, 2, PMUQ_CAUSE_TEXT, NULL, 4, false } } },
	/* perf reads the user's terms again after those of a named event. */
	{ "cpu/beat,branch_type=u/", PMUQ_DIALECT_PERF, {
		{ "cpu", "type", TYPE, 4, 4, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "branch_type", "branch_sample_type", WORD, 8, 8, PMUQ_CAUSE_TEXT, NULL, 9, false },
		{ "branch_type", "branch_sample_type", 1, 1, 1, PMUQ_CAUSE_TEXT, NULL, 9, false },
		{ "event", "config", 0xf000000ff, 1, 1, PMUQ_CAUSE_EVENT, "beat", 0, false } } },
	{ "cpu/event=2,branch_type=any_call/", PMUQ_DIALECT_PMUQ, {
		{ "cpu", "type", TYPE, 4, 4, PMUQ_CAUSE_PMU, NULL, 0, false },
		{ "branch_type", "branch_sample_type", 16, 16, 16, PMUQ_CAUSE_TEXT, NULL, 12, false },
		{ "event", "config", 0xf000000ff, 2, 2, PMUQ_CAUSE_TEXT, NULL, 4, false } } },
};
// clang-format on

static void assert_expected(const struct pmuq_assignment *a, const struct expected *want,
			    const char *string)
{
	assert_string_equal(a->term.p, want->term);
	assert_string_equal(a->field.p, want->field);
	if (a->mask != want->mask || a->value != want->value || a->number != want->number)
		fail_msg("'%s': %s has mask 0x%llx, value 0x%llx, number 0x%llx", string,
			 want->term, (unsigned long long)a->mask, (unsigned long long)a->value,
			 (unsigned long long)a->number);
	assert_int_equal(a->cause, want->cause);
	assert_int_equal(a->offset, want->offset);
	assert_int_equal(a->is_overridden, want->is_overridden);
	if (want->event)
		assert_string_equal(a->event.p, want->event);
	else
		assert_null(a->event.p);
}

static void each_value_has_its_cause(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_encode_options options = { .size = sizeof(options),
						       .dialect = rows[i].dialect,
						       .with_assignments = true };
		struct pmuq_encodings *encodings = NULL;
		const struct pmuq_encoding *encoding;
		size_t n = 0;

		assert_int_equal(
			pmuq_catalog_encode(catalog, rows[i].string, &options, &encodings, NULL),
			0);
		encoding = pmuq_encodings_get(encodings, 0);
		for (; rows[i].v[n].term; n++) {
			assert_true(n < encoding->n_assignments);
			assert_expected(pmuq_encoding_assignment(encoding, n), &rows[i].v[n],
					rows[i].string);
		}
		assert_int_equal(encoding->n_assignments, n);
		assert_null(pmuq_encoding_assignment(encoding, n));
		pmuq_encodings_free(encodings);
	}
}

static struct pmuq_encodings *explain(const char *string)
{
	struct pmuq_encode_options options = { .size = sizeof(options), .with_assignments = true };
	struct pmuq_encodings *encodings = NULL;

	assert_int_equal(pmuq_catalog_encode(catalog, string, &options, &encodings, NULL), 0);
	return encodings;
}

static void an_event_names_its_file_and_its_text(void **state)
{
	struct pmuq_encodings *encodings = explain("tick");
	const struct pmuq_assignment *type, *event;

	(void)state;
	assert_int_equal(pmuq_encodings_count(encodings), 2);
	type = pmuq_encoding_assignment(pmuq_encodings_get(encodings, 1), 0);
	event = pmuq_encoding_assignment(pmuq_encodings_get(encodings, 1), 1);
	assert_string_equal(type->origin.p, "sys/bus/event_source/devices/box_1/type");
	assert_string_equal(event->origin.p, "sys/bus/event_source/devices/box_1/events/tick");
	assert_string_equal(event->input.p, "event=1");
	assert_string_equal(event->format.p, "config:0-7");
	assert_int_equal(event->length, strlen("event=1"));
	pmuq_encodings_free(encodings);
}

/* A machine without a core PMU has no file with its type. */
static void the_type_of_a_missing_pmu_is_a_default(void **state)
{
	static const struct test_pmu software = { .name = "software", .type = 1 };
	struct pmuq_encode_options options = { .size = sizeof(options), .with_assignments = true };
	struct pmuq_catalog *without_core = test_catalog(&software, 1);
	struct pmuq_encodings *encodings = NULL;
	const struct pmuq_assignment *type;

	(void)state;
	assert_int_equal(
		pmuq_catalog_encode(without_core, "cpu/config=1/", &options, &encodings, NULL), 0);
	type = pmuq_encoding_assignment(pmuq_encodings_get(encodings, 0), 0);
	assert_string_equal(type->field.p, "type");
	assert_int_equal(type->cause, PMUQ_CAUSE_DEFAULT);
	assert_null(type->origin.p);
	pmuq_encodings_free(encodings);
	pmuq_catalog_free(without_core);
}

/* The slots event that a metric needs is another event: its config is not the metric's. */
static void slots_have_assignments_of_their_own(void **state)
{
	struct pmuq_encodings *encodings = explain("cpu/metric/u");
	size_t n = 0;

	(void)state;
	assert_int_equal(pmuq_encodings_count(encodings), 2);
	check(catalog, "cpu/metric/u");
	for (size_t i = 0; i < 2; i++)
		n += pmuq_encodings_get(encodings, i)->n_assignments;
	assert_int_equal(n, 5 + 4);
	pmuq_encodings_free(encodings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_law_holds_for_every_machine),
		cmocka_unit_test(each_value_has_its_cause),
		cmocka_unit_test(an_event_names_its_file_and_its_text),
		cmocka_unit_test(the_type_of_a_missing_pmu_is_a_default),
		cmocka_unit_test(slots_have_assignments_of_their_own),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
