/* SPDX-License-Identifier: MIT */
/* Small catalogs for unit tests, in a line a PMU. */
#pragma once

#include "core/catalog/catalog.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>

struct test_pmu {
	const char *name, *cpumask, *cpus, *alias;
	const char *formats, *events; /* "event config:0-7; umask config:8-15" */
	uint32_t type;
};

static inline size_t test_split(const char *text, struct pmuq_pair *ret)
{
	struct pmuq_str rest = str_of(text ? text : ""), item;
	size_t n = 0;

	while (rest.n) {
		str_cut(rest, ';', &item, &rest);
		str_cut(str_trim(item), ' ', &ret[n].name, &ret[n].text);
		n++;
	}
	return n;
}

static inline void test_add(struct pq_builder *builder, const struct test_pmu *pmu)
{
	struct pmuq_format formats[16];
	struct pmuq_event events[16];
	struct pmuq_pair pairs[16];
	struct pq_pmu_draft draft = {
		.name = str_of(pmu->name),
		.cpumask = str_of(pmu->cpumask),
		.cpus_file = str_of(pmu->cpus),
		.alias = str_of(pmu->alias),
		.type = pmu->type,
		.has_type = true,
		.formats = formats,
		.events = events,
	};

	draft.n_formats = test_split(pmu->formats, pairs);
	for (size_t i = 0; i < draft.n_formats; i++)
		formats[i] = (struct pmuq_format){ .name = pairs[i].name, .text = pairs[i].text };
	draft.n_events = test_split(pmu->events, pairs);
	for (size_t i = 0; i < draft.n_events; i++)
		events[i] = (struct pmuq_event){ .name = pairs[i].name,
						 .terms = pairs[i].text,
						 .unit = STR(""),
						 .scale = STR("1") };
	assert_int_equal(pq_builder_pmu(builder, &draft, NULL), 0);
}

static inline struct pmuq_catalog *test_catalog(const struct test_pmu *pmus, size_t n)
{
	struct pmuq_catalog *catalog = NULL;
	struct pq_builder *builder = NULL;

	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	pq_builder_fact(builder, STR("cpus_online"), STR("0-3"), NULL);
	pq_builder_fact(builder, STR("cpus_present"), STR("0-3"), NULL);
	for (size_t i = 0; i < n; i++)
		test_add(builder, &pmus[i]);
	assert_int_equal(pq_builder_finish(builder, &catalog, NULL), 0);
	return catalog;
}

/* Two instances of one PMU, for the rows of a machine. */
#define TEST_TWO_INSTANCES                                                                         \
	{ .name = "box_0",                                                                         \
	  .type = 20,                                                                              \
	  .cpumask = "0",                                                                          \
	  .formats = "event config:0-7",                                                           \
	  .events = "tick event=1" },                                                              \
	{                                                                                          \
		.name = "box_1", .type = 21, .cpumask = "0", .formats = "event config:0-7",        \
		.events = "tick event=1"                                                           \
	}

/* For the tests of one machine: `catalog`, and the set-up and tear-down of their group. */
#define TEST_CATALOG(machine)                                                                      \
	static struct pmuq_catalog *catalog;                                                       \
                                                                                                   \
	static int set_up(void **state)                                                            \
	{                                                                                          \
		(void)state;                                                                       \
		catalog = test_catalog(machine, COUNT(machine));                                   \
		return 0;                                                                          \
	}                                                                                          \
                                                                                                   \
	static int tear_down(void **state)                                                         \
	{                                                                                          \
		(void)state;                                                                       \
		pmuq_catalog_free(catalog);                                                        \
		return 0;                                                                          \
	}
