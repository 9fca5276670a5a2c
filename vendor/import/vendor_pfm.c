/* SPDX-License-Identifier: MIT */
/*
 * All names of libpfm4 as an import, for searching only: encodings come from libpfm4 itself, and no
 * CPU's table contains them. A folder is a PMU, or all instances of an uncore PMU.
 */
#include "core/freep.h"
#include "vendor/import/vendor_import.h"

static struct pmuq_str join(struct pq_arena *arena, struct pmuq_str first, const char *between,
			    struct pmuq_str second)
{
	struct pq_buf text = PQ_BUF_IN(arena);

	pq_buf_print(&text, "%.*s%s%.*s", STR_ARG(first), second.n ? between : "", STR_ARG(second));
	return str_of(pq_buf_take(&text));
}

static void add(struct pq_vendor_import *import, struct pq_vendor_drafts *drafts,
		struct pmuq_str pmu, const struct pmuq_pfm_event *event,
		const struct pmuq_pfm_attribute *umask)
{
	struct pq_vendor_draft draft = {
		.name = join(&drafts->arena, event->name, ":", umask->name),
		.pmu = pmu,
		.terms = STR(""),
		.compat = STR(""),
		.topic = STR(""),
		.long_description = STR(""),
		.description = join(&drafts->arena, event->description, ": ", umask->description),
		.path = STR(""),
		.counters = STR(""),
		.counters_smt_off = STR(""),
		.latency = STR(""),
	};

	if (!draft.name.p || !draft.description.p || !pq_vec_push(drafts, draft))
		pq_vendor_fail_memory(&import->tree);
}

/* An event with umasks is one draft for each of them. */
static void add_event(struct pq_vendor_import *import, struct pq_vendor_drafts *drafts,
		      struct pmuq_str pmu, const struct pmuq_pfm_event *event)
{
	static const struct pmuq_pfm_attribute no_umask;
	bool has_umask = false;

	for (size_t i = 0; i < event->n_attributes; i++) {
		const struct pmuq_pfm_attribute *attribute = pmuq_pfm_event_attribute(event, i);

		if (attribute->type != PMUQ_PFM_UMASK)
			continue;
		has_umask = true;
		add(import, drafts, pmu, event, attribute);
	}
	if (!has_umask)
		add(import, drafts, pmu, event, &no_umask);
}

static void add_pmu(struct pq_vendor_import *import, const struct pq_vendor_step *step)
{
	struct pmuq_str pmu = step->path;
	cleanup(pq_vendor_drafts_end) struct pq_vendor_drafts drafts;
	cleanup(pmuq_pfm_events_freep) struct pmuq_pfm_events *events = NULL;

	pq_vendor_drafts_begin(&drafts);
	if (step->of)
		drafts.sysfs = str_of(step->of);
	/* The whole import is one file, the library. */
	pq_vendor_begin_file(import, &(struct pq_vendor_file){ .path = STR("") }, &drafts);
	import->tree.r =
		pmuq_pfm_list_events(import->pfm, pmu.p, true, &events, import->tree.reterr);
	for (size_t i = 0; import->tree.r == 0 && i < pmuq_pfm_events_count(events); i++)
		add_event(import, &drafts, pmu, pmuq_pfm_events_get(events, i));
	if (import->tree.r == 0)
		pq_vendor_save_folder(import, STR("libpfm4"), pmu, false, &drafts);
}

/* The common name of all instances, if it is an instance. */
static struct pmuq_str name_of(const struct pmuq_pfm_pmus *pmus, size_t index)
{
	const struct pmuq_pfm_pmu *pmu = pmuq_pfm_pmus_get(pmus, index);

	return pmu->family.n ? pmu->family : pmu->name;
}

static bool came_before(const struct pmuq_pfm_pmus *pmus, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (str_eq(name_of(pmus, i), name_of(pmus, index)))
			return true;
	return false;
}

/* Events of the kernel's own PMUs have other names as well. */
static char *sysfs_of(struct pq_vendor_import *import, const struct pmuq_pfm_pmu *pmu)
{
	char *name;

	if (pmu->type == PMUQ_PFM_PMU_GENERIC || !pmu->sysfs.n)
		return NULL;
	name = pq_arena_take(&import->arena, pmu->sysfs.n + 1);
	if (!name)
		pq_vendor_fail_memory(&import->tree);
	else
		memcpy(name, pmu->sysfs.p, pmu->sysfs.n + 1);
	return name;
}

static void plan(struct pq_vendor_import *import)
{
	cleanup(pmuq_pfm_pmus_freep) struct pmuq_pfm_pmus *pmus = NULL;

	import->tree.r = pmuq_pfm_list_pmus(import->pfm, &pmus, import->tree.reterr);
	for (size_t i = 0; import->tree.r == 0 && i < pmuq_pfm_pmus_count(pmus); i++)
		if (!came_before(pmus, i))
			pq_vendor_add_step(import, name_of(pmus, i),
					   sysfs_of(import, pmuq_pfm_pmus_get(pmus, i)));
}

const struct pq_vendor_walker pq_vendor_pfm_walker = { .plan = plan, .step = add_pmu };
