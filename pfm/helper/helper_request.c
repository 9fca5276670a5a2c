/* SPDX-License-Identifier: MIT */
/*
 * One request of the library: reads its payload, and writes the frames of the result. helper_name.c
 * encodes a name.
 */
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

static void end_frame(const struct frames *frames)
{
	pq_wire_end(frames->out, frames->begun, frames->type, frames->count);
}

static void next(struct frames *frames)
{
	frames->count++;
	if (frames->out->n - frames->begun < PQ_PFM_BATCH_BYTES)
		return;
	end_frame(frames);
	*frames = begin(frames->out, frames->type);
}

/* The last frame is an empty one. */
static bool end(struct frames *frames)
{
	if (frames->count) {
		end_frame(frames);
		*frames = begin(frames->out, frames->type);
	}
	end_frame(frames);
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

static bool list_pmus(struct pq_pfm_tables *tables, struct pq_buf *out)
{
	struct frames frames = begin(out, PQ_PFM_PMUS);

	if (!pq_pfm_tables_detect(tables))
		return false;
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
		pq_wire_u32(out, pmu->id);
		pq_wire_u32(out, pmu->n_counters);
		pq_wire_u32(out, pmu->n_fixed);
		pq_wire_u32(out, pmu->n_codes_max);
		pq_wire_u8(out, pmu->is_of_architecture);
		next(&frames);
	}
	return end(&frames);
}

static void put_traits(enum pmuq_pfm_speculation speculation, bool is_precise, bool has_hw_sample,
		       struct pq_buf *out)
{
	pq_wire_u8(out, speculation);
	pq_wire_u8(out, is_precise);
	pq_wire_u8(out, has_hw_sample);
}

static void put_attributes(const struct pmuq_pfm_attribute *attributes, size_t n,
			   struct pq_buf *out)
{
	pq_wire_u32(out, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_pfm_attribute *attribute = &attributes[i];

		pq_wire_text(out, attribute->name);
		pq_wire_text(out, attribute->description);
		pq_wire_text(out, attribute->same_as);
		pq_wire_u8(out, attribute->type);
		pq_wire_u8(out, attribute->is_default);
		pq_wire_u64(out, attribute->code);
		pq_wire_u64(out, attribute->default_value);
		pq_wire_u8(out, attribute->is_of_perf);
		put_traits(attribute->speculation, attribute->is_precise, attribute->has_hw_sample,
			   out);
	}
}

/* `layer` as in the request: 0 for no attributes. */
static bool put_attributes_of(struct pq_pfm_tables *tables, struct pq_pfm_event *event,
			      unsigned layer, struct pq_buf *out)
{
	const struct pq_pfm_attributes *other;

	if (!layer) {
		pq_wire_u32(out, 0);
		return true;
	}
	if (layer > PMUQ_PFM_LAYER_PERF_EXT) {
		if (!pq_pfm_tables_load_event(tables, event))
			return false;
		put_attributes(event->attributes, event->n_attributes, out);
		return true;
	}
	if (!pq_pfm_tables_load_layer(tables, event, (enum pmuq_pfm_layer)(layer - 1)))
		return false;
	other = &event->layers[layer - 1];
	put_attributes(other->v, other->n, out);
	return true;
}

static bool put_events(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu, unsigned layer,
		       struct pq_buf *out)
{
	struct frames frames = begin(out, PQ_PFM_EVENTS);

	for (size_t i = 0; i < pmu->n_events; i++) {
		struct pq_pfm_event *event = &pmu->events[i];

		pq_wire_text(out, event->name);
		pq_wire_text(out, event->description);
		pq_wire_text(out, event->same);
		pq_wire_u64(out, event->code);
		pq_wire_u32(out, (uint32_t)event->index);
		pq_wire_u8(out, event->data_type);
		put_traits(event->speculation, event->is_precise, event->has_hw_sample, out);
		if (!put_attributes_of(tables, event, layer, out))
			return false;
		next(&frames);
	}
	return end(&frames);
}

static bool list_events(struct pq_pfm_tables *tables, struct pmuq_str pmu, unsigned layer,
			struct pq_buf *out)
{
	struct pq_pfm_target target;

	if (!pq_pfm_target_find(tables, pmu, &target)) {
		cleanup(pq_pfm_wrong_free) struct pq_pfm_wrong wrong = { 0 };
		struct pq_pfm_name name = { .text = pmu, .pmu = pmu, .wrong = &wrong };
		size_t begun = pq_wire_begin(out);

		pq_diagnose_pmu(tables, &name);
		pq_helper_put_error(&wrong, out);
		pq_wire_end(out, begun, PQ_PFM_ERROR, 1);
		return !out->failed;
	}
	return pq_pfm_tables_load(tables, target.pmu) && put_events(tables, target.pmu, layer, out);
}

/* The companions of a umask are found by trying all others, which takes a millisecond. Whoever has
 * hundreds of names encoded reads no hints. */
#define COMPANIONS_NAMES 4u

/* The library counts the results, so ENCODE has no empty frame at the end. */
static bool handle_encode(struct pq_pfm_tables *tables, size_t count, struct pq_wire *in,
			  struct pq_buf *out)
{
	struct pmuq_str defaults = pq_wire_get_text(in);
	struct frames frames = begin(out, PQ_PFM_ENCODE);

	tables->companions_left = COMPANIONS_NAMES;
	for (size_t i = 0; i < count; i++) {
		struct pmuq_str name = pq_wire_get_text(in);

		if (in->failed)
			return false;
		pq_helper_encode(tables, defaults, name, out);
		next(&frames);
	}
	if (frames.count || !count)
		end_frame(&frames);
	else
		out->n = frames.begun; /* no name follows in the last frame */
	return pq_wire_is_done(in);
}

bool pq_helper_handle(struct pq_pfm_tables *tables, const struct pq_pfm_header *header,
		      struct pq_wire *in, struct pq_buf *out)
{
	struct pmuq_str pmu;
	unsigned layer;

	if (header->type == PQ_PFM_RAW)
		return pq_helper_raw(tables, in, out);
	if (header->type == PQ_PFM_ENCODE)
		return handle_encode(tables, header->count, in, out);
	if (header->type == PQ_PFM_PMUS)
		return list_pmus(tables, out);
	if (header->type != PQ_PFM_EVENTS)
		return false;
	pmu = pq_wire_get_text(in);
	layer = pq_wire_get_enum(in, PMUQ_PFM_LAYER_PERF_EXT + 1);
	return pq_wire_is_done(in) && list_events(tables, pmu, layer, out);
}
