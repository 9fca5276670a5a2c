/* SPDX-License-Identifier: MIT */
/*
 * The door of the room: requests in, verdicts out. Who answers, kernel and host, is handed in; the
 * public function asks the ones that run.
 */
#ifndef PQ_OPEN_OPEN_H
#define PQ_OPEN_OPEN_H

#include "open/diagnose/host_view.h"
#include "open/kernel.h"
#include "open/open_result.h"
#include "open/place.h"

/* One event to open. The pointers must live as long as the call. */
struct pq_request {
	const struct pmuq_attr *attr; /* NULL: there is nothing to open */
	const char *pmu;	      /* NULL: the machine has none of that type */
	const char *cpus;	      /* as a list; "": any */
	const char
		*text;	/* what config1 points to (a function, a path); NULL: config1 is a number */
	size_t leader;	/* of the group, as an index of the requests */
	size_t members; /* of the group, with its leader; 0: in no group */
	bool needs_cpu; /* its PMU counts per CPU only */
};

/* The first CPU of the request's list, else of the other list, else 0. */
int pq_request_first_cpu(const struct pq_request *request, struct pmuq_str otherwise);

struct pq_opener {
	struct pq_kernel kernel;
	struct pq_host host;
	struct pq_target target;
};

/*
 * Open each request and close it at once. Groups are opened as such, and closed when all their
 * members have been tried.
 *
 * Returns 0, also when the kernel refuses, or -PMUQ_E_MEMORY.
 */
int pq_open_requests(const struct pq_opener *opener, const struct pq_request *requests, size_t n,
		     struct pmuq_verdicts **ret, struct pmuq_error **reterr);

#endif
