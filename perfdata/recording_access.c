/* SPDX-License-Identifier: MIT */
/* What a recording answers. */
#include "perfdata/recording.h"
#include <pmuq/pmuq.h>

PQ_API bool pmuq_recording_is_stream(const struct pmuq_recording *recording)
{
	return recording->is_stream;
}

PQ_API bool pmuq_recording_is_big_endian(const struct pmuq_recording *recording)
{
	return recording->is_big_endian;
}

PQ_API uint64_t pmuq_recording_bytes_read(const struct pmuq_recording *recording)
{
	return recording->bytes_read;
}

PQ_API size_t pmuq_recording_problem_count(const struct pmuq_recording *recording)
{
	return recording->problems.n;
}

PQ_API const struct pmuq_error *pmuq_recording_problem(const struct pmuq_recording *recording,
						       size_t index)
{
	struct pmuq_error *const *problems = recording->problems.v;

	return index < recording->problems.n ? problems[index] : NULL;
}

/* -------------------------------------------------------------------------------------- events */

PQ_API size_t pmuq_recording_event_count(const struct pmuq_recording *recording)
{
	return recording->events.n;
}

PQ_API const struct pmuq_attr *pmuq_recording_event_attr(const struct pmuq_recording *recording,
							 size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found ? &found->attr : NULL;
}

PQ_API uint32_t pmuq_recording_event_attr_size(const struct pmuq_recording *recording, size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found ? found->attr_size : 0;
}

PQ_API bool pmuq_recording_event_has_unknown_tail(const struct pmuq_recording *recording,
						  size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found && found->has_unknown_tail;
}

PQ_API const char *pmuq_recording_event_name(const struct pmuq_recording *recording, size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found && found->name.n ? found->name.p : NULL;
}

PQ_API const char *pmuq_recording_event_unit(const struct pmuq_recording *recording, size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found && found->unit.p ? found->unit.p : "";
}

PQ_API const char *pmuq_recording_event_scale(const struct pmuq_recording *recording, size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found && found->scale.p ? found->scale.p : "1";
}

PQ_API size_t pmuq_recording_event_id_count(const struct pmuq_recording *recording, size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found ? found->n_ids : 0;
}

PQ_API uint64_t pmuq_recording_event_id(const struct pmuq_recording *recording, size_t event,
					size_t index)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found && index < found->n_ids ? found->ids[index] : 0;
}

PQ_API size_t pmuq_recording_event_leader(const struct pmuq_recording *recording, size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found ? found->leader : event;
}

PQ_API size_t pmuq_recording_event_group_size(const struct pmuq_recording *recording, size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found ? found->group_size : 0;
}

PQ_API const char *pmuq_recording_event_group_name(const struct pmuq_recording *recording,
						   size_t event)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, event);

	return found && found->group_name.n ? found->group_name.p : NULL;
}

/* ------------------------------------------------------------------------------------ features */

PQ_API size_t pmuq_recording_feature_count(const struct pmuq_recording *recording)
{
	return recording->features.n;
}

PQ_API unsigned pmuq_recording_feature_number(const struct pmuq_recording *recording,
					      size_t feature)
{
	const struct pq_feature *found = pq_recording_feature(recording, feature);

	return found ? found->number : 0;
}

PQ_API const char *pmuq_recording_feature_name(const struct pmuq_recording *recording,
					       size_t feature)
{
	const struct pq_feature *found = pq_recording_feature(recording, feature);

	return found ? pq_feature_name(found->number) : NULL;
}

PQ_API uint64_t pmuq_recording_feature_bytes(const struct pmuq_recording *recording, size_t feature)
{
	const struct pq_feature *found = pq_recording_feature(recording, feature);

	return found ? found->bytes : 0;
}

PQ_API bool pmuq_recording_feature_is_read(const struct pmuq_recording *recording, size_t feature)
{
	const struct pq_feature *found = pq_recording_feature(recording, feature);

	return found && found->is_read;
}

PQ_API size_t pmuq_recording_value_count(const struct pmuq_recording *recording, size_t feature)
{
	const struct pq_feature *found = pq_recording_feature(recording, feature);

	return found ? found->n_values : 0;
}

static const struct pq_pair *value_of(const struct pmuq_recording *recording, size_t feature,
				      size_t value)
{
	const struct pq_feature *found = pq_recording_feature(recording, feature);

	return found && value < found->n_values ? &found->values[value] : NULL;
}

PQ_API const char *pmuq_recording_value_name(const struct pmuq_recording *recording, size_t feature,
					     size_t value)
{
	const struct pq_pair *found = value_of(recording, feature, value);

	return found ? found->name.p : NULL;
}

PQ_API const char *pmuq_recording_value_text(const struct pmuq_recording *recording, size_t feature,
					     size_t value)
{
	const struct pq_pair *found = value_of(recording, feature, value);

	return found ? found->text.p : NULL;
}
