/* SPDX-License-Identifier: MIT */
/* Options are parameters, operands are lists. No text of a client is taken for an option. */
#include "service/words.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "core/num.h"
#include <string.h>

struct word_maker {
	struct pq_arena *arena;
	const struct method *method;
	struct words *words;
	struct words operands; /* they come last, after "--" */
};

static char *make(struct word_maker *maker, const char *format, ...) PQ_PRINTF(2, 3);
static char *make(struct word_maker *maker, const char *format, ...)
{
	struct pq_buf text = PQ_BUF_IN(maker->arena);
	va_list args;

	va_start(args, format);
	pq_buf_print_args(&text, format, args);
	va_end(args);
	return or_die(pq_buf_take(&text));
}

static void add(struct word_maker *maker, struct words *to, char *word)
{
	done_or_die(pq_vec_push_in(maker->arena, to, word));
}

/* A text that a command line can hold. */
static bool is_text(const struct pq_json_value *value)
{
	return value->type == PQ_JSON_IS_TEXT && !memchr(value->text.p, 0, value->text.n);
}

struct pmuq_str words_option_name(struct pq_arena *arena, enum option option)
{
	struct pq_buf name = PQ_BUF_IN(arena);

	pq_buf_add(&name, str_of(option_row(option)->name));
	done_or_die(!name.failed);
	for (size_t i = 0; i < name.n; i++)
		if (name.p[i] == '-')
			name.p[i] = '_';
	return pq_buf_take_str(&name);
}

/* -------------------------------------------------------------------------------- parameters */

/* false is as if it was not there. */
static bool take_flag(struct word_maker *maker, const char *name, const struct pq_json_value *value)
{
	bool is_true = str_eq(value->text, STR("true"));

	if (value->type != PQ_JSON_IS_BARE || (!is_true && !str_eq(value->text, STR("false"))))
		return false;
	if (is_true)
		add(maker, maker->words, make(maker, "--%s", name));
	return true;
}

/* options_read() checks numbers and choices. */
static bool take_option(struct word_maker *maker, enum option option,
			const struct pq_json_value *value)
{
	const struct option_row *row = option_row(option);
	uint64_t number;

	if (!row->argument)
		return take_flag(maker, row->name, value);
	if (row->most ? !pq_json_count(value, &number) : !is_text(value))
		return false;
	add(maker, maker->words, make(maker, "--%s=%s", row->name, value->text.p));
	return true;
}

static bool take_word(struct word_maker *maker, const struct method_word *word,
		      const struct pq_json_value *value)
{
	uint64_t number;

	if (word->is_number ? !pq_json_count(value, &number) : !is_text(value))
		return false;
	add(maker, &maker->operands, make(maker, "%s%s", word->prefix, value->text.p));
	return true;
}

static bool take_operands(struct word_maker *maker, const struct pq_json_value *list)
{
	if (list->type != PQ_JSON_IS_LIST)
		return false;
	for (const struct pq_json_value *value = list->first; value; value = value->next) {
		if (!is_text(value))
			return false;
		add(maker, &maker->operands, make(maker, "%s", value->text.p));
	}
	return !maker->method->operands_max || maker->operands.n <= maker->method->operands_max;
}

/* Words before the operands are taken first, whatever the order of the parameters. */
static bool take(struct word_maker *maker, const struct pq_json_value *value)
{
	const struct method *method = maker->method;
	const enum option *option = method->options;

	for (; option && *option != OPTION_END; option++)
		if (str_eq(words_option_name(maker->arena, *option), value->key))
			return take_option(maker, *option, value);
	for (const struct method_word *word = method->words; word && word->name; word++)
		if (str_eq(str_of(word->name), value->key))
			return true;
	return method->operands && str_eq(str_of(method->operands), value->key);
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

static bool take_all_operands(struct word_maker *maker, const struct pq_json_value *parameters,
			      struct pmuq_str *ret_parameter)
{
	const struct method *method = maker->method;
	const struct pq_json_value *value;

	for (const struct method_word *word = method->words; word && word->name; word++) {
		*ret_parameter = str_of(word->name);
		value = find(parameters, word->name);
		if (value && !take_word(maker, word, value))
			return false;
	}
	*ret_parameter = str_of(method->operands ? method->operands
				: method->words	 ? method->words->name
						 : "");
	value = method->operands ? find(parameters, method->operands) : NULL;
	if (value && !take_operands(maker, value))
		return false;
	return maker->operands.n || !method->needs_operands;
}

bool words_read(struct pq_arena *arena, const struct method *method,
		const struct pq_json_value *parameters, struct words *ret,
		struct pmuq_str *ret_parameter)
{
	struct word_maker maker = { .arena = arena, .method = method, .words = ret };
	static char json[] = "--json", end[] = "--";

	*ret = (struct words){ 0 };
	add(&maker, ret, json);
	if (method->fixed)
		add(&maker, ret, make(&maker, "%s", method->fixed));
	for (const struct pq_json_value *value = parameters ? parameters->first : NULL; value;
	     value = value->next) {
		*ret_parameter = value->key;
		if (!is_null(value) && !take(&maker, value))
			return false;
	}
	if (!take_all_operands(&maker, parameters, ret_parameter))
		return false;
	add(&maker, ret, end);
	for (size_t i = 0; i < maker.operands.n; i++)
		add(&maker, ret, maker.operands.v[i]);
	add(&maker, ret, NULL);
	ret->n--;
	return true;
}
