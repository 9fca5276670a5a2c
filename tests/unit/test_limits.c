/* SPDX-License-Identifier: MIT */
/*
 * The limits of a string, and that its cost is linear in its length: strings of a mebibyte in every
 * difficult shape, through a lazy source in the default dialect, and through a catalog in perf's.
 */
#include "core/base.h"
#include "core/limits.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* On a busy machine, in a build with sanitizers, a second is short: CPU time is measured, and code
 * that is quadratic in the length takes minutes, not seconds. */
#define SECONDS_MAX 10
/* A longer time is printed, and is not a failure. */
#define NOTABLE_SECONDS 0.5
/* Four times the length: four times the work, and no more than twice that. */
#define GROWTH_MAX 8
/* A shorter time is too short to measure its growth. */
#define MEASURABLE_SECONDS 0.02
#define MEASUREMENTS_MAX 3

struct shape {
	const char *name, *head, *part, *tail;
};

static const struct shape shapes[] = {
	{ .name = "one word", .part = "a" },
	{ .name = "one word of modifiers", .part = "u" },
	{ .name = "one number", .part = "1" },
	{ .name = "events of one letter", .part = "a,", .tail = "a" },
	{ .name = "generic events", .part = "cs,", .tail = "cs" },
	{ .name = "events of a core PMU", .part = "cycles,", .tail = "cycles" },
	{ .name = "events of PMUs with instances", .part = "clockticks,", .tail = "cs" },
	{ .name = "all PMUs", .part = "*/config=1/,", .tail = "cs" },
	{ .name = "raw events", .part = "r8000,", .tail = "r1" },
	{ .name = "numeric events", .part = "1:1,", .tail = "1:1" },
	{ .name = "types of no PMU", .part = "99:1,", .tail = "99:1" },
	{ .name = "breakpoints", .part = "mem:1,", .tail = "mem:1" },
	{ .name = "tracepoint globs", .part = "*:*,", .tail = "*:*" },
	{ .name = "commas", .part = "," },
	{ .name = "braces", .part = "{" },
	{ .name = "closing braces", .part = "}" },
	{ .name = "small groups", .part = "{cs,cs},", .tail = "cs" },
	{ .name = "groups that are split", .part = "{cs,cycles,clockticks},", .tail = "cs" },
	{ .name = "one group of software", .head = "{", .part = "cs,", .tail = "cs}" },
	{ .name = "one group that stays", .head = "{", .part = "cs:X,", .tail = "cs}:u" },
	{ .name = "one group of two types", .head = "{", .part = "cs,cycles,", .tail = "cs}" },
	{ .name = "one group of metrics", .head = "{", .part = "r8000,cs,", .tail = "r400}" },
	{ .name = "slashes", .part = "/" },
	{ .name = "empty terms", .part = "cs//,", .tail = "cs" },
	{ .name = "one term over and over", .head = "cpu/", .part = "event=1,", .tail = "inv/" },
	{ .name = "terms of one letter", .head = "cpu/", .part = "a,", .tail = "a/" },
	{ .name = "keywords", .head = "cycles/", .part = "period=1,", .tail = "inv/" },
	{ .name = "one key", .head = "cpu/", .part = "a", .tail = "=1/" },
	{ .name = "one value", .head = "cpu/event=", .part = "a", .tail = "/" },
	{ .name = "one number as value", .head = "cpu/event=", .part = "9", .tail = "/" },
	{ .name = "one name", .head = "cpu/name=", .part = "a", .tail = "/" },
	{ .name = "one quoted name", .head = "cpu/name='", .part = "a,", .tail = "'/" },
	{ .name = "quotes", .part = "'" },
	{ .name = "quoted letters", .part = "'a'", .tail = "" },
	{ .name = "a list of CPUs", .head = "cpu/cpu='", .part = "1,", .tail = "1'/" },
	{ .name = "ranges of CPUs", .head = "cpu/cpu='", .part = "0-65535,", .tail = "1'/" },
	{ .name = "branch filters", .head = "cpu/branch_type='", .part = "any,", .tail = "k'/" },
	{ .name = "a driver's setting", .head = "cpu/@", .part = "a", .tail = "/" },
	{ .name = "a list of modifiers", .head = "cs:", .part = "uk", .tail = "" },
	{ .name = "globs that match nothing", .part = "*?", .tail = "Z/event=1/" },
	{ .name = "stars", .part = "*a", .tail = "Z/event=1/" },
	{ .name = "classes", .part = "[a-z]", .tail = "/event=1/" },
	{ .name = "open classes", .part = "[", .tail = "/event=1/" },
	{ .name = "a tracepoint's glob", .head = "sched:", .part = "*?", .tail = "Z" },
	{ .name = "a near miss of a PMU", .head = "uncore_im", .part = "c", .tail = "/event=1/" },
	{ .name = "a near miss of a term", .head = "cpu/umas", .part = "k", .tail = "=1/" },
	{ .name = "a near miss of an event", .head = "cache-", .part = "misses-" },
	{ .name = "digits of an instance",
	  .head = "uncore_imc_",
	  .part = "0",
	  .tail = "/event=1/" },
	{ .name = "blanks", .part = " " },
	{ .name = "blanks between events", .part = "cs  , ", .tail = "cs" },
	{ .name = "ends of lines", .head = "mem:1", .part = "\n", .tail = "/4" },
	{ .name = "colons", .head = "cs", .part = ":" },
	{ .name = "bytes that are not a text", .part = "\xff" },
};

static char *machine_path(const char *name)
{
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", getenv("PMUQ_TEST_MACHINES"), name) > 0);
	return path;
}

/* The longest text of the shape within `room` bytes. */
static char *stretch(const struct shape *shape, size_t max_bytes)
{
	const char *head = shape->head ? shape->head : "", *tail = shape->tail ? shape->tail : "";
	size_t part = strlen(shape->part), fixed = strlen(head) + strlen(tail);
	char *text = malloc(max_bytes + 1), *at = text;

	assert_non_null(text);
	at = stpcpy(at, head);
	for (size_t n = (max_bytes - fixed) / part; n; n--)
		at = stpcpy(at, shape->part);
	stpcpy(at, tail);
	return text;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct machine {
	struct pmuq_source *lazy;
	struct pmuq_catalog *catalog;
};

static enum pmuq_code encode_text(const struct machine *m, bool is_lazy, enum pmuq_dialect dialect,
				  const char *text)
{
	struct pmuq_encode_options options = { .size = sizeof(options), .dialect = dialect };
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;
	int r = is_lazy ? pmuq_source_encode(m->lazy, text, &options, &encodings, &error)
			: pmuq_catalog_encode(m->catalog, text, &options, &encodings, &error);

	if (r < 0) {
		enum pmuq_code code = error->code;
		auto_free char *shown = pmuq_error_format(error);

		assert_non_null(shown);
		pmuq_error_free(error);
		return code;
	}
	pmuq_encodings_free(encodings);
	return PMUQ_OK;
}

/* CPU seconds for the shape in that length. */
static double cost(const struct machine *m, const struct shape *shape, bool is_lazy,
		   enum pmuq_dialect dialect, size_t bytes)
{
	auto_free char *text = stretch(shape, bytes);
	double start = seconds();

	encode_text(m, is_lazy, dialect, text);
	return seconds() - start;
}

/* Whether four times the length takes no more than GROWTH_MAX times as long. */
static bool grows_evenly(const struct machine *m, const struct shape *shape, bool is_lazy,
			 enum pmuq_dialect dialect)
{
	double whole = cost(m, shape, is_lazy, dialect, PQ_INPUT_MAX_BYTES);
	double quarter;

	if (whole > NOTABLE_SECONDS)
		print_message("# %s: %g s\n", shape->name, whole);
	assert_true(whole < SECONDS_MAX);
	if (whole < MEASURABLE_SECONDS)
		return true;
	quarter = cost(m, shape, is_lazy, dialect, PQ_INPUT_MAX_BYTES / 4);
	return quarter < MEASURABLE_SECONDS || whole <= quarter * GROWTH_MAX;
}

/* Other processes may disturb one measurement, but not all of them. */
static void hold(const struct machine *m, const struct shape *shape, bool is_lazy,
		 enum pmuq_dialect dialect)
{
	for (int i = 0; i < MEASUREMENTS_MAX; i++)
		if (grows_evenly(m, shape, is_lazy, dialect))
			return;
	fail_msg("%s: the time grows faster than the length", shape->name);
}

static void open_machine(const char *name, struct machine *ret)
{
	auto_free char *path = machine_path(name);

	assert_int_equal(pmuq_source_open_tree(path, &ret->lazy, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(ret->lazy, &ret->catalog, NULL), 0);
}

static void close_machine(struct machine *m)
{
	pmuq_catalog_free(m->catalog);
	pmuq_source_free(m->lazy);
}

static void a_mebibyte_costs_no_more_than_its_length(void **state)
{
	struct machine machine;

	(void)state;
	open_machine("icelake-sp-k6.12", &machine);
	for (size_t i = 0; i < COUNT(shapes); i++) {
		hold(&machine, &shapes[i], true, PMUQ_DIALECT_PMUQ);
		hold(&machine, &shapes[i], false, PMUQ_DIALECT_PERF);
	}
	close_machine(&machine);
}

/* Each limit of encode/limits.h, in the dialect that allows a repeated term: one item more than the
 * limit, and exactly the limit. */
static const struct {
	struct shape beyond;
	size_t count, within;
	bool is_refused_within; /* for another reason than its size */
} limits[] = {
	{ .beyond = { .name = "PQ_INPUT_MAX_BYTES", .part = "a" },
	  .count = PQ_INPUT_MAX_BYTES + 1,
	  .within = PQ_INPUT_MAX_BYTES,
	  .is_refused_within = true },
	{ .beyond = { .name = "PQ_TERMS_MAX", .head = "cycles/", .part = "@a,", .tail = "@a/" },
	  .count = PQ_TERMS_MAX,
	  .within = PQ_TERMS_MAX - 1 },
	{ .beyond = { .name = "PQ_GLOB_MAX_BYTES", .head = "*", .part = "a", .tail = "/event=1/" },
	  .count = PQ_GLOB_MAX_BYTES,
	  .within = PQ_GLOB_MAX_BYTES - 1,
	  .is_refused_within = true },
	{ .beyond = { .name = "PQ_ENCODINGS_MAX", .part = "cs,", .tail = "cs" },
	  .count = PQ_ENCODINGS_MAX,
	  .within = PQ_ENCODINGS_MAX - 1 },
};

static char *repeat(const struct shape *shape, size_t count)
{
	const char *head = shape->head ? shape->head : "", *tail = shape->tail ? shape->tail : "";

	return stretch(shape, strlen(head) + strlen(tail) + count * strlen(shape->part));
}

static void each_limit_is_an_error_that_names_it(void **state)
{
	struct machine machine;

	(void)state;
	open_machine("skylake-client", &machine);
	for (size_t i = 0; i < COUNT(limits); i++)
		for (int is_lazy = 0; is_lazy < 2; is_lazy++) {
			auto_free char *beyond = repeat(&limits[i].beyond, limits[i].count);
			auto_free char *within = repeat(&limits[i].beyond, limits[i].within);
			enum pmuq_code code =
				encode_text(&machine, is_lazy, PMUQ_DIALECT_PERF, within);

			assert_int_equal(encode_text(&machine, is_lazy, PMUQ_DIALECT_PERF, beyond),
					 PMUQ_E_TOO_LONG);
			assert_int_equal(limits[i].is_refused_within, code != PMUQ_OK);
			assert_int_not_equal(code, PMUQ_E_TOO_LONG);
		}
	close_machine(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mebibyte_costs_no_more_than_its_length),
		cmocka_unit_test(each_limit_is_an_error_that_names_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
