/* SPDX-License-Identifier: MIT */
/*
 * The library's side of the protocol: sends requests and receives frames, each within the timeout.
 * On any error the helper process is stopped; the next request starts another.
 *
 * Functions that return an int return 0, -PMUQ_E_PFM_UNAVAILABLE (the helper or libpfm4 is not
 * installed), -PMUQ_E_PFM_FAILED (crash, timeout, invalid frame) or -PMUQ_E_MEMORY.
 */
#pragma once

#include "core/error.h"
#include "pfm/helper_process.h"
#include "pfm/wire.h"

struct pmuq_pfm {
	char *path;	     /* of the helper, owned; NULL if no helper was found */
	unsigned timeout_ms; /* without a frame: each frame starts it again */
	struct pq_process process;
	bool is_starting; /* its HELLO frame is still to come */
	struct pq_buf in; /* received, not yet parsed */
	/* From the HELLO frame: NULL before the first start, replaced by each start. */
	char *library, *build_id, *library_path;
};

enum pq_pfm_taken {
	PQ_PFM_TAKEN_LAST,
	PQ_PFM_TAKEN_MORE,    /* frames are to come */
	PQ_PFM_TAKEN_INVALID, /* not a valid frame here */
	PQ_PFM_TAKEN_NO_MEMORY,
};
/*
 * Reads the payload of one frame. A frame that is not read to its end is invalid. `in` points into
 * the receive buffer, so its texts live until the return only; it has no arena until the function
 * sets one.
 */
typedef enum pq_pfm_taken pq_pfm_take(void *self, const struct pq_pfm_header *header,
				      struct pq_wire *in);

/* Starts the helper unless it runs, without waiting for it. A child of fork(2) starts its own. */
int pq_pfm_start(struct pmuq_pfm *pfm, struct pmuq_error **reterr);
/* The same, and waits until it is ready. */
int pq_pfm_await(struct pmuq_pfm *pfm, struct pmuq_error **reterr);
/* Sends the requests, which are whole frames, and passes each frame of the results to `take` until
 * that returns LAST. Another frame after it is an error. After a failure `take` may have read some
 * frames. */
int pq_pfm_request(struct pmuq_pfm *pfm, const struct pq_buf *requests, pq_pfm_take *take,
		   void *self, struct pmuq_error **reterr);
/* The path of the helper if the caller has none; static; NULL if it is not installed. */
const char *pq_pfm_find_helper(void);

/* What a function that read all of a frame returns. */
enum pq_pfm_taken pq_pfm_taken_of(const struct pq_wire *in, bool is_last);
