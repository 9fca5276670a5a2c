/* SPDX-License-Identifier: MIT */
#include "tests/harness/fail_each_malloc.h"
#include "core/buf.h"
#include "tests/harness/failing_malloc.h"
#include "tests/unit/cmocka_all.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text_of_error(const struct pmuq_error *error)
{
	char *text = NULL;

	assert_true(asprintf(&text, "%d %s [%zu+%zu of %s in %s]\n", error->code, error->message.p,
			     error->offset, error->length, error->input.p ? error->input.p : "-",
			     error->origin.p ? error->origin.p : "-") > 0);
	return text;
}

/* If an error has no memory for a part, its hint is that. */
static bool is_marked(const struct pmuq_error *error)
{
	return error && error->hint.p && strstr(error->hint.p, "out of memory");
}

static const char *subject(const struct call_input *in)
{
	return in->text ? in->text : in->dir;
}

/* What the call returned, as text; frees it. */
static char *outcome(const struct call_type *type, const struct call_input *in, int r, void *result,
		     struct pmuq_error *error)
{
	char *text;

	if ((r < 0) != (error != NULL) || (r < 0 && result))
		fail_msg("%s '%s': returns %d, %s error, %s result", type->name, subject(in), r,
			 error ? "an" : "no", result ? "a" : "no");
	text = r < 0 ? text_of_error(error) : type->print(in, result);
	assert_non_null(text);
	if (result)
		type->free(result);
	pmuq_error_free(error);
	return text;
}

/* The first line that differs; valid until the next call. */
static const char *first_difference(const char *text, const char *want)
{
	struct pmuq_str a = str_of(text), b = str_of(want), line = STR(""), usual = STR("");
	static char words[1024];

	while (str_eq(line, usual) && (a.n || b.n)) {
		str_cut(a, '\n', &line, &a);
		str_cut(b, '\n', &usual, &b);
	}
	snprintf(words, sizeof(words), "'%.*s', not '%.*s'", STR_ARG(line), STR_ARG(usual));
	return words;
}

/* Whether an allocation failed. */
static bool fail_one(const struct call_type *type, const struct call_input *in, unsigned n,
		     int want_r, const char *want)
{
	struct pmuq_error *error = NULL;
	void *result = NULL;
	bool has_failed, is_cut;
	char *text;
	int r;

	fail_malloc_at(n);
	r = type->call(in, &result, &error);
	has_failed = fail_malloc_no_more();
	is_cut = is_marked(error);
	text = outcome(type, in, r, result, error);
	if (r != -PMUQ_E_MEMORY && (r != want_r || (strcmp(text, want) != 0 && !is_cut))) {
		fail_malloc_print_stack();
		fail_msg("%s '%s' without allocation %u: %s", type->name, subject(in), n,
			 first_difference(text, want));
	}
	if (r == -PMUQ_E_MEMORY && !has_failed)
		fail_msg("%s '%s': no memory, but no allocation failed", type->name, subject(in));
	free(text);
	return has_failed;
}

void fail_each_malloc(const struct call_type *type, const struct call_input *in)
{
	struct pmuq_error *error = NULL;
	const unsigned *numbers;
	void *result = NULL;
	auto_free char *want = NULL;
	size_t n;
	int r;

	list_mallocs();
	r = type->call(in, &result, &error);
	numbers = list_mallocs_end(&n);
	want = outcome(type, in, r, result, error);
	for (size_t i = 0; i < n; i++)
		assert_true(fail_one(type, in, numbers[i], r, want));
}
