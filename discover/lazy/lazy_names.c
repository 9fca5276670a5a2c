/* SPDX-License-Identifier: MIT */
/*
 * The names of a PMU's events, by listing its directory without reading the files: hints need the
 * names of every PMU of the machine.
 */
#include "core/limits.h"
#include "discover/lazy/lazy.h"

static bool is_same(const struct pq_names *a, const struct pmuq_str *v, size_t n)
{
	if (!a || a->n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!str_eq(pq_names_at(a, i), v[i]))
			return false;
	return true;
}

/* Keeps the names. Neighbouring PMUs with the same names share one array. NULL if out of memory. */
static const struct pq_names *keep(struct pq_lazy *lazy, const struct pmuq_str *v, size_t n)
{
	struct pq_names *names;
	struct pmuq_str *copies;

	if (is_same(lazy->last_names, v, n))
		return lazy->last_names;
	names = pq_reader_array(&lazy->reader, 1, sizeof(*names));
	copies = pq_reader_array(&lazy->reader, n, sizeof(*copies));
	if (!names || !copies)
		return NULL;
	for (size_t i = 0; i < n; i++)
		copies[i] = pq_reader_copy(&lazy->reader, v[i]);
	*names = (struct pq_names){ .array = PQ_NAMED(copies, p), .n = n };
	lazy->last_names = names;
	return names;
}

/* The names that are not those of companions, sorted. */
static size_t select_events(const struct pq_entries *entries, struct pmuq_str *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < entries->n; i++)
		if (!pq_event_companion(entries->v[i].name))
			ret[n++] = entries->v[i].name;
	PQ_SORT_BY_NAME(ret, n, p);
	return n;
}

static const struct pq_names *list(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu,
				   struct pq_reader *reader)
{
	struct pq_entries entries = { 0 };
	struct pq_dir dir, listed;
	struct pmuq_str *v;

	if (pq_lazy_find_dir(lazy, pmu, PQ_SUBDIR_EVENTS, &dir) == 0 &&
	    pq_dir_list(reader, &dir, &listed, &entries))
		pq_handle_close(&listed.at);
	v = pq_reader_array(reader, entries.n, sizeof(*v));
	lazy->reader.failed |= reader->failed;
	return v && !pq_reader_has_failed(&lazy->reader) ? keep(lazy, v, select_events(&entries, v))
							 : NULL;
}

/* To find out that there is no directory costs less than to fail to open it. */
static const struct pq_names *names_of(struct pq_lazy *lazy, struct pq_lazy_pmu *pmu)
{
	auto_arena struct pq_arena scratch = PQ_ARENA(PQ_PMU_NAMES_MAX_BYTES);
	struct pq_reader reader = { .root = &lazy->root, .arena = &scratch };

	if (!pq_lazy_has_subdir(lazy, pmu, PQ_SUBDIR_EVENTS))
		return keep(lazy, NULL, 0);
	return list(lazy, pmu, &reader);
}

int pq_lazy_event_names(void *self, const struct pmuq_pmu *queried, struct pq_names *ret,
			struct pmuq_error **reterr)
{
	struct pq_lazy *lazy = self;
	struct pq_lazy_pmu *pmu = pq_lazy_pmu_of(queried);
	int r;

	if (!pmu->event_names)
		pmu->event_names = names_of(lazy, pmu);
	r = pq_lazy_check(lazy, reterr);
	if (r < 0 || !pmu->event_names) {
		pmu->event_names = NULL;
		return r < 0 ? r : pq_fail_memory(reterr);
	}
	*ret = *pmu->event_names;
	return 0;
}
