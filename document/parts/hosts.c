/* SPDX-License-Identifier: MIT */
/* The schema, which is checked first, and the hosts with the facts of each. */
#include "core/catalog/fact.h"
#include "core/limits.h"
#include "core/num.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"

/* Each fact that is not shared is a key, too. */
// clang-format off
static const struct pq_doc_key keys[] = {
	PQ_DOC_KEY("name",       TEXT, struct pq_doc_host, name),
	PQ_DOC_KEY("first_seen", TIME, struct pq_doc_host, first_seen_s),
	PQ_DOC_KEY("last_seen",  TIME, struct pq_doc_host, last_seen_s),
	PQ_DOC_KEY("checked",    TIME, struct pq_doc_host, checked_s, PQ_DOC_HAS(struct pq_doc_host, has_check)),
};
// clang-format on

/* ---- read */

/* The names of the table, then those of the facts that belong to one host. */
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

static void read_facts(struct pq_doc *doc, const struct pq_doc_node *mapping,
		       struct pq_doc_host *host)
{
	const struct pq_doc_node *node = pq_entry_of_mapping(doc, mapping);

	host->facts = pq_entry_array(doc, mapping, mapping->n, sizeof(*host->facts));
	for (; host->facts && node; node = pq_entry_after(doc, node))
		if (pq_fact_find(node->key) != PQ_FACT_COUNT)
			host->facts[host->n_facts++] =
				(struct pmuq_pair){ .name = node->key,
						    .text = pq_entry_text(doc, node) };
}

/* A state that was seen once has the first time only. */
static void complete_times(struct pq_doc *doc, const struct pq_doc_node *node,
			   struct pq_doc_host *host)
{
	const struct pq_doc_node *last = pq_entry_find(node, STR("last_seen"));

	if (!last) {
		host->last_seen_s = host->first_seen_s;
		return;
	}
	pq_entry_need(doc, node, STR("first_seen"));
	if (doc->r == 0 && host->last_seen_s < host->first_seen_s)
		pq_doc_fail(doc, last->at, PMUQ_E_BAD_ENTRY, "'last_seen' is before 'first_seen'");
}

static void read_host(struct pq_doc *doc, const struct pq_doc_node *node, struct pq_doc_host *host)
{
	struct pmuq_str names[PQ_DOC_KEYS_MAX];

	pq_entry_check_keys(doc, node, names, collect_keys(names));
	host->at = node->at;
	pq_doc_read_fields(doc, node, keys, COUNT(keys), host);
	if (doc->r == 0)
		complete_times(doc, node, host);
	if (doc->r == 0 && host->name.p && !host->name.n)
		pq_doc_fail(doc, pq_entry_find(node, keys[0].name)->at, PMUQ_E_BAD_ENTRY,
			    "the name of a host is empty: omit the key");
	if (doc->r == 0 && host->name.n > PQ_HOST_NAME_MAX_BYTES)
		pq_doc_fail(doc, pq_entry_find(node, keys[0].name)->at, PMUQ_E_DOCUMENT_LIMIT,
			    "the name of a host has %zu bytes; the limit is %u", host->name.n,
			    PQ_HOST_NAME_MAX_BYTES);
	read_facts(doc, node, host);
}

/* Names are optional, but each name is used once: otherwise import would overwrite one host by
 * another. */
static void check_names(struct pq_doc *doc, const struct pq_doc_host *hosts, size_t n)
{
	struct pq_doc_named *v = pq_entry_array(doc, doc->root, n, sizeof(*v));
	size_t n_named = 0;

	for (size_t i = 0; v && i < n; i++)
		if (hosts[i].name.p)
			v[n_named++] =
				(struct pq_doc_named){ .name = hosts[i].name, .at = hosts[i].at };
	pq_entry_check_unique(doc, v, n_named, "host");
}

struct pq_doc_host *pq_doc_read_hosts(struct pq_doc *doc, size_t *ret_n)
{
	const struct pq_doc_node *list = pq_entry_need(doc, doc->root, PQ_DOC_HOSTS_KEY);
	const struct pq_doc_node *node = pq_entry_of_list(doc, list);
	struct pq_doc_host *hosts;
	size_t n = 0;

	if (!list->n)
		pq_doc_fail(doc, list->at, PMUQ_E_BAD_ENTRY, "a document needs at least one host");
	hosts = pq_entry_array(doc, list, list->n, sizeof(*hosts));
	for (; hosts && node; node = pq_entry_after(doc, node))
		read_host(doc, node, &hosts[n++]);
	if (doc->r == 0)
		check_names(doc, hosts, n);
	*ret_n = n;
	return hosts;
}

/* ---- the schema */

static void fail_foreign(struct pq_doc *doc, struct pq_doc_location at)
{
	pq_doc_fail(doc, at, PMUQ_E_NOT_A_DOCUMENT,
		    "the text does not describe machines: a document begins with 'schema: %.*s'",
		    STR_ARG(PQ_SCHEMA));
	pq_error_hint(doc->reterr, "import what `pmuq export` wrote");
}

void pq_doc_check_schema(struct pq_doc *doc)
{
	const struct pq_doc_node *schema = pq_entry_find(doc->root, PQ_SCHEMA_KEY);
	struct pmuq_str family = PQ_SCHEMA_FAMILY;
	uint64_t number = 0;

	if (!schema || !str_starts(schema->text, family))
		fail_foreign(doc, schema ? schema->at : doc->root->at);
	else if (str_eq(schema->text, PQ_SCHEMA))
		return;
	else if (pq_num_decimal(str_part(schema->text, family.n, schema->text.n), &number) !=
			 PQ_NUM_OK ||
		 number < PQ_SCHEMA_NUMBER)
		fail_foreign(doc, schema->at);
	else
		pq_doc_fail(doc, schema->at, PMUQ_E_DOCUMENT_NEWER,
			    "the document has schema %llu; this pmuq supports %u",
			    (unsigned long long)number, PQ_SCHEMA_NUMBER);
}

/* ---- write */

static void write_host(struct pq_sink *sink, const struct pq_doc_host *host)
{
	pq_sink_open(sink, '{');
	pq_doc_write_fields(sink, keys, COUNT(keys), host);
	for (size_t i = 0; i < host->n_facts; i++)
		pq_doc_write_pair(sink, host->facts[i].name, host->facts[i].text);
	pq_sink_close(sink, '}');
}

void pq_doc_write_hosts(struct pq_sink *sink, const struct pq_doc_host *first)
{
	pq_sink_key(sink, PQ_SCHEMA_KEY);
	pq_sink_text(sink, PQ_SCHEMA);
	pq_sink_key(sink, PQ_DOC_HOSTS_KEY);
	pq_sink_open(sink, '[');
	for (const struct pq_doc_host *host = first; host; host = host->next)
		write_host(sink, host);
	pq_sink_close(sink, ']');
}
