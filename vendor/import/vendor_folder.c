/* SPDX-License-Identifier: MIT */
/*
 * The drafts of a folder: gathered from its files, then sorted and checked for duplicates. Equal
 * drafts are one event, as perf has it; two drafts of one name and PMU with different terms are an
 * error of the whole import, since either could be meant.
 */
#include "core/limits.h"
#include "vendor/import/vendor_import.h"

void pq_vendor_drafts_begin(struct pq_vendor_drafts *drafts)
{
	*drafts = (struct pq_vendor_drafts){ 0 };
	drafts->arena = PQ_ARENA(PQ_VENDOR_FOLDER_MAX_BYTES);
}

void pq_vendor_drafts_end(struct pq_vendor_drafts *drafts)
{
	pq_arena_clear(&drafts->arena);
	pq_vec_free(&drafts->counters);
	pq_vec_free(&drafts->files);
	pq_vec_free(&drafts->groups);
	pq_vec_free(drafts);
}

/* An object without an event may have the numbers of counters; a PMU's first numbers count. */
static void gather_counters(struct pq_vendor_import *import,
			    const struct pq_vendor_converter *converter,
			    struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_counters counters;

	if (!pq_vendor_read_counters(converter, &counters))
		return;
	for (size_t i = 0; i < drafts->counters.n; i++)
		if (str_eq(drafts->counters.v[i].pmu, counters.pmu))
			return;
	if (!counters.pmu.p || !pq_vec_push(&drafts->counters, counters))
		pq_vendor_fail_memory(&import->tree);
}

static void gather_one(struct pq_vendor_import *import, const struct pq_vendor_converter *converter,
		       struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_draft *draft = converter->draft;

	if (!pq_vendor_convert(converter)) {
		pq_vendor_fail_memory(&import->tree);
		return;
	}
	if (draft->name.n && draft->problem.p) {
		pq_vendor_save_problem(import, draft);
		draft->name = (struct pmuq_str){ 0 };
	}
	if (!draft->name.n && !draft->metric.n) {
		gather_counters(import, converter, drafts);
		return;
	}
	pq_vendor_add_draft(import, draft, drafts);
}

void pq_vendor_add_draft(struct pq_vendor_import *import, const struct pq_vendor_draft *draft,
			 struct pq_vendor_drafts *drafts)
{
	if (drafts->n == PQ_VENDOR_EVENTS_MAX)
		pq_vendor_fail(&import->tree, draft->path, PMUQ_E_BAD_VENDOR_FILE,
			       "its folder has more than %zu events", PQ_VENDOR_EVENTS_MAX);
	else if (pq_vec_push(drafts, *draft))
		drafts->v[drafts->n - 1].file = (int64_t)drafts->files.n - 1;
	else
		pq_vendor_fail_memory(&import->tree);
}

/* Where a file of each layout names its version. */
static const struct {
	const char *section, *key;
} versions[] = {
	[PQ_VENDOR_PERFMON] = { "Header", "Version" },
	[PQ_VENDOR_TELEMETRY] = { "document", "timestamp" },
};

void pq_vendor_begin_file(struct pq_vendor_import *import, const struct pq_vendor_file *read,
			  struct pq_vendor_drafts *drafts)
{
	const char *section =
		import->layout < COUNT(versions) ? versions[import->layout].section : NULL;
	struct pq_vendor_table_file file = { .version = STR("") };

	if (section)
		file.version = pq_vendor_value_text(
			pq_vendor_read_section(&import->tree, read, section, &drafts->arena),
			versions[import->layout].key);
	file.path = pq_arena_str(&drafts->arena, read->path);
	if (!file.path.p || !pq_vec_push(&drafts->files, file))
		pq_vendor_fail_memory(&import->tree);
}

bool pq_vendor_gather(struct pq_vendor_import *import, const struct pq_vendor_source *source,
		      struct pq_vendor_drafts *drafts)
{
	cleanup(pq_vendor_elements_end) struct pq_vendor_elements at = { 0 };
	struct pq_vendor_draft draft;
	const struct pq_vendor_converter converter =
		pq_vendor_converter(import, source, &at, &draft, drafts);
	struct pq_vendor_file file;

	if (!pq_vendor_read(&import->tree, source->path, &file))
		return false;
	pq_vendor_begin_file(import, &file, drafts);
	pq_vendor_elements_begin(&at, &import->tree, &file, &drafts->arena, "Events");
	while (pq_vendor_elements_next(&at))
		gather_one(import, &converter, drafts);
	return import->tree.r == 0;
}

struct pq_vendor_converter pq_vendor_converter(const struct pq_vendor_import *import,
					       const struct pq_vendor_source *source,
					       const struct pq_vendor_elements *at,
					       struct pq_vendor_draft *draft,
					       struct pq_vendor_drafts *drafts)
{
	return (struct pq_vendor_converter){
		.arena = &drafts->arena,
		.layout = import->layout,
		.core_pmu = source->core_pmu,
		.topic = source->topic,
		.standards = source->standards,
		.at = at,
		.draft = draft,
	};
}

static int compare_numbers(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

/* Drafts of one event come together, in the order of their files. */
static int compare(const void *a, const void *b)
{
	const struct pq_vendor_draft *x = a, *y = b;
	int order = str_cmp(x->pmu, y->pmu);

	order = order ? order : str_cmp(x->name, y->name);
	order = order ? order : str_cmp(x->compat, y->compat);
	order = order ? order : str_cmp(x->metric, y->metric);
	order = order ? order : str_cmp(x->path, y->path);
	order = order ? order : compare_numbers(x->line, y->line);
	return order ? order : compare_numbers(x->column, y->column);
}

static bool is_same_event(const struct pq_vendor_draft *a, const struct pq_vendor_draft *b)
{
	return a->name.n && str_eq(a->name, b->name) && str_eq(a->pmu, b->pmu) &&
	       str_eq(a->compat, b->compat);
}

static void fail_duplicate(struct pq_vendor_tree *tree, const struct pq_vendor_draft *a,
			   const struct pq_vendor_draft *b)
{
	cleanup(pq_buf_free) struct pq_buf location = PQ_BUF_NULL;

	pq_buf_print(&location, "%.*s:%zu:%zu", STR_ARG(b->path), b->line, b->column);
	pq_vendor_fail(tree, pq_buf_str(&location), PMUQ_E_DUPLICATE_EVENT,
		       "the event '%.*s' of %.*s is already in %.*s, line %zu", STR_ARG(b->name),
		       STR_ARG(b->pmu), STR_ARG(a->path), a->line);
	pq_error_hint(tree->reterr, "there it is '%.*s', here '%.*s'", STR_ARG(a->terms),
		      STR_ARG(b->terms));
}

void pq_vendor_drafts_finish(struct pq_vendor_import *import, struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_draft *v = drafts->v;
	size_t n = 0;

	if (drafts->n)
		qsort(v, drafts->n, sizeof(*v), compare);
	for (size_t i = 0; import->tree.r == 0 && i < drafts->n; i++)
		if (!n || !is_same_event(&v[n - 1], &v[i]))
			v[n++] = v[i];
		else if (!str_eq(v[n - 1].terms, v[i].terms))
			fail_duplicate(&import->tree, &v[n - 1], &v[i]);
	drafts->n = n;
}
