/* SPDX-License-Identifier: MIT */
/*
 * An attr as terms of a PMU's formats, and as config words. Which formats are written is a choice,
 * because formats overlap; decode.c verifies the result.
 */
#include "decode/decode.h"
#include "encode/attr/apply.h"

bool pq_format_is_selector(const struct pmuq_format *format)
{
	return str_starts(format->name, STR("event")) || str_starts(format->name, STR("umask"));
}

/* A format whose name cannot be written as a term, or is a keyword's, is not usable. */
static bool is_usable(const struct pmuq_format *format)
{
	return format->bits.word >= 0 && format->bits.mask && pq_word_is_key(format->name) &&
	       !pq_keyword_find(format->name);
}

/*
 * Formats of Intel's core PMUs that share config1 and mean something to a few events alone (Intel
 * SDM 3B, "Offcore Response", "Load Latency", "Frontend Events"). The table only decides which of
 * them is written.
 */
static const struct {
	struct pmuq_str format;
	uint8_t events[4]; /* the low byte of config */
} config1_uses[] = {
	{ .format = STR("frontend"), .events = { 0xc6 } },
	{ .format = STR("ldlat"), .events = { 0xcd, 0xd0 } },
	{ .format = STR("offcore_rsp"), .events = { 0xb7, 0xbb, 0x2a, 0x2b } },
};

/* 1: the format is for this event; -1: for other events; 0: it is not in the table. */
static int aptness(const struct pq_decoder *d, const struct pmuq_format *format)
{
	uint8_t event = (uint8_t)d->words.v[0];

	for (size_t i = 0; i < COUNT(config1_uses); i++)
		if (str_eq(config1_uses[i].format, format->name))
			return event && memchr(config1_uses[i].events, event,
					       sizeof(config1_uses[i].events))
				       ? 1
				       : -1;
	return 0;
}

/* Of formats that cover the same bits: event and umask first, then the narrowest. */
static bool is_better(const struct pq_decoder *d, const struct pmuq_format *format,
		      const struct pmuq_format *than)
{
	bool is_selector = pq_format_is_selector(format);
	int more_apt = aptness(d, format) - aptness(d, than);

	if (is_selector != pq_format_is_selector(than))
		return is_selector;
	return more_apt ? more_apt > 0 : format->bits.width < than->bits.width;
}

/* The format that covers most of the bits and none of `taken`; NULL if there is none. */
static const struct pmuq_format *best_format(const struct pq_decoder *d, const struct pmuq_pmu *pmu,
					     unsigned word, uint64_t need, uint64_t taken)
{
	const struct pmuq_format *best = NULL;
	int best_cover = 0;

	for (size_t i = 0; i < pmu->definition->n_formats; i++) {
		const struct pmuq_format *format = &pq_def_of(pmu)->formats[i];
		int cover = __builtin_popcountll(format->bits.mask & need);

		if (!cover || format->bits.word != (int)word || format->bits.mask & taken ||
		    !is_usable(format) || cover < best_cover ||
		    (cover == best_cover && !is_better(d, format, best)))
			continue;
		best = format;
		best_cover = cover;
	}
	return best;
}

void pq_choose_formats(const struct pq_decoder *d, const struct pmuq_pmu *pmu,
		       struct pq_words *need, struct pq_words *taken, struct pq_choices *choices)
{
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		while (choices->n < COUNT(choices->v)) {
			const struct pmuq_format *format =
				best_format(d, pmu, word, need->v[word], taken->v[word]);
			uint64_t mask;

			if (!format)
				break;
			mask = format->bits.mask;
			choices->v[choices->n++] = (struct pq_choice){
				.format = format,
				.value = pq_bits_gather(mask, d->words.v[word]),
			};
			need->v[word] &= ~mask;
			taken->v[word] |= mask;
		}
}

/* event, umask, then by the position of their bits in the attr. */
static unsigned order_of(const struct pmuq_format *format)
{
	if (str_eq(format->name, STR("event")))
		return 0;
	if (str_eq(format->name, STR("umask")))
		return 1;
	return 2 + (unsigned)format->bits.word * 64 + (unsigned)__builtin_ctzll(format->bits.mask);
}

static int compare_choices(const void *a, const void *b)
{
	unsigned x = order_of(((const struct pq_choice *)a)->format);
	unsigned y = order_of(((const struct pq_choice *)b)->format);

	return x < y ? -1 : x > y;
}

void pq_write_choices(struct pq_buf *terms, struct pq_choices *choices)
{
	qsort(choices->v, choices->n, sizeof(*choices->v), compare_choices);
	for (size_t i = 0; i < choices->n; i++) {
		const struct pq_choice *choice = &choices->v[i];

		if (choice->format->bits.width == 1)
			pq_write_flag(terms, choice->format->name, choice->value);
		else
			pq_write_term(terms, choice->format->name, choice->value);
	}
}

/* The PMU's config before any term. */
static int find_default(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t *ret)
{
	struct pq_encoder e = { .lookup = d->lookup, .options = &d->options, .reterr = d->reterr };
	struct pq_encoding encoding = { .on = pmu };
	int r = pq_default_config(&e, pmu, &encoding);

	*ret = encoding.attr.config;
	return r;
}

/* event=0 is written although it sets no bit: it is the event. */
static void add_zero_event(const struct pmuq_pmu *pmu, struct pq_words *taken,
			   struct pq_choices *choices)
{
	for (size_t i = 0; i < pmu->definition->n_formats; i++) {
		const struct pmuq_format *format = &pq_def_of(pmu)->formats[i];

		if (!str_eq(format->name, STR("event")) || !is_usable(format) ||
		    taken->v[format->bits.word] & format->bits.mask ||
		    choices->n == COUNT(choices->v))
			continue;
		choices->v[choices->n++] = (struct pq_choice){ .format = format };
		taken->v[format->bits.word] |= format->bits.mask;
	}
}

/* Whether an event number or umask was chosen in the word. */
static bool has_selector(const struct pq_choices *choices, unsigned word)
{
	for (size_t i = 0; i < choices->n; i++)
		if (choices->v[i].format->bits.word == (int)word &&
		    pq_format_is_selector(choices->v[i].format))
			return true;
	return false;
}

static void drop_choices(struct pq_choices *choices, unsigned word)
{
	size_t n = 0;

	for (size_t i = 0; i < choices->n; i++)
		if (choices->v[i].format->bits.word != (int)word)
			choices->v[n++] = choices->v[i];
	choices->n = n;
}

/* A word with bits of no format is written as configN=, unless an event number or umask was chosen
 * in it. True if there is no such word. */
static bool keep_words_whole(const struct pq_decoder *d, struct pq_words *need,
			     struct pq_words *taken, struct pq_choices *choices)
{
	bool is_complete = true;

	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++) {
		if (!need->v[word])
			continue;
		is_complete = false;
		if (has_selector(choices, word))
			continue;
		drop_choices(choices, word);
		need->v[word] = d->words.v[word];
		taken->v[word] = UINT64_MAX;
	}
	return is_complete;
}

static size_t count_zeros(const struct pq_choices *choices)
{
	size_t n = 0;

	for (size_t i = 0; i < choices->n; i++)
		n += !choices->v[i].value;
	return n;
}

/* With more terms that only clear a default, config= is better. */
#define CLEARED_MAX 2u

/* Terms, and config= for bits that no format has. *ret_n is the number of terms, or PQ_TERMS_MAX if
 * terms alone are not enough. */
static int offer_terms(struct pq_decoder *d, const struct pmuq_pmu *pmu, uint64_t before,
		       size_t *ret_n)
{
	struct pq_phrase phrase = pq_phrase_new(d, pmu);
	struct pq_words need = d->words, taken = { 0 };
	struct pq_choices choices = { 0 };
	enum pq_rank rank = PQ_RANK_TERMS;
	bool is_whole;

	need.v[0] ^= before;
	pq_choose_formats(d, pmu, &need, &taken, &choices);
	/* config= replaces the default, too. */
	if (before && need.v[0])
		drop_choices(&choices, 0);
	is_whole = keep_words_whole(d, &need, &taken, &choices);
	if (!before)
		add_zero_event(pmu, &taken, &choices);
	*ret_n = is_whole ? choices.n : PQ_TERMS_MAX;
	if (!choices.n && !(before && is_whole))
		return 0;
	if (before && count_zeros(&choices) > CLEARED_MAX)
		rank = PQ_RANK_NUMERIC;
	if (need.v[0])
		pq_write_term(&phrase.terms, pq_attr_config_name(0), need.v[0]);
	pq_write_choices(&phrase.terms, &choices);
	pq_write_words(&phrase.terms, &need, 1);
	return pq_offer(d, is_whole ? rank : PQ_RANK_PATCHED, &phrase);
}

static int offer_config(struct pq_decoder *d, const struct pmuq_pmu *pmu)
{
	struct pq_phrase phrase = pq_phrase_new(d, pmu);

	/* config=0 is written if there is no other word, or if the PMU has a default. */
	if (!d->words.v[0])
		pq_write_term(&phrase.terms, STR("config"), 0);
	pq_write_words(&phrase.terms, &d->words, 0);
	return pq_offer(d, PQ_RANK_CONFIG, &phrase);
}

int pq_decode_pmu(struct pq_decoder *d, const struct pmuq_pmu *pmu)
{
	struct pq_buf head = pq_phrase_new(d, pmu).head;
	size_t n_terms = 0;
	uint64_t before;
	int r;

	if (!head.n)
		return head.failed ? pq_fail_memory(d->reterr) : 0;
	r = pq_query(d, load, pmu);
	if (r == 0)
		r = find_default(d, pmu, &before);
	if (r == 0)
		r = pq_decode_probe(d, pmu);
	if (r == 0)
		r = offer_terms(d, pmu, before, &n_terms);
	if (r == 0)
		r = pq_decode_aliases(d, pmu, before, n_terms);
	if (r == 0)
		r = pq_decode_vendor(d, pmu, before, n_terms);
	return r < 0 ? r : offer_config(d, pmu);
}
