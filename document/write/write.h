/* SPDX-License-Identifier: MIT */
/*
 * A catalog told to a sink, in the order of pmuq-inventory(5). What belongs to one host alone is
 * left to writer.c.
 */
#ifndef PQ_DOCUMENT_WRITE_H
#define PQ_DOCUMENT_WRITE_H

#include "core/catalog/catalog.h"
#include "core/text/sink.h"

/* All keys of the description: what hosts that are alike have in common. */
void pq_doc_write_machine(struct pq_sink *sink, const struct pmuq_catalog *catalog);

/* write_text.c: a name as a key, a value, and both; whatever bytes they have. */
void pq_doc_write_name(struct pq_sink *sink, struct pmuq_str name);
void pq_doc_write_value(struct pq_sink *sink, struct pmuq_str text);
void pq_doc_write_pair(struct pq_sink *sink, struct pmuq_str name, struct pmuq_str text);

/* write_instances.c: PMUs of one definition, n of them, as the keys of one or as `instances`. They
 * are put into order. */
void pq_doc_write_instances(struct pq_sink *sink, const struct pmuq_pmu **instances, size_t n);
/* write_event.c: `name: terms | unit U | scale S | per-pkg | snapshot`. */
void pq_doc_write_event(struct pq_sink *sink, const struct pmuq_event *event);
/* write_check.c */
void pq_doc_write_check(struct pq_sink *sink, const struct pmuq_check *check);

#endif
