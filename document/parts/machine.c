/* SPDX-License-Identifier: MIT */
/*
 * The keys of a document, a row each in `sections`; and the data that the hosts of a document
 * share, which is everything except the schema, the hosts and the end: facts, PMUs, tracepoints,
 * the check, and problems.
 */
#include "core/catalog/fact.h"
#include "core/limits.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"
#include <pmuq/pmuq.h>

/* ---- facts */

static void read_fact(struct pq_doc *doc, const struct pq_doc_node *node,
		      struct pq_builder *builder)
{
	struct pmuq_str name = pq_entry_key(doc, node), text = pq_entry_text(doc, node);

	if (pq_fact_owner(name) != PQ_FACT_SHARED)
		pq_doc_fail(doc, node->key_at, PMUQ_E_UNKNOWN_KEY,
			    "'%.*s' belongs to one host: write it in 'hosts'", STR_ARG(name));
	if (!text.n)
		pq_doc_fail(doc, node->at, PMUQ_E_BAD_ENTRY, "'%.*s' is empty: omit the key",
			    STR_ARG(name));
	if (doc->r == 0)
		doc->r = pq_builder_fact(builder, name, text, doc->reterr);
}

static void read_facts(struct pq_doc *doc, const struct pq_doc_node *facts,
		       struct pq_builder *builder)
{
	const struct pq_doc_node *node = pq_entry_of_mapping(doc, facts);

	if (facts->n > PQ_DOCUMENT_FACTS_MAX)
		pq_doc_fail(doc, facts->at, PMUQ_E_DOCUMENT_LIMIT, "more than %u facts",
			    PQ_DOCUMENT_FACTS_MAX);
	for (; node; node = pq_entry_after(doc, node))
		read_fact(doc, node, builder);
}

static size_t count_facts(const struct pmuq_catalog *catalog)
{
	const struct pmuq_machine *machine = pmuq_catalog_machine(catalog);
	size_t n = 0;

	for (size_t i = 0; i < machine->n_facts; i++)
		n += pq_fact_owner(machine->facts[i].name) == PQ_FACT_SHARED;
	return n;
}

static void write_facts(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	const struct pmuq_machine *machine = pmuq_catalog_machine(catalog);

	for (size_t i = 0; i < machine->n_facts; i++) {
		const struct pmuq_pair *fact = &machine->facts[i];

		if (pq_fact_owner(fact->name) == PQ_FACT_SHARED)
			pq_doc_write_pair(sink, fact->name, fact->text);
	}
}

/* ---- tracepoints: a mapping for each subsystem */

static void read_subsystem(struct pq_doc *doc, const struct pq_doc_node *mapping,
			   struct pq_builder *builder)
{
	struct pmuq_str subsystem = pq_entry_key_of_file(doc, mapping);
	const struct pq_doc_node *node = pq_entry_of_mapping(doc, mapping);

	for (; node; node = pq_entry_after(doc, node)) {
		struct pmuq_tracepoint tracepoint = {
			.subsystem = subsystem,
			.name = pq_entry_key_of_file(doc, node),
		};

		tracepoint.id = pq_entry_number(doc, node, INT64_MAX);
		if (doc->r == 0)
			doc->r = pq_builder_tracepoint(builder, &tracepoint, doc->reterr);
	}
}

static void read_tracepoints(struct pq_doc *doc, const struct pq_doc_node *tracepoints,
			     struct pq_builder *builder)
{
	const struct pq_doc_node *node = pq_entry_of_mapping(doc, tracepoints);

	for (; node; node = pq_entry_after(doc, node))
		read_subsystem(doc, node, builder);
}

/* They are in the order of their subsystems. */
static void write_tracepoints(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_tracepoints;
	const struct pmuq_tracepoint *before = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct pmuq_tracepoint *tracepoint = pmuq_catalog_tracepoint(catalog, i);
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

static void read_problems(struct pq_doc *doc, const struct pq_doc_node *problems,
			  struct pq_builder *builder)
{
	const struct pq_doc_node *node = pq_entry_of_list(doc, problems);

	for (; node; node = pq_entry_after(doc, node)) {
		struct pmuq_problem problem = { 0 };

		pq_doc_read_record(doc, node, problem_keys, COUNT(problem_keys), &problem);
		if (doc->r == 0)
			doc->r = pq_builder_problem(builder, &problem, doc->reterr);
	}
}

static void write_problems(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_problems; i++) {
		pq_sink_open(sink, '{');
		pq_doc_write_fields(sink, problem_keys, COUNT(problem_keys),
				    pmuq_catalog_problem(catalog, i));
		pq_sink_close(sink, '}');
	}
}

/* ---- all */

/* Only called if there is one. */
static void write_check(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	pq_doc_write_check(sink, pmuq_catalog_machine(catalog)->check);
}

/* In the order in which they are written. */
enum {
	FACTS,
	PMUS,
	TRACEPOINTS,
	CHECK,
	PROBLEMS,
	SECTIONS,
};

static const struct section {
	struct pmuq_str key;
	char open, close;
	void (*write)(struct pq_sink *sink, const struct pmuq_catalog *catalog);
	/* NULL: read after the catalog is complete. */
	void (*read)(struct pq_doc *doc, const struct pq_doc_node *node,
		     struct pq_builder *builder);
} sections[SECTIONS] = {
	// clang-format off
	[FACTS] = { .key = STR("facts"), .open = '{', .close = '}', .write = write_facts, .read = read_facts },
	[PMUS] = { .key = STR("pmus"), .open = '[', .close = ']', .write = pq_doc_write_pmus, .read = pq_doc_read_pmus },
	[TRACEPOINTS] = { .key = STR("tracepoints"), .open = '{', .close = '}', .write = write_tracepoints, .read = read_tracepoints },
	[CHECK] = { .key = STR("check"), .open = '{', .close = '}', .write = write_check },
	[PROBLEMS] = { .key = STR("problems"), .open = '[', .close = ']', .write = write_problems, .read = read_problems },
	// clang-format on
};

void pq_doc_write_machine(struct pq_sink *sink, const struct pmuq_catalog *catalog)
{
	const struct pmuq_machine *machine = pmuq_catalog_machine(catalog);
	/* A section without items is not written. */
	const bool has_items[SECTIONS] = {
		[FACTS] = count_facts(catalog) > 0,
		[PMUS] = machine->n_pmus > 0,
		[TRACEPOINTS] = pmuq_catalog_machine(catalog)->n_tracepoints > 0,
		[CHECK] = machine->check,
		[PROBLEMS] = machine->n_problems > 0,
	};

	for (size_t i = 0; i < SECTIONS; i++) {
		if (!has_items[i])
			continue;
		pq_sink_key(sink, sections[i].key);
		pq_sink_open(sink, sections[i].open);
		sections[i].write(sink, catalog);
		pq_sink_close(sink, sections[i].close);
	}
}

static void read_sections(struct pq_doc *doc, struct pq_builder *builder)
{
	struct pmuq_str names[SECTIONS + 3] = { PQ_SCHEMA_KEY, PQ_DOC_HOSTS_KEY, PQ_DOC_END_KEY };

	for (size_t i = 0; i < SECTIONS; i++)
		names[3 + i] = sections[i].key;
	pq_entry_check_keys(doc, doc->root, names, COUNT(names));
	for (size_t i = 0; doc->r == 0 && i < SECTIONS; i++) {
		const struct pq_doc_node *node = pq_entry_find(doc->root, sections[i].key);

		if (node && sections[i].read)
			sections[i].read(doc, node, builder);
	}
}

/* The builder is needed until the catalog is finished; the check refers to the finished catalog. */
void pq_doc_read_machine(struct pq_doc *doc, struct pmuq_catalog **ret,
			 struct pmuq_check **ret_check)
{
	const struct pq_doc_node *check = pq_entry_find(doc->root, sections[CHECK].key);
	struct pq_builder *builder = NULL;

	if (doc->r == 0)
		doc->r = pq_builder_new(&builder, doc->reterr);
	if (doc->r < 0)
		return;
	read_sections(doc, builder);
	if (doc->r == 0)
		doc->r = pq_builder_finish(move(builder), ret, doc->reterr);
	pq_builder_free(builder);
	if (doc->r == 0 && check)
		*ret_check = pq_doc_read_check(doc, check, *ret);
}
