/* SPDX-License-Identifier: MIT */
/*
 * Rules about single PMUs and names that discover/, db/ and document/ share: the order of PMUs,
 * which PMUs are core PMUs, types without a file, names of files.
 */
#include "core/catalog/model.h"
#include "core/attr/attr.h"
#include "core/instance.h"
#include <pmuq/pmuq.h>

/* A PMU with its sort keys. */
struct pmu_order {
	const struct pmuq_pmu *pmu;
	struct pmuq_str base;
	uint64_t number;
};

static struct pmu_order order_of(const struct pmuq_pmu *pmu)
{
	struct pmu_order order = { .pmu = pmu };

	pq_instance_split(pmu->name, &order.base, &order.number);
	return order;
}

static int compare_orders(const struct pmu_order *a, const struct pmu_order *b)
{
	int r;

	if (a->pmu->is_core != b->pmu->is_core)
		return a->pmu->is_core ? -1 : 1;
	r = str_cmp(a->base, b->base);
	if (r)
		return r;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return str_cmp(a->pmu->name, b->pmu->name);
}

static int compare_pointed(const void *a, const void *b)
{
	return compare_orders(*(const struct pmu_order *const *)a,
			      *(const struct pmu_order *const *)b);
}

int pq_pmu_compare(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	struct pmu_order order_a = order_of(a), order_b = order_of(b);

	return compare_orders(&order_a, &order_b);
}

/* Pointers are sorted: up to a kibibyte, glibc's qsort() does that on the stack. For more it reads
 * first how much memory the machine has. */
bool pq_pmus_sort(const struct pmuq_pmu **v, size_t n)
{
	auto_free struct pmu_order *orders = calloc(n + 1, sizeof(*orders));
	auto_free const struct pmu_order **sorted = calloc(n + 1, sizeof(const struct pmu_order *));

	if (!orders || !sorted)
		return false;
	for (size_t i = 0; i < n; i++) {
		orders[i] = order_of(v[i]);
		sorted[i] = &orders[i];
	}
	qsort(sorted, n, sizeof(*sorted), compare_pointed);
	for (size_t i = 0; i < n; i++)
		v[i] = sorted[i]->pmu;
	return true;
}

bool pq_pmu_name_may_be_core(struct pmuq_str name)
{
	return !str_starts(name, STR("uncore_"));
}

bool pq_pmu_name_is_core(struct pmuq_str name, bool has_cpus_file)
{
	return (has_cpus_file && pq_pmu_name_may_be_core(name)) || str_eq(name, STR("cpu")) ||
	       str_eq(name, STR("cpum_cf"));
}

bool pq_pmu_known_type(struct pmuq_str name, uint32_t *ret)
{
	static const struct {
		struct pmuq_str name;
		uint32_t type;
	} known[] = {
		{ .name = STR("software"), .type = PQ_TYPE_SOFTWARE },
		{ .name = STR("tracepoint"), .type = PQ_TYPE_TRACEPOINT },
		{ .name = STR("breakpoint"), .type = PQ_TYPE_BREAKPOINT },
	};

	for (size_t i = 0; i < COUNT(known); i++) {
		if (!str_eq(name, known[i].name))
			continue;
		*ret = known[i].type;
		return true;
	}
	return false;
}

void pq_pmu_finalize(struct pmuq_pmu *pmu, struct pmuq_str cpus_online)
{
	bool has_cpus_file = pmu->cpus_file.p != NULL;

	pmu->is_core = pq_pmu_name_is_core(pmu->name, has_cpus_file);
	pmu->is_uncore = pmu->cpumask.p && !pmu->is_core;
	if (pmu->cpumask.p)
		pmu->cpus = pmu->cpumask.n ? pmu->cpumask : cpus_online;
	else
		pmu->cpus = pmu->cpus_file.n ? pmu->cpus_file : cpus_online;
	if (!pmu->cpus.p)
		pmu->cpus = STR("");
}

bool pq_is_file_name(struct pmuq_str name)
{
	if (!name.n || name.n > PQ_NAME_MAX_BYTES)
		return false;
	if (str_eq(name, STR(".")) || str_eq(name, STR("..")))
		return false;
	return !memchr(name.p, '/', name.n) && !memchr(name.p, '\0', name.n);
}

const struct pmuq_str pq_companion_endings[4] = {
	STR(".unit"),
	STR(".scale"),
	STR(".per-pkg"),
	STR(".snapshot"),
};

unsigned pq_event_companion(struct pmuq_str file)
{
	for (size_t i = 0; i < COUNT(pq_companion_endings); i++)
		if (file.n > pq_companion_endings[i].n && str_ends(file, pq_companion_endings[i]))
			return 1u << i;
	return 0;
}

PQ_API const struct pmuq_format *pmuq_pmu_format(const struct pmuq_pmu *pmu, size_t index)
{
	return index < pmu->definition->n_formats ? &pq_def_of(pmu)->formats[index] : NULL;
}

PQ_API const struct pmuq_event *pmuq_pmu_event(const struct pmuq_pmu *pmu, size_t index)
{
	return index < pmu->definition->n_events ? &pq_def_of(pmu)->events[index] : NULL;
}
