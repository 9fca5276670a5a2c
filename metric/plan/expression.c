/* SPDX-License-Identifier: MIT */
/*
 * The formula of a metric over its events: names of events become $0, $1 …, those of other metrics
 * their formulas, and what is known their numbers.
 */
#include "core/limits.h"
#include "metric/plan/plan.h"
#include <math.h>
#include <stdlib.h>

struct printing {
	const struct pmuq_metric_plan *plan;
	const struct pq_root *root;
	struct pq_buf text;
	bool is_too_long;
};

static void print_node(struct printing *p, size_t index);

/* Facts are whole numbers. */
static void print_fact(struct printing *p, double value)
{
	if (isfinite(value) && fabs(value) < 0x1p63)
		pq_buf_print(&p->text, "%lld", (long long)value);
	else
		pq_buf_add(&p->text, STR("NaN"));
}

static void print_event(struct printing *p, size_t need)
{
	for (size_t i = 0; i < p->root->needs.n; i++)
		if (p->root->needs.v[i] == need) {
			pq_buf_print(&p->text, "$%zu", i);
			return;
		}
	pq_buf_add(&p->text, STR("NaN"));
}

static void print_operand(struct printing *p, const struct pq_plan_node *node, uint32_t name)
{
	const struct pq_plan_use *use = &node->uses[name];

	if (use->type == PQ_USE_EVENT)
		print_event(p, use->index);
	else if (use->type == PQ_USE_NODE)
		print_node(p, use->index);
	else
		print_fact(p, node->inputs[name].value);
}

/* "has_event(NAME)" is a fact as a whole. */
static struct pq_span whole_span(const struct pmuq_formula *formula, const struct pq_formula_op *op)
{
	enum pmuq_operand_type type = formula->names.v[op->name].type;
	uint32_t from = op->at.offset, until = op->at.offset + op->at.length;

	if (type != PMUQ_OPERAND_HAS_EVENT && type != PMUQ_OPERAND_CPU)
		return op->at;
	while (from > 0 && formula->text.p[from] != '(')
		from--;
	while (from > 0 && (char_is_alpha(formula->text.p[from - 1]) ||
			    formula->text.p[from - 1] == '_' || formula->text.p[from - 1] == ' '))
		from--;
	while (until < formula->text.n && formula->text.p[until - 1] != ')')
		until++;
	return (struct pq_span){ from, until - from };
}

static void print_node(struct printing *p, size_t index)
{
	const struct pq_plan_node *node = &p->plan->nodes.v[index];
	const struct pmuq_formula *formula = node->formula;
	uint32_t at = 0;

	if (p->text.n > PQ_FORMULA_MAX_BYTES || p->is_too_long) {
		p->is_too_long = true;
		return;
	}
	pq_buf_char(&p->text, '(', 1);
	for (size_t i = 0; i < formula->ops.n; i++) {
		const struct pq_formula_op *op = &formula->ops.v[i];
		struct pq_span span;

		if (op->type != PQ_OP_NAME && op->type != PQ_OP_SOURCE_COUNT &&
		    op->type != PQ_OP_AGGR_NR)
			continue;
		span = whole_span(formula, op);
		pq_buf_add(&p->text, str_part(formula->text, at, span.offset));
		print_operand(p, node, op->name);
		at = span.offset + span.length;
	}
	pq_buf_add(&p->text, str_part(formula->text, at, formula->text.n));
	pq_buf_char(&p->text, ')', 1);
}

PQ_API char *pmuq_metric_plan_expression(const struct pmuq_metric_plan *plan, size_t index)
{
	struct printing p = { .plan = plan };

	if (index >= plan->planned.n || plan->planned.v[index].root->error)
		return NULL;
	p.root = plan->planned.v[index].root;
	print_node(&p, p.root->node);
	if (p.is_too_long)
		p.text.failed = true;
	return pq_buf_take(&p.text);
}
