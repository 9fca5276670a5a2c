/* SPDX-License-Identifier: MIT */
/*
 * Reads the list `pmus`: an entry is one PMU, many PMUs with names as ranges, or a definition and a
 * list of its instances. write_pmus.c writes the same, by the keys that are listed here. Files of a
 * PMU that have a key of their own are rows of core/catalog/pmu_file.c.
 */
#include "core/limits.h"
#include "core/num.h"
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

/* The alias has two keys, like the name. */
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

/* The list while it is read; `shared` is of the current entry. */
struct pmus {
	struct pq_doc *doc;
	struct pq_builder *builder;
	struct pq_pmu_draft shared;	   /* formats, events, caps */
	PQ_VEC(struct pq_doc_named) named; /* of all PMUs: each must occur once in the whole list */
	uint64_t list_bytes;		   /* of all PMUs so far */
};

/* The entry of one of two keys that exclude each other; NULL if there is neither. */
static const struct pq_doc_node *find_either(struct pq_doc *doc, const struct pq_doc_node *mapping,
					     struct pmuq_str one, struct pmuq_str many,
					     bool *ret_is_many)
{
	const struct pq_doc_node *single = pq_entry_find(mapping, one);
	const struct pq_doc_node *list = pq_entry_find(mapping, many);

	if (single && list)
		pq_doc_fail(doc, list->key_at, PMUQ_E_BAD_ENTRY, "'%.*s' or '%.*s', not both",
			    STR_ARG(one), STR_ARG(many));
	*ret_is_many = list;
	return list ? list : single;
}

/* `like` describes the value of the key. */
static void check_ranges(struct pq_doc *doc, const struct pq_doc_node *node,
			 enum pq_ranges_result result, const char *like)
{
	if (doc->arena.is_refused)
		pq_doc_fail_memory(doc);
	else if (result == PQ_RANGES_MANY || result == PQ_RANGES_MEMORY)
		pq_doc_fail(doc, node->at, PMUQ_E_DOCUMENT_LIMIT, "more than %u PMUs", PQ_PMUS_MAX);
	else if (result != PQ_RANGES_OK)
		pq_doc_fail(doc, node->at, PMUQ_E_BAD_ENTRY, "'%.*s' takes %s", STR_ARG(node->key),
			    like);
}

static struct pmuq_str make_name(struct pq_doc *doc, struct pmuq_str stem, uint32_t number)
{
	struct pq_buf name = PQ_BUF_IN(&doc->arena);
	char digits[PQ_NUM_DIGITS_MAX];

	pq_buf_add(&name, stem);
	pq_buf_add(&name, pq_num_print(number, &digits));
	if (name.failed)
		pq_doc_fail_memory(doc);
	return pq_buf_str(&name);
}

static struct pq_doc_names make_names(struct pq_doc *doc, const struct pq_doc_node *node)
{
	struct pmuq_str text = pq_entry_line(doc, node), stem;
	struct pq_doc_names names = { 0 };
	struct pq_numbers numbers = { 0 };

	if (doc->r == 0)
		check_ranges(doc, node, pq_ranges_read_stem(&doc->arena, text, &stem, &numbers),
			     "names like uncore_imc_[0-3,8]");
	names.v = pq_entry_array(doc, node, numbers.n, sizeof(*names.v));
	while (doc->r == 0 && names.n < numbers.n) {
		names.v[names.n] = make_name(doc, stem, numbers.v[names.n]);
		names.n++;
	}
	return names;
}

struct pq_doc_names pq_doc_read_names(struct pq_doc *doc, const struct pq_doc_node *mapping,
				      struct pmuq_str one, struct pmuq_str many)
{
	bool is_many;
	const struct pq_doc_node *node = find_either(doc, mapping, one, many, &is_many);
	struct pq_doc_names names = { 0 };

	if (node && is_many)
		return make_names(doc, node);
	if (node)
		names.v = pq_entry_array(doc, node, 1, sizeof(*names.v));
	if (names.v)
		names.v[names.n++] = pq_entry_text(doc, node);
	return names;
}

/* An entry: the PMUs that it names. */
struct pmu_line {
	const struct pq_doc_node *node;
	struct pq_doc_names names, aliases;
	struct pq_numbers types;
	struct pq_pmu_draft draft; /* the data that they share, including the definition */
};

static void read_types(struct pq_doc *doc, struct pmu_line *line)
{
	bool is_many;
	const struct pq_doc_node *node = find_either(doc, line->node, pq_doc_pmu_keys[PQ_DOC_TYPE],
						     pq_doc_pmu_keys[PQ_DOC_TYPES], &is_many);

	if (node && is_many) {
		check_ranges(doc, node,
			     pq_ranges_read(&doc->arena, pq_entry_line(doc, node), &line->types),
			     "numbers like \"17-20,30\"");
	} else if (node) {
		line->types.v = pq_entry_array(doc, node, 1, sizeof(*line->types.v));
		if (line->types.v)
			line->types.v[line->types.n++] =
				(uint32_t)pq_entry_number(doc, node, UINT32_MAX);
	}
}

static void check_count(struct pq_doc *doc, const struct pmu_line *line, size_t n, const char *what)
{
	if (n && n != line->names.n)
		pq_doc_fail(doc, line->node->at, PMUQ_E_BAD_ENTRY, "%zu PMUs, and %zu %s",
			    line->names.n, n, what);
}

static void read_files(struct pq_doc *doc, struct pmu_line *line)
{
	const struct pq_pmu_file *file;

	for (size_t i = 0; (file = pq_doc_pmu_file(&i));) {
		const struct pq_doc_node *node = pq_entry_find(line->node, file->info.path);

		if (node)
			*pq_pmu_file_in_draft(file, &line->draft) = pq_entry_line(doc, node);
	}
}

static void read_attributes(struct pq_doc *doc, struct pmu_line *line)
{
	const struct pq_doc_node *mapping =
		pq_entry_find(line->node, pq_doc_pmu_keys[PQ_DOC_ATTRIBUTES]);

	if (!mapping)
		return;
	line->draft.attributes = pq_doc_read_pairs(doc, mapping);
	line->draft.n_attributes = mapping->n;
	for (const struct pq_doc_node *node = mapping->first; node; node = node->next)
		if (!pq_pmu_file_is_attribute(node->key))
			pq_doc_fail(doc, node->key_at, PMUQ_E_BAD_ENTRY,
				    "'%.*s' is not one of the attributes", STR_ARG(node->key));
}

/* Reads everything except the definition, which the surrounding entry contains. */
static void read_line(struct pq_doc *doc, struct pmu_line *line)
{
	const struct pq_doc_node *alias = pq_entry_find(line->node, pq_doc_pmu_keys[PQ_DOC_ALIAS]);

	line->names = pq_doc_read_names(doc, line->node, pq_doc_pmu_keys[PQ_DOC_NAME],
					pq_doc_pmu_keys[PQ_DOC_NAMES]);
	if (!line->names.n)
		pq_doc_fail(doc, line->node->at, PMUQ_E_MISSING_KEY,
			    "a PMU needs a key 'name' or 'names'");
	line->aliases = pq_doc_read_names(doc, line->node, pq_doc_pmu_keys[PQ_DOC_ALIAS],
					  pq_doc_pmu_keys[PQ_DOC_ALIASES]);
	/* The alias is the first line of a file, but the name of a directory may contain blanks. */
	if (alias)
		pq_entry_line(doc, alias);
	read_types(doc, line);
	check_count(doc, line, line->types.n, "types");
	check_count(doc, line, line->aliases.n, "aliases");
	read_files(doc, line);
	read_attributes(doc, line);
}

static void remember(struct pmus *pmus, struct pmuq_str name, struct pq_doc_location at)
{
	if (pmus->named.n == PQ_PMUS_MAX)
		pq_doc_fail(pmus->doc, at, PMUQ_E_DOCUMENT_LIMIT, "more than %u PMUs", PQ_PMUS_MAX);
	else if (!pq_vec_push(&pmus->named, { .name = name, .at = at }))
		pq_doc_fail_memory(pmus->doc);
}

/* A type that is the same on every kernel ("software" is 1) need not be in the document. */
static void add_instance(struct pmus *pmus, const struct pmu_line *line, size_t index)
{
	struct pq_pmu_draft draft = line->draft;
	struct pq_doc *doc = pmus->doc;

	draft.name = line->names.v[index];
	draft.alias = line->aliases.n ? line->aliases.v[index] : (struct pmuq_str){ 0 };
	draft.has_type = line->types.n > 0;
	if (draft.has_type)
		draft.type = line->types.v[index];
	else
		draft.has_type = pq_pmu_known_type(draft.name, &draft.type);
	pq_entry_check_file_name(doc, draft.name, line->node->at);
	remember(pmus, draft.name, line->node->at);
	if (doc->r == 0)
		doc->r = pq_builder_pmu(pmus->builder, &draft, doc->reterr);
}

static void add_line(struct pmus *pmus, const struct pq_doc_node *node)
{
	const struct pq_pmu_draft *shared = &pmus->shared;
	struct pmu_line line = { .node = node, .draft = *shared };

	read_line(pmus->doc, &line);
	/* After an error a draft may have numbers without arrays. */
	if (pmus->doc->r < 0)
		return;
	pmus->list_bytes += line.names.n * pq_draft_list_bytes(&line.draft);
	if (pmus->list_bytes > PQ_LISTS_MAX_BYTES)
		pq_doc_fail(pmus->doc, node->at, PMUQ_E_DOCUMENT_LIMIT,
			    "the PMUs have more formats, events and caps than any machine has");
	for (size_t i = 0; pmus->doc->r == 0 && i < line.names.n; i++)
		add_instance(pmus, &line, i);
}

static void add_instances(struct pmus *pmus, const struct pq_doc_node *instances)
{
	const struct pq_doc_node *node = pq_entry_of_list(pmus->doc, instances);
	struct pmuq_str names[PQ_DOC_KEYS_MAX];
	size_t n = instance_keys(names);

	for (; node; node = pq_entry_after(pmus->doc, node)) {
		pq_entry_check_keys(pmus->doc, node, names, n);
		add_line(pmus, node);
	}
}

/* An entry has the keys of one instance, or a list of instances; and those of a definition. */
static void read_pmu(struct pmus *pmus, const struct pq_doc_node *node)
{
	const struct pq_doc_node *instances =
		pq_entry_find(node, pq_doc_pmu_keys[PQ_DOC_INSTANCES]);
	struct pmuq_str names[PQ_DOC_KEYS_MAX];
	size_t n = instances ? 0 : instance_keys(names);

	names[n++] = pq_doc_pmu_keys[PQ_DOC_INSTANCES];
	n = pq_doc_definition_keys(names, n);
	pq_entry_check_keys(pmus->doc, node, names, n);
	pmus->shared = (struct pq_pmu_draft){ 0 };
	pq_doc_read_definition(pmus->doc, node, &pmus->shared);
	if (instances)
		add_instances(pmus, instances);
	else
		add_line(pmus, node);
}

void pq_doc_read_pmus(struct pq_doc *doc, const struct pq_doc_node *list,
		      struct pq_builder *builder)
{
	struct pmus pmus = { .doc = doc, .builder = builder };
	const struct pq_doc_node *node = pq_entry_of_list(doc, list);

	for (; node; node = pq_entry_after(doc, node))
		read_pmu(&pmus, node);
	if (doc->r == 0)
		pq_entry_check_unique(doc, pmus.named.v, pmus.named.n, "PMU");
	pq_vec_free(&pmus.named);
}
