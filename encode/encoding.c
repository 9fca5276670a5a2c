/* SPDX-License-Identifier: MIT */
/* An encoding before any term: the node's, on a PMU. */
#include "encode/encode_error.h"
#include "encode/encode_lookup.h"

struct pmuq_str pq_keep_str(const struct pq_encoder *e, struct pmuq_str text)
{
	struct pmuq_str kept = pq_arena_str(e->arena, text);

	e->facts->failed |= !kept.p;
	return kept;
}

int pq_encoding_init(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		     struct pq_encoding *ret)
{
	struct pmuq_str online = { 0 };
	int r = pmu ? 0 : pq_online_cpus(e, &online);

	if (r < 0)
		return r;
	*ret = (struct pq_encoding){
		.record = {
			.size = sizeof(ret->record),
			.name = pq_keep_str(e, e->node->text),
			.pmu = pmu ? pmu->name : (struct pmuq_str){ 0 },
			.cpus = pmu ? pmu->cpus : online,
			.unit = STR(""),
			.scale = STR("1"),
			.group_name = STR(""),
			.needs_cpu = pmu && pmu->is_uncore,
		},
		.on = pmu,
	};
	return 0;
}

int pq_encoding_new(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		    struct pq_encoding **ret)
{
	struct pq_encoding *encoding = pq_result_reserve(e->result, 1);
	int r = encoding ? pq_encoding_init(e, pmu, encoding) : pq_fail_too_many(e, 1);

	if (r == 0)
		*ret = encoding;
	return r;
}
