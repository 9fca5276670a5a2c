/* SPDX-License-Identifier: MIT */
/*
 * An attr as an event of a vendor's tables. The tables have thousands of events: those whose terms
 * rule the attr out are skipped before their terms are bound.
 */
#include "core/num.h"
#include "core/vendor/vendor_table.h"
#include "decode/decode.h"

/* The format of a term and its number; false unless the term is FORMAT=NUMBER. */
static bool read_term(const struct pmuq_pmu *pmu, struct pmuq_str term,
		      const struct pmuq_format **ret, uint64_t *ret_value)
{
	struct pmuq_str key, value;

	if (!str_cut(term, '=', &key, &value) || pq_num_any(value, ret_value) != PQ_NUM_OK)
		return false;
	*ret = pq_def_format(pq_def_of(pmu), key);
	return *ret && (*ret)->bits.word >= 0;
}

/* False if a term gives its format another value than the attr has. */
static bool may_be(const struct pq_decoder *d, const struct pmuq_pmu *pmu, struct pmuq_str terms)
{
	const struct pmuq_format *format;
	struct pmuq_str term;
	uint64_t value;

	while (str_next(&terms, ',', &term))
		if (read_term(pmu, term, &format, &value) &&
		    pq_bits_gather(format->bits.mask, d->words.v[format->bits.word]) != value)
			return false;
	return true;
}

int pq_decode_vendor(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		     size_t n_terms)
{
	const struct pmuq_vendor *vendor = PQ_HAS_TABLES ? d->options.vendor : NULL;
	struct pq_alias best[2] = { 0 }; /* the second is deprecated */
	const struct pmuq_vendor_event *event;
	int r = 0;

	if (!vendor || !pq_decode_allows(d, PMUQ_FROM_JSON))
		return 0;
	for (size_t i = 0; r == 0 && (event = pmuq_vendor_get(vendor, i)); i++) {
		if (may_be(d, pmu, event->event->terms) && pq_vendor_covers(event->pmu, pmu))
			r = pq_decode_event(d, pmu, before, event->event, event,
					    &best[event->is_deprecated]);
	}
	/* Not offered if the terms without the event's name are fewer. */
	for (size_t i = 0; r == 0 && i < COUNT(best); i++)
		if (best[i].event && best[i].cost <= n_terms)
			r = pq_offer_alias(d, pmu, &best[i],
					   i ? PQ_RANK_DEPRECATED : PQ_RANK_VENDOR_VARIANT);
	return r;
}
