/* SPDX-License-Identifier: MIT */
/* The part of a search that reads the machine itself. */
#pragma once

#include "cli/tables/search_parts.h"

/* Adds the events of the machine's files, the generic events that it counts, and its tracepoints.
 * Reads names only. */
enum status search_machine(struct row_search *search);
/* Reads the terms of the rows that are events of files. */
void search_machine_terms(struct row_search *search);
