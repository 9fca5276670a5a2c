/* SPDX-License-Identifier: MIT */
/* The JSON Schema of a document, from its description. */
#pragma once

#include "cli/output/document.h"

/* On stdout. */
void schema_print(const struct document_type *type);
