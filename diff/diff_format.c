/* SPDX-License-Identifier: MIT */
/* Formats of two definitions: what a value of that name does to the config words. */
#include "diff/diff.h"

/* The lowest bits of the mask, as many as are asked for: where small values go. */
static uint64_t lowest_bits(uint64_t mask, unsigned n)
{
	uint64_t bits = 0;

	for (; n && mask; n--, mask &= mask - 1)
		bits |= mask & -mask;
	return bits;
}

/* All values of `narrow` go to the same bits through `wide`. */
static bool holds(struct pmuq_bits wide, struct pmuq_bits narrow)
{
	return wide.word == narrow.word && lowest_bits(wide.mask, narrow.width) == narrow.mask;
}

static struct pq_change change_of(const struct pq_pairing *pairing, const struct pmuq_format *a,
				  const struct pmuq_format *b)
{
	struct pq_change change = {
		.pmus = pairing->names,
		.name = a ? a->name : b->name,
		.text = { a ? a->text : (struct pmuq_str){ 0 },
			  b ? b->text : (struct pmuq_str){ 0 } },
	};

	if (a && a->bits.word >= 0)
		change.words[PQ_BEFORE][a->bits.word] = a->bits.mask;
	if (b && b->bits.word >= 0)
		change.words[PQ_AFTER][b->bits.word] = b->bits.mask;
	return change;
}

static int add_changed(struct pq_differ *d, const struct pq_pairing *pairing,
		       const struct pmuq_format *a, const struct pmuq_format *b)
{
	struct pq_change change = change_of(pairing, a, b);
	bool holds_all = holds(b->bits, a->bits), held_all = holds(a->bits, b->bits);
	bool is_known = a->bits.word >= 0 && b->bits.word >= 0 && a->bits.mask && b->bits.mask;

	if (is_known && holds_all && held_all) {
		change.type = PMUQ_CHANGE_FORMAT_TEXT;
		change.weight = PMUQ_WEIGHT_COSMETIC;
		return pq_diff_add(d, &change, "format '%s' is written in another way", a->name.p);
	}
	if (is_known && holds_all) {
		change.type = PMUQ_CHANGE_FORMAT_WIDENED;
		change.weight = PMUQ_WEIGHT_ADDITION;
		return pq_diff_add(d, &change, "format '%s' has %u bits, it had %u", a->name.p,
				   b->bits.width, a->bits.width);
	}
	if (is_known && held_all) {
		change.type = PMUQ_CHANGE_FORMAT_NARROWED;
		change.weight = PMUQ_WEIGHT_BREAKING;
		return pq_diff_add(d, &change, "format '%s' has %u bits only, it had %u", a->name.p,
				   b->bits.width, a->bits.width);
	}
	change.type = PMUQ_CHANGE_FORMAT_MOVED;
	change.weight = PMUQ_WEIGHT_MEANING;
	return pq_diff_add(d, &change, "a value of format '%s' goes to other bits", a->name.p);
}

static int add_gone(struct pq_differ *d, const struct pq_pairing *pairing,
		    const struct pmuq_format *format)
{
	struct pq_change change = change_of(pairing, format, NULL);

	change.type = PMUQ_CHANGE_FORMAT_GONE;
	change.weight = PMUQ_WEIGHT_BREAKING;
	if (!pq_diff_tells(d, PQ_AFTER))
		return 0;
	return pq_diff_add(d, &change, "format '%s' is gone", format->name.p);
}

static int add_new(struct pq_differ *d, const struct pq_pairing *pairing,
		   const struct pmuq_format *format)
{
	struct pq_change change = change_of(pairing, NULL, format);

	change.type = PMUQ_CHANGE_FORMAT_NEW;
	change.weight = PMUQ_WEIGHT_ADDITION;
	if (!pq_diff_tells(d, PQ_BEFORE))
		return 0;
	return pq_diff_add(d, &change, "format '%s' is new", format->name.p);
}

int pq_diff_formats(struct pq_differ *d, const struct pq_pairing *pairing)
{
	const struct pq_def *a = pq_pairing_def(pairing, PQ_BEFORE);
	const struct pq_def *b = pq_pairing_def(pairing, PQ_AFTER);
	size_t i = 0, k = 0;
	int r = 0;

	while (r == 0 && (i < a->record.n_formats || k < b->record.n_formats)) {
		int order = i == a->record.n_formats ? 1
			    : k == b->record.n_formats
				    ? -1
				    : str_cmp(a->formats[i].name, b->formats[k].name);

		if (order < 0)
			r = add_gone(d, pairing, &a->formats[i++]);
		else if (order > 0)
			r = add_new(d, pairing, &b->formats[k++]);
		else if (!str_eq(a->formats[i].text, b->formats[k].text))
			r = add_changed(d, pairing, &a->formats[i++], &b->formats[k++]);
		else
			i++, k++;
	}
	return r;
}
