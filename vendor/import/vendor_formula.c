/* SPDX-License-Identifier: MIT */
/*
 * Words of a vendor's formula → words of the kernel's notation. Vendors' formulas also have && and
 * ||, which are & and |, and >= and <=, which the kernel does not have: `a >= b` becomes
 * `(1 - (a < b))`. For that, each level of brackets remembers where its operand began.
 */
#include "vendor/import/vendor_formula.h"
#include "core/limits.h"
#include "core/num.h"
#include <pmuq/error.h>
#include <pmuq/formula.h>

struct formula_word {
	struct pmuq_str text;
	unsigned n_opened, n_closed; /* comparisons that begin before it, and that end after it */
};

/* Brackets that are open. */
struct operand_level {
	size_t start;	/* the word with which the operand began */
	bool is_turned; /* the operand is one of >= or <= */
};

struct translation {
	const struct pq_vendor_converter *converter;
	const struct pq_vendor_aliases *own, *shared;
	struct pq_arena arena; /* of the words */
	struct pmuq_str text;
	size_t at;
	PQ_VEC(struct formula_word) words;
	struct operand_level levels[PQ_FORMULA_DEPTH_MAX];
	unsigned depth;
	bool is_ok; /* memory did not run out */
};

/* ---- aliases */

bool pq_vendor_aliases_finish(struct pq_arena *arena, struct pq_vendor_aliases *aliases)
{
	return pq_map_build(arena, PQ_NAMED(aliases->v, name), aliases->n, &aliases->by_name);
}

const struct pq_vendor_alias *pq_vendor_find_alias(const struct pq_vendor_aliases *aliases,
						   struct pmuq_str name)
{
	return aliases ? pq_map_find(&aliases->by_name, PQ_NAMED(aliases->v, name), name) : NULL;
}

static const struct pq_vendor_alias *find(const struct translation *t, struct pmuq_str name)
{
	const struct pq_vendor_alias *alias = pq_vendor_find_alias(t->own, name);

	return alias ? alias : pq_vendor_find_alias(t->shared, name);
}

/* ---- words */

static bool has_failed(const struct translation *t)
{
	return !t->is_ok || t->converter->draft->problem.p;
}

static void refuse(struct translation *t, const char *problem)
{
	t->is_ok &= pq_vendor_draft_problem(t->converter, "its formula %s", problem);
}

static void refuse_part(struct translation *t, const char *problem, struct pmuq_str part)
{
	t->is_ok &= pq_vendor_draft_problem(t->converter, "its formula %s '%.*s'", problem,
					    (int)(part.n < 40 ? part.n : 40), part.p);
}

static void add_word(struct translation *t, struct pmuq_str text)
{
	t->is_ok &= pq_vec_push_in(&t->arena, &t->words, (struct formula_word){ .text = text });
}

static struct pmuq_str rest_of(const struct translation *t)
{
	return str_part(t->text, t->at, t->text.n);
}

static bool take(struct translation *t, struct pmuq_str text)
{
	bool is_next = str_starts(rest_of(t), text);

	t->at += is_next ? text.n : 0;
	return is_next;
}

static void skip_blanks(struct translation *t)
{
	while (t->at < t->text.n && char_is_space(t->text.p[t->at]))
		t->at++;
}

static bool is_of_name(char c)
{
	return char_is(c, CHAR_ALPHA | CHAR_DIGIT) || c == '_' || c == '.';
}

/* A name of letters, digits, "_" and "."; Intel's names of other metrics can end with "(%)". */
static struct pmuq_str take_name(struct translation *t)
{
	static const struct pmuq_str percent = STR("(%)");
	size_t start = t->at;

	while (t->at < t->text.n && is_of_name(t->text.p[t->at]))
		t->at++;
	if (str_starts(rest_of(t), percent) && find(t, str_part(t->text, start, t->at + percent.n)))
		t->at += percent.n;
	return str_part(t->text, start, t->at);
}

/* ---- comparisons */

/* An operand of &, |, a comma, if or else ends before the next word. */
static void end_operand(struct translation *t)
{
	struct operand_level *level = &t->levels[t->depth];

	if (level->is_turned)
		t->words.v[t->words.n - 1].n_closed++;
	*level = (struct operand_level){ .start = t->words.n };
}

static void begin_operand(struct translation *t)
{
	t->levels[t->depth] = (struct operand_level){ .start = t->words.n };
}

static void compare(struct translation *t, struct pmuq_str sign, bool is_turned)
{
	struct operand_level *level = &t->levels[t->depth];

	if (level->is_turned || (is_turned && level->start == t->words.n)) {
		refuse(t, "has a comparison that is not of two values");
		return;
	}
	if (is_turned) {
		level->is_turned = true;
		t->words.v[level->start].n_opened++;
	}
	add_word(t, sign);
}

static void open_bracket(struct translation *t)
{
	add_word(t, STR("("));
	if (t->depth + 1 == PQ_FORMULA_DEPTH_MAX) {
		refuse(t, "is nested too deeply");
		return;
	}
	t->depth++;
	begin_operand(t);
}

static bool is_word(struct pmuq_str word, const char *text)
{
	return str_eq(word, str_of(text));
}

static bool is_function(struct pmuq_str word)
{
	return is_word(word, "min") || is_word(word, "max");
}

/* Intel's formulas have many brackets around one value, and the length of a formula is limited. */
static bool drop_bracket(struct translation *t)
{
	struct formula_word *end = t->words.v + t->words.n;

	if (t->words.n < 2 || !is_word(end[-2].text, "(") || is_word(end[-1].text, "(") ||
	    (t->words.n > 2 && is_function(end[-3].text)))
		return false;
	end[-2] = end[-1];
	t->words.n--;
	return true;
}

static void close_bracket(struct translation *t)
{
	if (!t->depth) {
		refuse(t, "has a ')' too many");
		return;
	}
	end_operand(t);
	t->depth--;
	if (!drop_bracket(t))
		add_word(t, STR(")"));
}

/* A word between two operands. */
static void separate(struct translation *t, struct pmuq_str word)
{
	end_operand(t);
	add_word(t, word);
	begin_operand(t);
}

/* ---- reading */

static void translate_name(struct translation *t)
{
	struct pmuq_str name = take_name(t), text;
	const struct pq_vendor_alias *alias = find(t, name);
	bool is_first = take(t, STR("[0]"));

	if (str_eq(name, STR("if")) || str_eq(name, STR("else"))) {
		separate(t, name);
		return;
	}
	if (str_eq(name, STR("min")) || str_eq(name, STR("max"))) {
		add_word(t, name);
		return;
	}
	if (!alias) {
		refuse_part(t, "has a name that is not one of its events or constants:", name);
		return;
	}
	text = is_first ? alias->unit : alias->text;
	if (!text.n)
		refuse_part(t, "needs one instance of", name);
	add_word(t, text);
}

/* "1e9" is one word. */
static void translate_number(struct translation *t)
{
	size_t start = t->at;

	while (t->at < t->text.n && (char_is_digit(t->text.p[t->at]) || t->text.p[t->at] == '.'))
		t->at++;
	if (take(t, STR("e")) || take(t, STR("E"))) {
		take(t, STR("-"));
		t->at = pq_num_digits_end(t->text, t->at);
	}
	add_word(t, str_part(t->text, start, t->at));
}

static void translate_comparison(struct translation *t)
{
	bool is_less = t->text.p[t->at++] == '<';

	/* Intel writes "> =". */
	skip_blanks(t);
	if (take(t, STR("=")))
		compare(t, is_less ? STR(">") : STR("<"), true);
	else
		compare(t, is_less ? STR("<") : STR(">"), false);
}

static void translate_word(struct translation *t)
{
	char c = t->text.p[t->at];

	if (take(t, STR("#NA"))) {
		add_word(t, STR("NaN"));
	} else if (char_is_digit(c) || c == '.') {
		translate_number(t);
	} else if (is_of_name(c)) {
		translate_name(t);
	} else if (c == '<' || c == '>') {
		translate_comparison(t);
	} else if (take(t, STR("("))) {
		open_bracket(t);
	} else if (take(t, STR(")"))) {
		close_bracket(t);
	} else if (take(t, STR("&&")) || take(t, STR("&"))) {
		separate(t, STR("&"));
	} else if (take(t, STR("||")) || take(t, STR("|"))) {
		separate(t, STR("|"));
	} else if (take(t, STR(","))) {
		separate(t, STR(","));
	} else if (c && strchr("+-*/", c)) {
		add_word(t, str_part(t->text, t->at, t->at + 1));
		t->at++;
	} else {
		refuse_part(t, "has the character", str_part(t->text, t->at, t->at + 1));
	}
}

/* ---- writing */

/* min(a, b) has its bracket next to it, and brackets have no blanks inside. */
static bool has_blank(struct pmuq_str before, struct pmuq_str word)
{
	bool is_call = is_word(word, "(") && is_function(before);

	return before.n && !is_word(before, "(") && !is_word(word, ")") && !is_word(word, ",") &&
	       !is_call;
}

static void print_words(struct translation *t, struct pmuq_str *ret)
{
	struct pq_buf buf = PQ_BUF_IN(t->converter->arena);
	struct pmuq_str before = STR("");

	for (size_t i = 0; i < t->words.n && buf.n <= PQ_FORMULA_MAX_BYTES; i++) {
		const struct formula_word *word = &t->words.v[i];

		pq_buf_char(&buf, ' ', has_blank(before, word->text));
		for (unsigned k = 0; k < word->n_opened; k++)
			pq_buf_add(&buf, STR("(1 - ("));
		pq_buf_add(&buf, word->text);
		for (unsigned k = 0; k < word->n_closed; k++)
			pq_buf_add(&buf, STR("))"));
		before = word->text;
	}
	if (buf.n > PQ_FORMULA_MAX_BYTES)
		refuse(t, "is longer than 128 KiB");
	*ret = pq_buf_take_str(&buf);
	t->is_ok &= ret->p != NULL;
}

bool pq_vendor_translate(const struct pq_vendor_converter *converter,
			 const struct pq_vendor_aliases *own,
			 const struct pq_vendor_aliases *shared, struct pmuq_str text,
			 struct pmuq_str *ret)
{
	struct translation t = {
		.converter = converter, .own = own, .shared = shared, .text = text, .is_ok = true
	};

	*ret = STR("");
	t.arena = PQ_ARENA(PQ_VENDOR_FOLDER_MAX_BYTES);
	skip_blanks(&t);
	while (!has_failed(&t) && t.at < text.n) {
		translate_word(&t);
		skip_blanks(&t);
	}
	if (t.depth)
		refuse(&t, "has a '(' too many");
	if (!has_failed(&t) && t.words.n)
		end_operand(&t);
	if (!has_failed(&t))
		print_words(&t, ret);
	pq_arena_clear(&t.arena);
	return t.is_ok;
}

bool pq_vendor_check_formula(const struct pq_vendor_converter *converter, struct pmuq_str text)
{
	struct pmuq_formula *formula = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_formula_parse(text.p, NULL, &formula, &error);
	bool has_memory = r != -PMUQ_E_MEMORY;

	/* A build without formulas cannot check them. */
	if (r == -PMUQ_E_BAD_FORMULA || r == -PMUQ_E_UNKNOWN_LITERAL)
		has_memory = pq_vendor_draft_problem(converter, "its formula is wrong: %s",
						     error->message.p);
	pmuq_formula_free(formula);
	pmuq_error_free(error);
	return has_memory;
}
