/* SPDX-License-Identifier: MIT */
/*
 * Finds the PMU of a name, and for which PMUs of the machine the encoding is valid: one instance,
 * all instances, core PMUs, or any (a generic event).
 */
#include "core/instance.h"
#include "pfm/helper/helper.h"
#include <linux/perf_event.h>

#define PMU_NAME_MAX_BYTES 60u

static const struct pq_pfm_family *find_family(const struct pq_pfm_tables *tables,
					       struct pmuq_str key)
{
	return pq_map_find(&tables->families_by_key, PQ_NAMED(tables->families, key), key);
}

/* "skx_unc_imc7": the family by its name, and the number. */
static bool find_instance(const struct pq_pfm_tables *tables, struct pmuq_str key,
			  struct pq_pfm_target *ret)
{
	const struct pq_pfm_family *family;
	struct pmuq_str stem;
	uint32_t instance;

	if (!pq_instance_number(key, &stem, &instance) || instance > PQ_PFM_INSTANCE_MAX)
		return false;
	family = find_family(tables, stem);
	if (!family)
		return false;
	*ret = (struct pq_pfm_target){ .pmu = family->first,
				       .is_other_instance = true,
				       .instance = instance };
	return true;
}

bool pq_pfm_target_find(const struct pq_pfm_tables *tables, struct pmuq_str pmu,
			struct pq_pfm_target *ret)
{
	const struct pq_pfm_family *family;
	char text[PMU_NAME_MAX_BYTES];
	struct pmuq_str key;
	const struct pq_pfm_pmu *found;

	if (!pmu.n || pmu.n > sizeof(text))
		return false;
	key = str_lower(pmu, text);
	found = pq_map_find(&tables->pmus_by_key, PQ_NAMED(tables->pmus, key), key);
	if (found) {
		*ret = (struct pq_pfm_target){ .pmu = &tables->pmus[found - tables->pmus] };
		return true;
	}
	if (str_ends(key, STR("*")))
		key.n--;
	family = find_family(tables, key);
	if (!family)
		return key.n == pmu.n && find_instance(tables, key, ret);
	*ret = (struct pq_pfm_target){ .pmu = family->first, .is_family = true };
	return true;
}

bool pq_pfm_target_full(const struct pq_pfm_target *target, struct pmuq_str rest, char *text)
{
	struct pmuq_str pmu = target->pmu->name;

	if (pmu.n + 2 + rest.n + 1 > PQ_PFM_FULL_MAX_BYTES)
		return false;
	memcpy(text, pmu.p, pmu.n);
	memcpy(text + pmu.n, "::", 2);
	memcpy(text + pmu.n + 2, rest.p, rest.n);
	text[pmu.n + 2 + rest.n] = '\0';
	return true;
}

void pq_pfm_target_print(const struct pq_pfm_target *target, struct pq_buf *ret)
{
	if (!target->is_family && !target->is_other_instance) {
		pq_buf_add(ret, target->pmu->name);
		return;
	}
	pq_buf_add(ret, target->pmu->stem);
	if (target->is_other_instance)
		pq_buf_print(ret, "%u", target->instance);
}

static bool is_kernels_own(uint32_t type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_SOFTWARE ||
	       type == PERF_TYPE_HW_CACHE;
}

/* A PMU whose name in sysfs has no number may be one instance or stand for all. */
static enum pmuq_pfm_scope scope_of_instance(const struct pq_pfm_target *target,
					     struct pmuq_str sysfs, struct pq_buf *ret_sysfs)
{
	struct pmuq_str base = sysfs;
	uint64_t number;
	bool has_number = pq_instance_split(sysfs, &base, &number);

	if (!has_number || target->is_family) {
		pq_buf_add(ret_sysfs, base);
		return PMUQ_PFM_INSTANCES;
	}
	if (target->is_other_instance)
		pq_buf_print(ret_sysfs, "%.*s_%u", STR_ARG(base), target->instance);
	else
		pq_buf_add(ret_sysfs, sysfs);
	return PMUQ_PFM_INSTANCE;
}

enum pmuq_pfm_scope pq_pfm_target_scope(const struct pq_pfm_target *target,
					const struct pq_pfm_coded *coded, struct pq_buf *ret_sysfs)
{
	if (target->pmu->type == PMUQ_PFM_PMU_UNCORE)
		return scope_of_instance(target, coded->sysfs.n ? coded->sysfs : target->pmu->sysfs,
					 ret_sysfs);
	if (is_kernels_own(coded->type)) {
		pq_buf_add(ret_sysfs,
			   coded->type == PERF_TYPE_SOFTWARE ? STR("software") : STR("cpu"));
		return PMUQ_PFM_GENERIC;
	}
	pq_buf_add(ret_sysfs, coded->sysfs.n			       ? coded->sysfs
			      : target->pmu->type == PMUQ_PFM_PMU_CORE ? target->pmu->sysfs
								       : STR("cpu"));
	return PMUQ_PFM_CORE;
}
