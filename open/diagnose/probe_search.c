/* SPDX-License-Identifier: MIT */
/*
 * The search for the smallest change that opens. probe_table.c has the changes; here is the order
 * in which they are tried: each one alone, then other CPUs, then pairs.
 */
#include "core/cpulist.h"
#include "open/diagnose/probe.h"

/* A refused call takes one or two microseconds; more calls than these would add little. */
#define CANDIDATES_MAX 32u
#define CALLS_MAX 96u

struct probe_candidate {
	const struct pq_probe *probe;
	unsigned step;
};

struct probe_search {
	const struct pq_kernel *kernel;
	struct pq_refusal *refusal;
	struct probe_candidate candidates[CANDIDATES_MAX];
	size_t n_candidates;
	unsigned calls_left;
};

struct pq_open_call pq_probe_simplest(void)
{
	/* config 1 is PERF_COUNT_SW_TASK_CLOCK, as old as the system call. */
	return (struct pq_open_call){
		.attr = { .type = PQ_TYPE_SOFTWARE,
			  .size = 64,
			  .config = 1,
			  .exclude_kernel = 1,
			  .exclude_hv = 1 },
		.cpu = -1,
		.group_fd = -1,
	};
}

static bool is_same(const struct pq_open_call *a, const struct pq_open_call *b)
{
	return memcmp(&a->attr, &b->attr, sizeof(a->attr)) == 0 && a->pid == b->pid &&
	       a->cpu == b->cpu && a->group_fd == b->group_fd && a->is_cgroup == b->is_cgroup;
}

/* Clears bit number `step` of those that are set, from the lowest; false if there are fewer. */
static bool clear_bit(enum pq_attr_field field, unsigned step, struct pmuq_attr *attr)
{
	uint64_t value = pmuq_attr_get(attr, field), rest = value;

	while (rest && step--)
		rest &= rest - 1;
	pq_attr_set_if_fits(attr, field, value & ~(rest & -rest));
	return rest != 0;
}

/* False: this candidate changes nothing of the call. */
static bool vary(const struct probe_candidate *candidate, const struct pq_refusal *refusal,
		 struct pq_open_call *ret)
{
	const struct pq_probe *probe = candidate->probe;

	*ret = refusal->call;
	if (probe->vary_step)
		return probe->vary_step(refusal, candidate->step, ret);
	if (probe->clears_bit)
		return clear_bit(probe->clears_bit, candidate->step, &ret->attr);
	if (candidate->step)
		return false;
	for (size_t i = 0; i < COUNT(probe->clears) && probe->clears[i]; i++)
		pq_attr_set_if_fits(&ret->attr, probe->clears[i], 0);
	if (probe->vary)
		probe->vary(refusal, ret);
	return !is_same(&refusal->call, ret);
}

static void find_candidates(struct probe_search *search)
{
	struct probe_candidate candidate = { 0 };
	struct pq_open_call call;

	for (size_t i = 0; (candidate.probe = pq_probe_at(i)); i++)
		for (candidate.step = 0; search->n_candidates < CANDIDATES_MAX; candidate.step++) {
			if (!vary(&candidate, search->refusal, &call))
				break;
			search->candidates[search->n_candidates++] = candidate;
		}
}

static int try(struct probe_search *search, const struct pq_open_call *call)
{
	search->calls_left--;
	return pq_kernel_try(search->kernel, call, NULL);
}

static void add_finding(struct probe_search *search, const struct pq_probe *probe,
			const struct pq_open_call *call)
{
	struct pq_findings *findings = &search->refusal->findings;

	findings->probes[findings->n_probes] = probe;
	findings->calls[findings->n_probes++] = *call;
	pq_conditions_set(&search->refusal->conditions, probe->proves);
}

static bool try_one(struct probe_search *search, const struct probe_candidate *candidate)
{
	struct pq_findings *findings = &search->refusal->findings;
	struct pq_open_call call;
	int r;

	vary(candidate, search->refusal, &call);
	r = try(search, &call);
	if (r < 0 && candidate->probe->proves == PQ_IF_OPENS_USER_ONLY) {
		findings->user_only = call;
		findings->user_only_errnum = -r;
	}
	if (r < 0)
		return false;
	add_finding(search, candidate->probe, &call);
	return true;
}

/* The second change is made to the call that the first one left; it may have nothing to change
 * there. */
static bool try_two(struct probe_search *search, const struct probe_candidate *first,
		    const struct probe_candidate *second)
{
	struct pq_refusal between = *search->refusal;
	struct pq_open_call call;

	vary(first, search->refusal, &between.call);
	if (!vary(second, &between, &call) || try(search, &call) < 0)
		return false;
	add_finding(search, first->probe, &between.call);
	add_finding(search, second->probe, &call);
	return true;
}

static bool find_single(struct probe_search *search)
{
	for (size_t i = 0; i < search->n_candidates && search->calls_left; i++)
		if (try_one(search, &search->candidates[i]))
			return true;
	return false;
}

static bool find_pair(struct probe_search *search)
{
	const struct probe_candidate *v = search->candidates;

	for (size_t i = 0; i < search->n_candidates; i++)
		for (size_t k = i + 1; k < search->n_candidates && search->calls_left; k++)
			if (v[k].probe != v[i].probe && try_two(search, &v[i], &v[k]))
				return true;
	return false;
}

/* Tries every CPU of the list, and reports all those that open. */
static bool find_cpus(struct probe_search *search, struct pq_arena *arena, struct pmuq_str list)
{
	struct pq_open_call call = search->refusal->call;
	struct pq_buf text = PQ_BUF_IN(arena);
	struct pq_cpus cpus;

	if (!pq_cpus_parse(arena, list, &cpus))
		return false;
	for (unsigned cpu = pq_cpus_next(&cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(&cpus, cpu + 1)) {
		call.cpu = (int)cpu;
		if (pq_kernel_try(search->kernel, &call, NULL) < 0)
			pq_cpus_drop(&cpus, cpu);
	}
	if (!pq_cpus_count(&cpus))
		return false;
	pq_cpus_print(&cpus, &text);
	search->refusal->findings.cpus = pq_buf_str(&text);
	pq_conditions_set(&search->refusal->conditions, PQ_IF_OPENS_ON_OTHER_CPUS);
	return true;
}

static bool find_other_cpus(struct probe_search *search, struct pq_arena *arena)
{
	const struct pq_refusal *refusal = search->refusal;

	if (refusal->call.cpu < 0 || refusal->call.group_fd >= 0)
		return false;
	return find_cpus(search, arena, str_of(refusal->request->cpus)) ||
	       find_cpus(search, arena, refusal->host->cpus_online);
}

void pq_probe_search(const struct pq_kernel *kernel, struct pq_arena *arena,
		     struct pq_refusal *refusal)
{
	struct probe_search search = {
		.kernel = kernel,
		.refusal = refusal,
		.calls_left = CALLS_MAX,
	};

	find_candidates(&search);
	if (find_single(&search) || find_other_cpus(&search, arena))
		return;
	find_pair(&search);
}
