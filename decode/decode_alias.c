/* SPDX-License-Identifier: MIT */
/*
 * An attr as a named event of a PMU, plus the user's terms that are necessary: values for the
 * event's parameters, other values for formats that it sets, and formats that it does not set.
 * decode_vendor.c does the same for the events of a vendor's tables, with these functions.
 */
#include "core/vendor/vendor_table.h"
#include "decode/decode.h"
#include "encode/attr/apply.h"
#include "encode/parse/parse.h"

/* The config words that keywords of the event set. False if a keyword has an invalid value. */
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

/* A format that the event sets: unchanged, or with the user's value. False if neither is
 * possible. */
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
	/* A user's term cannot change config, which identifies the event, nor a vendor's event,
	 * whose name implies its values (load_latency_gt_4); perf can only add bits. */
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

/* A user's term replaces one term of the event: a format that occurs twice is not supported. */
static bool is_repeated(const struct pq_bindings *b, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (b->v[i].role == PQ_ROLE_FORMAT && b->v[i].format == b->v[index].format)
			return true;
	return false;
}

static bool set_terms(struct pq_decoder *d, const struct pq_encoder *e, struct pq_alias *alias)
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

/* Bits that the event does not set, as terms of other formats. */
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
	/* With another event number or umask it would be another event. */
	for (size_t i = from; i < alias->user.n; i++)
		if (pq_format_is_selector(alias->user.v[i].format))
			return false;
	return true;
}

int pq_offer_alias(struct pq_decoder *d, const struct pmuq_pmu *pmu, struct pq_alias *alias,
		   enum pq_rank rank)
{
	struct pq_phrase phrase = pq_phrase_new(d, pmu);
	const struct pmuq_format *format;
	struct pmuq_str name = alias->event->name;
	bool is_free;
	int r = pq_query(d, format, pmu, name, &format);

	if (r < 0)
		return r;
	is_free = r == PQ_NONE && pq_word_is_key(name) && !pq_keyword_find(name);
	if (is_free)
		pq_buf_add(&phrase.terms, name);
	else
		pq_buf_add(&phrase.terms, STR("event="));
	if (!is_free && !pq_write_name(&phrase.terms, name))
		return 0;
	pq_write_choices(&phrase.terms, &alias->user);
	return pq_offer(d, rank, &phrase);
}

/* Fewer terms are better; of events with as many, the one that sets more bits itself. */
static bool is_better(const struct pq_alias *alias, const struct pq_alias *than)
{
	if (!than->event)
		return true;
	if (alias->cost != than->cost)
		return alias->cost < than->cost;
	return alias->covered > than->covered;
}

/* Whether the word names this event, and not another one of that name. */
static bool is_named(const struct pq_bindings *bindings, const struct pq_alias *alias)
{
	return bindings->vendor == alias->vendor && bindings->event &&
	       str_eq(bindings->event->name, alias->event->name);
}

/* People write the names of a vendor's events without a PMU. */
static int offer_bare(struct pq_decoder *d, const struct pq_alias *alias, enum pq_rank rank)
{
	struct pq_phrase phrase = pq_phrase_new(d, NULL);

	return pq_write_name(&phrase.head, alias->event->name) ? pq_offer(d, rank, &phrase) : 0;
}

static int offer_vendor(struct pq_decoder *d, const struct pmuq_pmu *pmu, struct pq_alias *alias)
{
	enum pq_rank rank = alias->vendor->is_deprecated ? PQ_RANK_DEPRECATED : PQ_RANK_VENDOR;
	int r = alias->user.n ? 0 : offer_bare(d, alias, rank);

	return r < 0 ? r : pq_offer_alias(d, pmu, alias, rank);
}

static int consider(struct pq_decoder *d, const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		    uint64_t before, struct pq_alias *alias, struct pq_alias *best)
{
	struct pq_named named = { .word = alias->event->name };
	struct pq_bindings bindings;
	int r = pq_bind(e, pmu, &named, &bindings);

	alias->bindings = &bindings;
	if (pq_is_resource_error(r))
		return pq_fail_resource(d->reterr, r);
	/* Names are found without regard to case: the event may have another spelling. */
	if (r < 0 || !is_named(&bindings, alias) || !set_terms(d, e, alias) ||
	    !add_rest(d, pmu, before, alias))
		return 0;
	alias->bindings = NULL;
	alias->cost += 1 + (unsigned)alias->user.n;
	if (alias->vendor && alias->user.n == alias->n_parameters)
		return offer_vendor(d, pmu, alias);
	if (!alias->user.n)
		return pq_offer_alias(d, pmu, alias, PQ_RANK_EVENT);
	if (alias->user.n == alias->n_parameters)
		return pq_offer_alias(d, pmu, alias, PQ_RANK_PARAMETERS);
	if (alias->covered && is_better(alias, best))
		*best = *alias;
	return 0;
}

#define SCRATCH_BYTES 4096

int pq_decode_event(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		    const struct pmuq_event *event, const struct pmuq_vendor_event *vendor,
		    struct pq_alias *best)
{
	static const struct pq_node no_node = { .type = PQ_NODE_NAME };
	auto_arena struct pq_arena scratch = { 0 };
	_Alignas(16) char first[SCRATCH_BYTES];
	struct pq_encoder_facts facts = { .n_placeholders = 0 };
	struct pq_encoder e = {
		.lookup = d->lookup,
		.options = &d->event_options,
		.facts = &facts,
		.arena = &scratch,
		.scratch = &scratch,
		.node = &no_node,
	};
	struct pq_alias alias;
	int r;

	/* Not the whole array: a PMU has hundreds of events, and few need it. */
	memset(&alias, 0, offsetof(struct pq_alias, user.v));
	alias.event = event;
	alias.vendor = vendor;
	pq_arena_init(&scratch, first, sizeof(first), PQ_ENCODE_MAX_BYTES);
	r = consider(d, &e, pmu, before, &alias, best);
	return r == 0 && (facts.failed || scratch.is_refused) ? pq_fail_memory(d->reterr) : r;
}

int pq_decode_aliases(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		      size_t n_terms)
{
	struct pq_alias best = { 0 };
	int r = 0;

	if (!pq_decode_allows(d, PMUQ_FROM_SYSFS))
		return 0;
	for (size_t i = 0; r == 0 && i < pmu->definition->n_events; i++)
		r = pq_decode_event(d, pmu, before, &pq_def_of(pmu)->events[i], NULL, &best);
	if (r < 0 || !best.event)
		return r;
	return pq_offer_alias(d, pmu, &best,
			      best.cost <= n_terms ? PQ_RANK_VARIANT : PQ_RANK_FAR_VARIANT);
}
