/* SPDX-License-Identifier: MIT */
/* Tracepoints: their ids in tracefs, if it is mounted (before Linux 4.1 in debugfs). */
#include "discover/read/tracefs.h"
#include "core/num.h"

#define TRACEFS "sys/kernel/tracing/"
#define DEBUGFS "sys/kernel/debug/tracing/"
#define EVENTS "events"
/* "SUBSYSTEM:NAME" of each tracepoint that can be enabled, in any order. */
#define AVAILABLE "available_events"
/* The others are the kernel's own, in this subsystem. */
#define NOT_ENABLED STR("ftrace")

struct pq_handle pq_tracefs_open(struct pq_reader *reader)
{
	struct pq_root *root = reader->root;
	struct pq_handle at = PQ_NO_HANDLE;
	int r = pq_root_enter(root, root->top, TRACEFS EVENTS, PQ_WITHIN_ROOT, &at);
	int errnum = root->errnum;

	if (r == 0 || pq_root_enter(root, root->top, DEBUGFS EVENTS, PQ_WITHIN_ROOT, &at) == 0)
		return at;
	/* Only a failure of the first shows that there is a tracefs. */
	root->errnum = errnum;
	pq_reader_note_failure(reader, TRACEFS EVENTS, r);
	return PQ_NO_HANDLE;
}

/* "subsystem/name/id"; it lives until the next path. */
static const char *id_path(struct pq_root *root, struct pmuq_str subsystem, struct pmuq_str name)
{
	struct pq_dir dir = { .scope = PQ_SCOPE_DEVICES, .pmu = subsystem, .sub = name };

	return pq_dir_path(root, &dir, STR("id"));
}

int pq_tracefs_read_id(struct pq_reader *reader, struct pq_handle at, struct pmuq_str subsystem,
		       struct pmuq_str name, uint64_t *ret)
{
	struct pmuq_str text;
	int r;

	if (!pq_is_file_name(subsystem) || !pq_is_file_name(name))
		return PQ_NONE;
	r = pq_root_read_at(reader->root, at, id_path(reader->root, subsystem, name), PQ_PATH_BELOW,
			    &text);
	if (r != 0)
		return r;
	return pq_num_decimal(pq_content_line(text), ret) == PQ_NUM_OK ? 0 : PQ_NONE;
}

/* A directory of tracefs that cannot be listed, or an id that cannot be read. */
static void note_failure(struct pq_reader *reader, struct pmuq_str subsystem, struct pmuq_str name,
			 int r)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

	pq_buf_print(&path, TRACEFS EVENTS "%s%.*s", subsystem.n ? "/" : "", STR_ARG(subsystem));
	if (name.n)
		pq_buf_print(&path, "/%.*s/id", STR_ARG(name));
	reader->failed |= path.failed;
	if (!path.failed)
		pq_reader_note_failure(reader, path.p, r);
}

static int list(struct pq_reader *reader, struct pq_handle at, struct pmuq_str subsystem,
		struct pq_entries *ret)
{
	auto_handle struct pq_handle below = PQ_NO_HANDLE;
	struct pmuq_str name = subsystem.n ? pq_reader_copy(reader, subsystem) : STR(".");
	int r = pq_root_enter(reader->root, at, name.p, PQ_WITHIN_NO_LINKS, &below);

	if (r == 0)
		r = pq_root_list(reader->root, below, reader->arena, ret);
	if (r < 0)
		note_failure(reader, subsystem, STR(""), r);
	return r;
}

struct pq_entries pq_tracefs_list(struct pq_reader *reader, struct pq_handle at,
				  struct pmuq_str subsystem)
{
	struct pq_entries entries = { 0 };
	size_t n = 0;

	if (list(reader, at, subsystem, &entries) != 0)
		return (struct pq_entries){ 0 };
	for (size_t i = 0; i < entries.n; i++)
		if (entries.v[i].type == PQ_FILE_DIR)
			entries.v[n++] = entries.v[i];
	entries.n = n;
	if (!pq_entries_copy(reader->arena, &entries)) {
		reader->failed = true;
		return (struct pq_entries){ 0 };
	}
	PQ_SORT_BY_NAME(entries.v, entries.n, name);
	return entries;
}

/* The ids of a subsystem. One problem for each: there are thousands of tracepoints. */
struct id_reader {
	struct pq_reader *reader;
	struct pq_handle at;
	struct pmuq_str subsystem;
	bool is_noted;
};

/* False if the tracepoint has no id, or its id cannot be read. */
static bool read_id(struct id_reader *ids, struct pmuq_str name, uint64_t *ret)
{
	int r = pq_tracefs_read_id(ids->reader, ids->at, ids->subsystem, name, ret);

	if (r < 0 && !ids->is_noted)
		note_failure(ids->reader, ids->subsystem, name, r);
	ids->is_noted |= r < 0;
	return r == 0;
}

static int walk_subsystem(struct pq_reader *reader, struct pq_handle at, struct pmuq_str subsystem,
			  struct pmuq_error **reterr)
{
	struct pq_entries names = pq_tracefs_list(reader, at, subsystem);
	struct id_reader ids = { .reader = reader, .at = at, .subsystem = subsystem };
	int r = 0;

	for (size_t i = 0; r == 0 && i < names.n; i++) {
		struct pmuq_tracepoint tracepoint = { .subsystem = subsystem,
						      .name = names.v[i].name };

		if (read_id(&ids, tracepoint.name, &tracepoint.id))
			r = pq_builder_tracepoint(reader->builder, &tracepoint, reterr);
	}
	return r;
}

static size_t count_lines(struct pmuq_str text)
{
	struct pmuq_str line;
	size_t n = 0;

	while (str_next(&text, '\n', &line))
		n += line.n > 0;
	return n;
}

/* False if the kernel's list cannot be read. It is used of the running kernel alone: a tree may
 * have another list than directories. */
static bool count(struct pq_reader *reader, struct pq_handle at, size_t *ret)
{
	struct id_reader ids = { .reader = reader, .at = at, .subsystem = NOT_ENABLED };
	struct pq_root *root = reader->root;
	struct pq_entries others;
	struct pmuq_str text;
	uint64_t id;

	if (!root->is_live ||
	    (pq_root_read(root, TRACEFS AVAILABLE, PQ_TRACEPOINT_LIST_MAX_BYTES, &text) != 0 &&
	     pq_root_read(root, DEBUGFS AVAILABLE, PQ_TRACEPOINT_LIST_MAX_BYTES, &text) != 0))
		return false;
	*ret = count_lines(text);
	others = pq_tracefs_list(reader, at, NOT_ENABLED);
	for (size_t i = 0; i < others.n; i++)
		*ret += read_id(&ids, others.v[i].name, &id);
	return true;
}

static int walk_all(struct pq_reader *reader, struct pq_handle at, struct pmuq_error **reterr)
{
	struct pq_entries subsystems = pq_tracefs_list(reader, at, STR(""));
	int r = 0;

	for (size_t i = 0; r == 0 && i < subsystems.n; i++)
		r = walk_subsystem(reader, at, subsystems.v[i].name, reterr);
	return r;
}

int pq_tracefs_walk(struct pq_reader *reader, enum pq_part part, struct pmuq_error **reterr)
{
	auto_handle struct pq_handle at = pq_tracefs_open(reader);
	size_t n;
	int r = 0;

	if (!pq_handle_is_open(at))
		return pq_reader_check(reader, reterr);
	if (part == PQ_PART_PMUS && count(reader, at, &n))
		pq_builder_count_tracepoints(reader->builder, n);
	else
		r = walk_all(reader, at, reterr);
	return r == 0 ? pq_reader_check(reader, reterr) : r;
}
