/* SPDX-License-Identifier: MIT */
/* A captured machine as a catalog. */
#pragma once

#include "tests/bench/bench.h"
#include <pmuq/pmuq.h>

static inline struct pmuq_catalog *bench_read_machine(const char *tree)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;

	if (pmuq_source_open_tree(tree, &source, NULL) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, NULL) < 0)
		bench_die(tree);
	pmuq_source_free(source);
	return catalog;
}
