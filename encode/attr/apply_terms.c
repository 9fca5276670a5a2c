/* SPDX-License-Identifier: MIT */
/* Puts bound terms into the attr: keywords in the order of the text, then the formats' bits. */
#include "core/flags.h"
#include "encode/encoder.h"

/* perf sets this for every event of the PMU that samples through the ring buffer. */
#define BPF_OUTPUT_SAMPLE_PERIOD 1u

void pq_apply_clock_unit(uint64_t config, struct pmuq_encoding *encoding)
{
	if (encoding->attr.type != PQ_TYPE_SOFTWARE || !pq_software_is_clock(config))
		return;
	encoding->unit = STR("msec");
	encoding->scale = STR("1e-6");
}

static bool is_perfs_bpf_output(const struct pq_encoder *e, const struct pmuq_attr *attr)
{
	return attr->type == PQ_TYPE_SOFTWARE && pq_is_perf(e) &&
	       attr->config == PQ_SOFTWARE_BPF_OUTPUT;
}

void pq_apply_bpf_output(const struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	struct pmuq_attr *attr = &encoding->attr;

	if (!is_perfs_bpf_output(e, attr))
		return;
	attr->sample_type = PQ_SAMPLE_TRACEPOINT;
	attr->sample_period = BPF_OUTPUT_SAMPLE_PERIOD;
}

int pq_assign_bpf_output(struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	struct pmuq_str term = STR("bpf-output");
	int r;

	if (!is_perfs_bpf_output(e, &encoding->attr))
		return 0;
	r = pq_assign_default(e, encoding, "sample_type", PQ_SAMPLE_TRACEPOINT, term);
	if (r < 0)
		return r;
	return pq_assign_default(e, encoding, "sample_period", BPF_OUTPUT_SAMPLE_PERIOD, term);
}

static int apply_generic(struct pq_encoder *e, const struct pmuq_pmu *pmu,
			 const struct pq_generic *generic, struct pmuq_encoding *encoding)
{
	struct pmuq_attr *attr = &encoding->attr;
	bool takes_extended = false;
	int r = 0;

	attr->config = generic->config;
	if (generic->kind == PQ_GENERIC_SOFTWARE) {
		pq_apply_clock_unit(generic->config, encoding);
		return 0;
	}
	attr->type = generic->kind == PQ_GENERIC_CACHE ? PQ_TYPE_HW_CACHE : PQ_TYPE_HARDWARE;
	r = pq_takes_extended(e, &takes_extended);
	if (takes_extended)
		attr->config |= (uint64_t)pmu->type << 32;
	return r;
}

/* legacy-hardware-config= and legacy-cache-config=: a generic event by its number. */
static int apply_generic_number(struct pq_encoder *e, const struct pmuq_pmu *pmu,
				const struct pq_binding *binding, bool has_event,
				struct pmuq_encoding *encoding)
{
	bool is_cache = binding->keyword->effect == PQ_SETS_CACHE;
	struct pq_generic generic = {
		.kind = is_cache ? PQ_GENERIC_CACHE : PQ_GENERIC_HARDWARE,
	};
	const struct pq_term *term = binding->term;
	int r = pq_keyword_number(e, binding->keyword, term, &generic.config);

	if (r < 0)
		return r;
	/* Beside the name of an event, or of another number, it would be a second event. */
	if (!pmu->is_core || (has_event && !binding->is_alias) || encoding->attr.type != pmu->type)
		return pq_fail_at(e, term->at, PMUQ_E_NOT_CORE,
				  "'%.*s' needs a core PMU, and no other event beside it",
				  STR_ARG(term->key));
	if (is_cache ? !pq_cache_config_is_valid(generic.config)
		     : generic.config >= PQ_HARDWARE_COUNT)
		return pq_fail_at(e, term->value_at, PMUQ_E_BAD_VALUE,
				  "there is no generic event of that number");
	return apply_generic(e, pmu, &generic, encoding);
}

/* What set config last, for the warning that it had no effect. */
static int note_overwritten(struct pq_encoder *e, struct pmuq_encoding *encoding,
			    const struct pq_binding **last, const struct pq_binding *binding)
{
	const struct pq_binding *before = *last;

	*last = binding;
	if (!before || before->is_alias || !before->term)
		return 0;
	return pq_warn_at(e, encoding, before->term->at, PMUQ_E_NO_EFFECT,
			  "'%.*s' has no effect: what stands behind it sets the same word",
			  STR_ARG(before->term->key));
}

/* Where an event is named, perf looks at the user's terms before and after it reads that event. All
 * but one mean the same the second time: a privilege that stood for all branches is then added. */
static int repeat_branch_types(struct pq_encoder *e, const struct pq_bindings *b,
			       struct pmuq_encoding *encoding)
{
	int r = 0;

	for (size_t i = 0; i < b->n && r >= 0; i++)
		if (b->v[i].role == PQ_ROLE_KEYWORD &&
		    b->v[i].keyword->effect == PQ_SETS_BRANCH_TYPE)
			r = pq_apply_keyword(e, b->v[i].keyword, b->v[i].term, encoding);
	return r;
}

static int apply_keywords(struct pq_encoder *e, const struct pq_bindings *b,
			  struct pmuq_encoding *encoding)
{
	const struct pq_binding *last[PQ_CONFIG_WORDS] = { 0 };
	int r = 0;

	for (size_t i = 0; i < b->n && r >= 0; i++) {
		const struct pq_binding *binding = &b->v[i];
		bool is_keyword = binding->role == PQ_ROLE_KEYWORD;

		if (binding->role == PQ_ROLE_GENERIC)
			r = apply_generic(e, b->pmu, &binding->generic, encoding);
		else if (is_keyword && (binding->keyword->effect == PQ_SETS_HARDWARE ||
					binding->keyword->effect == PQ_SETS_CACHE))
			r = apply_generic_number(e, b->pmu, binding, b->has_event, encoding);
		else if (is_keyword)
			r = pq_apply_keyword(e, binding->keyword, binding->term, encoding);
		else
			continue;
		r = pq_blame(e, b, binding, r);
		if (r < 0)
			break;
		if (!is_keyword || binding->keyword->effect == PQ_SETS_HARDWARE ||
		    binding->keyword->effect == PQ_SETS_CACHE)
			r = note_overwritten(e, encoding, &last[0], binding);
		else if (binding->keyword->effect == PQ_SETS_CONFIG)
			r = note_overwritten(e, encoding, &last[binding->keyword->word], binding);
	}
	return r;
}

/* Where a PMU has a default config, a term's zeros count, too. True when two terms meet in a bit.
 */
static bool apply_formats(const struct pq_bindings *b, bool has_default, struct pmuq_attr *attr)
{
	uint64_t taken[PQ_CONFIG_WORDS] = { 0 };
	bool shares_bits = false;

	for (size_t i = 0; i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];
		struct pq_bits bits;
		uint64_t *word;

		if (binding->role != PQ_ROLE_FORMAT)
			continue;
		bits = binding->format->bits;
		word = pq_attr_config(attr, (unsigned)bits.word);
		if (has_default)
			*word &= ~bits.mask;
		*word |= pq_bits_scatter(bits, binding->value);
		shares_bits |= taken[bits.word] & bits.mask;
		taken[bits.word] |= bits.mask;
	}
	return shares_bits;
}

static bool share_bits(const struct pq_binding *a, const struct pq_binding *b)
{
	return a->role == PQ_ROLE_FORMAT && b->role == PQ_ROLE_FORMAT &&
	       a->format->bits.word == b->format->bits.word &&
	       a->format->bits.mask & b->format->bits.mask &&
	       !str_eq(a->format->name, b->format->name);
}

static int warn_shared_bits(struct pq_encoder *e, const struct pq_bindings *b,
			    struct pmuq_encoding *encoding)
{
	for (size_t i = 0; i < b->n; i++)
		for (size_t j = 0; j < b->n; j++) {
			const struct pq_binding *user = &b->v[i], *other = &b->v[j];
			int r;

			/* Each pair once, at the user's later term. */
			if (user->is_alias || !share_bits(user, other) ||
			    (!other->is_alias && j > i))
				continue;
			r = pq_warn_at(
				e, encoding, user->term->at, PMUQ_E_SHARED_BITS,
				"'%s' and '%s' share bits of %.*s, and were ORed",
				user->format->name.p, other->format->name.p,
				STR_ARG(pq_attr_config_name((unsigned)user->format->bits.word)));
			if (r < 0)
				return r;
		}
	return 0;
}

static void apply_event(const struct pmuq_event *event, struct pmuq_encoding *encoding)
{
	encoding->unit = event->unit;
	encoding->scale = event->scale;
	encoding->is_per_pkg = event->is_per_pkg;
	encoding->is_snapshot = event->is_snapshot;
}

int pq_apply(struct pq_encoder *e, const struct pq_bindings *b, struct pmuq_encoding *encoding)
{
	bool shares_bits;
	int r;

	if (!b->pmu->has_type)
		return pq_fail_at(
			e, e->node->name_at, PMUQ_E_NO_TYPE,
			"PMU '%s' has no type number: its file 'type' is missing or unreadable",
			b->pmu->name.p);
	encoding->attr.type = b->pmu->type;
	encoding->origin = b->vendor	    ? PMUQ_FROM_JSON
			   : b->event	    ? PMUQ_FROM_SYSFS
			   : b->has_generic ? PMUQ_FROM_GENERIC
					    : PMUQ_FROM_FORMAT;
	r = pq_default_config(e, b->pmu, encoding);
	if (r < 0)
		return r;
	if (b->event)
		apply_event(b->event, encoding);
	if (b->has_keyword || b->has_generic)
		r = apply_keywords(e, b, encoding);
	if (r == 0 && b->has_keyword && b->has_event)
		r = repeat_branch_types(e, b, encoding);
	if (r < 0)
		return r;
	shares_bits = apply_formats(b, pq_has_default_config(b->pmu), &encoding->attr);
	if (!b->n)
		pq_apply_clock_unit(encoding->attr.config, encoding);
	pq_apply_bpf_output(e, encoding);
	if (pq_is_explained(e))
		r = pq_assign_bindings(e, b, encoding);
	if (r == 0 && pq_takes_probes(b->pmu))
		r = pq_apply_probe(e, b, encoding);
	if (r == 0 && b->has_cpus)
		r = pq_limit_cpus(e, b, encoding);
	if (r == 0 && shares_bits)
		r = warn_shared_bits(e, b, encoding);
	return r;
}
