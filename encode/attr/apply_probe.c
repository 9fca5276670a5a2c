/* SPDX-License-Identifier: MIT */
/* The location of a kprobe or uprobe: which terms go together, and which fields of the attr they
 * set. */
#include "encode/attr/apply.h"

static const struct pq_binding *find(const struct pq_bindings *b, struct pmuq_str key)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].role == PQ_ROLE_PROBE && str_eq(b->v[i].probe->key, key))
			return &b->v[i];
	return NULL;
}

/* config1 and config2 are the location itself: it must not be written in two ways. */
static int refuse_config(const struct pq_encoder *e, const struct pq_bindings *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];

		int r;

		if (binding->role != PQ_ROLE_KEYWORD ||
		    binding->keyword->effect != PQ_SETS_CONFIG ||
		    (binding->keyword->word != 1 && binding->keyword->word != 2))
			continue;
		r = pq_fail_at(e, binding->term->at, PMUQ_E_REPEATED_TERM,
			       "'%.*s' sets the location of the probe, which other terms "
			       "already set",
			       STR_ARG(binding->term->key));
		return pq_fail_in_event(e, b, binding, r);
	}
	return 0;
}

static int refuse_location(const struct pq_encoder *e, const struct pq_bindings *b,
			   const struct pq_binding *binding, const char *why)
{
	const struct pq_term *term = binding->term;
	int r = pq_fail_at(e, term->at, PMUQ_E_PROBE_LOCATION, "'%.*s' %s", STR_ARG(term->key),
			   why);

	pq_error_hint(e->reterr, "a kprobe takes func='NAME' (and offset=N from its start) or "
				 "addr=N, a uprobe path='FILE',offset=N");
	return pq_fail_in_event(e, b, binding, r);
}

/* A kprobe is at func+offset or at addr, a uprobe at path and offset. */
static int check_location(const struct pq_encoder *e, const struct pq_bindings *b)
{
	const struct pq_binding *func = find(b, STR("func")), *path = find(b, STR("path"));
	const struct pq_binding *offset = find(b, STR("offset")), *addr = find(b, STR("addr"));

	if (func && addr)
		return refuse_location(e, b, addr, "and 'func' are two locations");
	if (addr && offset)
		return refuse_location(e, b, offset, "counts from 'func', not from 'addr'");
	if (offset && !func && !path)
		return refuse_location(e, b, offset, "needs 'func' or 'path'");
	if (path && !offset)
		return refuse_location(e, b, path, "needs the offset in the file, too");
	return refuse_config(e, b);
}

/* The attr is complete but for the location: the caller may set the pointer itself. */
static int warn_no_location(const struct pq_encoder *e, struct pq_encoding *encoding)
{
	int r = pq_warn_at(e, encoding, e->node->at, PMUQ_E_PROBE_LOCATION,
			   "the location of the probe is missing");
	return r < 0 ? r : 0;
}

/* The attr needs the address of the text: the field stays 0, and the text is in the record. */
static void apply_text(const struct pq_encoder *e, const struct pq_bindings *b,
		       const struct pq_binding *binding, struct pq_encoding *encoding)
{
	encoding->record.probe_text = pq_keep_str(e, binding->term->value);
	encoding->record.probe_field = str_of(binding->probe->field);
	pq_assign_all(e, encoding, PQ_FIELD_config1, 0, pq_cause_binding(b, binding));
}

int pq_apply_probe(const struct pq_encoder *e, const struct pq_bindings *b,
		   struct pq_encoding *encoding)
{
	int r;

	if (!b->has_probe)
		return encoding->attr.config1 || encoding->attr.config2
			       ? 0
			       : warn_no_location(e, encoding);
	r = check_location(e, b);
	encoding->record.origin = PMUQ_FROM_PROBE;
	for (size_t i = 0; i < b->n && r == 0; i++) {
		const struct pq_binding *binding = &b->v[i];

		if (binding->role != PQ_ROLE_PROBE)
			continue;
		if (binding->probe->max_bytes)
			apply_text(e, b, binding, encoding);
		else
			pq_assign_all(e, encoding, PQ_FIELD_config2, binding->term->number,
				      pq_cause_binding(b, binding));
	}
	return r;
}
