/* SPDX-License-Identifier: MIT */
/*
 * PMUs: libpfm4's under its own numbers, and PMUs of sysfs that it does not have under numbers that
 * it does not use, from the highest down.
 */
#include "compat/compat.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* libpfm4's PMU of the kernel's own events has those of these PMUs. */
static const char *const of_perf[] = { "software", "tracepoint", "breakpoint" };

static_assert(PFM_PMU_MAX <= 1 << (31 - COMPAT_INDEX_SHIFT), "an index has the number of a PMU");

int compat_index(pfm_pmu_t pmu, size_t event)
{
	return (int)(pmu << COMPAT_INDEX_SHIFT | event);
}

/* `ret` is NULL if the machine does not have that PMU, or does not show it. */
static int find_pmu(struct compat *c, const char *sysfs, const struct pmuq_pmu **ret)
{
	int r;

	*ret = NULL;
	r = pmuq_source_find_pmu(c->source, sysfs, ret, NULL);
	return compat_is_resource_error(r) ? compat_error(r) : PFM_SUCCESS;
}

/* Of a captured machine, pmuq's table of CPUs decides. It accepts all PMUs, also one without a
 * name, for a CPU that it does not have. */
static bool is_of_machine(const struct compat *c, const struct pmuq_pfm_pmu *pmu)
{
	if (!c->cpuid)
		return pmu->is_present;
	return !pmuq_pfm_is_of_cpu("", c->cpuid) &&
	       pmuq_pfm_is_of_cpu(pmu->family.n ? pmu->family.p : pmu->name.p, c->cpuid);
}

/* libpfm4 looks for Intel's uncore PMUs in sysfs, and takes AMD's for present. */
static bool is_in_sysfs(const struct pmuq_pfm_pmu *pmu)
{
	return pmu->type == PMUQ_PFM_PMU_UNCORE && pmu->sysfs.n &&
	       strncmp(pmu->name.p, "amd64_", strlen("amd64_")) != 0;
}

/* Like libpfm4: the CPU has it, and it is in sysfs. */
static int find_present(struct compat *c, const struct pmuq_pfm_pmu *pmu, bool *ret)
{
	const struct pmuq_pmu *uncore;
	int r;

	*ret = pmu->type == PMUQ_PFM_PMU_GENERIC || is_of_machine(c, pmu);
	if (!*ret || !is_in_sysfs(pmu))
		return PFM_SUCCESS;
	r = find_pmu(c, pmu->sysfs.p, &uncore);
	*ret = uncore != NULL;
	return r;
}

static int add_listed(struct compat *c)
{
	int r = PFM_SUCCESS;

	for (size_t i = 0; r == PFM_SUCCESS && i < pmuq_pfm_pmus_count(c->listed); i++) {
		const struct pmuq_pfm_pmu *library = pmuq_pfm_pmus_get(c->listed, i);
		struct compat_pmu pmu = { .library = library };

		if (library->id >= PFM_PMU_MAX)
			continue;
		r = find_present(c, library, &pmu.is_present);
		c->pmus[library->id] = pmu;
	}
	return r;
}

static bool is_of_perf(const char *name)
{
	for (size_t i = 0; i < COUNT(of_perf); i++)
		if (strcmp(of_perf[i], name) == 0)
			return true;
	return false;
}

/* The number of libpfm4's PMU for a PMU of sysfs; PFM_PMU_NONE if it has none here. */
static pfm_pmu_t listed_number(const struct compat *c, const char *sysfs)
{
	for (unsigned id = 0; id < PFM_PMU_MAX; id++) {
		const struct compat_pmu *pmu = &c->pmus[id];

		if (pmu->library && pmu->is_present && strcmp(pmu->library->sysfs.p, sysfs) == 0)
			return (pfm_pmu_t)id;
	}
	if (is_of_perf(sysfs) && c->pmus[PFM_PMU_PERF_EVENT].library)
		return PFM_PMU_PERF_EVENT;
	return PFM_PMU_NONE;
}

static struct compat_pmu *unused(struct compat *c)
{
	for (unsigned id = PFM_PMU_MAX - 1; id > PFM_PMU_NONE; id--)
		if (!c->pmus[id].library && !c->pmus[id].own)
			return &c->pmus[id];
	return NULL;
}

/* Without an unused number it is not listed, but its events can be encoded. */
static int add_own(struct compat *c, const char *name)
{
	struct compat_pmu *ret = unused(c);
	const struct pmuq_pmu *pmu;
	int r;

	if (!ret || listed_number(c, name) != PFM_PMU_NONE)
		return PFM_SUCCESS;
	r = find_pmu(c, name, &pmu);
	if (!pmu || !pmu->has_type)
		return r;
	if (asprintf(&ret->description, "PMU %s of the kernel", name) < 0) {
		ret->description = NULL;
		return PFM_ERR_NOMEM;
	}
	ret->own = pmu;
	ret->is_present = true;
	return PFM_SUCCESS;
}

static int add_owns(struct compat *c)
{
	struct pmuq_names *names = NULL;
	int r = compat_error(pmuq_source_list_pmus(c->source, "", &names, NULL));

	if (r != PFM_SUCCESS)
		return r;
	for (size_t i = 0; r == PFM_SUCCESS && i < pmuq_names_count(names); i++)
		r = add_own(c, pmuq_names_get(names, i));
	pmuq_names_free(names);
	return r;
}

static int add_all(struct compat *c)
{
	int r = c->listed ? add_listed(c) : PFM_SUCCESS;

	if (r == PFM_SUCCESS)
		r = compat_load_tracepoints(c);
	if (r != PFM_SUCCESS)
		return r;
	c->pmus[PFM_PMU_PERF_EVENT].n_subsystems = c->n_subsystems;
	return add_owns(c);
}

/* After an error, so that the next call reads them again. */
static void forget(struct compat *c)
{
	for (size_t i = 0; i < COUNT(c->pmus); i++) {
		free(c->pmus[i].description);
		c->pmus[i] = (struct compat_pmu){ 0 };
	}
}

/* Without libpfm4, or if its helper fails, the PMUs of sysfs are there. */
int compat_load(struct compat *c)
{
	int r = 0;

	if (!c)
		return PFM_ERR_NOINIT;
	if (c->has_pmus)
		return PFM_SUCCESS;
	if (!c->listed)
		r = pmuq_pfm_list_pmus(c->pfm, &c->listed, NULL);
	if (compat_is_resource_error(r))
		return compat_error(r);
	r = add_all(c);
	if (r != PFM_SUCCESS)
		forget(c);
	c->has_pmus = r == PFM_SUCCESS;
	return r;
}

struct compat_pmu *compat_pmu(struct compat *c, unsigned id)
{
	struct compat_pmu *pmu = id < PFM_PMU_MAX ? &c->pmus[id] : NULL;

	return pmu && (pmu->library || pmu->own) ? pmu : NULL;
}

pfm_pmu_t compat_number(const struct compat *c, const char *sysfs)
{
	for (unsigned id = PFM_PMU_MAX - 1; id > PFM_PMU_NONE; id--)
		if (c->pmus[id].own && strcmp(c->pmus[id].own->name.p, sysfs) == 0)
			return (pfm_pmu_t)id;
	return listed_number(c, sysfs);
}

/* "skx::EVENT" on another CPU. */
bool compat_is_inactive(const struct compat *c, const char *text)
{
	const char *colons = strstr(text, "::");
	size_t bytes = colons ? (size_t)(colons - text) : 0;

	if (!colons || c->encodes_inactive)
		return false;
	for (unsigned id = 0; id < PFM_PMU_MAX; id++) {
		const struct compat_pmu *pmu = &c->pmus[id];

		if (pmu->library && pmu->library->name.n == bytes &&
		    strncasecmp(pmu->library->name.p, text, bytes) == 0)
			return !pmu->is_present;
	}
	return false;
}

static const char *name_of(const struct compat_pmu *pmu)
{
	return pmu->library ? pmu->library->name.p : pmu->own->name.p;
}

static size_t count_events(const struct compat_pmu *pmu)
{
	if (pmu->library)
		return pmu->library->n_events + pmu->n_subsystems;
	return pmu->own->definition->n_events;
}

static pfm_pmu_type_t type_of(const struct compat_pmu *pmu)
{
	if (pmu->own)
		return pmu->own->is_core     ? PFM_PMU_TYPE_CORE
		       : pmu->own->is_uncore ? PFM_PMU_TYPE_UNCORE
					     : PFM_PMU_TYPE_OS_GENERIC;
	return pmu->library->type == PMUQ_PFM_PMU_CORE	    ? PFM_PMU_TYPE_CORE
	       : pmu->library->type == PMUQ_PFM_PMU_GENERIC ? PFM_PMU_TYPE_OS_GENERIC
							    : PFM_PMU_TYPE_UNCORE;
}

/* sysfs does not have the numbers of counters. */
static pfm_pmu_info_t info_of(const struct compat_pmu *pmu, pfm_pmu_t id)
{
	const struct pmuq_pfm_pmu *library = pmu->library;
	pfm_pmu_info_t info = { .name = name_of(pmu),
				.desc = library ? library->description.p : pmu->description,
				.pmu = id,
				.type = type_of(pmu),
				.nevents = (int)count_events(pmu),
				.first_event = count_events(pmu) ? compat_index(id, 0) : -1,
				.max_encoding = 1 };

	if (library) {
		info.max_encoding = (int)library->n_codes_max;
		info.num_cntrs = (int)library->n_counters;
		info.num_fixed_cntrs = (int)library->n_fixed;
		info.is_dfl = library->is_of_architecture;
	}
	info.is_present = pmu->is_present;
	return info;
}

pfm_err_t pfm_get_pmu_info(pfm_pmu_t id, pfm_pmu_info_t *output)
{
	COMPAT_LOCK(c);
	const struct compat_pmu *pmu;
	pfm_pmu_info_t info;
	size_t bytes;
	int r = compat_load(c);

	if (r != PFM_SUCCESS)
		return r;
	if ((unsigned)id >= PFM_PMU_MAX || !output)
		return PFM_ERR_INVAL;
	bytes = compat_size(output, output->size, PFM_PMU_INFO_ABI0, sizeof(info));
	if (!bytes)
		return PFM_ERR_INVAL;
	pmu = compat_pmu(c, id);
	if (!pmu)
		return PFM_ERR_NOTSUPP;
	info = info_of(pmu, id);
	info.size = sizeof(info);
	memcpy(output, &info, bytes);
	return PFM_SUCCESS;
}

/* The tables are libpfm4's, in another process, or the kernel's. */
pfm_err_t pfm_pmu_validate(pfm_pmu_t id, FILE *output)
{
	COMPAT_LOCK(c);
	int r = compat_load(c);

	if (r != PFM_SUCCESS)
		return r;
	return output && compat_pmu(c, id) ? PFM_ERR_NOTSUPP : PFM_ERR_INVAL;
}
