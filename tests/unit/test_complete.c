/* SPDX-License-Identifier: MIT */
/*
 * Completion: where the cursor is, and what is offered there. That each candidate
 * continues to an event is the law of tests/cases/cut_cases.c; this test checks which candidates
 * are found, and the errors of a call.
 */
#include "encode/words/generic.h"
#include "tests/harness/build.h"
#include "tests/harness/failing_malloc.h"
#include <stdio.h>

static const struct test_pmu machine[] = {
	{ .name = "cpu",
	  .type = 4,
	  .formats =
		  "event config:0-7; umask config:8-15; inv config:23; in config:24; bad config9:0-3",
	  .events =
		  "loads event=0xcd,umask=1; par event=?,umask=?; broken nosuch=1; read event=3" },
	TEST_TWO_INSTANCES,
	{ .name = "boxer", .type = 22, .cpumask = "0", .formats = "event config:0-7" },
	{ .name = "uprobe", .type = 7, .formats = "retprobe config:0" },
	{ .name = "software", .type = 1 },
};

static struct pmuq_source *source;

static int set_up(void **state)
{
	(void)state;
	return pmuq_source_open_catalog(test_catalog(machine, COUNT(machine)), &source, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	pmuq_source_free(source);
	return 0;
}

static struct pmuq_completion *complete(const char *text)
{
	struct pmuq_completion *completion = NULL;

	assert_int_equal(pmuq_source_complete(source, text, NULL, &completion, NULL), 0);
	return completion;
}

/* The candidates with a blank after each, and `next` in parentheses. */
static char *list_candidates(const struct pmuq_completion *completion)
{
	struct pq_buf list = PQ_BUF_NULL;
	char *text;

	for (size_t i = 0; i < completion->n_candidates; i++) {
		const struct pmuq_candidate *one = pmuq_completion_candidate(completion, i);

		pq_buf_print(&list, one->next.n ? "%s(%s) " : "%s ", one->text.p, one->next.p);
	}
	assert_null(pmuq_completion_candidate(completion, completion->n_candidates));
	pq_buf_char(&list, '\0', 1);
	text = strdup(list.p);
	pq_buf_free(&list);
	return text;
}

static bool is_offered(const char *text, const char *candidate)
{
	struct pmuq_completion *completion = complete(text);
	bool ret = false;

	for (size_t i = 0; i < completion->n_candidates; i++)
		ret |= !strcmp(pmuq_completion_candidate(completion, i)->text.p, candidate);
	pmuq_completion_free(completion);
	return ret;
}

// clang-format off
static const struct {
	const char *text;
	enum pmuq_cursor cursor;
	size_t offset;
	const char *pmu, *term;
	const char *candidates; /* NULL: any */
} rows[] = {
	{ "",                      PMUQ_CURSOR_EVENT,          0, NULL,  NULL,    NULL },
	{ "bo",                    PMUQ_CURSOR_EVENT,          0, NULL,  NULL,    "box/ boxer/ " },
	{ "box_",                  PMUQ_CURSOR_EVENT,          0, NULL,  NULL,    "box_0/ box_1/ " },
	{ "'tic",                  PMUQ_CURSOR_EVENT,          0, NULL,  NULL,    "'tick' " },
	{ "cs, tic",               PMUQ_CURSOR_EVENT,          4, NULL,  NULL,    "tick " },
	{ "g{tic",                 PMUQ_CURSOR_EVENT,          2, NULL,  NULL,    "tick(,}) " },
	{ "{cs,{",                 PMUQ_CURSOR_NONE,           5, NULL,  NULL,    "" },
	{ "u",                     PMUQ_CURSOR_EVENT,          0, NULL,  NULL,    "uprobe/ " },
	{ "1",                     PMUQ_CURSOR_EVENT,          0, NULL,  NULL,    "" },
	{ "r1a",                   PMUQ_CURSOR_EVENT,          0, NULL,  NULL,    "" },
	{ "par",                   PMUQ_CURSOR_EVENT,          0, NULL,  NULL,    "par/ " },
	{ "broken",                PMUQ_CURSOR_EVENT,          0, NULL,  NULL,    "" },
	{ "1:",                    PMUQ_CURSOR_NUMBER,         2, NULL,  NULL,    "" },
	{ "1:2",                   PMUQ_CURSOR_NUMBER,         3, NULL,  NULL,    "" },
	{ "mem:",                  PMUQ_CURSOR_NUMBER,         4, NULL,  NULL,    "" },
	{ "mem:0x10:",             PMUQ_CURSOR_ACCESS,         9, NULL,  NULL,    NULL },
	{ "mem:0x10:w",            PMUQ_CURSOR_ACCESS,         9, NULL,  NULL,    "wr wx " },
	{ "cs:",                   PMUQ_CURSOR_COLON,          3, NULL,  NULL,    NULL },
	{ "cpu/",                  PMUQ_CURSOR_TERM,           4, "cpu", NULL,    "loads/ par, read/ event= in(,/) inv(,/) umask= " },
	{ "cpu/loads",             PMUQ_CURSOR_TERM,           4, "cpu", NULL,    "loads/ " },
	{ "cpu/broken",            PMUQ_CURSOR_TERM,           4, "cpu", NULL,    "" },
	{ "cpu/event=1,i",         PMUQ_CURSOR_TERM,          12, "cpu", NULL,    "in(,/) inv(,/) inherit= " },
	{ "cpu/'um",               PMUQ_CURSOR_TERM,           4, "cpu", NULL,    "'umask'= " },
	{ "cpu/'a b",              PMUQ_CURSOR_NONE,           8, NULL,  NULL,    "" },
	{ "cpu/par,",              PMUQ_CURSOR_TERM,           8, "cpu", NULL,    "event= umask= " },
	{ "cpu/par,event=1",       PMUQ_CURSOR_VALUE,         14, "cpu", "event", "1, " },
	{ "cpu/par,event=1,",      PMUQ_CURSOR_TERM,          16, "cpu", NULL,    "umask= " },
	{ "par/umask=1,",          PMUQ_CURSOR_TERM,          12, "cpu", NULL,    "event= " },
	{ "cpu/r1a",               PMUQ_CURSOR_TERM,           4, "cpu", NULL,    "r1a, r1a/ " },
	{ "cpu/nosuch=1,e",        PMUQ_CURSOR_TERM,          13, "cpu", NULL,    "" },
	{ "cpu/umask=",            PMUQ_CURSOR_VALUE,         10, "cpu", "umask", "" },
	{ "cpu/umask=1",           PMUQ_CURSOR_VALUE,         10, "cpu", "umask", "1, 1/ " },
	{ "cpu/umask=0x100",       PMUQ_CURSOR_VALUE,         10, "cpu", "umask", "" },
	{ "cpu/event=lo",          PMUQ_CURSOR_VALUE,         10, "cpu", "event", "loads(,/) " },
	{ "cpu/branch_type=any_",  PMUQ_CURSOR_VALUE,         16, "cpu", "branch_type", "any_call(,/) any_ret(,/) " },
	{ "cpu/name='x",           PMUQ_CURSOR_VALUE,          9, "cpu", "name",  "" },
	{ "cpu/name='x'",          PMUQ_CURSOR_TERM_END,      12, "cpu", NULL,    ", / " },
	{ "cpu/name='x',uma",      PMUQ_CURSOR_TERM,          13, "cpu", NULL,    "umask= " },
	{ "uprobe/path='/bin/ls'", PMUQ_CURSOR_TERM_END,      21, "uprobe", NULL, ", " },
	{ "uprobe/path='/a',off",  PMUQ_CURSOR_TERM,          17, "uprobe", NULL, "offset= " },
	{ "box/tic",               PMUQ_CURSOR_TERM,           4, "box_0", NULL,  "tick/ " },
	{ "b*/tic",                PMUQ_CURSOR_TERM,           3, "box_0", NULL,  "tick/ " },
	{ "nosuch/ev",             PMUQ_CURSOR_TERM,           7, NULL,  NULL,    "" },
	{ "cpu/loads/",            PMUQ_CURSOR_MODIFIER,      10, "cpu", NULL,    NULL },
	{ "nosuch/loads/",         PMUQ_CURSOR_MODIFIER,      13, NULL,  NULL,    "" },
	{ "{cs}",                  PMUQ_CURSOR_GROUP_END,      3, NULL,  NULL,    "} }: " },
	{ "{nosuch}",              PMUQ_CURSOR_GROUP_END,      7, NULL,  NULL,    "" },
	{ "{cs}:",                 PMUQ_CURSOR_GROUP_MODIFIER, 5, NULL,  NULL,    NULL },
	{ "cs u",                  PMUQ_CURSOR_MODIFIER,       3, NULL,  NULL,    NULL },
	{ "cs ",                   PMUQ_CURSOR_NONE,           3, NULL,  NULL,    "" },
	{ "cs}",                   PMUQ_CURSOR_NONE,           3, NULL,  NULL,    "" },
	{ "skx::IN",               PMUQ_CURSOR_NONE,           7, NULL,  NULL,    "" },
	{ "cpu/@set",              PMUQ_CURSOR_TERM_END,       8, "cpu", NULL,    ", / " },
};
// clang-format on

static void the_cursor_and_what_is_offered_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_completion *completion = complete(rows[i].text);
		auto_free char *candidates = list_candidates(completion);
		const char *pmu = completion->pmu.p, *term = completion->term.p;

		if (completion->cursor != rows[i].cursor || completion->offset != rows[i].offset)
			fail_msg("'%s': cursor %d at %zu", rows[i].text, completion->cursor,
				 completion->offset);
		if (strcmp(pmu ? pmu : "-", rows[i].pmu ? rows[i].pmu : "-") != 0 ||
		    strcmp(term ? term : "-", rows[i].term ? rows[i].term : "-") != 0)
			fail_msg("'%s': PMU %s, term %s", rows[i].text, pmu, term);
		if (rows[i].candidates && strcmp(candidates, rows[i].candidates) != 0)
			fail_msg("'%s': %s", rows[i].text, candidates);
		pmuq_completion_free(completion);
	}
}

/* A term that is listed but that the encoder does not find is not offered. */
static void every_term_that_pmus_take_is_offered(void **state)
{
	const char *name;
	bool takes_value;

	(void)state;
	for (size_t i = 0; (name = pmuq_term_name(i, &takes_value)); i++) {
		auto_free char *begun = NULL, *whole = NULL;

		assert_true(asprintf(&begun, "cpu/%.*s", (int)strlen(name) - 1, name) > 0);
		assert_true(asprintf(&whole, "%s%s", name, takes_value ? "=" : "") > 0);
		if (!is_offered(begun, whole))
			fail_msg("after '%s' there is no '%s'", begun, whole);
	}
}

static void every_modifier_is_offered_as_often_as_it_may_be_written(void **state)
{
	const char *meaning;
	char letter;

	(void)state;
	for (size_t i = 0; (meaning = pmuq_modifier_meaning(i, &letter)); i++) {
		bool is_for_groups = letter == 'W';
		const char word[] = { letter, letter, letter, letter, '\0' };
		char text[16];

		for (size_t n = 0; n < 4; n++) {
			bool wanted = n < (letter == 'p' ? 3 : 1);

			snprintf(text, sizeof(text), "cs:%.*s", (int)n, word);
			assert_int_equal(is_offered(text, word + 3 - n), wanted && !is_for_groups);
			snprintf(text, sizeof(text), "{cs}:%.*s", (int)n, word);
			assert_int_equal(is_offered(text, word + 3 - n), wanted);
		}
	}
	assert_true(is_offered("{cs:pp}:", "p"));
	assert_false(is_offered("{cs:ppp}:", "p"));
}

static void every_generic_event_is_offered(void **state)
{
	struct pq_generic generic;
	char bytes[PMUQ_GENERIC_NAME_MAX];
	struct pmuq_str name;

	(void)state;
	for (size_t i = 0; (name = pq_generic_at(i)).n; i++) {
		assert_true(pq_generic_find(name, &generic));
		if (generic.type != PQ_GENERIC_PSEUDO &&
		    !is_offered("", pq_generic_name(generic, 0, bytes).p))
			fail_msg("%s", name.p);
	}
}

static void assert_read_back(const char *written, const char *name)
{
	struct pmuq_encodings *encodings = NULL;
	auto_free char *text = NULL;
	struct pmuq_str group = { 0 };
	int r;

	assert_true(asprintf(&text, "%s{cs,cs}", written) > 0);
	r = pmuq_source_encode(source, text, NULL, &encodings, NULL);
	if (r == 0)
		group = pmuq_encodings_get(encodings, 0)->group_name;
	if (r != 0 || strcmp(group.p, name) != 0)
		fail_msg("%s is read as %s", text, group.p);
	pmuq_encodings_free(encodings);
}

/* The name of a group: the scanner could read many of them as something else. */
static void names_are_written_so_that_they_are_read_back(void **state)
{
	static const char *const others[] = {
		"r1a",	  "r1ag", "0x1f", "12", "ukhGHIPSDWebRXppp", "ukhGHIPSDWebRXpppu",
		"a.b-c!", "mem",  "pfm"
	};
	size_t n_written = 0;

	(void)state;
	for (unsigned i = 1; i < 1 << 16; i++) {
		const char name[] = { (char)(i & 0xff), (char)(i >> 8), '\0' };
		auto_free char *written = NULL;

		if (i & 0xff)
			assert_int_equal(pmuq_name_in_event(name, &written, NULL), 0);
		n_written += written != NULL;
		if (written)
			assert_read_back(written, name);
	}
	/* A letter, a digit or one of _*?[], and after it also one of .!-:,= */
	assert_int_equal(n_written, (62 + 5) * (62 + 11 + 1));
	for (size_t i = 0; i < COUNT(others); i++) {
		auto_free char *written = NULL;

		assert_int_equal(pmuq_name_in_event(others[i], &written, NULL), 0);
		assert_read_back(written, others[i]);
	}
	for (size_t i = 0; i < 2; i++) {
		char *none;

		assert_int_equal(pmuq_name_in_event(i ? "it's" : "", &none, NULL), 0);
		assert_null(none);
	}
}

static void options_are_those_of_encode(void **state)
{
	struct pmuq_encode_options options = { .size = sizeof(options) };
	struct pmuq_completion *completion = NULL;
	struct pmuq_error *error = NULL;
	auto_free char *candidates = NULL;

	(void)state;
	options.from = PMUQ_FROM_GENERIC;
	assert_int_equal(pmuq_source_complete(source, "lo", &options, &completion, NULL), 0);
	assert_int_equal(completion->n_candidates, 0);
	pmuq_completion_free(completion);
	options = (struct pmuq_encode_options){ .size = sizeof(options), .is_strict = true };
	assert_int_equal(pmuq_source_complete(source, "box/tick/", &options, &completion, NULL), 0);
	candidates = list_candidates(completion);
	assert_null(strchr(candidates, 'u')); /* a warning: an uncore PMU cannot filter */
	pmuq_completion_free(completion);
	/* Also a warning: the pattern matches one PMU. */
	assert_int_equal(pmuq_source_complete(source, "boxe*/ev", &options, &completion, NULL), 0);
	assert_int_equal(completion->n_candidates, 0);
	pmuq_completion_free(completion);
	options.dialect = 7;
	assert_int_equal(pmuq_source_complete(source, "", &options, &completion, &error),
			 -PMUQ_E_BAD_CALL);
	pmuq_error_free(error);
}

/* If one allocation fails, completion fails as a whole or gives its usual result. */
static bool completes_without(const char *text, const char *wanted, unsigned n)
{
	struct pmuq_completion *completion = NULL;
	struct pmuq_error *error = NULL;
	bool has_failed;
	int r;

	fail_malloc_at(n);
	r = pmuq_source_complete(source, text, NULL, &completion, &error);
	has_failed = fail_malloc_no_more();
	if (r == 0) {
		auto_free char *candidates = list_candidates(completion);

		assert_string_equal(candidates, wanted);
	} else {
		assert_int_equal(r, -PMUQ_E_MEMORY);
		assert_non_null(error);
	}
	pmuq_completion_free(completion);
	pmuq_error_free(error);
	return !has_failed;
}

static void without_memory_it_fails_as_a_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_completion *completion = complete(rows[i].text);
		auto_free char *wanted = list_candidates(completion);
		unsigned n = 0;

		pmuq_completion_free(completion);
		while (!completes_without(rows[i].text, wanted, n))
			n++;
		assert_true(n > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cursor_and_what_is_offered_there),
		cmocka_unit_test(every_term_that_pmus_take_is_offered),
		cmocka_unit_test(every_modifier_is_offered_as_often_as_it_may_be_written),
		cmocka_unit_test(every_generic_event_is_offered),
		cmocka_unit_test(names_are_written_so_that_they_are_read_back),
		cmocka_unit_test(options_are_those_of_encode),
		cmocka_unit_test(without_memory_it_fails_as_a_whole),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
