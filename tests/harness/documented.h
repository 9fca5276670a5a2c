/* SPDX-License-Identifier: MIT */
/* The law of documents: a machine that is written and read again is the same, and written again it
 * is the same text; in YAML and in JSON. */
#pragma once

#include <pmuq/pmuq.h>

/* A broken law, in words, to be freed; NULL if all hold. */
char *documented_difference(const struct pmuq_catalog *catalog);
