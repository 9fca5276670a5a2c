/* SPDX-License-Identifier: MIT */
/*
 * The layout of Arm's telemetry-solution: data/pmu/cpu/FAMILY/CORE.json, one file for each revision
 * of a core, with its events, metrics and groups. A file is a folder, and its CPU is the MIDR of
 * its product_configuration. Formulas name events directly.
 */
#include "core/limits.h"
#include "core/num.h"
#include "vendor/import/vendor_arm_group.h"
#include "vendor/import/vendor_formula.h"

#define ARCH STR("arm64") /* the kernel's name of the architecture */
#define CORE STR("default_core")

/* The bits of a MIDR, from the manual of the architecture. */
#define MIDR_IMPLEMENTER_SHIFT 24
#define MIDR_VARIANT_SHIFT 20
#define MIDR_ARCHITECTURE UINT64_C(0xf0000) /* the features are in other registers */
#define MIDR_PART_SHIFT 4

struct telemetry_walk {
	PQ_VEC(struct pq_vendor_core) cores; /* in the arena of the import */
};

/* One file. Everything lives in the arena of the drafts. */
struct core_file {
	struct pq_vendor_import *import;
	const struct pq_vendor_source *source;
	const struct pq_vendor_file *read;
	struct pq_vendor_drafts *drafts;
	struct pq_vendor_aliases events;	     /* those that can be counted, for formulas */
	struct pq_vendor_group_lists topics, groups; /* of events; of metrics */
	struct pq_vendor_aliases next; /* metric → what the top-down method inspects next */
};

static void fail_memory(const struct core_file *file)
{
	pq_vendor_fail_memory(&file->import->tree);
}

static bool has_failed(const struct core_file *file)
{
	return file->import->tree.r < 0;
}

/* ---- texts */

/* Appends "WORD: A, B." */
static void add_list(struct pq_buf *text, const char *word, const struct pq_json_value *list)
{
	size_t start;

	if (!list || !list->first || list->type != PQ_JSON_IS_LIST)
		return;
	pq_buf_print(text, "%s%s: ", text->n ? " " : "", word);
	start = text->n;
	for (const struct pq_json_value *item = list->first; item; item = item->next)
		if (item->text.p)
			pq_buf_list(text, start, item->text);
	pq_buf_char(text, '.', 1);
}

/* ---- groups */

/* The first group of an event: "L1D_Cache" → "l1d cache". */
static struct pmuq_str topic_of(struct core_file *file, struct pmuq_str event)
{
	struct pmuq_str group, rest;
	char *topic;

	str_cut(pq_vendor_groups_of(&file->topics, event), ';', &group, &rest);
	topic = pq_arena_take(&file->drafts->arena, group.n + 1);
	if (!topic) {
		fail_memory(file);
		return STR("");
	}
	for (size_t i = 0; i < group.n; i++)
		topic[i] = group.p[i] == '_' ? ' ' : char_lower(group.p[i]);
	topic[group.n] = '\0';
	return (struct pmuq_str){ .p = topic, .n = group.n };
}

/* What the method inspects after each metric. */
static void read_method(struct core_file *file, const struct pq_json_value *methods)
{
	const struct pq_json_value *tree =
		pq_json_get(pq_json_get(methods, "topdown_methodology"), "decision_tree");
	const struct pq_json_value *node = pq_json_get(tree, "metrics");
	struct pq_arena *arena = &file->drafts->arena;

	for (node = node ? node->first : NULL; node && !has_failed(file); node = node->next) {
		struct pq_buf text = PQ_BUF_IN(arena);
		struct pq_vendor_alias alias = { .name = pq_vendor_value_text(node, "name") };

		add_list(&text, "Next", pq_json_get(node, "next_items"));
		alias.text = pq_buf_take_str(&text);
		if (!alias.text.p || !pq_vec_push_in(arena, &file->next, alias))
			fail_memory(file);
	}
	if (!pq_vendor_aliases_finish(arena, &file->next))
		fail_memory(file);
}

/* ---- events */

/* Some events go to the trace unit only. */
static bool is_counted(const struct pq_json_value *accesses)
{
	if (!accesses || accesses->type != PQ_JSON_IS_LIST)
		return true;
	for (accesses = accesses->first; accesses; accesses = accesses->next)
		if (accesses->text.p && str_eq(accesses->text, STR("PMU")))
			return true;
	return false;
}

static bool make_terms(const struct pq_vendor_converter *converter)
{
	struct pmuq_str text = pq_vendor_element_text(converter->at, "code");
	struct pq_buf terms = PQ_BUF_IN(converter->arena);
	uint64_t code = 0;

	if (!text.p || pq_num_any(text, &code) != PQ_NUM_OK)
		return pq_vendor_draft_problem(converter, "its code is not a number");
	/* perf prints numbers below ten in decimal. */
	pq_buf_print(&terms, code < 10 ? "event=%llu" : "event=0x%llx", (unsigned long long)code);
	converter->draft->terms = pq_buf_take_str(&terms);
	return converter->draft->terms.p;
}

/* A draft with the texts that events and metrics have. */
static void begin_draft(struct core_file *file, const struct pq_vendor_converter *converter)
{
	struct pq_vendor_tree *tree = &file->import->tree;
	struct pq_vendor_draft *draft = converter->draft;
	struct pq_arena *arena = converter->arena;

	*draft = pq_vendor_empty_draft(converter);
	draft->description =
		pq_vendor_one_line(tree, arena, pq_vendor_element_text(converter->at, "title"));
	draft->long_description = pq_vendor_one_line(
		tree, arena, pq_vendor_element_text(converter->at, "description"));
	if (converter->at->key.n > PQ_NAME_MAX_BYTES &&
	    !pq_vendor_draft_problem(converter, "its name is longer than 255 bytes"))
		fail_memory(file);
}

static void end_draft(struct core_file *file, const struct pq_vendor_draft *draft)
{
	if (has_failed(file))
		return;
	if (draft->problem.p)
		pq_vendor_save_problem(file->import, draft);
	else
		pq_vendor_add_draft(file->import, draft, file->drafts);
}

static void gather_event(struct core_file *file, const struct pq_vendor_converter *converter)
{
	auto_arena struct pq_arena scratch = PQ_ARENA(PQ_VENDOR_FOLDER_MAX_BYTES);
	struct pq_vendor_draft *draft = converter->draft;
	struct pq_arena *arena = converter->arena;
	struct pq_vendor_alias alias = { .name = pq_arena_str(arena, converter->at->key) };

	begin_draft(file, converter);
	draft->name = pq_arena_lower(arena, converter->at->key);
	draft->topic = topic_of(file, converter->at->key);
	alias.text = alias.name;
	if (!draft->name.p || !alias.name.p || !make_terms(converter))
		fail_memory(file);
	if (!is_counted(pq_vendor_element_tree(converter->at, "accesses", &scratch)) &&
	    !pq_vendor_draft_problem(converter,
				     "the PMU cannot count it: PMU is not among its accesses"))
		fail_memory(file);
	if (!draft->problem.p && !pq_vec_push_in(arena, &file->events, alias))
		fail_memory(file);
	end_draft(file, draft);
}

/* ---- metrics */

/* The description, and how to go on. */
static void add_use(struct core_file *file, const struct pq_vendor_converter *converter)
{
	auto_arena struct pq_arena scratch = PQ_ARENA(PQ_VENDOR_FOLDER_MAX_BYTES);
	const struct pq_vendor_alias *next = pq_vendor_find_alias(&file->next, converter->at->key);
	struct pq_buf text = PQ_BUF_IN(converter->arena);

	pq_buf_add(&text, converter->draft->long_description);
	if (next && next->text.n)
		pq_buf_print(&text, "%s%.*s", text.n ? " " : "", STR_ARG(next->text));
	add_list(&text, "Sample with",
		 pq_vendor_element_tree(converter->at, "sample_events", &scratch));
	converter->draft->long_description = pq_buf_take_str(&text);
	if (!converter->draft->long_description.p)
		fail_memory(file);
}

static void read_unit(struct core_file *file, const struct pq_vendor_converter *converter)
{
	struct pmuq_str unit = pq_vendor_element_text(converter->at, "units");
	struct pq_buf buf = PQ_BUF_IN(converter->arena);

	if (unit.n)
		pq_buf_print(&buf, "1%.*s", STR_ARG(unit));
	converter->draft->scale_unit = pq_buf_take_str(&buf);
	if (!converter->draft->scale_unit.p)
		fail_memory(file);
}

static void gather_metric(struct core_file *file, const struct pq_vendor_converter *converter)
{
	struct pq_vendor_draft *draft = converter->draft;
	struct pmuq_str formula = pq_vendor_element_text(converter->at, "formula");

	begin_draft(file, converter);
	draft->metric = pq_arena_str(converter->arena, converter->at->key);
	draft->topic = STR("metrics");
	draft->groups = pq_vendor_groups_of(&file->groups, converter->at->key);
	read_unit(file, converter);
	add_use(file, converter);
	if (!draft->metric.p ||
	    !pq_vendor_translate(converter, &file->events, NULL, formula.p ? formula : STR(""),
				 &draft->expression) ||
	    (!draft->problem.p && !pq_vendor_check_formula(converter, draft->expression)))
		fail_memory(file);
	end_draft(file, draft);
}

/* ---- a file */

static bool read_small(const struct pq_json_value *object, const char *key, uint64_t largest,
		       uint64_t *ret)
{
	return pq_num_any(pq_vendor_value_text(object, key), ret) == PQ_NUM_OK && *ret <= largest;
}

/* False if the file is of no core. */
static bool read_product(struct core_file *file, struct pq_vendor_core *core)
{
	struct pq_arena *arena = &file->drafts->arena;
	const struct pq_json_value *product = pq_vendor_read_section(
		&file->import->tree, file->read, "product_configuration", arena);
	uint64_t implementer, part, major, minor;

	if (!read_small(product, "implementer", 0xff, &implementer) ||
	    !read_small(product, "part_num", 0xfff, &part) ||
	    !read_small(product, "major_revision", 0xf, &major) ||
	    !read_small(product, "minor_revision", 0xf, &minor))
		return false;
	core->midr =
		implementer << MIDR_IMPLEMENTER_SHIFT | MIDR_ARCHITECTURE | part << MIDR_PART_SHIFT;
	core->revision = major << MIDR_VARIANT_SHIFT | minor;
	return true;
}

static void read_sections(struct core_file *file)
{
	struct pq_vendor_tree *tree = &file->import->tree;
	struct pq_arena *arena = &file->drafts->arena;
	const struct pq_json_value *groups =
		pq_vendor_read_section(tree, file->read, "groups", arena);

	pq_vendor_read_groups(tree, arena, pq_json_get(groups, "function"), "events",
			      &file->topics);
	pq_vendor_read_groups(tree, arena, pq_json_get(groups, "metrics"), "metrics",
			      &file->groups);
	pq_vendor_describe_groups(file->import, pq_json_get(groups, "metrics"), file->drafts);
	read_method(file, pq_vendor_read_section(tree, file->read, "methodologies", arena));
}

static void gather_objects(struct core_file *file, const char *list,
			   void (*gather)(struct core_file *file,
					  const struct pq_vendor_converter *converter))
{
	cleanup(pq_vendor_elements_end) struct pq_vendor_elements at = { 0 };
	struct pq_vendor_draft draft;
	const struct pq_vendor_converter converter =
		pq_vendor_converter(file->import, file->source, &at, &draft, file->drafts);

	pq_vendor_elements_begin(&at, &file->import->tree, file->read, &file->drafts->arena, list);
	while (pq_vendor_elements_next(&at))
		gather(file, &converter);
}

bool pq_vendor_take_core(struct pq_vendor_import *import, const struct pq_vendor_source *source,
			 const struct pq_vendor_file *read, struct pq_vendor_drafts *drafts,
			 struct pq_vendor_core *ret)
{
	struct core_file file = {
		.import = import, .source = source, .read = read, .drafts = drafts
	};
	const struct pq_vendor_draft no_core = {
		.problem = STR("its product_configuration does not identify a core"),
		.path = source->path,
		.line = 1,
	};

	if (!read_product(&file, ret)) {
		if (!has_failed(&file))
			pq_vendor_save_problem(import, &no_core);
		return false;
	}
	pq_vendor_begin_file(import, read, drafts);
	if (has_failed(&file))
		return false;
	ret->version = drafts->files.v[0].version;
	read_sections(&file);
	gather_objects(&file, "events", gather_event);
	if (!pq_vendor_aliases_finish(&drafts->arena, &file.events))
		fail_memory(&file);
	gather_objects(&file, "metrics", gather_metric);
	return !has_failed(&file);
}

static void read_core(struct pq_vendor_import *import, const struct pq_vendor_step *step)
{
	cleanup(pq_vendor_drafts_end) struct pq_vendor_drafts drafts;
	struct telemetry_walk *walk = import->walk;
	struct pq_vendor_core core = { .file = walk->cores.n };
	struct pq_vendor_source source = { .core_pmu = CORE, .topic = STR("") };
	struct pmuq_str folder = step->path;
	struct pq_vendor_file read;

	pq_vendor_drafts_begin(&drafts);
	source.path = pq_vendor_path(&import->tree, &drafts.arena, PQ_VENDOR_TELEMETRY_DIR, folder);
	/* The directory contained it a moment ago. */
	if (!pq_vendor_read(&import->tree, source.path, &read)) {
		pq_vendor_fail(&import->tree, source.path, PMUQ_E_REFUSED_VENDOR_FILE,
			       "it is a broken symbolic link, or was removed meanwhile");
		return;
	}
	if (!pq_vendor_take_core(import, &source, &read, &drafts, &core))
		return;
	core.version = pq_arena_str(&import->arena, core.version);
	core.folder = pq_vendor_save_folder(
		import, ARCH, str_part(folder, 0, folder.n - strlen(".json")), false, &drafts);
	if (!core.version.p || !pq_vec_push_in(&import->arena, &walk->cores, core))
		pq_vendor_fail_memory(&import->tree);
}

/* ---- CPUs */

/* The newest revision of a core first: a pattern matches later ones, too. */
static int compare(const void *a, const void *b)
{
	const struct pq_vendor_core *x = a, *y = b;

	if (x->midr != y->midr)
		return x->midr < y->midr ? -1 : 1;
	if (x->revision != y->revision)
		return x->revision > y->revision ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

/* Revisions before the first that has a file are taken for that one. */
static void save_cpus(struct pq_vendor_import *import)
{
	const struct telemetry_walk *walk = import->walk;
	struct pq_vendor_core *v = walk->cores.v;
	size_t n = walk->cores.n;

	if (n)
		qsort(v, n, sizeof(*v), compare);
	for (size_t i = 0; import->tree.r == 0 && i < n; i++) {
		bool is_last = i + 1 == n || v[i + 1].midr != v[i].midr;
		struct pq_buf pattern = PQ_BUF_IN(&import->arena);
		struct pq_vendor_mapfile_row row = { .version = v[i].version, .type = STR("core") };

		pq_buf_print(&pattern, "0x%016llx",
			     (unsigned long long)(v[i].midr | (is_last ? 0 : v[i].revision)));
		row.pattern = pq_buf_take_str(&pattern);
		if (row.pattern.p)
			pq_vendor_save_cpu(import, ARCH, &row, v[i].folder);
		else
			pq_vendor_fail_memory(&import->tree);
	}
}

static void plan_family(struct pq_vendor_import *import, struct pmuq_str family)
{
	struct pq_vendor_tree *tree = &import->tree;
	struct pmuq_str dir = pq_vendor_path(tree, &import->arena, PQ_VENDOR_TELEMETRY_DIR, family);
	struct pq_vendor_entries files = pq_vendor_list(tree, dir, &import->arena);

	for (size_t i = 0; tree->r == 0 && i < files.n; i++)
		if (!files.v[i].is_dir && str_ends(files.v[i].name, STR(".json")))
			pq_vendor_add_step(
				import,
				pq_vendor_path(tree, &import->arena, family, files.v[i].name),
				NULL);
}

static void plan(struct pq_vendor_import *import)
{
	const struct pq_vendor_entries *families = &import->entries;

	import->walk = pq_arena_zero(&import->arena, sizeof(struct telemetry_walk));
	if (!import->walk)
		pq_vendor_fail_memory(&import->tree);
	for (size_t i = 0; import->tree.r == 0 && i < families->n; i++)
		if (families->v[i].is_dir)
			plan_family(import, families->v[i].name);
}

const struct pq_vendor_walker pq_vendor_telemetry_walker = { .plan = plan,
							     .step = read_core,
							     .finish = save_cpus };
