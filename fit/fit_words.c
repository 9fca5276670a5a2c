/* SPDX-License-Identifier: MIT */
/*
 * The texts of a result. An event is named as the string has it, so that a split can be copied. The
 * text has no .p if there is no memory.
 */
#include "fit/fit_words.h"

/* "0-3,5" */
static void print_bits(struct pq_buf *buf, uint64_t bits)
{
	const char *comma = "";

	for (unsigned i = 0, end; i < 64; i = end + 1) {
		for (end = i; end < 64 && bits >> end & 1; end++)
			;
		if (end == i)
			continue;
		pq_buf_print(buf, "%s%u", comma, i);
		if (end > i + 1)
			pq_buf_print(buf, "%c%u", end > i + 2 ? '-' : ',', end - 1);
		comma = ",";
	}
}

static void print_counters(struct pq_buf *buf, struct pq_counter_set set)
{
	print_bits(buf, set.generic);
	if (set.generic && set.fixed)
		pq_buf_add(buf, STR(", "));
	if (set.fixed)
		pq_buf_add(buf, STR("fixed "));
	print_bits(buf, set.fixed);
}

struct pmuq_str pq_fit_print_counters(struct pq_arena *arena, struct pq_counter_set set)
{
	struct pq_buf buf = PQ_BUF_IN(arena);

	print_counters(&buf, set);
	return pq_buf_take_str(&buf);
}

struct pmuq_str pq_fit_print_counter(struct pq_arena *arena, unsigned counter)
{
	struct pq_buf buf = PQ_BUF_IN(arena);

	if (counter >= PQ_FIT_FIXED)
		pq_buf_print(&buf, "fixed %u", counter - PQ_FIT_FIXED);
	else
		pq_buf_print(&buf, "%u", counter);
	return pq_buf_take_str(&buf);
}

/* ---- events */

static const struct pmuq_encoding *encoding_of(const struct pq_fit_set *set, size_t event)
{
	return pmuq_encodings_get(set->encodings, set->events[event].record.encoding);
}

/* As written; an event that pmuq added is not in the string. */
static struct pmuq_str text_of(const struct pq_fit_set *set, size_t event)
{
	const struct pmuq_encoding *encoding = encoding_of(set, event);
	struct pmuq_str input = set->encodings->input;

	if (encoding->is_added || !input.p || encoding->offset + encoding->length > input.n)
		return encoding->name;
	return str_part(input, encoding->offset, encoding->offset + encoding->length);
}

/* What follows the brace of the group: ":u". */
static struct pmuq_str modifiers_of(const struct pq_fit_set *set)
{
	struct pmuq_str input = set->encodings->input, rest, text;
	size_t end = 0;

	for (size_t i = 0; i < set->record.n_members; i++) {
		const struct pmuq_encoding *encoding = encoding_of(set, i);

		if (encoding->offset + encoding->length > end)
			end = encoding->offset + encoding->length;
	}
	if (set->record.leader == SIZE_MAX || !input.p || end >= input.n)
		return STR("");
	if (!str_cut(str_part(input, end, input.n), '}', &text, &rest) || !rest.n ||
	    rest.p[0] != ':')
		return STR("");
	str_cut(rest, ',', &text, &rest);
	return str_trim(text);
}

static bool is_in_part(const struct pq_fit_set *set, size_t event, size_t part)
{
	return set->events[event].record.part == part && !set->events[event].record.is_added;
}

static void print_part(struct pq_buf *buf, const struct pq_fit_set *set, size_t part,
		       struct pmuq_str modifiers)
{
	size_t n = 0, n_printed = 0;

	for (size_t i = 0; i < set->record.n_members; i++)
		n += is_in_part(set, i, part);
	if (n > 1 || modifiers.n)
		pq_buf_char(buf, '{', 1);
	for (size_t i = 0; i < set->record.n_members; i++) {
		if (!is_in_part(set, i, part))
			continue;
		if (n_printed++)
			pq_buf_char(buf, ',', 1);
		pq_buf_add(buf, text_of(set, i));
	}
	if (n > 1 || modifiers.n)
		pq_buf_char(buf, '}', 1);
	pq_buf_add(buf, modifiers);
}

struct pmuq_str pq_fit_print_split(struct pq_arena *arena, const struct pq_fit_set *set)
{
	struct pmuq_str modifiers = modifiers_of(set);
	struct pq_buf buf = PQ_BUF_IN(arena);

	for (size_t i = 0; i < set->record.n_parts; i++) {
		if (i)
			pq_buf_char(&buf, ',', 1);
		print_part(&buf, set, i, modifiers);
	}
	return pq_buf_take_str(&buf);
}

/* ---- reasons */

/* "3 events and the NMI watchdog" */
static void print_events(struct pq_buf *buf, const struct pq_fit_clash *clash)
{
	size_t n = clash->n_events - clash->has_always;

	pq_buf_print(buf, "%zu event%s%s", n, n == 1 ? "" : "s",
		     clash->has_always ? " and the NMI watchdog" : "");
}

static void print_competition(struct pq_buf *buf, const struct pq_fit_set *set,
			      const struct pq_fit_clash *clash)
{
	unsigned n = pq_counter_set_count(clash->counters);
	bool is_one = clash->n_events == 1;

	print_events(buf, clash);
	if (clash->reason == PQ_FIT_REASON_PAIRS)
		pq_buf_print(buf, ", some of which need%s two counters,", is_one ? "s" : "");
	if (!n) {
		pq_buf_print(buf, " find%s no counter of %s", is_one ? "s" : "", set->record.pmu.p);
		return;
	}
	pq_buf_print(buf, " compete%s for %u counter%s of %s: ", is_one ? "s" : "", n,
		     n == 1 ? "" : "s", set->record.pmu.p);
	print_counters(buf, clash->counters);
}

static void print_register(struct pq_buf *buf, const struct pq_fit_set *set,
			   const struct pq_fit_clash *clash)
{
	const struct pq_fit_register *own = &set->registers.v[clash->of];

	pq_buf_print(buf, "%zu events need different values of %.*s, and %s can have %zu",
		     clash->n_events, STR_ARG(own->name), set->record.pmu.p, own->n);
}

struct pmuq_str pq_fit_print_clash(struct pq_arena *arena, const struct pq_fit_set *set,
				   const struct pq_fit_clash *clash)
{
	struct pq_buf buf = PQ_BUF_IN(arena);

	switch (clash->reason) {
	case PQ_FIT_REASON_COUNTERS:
	case PQ_FIT_REASON_PAIRS:
		print_competition(&buf, set, clash);
		break;
	case PQ_FIT_REASON_REGISTER:
		print_register(&buf, set, clash);
		break;
	case PQ_FIT_REASON_ALONE:
		pq_buf_print(&buf, "by the vendor's table '%.*s' must be counted alone",
			     STR_ARG(text_of(set, clash->of)));
		break;
	case PQ_FIT_REASON_WITHOUT:
		pq_buf_print(&buf, "'%.*s' needs the event slots in its group",
			     STR_ARG(text_of(set, clash->of)));
		break;
	case PQ_FIT_REASON_NO_COUNTER:
		pq_buf_print(&buf, "no counter of %s can count '%.*s'", set->record.pmu.p,
			     STR_ARG(text_of(set, clash->of)));
		break;
	case PQ_FIT_REASON_NONE:
		break;
	}
	return pq_buf_take_str(&buf);
}

static bool is_unknown(const struct pq_fit_event *event)
{
	return !event->sure.is_free && pq_counter_set_is_empty(event->sure.counters);
}

static void print_unknown_events(struct pq_buf *buf, const struct pq_fit_set *set)
{
	size_t n = 0, first = SIZE_MAX;

	for (size_t i = 0; i < set->record.n_members; i++) {
		if (!is_unknown(&set->events[i]))
			continue;
		first = first == SIZE_MAX ? i : first;
		n++;
	}
	if (!n) {
		pq_buf_add(
			buf,
			set->pmu->may_have_watchdog
				? STR("it depends on whether the kernel's watchdog takes a counter")
				: STR("it depends on whether SMT is off in the firmware"));
		return;
	}
	pq_buf_print(buf, "it is not known which counters can count '%.*s'",
		     STR_ARG(text_of(set, first)));
	if (n > 1)
		pq_buf_print(buf, " and %zu more", n - 1);
}

struct pmuq_str pq_fit_print_unknown(struct pq_arena *arena, const struct pq_fit_set *set)
{
	struct pq_buf buf = PQ_BUF_IN(arena);

	if (set->record.n_members > PQ_FIT_EVENTS_MAX)
		pq_buf_print(&buf, "more than %u events are not matched", PQ_FIT_EVENTS_MAX);
	else if (!set->pmu->counters.generic_source)
		pq_buf_print(&buf, "it is not known how many counters %s has", set->record.pmu.p);
	else if (!set->pmu->counters.generic)
		pq_buf_print(&buf,
			     "the machine is a guest: it is not known how many counters %s has",
			     set->record.pmu.p);
	else
		print_unknown_events(&buf, set);
	return pq_buf_take_str(&buf);
}
