/* SPDX-License-Identifier: MIT */
/* Formats of two definitions: which bits of the config words a value of that name sets. */
#include "diff/diff.h"

/* The n lowest bits of the mask: those of small values. */
static uint64_t lowest_bits(uint64_t mask, unsigned n)
{
	uint64_t bits = 0;

	for (; n && mask; n--, mask &= mask - 1)
		bits |= mask & -mask;
	return bits;
}

/* Every value that fits `narrow` sets the same bits through `wide`. */
static bool holds(struct pmuq_bits wide, struct pmuq_bits narrow)
{
	return wide.word == narrow.word && lowest_bits(wide.mask, narrow.width) == narrow.mask;
}

/* Sets everything in a change except its type and weight. `a` or `b` may be NULL. */
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

static void add_changed(struct pq_differ *d, const struct pq_pairing *pairing,
			const struct pmuq_format *a, const struct pmuq_format *b)
{
	struct pq_change change = change_of(pairing, a, b);
	bool holds_all = holds(b->bits, a->bits), held_all = holds(a->bits, b->bits);
	bool is_known = a->bits.word >= 0 && b->bits.word >= 0 && a->bits.mask && b->bits.mask;

	if (is_known && holds_all && held_all) {
		change.type = PMUQ_CHANGE_FORMAT_TEXT;
		change.weight = PMUQ_WEIGHT_COSMETIC;
		pq_diff_add(d, &change, "format '%s' is written in another way", a->name.p);
	} else if (is_known && holds_all) {
		change.type = PMUQ_CHANGE_FORMAT_WIDENED;
		change.weight = PMUQ_WEIGHT_ADDITION;
		pq_diff_add(d, &change, "format '%s' has %u bits, it had %u", a->name.p,
			    b->bits.width, a->bits.width);
	} else if (is_known && held_all) {
		change.type = PMUQ_CHANGE_FORMAT_NARROWED;
		change.weight = PMUQ_WEIGHT_BREAKING;
		pq_diff_add(d, &change, "format '%s' has only %u bits, it had %u", a->name.p,
			    b->bits.width, a->bits.width);
	} else {
		change.type = PMUQ_CHANGE_FORMAT_MOVED;
		change.weight = PMUQ_WEIGHT_MEANING;
		pq_diff_add(d, &change, "a value of format '%s' goes to other bits", a->name.p);
	}
}

/* A format that one side does not have: `a` or `b` is NULL. */
static void add_alone(struct pq_differ *d, const struct pq_pairing *pairing,
		      const struct pmuq_format *a, const struct pmuq_format *b)
{
	struct pq_change change = change_of(pairing, a, b);

	if (d->is_incomplete[a ? PQ_AFTER : PQ_BEFORE])
		return;
	change.type = a ? PMUQ_CHANGE_FORMAT_GONE : PMUQ_CHANGE_FORMAT_NEW;
	change.weight = a ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_ADDITION;
	pq_diff_add(d, &change, "format '%s' is %s", change.name.p, a ? "gone" : "new");
}

void pq_diff_formats(struct pq_differ *d, const struct pq_pairing *pairing)
{
	const struct pq_def *before = pq_pairing_def(pairing, PQ_BEFORE);
	const struct pq_def *after = pq_pairing_def(pairing, PQ_AFTER);
	struct pq_two_lists lists = PQ_TWO_LISTS(before->formats, before->record.n_formats,
						 after->formats, after->record.n_formats);
	const void *of_a, *of_b;

	while (pq_two_lists_next(&lists, &of_a, &of_b)) {
		const struct pmuq_format *a = of_a, *b = of_b;

		if (!a || !b)
			add_alone(d, pairing, a, b);
		else if (!str_eq(a->text, b->text))
			add_changed(d, pairing, a, b);
	}
}
