/* SPDX-License-Identifier: MIT */
/* What one call of pq_open_requests() carries through the files of this room. */
#ifndef PQ_OPEN_OPENING_H
#define PQ_OPEN_OPENING_H

#include "core/error.h"
#include "open/open.h"

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

/* A trial of that request; the attr is one of at most PMUQ_ATTR_SIZE_MAX bytes. */
struct pq_trial pq_opening_trial(const struct pq_opening *opening, size_t index, int pid, int cpu);

/* One request for itself, group or not. `note` (static, may be NULL) is said as a hint if it opens.
 * 0 or -PMUQ_E_MEMORY without an error object, as all below. */
int pq_opening_alone(struct pq_opening *opening, size_t index, const char *note);
/* The whole group that the request is in. */
int pq_opening_group(struct pq_opening *opening, size_t index);

/* Settles as opened, on CPUs or (NULL) for this task. */
int pq_opening_opened(struct pq_opening *opening, size_t index, const char *cpus, const char *note);

/* Settles as refused: finds out why. What the trial names (a leader) must still be open. */
int pq_diagnose(struct pq_opening *opening, size_t index, const struct pq_trial *trial, int errnum,
		uint32_t kernel_size);

#define PQ_NOTE_PER_CPU "it opens per CPU only (pid -1), not for a task"
#define PQ_NOTE_ALONE "opened outside its group, since the group's leader could not be opened"

#endif
