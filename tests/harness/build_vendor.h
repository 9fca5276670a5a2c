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

static inline int test_vendor_make(const struct test_event *rows, size_t n,
				   struct pmuq_vendor **ret, struct pmuq_error **reterr)
{
	const struct pmuq_vendor_table origin = { .cpuid = STR("Maker-6-1"),
						  .import = STR("t"),
						  .folder = STR("x86/t"),
						  .version = STR("v1") };
	struct pmuq_vendor *made = NULL;
	int r = pq_vendor_new(n, &made, reterr);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++)
		*pq_vendor_add(made) = test_vendor_event(&rows[i]);
	assert_null(pq_vendor_add(made));
	r = pq_vendor_finish(made, &origin, reterr);
	if (r < 0)
		pmuq_vendor_free(made);
	else
		*ret = made;
	return r;
}

static inline struct pmuq_vendor *test_vendor(const struct test_event *rows, size_t n)
{
	struct pmuq_vendor *made = NULL;

	assert_int_equal(test_vendor_make(rows, n, &made, NULL), 0);
	return made;
}
