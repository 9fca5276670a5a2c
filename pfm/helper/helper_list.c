/* SPDX-License-Identifier: MIT */
/* Lists libpfm4's PMUs, and the events of one PMU with their attributes. */
#include "pfm/helper/helper.h"

/* The frame that is being written; a full one is ended and the next begun. */
struct frames {
	struct pq_buf *out;
	enum pq_pfm_frame type;
	size_t begun, count;
};

static struct frames begin(struct pq_buf *out, enum pq_pfm_frame type)
{
	return (struct frames){ .out = out, .type = type, .begun = pq_wire_begin(out) };
}

static void next(struct frames *frames)
{
	frames->count++;
	if (frames->out->n - frames->begun < PQ_PFM_BATCH_BYTES)
		return;
	pq_wire_end(frames->out, frames->begun, frames->type, frames->count);
	*frames = begin(frames->out, frames->type);
}

/* The last frame is an empty one. */
static bool end(struct frames *frames)
{
	if (frames->count) {
		pq_wire_end(frames->out, frames->begun, frames->type, frames->count);
		frames->begun = pq_wire_begin(frames->out);
	}
	pq_wire_end(frames->out, frames->begun, frames->type, 0);
	return !frames->out->failed;
}

void pq_helper_put_error(const struct pq_pfm_wrong *wrong, struct pq_buf *out)
{
	pq_wire_u8(out, wrong->type);
	pq_wire_u32(out, wrong->at.offset);
	pq_wire_u32(out, wrong->at.length);
	pq_wire_text(out, pq_buf_str(&wrong->message));
	pq_wire_text(out, pq_buf_str(&wrong->hint));
}

bool pq_helper_list_pmus(struct pq_pfm_tables *tables, struct pq_buf *out)
{
	struct frames frames = begin(out, PQ_PFM_PMUS);

	for (size_t i = 0; i < tables->n_pmus; i++) {
		struct pq_pfm_pmu *pmu = &tables->pmus[i];

		if (!pq_pfm_tables_find_sysfs(tables, pmu))
			return false;
		pq_wire_text(out, pmu->name);
		pq_wire_text(out, pmu->description);
		pq_wire_text(out, pmu->sysfs);
		pq_wire_text(out, pmu->stem);
		pq_wire_u8(out, pmu->type);
		pq_wire_u8(out, pmu->is_present);
		pq_wire_u32(out, (uint32_t)pmu->n_expected);
		pq_wire_u32(out, pmu->instance);
		next(&frames);
	}
	return end(&frames);
}

static void put_attributes(const struct pq_pfm_event *event, struct pq_buf *out)
{
	pq_wire_u32(out, (uint32_t)event->n_attributes);
	for (size_t i = 0; i < event->n_attributes; i++) {
		const struct pq_pfm_attribute *attribute = &event->attributes[i];

		pq_wire_text(out, attribute->name);
		pq_wire_text(out, attribute->description);
		pq_wire_text(out, attribute->same);
		pq_wire_u8(out, attribute->type);
		pq_wire_u8(out, attribute->is_default);
	}
}

static bool put_events(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu, bool with_attributes,
		       struct pq_buf *out)
{
	struct frames frames = begin(out, PQ_PFM_EVENTS);

	for (size_t i = 0; i < pmu->n_events; i++) {
		struct pq_pfm_event *event = &pmu->events[i];

		pq_wire_text(out, event->name);
		pq_wire_text(out, event->description);
		pq_wire_text(out, event->same);
		if (with_attributes && !pq_pfm_tables_load_event(tables, event))
			return false;
		if (with_attributes)
			put_attributes(event, out);
		else
			pq_wire_u32(out, 0);
		next(&frames);
	}
	return end(&frames);
}

bool pq_helper_list_events(struct pq_pfm_tables *tables, struct pmuq_str pmu, bool with_attributes,
			   struct pq_buf *out)
{
	struct pq_pfm_target target;

	if (!pq_pfm_target_find(tables, pmu, &target)) {
		cleanup(pq_pfm_wrong_free) struct pq_pfm_wrong wrong = { 0 };
		struct pq_pfm_name name = { .text = pmu, .pmu = pmu };
		size_t begun = pq_wire_begin(out);

		pq_diagnose_pmu(tables, &name, &wrong);
		pq_helper_put_error(&wrong, out);
		pq_wire_end(out, begun, PQ_PFM_ERROR, 1);
		return !out->failed;
	}
	return pq_pfm_tables_load(tables, target.pmu) &&
	       put_events(tables, target.pmu, with_attributes, out);
}
