/* SPDX-License-Identifier: MIT */
/* The JSON Schema of a document, from its description. */
#ifndef PQ_CLI_JSON_SCHEMA_H
#define PQ_CLI_JSON_SCHEMA_H

#include "cli/output/document.h"

/* On stdout. Reports when out of memory. */
enum status schema_print(const struct document_type *type);

#endif
