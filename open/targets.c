/* SPDX-License-Identifier: MIT */
/*
 * Works out the targets of a request from the CPUs of its event, the scope that the caller wants,
 * and whether its PMU counts per CPU only. event_set.c opens the targets.
 */
#include "open/targets.h"
#include "open/session.h"

#define NOTE_LEFT_OUT "CPUs on which the PMU does not count are left out"
#define NOTE_FOREIGN "the kernel accepts these CPUs, although sysfs lists others for the PMU"
#define NOTE_PER_CPU "the event opens per CPU only (pid -1), not for a task"

enum cpus_found { CPUS_NONE, CPUS_SOME };

/* CPUS_NONE: the text is empty, or not a list. */
static int parse(struct pq_open_session *session, struct pmuq_str text, struct pq_cpus *ret)
{
	if (pq_cpus_parse(&session->scratch, text, ret))
		return pq_cpus_count(ret) ? CPUS_SOME : CPUS_NONE;
	return pq_cpus_text_is_list(text) ? -PMUQ_E_MEMORY : CPUS_NONE;
}

static int set_list(struct pq_open_session *session, struct pq_open_targets *targets)
{
	struct pq_buf text = PQ_BUF_IN(&session->scratch);

	pq_cpus_print(&targets->cpus, &text);
	targets->list = pq_buf_take(&text);
	return targets->list ? 0 : -PMUQ_E_MEMORY;
}

/*
 * Leaves out those of the caller's CPUs on which the PMU does not count, unless none would remain.
 * Offline CPUs stay: their errno comes from the kernel.
 */
static int leave_out(struct pq_open_session *session, const char *pmu_cpus,
		     struct pq_open_targets *targets)
{
	struct pq_cpus *cpus = &targets->cpus, own, online, both = { 0 };
	int r = parse(session, str_of(pmu_cpus), &own);

	if (r != CPUS_SOME)
		return r;
	if (!pq_cpus_unite(&session->scratch, &both, cpus))
		return -PMUQ_E_MEMORY;
	pq_cpus_intersect(&both, &own);
	if (pq_cpus_count(&both) == pq_cpus_count(cpus))
		return 0;
	r = parse(session, pq_open_session_view(session, 0)->cpus_online, &online);
	if (r != CPUS_SOME)
		return r;
	if (!pq_cpus_count(&both)) {
		targets->note = NOTE_FOREIGN;
		return 0;
	}
	for (unsigned cpu = pq_cpus_next(cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(cpus, cpu + 1)) {
		if (pq_cpus_has(&own, cpu) || !pq_cpus_has(&online, cpu))
			continue;
		pq_cpus_drop(cpus, cpu);
		targets->note = NOTE_LEFT_OUT;
	}
	return 0;
}

/* The CPUs that the caller chose, checked in scope.c. */
static int find_chosen(struct pq_open_session *session, const char *pmu_cpus,
		       struct pq_open_targets *ret)
{
	int r = parse(session, str_of(ret->scope->cpus), &ret->cpus);

	if (r == CPUS_SOME)
		r = leave_out(session, pmu_cpus, ret);
	return r < 0 ? r : set_list(session, ret);
}

/* The kernel counts a cgroup CPU by CPU: on those of the PMU, else on all that are online. */
static int find_for_cgroup(struct pq_open_session *session, const char *pmu_cpus,
			   struct pq_open_targets *ret)
{
	int r = parse(session, str_of(pmu_cpus), &ret->cpus);

	if (r == CPUS_NONE)
		r = parse(session, pq_open_session_view(session, 0)->cpus_online, &ret->cpus);
	if (r == CPUS_NONE)
		r = parse(session, STR("0"), &ret->cpus);
	return r < 0 ? r : set_list(session, ret);
}

/* The kernel maps an inherited event only if it counts on one CPU. */
static int find_for_samples(struct pq_open_session *session, struct pq_open_targets *ret)
{
	int r = parse(session, pq_open_session_view(session, 0)->cpus_online, &ret->cpus);

	if (r != CPUS_SOME)
		return r;
	ret->is_task = false;
	ret->is_task_on_cpus = true;
	return set_list(session, ret);
}

int pq_open_targets_find(struct pq_open_session *session, const struct pq_open_request *request,
			 struct pq_open_targets *ret)
{
	const struct pq_open_scope *scope = &session->opener->scope;
	const char *cpus = request->cpus;
	int r = CPUS_NONE;

	*ret = (struct pq_open_targets){ .scope = scope, .list = cpus };
	if (scope->cpus)
		return find_chosen(session, cpus, ret);
	if (scope->cgroup)
		return find_for_cgroup(session, cpus, ret);
	if (request->needs_cpu && !scope->pid)
		r = parse(session, str_of(cpus), &ret->cpus);
	if (r == CPUS_NONE) {
		ret->is_task = true;
		ret->list = "-1";
	}
	if (r == CPUS_NONE && scope->is_sampled && request->attr->inherit)
		r = find_for_samples(session, ret);
	return r < 0 ? r : 0;
}

int pq_open_targets_set_cpu(struct pq_open_session *session, int cpu,
			    struct pq_open_targets *targets)
{
	struct pq_buf text = PQ_BUF_IN(&session->scratch);
	int r;

	pq_buf_print(&text, "%d", cpu);
	targets->list = pq_buf_take(&text);
	targets->is_task = targets->is_task_on_cpus = false;
	targets->note = NOTE_PER_CPU;
	if (!targets->list)
		return -PMUQ_E_MEMORY;
	r = parse(session, str_of(targets->list), &targets->cpus);
	return r < 0 ? r : 0;
}

bool pq_open_targets_next(const struct pq_open_targets *targets, struct pq_open_target *target)
{
	const struct pq_open_scope *scope = targets->scope;
	unsigned cpu;

	if (targets->is_task) {
		if (target->is_set)
			return false;
		*target = (struct pq_open_target){ .is_set = true, .pid = scope->pid, .cpu = -1 };
		return true;
	}
	cpu = pq_cpus_next(&targets->cpus, target->is_set ? (unsigned)target->cpu + 1 : 0);
	if (cpu >= PQ_CPUS_MAX)
		return false;
	*target = (struct pq_open_target){
		.is_set = true,
		.is_cgroup = scope->cgroup != NULL,
		.pid = scope->cgroup				    ? scope->cgroup_fd
		       : scope->pid > 0 || targets->is_task_on_cpus ? scope->pid
								    : -1,
		.cpu = (int)cpu,
	};
	return true;
}

size_t pq_open_targets_count(const struct pq_open_targets *targets)
{
	return targets->is_task ? 1 : pq_cpus_count(&targets->cpus);
}

int pq_open_targets_pid(const struct pq_open_targets *targets)
{
	if (targets->is_task || targets->is_task_on_cpus || targets->scope->pid > 0)
		return targets->scope->pid;
	return -1;
}
