/* SPDX-License-Identifier: MIT */
#include "open/place.h"
#include "open/opening.h"

#define NOTE_LEFT_OUT "CPUs on which its PMU does not count are left out"
#define NOTE_FOREIGN "the kernel takes these CPUs, although sysfs names others for its PMU"

static bool parse(struct pq_opening *opening, struct pmuq_str list, struct pq_cpus *ret)
{
	return pq_cpus_parse(&opening->scratch, str_trim(list), ret) && pq_cpus_count(ret);
}

/* Whether what is not parsed is so for want of memory. */
static bool is_list(const char *text)
{
	char room[PQ_CPUS_BYTES];
	struct pq_arena arena;
	struct pq_cpus cpus;

	pq_arena_init(&arena, room, sizeof(room), 0);
	return pq_cpus_parse(&arena, str_of(text), &cpus) && pq_cpus_count(&cpus);
}

static void drop(struct pq_cpus *cpus, unsigned cpu)
{
	cpus->words[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

/*
 * Of the CPUs that were asked for, those on which the PMU does not count are left out, unless that
 * leaves none. Those that are offline stay: the kernel is to say so. False: out of memory.
 */
static bool leave_out(struct pq_opening *opening, const char *own_cpus, struct pq_places *places)
{
	struct pq_cpus *cpus = &places->cpus, own, online, both = { 0 };

	if (!parse(opening, str_of(own_cpus), &own))
		return !is_list(own_cpus);
	if (!pq_cpus_unite(&opening->scratch, &both, cpus))
		return false;
	pq_cpus_intersect(&both, &own);
	if (pq_cpus_count(&both) == pq_cpus_count(cpus))
		return true;
	pq_opening_look(opening, 0);
	if (!parse(opening, opening->view.cpus_online, &online))
		return true;
	if (!pq_cpus_count(&both)) {
		places->note = NOTE_FOREIGN;
		return true;
	}
	for (unsigned cpu = pq_cpus_next(cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(cpus, cpu + 1)) {
		if (pq_cpus_has(&own, cpu) || !pq_cpus_has(&online, cpu))
			continue;
		drop(cpus, cpu);
		places->note = NOTE_LEFT_OUT;
	}
	return true;
}

static bool keep_list(struct pq_opening *opening, struct pq_places *places)
{
	struct pq_buf text = PQ_BUF_NULL;

	pq_cpus_print(&places->cpus, &text);
	places->list = text.failed ? NULL : pq_arena_str(&opening->scratch, pq_buf_str(&text)).p;
	pq_buf_free(&text);
	return places->list != NULL;
}

/* A cgroup is counted CPU by CPU: on those of the PMU, else on all that are online. */
static bool find_for_cgroup(struct pq_opening *opening, const char *cpus, struct pq_places *ret)
{
	if (!parse(opening, str_of(cpus), &ret->cpus)) {
		if (is_list(cpus))
			return false;
		pq_opening_look(opening, 0);
		if (!parse(opening, opening->view.cpus_online, &ret->cpus) &&
		    !parse(opening, STR("0"), &ret->cpus))
			return false;
	}
	return keep_list(opening, ret);
}

bool pq_places_find(struct pq_opening *opening, bool needs_cpu, const char *cpus,
		    struct pq_places *ret)
{
	const struct pq_target *target = &opening->opener->target;

	*ret = (struct pq_places){ .target = *target };
	if (target->cpus) {
		if (!parse(opening, str_of(target->cpus), &ret->cpus))
			return false; /* it was looked at before */
		return leave_out(opening, cpus, ret) && keep_list(opening, ret);
	}
	if (target->cgroup)
		return find_for_cgroup(opening, cpus, ret);
	ret->is_task = !needs_cpu || target->pid || !is_list(cpus);
	ret->list = ret->is_task ? NULL : cpus;
	return ret->is_task || parse(opening, str_of(cpus), &ret->cpus);
}

bool pq_places_put_on(struct pq_opening *opening, int cpu, struct pq_places *places)
{
	struct pq_buf text = PQ_BUF_NULL;
	auto_free char *list = NULL;

	pq_buf_print(&text, "%d", cpu);
	list = pq_buf_take(&text);
	places->is_task = false;
	return list && parse(opening, str_of(list), &places->cpus) && keep_list(opening, places);
}

bool pq_places_next(const struct pq_places *places, struct pq_place *place)
{
	const struct pq_target *target = &places->target;
	unsigned cpu;

	if (places->is_task) {
		if (place->is_set)
			return false;
		*place = (struct pq_place){ .is_set = true, .pid = target->pid, .cpu = -1 };
		return true;
	}
	cpu = pq_cpus_next(&places->cpus, place->is_set ? (unsigned)place->cpu + 1 : 0);
	if (cpu >= PQ_CPUS_MAX)
		return false;
	*place = (struct pq_place){
		.is_set = true,
		.is_cgroup = target->cgroup != NULL,
		.pid = target->cgroup	 ? target->cgroup_fd
		       : target->pid > 0 ? target->pid
					 : -1,
		.cpu = (int)cpu,
	};
	return true;
}

size_t pq_places_count(const struct pq_places *places)
{
	return places->is_task ? 1 : pq_cpus_count(&places->cpus);
}
