/* SPDX-License-Identifier: MIT */
/*
 * Host classes: event strings mean the same on all hosts of a class. A class is a hash of
 * everything that the encoder can query: PMUs, tracepoints, and the facts that core/catalog/fact.h
 * marks with CLASS.
 */
#pragma once

#include "db/snapshot/snapshot.h"

struct pq_hash pq_host_class_hash(const struct pq_hash *layout, const struct pq_hash *tracepoints,
				  struct pq_rows facts);
/* Computes the classes of all stored snapshots again. */
void pq_host_class_update(struct pmuq_store *store);
