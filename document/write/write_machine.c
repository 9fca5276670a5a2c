/* SPDX-License-Identifier: MIT */
/*
 * Writes what the hosts of a document have in common: facts, PMUs (once for each definition),
 * tracepoints, the check, and problems.
 */
#include "core/catalog/fact.h"
#include "document/write/write.h"
#include <pmuq/pmuq.h>

static void write_facts(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	bool has_any = false;

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++) {
		const struct pmuq_pair *fact = pq_catalog_fact(catalog, i);

		if (pq_fact_owner(fact->name) != PQ_FACT_SHARED)
			continue;
		if (!has_any) {
			pq_sink_key(sink, STR("facts"));
			pq_sink_open(sink, '{');
			has_any = true;
		}
		pq_doc_write_pair(sink, fact->name, fact->text);
	}
	if (has_any)
		pq_sink_close(sink, '}');
}

static void write_definition(struct pq_sink *sink, const struct pq_def *def)
{
	if (def->record.n_formats) {
		pq_sink_key(sink, STR("formats"));
		pq_sink_open(sink, '{');
		for (size_t i = 0; i < def->record.n_formats; i++)
			pq_doc_write_pair(sink, def->formats[i].name, def->formats[i].text);
		pq_sink_close(sink, '}');
	}
	if (def->record.n_events) {
		pq_sink_key(sink, STR("events"));
		pq_sink_open(sink, '{');
		for (size_t i = 0; i < def->record.n_events; i++)
			pq_doc_write_event(sink, &def->events[i]);
		pq_sink_close(sink, '}');
	}
	if (def->record.n_caps) {
		pq_sink_key(sink, STR("caps"));
		pq_sink_open(sink, '{');
		for (size_t i = 0; i < def->record.n_caps; i++)
			pq_doc_write_pair(sink, def->record.caps[i].name, def->record.caps[i].text);
		pq_sink_close(sink, '}');
	}
}

/* A definition that is empty is not shared: each such PMU has an entry of its own. */
static bool is_empty(const struct pq_def *def)
{
	return !def->record.n_formats && !def->record.n_events && !def->record.n_caps;
}

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

/* Whether a PMU before it has the same definition, which is written then. `next_def` counts the
 * definitions that were met: they are numbered as they first appear. */
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

static void write_pmus(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_pmus, next_def = 0;
	auto_free const struct pmuq_pmu **instances = calloc(n + 1, sizeof(const void *));

	if (!instances) {
		sink->failed = true;
		return;
	}
	if (!n)
		return;
	pq_sink_key(sink, STR("pmus"));
	pq_sink_open(sink, '[');
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		if (!is_first(catalog, pmu, &next_def))
			continue;
		pq_sink_open(sink, '{');
		pq_doc_write_instances(sink, instances, collect_instances(catalog, i, instances));
		write_definition(sink, pq_def_of(pmu));
		pq_sink_close(sink, '}');
	}
	pq_sink_close(sink, ']');
}

/* They are in the order of their subsystems. */
static void write_tracepoints(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	size_t n = pq_catalog_tracepoint_count(catalog);
	const struct pq_tracepoint *before = NULL;

	if (!n)
		return;
	pq_sink_key(sink, STR("tracepoints"));
	pq_sink_open(sink, '{');
	for (size_t i = 0; i < n; i++) {
		const struct pq_tracepoint *tracepoint = pq_catalog_tracepoint(catalog, i);

		if (before && !str_eq(before->subsystem, tracepoint->subsystem))
			pq_sink_close(sink, '}');
		if (!before || !str_eq(before->subsystem, tracepoint->subsystem)) {
			pq_doc_write_name(sink, tracepoint->subsystem);
			pq_sink_open(sink, '{');
		}
		pq_doc_write_name(sink, tracepoint->name);
		pq_sink_count(sink, tracepoint->id);
		before = tracepoint;
	}
	pq_sink_close(sink, '}');
	pq_sink_close(sink, '}');
}

static void write_problem(struct pq_sink *sink, const struct pmuq_problem *problem)
{
	const char *code = pmuq_code_name(problem->code);

	pq_sink_open(sink, '{');
	pq_doc_write_pair(sink, STR("path"), problem->path);
	pq_doc_write_pair(sink, STR("message"), problem->message);
	pq_sink_key(sink, STR("code"));
	if (code)
		pq_sink_text(sink, str_of(code));
	else
		pq_sink_count(sink, (uint64_t)problem->code);
	if (problem->errnum) {
		pq_sink_key(sink, STR("errno"));
		pq_sink_count(sink, (uint64_t)problem->errnum);
	}
	pq_sink_close(sink, '}');
}

static void write_problems(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_problems;

	if (!n)
		return;
	pq_sink_key(sink, STR("problems"));
	pq_sink_open(sink, '[');
	for (size_t i = 0; i < n; i++)
		write_problem(sink, pq_catalog_problem(catalog, i));
	pq_sink_close(sink, ']');
}

void pq_doc_write_machine(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	write_facts(sink, catalog);
	write_pmus(sink, catalog);
	write_tracepoints(sink, catalog);
	if (pmuq_catalog_machine(catalog)->check)
		pq_doc_write_check(sink, pmuq_catalog_machine(catalog)->check);
	write_problems(sink, catalog);
}
