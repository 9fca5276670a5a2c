/* SPDX-License-Identifier: MIT */
/*
 * The facts of one host alone, as an agent sends them next to what hosts share: each name and each
 * text after its length and a colon ("8:hostname5:web01"), in the order of the table of facts.
 */
#pragma once

#include "core/buf.h"
#include "core/catalog/model.h"
#include "db/snapshot/snapshot.h"

/* As long as the inbox takes. */
#define PQ_OWN_FACTS_MAX_BYTES 4000

void pq_own_facts_print(const struct pmuq_catalog *catalog, struct pq_buf *ret);
/* The facts are as the store keeps them; their texts live in `text`, the array in the arena. False
 * if pq_own_facts_print() does not print this; .v is NULL if there is no memory. */
bool pq_own_facts_read(struct pmuq_str text, struct pq_arena *arena, struct pq_rows *ret);
