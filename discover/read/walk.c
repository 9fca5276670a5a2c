/* SPDX-License-Identifier: MIT */
/*
 * Reads a whole machine into a catalog, PMU by PMU, in the order of the directory. A file that
 * cannot be read is a problem of the catalog; it does not hide the PMU or the other files.
 */
#include "core/limits.h"
#include "discover/read/file_reader.h"
#include "discover/read/host_facts.h"
#include "discover/read/pmu.h"
#include "discover/read/tracefs.h"
#include <errno.h>

/* All PMUs but the largest need less. It is reused from PMU to PMU. */
#define SCRATCH_BYTES ((size_t)128 << 10)

struct machine_walk {
	struct pq_reader reader;
	struct pq_arena lasting, scratch;
	void *first;
	uint32_t *core_types;
	size_t n_core_types;
	uint64_t list_bytes; /* of all PMUs so far */
	size_t n_left_out;   /* PMUs that would exceed the limit */
};

/* In sysfs a PMU is a symbolic link, so this one is followed; in a captured tree within the root.
 */
int pq_walk_enter(struct pq_root *root, struct pq_handle devices, struct pmuq_str name,
		  enum pq_file_type type, struct pq_handle *ret_at)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

	if (root->is_live)
		return pq_root_enter(root, devices, name.p, PQ_WITHIN_ROOT, ret_at);
	if (type == PQ_FILE_DIR)
		return pq_root_enter(root, devices, name.p, PQ_WITHIN_NO_LINKS, ret_at);
	if (type != PQ_FILE_LINK)
		return PQ_NONE;
	pq_buf_add(&path, STR(PQ_DEVICES "/"));
	pq_buf_add(&path, name);
	pq_buf_char(&path, '\0', 1);
	if (path.failed)
		return pq_root_resource_error(root, ENOMEM);
	return pq_root_enter(root, root->top, path.p, PQ_WITHIN_ROOT, ret_at);
}

int pq_walk_list(struct pq_root *root, struct pq_handle devices, struct pq_arena *arena,
		 struct pq_entries *ret, struct pmuq_error **reterr)
{
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	int r = pq_root_enter(root, devices, ".", PQ_WITHIN_NO_LINKS, &at);

	if (r == 0)
		r = pq_root_list(root, at, arena, ret);
	if (r == 0)
		return 0;
	if (root->resource_errnum)
		return pq_root_check(root, reterr);
	/* A machine without a PMU has the directory, too. */
	return pq_fail(reterr, PMUQ_E_STALE_SOURCE, "the list of PMUs cannot be read: %s",
		       r == PQ_NONE ? "its directory is gone" : pq_root_reason(r, root->errnum));
}

static void reset_scratch(struct machine_walk *walk)
{
	pq_arena_clear(&walk->scratch);
	pq_arena_init(&walk->scratch, walk->first, SCRATCH_BYTES, PQ_WALK_MAX_BYTES);
}

static void remember_core(struct machine_walk *walk, const struct pq_pmu_draft *draft)
{
	if (draft->has_type && pq_pmu_name_is_core(draft->name, draft->cpus_file.p != NULL))
		walk->core_types[walk->n_core_types++] = draft->type;
}

static void note_no_pmu(struct machine_walk *walk, const struct pq_entry *entry, int r)
{
	struct pq_reader *reader = &walk->reader;
	struct pq_dir dir = { .pmu = entry->name };

	if (r < 0 && r != -PMUQ_E_REFUSED_FILE)
		pq_reader_note_unreadable(reader, &dir, STR(""), r);
	else if (reader->root->is_live)
		pq_reader_note_file(reader, &dir, STR(""), PMUQ_E_STALE_SOURCE,
				    "the PMU was removed while the machine was read");
	else
		pq_reader_note_file(reader, &dir, STR(""), PMUQ_E_REFUSED_FILE,
				    entry->type == PQ_FILE_LINK ? PQ_LINK_LEADS_OUT
								: "not a directory");
}

/* The lists of the machine stay below PQ_LISTS_MAX_BYTES: a PMU that would exceed it is known by
 * name and type. */
static void leave_out(struct machine_walk *walk, struct pq_pmu_draft *draft)
{
	struct pq_dir dir = { .pmu = draft->name };

	walk->n_left_out++;
	draft->n_formats = draft->n_events = draft->n_caps = draft->n_attributes = 0;
	pq_reader_note_file(
		&walk->reader, &dir, STR(""), PMUQ_E_TOO_LARGE_FILE,
		"its files are left out: with them, the PMUs would have more formats, events "
		"and caps than any machine has");
}

static void limit_lists(struct machine_walk *walk, struct pq_pmu_draft *draft)
{
	uint64_t bytes = pq_draft_list_bytes(draft);

	if (bytes > PQ_LISTS_MAX_BYTES - walk->list_bytes)
		leave_out(walk, draft);
	else
		walk->list_bytes += bytes;
}

/* A hostile tree can have many links to one large PMU: the rest of them are not read. */
static void read_pmu(struct machine_walk *walk, struct pq_handle at, struct pq_pmu_draft *draft)
{
	if (walk->n_left_out < PQ_LEFT_OUT_MAX) {
		pq_pmu_read(&walk->reader, at, true, draft);
		limit_lists(walk, draft);
		return;
	}
	draft->has_type = pq_pmu_known_type(draft->name, &draft->type);
	leave_out(walk, draft);
}

/* A directory that cannot be read is a PMU, too. */
static int walk_pmu(struct machine_walk *walk, struct pq_handle devices,
		    const struct pq_entry *entry, struct pmuq_error **reterr)
{
	struct pq_pmu_draft draft = { .name = entry->name };
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	int r = pq_walk_enter(walk->reader.root, devices, entry->name, entry->type, &at);

	if (r != 0)
		note_no_pmu(walk, entry, r);
	if (r == PQ_NONE || r == -PMUQ_E_REFUSED_FILE)
		return 0;
	if (r == 0)
		read_pmu(walk, at, &draft);
	else
		draft.has_type = pq_pmu_known_type(draft.name, &draft.type);
	remember_core(walk, &draft);
	r = pq_reader_check(&walk->reader, reterr);
	return r == 0 ? pq_builder_pmu(walk->reader.builder, &draft, reterr) : r;
}

static int walk_pmus(struct machine_walk *walk, struct pq_handle devices,
		     struct pmuq_error **reterr)
{
	struct pq_entries entries;
	int r = pq_walk_list(walk->reader.root, devices, &walk->lasting, &entries, reterr);

	if (r < 0)
		return r;
	walk->core_types = pq_arena_array(&walk->lasting, entries.n, sizeof(*walk->core_types));
	if (!pq_entries_copy(&walk->lasting, &entries) || !walk->core_types)
		return pq_fail_memory(reterr);
	for (size_t i = 0; r == 0 && i < entries.n; i++) {
		reset_scratch(walk);
		r = walk_pmu(walk, devices, &entries.v[i], reterr);
	}
	return r;
}

static int walk_host(struct machine_walk *walk, struct pmuq_error **reterr)
{
	struct pq_host_reader host;
	int r = 0;

	pq_host_init(&host, &walk->reader);
	host.core_types = walk->core_types;
	host.n_core_types = walk->n_core_types;
	for (enum pq_fact fact = 0; r == 0 && fact < PQ_FACT_COUNT; fact++) {
		struct pmuq_str text = pq_host_fact(&host, fact);

		if (text.n)
			r = pq_builder_fact(walk->reader.builder, pq_fact_name(fact), text, reterr);
	}
	return r == 0 ? pq_reader_check(&walk->reader, reterr) : r;
}

static int walk_all(struct machine_walk *walk, struct pq_handle devices, enum pq_part part,
		    struct pmuq_error **reterr)
{
	int r = walk_pmus(walk, devices, reterr);

	reset_scratch(walk);
	if (r == 0)
		r = walk_host(walk, reterr);
	reset_scratch(walk);
	return r == 0 ? pq_tracefs_walk(&walk->reader, part, reterr) : r;
}

static int build(struct machine_walk *walk, struct pq_handle devices, enum pq_part part,
		 struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	int r = pq_builder_new(&walk->reader.builder, reterr);

	if (r < 0)
		return r;
	if (walk->reader.root->is_live)
		pq_builder_is_live(walk->reader.builder);
	r = walk_all(walk, devices, part, reterr);
	if (r == 0)
		return pq_builder_finish(walk->reader.builder, ret, reterr);
	pq_builder_free(walk->reader.builder);
	return r;
}

int pq_walk(struct pq_root *root, struct pq_handle devices, enum pq_part part,
	    struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	auto_free void *first = malloc(SCRATCH_BYTES);
	struct machine_walk walk = {
		.reader = { .root = root, .arena = &walk.scratch },
		.lasting = PQ_ARENA(PQ_WALK_MAX_BYTES),
		.first = first,
	};
	int r;

	if (!first)
		return pq_fail_memory(reterr);
	reset_scratch(&walk);
	r = build(&walk, devices, part, ret, reterr);
	root->resource_errnum = 0; /* the walk may have failed for another reason */
	pq_arena_clear(&walk.scratch);
	pq_arena_clear(&walk.lasting);
	return r;
}
