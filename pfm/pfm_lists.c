/* SPDX-License-Identifier: MIT */
/*
 * Lists libpfm4's PMUs, and the events of one PMU with their attributes. The rows live in an arena
 * of the list. They move when the array grows, so a list is returned only when it is complete.
 */
#include "core/freep.h"
#include "core/limits.h"
#include "core/vec.h"
#include "pfm/pfm_names.h"

struct pq_pfm_listed_event {
	struct pmuq_pfm_event record; /* first: callers see this */
	struct pmuq_pfm_attribute *attributes;
};

/* Rows that are added as frames arrive, and the arena that they point to. */
struct pmuq_pfm_pmus {
	struct pq_arena arena;
	PQ_VEC(struct pmuq_pfm_pmu);
};

struct pmuq_pfm_events {
	struct pq_arena arena;
	PQ_VEC(struct pq_pfm_listed_event);
};

static void take_pmu(struct pmuq_pfm_pmus *pmus, struct pq_wire *in)
{
	struct pmuq_pfm_pmu pmu = { .size = sizeof(pmu) };

	pmu.name = pq_wire_keep_text(in);
	pmu.description = pq_wire_keep_text(in);
	pmu.sysfs = pq_wire_keep_text(in);
	pmu.family = pq_wire_keep_text(in);
	pmu.type = (enum pmuq_pfm_pmu_type)pq_wire_get_enum(in, PMUQ_PFM_PMU_GENERIC);
	pmu.is_present = pq_wire_get_u8(in);
	pmu.n_events = pq_wire_get_u32(in);
	pmu.instance = pq_wire_get_u32(in);
	if (pmu.instance == PQ_PFM_NO_INSTANCE)
		pmu.instance = 0;
	pmu.id = pq_wire_get_u32(in);
	pmu.n_counters = pq_wire_get_u32(in);
	pmu.n_fixed = pq_wire_get_u32(in);
	pmu.n_codes_max = pq_wire_get_u32(in);
	pmu.is_of_architecture = pq_wire_get_u8(in);
	pq_wire_note(in, pq_vec_push_in(&pmus->arena, pmus, pmu));
}

static enum pq_pfm_taken take_pmus(void *self, const struct pq_pfm_header *header,
				   struct pq_wire *in)
{
	struct pmuq_pfm_pmus *pmus = self;

	in->arena = &pmus->arena;
	in->failed |= header->type != PQ_PFM_PMUS;
	for (unsigned i = 0; i < header->count && !in->failed; i++)
		take_pmu(pmus, in);
	return pq_pfm_taken_of(in, !header->count);
}

static enum pmuq_pfm_speculation get_speculation(struct pq_wire *in)
{
	return (enum pmuq_pfm_speculation)pq_wire_get_enum(in, PMUQ_PFM_NOT_SPECULATIVE);
}

static void take_attribute(struct pq_wire *in, struct pmuq_pfm_attribute *ret)
{
	ret->size = sizeof(*ret);
	ret->name = pq_wire_keep_text(in);
	ret->description = pq_wire_keep_text(in);
	ret->same_as = pq_wire_keep_text(in);
	ret->type = (enum pmuq_pfm_attribute_type)pq_wire_get_enum(in, PMUQ_PFM_NUMBER);
	ret->is_default = pq_wire_get_u8(in);
	ret->code = pq_wire_get_u64(in);
	ret->default_value = pq_wire_get_u64(in);
	ret->is_of_perf = pq_wire_get_u8(in);
	ret->speculation = get_speculation(in);
	ret->is_precise = pq_wire_get_u8(in);
	ret->has_hw_sample = pq_wire_get_u8(in);
}

static void take_event(struct pmuq_pfm_events *events, struct pq_wire *in)
{
	struct pq_pfm_listed_event event = { .record = { .size = sizeof(event.record) } };

	event.record.name = pq_wire_keep_text(in);
	event.record.description = pq_wire_keep_text(in);
	event.record.same_as = pq_wire_keep_text(in);
	event.record.code = pq_wire_get_u64(in);
	event.record.index = pq_wire_get_u32(in);
	event.record.data_type = pq_wire_get_u8(in);
	event.record.speculation = get_speculation(in);
	event.record.is_precise = pq_wire_get_u8(in);
	event.record.has_hw_sample = pq_wire_get_u8(in);
	event.record.n_attributes = pq_wire_get_u32(in);
	in->failed |= event.record.n_attributes > PQ_PFM_ATTRIBUTES_MAX;
	event.attributes =
		pq_wire_keep_array(in, event.record.n_attributes, sizeof(*event.attributes));
	for (size_t i = 0; i < event.record.n_attributes && !in->failed; i++)
		take_attribute(in, &event.attributes[i]);
	pq_wire_note(in, pq_vec_push_in(&events->arena, events, event));
}

struct listing {
	struct pmuq_pfm_events *events;
	struct pmuq_str pmu;
	struct pmuq_error *wrong; /* the error that the helper reported */
};

static enum pq_pfm_taken take_events(void *self, const struct pq_pfm_header *header,
				     struct pq_wire *in)
{
	struct listing *listing = self;

	in->arena = &listing->events->arena;
	/* The PMU does not exist. */
	if (header->type == PQ_PFM_ERROR && header->count == 1) {
		pq_pfm_take_error(in, &listing->wrong);
		return pq_pfm_taken_of(in, true);
	}
	in->failed |= header->type != PQ_PFM_EVENTS;
	for (unsigned i = 0; i < header->count && !in->failed; i++)
		take_event(listing->events, in);
	return pq_pfm_taken_of(in, !header->count);
}

PQ_API int pmuq_pfm_list_pmus(struct pmuq_pfm *pfm, struct pmuq_pfm_pmus **ret,
			      struct pmuq_error **reterr)
{
	cleanup(pmuq_pfm_pmus_freep) struct pmuq_pfm_pmus *pmus = calloc(1, sizeof(*pmus));
	cleanup(pq_buf_free) struct pq_buf request = PQ_BUF_NULL;
	int r;

	if (!pmus)
		return pq_fail_memory(reterr);
	pmus->arena = PQ_ARENA(PQ_PFM_LIST_MAX_BYTES);
	pq_wire_end(&request, pq_wire_begin(&request), PQ_PFM_PMUS, 0);
	if (request.failed)
		return pq_fail_memory(reterr);
	r = pq_pfm_request(pfm, &request, take_pmus, pmus, reterr);
	if (r < 0)
		return r;
	*ret = move(pmus);
	return 0;
}

static int request_events(struct pmuq_pfm *pfm, struct listing *listing, unsigned layer,
			  struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf request = PQ_BUF_NULL;
	size_t begun = pq_wire_begin(&request);
	int r;

	pq_wire_text(&request, listing->pmu);
	pq_wire_u8(&request, layer);
	pq_wire_end(&request, begun, PQ_PFM_EVENTS, 1);
	if (request.failed)
		return pq_fail_memory(reterr);
	r = pq_pfm_request(pfm, &request, take_events, listing, reterr);
	/* After an invalid frame, *reterr is about that. */
	if (r == 0 && listing->wrong) {
		r = -(int)listing->wrong->code;
		if (reterr)
			*reterr = move(listing->wrong);
	}
	pmuq_error_free(listing->wrong);
	return r;
}

/* `layer` as in the request (protocol.h). */
static int list_events(struct pmuq_pfm *pfm, const char *pmu, unsigned layer,
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
	events->arena = PQ_ARENA(PQ_PFM_LIST_MAX_BYTES);
	r = request_events(pfm, &listing, layer, reterr);
	if (r < 0)
		return r;
	*ret = move(events);
	return 0;
}

PQ_API int pmuq_pfm_list_events(struct pmuq_pfm *pfm, const char *pmu, bool with_attributes,
				struct pmuq_pfm_events **ret, struct pmuq_error **reterr)
{
	return list_events(pfm, pmu, with_attributes ? PMUQ_PFM_LAYER_PERF_EXT + 1 : 0, ret,
			   reterr);
}

PQ_API int pmuq_pfm_list_events_of(struct pmuq_pfm *pfm, const char *pmu, enum pmuq_pfm_layer layer,
				   struct pmuq_pfm_events **ret, struct pmuq_error **reterr)
{
	if ((unsigned)layer > PMUQ_PFM_LAYER_PERF_EXT)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "libpfm4 has no layer %u", (unsigned)layer);
	return list_events(pfm, pmu, (unsigned)layer + 1, ret, reterr);
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

PQ_API size_t pmuq_pfm_pmus_count(const struct pmuq_pfm_pmus *pmus)
{
	return pmus->n;
}

PQ_API const struct pmuq_pfm_pmu *pmuq_pfm_pmus_get(const struct pmuq_pfm_pmus *pmus, size_t index)
{
	return index < pmus->n ? &pmus->v[index] : NULL;
}

PQ_API size_t pmuq_pfm_events_count(const struct pmuq_pfm_events *events)
{
	return events->n;
}

PQ_API const struct pmuq_pfm_event *pmuq_pfm_events_get(const struct pmuq_pfm_events *events,
							size_t index)
{
	return index < events->n ? &events->v[index].record : NULL;
}

PQ_API const struct pmuq_pfm_attribute *pmuq_pfm_event_attribute(const struct pmuq_pfm_event *event,
								 size_t index)
{
	const struct pq_pfm_listed_event *listed = (const struct pq_pfm_listed_event *)event;

	return index < event->n_attributes ? &listed->attributes[index] : NULL;
}
