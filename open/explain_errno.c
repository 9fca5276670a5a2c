/* SPDX-License-Identifier: MIT */
#include "open/explain_errno.h"
#include "core/error.h"
#include "core/freep.h"
#include "open/diagnose/diagnose.h"
#include <errno.h>
#include <linux/perf_event.h>

static int diagnose(struct pq_open_session *session, const struct pmuq_open_call *refused)
{
	struct pq_open_call call = {
		.pid = refused->pid,
		.cpu = refused->cpu,
		.group_fd = refused->group_fd,
		.is_cgroup = refused->flags & PERF_FLAG_PID_CGROUP,
	};
	uint32_t kernel_size = 0;

	pq_open_request_attr(session->requests, &call.attr);
	/* Only the kernel knows the size that it accepts. */
	if (refused->errnum == E2BIG)
		pq_kernel_try(&session->opener->kernel, &call, &kernel_size);
	return pq_diagnose(session, 0, &call, refused->errnum, kernel_size);
}

int pq_explain_errno(const struct pq_opener *opener, const struct pq_open_request *request,
		     const struct pmuq_open_call *call, struct pmuq_open_results **ret,
		     struct pmuq_error **reterr)
{
	cleanup(pmuq_open_results_freep) struct pmuq_open_results *results = NULL;
	struct pq_open_session session = { .opener = opener, .requests = request, .n = 1 };
	const char *reason = pq_open_skip_reason(request);
	int r = 0;

	if (call->errnum <= 0)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "%d is not the errno of a refusal",
			       call->errnum);
	session.results = results = pq_open_results_new(1);
	if (!results)
		return pq_fail_memory(reterr);
	pq_open_session_begin(&session);
	if (reason)
		pq_open_result_skip(results, 0, reason);
	else
		r = diagnose(&session, call);
	if (pq_open_session_end(&session, r) < 0)
		return pq_fail_memory(reterr);
	*ret = move(results);
	return 0;
}
