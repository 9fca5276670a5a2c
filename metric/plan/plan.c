/* SPDX-License-Identifier: MIT */
/* The calls of metric.h that make a plan, and those that read it. */
#include "metric/plan/plan.h"
#include "core/catalog/catalog.h"
#include "core/catalog/source.h"
#include "core/freep.h"
#include "core/limits.h"
#include "core/sized.h"
#include <stdlib.h>

int pq_plan_keep_error(struct pq_planner *planner, int r, struct pmuq_error *error,
		       struct pmuq_error **keep)
{
	if (pq_is_resource_error(r) || planner->encode.dialect == PMUQ_DIALECT_PERF) {
		if (planner->reterr)
			*planner->reterr = error;
		else
			pmuq_error_free(error);
		return r;
	}
	*keep = error;
	return 0;
}

/* If no metric can be counted, the call fails with the error of the first one. */
static int check_results(struct pq_planner *planner)
{
	const struct pmuq_metric_plan *plan = planner->plan;
	const struct pmuq_error *error = plan->planned.n ? plan->planned.v[0].record.error : NULL;
	int r;

	for (size_t i = 0; i < plan->planned.n; i++)
		if (!plan->planned.v[i].record.error)
			return 0;
	if (!error)
		return 0;
	r = pq_fail(planner->reterr, error->code, "%s", error->message.p);
	if (error->input.p)
		pq_error_input(planner->reterr, error->input);
	pq_error_at(planner->reterr,
		    (struct pq_span){ (uint32_t)error->offset, (uint32_t)error->length });
	if (error->hint.p)
		pq_error_hint(planner->reterr, "%s", error->hint.p);
	return r;
}

/* ---- the calls */

static int take_options(struct pq_planner *planner, const struct pmuq_encode_options *encode,
			const struct pmuq_metric_options *options)
{
	int r = pq_sized_take(options, &planner->options, sizeof(planner->options),
			      planner->reterr);

	if (r == 0)
		r = pq_sized_take(encode, &planner->encode, sizeof(planner->encode),
				  planner->reterr);
	/* Encodings live as long as the plan, in memory of their own. */
	planner->encode.memory = NULL;
	planner->encode.memory_bytes = 0;
	return r;
}

static void begin_fit(struct pq_planner *planner)
{
	planner->fit_arena = PQ_ARENA(PQ_FIT_MAX_BYTES);
	planner->fit = (struct pq_fit_machine){
		.lookup = planner->lookup,
		.source = planner->source,
		.catalog = planner->catalog,
		.vendor = planner->encode.vendor,
		.watchdog = planner->options.nmi_watchdog,
		.reterr = planner->reterr,
		.arena = &planner->fit_arena,
	};
}

static int make_plan(struct pq_planner *planner, const char *names,
		     const struct pmuq_encode_options *encode,
		     const struct pmuq_metric_options *options, struct pmuq_metric_plan **ret)
{
	struct pmuq_metric_plan *plan = calloc(1, sizeof(*plan));
	int r;

	if (!plan)
		return pq_fail_memory(planner->reterr);
	plan->arena = PQ_ARENA(PQ_METRIC_PLAN_MAX_BYTES);
	planner->plan = plan;
	r = take_options(planner, encode, options);
	begin_fit(planner);
	plan->dialect = planner->encode.dialect;
	if (r == 0)
		r = pq_plan_select(planner, str_of(names));
	if (r == 0)
		r = pq_plan_resolve(planner);
	if (r == 0)
		r = pq_plan_lists(planner);
	if (r == 0)
		r = pq_plan_results(planner);
	if (r == 0)
		r = check_results(planner);
	pq_arena_clear(&planner->fit_arena);
	if (r < 0) {
		pmuq_metric_plan_free(plan);
		return r;
	}
	*ret = plan;
	return 0;
}

static int find_in_source(struct pq_planner *planner, const char *name, const char **ret)
{
	return pmuq_source_find_fact(planner->source, name, ret, planner->reterr);
}

static int find_in_catalog(struct pq_planner *planner, const char *name, const char **ret)
{
	*ret = pmuq_catalog_find_fact(planner->catalog, name);
	return 0;
}

PQ_API int pmuq_source_plan_metrics(struct pmuq_source *source, const struct pmuq_metrics *metrics,
				    const char *names, const struct pmuq_encode_options *encode,
				    const struct pmuq_metric_options *options,
				    struct pmuq_metric_plan **ret, struct pmuq_error **reterr)
{
	struct pq_planner planner = { .lookup = source->lookup,
				      .find_fact = find_in_source,
				      .source = source,
				      .metrics = metrics,
				      .reterr = reterr };

	return make_plan(&planner, names, encode, options, ret);
}

PQ_API int pmuq_catalog_plan_metrics(const struct pmuq_catalog *catalog,
				     const struct pmuq_metrics *metrics, const char *names,
				     const struct pmuq_encode_options *encode,
				     const struct pmuq_metric_options *options,
				     struct pmuq_metric_plan **ret, struct pmuq_error **reterr)
{
	struct pq_planner planner = { .lookup = pq_catalog_lookup(catalog),
				      .find_fact = find_in_catalog,
				      .catalog = catalog,
				      .metrics = metrics,
				      .reterr = reterr };

	return make_plan(&planner, names, encode, options, ret);
}

PQ_API void pmuq_metric_plan_free(struct pmuq_metric_plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->nodes.n; i++) {
		pmuq_formula_free(plan->nodes.v[i].formula);
		pmuq_error_free(plan->nodes.v[i].error);
	}
	for (size_t i = 0; i < plan->needs.n; i++)
		pmuq_error_free(plan->needs.v[i].error);
	for (size_t i = 0; i < plan->lists.n; i++)
		pmuq_encodings_free(plan->lists.v[i].encodings);
	for (size_t i = 0; i < plan->errors.n; i++)
		pmuq_error_free(plan->errors.v[i]);
	pq_arena_clear(&plan->arena);
	free(plan);
}

PQ_API size_t pmuq_metric_plan_list_count(const struct pmuq_metric_plan *plan)
{
	return plan->lists.n;
}

PQ_API const struct pmuq_metric_list *pmuq_metric_plan_list(const struct pmuq_metric_plan *plan,
							    size_t index)
{
	return index < plan->lists.n ? &plan->lists.v[index].record : NULL;
}

PQ_API size_t pmuq_metric_plan_event_count(const struct pmuq_metric_plan *plan)
{
	return plan->events.n;
}

PQ_API const struct pmuq_metric_event *pmuq_metric_plan_event(const struct pmuq_metric_plan *plan,
							      size_t index)
{
	return index < plan->events.n ? &plan->events.v[index].record : NULL;
}

PQ_API size_t pmuq_metric_plan_count(const struct pmuq_metric_plan *plan)
{
	return plan->planned.n;
}

PQ_API const struct pmuq_planned_metric *pmuq_metric_plan_get(const struct pmuq_metric_plan *plan,
							      size_t index)
{
	return index < plan->planned.n ? &plan->planned.v[index].record : NULL;
}
