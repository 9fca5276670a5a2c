/* SPDX-License-Identifier: MIT */
/*
 * Writes bound terms into the attr: keywords and generic events in the order of the text, then the
 * bits of formats. apply_keyword.c handles a single keyword.
 */
#include "core/flags.h"
#include "encode/attr/apply.h"
#include "encode/encode_lookup.h"

/* perf sets this for every event of the PMU that samples through the ring buffer. */
#define BPF_OUTPUT_SAMPLE_PERIOD 1u
/* The bits of config that are a generic event's number; the others can be a PMU's type. */
#define GENERIC_MASK UINT64_C(0xffffffff)

void pq_apply_clock_unit(uint64_t config, struct pq_encoding *encoding)
{
	if (encoding->attr.type != PQ_TYPE_SOFTWARE || !pq_software_is_clock(config))
		return;
	encoding->record.unit = STR("msec");
	encoding->record.scale = STR("1e-6");
}

void pq_apply_bpf_output(const struct pq_encoder *e, struct pq_encoding *encoding)
{
	const struct pmuq_str term = STR("bpf-output");

	if (encoding->attr.type != PQ_TYPE_SOFTWARE || !pq_is_perf(e) ||
	    encoding->attr.config != PQ_SOFTWARE_BPF_OUTPUT)
		return;
	pq_assign_all(e, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_TRACEPOINT,
		      pq_cause_default(term));
	pq_assign_all(e, encoding, PQ_FIELD_sample_period, BPF_OUTPUT_SAMPLE_PERIOD,
		      pq_cause_default(term));
}

/* With several core PMUs, the upper half of config selects the one that counts. */
static int extend_type(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		       struct pq_encoding *encoding)
{
	bool takes_extended = false;
	int r = pq_takes_extended(e, &takes_extended);

	if (takes_extended)
		pq_assign(e, encoding, PQ_FIELD_config, PQ_ASSIGN_REPLACES, ~GENERIC_MASK,
			  (uint64_t)pmu->type << 32, pq_cause_type(pmu));
	return r;
}

/* A generic event replaces the PMU's type with the type of the generic events. Software events keep
 * it: theirs is the software PMU's own type. The bindings are the cause, if assignments are
 * requested. */
static __attribute__((noinline)) int
apply_generic(const struct pq_encoder *e, const struct pmuq_pmu *pmu, const struct pq_bindings *b,
	      const struct pq_binding *binding, const struct pq_generic *generic,
	      struct pq_encoding *encoding)
{
	bool is_software = generic->type == PQ_GENERIC_SOFTWARE;
	uint32_t type = generic->type == PQ_GENERIC_CACHE ? PQ_TYPE_HW_CACHE : PQ_TYPE_HARDWARE;

	if (!is_software)
		pq_assign_all(e, encoding, PQ_FIELD_type, type, pq_cause_binding(b, binding));
	pq_assign_all(e, encoding, PQ_FIELD_config, generic->config, pq_cause_binding(b, binding));
	if (!is_software)
		return extend_type(e, pmu, encoding);
	pq_apply_clock_unit(generic->config, encoding);
	return 0;
}

int pq_apply_generic(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		     const struct pq_generic *generic, struct pq_encoding *encoding)
{
	encoding->record.origin = PMUQ_FROM_GENERIC;
	pq_assign_write(encoding, PQ_FIELD_type, PQ_ASSIGN_REPLACES, PQ_WHOLE_FIELD, pmu->type);
	return apply_generic(e, pmu, NULL, NULL, generic, encoding);
}

/* legacy-hardware-config= and legacy-cache-config=: a generic event by its number. */
PQ_COLD static int apply_generic_number(const struct pq_encoder *e, const struct pq_bindings *b,
					const struct pq_binding *binding,
					struct pq_encoding *encoding)
{
	bool is_cache = binding->keyword->effect == PQ_SETS_CACHE;
	struct pq_generic generic = {
		.type = is_cache ? PQ_GENERIC_CACHE : PQ_GENERIC_HARDWARE,
	};
	const struct pq_term *term = binding->term;
	int r = pq_keyword_number(e, binding->keyword, term, &generic.config);

	if (r < 0)
		return r;
	/* Next to the name of an event, or to another number, it would be a second event. */
	if (!b->pmu->is_core || (b->has_event && !binding->is_alias) || b->generic)
		return pq_fail_at(e, term->at, PMUQ_E_NOT_CORE,
				  "'%.*s' needs a core PMU, and no other event next to it",
				  STR_ARG(term->key));
	if (is_cache ? !pq_cache_config_is_valid(generic.config)
		     : generic.config >= PQ_HARDWARE_COUNT)
		return pq_fail_at(e, term->value_at, PMUQ_E_BAD_VALUE,
				  "there is no generic event with that number");
	return apply_generic(e, b->pmu, b, binding, &generic, encoding);
}

/* A word that a later term sets, too, has no effect. */
static int note_setter(const struct pq_encoder *e, struct pq_encoding *encoding,
		       struct pq_bindings *b, unsigned word, const struct pq_binding *binding)
{
	const struct pq_binding *before = b->setters[word];

	b->setters[word] = binding;
	return before ? pq_warn_no_effect(e, encoding, before) : 0;
}

/* Sets a whole config word or something outside the config words. */
static int apply_word(const struct pq_encoder *e, struct pq_bindings *b,
		      const struct pq_binding *binding, struct pq_encoding *encoding)
{
	unsigned word = 0;
	int r;

	if (pq_is_generic(binding)) {
		r = binding->keyword
			    ? apply_generic_number(e, b, binding, encoding)
			    : apply_generic(e, b->pmu, b, binding, &binding->generic, encoding);
		b->generic = binding;
	} else {
		r = pq_apply_keyword(e, b, binding, encoding);
		if (r == 0 && binding->keyword->effect != PQ_SETS_CONFIG)
			return 0;
		word = binding->keyword->word;
	}
	if (r < 0)
		return pq_fail_in_event(e, b, binding, r);
	return note_setter(e, encoding, b, word, binding);
}

/* Inline: every event with a keyword or a generic name takes this path. */
static inline int apply_words(const struct pq_encoder *e, struct pq_bindings *b,
			      struct pq_encoding *encoding)
{
	int r = 0;

	for (size_t i = 0; i < b->n && r == 0; i++) {
		const struct pq_binding *binding = &b->v[i];

		if (binding->role == PQ_ROLE_KEYWORD || binding->role == PQ_ROLE_GENERIC)
			r = apply_word(e, b, binding, encoding);
		else if (binding->role == PQ_ROLE_OVERRIDDEN && binding->keyword)
			pq_keep_overridden(e, b, binding, encoding);
	}
	return r;
}

PQ_COLD int pq_apply_words(const struct pq_encoder *e, struct pq_bindings *b,
			   struct pq_encoding *encoding)
{
	return apply_words(e, b, encoding);
}

/* On a PMU with a default config, the zeros of a term are written, too. True: two terms write the
 * same bit. */
static bool apply_formats(const struct pq_encoder *e, const struct pq_bindings *b,
			  struct pq_encoding *encoding)
{
	enum pq_assign_how how = pq_has_default_config(b->pmu) ? PQ_ASSIGN_REPLACES : PQ_ASSIGN_ORS;
	uint64_t taken[PQ_CONFIG_WORDS] = { 0 }, shared = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];
		bool is_overridden = binding->role == PQ_ROLE_OVERRIDDEN && binding->format;
		struct pmuq_bits bits;

		if (binding->role != PQ_ROLE_FORMAT && !is_overridden)
			continue;
		bits = binding->format->bits;
		pq_assign_config(e, encoding, (unsigned)bits.word,
				 is_overridden ? PQ_ASSIGN_IS_OVERRIDDEN : how, bits.mask,
				 pq_bits_scatter(bits, binding->value),
				 pq_cause_binding(b, binding));
		if (is_overridden)
			continue;
		shared |= taken[bits.word] & bits.mask;
		taken[bits.word] |= bits.mask;
	}
	return shared;
}

/* What the event has besides terms: where its name came from, its unit and scale, the PMU's type.
 */
static void apply_event(const struct pq_encoder *e, const struct pq_bindings *b,
			struct pq_encoding *encoding)
{
	encoding->record.origin = b->vendor	   ? PMUQ_FROM_JSON
				  : b->event	   ? PMUQ_FROM_SYSFS
				  : b->has_generic ? PMUQ_FROM_GENERIC
						   : PMUQ_FROM_FORMAT;
	if (b->event) {
		encoding->record.unit = b->event->unit;
		encoding->record.scale = b->event->scale;
		encoding->record.is_per_pkg = b->event->is_per_pkg;
		encoding->record.is_snapshot = b->event->is_snapshot;
	}
	if (!b->sets_type)
		pq_assign_all(e, encoding, PQ_FIELD_type, b->pmu->type, pq_cause_type(b->pmu));
}

PQ_COLD static int no_type(const struct pq_encoder *e, const struct pmuq_pmu *pmu)
{
	return pq_fail_at(e, e->node->name_at, PMUQ_E_NO_TYPE,
			  "PMU '%s' has no type number: its file 'type' is missing or unreadable",
			  pmu->name.p);
}

/* The order matters: a whole config word replaces the default config, and formats then add bits to
 * it. */
int pq_apply(const struct pq_encoder *e, struct pq_bindings *b, struct pq_encoding *encoding)
{
	bool shares_bits;
	int r;

	if (!b->pmu->has_type)
		return no_type(e, b->pmu);
	apply_event(e, b, encoding);
	r = pq_default_config(e, b->pmu, encoding);
	if (r == 0 && (b->has_keyword || b->has_generic))
		r = apply_words(e, b, encoding);
	if (r < 0)
		return r;
	if (b->has_keyword && b->has_event)
		pq_repeat_branch_types(e, b, encoding);
	shares_bits = apply_formats(e, b, encoding);
	if (!b->n)
		pq_apply_clock_unit(encoding->attr.config, encoding);
	pq_apply_bpf_output(e, encoding);
	if (pq_takes_probes(b->pmu))
		r = pq_apply_probe(e, b, encoding);
	if (r == 0 && b->has_cpus)
		r = pq_limit_cpus(e, b, encoding);
	return r == 0 && shares_bits ? pq_warn_shared_bits(e, b, encoding) : r;
}
