/* SPDX-License-Identifier: MIT */
/*
 * Writes pieces of event strings (names, terms, modifiers) so that the scanner reads them back, and
 * lists the candidates made of them. decode.c tries which of them give the attr.
 */
#include "core/flags.h"
#include "decode/decode.h"
#include "encode/parse/parse.h"

static void write_key(struct pq_buf *terms, struct pmuq_str key)
{
	if (terms->n)
		pq_buf_char(terms, ',', 1);
	pq_buf_add(terms, key);
}

void pq_write_term(struct pq_buf *terms, struct pmuq_str key, uint64_t value)
{
	write_key(terms, key);
	pq_buf_print(terms, "=0x%llx", (unsigned long long)value);
}

void pq_write_flag(struct pq_buf *terms, struct pmuq_str key, uint64_t value)
{
	uint64_t raw;

	/* A bare rNN would be a raw event. */
	if (value == 1 && !pq_word_is_raw(key, true, &raw))
		write_key(terms, key);
	else
		pq_write_term(terms, key, value);
}

void pq_write_words(struct pq_buf *terms, const struct pq_words *words, unsigned first)
{
	for (unsigned word = first; word < PQ_CONFIG_WORDS; word++)
		if (words->v[word])
			pq_write_term(terms, pq_attr_config_name(word), words->v[word]);
}

struct pq_phrase pq_phrase_new(struct pq_decoder *d, const struct pmuq_pmu *pmu)
{
	struct pq_phrase phrase = {
		.head = PQ_BUF_IN(&d->arena),
		.terms = PQ_BUF_IN(&d->arena),
		.is_pmu = pmu,
	};

	if (pmu)
		pq_write_name(&phrase.head, pmu->name);
	return phrase;
}

int pq_offer_text(struct pq_decoder *d, enum pq_rank rank, struct pmuq_str text)
{
	struct pq_offer offer = { .text = pq_arena_str(&d->arena, text), .rank = rank };

	if (!offer.text.p || !pq_vec_push_in(&d->arena, &d->offers, offer))
		return pq_fail_memory(d->reterr);
	return 0;
}

int pq_offer(struct pq_decoder *d, enum pq_rank rank, struct pq_phrase *phrase)
{
	struct pq_buf *text = &phrase->head, *terms = &phrase->terms;
	bool has_slashes;

	pq_buf_char(terms, ',', d->branch.n && terms->n);
	pq_buf_add(terms, pq_buf_str(&d->branch));
	has_slashes = phrase->is_pmu || terms->n;
	pq_buf_char(text, '/', has_slashes);
	pq_buf_add(text, pq_buf_str(terms));
	pq_buf_char(text, '/', has_slashes);
	pq_buf_char(text, ':', *d->modifiers && !has_slashes);
	pq_buf_add(text, str_of(d->modifiers));
	if (text->failed || terms->failed)
		return pq_fail_memory(d->reterr);
	return pq_offer_text(d, rank, pq_buf_str(text));
}

/* Whether some members of the set are excluded, and not all: letters exclude the others of their
 * set, so no string excludes all. Then none of the set is wanted. */
static bool is_partly_excluded(struct pmuq_attr *wanted, enum pq_modifier_set set)
{
	bool any = false, all = true;

	for (uint64_t letters = pq_modifier_sets[set]; letters;) {
		bool is_excluded = pmuq_attr_get(wanted, pq_modifier_take(&letters)->field);

		any |= is_excluded;
		all &= is_excluded;
	}
	for (uint64_t letters = all ? pq_modifier_sets[set] : 0; letters;)
		pq_attr_set_if_fits(wanted, pq_modifier_take(&letters)->field, 0);
	return any && !all;
}

/* How often the letter must be written. */
static uint64_t times_of(struct pmuq_attr *wanted, const struct pq_modifier *m)
{
	switch (m->effect) {
	case PQ_MODIFIER_INCLUDES:
		return is_partly_excluded(wanted, m->set) && !pmuq_attr_get(wanted, m->field);
	case PQ_MODIFIER_SETS:
	case PQ_MODIFIER_COUNTS:
		return pmuq_attr_get(wanted, m->field);
	case PQ_MODIFIER_IS_FOR_TOOL:
		break;
	}
	return 0;
}

/* branch_type=FILTER, or a list of filters in quotes. Returns the bits that they set. */
static uint64_t write_filters(struct pq_buf *to, uint64_t bits)
{
	const char *before = "branch_type='";
	uint64_t written = 0, filter = 0;
	struct pmuq_str name;
	bool is_one = false;

	for (size_t i = 0; (name = pq_branch_filter_at(i)).n; i++) {
		pq_branch_filter_find(name, &filter);
		if (!filter || filter & ~bits)
			continue;
		is_one = filter == bits;
		pq_buf_print(to, "%s%s", is_one ? "branch_type=" : before, name.p);
		written |= filter;
		before = ",";
	}
	pq_buf_char(to, '\'', !is_one);
	return written;
}

/* Levels alone would mean all branches. */
static void decode_branch(struct pq_decoder *d)
{
	uint64_t bits = d->wanted.branch_sample_type;

	if (bits & ~(uint64_t)PQ_BRANCH_LEVELS && write_filters(&d->branch, bits) == bits)
		return;
	d->wanted.branch_sample_type = 0;
	d->branch.n = 0;
}

void pq_decode_flags(struct pq_decoder *d)
{
	cleanup(pq_buf_free) struct pq_buf letters = PQ_BUF_NULL;
	struct pmuq_attr *wanted = &d->wanted;
	const struct pq_modifier *m;

	decode_branch(d);
	for (size_t i = 0; (m = pq_modifier_at(i)); i++)
		pq_buf_char(&letters, m->letter, times_of(wanted, m));
	d->branch.failed |= letters.failed;
	if (letters.n)
		memcpy(d->modifiers, letters.p, letters.n);
	d->modifiers[letters.n] = '\0';
}
