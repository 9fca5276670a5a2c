/* SPDX-License-Identifier: MIT */
/* What encoding asks of the machine: facts that every event may need, once, and things of one PMU.
 */
#include "encode/encoder.h"

int pq_online_cpus(struct pq_encoder *e, struct str *ret)
{
	if (!e->knows_online) {
		int r = e->lookup.ops->fact(e->lookup.self, STR("cpus_online"), &e->online,
					    e->reterr);

		if (r < 0)
			return r;
		e->knows_online = true;
	}
	*ret = e->online;
	return 0;
}

int pq_core_pmus(struct pq_encoder *e, struct pq_pmu_list *ret)
{
	if (!e->knows_core) {
		int r = e->lookup.ops->core_pmus(e->lookup.self, &e->core, e->reterr);

		if (r < 0)
			return r;
		e->knows_core = true;
	}
	*ret = e->core;
	return 0;
}

int pq_takes_extended(struct pq_encoder *e, bool *ret)
{
	struct pq_pmu_list core;
	struct str fact = STR("no");
	int r = pq_core_pmus(e, &core);

	if (r < 0)
		return r;
	if (!e->knows_extended && core.n > 1) {
		r = e->lookup.ops->fact(e->lookup.self, STR("extended_type"), &fact, e->reterr);
		if (r < 0)
			return r;
		e->takes_extended = r == PQ_NONE || !str_eq(fact, STR("no"));
	}
	e->knows_extended = true;
	*ret = e->takes_extended;
	return 0;
}

int pq_placeholder(struct pq_encoder *e, struct str name, uint32_t type,
		   const struct pmuq_pmu **ret)
{
	static const struct pq_def no_def = { .kind = 0 };
	/* Its name goes out with the encoding: it lives as long as the result. */
	struct pmuq_pmu *pmu = pq_arena_take(e->arena, sizeof(*pmu));
	struct str online;
	int r = pq_online_cpus(e, &online);

	if (r < 0)
		return r;
	if (!pmu)
		return pq_fail_memory(e->reterr);
	*pmu = (struct pmuq_pmu){
		.name = name,
		.type = type,
		.has_type = true,
		.is_core = type == PQ_TYPE_RAW,
		.cpus = online,
		.def = &no_def,
	};
	*ret = e->placeholder = pmu;
	return 0;
}

/* It is the encoder's own, and no machine knows it. */
static bool is_placeholder(const struct pq_encoder *e, const struct pmuq_pmu *pmu)
{
	return pmu == e->placeholder;
}

int pq_ask_fill(struct pq_encoder *e, const struct pmuq_pmu *pmu)
{
	return is_placeholder(e, pmu) ? 0 : e->lookup.ops->fill(e->lookup.self, pmu, e->reterr);
}

int pq_ask_format(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct str name,
		  const struct pmuq_format **ret)
{
	return is_placeholder(e, pmu)
		       ? PQ_NONE
		       : e->lookup.ops->format(e->lookup.self, pmu, name, ret, e->reterr);
}

int pq_ask_event(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct str name,
		 const struct pmuq_event **ret)
{
	return is_placeholder(e, pmu)
		       ? PQ_NONE
		       : e->lookup.ops->event(e->lookup.self, pmu, name, ret, e->reterr);
}

int pq_ask_cap(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct str name, struct str *ret)
{
	return is_placeholder(e, pmu)
		       ? PQ_NONE
		       : e->lookup.ops->cap(e->lookup.self, pmu, name, ret, e->reterr);
}

bool pq_ask_load(struct pq_encoder *e, const struct pmuq_pmu *pmu)
{
	return is_placeholder(e, pmu) || e->lookup.ops->load(e->lookup.self, pmu, NULL) == 0;
}
