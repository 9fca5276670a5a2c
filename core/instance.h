/* SPDX-License-Identifier: MIT */
/*
 * The name of a PMU and the number of its instance: "uncore_imc_0" is instance 0 of uncore_imc. The
 * kernel has no one rule for such names, and each rule here serves another purpose:
 *
 *   pq_instance_split      sysfs: which PMUs are instances of one, and in which order
 *   pq_instance_is_suffix  perf: which instances a name without a number stands for
 *   pq_instance_number     ranges: which names can be written as "uncore_imc_[0-3]"
 *
 * Names of PMUs in vendors' tables ("hisi_sccl,ddrc") follow a rule of perf's for those files
 * alone: core/vendor/vendor_cover.c has it. Names of hosts are not names of PMUs:
 * cli/hosts/host_names.c.
 */
#pragma once

#include "core/str.h"

/* "uncore_imc_0" → "uncore_imc", 0. The number is hex, since some drivers put an address there; it
 * has three digits at least if one of them is a letter, because "cpum_cf" is a word. False, and the
 * whole name, if it has no number. */
bool pq_instance_split(struct pmuq_str name, struct pmuq_str *ret_base, uint64_t *ret_number);
/* Whether both names have a number, and differ in nothing else. */
bool pq_instance_are_siblings(struct pmuq_str a, struct pmuq_str b);

/* Whether a PMU's name may end in `rest` after what the user wrote: nothing, or hex digits with an
 * underscore before or among them ("7", "_7", "_1a2", "7_3"), as perf matches them. Three digits at
 * least if one of them is a letter. */
bool pq_instance_is_suffix(struct pmuq_str rest);

/* "uncore_imc_3" → "uncore_imc_", 3: a decimal number that is printed again as it was written, so
 * without a zero before it, and of at most 32 bits. False if the name has none. */
bool pq_instance_number(struct pmuq_str name, struct pmuq_str *ret_stem, uint32_t *ret_number);

/* Whether two names share such a stem: "uncore_imc_0" and "uncore_imc_7". */
bool pq_instance_same_stem(struct pmuq_str a, struct pmuq_str b);
/* Whether a name is a stem, or a stem without its "_", of another: "uncore_imc" of "uncore_imc_7".
 */
bool pq_instance_is_stem(struct pmuq_str stem, struct pmuq_str name);

/* "uncore_imc" → "imc": perf's names of uncore PMUs may leave that word out. */
static inline struct pmuq_str pq_without_uncore(struct pmuq_str name)
{
	const struct pmuq_str head = STR("uncore_");

	return name.n >= head.n && name.p[0] == 'u' && str_starts(name, head)
		       ? str_part(name, head.n, name.n)
		       : name;
}
