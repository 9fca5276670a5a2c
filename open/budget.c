/* SPDX-License-Identifier: MIT */
/*
 * Counts the file descriptors that are needed to keep all events open together: one for each event
 * on each of its targets. Opens nothing; event_set.c opens the same targets. The results of the
 * session are only marks here: a request is final when it was counted.
 */
#include "core/freep.h"
#include "open/open.h"
#include "open/targets.h"
#include <inttypes.h>

static int add(struct pq_open_session *session, size_t *indexes, size_t n, uint64_t *needed)
{
	const struct pq_open_request *request = pq_open_group_cpus_from(session, indexes, n);
	struct pq_open_targets targets;
	int r = pq_open_targets_find(session, request, &targets);

	if (r < 0)
		return r;
	*needed += (uint64_t)pq_open_targets_count(&targets) * n;
	for (size_t k = 0; k < n; k++)
		session->results->v[indexes[k]].is_final = true;
	return 0;
}

/* Without its leader a group is not opened as one. */
static int add_group_of(struct pq_open_session *session, size_t index, uint64_t *needed)
{
	struct pq_open_group group;
	int r;

	if (session->results->v[index].is_final || pq_open_skip_reason(&session->requests[index]))
		return 0;
	r = pq_open_group_find(session, index, &group);
	if (r < 0)
		return r;
	return group.has_leader ? add(session, group.indexes, group.n, needed)
				: add(session, &index, 1, needed);
}

int pq_budget_find(const struct pq_opener *opener, const struct pq_open_request *requests, size_t n,
		   struct pmuq_budget *ret)
{
	cleanup(pmuq_open_results_freep) struct pmuq_open_results *results = pq_open_results_new(n);
	struct pq_open_session session = {
		.opener = opener,
		.requests = requests,
		.n = n,
		.results = results,
	};
	struct pq_files_view files = { 0 };
	int r = results ? 0 : -PMUQ_E_MEMORY;

	*ret = (struct pmuq_budget){ .size = sizeof(*ret) };
	pq_open_session_begin(&session);
	for (size_t i = 0; i < n && r == 0; i++)
		r = add_group_of(&session, i, &ret->needed);
	r = pq_open_session_end(&session, r);
	opener->host.read_files(&opener->host, &files);
	ret->in_use = files.n_open;
	ret->limit = files.limit;
	ret->hard_limit = files.hard_limit;
	return r == 0 && files.has_no_memory ? -PMUQ_E_MEMORY : r;
}

static uint64_t total(const struct pmuq_budget *budget)
{
	uint64_t in_use = budget->in_use == UINT64_MAX ? 0 : budget->in_use, sum;

	return __builtin_add_overflow(budget->needed, in_use, &sum) ? UINT64_MAX : sum;
}

PQ_API bool pmuq_budget_fits(const struct pmuq_budget *budget)
{
	return total(budget) <= budget->limit;
}

/* "1,024". */
static void put_grouped(struct pq_buf *text, uint64_t number)
{
	uint64_t unit = 1;

	while (number / unit >= 1000)
		unit *= 1000;
	pq_buf_print(text, "%" PRIu64, number / unit);
	for (; unit > 1; unit /= 1000)
		pq_buf_print(text, ",%03" PRIu64, number % unit / (unit / 1000));
}

static void put_limit(struct pq_buf *text, uint64_t limit)
{
	if (limit == UINT64_MAX)
		pq_buf_add(text, STR("unlimited"));
	else
		put_grouped(text, limit);
}

PQ_API char *pmuq_budget_text(const struct pmuq_budget *budget)
{
	struct pq_buf text = PQ_BUF_NULL;
	uint64_t wanted = total(budget);

	pq_buf_add(&text, STR("file descriptors: "));
	put_grouped(&text, budget->needed);
	pq_buf_add(&text, STR(" needed, "));
	if (budget->in_use == UINT64_MAX)
		pq_buf_add(&text, STR("an unknown number"));
	else
		put_grouped(&text, budget->in_use);
	pq_buf_add(&text, STR(" in use, limit "));
	put_limit(&text, budget->limit);
	if (!pmuq_budget_fits(budget)) {
		pq_buf_add(&text, STR(" (hard limit "));
		put_limit(&text, budget->hard_limit);
		if (wanted <= budget->hard_limit)
			pq_buf_print(&text, "): raise it with ulimit -n %" PRIu64, wanted);
		else
			pq_buf_add(&text, STR("): open fewer events or CPUs at once, or let root "
					      "raise the hard limit"));
	}
	return pq_buf_take(&text);
}
