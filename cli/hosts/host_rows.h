/* SPDX-License-Identifier: MIT */
/* The rows of `pmuq hosts` and their fields. */
#pragma once

#include "cli/hosts/known_opens.h"
#include "cli/output/document.h"
#include "core/vec.h"

struct host_row {
	const struct pmuq_host *host;
	const struct pmuq_snapshot *snapshot;
	const struct pmuq_host_class *host_class; /* NULL: the snapshot is not the newest */
	enum opens opens;			  /* of the string of --with */
};

struct host_rows {
	PQ_VEC(struct host_row);
};

/* A row for each snapshot in the list. */
void host_rows_make(struct host_rows *rows, const struct pmuq_hosts *hosts);
/* By name; numbers in names are compared by their value. */
void host_rows_sort(struct host_rows *rows);

extern const struct document_type hosts_document;

/* A field whose value is a fact of the snapshot that a pointer in the record refers to. */
#define HOST_FACT(type, pointer, fact) .get = host_get_fact, VIA(type, pointer), .of = (fact)
bool host_get_fact(const void *of, struct cell *cell);
