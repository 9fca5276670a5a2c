/* SPDX-License-Identifier: MIT */
#include "encode/resolve/probe_terms.h"
#include "encode/encoder.h"

/* The kernel's KSYM_NAME_LEN and PATH_MAX, their NUL left out. */
#define SYMBOL_MAX 511u
#define PATH_MAX_BYTES 4095u

// clang-format off
static const struct pq_probe_term probe_terms[] = {
	{ .pmu = STR("kprobe"), .key = STR("func"),   .max_bytes = SYMBOL_MAX, .field = "kprobe_func" },
	{ .pmu = STR("kprobe"), .key = STR("offset"), .max_bytes = 0 },
	{ .pmu = STR("kprobe"), .key = STR("addr"),   .max_bytes = 0 },
	{ .pmu = STR("uprobe"), .key = STR("path"),   .max_bytes = PATH_MAX_BYTES, .field = "uprobe_path" },
	{ .pmu = STR("uprobe"), .key = STR("offset"), .max_bytes = 0 },
};
// clang-format on

const struct pq_probe_term *pq_probe_term_find(const struct pmuq_pmu *pmu, struct pmuq_str key)
{
	for (size_t i = 0; i < COUNT(probe_terms); i++)
		if (str_eq(probe_terms[i].key, key) && str_eq(probe_terms[i].pmu, pmu->name))
			return &probe_terms[i];
	return NULL;
}

const struct pq_probe_term *pq_probe_term_at(const struct pmuq_pmu *pmu, size_t index)
{
	for (size_t i = 0; i < COUNT(probe_terms); i++)
		if (str_eq(probe_terms[i].pmu, pmu->name) && !index--)
			return &probe_terms[i];
	return NULL;
}

static int check_text(struct pq_encoder *e, const struct pq_term *term,
		      const struct pq_probe_term *probe)
{
	int r;

	if (term->kind != PQ_VALUE_WORD) {
		r = pq_fail_at(e, term->kind == PQ_VALUE_NONE ? term->at : term->value_at,
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

int pq_check_probe_term(struct pq_encoder *e, const struct pq_term *term,
			const struct pq_probe_term *probe)
{
	if (probe->max_bytes)
		return check_text(e, term, probe);
	if (term->kind == PQ_VALUE_NUMBER)
		return 0;
	return pq_fail_at(e, term->kind == PQ_VALUE_NONE ? term->at : term->value_at,
			  term->kind == PQ_VALUE_NONE ? PMUQ_E_MISSING_VALUE
						      : PMUQ_E_EXPECTED_NUMBER,
			  "'%s' takes a number", probe->key.p);
}

static const struct pq_binding *find(const struct pq_bindings *b, struct pmuq_str key)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].role == PQ_ROLE_PROBE && str_eq(b->v[i].probe->key, key))
			return &b->v[i];
	return NULL;
}

/* config1 and config2 are the place itself: two ways to say it are one too many. */
static int refuse_config(struct pq_encoder *e, const struct pq_bindings *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];

		int r;

		if (binding->role != PQ_ROLE_KEYWORD ||
		    binding->keyword->effect != PQ_SETS_CONFIG ||
		    (binding->keyword->word != 1 && binding->keyword->word != 2))
			continue;
		r = pq_fail_at(e, binding->term->at, PMUQ_E_REPEATED_TERM,
			       "'%.*s' is where the place of the probe is kept, and that is said "
			       "already",
			       STR_ARG(binding->term->key));
		return pq_blame(e, b, binding, r);
	}
	return 0;
}

static int refuse_place(struct pq_encoder *e, const struct pq_bindings *b,
			const struct pq_binding *binding, const char *why)
{
	const struct pq_term *term = binding->term;
	int r = pq_fail_at(e, term->at, PMUQ_E_PROBE_LOCATION, "'%.*s' %s", STR_ARG(term->key),
			   why);

	pq_error_hint(e->reterr, "a probe stands at func='NAME' (with offset=N behind its start) "
				 "or addr=N of a kprobe, at path='FILE',offset=N of a uprobe");
	return pq_blame(e, b, binding, r);
}

static int check_place(struct pq_encoder *e, const struct pq_bindings *b)
{
	const struct pq_binding *func = find(b, STR("func")), *path = find(b, STR("path"));
	const struct pq_binding *offset = find(b, STR("offset")), *addr = find(b, STR("addr"));

	if (func && addr)
		return refuse_place(e, b, addr, "and 'func' are two places");
	if (addr && offset)
		return refuse_place(e, b, offset, "counts from 'func', not from 'addr'");
	if (offset && !func && !path)
		return refuse_place(e, b, offset, "counts from something that is not said");
	if (path && !offset)
		return refuse_place(e, b, path, "needs the offset in the file, too");
	return refuse_config(e, b);
}

static int warn_no_place(struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	int r = pq_warn_at(e, encoding, e->node->at, PMUQ_E_PROBE_LOCATION,
			   "nothing says where the probe goes");
	return r < 0 ? r : 0;
}

int pq_apply_probe(struct pq_encoder *e, const struct pq_bindings *b,
		   struct pmuq_encoding *encoding)
{
	int r;

	if (!b->has_probe)
		return encoding->attr.config1 || encoding->attr.config2
			       ? 0
			       : warn_no_place(e, encoding);
	r = check_place(e, b);
	if (r < 0)
		return r;
	encoding->origin = PMUQ_FROM_PROBE;
	for (size_t i = 0; i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];

		if (binding->role != PQ_ROLE_PROBE)
			continue;
		if (!binding->probe->max_bytes) {
			encoding->attr.config2 = binding->term->number;
			continue;
		}
		encoding->probe = pq_arena_str(e->arena, binding->term->value).p;
		encoding->probe_field = binding->probe->field;
		if (!encoding->probe)
			return pq_fail_memory(e->reterr);
	}
	return 0;
}
