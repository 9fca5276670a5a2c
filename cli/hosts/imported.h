/* SPDX-License-Identifier: MIT */
/* What `pmuq import` prints of a file: the hosts that the database has of it, and how many are new.
 */
#pragma once

#include "cli/output/document.h"
#include <pmuq/pmuq.h>

/* A host of a file. */
struct imported {
	const char *file; /* name of the file in errors */
	char *host;
	struct pmuq_saved saved;
};

/* The hosts of one file, as rows of the document; NULL: as text. */
void imported_print(const struct imported *hosts, size_t n, const char *file,
		    struct document *document);

extern const struct document_type import_document; /* its rows are struct imported */
