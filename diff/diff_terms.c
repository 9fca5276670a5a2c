/* SPDX-License-Identifier: MIT */
/*
 * Packs the terms of a sysfs event into the bits that they set. core/event/terms.c parses them;
 * here each sets the bits that the formats of its PMU name, like encode/ for an event alone.
 */
#include "diff/diff_terms.h"
#include "core/buf.h"
#include "core/event/keywords.h"
#include "core/event/terms.h"
#include <pmuq/error.h>

/* The packing of one event; `settings` has capacity for all terms of an event. */
struct packer {
	struct pq_arena *arena;
	const struct pq_def *def;
	struct pq_packed *packed;
	struct pmuq_str *settings;
	size_t n_settings;
	bool is_out_of_memory;
};

static bool PQ_PRINTF(2, 3) refuse(struct packer *p, const char *format, ...)
{
	struct pq_buf text = PQ_BUF_IN(p->arena);
	va_list args;

	va_start(args, format);
	pq_buf_print_args(&text, format, args);
	va_end(args);
	p->packed->refusal = pq_buf_take(&text);
	p->is_out_of_memory |= !p->packed->refusal;
	return false;
}

/* A term that every PMU takes and that is not a config word, which the caller checks first. */
static bool is_setting(const struct pq_term *term)
{
	static const struct pmuq_str names[] = {
#define X(with, name, ...) STR(name),
		PQ_KEYWORDS(X, )
#undef X
	};

	for (size_t i = 0; !term->is_quoted && i < COUNT(names); i++)
		if (str_eq(names[i], term->key))
			return true;
	return term->is_driver;
}

/* The number of the config word that a term sets as a whole, or -1. */
static int word_of(const struct pq_term *term)
{
	if (term->is_raw)
		return 0;
	for (unsigned word = 0; !term->is_quoted && word < PQ_CONFIG_WORDS; word++)
		if (str_eq(pq_attr_config_name(word), term->key))
			return (int)word;
	return -1;
}

/* As "key=value" in one notation, so that 100 and 0x64 are equal. */
static bool keep_setting(struct packer *p, const struct pq_term *term)
{
	struct pq_buf text = PQ_BUF_IN(p->arena);
	struct pmuq_str kept;

	pq_buf_print(&text, "%.*s=", STR_ARG(term->key));
	if (term->type == PQ_VALUE_NONE || term->type == PQ_VALUE_NUMBER)
		pq_buf_print(&text, "0x%llx",
			     term->type == PQ_VALUE_NONE ? 1 : (unsigned long long)term->number);
	else
		pq_buf_add(&text, term->value);
	kept = pq_buf_take_str(&text);
	p->is_out_of_memory |= !kept.p;
	p->settings[p->n_settings++] = kept;
	return kept.p != NULL;
}

static bool expected_number(struct packer *p, const struct pq_term *term)
{
	return refuse(p, "'%.*s' takes a number, not '%.*s'", STR_ARG(term->key),
		      STR_ARG(term->value));
}

/* config= and similar terms set the whole word, even bits without a format. */
static bool set_word(struct packer *p, const struct pq_term *term, int word)
{
	if (term->type == PQ_VALUE_WORD || term->type == PQ_VALUE_PARAMETER)
		return expected_number(p, term);
	p->packed->words[word] = term->type == PQ_VALUE_NONE ? 1 : term->number;
	return true;
}

/* Collects the bits of formats in `laid`: they are ORed into the words after config=, which
 * replaces a whole word wherever it is written. */
static bool set_format(struct packer *p, const struct pq_term *term,
		       const struct pmuq_format *format, uint64_t laid[PQ_CONFIG_WORDS])
{
	struct pmuq_bits bits = format->bits;
	uint64_t value = term->type == PQ_VALUE_NONE ? 1 : term->number;

	if (bits.word < 0 || !bits.width)
		return refuse(p, "the format of '%s', \"%s\", names no bits", format->name.p,
			      format->text.p);
	if (term->type == PQ_VALUE_NONE && bits.width > 1)
		return refuse(p, "'%s' has %u bits and needs a value", format->name.p, bits.width);
	if (term->type == PQ_VALUE_WORD)
		return expected_number(p, term);
	if (term->type == PQ_VALUE_PARAMETER) {
		p->packed->open[bits.word] |= bits.mask;
		return keep_setting(p, term);
	}
	if (value > pq_bits_max(bits))
		return refuse(p, "0x%llx is too big for '%s', which has %u bits",
			      (unsigned long long)value, format->name.p, bits.width);
	laid[bits.word] |= pq_bits_scatter(bits, value);
	return true;
}

/* In the order in which encode/ resolves a term: words, terms of every PMU, formats. */
static bool set_term(struct packer *p, const struct pq_term *term, uint64_t laid[PQ_CONFIG_WORDS])
{
	const struct pmuq_format *format;
	int word = word_of(term);

	if (word >= 0)
		return set_word(p, term, word);
	if (is_setting(term))
		return keep_setting(p, term);
	format = pq_def_format(p->def, term->key);
	if (!format)
		return refuse(p, "the PMU has no term '%.*s'", STR_ARG(term->key));
	return set_format(p, term, format, laid);
}

static bool set_terms(struct packer *p, const struct pq_term *terms)
{
	uint64_t laid[PQ_CONFIG_WORDS] = { 0 };

	for (const struct pq_term *term = terms; term; term = term->next)
		if (!set_term(p, term, laid))
			return false;
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		p->packed->words[word] |= laid[word];
	return true;
}

/* Parses the terms; encode/ rejects the same ones. */
static bool read_terms(struct packer *p, struct pq_arena *scratch, struct pmuq_str text,
		       struct pq_term **ret)
{
	struct pmuq_error *error = NULL;
	int r;

	if (!text.n)
		return refuse(p, "its file is empty");
	r = pq_parse_terms(scratch, text, ret, &error);
	if (r == -PMUQ_E_MEMORY)
		p->is_out_of_memory = true;
	else if (r < 0)
		refuse(p, "%s", error->message.p);
	pmuq_error_free(error);
	return r == 0;
}

/* Sorted, so that the order of the terms does not matter. */
static bool join_settings(struct packer *p)
{
	struct pq_buf list = PQ_BUF_IN(p->arena);

	p->packed->settings = STR("");
	if (!p->n_settings)
		return true;
	pq_sort_by_name(p->settings, p->n_settings, sizeof(*p->settings), 0);
	for (size_t i = 0; i < p->n_settings; i++) {
		pq_buf_char(&list, ',', i > 0);
		pq_buf_add(&list, p->settings[i]);
	}
	p->packed->settings = pq_buf_take_str(&list);
	return p->packed->settings.p != NULL;
}

bool pq_terms_pack(struct pq_arena *arena, const struct pq_def *def, struct pmuq_str terms,
		   struct pq_packed *ret)
{
	cleanup(pq_arena_clear) struct pq_arena scratch = { 0 };
	struct pmuq_str settings[PQ_TERMS_MAX];
	_Alignas(16) char first[2048]; /* the terms of a usual event */
	struct packer p = { .arena = arena, .def = def, .packed = ret, .settings = settings };
	struct pq_term *list;

	*ret = (struct pq_packed){ .settings = STR("") };
	pq_arena_init(&scratch, first, sizeof(first), SIZE_MAX);
	if (read_terms(&p, &scratch, terms, &list) && set_terms(&p, list))
		return join_settings(&p);
	return !p.is_out_of_memory;
}

bool pq_packed_same_bits(const struct pq_packed *a, const struct pq_packed *b)
{
	return memcmp(a->words, b->words, sizeof(a->words)) == 0 &&
	       memcmp(a->open, b->open, sizeof(a->open)) == 0;
}
