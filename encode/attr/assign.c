/* SPDX-License-Identifier: MIT */
/*
 * Stores assignments, and describes what wrote them. Who writes which value is the business of the
 * callers of pq_assign(); this file runs only if assignments are wanted.
 */
#include "encode/attr/assign.h"
#include "encode/encode_lookup.h"
#include "encode/resolve/bindings.h"

/* Not zeroed; NULL when out of memory. */
static struct pmuq_assignment *add(struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	struct pq_assignments *list = encoding->assignments;

	if (!list)
		list = encoding->assignments = pq_arena_zero(e->arena, sizeof(*list));
	if (list && list->n == list->room) {
		size_t room = list->room ? list->room * 2 : 8;
		struct pmuq_assignment *v = pq_arena_take(e->arena, room * sizeof(*v));

		if (!v)
			return NULL;
		if (list->n)
			memcpy(v, list->v, list->n * sizeof(*v));
		list->v = v;
		list->room = room;
	}
	return list ? &list->v[list->n++] : NULL;
}

/* An assignment that loses only some of its bits keeps the others. */
static void override(const struct pq_assignments *list, const char *field, uint64_t mask)
{
	for (size_t i = 0; list && i < list->n; i++) {
		struct pmuq_assignment *a = &list->v[i];

		if (a->is_overridden || !(a->mask & mask) || a->field != field)
			continue;
		if (!(a->mask & ~mask)) {
			a->is_overridden = true;
			continue;
		}
		a->mask &= ~mask;
		a->value &= ~mask;
	}
}

/* The whole term, with the closing quote of its value. */
static struct pq_span span_of(const struct pq_term *term, struct pmuq_str text)
{
	struct pq_span at = term->at;
	uint32_t end = term->value_at.offset + term->value_at.length;

	if (term->kind == PQ_VALUE_NONE || term->is_raw)
		return at;
	end += end < text.n && text.p[end] == '\'';
	at.length = end - at.offset;
	return at;
}

static struct pmuq_str word_of(struct pq_encoder *e, const struct pq_bindings *b,
			       const struct pq_binding *binding)
{
	if (binding->format)
		return binding->format->name;
	if (binding->role == PQ_ROLE_GENERIC)
		return str_part(e->input, b->event_at.offset,
				b->event_at.offset + b->event_at.length);
	return binding->term->key;
}

/* Whose the binding's term is, and where it is written. */
static int describe_binding(struct pq_encoder *e, const struct pq_cause *cause,
			    struct pmuq_assignment *ret, struct pmuq_str *ret_term)
{
	const struct pq_bindings *b = cause->bindings;
	const struct pq_binding *binding = cause->binding;
	bool is_events = pq_is_of_event(binding);

	*ret_term = word_of(e, b, binding);
	ret->at = binding->term ? span_of(binding->term, is_events ? b->event->terms : e->input)
				: b->event_at;
	ret->cause = is_events ? PMUQ_CAUSE_EVENT : PMUQ_CAUSE_TEXT;
	ret->input = is_events ? b->event->terms.p : NULL;
	ret->format = binding->format ? binding->format->text.p : NULL;
	if (!binding->is_alias)
		return 0;
	ret->event = b->event->name.p;
	ret->origin = pq_event_origin(e, e->arena, b).p;
	return ret->origin ? 0 : pq_fail_memory(e->reterr);
}

static int describe_type(struct pq_encoder *e, const struct pmuq_pmu *pmu,
			 struct pmuq_assignment *ret)
{
	ret->at = e->node->name_at;
	ret->cause = PMUQ_CAUSE_DEFAULT;
	if (pq_is_placeholder(pmu))
		return 0;
	ret->cause = PMUQ_CAUSE_PMU;
	ret->origin = pq_pmu_path(e->arena, pmu, STR(""), STR("type")).p;
	return ret->origin ? 0 : pq_fail_memory(e->reterr);
}

static int describe(struct pq_encoder *e, const struct pq_cause *cause, struct pmuq_assignment *ret)
{
	struct pmuq_str term = cause->pmu ? cause->pmu->name : cause->term;
	int r = 0;

	if (cause->binding) {
		r = describe_binding(e, cause, ret, &term);
	} else if (cause->pmu) {
		r = describe_type(e, cause->pmu, ret);
	} else {
		ret->cause = cause->kind;
		ret->at = cause->at;
		ret->format = cause->format ? cause->format->text.p : NULL;
	}
	ret->term = pq_arena_str(e->arena, term).p;
	return r < 0 || ret->term ? r : pq_fail_memory(e->reterr);
}

static bool is_config(enum pq_attr_field field)
{
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		if (pq_attr_config_field(word) == field)
			return true;
	return false;
}

int pq_assign_keep(struct pq_encoder *e, struct pmuq_encoding *encoding, enum pq_attr_field field,
		   enum pq_assign_how how, uint64_t mask, uint64_t value, struct pq_cause cause)
{
	const char *name = pmuq_attr_field_name(field);
	struct pmuq_assignment made = { .field = name };
	struct pmuq_assignment *kept;
	int r = describe(e, &cause, &made);

	if (r < 0)
		return r;
	made.mask = mask & pq_attr_field_mask(field);
	made.value = value & made.mask;
	made.number = is_config(field) ? pq_bits_gather(made.mask, made.value) : made.value;
	made.is_overridden = how == PQ_ASSIGN_IS_OVERRIDDEN;
	if (how == PQ_ASSIGN_REPLACES)
		override(encoding->assignments, name, made.mask);
	kept = add(e, encoding);
	if (!kept)
		return pq_fail_memory(e->reterr);
	*kept = made;
	return 0;
}

int pq_assign_anew(struct pq_encoder *e, struct pmuq_encoding *copy, enum pq_attr_field field)
{
	const struct pq_assignments *list = copy->assignments;

	pmuq_attr_field_set(&copy->attr, field, 0);
	copy->assignments = NULL;
	for (size_t i = 0; list && i < list->n; i++) {
		struct pmuq_assignment *kept;

		if (list->v[i].field == pmuq_attr_field_name(field))
			continue;
		kept = add(e, copy);
		if (!kept)
			return pq_fail_memory(e->reterr);
		*kept = list->v[i];
	}
	return 0;
}

struct pmuq_str pq_pmu_path(struct pq_arena *arena, const struct pmuq_pmu *pmu, struct pmuq_str dir,
			    struct pmuq_str file)
{
	struct pmuq_str devices = STR("sys/bus/event_source/devices/");
	const struct pmuq_str parts[] = {
		devices, pmu->name, STR("/"), dir, dir.n ? STR("/") : STR(""), file
	};
	size_t n = 0;
	char *path, *at;

	for (size_t i = 0; i < COUNT(parts); i++)
		n += parts[i].n;
	path = at = pq_arena_take(arena, n + 1);
	for (size_t i = 0; path && i < COUNT(parts); i++)
		at = mempcpy(at, parts[i].p, parts[i].n);
	if (path)
		*at = '\0';
	return (struct pmuq_str){ .p = path, .n = path ? n : 0 };
}

PQ_API size_t pmuq_encoding_assignment_count(const struct pmuq_encoding *encoding)
{
	return encoding->assignments ? encoding->assignments->n : 0;
}

PQ_API const struct pmuq_assignment *pmuq_encoding_assignment(const struct pmuq_encoding *encoding,
							      size_t index)
{
	return index < pmuq_encoding_assignment_count(encoding) ? &encoding->assignments->v[index]
								: NULL;
}

PQ_API const char *pmuq_assignment_term(const struct pmuq_assignment *assignment)
{
	return assignment->term;
}

PQ_API const char *pmuq_assignment_field(const struct pmuq_assignment *assignment)
{
	return assignment->field;
}

PQ_API uint64_t pmuq_assignment_mask(const struct pmuq_assignment *assignment)
{
	return assignment->mask;
}

PQ_API uint64_t pmuq_assignment_value(const struct pmuq_assignment *assignment)
{
	return assignment->value;
}

PQ_API uint64_t pmuq_assignment_number(const struct pmuq_assignment *assignment)
{
	return assignment->number;
}

PQ_API const char *pmuq_assignment_format(const struct pmuq_assignment *assignment)
{
	return assignment->format;
}

PQ_API enum pmuq_cause pmuq_assignment_cause(const struct pmuq_assignment *assignment)
{
	return assignment->cause;
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

PQ_API const char *pmuq_assignment_event(const struct pmuq_assignment *assignment)
{
	return assignment->event;
}

PQ_API const char *pmuq_assignment_origin(const struct pmuq_assignment *assignment)
{
	return assignment->origin;
}

PQ_API const char *pmuq_assignment_input(const struct pmuq_assignment *assignment)
{
	return assignment->input;
}

PQ_API size_t pmuq_assignment_offset(const struct pmuq_assignment *assignment)
{
	return assignment->at.offset;
}

PQ_API size_t pmuq_assignment_length(const struct pmuq_assignment *assignment)
{
	return assignment->at.length;
}

PQ_API bool pmuq_assignment_is_overridden(const struct pmuq_assignment *assignment)
{
	return assignment->is_overridden;
}
