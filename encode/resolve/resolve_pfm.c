/* SPDX-License-Identifier: MIT */
/*
 * Names of libpfm4: skx::MEM_LOAD_RETIRED:L3_MISS:u, pfm:EVENT:UMASK. libpfm4 supplies the bits and
 * the name of the PMU; the type, the CPUs and the formats are the machine's. The event is then
 * encoded as if the bits were config= terms of that PMU.
 */
#include "core/freep.h"
#include "encode/hint/hint.h"
#include "encode/parse/parse.h"
#include "encode/resolve/resolve.h"
#include "encode/words/generic.h"

struct pfm_name {
	struct pmuq_str text;
	struct pq_span at;
	const char *cpuid; /* of the machine, or NULL */
};

static int query(const struct pq_encoder *e, struct pfm_name *name, struct pmuq_pfm_encodings **ret,
		 struct pmuq_error **reterr)
{
	struct pmuq_str cpuid = { 0 }, copy = pq_arena_str(e->scratch, name->text);
	int r = e->lookup.ops->fact(e->lookup.self, PQ_CLASS_CPUID, &cpuid, reterr);

	if (r < 0)
		return r;
	if (!copy.p)
		return pq_fail_memory(reterr);
	name->cpuid = r == PQ_NONE ? NULL : cpuid.p;
	return pmuq_pfm_encode(e->options->pfm, name->cpuid, &copy.p, 1, ret, reterr);
}

/* libpfm4's error, with its span in the input. */
static int refuse(const struct pq_encoder *e, struct pfm_name name, const struct pmuq_error *error)
{
	struct pq_span at = {
		.offset = name.at.offset + (uint32_t)error->offset,
		.length = (uint32_t)error->length,
	};
	int r = pq_fail_at(e, at, error->code, "%s", error->message.p);
	struct pq_buf hint = PQ_BUF_NULL;

	pq_buf_add(&hint, error->hint);
	pq_print_manuals(e, name.text, &hint);
	pq_error_hint_buf(e->reterr, &hint);
	return r;
}

/* The modifiers of libpfm4 that are letters in perf's language. */
static struct pmuq_str letters_of(const struct pmuq_pfm_encoding *encoding,
				  char (*letters)[PQ_MODIFIERS_MAX])
{
	const struct pq_modifier *m;
	size_t n = 0;

	for (size_t i = 0; (m = pq_modifier_at(i)); i++) {
		uint64_t times = 0;

		if (*m->in_libpfm4)
			pmuq_pfm_encoding_modifier(encoding, m->pfm, &times);
		for (unsigned k = 0; k < m->max_times && times; k++, times--)
			(*letters)[n++] = m->letter;
	}
	return (struct pmuq_str){ .p = *letters, .n = n };
}

static const char *generic_term(uint32_t type)
{
	return type == PQ_TYPE_HARDWARE	  ? "legacy-hardware-config"
	       : type == PQ_TYPE_HW_CACHE ? "legacy-cache-config"
					  : "config";
}

/* Terms for the bits, and for the modifiers that are terms. */
static int make_terms(const struct pq_encoder *e, const struct pmuq_pfm_encoding *encoding,
		      const struct pmuq_pfm_code *code, struct pq_span at, struct pq_term **ret)
{
	static const struct {
		enum pmuq_pfm_modifier modifier;
		const char *term;
	} terms[] = { { PMUQ_PFM_FREQ, "freq" },
		      { PMUQ_PFM_PERIOD, "period" },
		      { PMUQ_PFM_CPU, "cpu" } };
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	uint64_t value;
	struct pmuq_str kept;
	int r;

	if (code->scope == PMUQ_PFM_GENERIC)
		pq_buf_print(&text, "%s=%llu", generic_term(code->type),
			     (unsigned long long)code->config[0]);
	else
		pq_buf_add(&text, code->terms);
	for (size_t i = 0; i < COUNT(terms); i++)
		if (pmuq_pfm_encoding_modifier(encoding, terms[i].modifier, &value))
			pq_buf_print(&text, ",%s=%llu", terms[i].term, (unsigned long long)value);
	kept = pq_arena_str(e->scratch, pq_buf_str(&text));
	if (text.failed || !kept.p)
		return pq_fail_memory(e->reterr);
	r = pq_parse_terms(e->scratch, kept, ret, e->reterr);
	for (struct pq_term *term = *ret; r == 0 && term; term = term->next)
		term->at = term->value_at = at;
	return r;
}

/* Generic events: on every core PMU, or on the software PMU. */
static int encode_generic(const struct pq_encoder *e, uint32_t type)
{
	struct pq_pmu_list core;
	int r;

	if (type == PQ_TYPE_SOFTWARE)
		return pq_encode_pmus(e, STR("software"));
	r = pq_core_pmus(e, &core);
	if (r == 0 && !core.n)
		return pq_encode_pmus(e, STR("cpu"));
	for (size_t i = 0; r == 0 && i < core.n; i++)
		r = pq_encode_pmus(e, core.v[i]->name);
	return r;
}

/* Encodes the event as terms of a PMU. */
static int encode_code(const struct pq_encoder *written, struct pfm_name name,
		       const struct pmuq_pfm_encoding *encoding, const struct pmuq_pfm_code *code)
{
	char letters[PQ_MODIFIERS_MAX];
	struct pq_modifiers modifiers;
	struct pq_node node = *written->node;
	struct pq_encoder e = *written;
	int r;

	node.type = PQ_NODE_NAME;
	node.name_at = node.modifiers_at = name.at;
	node.modifiers = letters_of(encoding, &letters);
	node.has_terms = true;
	e.node = &node;
	e.modifiers = &modifiers;
	r = make_terms(&e, encoding, code, name.at, &node.terms);
	if (r == 0)
		r = pq_modifiers_parse(node.modifiers, name.at, false, &modifiers, e.reterr);
	if (r < 0)
		return r;
	return code->scope == PMUQ_PFM_GENERIC ? encode_generic(&e, code->type)
					       : pq_encode_pmus(&e, code->sysfs);
}

/* The bits of another CPU may mean something else on this machine. */
static int check_cpu(const struct pq_encoder *e, struct pfm_name name,
		     const struct pmuq_pfm_code *code)
{
	int r;

	if (!name.cpuid || e->options->accepts_other_cpus || code->scope == PMUQ_PFM_GENERIC ||
	    pmuq_pfm_is_of_cpu(code->pmu.p, name.cpuid))
		return 0;
	r = pq_fail_at(e, name.at, PMUQ_E_FOREIGN_NAME,
		       "'%s' has the names of another CPU than this machine's, %s", code->pmu.p,
		       name.cpuid);
	pq_error_hint(e->reterr, "pfm:%s names the event of this machine's CPU", code->event.p);
	return r;
}

/* The names in libpfm4 of an encoding's code. */
static void set_names(const struct pq_encoder *e, const struct pmuq_pfm_code *code,
		      struct pq_encoding *encoding)
{
	encoding->record.origin = PMUQ_FROM_PFM;
	encoding->record.libpfm4_name = pq_keep_str(e, code->canonical);
}

/* On a hybrid machine a name can have two codes; the machine must have the PMU of one of them. */
static int encode_as(const struct pq_encoder *e, struct pfm_name name,
		     const struct pmuq_pfm_encoding *encoding)
{
	size_t first = e->result->n, n = encoding->n_codes;
	int r = check_cpu(e, name, pmuq_pfm_encoding_code(encoding, 0));

	r = r == 0 ? PQ_UNKNOWN_NAME : r;
	for (size_t i = 0; i < n && r >= 0; i++) {
		const struct pmuq_pfm_code *code = pmuq_pfm_encoding_code(encoding, i);
		size_t begun = e->result->n;

		r = encode_code(e, name, encoding, code);
		for (size_t k = begun; r >= 0 && k < e->result->n; k++)
			set_names(e, code, &e->result->v[k]);
	}
	if (r < 0)
		return r;
	if (e->result->n == first)
		return pq_fail_absent(e, name.at, pmuq_pfm_encoding_code(encoding, 0)->sysfs,
				      name.text);
	return 0;
}

/* Whether libpfm4 does not know the name at all. */
static bool is_unknown(const struct pmuq_error *error)
{
	enum pmuq_code code = error->code;

	return code == PMUQ_E_PFM_UNKNOWN_EVENT || code == PMUQ_E_PFM_UNKNOWN_PMU ||
	       code == PMUQ_E_PFM_NO_CPU || code == PMUQ_E_PFM_BAD_NAME;
}

static int encode_named(const struct pq_encoder *e)
{
	cleanup(pmuq_pfm_encodings_freep) struct pmuq_pfm_encodings *encodings = NULL;
	struct pfm_name name = { .text = e->node->name, .at = e->node->name_at };
	const struct pmuq_pfm_encoding *encoding;
	int r;

	if (pq_is_perf(e))
		return pq_fail_at(e, e->node->name_at, PMUQ_E_EXCLUDED_SOURCE,
				  "the perf dialect has no names of libpfm4");
	if (!e->options->pfm || !pq_allows(e, PMUQ_FROM_PFM))
		return pq_fail_at(e, e->node->name_at, PMUQ_E_EXCLUDED_SOURCE,
				  "it is a name of the source 'pfm', which is left out");
	r = query(e, &name, &encodings, e->reterr);
	if (r < 0)
		return r;
	encoding = pmuq_pfm_encodings_get(encodings, 0);
	r = encoding->error ? pq_encode_pfm_tracepoint(e, encoding->error) : PQ_UNKNOWN_NAME;
	if (r != PQ_UNKNOWN_NAME)
		return r;
	if (encoding->error)
		return refuse(e, name, encoding->error);
	return encode_as(e, name, encoding);
}

/* An event of the grammar with other modifiers than the grammar's. libpfm4 takes some of them, but
 * an error is what the user needs to see. A value, as in u=1, is libpfm4's spelling alone. */
static bool is_generic_event(const struct pq_encoder *e)
{
	struct pmuq_str name, rest;
	struct pq_generic generic;

	return str_cut(e->node->text, ':', &name, &rest) && !memchr(rest.p, '=', rest.n) &&
	       pq_generic_find(name, &generic);
}

int pq_encode_pfm_else(const struct pq_encoder *e)
{
	cleanup(pmuq_pfm_encodings_freep) struct pmuq_pfm_encodings *encodings = NULL;
	struct pfm_name name = { .text = e->node->text, .at = e->node->at };
	const struct pmuq_error *error;
	int r;

	if (pq_is_perf(e) || !e->options->pfm || !pq_allows(e, PMUQ_FROM_PFM) ||
	    is_generic_event(e))
		return PQ_UNKNOWN_NAME;
	r = query(e, &name, &encodings, NULL);
	if (r == -PMUQ_E_MEMORY)
		return pq_fail_memory(e->reterr);
	/* The user did not request libpfm4: an error about its helper would be misleading. */
	if (r < 0)
		return PQ_UNKNOWN_NAME;
	error = pmuq_pfm_encodings_get(encodings, 0)->error;
	if (error)
		return is_unknown(error) ? PQ_UNKNOWN_NAME : refuse(e, name, error);
	return encode_as(e, name, pmuq_pfm_encodings_get(encodings, 0));
}

int pq_encode_pfm(const struct pq_encoder *e)
{
	int r;

	if (!e->node->is_guess)
		return encode_named(e);
	r = pq_encode_pfm_else(e);
	if (r != PQ_UNKNOWN_NAME)
		return r;
	return pq_parse_refusal(e->scratch, e->input, e->node->at.offset, e->reterr);
}
