/* SPDX-License-Identifier: MIT */
/**
 * @file
 * CPU lists: texts of the kernel as numbers. "0-3,8" is 0, 1, 2, 3 and 8. A list never changes: any
 * number of threads may read it.
 *
 *     pmuq_cpu_list_from_text(encoding->cpus.p, &cpus, &error);
 *     for (size_t i = 0; i < cpus->n_numbers; i++)
 *             open_on(cpus->numbers[i]);
 *     pmuq_cpu_list_free(cpus);
 */
#ifndef PMUQ_CPUS_H
#define PMUQ_CPUS_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A list of CPUs. */
struct pmuq_cpu_list {
	size_t size;
	const unsigned *numbers; /**< ascending, each once */
	size_t n_numbers;
	struct pmuq_str text; /**< the shortest text of the list, "0-3,8"; "" for no CPU */
};

/**
 * Read a list: numbers and ranges with commas, in any order. An empty text is a list of no CPU.
 *
 * @param text  "0-3,8", such as pmuq_encoding.cpus, pmuq_pmu.cpus, the fact cpus_online; not kept
 * @param ret   free with pmuq_cpu_list_free(); it does not need the text
 * @return 0, -PMUQ_E_BAD_CPUS (the span is in the text), -PMUQ_E_MEMORY
 */
int pmuq_cpu_list_from_text(const char *text, struct pmuq_cpu_list **ret,
			    struct pmuq_error **reterr);
/**
 * Make a list of numbers, in any order, also repeated.
 *
 * @param numbers  not kept
 * @param n        how many; 0: a list of no CPU
 * @param ret      free with pmuq_cpu_list_free(); it does not need the numbers
 * @return 0, -PMUQ_E_BAD_CPUS (a number above 65,535), -PMUQ_E_MEMORY
 */
int pmuq_cpu_list_from_numbers(const unsigned *numbers, size_t n, struct pmuq_cpu_list **ret,
			       struct pmuq_error **reterr);
void pmuq_cpu_list_free(struct pmuq_cpu_list *list);

/** Whether the list has that CPU. */
bool pmuq_cpu_list_has(const struct pmuq_cpu_list *list, unsigned cpu);

#ifdef __cplusplus
}
#endif
#endif
