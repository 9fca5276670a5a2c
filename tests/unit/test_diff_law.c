/* SPDX-License-Identifier: MIT */
/*
 * Laws for all captured machines: a machine does not differ from itself; the changes in the other
 * direction are mirrored; and an event's bits are those of its encoding.
 */
#include "core/buf.h"
#include "core/catalog/catalog.h"
#include "diff/diff_terms.h"
#include "tests/harness/diff_mirror.h"
#include "tests/unit/cmocka_all.h"
#include <dirent.h>
#include <pmuq/pmuq.h>
#include <stdio.h>

#define MACHINES_MAX 256

struct machine {
	char *name;
	struct pmuq_catalog *catalog;
};

static struct machine machines[MACHINES_MAX];
static size_t n_machines;

static void a_machine_does_not_differ_from_itself(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_machines; i++) {
		struct pmuq_diff *diff = NULL;

		assert_int_equal(pmuq_catalog_diff(machines[i].catalog, machines[i].catalog, NULL,
						   &diff, NULL),
				 0);
		assert_int_equal(pmuq_diff_count(diff), 0);
		pmuq_diff_free(diff);
	}
}

static void mirrors(const struct machine *a, const struct machine *b)
{
	char *difference = diff_mirror_difference(a->catalog, b->catalog);

	if (difference)
		fail_msg("%s, %s: %s", a->name, b->name, difference);
}

static void every_pair_mirrors(void **state)
{
	(void)state;
	for (size_t i = 0; i < n_machines; i++)
		for (size_t k = 0; k < i; k++)
			mirrors(&machines[i], &machines[k]);
}

/* ---------------------------------------------------------------------------------------- bits */

static const struct pq_packed *pack(struct pq_arena *arena, const struct pmuq_pmu *pmu,
				    const struct pmuq_event *event)
{
	struct pq_packed *packed = pq_arena_zero(arena, sizeof(*packed));

	assert_non_null(packed);
	assert_true(pq_terms_pack(arena, pq_def_of(pmu), event->terms, packed));
	return packed;
}

static bool has_parameters(const struct pq_packed *packed)
{
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		if (packed->open[word])
			return true;
	return false;
}

static void is_encoded_so(const struct machine *machine, const struct pmuq_pmu *pmu,
			  const struct pmuq_event *event, const struct pq_packed *packed)
{
	struct pmuq_encodings *encodings = NULL;
	char *string = NULL;
	struct pmuq_attr attr;
	int r;

	assert_true(asprintf(&string, "%s/%s/", pmu->name.p, event->name.p) > 0);
	r = pmuq_catalog_encode(machine->catalog, string, NULL, &encodings, NULL);
	if (!packed->refusal != (r == 0 || r == -PMUQ_E_MISSING_PARAMETER))
		fail_msg("%s: %s: %d, %s", machine->name, string, r, packed->refusal);
	if ((r == -PMUQ_E_MISSING_PARAMETER) != (!packed->refusal && has_parameters(packed)))
		fail_msg("%s: %s: parameters", machine->name, string);
	for (unsigned word = 0; r == 0 && word < PQ_CONFIG_WORDS; word++) {
		/* If a metric needs a leader, the leader comes first. */
		size_t last = pmuq_encodings_count(encodings) - 1;

		memcpy(&attr, pmuq_encodings_get(encodings, last)->attr, sizeof(attr));
		if (*pq_attr_config(&attr, word) != packed->words[word])
			fail_msg("%s: %s: config%u is 0x%llx, not 0x%llx", machine->name, string,
				 word, (unsigned long long)*pq_attr_config(&attr, word),
				 (unsigned long long)packed->words[word]);
	}
	pmuq_encodings_free(encodings);
	free(string);
}

static size_t check_bits(const struct machine *machine)
{
	struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	const struct pmuq_definition *last = NULL;
	size_t n = 0;

	for (size_t p = 0; p < pmuq_catalog_machine(machine->catalog)->n_pmus; p++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(machine->catalog, p);

		for (size_t e = 0; pmu->definition != last && e < pmu->definition->n_events;
		     e++, n++)
			is_encoded_so(machine, pmu, &pq_def_of(pmu)->events[e],
				      pack(&arena, pmu, &pq_def_of(pmu)->events[e]));
		last = pmu->definition;
	}
	pq_arena_clear(&arena);
	return n;
}

static void events_have_the_bits_that_they_are_encoded_to(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < n_machines; i++)
		n += check_bits(&machines[i]);
	assert_true(n > 500);
}

/* Made machines, with terms that no captured one has. */
static const struct {
	const char *terms;
	const char *settings; /* NULL: it cannot be encoded */
	uint64_t words[2], open;
} odd_terms[] = {
	{ "event=1", "", { 1 }, 0 },
	{ " event = 0x1 , umask=2 ", "", { 0x201 }, 0 },
	{ "event=1,event=2", "", { 3 }, 0 },
	{ "event=1,config=0x100", "", { 0x101 }, 0 },
	{ "config=0x100,config=0x200", "", { 0x200 }, 0 },
	{ "r1ff,inv", "", { 0x8001ff }, 0 },
	{ "r0x1ff", "", { 0x1ff }, 0 },
	{ "config1=7,'event'=1", "", { 1, 7 }, 0 },
	{ "event=1,umask=?", "umask=?", { 1 }, 0xff00 },
	{ "period=100,event=1,name=x", "name=x,period=0x64", { 1 }, 0 },
	{ "event=1,@set=on", "driver-config=set=on", { 1 }, 0 },
	{ "", NULL, { 0 }, 0 },
	{ "event", NULL, { 0 }, 0 },
	{ "event=", NULL, { 0 }, 0 },
	{ "event=-1", NULL, { 0 }, 0 },
	{ "event=256", NULL, { 0 }, 0 },
	{ "event=x", NULL, { 0 }, 0 },
	{ "event=1,", NULL, { 0 }, 0 },
	{ "event=1 umask=2", NULL, { 0 }, 0 },
	{ "evnt=1", NULL, { 0 }, 0 },
	{ "'period'=1", NULL, { 0 }, 0 },
	{ "lost=1", NULL, { 0 }, 0 },
	{ "config=?", NULL, { 0 }, 0 },
	{ "config=0x1ffffffffffffffff", NULL, { 0 }, 0 },
	{ "event=0x00000000000000001", NULL, { 0 }, 0 },
	{ "event='1'", NULL, { 0 }, 0 },
	{ "1=2", NULL, { 0 }, 0 },
	{ "event=1/", NULL, { 0 }, 0 },
};

static struct machine odd_machine(const char *terms)
{
	struct pmuq_format formats[] = {
		{ .name = STR("event"), .text = STR("config:0-7") },
		{ .name = STR("umask"), .text = STR("config:8-15") },
		{ .name = STR("inv"), .text = STR("config:23") },
		{ .name = STR("lost"), .text = STR("config9:1") },
	};
	struct pmuq_event event = {
		.name = STR("e"), .terms = str_of(terms), .unit = STR(""), .scale = STR("1")
	};
	struct pq_pmu_draft draft = { .name = STR("cpu"),
				      .type = 4,
				      .has_type = true,
				      .formats = formats,
				      .n_formats = COUNT(formats),
				      .events = &event,
				      .n_events = 1 };
	struct machine machine = { .name = (char *)(uintptr_t)terms };
	struct pq_builder *builder = NULL;

	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	assert_int_equal(pq_builder_pmu(builder, &draft, NULL), 0);
	assert_int_equal(pq_builder_finish(builder, &machine.catalog, NULL), 0);
	return machine;
}

static void odd_terms_are_encoded_so(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(odd_terms); i++) {
		struct machine machine = odd_machine(odd_terms[i].terms);
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(machine.catalog, 0);
		const struct pq_packed *packed;
		struct pq_arena arena = PQ_ARENA(SIZE_MAX);

		packed = pack(&arena, pmu, &pq_def_of(pmu)->events[0]);
		if (!packed->refusal != (odd_terms[i].settings != NULL))
			fail_msg("%s: %s", odd_terms[i].terms, packed->refusal);
		if (!packed->refusal) {
			assert_string_equal(packed->settings.p, odd_terms[i].settings);
			assert_int_equal(packed->words[0], odd_terms[i].words[0]);
			assert_int_equal(packed->words[1], odd_terms[i].words[1]);
			assert_int_equal(packed->open[0], odd_terms[i].open);
		}
		is_encoded_so(&machine, pmu, &pq_def_of(pmu)->events[0], packed);
		pq_arena_clear(&arena);
		pmuq_catalog_free(machine.catalog);
	}
}

/* ------------------------------------------------------------------------------------ machines */

static struct pmuq_catalog *read_machine(const char *dir, const char *name)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", dir, name) > 0);
	if (pmuq_source_open_tree(path, &source, NULL) == 0)
		assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	pmuq_source_free(source);
	free(path);
	return catalog;
}

static int setup(void **state)
{
	const char *dir = getenv("PMUQ_TEST_MACHINES");
	DIR *entries = opendir(dir);
	const struct dirent *entry;

	(void)state;
	assert_non_null(entries);
	while (n_machines < MACHINES_MAX && (entry = readdir(entries))) {
		struct machine *machine = &machines[n_machines];

		machine->catalog =
			entry->d_name[0] == '.' ? NULL : read_machine(dir, entry->d_name);
		if (!machine->catalog)
			continue;
		machine->name = strdup(entry->d_name);
		n_machines++;
	}
	closedir(entries);
	assert_true(n_machines > 2);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	while (n_machines-- > 0) {
		pmuq_catalog_free(machines[n_machines].catalog);
		free(machines[n_machines].name);
	}
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_does_not_differ_from_itself),
		cmocka_unit_test(every_pair_mirrors),
		cmocka_unit_test(events_have_the_bits_that_they_are_encoded_to),
		cmocka_unit_test(odd_terms_are_encoded_so),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
