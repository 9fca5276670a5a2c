/* SPDX-License-Identifier: MIT */
/* The language of formulas, rule by rule: docs/metrics.md. tests/metrics/ has recordings of perf. */
#include "core/base.h"
#include "core/limits.h"
#include "tests/harness/failing_malloc.h"
#include "tests/unit/cmocka_all.h"
#include <math.h>
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value that each name has. */
static const struct {
	const char *name;
	struct pmuq_formula_input input;
} known[] = {
	{ "a", { 5, 1, 1 } },
	{ "b", { 3, 1, 1 } },
	{ "zero", { 0, 1, 1 } },
	{ "half", { 0.5, 1, 1 } },
	{ "lost", { NAN, 1, 1 } },
	{ "large", { 1e300, 1, 1 } },
	{ "uncore", { 100, 6, 24 } },
	{ "smt_on", { 1, 1, 1 } },
	{ "num_cpus", { 16, 1, 1 } },
	{ "has", { 1, 0, 0 } },
	{ "1e", { 7, 1, 1 } },
	{ "1.5.2", { 8, 1, 1 } },
	{ "cpu@x,y=1@", { 9, 1, 1 } },
	{ "chip=2", { 10, 1, 1 } },
	{ "MAX", { 11, 1, 1 } },
	{ "maxa", { 12, 1, 1 } },
	{ "Intel-6-55", { 1, 0, 0 } },
};

static void make_inputs(const struct pmuq_formula *formula, struct pmuq_formula_input inputs[16])
{
	size_t n = pmuq_formula_operand_count(formula);

	assert_true(n < 16);
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_operand *name = pmuq_formula_operand(formula, i);
		bool is_predicate = name->type == PMUQ_OPERAND_HAS_EVENT ||
				    name->type == PMUQ_OPERAND_CPU;

		inputs[i] = (struct pmuq_formula_input){ is_predicate ? 0 : NAN, NAN, NAN };
		for (size_t k = 0; k < COUNT(known); k++)
			if (strcmp(known[k].name, name->name.p) == 0)
				inputs[i] = known[k].input;
	}
	assert_null(pmuq_formula_operand(formula, n));
}

/* What both dialects give: a number, "nan" with a reason, or (NULL) an error. */
#define ERROR NULL
struct row {
	const char *formula, *own, *perf;
	enum pmuq_formula_reason reason; /* of `own` */
};

static const struct row rows[] = {
	/* Words. */
	{ "1e9", "1000000000", "1000000000" },
	{ ".5 + 5.", "5.5", "5.5" },
	{ "1e-3", "0.001", "0.001" },
	{ "1e+3", "10", "10" },
	{ "1.5.2", "8", "8" },
	{ "1E9", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "1e309", ERROR, ERROR },
	{ "1e-400", ERROR, ERROR },
	{ "cpu@x\\,y\\=1@", "9", "9" },
	{ "chip\\=?", "10", "10" },
	{ "MAX + maxa", "23", "23" },
	{ "#SMT_on + #num_cpus", "17", "17" },
	{ "#smt-on", ERROR, ERROR },
	{ "#nonsense", ERROR, ERROR },
	{ "# smt_on", ERROR, "1" },
	{ "a >= b", ERROR, "1" },
	{ "a == b", ERROR, ERROR },
	{ "a || b", ERROR, ERROR },
	{ "!a", ERROR, "5" },
	{ "{a}", ERROR, "5" },
	{ " a\t+\nb ", "8", "8" },
	{ "", ERROR, ERROR },
	{ "NaN", "nan", "nan", PMUQ_FORMULA_NAN },
	/* Precedence, from loose to tight. */
	{ "1 | zero ^ 1", "1", "1" },
	{ "1 ^ 1 & zero", "1", "1" },
	{ "2 < 1 & 1", "0", "0" },
	{ "1 < 2 < 3", "1", "1" },
	{ "3 > 2 > 1", "0", "0" },
	{ "a < b + 4", "1", "1" },
	{ "a + b * 2", "11", "11" },
	{ "a - b - 1", "1", "1" },
	{ "a / b / 5", "0.33333333333333337", "0.33333333333333337" },
	{ "-a * -b", "15", "15" },
	{ "- -a", "5", "5" },
	{ "+a", ERROR, ERROR },
	{ "a if zero else b if zero else 7", "7", "7" },
	{ "min(a if b else 1, 1)", ERROR, ERROR },
	{ "min((a if b else 1), 1)", "1", "1" },
	{ "min(a)", ERROR, ERROR },
	{ "min(a, b, 1)", ERROR, ERROR },
	{ "(a", ERROR, ERROR },
	{ "a if b", ERROR, ERROR },
	/* Values. */
	{ "a / zero", "nan", "nan", PMUQ_FORMULA_DIVIDED_BY_0 },
	{ "lost + 1", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "lost < 1", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "large * large", "nan", "inf", PMUQ_FORMULA_TOO_LARGE },
	{ "large * large | 0", "nan", "inf", PMUQ_FORMULA_TOO_LARGE },
	{ "-7 % 3", "-1", "-1" },
	{ "7 % -3", "1", "1" },
	{ "7 % 2.9", "1", "1" },
	{ "a % zero", "nan", ERROR, PMUQ_FORMULA_BAD_REMAINDER },
	{ "a % half", "nan", ERROR, PMUQ_FORMULA_BAD_REMAINDER },
	{ "1e30 % 7", "nan", "-1", PMUQ_FORMULA_BAD_REMAINDER },
	{ "-9223372036854775808 % -1", "0", ERROR },
	{ "2 & 4", "1", "1" },
	{ "2 ^ 4", "0", "0" },
	{ "half | 0", "1", "1" },
	{ "lost | 1", "1", "1" },
	{ "lost & 0", "0", "0" },
	{ "lost | 0", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "1 & lost", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "lost ^ 1", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "1 if lost else 2", "nan", "1", PMUQ_FORMULA_NOT_COUNTED },
	{ "1 if 0 else lost", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "a if half else lost", "5", "5" },
	{ "min(lost, 1)", "nan", "1", PMUQ_FORMULA_NOT_COUNTED },
	{ "min(1, lost)", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "max(a, b) - min(a, b)", "2", "2" },
	{ "d_ratio(a, zero)", "0", "0" },
	{ "d_ratio(lost, zero)", "0", "0" },
	{ "d_ratio(zero, lost)", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "7 if lost else 7", "7", "7" },
	{ "lost if lost else lost", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "d_ratio(a, 2)", "2.5", "2.5" },
	{ "source_count(uncore) + aggr_nr(uncore)", "30", "30" },
	{ "source_count(nothing)", "nan", "nan", PMUQ_FORMULA_NOT_COUNTED },
	{ "has_event(has) + has_event(nothing)", "1", "1" },
	{ "strcmp_cpuid_str(Intel\\-6\\-55)", "1", "1" },
	{ "has_event(1)", ERROR, ERROR },
};

static char *value_of(const char *text, enum pmuq_dialect dialect,
		      enum pmuq_formula_reason *ret_reason)
{
	const struct pmuq_formula_options options = { .size = sizeof(options),
						      .dialect = dialect,
						      .parameter = 2 };
	struct pmuq_formula_input inputs[16];
	struct pmuq_formula *formula = NULL;
	struct pmuq_formula_result result = { 0 };
	struct pmuq_error *error = NULL;
	char *value = NULL;
	int r = pmuq_formula_parse(text, &options, &formula, &error);

	if (r == 0) {
		make_inputs(formula, inputs);
		r = pmuq_formula_evaluate(formula, inputs, pmuq_formula_operand_count(formula),
					  &result, &error);
	}
	if (r < 0) {
		assert_true(error->offset + error->length <= strlen(text));
		assert_string_equal(error->input.p, text);
	} else {
		assert_true(asprintf(&value, "%.17g", result.value) > 0);
		assert_true(result.offset + result.length <= strlen(text));
		assert_true(result.reason == PMUQ_FORMULA_KNOWN || result.length > 0);
		assert_int_equal(result.reason == PMUQ_FORMULA_KNOWN, isfinite(result.value) != 0);
	}
	*ret_reason = result.reason;
	pmuq_error_free(error);
	pmuq_formula_free(formula);
	return value;
}

static void expect(const char *text, enum pmuq_dialect dialect, const char *want,
		   enum pmuq_formula_reason *ret_reason)
{
	char *value = value_of(text, dialect, ret_reason);

	if (!value || !want ? (value || want) : strcmp(value, want) != 0)
		fail_msg("dialect %d: %s, not %s", (int)dialect, value ? value : "an error",
			 want ? want : "an error");
	free(value);
}

static void test_row(void **state)
{
	const struct row *row = *state;
	enum pmuq_formula_reason reason;

	expect(row->formula, PMUQ_DIALECT_PERF, row->perf, &reason);
	expect(row->formula, PMUQ_DIALECT_PMUQ, row->own, &reason);
	assert_int_equal(reason, row->reason);
}

/* ------------------------------------------------------------------------------------ names */

static void names_are_listed_with_their_spans(void **state)
{
	static const struct {
		const char *name;
		enum pmuq_operand_type type;
		uint32_t offset, length;
	} want[] = {
		{ "b", PMUQ_OPERAND_EVENT, 0, 1 },
		{ "x-y", PMUQ_OPERAND_EVENT, 4, 4 },
		{ "smt_on", PMUQ_OPERAND_LITERAL, 11, 7 },
		{ "b", PMUQ_OPERAND_HAS_EVENT, 31, 1 },
	};
	struct pmuq_formula *formula = NULL;

	(void)state;
	assert_int_equal(pmuq_formula_parse("b + x\\-y + #SMT_on + has_event(b) * b", NULL,
					    &formula, NULL),
			 0);
	assert_int_equal(pmuq_formula_operand_count(formula), COUNT(want));
	for (size_t i = 0; i < COUNT(want); i++) {
		const struct pmuq_operand *name = pmuq_formula_operand(formula, i);

		assert_string_equal(name->name.p, want[i].name);
		assert_int_equal(name->type, want[i].type);
		assert_int_equal(name->offset, want[i].offset);
		assert_int_equal(name->length, want[i].length);
	}
	pmuq_formula_free(formula);
}

static const struct {
	const char *formula, *events; /* separated by blanks; NULL: an error */
} needed[] = {
	{ "a + b - a", "a b" },
	{ "1 + 2", "" },
	{ "a if #smt_on else b", "a" },
	{ "a if has_event(nothing) else b", "b" },
	{ "a if c else b", "a b c" },
	{ "7 if c else 7", "" },
	{ "0 & a", "" },
	{ "a & 0", "" },
	{ "1 & a", "a" },
	{ "a | 1", "" },
	{ "0 | a", "a" },
	{ "0 & a | b", "b" },
	{ "min(1, 2) * a", "a" },
	{ "min(0, a) & b", "a b" },
	{ "0 * a", "a" },
	{ "a / 0", "" },
	{ "d_ratio(a, 0)", "" },
	{ "d_ratio(1, 2) if a else 0.5", "" },
	{ "source_count(a) + aggr_nr(b)", "a b" },
	{ "a % 0", NULL },
	{ "5 % half_", "half_" },
	{ "5 % 0.5", NULL },
	{ "a if (0 & b) else c", "c" },
	{ "strcmp_cpuid_str(Intel\\-6\\-55) & a", "a" },
};

static void events_that_can_change_the_result_are_needed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(needed); i++) {
		struct pmuq_formula_input inputs[16];
		struct pmuq_formula *formula = NULL;
		struct pmuq_names *names = NULL;
		char found[64] = "";
		int r;

		assert_int_equal(pmuq_formula_parse(needed[i].formula, NULL, &formula, NULL), 0);
		make_inputs(formula, inputs);
		r = pmuq_formula_list_events(formula, inputs, pmuq_formula_operand_count(formula),
					     &names, NULL);
		for (size_t k = 0; r == 0 && k < pmuq_names_count(names); k++) {
			strcat(found, k ? " " : "");
			strcat(found, pmuq_names_get(names, k));
		}
		if (r < 0 ? needed[i].events != NULL
			  : !needed[i].events || strcmp(found, needed[i].events) != 0)
			fail_msg("%s needs '%s' (%d)", needed[i].formula, found, r);
		pmuq_names_free(names);
		pmuq_formula_free(formula);
	}
}

static void a_cpu_is_named_by_a_pattern(void **state)
{
	static const struct {
		const char *pattern, *cpuid;
		bool matches;
	} cpus[] = {
		{ "GenuineIntel-6-55", "GenuineIntel-6-55-4", true },
		{ "GenuineIntel-6-55-[01234]", "GenuineIntel-6-55-4", true },
		{ "GenuineIntel-6-55-[0123]", "GenuineIntel-6-55-4", false },
		{ "GenuineIntel-6-5", "GenuineIntel-6-55-4", false },
		{ "0x00000000410fd0c0", "0x00000000410fd0c0", true },
		{ "0x00000000410fd0c0", "0x00000000410fd490", false },
	};
	bool matches;

	(void)state;
	for (size_t i = 0; i < COUNT(cpus); i++) {
		assert_int_equal(pmuq_formula_matches_cpu(cpus[i].pattern, cpus[i].cpuid, &matches,
							  NULL),
				 0);
		assert_int_equal(matches, cpus[i].matches);
	}
	assert_int_equal(pmuq_formula_matches_cpu("Intel-(", "Intel-6-55-4", &matches, NULL),
			 -PMUQ_E_BAD_REGEX);
}

/* ----------------------------------------------------------------------------------- limits */

/* n times the text, and then the end. */
static char *repeat(const char *begin, size_t n, const char *end)
{
	size_t n_begin = strlen(begin), n_end = strlen(end);
	char *text = malloc(n * (n_begin + n_end) + 2);

	assert_non_null(text);
	for (size_t i = 0; i < n; i++)
		memcpy(text + i * n_begin, begin, n_begin);
	text[n * n_begin] = 'a';
	for (size_t i = 0; i < n; i++)
		memcpy(text + n * n_begin + 1 + i * n_end, end, n_end);
	text[n * (n_begin + n_end) + 1] = '\0';
	return text;
}

static void expect_parsed(const char *begin, size_t n, const char *end, int want)
{
	struct pmuq_formula *formula = NULL;
	char *text = repeat(begin, n, end);

	assert_int_equal(pmuq_formula_parse(text, NULL, &formula, NULL), want);
	pmuq_formula_free(formula);
	free(text);
}

static void depth_and_length_are_limited(void **state)
{
	static const struct {
		const char *begin, *end;
	} nested[] = { { "(", ")" }, { "min(1,", ")" }, { "1 if 1 else ", "" } };

	(void)state;
	for (size_t i = 0; i < COUNT(nested); i++) {
		expect_parsed(nested[i].begin, PQ_FORMULA_DEPTH_MAX, nested[i].end, 0);
		expect_parsed(nested[i].begin, PQ_FORMULA_DEPTH_MAX + 1, nested[i].end,
			      -PMUQ_E_BAD_FORMULA);
	}
	expect_parsed("-", PQ_FORMULA_MAX_BYTES - 1, "", 0);
	expect_parsed("-", PQ_FORMULA_MAX_BYTES, "", -PMUQ_E_BAD_FORMULA);
	expect_parsed("a+", PQ_FORMULA_MAX_BYTES / 2 - 1, "", 0);
	expect_parsed("1|1^1&1<1+1*(", 90, ")", -PMUQ_E_BAD_FORMULA);
	expect_parsed("1|1^1&1<1+1*(", 80, ")", 0);
}

static void wrong_calls_are_refused(void **state)
{
	const struct pmuq_formula_options options = { .size = 0 };
	struct pmuq_formula_input inputs[2] = { { 0 } };
	struct pmuq_formula_result result;
	struct pmuq_formula *formula = NULL;
	struct pmuq_names *names = NULL;

	(void)state;
	assert_int_equal(pmuq_formula_parse("a", &options, &formula, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_formula_parse(NULL, NULL, &formula, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_formula_parse("#nonsense", NULL, &formula, NULL),
			 -PMUQ_E_UNKNOWN_LITERAL);
	assert_null(formula);
	assert_int_equal(pmuq_formula_parse("a", NULL, &formula, NULL), 0);
	assert_int_equal(pmuq_formula_evaluate(formula, inputs, 2, &result, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_formula_list_events(formula, inputs, 0, &names, NULL),
			 -PMUQ_E_BAD_CALL);
	pmuq_formula_free(formula);
	pmuq_formula_free(NULL);
}

static void each_failed_allocation_is_an_error(void **state)
{
	bool has_failed = true;

	(void)state;
	for (unsigned n = 0; has_failed; n++) {
		struct pmuq_formula_input inputs[16];
		struct pmuq_formula *formula = NULL;
		struct pmuq_names *names = NULL;
		int r;

		fail_malloc_at(n);
		r = pmuq_formula_parse("(a - b if #smt_on else has_event(c)) / d", NULL, &formula,
				       NULL);
		if (r == 0) {
			make_inputs(formula, inputs);
			r = pmuq_formula_list_events(
				formula, inputs, pmuq_formula_operand_count(formula), &names, NULL);
		}
		has_failed = fail_malloc_no_more();
		assert_int_equal(r, has_failed ? -PMUQ_E_MEMORY : 0);
		pmuq_names_free(names);
		pmuq_formula_free(formula);
	}
}

int main(void)
{
	struct CMUnitTest tests[COUNT(rows) + 6] = {
		cmocka_unit_test(names_are_listed_with_their_spans),
		cmocka_unit_test(events_that_can_change_the_result_are_needed),
		cmocka_unit_test(a_cpu_is_named_by_a_pattern),
		cmocka_unit_test(depth_and_length_are_limited),
		cmocka_unit_test(wrong_calls_are_refused),
		cmocka_unit_test(each_failed_allocation_is_an_error),
	};
	size_t n = 6;

	n += ADD_ROWS(tests + n, test_row, rows, formula);
	return _cmocka_run_group_tests("formula", tests, n, NULL, NULL);
}
