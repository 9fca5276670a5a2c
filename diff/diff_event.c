/* SPDX-License-Identifier: MIT */
/*
 * Events of two definitions. Events with one name are compared by the bits that they set through
 * the formats of their own definition, so other formats are not a change if the bits stay the same.
 * Among the others, two events with the same bits are one event that was renamed.
 */
#include "core/num.h"
#include "diff/diff.h"
#include "diff/diff_terms.h"

/* An event with its bits. */
struct side_event {
	const struct pmuq_event *event;
	struct pq_packed packed;
	uint64_t hash;
	bool is_alone, is_matched; /* the other side has no event of its name; was it renamed? */
};

struct side_events {
	struct side_event *v; /* in the order of names */
	size_t n;
	struct side_event **alone; /* the unmatched events, by hash */
	size_t n_alone;
};

/* The events of one pairing, packed to bits once and then compared. */
struct event_differ {
	struct pq_differ *d;
	const struct pq_pairing *pairing;
	struct side_events sides[PQ_SIDES];
};

/* ------------------------------------------------------------------------- identity of an event */

/* One round of a multiplicative hash: it only has to spread; equal hashes are compared in full. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0xff51afd7ed558ccdu;
	return hash ^ hash >> 32;
}

/* Everything that is_same() compares, so that events that may be the same are adjacent. */
static uint64_t hash_of(const struct side_event *e)
{
	uint64_t hash = str_hash(e->packed.settings);

	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		hash = mix(mix(hash, e->packed.words[word]), e->packed.open[word]);
	hash = mix(mix(hash, str_hash(e->event->unit)), str_hash(e->event->scale));
	return mix(hash, e->event->is_per_pkg | (unsigned)e->event->is_snapshot << 1);
}

/* Whether the two count the same thing, in the same unit. */
static bool is_same(const struct side_event *a, const struct side_event *b)
{
	return a->hash == b->hash && !a->packed.refusal && !b->packed.refusal &&
	       pq_packed_same_bits(&a->packed, &b->packed) &&
	       str_eq(a->packed.settings, b->packed.settings) &&
	       str_eq(a->event->unit, b->event->unit) && str_eq(a->event->scale, b->event->scale) &&
	       a->event->is_per_pkg == b->event->is_per_pkg &&
	       a->event->is_snapshot == b->event->is_snapshot;
}

/* An event whose terms cannot be encoded has a refusal instead of bits. */
static void pack_side(struct pq_differ *d, const struct pq_def *def, struct side_events *ret)
{
	ret->v = pq_diff_array(d, def->record.n_events, sizeof(*ret->v));
	ret->alone = pq_diff_array(d, def->record.n_events, sizeof(*ret->alone));
	for (; ret->v && ret->alone && ret->n < def->record.n_events; ret->n++) {
		struct side_event *e = &ret->v[ret->n];

		e->event = &def->events[ret->n];
		if (!pq_terms_pack(&d->scratch, def, e->event->terms, &e->packed))
			d->is_out_of_memory = true;
		e->hash = hash_of(e);
	}
}

/* ------------------------------------------------------------------------------------- changes */

/* Bits of parameters count as set: a change there is a change of meaning, too. */
static void set_words(struct pq_change *change, int side, const struct pq_packed *packed)
{
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		change->words[side][word] = packed->words[word] | packed->open[word];
}

/* `a` or `b` is NULL if the event exists on one side only. */
static struct pq_change change_of(const struct event_differ *events, const struct side_event *a,
				  const struct side_event *b, enum pmuq_change_type type,
				  enum pmuq_weight weight)
{
	return (struct pq_change){
		.type = type,
		.weight = weight,
		.pmus = events->pairing->names,
		.name = a ? a->event->name : b->event->name,
		.text = { a ? a->event->terms : (struct pmuq_str){ 0 },
			  b ? b->event->terms : (struct pmuq_str){ 0 } },
	};
}

/* A sentence reports that the terms are the same although the bits differ, because sysfs does not
 * show it. */
static void add_changed(struct event_differ *events, const struct side_event *a,
			const struct side_event *b, enum pmuq_change_type type)
{
	struct pq_change change = change_of(events, a, b, type, PMUQ_WEIGHT_MEANING);
	bool same_text = str_eq(a->event->terms, b->event->terms);
	const char *name = a->event->name.p;

	set_words(&change, PQ_BEFORE, &a->packed);
	set_words(&change, PQ_AFTER, &b->packed);
	pq_diff_add(events->d, &change,
		    type == PMUQ_CHANGE_EVENT_SETTINGS
			    ? "event '%s' sets the same bits, with other settings"
		    : same_text ? "event '%s' sets other bits: its terms are the same, the formats "
				  "are not"
				: "event '%s' sets other bits",
		    name);
}

/* Only one of the two can be encoded. */
static void add_refused(struct event_differ *events, const struct side_event *a,
			const struct side_event *b)
{
	struct pq_change change =
		change_of(events, a, b, PMUQ_CHANGE_EVENT_BROKEN, PMUQ_WEIGHT_BREAKING);

	if (b->packed.refusal) {
		pq_diff_add(events->d, &change, "event '%s' cannot be encoded any more: %s",
			    a->event->name.p, b->packed.refusal);
		return;
	}
	change.type = PMUQ_CHANGE_EVENT_FIXED;
	change.weight = PMUQ_WEIGHT_ADDITION;
	pq_diff_add(events->d, &change, "event '%s' can be encoded now; before: %s",
		    a->event->name.p, a->packed.refusal);
}

/* At most one change: other bits include other settings, and both include another text. */
static void compare_terms(struct event_differ *events, const struct side_event *a,
			  const struct side_event *b)
{
	struct pq_change text =
		change_of(events, a, b, PMUQ_CHANGE_EVENT_TEXT, PMUQ_WEIGHT_COSMETIC);

	if (!a->packed.refusal != !b->packed.refusal)
		add_refused(events, a, b);
	else if (!a->packed.refusal && !pq_packed_same_bits(&a->packed, &b->packed))
		add_changed(events, a, b, PMUQ_CHANGE_EVENT_BITS);
	else if (!a->packed.refusal && !str_eq(a->packed.settings, b->packed.settings))
		add_changed(events, a, b, PMUQ_CHANGE_EVENT_SETTINGS);
	else if (!str_eq(a->event->terms, b->event->terms))
		pq_diff_add(events->d, &text, "event '%s' is written in another way",
			    a->event->name.p);
}

/* "2" and "2.0" are the same scale. */
static bool is_same_scale(struct pmuq_str a, struct pmuq_str b)
{
	double x = pq_num_scale(a), y = pq_num_scale(b);

	return !(x < y) && !(x > y);
}

/* The unit or the scale of a count. */
static void compare_texts(struct event_differ *events, const struct side_event *a,
			  const struct side_event *b, enum pmuq_change_type type)
{
	bool is_unit = type == PMUQ_CHANGE_EVENT_UNIT;
	struct pq_change change = change_of(events, a, b, type, PMUQ_WEIGHT_MEANING);

	change.text[PQ_BEFORE] = is_unit ? a->event->unit : a->event->scale;
	change.text[PQ_AFTER] = is_unit ? b->event->unit : b->event->scale;
	if (str_eq(change.text[PQ_BEFORE], change.text[PQ_AFTER]))
		return;
	if (!is_unit && is_same_scale(change.text[PQ_BEFORE], change.text[PQ_AFTER]))
		change.weight = PMUQ_WEIGHT_COSMETIC;
	pq_diff_add(events->d, &change, "event '%s' is counted %s", a->event->name.p,
		    is_unit ? "in another unit" : "with another scale");
}

/* As a text, since a change has two texts. */
static struct pmuq_str flags_of(const struct pmuq_event *event)
{
	if (event->is_per_pkg)
		return event->is_snapshot ? STR("per-pkg, snapshot") : STR("per-pkg");
	return event->is_snapshot ? STR("snapshot") : STR("");
}

static void compare_flags(struct event_differ *events, const struct side_event *a,
			  const struct side_event *b)
{
	struct pq_change change =
		change_of(events, a, b, PMUQ_CHANGE_EVENT_FLAGS, PMUQ_WEIGHT_MEANING);

	change.text[PQ_BEFORE] = flags_of(a->event);
	change.text[PQ_AFTER] = flags_of(b->event);
	if (str_eq(change.text[PQ_BEFORE], change.text[PQ_AFTER]))
		return;
	pq_diff_add(events->d, &change, "counts of event '%s' have other flags", a->event->name.p);
}

static void compare_both(struct event_differ *events, const struct side_event *a,
			 const struct side_event *b)
{
	compare_terms(events, a, b);
	compare_texts(events, a, b, PMUQ_CHANGE_EVENT_UNIT);
	compare_texts(events, a, b, PMUQ_CHANGE_EVENT_SCALE);
	compare_flags(events, a, b);
}

/* Compares the events of one name, and collects the others. */
static void compare_common(struct event_differ *events)
{
	struct side_events *a = &events->sides[PQ_BEFORE], *b = &events->sides[PQ_AFTER];
	struct pq_two_lists lists =
		PQ_TWO_LISTS(pq_pairing_def(events->pairing, PQ_BEFORE)->events, a->n,
			     pq_pairing_def(events->pairing, PQ_AFTER)->events, b->n);
	const void *before, *after;
	struct side_event *next_a = a->v, *next_b = b->v;

	while (pq_two_lists_next(&lists, &before, &after)) {
		if (before && after)
			compare_both(events, next_a++, next_b++);
		else if (before)
			a->alone[a->n_alone++] = next_a++;
		else
			b->alone[b->n_alone++] = next_b++;
	}
}

/* ------------------------------------------------------------------------------- on one side */

/* By name if the hashes are equal, so that the order never depends on addresses. */
static int compare_hashes(const void *of_a, const void *of_b)
{
	const struct side_event *a = *(struct side_event *const *)of_a;
	const struct side_event *b = *(struct side_event *const *)of_b;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return str_cmp(a->event->name, b->event->name);
}

/* The number of unmatched events with the hash of the one at `from`: they are sorted by hash. */
static size_t same_from(const struct side_events *side, size_t from)
{
	size_t n = 1;

	while (from + n < side->n_alone && side->alone[from + n]->hash == side->alone[from]->hash)
		n++;
	return n;
}

static void add_renamed(struct event_differ *events, struct side_event *a, struct side_event *b)
{
	struct pq_change change =
		change_of(events, a, b, PMUQ_CHANGE_EVENT_RENAMED, PMUQ_WEIGHT_BREAKING);

	a->is_matched = b->is_matched = true;
	change.text[PQ_BEFORE] = a->event->name;
	change.text[PQ_AFTER] = b->event->name;
	pq_diff_add(events->d, &change, "event '%s' is called '%s' now: the bits are the same",
		    a->event->name.p, b->event->name.p);
}

/* A removed event and a new one are the same, unless a third has the same bits. */
static void find_renamed(struct event_differ *events)
{
	struct side_events *a = &events->sides[PQ_BEFORE], *b = &events->sides[PQ_AFTER];
	size_t i = 0, k = 0;

	while (i < a->n_alone && k < b->n_alone) {
		size_t n_a = same_from(a, i), n_b = same_from(b, k);

		if (a->alone[i]->hash < b->alone[k]->hash) {
			i += n_a;
			continue;
		}
		if (a->alone[i]->hash == b->alone[k]->hash) {
			if (n_a == 1 && n_b == 1 && is_same(a->alone[i], b->alone[k]))
				add_renamed(events, a->alone[i], b->alone[k]);
			i += n_a;
		}
		k += n_b;
	}
}

static void add_alone(struct event_differ *events, int side, const struct side_event *e)
{
	bool is_gone = side == PQ_BEFORE;
	struct pq_change change =
		is_gone ? change_of(events, e, NULL, PMUQ_CHANGE_EVENT_GONE, PMUQ_WEIGHT_BREAKING)
			: change_of(events, NULL, e, PMUQ_CHANGE_EVENT_NEW, PMUQ_WEIGHT_ADDITION);

	if (!e->packed.refusal)
		set_words(&change, side, &e->packed);
	pq_diff_add(events->d, &change, "event '%s' is %s", e->event->name.p,
		    is_gone ? "gone" : "new");
}

/* What is missing in an incomplete machine was not read; it is not gone. */
static void add_all_alone(struct event_differ *events, int side)
{
	const struct side_events *s = &events->sides[side];

	if (events->d->is_incomplete[pq_other_side(side)])
		return;
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].is_alone && !s->v[i].is_matched)
			add_alone(events, side, &s->v[i]);
}

/* After this, events with equal bits are adjacent on each side. */
static void sort_alone(struct side_events *side)
{
	for (size_t i = 0; i < side->n_alone; i++)
		side->alone[i]->is_alone = true;
	if (side->n_alone)
		qsort(side->alone, side->n_alone, sizeof(struct side_event *), compare_hashes);
}

void pq_diff_events(struct pq_differ *d, const struct pq_pairing *pairing)
{
	struct event_differ events = { .d = d, .pairing = pairing };

	for (int side = 0; side < PQ_SIDES; side++)
		pack_side(d, pq_pairing_def(pairing, side), &events.sides[side]);
	compare_common(&events);
	for (int side = 0; side < PQ_SIDES; side++)
		sort_alone(&events.sides[side]);
	find_renamed(&events);
	for (int side = 0; side < PQ_SIDES; side++)
		add_all_alone(&events, side);
}
