/* SPDX-License-Identifier: MIT */
/*
 * Lists libpfm4's PMUs, and the events of one PMU with their attributes. The rows live in an arena
 * of the list.
 */
#include "pfm/pfm_lists.h"
#include "core/freep.h"
#include "pfm/pfm_names.h"

#define LIST_MAX_BYTES ((size_t)64 << 20)
/* The limit for one event, which no table comes near. */
#define ATTRIBUTES_MAX 4096u

static bool get_text(struct pq_arena *arena, struct pq_wire *in, struct pmuq_str *ret)
{
	*ret = pq_arena_str(arena, pq_pfm_get_text(in));
	return ret->p;
}

static bool take_pmu(struct pmuq_pfm_pmus *pmus, struct pq_wire *in)
{
	struct pmuq_pfm_pmu pmu = { .size = sizeof(pmu) };
	unsigned type;

	if (!get_text(&pmus->arena, in, &pmu.name) ||
	    !get_text(&pmus->arena, in, &pmu.description) ||
	    !get_text(&pmus->arena, in, &pmu.sysfs) || !get_text(&pmus->arena, in, &pmu.family))
		return false;
	type = pq_wire_get_u8(in);
	in->failed |= type > PMUQ_PFM_PMU_GENERIC;
	pmu.type = (enum pmuq_pfm_pmu_type)type;
	pmu.is_present = pq_wire_get_u8(in);
	pmu.n_events = pq_wire_get_u32(in);
	pmu.instance = pq_wire_get_u32(in);
	if (pmu.instance == PQ_PFM_NO_INSTANCE)
		pmu.instance = 0;
	return pq_vec_push_in(&pmus->arena, pmus, pmu);
}

static enum pq_pfm_taken take_pmus(void *self, const struct pq_pfm_header *header,
				   struct pq_wire *in)
{
	struct pmuq_pfm_pmus *pmus = self;

	if (header->type != PQ_PFM_PMUS)
		return PQ_PFM_TAKEN_INVALID;
	for (unsigned i = 0; i < header->count && !in->failed; i++)
		if (!take_pmu(pmus, in))
			return PQ_PFM_TAKEN_NO_MEMORY;
	if (in->failed)
		return PQ_PFM_TAKEN_INVALID;
	return header->count ? PQ_PFM_TAKEN_MORE : PQ_PFM_TAKEN_LAST;
}

static bool take_attribute(struct pq_arena *arena, struct pq_wire *in,
			   struct pmuq_pfm_attribute *ret)
{
	unsigned type;

	if (!get_text(arena, in, &ret->name) || !get_text(arena, in, &ret->description) ||
	    !get_text(arena, in, &ret->same_as))
		return false;
	type = pq_wire_get_u8(in);
	in->failed |= type > PMUQ_PFM_NUMBER;
	ret->size = sizeof(*ret);
	ret->type = (enum pmuq_pfm_attribute_type)type;
	ret->is_default = pq_wire_get_u8(in);
	return true;
}

static bool take_event(struct pmuq_pfm_events *events, struct pq_wire *in)
{
	struct pq_arena *arena = &events->arena;
	struct pq_pfm_listed_event event = { .record = { .size = sizeof(event.record) } };

	if (!get_text(arena, in, &event.record.name) ||
	    !get_text(arena, in, &event.record.description) ||
	    !get_text(arena, in, &event.record.same_as))
		return false;
	event.record.n_attributes = pq_wire_get_u32(in);
	in->failed |= event.record.n_attributes > ATTRIBUTES_MAX;
	if (in->failed)
		return true;
	event.attributes =
		pq_arena_array(arena, event.record.n_attributes, sizeof(*event.attributes));
	if (!event.attributes)
		return false;
	for (size_t i = 0; i < event.record.n_attributes && !in->failed; i++)
		if (!take_attribute(arena, in, &event.attributes[i]))
			return false;
	return pq_vec_push_in(arena, events, event);
}

struct listing {
	struct pmuq_pfm_events *events;
	struct pmuq_str pmu;
	struct pmuq_error *wrong; /* the error that the helper reported */
};

/* There is no such PMU. */
static enum pq_pfm_taken take_error(struct listing *listing, struct pq_wire *in)
{
	enum pmuq_code code = pq_pfm_error_code(pq_wire_get_u8(in));
	struct pmuq_str message, hint;

	pq_wire_get_u32(in);
	pq_wire_get_u32(in);
	message = pq_pfm_get_text(in);
	hint = pq_pfm_get_text(in);
	if (in->failed || code != PMUQ_E_PFM_UNKNOWN_PMU)
		return PQ_PFM_TAKEN_INVALID;
	pq_fail(&listing->wrong, code, "%.*s", STR_ARG(message));
	if (hint.n)
		pq_error_hint(&listing->wrong, "%.*s", STR_ARG(hint));
	return PQ_PFM_TAKEN_LAST;
}

static enum pq_pfm_taken take_events(void *self, const struct pq_pfm_header *header,
				     struct pq_wire *in)
{
	struct listing *listing = self;

	if (header->type == PQ_PFM_ERROR && header->count == 1)
		return take_error(listing, in);
	if (header->type != PQ_PFM_EVENTS)
		return PQ_PFM_TAKEN_INVALID;
	for (unsigned i = 0; i < header->count && !in->failed; i++)
		if (!take_event(listing->events, in))
			return PQ_PFM_TAKEN_NO_MEMORY;
	if (in->failed)
		return PQ_PFM_TAKEN_INVALID;
	return header->count ? PQ_PFM_TAKEN_MORE : PQ_PFM_TAKEN_LAST;
}

PQ_API int pmuq_pfm_list_pmus(struct pmuq_pfm *pfm, struct pmuq_pfm_pmus **ret,
			      struct pmuq_error **reterr)
{
	cleanup(pmuq_pfm_pmus_freep) struct pmuq_pfm_pmus *pmus = calloc(1, sizeof(*pmus));
	cleanup(pq_buf_free) struct pq_buf request = PQ_BUF_NULL;
	int r;

	if (!pmus)
		return pq_fail_memory(reterr);
	pq_arena_init(&pmus->arena, NULL, 0, LIST_MAX_BYTES);
	pq_wire_end(&request, pq_wire_begin(&request), PQ_PFM_PMUS, 0);
	if (request.failed)
		return pq_fail_memory(reterr);
	r = pq_pfm_request(pfm, &request, take_pmus, pmus, reterr);
	if (r < 0)
		return r;
	*ret = move(pmus);
	return 0;
}

static int request_events(struct pmuq_pfm *pfm, struct listing *listing, bool with_attributes,
			  struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf request = PQ_BUF_NULL;
	size_t begun = pq_wire_begin(&request);
	int r;

	pq_wire_text(&request, listing->pmu);
	pq_wire_u8(&request, with_attributes);
	pq_wire_end(&request, begun, PQ_PFM_EVENTS, 1);
	if (request.failed)
		return pq_fail_memory(reterr);
	r = pq_pfm_request(pfm, &request, take_events, listing, reterr);
	if (r == 0 && listing->wrong)
		r = -(int)listing->wrong->code;
	if (r < 0 && reterr && listing->wrong)
		*reterr = move(listing->wrong);
	pmuq_error_free(listing->wrong);
	return r;
}

PQ_API int pmuq_pfm_list_events(struct pmuq_pfm *pfm, const char *pmu, bool with_attributes,
				struct pmuq_pfm_events **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_pfm_events_freep) struct pmuq_pfm_events *events = calloc(1, sizeof(*events));
	struct listing listing = {
		.events = events,
		.pmu = { .p = pmu, .n = strnlen(pmu, PQ_PFM_NAME_MAX_BYTES) },
	};
	int r;

	if (!events)
		return pq_fail_memory(reterr);
	pq_arena_init(&events->arena, NULL, 0, LIST_MAX_BYTES);
	r = request_events(pfm, &listing, with_attributes, reterr);
	if (r < 0)
		return r;
	*ret = move(events);
	return 0;
}

PQ_API void pmuq_pfm_pmus_free(struct pmuq_pfm_pmus *pmus)
{
	if (!pmus)
		return;
	pq_arena_clear(&pmus->arena);
	free(pmus);
}

PQ_API void pmuq_pfm_events_free(struct pmuq_pfm_events *events)
{
	if (!events)
		return;
	pq_arena_clear(&events->arena);
	free(events);
}
