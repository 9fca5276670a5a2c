/* SPDX-License-Identifier: MIT */
/*
 * Finds what each term is on one PMU: a keyword, a format, the location of a probe, or the name of
 * an event, which is replaced with the event's own terms. merge_terms.c decides which of two terms
 * wins.
 */
#include "core/vendor/vendor_table.h"
#include "encode/hint/hint.h"
#include "encode/parse/parse.h"
#include "encode/resolve/bindings.h"
#include "encode/resolve/resolve.h"

#define FIRST_BINDINGS 6

static struct pq_binding *add_binding(const struct pq_encoder *e, struct pq_bindings *b,
				      const struct pq_term *term)
{
	struct pq_binding *binding = pq_vec_add_in(e->scratch, b);

	if (binding)
		binding->term = term;
	else
		pq_fail_memory(e->reterr);
	return binding;
}

static int bind_keyword(const struct pq_encoder *e, struct pq_bindings *b,
			const struct pq_term *term, const struct pq_keyword *keyword, bool is_alias)
{
	struct pq_binding *binding = add_binding(e, b, term);

	if (!binding)
		return -PMUQ_E_MEMORY;
	binding->role = PQ_ROLE_KEYWORD;
	binding->keyword = keyword;
	binding->is_alias = is_alias;
	b->has_keyword = true;
	b->has_cpus |= keyword->effect == PQ_SETS_CPUS;
	b->sets_type |= pq_is_generic(binding);
	return 0;
}

int pq_bind_keyword(const struct pq_encoder *e, struct pq_bindings *b, const struct pq_term *term,
		    const struct pq_keyword *keyword)
{
	return bind_keyword(e, b, term, keyword, false);
}

PQ_COLD static int unusable_format(const struct pq_encoder *e, struct pq_span at,
				   const struct pmuq_format *format)
{
	return pq_fail_at(e, at, PMUQ_E_UNUSABLE_FORMAT,
			  "the format of '%s', \"%s\", names no bits that pmuq could set",
			  format->name.p, format->text.p);
}

PQ_COLD static int missing_value(const struct pq_encoder *e, const struct pq_term *term,
				 const struct pmuq_format *format)
{
	int r = pq_fail_at(e, term->at, PMUQ_E_MISSING_VALUE, "'%s' has %u bits and needs a value",
			   format->name.p, format->bits.width);

	pq_hint_range(e, format, (struct pmuq_str){ 0 });
	return r;
}

PQ_COLD static int expected_number(const struct pq_encoder *e, const struct pq_term *term,
				   const struct pmuq_format *format)
{
	int r = pq_fail_at(e, term->value_at, PMUQ_E_EXPECTED_NUMBER,
			   "'%s' takes a number, not '%.*s'", format->name.p, STR_ARG(term->value));

	pq_hint_range(e, format, term->value);
	return r;
}

PQ_COLD static int too_big(const struct pq_encoder *e, const struct pq_term *term,
			   const struct pmuq_format *format)
{
	int r = pq_fail_at(e, term->value_at, PMUQ_E_VALUE_TOO_BIG,
			   "%.*s is too big for '%s', which has %u bit%s", STR_ARG(term->value),
			   format->name.p, format->bits.width, format->bits.width == 1 ? "" : "s");

	pq_hint_range(e, format, (struct pmuq_str){ 0 });
	return r;
}

/* The number for the format's bits. Only a format of one bit can do without a value. */
static int format_value(const struct pq_encoder *e, struct pq_binding *binding)
{
	const struct pmuq_format *format = binding->format;
	const struct pq_term *term = binding->term;

	if (format->bits.word < 0)
		return unusable_format(e, term->at, format);
	switch (term->type) {
	case PQ_VALUE_NONE:
		if (format->bits.width > 1)
			return missing_value(e, term, format);
		binding->value = 1;
		return format->bits.width ? 0 : unusable_format(e, term->at, format);
	case PQ_VALUE_NUMBER:
		binding->value = term->number;
		return binding->value > pq_bits_max(format->bits) ? too_big(e, term, format) : 0;
	case PQ_VALUE_PARAMETER:
		/* In perf a user's term may be a parameter, too, with its value in another term. */
		binding->is_parameter = true;
		return binding->is_alias || pq_is_perf(e) ? 0 : expected_number(e, term, format);
	case PQ_VALUE_WORD:
		break;
	}
	return expected_number(e, term, format);
}

static int bind_format(const struct pq_encoder *e, struct pq_bindings *b,
		       const struct pq_term *term, const struct pmuq_format *format, bool is_alias)
{
	struct pq_binding *binding = add_binding(e, b, term);

	if (!binding)
		return -PMUQ_E_MEMORY;
	binding->role = PQ_ROLE_FORMAT;
	binding->format = format;
	binding->is_alias = is_alias;
	b->has_parameter |= term->type == PQ_VALUE_PARAMETER;
	return format_value(e, binding);
}

PQ_COLD static int unknown_term(const struct pq_encoder *e, const struct pq_bindings *b,
				const struct pq_term *term)
{
	int r = pq_check_sources(e, b->pmu, term->key, term->at);
	const char *message = pq_is_placeholder(b->pmu) && b->pmu->is_core
				      ? "this machine has no core PMU: '%s' has no term '%.*s'"
				      : "PMU '%s' has no term '%.*s'";

	if (r < 0)
		return r;
	r = pq_fail_at(e, term->at, PMUQ_E_UNKNOWN_TERM, message, b->pmu->name.p,
		       STR_ARG(term->key));
	pq_hint_term(e, b->pmu, term->key);
	return r;
}

/* A term in the text of an event: a keyword or a format. It cannot name another event. */
static int bind_alias_term(const struct pq_encoder *e, struct pq_bindings *b,
			   const struct pq_term *term)
{
	const struct pmuq_format *format;
	const struct pq_keyword *keyword = term->is_raw ? pq_keyword_at(0) : pq_keyword_of(term);
	int r;

	if (keyword)
		return bind_keyword(e, b, term, keyword, true);
	r = pq_lookup_format(e, b->pmu, term->key, &format);
	if (r < 0)
		return r;
	return r == PQ_NONE ? unknown_term(e, b, term) : bind_format(e, b, term, format, true);
}

static int alias_terms(const struct pq_encoder *e, const struct pmuq_event *event,
		       struct pq_term **ret)
{
	if (!event->terms.n)
		return pq_fail_at(e, (struct pq_span){ 0 }, PMUQ_E_EMPTY_ALIAS,
				  "its file is empty");
	return pq_parse_terms(e->scratch, event->terms, ret, e->reterr);
}

/* An error in the event's own text is shown in that text, not in the input. */
PQ_COLD static int fail_in_alias(const struct pq_encoder *e, const struct pq_bindings *b, int r)
{
	struct pmuq_str origin;

	if (!e->reterr || r >= 0)
		return r;
	pq_error_in(e->reterr, "event '%s' of PMU '%s': ", b->event->name.p, b->pmu->name.p);
	pq_error_input(e->reterr, b->event->terms);
	origin = pq_event_origin(e, e->scratch, b);
	if (origin.p)
		pq_error_origin(e->reterr, origin);
	return r;
}

int pq_fail_in_event(const struct pq_encoder *e, const struct pq_bindings *b,
		     const struct pq_binding *binding, int r)
{
	return pq_is_of_event(binding) ? fail_in_alias(e, b, r) : r;
}

/* Replaces the named event with its terms. */
static int bind_alias(const struct pq_encoder *e, struct pq_bindings *b,
		      const struct pmuq_event *event)
{
	struct pq_term *terms = NULL;
	int r;

	b->event = event;
	r = alias_terms(e, event, &terms);
	for (const struct pq_term *term = terms; r == 0 && term; term = term->next)
		r = bind_alias_term(e, b, term);
	return fail_in_alias(e, b, r);
}

PQ_COLD static int second_event(const struct pq_encoder *e, struct pq_span at, struct pmuq_str word)
{
	int r = pq_fail_at(e, at, PMUQ_E_TWO_EVENTS,
			   "'%.*s' is a second event in one list of terms", STR_ARG(word));

	pq_error_hint(e->reterr, "write one event, a comma, and the other event");
	return r;
}

/* The name of a generic event, if the PMU counts such events. */
static int bind_generic(const struct pq_encoder *e, struct pq_bindings *b,
			const struct pq_term *term, const struct pq_generic *generic)
{
	struct pq_binding *binding;

	if (!pq_counts_generic(b->pmu, generic))
		return PQ_NONE;
	b->has_generic = true;
	b->sets_type |= generic->type != PQ_GENERIC_SOFTWARE;
	binding = add_binding(e, b, term);
	if (!binding)
		return -PMUQ_E_MEMORY;
	binding->role = PQ_ROLE_GENERIC;
	binding->generic = *generic;
	return 0;
}

/* Bind the named event; `term` is NULL for a bare name. PQ_NONE if the PMU has no such event. */
static int bind_named(const struct pq_encoder *e, struct pq_bindings *b, const struct pq_term *term,
		      const struct pq_named *named)
{
	const struct pmuq_event *event = NULL;
	const struct pmuq_vendor_event *vendor = NULL;
	bool is_second = b->has_event;
	int r = PQ_NONE;

	if (!named->is_nowhere && pq_tables(e))
		r = pq_vendor_event(e, b->pmu, named->word, &vendor);
	if (r == 0)
		event = vendor->event;
	if (r == PQ_NONE && !named->is_nowhere && pq_allows(e, PMUQ_FROM_SYSFS))
		r = pq_lookup_event(e, b->pmu, named->word, &event);
	if (r == PQ_NONE && named->is_generic)
		r = bind_generic(e, b, term, &named->generic);
	if (r != 0)
		return r;
	if (is_second)
		return second_event(e, named->at, named->word);
	b->has_event = true;
	b->event_at = named->at;
	b->vendor = vendor;
	return event ? bind_alias(e, b, event) : 0;
}

static int bind_event(const struct pq_encoder *e, struct pq_bindings *b, const struct pq_term *term,
		      struct pmuq_str word, struct pq_span at)
{
	struct pq_named named = { .word = word, .at = at };

	named.is_generic = pq_allows(e, PMUQ_FROM_GENERIC) && pq_generic_find(word, &named.generic);
	return bind_named(e, b, term, &named);
}

PQ_COLD static int unknown_event_of_pmu(const struct pq_encoder *e, const struct pq_bindings *b,
					struct pmuq_str word, struct pq_span at)
{
	int r = pq_check_sources(e, b->pmu, word, at);

	if (r < 0)
		return r;
	r = pq_fail_at(e, at, PMUQ_E_UNKNOWN_EVENT, "PMU '%s' has no event '%.*s'", b->pmu->name.p,
		       STR_ARG(word));
	pq_hint_event(e, b->pmu, word);
	return r;
}

/* rNNN is the config, unless the PMU has an event of exactly that name ("read"). */
PQ_COLD static int bind_raw(const struct pq_encoder *e, struct pq_bindings *b,
			    const struct pq_term *term)
{
	const struct pmuq_event *event;
	int r = pq_lookup_event(e, b->pmu, term->key, &event);

	if (r < 0)
		return r;
	if (r == 0 && str_eq(event->name, term->key))
		return bind_event(e, b, term, term->key, term->at);
	return bind_keyword(e, b, term, pq_keyword_at(0), false);
}

/* The kernel copies the text into a buffer of that size. */
PQ_COLD static int check_text(const struct pq_encoder *e, const struct pq_term *term,
			      const struct pq_probe_term *probe)
{
	int r;

	if (term->type != PQ_VALUE_WORD) {
		r = pq_fail_at(e, term->type == PQ_VALUE_NONE ? term->at : term->value_at,
			       PMUQ_E_EXPECTED_STRING, "'%s' takes a text", probe->key.p);
		pq_error_hint(e->reterr, "in single quotes: %s='…'", probe->key.p);
		return r;
	}
	if (term->value.n > probe->max_bytes)
		return pq_fail_at(e, term->value_at, PMUQ_E_BAD_VALUE,
				  "'%s' has %zu bytes; the kernel takes %zu", probe->key.p,
				  term->value.n, probe->max_bytes);
	return 0;
}

PQ_COLD static int check_probe_term(const struct pq_encoder *e, const struct pq_term *term,
				    const struct pq_probe_term *probe)
{
	if (probe->max_bytes)
		return check_text(e, term, probe);
	if (term->type == PQ_VALUE_NUMBER)
		return 0;
	return pq_fail_at(e, term->type == PQ_VALUE_NONE ? term->at : term->value_at,
			  term->type == PQ_VALUE_NONE ? PMUQ_E_MISSING_VALUE
						      : PMUQ_E_EXPECTED_NUMBER,
			  "'%s' takes a number", probe->key.p);
}

PQ_COLD static int bind_probe(const struct pq_encoder *e, struct pq_bindings *b,
			      const struct pq_term *term, const struct pq_probe_term *probe)
{
	struct pq_binding *binding = add_binding(e, b, term);

	if (!binding)
		return -PMUQ_E_MEMORY;
	binding->role = PQ_ROLE_PROBE;
	binding->probe = probe;
	b->has_probe = true;
	return check_probe_term(e, term, probe);
}

/* The order of precedence: keyword, event=NAME, format, location of a probe, name of an event. */
static int bind_term(const struct pq_encoder *e, struct pq_bindings *b, const struct pq_term *term)
{
	const struct pq_keyword *keyword = pq_keyword_of(term);
	const struct pmuq_format *format;
	const struct pq_probe_term *probe;
	int r;

	if (term->is_raw)
		return bind_raw(e, b, term);
	if (keyword)
		return bind_keyword(e, b, term, keyword, false);
	if (term->type == PQ_VALUE_WORD && str_eq_nocase(term->key, STR("event"))) {
		r = bind_event(e, b, term, term->value, term->value_at);
		return r == PQ_NONE ? unknown_event_of_pmu(e, b, term->value, term->value_at) : r;
	}
	r = pq_lookup_format(e, b->pmu, term->key, &format);
	if (r == 0)
		return bind_format(e, b, term, format, false);
	probe = r == PQ_NONE && !pq_is_perf(e) ? pq_probe_term_find(b->pmu, term->key) : NULL;
	if (probe)
		return bind_probe(e, b, term, probe);
	if (r == PQ_NONE && term->type == PQ_VALUE_NONE)
		r = bind_event(e, b, term, term->key, term->at);
	return r == PQ_NONE ? unknown_term(e, b, term) : r;
}

/* A bare word is the event of that name. In perf it is a last term, and so a format of that name
 * takes precedence. */
static int bind_bare(const struct pq_encoder *e, struct pq_bindings *b,
		     const struct pq_named *named)
{
	const struct pmuq_format *format;
	struct pq_term *term;
	int r = pq_is_perf(e) ? pq_lookup_format(e, b->pmu, named->word, &format) : PQ_NONE;

	if (r != 0)
		return r < 0 ? r : bind_named(e, b, NULL, named);
	term = pq_arena_zero(e->scratch, sizeof(*term));
	if (!term)
		return pq_fail_memory(e->reterr);
	term->key = named->word;
	term->at = named->at;
	return bind_format(e, b, term, format, false);
}

int pq_bind(const struct pq_encoder *e, const struct pmuq_pmu *pmu, const struct pq_named *named,
	    struct pq_bindings *ret)
{
	int r = 0;

	*ret = (struct pq_bindings){ .pmu = pmu };
	/* Enough for most events: the array need not grow. */
	ret->v = pq_arena_take(e->scratch, FIRST_BINDINGS * sizeof(*ret->v));
	ret->capacity = ret->v ? FIRST_BINDINGS : 0;
	for (const struct pq_term *term = e->node->terms; r == 0 && term; term = term->next)
		r = bind_term(e, ret, term);
	if (r == 0 && named)
		r = bind_bare(e, ret, named);
	return r == PQ_NONE ? unknown_event_of_pmu(e, ret, named->word, named->at) : r;
}
