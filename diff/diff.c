/* SPDX-License-Identifier: MIT */
/* The entry point: two catalogs in, a sorted list of changes out. */
#include "diff/diff.h"
#include "core/limits.h"
#include "core/sized.h"

static void clear(struct pq_differ *d)
{
	pq_vec_free(&d->singles);
	pq_arena_clear(&d->scratch);
	pmuq_diff_free(d->diff);
}

/* A check from the caller takes precedence over that of the catalog: it may be newer. */
static int take_options(const struct pmuq_diff_options *options, struct pq_differ *d,
			struct pmuq_error **reterr)
{
	struct pmuq_diff_options taken;
	int r = pq_sized_take(options, &taken, sizeof(taken), reterr);

	if (r < 0)
		return r;
	d->checks[PQ_BEFORE] = taken.check_before
				       ? taken.check_before
				       : pmuq_catalog_machine(d->catalogs[PQ_BEFORE])->check;
	d->checks[PQ_AFTER] = taken.check_after
				      ? taken.check_after
				      : pmuq_catalog_machine(d->catalogs[PQ_AFTER])->check;
	return 0;
}

PQ_API int pmuq_catalog_diff(const struct pmuq_catalog *before, const struct pmuq_catalog *after,
			     const struct pmuq_diff_options *options, struct pmuq_diff **ret,
			     struct pmuq_error **reterr)
{
	cleanup(clear) struct pq_differ d = {
		.catalogs = { before, after },
		.diff = calloc(1, sizeof(*d.diff)),
	};
	int r = d.diff ? take_options(options, &d, reterr) : pq_fail_memory(reterr);

	for (int side = 0; r == 0 && side < PQ_SIDES; side++)
		r = pq_catalog_check_whole(d.catalogs[side], reterr);
	if (r < 0)
		return r;
	d.scratch = PQ_ARENA(PQ_DIFF_MAX_BYTES);
	d.diff->arena = PQ_ARENA(PQ_DIFF_MAX_BYTES);
	for (int side = 0; side < PQ_SIDES; side++)
		d.is_incomplete[side] =
			pmuq_catalog_find_fact(d.catalogs[side], "incomplete") != NULL;
	pq_diff_facts(&d);
	pq_diff_pmus(&d);
	pq_diff_tracepoints(&d);
	pq_diff_sort(&d);
	if (d.is_out_of_memory)
		return pq_fail_memory(reterr);
	*ret = move(d.diff);
	return 0;
}
