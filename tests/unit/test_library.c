/* SPDX-License-Identifier: MIT */
/* The loader of optional libraries, tested with functions of libc: core/library.h. */
#include "core/library.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X) X(strlen) X(abs)
struct functions {
	FUNCTIONS(PQ_LIBRARY_POINTER)
};
static const char *const names[] = { FUNCTIONS(PQ_LIBRARY_NAME) };
static const char *const wrong_names[] = { "strlen", "no_such_function_anywhere" };

static struct pq_library library_of(const char *file, const char *const *of_names)
{
	return (struct pq_library){
		.file = file,
		.need = "absolute values need libc",
		.hint = "install a libc",
		.names = of_names,
		.n = COUNT(names),
	};
}

static void functions_are_filled_in_the_order_of_their_names(void **state)
{
	struct pq_library library = library_of("libc.so.6", names);
	struct functions functions;

	(void)state;
	assert_int_equal(pq_library_load(&library, &functions, sizeof(functions), NULL), 0);
	assert_int_equal(functions.strlen("four"), 4);
	assert_int_equal(functions.abs(-4), 4);
}

static void expect_failure(const struct pq_library *library, const char *part)
{
	struct pmuq_error *error = NULL;
	struct functions functions;

	assert_int_equal(pq_library_load(library, &functions, sizeof(functions), &error),
			 -PMUQ_E_NO_LIBRARY);
	assert_non_null(strstr(error->message.p, library->need));
	assert_non_null(strstr(error->message.p, library->file));
	assert_non_null(strstr(error->message.p, part));
	assert_string_equal(error->hint.p, library->hint);
	pmuq_error_free(error);
	assert_int_equal(pq_library_load(library, &functions, sizeof(functions), NULL),
			 -PMUQ_E_NO_LIBRARY);
}

static void the_error_names_the_missing_file_or_function(void **state)
{
	struct pq_library no_file = library_of("libnone-of-pmuq.so.0", names);
	struct pq_library no_function = library_of("libc.so.6", wrong_names);

	(void)state;
	expect_failure(&no_file, "libnone-of-pmuq.so.0");
	expect_failure(&no_function, "no_such_function_anywhere");
}

static void a_version_that_is_too_old_reads_like_a_missing_library(void **state)
{
	struct pq_library library = library_of("libc.so.6", names);
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pq_library_fail(&library, "it is older than 1.0", &error),
			 -PMUQ_E_NO_LIBRARY);
	assert_string_equal(error->message.p,
			    "absolute values need libc (libc.so.6): it is older than 1.0");
	pmuq_error_free(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_filled_in_the_order_of_their_names),
		cmocka_unit_test(the_error_names_the_missing_file_or_function),
		cmocka_unit_test(a_version_that_is_too_old_reads_like_a_missing_library),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
