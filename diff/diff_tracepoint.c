/* SPDX-License-Identifier: MIT */
/* Tracepoints by name: their ids are another boot's business. */
#include "core/buf.h"
#include "diff/diff.h"

/* Tracepoints of one subsystem, in order of their names. */
struct run {
	const struct pmuq_catalog *catalog;
	size_t from, until;
};

static const struct pq_tracepoint *at(const struct run *run, size_t index)
{
	return pq_catalog_tracepoint(run->catalog, index);
}

/* The run that begins at `from`; empty at the end. */
static struct run run_from(const struct pmuq_catalog *catalog, size_t from)
{
	struct run run = { .catalog = catalog, .from = from, .until = from };
	size_t n = pq_catalog_tracepoint_count(catalog);

	while (run.until < n && str_eq(at(&run, run.until)->subsystem, at(&run, from)->subsystem))
		run.until++;
	return run;
}

static struct pq_change change_of(int side)
{
	return (struct pq_change){
		.type = side == PQ_BEFORE ? PMUQ_CHANGE_TRACEPOINT_GONE
					  : PMUQ_CHANGE_TRACEPOINT_NEW,
		.weight = side == PQ_BEFORE ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_ADDITION,
	};
}

/* `name` .p NULL: the whole subsystem, of n tracepoints. */
static int add(struct pq_differ *d, int side, const struct pq_tracepoint *tracepoint,
	       struct pmuq_str name, size_t n)
{
	struct pq_change change = change_of(side);
	struct pq_buf text = PQ_BUF_NULL;
	const char *what = side == PQ_BEFORE ? "gone" : "new";
	int r;

	if (!pq_diff_tells(d, side == PQ_BEFORE ? PQ_AFTER : PQ_BEFORE))
		return 0;
	pq_buf_add(&text, tracepoint->subsystem);
	pq_buf_char(&text, ':', 1);
	pq_buf_add(&text, name.p ? name : STR("*"));
	change.name = pq_buf_str(&text);
	if (text.failed)
		r = pq_fail_memory(d->reterr);
	else if (name.p)
		r = pq_diff_add(d, &change, "tracepoint is %s", what);
	else
		r = pq_diff_add(d, &change, "all tracepoints of the subsystem are %s: %zu", what,
				n);
	pq_buf_free(&text);
	return r;
}

static int add_run(struct pq_differ *d, int side, const struct run *run)
{
	return add(d, side, at(run, run->from), (struct pmuq_str){ 0 }, run->until - run->from);
}

static int compare_runs(struct pq_differ *d, const struct run *a, const struct run *b)
{
	size_t i = a->from, k = b->from;
	int r = 0;

	while (r == 0 && (i < a->until || k < b->until)) {
		int order = i == a->until   ? 1
			    : k == b->until ? -1
					    : str_cmp(at(a, i)->name, at(b, k)->name);

		if (order < 0)
			r = add(d, PQ_BEFORE, at(a, i), at(a, i)->name, 1);
		else if (order > 0)
			r = add(d, PQ_AFTER, at(b, k), at(b, k)->name, 1);
		i += order <= 0;
		k += order >= 0;
	}
	return r;
}

/* Only root may read them: who tells none was not asked by root. */
static int add_untold(struct pq_differ *d, int side)
{
	const struct pq_change change = {
		.type = PMUQ_CHANGE_TRACEPOINTS_UNKNOWN,
		.weight = PMUQ_WEIGHT_PASSING,
	};

	return pq_diff_add(d, &change, "the machine %s tells no tracepoints, so none were compared",
			   side == PQ_BEFORE ? "before" : "after");
}

int pq_diff_tracepoints(struct pq_differ *d)
{
	struct run a = run_from(d->catalogs[PQ_BEFORE], 0), b = run_from(d->catalogs[PQ_AFTER], 0);
	bool has_a = a.until > 0, has_b = b.until > 0;
	int r = 0;

	d->place = PQ_PLACE_TRACEPOINTS;
	if (!has_a || !has_b)
		return has_a == has_b ? 0 : add_untold(d, has_a ? PQ_AFTER : PQ_BEFORE);
	while (r == 0 && (a.from < a.until || b.from < b.until)) {
		int order = a.from == a.until ? 1
			    : b.from == b.until
				    ? -1
				    : str_cmp(at(&a, a.from)->subsystem, at(&b, b.from)->subsystem);

		if (order < 0)
			r = add_run(d, PQ_BEFORE, &a);
		else if (order > 0)
			r = add_run(d, PQ_AFTER, &b);
		else
			r = compare_runs(d, &a, &b);
		if (order <= 0)
			a = run_from(a.catalog, a.until);
		if (order >= 0)
			b = run_from(b.catalog, b.until);
	}
	return r;
}
