/* SPDX-License-Identifier: MIT */
/*
 * Writes the PMUs of one definition: those that differ only in name, alias and type are one entry
 * with ranges of names and types.
 */
#include "core/instance.h"
#include "core/ranges.h"
#include "core/text/utf8.h"
#include "document/write/write.h"

/* A PMU whose name and alias end in numbers can share an entry with others. */
struct instance {
	const struct pmuq_pmu *pmu;
	struct pmuq_str base, alias_base;
	uint32_t number, alias_number;
	bool has_number, is_written;
};

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

/* Both exist and are equal, or neither exists. */
static bool is_same(struct pmuq_str a, struct pmuq_str b)
{
	return !a.p == !b.p && str_eq(a, b);
}

static bool is_alike(const struct instance *a, const struct instance *b)
{
	/* A catalog stores equal sets of attributes once. */
	return a->has_number && b->has_number && a->pmu->attributes == b->pmu->attributes &&
	       a->pmu->n_attributes == b->pmu->n_attributes && str_eq(a->base, b->base) &&
	       is_same(a->alias_base, b->alias_base) && is_same(a->pmu->cpumask, b->pmu->cpumask) &&
	       is_same(a->pmu->cpus_file, b->pmu->cpus_file) &&
	       a->pmu->has_type == b->pmu->has_type;
}

enum column {
	COLUMN_NAMES,
	COLUMN_TYPES,
	COLUMN_ALIASES,
};

static uint32_t number_of(const struct instance *instance, enum column column)
{
	switch (column) {
	case COLUMN_NAMES:
		return instance->number;
	case COLUMN_TYPES:
		return instance->pmu->type;
	case COLUMN_ALIASES:
		return instance->alias_number;
	}
	return 0;
}

static void write_ranges(struct pq_sink *sink, struct pmuq_str key, struct pmuq_str base,
			 struct instance *const *line, size_t n, enum column column)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	struct pq_ranges ranges = { .buf = &text };

	pq_buf_add(&text, base);
	pq_buf_add(&text, column == COLUMN_TYPES ? STR("") : STR("["));
	for (size_t i = 0; i < n; i++)
		pq_ranges_add(&ranges, number_of(line[i], column));
	pq_ranges_end(&ranges);
	pq_buf_add(&text, column == COLUMN_TYPES ? STR("") : STR("]"));
	sink->failed |= text.failed;
	pq_sink_key(sink, key);
	pq_sink_text(sink, pq_buf_str(&text));
}

static void write_one(struct pq_sink *sink, const struct pmuq_pmu *pmu)
{
	pq_doc_write_pair(sink, STR("name"), pmu->name);
	if (pmu->alias.p)
		pq_doc_write_pair(sink, STR("alias"), pmu->alias);
	if (!pmu->has_type)
		return;
	pq_sink_key(sink, STR("type"));
	pq_sink_count(sink, pmu->type);
}

static void write_many(struct pq_sink *sink, struct instance *const *line, size_t n)
{
	write_ranges(sink, STR("names"), line[0]->base, line, n, COLUMN_NAMES);
	if (line[0]->pmu->alias.p)
		write_ranges(sink, STR("aliases"), line[0]->alias_base, line, n, COLUMN_ALIASES);
	if (line[0]->pmu->has_type)
		write_ranges(sink, STR("types"), STR(""), line, n, COLUMN_TYPES);
}

static void write_line(struct pq_sink *sink, struct instance *const *line, size_t n)
{
	const struct pmuq_pmu *pmu = line[0]->pmu;

	if (n == 1)
		write_one(sink, pmu);
	else
		write_many(sink, line, n);
	if (pmu->cpumask.p)
		pq_doc_write_pair(sink, STR("cpumask"), pmu->cpumask);
	if (pmu->cpus_file.p)
		pq_doc_write_pair(sink, STR("cpus"), pmu->cpus_file);
	if (!pmu->n_attributes)
		return;
	pq_sink_key(sink, STR("attributes"));
	pq_sink_open(sink, '{');
	for (size_t i = 0; i < pmu->n_attributes; i++)
		pq_doc_write_pair(sink, pmu->attributes[i].name, pmu->attributes[i].text);
	pq_sink_close(sink, '}');
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

static void write_all(struct pq_sink *sink, struct instance *instances, size_t n,
		      struct instance **line)
{
	size_t n_line = collect_line(instances, n, 0, line);

	if (n_line == n) {
		write_line(sink, line, n_line);
		return;
	}
	pq_sink_key(sink, STR("instances"));
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

void pq_doc_write_instances(struct pq_sink *sink, const struct pmuq_pmu **pmus, size_t n)
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
