/* SPDX-License-Identifier: MIT */
/* Values of features, and the lists that they are kept in. */
#include "perfdata/feature.h"
#include <stdio.h>

/* The first elements of a list. */
#define FIRST_ROOM 4

void *pq_list_add(struct pq_arena *arena, struct pq_list *list, size_t each_bytes)
{
	if (list->n == list->room) {
		size_t room = list->room ? 2 * list->room : FIRST_ROOM;
		void *v = pq_arena_array(arena, room, each_bytes);

		if (!v)
			return NULL;
		if (list->n)
			memcpy(v, list->v, list->n * each_bytes);
		list->v = v;
		list->room = room;
	}
	return (char *)list->v + list->n++ * each_bytes;
}

void pq_value_full(struct pq_feature_reading *in)
{
	struct pq_cursor *cursor = in->cursor;

	if (cursor->r >= 0)
		cursor->r = pq_recording_full(in->recording, cursor->input,
					      cursor->offset + cursor->at, cursor->reterr);
}

struct pmuq_str pq_value_copy(struct pq_feature_reading *in, struct pmuq_str text)
{
	struct pmuq_str copy = pq_arena_str(&in->recording->arena, text);

	if (!copy.p)
		pq_value_full(in);
	return copy;
}

void pq_value(struct pq_feature_reading *in, struct pmuq_str name, struct pmuq_str text)
{
	struct pmuq_pair copy, *value;

	if (in->cursor->r < 0)
		return;
	copy = (struct pmuq_pair){ .name = pq_value_copy(in, name),
				   .text = pq_value_copy(in, text) };
	value = in->cursor->r < 0 ? NULL
				  : pq_list_add(&in->recording->arena, &in->values, sizeof(*value));
	if (value)
		*value = copy;
	else
		pq_value_full(in);
}

static void print(struct pq_feature_reading *in, struct pmuq_str name, const char *format,
		  va_list args)
{
	auto_free char *text = NULL;

	if (in->cursor->r < 0)
		return;
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	if (text)
		pq_value(in, name, str_of(text));
	else
		in->cursor->r = pq_fail_memory(in->cursor->reterr);
}

void pq_value_print(struct pq_feature_reading *in, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(in, str_of(name), format, args);
	va_end(args);
}

void pq_value_print_of(struct pq_feature_reading *in, struct pmuq_str name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(in, name, format, args);
	va_end(args);
}
