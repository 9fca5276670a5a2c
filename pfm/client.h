/* SPDX-License-Identifier: MIT */
/*
 * The library's side of the protocol: requests go out, frames come in, each within the time that
 * one may take. Whatever else happens is an error, and the process is gone then.
 */
#ifndef PQ_PFM_CLIENT_H
#define PQ_PFM_CLIENT_H

#include "core/error.h"
#include "pfm/process.h"
#include "pfm/wire.h"

struct pmuq_pfm {
	char *path; /* of the helper; NULL when there is none */
	unsigned timeout_ms;
	struct pq_process process;
	struct pq_buf in; /* read, and not yet understood */
	char *library, *build_id;
};

enum pq_pfm_taken {
	PQ_PFM_TAKEN_LAST,
	PQ_PFM_TAKEN_MORE, /* frames are to come */
	PQ_PFM_TAKEN_LIE,  /* that is no answer */
	PQ_PFM_TAKEN_NO_MEMORY,
};
typedef enum pq_pfm_taken pq_pfm_take(void *self, const struct pq_pfm_header *header,
				      struct pq_wire *in);

/* Starts the helper unless it runs. 0, or minus a code. */
int pq_pfm_start(struct pmuq_pfm *pfm, struct pmuq_error **reterr);
/* Sends the requests, and hands every frame that answers them to `take` until it has the last. */
int pq_pfm_ask(struct pmuq_pfm *pfm, const struct pq_buf *requests, pq_pfm_take *take, void *self,
	       struct pmuq_error **reterr);
/* Where the helper is when nobody says; NULL when it is nowhere. To be freed. */
char *pq_pfm_find_helper(void);

/* A text of an answer, of a length that is believable. */
struct pmuq_str pq_pfm_get_text(struct pq_wire *in);

#endif
