/* SPDX-License-Identifier: MIT */
/*
 * The drafts of a folder: gathered from its files, then sorted and checked for duplicates. Equal
 * drafts are one event, as perf has it; two drafts of one name and PMU with different terms are an
 * error of the whole import, since either could be meant.
 */
#include "vendor/import/vendor_import.h"

#define FOLDER_MAX_BYTES ((size_t)256 << 20)
#define FOLDER_MAX_EVENTS ((size_t)1 << 20)

void pq_vendor_drafts_begin(struct pq_vendor_drafts *drafts)
{
	*drafts = (struct pq_vendor_drafts){ 0 };
	pq_arena_init(&drafts->arena, NULL, 0, FOLDER_MAX_BYTES);
}

void pq_vendor_drafts_end(struct pq_vendor_drafts *drafts)
{
	pq_arena_clear(&drafts->arena);
	pq_vec_free(drafts);
}

static int gather_one(struct pq_vendor_import *import, const struct pq_vendor_converter *converter,
		      struct pq_vendor_drafts *drafts, struct pmuq_error **reterr)
{
	struct pq_vendor_draft *draft = converter->draft;
	int r = pq_vendor_convert(converter, reterr);

	if (r < 0)
		return r;
	if (draft->name.n && draft->problem.p) {
		r = pq_vendor_save_problem(import, draft, reterr);
		draft->name = (struct pmuq_str){ 0 };
	}
	/* Other objects describe the counters: not events. */
	if (r < 0 || (!draft->name.n && !draft->metric.n))
		return r;
	if (drafts->n == FOLDER_MAX_EVENTS)
		return pq_vendor_fail(&import->tree, draft->path, PMUQ_E_BAD_VENDOR_FILE, reterr,
				      "its folder has more than %zu events", FOLDER_MAX_EVENTS);
	return pq_vec_push(drafts, *draft) ? 0 : pq_fail_memory(reterr);
}

int pq_vendor_gather(struct pq_vendor_import *import, const struct pq_vendor_source *source,
		     struct pq_vendor_drafts *drafts, struct pmuq_error **reterr)
{
	cleanup(pq_vendor_elements_end) struct pq_vendor_elements at = { 0 };
	struct pq_vendor_draft draft;
	const struct pq_vendor_converter converter = {
		.arena = &drafts->arena,
		.layout = import->layout,
		.core_pmu = source->core_pmu,
		.topic = source->topic,
		.standards = source->standards,
		.at = &at,
		.draft = &draft,
	};
	struct pq_vendor_file file;
	int r = pq_vendor_read(&import->tree, source->path, &file, reterr);

	if (r == 0)
		r = pq_vendor_elements_begin(&at, &import->tree, &file, &drafts->arena, reterr);
	if (r != 0)
		return r;
	while ((r = pq_vendor_elements_next(&at, reterr)) == 0) {
		r = gather_one(import, &converter, drafts, reterr);
		if (r < 0)
			return r;
	}
	return r < 0 ? r : 0;
}

static int compare(const void *a, const void *b)
{
	const struct pq_vendor_draft *left = a, *right = b;
	int order = str_cmp(left->pmu, right->pmu);

	if (!order)
		order = str_cmp(left->name, right->name);
	if (!order)
		order = str_cmp(left->compat, right->compat);
	if (!order)
		order = str_cmp(left->metric, right->metric);
	if (!order)
		order = str_cmp(left->path, right->path);
	if (order)
		return order;
	return left->line != right->line
		       ? (left->line < right->line ? -1 : 1)
		       : (left->column > right->column) - (left->column < right->column);
}

static bool is_same_event(const struct pq_vendor_draft *a, const struct pq_vendor_draft *b)
{
	return a->name.n && str_eq(a->name, b->name) && str_eq(a->pmu, b->pmu) &&
	       str_eq(a->compat, b->compat);
}

static int fail_duplicate(const struct pq_vendor_import *import, const struct pq_vendor_draft *a,
			  const struct pq_vendor_draft *b, struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf location = PQ_BUF_NULL;
	int r;

	pq_buf_print(&location, "%.*s:%zu:%zu", STR_ARG(b->path), b->line, b->column);
	if (location.failed)
		return pq_fail_memory(reterr);
	r = pq_vendor_fail(&import->tree, pq_buf_str(&location), PMUQ_E_DUPLICATE_EVENT, reterr,
			   "the event '%.*s' of %.*s is already in %.*s, line %zu",
			   STR_ARG(b->name), STR_ARG(b->pmu), STR_ARG(a->path), a->line);
	pq_error_hint(reterr, "there it is '%.*s', here '%.*s'", STR_ARG(a->terms),
		      STR_ARG(b->terms));
	return r;
}

int pq_vendor_drafts_finish(struct pq_vendor_import *import, struct pq_vendor_drafts *drafts,
			    struct pmuq_error **reterr)
{
	struct pq_vendor_draft *v = drafts->v;
	size_t n = 0;

	if (drafts->n)
		qsort(v, drafts->n, sizeof(*v), compare);
	for (size_t i = 0; i < drafts->n; i++) {
		const struct pq_vendor_draft *before = n ? &v[n - 1] : NULL;

		if (before && is_same_event(before, &v[i])) {
			if (!str_eq(before->terms, v[i].terms))
				return fail_duplicate(import, before, &v[i], reterr);
			continue;
		}
		v[n++] = v[i];
	}
	drafts->n = n;
	return 0;
}
