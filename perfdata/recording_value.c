/* SPDX-License-Identifier: MIT */
/* Adds the values that a reader finds to the feature. */
#include "perfdata/feature.h"
#include <stdio.h>

void pq_value_full(struct pq_feature_reader *in)
{
	struct pq_file_cursor *cursor = in->cursor;

	if (cursor->r >= 0)
		cursor->r = pq_recording_full(in->recording, cursor->input,
					      cursor->offset + cursor->at, cursor->reterr);
}

struct pmuq_str pq_value_copy(struct pq_feature_reader *in, struct pmuq_str text)
{
	struct pmuq_str copy = pq_arena_str(&in->recording->arena, text);

	if (!copy.p)
		pq_value_full(in);
	return copy;
}

void pq_value(struct pq_feature_reader *in, struct pmuq_str name, struct pmuq_str text)
{
	struct pmuq_pair copy;

	if (in->cursor->r < 0)
		return;
	copy = (struct pmuq_pair){ .name = pq_value_copy(in, name),
				   .text = pq_value_copy(in, text) };
	if (in->cursor->r < 0 || !pq_vec_push_in(&in->recording->arena, &in->values, copy))
		pq_value_full(in);
}

static void print(struct pq_feature_reader *in, struct pmuq_str name, const char *format,
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

void pq_value_print(struct pq_feature_reader *in, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(in, str_of(name), format, args);
	va_end(args);
}

void pq_value_print_of(struct pq_feature_reader *in, struct pmuq_str name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print(in, name, format, args);
	va_end(args);
}
