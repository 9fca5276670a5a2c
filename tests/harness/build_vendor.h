/* SPDX-License-Identifier: MIT */
/* Small vendor tables for unit tests, in a line an event. */
#pragma once

#include "core/vendor/vendor_table.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>

struct test_event {
	const char *name, *pmu, *terms, *compat; /* compat: NULL is "" */
	bool is_deprecated;
};

static inline struct pq_vendor_event test_vendor_event(const struct test_event *row)
{
	return (struct pq_vendor_event){
		.event = { .name = str_of(row->name),
			   .terms = str_of(row->terms),
			   .unit = STR(""),
			   .scale = STR("1") },
		.record = { .pmu = str_of(row->pmu),
			    .topic = STR(""),
			    .description = STR(""),
			    .long_description = STR(""),
			    .compat = str_of(row->compat ? row->compat : ""),
			    .is_deprecated = row->is_deprecated },
	};
}

/* A table that has memory for no more events. */
static inline struct pmuq_vendor *test_vendor(const struct test_event *rows, size_t n)
{
	const struct pmuq_vendor_table origin = { .cpuid = STR("Maker-6-1"),
						  .import = STR("t"),
						  .folder = STR("x86/t"),
						  .version = STR("v1") };
	struct pmuq_vendor *made = NULL;

	assert_int_equal(pq_vendor_new(n, &made, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		struct pq_vendor_event *event = pq_vendor_add(made);

		assert_non_null(event);
		*event = test_vendor_event(&rows[i]);
	}
	assert_null(pq_vendor_add(made));
	assert_int_equal(pq_vendor_finish(made, &origin, NULL), 0);
	return made;
}
