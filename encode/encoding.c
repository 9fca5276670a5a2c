/* SPDX-License-Identifier: MIT */
/* An encoding before any term: the node's, on a PMU. */
#include "encode/encode_lookup.h"

/* The result's copy of the string, made with the first encoding: a refused string, which may be
 * long, is not copied. */
static struct pmuq_str keep_input(const struct pq_encoder *e)
{
	if (!e->result->input.p)
		e->result->input = pq_keep_str(e, e->input);
	return e->result->input;
}

/* The text of the event. The last event of the string ends with the NUL of that copy. */
static struct pmuq_str name_of(const struct pq_encoder *e)
{
	struct pmuq_str text = e->node->text, input = keep_input(e);
	size_t at = e->node->at.offset;

	if (!input.p || text.p != e->input.p + at || at + text.n != input.n)
		return pq_keep_str(e, text);
	return str_part(input, at, input.n);
}

int pq_encoding_init(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		     struct pq_encoding *ret)
{
	struct pmuq_str name = name_of(e);
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
