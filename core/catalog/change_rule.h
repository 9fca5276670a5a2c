/* SPDX-License-Identifier: MIT */
/*
 * How to judge a new value of a fact, a file or a cap. Each row of the tables of known names has
 * such a rule; diff/ turns it into a weight.
 */
#pragma once

enum pq_change_rule {
	PQ_RULE_NONE,  /* invalid in a row */
	PQ_RULE_MORE,  /* a larger number offers more */
	PQ_RULE_LESS,  /* a smaller number offers more */
	PQ_RULE_CPUS,  /* a list of CPUs: more CPUs offer more */
	PQ_RULE_OTHER, /* any other text means something else */
	PQ_RULE_COSMETIC,
	PQ_RULE_VOLATILE, /* belongs to a boot or a host */
	PQ_RULE_OWN,	  /* diff compares it itself, with its own types of changes */
};
