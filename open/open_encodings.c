/* SPDX-License-Identifier: MIT */
/* The public functions: encodings become requests to the running kernel. */
#include "core/sized.h"
#include "open/count/measure.h"
#include "open/explain_errno.h"
#include "open/open.h"
#include <linux/perf_event.h>
#include <stdio.h>
#include <unistd.h>

#define ROOT "/"
#define DEFAULT_WORK_MS 100u
/* Of a cgroup's path in a text for people; the rest is cut off. */
#define CGROUP_TEXT_MAX 512u

struct open_input {
	struct pq_open_request *requests;
	size_t n;
	struct pq_opener opener;
	struct pmuq_open_options options;
};

static struct pq_open_request translate(const struct pmuq_encoding *encoding)
{
	const char *cpus = encoding->cpus.p;

	return (struct pq_open_request){
		.attr = encoding->attr,
		.pmu = encoding->pmu.p,
		.cpus = cpus ? cpus : "",
		.needs_cpu = encoding->needs_cpu,
		.text = encoding->probe_text.p,
		.leader = encoding->leader,
		.members = encoding->n_members,
	};
}

static int prepare(const struct pmuq_encodings *encodings, const struct pmuq_open_options *options,
		   struct open_input *ret, struct pmuq_error **reterr)
{
	int r = pq_sized_take(options, &ret->options, sizeof(ret->options), reterr);

	if (r < 0)
		return r;
	ret->opener.kernel = pq_kernel_running();
	ret->opener.host = pq_host_at(ROOT);
	ret->n = encodings ? pmuq_encodings_count(encodings) : 0;
	ret->requests = calloc(ret->n ? ret->n : 1, sizeof(*ret->requests));
	if (!ret->requests)
		return pq_fail_memory(reterr);
	for (size_t i = 0; i < ret->n; i++)
		ret->requests[i] = translate(pmuq_encodings_get(encodings, i));
	return pq_open_scope_init(ROOT, &ret->options, &ret->opener.scope, reterr);
}

/* A type is only a number: on another machine it is that of another PMU, or of none. */
static int prepare_to_open(const struct pmuq_encodings *encodings,
			   const struct pmuq_open_options *options, struct open_input *ret,
			   struct pmuq_error **reterr)
{
	int r = prepare(encodings, options, ret, reterr);

	if (r == 0 && !(encodings && pmuq_encodings_are_live(encodings)))
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "events of another machine cannot be opened here");
	return r;
}

static void clear(struct open_input *input)
{
	free(input->requests);
	pq_open_scope_close(&input->opener.scope);
}

PQ_API int pmuq_encodings_test_open(const struct pmuq_encodings *encodings,
				    const struct pmuq_open_options *options,
				    struct pmuq_open_results **ret, struct pmuq_error **reterr)
{
	cleanup(clear) struct open_input input = { 0 };
	int r = prepare_to_open(encodings, options, &input, reterr);

	if (r < 0)
		return r;
	return pq_open_requests(&input.opener, input.requests, input.n, ret, reterr);
}

PQ_API int pmuq_encodings_open(const struct pmuq_encodings *encodings,
			       const struct pmuq_open_options *options, struct pmuq_opened **ret,
			       struct pmuq_error **reterr)
{
	cleanup(clear) struct open_input input = { 0 };
	int r = prepare_to_open(encodings, options, &input, reterr);

	if (r < 0)
		return r;
	return pq_open_to_stay(&input.opener, input.requests, input.n, ret, reterr);
}

PQ_API int pmuq_encodings_budget(const struct pmuq_encodings *encodings,
				 const struct pmuq_open_options *options, struct pmuq_budget *ret,
				 struct pmuq_error **reterr)
{
	cleanup(clear) struct open_input input = { 0 };
	struct pmuq_budget budget;
	int r = pq_sized_check(ret, reterr);

	if (r == 0)
		r = prepare(encodings, options, &input, reterr);
	if (r < 0)
		return r;
	r = pq_budget_find(&input.opener, input.requests, input.n, &budget);
	if (r < 0)
		return pq_fail_memory(reterr);
	pq_sized_give(&budget, sizeof(budget), ret);
	return 0;
}

PQ_API int pmuq_encodings_measure(const struct pmuq_encodings *encodings,
				  const struct pmuq_open_options *options, struct pmuq_counts **ret,
				  struct pmuq_error **reterr)
{
	cleanup(clear) struct open_input input = { 0 };
	int r = prepare_to_open(encodings, options, &input, reterr);

	if (r < 0)
		return r;
	if (!input.options.work_ms)
		input.options.work_ms = DEFAULT_WORK_MS;
	return pq_count_requests(&input.opener, input.requests, input.n, &input.options, ret,
				 reterr);
}

/* The cgroup of the call, for texts; nothing if it cannot be read. */
static void read_cgroup(int fd, char (*ret)[CGROUP_TEXT_MAX])
{
	char link[sizeof("/proc/self/fd/-2147483648")];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, *ret, sizeof(*ret) - 1);
	(*ret)[n > 0 ? n : 0] = '\0';
}

PQ_API int pmuq_encodings_explain_errno(const struct pmuq_encodings *encodings, size_t index,
					const struct pmuq_open_call *call,
					struct pmuq_open_results **ret, struct pmuq_error **reterr)
{
	cleanup(clear) struct open_input input = { 0 };
	struct pmuq_open_call taken;
	char cgroup[CGROUP_TEXT_MAX];
	int r;

	if (index >= pmuq_encodings_count(encodings) || !call)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       call ? "there is no encoding %zu" : "the call is NULL", index);
	r = pq_sized_take(call, &taken, sizeof(taken), reterr);
	if (r == 0)
		r = prepare_to_open(encodings, NULL, &input, reterr);
	if (r < 0)
		return r;
	if (taken.flags & PERF_FLAG_PID_CGROUP) {
		read_cgroup(taken.pid, &cgroup);
		input.opener.scope.cgroup = cgroup;
	}
	return pq_explain_errno(&input.opener, &input.requests[index], &taken, ret, reterr);
}
