/* SPDX-License-Identifier: MIT */
/*
 * The literals of formulas: facts about the machine, with the values that perf 7.2 gives them
 * (docs/metrics.md).
 */
#include "core/cpulist.h"
#include "core/num.h"
#include "metric/plan/plan.h"
#include <math.h>
#include <string.h>

enum reading {
	AS_NUMBER,
	AS_LIST_END,   /* the highest CPU, and 1 */
	AS_LIST_COUNT, /* how many CPUs */
	AS_WORD,       /* 1 if the text is that word */
};

static const struct literal {
	struct pmuq_str name;
	const char *fact, *word;
	enum reading reading;
	bool is_0_without; /* of perf, if it is not known */
} literals[] = {
	{ STR("num_cpus"), "cpus_present", NULL, AS_LIST_END, false },
	{ STR("num_cpus_online"), "cpus_online", NULL, AS_LIST_COUNT, false },
	{ STR("num_cores"), "cores", NULL, AS_NUMBER, false },
	{ STR("num_dies"), "dies", NULL, AS_NUMBER, true },
	{ STR("num_packages"), "packages", NULL, AS_NUMBER, false },
	{ STR("smt_on"), "smt", "on", AS_WORD, false },
	{ STR("has_pmem"), "pmem", "yes", AS_WORD, true },
	{ STR("system_tsc_freq"), "tsc_hz", NULL, AS_NUMBER, false },
};

static double list_end(struct pmuq_str list)
{
	double end = NAN;
	unsigned cpu = pq_cpus_text_next(list, 0);

	for (; cpu < PQ_CPUS_MAX; cpu = pq_cpus_text_next(list, cpu + 1))
		end = cpu + 1;
	return end;
}

static double list_count(struct pmuq_str list)
{
	double n = 0;
	unsigned cpu = pq_cpus_text_next(list, 0);

	for (; cpu < PQ_CPUS_MAX; cpu = pq_cpus_text_next(list, cpu + 1))
		n++;
	return n > 0 ? n : NAN;
}

static double read_text(const struct literal *literal, struct pmuq_str text)
{
	uint64_t number;

	switch (literal->reading) {
	case AS_LIST_END:
		return list_end(text);
	case AS_LIST_COUNT:
		return list_count(text);
	case AS_WORD:
		return str_eq(text, str_of(literal->word)) ? 1 : 0;
	case AS_NUMBER:
		break;
	}
	return pq_num_any(text, &number) == PQ_NUM_OK ? (double)number : NAN;
}

/* Arm's pipeline slots: a cap of the core PMU. perf refuses 0. */
static int read_slots(struct pq_planner *planner, double *ret)
{
	struct pq_pmu_list cores = { 0 };
	struct pmuq_str text = STR("");
	uint64_t number;
	int r = pq_query(planner, core_pmus, &cores);

	*ret = NAN;
	if (r != 0 || !cores.n)
		return r < 0 ? r : 0;
	r = pq_query(planner, load, cores.v[0]);
	if (r == 0)
		r = pq_query(planner, cap, cores.v[0], STR("slots"), &text);
	if (r == 0 && pq_num_any(text, &number) == PQ_NUM_OK && number)
		*ret = (double)number;
	return r < 0 ? r : 0;
}

int pq_plan_cpuid(struct pq_planner *planner, const char **ret)
{
	int r = planner->find_fact(planner, "cpuid", ret);

	if (r == 0 && !*ret)
		*ret = "";
	return r;
}

/* perf knows the frequency of Intel's CPUs only; for others it is 0. */
static int read_without(struct pq_planner *planner, const struct literal *literal, double *ret)
{
	const char *cpuid = "";
	int r = 0;

	*ret = literal->is_0_without ? 0 : NAN;
	if (strcmp(literal->fact, "tsc_hz") != 0)
		return 0;
	r = pq_plan_cpuid(planner, &cpuid);
	if (r == 0 && *cpuid && !str_starts(str_of(cpuid), STR("GenuineIntel")))
		*ret = 0;
	return r;
}

int pq_plan_literal(struct pq_planner *planner, struct pmuq_str name, double *ret)
{
	const char *text = NULL;
	int r;

	*ret = NAN;
	if (str_eq(name, STR("slots")))
		return read_slots(planner, ret);
	if (str_eq(name, STR("core_wide")) || str_eq(name, STR("target_cpu"))) {
		*ret = planner->encode.is_system_wide ? 1 : 0;
		return 0;
	}
	for (size_t i = 0; i < COUNT(literals); i++) {
		if (!str_eq(literals[i].name, name))
			continue;
		r = planner->find_fact(planner, literals[i].fact, &text);
		if (r < 0 || !text)
			return r < 0 ? r : read_without(planner, &literals[i], ret);
		*ret = read_text(&literals[i], str_of(text));
	}
	return 0;
}
