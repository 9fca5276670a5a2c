/* SPDX-License-Identifier: MIT */
/*
 * Stores assignments, and describes their causes. The callers of pq_assign() decide what is
 * written; this file runs only if assignments are requested.
 */
#include "encode/attr/assign.h"
#include "encode/encode_lookup.h"
#include "encode/resolve/bindings.h"

static void add(const struct pq_encoder *e, struct pq_encoding *encoding,
		const struct pmuq_assignment *assignment)
{
	struct pq_assignments **last = &encoding->assignments;

	while (*last && (*last)->n == PQ_ASSIGNMENTS_EACH)
		last = &(*last)->next;
	if (!*last) {
		*last = pq_arena_take(e->arena, sizeof(**last));
		e->facts->failed |= !*last;
		if (!*last)
			return;
		(*last)->n = 0;
		(*last)->next = NULL;
	}
	(*last)->v[(*last)->n++] = *assignment;
}

static bool is_of(const struct pmuq_assignment *assignment, enum pq_attr_field field)
{
	return assignment->field.p == pmuq_attr_field(field)->name.p;
}

/* An assignment that is overridden in some of its bits keeps the others. */
static void override(struct pmuq_assignment *a, enum pq_attr_field field, uint64_t mask)
{
	if (a->is_overridden || !(a->mask & mask) || !is_of(a, field))
		return;
	if (!(a->mask & ~mask)) {
		a->is_overridden = true;
		return;
	}
	a->mask &= ~mask;
	a->value &= ~mask;
}

/* A value that replaces others: the older assignments of these bits are overridden. */
static void override_all(struct pq_assignments *list, enum pq_attr_field field, uint64_t mask)
{
	for (; list; list = list->next)
		for (size_t i = 0; i < list->n; i++)
			override(&list->v[i], field, mask);
}

struct pq_span pq_term_span(const struct pq_term *term, struct pmuq_str text)
{
	struct pq_span at = term->at;
	uint32_t end = term->value_at.offset + term->value_at.length;

	if (term->type == PQ_VALUE_NONE || term->is_raw)
		return at;
	end += end < text.n && text.p[end] == '\'';
	at.length = end - at.offset;
	return at;
}

static void set_span(struct pmuq_assignment *assignment, struct pq_span at)
{
	assignment->offset = at.offset;
	assignment->length = at.length;
}

/* The term as explain prints it: the format's own spelling, since case does not matter in the text.
 */
static struct pmuq_str word_of(const struct pq_encoder *e, const struct pq_bindings *b,
			       const struct pq_binding *binding)
{
	if (binding->format)
		return binding->format->name;
	if (binding->role == PQ_ROLE_GENERIC)
		return pq_input_at(e, b->event_at);
	return binding->term->key;
}

/* The source of the binding's term, and its location there. */
static void describe_binding(const struct pq_encoder *e, const struct pq_cause *cause,
			     struct pmuq_assignment *ret, struct pmuq_str *ret_term)
{
	const struct pq_bindings *b = cause->bindings;
	const struct pq_binding *binding = cause->binding;
	bool is_events = pq_is_of_event(binding);

	*ret_term = word_of(e, b, binding);
	set_span(ret, binding->term
			      ? pq_term_span(binding->term, is_events ? b->event->terms : e->input)
			      : b->event_at);
	ret->cause = is_events ? PMUQ_CAUSE_EVENT : PMUQ_CAUSE_TEXT;
	ret->input = is_events ? b->event->terms : (struct pmuq_str){ 0 };
	ret->format = binding->format ? binding->format->text : (struct pmuq_str){ 0 };
	if (!binding->is_alias)
		return;
	ret->event = b->event->name;
	ret->origin = pq_event_origin(e, e->arena, b);
	e->facts->failed |= !ret->origin.p;
}

static void describe_type(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			  struct pmuq_assignment *ret)
{
	set_span(ret, e->node->name_at);
	ret->cause = PMUQ_CAUSE_DEFAULT;
	if (pq_is_placeholder(pmu))
		return;
	ret->cause = PMUQ_CAUSE_PMU;
	ret->origin = pq_pmu_path(e->arena, pmu, STR(""), STR("type"));
	e->facts->failed |= !ret->origin.p;
}

static void describe(const struct pq_encoder *e, const struct pq_cause *cause,
		     struct pmuq_assignment *ret)
{
	struct pmuq_str term = cause->pmu ? cause->pmu->name : cause->term;

	if (cause->binding) {
		describe_binding(e, cause, ret, &term);
	} else if (cause->pmu) {
		describe_type(e, cause->pmu, ret);
	} else {
		ret->cause = cause->type;
		set_span(ret, cause->at);
		ret->format = cause->format ? cause->format->text : (struct pmuq_str){ 0 };
	}
	ret->term = pq_keep_str(e, term);
}

/* Only bits of config words can belong to a format that scatters a number. */
static bool is_config(enum pq_attr_field field)
{
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		if (pq_attr_config_field(word) == field)
			return true;
	return false;
}

void pq_assign_keep(const struct pq_encoder *e, struct pq_encoding *encoding,
		    enum pq_attr_field field, enum pq_assign_how how, uint64_t mask, uint64_t value,
		    const struct pq_cause *cause)
{
	struct pmuq_assignment made = {
		.size = sizeof(made),
		.field = pmuq_attr_field(field)->name,
	};

	describe(e, cause, &made);
	made.mask = mask & pq_attr_field_mask(field);
	made.value = value & made.mask;
	made.number = is_config(field) ? pq_bits_gather(made.mask, made.value) : made.value;
	made.is_overridden = how == PQ_ASSIGN_IS_OVERRIDDEN;
	if (how == PQ_ASSIGN_REPLACES)
		override_all(encoding->assignments, field, made.mask);
	add(e, encoding, &made);
}

void pq_assign_anew(const struct pq_encoder *e, struct pq_encoding *copy, enum pq_attr_field field)
{
	const struct pq_assignments *list = copy->assignments;

	pq_attr_set_if_fits(&copy->attr, field, 0);
	copy->assignments = NULL;
	for (; list; list = list->next)
		for (size_t i = 0; i < list->n; i++)
			if (!is_of(&list->v[i], field))
				add(e, copy, &list->v[i]);
}

struct pmuq_str pq_pmu_path(struct pq_arena *arena, const struct pmuq_pmu *pmu, struct pmuq_str dir,
			    struct pmuq_str file)
{
	struct pq_buf path = PQ_BUF_IN(arena);

	pq_buf_print(&path, "sys/bus/event_source/devices/%.*s/%.*s%s%.*s", STR_ARG(pmu->name),
		     STR_ARG(dir), dir.n ? "/" : "", STR_ARG(file));
	return pq_buf_take_str(&path);
}

PQ_API const char *pmuq_cause_name(enum pmuq_cause cause)
{
	static const char *const names[] = {
		[PMUQ_CAUSE_TEXT] = "text",	[PMUQ_CAUSE_EVENT] = "event",
		[PMUQ_CAUSE_PMU] = "pmu",	[PMUQ_CAUSE_DEFAULT] = "default",
		[PMUQ_CAUSE_PRESET] = "preset",
	};

	return (size_t)cause < COUNT(names) ? names[cause] : NULL;
}
