/* SPDX-License-Identifier: MIT */
/* Facts about a single request that depend on neither the host nor the kernel; the memory of one
 * call, the view of the host, which is read at most once, and the members of a group. */
#include "open/session.h"
#include "core/cpulist.h"
#include "core/limits.h"
#include <errno.h>

/* perf invents types from here on for its own pseudo events; the kernel assigns none of them. */
#define TYPE_PSEUDO UINT32_C(0x80000000)

int pq_open_first_cpu(const struct pq_open_request *request, struct pmuq_str fallback)
{
	struct pmuq_str list = str_trim(str_of(request->cpus));
	unsigned cpu = pq_cpus_text_next(list.n ? list : fallback, 0);

	return cpu < PQ_CPUS_MAX ? (int)cpu : 0;
}

void pq_open_request_attr(const struct pq_open_request *request, struct pmuq_attr *ret)
{
	size_t bytes = request->attr->size ? request->attr->size : PMUQ_ATTR_SIZE_MAX;

	memset(ret, 0, sizeof(*ret));
	memcpy(ret, request->attr, bytes);
	if (request->text)
		ret->config1 = (uintptr_t)request->text;
}

const char *pq_open_skip_reason(const struct pq_open_request *request)
{
	if (!request->attr)
		return "the event has no attr: there is nothing to open";
	if (request->attr->type >= TYPE_PSEUDO)
		return "a tool computes this event itself: no kernel has a PMU of its type";
	if (request->attr->size > PMUQ_ATTR_SIZE_MAX)
		return "the attr is larger than the layout that pmuq supports";
	return NULL;
}

void pq_open_session_begin(struct pq_open_session *session)
{
	session->scratch = PQ_ARENA(PQ_OPEN_MAX_BYTES);
}

int pq_open_session_end(struct pq_open_session *session, int r)
{
	pq_arena_clear(&session->scratch);
	return r == 0 && session->scratch.is_refused ? -PMUQ_E_MEMORY : r;
}

/* Reading the host needs descriptors: if there are none, it is unknown for this refusal only. */
const struct pq_host_view *pq_open_session_view(struct pq_open_session *session, int errnum)
{
	const struct pq_host *host = &session->opener->host;

	if (!session->has_view)
		host->read_view(host, &session->scratch, &session->view);
	session->has_view = session->has_view || (errnum != EMFILE && errnum != ENFILE);
	return &session->view;
}

static bool belongs(const struct pq_open_session *session, size_t index, size_t leader)
{
	const struct pq_open_request *request = &session->requests[index];

	return request->members > 1 && request->leader == leader && !pq_open_skip_reason(request);
}

/* Members are close to each other: the search ends after the last one. */
static void find_members(const struct pq_open_session *session, size_t index, size_t n_max,
			 struct pq_open_group *ret)
{
	size_t leader = session->requests[index].leader;

	if (leader < session->n && belongs(session, leader, leader))
		ret->indexes[ret->n++] = leader;
	ret->has_leader = ret->n > 0;
	for (size_t i = index; i < session->n && ret->n < n_max; i++)
		if (i != leader && belongs(session, i, leader))
			ret->indexes[ret->n++] = i;
}

int pq_open_group_find(struct pq_open_session *session, size_t index, struct pq_open_group *ret)
{
	size_t n_max = session->requests[index].members;

	*ret = (struct pq_open_group){ .alone = index, .n = 1, .has_leader = true };
	ret->indexes = &ret->alone;
	if (n_max <= 1)
		return 0;
	n_max = n_max < session->n ? n_max : session->n;
	ret->n = 0;
	ret->indexes = pq_arena_array(&session->scratch, n_max, sizeof(*ret->indexes));
	if (!ret->indexes)
		return -PMUQ_E_MEMORY;
	find_members(session, index, n_max, ret);
	return 0;
}

const struct pq_open_request *pq_open_group_cpus_from(const struct pq_open_session *session,
						      const size_t *indexes, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (session->requests[indexes[k]].needs_cpu)
			return &session->requests[indexes[k]];
	return &session->requests[indexes[0]];
}
