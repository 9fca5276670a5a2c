/* SPDX-License-Identifier: MIT */
/*
 * Writes the list `pmus`: an entry for each definition, with its PMUs. Those that differ only in
 * name, alias and type are one line with ranges of names and types; if they take more than one
 * line, the lines are a list of instances.
 */
#include "core/instance.h"
#include "core/ranges.h"
#include "core/text/utf8.h"
#include "document/parts/parts.h"

/* A PMU whose name and alias end in numbers can share an entry with others. */
struct instance {
	const struct pmuq_pmu *pmu;
	struct pmuq_str base, alias_base;
	uint32_t number, alias_number;
	bool has_number, is_written;
};

/* A name that is not text is written as base64, which no range can contain. */
static struct instance instance_of(const struct pmuq_pmu *pmu)
{
	struct instance instance = { .pmu = pmu, .base = pmu->name };

	instance.has_number = pq_utf8_is_text(pmu->name) &&
			      pq_instance_number(pmu->name, &instance.base, &instance.number);
	if (instance.has_number && pmu->alias.p)
		instance.has_number = pq_utf8_is_text(pmu->alias) &&
				      pq_instance_number(pmu->alias, &instance.alias_base,
							 &instance.alias_number);
	if (!instance.has_number)
		instance.base = pmu->name;
	return instance;
}

/* By base, names without a number first, so that instances that can share a line are adjacent. */
static int compare_instances(const void *of_a, const void *of_b)
{
	const struct instance *a = of_a, *b = of_b;
	int r = str_cmp(a->base, b->base);

	if (r)
		return r;
	if (a->has_number != b->has_number)
		return a->has_number ? 1 : -1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return 0;
}

static bool has_same_files(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	const struct pq_pmu_file *file;

	for (size_t i = 0; (file = pq_doc_pmu_file(&i));)
		if (!str_same(*pq_pmu_file_in_pmu(file, a), *pq_pmu_file_in_pmu(file, b)))
			return false;
	/* A catalog stores equal sets of attributes once. */
	return a->attributes == b->attributes && a->n_attributes == b->n_attributes;
}

static bool is_alike(const struct instance *a, const struct instance *b)
{
	return a->has_number && b->has_number && str_eq(a->base, b->base) &&
	       str_same(a->alias_base, b->alias_base) && has_same_files(a->pmu, b->pmu) &&
	       a->pmu->has_type == b->pmu->has_type;
}

static uint32_t number_of(const struct instance *instance, enum pq_doc_pmu_key key)
{
	if (key == PQ_DOC_NAMES)
		return instance->number;
	return key == PQ_DOC_ALIASES ? instance->alias_number : instance->pmu->type;
}

/* "uncore_imc_[0-3]", or without a base "17-20". */
static void write_ranges(struct pq_sink *sink, enum pq_doc_pmu_key key, struct pmuq_str base,
			 struct instance *const *line, size_t n)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	struct pq_ranges ranges = { .buf = &text };

	pq_buf_add(&text, base);
	pq_buf_add(&text, base.n ? STR("[") : STR(""));
	for (size_t i = 0; i < n; i++)
		pq_ranges_add(&ranges, number_of(line[i], key));
	pq_ranges_end(&ranges);
	pq_buf_add(&text, base.n ? STR("]") : STR(""));
	sink->failed |= text.failed;
	pq_sink_key(sink, pq_doc_pmu_keys[key]);
	pq_sink_text(sink, pq_buf_str(&text));
}

static void write_one(struct pq_sink *sink, const struct pmuq_pmu *pmu)
{
	pq_doc_write_pair(sink, pq_doc_pmu_keys[PQ_DOC_NAME], pmu->name);
	if (pmu->alias.p)
		pq_doc_write_pair(sink, pq_doc_pmu_keys[PQ_DOC_ALIAS], pmu->alias);
	if (!pmu->has_type)
		return;
	pq_sink_key(sink, pq_doc_pmu_keys[PQ_DOC_TYPE]);
	pq_sink_count(sink, pmu->type);
}

static void write_many(struct pq_sink *sink, struct instance *const *line, size_t n)
{
	write_ranges(sink, PQ_DOC_NAMES, line[0]->base, line, n);
	if (line[0]->pmu->alias.p)
		write_ranges(sink, PQ_DOC_ALIASES, line[0]->alias_base, line, n);
	if (line[0]->pmu->has_type)
		write_ranges(sink, PQ_DOC_TYPES, STR(""), line, n);
}

static void write_line(struct pq_sink *sink, struct instance *const *line, size_t n)
{
	const struct pmuq_pmu *pmu = line[0]->pmu;
	const struct pq_pmu_file *file;

	if (n == 1)
		write_one(sink, pmu);
	else
		write_many(sink, line, n);
	for (size_t i = 0; (file = pq_doc_pmu_file(&i));)
		if (pq_pmu_file_in_pmu(file, pmu)->p)
			pq_doc_write_pair(sink, file->info.path, *pq_pmu_file_in_pmu(file, pmu));
	pq_doc_write_pairs(sink, pq_doc_pmu_keys[PQ_DOC_ATTRIBUTES], pmu->attributes,
			   pmu->n_attributes);
}

/* Collects the PMUs that share an entry with instances[first], and marks them as written. */
static size_t collect_line(struct instance *instances, size_t n, size_t first,
			   struct instance **line)
{
	size_t n_line = 0;

	line[n_line++] = &instances[first];
	for (size_t i = first + 1; i < n && str_eq(instances[i].base, instances[first].base); i++)
		if (!instances[i].is_written && is_alike(&instances[first], &instances[i]))
			line[n_line++] = &instances[i];
	for (size_t i = 0; i < n_line; i++)
		line[i]->is_written = true;
	return n_line;
}

/* `line` is memory for n pointers. */
static void write_all(struct pq_sink *sink, struct instance *instances, size_t n,
		      struct instance **line)
{
	size_t n_line = collect_line(instances, n, 0, line);

	if (n_line == n) {
		write_line(sink, line, n_line);
		return;
	}
	pq_sink_key(sink, pq_doc_pmu_keys[PQ_DOC_INSTANCES]);
	pq_sink_open(sink, '[');
	for (size_t i = 0; i < n; i++) {
		if (i && instances[i].is_written)
			continue;
		if (i)
			n_line = collect_line(instances, n, i, line);
		pq_sink_open(sink, '{');
		write_line(sink, line, n_line);
		pq_sink_close(sink, '}');
	}
	pq_sink_close(sink, ']');
}

/* Sorts them. */
static void write_instances(struct pq_sink *sink, const struct pmuq_pmu **pmus, size_t n)
{
	auto_free struct instance *instances = calloc(n, sizeof(*instances));
	auto_free struct instance **line = calloc(n, sizeof(*line));

	if (!instances || !line) {
		sink->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		instances[i] = instance_of(pmus[i]);
	qsort(instances, n, sizeof(*instances), compare_instances);
	write_all(sink, instances, n, line);
}

/* A definition that is empty is not shared: each such PMU has an entry of its own. */
static bool is_empty(const struct pq_def *def)
{
	return !def->record.n_formats && !def->record.n_events && !def->record.n_caps;
}

/* Collects the PMUs with the definition of the first one, from that one on. */
static size_t collect_instances(const struct pmuq_catalog *catalog, size_t first,
				const struct pmuq_pmu **instances)
{
	const struct pmuq_definition *def = pmuq_catalog_pmu(catalog, first)->definition;
	size_t n = 0, count = is_empty(pq_def_of(pmuq_catalog_pmu(catalog, first)))
				      ? first + 1
				      : pmuq_catalog_machine(catalog)->n_pmus;

	for (size_t i = first; i < count; i++)
		if (pmuq_catalog_pmu(catalog, i)->definition == def)
			instances[n++] = pmuq_catalog_pmu(catalog, i);
	return n;
}

/* Whether an earlier PMU has the same definition, which is written there. `next_def` counts the
 * definitions so far: they are numbered in the order of their first use. */
static bool is_first(const struct pmuq_catalog *catalog, const struct pmuq_pmu *pmu,
		     size_t *next_def)
{
	if (*next_def < pq_catalog_def_count(catalog) &&
	    pq_catalog_def(catalog, *next_def) == pq_def_of(pmu)) {
		++*next_def;
		return true;
	}
	return is_empty(pq_def_of(pmu));
}

void pq_doc_write_pmus(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_pmus, next_def = 0;
	auto_free const struct pmuq_pmu **instances = calloc(n + 1, sizeof(const void *));

	if (!instances) {
		sink->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		if (!is_first(catalog, pmu, &next_def))
			continue;
		pq_sink_open(sink, '{');
		write_instances(sink, instances, collect_instances(catalog, i, instances));
		pq_doc_write_definition(sink, pq_def_of(pmu));
		pq_sink_close(sink, '}');
	}
}
