/* SPDX-License-Identifier: MIT */
/* Tracepoints by name. Their ids are not compared: the kernel assigns new ones at each boot. */
#include "diff/diff.h"

/* The tracepoints of one subsystem, in the order of their names. */
struct subsystem {
	struct pmuq_str name;
	const struct pmuq_tracepoint *v;
	size_t n;
};

/* Tens of subsystems, thousands of tracepoints: a subsystem that only one side has is one change.
 */
struct subsystems {
	PQ_VEC(struct subsystem);
};

/* A catalog has its tracepoints in the order of their subsystems, then of their names. */
static void gather(struct pq_differ *d, const struct pmuq_catalog *catalog, struct subsystems *ret)
{
	size_t n = pmuq_catalog_machine(catalog)->n_tracepoints;

	for (size_t i = 0; i < n; i++) {
		const struct pmuq_tracepoint *tracepoint = pmuq_catalog_tracepoint(catalog, i);

		if (!ret->n || !str_eq(ret->v[ret->n - 1].name, tracepoint->subsystem)) {
			struct subsystem *added = pq_vec_add_in(&d->scratch, ret);

			d->is_out_of_memory |= !added;
			if (!added)
				return;
			added->name = tracepoint->subsystem;
			added->v = tracepoint;
		}
		ret->v[ret->n - 1].n++;
	}
}

/* Tracepoints that only that side has: `name`, or the whole subsystem if its .p is NULL. */
static void add(struct pq_differ *d, int side, const struct subsystem *subsystem,
		struct pmuq_str name)
{
	struct pq_buf text = PQ_BUF_IN(&d->scratch);
	bool is_gone = side == PQ_BEFORE;
	struct pq_change change = {
		.type = is_gone ? PMUQ_CHANGE_TRACEPOINT_GONE : PMUQ_CHANGE_TRACEPOINT_NEW,
		.weight = is_gone ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_ADDITION,
	};
	const char *what = is_gone ? "gone" : "new";

	if (d->is_incomplete[pq_other_side(side)])
		return;
	pq_buf_print(&text, "%.*s:%.*s", STR_ARG(subsystem->name),
		     STR_ARG(name.p ? name : STR("*")));
	change.name = pq_diff_text(d, &text);
	if (name.p)
		pq_diff_add(d, &change, "tracepoint is %s", what);
	else
		pq_diff_add(d, &change, "all tracepoints of the subsystem are %s: %zu", what,
			    subsystem->n);
}

static void compare_names(struct pq_differ *d, const struct subsystem *before,
			  const struct subsystem *after)
{
	struct pq_two_lists lists = PQ_TWO_LISTS(before->v, before->n, after->v, after->n);
	const void *of_a, *of_b;

	while (pq_two_lists_next(&lists, &of_a, &of_b)) {
		const struct pmuq_tracepoint *a = of_a, *b = of_b;

		if (!b)
			add(d, PQ_BEFORE, before, a->name);
		else if (!a)
			add(d, PQ_AFTER, after, b->name);
	}
}

/* Whole subsystems come and go with modules. */
static void compare_subsystems(struct pq_differ *d, const struct subsystems *before,
			       const struct subsystems *after)
{
	struct pq_two_lists lists = PQ_TWO_LISTS(before->v, before->n, after->v, after->n);
	const void *a, *b;

	while (pq_two_lists_next(&lists, &a, &b)) {
		if (!b)
			add(d, PQ_BEFORE, a, (struct pmuq_str){ 0 });
		else if (!a)
			add(d, PQ_AFTER, b, (struct pmuq_str){ 0 });
		else
			compare_names(d, a, b);
	}
}

/* Only root may list tracepoints: a machine without any was read by another user. */
static void add_unknown(struct pq_differ *d, int side)
{
	const struct pq_change change = {
		.type = PMUQ_CHANGE_TRACEPOINTS_UNKNOWN,
		.weight = PMUQ_WEIGHT_PASSING,
	};

	pq_diff_add(d, &change, "the machine %s lists no tracepoints, so none were compared",
		    side == PQ_BEFORE ? "before" : "after");
}

void pq_diff_tracepoints(struct pq_differ *d)
{
	struct subsystems all[PQ_SIDES] = { 0 };

	d->rank = PQ_RANK_TRACEPOINTS;
	for (int side = 0; side < PQ_SIDES; side++)
		gather(d, d->catalogs[side], &all[side]);
	if (all[PQ_BEFORE].n && all[PQ_AFTER].n)
		compare_subsystems(d, &all[PQ_BEFORE], &all[PQ_AFTER]);
	else if (all[PQ_BEFORE].n || all[PQ_AFTER].n)
		add_unknown(d, all[PQ_BEFORE].n ? PQ_AFTER : PQ_BEFORE);
}
