/* SPDX-License-Identifier: MIT */
/* A file that cannot be read is a problem of the catalog; it does not hide the PMU or the other
 * files. */
#include "discover/read/walk_part.h"
#include "discover/read/pmu.h"

/* All PMUs but the largest need less. */
#define SCRATCH_BYTES ((size_t)128 << 10)

void pq_walk_part_reset(struct pq_walk_part *part)
{
	pq_arena_clear(&part->scratch);
	pq_arena_init(&part->scratch, part->first, SCRATCH_BYTES, PQ_WALK_MAX_BYTES);
}

int pq_walk_part_begin(struct pq_walk_part *part, struct pmuq_error **reterr)
{
	part->first = malloc(SCRATCH_BYTES);
	if (!part->first)
		return pq_fail_memory(reterr);
	part->reader.arena = &part->scratch;
	pq_walk_part_reset(part);
	return 0;
}

void pq_walk_part_end(struct pq_walk_part *part)
{
	pq_arena_clear(&part->scratch);
	free(part->first);
}

static void remember_core(struct pq_walk_part *part, const struct pq_pmu_draft *draft)
{
	if (draft->has_type && pq_pmu_name_is_core(draft->name, draft->cpus_file.p != NULL))
		part->core_types[part->n_core_types++] = draft->type;
}

static void note_no_pmu(struct pq_walk_part *part, const struct pq_entry *entry, int r)
{
	struct pq_reader *reader = &part->reader;
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
static void leave_out(struct pq_walk_part *part, struct pq_pmu_draft *draft)
{
	struct pq_dir dir = { .pmu = draft->name };

	part->n_left_out++;
	draft->n_formats = draft->n_events = draft->n_caps = draft->n_attributes = 0;
	pq_reader_note_file(
		&part->reader, &dir, STR(""), PMUQ_E_TOO_LARGE_FILE,
		"its files are left out: with them, the PMUs would have more formats, events "
		"and caps than any machine has");
}

static void limit_lists(struct pq_walk_part *part, struct pq_pmu_draft *draft)
{
	uint64_t bytes = pq_draft_list_bytes(draft);

	if (bytes > PQ_LISTS_MAX_BYTES - part->list_bytes)
		leave_out(part, draft);
	else
		part->list_bytes += bytes;
}

/* A hostile tree can have many links to one large PMU: the rest of them are not read. */
static void read_pmu(struct pq_walk_part *part, struct pq_handle at, struct pq_pmu_draft *draft)
{
	if (part->n_left_out < PQ_LEFT_OUT_MAX) {
		pq_pmu_read(&part->reader, at, true, draft);
		limit_lists(part, draft);
		return;
	}
	draft->has_type = pq_pmu_known_type(draft->name, &draft->type);
	leave_out(part, draft);
}

/* A directory that cannot be read is a PMU, too. */
static int walk_pmu(struct pq_walk_part *part, const struct pq_entry *entry,
		    struct pmuq_error **reterr)
{
	struct pq_pmu_draft draft = { .name = entry->name };
	auto_handle struct pq_handle at = PQ_NO_HANDLE;
	int r = pq_walk_enter(part->reader.root, part->devices, entry->name, entry->type, &at);

	if (r != 0)
		note_no_pmu(part, entry, r);
	if (r == PQ_NONE || r == -PMUQ_E_REFUSED_FILE)
		return 0;
	if (r == 0)
		read_pmu(part, at, &draft);
	else
		draft.has_type = pq_pmu_known_type(draft.name, &draft.type);
	remember_core(part, &draft);
	r = pq_reader_check(&part->reader, reterr);
	return r == 0 ? pq_builder_pmu(part->reader.builder, &draft, reterr) : r;
}

int pq_walk_part_read(struct pq_walk_part *part, struct pmuq_error **reterr)
{
	int r = 0;

	part->n_core_types = part->n_left_out = 0;
	part->list_bytes = 0;
	for (size_t i = 0; r == 0 && i < part->n; i++) {
		pq_walk_part_reset(part);
		r = walk_pmu(part, &part->entries[i], reterr);
	}
	return r;
}
