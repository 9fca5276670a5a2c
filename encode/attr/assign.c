/* SPDX-License-Identifier: MIT */
/* Keeps assignments and answers for them. What is assigned is the callers' affair. */
#include "encode/attr/assign.h"
#include "encode/encoder.h"

static struct pq_assignments *list_of(struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	if (!encoding->assignments)
		encoding->assignments = pq_arena_zero(e->arena, sizeof(*encoding->assignments));
	return encoding->assignments;
}

/* Not zeroed; NULL when out of memory. */
static struct pmuq_assignment *add(struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	struct pq_assignments *list = list_of(e, encoding);

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

/* Whoever loses only some of its bits speaks for the rest from now on. */
static void replace(const struct pq_assignments *list, const char *field, uint64_t mask)
{
	for (size_t i = 0; list && i < list->n; i++) {
		struct pmuq_assignment *a = &list->v[i];

		if (a->is_overridden || !(a->mask & mask) || strcmp(a->field, field) != 0)
			continue;
		if (!(a->mask & ~mask)) {
			a->is_overridden = true;
			continue;
		}
		a->mask &= ~mask;
		a->value &= ~mask;
	}
}

int pq_assign(struct pq_encoder *e, struct pmuq_encoding *encoding,
	      const struct pmuq_assignment *draft, struct pmuq_str term, enum pq_assign_how how)
{
	struct pmuq_assignment *kept;
	struct pmuq_str copy;

	if (!pq_is_explained(e))
		return 0;
	copy = pq_arena_str(e->arena, term);
	if (how == PQ_ASSIGN_REPLACES)
		replace(encoding->assignments, draft->field, draft->mask);
	kept = copy.p ? add(e, encoding) : NULL;
	if (!kept)
		return pq_fail_memory(e->reterr);
	*kept = *draft;
	kept->term = copy.p;
	kept->is_overridden = how == PQ_ASSIGN_IS_OVERRIDDEN;
	return 0;
}

uint64_t pq_assigned(const struct pmuq_encoding *encoding, const char *field)
{
	const struct pq_assignments *list = encoding->assignments;
	uint64_t value = 0;

	for (size_t i = 0; list && i < list->n; i++)
		if (!list->v[i].is_overridden && strcmp(list->v[i].field, field) == 0)
			value |= list->v[i].value;
	return value;
}

/* All bits of a field, as an attr of ones shows them. */
static uint64_t whole_field(const char *field)
{
	struct pmuq_attr ones;
	const char *name;

	memset(&ones, 0xff, sizeof(ones));
	for (unsigned i = 0; (name = pmuq_attr_field_name(i)); i++)
		if (strcmp(name, field) == 0)
			return pmuq_attr_field_get(&ones, i);
	return UINT64_MAX;
}

static int assign_whole(struct pq_encoder *e, struct pmuq_encoding *encoding, const char *field,
			uint64_t value, struct pmuq_str term, struct pq_span at,
			enum pmuq_cause cause)
{
	struct pmuq_assignment draft = {
		.field = field,
		.mask = pq_is_explained(e) ? whole_field(field) : 0,
		.value = value,
		.number = value,
		.at = at,
		.cause = cause,
	};

	return pq_assign(e, encoding, &draft, term, PQ_ASSIGN_REPLACES);
}

int pq_assign_field(struct pq_encoder *e, struct pmuq_encoding *encoding, const char *field,
		    uint64_t value, struct pmuq_str term, struct pq_span at)
{
	return assign_whole(e, encoding, field, value, term, at, PMUQ_CAUSE_TEXT);
}

int pq_assign_default(struct pq_encoder *e, struct pmuq_encoding *encoding, const char *field,
		      uint64_t value, struct pmuq_str term)
{
	return assign_whole(e, encoding, field, value, term, (struct pq_span){ 0 },
			    PMUQ_CAUSE_DEFAULT);
}

static int assign_rest(struct pq_encoder *e, struct pmuq_encoding *encoding, struct pmuq_str tool)
{
	const char *field;

	for (unsigned i = 0; (field = pmuq_attr_field_name(i)); i++) {
		uint64_t value = pmuq_attr_field_get(&encoding->attr, i);
		int r;

		if (value == pq_assigned(encoding, field) || strcmp(field, "size") == 0)
			continue;
		r = assign_whole(e, encoding, field, value, tool, (struct pq_span){ 0 },
				 PMUQ_CAUSE_PRESET);
		if (r < 0)
			return r;
	}
	return 0;
}

int pq_assign_preset(struct pq_encoder *e)
{
	struct pmuq_str tool = e->options.preset == PMUQ_PRESET_STAT ? STR("stat") : STR("record");
	int r = 0;

	for (size_t i = 0; r == 0 && i < e->result->n; i++)
		r = assign_rest(e, &e->result->v[i], tool);
	return r;
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

int pq_assign_type(struct pq_encoder *e, struct pmuq_encoding *encoding, const struct pmuq_pmu *pmu,
		   const char *field, uint64_t mask)
{
	bool has_file = !pq_is_placeholder(pmu);
	struct pmuq_assignment draft = {
		.field = field,
		.mask = mask,
		.value = pmu->type * (mask & -mask),
		.number = pmu->type,
		.at = e->node->name_at,
		.cause = has_file ? PMUQ_CAUSE_PMU : PMUQ_CAUSE_DEFAULT,
	};

	if (has_file)
		draft.origin = pq_pmu_path(e->arena, pmu, STR(""), STR("type")).p;
	if (has_file && !draft.origin)
		return pq_fail_memory(e->reterr);
	return pq_assign(e, encoding, &draft, pmu->name, PQ_ASSIGN_REPLACES);
}

int pq_assign_slots(struct pq_encoder *e, struct pmuq_encoding *slots, uint64_t config)
{
	const struct pq_assignments *metric = slots->assignments;

	slots->assignments = NULL;
	for (size_t i = 0; metric && i < metric->n; i++) {
		struct pmuq_assignment *kept;

		if (strcmp(metric->v[i].field, "config") == 0)
			continue;
		kept = add(e, slots);
		if (!kept)
			return pq_fail_memory(e->reterr);
		*kept = metric->v[i];
	}
	return pq_assign_default(e, slots, "config", config, STR("slots"));
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
