/* SPDX-License-Identifier: MIT */
/*
 * Writes a catalog to a sink, in the order of pmuq-inventory(5), without what belongs to one host
 * alone, which writer.c writes.
 */
#ifndef PQ_DOCUMENT_WRITE_H
#define PQ_DOCUMENT_WRITE_H

#include "core/catalog/catalog.h"
#include "core/text/sink.h"

/* All keys of a machine except those of its hosts. */
void pq_doc_write_machine(struct pq_sink *sink, const struct pmuq_catalog *catalog);

/* write_text.c: a name as a key, a value, and both, of any bytes. */
void pq_doc_write_name(struct pq_sink *sink, struct pmuq_str name);
void pq_doc_write_value(struct pq_sink *sink, struct pmuq_str text);
void pq_doc_write_pair(struct pq_sink *sink, struct pmuq_str name, struct pmuq_str text);

/* write_instances.c: n PMUs of one definition, as the keys of one entry or as `instances`. Sorts
 * them. */
void pq_doc_write_instances(struct pq_sink *sink, const struct pmuq_pmu **instances, size_t n);
/* write_event.c: `name: terms | unit U | scale S | per-pkg | snapshot`. */
void pq_doc_write_event(struct pq_sink *sink, const struct pmuq_event *event);
/* write_check.c */
void pq_doc_write_check(struct pq_sink *sink, const struct pmuq_check *check);

#endif
