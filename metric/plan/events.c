/* SPDX-License-Identifier: MIT */
/*
 * Events as formulas name them: "pmu@terms@modifiers", where the first and the last at sign are the
 * slashes, or "NAME:MODIFIERS". Each is encoded once alone, so that a metric whose event does not
 * exist has an error of its own.
 */
#include "core/event/modifier.h"
#include "core/freep.h"
#include "core/num.h"
#include "core/vendor/vendor_table.h"
#include "encode/encoder.h"
#include "metric/plan/plan.h"
#include <math.h>

/* perf counts these itself; no kernel has such events. */
static const struct {
	struct pmuq_str name;
	enum pmuq_metric_event_type type;
} times[] = {
	{ STR("duration_time"), PMUQ_METRIC_DURATION },
	{ STR("user_time"), PMUQ_METRIC_USER_TIME },
	{ STR("system_time"), PMUQ_METRIC_SYSTEM_TIME },
};

/* The parts of a name: what is before the modifiers, and they. */
struct parts {
	struct pmuq_str pmu, terms, modifiers; /* without at signs `pmu` is "" */
};

static struct parts split(struct pmuq_str name)
{
	struct parts parts = { .pmu = STR(""), .terms = name, .modifiers = STR("") };
	const char *first = memchr(name.p, '@', name.n), *last = NULL, *colon;

	if (first)
		last = memrchr(name.p, '@', name.n);
	if (last && last > first) {
		parts.pmu = str_part(name, 0, (size_t)(first - name.p));
		parts.terms = str_part(name, (size_t)(first + 1 - name.p), (size_t)(last - name.p));
		parts.modifiers = str_part(name, (size_t)(last + 1 - name.p), name.n);
		return parts;
	}
	colon = memrchr(name.p, ':', name.n);
	if (colon && colon[1] &&
	    pq_modifier_are_letters(str_part(name, (size_t)(colon + 1 - name.p), name.n))) {
		parts.terms = str_part(name, 0, (size_t)(colon - name.p));
		parts.modifiers = str_part(name, (size_t)(colon + 1 - name.p), name.n);
	}
	return parts;
}

/* The modifiers of both, each once. perf writes them twice, and refuses the event then. */
static void print_modifiers(enum pmuq_dialect dialect, struct pmuq_str own, struct pmuq_str more,
			    struct pq_buf *ret)
{
	pq_buf_add(ret, own);
	for (size_t i = 0; i < more.n; i++)
		if (dialect == PMUQ_DIALECT_PERF || !own.n || !memchr(own.p, more.p[i], own.n))
			pq_buf_char(ret, more.p[i], 1);
}

void pq_plan_print_event(enum pmuq_dialect dialect, const struct pq_needed *need,
			 struct pmuq_str modifiers, struct pq_buf *ret)
{
	struct parts parts = split(need->name);
	struct pmuq_str pmu = parts.pmu.n ? parts.pmu : need->is_limited ? need->pmu : STR("");

	if (pmu.n) {
		pq_buf_print(ret, "%.*s/%.*s/", STR_ARG(pmu), STR_ARG(parts.terms));
	} else {
		pq_buf_add(ret, parts.terms);
		if (parts.modifiers.n || modifiers.n)
			pq_buf_char(ret, ':', 1);
	}
	print_modifiers(dialect, parts.modifiers, modifiers, ret);
}

static int encode(struct pq_planner *planner, const struct pq_needed *need,
		  struct pmuq_encodings **ret, struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_plan_print_event(planner->encode.dialect, need, STR(""), &text);
	pq_buf_char(&text, '\0', 1);
	if (text.failed)
		return pq_fail_memory(reterr);
	return pq_encode(planner->lookup, text.p, &planner->encode, ret, reterr);
}

/* Which core PMUs count it. */
static int inspect(struct pq_planner *planner, const struct pmuq_encodings *encodings,
		   struct pq_needed *need)
{
	struct pq_pmu_list cores = { 0 };
	size_t n_cores = 0;
	int r = pq_query(planner, core_pmus, &cores);

	for (size_t i = 0; r == 0 && i < pmuq_encodings_count(encodings); i++)
		for (size_t k = 0; k < cores.n; k++)
			n_cores += str_eq(pmuq_encodings_get(encodings, i)->pmu, cores.v[k]->name);
	need->is_on_cores = n_cores > 0;
	need->is_limited = n_cores > 1 && need->pmu.n;
	return r < 0 ? r : 0;
}

static int try_event(struct pq_planner *planner, struct pq_needed *need)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	int r = encode(planner, need, &encodings, &error);

	if (r < 0)
		return pq_plan_keep_error(planner, r, error, &need->error);
	r = inspect(planner, encodings, need);
	if (r < 0)
		return r;
	planner->fit.reterr = planner->reterr;
	return pq_fit_find_cost(&planner->fit, encodings, &need->cost);
}

int pq_plan_has_event(struct pq_planner *planner, struct pmuq_str name, bool *ret)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	const struct pq_needed need = { .name = name };
	int r;

	for (size_t i = 0; i < COUNT(times); i++)
		if (str_eq(times[i].name, name)) {
			*ret = true;
			return 0;
		}
	r = encode(planner, &need, &encodings, NULL);
	*ret = r == 0;
	return pq_is_resource_error(r) ? pq_fail_resource(planner->reterr, r) : 0;
}

/* A metric of one core PMU counts there, whatever other PMUs have such an event. */
static struct pmuq_str limit_of(const struct pq_metric *metric)
{
	return str_eq(metric->record.pmu, STR("default_core")) ? STR("") : metric->record.pmu;
}

static void classify(struct pq_needed *need)
{
	struct parts parts = split(need->name);

	for (size_t i = 0; i < COUNT(times); i++)
		if (str_eq(times[i].name, need->name))
			need->type = times[i].type;
	need->is_latency = parts.modifiers.n && memchr(parts.modifiers.p, 'R', parts.modifiers.n);
}

/* Without libm. A number that is not a latency stays as it is. */
static double whole(double latency)
{
	return latency < 1e15 ? (double)(uint64_t)(latency + 0.5) : latency;
}

/* The latency that the table has of the event on that PMU; perf takes it for a whole number, and
 * for 0 if the table has none. */
static int find_latency(struct pq_planner *planner, struct pq_needed *need)
{
	struct parts parts = split(need->name);
	struct pmuq_str pmu = parts.pmu.n ? parts.pmu : need->pmu;
	bool is_perf = planner->encode.dialect == PMUQ_DIALECT_PERF;
	struct pq_vendor_list list = { 0 };
	int r = 0;

	need->latency = is_perf ? 0 : NAN;
	if (planner->encode.vendor)
		r = pq_vendor_find(planner->encode.vendor, parts.terms, &list, planner->reterr);
	for (size_t i = 0; r == 0 && i < list.n; i++) {
		const struct pmuq_vendor_event *event = &list.v[i].record;
		double latency = pq_num_scale(event->latency);

		if (!event->latency.n ||
		    (pmu.n && !str_eq(event->pmu, pmu) && !str_eq(event->pmu, STR("default_core"))))
			continue;
		need->latency = is_perf ? whole(latency) : latency;
		break;
	}
	return r;
}

int pq_plan_need(struct pq_planner *planner, struct pmuq_str name, const struct pq_metric *metric,
		 size_t *ret)
{
	struct pmuq_metric_plan *plan = planner->plan;
	struct pq_needed need = { .name = name, .pmu = limit_of(metric) };
	int r = 0;

	for (size_t i = 0; i < plan->needs.n; i++)
		if (str_eq(plan->needs.v[i].name, name) && str_eq(plan->needs.v[i].pmu, need.pmu)) {
			*ret = i;
			return 0;
		}
	classify(&need);
	if (need.is_latency)
		r = find_latency(planner, &need);
	else if (need.type == PMUQ_METRIC_COUNT)
		r = try_event(planner, &need);
	if (r < 0)
		return r;
	*ret = plan->needs.n;
	if (!pq_vec_push_in(&plan->arena, &plan->needs, need)) {
		pmuq_error_free(need.error);
		return pq_fail_memory(planner->reterr);
	}
	return 0;
}
