/* SPDX-License-Identifier: MIT */
/*
 * The keys of a document, a row each in `sections`; and what the hosts of a document have in
 * common, which is all but the schema and the hosts: facts, PMUs, tracepoints, the check, and
 * problems.
 */
#include "core/catalog/fact.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"
#include <pmuq/pmuq.h>

/* ---- facts */

#define FACTS_MAX 256u

static int read_fact(struct pq_doc *doc, const struct pq_doc_node *node, struct pq_builder *builder,
		     struct pmuq_error **reterr)
{
	struct pmuq_str name, text;
	int r = pq_entry_key(doc, node, &name, reterr);

	if (r == 0)
		r = pq_entry_text(doc, node, &text, reterr);
	if (r < 0)
		return r;
	if (pq_fact_owner(name) != PQ_FACT_SHARED)
		return pq_doc_fail(doc, node->key_at, reterr, PMUQ_E_UNKNOWN_KEY,
				   "'%.*s' belongs to one host: write it in 'hosts'",
				   STR_ARG(name));
	if (!text.n)
		return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
				   "'%.*s' is empty: omit the key", STR_ARG(name));
	return pq_builder_fact(builder, name, text, reterr);
}

static int read_facts(struct pq_doc *doc, const struct pq_doc_node *facts,
		      struct pq_builder *builder, struct pmuq_error **reterr)
{
	int r = pq_entry_mapping(doc, facts, NULL, 0, reterr);

	if (r == 0 && facts->n > FACTS_MAX)
		return pq_doc_fail(doc, facts->at, reterr, PMUQ_E_DOCUMENT_LIMIT,
				   "more than %u facts", FACTS_MAX);
	for (const struct pq_doc_node *node = facts->first; r == 0 && node; node = node->next)
		r = read_fact(doc, node, builder, reterr);
	return r;
}

static size_t count_facts(const struct pmuq_catalog *catalog)
{
	size_t n = 0;

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++)
		n += pq_fact_owner(pq_catalog_fact(catalog, i)->name) == PQ_FACT_SHARED;
	return n;
}

static void write_facts(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++) {
		const struct pmuq_pair *fact = pq_catalog_fact(catalog, i);

		if (pq_fact_owner(fact->name) == PQ_FACT_SHARED)
			pq_doc_write_pair(sink, fact->name, fact->text);
	}
}

/* ---- tracepoints: a mapping for each subsystem */

static int read_subsystem(struct pq_doc *doc, const struct pq_doc_node *subsystem,
			  struct pq_builder *builder, struct pmuq_error **reterr)
{
	struct pq_tracepoint tracepoint;
	int r = pq_entry_key_of_file(doc, subsystem, &tracepoint.subsystem, reterr);

	if (r == 0)
		r = pq_entry_mapping(doc, subsystem, NULL, 0, reterr);
	for (const struct pq_doc_node *node = subsystem->first; r == 0 && node; node = node->next) {
		r = pq_entry_key_of_file(doc, node, &tracepoint.name, reterr);
		if (r == 0)
			r = pq_entry_number(doc, node, INT64_MAX, &tracepoint.id, reterr);
		if (r == 0)
			r = pq_builder_tracepoint(builder, &tracepoint, reterr);
	}
	return r;
}

static int read_tracepoints(struct pq_doc *doc, const struct pq_doc_node *tracepoints,
			    struct pq_builder *builder, struct pmuq_error **reterr)
{
	int r = pq_entry_mapping(doc, tracepoints, NULL, 0, reterr);

	for (const struct pq_doc_node *node = tracepoints->first; r == 0 && node; node = node->next)
		r = read_subsystem(doc, node, builder, reterr);
	return r;
}

/* They are in the order of their subsystems. */
static void write_tracepoints(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	size_t n = pq_catalog_tracepoint_count(catalog);
	const struct pq_tracepoint *before = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct pq_tracepoint *tracepoint = pq_catalog_tracepoint(catalog, i);
		bool is_first = !before || !str_eq(before->subsystem, tracepoint->subsystem);

		if (before && is_first)
			pq_sink_close(sink, '}');
		if (is_first) {
			pq_doc_write_name(sink, tracepoint->subsystem);
			pq_sink_open(sink, '{');
		}
		pq_doc_write_name(sink, tracepoint->name);
		pq_sink_count(sink, tracepoint->id);
		before = tracepoint;
	}
	pq_sink_close(sink, '}');
}

/* ---- problems */

// clang-format off
static const struct pq_doc_key problem_keys[] = {
	PQ_DOC_KEY("path",    TEXT,  struct pmuq_problem, path, .is_required = true),
	PQ_DOC_KEY("message", TEXT,  struct pmuq_problem, message, .is_required = true),
	PQ_DOC_KEY("code",    CODE,  struct pmuq_problem, code, .is_required = true),
	PQ_DOC_KEY("errno",   ERRNO, struct pmuq_problem, errnum),
};
// clang-format on

static int read_problems(struct pq_doc *doc, const struct pq_doc_node *problems,
			 struct pq_builder *builder, struct pmuq_error **reterr)
{
	int r = pq_entry_list(doc, problems, reterr);

	for (const struct pq_doc_node *node = problems->first; r == 0 && node; node = node->next) {
		struct pmuq_problem problem = { 0 };

		r = pq_doc_read_record(doc, node, problem_keys, COUNT(problem_keys), &problem,
				       reterr);
		if (r == 0)
			r = pq_builder_problem(builder, &problem, reterr);
	}
	return r;
}

static void write_problems(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_problems; i++) {
		pq_sink_open(sink, '{');
		pq_doc_write_fields(sink, problem_keys, COUNT(problem_keys),
				    pq_catalog_problem(catalog, i));
		pq_sink_close(sink, '}');
	}
}

/* ---- all */

static size_t count_pmus(const struct pmuq_catalog *catalog)
{
	return pmuq_catalog_machine(catalog)->n_pmus;
}

static size_t count_checks(const struct pmuq_catalog *catalog)
{
	return pmuq_catalog_machine(catalog)->check ? 1 : 0;
}

static void write_check(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	pq_doc_write_check(sink, pmuq_catalog_machine(catalog)->check);
}

static size_t count_problems(const struct pmuq_catalog *catalog)
{
	return pmuq_catalog_machine(catalog)->n_problems;
}

#define CHECK_KEY STR("check")

/* In the order in which they are written. */
static const struct section {
	struct pmuq_str key;
	char bracket;
	size_t (*count)(const struct pmuq_catalog *catalog); /* 0: the key is not written */
	void (*write)(struct pq_sink *sink, const struct pmuq_catalog *catalog);
	/* NULL: read after the catalog is complete. */
	int (*read)(struct pq_doc *doc, const struct pq_doc_node *node, struct pq_builder *builder,
		    struct pmuq_error **reterr);
} sections[] = {
	// clang-format off
	{ .key = STR("facts"), .bracket = '{', .count = count_facts, .write = write_facts, .read = read_facts },
	{ .key = STR("pmus"), .bracket = '[', .count = count_pmus, .write = pq_doc_write_pmus, .read = pq_doc_read_pmus },
	{ .key = STR("tracepoints"), .bracket = '{', .count = pq_catalog_tracepoint_count, .write = write_tracepoints,
	  .read = read_tracepoints },
	{ .key = CHECK_KEY, .bracket = '{', .count = count_checks, .write = write_check },
	{ .key = STR("problems"), .bracket = '[', .count = count_problems, .write = write_problems, .read = read_problems },
	// clang-format on
};

void pq_doc_write_machine(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	for (size_t i = 0; i < COUNT(sections); i++) {
		const struct section *section = &sections[i];

		if (!section->count(catalog))
			continue;
		pq_sink_key(sink, section->key);
		pq_sink_open(sink, section->bracket);
		section->write(sink, catalog);
		pq_sink_close(sink, section->bracket == '{' ? '}' : ']');
	}
}

static int read_sections(struct pq_doc *doc, const struct pq_doc_node *root,
			 struct pq_builder *builder, struct pmuq_error **reterr)
{
	struct pmuq_str names[COUNT(sections) + 2] = { PQ_SCHEMA_KEY, PQ_DOC_HOSTS_KEY };
	int r;

	for (size_t i = 0; i < COUNT(sections); i++)
		names[2 + i] = sections[i].key;
	r = pq_entry_mapping(doc, root, names, COUNT(names), reterr);
	for (size_t i = 0; r == 0 && i < COUNT(sections); i++) {
		const struct pq_doc_node *node = pq_entry_find(root, sections[i].key);

		if (node && sections[i].read)
			r = sections[i].read(doc, node, builder, reterr);
	}
	return r;
}

static void freep(struct pmuq_catalog **catalog)
{
	pmuq_catalog_free(*catalog);
}

int pq_doc_read_machine(struct pq_doc *doc, const struct pq_doc_node *root,
			struct pmuq_catalog **ret, struct pmuq_check **ret_check,
			struct pmuq_error **reterr)
{
	const struct pq_doc_node *check = pq_entry_find(root, CHECK_KEY);
	cleanup(freep) struct pmuq_catalog *catalog = NULL;
	struct pq_builder *builder = NULL;
	int r = pq_builder_new(&builder, reterr);

	if (r < 0)
		return r;
	r = read_sections(doc, root, builder, reterr);
	if (r < 0) {
		pq_builder_free(builder);
		return r;
	}
	r = pq_builder_finish(builder, &catalog, reterr);
	*ret_check = NULL;
	if (r == 0 && check)
		r = pq_doc_read_check(doc, check, catalog, ret_check, reterr);
	if (r == 0)
		*ret = move(catalog);
	return r;
}
