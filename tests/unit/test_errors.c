/* SPDX-License-Identifier: MIT */
/* Errors and their table: core/error.c, schemas/messages.toml. */
#include "core/error.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>

static char *formatted(struct pmuq_error *error)
{
	char *text = pmuq_error_format(error);

	pmuq_error_free(error);
	assert_non_null(text);
	return text;
}

static void an_error_shows_code_message_caret_and_hint(void **state)
{
	struct pmuq_error *error = NULL;
	auto_free char *text = NULL;

	(void)state;
	assert_int_equal(pq_fail(&error, PMUQ_E_UNKNOWN_TERM, "PMU '%s' has no term", "cpu"),
			 -PMUQ_E_UNKNOWN_TERM);
	pq_error_at(&error, (struct pq_span){ .offset = 4, .length = 4 });
	pq_error_input(&error, STR("cpu/umsk=1/"));
	pq_error_hint(&error, "did you mean '%s'?", "umask");
	text = formatted(error);
	assert_string_equal(text, "error[PMUQ-034] unknown-term: PMU 'cpu' has no term\n"
				  "  cpu/umsk=1/\n"
				  "      ^^^^\n"
				  "hint: did you mean 'umask'?");
}

static void the_first_span_and_input_stay(void **state)
{
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pq_fail(&error, PMUQ_E_SYNTAX, "x"), -PMUQ_E_SYNTAX);
	pq_error_at(&error, (struct pq_span){ .offset = 1, .length = 1 });
	pq_error_at(&error, (struct pq_span){ .offset = 7, .length = 7 });
	pq_error_input(&error, STR("inner"));
	pq_error_input(&error, STR("outer"));
	assert_int_equal(error->offset, 1);
	assert_string_equal(error->input.p, "inner");
	pmuq_error_free(error);
}

static void a_span_after_a_nul_is_inside_the_input(void **state)
{
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pq_fail(&error, PMUQ_E_SYNTAX, "x"), -PMUQ_E_SYNTAX);
	pq_error_at(&error, (struct pq_span){ .offset = 4, .length = 2 });
	pq_error_input(&error, STR("ab\0cde"));
	assert_int_equal(error->input.n, 6);
	assert_string_equal(error->input.p, "ab cde");
	pmuq_error_free(error);
}

/* The newline before that place. */
static const char *line_before(const char *text, const char *at)
{
	while (at > text && *at != '\n')
		at--;
	return at;
}

static void a_long_or_binary_input_is_shown_around_the_error(void **state)
{
	struct pmuq_error *error = NULL;
	auto_free char *text = NULL;
	const char *caret;
	char input[1000];

	(void)state;
	memset(input, 'a', sizeof(input));
	memcpy(input + 500, "\x01\xff", 2);
	assert_int_equal(pq_fail(&error, PMUQ_E_SYNTAX, "x"), -PMUQ_E_SYNTAX);
	pq_error_at(&error, (struct pq_span){ .offset = 500, .length = 2 });
	pq_error_input(&error, (struct pmuq_str){ input, sizeof(input) });
	text = formatted(error);
	assert_non_null(strstr(text, "\n  ...aaaa"));
	assert_non_null(strstr(text, "aa..aa"));
	caret = strstr(text, "^^");
	assert_non_null(caret);
	/* Below the two dots. */
	assert_int_equal(caret - line_before(text, caret),
			 strstr(text, "a..a") + 1 - strstr(text, "\n  ...aaaa"));
	assert_true(strlen(text) < 400);
}

static void a_span_beyond_the_input_is_cut(void **state)
{
	struct pmuq_error *error = NULL;
	auto_free char *text = NULL;

	(void)state;
	assert_int_equal(pq_fail(&error, PMUQ_E_SYNTAX, "x"), -PMUQ_E_SYNTAX);
	pq_error_at(&error, (struct pq_span){ .offset = 99, .length = UINT32_MAX });
	pq_error_input(&error, STR("ab"));
	text = formatted(error);
	assert_string_equal(text, "error[PMUQ-010] syntax: x\n  ab\n    ^");
}

/* As of a format file that holds "\033[2J", found by a fuzz target. */
static void control_characters_are_not_printed(void **state)
{
	struct pmuq_error *error = NULL;
	char *text;

	(void)state;
	assert_int_equal(pq_fail(&error, PMUQ_E_BAD_FORMAT, "format '%s'\n\x7f", "\033[2J"),
			 -PMUQ_E_BAD_FORMAT);
	pq_error_hint(&error, "\r%s", "na\xc3\xafve");
	pq_error_origin(&error, STR("a\tfile"));
	assert_string_equal(error->message.p, "format '\\x1b[2J'\\x0a\\x7f");
	text = pmuq_error_format(error);
	assert_non_null(strstr(text, "\nin: a\\x09file\nhint: \\x0dna\xc3\xafve"));
	free(text);
	pmuq_error_free(error);
}

static void the_error_may_be_null(void **state)
{
	(void)state;
	assert_int_equal(pq_fail(NULL, PMUQ_E_SYNTAX, "x"), -PMUQ_E_SYNTAX);
	pq_error_hint(NULL, "x");
	pmuq_error_free(NULL);
}

static void running_out_of_memory_needs_none(void **state)
{
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pq_fail_memory(&error), -PMUQ_E_MEMORY);
	pq_error_hint(&error, "cannot change it");
	assert_null(error->hint.p);
	pmuq_error_free(error);
}

static void every_code_has_a_name_an_example_and_a_remedy(void **state)
{
	unsigned before = 0, code;

	(void)state;
	for (size_t i = 0; (code = pmuq_code_at(i)); i++) {
		assert_true(code > before);
		before = code;
		assert_true(strlen(pmuq_code_name(code)) > 3);
		assert_true(strlen(pmuq_code_meaning(code)) > 10);
		assert_true(strlen(pmuq_code_example(code)) > 2);
		assert_true(strlen(pmuq_code_remedy(code)) > 5);
	}
	assert_null(pmuq_code_name(before + 1));
	assert_string_equal(pmuq_code_name(34), "unknown-term");
	assert_string_equal(pmuq_code_name(41), "wildcard-of-one");
}

/* Each way to add to an error. */
static void add_all(struct pmuq_error **reterr)
{
	struct pq_buf hint = PQ_BUF_NULL, origin = PQ_BUF_NULL, nothing = PQ_BUF_NULL;

	pq_buf_print(&hint, "a hint");
	pq_buf_print(&origin, "an origin");
	pq_error_hint(reterr, "another hint");
	pq_error_hint_buf(reterr, &nothing);
	pq_error_hint_buf(reterr, &hint);
	pq_error_origin(reterr, STR("another origin"));
	pq_error_origin_buf(reterr, &origin);
	pq_error_input(reterr, STR("an input"));
	pq_error_share_input(reterr, STR("another input"));
	pq_error_in(reterr, "somewhere: ");
	pq_error_errno(reterr, 7);
	pq_error_make_warning(reterr);
	pq_error_at(reterr, (struct pq_span){ .offset = 1, .length = 2 });
	assert_null(hint.p);
	assert_null(origin.p);
}

static void what_is_added_is_in_the_error(void **state)
{
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pq_fail(&error, PMUQ_E_SYNTAX, "x"), -PMUQ_E_SYNTAX);
	add_all(&error);
	assert_string_equal(error->message.p, "somewhere: x");
	assert_string_equal(error->hint.p, "a hint");
	assert_string_equal(error->origin.p, "an origin");
	assert_string_equal(error->input.p, "an input");
	assert_int_equal(error->errnum, 7);
	assert_true(error->is_warning);
	assert_int_equal(error->offset, 1);
	pq_error_origin(&error, (struct pmuq_str){ 0 });
	assert_string_equal(error->origin.p, "");
	pmuq_error_free(error);
}

static void nothing_is_added_to_no_error_or_to_the_one_for_memory(void **state)
{
	struct pmuq_error *none = NULL, *memory = NULL;

	(void)state;
	add_all(NULL);
	add_all(&none);
	assert_null(none);
	pq_fail_memory(&memory);
	add_all(&memory);
	assert_string_equal(memory->message.p, "out of memory");
	assert_false(memory->is_warning);
	assert_null(memory->input.p);
	pmuq_error_free(memory);
}

/* Its texts are static; where it is can be set once. */
static void an_error_in_an_arena_gets_no_texts(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(4096), full = PQ_ARENA(16);
	struct pmuq_error *error =
		pq_error_plain(&arena, PMUQ_E_NO_EFFECT, (struct pq_span){ .length = 5 });
	const char *message = pmuq_code_meaning(PMUQ_E_NO_EFFECT);

	(void)state;
	assert_null(pq_error_plain(&full, PMUQ_E_NO_EFFECT, (struct pq_span){ 0 }));
	add_all(&error);
	assert_ptr_equal(error->message.p, message);
	assert_ptr_equal(error->hint.p, pmuq_code_remedy(PMUQ_E_NO_EFFECT));
	assert_null(error->origin.p);
	assert_string_equal(error->input.p, "another input");
	assert_int_equal(error->errnum, 7);
	assert_true(error->is_warning);
	assert_int_equal(error->offset, 0);
	assert_int_equal(error->length, 5);
	pmuq_error_free(error);
	error = pq_error_plain(&arena, PMUQ_E_NO_EFFECT, (struct pq_span){ .offset = 3 });
	pq_error_at(&error, (struct pq_span){ .offset = 1, .length = 2 });
	assert_int_equal(error->offset, 3);
	error = pq_error_plain(&arena, PMUQ_E_NO_EFFECT, (struct pq_span){ 0 });
	pq_error_at(&error, (struct pq_span){ .offset = 1, .length = 2 });
	assert_int_equal(error->offset, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_shows_code_message_caret_and_hint),
		cmocka_unit_test(the_first_span_and_input_stay),
		cmocka_unit_test(a_long_or_binary_input_is_shown_around_the_error),
		cmocka_unit_test(a_span_beyond_the_input_is_cut),
		cmocka_unit_test(control_characters_are_not_printed),
		cmocka_unit_test(a_span_after_a_nul_is_inside_the_input),
		cmocka_unit_test(the_error_may_be_null),
		cmocka_unit_test(running_out_of_memory_needs_none),
		cmocka_unit_test(what_is_added_is_in_the_error),
		cmocka_unit_test(nothing_is_added_to_no_error_or_to_the_one_for_memory),
		cmocka_unit_test(an_error_in_an_arena_gets_no_texts),
		cmocka_unit_test(every_code_has_a_name_an_example_and_a_remedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
