/* SPDX-License-Identifier: MIT */
/*
 * Metrics into nodes and events. A formula may name other metrics of its table: they are nodes,
 * too, and so is the formula of a threshold, which names its metric. An operand that cannot change
 * the value is not resolved.
 */
#include "core/freep.h"
#include "core/num.h"
#include "metric/plan/plan.h"
#include <math.h>

/* A formula of the tables may have "=" and "," within an event without the backslash that formulas
 * need: "msr@tsc\\,cpu=cpu_atom@". */
static bool escape(struct pmuq_str text, struct pq_buf *ret)
{
	bool is_inside = false;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (c == '@')
			is_inside = !is_inside;
		if (c == '\\' && i + 1 < text.n) {
			pq_buf_char(ret, c, 1);
			c = text.p[++i];
		} else if (is_inside &&
			   (c == '=' || (c == ',' && i + 1 < text.n && text.p[i + 1] != ' '))) {
			pq_buf_char(ret, '\\', 1);
		}
		pq_buf_char(ret, c, 1);
	}
	pq_buf_char(ret, '\0', 1);
	return !ret->failed;
}

static int parse(struct pq_planner *planner, struct pq_plan_node *node)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	const struct pmuq_metric *record = &node->metric->record;
	const struct pmuq_formula_options options = { .size = sizeof(options),
						      .dialect = planner->encode.dialect };
	struct pmuq_error *error = NULL;
	int r;

	if (!escape(node->is_threshold ? record->threshold : record->formula, &text))
		return pq_fail_memory(planner->reterr);
	r = pmuq_formula_parse(text.p, &options, &node->formula, &error);
	if (r == 0)
		return 0;
	pq_error_in(&error, "%s of the metric '%.*s': ",
		    node->is_threshold ? "the threshold" : "the formula", STR_ARG(record->name));
	return pq_plan_keep_error(planner, r, error, &node->error);
}

static int fail_slots(struct pq_planner *planner, struct pq_plan_node *node)
{
	struct pmuq_error *error = NULL;
	int r = pq_fail(&error, PMUQ_E_BAD_METRIC,
			"the metric '%.*s' needs #slots, which is not known of this machine",
			STR_ARG(node->metric->record.name));

	pq_error_hint(&error, "arm64 kernels show them as caps/slots of the core PMU");
	return pq_plan_keep_error(planner, r, error, &node->error);
}

/* What is known before anything is counted. */
static int fix_operand(struct pq_planner *planner, struct pq_plan_node *node, size_t index)
{
	const struct pmuq_operand *operand = pmuq_formula_operand(node->formula, index);
	struct pmuq_formula_input *input = &node->inputs[index];
	const char *cpuid = "";
	bool holds = false;
	int r = 0;

	*input = (struct pmuq_formula_input){ NAN, NAN, NAN };
	switch (operand->type) {
	case PMUQ_OPERAND_EVENT:
		return 0;
	case PMUQ_OPERAND_LITERAL:
		r = pq_plan_literal(planner, operand->name, &input->value);
		if (r == 0 && isnan(input->value) && str_eq(operand->name, STR("slots")))
			return fail_slots(planner, node);
		return r;
	case PMUQ_OPERAND_HAS_EVENT:
		r = pq_plan_has_event(planner, operand->name, &holds);
		break;
	case PMUQ_OPERAND_CPU:
		r = pq_plan_cpuid(planner, &cpuid);
		if (r == 0)
			r = pmuq_formula_matches_cpu(operand->name.p, cpuid, &holds,
						     planner->reterr);
		break;
	}
	input->value = holds ? 1 : 0;
	return r;
}

/* perf: a metric of the same table, and of the same PMU; a metric of all core PMUs goes with any.
 * *ret is NULL if no metric has that name. */
static int find_metric(const struct pq_planner *planner, const struct pq_plan_node *node,
		       struct pmuq_str name, const struct pq_metric **ret)
{
	const struct pmuq_metrics *metrics = planner->metrics;
	const struct pq_metric_key *of = node->metric->key;

	*ret = node->metric;
	if (node->is_threshold && str_eq(of->name, name))
		return 0;
	for (size_t i = pq_metrics_first(metrics, name); i < metrics->n; i++) {
		const struct pq_metric_key *key = &metrics->v[i];

		if (key->table == of->table && key->folder == of->folder &&
		    str_eq(key->name, name) &&
		    (str_eq(key->pmu, of->pmu) || str_eq(key->pmu, STR("default_core"))))
			return pq_metrics_find(metrics, i, ret, planner->reterr);
	}
	*ret = NULL;
	return 0;
}

static int add_node(struct pq_planner *planner, const struct pq_metric *metric, bool is_threshold,
		    size_t *ret);

static int fail_recursion(struct pq_planner *planner, size_t index)
{
	struct pq_plan_node *node = &planner->plan->nodes.v[index];
	struct pmuq_error *error = NULL;
	int r = pq_fail(&error, PMUQ_E_BAD_METRIC, "the formula of the metric '%.*s' needs itself",
			STR_ARG(node->metric->record.name));

	return pq_plan_keep_error(planner, r, error, &node->error);
}

/* An operand that the value depends on. The array of nodes may move. */
static int use_operand(struct pq_planner *planner, size_t index, size_t operand)
{
	struct pq_plan_node *node = &planner->plan->nodes.v[index];
	struct pq_plan_use *use = &node->uses[operand];
	struct pmuq_str name = pmuq_formula_operand(node->formula, operand)->name;
	const struct pq_metric *metric;
	int r = find_metric(planner, node, name, &metric);

	if (r < 0)
		return r;
	use->is_needed = true;
	use->type = metric ? PQ_USE_NODE : PQ_USE_EVENT;
	if (!metric)
		return pq_plan_need(planner, name, node->metric, &use->index);
	r = add_node(planner, metric, false, &use->index);
	if (r == 0 && planner->plan->nodes.v[use->index].is_open)
		r = fail_recursion(planner, use->index);
	return r;
}

static bool is_listed(const struct pmuq_names *names, struct pmuq_str name)
{
	for (size_t i = 0; i < pmuq_names_count(names); i++)
		if (strcmp(pmuq_names_get(names, i), name.p) == 0)
			return true;
	return false;
}

static int resolve_operands(struct pq_planner *planner, size_t index)
{
	cleanup(pmuq_names_freep) struct pmuq_names *names = NULL;
	struct pq_plan_node *node = &planner->plan->nodes.v[index];
	struct pmuq_formula *formula = node->formula;
	size_t n = pmuq_formula_operand_count(formula);
	struct pmuq_error *error = NULL;
	int r = 0;

	node->inputs = pq_arena_array(&planner->plan->arena, n, sizeof(*node->inputs));
	node->uses = pq_arena_array(&planner->plan->arena, n, sizeof(*node->uses));
	if (!node->inputs || !node->uses)
		return pq_fail_memory(planner->reterr);
	for (size_t i = 0; r == 0 && !node->error && i < n; i++)
		r = fix_operand(planner, node, i);
	if (r < 0 || node->error)
		return r;
	r = pmuq_formula_list_events(formula, node->inputs, n, &names, &error);
	if (r < 0)
		return pq_plan_keep_error(planner, r, error, &node->error);
	for (size_t i = 0; r == 0 && i < n; i++) {
		const struct pmuq_operand *operand = pmuq_formula_operand(formula, i);

		if (operand->type == PMUQ_OPERAND_EVENT && is_listed(names, operand->name))
			r = use_operand(planner, index, i);
	}
	return r;
}

static int add_node(struct pq_planner *planner, const struct pq_metric *metric, bool is_threshold,
		    size_t *ret)
{
	struct pmuq_metric_plan *plan = planner->plan;
	const struct pq_plan_node node = { .metric = metric,
					   .is_threshold = is_threshold,
					   .is_open = true };
	int r;

	for (size_t i = 0; i < plan->nodes.n; i++)
		if (plan->nodes.v[i].metric == metric &&
		    plan->nodes.v[i].is_threshold == is_threshold) {
			*ret = i;
			return 0;
		}
	*ret = plan->nodes.n;
	if (!pq_vec_push_in(&plan->arena, &plan->nodes, node))
		return pq_fail_memory(planner->reterr);
	r = parse(planner, &plan->nodes.v[*ret]);
	if (r == 0 && !plan->nodes.v[*ret].error)
		r = resolve_operands(planner, *ret);
	plan->nodes.v[*ret].is_open = false;
	return r;
}

/* ---- roots */

static int add_need(struct pq_planner *planner, struct pq_root *root, size_t need)
{
	for (size_t i = 0; i < root->needs.n; i++)
		if (root->needs.v[i] == need)
			return 0;
	root->n_counted += planner->plan->needs.v[need].type == PMUQ_METRIC_COUNT &&
			   !planner->plan->needs.v[need].is_latency;
	if (!pq_vec_push_in(&planner->plan->arena, &root->needs, need))
		return pq_fail_memory(planner->reterr);
	return 0;
}

/* Adds the events below a node to the root, and the first error among them. `mark` is the root's
 * own number, so that a node is visited once. */
static int collect(struct pq_planner *planner, size_t index, size_t mark, struct pq_root *root,
		   const struct pmuq_error **error)
{
	struct pmuq_metric_plan *plan = planner->plan;
	struct pq_plan_node *node = &plan->nodes.v[index];
	int r = 0;

	if (node->last_root == mark)
		return 0;
	node->last_root = mark;
	if (node->error && !*error)
		*error = node->error;
	if (!node->formula || !node->uses)
		return 0;
	for (size_t i = 0; r == 0 && i < pmuq_formula_operand_count(node->formula); i++) {
		const struct pq_plan_use *use = &node->uses[i];

		if (!use->is_needed)
			continue;
		if (use->type == PQ_USE_NODE) {
			r = collect(planner, use->index, mark, root, error);
			continue;
		}
		if (plan->needs.v[use->index].error && !*error)
			*error = plan->needs.v[use->index].error;
		r = add_need(planner, root, use->index);
	}
	return r;
}

/* The threshold may need more events than the metric. If they do not exist, or are not wanted,
 * there is no rating, and the metric has its value. */
static int add_threshold(struct pq_planner *planner, struct pq_root *root, size_t mark)
{
	const struct pmuq_error *error = NULL;
	size_t n_needs = root->needs.n, n_counted = root->n_counted, node;
	int r;

	if (!root->metric->record.threshold.n)
		return 0;
	r = add_node(planner, root->metric, true, &node);
	if (r == 0)
		r = collect(planner, node, mark, root, &error);
	if (error || (planner->options.without_thresholds && root->needs.n > n_needs)) {
		root->needs.n = n_needs;
		root->n_counted = n_counted;
	} else {
		root->threshold = node;
	}
	return r;
}

static int has_watchdog(struct pq_planner *planner, bool *ret)
{
	const char *text = NULL;
	uint64_t number = 0;
	int r = 0;

	if (!planner->options.nmi_watchdog)
		r = planner->find_fact(planner, "nmi_watchdog", &text);
	if (text)
		pq_num_any(str_of(text), &number);
	*ret = planner->options.nmi_watchdog ? planner->options.nmi_watchdog == 1 : number > 0;
	return r;
}

static bool is_selected_without_group(const struct pq_root *root)
{
	struct pmuq_str groups = root->metric->record.no_group, group;

	while (str_next(&groups, ';', &group))
		if (str_eq_nocase(str_trim(group), root->selected_by))
			return true;
	return false;
}

/* Whether its events are one group. */
static int decide_group(struct pq_planner *planner, struct pq_root *root)
{
	struct pmuq_str constraint = root->metric->record.constraint;
	bool has_threshold = root->threshold != SIZE_MAX && !planner->options.without_thresholds;
	bool watchdog;
	double smt = 0;
	int r = has_watchdog(planner, &watchdog);

	if (r == 0 && str_eq(constraint, STR("NO_GROUP_EVENTS_SMT")))
		r = pq_plan_literal(planner, STR("smt_on"), &smt);
	root->is_grouped =
		!planner->options.without_groups && !is_selected_without_group(root) &&
		!str_eq(constraint, STR("NO_GROUP_EVENTS")) &&
		!(watchdog &&
		  (str_eq(constraint, STR("NO_GROUP_EVENTS_NMI")) ||
		   str_eq(constraint, STR("NO_NMI_WATCHDOG")) ||
		   (str_eq(constraint, STR("NO_THRESHOLD_AND_NMI")) && has_threshold))) &&
		!(smt > 0 && str_eq(constraint, STR("NO_GROUP_EVENTS_SMT")));
	return r;
}

static int resolve_root(struct pq_planner *planner, struct pq_root *root, size_t mark)
{
	size_t duration;
	int r = add_node(planner, root->metric, false, &root->node);

	if (r == 0)
		r = collect(planner, root->node, mark, root, &root->error);
	if (r == 0 && !root->error)
		r = add_threshold(planner, root, mark);
	if (r == 0 && !root->needs.n && !root->error) {
		r = pq_plan_need(planner, STR("duration_time"), root->metric, &duration);
		r = r < 0 ? r : add_need(planner, root, duration);
	}
	return r < 0 ? r : decide_group(planner, root);
}

/* A plan looks for many names, and a source that has listed them looks for none in a directory. */
static int list_event_names(struct pq_planner *planner)
{
	struct pq_pmu_list pmus;
	struct pq_names names;
	int r = pq_query(planner, list_pmus, &pmus);

	for (size_t i = 0; r == 0 && i < pmus.n; i++)
		r = pq_query(planner, event_names, pmus.v[i], &names);
	return r;
}

int pq_plan_resolve(struct pq_planner *planner)
{
	int r = list_event_names(planner);

	for (size_t i = 0; r == 0 && i < planner->plan->roots.n; i++)
		r = resolve_root(planner, &planner->plan->roots.v[i], i + 1);
	return r;
}
