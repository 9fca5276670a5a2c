/* SPDX-License-Identifier: MIT */
/*
 * The name of a PMU and the number of its instance: "uncore_imc_0" is instance 0 of uncore_imc. The
 * kernel has no single rule for such names, and each rule here has another purpose:
 *
 *   pq_instance_split      sysfs: which PMUs are instances of one, and in which order
 *   pq_instance_is_suffix  perf: which instances a name without a number stands for
 *   pq_instance_number     ranges: which names can be written as "uncore_imc_[0-3]"
 *
 * PMU names in vendors' tables ("hisi_sccl,ddrc") follow a rule that perf has for these files only:
 * see core/vendor/vendor_cover.c. For names of hosts see cli/hosts/host_names.c.
 */
#pragma once

#include "core/str.h"

/* "uncore_imc_0" → "uncore_imc", 0. The number is hex, since some drivers use an address; it has at
 * least three digits if one of them is a letter, because "cpum_cf" is a word. False, and the whole
 * name, if it has no number. */
bool pq_instance_split(struct pmuq_str name, struct pmuq_str *ret_base, uint64_t *ret_number);
/* Whether both names have a number, and differ in nothing else. */
bool pq_instance_are_siblings(struct pmuq_str a, struct pmuq_str b);

/* Whether a PMU's name may end in `rest` after the text that the user wrote: nothing, or hex digits
 * with an underscore before or among them ("7", "_7", "_1a2", "7_3"), as perf matches them. At
 * least three digits if one of them is a letter. */
bool pq_instance_is_suffix(struct pmuq_str rest);

/* "uncore_imc_3" → "uncore_imc_", 3: a decimal number of at most 32 bits without a leading zero, so
 * that printing it gives the same text. False if the name has none. */
bool pq_instance_number(struct pmuq_str name, struct pmuq_str *ret_stem, uint32_t *ret_number);

/* Whether two names share such a stem: "uncore_imc_0" and "uncore_imc_7". */
bool pq_instance_same_stem(struct pmuq_str a, struct pmuq_str b);
/* Whether a name is a stem, or a stem without its "_", of another: "uncore_imc" of "uncore_imc_7".
 */
bool pq_instance_is_stem(struct pmuq_str stem, struct pmuq_str name);

/* Whether a PMU is the one that libpfm4 calls by that name of the kernel's, or an instance of it:
 * "cpu" is every core PMU; a machine may have more instances than libpfm4 knows, and a single one
 * may have no number. */
static inline bool pq_instance_is_pfm(struct pmuq_str sysfs, struct pmuq_str name, bool is_core)
{
	if (str_eq(sysfs, name))
		return true;
	if (str_eq(sysfs, STR("cpu")))
		return is_core;
	return pq_instance_is_stem(sysfs, name) || pq_instance_same_stem(sysfs, name) ||
	       pq_instance_is_stem(name, sysfs);
}

/* "uncore_imc" → "imc": perf allows names of uncore PMUs without that word. */
static inline struct pmuq_str pq_without_uncore(struct pmuq_str name)
{
	const struct pmuq_str head = STR("uncore_");

	return name.n >= head.n && name.p[0] == 'u' && str_starts(name, head)
		       ? str_part(name, head.n, name.n)
		       : name;
}
