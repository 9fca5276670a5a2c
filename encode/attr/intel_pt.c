/* SPDX-License-Identifier: MIT */
/*
 * intel_pt, the only PMU whose config is not 0 before any term: it starts with the bits that its
 * decoder needs, if the CPU supports them. Terms then set and clear single fields.
 */
#include "core/num.h"
#include "encode/attr/apply.h"
#include "encode/encode_lookup.h"

/* The period that suits the decoder best: 2^3 crystal clocks between packets. */
#define PREFERRED_PERIOD 3u

/* Files in caps/ contain hex without a prefix. */
static int read_cap(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		    uint64_t otherwise, uint64_t *ret)
{
	struct pmuq_str text;
	int r = pq_lookup_cap(e, pmu, name, &text);

	if (r != 0 || pq_num_hex(str_trim(text), ret) != PQ_NUM_OK)
		*ret = otherwise;
	return r < 0 ? r : 0;
}

/* The bit of the set that is nearest to the preferred one; of two, the lower. */
static uint64_t pick_period(uint64_t periods)
{
	for (unsigned distance = 0; distance < 64; distance++) {
		if (PREFERRED_PERIOD >= distance && periods >> (PREFERRED_PERIOD - distance) & 1)
			return PREFERRED_PERIOD - distance;
		if (PREFERRED_PERIOD + distance < 64 &&
		    periods >> (PREFERRED_PERIOD + distance) & 1)
			return PREFERRED_PERIOD + distance;
	}
	return 0;
}

static struct pq_cause cause_of(const struct pmuq_format *format)
{
	return (struct pq_cause){ .type = PMUQ_CAUSE_DEFAULT,
				  .term = format->name,
				  .format = format };
}

/* Kernels that do not have the format do not have the feature. */
static int set_field(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		     uint64_t value, struct pq_encoding *encoding)
{
	const struct pmuq_format *format;
	int r = pq_lookup_format(e, pmu, name, &format);

	if (r == 0 && format->bits.word == 0)
		pq_assign(e, encoding, PQ_FIELD_config, PQ_ASSIGN_ORS, format->bits.mask,
			  pq_bits_scatter(format->bits, value), cause_of(format));
	return r < 0 ? r : 0;
}

static int set_periods(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		       struct pq_encoding *encoding)
{
	uint64_t has_mtc, mtc_periods, has_psb, psb_periods;
	int r = read_cap(e, pmu, STR("mtc"), 1, &has_mtc);

	if (r == 0)
		r = read_cap(e, pmu, STR("mtc_periods"), 0, &mtc_periods);
	if (r == 0)
		r = read_cap(e, pmu, STR("psb_cyc"), 1, &has_psb);
	if (r == 0)
		r = read_cap(e, pmu, STR("psb_periods"), 0, &psb_periods);
	if (r < 0)
		return r;
	if (has_mtc && mtc_periods) {
		r = set_field(e, pmu, STR("mtc"), 1, encoding);
		if (r == 0)
			r = set_field(e, pmu, STR("mtc_period"), pick_period(mtc_periods),
				      encoding);
	}
	if (r == 0 && has_psb && mtc_periods && psb_periods)
		r = set_field(e, pmu, STR("psb_period"), pick_period(psb_periods), encoding);
	return r;
}

int pq_default_config(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		      struct pq_encoding *encoding)
{
	const struct pmuq_format *format;
	int r;

	if (!pq_has_default_config(pmu))
		return 0;
	r = set_field(e, pmu, STR("tsc"), 1, encoding);
	if (r == 0)
		r = set_periods(e, pmu, encoding);
	if (r < 0)
		return r;
	r = pq_lookup_format(e, pmu, STR("pt"), &format);
	if (r == 0)
		r = pq_lookup_format(e, pmu, STR("branch"), &format);
	if (r == 0)
		r = set_field(e, pmu, STR("pt"), 1, encoding);
	if (r == 0)
		r = set_field(e, pmu, STR("branch"), 1, encoding);
	return r < 0 ? r : 0;
}
