/* SPDX-License-Identifier: MIT */
/* Lists of CPUs as numbers, for programs. The library itself has them as sets of bits (cpulist.h).
 */
#include "core/cpulist.h"
#include "core/error.h"
#include <pmuq/pmuq.h>
#include <stdlib.h>

/* The record, its numbers and its text are one allocation. */
static struct pmuq_cpu_list *new_list(const struct pq_cpus *cpus, struct pmuq_str text)
{
	size_t n = pq_cpus_count(cpus), i = 0;
	struct pmuq_cpu_list *list = malloc(sizeof(*list) + n * sizeof(unsigned) + text.n + 1);
	unsigned *numbers = (unsigned *)(list + 1);
	char *copy = (char *)(numbers + n);

	if (!list)
		return NULL;
	for (unsigned cpu = pq_cpus_next(cpus, 0); i < n; cpu = pq_cpus_next(cpus, cpu + 1))
		numbers[i++] = cpu;
	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	*list = (struct pmuq_cpu_list){ .size = sizeof(*list),
					.numbers = numbers,
					.n_numbers = n,
					.text = { .p = copy, .n = text.n } };
	return list;
}

static int make_list(const struct pq_cpus *cpus, struct pmuq_cpu_list **ret,
		     struct pmuq_error **reterr)
{
	struct pq_buf text = PQ_BUF_NULL;
	struct pmuq_cpu_list *list = NULL;

	pq_cpus_print(cpus, &text);
	if (!text.failed)
		list = new_list(cpus, pq_buf_str(&text));
	pq_buf_free(&text);
	if (!list)
		return pq_fail_memory(reterr);
	*ret = list;
	return 0;
}

PQ_API int pmuq_cpu_list_from_text(const char *text, struct pmuq_cpu_list **ret,
				   struct pmuq_error **reterr)
{
	_Alignas(16) char memory[PQ_CPUS_BYTES];
	auto_arena struct pq_arena arena = { 0 };
	struct pq_cpus cpus;
	int r = str_trim(str_of(text)).n ? pq_cpus_check(str_of(text), reterr) : 0;

	if (r < 0)
		return r;
	pq_arena_init(&arena, memory, sizeof(memory), sizeof(memory));
	if (!pq_cpus_parse(&arena, str_of(text), &cpus))
		return pq_fail_memory(reterr);
	return make_list(&cpus, ret, reterr);
}

PQ_API int pmuq_cpu_list_from_numbers(const unsigned *numbers, size_t n, struct pmuq_cpu_list **ret,
				      struct pmuq_error **reterr)
{
	_Alignas(16) char memory[PQ_CPUS_BYTES];
	auto_arena struct pq_arena arena = { 0 };
	struct pq_cpus cpus;

	pq_arena_init(&arena, memory, sizeof(memory), sizeof(memory));
	if (!pq_cpus_begin(&arena, &cpus))
		return pq_fail_memory(reterr);
	for (size_t i = 0; i < n; i++) {
		if (numbers[i] >= PQ_CPUS_MAX)
			return pq_fail(reterr, PMUQ_E_BAD_CPUS,
				       "%u is too large for a CPU: the largest number is %u",
				       numbers[i], PQ_CPUS_MAX - 1);
		pq_cpus_add_new(&cpus, numbers[i], numbers[i]);
	}
	return make_list(&cpus, ret, reterr);
}

PQ_API void pmuq_cpu_list_free(struct pmuq_cpu_list *list)
{
	free(list);
}

static int compare(const void *a, const void *b)
{
	unsigned one = *(const unsigned *)a, other = *(const unsigned *)b;

	return one < other ? -1 : one > other;
}

PQ_API bool pmuq_cpu_list_has(const struct pmuq_cpu_list *list, unsigned cpu)
{
	return bsearch(&cpu, list->numbers, list->n_numbers, sizeof(cpu), compare);
}
