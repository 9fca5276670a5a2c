/* SPDX-License-Identifier: MIT */
/*
 * An attr as an event that a PMU names, with the user's terms that it takes: values for its
 * parameters, other values for what it sets, and what it does not speak of.
 */
#include "core/vendor/vendor_table.h"
#include "decode/decode.h"
#include "encode/attr/apply.h"

/* The words that its keywords set whole. False when one has a value that is refused. */
static bool set_words(const struct pq_encoder *e, struct pq_alias *alias)
{
	struct pq_bindings *b = alias->bindings;
	struct pq_encoding encoding = { .on = b->pmu };

	if (b->has_keyword && pq_apply_words(e, b, &encoding) < 0)
		return false;
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		if (b->setters[word]) {
			alias->words.v[word] = *pq_attr_config(&encoding.attr, word);
			alias->taken.v[word] = UINT64_MAX;
		}
	return true;
}

/* One of its formats: as it is, or with the user's value. False when it cannot be so. */
static bool set_format(const struct pq_decoder *d, const struct pq_binding *binding,
		       struct pq_alias *alias)
{
	struct pmuq_bits bits = binding->format->bits;
	uint64_t wanted = pq_bits_gather(bits.mask, d->words.v[bits.word]);
	uint64_t value = binding->is_parameter ? wanted : binding->value;
	bool is_perf = d->options.dialect == PMUQ_DIALECT_PERF;

	alias->taken.v[bits.word] |= bits.mask;
	if (value == wanted)
		alias->covered += (unsigned)__builtin_popcountll(value);
	/* What an event is called for is not to be changed, and perf can only add bits. A vendor's
	 * names tell all that their terms say: load_latency_gt_4 is never one of 5. */
	if (value != wanted && (bits.word == 0 || alias->vendor || (is_perf && value & ~wanted)))
		return false;
	alias->words.v[bits.word] |= pq_bits_scatter(bits, wanted);
	if (!binding->is_parameter && value == wanted)
		return true;
	if (alias->user.n == COUNT(alias->user.v))
		return false;
	alias->user.v[alias->user.n++] =
		(struct pq_choice){ .format = binding->format, .value = wanted };
	alias->n_parameters += binding->is_parameter;
	alias->cost += !binding->is_parameter && !wanted;
	return true;
}

/* The same format twice is one term too many for the user to replace. */
static bool is_repeated(const struct pq_bindings *b, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (b->v[i].role == PQ_ROLE_FORMAT && b->v[i].format == b->v[index].format)
			return true;
	return false;
}

static bool lay_terms(struct pq_decoder *d, const struct pq_encoder *e, struct pq_alias *alias)
{
	const struct pq_bindings *b = alias->bindings;

	if (!set_words(e, alias))
		return false;
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].role == PQ_ROLE_FORMAT &&
		    (is_repeated(b, i) || !set_format(d, &b->v[i], alias)))
			return false;
	return true;
}

/* What the event does not speak of. */
static bool add_rest(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		     struct pq_alias *alias)
{
	struct pq_words need = { 0 };
	size_t from = alias->user.n;

	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++) {
		uint64_t base = word || alias->taken.v[0] == UINT64_MAX ? 0 : before;

		need.v[word] =
			((base & ~alias->taken.v[word]) | alias->words.v[word]) ^ d->words.v[word];
		if (need.v[word] & alias->taken.v[word])
			return false;
	}
	pq_choose_formats(d, pmu, &need, &alias->taken, &alias->user);
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		if (need.v[word])
			return false;
	/* Another event, or another part of it, is not what the name stands for. */
	for (size_t i = from; i < alias->user.n; i++)
		if (pq_format_is_selector(alias->user.v[i].format))
			return false;
	return true;
}

int pq_offer_alias(struct pq_decoder *d, const struct pmuq_pmu *pmu, struct pq_alias *alias,
		   enum pq_rank rank)
{
	cleanup(pq_buf_free) struct pq_buf head = PQ_BUF_NULL;
	struct pq_phrase phrase = { .is_pmu = true };
	const struct pmuq_format *format;
	struct pmuq_str name = alias->event->name;
	bool is_free;
	int r = d->lookup.ops->format(d->lookup.self, pmu, name, &format, d->reterr);

	if (r < 0)
		return r;
	is_free = r == PQ_NONE && pq_word_is_key(name) && !pq_keyword_find(name);
	pq_say_name(&head, pmu->name);
	if (!is_free)
		pq_buf_add(&phrase.terms, STR("event="));
	if (is_free)
		pq_buf_add(&phrase.terms, name);
	else if (!pq_say_name(&phrase.terms, name)) {
		pq_buf_free(&phrase.terms);
		return 0;
	}
	pq_say_choices(&phrase.terms, &alias->user);
	phrase.head = pq_buf_str(&head);
	phrase.terms.failed |= head.failed;
	return pq_offer(d, rank, &phrase);
}

static bool is_better(const struct pq_alias *alias, const struct pq_alias *than)
{
	if (!than->event)
		return true;
	if (alias->cost != than->cost)
		return alias->cost < than->cost;
	return alias->covered > than->covered;
}

/* Whether the word names the event, and no other of that name. */
static bool is_named(const struct pq_bindings *bindings, const struct pq_alias *ask)
{
	return bindings->vendor == ask->vendor && bindings->event &&
	       str_eq(bindings->event->name, ask->event->name);
}

/* The bare name of a vendor's event is how people write it. */
static int offer_bare(struct pq_decoder *d, const struct pq_alias *alias, enum pq_rank rank)
{
	cleanup(pq_buf_free) struct pq_buf head = PQ_BUF_NULL;
	struct pq_phrase phrase = { 0 };

	if (!pq_say_name(&head, alias->event->name))
		return 0;
	phrase.head = pq_buf_str(&head);
	phrase.terms.failed = head.failed;
	return pq_offer(d, rank, &phrase);
}

static int offer_vendor(struct pq_decoder *d, const struct pmuq_pmu *pmu, struct pq_alias *alias)
{
	enum pq_rank rank = alias->vendor->is_deprecated ? PQ_RANK_DEPRECATED : PQ_RANK_VENDOR;
	int r = alias->user.n ? 0 : offer_bare(d, alias, rank);

	return r < 0 ? r : pq_offer_alias(d, pmu, alias, rank);
}

static int consider(struct pq_decoder *d, const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		    uint64_t before, struct pq_alias alias, struct pq_alias *best)
{
	struct pq_named named = { .word = alias.event->name };
	struct pq_bindings bindings;
	int r = pq_bind(e, pmu, &named, &bindings);

	alias.bindings = &bindings;
	if (pq_is_resource_error(r))
		return pq_fail_resource(d->reterr, r);
	/* Another spelling of the name may be the one that is found. */
	if (r < 0 || !is_named(&bindings, &alias) || !lay_terms(d, e, &alias) ||
	    !add_rest(d, pmu, before, &alias))
		return 0;
	alias.bindings = NULL;
	alias.cost += 1 + (unsigned)alias.user.n;
	if (alias.vendor && alias.user.n == alias.n_parameters)
		return offer_vendor(d, pmu, &alias);
	if (!alias.user.n)
		return pq_offer_alias(d, pmu, &alias, PQ_RANK_EVENT);
	if (alias.user.n == alias.n_parameters)
		return pq_offer_alias(d, pmu, &alias, PQ_RANK_PARAMETERS);
	if (alias.covered && is_better(&alias, best))
		*best = alias;
	return 0;
}

#define SCRATCH_BYTES 4096

int pq_decode_event(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		    const struct pq_alias *ask, struct pq_alias *best)
{
	static const struct pq_node no_node = { .kind = PQ_NODE_NAME };
	cleanup(pq_arena_clear) struct pq_arena scratch = { 0 };
	_Alignas(16) char first[SCRATCH_BYTES];
	struct pmuq_encode_options options = d->options;
	struct pq_encoder_facts facts = { .n_placeholders = 0 };
	struct pq_encoder e = {
		.lookup = d->lookup,
		.options = &options,
		.facts = &facts,
		.arena = &scratch,
		.scratch = &scratch,
		.node = &no_node,
	};

	/* To perf a bare name may be a format; here it is an event's. */
	options.dialect = PMUQ_DIALECT_PMUQ;
	pq_arena_init(&scratch, first, sizeof(first), PQ_ENCODE_MAX_BYTES);
	return consider(d, &e, pmu, before, *ask, best);
}

int pq_decode_aliases(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		      size_t n_terms)
{
	struct pq_alias best = { 0 };
	int r = 0;

	if (d->options.from && !(d->options.from & PMUQ_FROM_SYSFS))
		return 0;
	for (size_t i = 0; r == 0 && i < pmu->definition->n_events; i++) {
		struct pq_alias ask = { .event = &pq_def_of(pmu)->events[i] };

		r = pq_decode_event(d, pmu, before, &ask, &best);
	}
	if (r < 0 || !best.event)
		return r;
	return pq_offer_alias(d, pmu, &best,
			      best.cost <= n_terms ? PQ_RANK_VARIANT : PQ_RANK_FAR_VARIANT);
}
