/* SPDX-License-Identifier: MIT */
/*
 * The library's side of the protocol: sends requests and receives frames, each within the timeout.
 * On any error the helper process is stopped; the next request starts another.
 */
#pragma once

#include "core/error.h"
#include "pfm/helper_process.h"
#include "pfm/wire.h"

struct pmuq_pfm {
	char *path; /* of the helper; NULL if there is none */
	unsigned timeout_ms;
	struct pq_process process;
	struct pq_buf in; /* received, not yet parsed */
	char *library, *build_id;
};

enum pq_pfm_taken {
	PQ_PFM_TAKEN_LAST,
	PQ_PFM_TAKEN_MORE,    /* frames are to come */
	PQ_PFM_TAKEN_INVALID, /* not a valid frame here */
	PQ_PFM_TAKEN_NO_MEMORY,
};
typedef enum pq_pfm_taken pq_pfm_take(void *self, const struct pq_pfm_header *header,
				      struct pq_wire *in);

/* Starts the helper unless it runs. 0, or minus a code. */
int pq_pfm_start(struct pmuq_pfm *pfm, struct pmuq_error **reterr);
/* Sends the requests, and passes each frame of the results to `take` until the last. */
int pq_pfm_request(struct pmuq_pfm *pfm, const struct pq_buf *requests, pq_pfm_take *take,
		   void *self, struct pmuq_error **reterr);
/* The path of the helper if the caller has none; NULL if it is not installed. */
const char *pq_pfm_find_helper(void);

/* What a function that read all of a frame returns. */
enum pq_pfm_taken pq_pfm_taken_of(const struct pq_wire *in, bool is_last);
