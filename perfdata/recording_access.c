/* SPDX-License-Identifier: MIT */
/* The functions of the API that read a recording. */
#include "perfdata/recording.h"
#include <pmuq/pmuq.h>

/* The arrays do not grow any more, so the records may point into them. */
void pq_recording_complete(struct pmuq_recording *recording)
{
	struct pmuq_recorded *content = &recording->content;

	content->size = sizeof(*content);
	content->n_events = recording->events.n;
	content->n_features = recording->features.n;
	content->n_problems = recording->problems.n;
	for (size_t i = 0; i < recording->events.n; i++) {
		struct pq_recorded_event *event = pq_recording_event(recording, i);
		struct pmuq_recorded_event *record = &event->record;

		record->size = sizeof(*record);
		record->attr = &event->attr;
		if (!record->name.n)
			record->name = (struct pmuq_str){ 0 };
		if (!record->group_name.n)
			record->group_name = (struct pmuq_str){ 0 };
		if (!record->unit.p)
			record->unit = STR("");
		if (!record->scale.p)
			record->scale = STR("1");
	}
}

PQ_API const struct pmuq_recorded *pmuq_recording_content(const struct pmuq_recording *recording)
{
	return &recording->content;
}

PQ_API const struct pmuq_error *pmuq_recording_problem(const struct pmuq_recording *recording,
						       size_t index)
{
	return index < recording->problems.n ? recording->problems.v[index] : NULL;
}

PQ_API const struct pmuq_recorded_event *
pmuq_recording_event(const struct pmuq_recording *recording, size_t index)
{
	const struct pq_recorded_event *found = pq_recording_event(recording, index);

	return found ? &found->record : NULL;
}

PQ_API const struct pmuq_feature *pmuq_recording_feature(const struct pmuq_recording *recording,
							 size_t index)
{
	return pq_recording_feature(recording, index);
}
