/* SPDX-License-Identifier: MIT */
/*
 * The kernel's names of libpfm4's PMUs. libpfm4 does not return them, but the last step of an
 * encoding opens the `type` of the PMU (pfm_host.h): an event of the PMU is encoded to find its
 * name.
 */
#include "core/buf.h"
#include "core/instance.h"
#include "pfm/helper/pfm_encode.h"
#include "pfm/helper/pfm_tables.h"
#include <perfmon/pfmlib.h>

/* Core PMUs of hybrid CPUs, whose type libpfm4 reads only on such a machine. */
static const struct {
	struct pmuq_str name, sysfs;
} hybrid[] = {
	{ .name = { "adl_glc", 7 }, .sysfs = { "cpu_core", 8 } },
	{ .name = { "adl_grt", 7 }, .sysfs = { "cpu_atom", 8 } },
};

static struct pmuq_str core_sysfs(const struct pq_pfm_pmu *pmu)
{
	for (size_t i = 0; i < COUNT(hybrid); i++)
		if (str_eq(hybrid[i].name, pmu->key))
			return hybrid[i].sysfs;
	return STR("cpu");
}

/* The kernel's name of the PMU of an event; empty if it cannot be encoded alone. */
static struct pmuq_str sysfs_of(const struct pq_pfm_pmu *pmu, const char *event)
{
	auto_free char *name = NULL;
	struct pq_pfm_coded coded;

	if (asprintf(&name, "%s::%s", pmu->name.p, event) < 0)
		return STR("");
	pq_pfm_encode(name, &coded);
	free(coded.canonical);
	return coded.sysfs;
}

/* Opening `type` is the last step of an encoding, so the first event that gets so far is enough.
 * The others are not read. */
static struct pmuq_str probe_sysfs(const struct pq_pfm_pmu *pmu)
{
	struct pmuq_str sysfs = STR("");
	size_t n = 0;

	for (int i = pmu->first; !sysfs.n && i >= 0 && n < pmu->n_expected;
	     i = pfm_get_event_next(i)) {
		pfm_event_info_t info = { .size = sizeof(info) };

		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS)
			continue;
		sysfs = sysfs_of(pmu, info.name);
		n++;
	}
	return sysfs;
}

/* Instances have consecutive numbers here and there: "skx_unc_cha0" is "uncore_cha_0". To encode an
 * event of each would take a millisecond for a hundred. */
static struct pmuq_str instance_sysfs(struct pq_pfm_tables *tables, const struct pq_pfm_pmu *first,
				      const struct pq_pfm_pmu *pmu)
{
	struct pq_buf sysfs = PQ_BUF_IN(&tables->arena);
	struct pmuq_str stem;
	uint32_t number;

	if (!pq_instance_number(first->sysfs, &stem, &number))
		return first->sysfs;
	pq_buf_print(&sysfs, "%.*s%u", STR_ARG(stem), number + pmu->instance - first->instance);
	return pq_buf_take_str(&sysfs);
}

static struct pmuq_str uncore_sysfs(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu)
{
	const struct pq_pfm_family *family =
		pmu->stem.n ? pq_map_find(&tables->families_by_key, PQ_NAMED(tables->families, key),
					  str_part(pmu->key, 0, pmu->stem.n))
			    : NULL;

	if (!family || family->first == pmu)
		return pq_arena_str(&tables->arena, probe_sysfs(pmu));
	if (!pq_pfm_tables_find_sysfs(tables, family->first))
		return (struct pmuq_str){ 0 };
	return instance_sysfs(tables, family->first, pmu);
}

bool pq_pfm_tables_find_sysfs(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu)
{
	if (pmu->has_sysfs)
		return true;
	pmu->sysfs = pmu->type == PMUQ_PFM_PMU_CORE	? core_sysfs(pmu)
		     : pmu->type == PMUQ_PFM_PMU_UNCORE ? uncore_sysfs(tables, pmu)
							: STR("");
	pmu->has_sysfs = pmu->sysfs.p != NULL;
	return pmu->has_sysfs;
}
