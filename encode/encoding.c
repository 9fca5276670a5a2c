/* SPDX-License-Identifier: MIT */
/* An encoding before any term: the node's, on a PMU. */
#include "encode/encode_lookup.h"

int pq_encoding_init(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		     struct pq_encoding *ret)
{
	struct pmuq_str name = pq_keep_str(e, e->node->text);
	struct pmuq_str online = { 0 };
	int r = pmu ? 0 : pq_online_cpus(e, &online);

	if (r < 0)
		return r;
	*ret = (struct pq_encoding){
		.record = {
			.size = sizeof(ret->record),
			.name = name,
			.pmu = pmu ? pmu->name : (struct pmuq_str){ 0 },
			.cpus = pmu ? pmu->cpus : online,
			.unit = STR(""),
			.scale = STR("1"),
			.group_name = STR(""),
			.description = STR(""),
			.event = e->event,
			.offset = e->node->at.offset,
			.length = e->node->at.length,
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
