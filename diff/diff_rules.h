/* SPDX-License-Identifier: MIT */
/* What another value of a cap, a file or a fact weighs: of most, nobody but its reader can say. */
#ifndef PQ_DIFF_RULES_H
#define PQ_DIFF_RULES_H

#include "core/str.h"
#include <pmuq/diff.h>

enum pq_pair_group {
	PQ_PAIRS_CAPS,
	PQ_PAIRS_ATTRIBUTES,
	PQ_PAIRS_FACTS,
};

/* The texts are of both sides, and differ. Numbers and lists of CPUs know more from less. */
enum pmuq_weight pq_rule_weigh(enum pq_pair_group group, struct pmuq_str name,
			       struct pmuq_str before, struct pmuq_str after);
/* Where only one side has it: of facts, that the other was not told; else that it is gone or new.
 */
enum pmuq_weight pq_rule_weigh_alone(enum pq_pair_group group, struct pmuq_str name, bool is_gone);
/* Of two lists of CPUs: fewer, more, or others. COSMETIC: the same ones. */
enum pmuq_weight pq_rule_weigh_cpus(struct pmuq_str before, struct pmuq_str after);

#endif
