/* SPDX-License-Identifier: MIT */
/*
 * All names of libpfm4 as an import: a folder is a PMU, or a family of boxes. They are there to be
 * searched: what they mean is libpfm4's to say, and no CPU's table has them.
 */
#include "vendor/import/vendor_import.h"

static void free_pmus(struct pmuq_pfm_pmus **pmus)
{
	pmuq_pfm_pmus_free(*pmus);
}

static void free_events(struct pmuq_pfm_events **events)
{
	pmuq_pfm_events_free(*events);
}

static struct pmuq_str join(struct pq_arena *arena, const char *first, const char *between,
			    const char *second)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_buf_print(&text, "%s%s%s", first, second && *second ? between : "",
		     second ? second : "");
	return text.failed ? (struct pmuq_str){ 0 } : pq_arena_str(arena, pq_buf_str(&text));
}

static int add(struct pq_vendor_contents *contents, struct pmuq_str pmu,
	       const struct pmuq_pfm_event *event, const char *umask, const char *more,
	       struct pmuq_error **reterr)
{
	const char *what = event->description.p;
	struct pq_vendor_draft draft = {
		.name = join(&contents->arena, event->name.p, ":", umask),
		.pmu = pmu,
		.terms = STR(""),
		.description = join(&contents->arena, what, ": ", more),
		.path = STR(""),
	};

	if (!draft.name.p || !draft.description.p || !pq_vendor_contents_add(contents, &draft))
		return pq_fail_memory(reterr);
	return 0;
}

static int add_event(struct pq_vendor_contents *contents, struct pmuq_str pmu,
		     const struct pmuq_pfm_event *event, struct pmuq_error **reterr)
{
	bool has_umask = false;
	int r = 0;

	for (size_t i = 0; r == 0 && i < event->n_attributes; i++) {
		if (pmuq_pfm_event_attribute(event, i)->type != PMUQ_PFM_UMASK)
			continue;
		has_umask = true;
		r = add(contents, pmu, event, pmuq_pfm_event_attribute(event, i)->name.p,
			pmuq_pfm_event_attribute(event, i)->description.p, reterr);
	}
	return r < 0 || has_umask ? r : add(contents, pmu, event, NULL, NULL, reterr);
}

static int fill(struct pq_vendor_import *import, const char *pmu,
		struct pq_vendor_contents *contents, struct pmuq_error **reterr)
{
	cleanup(free_events) struct pmuq_pfm_events *events = NULL;
	struct pmuq_str name = str_of(pmu);
	int64_t position;
	int r = pmuq_pfm_list_events(import->pfm, pmu, true, &events, reterr);

	for (size_t i = 0; r == 0 && i < pmuq_pfm_events_count(events); i++)
		r = add_event(contents, name, pmuq_pfm_events_get(events, i), reterr);
	if (r == 0)
		r = pq_vendor_settle(import, contents, reterr);
	return r < 0 ? r
		     : pq_vendor_add_folder(import, STR("libpfm4"), name, false, contents,
					    &position, reterr);
}

static int add_pmu(struct pq_vendor_import *import, const char *pmu, struct pmuq_error **reterr)
{
	struct pq_vendor_contents contents;
	int r;

	pq_vendor_contents_begin(&contents);
	r = fill(import, pmu, &contents, reterr);
	pq_vendor_contents_end(&contents);
	return r;
}

/* The name of all boxes, where it is one. */
static const char *name_of(const struct pmuq_pfm_pmus *pmus, size_t index)
{
	const struct pmuq_pfm_pmu *pmu = pmuq_pfm_pmus_get(pmus, index);
	const char *family = pmu->family.p;

	return *family ? family : pmu->name.p;
}

static bool came_before(const struct pmuq_pfm_pmus *pmus, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(name_of(pmus, i), name_of(pmus, index)) == 0)
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
