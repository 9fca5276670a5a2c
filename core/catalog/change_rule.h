/* SPDX-License-Identifier: MIT */
/*
 * How a new value of a fact, a file or a cap is judged. The tables of what pmuq knows by name have
 * such a rule in each row; diff/ turns it into a weight.
 */
#pragma once

enum pq_change_rule {
	PQ_RULE_NONE,  /* no row may have this one */
	PQ_RULE_MORE,  /* a larger number offers more */
	PQ_RULE_LESS,  /* a smaller number offers more */
	PQ_RULE_CPUS,  /* a list of CPUs: more CPUs offer more */
	PQ_RULE_OTHER, /* any other text means something else */
	PQ_RULE_COSMETIC,
	PQ_RULE_VOLATILE, /* belongs to a boot or a host */
	PQ_RULE_OWN,	  /* diff compares it in its own way, with changes of its own */
};
