/* SPDX-License-Identifier: MIT */
/* The strings of the case files (tests/cases/README.md), each with its machine and its options. The
 * directories are PMUQ_TEST_CASES and PMUQ_TEST_MACHINES. */
#pragma once

#include <pmuq/pmuq.h>

struct each_case {
	const char *dir; /* of the machine */
	const struct pmuq_catalog *catalog;
	const char *text;
	struct pmuq_encode_options options;
};

/* Visits each string of that file of cases; fails the test if there are few. */
void each_case(const char *file, void (*visit)(const struct each_case *));
