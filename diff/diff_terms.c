/* SPDX-License-Identifier: MIT */
#include "diff/diff_terms.h"
#include "core/buf.h"
#include "core/num.h"
#include <stdarg.h>
#include <stdio.h>

/* As encode/limits.h has it. */
#define TERMS_MAX 256u

enum value_kind {
	VALUE_NONE,
	VALUE_NUMBER,
	VALUE_WORD,
	VALUE_PARAMETER,
};

struct term {
	struct pmuq_str key, value;
	uint64_t number;
	enum value_kind kind;
	bool is_quoted, is_raw, is_driver;
};

struct packer {
	struct pq_arena *arena;
	const struct pq_def *def;
	struct pmuq_str rest; /* of the text */
	struct pq_packed *packed;
	struct pmuq_str *settings;
	size_t n_settings, n_terms;
	bool is_out_of_memory;
};

/* Whatever goes wrong, the first fault is the one to tell. */
static bool PQ_PRINTF(2, 3) fault(struct packer *p, const char *format, ...)
{
	auto_free char *text = NULL;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		text = NULL;
	p->packed->fault = text ? pq_arena_str(p->arena, str_of(text)).p : NULL;
	p->is_out_of_memory |= !p->packed->fault;
	return false;
}

/* ----------------------------------------------------------------------------- text to terms */

static char peek(const struct packer *p)
{
	return p->rest.n ? *p->rest.p : '\0';
}

static struct pmuq_str take(struct packer *p, size_t n)
{
	struct pmuq_str taken = str_part(p->rest, 0, n);

	p->rest = str_part(p->rest, n, p->rest.n);
	return taken;
}

static struct pmuq_str take_run(struct packer *p, unsigned classes)
{
	size_t n = 0;

	while (n < p->rest.n && char_is(p->rest.p[n], classes))
		n++;
	return take(p, n);
}

static void skip_blanks(struct packer *p)
{
	take_run(p, CHAR_SPACE);
}

static bool take_quoted(struct packer *p, struct pmuq_str *ret)
{
	take(p, 1);
	*ret = take_run(p, CHAR_QUOTED);
	if (!ret->n || peek(p) != '\'')
		return fault(p, "a quoted text is not closed, or has odd letters");
	take(p, 1);
	return true;
}

/* "r1a" or "r0x1a", of 16 digits at most. */
static bool is_raw(struct pmuq_str word, uint64_t *ret)
{
	size_t skip = 1;

	if (word.n < 2 || word.p[0] != 'r')
		return false;
	if (word.n > 3 && word.p[1] == '0' && word.p[2] == 'x')
		skip = 3;
	return word.n - skip <= 16 && pq_num_hex(str_part(word, skip, word.n), ret) == PQ_NUM_OK;
}

static bool classify(struct packer *p, struct term *term)
{
	enum pq_num num = pq_num_any(term->value, &term->number);
	bool is_hex = str_starts(term->value, STR("0x"));

	if (num == PQ_NUM_RANGE || (num == PQ_NUM_OK && is_hex && term->value.n > 2 + 16))
		return fault(p, "the value of '%.*s' does not fit 64 bits", STR_ARG(term->key));
	term->kind = num == PQ_NUM_OK		     ? VALUE_NUMBER
		     : str_eq(term->value, STR("?")) ? VALUE_PARAMETER
						     : VALUE_WORD;
	return true;
}

static bool scan_value(struct packer *p, struct term *term)
{
	skip_blanks(p);
	if (peek(p) == '\'') {
		term->kind = VALUE_WORD;
		return take_quoted(p, &term->value);
	}
	if (!char_is(peek(p), CHAR_WORD_START))
		return fault(p, "'%.*s=' is followed by no value", STR_ARG(term->key));
	term->value = take_run(p, CHAR_KEY);
	return classify(p, term);
}

/* "@name=value", for the PMU's driver, up to the next term. */
static bool scan_driver(struct packer *p, struct term *term)
{
	size_t n = 0;

	while (n < p->rest.n && p->rest.p[n] != ',' && !char_is_space(p->rest.p[n]))
		n++;
	term->key = STR("driver-config");
	term->value = take(p, n);
	term->kind = VALUE_WORD;
	term->is_driver = true;
	return true;
}

static bool scan_key(struct packer *p, struct term *term)
{
	uint64_t number;

	term->is_quoted = peek(p) == '\'';
	if (term->is_quoted)
		return take_quoted(p, &term->key);
	if (!char_is(peek(p), CHAR_WORD_START))
		return fault(p, "a term is missing");
	term->key = take_run(p, CHAR_KEY);
	if (char_is_digit(term->key.p[0]) && pq_num_any(term->key, &number) != PQ_NUM_NONE)
		return fault(p, "'%.*s' is no name of a term", STR_ARG(term->key));
	return true;
}

static bool scan_term(struct packer *p, struct term *ret)
{
	*ret = (struct term){ 0 };
	skip_blanks(p);
	if (peek(p) == '@')
		return scan_driver(p, ret);
	if (!scan_key(p, ret))
		return false;
	skip_blanks(p);
	if (peek(p) == '=') {
		take(p, 1);
		return scan_value(p, ret);
	}
	ret->is_raw = !ret->is_quoted && is_raw(ret->key, &ret->number);
	ret->kind = ret->is_raw ? VALUE_NUMBER : VALUE_NONE;
	return true;
}

/* ----------------------------------------------------------------------------- terms to bits */

bool pq_term_is_setting(struct pmuq_str key)
{
	static const struct pmuq_str settings[] = {
		STR("name"),
		STR("period"),
		STR("freq"),
		STR("branch_type"),
		STR("time"),
		STR("call-graph"),
		STR("stack-size"),
		STR("max-stack"),
		STR("nr"),
		STR("inherit"),
		STR("no-inherit"),
		STR("overwrite"),
		STR("no-overwrite"),
		STR("percore"),
		STR("metric-id"),
		STR("aux-output"),
		STR("aux-action"),
		STR("aux-sample-size"),
		STR("driver-config"),
		STR("ratio-to-prev"),
		STR("cpu"),
		STR("legacy-hardware-config"),
		STR("legacy-cache-config"),
	};

	for (size_t i = 0; i < COUNT(settings); i++)
		if (str_eq(settings[i], key))
			return true;
	return false;
}

/* The config word that a term names as a whole; -1: none. */
static int word_of(const struct term *term)
{
	if (term->is_raw)
		return 0;
	for (unsigned word = 0; !term->is_quoted && word < PQ_CONFIG_WORDS; word++)
		if (str_eq(pq_attr_config_name(word), term->key))
			return (int)word;
	return -1;
}

static bool keep_setting(struct packer *p, const struct term *term)
{
	struct pq_buf text = PQ_BUF_NULL;
	struct pmuq_str kept = { 0 };

	pq_buf_print(&text, "%.*s=", STR_ARG(term->key));
	if (term->kind == VALUE_NONE || term->kind == VALUE_NUMBER)
		pq_buf_print(&text, "0x%llx",
			     term->kind == VALUE_NONE ? 1 : (unsigned long long)term->number);
	else
		pq_buf_add(&text, term->value);
	if (!text.failed)
		kept = pq_arena_str(p->arena, pq_buf_str(&text));
	pq_buf_free(&text);
	p->is_out_of_memory |= !kept.p;
	p->settings[p->n_settings++] = kept;
	return kept.p != NULL;
}

static bool expected_number(struct packer *p, const struct term *term)
{
	return fault(p, "'%.*s' takes a number, not '%.*s'", STR_ARG(term->key),
		     STR_ARG(term->value));
}

static bool set_word(struct packer *p, const struct term *term, int word)
{
	if (term->kind == VALUE_WORD || term->kind == VALUE_PARAMETER)
		return expected_number(p, term);
	p->packed->words[word] = term->kind == VALUE_NONE ? 1 : term->number;
	return true;
}

/* Formats are laid over the words when all words are set. */
static bool set_format(struct packer *p, const struct term *term, const struct pmuq_format *format,
		       uint64_t laid[PQ_CONFIG_WORDS])
{
	struct pq_bits bits = format->bits;
	uint64_t value = term->kind == VALUE_NONE ? 1 : term->number;

	if (bits.word < 0 || !bits.width)
		return fault(p, "the format of '%s', \"%s\", names no bits", format->name.p,
			     format->text.p);
	if (term->kind == VALUE_NONE && bits.width > 1)
		return fault(p, "'%s' has %u bits and needs a value", format->name.p, bits.width);
	if (term->kind == VALUE_WORD)
		return expected_number(p, term);
	if (term->kind == VALUE_PARAMETER) {
		p->packed->open[bits.word] |= bits.mask;
		return keep_setting(p, term);
	}
	if (value > pq_bits_max(bits))
		return fault(p, "0x%llx is too big for '%s', which has %u bits",
			     (unsigned long long)value, format->name.p, bits.width);
	laid[bits.word] |= pq_bits_scatter(bits, value);
	return true;
}

static bool set_term(struct packer *p, const struct term *term, uint64_t laid[PQ_CONFIG_WORDS])
{
	const struct pmuq_format *format;
	int word = word_of(term);

	if (word >= 0)
		return set_word(p, term, word);
	if (!term->is_quoted && pq_term_is_setting(term->key))
		return keep_setting(p, term);
	format = pq_map_find(&p->def->formats_by_name, p->def->formats, sizeof(*format), term->key);
	if (!format)
		return fault(p, "the PMU has no term '%.*s'", STR_ARG(term->key));
	return set_format(p, term, format, laid);
}

static bool set_terms(struct packer *p)
{
	uint64_t laid[PQ_CONFIG_WORDS] = { 0 };
	struct term term;

	for (;;) {
		if (++p->n_terms > TERMS_MAX)
			return fault(p, "it has more than %u terms", TERMS_MAX);
		if (!scan_term(p, &term) || !set_term(p, &term, laid))
			return false;
		skip_blanks(p);
		if (peek(p) != ',')
			break;
		take(p, 1);
	}
	if (p->rest.n)
		return fault(p, "what stands behind '%.*s' is no term", STR_ARG(term.key));
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++)
		p->packed->words[word] |= laid[word];
	return true;
}

static int compare_settings(const void *a, const void *b)
{
	return str_cmp(*(const struct pmuq_str *)a, *(const struct pmuq_str *)b);
}

/* In one order, whatever the order of the terms. */
static bool join_settings(struct packer *p)
{
	struct pq_buf list = PQ_BUF_NULL;

	p->packed->settings = STR("");
	if (!p->n_settings)
		return true;
	qsort(p->settings, p->n_settings, sizeof(*p->settings), compare_settings);
	for (size_t i = 0; i < p->n_settings; i++) {
		pq_buf_char(&list, ',', i > 0);
		pq_buf_add(&list, p->settings[i]);
	}
	p->packed->settings =
		list.failed ? (struct pmuq_str){ 0 } : pq_arena_str(p->arena, pq_buf_str(&list));
	pq_buf_free(&list);
	return p->packed->settings.p != NULL;
}

bool pq_terms_pack(struct pq_arena *arena, const struct pq_def *def, struct pmuq_str terms,
		   struct pq_packed *ret)
{
	struct pmuq_str settings[TERMS_MAX];
	struct packer p = {
		.arena = arena,
		.def = def,
		.rest = terms,
		.packed = ret,
		.settings = settings,
	};

	*ret = (struct pq_packed){ .settings = STR("") };
	if (!terms.n) {
		fault(&p, "its file is empty");
		return !p.is_out_of_memory;
	}
	if (set_terms(&p))
		return join_settings(&p);
	return !p.is_out_of_memory;
}

bool pq_packed_same_bits(const struct pq_packed *a, const struct pq_packed *b)
{
	return memcmp(a->words, b->words, sizeof(a->words)) == 0 &&
	       memcmp(a->open, b->open, sizeof(a->open)) == 0;
}
