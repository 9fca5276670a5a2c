/* SPDX-License-Identifier: MIT */
/*
 * A capture: capture.c takes it, by reading the machine while the root records what is read;
 * capture_redact.c removes identifying data; capture_write.c writes it.
 */
#pragma once

#include "discover/files/manifest.h"
#include "discover/files/root.h"
#include <pmuq/capture.h>
#include <pmuq/pmuq.h>

struct pq_captured_file {
	struct pmuq_captured_file record; /* first: callers see this */
	const struct pq_inode *node;	  /* in the capture's memory */
};

/* More than there are files that capture_redact.c changes. */
#define PQ_REDACTIONS_MAX 16u

struct pmuq_capture {
	struct pq_memory memory; /* all texts live in its arena */
	struct pmuq_captured content;
	struct pmuq_catalog *catalog; /* the content's, to be freed */
	struct pmuq_capture_options options;
	bool is_live;
	struct pmuq_pair redactions[PQ_REDACTIONS_MAX];
	struct pmuq_problem *unread;	/* content.n_unread of them */
	struct pq_captured_file *files; /* content.n_files of them */
};

/* Removes identifying data from capture->memory, in which the root has recorded the machine. It
 * reads the beginning of /proc/cpuinfo from the root again. On a resource error memory.failed is
 * set. */
void pq_capture_redact(struct pmuq_capture *capture, struct pq_root *root);
/* Prints a line "redacted …" for each redaction. */
void pq_capture_print_redactions(const struct pmuq_capture *capture, struct pq_buf *manifest);

/* The node of a path; NULL if it does not exist. */
struct pq_inode *pq_capture_find(struct pmuq_capture *capture, const char *path);
