/* SPDX-License-Identifier: MIT */
/*
 * The weight of a new value of a cap, a file or a fact. The tables of core/catalog/ have a rule for
 * the few whose values pmuq understands; a new value of any other may mean anything.
 */
#pragma once

#include "diff/diff.h"

enum pq_pair_group {
	PQ_PAIRS_CAPS,
	PQ_PAIRS_ATTRIBUTES,
	PQ_PAIRS_FACTS,
};

/* Both sides have the name, with different texts. */
enum pmuq_weight pq_rule_weigh(struct pq_differ *d, enum pq_pair_group group, struct pmuq_str name,
			       struct pmuq_str before, struct pmuq_str after);
/* Only one side has the name. A missing fact was not read; anything else is gone or new. */
enum pmuq_weight pq_rule_weigh_alone(enum pq_pair_group group, struct pmuq_str name, bool is_gone);
/* Two lists of CPUs: fewer, more, or other CPUs. COSMETIC if they are the same. */
enum pmuq_weight pq_rule_weigh_cpus(struct pq_differ *d, struct pmuq_str before,
				    struct pmuq_str after);
