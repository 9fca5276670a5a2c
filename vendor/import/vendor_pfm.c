/* SPDX-License-Identifier: MIT */
/*
 * All names of libpfm4 as an import, for searching only: encodings come from libpfm4 itself, and no
 * CPU's table contains them. A folder is a PMU, or all instances of an uncore PMU.
 */
#include "vendor/import/vendor_import.h"
#include <pmuq/libpfm4.h>

static void free_pmus(struct pmuq_pfm_pmus **pmus)
{
	pmuq_pfm_pmus_free(*pmus);
}

static void free_events(struct pmuq_pfm_events **events)
{
	pmuq_pfm_events_free(*events);
}

static struct pmuq_str join(struct pq_arena *arena, struct pmuq_str first, const char *between,
			    struct pmuq_str second)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_buf_print(&text, "%.*s%s%.*s", STR_ARG(first), second.n ? between : "", STR_ARG(second));
	return text.failed ? (struct pmuq_str){ 0 } : pq_arena_str(arena, pq_buf_str(&text));
}

static int add(struct pq_vendor_drafts *drafts, struct pmuq_str pmu,
	       const struct pmuq_pfm_event *event, const struct pmuq_pfm_attribute *umask,
	       struct pmuq_error **reterr)
{
	struct pq_vendor_draft draft = {
		.name = join(&drafts->arena, event->name, ":", umask->name),
		.pmu = pmu,
		.terms = STR(""),
		.description = join(&drafts->arena, event->description, ": ", umask->description),
		.path = STR(""),
	};

	if (!draft.name.p || !draft.description.p || !pq_vec_push(drafts, draft))
		return pq_fail_memory(reterr);
	return 0;
}

static int add_event(struct pq_vendor_drafts *drafts, struct pmuq_str pmu,
		     const struct pmuq_pfm_event *event, struct pmuq_error **reterr)
{
	static const struct pmuq_pfm_attribute no_umask;
	bool has_umask = false;
	int r = 0;

	for (size_t i = 0; r == 0 && i < event->n_attributes; i++) {
		const struct pmuq_pfm_attribute *attribute = pmuq_pfm_event_attribute(event, i);

		if (attribute->type != PMUQ_PFM_UMASK)
			continue;
		has_umask = true;
		r = add(drafts, pmu, event, attribute, reterr);
	}
	return r < 0 || has_umask ? r : add(drafts, pmu, event, &no_umask, reterr);
}

static int fill(struct pq_vendor_import *import, struct pmuq_str pmu,
		struct pq_vendor_drafts *drafts, struct pmuq_error **reterr)
{
	cleanup(free_events) struct pmuq_pfm_events *events = NULL;
	int64_t position;
	int r = pmuq_pfm_list_events(import->pfm, pmu.p, true, &events, reterr);

	for (size_t i = 0; r == 0 && i < pmuq_pfm_events_count(events); i++)
		r = add_event(drafts, pmu, pmuq_pfm_events_get(events, i), reterr);
	if (r == 0)
		r = pq_vendor_drafts_finish(import, drafts, reterr);
	return r < 0 ? r
		     : pq_vendor_save_folder(import, STR("libpfm4"), pmu, false, drafts, &position,
					     reterr);
}

static int add_pmu(struct pq_vendor_import *import, struct pmuq_str pmu, struct pmuq_error **reterr)
{
	struct pq_vendor_drafts drafts;
	int r;

	pq_vendor_drafts_begin(&drafts);
	r = fill(import, pmu, &drafts, reterr);
	pq_vendor_drafts_end(&drafts);
	return r;
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

int pq_vendor_walk_pfm(struct pq_vendor_import *import, struct pmuq_error **reterr)
{
	cleanup(free_pmus) struct pmuq_pfm_pmus *pmus = NULL;
	int r = pmuq_pfm_list_pmus(import->pfm, &pmus, reterr);

	for (size_t i = 0; r == 0 && i < pmuq_pfm_pmus_count(pmus); i++)
		if (!came_before(pmus, i))
			r = add_pmu(import, name_of(pmus, i), reterr);
	return r;
}
