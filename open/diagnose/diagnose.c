/* SPDX-License-Identifier: MIT */
/*
 * The steps of a diagnosis: read the host, find the conditions, probe the kernel, find the reason,
 * write the open result. The reasons themselves are in reasons.c, the probes in probe_table.c.
 */
#include "open/diagnose/diagnose.h"
#include "open/diagnose/probe.h"
#include "open/diagnose/reasons.h"
#include <assert.h>
#include <errno.h>

/* A missing capability or a filter refuses all events alike. */
static bool is_simplest_refused(struct pq_open_session *session, int errnum)
{
	struct pq_open_call simplest = pq_probe_simplest();

	if (errnum != EPERM && errnum != EACCES && errnum != ENOSYS)
		return false;
	if (!session->has_simplest)
		session->simplest_errnum =
			-pq_kernel_try(&session->opener->kernel, &simplest, NULL);
	session->has_simplest = true;
	return session->simplest_errnum == errnum;
}

/* If the unchanged call opens now, a changed call that opens would prove nothing. */
static void probe(struct pq_open_session *session, struct pq_refusal *refusal)
{
	const struct pq_kernel *kernel = &session->opener->kernel;

	if (is_simplest_refused(session, refusal->errnum))
		pq_conditions_set(&refusal->conditions, PQ_IF_NOTHING_OPENS);
	else if (!pq_reason_is_about_event(refusal->errnum))
		return;
	else if (pq_kernel_try(kernel, &refusal->call, NULL) == 0)
		pq_conditions_set(&refusal->conditions, PQ_IF_OPENS_AGAIN);
	else
		pq_probe_search(kernel, &session->scratch, refusal);
}

static void put_change(const struct pq_refusal *refusal, struct pq_buf *ret)
{
	const struct pq_findings *findings = &refusal->findings;
	struct pq_refusal step = *refusal;

	for (size_t i = 0; i < findings->n_probes; i++) {
		if (i)
			pq_buf_add(ret, STR(" and "));
		step.changed = &findings->calls[i];
		pq_reason_text_fill(findings->probes[i]->text, &step, ret);
		step.call = findings->calls[i];
	}
	if (!findings->n_probes && findings->cpus.n)
		pq_reason_text_fill("on CPU {cpus} only", refusal, ret);
}

/* A missing capability often hides a second refusal, which would show only after the first one is
 * solved. */
static bool hides_second(const struct pq_refusal *refusal)
{
	const struct pq_findings *findings = &refusal->findings;

	if (refusal->errnum != EACCES && refusal->errnum != EPERM)
		return false;
	return !findings->n_probes && !findings->cpus.n && findings->user_only_errnum &&
	       findings->user_only_errnum != refusal->errnum &&
	       !pq_refusal_is(refusal, PQ_IF_NEEDS_ADMIN);
}

/* Adds the second hint only for ENOENT, because no capability solves that. */
static void put_second(const struct pq_refusal *refusal, struct pq_buf *reason, struct pq_buf *hint)
{
	struct pq_refusal second = *refusal;
	const struct pq_reason *row;

	if (!hides_second(refusal))
		return;
	second.call = refusal->findings.user_only;
	second.errnum = refusal->findings.user_only_errnum;
	second.findings = (struct pq_findings){ 0 };
	second.conditions = pq_conditions_find(&second);
	row = pq_reason_find(&second);
	pq_reason_text_fill(
		"; with ':{letter user}' the kernel refuses it, too ({errno}): ", &second, reason);
	pq_reason_text_fill(row->reason, &second, reason);
	if (second.errnum != ENOENT || !row->hint)
		return;
	pq_reason_text_fill("; for the second reason: ", &second, hint);
	pq_reason_text_fill(row->hint, &second, hint);
}

/* The attr that opened. Fields that pmuq set to count the event are as in the request. */
static const struct pmuq_attr *make_attr(struct pq_open_session *session,
					 const struct pq_refusal *refusal)
{
	const struct pq_findings *findings = &refusal->findings;
	const struct pmuq_attr *wanted = refusal->request->attr, *refused = &refusal->call.attr;
	struct pmuq_attr *attr = pq_arena_take(&session->results->arena, sizeof(*attr));

	if (!attr)
		return NULL;
	*attr = findings->n_probes ? findings->calls[findings->n_probes - 1].attr : *refused;
	if (refusal->request->text)
		attr->config1 = 0;
	if (attr->read_format == refused->read_format)
		attr->read_format = wanted->read_format;
	if (attr->sigtrap == refused->sigtrap)
		attr->sigtrap = wanted->sigtrap;
	return attr;
}

/* The change as data. False: out of memory. */
static bool set_steps(struct pq_open_session *session, const struct pq_refusal *refusal,
		      struct pq_open_result *result)
{
	const struct pq_findings *findings = &refusal->findings;

	static_assert(COUNT(result->steps) == PQ_PROBES_MAX, "a step for each probe");
	if (!findings->n_probes && !findings->cpus.n)
		return true;
	for (size_t i = 0; i < findings->n_probes; i++)
		result->steps[result->record.n_steps++] = str_of(findings->probes[i]->name);
	if (!findings->n_probes)
		result->steps[result->record.n_steps++] = STR("other-cpus");
	result->record.changed_attr = make_attr(session, refusal);
	return result->record.changed_attr != NULL;
}

/* Takes ownership of the text, unless it is empty. False: out of memory. */
static bool set_text(struct pq_buf *text, struct pmuq_str *ret)
{
	struct pmuq_str taken = pq_buf_take_str(text);

	*ret = taken.n ? taken : (struct pmuq_str){ 0 };
	return taken.p != NULL;
}

static int set_result(struct pq_open_session *session, size_t index, struct pq_refusal *refusal)
{
	const struct pq_reason *row = pq_reason_find(refusal);
	struct pq_arena *arena = &session->results->arena;
	struct pq_buf reason = PQ_BUF_IN(arena), hint = PQ_BUF_IN(arena);
	struct pq_buf change = PQ_BUF_IN(arena), cpus = PQ_BUF_IN(arena);
	struct pq_open_result result = {
		.record = { .status = PMUQ_REFUSED,
			    .pid = refusal->call.is_cgroup ? -1 : refusal->call.pid,
			    .errnum = refusal->errnum,
			    .name = str_of(row->name) },
	};
	bool is_set;

	put_change(refusal, &change);
	if (refusal->findings.n_probes)
		refusal->changed = &refusal->findings.calls[refusal->findings.n_probes - 1];
	pq_reason_text_fill(row->reason, refusal, &reason);
	pq_reason_text_fill(row->hint ? row->hint : "", refusal, &hint);
	put_second(refusal, &reason, &hint);
	pq_buf_print(&cpus, "%d", refusal->call.cpu);
	is_set = set_text(&change, &result.record.change);
	is_set = set_text(&reason, &result.record.reason) && is_set;
	is_set = set_text(&hint, &result.record.hint) && is_set;
	is_set = set_text(&cpus, &result.record.cpus) && is_set;
	if (!is_set || !set_steps(session, refusal, &result))
		return -PMUQ_E_MEMORY;
	pq_open_result_finish(session->results, index, &result);
	return 0;
}

int pq_diagnose(struct pq_open_session *session, size_t index, const struct pq_open_call *call,
		int errnum, uint32_t kernel_size)
{
	const struct pq_host *host = &session->opener->host;
	struct pq_refusal refusal = {
		.request = &session->requests[index],
		.call = *call,
		.errnum = errnum,
		.kernel_size = kernel_size,
		.host = pq_open_session_view(session, errnum),
		.scope = &session->opener->scope,
	};

	if (refusal.request->pmu)
		host->read_pmu(host, refusal.request->pmu, &refusal.pmu);
	if (call->pid > 0 && !call->is_cgroup)
		host->read_task(host, call->pid, &refusal.task);
	refusal.conditions = pq_conditions_find(&refusal);
	probe(session, &refusal);
	if (refusal.pmu.has_no_memory || refusal.task.has_no_memory)
		return -PMUQ_E_MEMORY;
	return set_result(session, index, &refusal);
}
