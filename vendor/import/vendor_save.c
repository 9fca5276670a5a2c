/* SPDX-License-Identifier: MIT */
/*
 * Stores the gathered rows of an import: the events of a folder as a content that imports share,
 * then the folder, its CPUs and the problems as rows of the import.
 */
#include "core/catalog/intern.h"
#include "core/limits.h"
#include "core/num.h"
#include "vendor/import/vendor_import.h"
#include "vendor/vendor_sets.h"

/* "9.765625e-4KB" is a number and a unit. */
static void split_scale_unit(struct pq_vendor_draft_row *row)
{
	struct pmuq_str text = row->draft.scale_unit;
	size_t n = pq_num_scale_length(text);

	if (!text.n)
		return;
	row->unit = str_part(text, n, text.n);
	row->scale = pq_num_scale_text(str_part(text, 0, n));
}

static bool is_below(struct pmuq_str path, struct pmuq_str folder)
{
	return str_starts(path, folder) && path.n > folder.n && path.p[folder.n] == '/';
}

/* "x86/skylakex/cache.json" in the folder "skylakex" → "cache.json". Arm's folders are files. */
static struct pmuq_str path_in_folder(struct pmuq_str path, struct pmuq_str folder)
{
	struct pmuq_str head, rest = path;
	bool is_more = true;

	while (is_more) {
		path = rest;
		if (is_below(path, folder))
			return str_part(path, folder.n + 1, path.n);
		is_more = str_cut(path, '/', &head, &rest);
	}
	return path;
}

/* ---- a set of events and metrics */

/* In the arena of the drafts. */
struct set_maker {
	struct pq_arena *arena;
	struct pq_vendor_draft_row *events, *metrics;
	size_t n_events, n_metrics;
	struct pq_intern known; /* the drafts of the metrics */
	struct pq_vendor_set_row own;
	struct pq_content content;
};

/* False: out of memory. */
static bool make_arrays(const struct pq_vendor_drafts *drafts, struct set_maker *maker)
{
	size_t n_events = 0, n_metrics = 0;

	for (size_t i = 0; i < drafts->n; i++) {
		n_events += drafts->v[i].name.n > 0;
		n_metrics += drafts->v[i].metric.n > 0;
	}
	maker->events = pq_arena_array(maker->arena, n_events, sizeof(*maker->events));
	maker->metrics = pq_arena_array(maker->arena, n_metrics, sizeof(*maker->metrics));
	return maker->events && maker->metrics;
}

/* False: out of memory. */
static bool make_row(struct set_maker *maker, const struct pq_set *texts,
		     const struct pq_vendor_draft *draft, struct pq_vendor_draft_row *ret)
{
	struct pq_content *text = pq_arena_zero(maker->arena, sizeof(*text));

	if (!text)
		return false;
	*ret = (struct pq_vendor_draft_row){ .draft = *draft, .text.content = text };
	text->set = texts;
	text->own = &ret->draft;
	pq_content_hash(text);
	return true;
}

/* False: out of memory. */
static bool add_event(struct set_maker *maker, const struct pq_vendor_draft *draft,
		      struct pq_hasher *hasher)
{
	struct pq_vendor_draft_row *row = &maker->events[maker->n_events++];

	if (!make_row(maker, &pq_vendor_text_set, draft, row))
		return false;
	split_scale_unit(row);
	row->row_hash = pq_vendor_row_hash(pq_vendor_hashed_columns, row);
	pq_row_hash(pq_vendor_hashed_columns, PQ_VENDOR_HASHED_COLUMNS, row, hasher);
	return true;
}

static bool is_same_metric(const struct pq_vendor_draft *a, const struct pq_vendor_draft *b)
{
	return str_eq(a->name, b->name) && str_eq(a->pmu, b->pmu) && str_eq(a->compat, b->compat);
}

/* Of two metrics of one name and PMU perf has the first one. False: out of memory. */
static bool add_metric(struct set_maker *maker, const struct pq_vendor_draft *draft)
{
	struct pq_vendor_draft named = *draft;
	uint64_t key = str_hash(draft->metric) + str_hash(draft->pmu);
	size_t slot = pq_intern_start(&maker->known, key);
	struct pq_vendor_draft_row *row = &maker->metrics[maker->n_metrics];
	const struct pq_vendor_draft *other;

	named.name = draft->metric;
	while ((other = pq_intern_next(&maker->known, key, &slot)))
		if (is_same_metric(other, &named))
			return true;
	maker->n_metrics++;
	return make_row(maker, &pq_vendor_metric_text_set, &named, row) &&
	       pq_intern_add(&maker->known, key, &row->draft);
}

/* False: out of memory. */
static bool add_rows(struct set_maker *maker, const struct pq_vendor_drafts *drafts,
		     struct pq_hasher *hasher)
{
	for (size_t i = 0; i < drafts->n; i++) {
		const struct pq_vendor_draft *draft = &drafts->v[i];

		if (draft->name.n && !add_event(maker, draft, hasher))
			return false;
		if (draft->metric.n && !add_metric(maker, draft))
			return false;
	}
	return true;
}

/* False: out of memory. */
static bool make_set(struct pq_vendor_drafts *drafts, struct pmuq_str folder,
		     struct set_maker *maker)
{
	struct pq_hasher hasher;
	bool is_made;

	*maker = (struct set_maker){ .arena = &drafts->arena };
	if (!make_arrays(drafts, maker))
		return false;
	for (size_t i = 0; i < drafts->files.n; i++)
		drafts->files.v[i].path = path_in_folder(drafts->files.v[i].path, folder);
	pq_vendor_event_hash_begin(&hasher);
	is_made = add_rows(maker, drafts, &hasher);
	pq_intern_free(&maker->known);
	if (!is_made)
		return false;
	maker->own.event_hash = pq_hash_end(&hasher);
	maker->content = (struct pq_content){
		.set = &pq_vendor_event_set,
		.own = &maker->own,
		.rows = {
			[PQ_VENDOR_SET_EVENTS] = { .v = maker->events, .n = maker->n_events },
			[PQ_VENDOR_SET_METRICS] = { .v = maker->metrics, .n = maker->n_metrics },
			[PQ_VENDOR_SET_FILES] = { .v = drafts->files.v, .n = drafts->files.n },
			[PQ_VENDOR_SET_GROUPS] = { .v = drafts->groups.v, .n = drafts->groups.n },
			[PQ_VENDOR_SET_COUNTERS] = { .v = drafts->counters.v,
						     .n = drafts->counters.n },
		},
	};
	pq_content_hash(&maker->content);
	return true;
}

/* ---- rows of an import */

static void add_row(struct pq_vendor_import *import, const struct pq_table *table, size_t position,
		    const void *row)
{
	if (import->tree.r < 0)
		return;
	pq_table_add_rows(import->store, table, import->id, position,
			  (struct pq_rows){ .v = row, .n = 1 });
	import->tree.r = import->store->r;
}

int64_t pq_vendor_save_folder(struct pq_vendor_import *import, struct pmuq_str arch,
			      struct pmuq_str path, bool is_system, struct pq_vendor_drafts *drafts)
{
	size_t position = import->n_folders++;
	struct set_maker maker;
	struct pq_vendor_folder_row row = { .arch = arch,
					    .path = path,
					    .is_system = is_system,
					    .sysfs = drafts->sysfs,
					    .vendor_set.content = &maker.content };

	pq_vendor_drafts_finish(import, drafts);
	pq_vendor_groups_finish(drafts);
	if (!make_set(drafts, path, &maker))
		pq_vendor_fail_memory(&import->tree);
	if (import->tree.r == 0)
		pq_content_save(import->store, &maker.content);
	add_row(import, &pq_vendor_folder_table, position, &row);
	return (int64_t)position;
}

void pq_vendor_save_cpu(struct pq_vendor_import *import, struct pmuq_str arch,
			const struct pq_vendor_mapfile_row *cpu, int64_t folder)
{
	const struct pq_vendor_cpu_row row = {
		.arch = arch,
		.pattern = cpu->pattern,
		.version = cpu->version,
		.type = cpu->type,
		.folder = folder,
	};

	add_row(import, &pq_vendor_cpu_table, import->n_cpus++, &row);
}

void pq_vendor_save_problem(struct pq_vendor_import *import, const struct pq_vendor_draft *draft)
{
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;
	bool is_event = draft->name.n > 0;
	struct pmuq_problem row = {
		.path = draft->path,
		.line = draft->line,
		.code = PMUQ_E_BAD_VENDOR_EVENT,
	};

	if (import->n_problems == PQ_VENDOR_PROBLEMS_MAX)
		return;
	/* A problem of a whole file has neither name. */
	if (is_event || draft->metric.n)
		pq_buf_print(&message, "%s '%.*s': ", is_event ? "event" : "metric",
			     STR_ARG(is_event ? draft->name : draft->metric));
	pq_buf_add(&message, draft->problem);
	if (message.failed)
		pq_vendor_fail_memory(&import->tree);
	row.message = pq_buf_str(&message);
	add_row(import, &pq_vendor_problem_table, import->n_problems++, &row);
}

void pq_vendor_save_import(struct pq_vendor_import *import, struct pmuq_str layout)
{
	const struct pq_vendor_row row = {
		.name = import->name,
		.directory = import->tree.dir,
		.layout = layout,
		.library = import->library,
		.imported = import->time_s,
	};

	import->id = pq_table_add(import->store, &pq_vendor_table, NULL, &row);
	import->tree.r = import->store->r;
}
