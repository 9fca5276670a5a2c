/* SPDX-License-Identifier: MIT */
/*
 * Compiles a regular expression: a recursive parser writes states while it reads. What follows an
 * atom (a repetition, an alternative) inserts states before it, or copies it.
 */
#include "core/num.h"
#include "core/regex_states.h"

struct compiler {
	struct pmuq_str text;
	size_t at; /* in the text */
	unsigned depth;
	struct pq_regex_state states[PQ_REGEX_MAX_STATES];
	size_t n_states;
	struct pq_regex_set sets[PQ_REGEX_SETS_MAX];
	size_t n_sets;
	/* The mistake, after which nothing is read. */
	const char *why;
	struct pq_span where;
};

static bool refuse(struct compiler *c, size_t from, size_t to, const char *why)
{
	c->why = why;
	c->where = (struct pq_span){ (uint32_t)from, (uint32_t)(to - from) };
	return false;
}

static bool is_end(const struct compiler *c)
{
	return c->at == c->text.n;
}

static bool take(struct compiler *c, char byte)
{
	if (is_end(c) || c->text.p[c->at] != byte)
		return false;
	c->at++;
	return true;
}

/* ------------------------------------------------------------------------------------- states */

static bool has_capacity(struct compiler *c, size_t n)
{
	return c->n_states + n <= PQ_REGEX_MAX_STATES ||
	       refuse(c, 0, c->text.n, "its repetitions need too many states");
}

static bool add_state(struct compiler *c, struct pq_regex_state state)
{
	if (!has_capacity(c, 1))
		return false;
	c->states[c->n_states++] = state;
	return true;
}

/* Inserts states before those from `begin` on, which all move. */
static bool insert_state(struct compiler *c, size_t begin, struct pq_regex_state state)
{
	if (!has_capacity(c, 1))
		return false;
	memmove(&c->states[begin + 1], &c->states[begin],
		(c->n_states++ - begin) * sizeof(*c->states));
	c->states[begin] = state;
	return true;
}

static struct pq_regex_state branch(ptrdiff_t to)
{
	return (struct pq_regex_state){ .type = PQ_REGEX_BRANCH, .to = (int16_t)to };
}

static struct pq_regex_state jump(ptrdiff_t to)
{
	return (struct pq_regex_state){ .type = PQ_REGEX_JUMP, .to = (int16_t)to };
}

/* ------------------------------------------------------------------------- bracket expressions */

static void add_to_set(struct pq_regex_set *set, unsigned char first, unsigned char last)
{
	for (unsigned byte = first; byte <= last; byte++)
		set->bits[byte / 8] |= (uint8_t)(1u << byte % 8);
}

static const struct {
	struct pmuq_str name;
	/* Ranges of ASCII, as first and last bytes. */
	char ranges[9];
} classes[] = {
	{ STR("alnum"), "09AZaz" },   { STR("alpha"), "AZaz" },
	{ STR("blank"), "\t\t  " },   { STR("cntrl"), "\1\37\177\177" },
	{ STR("digit"), "09" },	      { STR("graph"), "!~" },
	{ STR("lower"), "az" },	      { STR("print"), " ~" },
	{ STR("punct"), "!/:@[`{~" }, { STR("space"), "\t\r  " },
	{ STR("upper"), "AZ" },	      { STR("xdigit"), "09AFaf" },
};

/* "[:alpha:]", from the colon on. */
static bool read_class(struct compiler *c, struct pq_regex_set *set)
{
	size_t begin = c->at - 1, from = ++c->at;

	while (!is_end(c) && c->text.p[c->at] != ':')
		c->at++;
	for (size_t i = 0; i < COUNT(classes); i++) {
		if (!str_eq(classes[i].name, str_part(c->text, from, c->at)))
			continue;
		for (const char *range = classes[i].ranges; *range; range += 2)
			add_to_set(set, (unsigned char)range[0], (unsigned char)range[1]);
		return (take(c, ':') && take(c, ']')) ||
		       refuse(c, begin, c->at, "a class ends with ':]'");
	}
	return refuse(c, begin, c->at, "there is no class of bytes of that name");
}

/* A byte, or the range that begins with it. */
static bool read_range(struct compiler *c, struct pq_regex_set *set)
{
	size_t begin = c->at;
	unsigned char first = (unsigned char)c->text.p[c->at++], last = first;

	if (c->at + 1 < c->text.n && c->text.p[c->at] == '-' && c->text.p[c->at + 1] != ']') {
		last = (unsigned char)c->text.p[c->at + 1];
		c->at += 2;
		if (last == '[')
			return refuse(c, begin, c->at, "a range ends with a byte");
	}
	if (last < first)
		return refuse(c, begin, c->at, "the range ends before it begins");
	add_to_set(set, first, last);
	return true;
}

static bool read_set_item(struct compiler *c, struct pq_regex_set *set)
{
	char next = c->at + 1 < c->text.n ? c->text.p[c->at + 1] : '\0';

	if (c->text.p[c->at] != '[' || !memchr(":.=", next, 3))
		return read_range(c, set);
	c->at++;
	if (next == ':')
		return read_class(c, set);
	return refuse(c, c->at - 1, c->at + 1,
		      "collating symbols and equivalence classes are not supported");
}

/* Parses after the '['. A ']' that comes first is a byte of the set. */
static bool read_set(struct compiler *c)
{
	size_t begin = c->at - 1, index = c->n_sets;
	struct pq_regex_set *set = &c->sets[c->n_sets++];
	bool is_inverted = take(c, '^');

	*set = (struct pq_regex_set){ 0 };
	for (size_t first = c->at; !is_end(c);) {
		if (c->at > first && take(c, ']')) {
			for (size_t i = 0; is_inverted && i < sizeof(set->bits); i++)
				set->bits[i] ^= UINT8_MAX;
			return add_state(c, (struct pq_regex_state){ .type = PQ_REGEX_SET,
								     .set = (uint8_t)index });
		}
		if (!read_set_item(c, set))
			return false;
	}
	return refuse(c, begin, c->at, "the bracket expression has no ']'");
}

/* --------------------------------------------------------------------------------------- atoms */

static bool read_alternatives(struct compiler *c);

static bool read_group(struct compiler *c)
{
	size_t begin = c->at - 1;
	bool is_fine;

	c->depth++;
	is_fine = read_alternatives(c);
	c->depth--;
	if (!is_fine)
		return false;
	return take(c, ')') || refuse(c, begin, begin + 1, "the group has no ')'");
}

static bool read_escape(struct compiler *c)
{
	char byte;

	if (is_end(c))
		return refuse(c, c->at - 1, c->at, "a byte must follow");
	byte = c->text.p[c->at++];
	if (char_is_digit(byte))
		return refuse(c, c->at - 2, c->at, "back-references are not supported");
	if (char_is_alpha(byte))
		return refuse(c, c->at - 2, c->at, "POSIX has no such escape");
	return add_state(
		c, (struct pq_regex_state){ .type = PQ_REGEX_BYTE, .byte = (unsigned char)byte });
}

static bool read_atom(struct compiler *c)
{
	char byte = c->text.p[c->at++];

	switch (byte) {
	case '(':
		return read_group(c);
	case '[':
		return read_set(c);
	case '\\':
		return read_escape(c);
	case '.':
		return add_state(c, (struct pq_regex_state){ .type = PQ_REGEX_ANY });
	case '^':
		return add_state(c, (struct pq_regex_state){ .type = PQ_REGEX_BEGIN });
	case '$':
		return add_state(c, (struct pq_regex_state){ .type = PQ_REGEX_END });
	case '*':
	case '+':
	case '?':
	case '{':
		return refuse(c, c->at - 1, c->at, "there is nothing to repeat before it");
	default:
		return add_state(c, (struct pq_regex_state){ .type = PQ_REGEX_BYTE,
							     .byte = (unsigned char)byte });
	}
}

/* --------------------------------------------------------------------------------- repetitions */

/* Makes the states from `begin` on optional. */
static bool make_optional(struct compiler *c, size_t begin)
{
	return insert_state(c, begin, branch((ptrdiff_t)(c->n_states - begin) + 1));
}

static bool repeat_once_or_more(struct compiler *c, size_t begin)
{
	return add_state(c, branch((ptrdiff_t)begin - (ptrdiff_t)c->n_states));
}

static bool copy_states(struct compiler *c, size_t begin, size_t n)
{
	if (!has_capacity(c, n))
		return false;
	memcpy(&c->states[c->n_states], &c->states[begin], n * sizeof(*c->states));
	c->n_states += n;
	return true;
}

/* Repeats the states from `begin` on, from `least` to `most` times; SIZE_MAX: without end. */
static bool repeat(struct compiler *c, size_t begin, size_t least, size_t most)
{
	size_t n = c->n_states - begin, last = begin;

	/* Nothing, however often: copies of it would never reach the limit of states. */
	if (most == 0 || n == 0) {
		c->n_states = begin;
		return true;
	}
	if (most == SIZE_MAX && least == 0)
		return repeat_once_or_more(c, begin) && make_optional(c, begin);
	for (size_t i = 1; i < least; i++) {
		last = c->n_states;
		if (!copy_states(c, begin, n))
			return false;
	}
	if (most == SIZE_MAX)
		return repeat_once_or_more(c, last);
	/* Each further one is optional by itself: "aa?a?". */
	for (size_t i = least ? least : 1; i < most; i++) {
		last = c->n_states;
		if (!copy_states(c, begin, n) || !make_optional(c, last))
			return false;
	}
	return least > 0 || make_optional(c, begin);
}

/* "2", "2,", "2,3" or ",3", and the '}'. */
static bool read_interval(struct compiler *c, size_t begin)
{
	size_t open = c->at - 1, n = 0;
	uint64_t least = 0, most = SIZE_MAX;

	if (pq_num_prefix(str_part(c->text, c->at, c->text.n), &least, &n))
		c->at += n;
	if (take(c, ',')) {
		if (pq_num_prefix(str_part(c->text, c->at, c->text.n), &most, &n))
			c->at += n;
	} else if (n) {
		most = least;
	} else {
		return refuse(c, open, c->at, "an interval begins with a number");
	}
	if (!take(c, '}'))
		return refuse(c, open, c->at, "an interval is '{2}', '{2,}' or '{2,3}'");
	if (most < least)
		return refuse(c, open, c->at, "the interval ends before it begins");
	return repeat(c, begin, (size_t)least, (size_t)most);
}

static bool read_repeated(struct compiler *c)
{
	size_t begin = c->n_states;
	char first = c->text.p[c->at];
	bool is_fine = read_atom(c);

	while (is_fine && !is_end(c) && memchr("*+?{", c->text.p[c->at], 4)) {
		if (first == '^' || first == '$')
			return refuse(c, c->at, c->at + 1, "'^' and '$' cannot be repeated");
		switch (c->text.p[c->at++]) {
		case '*':
			is_fine = repeat(c, begin, 0, SIZE_MAX);
			break;
		case '+':
			is_fine = repeat(c, begin, 1, SIZE_MAX);
			break;
		case '?':
			is_fine = repeat(c, begin, 0, 1);
			break;
		default:
			is_fine = read_interval(c, begin);
		}
	}
	return is_fine;
}

/* ---------------------------------------------------------------------------- the whole of it */

/* Parses up to '|', the ')' of a group, or the end. Outside groups, ')' is a byte. */
static bool read_sequence(struct compiler *c)
{
	while (!is_end(c) && c->text.p[c->at] != '|' && !(c->depth > 0 && c->text.p[c->at] == ')'))
		if (!read_repeated(c))
			return false;
	return true;
}

static bool read_alternatives(struct compiler *c)
{
	size_t begin = c->n_states, leave;

	if (!read_sequence(c))
		return false;
	if (!take(c, '|'))
		return true;
	if (!add_state(c, jump(0)) || !make_optional(c, begin))
		return false;
	leave = c->n_states - 1;
	if (!read_alternatives(c))
		return false;
	c->states[leave] = jump((ptrdiff_t)(c->n_states - leave));
	return true;
}

static int fail(const struct compiler *c, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_BAD_REGEX, "invalid regular expression: %s", c->why);

	pq_error_input(reterr, c->text);
	pq_error_at(reterr, c->where);
	return r;
}

int pq_regex_compile(struct pq_arena *arena, struct pmuq_str text, const struct pq_regex **ret,
		     struct pmuq_error **reterr)
{
	struct compiler c = { .text = text };
	struct pq_regex *regex;
	struct pq_regex_set *sets;

	if (text.n > PQ_REGEX_MAX_BYTES)
		refuse(&c, PQ_REGEX_MAX_BYTES, text.n, "it is longer than 256 bytes");
	else if (read_alternatives(&c))
		add_state(&c, (struct pq_regex_state){ .type = PQ_REGEX_MATCH });
	if (c.why)
		return fail(&c, reterr);
	regex = pq_arena_take(arena, sizeof(*regex) + c.n_states * sizeof(*c.states));
	sets = pq_arena_array(arena, c.n_sets, sizeof(*sets));
	if (!regex || (c.n_sets && !sets))
		return pq_fail_memory(reterr);
	memcpy(regex->states, c.states, c.n_states * sizeof(*c.states));
	if (c.n_sets)
		memcpy(sets, c.sets, c.n_sets * sizeof(*sets));
	regex->n_states = c.n_states;
	regex->sets = sets;
	*ret = regex;
	return 0;
}
