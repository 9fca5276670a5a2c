/* SPDX-License-Identifier: MIT */
/*
 * A byte that selects the layout, and a JSON file of a vendor's tables. A refusal names its line
 * and column; the same file gives the same events and metrics; an event has a name in lower case
 * and either terms or a problem; a translated formula can be parsed; the texts take no more memory
 * than the file explains; and no terms are invalid as an event string.
 */
#include "core/limits.h"
#include "tests/fuzz/fuzz.h"
#include "vendor/import/vendor_metric.h"
#include <pmuq/formula.h>
#include <stdio.h>
#include <string.h>

#define MEMORY_MAX_BYTES ((size_t)16 << 20)

struct events {
	struct pq_arena arena;
	PQ_VEC(struct pq_vendor_draft) drafts;
	struct pmuq_error *error;
};

static void law_of_text(struct pmuq_str text)
{
	FUZZ_LAW(!text.p || text.p[text.n] == '\0');
}

static void law_of_draft(const struct pq_vendor_draft *draft)
{
	for (size_t i = 0; i < draft->name.n; i++)
		FUZZ_LAW(char_lower(draft->name.p[i]) == draft->name.p[i]);
	if (draft->name.n)
		FUZZ_LAW(draft->problem.p || draft->terms.p);
	law_of_text(draft->name);
	law_of_text(draft->pmu);
	law_of_text(draft->terms);
	law_of_text(draft->compat);
	law_of_text(draft->problem);
}

static void law_of_formula(struct pmuq_str formula)
{
	struct pmuq_formula *parsed = NULL;

	FUZZ_LAW(!formula.n || pmuq_formula_parse(formula.p, NULL, &parsed, NULL) == 0);
	pmuq_formula_free(parsed);
}

/* Events that formulas can name: those of the hand-written tables. */
static void know_events(struct pq_arena *arena, struct pq_vendor_aliases *ret)
{
	static const struct pq_vendor_alias events[] = {
		{ .name = STR("inst_retired.any"), .text = STR("default_core") },
		{ .name = STR("mem_load_retired.l3_miss"), .text = STR("cpu_core") },
		{ .name = STR("unc_cha_tor_inserts.ia_miss"), .text = STR("uncore_cha") },
	};

	for (size_t i = 0; i < COUNT(events); i++)
		FUZZ_LAW(pq_vec_push_in(arena, ret, events[i]));
	FUZZ_LAW(pq_vendor_aliases_finish(arena, ret));
}

/* The layouts whose files are read whole: Intel's metrics and latencies, and Arm's cores. Problems
 * are not saved, since the import has as many as it may have. */
static void read_whole(struct pmuq_str text, enum pq_vendor_layout layout, struct events *ret)
{
	cleanup(pq_vendor_drafts_end) struct pq_vendor_drafts drafts;
	struct pq_vendor_import import = {
		.tree = { .reterr = &ret->error, .dir = STR("tree"), .fd = -1 },
		.layout = layout,
		.n_problems = PQ_VENDOR_PROBLEMS_MAX,
	};
	const struct pq_vendor_source source = { .path = STR("file.json"),
						 .topic = STR("topic"),
						 .core_pmu = STR("default_core") };
	const struct pq_vendor_file file = { .path = source.path, .text = text };
	struct pq_vendor_known known = { 0 };
	struct pq_vendor_core core = { 0 };

	pq_vendor_drafts_begin(&drafts);
	drafts.arena = PQ_ARENA(MEMORY_MAX_BYTES);
	if (layout == PQ_VENDOR_TELEMETRY) {
		pq_vendor_take_core(&import, &source, &file, &drafts, &core);
	} else {
		pq_vendor_take_latencies(&import.tree, &file, &known.latencies, &drafts.arena);
		FUZZ_LAW(pq_vendor_aliases_finish(&drafts.arena, &known.latencies));
		know_events(&drafts.arena, &known.events);
		pq_vendor_take_metrics(&import, &source, &file, &known, &drafts);
	}
	for (size_t i = 0; i < drafts.n; i++) {
		law_of_draft(&drafts.v[i]);
		law_of_formula(drafts.v[i].expression);
		law_of_formula(drafts.v[i].threshold);
	}
	FUZZ_LAW((import.tree.r < 0) == (ret->error != NULL));
	if (import.tree.r < 0)
		fuzz_error(import.tree.r, ret->error);
}

static void read_events(struct pmuq_str text, enum pq_vendor_layout layout, struct events *ret)
{
	cleanup(pq_vendor_elements_end) struct pq_vendor_elements at = { 0 };
	struct pq_vendor_tree tree = { .reterr = &ret->error, .dir = STR("tree"), .fd = -1 };
	struct pq_vendor_file file = { .path = STR("file.json"), .text = text };
	struct pq_vendor_draft draft;
	const struct pq_vendor_converter converter = { .arena = &ret->arena,
						       .layout = layout,
						       .core_pmu = STR("default_core"),
						       .topic = STR("topic"),
						       .at = &at,
						       .draft = &draft };

	ret->arena = PQ_ARENA(MEMORY_MAX_BYTES);
	pq_vendor_elements_begin(&at, &tree, &file, &ret->arena, "Events");
	while (pq_vendor_elements_next(&at)) {
		FUZZ_LAW(pq_vendor_convert(&converter));
		law_of_draft(&draft);
		FUZZ_LAW(pq_vec_push(&ret->drafts, draft));
	}
	FUZZ_LAW((tree.r < 0) == (ret->error != NULL));
	if (tree.r < 0) {
		fuzz_error(tree.r, ret->error);
		FUZZ_LAW(strncmp(ret->error->origin.p, "tree/file.json:", 15) == 0);
	}
}

static void free_events(struct events *events)
{
	pmuq_error_free(events->error);
	pq_vec_free(&events->drafts);
	pq_arena_clear(&events->arena);
}

static bool is_same(struct pmuq_str a, struct pmuq_str b)
{
	return !a.p == !b.p && str_eq(a, b);
}

static void law_of_two(const struct events *a, const struct events *b)
{
	FUZZ_LAW(a->drafts.n == b->drafts.n && !a->error == !b->error);
	for (size_t i = 0; i < a->drafts.n; i++) {
		const struct pq_vendor_draft *x = &a->drafts.v[i], *y = &b->drafts.v[i];

		FUZZ_LAW(is_same(x->name, y->name) && is_same(x->pmu, y->pmu));
		FUZZ_LAW(is_same(x->terms, y->terms) && is_same(x->problem, y->problem));
		FUZZ_LAW(is_same(x->metric, y->metric) && is_same(x->compat, y->compat));
		FUZZ_LAW(x->line == y->line && x->column == y->column);
	}
}

/* The first event's terms: the machine may not have them, but they are terms. */
static void law_of_terms(const struct events *events)
{
	const struct pmuq_catalog *catalog = fuzz_machine_listed(0)->catalog;
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	auto_free char *string = NULL;
	int r;

	if (!events->drafts.n || events->drafts.v[0].problem.p || !events->drafts.v[0].terms.n)
		return;
	FUZZ_LAW(asprintf(&string, "cpu/%s/", events->drafts.v[0].terms.p) > 0);
	r = pmuq_catalog_encode(catalog, string, NULL, &encodings, &error);
	if (r == -PMUQ_E_SYNTAX)
		fprintf(stderr, "%s\n", string);
	FUZZ_LAW(r != -PMUQ_E_SYNTAX);
	pmuq_encodings_free(encodings);
	pmuq_error_free(error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *bytes = fuzz_cstr(data, size);
	struct pmuq_str text = { .p = bytes + 1, .n = size - 1 };
	struct events once = { .error = NULL }, again = { .error = NULL };
	enum pq_vendor_layout layout;

	if (!size)
		return -1;
	layout = data[0] & 1 ? PQ_VENDOR_PERFMON : PQ_VENDOR_KERNEL;
	if (data[0] & 2) {
		read_whole(text, data[0] & 1 ? PQ_VENDOR_PERFMON : PQ_VENDOR_TELEMETRY, &once);
		free_events(&once);
		return 0;
	}
	read_events(text, layout, &once);
	read_events(text, layout, &again);
	law_of_two(&once, &again);
	law_of_terms(&once);
	free_events(&once);
	free_events(&again);
	return 0;
}
