/* SPDX-License-Identifier: MIT */
/* Options are parameters, operands are lists. No text of a client is taken for an option. */
#include "service/words.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "core/num.h"
#include <string.h>

struct word_maker {
	const struct method *method;
	struct words *words;
	size_t n_operands;
};

static void add(struct word_maker *maker, const char *word)
{
	char *p;

	/* options_read() moves words, but changes none. */
	memcpy(&p, &word, sizeof(p));
	push_or_die(maker->words, p);
}

static void print(struct word_maker *maker, const char *format, ...) PQ_PRINTF(2, 3);
static void print(struct word_maker *maker, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = print_args_or_die(format, args);
	va_end(args);
	push_or_die(&maker->words->printed, text);
	add(maker, text);
}

void words_clear(struct words *words)
{
	for (size_t i = 0; i < words->printed.n; i++)
		free(words->printed.v[i]);
	pq_vec_free(&words->printed);
	pq_vec_free(words);
}

char *words_option_name(enum option option)
{
	char *name = or_die(strdup(option_row(option)->name));

	for (char *at = name; *at; at++)
		if (*at == '-')
			*at = '_';
	return name;
}

/* A text that a command line can hold. */
static bool is_text(const struct pq_json_value *value)
{
	return value->type == PQ_JSON_IS_TEXT && !memchr(value->text.p, 0, value->text.n);
}

/* As if it was not there. */
static bool is_null(const struct pq_json_value *value)
{
	return value->type == PQ_JSON_IS_BARE && str_eq(value->text, STR("null"));
}

static const struct pq_json_value *find(const struct pq_json_value *parameters, const char *name)
{
	const struct pq_json_value *value = parameters ? pq_json_get(parameters, name) : NULL;

	return value && !is_null(value) ? value : NULL;
}

/* ------------------------------------------------------------------------------------- options */

/* false is as if it was not there. */
static bool take_flag(struct word_maker *maker, const char *name, const struct pq_json_value *value)
{
	bool is_true = str_eq(value->text, STR("true"));

	if (value->type != PQ_JSON_IS_BARE || (!is_true && !str_eq(value->text, STR("false"))))
		return false;
	if (is_true)
		print(maker, "--%s", name);
	return true;
}

/* options_read() checks the ranges of numbers, and choices. */
static bool take_option(struct word_maker *maker, enum option option,
			const struct pq_json_value *value)
{
	const struct option_row *row = option_row(option);
	uint64_t number;

	if (!row->argument)
		return take_flag(maker, row->name, value);
	if (row->most ? !pq_json_count(value, &number) : !is_text(value))
		return false;
	print(maker, "--%s=%s", row->name, value->text.p);
	return true;
}

/* The option of the method with that name as a parameter; OPTION_END: none. */
static enum option find_option(const struct method *method, struct pmuq_str name)
{
	const enum option *option = method->options;

	for (; option && *option != OPTION_END; option++) {
		auto_free char *own = words_option_name(*option);

		if (str_eq(str_of(own), name))
			return *option;
	}
	return OPTION_END;
}

static bool is_operand(const struct method *method, struct pmuq_str name)
{
	for (const struct method_word *word = method->words; word && word->name; word++)
		if (str_eq(str_of(word->name), name))
			return true;
	return method->operands && str_eq(str_of(method->operands), name);
}

static bool take_options(struct word_maker *maker, const struct pq_json_value *parameters,
			 struct pmuq_str *ret_parameter)
{
	const struct pq_json_value *value = parameters ? parameters->first : NULL;

	for (; value; value = value->next) {
		enum option option = find_option(maker->method, value->key);

		*ret_parameter = value->key;
		if (option == OPTION_END ? !is_operand(maker->method, value->key)
					 : !is_null(value) && !take_option(maker, option, value))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------------------------ operands */

static enum words_result take_word(struct word_maker *maker, const struct method_word *word,
				   const struct pq_json_value *value)
{
	uint64_t number;

	if (word->is_number ? !pq_json_count(value, &number) : !is_text(value))
		return WORDS_INVALID;
	if (word->is_known && !word->is_known(value->text.p))
		return WORDS_UNKNOWN;
	print(maker, "%s%s", word->prefix, value->text.p);
	return ++maker->n_operands > 1 ? WORDS_EXCLUDED : WORDS_OK;
}

/* The words before the list are taken first, whatever the order of the parameters. */
static enum words_result take_words(struct word_maker *maker,
				    const struct pq_json_value *parameters,
				    struct pmuq_str *ret_parameter)
{
	const struct method_word *word = maker->method->words;
	enum words_result result = WORDS_OK;

	for (; word && word->name && result == WORDS_OK; word++) {
		const struct pq_json_value *value = find(parameters, word->name);

		*ret_parameter = str_of(word->name);
		if (value)
			result = take_word(maker, word, value);
		else if (word->fallback)
			add(maker, word->fallback);
	}
	return result;
}

static enum words_result take_list(struct word_maker *maker, const struct pq_json_value *list)
{
	size_t n = 0, max = maker->method->operands_max;

	if (list->type != PQ_JSON_IS_LIST)
		return WORDS_INVALID;
	for (const struct pq_json_value *value = list->first; value; value = value->next) {
		if (!is_text(value))
			return WORDS_INVALID;
		add(maker, value->text.p);
		n++;
	}
	maker->n_operands += n;
	return max && n > max ? WORDS_TOO_MANY : WORDS_OK;
}

static enum words_result take_operands(struct word_maker *maker,
				       const struct pq_json_value *parameters,
				       struct pmuq_str *ret_parameter)
{
	const struct method *method = maker->method;
	enum words_result result = take_words(maker, parameters, ret_parameter);
	const struct pq_json_value *value;

	if (result != WORDS_OK)
		return result;
	*ret_parameter = str_of(method->operands ? method->operands
				: method->words	 ? method->words->name
						 : NULL);
	value = method->operands ? find(parameters, method->operands) : NULL;
	if (value)
		result = take_list(maker, value);
	if (result == WORDS_OK && !maker->n_operands && method->needs_operands)
		result = WORDS_INVALID;
	return result;
}

enum words_result words_read(const struct method *method, const struct pq_json_value *parameters,
			     struct words *ret, struct pmuq_str *ret_parameter)
{
	struct word_maker maker = { .method = method, .words = ret };
	enum words_result result;

	*ret = (struct words){ 0 };
	add(&maker, "--json");
	for (size_t i = 0; i < COUNT(method->fixed) && method->fixed[i]; i++)
		add(&maker, method->fixed[i]);
	if (!take_options(&maker, parameters, ret_parameter))
		return WORDS_INVALID;
	add(&maker, "--");
	result = take_operands(&maker, parameters, ret_parameter);
	if (result != WORDS_OK)
		return result;
	add(&maker, NULL);
	ret->n--;
	return WORDS_OK;
}
