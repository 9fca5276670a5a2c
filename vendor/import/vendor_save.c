/* SPDX-License-Identifier: MIT */
/*
 * What an import has gathered, into the tables: the events of a folder as a content that imports
 * share, then the folder, its CPUs and the problems as rows of the import.
 */
#include "core/limits.h"
#include "core/num.h"
#include "vendor/import/vendor_import.h"
#include "vendor/vendor_sets.h"

/* A draft that has no text, and an empty text, are stored alike. */
static struct pmuq_str or_empty(struct pmuq_str text)
{
	return text.p ? text : STR("");
}

/* "9.765625e-4KB" is a number and a unit. */
struct scale_and_unit {
	struct pmuq_str unit, scale; /* .p NULL: none */
};

static struct scale_and_unit split_scale_unit(struct pmuq_str text)
{
	size_t n = pq_num_scale_length(text);

	if (!text.p)
		return (struct scale_and_unit){ 0 };
	return (struct scale_and_unit){ .unit = str_part(text, n, text.n),
					.scale = pq_num_scale_text(str_part(text, 0, n)) };
}

/* ---- a set of events and metrics */

/* In the arena of the drafts; the arrays have capacity for all of them. */
struct set_maker {
	struct pq_arena *arena;
	struct pq_vendor_event_row *events;
	struct pq_vendor_metric_row *metrics;
	size_t n_events, n_metrics;
	struct pq_hasher event_hasher;
	struct pq_vendor_set_row own;
	struct pq_content content;
};

static struct pq_content *make_text(struct pq_arena *arena, const struct pq_vendor_draft *draft)
{
	struct pq_content *content = pq_arena_zero(arena, sizeof(*content));
	struct pq_vendor_text *text = pq_arena_take(arena, sizeof(*text));

	if (!content || !text)
		return NULL;
	*text = (struct pq_vendor_text){
		.pmu = draft->pmu,
		.name = draft->name,
		.topic = or_empty(draft->topic),
		.description = or_empty(draft->description),
		.long_description = or_empty(draft->long_description),
	};
	content->set = &pq_vendor_text_set;
	content->own = text;
	pq_content_hash(content);
	return content;
}

static void hash_event(const struct pq_vendor_draft *draft, const struct scale_and_unit *scale_unit,
		       struct pq_hasher *hasher)
{
	const struct pq_vendor_event event = {
		.event = { .name = draft->name,
			   .terms = draft->terms,
			   .unit = scale_unit->unit,
			   .scale = scale_unit->scale,
			   .is_per_pkg = draft->is_per_pkg },
		.record = { .pmu = draft->pmu,
			    .compat = or_empty(draft->compat),
			    .is_deprecated = draft->is_deprecated },
	};

	pq_vendor_event_hash(hasher, &event);
}

/* False: out of memory. */
static bool add_event(struct set_maker *maker, const struct pq_vendor_draft *draft)
{
	struct scale_and_unit scale_unit = split_scale_unit(draft->scale_unit);
	struct pq_vendor_event_row *row = &maker->events[maker->n_events++];

	*row = (struct pq_vendor_event_row){
		.vendor_text.content = make_text(maker->arena, draft),
		.terms = draft->terms,
		.unit = scale_unit.unit,
		.scale = scale_unit.scale,
		.compat = or_empty(draft->compat),
		.is_per_pkg = draft->is_per_pkg,
		.is_deprecated = draft->is_deprecated,
	};
	hash_event(draft, &scale_unit, &maker->event_hasher);
	return row->vendor_text.content;
}

static void add_metric(struct set_maker *maker, const struct pq_vendor_draft *draft)
{
	maker->metrics[maker->n_metrics++] = (struct pq_vendor_metric_row){
		.pmu = draft->pmu,
		.name = draft->metric,
		.expression = or_empty(draft->expression),
		.groups = or_empty(draft->groups),
		.scale_unit = or_empty(draft->scale_unit),
		.threshold = or_empty(draft->threshold),
		.description = or_empty(draft->description),
		.long_description = or_empty(draft->long_description),
	};
}

/* False: out of memory. */
static bool make_set(struct pq_vendor_drafts *drafts, struct set_maker *maker)
{
	*maker = (struct set_maker){ .arena = &drafts->arena };
	maker->events = pq_arena_array(maker->arena, drafts->n, sizeof(*maker->events));
	maker->metrics = pq_arena_array(maker->arena, drafts->n, sizeof(*maker->metrics));
	if (!maker->events || !maker->metrics)
		return false;
	pq_vendor_event_hash_begin(&maker->event_hasher);
	for (size_t i = 0; i < drafts->n; i++) {
		const struct pq_vendor_draft *draft = &drafts->v[i];

		if (draft->name.n && !add_event(maker, draft))
			return false;
		if (draft->metric.n)
			add_metric(maker, draft);
	}
	maker->own.event_hash = pq_hash_end(&maker->event_hasher);
	maker->content = (struct pq_content){
		.set = &pq_vendor_event_set,
		.own = &maker->own,
		.rows = {
			[PQ_VENDOR_SET_EVENTS] = { .v = maker->events, .n = maker->n_events },
			[PQ_VENDOR_SET_METRICS] = { .v = maker->metrics, .n = maker->n_metrics },
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
					    .vendor_set.content = &maker.content };

	pq_vendor_drafts_finish(import, drafts);
	if (!make_set(drafts, &maker))
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
		.version = or_empty(cpu->version),
		.type = or_empty(cpu->type),
		.folder = folder,
	};

	add_row(import, &pq_vendor_cpu_table, import->n_cpus++, &row);
}

void pq_vendor_save_problem(struct pq_vendor_import *import, const struct pq_vendor_draft *draft)
{
	cleanup(pq_buf_free) struct pq_buf message = PQ_BUF_NULL;
	struct pmuq_problem row = {
		.path = draft->path,
		.line = draft->line,
		.code = PMUQ_E_BAD_VENDOR_EVENT,
	};

	if (import->n_problems == PQ_VENDOR_PROBLEMS_MAX)
		return;
	pq_buf_print(&message, "event '%.*s': %.*s", STR_ARG(draft->name), STR_ARG(draft->problem));
	if (message.failed)
		pq_vendor_fail_memory(&import->tree);
	row.message = pq_buf_str(&message);
	add_row(import, &pq_vendor_problem_table, import->n_problems++, &row);
}

/* The word for a layout in the store. */
static const struct pmuq_str layout_words[] = {
	[PQ_VENDOR_KERNEL] = STR("kernel"),
	[PQ_VENDOR_PERFMON] = STR("perfmon"),
	[PQ_VENDOR_LIBPFM4] = STR("libpfm4"),
};

void pq_vendor_save_import(struct pq_vendor_import *import, struct pmuq_str name, int64_t time_s)
{
	const struct pq_vendor_row row = {
		.name = name,
		.directory = import->tree.dir,
		.layout = layout_words[import->layout],
		.imported = time_s,
	};

	import->id = pq_table_add(import->store, &pq_vendor_table, NULL, &row);
	import->tree.r = import->store->r;
}
