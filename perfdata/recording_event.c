/* SPDX-License-Identifier: MIT */
/*
 * The events of a recording: attrs of any version; and their names, groups and units, which come
 * from other parts of the file and are added when everything has been read.
 */
#include "core/attr/attr_bytes.h"
#include "core/flags.h"
#include "perfdata/recording.h"
#include <inttypes.h>

/* The name that perf writes for a group without a name. */
#define NO_GROUP_NAME STR("{anon_group}")

static bool is_zero(const unsigned char *bytes, size_t n)
{
	while (n && !bytes[n - 1])
		n--;
	return !n;
}

bool pq_recorded_attr(const struct pmuq_recording *recording, const unsigned char *bytes, size_t n,
		      struct pq_recorded_event *ret, uint32_t *ret_size)
{
	struct pmuq_attr attr = { 0 };
	uint32_t known = sizeof(attr);

	*ret_size = pq_load32(recording->input, bytes + offsetof(struct pmuq_attr, size));
	/* For perf and the kernel, size 0 means the first published size. */
	if (!*ret_size)
		*ret_size = PQ_ATTR_SIZE_FIRST;
	if (*ret_size < PQ_ATTR_SIZE_FIRST || *ret_size > n)
		return false;
	known = *ret_size < known ? *ret_size : known;
	memcpy(&attr, bytes, known);
	if (recording->input->is_other_order)
		pq_attr_from_other_order(&attr);
	ret->record.has_unknown_tail = !is_zero(bytes + known, n - known);
	while (!pq_attr_size_version(known, NULL))
		known++;
	attr.size = known;
	ret->attr = attr;
	ret->record.attr_size = *ret_size;
	return true;
}

struct pq_recorded_event *pq_event_add(struct pmuq_recording *recording,
				       struct pq_recorded_events *events, uint64_t offset)
{
	struct pq_recorded_event *event = NULL;

	if (events->n == PQ_EVENTS_MAX)
		pq_input_fail(recording->input, PMUQ_E_LARGE_RECORDING, offset,
			      "there are more than %d events", PQ_EVENTS_MAX);
	if (recording->input->r == 0)
		event = pq_vec_add_in(&recording->arena, events);
	if (!event)
		pq_recording_full(recording, offset);
	return event;
}

void pq_event_set_ids(struct pmuq_recording *recording, uint64_t offset, const unsigned char *bytes,
		      size_t n, struct pq_recorded_event *event)
{
	uint64_t *ids = pq_arena_array(&recording->arena, n, sizeof(*ids));

	if (!ids)
		pq_recording_full(recording, offset);
	for (size_t i = 0; ids && i < n; i++)
		ids[i] = pq_load64(recording->input, bytes + i * sizeof(*ids));
	event->record.ids = n ? ids : NULL;
	event->record.n_ids = ids ? n : 0;
}

/* --------------------------------------------------------------------------------------- names */

/* The attrs of EVENT_DESC can be shorter, so only what identifies an event is compared. */
static bool is_same(const struct pq_recorded_event *a, const struct pq_recorded_event *b)
{
	return a->attr.type == b->attr.type && a->attr.config == b->attr.config;
}

/* EVENT_DESC has the events in the order of the attrs. Without attrs, its events are the events. */
static void set_names(struct pmuq_recording *recording)
{
	const struct pq_recorded_event *described = recording->described.v;
	size_t n = recording->described.n, n_others = 0;

	if (!recording->events.n) {
		recording->events = recording->described;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct pq_recorded_event *event = pq_recording_event(recording, i);

		if (event && is_same(event, &described[i]))
			event->record.name = described[i].record.name;
		else
			n_others++;
	}
	if (n_others)
		pq_input_fail(recording->input, PMUQ_E_BAD_RECORDING, 0,
			      "EVENT_DESC: %zu of its %zu events differ from the attrs", n_others,
			      n);
	pq_recording_note(recording);
}

/* ------------------------------------------------------------------------------------- updates */

struct numbered {
	uint64_t id;
	struct pq_recorded_event *event;
};

static int compare_ids(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* A name of EVENT_DESC takes precedence. Unknown types were skipped. */
static void update(struct pq_recorded_event *event, const struct pq_event_update *change)
{
	if (change->type == PQ_UPDATE_UNIT)
		event->record.unit = change->text;
	else if (change->type == PQ_UPDATE_SCALE)
		event->record.scale = change->text;
	else if (change->type == PQ_UPDATE_NAME && !event->record.name.n)
		event->record.name = change->text;
}

static size_t count_ids(const struct pmuq_recording *recording)
{
	size_t n = 0;

	for (size_t i = 0; i < recording->events.n; i++)
		n += pq_recording_event(recording, i)->record.n_ids;
	return n;
}

/* An update has one of the ids of its event; an event has an id for each CPU. */
static void apply_updates(struct pmuq_recording *recording)
{
	const struct pq_event_update *updates = recording->updates.v;
	size_t n_ids = count_ids(recording), n = 0;
	auto_free struct numbered *ids = NULL;

	if (!recording->updates.n || !n_ids)
		return;
	ids = calloc(n_ids, sizeof(*ids));
	if (!ids) {
		pq_input_fail_memory(recording->input);
		return;
	}
	for (size_t i = 0; i < recording->events.n; i++) {
		struct pq_recorded_event *event = pq_recording_event(recording, i);

		for (size_t j = 0; j < event->record.n_ids; j++)
			ids[n++] = (struct numbered){ .id = event->record.ids[j], .event = event };
	}
	qsort(ids, n, sizeof(*ids), compare_ids);
	for (size_t i = 0; i < recording->updates.n; i++) {
		struct numbered key = { .id = updates[i].id };
		struct numbered *found = bsearch(&key, ids, n, sizeof(*ids), compare_ids);

		if (found)
			update(found->event, &updates[i]);
	}
}

/* -------------------------------------------------------------------------------------- groups */

static void set_group(struct pmuq_recording *recording, const struct pq_group_desc *group)
{
	for (size_t i = 0; i < group->n_members; i++) {
		struct pq_recorded_event *event = pq_recording_event(recording, group->leader + i);

		event->record.leader = group->leader;
		event->record.n_members = group->n_members;
		if (!str_eq(group->name, NO_GROUP_NAME) && group->name.n)
			event->record.group_name = group->name;
	}
}

/* Whether all its events exist and are in no other group. */
static bool is_sound(const struct pmuq_recording *recording, const struct pq_group_desc *group)
{
	size_t n = recording->events.n;

	if (!group->n_members || group->leader >= n || group->n_members > n - group->leader)
		return false;
	for (size_t i = 0; i < group->n_members; i++)
		if (pq_recording_event(recording, group->leader + i)->record.n_members > 1)
			return false;
	return true;
}

static void set_groups(struct pmuq_recording *recording)
{
	const struct pq_group_desc *groups = recording->groups.v;

	for (size_t i = 0; i < recording->events.n; i++) {
		pq_recording_event(recording, i)->record.leader = i;
		pq_recording_event(recording, i)->record.n_members = 1;
	}
	for (size_t i = 0; i < recording->groups.n; i++) {
		if (is_sound(recording, &groups[i]))
			set_group(recording, &groups[i]);
		else
			pq_input_fail(recording->input, PMUQ_E_BAD_RECORDING, groups[i].offset,
				      "GROUP_DESC: a group of %" PRIu32
				      " events led by event %" PRIu32
				      " does not fit %zu events, or overlaps another group",
				      groups[i].n_members, groups[i].leader, recording->events.n);
		pq_recording_note(recording);
	}
}

void pq_recording_finalize(struct pmuq_recording *recording)
{
	if (recording->input->r < 0)
		return;
	set_names(recording);
	apply_updates(recording);
	set_groups(recording);
}
