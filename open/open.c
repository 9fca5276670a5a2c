/* SPDX-License-Identifier: MIT */
/*
 * Opens the group of each request, or the event alone, and sets the result of each. event_set.c
 * makes the system calls, diagnose.c explains refusals, opened.c owns the events that stay open.
 */
#include "open/open.h"
#include "core/error.h"
#include "core/freep.h"
#include "open/diagnose/diagnose.h"
#include "open/event_set.h"
#include "open/opened.h"

#define NOTE_ALONE "the event opened outside its group, because its leader could not be opened"

static int set_opened(struct pq_open_session *session, const struct pq_open_set *set, size_t index,
		      const char *note)
{
	const struct pq_open_targets *targets = &set->targets;
	const struct pq_open_result result = {
		/* The list may be the request's own text. */
		.record = { .status = PMUQ_OPENED,
			    .pid = pq_open_targets_pid(targets),
			    .cpus = pq_arena_str(&session->results->arena, str_of(targets->list)),
			    .hint = str_of(note ? note : targets->note) },
	};

	if (!result.record.cpus.p)
		return -PMUQ_E_MEMORY;
	pq_open_result_finish(session->results, index, &result);
	return 0;
}

/* The events of a set that have no result yet are open. */
static int finish(struct pq_open_session *session, struct pq_open_set *set, const char *note)
{
	int r = 0;

	for (size_t k = 0; k < set->n && r == 0; k++)
		if (!session->results->v[set->indexes[k]].is_final)
			r = set_opened(session, set, set->indexes[k], note);
	return r == 0 && session->opened ? pq_opened_add(session->opened, set) : r;
}

static int open_set(struct pq_open_session *session, size_t *indexes, size_t n, const char *note)
{
	struct pq_open_call call;
	struct pq_open_set set = {
		.session = session,
		.call = &call,
		.purpose = session->opened ? PQ_OPEN_TO_STAY : PQ_OPEN_TO_TEST,
		.indexes = indexes,
		.n = n,
	};
	int r = pq_open_set_open(&set,
				 session->opened ? &session->opened->arena : &session->scratch);

	if (r == 0 && set.errnum)
		r = pq_diagnose(session, indexes[0], &call, set.errnum, set.kernel_size);
	else if (r == 0)
		r = finish(session, &set, note);
	pq_open_set_close(&set);
	return r;
}

/* If the leader is refused or skipped there is no group: each member is opened alone. */
static int open_group_of(struct pq_open_session *session, size_t index)
{
	struct pq_open_group group;
	int r = pq_open_group_find(session, index, &group);

	if (r == 0 && group.has_leader)
		r = open_set(session, group.indexes, group.n, NULL);
	for (size_t k = 0; k < group.n && r == 0; k++)
		if (!session->results->v[group.indexes[k]].is_final)
			r = open_set(session, &group.indexes[k], 1, NOTE_ALONE);
	return r;
}

static int open_all(struct pq_open_session *session)
{
	struct pq_open_result *results = session->results->v;
	int r = 0;

	for (size_t i = 0; i < session->n; i++) {
		const char *reason = pq_open_skip_reason(&session->requests[i]);

		if (reason)
			pq_open_result_skip(session->results, i, reason);
	}
	for (size_t i = 0; i < session->n && r == 0; i++)
		if (!results[i].is_final)
			r = open_group_of(session, i);
	return r;
}

static int run(const struct pq_opener *opener, const struct pq_open_request *requests, size_t n,
	       struct pmuq_open_results *results, struct pmuq_opened *opened)
{
	struct pq_open_session session = {
		.opener = opener,
		.requests = requests,
		.n = n,
		.results = results,
		.opened = opened,
	};
	int r;

	pq_open_session_begin(&session);
	r = open_all(&session);
	return pq_open_session_end(&session, r);
}

int pq_open_requests(const struct pq_opener *opener, const struct pq_open_request *requests,
		     size_t n, struct pmuq_open_results **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_open_results_freep) struct pmuq_open_results *results = pq_open_results_new(n);

	if (!results || run(opener, requests, n, results, NULL) < 0)
		return pq_fail_memory(reterr);
	*ret = move(results);
	return 0;
}

int pq_open_to_stay(const struct pq_opener *opener, const struct pq_open_request *requests,
		    size_t n, struct pmuq_opened **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_opened_freep) struct pmuq_opened *opened = pq_opened_new(&opener->kernel, n);

	if (!opened || run(opener, requests, n, opened->results, opened) < 0 ||
	    !pq_opened_finish(opened))
		return pq_fail_memory(reterr);
	*ret = move(opened);
	return 0;
}
