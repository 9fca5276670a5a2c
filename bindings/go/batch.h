/* SPDX-License-Identifier: MIT */
/*
 * Many event strings by one call of cgo, which costs as much as encoding a string. The encodings
 * are copied into arrays that Go reads: nothing in them points into a source or a catalog.
 */
#ifndef PMUQ_GO_BATCH_H
#define PMUQ_GO_BATCH_H

#include <pmuq/pmuq.h>

/* A text in `texts`; n is 0 for none. */
struct pmuq_go_text {
	uint32_t at, n;
};

/* What a string gave: encodings from an index, or the error with an index. */
struct pmuq_go_result {
	uint32_t first, n_encodings;
	bool has_error;
};

/* Its attr begins at that byte of `attrs`, without the bytes after its size. Its tool terms,
 * warnings (in `errors`) and assignments begin at these indexes. */
struct pmuq_go_encoding {
	struct pmuq_go_text name, pmu, cpus, unit, scale, group_name, probe_text, probe_field;
	uint32_t event, offset, length, leader, n_members;
	uint32_t attr, tool_term, n_tool_terms, warning, n_warnings, assignment, n_assignments;
	uint32_t origin;
	uint32_t name_of_others; /* in `names`, from 1; 0: neither a vendor nor libpfm4 names it */
	bool needs_cpu, is_per_pkg, is_snapshot, is_added;
};

/* What a vendor's table or libpfm4 has about an encoding. */
struct pmuq_go_name {
	struct pmuq_go_text libpfm4_name, description, table_import, table_folder, table_version;
	bool has_vendor; /* otherwise only the first text is set */
};

struct pmuq_go_tool_term {
	struct pmuq_go_text name, text;
	bool is_number;
};

struct pmuq_go_error {
	struct pmuq_go_text name, message, hint, input, origin, whole;
	uint64_t offset, length;
	uint32_t code;
	int32_t errnum;
	bool is_warning;
};

struct pmuq_go_assignment {
	struct pmuq_go_text term, field, format, event, origin, input;
	uint64_t mask, value, number, offset, length;
	uint32_t cause;
	bool is_overridden;
};

/* An array that grows; the type of its elements is above. */
struct pmuq_go_array {
	char *p;
	size_t bytes, capacity;
};

/* Zeroed before the first call. A further call replaces the content, and uses its memory again. */
struct pmuq_go_batch {
	struct pmuq_go_array results, encodings, attrs, names, tool_terms, errors, assignments,
		texts;
	bool is_full; /* there was no memory */
};

/**
 * Encode strings, each NUL-terminated and one after another.
 *
 * @param source   or NULL
 * @param catalog  if there is no source
 * @param ret      free with pmuq_go_batch_free(), also after a failure
 * @return false if there was no memory for the results
 */
bool pmuq_go_encode(struct pmuq_source *source, const struct pmuq_catalog *catalog,
		    const char *strings, size_t n, const struct pmuq_encode_options *options,
		    struct pmuq_go_batch *ret);
/** Copy encodings that a program has, and an error or NULL, as one result. */
bool pmuq_go_copy(const struct pmuq_encodings *encodings, const struct pmuq_error *error,
		  struct pmuq_go_batch *ret);
void pmuq_go_batch_free(struct pmuq_go_batch *batch);

#endif
