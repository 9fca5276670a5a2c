/* SPDX-License-Identifier: MIT */
/* Which fields of a record are columns: the default ones, or those of -o. */
#pragma once

#include "cli/output/document.h"
#include "cli/status.h"

#define COLUMNS_MAX 48

struct columns {
	const struct record_type *type;
	const struct field *v[COLUMNS_MAX + 1]; /* up to NULL */
	size_t n, n_default;			/* the default ones come first */
};

/*
 * Chooses the columns again: the fields with a flag of `usual`, and the named ones: "A,B" instead
 * of the default ones, "+A,B" after them; NULL: none. An unknown column is a usage error.
 */
enum status columns_choose(struct columns *columns, const struct record_type *type,
			   const char *names, unsigned usual);
/* Whether a field of the record has that flag. */
bool columns_exist(const struct record_type *type, unsigned flag);
/* Whether it is aligned at the right: a number. */
bool column_is_right(const struct field *field);
/* "CPUS" for "cpus"; the caller frees it. */
char *column_title(struct pmuq_str name);

/* --list-columns: the columns of all documents of a command that can be tables (up to NULL), and
 * the meaning of their marks. */
void columns_print(const struct document_type *const *documents);
