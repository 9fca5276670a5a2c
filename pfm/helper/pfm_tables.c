/* SPDX-License-Identifier: MIT */
/* Reads libpfm4's PMUs, events and attributes. */
#include "pfm/helper/pfm_tables.h"
#include "core/instance.h"
#include "core/limits.h"
#include "pfm/protocol.h"
#include <perfmon/pfmlib.h>

/* The libpfm4 at run time may be newer than the header and have more PMUs. */
#define PMU_IDS_MAX 2048

/* libpfm4's texts live until the helper ends: they are not copied. */
static struct pmuq_str text_of(const char *text)
{
	return str_of(text ? text : "");
}

static enum pmuq_pfm_attribute_type type_of_attribute(pfm_attr_t type)
{
	return type == PFM_ATTR_UMASK	   ? PMUQ_PFM_UMASK
	       : type == PFM_ATTR_MOD_BOOL ? PMUQ_PFM_FLAG
					   : PMUQ_PFM_NUMBER;
}

static struct pmuq_pfm_attribute new_attribute(const pfm_event_attr_info_t *info)
{
	return (struct pmuq_pfm_attribute){
		.name = text_of(info->name),
		.description = text_of(info->desc),
		.same_as = text_of(info->equiv),
		.type = type_of_attribute(info->type),
		.is_default = info->is_dfl,
		.code = info->code,
		.default_value = info->dfl_val64,
		.speculation = (enum pmuq_pfm_speculation)info->is_speculative,
		.is_precise = info->is_precise,
		.has_hw_sample = info->support_hw_smpl,
		.is_of_perf = info->ctrl == PFM_ATTR_CTRL_PERF_EVENT,
	};
}

/* ---- the CPU that the helper runs on */

/* As a PMU, libpfm4 has none of this name: it then looks for no other, and executes no CPUID, which
 * takes microseconds in a virtual machine (libpfm(3), LIBPFM_FORCE_PMU). */
#define NO_PMU "none"

/* Has the tables of all PMUs, of which none is present. */
static bool start_without_cpu(void)
{
	return clearenv() == 0 && setenv("LIBPFM_ENCODE_INACTIVE", "1", 1) == 0 &&
	       setenv("LIBPFM_FORCE_PMU", NO_PMU, 1) == 0 && pfm_initialize() == PFM_SUCCESS;
}

/* Tables that libpfm4 makes for the CPU, besides those that every CPU of an architecture has. */
static bool is_fitted(const pfm_pmu_info_t *info)
{
	static const char names[][8] = { "rapl", "cpum_cf", "cpum_sf" };

	if (info->type == PFM_PMU_TYPE_OS_GENERIC || info->is_dfl)
		return true;
	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(info->name, names[i]) == 0)
			return true;
	return false;
}

/* What depends on the CPU. */
static void read_fitted(const pfm_pmu_info_t *info, struct pq_pfm_pmu *ret)
{
	ret->is_present = info->is_present;
	ret->n_expected = info->nevents > 0 ? (size_t)info->nevents : 0;
	ret->first = info->first_event;
	ret->n_counters = info->num_cntrs > 0 ? (uint32_t)info->num_cntrs : 0;
	ret->n_fixed = info->num_fixed_cntrs > 0 ? (uint32_t)info->num_fixed_cntrs : 0;
}

bool pq_pfm_tables_detect(struct pq_pfm_tables *tables)
{
	if (tables->is_detected)
		return true;
	pfm_terminate();
	if (unsetenv("LIBPFM_FORCE_PMU") != 0 || pfm_initialize() != PFM_SUCCESS)
		return false;
	for (size_t i = 0; i < tables->n_pmus; i++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info((pfm_pmu_t)tables->pmus[i].id, &info) != PFM_SUCCESS)
			return false;
		read_fitted(&info, &tables->pmus[i]);
	}
	tables->is_detected = true;
	return true;
}

/* ---- events and attributes */

static bool read_attributes(struct pq_pfm_tables *tables, int event, pfm_os_t os,
			    struct pq_pfm_attributes *ret)
{
	pfm_event_info_t info = { .size = sizeof(info) };

	if (pfm_get_event_info(event, os, &info) != PFM_SUCCESS || info.nattrs < 0)
		info.nattrs = 0;
	ret->v = pq_arena_array(&tables->arena, (size_t)info.nattrs, sizeof(*ret->v));
	if (!ret->v)
		return false;
	for (int i = 0; i < info.nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		if (pfm_get_event_attr_info(event, i, os, &attr) == PFM_SUCCESS)
			ret->v[ret->n++] = new_attribute(&attr);
	}
	ret->is_read = true;
	return true;
}

bool pq_pfm_tables_load_event(struct pq_pfm_tables *tables, struct pq_pfm_event *event)
{
	struct pq_pfm_attributes attributes = { 0 };

	if (event->has_attributes)
		return true;
	event->has_attributes =
		read_attributes(tables, event->index, PFM_OS_PERF_EVENT_EXT, &attributes);
	event->attributes = attributes.v;
	event->n_attributes = attributes.n;
	return event->has_attributes;
}

bool pq_pfm_tables_load_layer(struct pq_pfm_tables *tables, struct pq_pfm_event *event,
			      enum pmuq_pfm_layer layer)
{
	struct pq_pfm_attributes *attributes = &event->layers[layer];

	return attributes->is_read ||
	       read_attributes(tables, event->index, (pfm_os_t)layer, attributes);
}

bool pq_pfm_tables_load(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu)
{
	if (pmu->has_events)
		return true;
	if (pmu->is_fitted && !pq_pfm_tables_detect(tables))
		return false;
	pmu->events = pq_arena_array(&tables->arena, pmu->n_expected, sizeof(*pmu->events));
	if (!pmu->events)
		return false;
	for (int i = pmu->first; i >= 0 && pmu->n_events < pmu->n_expected;
	     i = pfm_get_event_next(i)) {
		pfm_event_info_t info = { .size = sizeof(info) };

		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &info) != PFM_SUCCESS)
			continue;
		pmu->events[pmu->n_events++] = (struct pq_pfm_event){
			.name = text_of(info.name),
			.description = text_of(info.desc),
			.same = text_of(info.equiv),
			.code = info.code,
			.index = i,
			.data_type = info.dtype,
			.speculation = (enum pmuq_pfm_speculation)info.is_speculative,
			.is_precise = info.is_precise,
			.has_hw_sample = info.support_hw_smpl,
		};
	}
	pmu->has_events = true;
	return true;
}

struct pq_pfm_event *pq_pfm_tables_find_event(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu,
					      struct pmuq_str name)
{
	if (!pq_pfm_tables_load(tables, pmu))
		return NULL;
	for (size_t i = 0; i < pmu->n_events; i++)
		if (str_eq_nocase(pmu->events[i].name, name))
			return &pmu->events[i];
	return NULL;
}

static unsigned type_of_pmu(pfm_pmu_type_t type)
{
	return type == PFM_PMU_TYPE_CORE	 ? PMUQ_PFM_PMU_CORE
	       : type == PFM_PMU_TYPE_OS_GENERIC ? PMUQ_PFM_PMU_GENERIC
						 : PMUQ_PFM_PMU_UNCORE;
}

/* "skx_unc_imc0" is instance 0 of skx_unc_imc; the 3 in "amd64_fam19h_zen3_l3" is not an instance
 * number. */
static void split_instance(struct pq_pfm_pmu *pmu)
{
	struct pmuq_str stem;
	uint32_t number;

	pmu->instance = PQ_PFM_NO_INSTANCE;
	pmu->stem = STR("");
	if (!strstr(pmu->key.p, "_unc_") || !pq_instance_number(pmu->name, &stem, &number) ||
	    number > PQ_PFM_INSTANCE_MAX)
		return;
	pmu->instance = number;
	pmu->stem = stem;
}

static bool read_pmu(struct pq_pfm_tables *tables, pfm_pmu_t id)
{
	struct pq_pfm_pmu *pmu = &tables->pmus[tables->n_pmus];
	pfm_pmu_info_t info = { .size = sizeof(info) };

	if (pfm_get_pmu_info(id, &info) != PFM_SUCCESS || !info.name)
		return true;
	*pmu = (struct pq_pfm_pmu){
		.name = text_of(info.name),
		.description = text_of(info.desc),
		.type = type_of_pmu(info.type),
		.id = (uint32_t)id,
		.n_codes_max = info.max_encoding > 0 ? (uint32_t)info.max_encoding : 0,
		.is_of_architecture = info.is_dfl,
		.is_fitted = is_fitted(&info),
	};
	read_fitted(&info, pmu);
	pmu->key = pq_arena_lower(&tables->arena, pmu->name);
	if (!pmu->key.p)
		return false;
	split_instance(pmu);
	tables->n_pmus++;
	return true;
}

/* The instances of a family are in the order of their numbers, as in libpfm4. */
static bool index_families(struct pq_pfm_tables *tables)
{
	struct pq_pfm_pmu *pmu = tables->pmus;

	tables->families =
		pq_arena_array(&tables->arena, tables->n_pmus, sizeof(*tables->families));
	if (!tables->families ||
	    !pq_map_init(&tables->arena, tables->n_pmus, &tables->families_by_key))
		return false;
	for (size_t i = 0; i < tables->n_pmus; i++, pmu++) {
		struct pmuq_str key = str_part(pmu->key, 0, pmu->stem.n);

		if (!key.n)
			continue;
		tables->families[tables->n_families] =
			(struct pq_pfm_family){ .key = key, .first = pmu };
		if (pq_map_add(&tables->families_by_key, PQ_NAMED(tables->families, key),
			       tables->n_families))
			tables->n_families++;
	}
	return true;
}

bool pq_pfm_tables_open(struct pq_pfm_tables *ret)
{
	ret->arena = PQ_ARENA(PQ_PFM_TABLES_MAX_BYTES);
	if (!start_without_cpu())
		return false;
	/* The pages of ids that libpfm4 does not use stay untouched. */
	ret->pmus = pq_arena_take(&ret->arena, PMU_IDS_MAX * sizeof(*ret->pmus));
	if (!ret->pmus)
		return false;
	for (int i = PFM_PMU_NONE; i < PMU_IDS_MAX; i++)
		if (!read_pmu(ret, (pfm_pmu_t)i))
			return false;
	return pq_map_build(&ret->arena, PQ_NAMED(ret->pmus, key), ret->n_pmus,
			    &ret->pmus_by_key) &&
	       index_families(ret);
}
