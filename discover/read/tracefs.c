/* SPDX-License-Identifier: MIT */
/* Tracepoints: their numbers in tracefs, where it is mounted (and, before Linux 4.1, in debugfs).
 */
#include "core/num.h"
#include "discover/discover.h"

#define NEW_PLACE "sys/kernel/tracing/events"
#define OLD_PLACE "sys/kernel/debug/tracing/events"

struct pq_handle pq_tracefs_open(struct pq_reader *reader)
{
	struct pq_handle at = PQ_NO_HANDLE;
	int r = pq_root_enter(reader->root, NEW_PLACE, &at);
	int errnum = reader->root->errnum;

	if (r == 0 || pq_root_enter(reader->root, OLD_PLACE, &at) == 0)
		return at;
	/* Of the two, only the first being closed to us says that tracefs is there. */
	reader->root->errnum = errnum;
	pq_note_failure(reader, NEW_PLACE, r);
	return PQ_NO_HANDLE;
}

/* "subsystem/name/id"; lives until the next path. */
static const char *id_path(struct pq_root *root, struct pmuq_str subsystem, struct pmuq_str name)
{
	struct pq_dir dir = { .place = PQ_AT_DEVICES, .pmu = subsystem, .sub = name };

	return pq_dir_path(root, &dir, STR("id"));
}

int pq_tracefs_read_id(struct pq_reader *reader, struct pq_handle at, struct pmuq_str subsystem,
		       struct pmuq_str name, uint64_t *ret)
{
	struct pmuq_str text;

	if (!pq_name_is_file(subsystem) || !pq_name_is_file(name))
		return PQ_NONE;
	if (pq_root_read_below(reader->root, at, id_path(reader->root, subsystem, name), &text) !=
	    0)
		return PQ_NONE;
	return pq_num_decimal(pq_text_line(text), ret) == PQ_NUM_OK ? 0 : PQ_NONE;
}

static int compare_entries(const void *a, const void *b)
{
	return str_cmp(((const struct pq_entry *)a)->name, ((const struct pq_entry *)b)->name);
}

static int list(struct pq_reader *reader, struct pq_handle at, struct pmuq_str subsystem,
		struct pq_entries *ret)
{
	auto_handle struct pq_handle below = PQ_NO_HANDLE;
	struct pmuq_str name = subsystem.n ? pq_reader_copy(reader, subsystem) : STR(".");
	int r = pq_root_enter_at(reader->root, at, name.p, false, &below);

	return r == 0 ? pq_root_list(reader->root, below, reader->arena, ret) : r;
}

struct pq_entries pq_tracefs_list(struct pq_reader *reader, struct pq_handle at,
				  struct pmuq_str subsystem)
{
	struct pq_entries entries = { 0 }, kept = { 0 };

	if (list(reader, at, subsystem, &entries) != 0)
		return kept;
	kept.v = pq_reader_array(reader, entries.n, sizeof(*kept.v));
	for (size_t i = 0; kept.v && i < entries.n; i++)
		if (entries.v[i].kind == PQ_KIND_DIR)
			kept.v[kept.n++] = entries.v[i];
	if (kept.n)
		qsort(kept.v, kept.n, sizeof(*kept.v), compare_entries);
	return kept;
}

static int walk_subsystem(struct pq_reader *reader, struct pq_handle at, struct pmuq_str subsystem,
			  struct pmuq_error **reterr)
{
	struct pq_entries names = pq_tracefs_list(reader, at, subsystem);
	int r = 0;

	for (size_t i = 0; r == 0 && i < names.n; i++) {
		struct pq_tracepoint tracepoint = { .subsystem = subsystem,
						    .name = names.v[i].name };

		if (pq_tracefs_read_id(reader, at, subsystem, tracepoint.name, &tracepoint.id) == 0)
			r = pq_builder_tracepoint(reader->builder, &tracepoint, reterr);
	}
	return r;
}

int pq_tracefs_walk(struct pq_reader *reader, struct pmuq_error **reterr)
{
	auto_handle struct pq_handle at = pq_tracefs_open(reader);
	struct pq_entries subsystems;
	int r = 0;

	if (!pq_handle_is_open(at))
		return pq_reader_check(reader, reterr);
	subsystems = pq_tracefs_list(reader, at, STR(""));
	for (size_t i = 0; r == 0 && i < subsystems.n; i++)
		r = walk_subsystem(reader, at, subsystems.v[i].name, reterr);
	return r == 0 ? pq_reader_check(reader, reterr) : r;
}
