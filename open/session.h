/* SPDX-License-Identifier: MIT */
/* The state of one call that opens requests, which all files of this module share. */
#pragma once

#include "open/host/open_host.h"
#include "open/kernel.h"
#include "open/open_result.h"
#include "open/scope.h"

/* One event to open. Its pointers must live as long as the call that gets it. */
struct pq_open_request {
	const struct pmuq_attr *attr; /* NULL: there is nothing to open */
	const char *pmu;	      /* NULL: the machine has no PMU of that type */
	const char *cpus;	      /* of the PMU, as a list; "": any */
	const char
		*text;	/* a function or path, for config1 to point to; NULL: config1 is a number */
	size_t leader;	/* of the group, as an index of the requests */
	size_t members; /* of the group, with its leader; 0: in no group */
	bool needs_cpu; /* the PMU counts per CPU only */
};

/* The first CPU of the PMU's list, else of the list `fallback`, else 0. */
int pq_open_first_cpu(const struct pq_open_request *request, struct pmuq_str fallback);
/* The attr for the kernel: config1 points to the text. */
void pq_open_request_attr(const struct pq_open_request *request, struct pmuq_attr *ret);
/* Why no kernel can open it; static. NULL: it can be tried. */
const char *pq_open_skip_reason(const struct pq_open_request *request);

/* The caller, and its purpose; tests replace the kernel and the host. */
struct pq_opener {
	struct pq_kernel kernel;
	struct pq_host host;
	struct pq_open_scope scope;
};

struct pq_open_session {
	const struct pq_opener *opener;
	const struct pq_open_request *requests;
	size_t n;
	struct pmuq_open_results *results; /* of each request; NULL: refusals are not diagnosed */
	struct pmuq_opened *opened;	   /* takes the open events; NULL: they are closed */
	struct pq_arena scratch;	   /* until pq_open_session_end() */

	/* Read only if needed, and once. */
	bool has_view, has_simplest;
	struct pq_host_view view;
	int simplest_errnum; /* of pq_probe_simplest(); 0: it opens */
};

/* Sets up the memory; the caller has set the members before it. */
void pq_open_session_begin(struct pq_open_session *session);
/* Returns `r`, or -PMUQ_E_MEMORY if something was not read because there was no memory. */
int pq_open_session_end(struct pq_open_session *session, int r);

/* The host. `errnum` is that of the refusal, or 0. With EMFILE or ENFILE its files could not be
 * opened, so the next call reads it again. Lives as long as the session. */
const struct pq_host_view *pq_open_session_view(struct pq_open_session *session, int errnum);

/* A group, or a request alone. */
struct pq_open_group {
	size_t *indexes; /* of the requests, the leader's first if it can be opened */
	size_t n;
	bool has_leader;
	size_t alone; /* the index of a request alone */
};

/*
 * The request, or the members of its group that can be opened and have no result yet. Points into
 * *ret: do not copy it.
 *
 * Returns 0 or -PMUQ_E_MEMORY, without an error object.
 */
int pq_open_group_find(struct pq_open_session *session, size_t index, struct pq_open_group *ret);
/* The request whose CPUs are those of the group: the first one whose PMU counts per CPU only, else
 * the leader. */
const struct pq_open_request *pq_open_group_cpus_from(const struct pq_open_session *session,
						      const size_t *indexes, size_t n);
