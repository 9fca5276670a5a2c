/* SPDX-License-Identifier: MIT */
/* Lookups in the machine for the encoder, with placeholders for PMUs that every kernel has. */
#include "encode/encode_lookup.h"

int pq_online_cpus(const struct pq_encoder *e, struct pmuq_str *ret)
{
	if (!e->facts->knows_online) {
		int r = pq_query(e, fact, PQ_CLASS_CPUS_ONLINE, &e->facts->online);

		if (r < 0)
			return r;
		if (r == PQ_NONE)
			e->facts->online = STR("");
		e->facts->knows_online = true;
	}
	*ret = e->facts->online;
	return 0;
}

int pq_core_pmus(const struct pq_encoder *e, struct pq_pmu_list *ret)
{
	if (!e->facts->knows_core) {
		int r = pq_query(e, core_pmus, &e->facts->core);

		if (r < 0)
			return r;
		e->facts->knows_core = true;
	}
	*ret = e->facts->core;
	return 0;
}

int pq_takes_extended(const struct pq_encoder *e, bool *ret)
{
	struct pq_pmu_list core;
	struct pmuq_str fact = STR("no");
	int r = pq_core_pmus(e, &core);

	if (r < 0)
		return r;
	if (!e->facts->knows_extended && core.n > 1) {
		r = pq_query(e, fact, PQ_CLASS_EXTENDED_TYPE, &fact);
		if (r < 0)
			return r;
		e->facts->takes_extended = r == PQ_NONE || !str_eq(fact, STR("no"));
	}
	e->facts->knows_extended = true;
	*ret = e->facts->takes_extended;
	return 0;
}

const struct pq_def pq_no_def = { .record = { .size = sizeof(pq_no_def.record) } };

/* Encodings refer to their names: they live as long as the result. */
PQ_COLD static int placeholder(const struct pq_encoder *e, struct pmuq_str name, uint32_t type,
			       const struct pmuq_pmu **ret)
{
	struct pmuq_pmu *pmu;
	struct pmuq_str online;
	int r = pq_online_cpus(e, &online);

	for (size_t i = 0; i < e->facts->n_placeholders; i++)
		if (e->facts->placeholders[i]->type == type) {
			*ret = e->facts->placeholders[i];
			return r;
		}
	pmu = r < 0 ? NULL : pq_arena_take(e->arena, sizeof(*pmu));
	if (!pmu)
		return r < 0 ? r : pq_fail_memory(e->reterr);
	*pmu = (struct pmuq_pmu){
		.size = sizeof(*pmu),
		.name = name,
		.type = type,
		.has_type = true,
		.is_core = type == PQ_TYPE_RAW,
		.cpus = online,
		.definition = &pq_no_def.record,
	};
	*ret = e->facts->placeholders[e->facts->n_placeholders++] = pmu;
	return 0;
}

int pq_core_placeholder(const struct pq_encoder *e, const struct pmuq_pmu **ret)
{
	return placeholder(e, STR("cpu"), PQ_TYPE_RAW, ret);
}

/* "cpu" and "default_core" on a machine that has no PMU of that name. */
static int find_core(const struct pq_encoder *e, struct pmuq_str name, const struct pmuq_pmu **ret)
{
	bool is_default = str_eq(name, STR(PQ_DEFAULT_CORE));
	struct pq_pmu_list core;
	int r = PQ_NONE;

	if (is_default || str_eq(name, STR("cpu")))
		r = pq_core_pmus(e, &core);
	if (r != 0)
		return r;
	if (!core.n)
		return pq_core_placeholder(e, ret);
	if (is_default)
		*ret = core.v[0];
	return is_default ? 0 : PQ_NONE;
}

const struct pmuq_str pq_fixed_pmus[PQ_FIXED_PMUS] = {
	[PQ_TYPE_SOFTWARE] = STR("software"),
	[PQ_TYPE_TRACEPOINT] = STR("tracepoint"),
	[PQ_TYPE_BREAKPOINT] = STR("breakpoint"),
};

int pq_find_pmu(const struct pq_encoder *e, struct pmuq_str name, const struct pmuq_pmu **ret)
{
	int r = pq_query(e, find_pmu, name, ret);

	for (uint32_t type = 0; r == PQ_NONE && type < PQ_FIXED_PMUS; type++)
		if (pq_fixed_pmus[type].n && str_eq(pq_fixed_pmus[type], name))
			r = placeholder(e, pq_fixed_pmus[type], type, ret);
	return r == PQ_NONE ? find_core(e, name, ret) : r;
}

int pq_lookup_fill(const struct pq_encoder *e, const struct pmuq_pmu *pmu)
{
	return pq_is_placeholder(pmu) ? 0 : pq_query(e, fill, pmu);
}

int pq_try_load(const struct pq_encoder *e, const struct pmuq_pmu *pmu)
{
	return pq_is_placeholder(pmu) ? 0 : e->lookup.ops->load(e->lookup.self, pmu, NULL);
}

int pq_lookup_all(const struct pq_encoder *e, const struct pmuq_pmu *pmu)
{
	int r = pq_try_load(e, pmu);

	if (pq_is_resource_error(r))
		return pq_fail_resource(e->reterr, r);
	return r < 0 ? PQ_UNREADABLE : PQ_LOADED;
}
