/* SPDX-License-Identifier: MIT */
/*
 * The parts of a document, each read from a tree and written to a sink. The order of keys is that
 * of pmuq-inventory(5).
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/catalog/check.h"
#include "core/catalog/pmu_file.h"
#include "document/keys.h"

/* ---- write_text.c: a name as a key, a value, and both, of any bytes */

void pq_doc_write_name(struct pq_sink *sink, struct pmuq_str name);
void pq_doc_write_value(struct pq_sink *sink, struct pmuq_str text);
void pq_doc_write_pair(struct pq_sink *sink, struct pmuq_str name, struct pmuq_str text);

/* ---- hosts.c: the schema, and the list `hosts` */

#define PQ_DOC_HOSTS_KEY STR("hosts")

/* The data of one host. */
struct pq_doc_host {
	struct pq_doc_host *next; /* of those that are written in one document */
	struct pmuq_str name;	  /* .p is NULL if it has none */
	int64_t first_seen_s, last_seen_s, checked_s;
	bool has_check;
	struct pmuq_pair *facts;
	size_t n_facts;
	struct pq_doc_location at; /* in the file, for errors */
};

/* Checks that the tree is a document of this schema. Called first, because other errors of a
 * document with another schema would be misleading. */
void pq_doc_check_schema(struct pq_doc *doc);
/* An array that lives as long as the document. */
struct pq_doc_host *pq_doc_read_hosts(struct pq_doc *doc, size_t *ret_n);
/* Begins a document: its schema, and the list of hosts. */
void pq_doc_write_hosts(struct pq_sink *sink, const struct pq_doc_host *first);

/* ---- end.c: the last key of a document, without which it was cut */

#define PQ_DOC_END_KEY STR("end")

struct pq_doc_end {
	uint64_t n_entries;   /* of the document before this key, as pq_doc.n_nodes counts them */
	uint64_t n_documents; /* of the file up to this one, if it is the last */
	bool has_entries, has_documents;
};

/* Checks that the tree, whose other keys are valid, ends with the key, and checks the number of
 * entries. */
struct pq_doc_end pq_doc_read_end(struct pq_doc *doc);
/* `n_documents` of the file including this one, which is the last. */
void pq_doc_check_file_end(struct pq_doc *doc, const struct pq_doc_end *end, uint64_t n_documents);
/* After the last document of a file, which was not marked as the last. */
void pq_doc_fail_cut_file(struct pq_doc *doc, struct pq_doc_location at);
void pq_doc_write_end(struct pq_sink *sink, const struct pq_doc_end *end);

/* ---- writer.c */

/* A whole document. `n_documents` is the number in the file if this is its last; 0: others
 * follow. */
void pq_doc_write(struct pq_sink *sink, const struct pq_doc_host *first,
		  const struct pmuq_catalog *catalog, size_t n_documents);

/* ---- machine.c: all keys except those of the hosts and the end */

/* The data that the hosts of a document share. The check, or NULL, is returned separately, since
 * its time is different for each host. The caller frees both, also after an error; the catalog
 * copies what it needs of the document. */
void pq_doc_read_machine(struct pq_doc *doc, struct pmuq_catalog **ret,
			 struct pmuq_check **ret_check);
void pq_doc_write_machine(struct pq_sink *sink, const struct pmuq_catalog *catalog);

/* ---- read_pmus.c, write_pmus.c: the list `pmus` */

enum pq_doc_pmu_key {
	PQ_DOC_NAME,
	PQ_DOC_NAMES,
	PQ_DOC_ALIAS,
	PQ_DOC_ALIASES,
	PQ_DOC_TYPE,
	PQ_DOC_TYPES,
	PQ_DOC_ATTRIBUTES,
	PQ_DOC_INSTANCES, /* in place of all above */
	PQ_DOC_PMU_KEYS,
};
extern const struct pmuq_str pq_doc_pmu_keys[PQ_DOC_PMU_KEYS];
/* The next file of a PMU that is a key of its own, from *index on; NULL after the last. */
const struct pq_pmu_file *pq_doc_pmu_file(size_t *index);

void pq_doc_read_pmus(struct pq_doc *doc, const struct pq_doc_node *list,
		      struct pq_builder *builder);
/* The items of the list. */
void pq_doc_write_pmus(struct pq_sink *sink, const struct pmuq_catalog *catalog);
/* Names of PMUs, from the key `one` or `many`; none if there is neither. */
struct pq_doc_names {
	struct pmuq_str *v;
	size_t n;
};
struct pq_doc_names pq_doc_read_names(struct pq_doc *doc, const struct pq_doc_node *mapping,
				      struct pmuq_str one, struct pmuq_str many);

/* ---- pmu_definition.c: formats, events and caps of a PMU; event.c */

/* Appends the names of their keys to those of a PMU. */
size_t pq_doc_definition_keys(struct pmuq_str *names, size_t n);
void pq_doc_read_definition(struct pq_doc *doc, const struct pq_doc_node *pmu,
			    struct pq_pmu_draft *draft);
void pq_doc_write_definition(struct pq_sink *sink, const struct pq_def *def);
struct pmuq_pair *pq_doc_read_pairs(struct pq_doc *doc, const struct pq_doc_node *mapping);
/* Writes nothing if there are no pairs. */
void pq_doc_write_pairs(struct pq_sink *sink, struct pmuq_str key, const struct pmuq_pair *pairs,
			size_t n);
/* `ret` is a struct pmuq_event. */
void pq_doc_read_event(struct pq_doc *doc, const struct pq_doc_node *node, void *ret);
void pq_doc_write_event(struct pq_sink *sink, const struct pmuq_event *event);

/* ---- check_part.c: the value of the key `check` */

/* Its kernel must be the catalog's, and its PMUs must be in the catalog. NULL after an error. */
struct pmuq_check *pq_doc_read_check(struct pq_doc *doc, const struct pq_doc_node *node,
				     const struct pmuq_catalog *catalog);
void pq_doc_write_check(struct pq_sink *sink, const struct pmuq_check *check);
