/* SPDX-License-Identifier: MIT */
/*
 * The assignments of a PMU's event: says of each binding what apply.c did with it. Goes over the
 * bindings once more, so that an event that nobody wants explained pays nothing.
 */
#include "encode/attr/assign.h"
#include "encode/encoder.h"

/* The whole term, its value's closing quote included. */
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

/* Where the binding's term stands, and whose it is. */
static int locate(struct pq_encoder *e, const struct pq_bindings *b,
		  const struct pq_binding *binding, struct pmuq_assignment *draft)
{
	bool is_events = binding->is_alias && !binding->is_given;

	draft->at = binding->term ? span_of(binding->term, is_events ? b->event->terms : e->input)
				  : b->event_at;
	draft->cause = is_events ? PMUQ_CAUSE_EVENT : PMUQ_CAUSE_TEXT;
	draft->input = is_events ? b->event->terms.p : NULL;
	if (!binding->is_alias)
		return 0;
	draft->event = b->event->name.p;
	draft->origin = pq_event_origin(e, e->arena, b).p;
	return draft->origin ? 0 : pq_fail_memory(e->reterr);
}

static int assign_format(struct pq_encoder *e, const struct pq_bindings *b,
			 const struct pq_binding *binding, struct pmuq_encoding *encoding)
{
	const struct pmuq_format *format = binding->format;
	struct pmuq_assignment draft = {
		.field = pq_attr_config_name((unsigned)format->bits.word).p,
		.mask = format->bits.mask,
		.value = pq_bits_scatter(format->bits, binding->value),
		.number = binding->value,
		.format = format->text.p,
	};
	enum pq_assign_how how = PQ_ASSIGN_ORS;
	int r = locate(e, b, binding, &draft);

	if (r < 0)
		return r;
	if (binding->role == PQ_ROLE_DROPPED)
		how = PQ_ASSIGN_IS_OVERRIDDEN;
	else if (pq_has_default_config(b->pmu))
		how = PQ_ASSIGN_REPLACES;
	return pq_assign(e, encoding, &draft, format->name, how);
}

/* Which bits a generic event's number has, the rest being the PMU's. */
#define GENERIC_MASK UINT64_C(0xffffffff)

static int assign_generic(struct pq_encoder *e, const struct pq_bindings *b,
			  const struct pq_binding *binding, enum pq_generic_kind kind,
			  struct pmuq_encoding *encoding, struct pmuq_str term)
{
	bool takes_extended = false;
	struct pmuq_assignment draft = { .field = "config", .mask = UINT64_MAX };
	uint64_t config;
	int r = locate(e, b, binding, &draft);

	if (r == 0 && kind != PQ_GENERIC_SOFTWARE)
		r = pq_assign_field(e, encoding, "type",
				    kind == PQ_GENERIC_CACHE ? PQ_TYPE_HW_CACHE : PQ_TYPE_HARDWARE,
				    term, draft.at);
	if (r == 0 && kind != PQ_GENERIC_SOFTWARE)
		r = pq_takes_extended(e, &takes_extended);
	if (r < 0)
		return r;
	if (binding->role == PQ_ROLE_GENERIC)
		config = binding->generic.config;
	else
		config = binding->term->kind == PQ_VALUE_NONE ? 1 : binding->term->number;
	draft.value = draft.number = config;
	r = pq_assign(e, encoding, &draft, term, PQ_ASSIGN_REPLACES);
	if (r < 0 || !takes_extended)
		return r;
	return pq_assign_type(e, encoding, b->pmu, "config", ~GENERIC_MASK);
}

/* False when the keyword sets nothing of the attr. */
static bool draft_keyword(const struct pq_keyword *keyword, const struct pq_term *term,
			  const struct pmuq_encoding *encoding, struct pmuq_assignment *ret)
{
	uint64_t value = term->kind == PQ_VALUE_NONE ? 1 : term->number;

	*ret = (struct pmuq_assignment){ .mask = UINT64_MAX };
	if (keyword->effect == PQ_SETS_BRANCH_TYPE) {
		ret->field = "branch_sample_type";
		ret->value = ret->number = encoding->attr.branch_sample_type;
		return true;
	}
	ret->field = pq_attr_config_name(keyword->word).p;
	ret->value = ret->number = value;
	return keyword->effect == PQ_SETS_CONFIG;
}

int pq_assign_keyword(struct pq_encoder *e, struct pmuq_encoding *encoding,
		      const struct pq_keyword *keyword, const struct pq_term *term)
{
	struct pmuq_assignment draft;

	if (!draft_keyword(keyword, term, encoding, &draft))
		return 0;
	draft.at = span_of(term, e->input);
	return pq_assign(e, encoding, &draft, term->key, PQ_ASSIGN_REPLACES);
}

static int assign_keyword(struct pq_encoder *e, const struct pq_bindings *b,
			  const struct pq_binding *binding, struct pmuq_encoding *encoding)
{
	bool is_dropped = binding->role == PQ_ROLE_DROPPED;
	struct pmuq_assignment draft;
	int r;

	if (binding->keyword->effect == PQ_SETS_HARDWARE ||
	    binding->keyword->effect == PQ_SETS_CACHE)
		return assign_generic(e, b, binding,
				      binding->keyword->effect == PQ_SETS_CACHE
					      ? PQ_GENERIC_CACHE
					      : PQ_GENERIC_HARDWARE,
				      encoding, binding->term->key);
	if (!draft_keyword(binding->keyword, binding->term, encoding, &draft))
		return 0;
	r = locate(e, b, binding, &draft);
	return r < 0 ? r
		     : pq_assign(e, encoding, &draft, binding->term->key,
				 is_dropped ? PQ_ASSIGN_IS_OVERRIDDEN : PQ_ASSIGN_REPLACES);
}

/* A text of a probe stands beside the attr: the field waits for its address. */
static int assign_probe(struct pq_encoder *e, const struct pq_binding *binding,
			struct pmuq_encoding *encoding)
{
	const struct pq_term *term = binding->term;
	bool is_text = binding->probe->max_bytes;

	return pq_assign_field(e, encoding, is_text ? "config1" : "config2",
			       is_text ? 0 : term->number, term->key, span_of(term, e->input));
}

/* In the order of apply.c: keywords and generic names before formats. */
static int assign_words(struct pq_encoder *e, const struct pq_bindings *b,
			struct pmuq_encoding *encoding)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];
		struct pmuq_str word = str_part(e->input, b->event_at.offset,
						b->event_at.offset + b->event_at.length);

		if (binding->role == PQ_ROLE_GENERIC)
			r = assign_generic(e, b, binding, binding->generic.kind, encoding, word);
		else if (binding->role == PQ_ROLE_PROBE)
			r = assign_probe(e, binding, encoding);
		else if (binding->keyword)
			r = assign_keyword(e, b, binding, encoding);
	}
	return r;
}

/* A term that was used up as a parameter's value stands in that parameter's binding. */
static bool is_used_up(const struct pq_binding *binding)
{
	return binding->role == PQ_ROLE_DROPPED && !binding->is_alias;
}

int pq_assign_bindings(struct pq_encoder *e, const struct pq_bindings *b,
		       struct pmuq_encoding *encoding)
{
	int r = 0;

	if (encoding->attr.type == b->pmu->type)
		r = pq_assign_type(e, encoding, b->pmu, "type", UINT32_MAX);
	if (r == 0)
		r = assign_words(e, b, encoding);
	for (size_t i = 0; r == 0 && i < b->n; i++)
		if (b->v[i].format && !is_used_up(&b->v[i]))
			r = assign_format(e, b, &b->v[i], encoding);
	if (r == 0)
		r = pq_assign_bpf_output(e, encoding);
	return r;
}
