/* SPDX-License-Identifier: MIT */
/*
 * A formula by precedence climbing: `|`, `^`, `&`, `< >`, `+ -`, `* / %`, minus; `x if c else y`
 * binds loosest: it is a whole formula, or in brackets, or after `else`.
 */
#include "core/catalog/intern.h"
#include "core/freep.h"
#include "core/limits.h"
#include "core/num.h"
#include "core/sized.h"
#include "metric/formula.h"
#include "metric/scan.h"
#include <math.h>

struct known_name {
	struct pmuq_str name;
	enum pmuq_operand_type of;
	uint32_t index;
};

struct parser {
	struct pmuq_formula *formula;
	struct pq_formula_scan scan;
	struct pq_intern known; /* struct known_name */
	unsigned parameter;
	int word; /* the next one */
	struct pq_span at;
	unsigned depth, n_values; /* brackets now; values that the operations so far leave */
	struct pmuq_error **reterr;
};

static int parse_choice(struct parser *p);
static int parse_binary(struct parser *p, unsigned least);

static int fail_at(struct parser *p, struct pq_span at, const char *format, ...) PQ_PRINTF(3, 4);
static int fail_at(struct parser *p, struct pq_span at, const char *format, ...)
{
	va_list args;
	int r;

	va_start(args, format);
	r = pq_fail_args(p->reterr, PMUQ_E_BAD_FORMULA, format, args);
	va_end(args);
	pq_error_at(p->reterr, at);
	pq_error_input(p->reterr, p->formula->text);
	return r;
}

static struct pmuq_str text_of(const struct parser *p, struct pq_span at)
{
	return str_part(p->formula->text, at.offset, at.offset + at.length);
}

/* Operators of other languages, which perf reads as something else. */
static int fail_character(struct parser *p)
{
	static const struct {
		struct pmuq_str text;
		const char *hint;
	} operators[] = {
		{ STR("="), "formulas have `<` and `>` only: `a > b` for `a >= b`" },
		{ STR("!"), "write `0 if a else 1` for `not a`" },
		{ STR("\\"), "in a name a backslash comes before - , and =" },
		{ STR("#"), "a literal is # and a name: #smt_on" },
	};
	struct pmuq_str text = text_of(p, p->at);
	int r;

	r = fail_at(p, p->at, "the character '%.*s' does not belong to formulas", STR_ARG(text));
	for (size_t i = 0; i < COUNT(operators); i++)
		if (str_eq(text, operators[i].text))
			pq_error_hint(p->reterr, "%s", operators[i].hint);
	return r;
}

static int fail_word(struct parser *p, const char *wanted)
{
	struct pmuq_str text = text_of(p, p->at);

	if (p->word == PQ_WORD_BAD)
		return fail_character(p);
	if (p->word == PQ_WORD_END)
		return fail_at(p, p->at, "%s is missing at the end of the formula", wanted);
	return fail_at(p, p->at, "%s is missing before '%.*s'", wanted, STR_ARG(text));
}

static void advance(struct parser *p)
{
	p->word = pq_formula_next(&p->scan, &p->at);
}

static int expect(struct parser *p, int word, const char *wanted)
{
	if (p->word != word)
		return fail_word(p, wanted);
	advance(p);
	return 0;
}

/* ------------------------------------------------------------------------------ operations */

static int push(struct parser *p, struct pq_formula_op op)
{
	if (!pq_vec_push_in(&p->formula->arena, &p->formula->ops, op))
		return pq_fail_memory(p->reterr);
	p->n_values += 1 - pq_op_takes(op.type);
	if (p->n_values > PQ_FORMULA_VALUES_MAX)
		return fail_at(p, op.at, "the formula has too many values at a time");
	return 0;
}

/* Of up to 15 digits, which a double can hold exactly. */
static bool read_whole(struct pmuq_str text, double *ret)
{
	uint64_t number;

	if (text.n > 15 || pq_num_decimal(text, &number) != PQ_NUM_OK)
		return false;
	*ret = (double)number;
	return true;
}

static int read_real(struct parser *p, double *ret)
{
	size_t n;

	if (pq_num_real(p->formula->text.p + p->at.offset, ret, &n) == PQ_NUM_OK)
		return 0;
	return fail_at(p, p->at, "the number is too large or too small for a double");
}

static int push_number(struct parser *p)
{
	struct pq_formula_op op = { .type = PQ_OP_NUMBER, .at = p->at };
	int r = read_whole(text_of(p, p->at), &op.number) ? 0 : read_real(p, &op.number);

	if (r < 0)
		return r;
	advance(p);
	return push(p, op);
}

/* The name without its backslashes, with the parameter. */
static bool read_name(struct parser *p, struct pmuq_str *ret)
{
	struct pq_buf text = PQ_BUF_IN(&p->formula->arena);
	struct pmuq_str name = text_of(p, p->at);

	if (!memchr(name.p, '\\', name.n) && !memchr(name.p, '?', name.n)) {
		*ret = pq_arena_str(&p->formula->arena, name);
		return ret->p;
	}
	for (size_t i = 0; i < name.n; i++) {
		if (name.p[i] == '?')
			pq_buf_print(&text, "%u", p->parameter);
		else if (name.p[i] != '\\')
			pq_buf_char(&text, name.p[i], 1);
	}
	*ret = pq_buf_str(&text);
	return !text.failed && pq_arena_keep(&p->formula->arena, ret);
}

/* The index of the name, which is added if it is new. */
static int find_name(struct parser *p, enum pmuq_operand_type of, struct pmuq_str name,
		     struct pq_span at, uint32_t *ret)
{
	struct pmuq_formula *formula = p->formula;
	uint64_t key = str_hash(name) + of;
	size_t slot = pq_intern_start(&p->known, key);
	struct known_name *known;

	while ((known = pq_intern_next(&p->known, key, &slot)))
		if (known->of == of && str_eq(known->name, name)) {
			*ret = known->index;
			return 0;
		}
	known = pq_arena_zero(&formula->arena, sizeof(*known));
	*ret = (uint32_t)formula->names.n;
	if (!known || !pq_intern_add(&p->known, key, known) ||
	    !pq_vec_push_in(&formula->arena, &formula->names,
			    ((struct pmuq_operand){ .size = sizeof(struct pmuq_operand),
							 .name = name,
							 .type = of,
							 .offset = at.offset,
							 .length = at.length })))
		return pq_fail_memory(p->reterr);
	*known = (struct known_name){ .name = name, .of = of, .index = *ret };
	return 0;
}

/* The current word, a name of that type, as a value. */
static int push_name(struct parser *p, enum pq_op type, enum pmuq_operand_type of)
{
	struct pq_formula_op op = { .type = type, .at = p->at };
	struct pmuq_str name;
	int r;

	if (!read_name(p, &name))
		return pq_fail_memory(p->reterr);
	r = find_name(p, of, name, p->at, &op.name);
	if (r < 0)
		return r;
	advance(p);
	return push(p, op);
}

static bool is_known_literal(struct pmuq_str name)
{
	static const char *const literals[] = {
		"num_cpus", "num_cpus_online", "num_cores", "num_dies",	 "num_packages",    "smt_on",
		"slots",    "core_wide",       "target_cpu", "has_pmem", "system_tsc_freq",
	};

	for (size_t i = 0; i < COUNT(literals); i++)
		if (str_eq(str_of(literals[i]), name))
			return true;
	return false;
}

/* Literals are not case-sensitive. */
static int push_literal(struct parser *p)
{
	struct pq_formula_op op = { .type = PQ_OP_NAME, .at = p->at };
	struct pmuq_str text = text_of(p, p->at), name;
	int r;

	name = pq_arena_lower(&p->formula->arena, str_part(text, 1, text.n));
	if (!name.p)
		return pq_fail_memory(p->reterr);
	if (!is_known_literal(name)) {
		r = pq_fail_span(p->reterr, p->at, PMUQ_E_UNKNOWN_LITERAL,
				 "no literal is called %.*s", STR_ARG(text));
		pq_error_input(p->reterr, p->formula->text);
		pq_error_hint(p->reterr, "literals: #num_cpus, #num_cpus_online, #num_cores, "
					 "#num_dies, #num_packages, #smt_on, #slots, #core_wide, "
					 "#target_cpu, #has_pmem, #system_tsc_freq");
		return r;
	}
	r = find_name(p, PMUQ_OPERAND_LITERAL, name, p->at, &op.name);
	if (r < 0)
		return r;
	advance(p);
	return push(p, op);
}

/* -------------------------------------------------------------------------------- grammar */

static int enter(struct parser *p)
{
	if (p->depth >= PQ_FORMULA_DEPTH_MAX)
		return fail_at(p, p->at, "the formula is nested more than %u levels deep",
			       PQ_FORMULA_DEPTH_MAX);
	p->depth++;
	return 0;
}

/* "(NAME)" after the word of a function of a name. */
static int parse_named(struct parser *p, enum pq_op type, enum pmuq_operand_type of)
{
	int r;

	advance(p);
	r = expect(p, '(', "'('");
	if (r == 0 && p->word != PQ_WORD_NAME)
		r = fail_word(p, "a name");
	if (r == 0)
		r = push_name(p, type, of);
	return r < 0 ? r : expect(p, ')', "')'");
}

/* "(A, B)" after the word of a function. */
static int parse_pair(struct parser *p, enum pq_op type)
{
	struct pq_span at = p->at;
	int r = enter(p);

	if (r < 0)
		return r;
	advance(p);
	r = expect(p, '(', "'('");
	if (r == 0)
		r = parse_binary(p, 1);
	if (r == 0)
		r = expect(p, ',', "','");
	if (r == 0)
		r = parse_binary(p, 1);
	if (r == 0)
		r = expect(p, ')', "')'");
	p->depth--;
	return r < 0 ? r : push(p, (struct pq_formula_op){ .type = type, .at = at });
}

static int parse_brackets(struct parser *p)
{
	int r = enter(p);

	if (r < 0)
		return r;
	advance(p);
	r = parse_choice(p);
	p->depth--;
	return r < 0 ? r : expect(p, ')', "')'");
}

static int parse_value(struct parser *p)
{
	struct pq_span at = p->at;

	switch (p->word) {
	case PQ_WORD_NUMBER:
		return push_number(p);
	case PQ_WORD_NAME:
		return push_name(p, PQ_OP_NAME, PMUQ_OPERAND_EVENT);
	case PQ_WORD_LITERAL:
		return push_literal(p);
	case PQ_WORD_NAN:
		advance(p);
		return push(p, (struct pq_formula_op){ .type = PQ_OP_NUMBER,
						       .at = at,
						       .number = NAN });
	case PQ_WORD_SOURCE_COUNT:
		return parse_named(p, PQ_OP_SOURCE_COUNT, PMUQ_OPERAND_EVENT);
	case PQ_WORD_AGGR_NR:
		return parse_named(p, PQ_OP_AGGR_NR, PMUQ_OPERAND_EVENT);
	case PQ_WORD_HAS_EVENT:
		return parse_named(p, PQ_OP_NAME, PMUQ_OPERAND_HAS_EVENT);
	case PQ_WORD_CPU:
		return parse_named(p, PQ_OP_NAME, PMUQ_OPERAND_CPU);
	case PQ_WORD_MIN:
		return parse_pair(p, PQ_OP_MIN);
	case PQ_WORD_MAX:
		return parse_pair(p, PQ_OP_MAX);
	case PQ_WORD_D_RATIO:
		return parse_pair(p, PQ_OP_D_RATIO);
	case '(':
		return parse_brackets(p);
	default:
		return fail_word(p, "a value");
	}
}

/* Any number of signs. */
static int parse_minus(struct parser *p)
{
	struct pq_span at = p->at;
	size_t n = 0;
	int r;

	for (; p->word == '-'; n++)
		advance(p);
	r = parse_value(p);
	if (r == 0 && n % 2)
		r = push(p, (struct pq_formula_op){ .type = PQ_OP_MINUS, .at = at });
	return r;
}

static const struct {
	char word;
	uint8_t level; /* a higher one binds tighter */
	enum pq_op type;
} operators[] = {
	{ '|', 1, PQ_OP_OR },	    { '^', 2, PQ_OP_XOR },    { '&', 3, PQ_OP_AND },
	{ '<', 4, PQ_OP_LESS },	    { '>', 4, PQ_OP_MORE },   { '+', 5, PQ_OP_ADD },
	{ '-', 5, PQ_OP_SUBTRACT }, { '*', 6, PQ_OP_MULTIPLY }, { '/', 6, PQ_OP_DIVIDE },
	{ '%', 6, PQ_OP_REMAINDER },
};

/* The index of the operator that the word is, if it binds at least so tight; COUNT: none. */
static size_t operator_of(int word, unsigned least)
{
	size_t i = 0;

	while (i < COUNT(operators) &&
	       !(operators[i].word == word && operators[i].level >= least))
		i++;
	return i;
}

/* All operators of one level associate to the left. */
static int parse_binary(struct parser *p, unsigned least)
{
	int r = parse_minus(p);
	size_t i;

	while (r == 0 && (i = operator_of(p->word, least)) < COUNT(operators)) {
		struct pq_formula_op op = { .type = operators[i].type, .at = p->at };

		advance(p);
		r = parse_binary(p, operators[i].level + 1u);
		if (r == 0)
			r = push(p, op);
	}
	return r;
}

static int parse_choice(struct parser *p)
{
	struct pq_formula_op op = { .type = PQ_OP_IF };
	int r = parse_binary(p, 1);

	if (r < 0 || p->word != PQ_WORD_IF)
		return r;
	op.at = p->at;
	advance(p);
	r = parse_binary(p, 1);
	if (r == 0)
		r = expect(p, PQ_WORD_ELSE, "'else'");
	if (r == 0)
		r = enter(p);
	if (r < 0)
		return r;
	r = parse_choice(p);
	p->depth--;
	return r < 0 ? r : push(p, op);
}

static int parse(struct parser *p)
{
	int r;

	advance(p);
	r = parse_choice(p);
	if (r == 0 && p->word != PQ_WORD_END)
		r = fail_word(p, "an operator");
	return r;
}

/* ------------------------------------------------------------------------------------ API */

static struct pmuq_formula *new_formula(struct pmuq_str text, enum pmuq_dialect dialect)
{
	struct pmuq_formula *formula = calloc(1, sizeof(*formula));

	if (!formula)
		return NULL;
	formula->arena = PQ_ARENA(PQ_FORMULA_MEMORY_MAX_BYTES);
	formula->dialect = dialect;
	formula->text = pq_arena_str(&formula->arena, text);
	if (formula->text.p)
		return formula;
	pmuq_formula_free(formula);
	return NULL;
}

PQ_API int pmuq_formula_parse(const char *text, const struct pmuq_formula_options *options,
			      struct pmuq_formula **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_formula_freep) struct pmuq_formula *formula = NULL;
	struct pmuq_formula_options own;
	struct parser parser;
	int r = pq_sized_take(options, &own, sizeof(own), reterr);

	if (r < 0)
		return r;
	if (!text)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the formula is NULL");
	if (strnlen(text, PQ_FORMULA_MAX_BYTES + 1) > PQ_FORMULA_MAX_BYTES)
		return pq_fail(reterr, PMUQ_E_BAD_FORMULA, "the formula has more than %zu bytes",
			       PQ_FORMULA_MAX_BYTES);
	formula = new_formula(str_of(text), own.dialect);
	if (!formula)
		return pq_fail_memory(reterr);
	parser = (struct parser){
		.formula = formula,
		.scan = { .text = formula->text, .skips = own.dialect == PMUQ_DIALECT_PERF },
		.parameter = own.parameter,
		.reterr = reterr,
	};
	r = parse(&parser);
	pq_intern_free(&parser.known);
	if (r < 0)
		return r;
	*ret = move(formula);
	return 0;
}

PQ_API void pmuq_formula_free(struct pmuq_formula *formula)
{
	if (!formula)
		return;
	pq_arena_clear(&formula->arena);
	free(formula);
}

PQ_API size_t pmuq_formula_operand_count(const struct pmuq_formula *formula)
{
	return formula->names.n;
}

PQ_API const struct pmuq_operand *pmuq_formula_operand(const struct pmuq_formula *formula,
							 size_t index)
{
	return index < formula->names.n ? &formula->names.v[index] : NULL;
}
