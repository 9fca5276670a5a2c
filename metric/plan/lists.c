/* SPDX-License-Identifier: MIT */
/*
 * Which events are opened together, by perf's rules: the events of a metric are a weak group,
 * except of metrics whose table or options forbid it; such events are single, and shared. The
 * metric with the most events comes first, and others use its group if it has all of theirs.
 */
#include "core/freep.h"
#include "encode/encoder.h"
#include "encode/result.h"
#include "metric/plan/plan.h"
#include <math.h>
#include <stdlib.h>

/* The needs of a list, and how they are written. */
struct draft {
	const struct pq_root *root; /* NULL: the single events that metrics share */
	struct pmuq_str modifiers;
	bool is_grouped;
	PQ_VEC(size_t) needs; /* counted ones */
	size_t *parts;	      /* the group of each; NULL: one group */
	size_t n_parts;
};

static bool is_counted(const struct pq_needed *need)
{
	return need->type == PMUQ_METRIC_COUNT && !need->is_latency;
}

static bool has_need(const struct draft *draft, size_t need)
{
	for (size_t i = 0; i < draft->needs.n; i++)
		if (draft->needs.v[i] == need)
			return true;
	return false;
}

static int add_needs(struct pq_planner *planner, const struct pq_root *root, struct draft *draft)
{
	for (size_t i = 0; i < root->needs.n; i++)
		if (is_counted(&planner->plan->needs.v[root->needs.v[i]]) &&
		    !has_need(draft, root->needs.v[i]) &&
		    !pq_vec_push_in(&planner->plan->arena, &draft->needs, root->needs.v[i]))
			return pq_fail_memory(planner->reterr);
	return 0;
}

/* ---- a list and its encodings */

static bool are_in_one_group(const struct draft *draft, size_t index, size_t neighbour)
{
	return draft->is_grouped && neighbour < draft->needs.n &&
	       (!draft->parts || draft->parts[index] == draft->parts[neighbour]);
}

/* Of a group that was split, a part with one event is not a group. */
static bool is_alone(const struct draft *draft, size_t index)
{
	return draft->n_parts > 1 && !are_in_one_group(draft, index, index - 1) &&
	       !are_in_one_group(draft, index, index + 1);
}

/* Whether the event begins, or ends, a group. */
static bool is_at_end(const struct draft *draft, size_t index, size_t neighbour)
{
	return draft->is_grouped && !is_alone(draft, index) &&
	       !are_in_one_group(draft, index, neighbour);
}

/* Events of one part are neighbours. */
static bool print_list(const struct pmuq_metric_plan *plan, const struct draft *draft,
		       struct pq_buf *ret)
{
	for (size_t i = 0; i < draft->needs.n; i++) {
		if (i)
			pq_buf_char(ret, ',', 1);
		if (is_at_end(draft, i, i - 1))
			pq_buf_char(ret, '{', 1);
		pq_plan_print_event(plan->dialect, &plan->needs.v[draft->needs.v[i]],
				    draft->modifiers, ret);
		if (is_at_end(draft, i, i + 1))
			pq_buf_add(ret, STR("}:W"));
	}
	return !ret->failed;
}

static int encode_list(struct pq_planner *planner, const struct draft *draft, struct pq_list *list,
		       struct pmuq_error **ret_error)
{
	struct pq_buf text = PQ_BUF_IN(&planner->plan->arena);
	int r;

	if (!print_list(planner->plan, draft, &text))
		return pq_fail_memory(ret_error);
	list->record.string = pq_buf_take_str(&text);
	if (!list->record.string.p)
		return pq_fail_memory(ret_error);
	r = pq_encode(planner->lookup, list->record.string.p, &planner->encode, &list->encodings,
		      ret_error);
	/* The user has not written the group. */
	if (r == 0)
		pq_result_forget(list->encodings, PMUQ_E_REGROUPED);
	return r;
}

/* Events of one part become neighbours; otherwise their order does not change. */
static void sort_needs(struct draft *draft)
{
	for (size_t i = 1; i < draft->needs.n; i++) {
		size_t need = draft->needs.v[i], part = draft->parts[i], at = i;

		for (; at > 0 && draft->parts[at - 1] > part; at--) {
			draft->needs.v[at] = draft->needs.v[at - 1];
			draft->parts[at] = draft->parts[at - 1];
		}
		draft->needs.v[at] = need;
		draft->parts[at] = part;
	}
}

/* A group that never counts becomes several. */
static int split_list(struct pq_planner *planner, struct draft *draft, struct pq_list *list,
		      struct pmuq_error **ret_error)
{
	size_t n = draft->needs.n;
	int r;

	if (!draft->is_grouped || !pq_plan_may_split(planner))
		return 0;
	draft->parts = pq_arena_array(&planner->plan->arena, 3 * n, sizeof(*draft->parts));
	if (!draft->parts)
		return pq_fail_memory(ret_error);
	planner->fit.reterr = ret_error;
	r = pq_plan_split(planner, list->encodings, n, draft->parts, &draft->n_parts);
	if (r < 0 || draft->n_parts < 2)
		return r;
	sort_needs(draft);
	pmuq_encodings_free(move(list->encodings));
	return encode_list(planner, draft, list, ret_error);
}

/* How many encodings each of n events has, in one pass; NULL when out of memory. */
static const size_t *count_encodings(struct pq_arena *arena, const struct pmuq_encodings *encodings,
				     size_t n)
{
	size_t *counts = pq_arena_array(arena, n, sizeof(*counts));
	const struct pmuq_encoding *encoding;

	for (size_t i = 0; counts && (encoding = pmuq_encodings_get(encodings, i)); i++)
		if (!encoding->is_added && encoding->event < n)
			counts[encoding->event]++;
	return counts;
}

static int add_event(struct pq_planner *planner, size_t need, size_t list, size_t event,
		     size_t n_encodings, struct pmuq_error **ret_error)
{
	struct pmuq_metric_plan *plan = planner->plan;
	cleanup(pq_buf_free) struct pq_buf name = PQ_BUF_NULL;
	struct pq_plan_event row = {
		.record = {
			.size = sizeof(row.record),
			.type = plan->needs.v[need].is_latency ? PMUQ_METRIC_LATENCY
								: plan->needs.v[need].type,
			.list = list,
			.event = event,
			.n_encodings = n_encodings,
			.latency = plan->needs.v[need].is_latency ? plan->needs.v[need].latency
								   : NAN,
		},
		.need = need,
	};

	pq_plan_print_event(plan->dialect, &plan->needs.v[need], STR(""), &name);
	row.record.name = pq_arena_str(&plan->arena, pq_buf_str(&name));
	if (name.failed || !row.record.name.p || !pq_vec_push_in(&plan->arena, &plan->events, row))
		return pq_fail_memory(ret_error);
	return 0;
}

static int add_list(struct pq_planner *planner, struct draft *draft, struct pmuq_error **ret_error)
{
	struct pmuq_metric_plan *plan = planner->plan;
	struct pq_list list = { .root = draft->root, .first_event = plan->events.n };
	const size_t *counts;
	int r = encode_list(planner, draft, &list, ret_error);

	if (r == 0)
		r = split_list(planner, draft, &list, ret_error);
	if (r < 0) {
		pmuq_encodings_free(list.encodings);
		return r;
	}
	list.record.size = sizeof(list.record);
	list.record.encodings = list.encodings;
	list.n_events = draft->needs.n;
	if (!pq_vec_push_in(&plan->arena, &plan->lists, list)) {
		pmuq_encodings_free(list.encodings);
		return pq_fail_memory(ret_error);
	}
	counts = count_encodings(&plan->arena, list.encodings, draft->needs.n);
	if (!counts)
		return pq_fail_memory(ret_error);
	for (size_t i = 0; r == 0 && i < draft->needs.n; i++)
		r = add_event(planner, draft->needs.v[i], plan->lists.n - 1, i, counts[i],
			      ret_error);
	return r;
}

/* ---- which metrics use which list */

/* A list is the root's own, or another's. All events of a list that fails have the same error. */
static int make_list(struct pq_planner *planner, struct draft *draft, struct pq_root *root)
{
	struct pmuq_error *error = NULL, *kept = NULL;
	int r;

	if (!draft->needs.n)
		return 0;
	r = add_list(planner, draft, &error);
	if (r == 0) {
		root->list = planner->plan->lists.n - 1;
		return 0;
	}
	r = pq_plan_keep_error(planner, r, error, &kept);
	if (r < 0)
		return r;
	root->error = kept;
	if (!pq_vec_push_in(&planner->plan->arena, &planner->plan->errors, kept)) {
		pmuq_error_free(kept);
		return pq_fail_memory(planner->reterr);
	}
	return 0;
}

static bool is_shared(const struct pq_planner *planner, const struct pq_root *root)
{
	return !root->error && !root->is_grouped && !root->modifiers.n &&
	       !planner->options.without_sharing;
}

/* The single events of all metrics that are not groups. */
static int share_singles(struct pq_planner *planner)
{
	struct pmuq_metric_plan *plan = planner->plan;
	struct draft draft = { .modifiers = STR("") };
	struct pq_root first = { .list = SIZE_MAX };
	int r = 0;

	for (size_t i = 0; r == 0 && i < plan->roots.n; i++)
		if (is_shared(planner, &plan->roots.v[i]))
			r = add_needs(planner, &plan->roots.v[i], &draft);
	if (r == 0)
		r = make_list(planner, &draft, &first);
	for (size_t i = 0; r == 0 && i < plan->roots.n; i++)
		if (is_shared(planner, &plan->roots.v[i])) {
			plan->roots.v[i].list = first.list;
			plan->roots.v[i].error = first.error;
		}
	return r;
}

/* Whether the list has all events of the metric. */
static bool covers(const struct pmuq_metric_plan *plan, const struct pq_list *list,
		   const struct pq_root *root)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n_events; i++)
		for (size_t k = 0; k < root->needs.n; k++)
			n += plan->events.v[list->first_event + i].need == root->needs.v[k];
	return n == root->n_counted;
}

static bool use_another(struct pq_planner *planner, struct pq_root *root)
{
	const struct pmuq_metric_plan *plan = planner->plan;

	for (size_t i = 0; !planner->options.without_sharing && i < plan->lists.n; i++) {
		const struct pq_root *other = plan->lists.v[i].root;

		if (other && str_eq(other->modifiers, root->modifiers) &&
		    str_eq(other->metric->record.pmu, root->metric->record.pmu) &&
		    covers(plan, &plan->lists.v[i], root)) {
			root->list = i;
			return true;
		}
	}
	return false;
}

static int own_list(struct pq_planner *planner, struct pq_root *root)
{
	struct draft draft = { .root = root,
			       .modifiers = root->modifiers,
			       .is_grouped = root->is_grouped };
	int r = add_needs(planner, root, &draft);

	return r < 0 ? r : make_list(planner, &draft, root);
}

/* The largest first; equal ones in their order. */
static int compare_roots(const void *a, const void *b)
{
	const struct pq_root *x = *(struct pq_root *const *)a, *y = *(struct pq_root *const *)b;

	if (x->n_counted != y->n_counted)
		return x->n_counted > y->n_counted ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int list_roots(struct pq_planner *planner)
{
	struct pmuq_metric_plan *plan = planner->plan;
	auto_free struct pq_root **order = calloc(plan->roots.n + 1, sizeof(*order));
	int r = 0;

	if (!order)
		return pq_fail_memory(planner->reterr);
	for (size_t i = 0; i < plan->roots.n; i++)
		order[i] = &plan->roots.v[i];
	qsort(order, plan->roots.n, sizeof(*order), compare_roots);
	for (size_t i = 0; r == 0 && i < plan->roots.n; i++)
		if (!order[i]->error && order[i]->list == SIZE_MAX && order[i]->n_counted &&
		    !use_another(planner, order[i]))
			r = own_list(planner, order[i]);
	return r;
}

/* ---- the events of each metric */

/* A time, or a latency of the table, which no list counts. */
static int find_uncounted(struct pq_planner *planner, size_t need, size_t *ret)
{
	const struct pmuq_metric_plan *plan = planner->plan;

	for (size_t i = 0; i < plan->events.n; i++)
		if (plan->events.v[i].need == need && plan->events.v[i].record.list == SIZE_MAX) {
			*ret = i;
			return 0;
		}
	*ret = plan->events.n;
	return add_event(planner, need, SIZE_MAX, 0, 0, planner->reterr);
}

static size_t find_counted(const struct pmuq_metric_plan *plan, const struct pq_list *list,
			   size_t need)
{
	size_t event = list->first_event;

	while (plan->events.v[event].need != need)
		event++;
	return event;
}

static int find_events(struct pq_planner *planner, struct pq_root *root)
{
	struct pmuq_metric_plan *plan = planner->plan;
	int r = 0;

	for (size_t i = 0; r == 0 && i < root->needs.n; i++) {
		size_t need = root->needs.v[i], event;

		if (is_counted(&plan->needs.v[need]))
			event = find_counted(plan, &plan->lists.v[root->list], need);
		else
			r = find_uncounted(planner, need, &event);
		if (r == 0 && !pq_vec_push_in(&plan->arena, &root->events, event))
			r = pq_fail_memory(planner->reterr);
	}
	return r;
}

int pq_plan_lists(struct pq_planner *planner)
{
	struct pmuq_metric_plan *plan = planner->plan;
	int r = share_singles(planner);

	if (r == 0)
		r = list_roots(planner);
	for (size_t i = 0; r == 0 && i < plan->roots.n; i++)
		if (!plan->roots.v[i].error)
			r = find_events(planner, &plan->roots.v[i]);
	return r;
}
