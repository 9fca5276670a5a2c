/* SPDX-License-Identifier: MIT */
/*
 * Two CPU lists with a ';' between them: a printed list is read as the same set, and union and
 * intersection are right.
 */
#include "core/cpulist.h"
#include "tests/fuzz/fuzz.h"

static void law_of_walk(const struct pq_cpus *cpus)
{
	size_t n = 0;

	for (unsigned cpu = pq_cpus_next(cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(cpus, cpu + 1), n++)
		FUZZ_LAW(pq_cpus_has(cpus, cpu));
	FUZZ_LAW(n == pq_cpus_count(cpus));
	FUZZ_LAW(!pq_cpus_has(cpus, PQ_CPUS_MAX));
	FUZZ_LAW(!pq_cpus_has(cpus, UINT64_MAX));
}

static bool is_same(const struct pq_cpus *a, const struct pq_cpus *b)
{
	unsigned cpu = 0;

	if (pq_cpus_count(a) != pq_cpus_count(b))
		return false;
	for (cpu = pq_cpus_next(a, 0); cpu < PQ_CPUS_MAX; cpu = pq_cpus_next(a, cpu + 1))
		if (!pq_cpus_has(b, cpu))
			return false;
	return true;
}

static void law_of_print(struct pq_arena *arena, const struct pq_cpus *cpus)
{
	struct pq_buf text = PQ_BUF_NULL, again = PQ_BUF_NULL;
	struct pq_cpus read;

	pq_cpus_print(cpus, &text);
	FUZZ_LAW(pq_cpus_parse(arena, pq_buf_str(&text), &read));
	FUZZ_LAW(is_same(cpus, &read));
	pq_cpus_print(&read, &again);
	FUZZ_LAW(str_eq(pq_buf_str(&text), pq_buf_str(&again)));
	pq_buf_free(&text);
	pq_buf_free(&again);
}

static void law_of_pair(struct pq_arena *arena, struct pq_cpus *a, const struct pq_cpus *b)
{
	struct pq_cpus both = *a;
	size_t n_a = pq_cpus_count(a), n_b = pq_cpus_count(b);

	FUZZ_LAW(pq_cpus_unite(arena, &both, b));
	for (unsigned cpu = 0; cpu < PQ_CPUS_MAX; cpu += 1 + cpu / 64)
		FUZZ_LAW(pq_cpus_has(&both, cpu) == (pq_cpus_has(a, cpu) || pq_cpus_has(b, cpu)));
	pq_cpus_intersect(a, b);
	FUZZ_LAW(n_a + n_b == pq_cpus_count(&both) + pq_cpus_count(a));
	law_of_print(arena, &both);
	law_of_print(arena, a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *text = fuzz_cstr(data, size);
	struct pmuq_str first, second;
	struct pq_cpus a, b;
	struct pq_arena arena = PQ_ARENA((size_t)1 << 20);

	str_cut((struct pmuq_str){ .p = text, .n = size }, ';', &first, &second);
	if (pq_cpus_parse(&arena, first, &a)) {
		law_of_walk(&a);
		law_of_print(&arena, &a);
		if (pq_cpus_parse(&arena, second, &b))
			law_of_pair(&arena, &a, &b);
	}
	pq_arena_clear(&arena);
	return 0;
}
