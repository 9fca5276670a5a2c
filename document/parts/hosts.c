/* SPDX-License-Identifier: MIT */
/* The schema, which is checked first, and the hosts with the facts of each. */
#include "core/catalog/fact.h"
#include "core/num.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"

/* Each fact that is not shared is a key, too. */
// clang-format off
static const struct pq_doc_key keys[] = {
	PQ_DOC_KEY("name",       TEXT, struct pq_doc_host, name),
	PQ_DOC_KEY("first_seen", TIME, struct pq_doc_host, first_seen_s),
	PQ_DOC_KEY("checked",    TIME, struct pq_doc_host, checked_s, PQ_DOC_HAS(struct pq_doc_host, has_check)),
};
// clang-format on

/* ---- read */

static size_t collect_keys(struct pmuq_str names[PQ_DOC_KEYS_MAX])
{
	size_t n = 0;

	for (; n < COUNT(keys); n++)
		names[n] = keys[n].name;
	for (enum pq_fact fact = 0; n < PQ_DOC_KEYS_MAX && fact < PQ_FACT_COUNT; fact++)
		if (pq_fact_owner(pq_fact_name(fact)) != PQ_FACT_SHARED)
			names[n++] = pq_fact_name(fact);
	return n;
}

static int read_facts(struct pq_doc *doc, const struct pq_doc_node *mapping,
		      struct pq_doc_host *host, struct pmuq_error **reterr)
{
	int r = 0;

	for (const struct pq_doc_node *node = mapping->first; r == 0 && node; node = node->next) {
		struct pmuq_pair *fact = &host->facts[host->n_facts];

		if (pq_fact_find(node->key) == PQ_FACT_COUNT)
			continue;
		fact->name = node->key;
		r = pq_entry_text(doc, node, &fact->text, reterr);
		host->n_facts++;
	}
	return r;
}

static int read_host(struct pq_doc *doc, const struct pq_doc_node *node, struct pq_doc_host *host,
		     struct pmuq_error **reterr)
{
	struct pmuq_str names[PQ_DOC_KEYS_MAX];
	int r = pq_entry_mapping(doc, node, names, collect_keys(names), reterr);

	host->at = node->at;
	if (r == 0)
		r = pq_doc_read_fields(doc, node, keys, COUNT(keys), host, reterr);
	if (r == 0 && host->name.p && !host->name.n)
		return pq_doc_fail(doc, pq_entry_find(node, keys[0].name)->at, reterr,
				   PMUQ_E_BAD_ENTRY, "the name of a host is empty: omit the key");
	if (r == 0)
		r = pq_entry_array(doc, node, node->n, sizeof(*host->facts), &host->facts, reterr);
	return r < 0 ? r : read_facts(doc, node, host, reterr);
}

static int check_names(struct pq_doc *doc, const struct pq_doc_host *hosts, size_t n,
		       struct pmuq_error **reterr)
{
	auto_free struct pq_doc_named *v = calloc(n + 1, sizeof(*v));
	size_t n_named = 0;

	if (!v)
		return pq_fail_memory(reterr);
	for (size_t i = 0; i < n; i++)
		if (hosts[i].name.p)
			v[n_named++] =
				(struct pq_doc_named){ .name = hosts[i].name, .at = hosts[i].at };
	return pq_entry_unique(doc, v, n_named, "host", reterr);
}

int pq_doc_read_hosts(struct pq_doc *doc, const struct pq_doc_node *root, struct pq_doc_host **ret,
		      size_t *ret_n, struct pmuq_error **reterr)
{
	const struct pq_doc_node *list = NULL;
	struct pq_doc_host *hosts = NULL;
	size_t n = 0;
	int r = pq_entry_need(doc, root, PQ_DOC_HOSTS_KEY, &list, reterr);

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
		root->type == PQ_DOC_MAPPING ? pq_entry_find(root, PQ_SCHEMA_KEY) : NULL;
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

/* ---- write */

void pq_doc_begin_hosts(struct pq_sink *sink)
{
	pq_sink_key(sink, PQ_SCHEMA_KEY);
	pq_sink_text(sink, PQ_SCHEMA);
	pq_sink_key(sink, PQ_DOC_HOSTS_KEY);
	pq_sink_open(sink, '[');
}

void pq_doc_write_host(struct pq_sink *sink, const struct pq_doc_host *host)
{
	pq_sink_open(sink, '{');
	pq_doc_write_fields(sink, keys, COUNT(keys), host);
	for (size_t i = 0; i < host->n_facts; i++)
		pq_doc_write_pair(sink, host->facts[i].name, host->facts[i].text);
	pq_sink_close(sink, '}');
}

void pq_doc_end_hosts(struct pq_sink *sink)
{
	pq_sink_close(sink, ']');
}
