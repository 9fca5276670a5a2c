/* SPDX-License-Identifier: MIT */
/* Reads the schema, which is checked first, and the hosts with the facts of each. */
#include "core/catalog/fact.h"
#include "core/num.h"
#include "document/read/read.h"

/* name, first_seen, checked, and the facts of a host. */
#define KEYS_MAX 16

static size_t collect_keys(struct pmuq_str keys[KEYS_MAX])
{
	size_t n = 0;

	keys[n++] = STR("name");
	keys[n++] = STR("first_seen");
	keys[n++] = STR("checked");
	for (enum pq_fact fact = 0; n < KEYS_MAX && fact < PQ_FACT_COUNT; fact++)
		if (pq_fact_owner(pq_fact_name(fact)) != PQ_FACT_SHARED)
			keys[n++] = pq_fact_name(fact);
	return n;
}

static int read_fact(struct pq_doc *doc, const struct pq_doc_node *node, struct pq_doc_host *host,
		     struct pmuq_error **reterr)
{
	struct pmuq_pair *fact = &host->facts[host->n_facts++];

	fact->name = node->key;
	return pq_entry_text(doc, node, &fact->text, reterr);
}

static int read_entry(struct pq_doc *doc, const struct pq_doc_node *node, struct pq_doc_host *host,
		      struct pmuq_error **reterr)
{
	int r;

	if (str_eq(node->key, STR("first_seen")))
		return pq_entry_time(doc, node, &host->first_seen_s, reterr);
	if (str_eq(node->key, STR("checked"))) {
		host->has_check = true;
		return pq_entry_time(doc, node, &host->checked_s, reterr);
	}
	if (!str_eq(node->key, STR("name")))
		return read_fact(doc, node, host, reterr);
	r = pq_entry_text(doc, node, &host->name, reterr);
	if (r == 0 && !host->name.n)
		return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
				   "the name of a host is empty: omit the key");
	return r;
}

static int read_host(struct pq_doc *doc, const struct pq_doc_node *node, struct pq_doc_host *host,
		     struct pmuq_error **reterr)
{
	struct pmuq_str keys[KEYS_MAX];
	int r = pq_entry_mapping(doc, node, keys, collect_keys(keys), reterr);

	if (r == 0)
		r = pq_entry_array(doc, node, node->n, sizeof(*host->facts), &host->facts, reterr);
	if (r < 0)
		return r;
	host->at = node->at;
	for (const struct pq_doc_node *entry = node->first; r == 0 && entry; entry = entry->next)
		r = read_entry(doc, entry, host, reterr);
	return r;
}

static int compare_hosts(const void *of_a, const void *of_b)
{
	const struct pq_doc_host *a = *(const struct pq_doc_host *const *)of_a;
	const struct pq_doc_host *b = *(const struct pq_doc_host *const *)of_b;
	int r = str_cmp(a->name, b->name);

	return r ? r : a->at.line < b->at.line ? -1 : a->at.line > b->at.line;
}

static int check_names(struct pq_doc *doc, const struct pq_doc_host *hosts, size_t n,
		       struct pmuq_error **reterr)
{
	auto_free const struct pq_doc_host **v = calloc(n + 1, sizeof(const void *));
	size_t n_named = 0;

	if (!v)
		return pq_fail_memory(reterr);
	for (size_t i = 0; i < n; i++)
		if (hosts[i].name.p)
			v[n_named++] = &hosts[i];
	if (n_named)
		qsort(v, n_named, sizeof(*v), compare_hosts);
	for (size_t i = 1; i < n_named; i++)
		if (str_eq(v[i - 1]->name, v[i]->name))
			return pq_doc_fail(doc, v[i]->at, reterr, PMUQ_E_REPEATED_KEY,
					   "the host '%.*s' was already defined in line %u",
					   STR_ARG(v[i]->name), v[i - 1]->at.line);
	return 0;
}

int pq_doc_read_hosts(struct pq_doc *doc, const struct pq_doc_node *root, struct pq_doc_host **ret,
		      size_t *ret_n, struct pmuq_error **reterr)
{
	const struct pq_doc_node *list = NULL;
	struct pq_doc_host *hosts = NULL;
	size_t n = 0;
	int r = pq_entry_need(doc, root, STR("hosts"), &list, reterr);

	if (r == 0)
		r = pq_entry_list(doc, list, reterr);
	if (r == 0 && !list->n)
		return pq_doc_fail(doc, list->at, reterr, PMUQ_E_BAD_ENTRY,
				   "a document needs at least one host");
	if (r == 0)
		r = pq_entry_array(doc, list, list->n, sizeof(*hosts), &hosts, reterr);
	if (r < 0)
		return r;
	for (const struct pq_doc_node *node = list->first; r == 0 && node; node = node->next)
		r = read_host(doc, node, &hosts[n++], reterr);
	if (r == 0)
		r = check_names(doc, hosts, n, reterr);
	*ret = hosts;
	*ret_n = n;
	return r;
}

static int fail_foreign(struct pq_doc *doc, struct pq_doc_location at, struct pmuq_error **reterr)
{
	int r = pq_doc_fail(doc, at, reterr, PMUQ_E_NOT_A_DOCUMENT,
			    "this does not describe machines: a document has 'schema: %.*s'",
			    STR_ARG(PQ_SCHEMA));

	pq_error_hint(reterr, "import what `pmuq export` wrote");
	return r;
}

int pq_doc_read_schema(struct pq_doc *doc, const struct pq_doc_node *root,
		       struct pmuq_error **reterr)
{
	const struct pq_doc_node *schema =
		root->type == PQ_DOC_MAPPING ? pq_entry_find(root, STR("schema")) : NULL;
	struct pmuq_str family = PQ_SCHEMA_FAMILY;
	uint64_t number;

	if (!schema || !str_starts(schema->text, family))
		return fail_foreign(doc, schema ? schema->at : root->at, reterr);
	if (str_eq(schema->text, PQ_SCHEMA))
		return 0;
	if (pq_num_decimal(str_part(schema->text, family.n, schema->text.n), &number) !=
		    PQ_NUM_OK ||
	    number < 2)
		return fail_foreign(doc, schema->at, reterr);
	return pq_doc_fail(doc, schema->at, reterr, PMUQ_E_DOCUMENT_NEWER,
			   "the document has schema %llu; this pmuq supports 1",
			   (unsigned long long)number);
}
