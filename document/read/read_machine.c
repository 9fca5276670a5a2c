/* SPDX-License-Identifier: MIT */
/* Reads what the hosts of a document have in common into a catalog. */
#include "core/catalog/fact.h"
#include "document/read/read.h"
#include <limits.h>
#include <pmuq/pmuq.h>

#define FACTS_MAX 256u

static const struct pmuq_str keys[] = { STR("schema"),	STR("hosts"),	    STR("facts"),
					STR("pmus"),	STR("tracepoints"), STR("check"),
					STR("problems") };

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
				   "'%.*s' is of one host alone: it stands in 'hosts'",
				   STR_ARG(name));
	if (!text.n)
		return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
				   "'%.*s' is empty: leave it away", STR_ARG(name));
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

/* A code by its name, or by its number if another release of pmuq wrote it. */
static int read_code(struct pq_doc *doc, const struct pq_doc_node *node, enum pmuq_code *ret,
		     struct pmuq_error **reterr)
{
	uint64_t number = 0;

	for (size_t i = 0; node->type != PQ_DOC_MAPPING && pmuq_code_at(i); i++) {
		*ret = (enum pmuq_code)pmuq_code_at(i);
		if (str_eq(node->text, str_of(pmuq_code_name(*ret))))
			return 0;
	}
	if (pq_entry_number(doc, node, INT_MAX, &number, NULL) == 0) {
		*ret = (enum pmuq_code)number;
		return 0;
	}
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "'code' takes the name of an error: see `pmuq help`");
}

static int read_problem(struct pq_doc *doc, const struct pq_doc_node *node,
			struct pq_builder *builder, struct pmuq_error **reterr)
{
	static const struct pmuq_str problem_keys[] = { STR("path"), STR("message"), STR("code"),
							STR("errno") };
	const struct pq_doc_node *path = NULL, *message = NULL, *code = NULL, *errnum;
	struct pmuq_problem problem = { 0 };
	uint64_t number = 0;
	int r = pq_entry_mapping(doc, node, problem_keys, COUNT(problem_keys), reterr);

	if (r == 0)
		r = pq_entry_need(doc, node, STR("path"), &path, reterr);
	if (r == 0)
		r = pq_entry_need(doc, node, STR("message"), &message, reterr);
	if (r == 0)
		r = pq_entry_need(doc, node, STR("code"), &code, reterr);
	if (r == 0)
		r = pq_entry_text(doc, path, &problem.path, reterr);
	if (r == 0)
		r = pq_entry_text(doc, message, &problem.message, reterr);
	if (r == 0)
		r = read_code(doc, code, &problem.code, reterr);
	if (r < 0)
		return r;
	errnum = pq_entry_find(node, STR("errno"));
	if (errnum)
		r = pq_entry_number(doc, errnum, INT_MAX, &number, reterr);
	problem.errnum = (int)number;
	return r == 0 ? pq_builder_problem(builder, &problem, reterr) : r;
}

static int read_problems(struct pq_doc *doc, const struct pq_doc_node *problems,
			 struct pq_builder *builder, struct pmuq_error **reterr)
{
	int r = pq_entry_list(doc, problems, reterr);

	for (const struct pq_doc_node *node = problems->first; r == 0 && node; node = node->next)
		r = read_problem(doc, node, builder, reterr);
	return r;
}

static int read_all(struct pq_doc *doc, const struct pq_doc_node *root, struct pq_builder *builder,
		    struct pmuq_error **reterr)
{
	static const struct {
		struct pmuq_str key;
		int (*read)(struct pq_doc *doc, const struct pq_doc_node *node,
			    struct pq_builder *builder, struct pmuq_error **reterr);
	} parts[] = {
		{ .key = STR("facts"), .read = read_facts },
		{ .key = STR("pmus"), .read = pq_doc_read_pmus },
		{ .key = STR("tracepoints"), .read = read_tracepoints },
		{ .key = STR("problems"), .read = read_problems },
	};
	int r = pq_entry_mapping(doc, root, keys, COUNT(keys), reterr);

	for (size_t i = 0; r == 0 && i < COUNT(parts); i++) {
		const struct pq_doc_node *node = pq_entry_find(root, parts[i].key);

		if (node)
			r = parts[i].read(doc, node, builder, reterr);
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
	const struct pq_doc_node *check = pq_entry_find(root, STR("check"));
	cleanup(freep) struct pmuq_catalog *catalog = NULL;
	struct pq_builder *builder = NULL;
	int r = pq_builder_new(&builder, reterr);

	if (r < 0)
		return r;
	r = read_all(doc, root, builder, reterr);
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
