/* SPDX-License-Identifier: MIT */
#include "vendor/import/vendor_import.h"

#define FOLDER_MAX_BYTES ((size_t)256 << 20)
#define FOLDER_MAX_EVENTS ((size_t)1 << 20)

void pq_vendor_contents_begin(struct pq_vendor_contents *contents)
{
	*contents = (struct pq_vendor_contents){ 0 };
	pq_arena_init(&contents->arena, NULL, 0, FOLDER_MAX_BYTES);
}

void pq_vendor_contents_end(struct pq_vendor_contents *contents)
{
	pq_arena_clear(&contents->arena);
	free(contents->v);
}

bool pq_vendor_contents_add(struct pq_vendor_contents *contents,
			    const struct pq_vendor_draft *draft)
{
	if (contents->n == contents->room) {
		size_t room = contents->room ? 2 * contents->room : 256;
		struct pq_vendor_draft *v = reallocarray(contents->v, room, sizeof(*v));

		if (!v)
			return false;
		contents->v = v;
		contents->room = room;
	}
	contents->v[contents->n++] = *draft;
	return true;
}

static int gather_one(struct pq_vendor_import *import, const struct pq_vendor_converter *converter,
		      const struct pq_elements *at, struct pq_vendor_contents *contents,
		      struct pmuq_error **reterr)
{
	struct pq_vendor_draft draft;
	int r = pq_vendor_convert(converter, at, &draft, reterr);

	if (r < 0)
		return r;
	if (draft.name.n && draft.problem.p) {
		r = pq_vendor_add_problem(import, &draft, reterr);
		draft.name = (struct pmuq_str){ 0 };
	}
	/* Other things stand in the tables, too: how many counters there are, and what. */
	if (r < 0 || (!draft.name.n && !draft.metric.n))
		return r;
	if (contents->n == FOLDER_MAX_EVENTS)
		return pq_vendor_fail(&import->tree, at->file->path, PMUQ_E_BAD_VENDOR_FILE, reterr,
				      "its folder has more than %zu events", FOLDER_MAX_EVENTS);
	return pq_vendor_contents_add(contents, &draft) ? 0 : pq_fail_memory(reterr);
}

int pq_vendor_gather(struct pq_vendor_import *import, const struct pq_vendor_source *source,
		     struct pq_vendor_contents *contents, struct pmuq_error **reterr)
{
	cleanup(pq_elements_end) struct pq_elements at = { 0 };
	const struct pq_vendor_converter converter = {
		.arena = &contents->arena,
		.layout = import->layout,
		.core_pmu = source->core_pmu,
		.topic = source->topic,
		.standards = source->standards,
	};
	struct pq_vendor_file file;
	int r = pq_vendor_read(&import->tree, source->path, &file, reterr);

	if (r == 0)
		r = pq_elements_begin(&at, import->json, &import->tree, &file, &contents->arena,
				      reterr);
	if (r != 0)
		return r;
	while ((r = pq_elements_next(&at, reterr)) == 0) {
		r = gather_one(import, &converter, &at, contents, reterr);
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
	cleanup(pq_buf_free) struct pq_buf place = PQ_BUF_NULL;
	int r;

	pq_buf_print(&place, "%.*s:%zu:%zu", STR_ARG(b->path), b->line, b->column);
	if (place.failed)
		return pq_fail_memory(reterr);
	r = pq_vendor_fail(&import->tree, pq_buf_str(&place), PMUQ_E_DUPLICATE_EVENT, reterr,
			   "the event '%.*s' of %.*s stands in %.*s, line %zu, already",
			   STR_ARG(b->name), STR_ARG(b->pmu), STR_ARG(a->path), a->line);
	pq_error_hint(reterr, "there it is '%.*s', here '%.*s'", STR_ARG(a->terms),
		      STR_ARG(b->terms));
	return r;
}

/* Of events that are told twice in the same words, one is enough. */
int pq_vendor_settle(struct pq_vendor_import *import, struct pq_vendor_contents *contents,
		     struct pmuq_error **reterr)
{
	struct pq_vendor_draft *v = contents->v;
	size_t n = 0;

	if (contents->n)
		qsort(v, contents->n, sizeof(*v), compare);
	for (size_t i = 0; i < contents->n; i++) {
		const struct pq_vendor_draft *before = n ? &v[n - 1] : NULL;

		if (before && is_same_event(before, &v[i])) {
			if (!str_eq(before->terms, v[i].terms))
				return fail_duplicate(import, before, &v[i], reterr);
			continue;
		}
		v[n++] = v[i];
	}
	contents->n = n;
	return 0;
}
