/* SPDX-License-Identifier: MIT */
#include "tests/harness/same_catalog.h"
#include "core/catalog/check.h"

struct comparison {
	struct pq_buf difference; /* the first only */
	const char *where;
	size_t index;
};

static bool differ(struct comparison *c, const char *what)
{
	if (!c->difference.n)
		pq_buf_print(&c->difference, "%s %zu: %s", c->where, c->index, what);
	return false;
}

static bool same_number(struct comparison *c, const char *what, uint64_t a, uint64_t b)
{
	return a == b || differ(c, what);
}

/* A missing text is not an empty one, and each text has its NUL. */
static bool same_text(struct comparison *c, const char *what, struct pmuq_str a, struct pmuq_str b)
{
	if ((a.p == NULL) != (b.p == NULL) || !str_eq(a, b))
		return differ(c, what);
	return !b.p || b.p[b.n] == '\0' || differ(c, "no NUL after it");
}

static bool same_pairs(struct comparison *c, const char *what, const struct pmuq_pair *a,
		       size_t n_a, const struct pmuq_pair *b, size_t n_b)
{
	if (!same_number(c, what, n_a, n_b))
		return false;
	for (size_t i = 0; i < n_a; i++)
		if (!same_text(c, what, a[i].name, b[i].name) ||
		    !same_text(c, what, a[i].text, b[i].text))
			return false;
	return true;
}

static bool same_formats(struct comparison *c, const struct pq_def *a, const struct pq_def *b)
{
	if (!same_number(c, "formats", a->record.n_formats, b->record.n_formats))
		return false;
	for (size_t i = 0; i < a->record.n_formats; i++) {
		const struct pmuq_format *x = &a->formats[i], *y = &b->formats[i];

		if (!same_text(c, "format", x->name, y->name) ||
		    !same_text(c, "format's text", x->text, y->text) ||
		    !same_number(c, "format's mask", x->bits.mask, y->bits.mask) ||
		    !same_number(c, "format's word", (uint64_t)x->bits.word,
				 (uint64_t)y->bits.word))
			return false;
	}
	return true;
}

static bool same_events(struct comparison *c, const struct pq_def *a, const struct pq_def *b)
{
	if (!same_number(c, "events", a->record.n_events, b->record.n_events))
		return false;
	for (size_t i = 0; i < a->record.n_events; i++) {
		const struct pmuq_event *x = &a->events[i], *y = &b->events[i];

		if (!same_text(c, "event", x->name, y->name) ||
		    !same_text(c, "terms", x->terms, y->terms) ||
		    !same_text(c, "unit", x->unit, y->unit) ||
		    !same_text(c, "scale", x->scale, y->scale) ||
		    !same_number(c, "per-pkg", x->is_per_pkg, y->is_per_pkg) ||
		    !same_number(c, "snapshot", x->is_snapshot, y->is_snapshot) ||
		    !same_number(c, "unit file", x->has_unit_file, y->has_unit_file) ||
		    !same_number(c, "scale file", x->has_scale_file, y->has_scale_file))
			return false;
	}
	return true;
}

static bool same_pmu(struct comparison *c, const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	return same_text(c, "name", a->name, b->name) &&
	       same_text(c, "alias", a->alias, b->alias) &&
	       same_text(c, "cpumask", a->cpumask, b->cpumask) &&
	       same_text(c, "cpus file", a->cpus_file, b->cpus_file) &&
	       same_text(c, "cpus", a->cpus, b->cpus) &&
	       same_number(c, "whether it has a type", a->has_type, b->has_type) &&
	       (!a->has_type || same_number(c, "type", a->type, b->type)) &&
	       same_number(c, "is core", a->is_core, b->is_core) &&
	       same_number(c, "is uncore", a->is_uncore, b->is_uncore) &&
	       same_pairs(c, "attributes", a->attributes, a->n_attributes, b->attributes,
			  b->n_attributes) &&
	       same_number(c, "type", a->definition->hash, b->definition->hash) &&
	       same_formats(c, pq_def_of(a), pq_def_of(b)) &&
	       same_events(c, pq_def_of(a), pq_def_of(b)) &&
	       same_pairs(c, "caps", a->definition->caps, a->definition->n_caps,
			  b->definition->caps, b->definition->n_caps);
}

static bool same_pmus(struct comparison *c, const struct pmuq_catalog *a,
		      const struct pmuq_catalog *b)
{
	size_t n = pmuq_catalog_machine(a)->n_pmus;

	c->where = "PMU";
	if (!same_number(c, "count", n, pmuq_catalog_machine(b)->n_pmus) ||
	    !same_number(c, "definitions", pq_catalog_def_count(a), pq_catalog_def_count(b)))
		return false;
	for (c->index = 0; c->index < n; c->index++)
		if (!same_pmu(c, pmuq_catalog_pmu(a, c->index), pmuq_catalog_pmu(b, c->index)))
			return false;
	return true;
}

static bool is_listed(const char *const *names, struct pmuq_str name)
{
	for (; names && *names; names++)
		if (str_eq(str_of(*names), name))
			return true;
	return false;
}

static bool same_facts(struct comparison *c, const struct pmuq_catalog *a,
		       const struct pmuq_catalog *b, const char *const *but)
{
	size_t n = pmuq_catalog_machine(a)->n_facts;

	c->where = "fact";
	if (!same_number(c, "count", n, pmuq_catalog_machine(b)->n_facts))
		return false;
	for (c->index = 0; c->index < n; c->index++) {
		const struct pmuq_pair *x = &pmuq_catalog_machine(a)->facts[c->index];
		const struct pmuq_pair *y = &pmuq_catalog_machine(b)->facts[c->index];

		if (!same_text(c, "name", x->name, y->name))
			return false;
		if (!is_listed(but, x->name) && !same_text(c, "text", x->text, y->text))
			return false;
	}
	return true;
}

static bool same_problems(struct comparison *c, const struct pmuq_catalog *a,
			  const struct pmuq_catalog *b)
{
	size_t n = pmuq_catalog_machine(a)->n_problems;

	c->where = "problem";
	if (!same_number(c, "count", n, pmuq_catalog_machine(b)->n_problems))
		return false;
	for (c->index = 0; c->index < n; c->index++) {
		const struct pmuq_problem *x = pmuq_catalog_problem(a, c->index);
		const struct pmuq_problem *y = pmuq_catalog_problem(b, c->index);

		if (!same_text(c, "path", x->path, y->path) ||
		    !same_text(c, "message", x->message, y->message) ||
		    !same_number(c, "code", x->code, y->code) ||
		    !same_number(c, "errno", (uint64_t)x->errnum, (uint64_t)y->errnum))
			return false;
	}
	return true;
}

static bool same_tracepoints(struct comparison *c, const struct pmuq_catalog *a,
			     const struct pmuq_catalog *b)
{
	size_t n = pmuq_catalog_machine(a)->n_tracepoints;

	c->where = "tracepoint";
	if (!same_number(c, "count", n, pmuq_catalog_machine(b)->n_tracepoints))
		return false;
	for (c->index = 0; c->index < n; c->index++) {
		const struct pmuq_tracepoint *x = pmuq_catalog_tracepoint(a, c->index);
		const struct pmuq_tracepoint *y = pmuq_catalog_tracepoint(b, c->index);

		if (!same_text(c, "subsystem", x->subsystem, y->subsystem) ||
		    !same_text(c, "name", x->name, y->name) || !same_number(c, "id", x->id, y->id))
			return false;
	}
	return true;
}

static bool same_open_result(struct comparison *c, const struct pmuq_open_result *a,
			     const struct pmuq_open_result *b)
{
	return same_number(c, "status", a->status, b->status) &&
	       same_number(c, "errno", (uint64_t)a->errnum, (uint64_t)b->errnum) &&
	       same_text(c, "cpus", a->cpus, b->cpus) && same_text(c, "name", a->name, b->name) &&
	       same_text(c, "reason", a->reason, b->reason) &&
	       same_text(c, "hint", a->hint, b->hint) &&
	       same_text(c, "change", a->change, b->change);
}

static bool same_result(struct comparison *c, const struct pmuq_check_result *a,
			const struct pmuq_check_result *b)
{
	return same_text(c, "PMU", a->pmu, b->pmu) && same_text(c, "event", a->event, b->event) &&
	       same_text(c, "string", a->event_string, b->event_string) &&
	       same_number(c, "is generic", a->is_generic, b->is_generic) &&
	       same_open_result(c, a->open, b->open);
}

static bool same_check(struct comparison *c, const struct pmuq_check *a, const struct pmuq_check *b)
{
	c->where = "open result";
	c->index = 0;
	if (!same_number(c, "whether there is a check", a != NULL, b != NULL))
		return false;
	if (!a)
		return true;
	if (!same_number(c, "time", (uint64_t)pmuq_check_progress(a)->time_s,
			 (uint64_t)pmuq_check_progress(b)->time_s) ||
	    !same_text(c, "kernel", pmuq_check_progress(a)->kernel,
		       pmuq_check_progress(b)->kernel) ||
	    !same_number(c, "count", pmuq_check_progress(a)->n_results,
			 pmuq_check_progress(b)->n_results) ||
	    !same_number(c, "total", pmuq_check_progress(a)->n_events,
			 pmuq_check_progress(b)->n_events))
		return false;
	for (; c->index < pmuq_check_progress(a)->n_results; c->index++)
		if (!same_result(c, pmuq_check_get(a, c->index), pmuq_check_get(b, c->index)))
			return false;
	return true;
}

char *check_difference(const struct pmuq_check *a, const struct pmuq_check *b)
{
	struct comparison c = { 0 };

	return same_check(&c, a, b) ? NULL : pq_buf_take(&c.difference);
}

char *catalog_difference_but(const struct pmuq_catalog *a, const struct pmuq_catalog *b,
			     const char *const *facts)
{
	struct comparison c = { 0 };

	if (same_facts(&c, a, b, facts) && same_pmus(&c, a, b) && same_problems(&c, a, b) &&
	    same_tracepoints(&c, a, b) &&
	    same_check(&c, pmuq_catalog_machine(a)->check, pmuq_catalog_machine(b)->check))
		return NULL;
	return pq_buf_take(&c.difference);
}

char *catalog_difference(const struct pmuq_catalog *a, const struct pmuq_catalog *b)
{
	return catalog_difference_but(a, b, NULL);
}
