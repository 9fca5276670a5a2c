/* SPDX-License-Identifier: MIT */
/*
 * The file `pmuq-capture` at the top of a captured tree: what was taken and how, for people; and
 * for a root what no file could tell it: facts that were found by asking the kernel, and what could
 * not be read. Lines of words; "#" begins a remark, and a line of an unknown word is one, too.
 *
 *	pmuq-capture 1
 *	fact extended_type yes
 *	fact machine_id 8d4bc3…
 *	unread dir 71 13 sys/kernel/tracing/events
 *
 * After `unread`: what it is (file, dir, link, other), the code and the errno that opening it gave,
 * and its path, in which %XX stands for a byte that is no printable ASCII, a blank or "%".
 */
#ifndef PQ_MANIFEST_H
#define PQ_MANIFEST_H

#include "discover/files/root.h"

#define PQ_MANIFEST_FILE "pmuq-capture"
#define PQ_MANIFEST_MAX_BYTES ((size_t)4 << 20)

/* Into root->told and root->memory. `origin` names the tree in errors. 0 also when there is none;
 * -PMUQ_E_BAD_MANIFEST, -PMUQ_E_MEMORY. */
int pq_manifest_read(struct pq_root *root, const char *origin, struct pmuq_error **reterr);

/* Its first line; a line for a fact; lines for the marks among all nodes. */
void pq_manifest_add_head(struct pq_buf *manifest);
void pq_manifest_add_fact(struct pq_buf *manifest, struct pmuq_str name, struct pmuq_str text);
void pq_manifest_add_marks(struct pq_buf *manifest, const struct pq_memory *memory);

#endif
