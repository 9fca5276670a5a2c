/* SPDX-License-Identifier: MIT */
/*
 * Decides which terms win: parameters of an event get the user's values, a user's term may replace
 * the event's term of the same name, and a repeated term may be an error. Only this file has rules
 * about terms that differ between the dialects.
 */
#include "encode/resolve/bindings.h"

/* Only terms of the same role: the name of an event and a format never replace each other. */
static bool same_term(const struct pq_binding *a, const struct pq_binding *b)
{
	if (!a->term || !b->term || a->role != b->role)
		return false;
	if (a->role == PQ_ROLE_FORMAT)
		return a->format == b->format;
	if (a->role != PQ_ROLE_KEYWORD)
		return a->role == PQ_ROLE_PROBE && a->probe == b->probe;
	/* Several @settings are different terms. */
	if (a->term->is_driver && b->term->is_driver)
		return str_eq(a->term->value, b->term->value);
	return pq_keyword_sets(a->keyword) == pq_keyword_sets(b->keyword);
}

/* r5 sets config, and no-inherit sets inherit. */
PQ_COLD static int repeated_term(const struct pq_encoder *e, const struct pq_binding *binding)
{
	const struct pq_term *term = binding->term;
	bool is_keyword = binding->keyword && !term->is_driver;
	struct pmuq_str name = is_keyword ? pq_keyword_sets(binding->keyword)->name : term->key;
	int r = pq_fail_at(e, term->at, PMUQ_E_REPEATED_TERM, "'%.*s' is set twice", STR_ARG(name));

	pq_error_hint(e->reterr, "write it once; --dialect perf takes both, as perf does (it ORs "
				 "formats, and takes the last of others)");
	return r;
}

/* pmuq's dialect: a term that is set twice is probably a mistake. */
static int refuse_repetitions(const struct pq_encoder *e, const struct pq_bindings *b)
{
	for (size_t i = 1; i < b->n; i++)
		for (size_t j = 0; j < i; j++)
			if (!b->v[i].is_alias && !b->v[j].is_alias && same_term(&b->v[i], &b->v[j]))
				return repeated_term(e, &b->v[i]);
	return 0;
}

/* pmuq's dialect: the user's term replaces the event's term of the same name. perf ORs both. */
static void override_event(struct pq_bindings *b)
{
	for (size_t i = 0; i < b->n; i++)
		for (size_t j = 0; b->v[i].is_alias && j < b->n; j++)
			if (!b->v[j].is_alias && same_term(&b->v[i], &b->v[j])) {
				b->v[i].role = PQ_ROLE_OVERRIDDEN;
				break;
			}
}

/* Takes a parameter's value from a term of the user or, in perf's dialect, of the event. That term
 * has no other effect. */
static bool take_parameter(struct pq_bindings *b, struct pq_binding *parameter, bool from_alias)
{
	for (size_t i = 0; i < b->n; i++) {
		struct pq_binding *source = &b->v[i];

		if ((source->is_alias && !from_alias) || source->is_parameter ||
		    source->role != PQ_ROLE_FORMAT || source->format != parameter->format)
			continue;
		parameter->value = source->value;
		parameter->term = source->term;
		parameter->is_user_valued = !source->is_alias;
		parameter->is_parameter = false;
		source->role = PQ_ROLE_USED;
		return true;
	}
	return false;
}

/* One error for all parameters, with the string to write. */
PQ_COLD static int missing_parameters(const struct pq_encoder *e, const struct pq_bindings *b)
{
	struct pq_buf list = PQ_BUF_NULL, example = PQ_BUF_NULL;
	int r;

	if (!e->reterr)
		return -PMUQ_E_MISSING_PARAMETER;
	if (!b->event)
		return pq_fail_at(e, e->node->at, PMUQ_E_MISSING_PARAMETER,
				  "no other term has the value for this '?'");
	for (size_t i = 0; i < b->n; i++) {
		const struct pmuq_format *format = b->v[i].format;

		if (!b->v[i].is_parameter)
			continue;
		pq_buf_list(&list, 0, STR(""));
		pq_buf_print(&list, "%s (0 to 0x%llx)", format->name.p,
			     (unsigned long long)pq_bits_max(format->bits));
		pq_buf_print(&example, ",%s=…", format->name.p);
	}
	if (list.failed || example.failed) {
		r = pq_fail_memory(e->reterr);
	} else {
		r = pq_fail_at(e, b->event_at, PMUQ_E_MISSING_PARAMETER,
			       "event '%s' needs values for: %.*s", b->event->name.p, (int)list.n,
			       list.p);
		pq_error_hint(e->reterr, "write %s/%s%.*s/", b->pmu->name.p, b->event->name.p,
			      (int)example.n, example.p);
	}
	pq_buf_free(&list);
	pq_buf_free(&example);
	return r;
}

PQ_COLD static int take_parameters(const struct pq_encoder *e, struct pq_bindings *b)
{
	bool is_complete = true;

	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].is_parameter)
			is_complete &= take_parameter(b, &b->v[i], pq_is_perf(e));
	return is_complete ? 0 : missing_parameters(e, b);
}

int pq_merge(const struct pq_encoder *e, struct pq_bindings *b)
{
	int r = 0;

	if (!pq_is_perf(e))
		r = refuse_repetitions(e, b);
	if (r == 0 && b->has_parameter)
		r = take_parameters(e, b);
	if (r == 0 && b->event && !pq_is_perf(e))
		override_event(b);
	return r;
}
