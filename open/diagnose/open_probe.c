/* SPDX-License-Identifier: MIT */
/* The search for the smallest change that opens; the changes themselves are in variations.c. */
#include "open/diagnose/open_probe.h"
#include "core/cpulist.h"
#include <errno.h>

/* A refused call costs a microsecond or two; more tries than these would say little more. */
#define CANDIDATES_MAX 32u
#define TRIES_MAX 96u

struct candidate {
	const struct pq_experiment *row;
	unsigned step;
};

struct search {
	const struct pq_kernel *kernel;
	struct pq_case *c;
	struct candidate candidates[CANDIDATES_MAX];
	size_t n_candidates;
	unsigned tries_left;
};

struct pq_trial pq_experiment_plainest(void)
{
	/* config 1 is PERF_COUNT_SW_TASK_CLOCK, as old as the system call. */
	return (struct pq_trial){
		.attr = { .type = PQ_TYPE_SOFTWARE,
			  .size = 64,
			  .config = 1,
			  .exclude_kernel = 1,
			  .exclude_hv = 1 },
		.cpu = -1,
		.group_fd = -1,
	};
}

static void gather(struct search *search)
{
	const struct pq_experiment *row;
	struct pq_trial trial;

	for (size_t i = 0; (row = pq_experiment_at(i)); i++)
		for (unsigned step = 0; search->n_candidates < CANDIDATES_MAX; step++) {
			trial = search->c->trial;
			if (!row->vary(search->c, step, &trial))
				break;
			search->candidates[search->n_candidates++] =
				(struct candidate){ .row = row, .step = step };
		}
}

static void keep_change(struct pq_finding *finding, const struct pq_experiment *row,
			const struct pq_trial *trial)
{
	finding->changes[finding->n_changes] = row;
	finding->steps[finding->n_changes++] = *trial;
	pq_claims_add(&finding->proved, row->proves);
}

static int try(struct search *search, const struct pq_trial *trial)
{
	search->tries_left--;
	return pq_kernel_try(search->kernel, trial, NULL);
}

static bool try_one(struct search *search, const struct candidate *candidate)
{
	struct pq_finding *finding = &search->c->finding;
	struct pq_trial trial = search->c->trial;
	int r;

	candidate->row->vary(search->c, candidate->step, &trial);
	r = try(search, &trial);
	if (r < 0) {
		if (candidate->row->proves == PQ_OPENS_USER_ONLY) {
			finding->user_only = trial;
			finding->user_only_errnum = -r;
		}
		return false;
	}
	keep_change(finding, candidate->row, &trial);
	return true;
}

/* The second variation is made on the first; where the first left nothing to vary, there is no
 * pair. */
static bool try_two(struct search *search, const struct candidate *first,
		    const struct candidate *second)
{
	struct pq_trial one = search->c->trial, two;
	struct pq_case between;

	first->row->vary(search->c, first->step, &one);
	between = *search->c;
	between.trial = one;
	two = one;
	if (!second->row->vary(&between, second->step, &two) || try(search, &two) < 0)
		return false;
	keep_change(&search->c->finding, first->row, &one);
	keep_change(&search->c->finding, second->row, &two);
	return true;
}

static bool find_single(struct search *search)
{
	for (size_t i = 0; i < search->n_candidates && search->tries_left; i++)
		if (try_one(search, &search->candidates[i]))
			return true;
	return false;
}

static bool find_pair(struct search *search)
{
	const struct candidate *v = search->candidates;

	for (size_t i = 0; i < search->n_candidates; i++)
		for (size_t k = i + 1; k < search->n_candidates && search->tries_left; k++)
			if (v[k].row != v[i].row && try_two(search, &v[i], &v[k]))
				return true;
	return false;
}

/* An event of one CPU is tried on each of the others that its PMU names, or that are online: those
 * that open are the answer. */
static bool find_cpus(struct search *search, struct pq_arena *arena, struct pmuq_str list)
{
	struct pq_trial trial = search->c->trial;
	struct pq_buf text = PQ_BUF_NULL;
	struct pq_cpus cpus;
	bool any = false;

	if (!pq_cpus_parse(arena, list, &cpus))
		return false;
	for (unsigned cpu = pq_cpus_next(&cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(&cpus, cpu + 1)) {
		trial.cpu = (int)cpu;
		if (pq_kernel_try(search->kernel, &trial, NULL) == 0) {
			any = true;
			continue;
		}
		cpus.words[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
	}
	if (!any)
		return false;
	pq_cpus_print(&cpus, &text);
	search->c->finding.cpus = pq_arena_str(arena, pq_buf_str(&text));
	pq_buf_free(&text);
	pq_claims_add(&search->c->finding.proved, PQ_OPENS_ELSEWHERE);
	return true;
}

static bool find_elsewhere(struct search *search, struct pq_arena *arena)
{
	const struct pq_case *c = search->c;

	if (c->trial.cpu < 0 || c->trial.group_fd >= 0)
		return false;
	return find_cpus(search, arena, str_of(c->request->cpus)) ||
	       find_cpus(search, arena, c->host->cpus_online);
}

void pq_experiment_find(const struct pq_kernel *kernel, struct pq_arena *arena, struct pq_case *c)
{
	struct search search = { .kernel = kernel, .c = c, .tries_left = TRIES_MAX };

	gather(&search);
	if (find_single(&search) || find_elsewhere(&search, arena))
		return;
	find_pair(&search);
}
