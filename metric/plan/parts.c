/* SPDX-License-Identifier: MIT */
/*
 * Lists whose groups fit the counters: a group that never counts is split into the fewest groups
 * that do. perf opens such a group as it is, and its members alone if the kernel refuses it.
 */
#include "core/freep.h"
#include "encode/result.h"
#include "metric/plan/plan.h"

bool pq_plan_may_split(const struct pq_planner *planner)
{
	return planner->encode.dialect != PMUQ_DIALECT_PERF;
}

/* Numbers them from 0 in the order of the events. Returns how many there are. */
static size_t number_parts(size_t *parts, size_t n)
{
	size_t n_parts = 0, known;

	for (size_t i = 0; i < n; i++) {
		for (known = 0; known < i && parts[n + known] != parts[i]; known++)
			;
		parts[n + i] = parts[i];
		parts[2 * n + i] = known < i ? parts[2 * n + known] : n_parts++;
	}
	memcpy(parts, &parts[2 * n], n * sizeof(*parts));
	return n_parts;
}

/* An event can be in several sets, of several PMUs: then events are in one part if they are in one
 * part of each set. */
static void add_set(const struct pmuq_encodings *encodings, const struct pmuq_fit *fit,
		    size_t index, size_t *parts, size_t n)
{
	const struct pmuq_fit_set *set = pmuq_fit_get(fit, index);

	for (size_t i = 0; i < set->n_members; i++) {
		const struct pmuq_fit_event *member = pmuq_fit_member(fit, index, i);
		size_t event = encodings->v[member->encoding].record.event;

		if (!member->is_added && event < n)
			parts[event] += member->part * n;
	}
}

int pq_plan_split(struct pq_planner *planner, const struct pmuq_encodings *encodings, size_t n,
		  size_t *parts, size_t *ret_n_parts)
{
	const struct pmuq_fit_set *set;
	cleanup(pmuq_fit_freep) struct pmuq_fit *fit = NULL;
	int r = pq_fit(&planner->fit, encodings, true, &fit);

	*ret_n_parts = 1;
	for (size_t i = 0; r == 0 && (set = pmuq_fit_get(fit, i)); i++) {
		if (set->counts != PMUQ_FIT_NO || set->n_parts < 2)
			continue;
		add_set(encodings, fit, i, parts, n);
		*ret_n_parts = number_parts(parts, n);
	}
	return r;
}
