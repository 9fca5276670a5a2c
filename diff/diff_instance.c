/* SPDX-License-Identifier: MIT */
/*
 * Changes of single PMU instances. A machine can have hundreds of instances of one PMU, which often
 * change in the same way: these become one change with a list of PMUs.
 */
#include "diff/diff.h"

void pq_diff_add_single(struct pq_differ *d, const struct pq_single *single)
{
	struct pq_single numbered = *single;

	numbered.number = d->singles.n;
	d->is_out_of_memory |= !pq_vec_push(&d->singles, numbered);
}

/* A missing text comes before all others. */
static int compare_texts(struct pmuq_str a, struct pmuq_str b)
{
	if (!a.p || !b.p)
		return (a.p != NULL) - (b.p != NULL);
	return str_cmp(a, b);
}

/* 0: the two changes become one. The order itself does not matter: pq_diff_sort() sorts them. */
static int compare_changes(const struct pq_change *a, const struct pq_change *b)
{
	int r;

	if (a->type != b->type)
		return pq_diff_order(a->type, b->type);
	if (a->weight != b->weight)
		return pq_diff_order(a->weight, b->weight);
	r = compare_texts(a->name, b->name);
	if (r == 0)
		r = compare_texts(a->text[PQ_BEFORE], b->text[PQ_BEFORE]);
	return r ? r : compare_texts(a->text[PQ_AFTER], b->text[PQ_AFTER]);
}

static int compare(const void *of_a, const void *of_b)
{
	const struct pq_single *a = of_a, *b = of_b;
	int r = compare_changes(&a->change, &b->change);

	return r ? r : pq_diff_order(a->number, b->number);
}

/* The first of them represents all. */
static void add_alike(struct pq_differ *d, const struct pq_single *v, size_t n)
{
	struct pq_change change = v->change;

	change.pmus = pq_diff_names(d, n);
	for (size_t i = 0; i < n; i++)
		pq_diff_add_name(d, &change.pmus, v[i].pmu->name);
	pq_diff_add(d, &change, "%s", v->sentence);
}

void pq_diff_finish_singles(struct pq_differ *d)
{
	const struct pq_single *v = d->singles.v;

	if (d->singles.n)
		qsort(d->singles.v, d->singles.n, sizeof(*v), compare);
	for (size_t i = 0, n; i < d->singles.n; i += n) {
		for (n = 1; i + n < d->singles.n; n++)
			if (compare_changes(&v[i].change, &v[i + n].change))
				break;
		add_alike(d, v + i, n);
	}
	d->singles.n = 0;
}
