/* SPDX-License-Identifier: MIT */
/*
 * The metrics that a list of names selects, in perf's order: those of the CPU, of all CPUs, of
 * systems. A name is that of a metric or of a metric group; in pmuq's dialect also a pattern.
 */
#include "core/event/modifier.h"
#include "core/near.h"
#include "core/vendor/vendor_table.h"
#include "metric/plan/plan.h"

/* One of the names. */
struct item {
	struct pmuq_str text; /* in lower case, without the modifiers */
	struct pmuq_str modifiers;
	struct pq_span at;
	bool is_pattern;
};

static bool is_name(const struct item *item, struct pmuq_str name)
{
	char lower[PQ_NAME_MAX_BYTES];

	if (name.n > sizeof(lower))
		return false;
	name = str_lower(name, lower);
	return item->is_pattern ? str_glob(item->text, name) : str_eq(item->text, name);
}

static bool matches(const struct item *item, const struct pq_metric_key *key)
{
	struct pmuq_str groups = key->groups, group;

	if (is_name(item, key->name) || str_eq(item->text, STR("all")))
		return true;
	if (!groups.n)
		return str_eq(item->text, STR("no_group"));
	while (str_next(&groups, ';', &group))
		if (group.n && is_name(item, str_trim(group)))
			return true;
	return false;
}

/* Whether a PMU of the machine has a matching identifier. */
static int is_of_machine(struct pq_planner *planner, const struct pmuq_metric *metric, bool *ret)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_METRIC_PLAN_MAX_BYTES);
	const struct pq_regex *regex = NULL;
	struct pq_pmu_list pmus = { 0 };
	int r;

	*ret = false;
	if (!metric->compat.n)
		return 0;
	r = pq_regex_compile(&arena, metric->compat, &regex, planner->reterr);
	if (r == 0)
		r = pq_query(planner, list_pmus, &pmus);
	for (size_t i = 0; r == 0 && !*ret && i < pmus.n; i++) {
		r = pq_query(planner, load, pmus.v[i]);
		*ret = r == 0 && pq_vendor_identifier_matches(regex, pmus.v[i]);
	}
	return r < 0 ? r : 0;
}

static int add(struct pq_planner *planner, const struct item *item, const struct pq_metric *metric)
{
	const struct pq_root root = {
		.metric = metric,
		.modifiers = item->modifiers,
		.selected_by = item->text,
		.threshold = SIZE_MAX,
		.list = SIZE_MAX,
	};

	for (size_t i = 0; i < planner->plan->roots.n; i++)
		if (planner->plan->roots.v[i].metric == metric &&
		    str_eq(planner->plan->roots.v[i].modifiers, item->modifiers))
			return 0;
	if (!pq_vec_push_in(&planner->plan->arena, &planner->plan->roots, root))
		return pq_fail_memory(planner->reterr);
	return 0;
}

static int fail_unknown(struct pq_planner *planner, const struct item *item, struct pmuq_str names)
{
	struct pq_near near = { .word = item->text, .ignores_case = true };
	struct pq_buf hint = PQ_BUF_NULL;
	const struct pmuq_metrics *metrics = planner->metrics;
	int r;

	for (size_t i = 0; i < metrics->n; i++) {
		struct pmuq_str groups = metrics->v[i].groups, group;

		pq_near_consider(&near, metrics->v[i].name);
		while (str_next(&groups, ';', &group))
			pq_near_consider(&near, group);
	}
	pq_near_print(&near, &hint);
	if (!hint.n)
		pq_buf_add(&hint, STR("`pmuq list metrics` lists the metrics of the CPU"));
	r = pq_fail_span(planner->reterr, item->at, PMUQ_E_UNKNOWN_METRIC,
			 "no metric and no metric group %s '%.*s'",
			 item->is_pattern ? "matches" : "is called", STR_ARG(item->text));
	pq_error_input(planner->reterr, names);
	pq_error_hint_buf(planner->reterr, &hint);
	return r;
}

static int select_item(struct pq_planner *planner, const struct item *item, struct pmuq_str names)
{
	const struct pmuq_metrics *metrics = planner->metrics;
	bool is_found = false, has_it = true;
	int r = 0;

	for (size_t i = 0; r == 0 && i < metrics->n; i++) {
		const struct pq_metric *metric;

		if (!matches(item, &metrics->v[i]))
			continue;
		r = pq_metrics_find(metrics, i, &metric, planner->reterr);
		if (r == 0 && metrics->v[i].table == PQ_METRICS_OF_SYSTEM)
			r = is_of_machine(planner, &metric->record, &has_it);
		if (r == 0 && has_it)
			r = add(planner, item, metric);
		is_found |= has_it;
	}
	return r == 0 && !is_found ? fail_unknown(planner, item, names) : r;
}

/* "NAME:MODIFIERS". Names of metrics have no colon. */
static int read_item(struct pq_planner *planner, struct pmuq_str text, struct pq_span at,
		     struct item *ret)
{
	struct pmuq_str name, modifiers;

	if (!str_cut(text, ':', &name, &modifiers))
		modifiers = STR("");
	*ret = (struct item){
		.text = pq_arena_lower(&planner->plan->arena, str_trim(name)),
		.modifiers = pq_arena_str(&planner->plan->arena, str_trim(modifiers)),
		.at = at,
	};
	if (!ret->text.p || !ret->modifiers.p)
		return pq_fail_memory(planner->reterr);
	ret->is_pattern = planner->encode.dialect == PMUQ_DIALECT_PMUQ && str_has_glob(ret->text);
	if (ret->text.n && ret->text.n <= PQ_NAME_MAX_BYTES)
		return 0;
	return pq_fail_span(planner->reterr, at, PMUQ_E_UNKNOWN_METRIC,
			    ret->text.n ? "the name is longer than a metric's"
					: "a name is missing");
}

int pq_plan_select(struct pq_planner *planner, struct pmuq_str names)
{
	struct pmuq_str rest = names, part;
	bool is_more = true;
	struct item item;
	int r = 0;

	for (; r == 0 && is_more;) {
		struct pq_span at = { (uint32_t)(rest.p - names.p), 0 };

		is_more = str_cut(rest, ',', &part, &rest);
		at.length = (uint32_t)part.n;
		r = read_item(planner, part, at, &item);
		if (r == 0)
			r = select_item(planner, &item, names);
	}
	return r;
}
