/* SPDX-License-Identifier: MIT */
/*
 * Reads the list `pmus`: an entry is one PMU, many PMUs with names as ranges, or a definition and a
 * list of its instances. write_pmus.c writes the same, by the keys that are listed here. Files of a
 * PMU that have a key of their own are rows of core/catalog/pmu_file.c.
 */
#include "core/ranges.h"
#include "core/vec.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"

const struct pmuq_str pq_doc_pmu_keys[] = {
	[PQ_DOC_NAME] = STR("name"),
	[PQ_DOC_NAMES] = STR("names"),
	[PQ_DOC_ALIAS] = STR("alias"),
	[PQ_DOC_ALIASES] = STR("aliases"),
	[PQ_DOC_TYPE] = STR("type"),
	[PQ_DOC_TYPES] = STR("types"),
	[PQ_DOC_ATTRIBUTES] = STR("attributes"),
	[PQ_DOC_INSTANCES] = STR("instances"),
};

/* The alias has two keys, as the name has. */
const struct pq_pmu_file *pq_doc_pmu_file(size_t *index)
{
	const struct pq_pmu_file *file;

	while ((file = pq_pmu_file_at((*index)++)))
		if (file->storage == PQ_STORED_MEMBER &&
		    !str_eq(file->info.path, pq_doc_pmu_keys[PQ_DOC_ALIAS]))
			return file;
	return NULL;
}

/* The keys of an instance. */
static size_t instance_keys(struct pmuq_str names[PQ_DOC_KEYS_MAX])
{
	const struct pq_pmu_file *file;
	size_t n = 0;

	for (; n < PQ_DOC_INSTANCES; n++)
		names[n] = pq_doc_pmu_keys[n];
	for (size_t i = 0; n < PQ_DOC_KEYS_MAX && (file = pq_doc_pmu_file(&i));)
		names[n++] = file->info.path;
	return n;
}

/* The builder compares each instance's definition with those it has. This limits that work for
 * hostile documents. */
#define ENTRIES_MAX ((size_t)16 << 20)

struct pmus {
	struct pq_doc *doc;
	struct pq_builder *builder;
	struct pq_pmu_draft shared; /* formats, events, caps */
	struct {
		PQ_VEC(struct pq_doc_named);
	} named;
	size_t n_entries;
};

static int fail_ranges(struct pq_doc *doc, const struct pq_doc_node *node,
		       enum pq_ranges_result result, const char *like, struct pmuq_error **reterr)
{
	if (result == PQ_RANGES_MANY || result == PQ_RANGES_MEMORY)
		return pq_doc_fail(doc, node->at, reterr, PMUQ_E_DOCUMENT_LIMIT,
				   "more than %u PMUs", PQ_PMUS_MAX);
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY, "'%.*s' takes %s",
			   STR_ARG(node->key), like);
}

static int make_names(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str **ret,
		      size_t *ret_n, struct pmuq_error **reterr)
{
	struct pmuq_str text, stem, *names = NULL;
	enum pq_ranges_result result;
	struct pq_numbers numbers;
	int r = pq_entry_line(doc, node, &text, reterr);

	if (r < 0)
		return r;
	result = pq_ranges_read_stem(&doc->arena, text, &stem, &numbers);
	if (result != PQ_RANGES_OK)
		return fail_ranges(doc, node, result, "names like uncore_imc_[0-3,8]", reterr);
	r = pq_entry_array(doc, node, numbers.n, sizeof(*names), &names, reterr);
	for (size_t i = 0; r == 0 && i < numbers.n; i++) {
		cleanup(pq_buf_free) struct pq_buf name = PQ_BUF_NULL;

		pq_buf_add(&name, stem);
		pq_buf_print(&name, "%u", numbers.v[i]);
		names[i] = pq_arena_str(&doc->arena, pq_buf_str(&name));
		if (name.failed || !names[i].p)
			return pq_fail_memory(reterr);
	}
	*ret = names;
	*ret_n = numbers.n;
	return r;
}

/* *ret_n is 0 if there is neither key. */
int pq_doc_read_names(struct pq_doc *doc, const struct pq_doc_node *mapping, struct pmuq_str one,
		      struct pmuq_str many, struct pmuq_str **ret, size_t *ret_n,
		      struct pmuq_error **reterr)
{
	const struct pq_doc_node *name = pq_entry_find(mapping, one);
	const struct pq_doc_node *names = pq_entry_find(mapping, many);
	int r;

	*ret_n = 0;
	if (name && names)
		return pq_doc_fail(doc, names->key_at, reterr, PMUQ_E_BAD_ENTRY,
				   "'%.*s' or '%.*s', not both", STR_ARG(one), STR_ARG(many));
	if (names)
		return make_names(doc, names, ret, ret_n, reterr);
	if (!name)
		return 0;
	r = pq_entry_array(doc, name, 1, sizeof(**ret), ret, reterr);
	if (r == 0)
		r = pq_entry_text(doc, name, *ret, reterr);
	*ret_n = r == 0;
	return r;
}

/* An entry: the PMUs that it names. */
struct pmu_line {
	const struct pq_doc_node *node;
	struct pmuq_str *names, *aliases;
	size_t n, n_aliases;
	struct pq_numbers types;
	struct pq_pmu_draft draft; /* what they have in common, with the definition */
};

static int read_types(struct pq_doc *doc, struct pmu_line *line, struct pmuq_error **reterr)
{
	const struct pq_doc_node *type = pq_entry_find(line->node, pq_doc_pmu_keys[PQ_DOC_TYPE]);
	const struct pq_doc_node *types = pq_entry_find(line->node, pq_doc_pmu_keys[PQ_DOC_TYPES]);
	enum pq_ranges_result result;
	uint64_t number = 0;
	struct pmuq_str text;
	int r;

	if (type && types)
		return pq_doc_fail(doc, types->key_at, reterr, PMUQ_E_BAD_ENTRY,
				   "'type' or 'types', not both");
	if (types) {
		r = pq_entry_line(doc, types, &text, reterr);
		if (r < 0)
			return r;
		result = pq_ranges_read(&doc->arena, text, &line->types);
		return result == PQ_RANGES_OK ? 0
					      : fail_ranges(doc, types, result,
							    "numbers like \"17-20,30\"", reterr);
	}
	if (!type)
		return 0;
	r = pq_entry_number(doc, type, UINT32_MAX, &number, reterr);
	if (r == 0)
		r = pq_entry_array(doc, type, 1, sizeof(*line->types.v), &line->types.v, reterr);
	if (r < 0)
		return r;
	line->types.v[0] = (uint32_t)number;
	line->types.n = 1;
	return 0;
}

static int check_count(struct pq_doc *doc, const struct pmu_line *line, size_t n, const char *what,
		       struct pmuq_error **reterr)
{
	if (!n || n == line->n)
		return 0;
	return pq_doc_fail(doc, line->node->at, reterr, PMUQ_E_BAD_ENTRY, "%zu PMUs, and %zu %s",
			   line->n, n, what);
}

static int read_files(struct pq_doc *doc, struct pmu_line *line, struct pmuq_error **reterr)
{
	const struct pq_pmu_file *file;
	int r = 0;

	for (size_t i = 0; r == 0 && (file = pq_doc_pmu_file(&i));) {
		const struct pq_doc_node *node = pq_entry_find(line->node, file->info.path);

		if (node)
			r = pq_entry_line(doc, node, pq_pmu_file_in_draft(file, &line->draft),
					  reterr);
	}
	return r;
}

static int read_attributes(struct pq_doc *doc, struct pmu_line *line, struct pmuq_error **reterr)
{
	const struct pq_doc_node *mapping =
		pq_entry_find(line->node, pq_doc_pmu_keys[PQ_DOC_ATTRIBUTES]);
	int r;

	if (!mapping)
		return 0;
	r = pq_doc_read_pairs(doc, mapping, &line->draft.attributes, &line->draft.n_attributes,
			      reterr);
	if (r < 0)
		return r;
	for (const struct pq_doc_node *node = mapping->first; node; node = node->next)
		if (!pq_pmu_file_is_attribute(node->key))
			return pq_doc_fail(doc, node->key_at, reterr, PMUQ_E_BAD_ENTRY,
					   "'%.*s' is none of the attributes", STR_ARG(node->key));
	return 0;
}

/* The alias is the first line of a file, but the name of a directory may contain blanks. */
static int check_alias(struct pq_doc *doc, const struct pmu_line *line, struct pmuq_error **reterr)
{
	const struct pq_doc_node *alias = pq_entry_find(line->node, pq_doc_pmu_keys[PQ_DOC_ALIAS]);
	struct pmuq_str text;

	return alias ? pq_entry_line(doc, alias, &text, reterr) : 0;
}

static int read_line(struct pq_doc *doc, struct pmu_line *line, struct pmuq_error **reterr)
{
	int r = pq_doc_read_names(doc, line->node, pq_doc_pmu_keys[PQ_DOC_NAME],
				  pq_doc_pmu_keys[PQ_DOC_NAMES], &line->names, &line->n, reterr);

	if (r == 0 && !line->n)
		return pq_doc_fail(doc, line->node->at, reterr, PMUQ_E_MISSING_KEY,
				   "a PMU needs a key 'name' or 'names'");
	if (r == 0)
		r = pq_doc_read_names(doc, line->node, pq_doc_pmu_keys[PQ_DOC_ALIAS],
				      pq_doc_pmu_keys[PQ_DOC_ALIASES], &line->aliases,
				      &line->n_aliases, reterr);
	if (r == 0)
		r = check_alias(doc, line, reterr);
	if (r == 0)
		r = read_types(doc, line, reterr);
	if (r == 0)
		r = check_count(doc, line, line->types.n, "types", reterr);
	if (r == 0)
		r = check_count(doc, line, line->n_aliases, "aliases", reterr);
	if (r == 0)
		r = read_files(doc, line, reterr);
	return r == 0 ? read_attributes(doc, line, reterr) : r;
}

static int remember(struct pmus *pmus, struct pmuq_str name, struct pq_doc_location at,
		    struct pmuq_error **reterr)
{
	if (pmus->named.n == PQ_PMUS_MAX)
		return pq_doc_fail(pmus->doc, at, reterr, PMUQ_E_DOCUMENT_LIMIT,
				   "more than %u PMUs", PQ_PMUS_MAX);
	if (!pq_vec_push(&pmus->named, { .name = name, .at = at }))
		return pq_fail_memory(reterr);
	return 0;
}

static int add_instance(struct pmus *pmus, const struct pmu_line *line, size_t index,
			struct pmuq_error **reterr)
{
	struct pq_pmu_draft draft = line->draft;
	int r;

	draft.name = line->names[index];
	draft.alias = line->n_aliases ? line->aliases[index] : (struct pmuq_str){ 0 };
	draft.has_type = line->types.n > 0;
	if (draft.has_type)
		draft.type = line->types.v[index];
	else
		draft.has_type = pq_pmu_known_type(draft.name, &draft.type);
	r = pq_entry_file_name(pmus->doc, draft.name, line->node->at, reterr);
	if (r == 0)
		r = remember(pmus, draft.name, line->node->at, reterr);
	return r == 0 ? pq_builder_pmu(pmus->builder, &draft, reterr) : r;
}

static int add_line(struct pmus *pmus, const struct pq_doc_node *node, struct pmuq_error **reterr)
{
	const struct pq_pmu_draft *shared = &pmus->shared;
	struct pmu_line line = { .node = node, .draft = *shared };
	int r = read_line(pmus->doc, &line, reterr);

	if (r < 0)
		return r;
	pmus->n_entries += line.n * (shared->n_formats + shared->n_events + shared->n_caps +
				     line.draft.n_attributes);
	if (pmus->n_entries > ENTRIES_MAX)
		return pq_doc_fail(
			pmus->doc, node->at, reterr, PMUQ_E_DOCUMENT_LIMIT,
			"the PMUs have more formats, events and caps than any machine has");
	for (size_t i = 0; r == 0 && i < line.n; i++)
		r = add_instance(pmus, &line, i, reterr);
	return r;
}

static int add_instances(struct pmus *pmus, const struct pq_doc_node *instances,
			 struct pmuq_error **reterr)
{
	struct pmuq_str names[PQ_DOC_KEYS_MAX];
	size_t n = instance_keys(names);
	int r = pq_entry_list(pmus->doc, instances, reterr);

	for (const struct pq_doc_node *node = instances->first; r == 0 && node; node = node->next) {
		r = pq_entry_mapping(pmus->doc, node, names, n, reterr);
		if (r == 0)
			r = add_line(pmus, node, reterr);
	}
	return r;
}

/* An entry has the keys of one instance, or a list of instances; and those of a definition. */
static int read_pmu(struct pmus *pmus, const struct pq_doc_node *node, struct pmuq_error **reterr)
{
	const struct pq_doc_node *instances =
		node->type == PQ_DOC_MAPPING
			? pq_entry_find(node, pq_doc_pmu_keys[PQ_DOC_INSTANCES])
			: NULL;
	struct pmuq_str names[PQ_DOC_KEYS_MAX];
	size_t n = instances ? 0 : instance_keys(names);
	int r;

	names[n++] = pq_doc_pmu_keys[PQ_DOC_INSTANCES];
	n = pq_doc_definition_keys(names, n);
	r = pq_entry_mapping(pmus->doc, node, names, n, reterr);
	pmus->shared = (struct pq_pmu_draft){ 0 };
	if (r == 0)
		r = pq_doc_read_definition(pmus->doc, node, &pmus->shared, reterr);
	if (r < 0)
		return r;
	return instances ? add_instances(pmus, instances, reterr) : add_line(pmus, node, reterr);
}

int pq_doc_read_pmus(struct pq_doc *doc, const struct pq_doc_node *list, struct pq_builder *builder,
		     struct pmuq_error **reterr)
{
	struct pmus pmus = { .doc = doc, .builder = builder };
	int r = pq_entry_list(doc, list, reterr);

	for (const struct pq_doc_node *node = list->first; r == 0 && node; node = node->next)
		r = read_pmu(&pmus, node, reterr);
	if (r == 0)
		r = pq_entry_unique(doc, pmus.named.v, pmus.named.n, "PMU", reterr);
	pq_vec_free(&pmus.named);
	return r;
}
