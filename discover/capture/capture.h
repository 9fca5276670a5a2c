/* SPDX-License-Identifier: MIT */
/*
 * A capture between its files: capture.c takes it by reading the machine while its root records,
 * capture_redact.c takes away what is nobody's business, capture_write.c writes it.
 */
#ifndef PQ_DISCOVER_CAPTURE_H
#define PQ_DISCOVER_CAPTURE_H

#include "discover/capture/manifest.h"
#include "discover/files/root.h"
#include <pmuq/capture.h>
#include <pmuq/pmuq.h>

struct pq_redaction {
	const char *path, *text;
};

struct pq_unread {
	const char *path;
	int code, errnum;
};

struct pq_listed {
	const char *path;
	const struct pq_node *node;
};

/* A machine has no more that could be redacted than capture_redact.c has rows. */
#define PQ_REDACTIONS_MAX 16u

struct pmuq_capture {
	struct pq_memory memory; /* all texts live in its arena */
	struct pmuq_catalog *catalog;
	struct pmuq_capture_options options;
	bool is_live;
	struct pq_redaction redactions[PQ_REDACTIONS_MAX];
	size_t n_redactions;
	struct pq_unread *unread;
	struct pq_listed *files;
	size_t n_unread, n_files;
};

/* Of capture->memory, which the root has recorded; the root is asked again for what it gave in
 * part. memory.failed says when memory ran out. */
void pq_capture_redact(struct pmuq_capture *capture, struct pq_root *root);
/* A line "redacted …" for each. */
void pq_capture_print_redactions(const struct pmuq_capture *capture, struct pq_buf *manifest);

/* The node of a path; NULL when there is none, or nothing. */
struct pq_node *pq_capture_find(struct pmuq_capture *capture, const char *path);

#endif
