/* SPDX-License-Identifier: MIT */
/*
 * Counts into values. The nodes of a plan are evaluated from the metric down, each once.
 *
 * The error bound is of the first order: what an event that was not always counted could change,
 * all others unchanged, added up.
 */
#include "core/num.h"
#include "core/sized.h"
#include "metric/plan/plan.h"
#include <math.h>
#include <pmuq/error.h>
#include <stdlib.h>

struct node_value {
	struct pmuq_formula_result result;
	size_t event; /* what made it unknown; SIZE_MAX: no event did */
	bool is_ready;
};

/* One evaluation. */
struct evaluation {
	const struct pmuq_metric_plan *plan;
	const struct pq_root *root;
	const struct pmuq_metric_count *counts;
	struct node_value *nodes;
	size_t shifted; /* the event that has another value; SIZE_MAX: none */
	double shift;
	struct pmuq_error **reterr;
};

static const struct pmuq_formula_input not_known = { NAN, NAN, NAN };

/* The event of the plan that the metric counts for a need; SIZE_MAX if it does not. */
static size_t event_of(const struct evaluation *e, size_t need)
{
	for (size_t i = 0; i < e->root->needs.n; i++)
		if (e->root->needs.v[i] == need)
			return e->root->events.v[i];
	return SIZE_MAX;
}

/* A count of a counter that was shared is scaled to the whole time, as in perf. */
static double scaled(const struct pmuq_metric_count *count)
{
	if (!count->running_ns || count->running_ns >= count->enabled_ns)
		return count->enabled_ns && !count->running_ns ? NAN : count->value;
	return count->value * ((double)count->enabled_ns / (double)count->running_ns);
}

static struct pmuq_formula_input event_input(const struct evaluation *e, size_t event)
{
	const struct pmuq_metric_count *count;
	double value;

	if (event == SIZE_MAX)
		return not_known;
	count = &e->counts[event];
	value = scaled(count) + (event == e->shifted ? e->shift : 0);
	if (isnan(value) && !isnan(e->plan->events.v[event].record.latency))
		return (struct pmuq_formula_input){ e->plan->events.v[event].record.latency, 1, 1 };
	if (isnan(value))
		return not_known;
	return (struct pmuq_formula_input){ value, count->n_pmus, count->n_counts };
}

static int evaluate_node(struct evaluation *e, size_t index);

static int node_input(struct evaluation *e, size_t node, struct pmuq_formula_input *ret)
{
	int r = evaluate_node(e, node);

	*ret = (struct pmuq_formula_input){ e->nodes[node].result.value, 1, 1 };
	return r;
}

/* The event of the operand that made a node unknown. */
static size_t find_cause(const struct evaluation *e, const struct pq_plan_node *node,
			 const struct pmuq_formula_result *result)
{
	for (size_t i = 0; i < pmuq_formula_operand_count(node->formula); i++) {
		const struct pmuq_operand *operand = pmuq_formula_operand(node->formula, i);
		const struct pq_plan_use *use = &node->uses[i];
		struct pmuq_str at = pq_formula_text(node->formula, result->offset, result->length);

		if (!use->is_needed ||
		    !str_eq(at, pq_formula_text(node->formula, operand->offset, operand->length)))
			continue;
		return use->type == PQ_USE_NODE ? e->nodes[use->index].event
						: event_of(e, use->index);
	}
	return SIZE_MAX;
}

static int evaluate_node(struct evaluation *e, size_t index)
{
	const struct pq_plan_node *node = &e->plan->nodes.v[index];
	struct node_value *value = &e->nodes[index];
	size_t n = pmuq_formula_operand_count(node->formula);
	auto_free struct pmuq_formula_input *inputs = NULL;
	int r = 0;

	if (value->is_ready)
		return 0;
	inputs = calloc(n + 1, sizeof(*inputs));
	if (!inputs)
		return pq_fail_memory(e->reterr);
	for (size_t i = 0; r == 0 && i < n; i++) {
		inputs[i] = node->inputs[i];
		if (node->uses[i].type == PQ_USE_EVENT)
			inputs[i] = event_input(e, event_of(e, node->uses[i].index));
		else if (node->uses[i].type == PQ_USE_NODE)
			r = node_input(e, node->uses[i].index, &inputs[i]);
	}
	if (r == 0)
		r = pmuq_formula_evaluate(node->formula, inputs, n, &value->result, e->reterr);
	if (r < 0)
		return r;
	value->event = value->result.reason ? find_cause(e, node, &value->result) : SIZE_MAX;
	/* The metric that is named gives the reason: its divisor is 0. */
	for (size_t i = 0; value->result.reason == PMUQ_FORMULA_NOT_COUNTED && i < n; i++)
		if (node->uses[i].type == PQ_USE_NODE && isnan(inputs[i].value))
			value->result.reason = e->nodes[node->uses[i].index].result.reason;
	value->is_ready = true;
	return 0;
}

static int evaluate_once(struct evaluation *e, size_t node)
{
	memset(e->nodes, 0, e->plan->nodes.n * sizeof(*e->nodes));
	return evaluate_node(e, node);
}

/* By how much a count may be off if the counter was shared. */
static double count_bound(const struct pmuq_metric_count *count)
{
	if (!count->running_ns || count->running_ns >= count->enabled_ns)
		return 0;
	return fabs(scaled(count) - count->value);
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static int add_bounds(struct evaluation *e, size_t node, double value, double *ret)
{
	int r = 0;

	*ret = 0;
	for (size_t i = 0; r == 0 && i < e->root->events.n; i++) {
		double bound = count_bound(&e->counts[e->root->events.v[i]]), most = 0;

		if (!(bound > 0))
			continue;
		e->shifted = e->root->events.v[i];
		for (int sign = -1; r == 0 && sign <= 1; sign += 2) {
			e->shift = sign * bound;
			r = evaluate_once(e, node);
			if (r == 0 && !e->nodes[node].result.reason)
				most = larger(most, fabs(e->nodes[node].result.value - value));
		}
		*ret += most;
	}
	e->shifted = SIZE_MAX;
	return r;
}

static int judge(struct evaluation *e, enum pmuq_rating *ret)
{
	int r;

	*ret = PMUQ_RATING_NONE;
	if (e->root->threshold == SIZE_MAX)
		return 0;
	r = evaluate_once(e, e->root->threshold);
	/* A threshold that fails gives no rating, as in perf. */
	if (r == -PMUQ_E_BAD_FORMULA && e->reterr) {
		pmuq_error_free(*e->reterr);
		*e->reterr = NULL;
	}
	if (r == -PMUQ_E_BAD_FORMULA)
		return 0;
	if (r == 0 && !isnan(e->nodes[e->root->threshold].result.value))
		*ret = e->nodes[e->root->threshold].result.value != 0 ? PMUQ_RATING_BAD
								      : PMUQ_RATING_GOOD;
	return r;
}

static int evaluate_all(struct evaluation *e, struct pmuq_metric_value *ret)
{
	double scale = pq_num_scale(e->root->metric->record.scale);
	int r = evaluate_once(e, e->root->node);

	if (r < 0)
		return r;
	*ret = (struct pmuq_metric_value){
		.value = e->nodes[e->root->node].result.value * scale,
		.reason = e->nodes[e->root->node].result.reason,
		.event = e->nodes[e->root->node].event,
	};
	if (!ret->reason)
		r = add_bounds(e, e->root->node, e->nodes[e->root->node].result.value,
			       &ret->error_bound);
	ret->error_bound *= fabs(scale);
	return r < 0 ? r : judge(e, &ret->rating);
}

PQ_API int pmuq_metric_plan_evaluate(const struct pmuq_metric_plan *plan, size_t index,
				     const struct pmuq_metric_count *counts, size_t n,
				     struct pmuq_metric_value *ret, struct pmuq_error **reterr)
{
	auto_free struct node_value *nodes = NULL;
	struct pmuq_metric_value value = { 0 };
	struct evaluation e = {
		.plan = plan, .counts = counts, .shifted = SIZE_MAX, .reterr = reterr
	};
	int r;

	if (index >= plan->planned.n)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "there is no metric %zu: the plan has %zu",
			       index, plan->planned.n);
	if (n != plan->events.n)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the plan has %zu events, not %zu",
			       plan->events.n, n);
	e.root = plan->planned.v[index].root;
	if (e.root->error)
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "the metric '%.*s' cannot be counted on this machine",
			       STR_ARG(e.root->metric->record.name));
	nodes = calloc(plan->nodes.n + 1, sizeof(*nodes));
	if (!nodes)
		return pq_fail_memory(reterr);
	e.nodes = nodes;
	r = evaluate_all(&e, &value);
	if (r == 0)
		*ret = value;
	return r;
}
