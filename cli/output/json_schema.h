/* SPDX-License-Identifier: MIT */
/* The JSON Schema of a document, from its description. */
#pragma once

#include "cli/output/document.h"

/* On stdout. Reports when out of memory. */
enum status schema_print(const struct document_type *type);
