/* SPDX-License-Identifier: MIT */
/* What one call of pq_open_requests() carries through the files of this room. */
#ifndef PQ_OPEN_OPENING_H
#define PQ_OPEN_OPENING_H

#include "core/error.h"
#include "open/open.h"

#define PQ_SCRATCH_BYTES_MAX ((size_t)64 << 20)

struct pq_opening {
	const struct pq_opener *opener;
	const struct pq_request *requests;
	size_t n;
	struct pmuq_verdicts *verdicts;
	struct pq_arena scratch; /* until the end of the call */
	struct pq_host_view view;
	bool has_view;
	bool has_plainest;   /* whether the plainest event was tried … */
	int plainest_errnum; /* … and the answer; 0: it opens */
};

/* Why there is nothing to ask the kernel, or NULL. Static. */
const char *pq_request_reason_to_skip(const struct pq_request *request);

/* Looks at the host, if that was not done before. `errnum` is why: 0, or what the kernel said. */
void pq_opening_look(struct pq_opening *opening, int errnum);

/* A trial of that request; the attr is one of at most PMUQ_ATTR_SIZE_MAX bytes. */
struct pq_trial pq_opening_trial(const struct pq_opening *opening, size_t index,
				 struct pq_place place);

/* One request for itself, group or not. `note` (static, may be NULL) is said as a hint if it opens.
 * 0 or -PMUQ_E_MEMORY without an error object, as all below. */
int pq_opening_alone(struct pq_opening *opening, size_t index, const char *note);
/* The whole group that the request is in. */
int pq_opening_group(struct pq_opening *opening, size_t index);

struct pq_group {
	size_t *indexes; /* of the requests, the leader's first if it is there */
	int *fds;	 /* as many; those from n_open on are not open */
	size_t n, n_open;
};

/* The members that are to be opened, of the group that the request is in. False: out of memory. */
bool pq_group_gather(const struct pq_opening *opening, size_t index, struct pq_group *ret);
void pq_group_free(struct pq_group *group);
/* Whose CPUs are the group's: the first member's that opens on CPUs only, else the leader's. */
const struct pq_request *pq_group_decider(const struct pq_opening *opening, const size_t *indexes,
					  size_t n);

/* Settles as opened in all these places. */
int pq_opening_opened(struct pq_opening *opening, size_t index, const struct pq_places *places,
		      const char *note);
/* … or on that CPU alone, since its PMU counts per CPU only. */
int pq_opening_opened_per_cpu(struct pq_opening *opening, size_t index, int cpu);
/* Whether a refusal for a task may mean that it opens per CPU, which nobody spoke against. */
bool pq_opening_may_be_per_cpu(const struct pq_opening *opening, struct pq_place place, int answer);

/* Settles as refused, also what was settled as opened: finds out why. What the trial names (a
 * leader) must still be open, if the errno is about the event. */
int pq_diagnose(struct pq_opening *opening, size_t index, const struct pq_trial *trial, int errnum,
		uint32_t kernel_size);

#define PQ_NOTE_ALONE "opened outside its group, since the group's leader could not be opened"

#endif
