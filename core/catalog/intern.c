/* SPDX-License-Identifier: MIT */
/*
 * Stores equal things once: a set of objects by hash, for which the caller decides equality, and
 * the hashing, comparing and copying of definitions.
 */
#include "core/catalog/intern.h"

void pq_intern_free(struct pq_intern *set)
{
	free(set->v);
	*set = (struct pq_intern){ 0 };
}

size_t pq_intern_start(const struct pq_intern *set, uint64_t hash)
{
	return set->capacity ? hash & (set->capacity - 1) : 0;
}

void *pq_intern_next(const struct pq_intern *set, uint64_t hash, size_t *at)
{
	while (set->capacity && set->v[*at].object) {
		const struct pq_interned *found = &set->v[*at];

		*at = (*at + 1) & (set->capacity - 1);
		if (found->hash == hash)
			return found->object;
	}
	return NULL;
}

void *pq_intern_get(const struct pq_intern *set, uint64_t hash)
{
	size_t at = pq_intern_start(set, hash);

	return pq_intern_next(set, hash, &at);
}

static void put(struct pq_intern *set, struct pq_interned object)
{
	size_t at = pq_intern_start(set, object.hash);

	while (set->v[at].object)
		at = (at + 1) & (set->capacity - 1);
	set->v[at] = object;
	set->n++;
}

bool pq_intern_add(struct pq_intern *set, uint64_t hash, void *object)
{
	if (set->n * 2 >= set->capacity) {
		struct pq_intern larger = { .capacity = set->capacity ? set->capacity * 2 : 64 };

		larger.v = calloc(larger.capacity, sizeof(*larger.v));
		if (!larger.v)
			return false;
		for (size_t i = 0; i < set->capacity; i++)
			if (set->v[i].object)
				put(&larger, set->v[i]);
		pq_intern_free(set);
		*set = larger;
	}
	put(set, (struct pq_interned){ .hash = hash, .object = object });
	return true;
}

static uint64_t mix(uint64_t hash, uint64_t with)
{
	return (hash ^ with) * 0x9fb21c651e98df25u ^ hash >> 29;
}

static uint64_t mix_pair(uint64_t hash, struct pmuq_str a, struct pmuq_str b)
{
	return mix(mix(hash, str_hash(a)), str_hash(b));
}

uint64_t pq_pairs_hash(const struct pmuq_pair *pairs, size_t n)
{
	uint64_t hash = n;

	for (size_t i = 0; i < n; i++)
		hash = mix_pair(hash, pairs[i].name, pairs[i].text);
	return hash;
}

uint64_t pq_def_hash(const struct pq_def *def)
{
	uint64_t hash = pq_pairs_hash(def->record.caps, def->record.n_caps);

	for (size_t i = 0; i < def->record.n_formats; i++)
		hash = mix_pair(hash, def->formats[i].name, def->formats[i].text);
	hash = mix(hash, def->record.n_formats);
	for (size_t i = 0; i < def->record.n_events; i++) {
		const struct pmuq_event *event = &def->events[i];

		hash = mix_pair(hash, event->name, event->terms);
		hash = mix_pair(hash, event->unit, event->scale);
		hash = mix(hash, (uint64_t)(event->is_per_pkg << 3 | event->is_snapshot << 2 |
					    event->has_unit_file << 1 | event->has_scale_file));
	}
	return mix(hash, def->record.n_events);
}

bool pq_pairs_equal(const struct pmuq_pair *a, const struct pmuq_pair *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!str_eq(a[i].name, b[i].name) || !str_eq(a[i].text, b[i].text))
			return false;
	return true;
}

static bool formats_equal(const struct pmuq_format *a, const struct pmuq_format *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!str_eq(a[i].name, b[i].name) || !str_eq(a[i].text, b[i].text))
			return false;
	return true;
}

static bool events_equal(const struct pmuq_event *a, const struct pmuq_event *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!str_eq(a[i].name, b[i].name) || !str_eq(a[i].terms, b[i].terms) ||
		    !str_eq(a[i].unit, b[i].unit) || !str_eq(a[i].scale, b[i].scale) ||
		    a[i].is_per_pkg != b[i].is_per_pkg || a[i].is_snapshot != b[i].is_snapshot ||
		    a[i].has_unit_file != b[i].has_unit_file ||
		    a[i].has_scale_file != b[i].has_scale_file)
			return false;
	return true;
}

bool pq_def_equals(const struct pq_def *a, const struct pq_def *b)
{
	return a->record.n_formats == b->record.n_formats &&
	       a->record.n_events == b->record.n_events && a->record.n_caps == b->record.n_caps &&
	       formats_equal(a->formats, b->formats, a->record.n_formats) &&
	       events_equal(a->events, b->events, a->record.n_events) &&
	       pq_pairs_equal(a->record.caps, b->record.caps, a->record.n_caps);
}

struct pmuq_pair *pq_pairs_copy(struct pq_arena *arena, const struct pmuq_pair *pairs, size_t n)
{
	struct pmuq_pair *copy = pq_arena_array(arena, n, sizeof(*copy));

	for (size_t i = 0; copy && i < n; i++) {
		copy[i] = pairs[i];
		if (!pq_arena_keep(arena, &copy[i].name) || !pq_arena_keep(arena, &copy[i].text))
			return NULL;
	}
	return copy;
}

static struct pmuq_format *copy_formats(struct pq_arena *arena, const struct pq_def *def)
{
	struct pmuq_format *copy = pq_arena_array(arena, def->record.n_formats, sizeof(*copy));
	const char *problem;

	for (size_t i = 0; copy && i < def->record.n_formats; i++) {
		copy[i] = def->formats[i];
		copy[i].size = sizeof(copy[i]);
		if (!pq_arena_keep(arena, &copy[i].name) || !pq_arena_keep(arena, &copy[i].text))
			return NULL;
		copy[i].bits = pq_bits_parse(copy[i].text, &problem);
		copy[i].max = pq_bits_max(copy[i].bits);
	}
	return copy;
}

static struct pmuq_event *copy_events(struct pq_arena *arena, const struct pq_def *def)
{
	struct pmuq_event *copy = pq_arena_array(arena, def->record.n_events, sizeof(*copy));

	for (size_t i = 0; copy && i < def->record.n_events; i++) {
		copy[i] = def->events[i];
		copy[i].size = sizeof(copy[i]);
		if (!pq_arena_keep(arena, &copy[i].name) || !pq_arena_keep(arena, &copy[i].terms) ||
		    !pq_arena_keep(arena, &copy[i].unit) || !pq_arena_keep(arena, &copy[i].scale))
			return NULL;
	}
	return copy;
}

static bool has_upper(const struct pmuq_event *events, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_has_upper(events[i].name))
			return true;
	return false;
}

struct pq_def *pq_def_copy(struct pq_arena *arena, const struct pq_def *def, uint64_t hash)
{
	struct pq_def *copy = pq_arena_zero(arena, sizeof(*copy));

	if (!copy)
		return NULL;
	copy->record.size = sizeof(copy->record);
	copy->record.hash = hash;
	copy->formats = copy_formats(arena, def);
	copy->events = copy_events(arena, def);
	copy->record.caps = pq_pairs_copy(arena, def->record.caps, def->record.n_caps);
	copy->record.n_formats = def->record.n_formats;
	copy->record.n_events = def->record.n_events;
	copy->record.n_caps = def->record.n_caps;
	copy->has_upper = has_upper(def->events, def->record.n_events);
	if (!copy->formats || !copy->events || !copy->record.caps ||
	    !pq_map_build(arena, PQ_NAMED(copy->formats, name), copy->record.n_formats,
			  &copy->formats_by_name) ||
	    !pq_map_build(arena, PQ_NAMED(copy->events, name), copy->record.n_events,
			  &copy->events_by_name))
		return NULL;
	return copy;
}

/* The bytes of an entry without its texts. */
#define ENTRY_BYTES 128

static uint64_t pairs_list_bytes(const struct pmuq_pair *pairs, size_t n)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += ENTRY_BYTES + pairs[i].name.n + pairs[i].text.n;
	return bytes;
}

uint64_t pq_draft_list_bytes(const struct pq_pmu_draft *draft)
{
	uint64_t bytes = pairs_list_bytes(draft->caps, draft->n_caps) +
			 pairs_list_bytes(draft->attributes, draft->n_attributes);

	for (size_t i = 0; i < draft->n_formats; i++)
		bytes += ENTRY_BYTES + draft->formats[i].name.n + draft->formats[i].text.n;
	for (size_t i = 0; i < draft->n_events; i++)
		bytes += ENTRY_BYTES + draft->events[i].name.n + draft->events[i].terms.n +
			 draft->events[i].unit.n;
	return bytes;
}

struct pq_def pq_draft_content(struct pq_pmu_draft *draft)
{
	PQ_SORT_BY_NAME(draft->formats, draft->n_formats, name);
	PQ_SORT_BY_NAME(draft->events, draft->n_events, name);
	PQ_SORT_BY_NAME(draft->caps, draft->n_caps, name);
	PQ_SORT_BY_NAME(draft->attributes, draft->n_attributes, name);
	return (struct pq_def){
		.formats = draft->formats,
		.events = draft->events,
		.record = { .caps = draft->caps,
			    .n_formats = draft->n_formats,
			    .n_events = draft->n_events,
			    .n_caps = draft->n_caps },
	};
}
