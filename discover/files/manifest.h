/* SPDX-License-Identifier: MIT */
/*
 * The file `pmuq-capture` at the top of a captured tree. For people it lists what was captured; for
 * a root it contains what no file of the tree contains: facts that pmuq found by probing the
 * kernel, and files that could not be read. A line begins with a word; a line with "#" or an
 * unknown word is a comment. A version other than 1 is refused.
 *
 *	pmuq-capture 1
 *	fact extended_type yes
 *	fact machine_id 8d4bc3…
 *	fact tsc_hz 2700000000
 *	fact pmem no
 *	unread dir 71 13 sys/kernel/tracing/events
 *
 * After `unread` come the file type (file, dir, link, other), the code (enum pmuq_code, or 0 for a
 * link or other file that was not opened) and the errno of opening it, and its path. In the path
 * %XX is a byte that is not printable ASCII, or a blank or "%".
 */
#pragma once

#include "core/limits.h"
#include "discover/files/root.h"

#define PQ_MANIFEST_FILE "pmuq-capture"

/* Reads it into root->manifest and root->memory, before anything else is read from the root: its
 * marks replace files. `origin` names the tree in errors. 0, also if there is no manifest;
 * -PMUQ_E_BAD_MANIFEST, -PMUQ_E_MEMORY, -PMUQ_E_TOO_MANY_FILES. */
int pq_manifest_read(struct pq_root *root, const char *origin, struct pmuq_error **reterr);

/* The facts that a manifest can contain; PQ_FACT_COUNT after the last. */
enum pq_fact pq_manifest_fact(size_t i);

/* Append its first line, the line of a fact, and the lines of all marks in memory. */
void pq_manifest_add_head(struct pq_buf *manifest);
void pq_manifest_add_fact(struct pq_buf *manifest, struct pmuq_str name, struct pmuq_str text);
void pq_manifest_add_marks(struct pq_buf *manifest, const struct pq_memory *memory);
