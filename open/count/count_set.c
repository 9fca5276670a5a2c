/* SPDX-License-Identifier: MIT */
/*
 * Counting one set of events. measure.c decides which events form a set, counts.c holds the counts,
 * busy_work.c is the work that is counted.
 */
#include "open/count/count_set.h"
#include "open/count/counter_page.h"
#include "open/event_set.h"
#include <errno.h>

/* Below this share of the time (in thousandths) the event was multiplexed; enabling takes the
 * rest. */
#define WHOLE_PER_MILLE 999

/* Events of the root cgroup count without times (seen on Linux 6.18). */
static enum pmuq_counting status_of(const struct pmuq_value *sum)
{
	double share = (double)sum->time_running_ns * 1000;

	if (!sum->time_enabled_ns)
		return sum->value ? PMUQ_COUNTED : PMUQ_TARGET_IDLE;
	if (!sum->time_running_ns)
		return PMUQ_NEVER_SCHEDULED;
	if (!sum->value)
		return PMUQ_ALWAYS_ZERO;
	return share < (double)sum->time_enabled_ns * WHOLE_PER_MILLE ? PMUQ_MULTIPLEXED
								      : PMUQ_COUNTED;
}

/* Another task, or a cgroup, does its own work. Otherwise this thread works, on the CPUs that
 * count. */
static void work(const struct pq_open_set *set, unsigned ms)
{
	const struct pq_opener *opener = set->session->opener;
	const struct pq_open_request *request =
		pq_open_group_cpus_from(set->session, set->indexes, set->n);
	char buffer[PQ_CPUS_BYTES];
	struct pq_arena arena;
	struct pq_cpus own;
	struct pq_busy_work todo = {
		.ms = ms,
		.is_waiting = opener->scope.pid > 0 || opener->scope.cgroup,
		.visits_each = !set->targets.is_task,
		.cpus = &set->targets.cpus,
		.scratch = &set->session->scratch,
	};

	pq_arena_init(&arena, buffer, sizeof(buffer), 0);
	if (set->targets.is_task)
		todo.cpus = pq_cpus_parse(&arena, str_of(request->cpus), &own) ? &own : NULL;
	opener->kernel.work(opener->kernel.self, &todo);
}

/* Only the counter of this thread can be read without the kernel, and only while it counts. */
static void read_page(struct pq_count_session *session, const struct pq_open_set *set,
		      size_t member)
{
	const struct pq_kernel *kernel = &session->opening.opener->kernel;
	struct pq_count *count = &session->counts->v[set->indexes[member]];
	const struct pmuq_attr *attr = session->opening.requests[set->indexes[member]].attr;
	bool is_own = set->targets.is_task && !set->targets.scope->pid;
	void *page;
	int r = kernel->map(kernel->self, set->fds[member], pq_page_bytes(), false, &page);

	count->record.page = &count->page;
	count->page = (struct pmuq_page){ .size = sizeof(count->page), .errnum = -r };
	if (r < 0) {
		count->page.reason = str_of(pq_why_not_mapped(-r, attr->inherit));
		return;
	}
	count->page.reason = str_of(pq_page_read(page, kernel->registers, is_own, &count->page));
	kernel->unmap(kernel->self, page, pq_page_bytes());
}

/* The first errno, or 0. */
static int switch_set(const struct pq_open_set *set, enum pq_switch to)
{
	const struct pq_kernel *kernel = &set->session->opener->kernel;
	int errnum = 0, r;

	for (size_t i = 0; i < set->n_open; i++) {
		r = kernel->switch_event(kernel->self, set->fds[i * set->n], to);
		errnum = errnum ? errnum : -r;
	}
	return errnum;
}

/* The sums over all targets. A pinned event that lost its counter cannot be read: ENODATA. */
static int read_member(const struct pq_open_set *set, size_t member, struct pmuq_value *ret,
		       enum pmuq_counting *ret_status)
{
	const struct pq_kernel *kernel = &set->session->opener->kernel;
	struct pq_times times;
	int r = 0;

	*ret = (struct pmuq_value){ .size = sizeof(*ret) };
	for (size_t i = 0; i < set->n_open && r == 0; i++) {
		r = kernel->read_event(kernel->self, set->fds[i * set->n + member], &times,
				       sizeof(times));
		if (r == 0)
			pq_times_add(ret, &times);
	}
	*ret_status = r == 0	      ? status_of(ret)
		      : r == -ENODATA ? PMUQ_NEVER_SCHEDULED
				      : PMUQ_NOT_COUNTED;
	return -r;
}

static void store(struct pmuq_count *count, enum pmuq_counting status,
		  const struct pmuq_value *value)
{
	static const struct pmuq_value none;

	count->status = status;
	count->is_read = status != PMUQ_NOT_COUNTED;
	if (!count->is_read)
		value = &none;
	count->value = value->value;
	count->time_enabled_ns = value->time_enabled_ns;
	count->time_running_ns = value->time_running_ns;
	count->scaled = value->scaled;
}

static int read_all(struct pq_count_session *session, const struct pq_open_set *set, bool is_stored)
{
	int first = 0;

	for (size_t k = 0; k < set->n; k++) {
		struct pmuq_value value;
		enum pmuq_counting status;
		int errnum = read_member(set, k, &value, &status);

		if (is_stored)
			store(&session->counts->v[set->indexes[k]].record, status, &value);
		if (!errnum && status == PMUQ_NEVER_SCHEDULED)
			errnum = ENOSPC;
		first = first ? first : errnum;
	}
	return first;
}

/* The set is open: 0 or the errno. */
static int count_open(struct pq_count_session *session, const struct pq_open_set *set, unsigned ms,
		      bool is_stored)
{
	int errnum = switch_set(set, PQ_SWITCH_ON);

	if (errnum)
		return errnum;
	work(set, ms);
	for (size_t k = 0; is_stored && session->options.wants_page && k < set->n; k++)
		read_page(session, set, k);
	errnum = switch_set(set, PQ_SWITCH_OFF);
	return errnum ? errnum : read_all(session, set, is_stored);
}

int pq_count_set(struct pq_count_session *session, size_t *indexes, size_t n, unsigned ms,
		 bool is_stored, int *ret_errnum)
{
	struct pq_open_call call;
	struct pq_open_set set = {
		.session = &session->opening,
		.call = &call,
		.purpose = PQ_OPEN_TO_COUNT,
		.indexes = indexes,
		.n = n,
	};
	struct pq_count *counts = session->counts->v;
	int r;

	for (size_t k = 0; is_stored && k < n; k++) {
		counts[indexes[k]].record.status = PMUQ_NOT_COUNTED;
		counts[indexes[k]].record.errnum = 0;
		counts[indexes[k]].record.is_read = false;
		counts[indexes[k]].record.page = NULL;
	}
	r = pq_open_set_open(&set, &session->opening.scratch);
	*ret_errnum = set.errnum;
	if (r == 0 && !set.errnum)
		*ret_errnum = count_open(session, &set, ms, is_stored);
	pq_open_set_close(&set);
	for (size_t k = 0; is_stored && *ret_errnum && k < n; k++)
		if (!counts[indexes[k]].record.is_read)
			counts[indexes[k]].record.errnum = *ret_errnum;
	return r;
}
