/* SPDX-License-Identifier: MIT */
/* Tracepoints by name. Their ids are not compared: the kernel numbers them anew at each boot. */
#include "core/buf.h"
#include "diff/diff.h"

/* The tracepoints of one subsystem, in the order of their names. */
struct subsystem {
	struct pmuq_str name;
	const struct pq_tracepoint *v;
	size_t n;
};

struct subsystems {
	PQ_VEC(struct subsystem);
};

/* A catalog has its tracepoints in the order of their subsystems, then of their names. */
static bool gather(const struct pmuq_catalog *catalog, struct pq_arena *arena,
		   struct subsystems *ret)
{
	size_t n = pq_catalog_tracepoint_count(catalog);

	for (size_t i = 0; i < n; i++) {
		const struct pq_tracepoint *tracepoint = pq_catalog_tracepoint(catalog, i);

		if (!ret->n || !str_eq(ret->v[ret->n - 1].name, tracepoint->subsystem)) {
			struct subsystem *added = pq_vec_add_in(arena, ret);

			if (!added)
				return false;
			added->name = tracepoint->subsystem;
			added->v = tracepoint;
		}
		ret->v[ret->n - 1].n++;
	}
	return true;
}

/* Tracepoints that only that side has: `name`, or the whole subsystem if its .p is NULL. */
static int add(struct pq_differ *d, int side, const struct subsystem *subsystem,
	       struct pmuq_str name)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	bool is_gone = side == PQ_BEFORE;
	struct pq_change change = {
		.type = is_gone ? PMUQ_CHANGE_TRACEPOINT_GONE : PMUQ_CHANGE_TRACEPOINT_NEW,
		.weight = is_gone ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_ADDITION,
	};
	const char *what = is_gone ? "gone" : "new";

	if (d->is_incomplete[pq_other_side(side)])
		return 0;
	pq_buf_print(&text, "%.*s:%.*s", STR_ARG(subsystem->name),
		     STR_ARG(name.p ? name : STR("*")));
	if (text.failed)
		return pq_fail_memory(d->reterr);
	change.name = pq_buf_str(&text);
	if (name.p)
		return pq_diff_add(d, &change, "tracepoint is %s", what);
	return pq_diff_add(d, &change, "all tracepoints of the subsystem are %s: %zu", what,
			   subsystem->n);
}

static int compare_names(struct pq_differ *d, const struct subsystem *before,
			 const struct subsystem *after)
{
	struct pq_two_lists lists = {
		.v = { PQ_NAMED(before->v, name), PQ_NAMED(after->v, name) },
		.n = { before->n, after->n },
	};
	const void *of_a, *of_b;
	int r = 0;

	while (r == 0 && pq_two_lists_next(&lists, &of_a, &of_b)) {
		const struct pq_tracepoint *a = of_a, *b = of_b;

		if (!b)
			r = add(d, PQ_BEFORE, before, a->name);
		else if (!a)
			r = add(d, PQ_AFTER, after, b->name);
	}
	return r;
}

static int compare_subsystems(struct pq_differ *d, const struct subsystems *before,
			      const struct subsystems *after)
{
	struct pq_two_lists lists = {
		.v = { PQ_NAMED(before->v, name), PQ_NAMED(after->v, name) },
		.n = { before->n, after->n },
	};
	const void *a, *b;
	int r = 0;

	while (r == 0 && pq_two_lists_next(&lists, &a, &b)) {
		if (!b)
			r = add(d, PQ_BEFORE, a, (struct pmuq_str){ 0 });
		else if (!a)
			r = add(d, PQ_AFTER, b, (struct pmuq_str){ 0 });
		else
			r = compare_names(d, a, b);
	}
	return r;
}

/* Only root may list tracepoints: a machine without any was read by another user. */
static int add_unknown(struct pq_differ *d, int side)
{
	const struct pq_change change = {
		.type = PMUQ_CHANGE_TRACEPOINTS_UNKNOWN,
		.weight = PMUQ_WEIGHT_PASSING,
	};

	return pq_diff_add(d, &change, "the machine %s lists no tracepoints, so none were compared",
			   side == PQ_BEFORE ? "before" : "after");
}

int pq_diff_tracepoints(struct pq_differ *d)
{
	struct subsystems all[PQ_SIDES] = { 0 };

	d->rank = PQ_RANK_TRACEPOINTS;
	for (int side = 0; side < PQ_SIDES; side++)
		if (!gather(d->catalogs[side], &d->scratch, &all[side]))
			return pq_fail_memory(d->reterr);
	for (int side = 0; side < PQ_SIDES; side++)
		if (!all[side].n)
			return all[pq_other_side(side)].n ? add_unknown(d, side) : 0;
	return compare_subsystems(d, &all[PQ_BEFORE], &all[PQ_AFTER]);
}
