/* SPDX-License-Identifier: MIT */
/*
 * The law of completion: every offer continues to an event.
 *
 * Each string of the case files is cut at each byte and completed there, on its machine and in its
 * dialect. For each candidate (some of them, if there are many) take the text up to the cursor with
 * the candidate in it, and the last byte of `next` after it if there is one. It must go on, which
 * means:
 *
 *   - it encodes; or
 *   - it is completed again, and with the last candidate that makes it longer it goes on (what ends
 *     a term or a group is offered last); or
 *   - nothing is offered because a value of the user's own belongs there, and it goes on with one
 * of VALUES.
 *
 * If no candidate is offered, that is right. So that this does not become the usual result, some
 * candidate must begin as the rest of the string does, at COVERED_MIN of 100 bytes of the strings
 * that encode; the bytes of values are not counted.
 *
 *     cut_cases MACHINES FILE…
 */
#include "core/map.h"
#include <errno.h>
#include <pmuq/pmuq.h>
#include <stdio.h>

#define SAMPLE 100   /* candidates at one byte */
#define STEPS_MAX 20 /* completions that follow it */
#define COVERED_MIN 80

static const char *const values[] = { "1", "0", "x", "'x'", "0.5" };

/* Texts that continue to an event, so that each is tested once. */
#define SEEN_SLOTS (1u << 16)

struct run {
	const char *machines, *file;
	char *machine;
	struct pmuq_source *source;
	struct pmuq_encode_options options;
	char **seen;
	size_t n_tried, n_bytes, n_covered;
	unsigned line, n_tests, n_failed;
};

static void die(const char *what, const char *name)
{
	fprintf(stderr, "cut_cases: %s: %s\n", what, name);
	exit(99);
}

static char *join(const char *text, size_t n, const char *more, size_t n_more)
{
	char *ret = NULL;

	if (asprintf(&ret, "%.*s%.*s", (int)n, text, (int)n_more, more) < 0)
		die("out of memory", text);
	return ret;
}

static bool encodes(const struct run *run, const char *text)
{
	struct pmuq_encodings *encodings = NULL;
	int r = pmuq_source_encode(run->source, text, &run->options, &encodings, NULL);

	pmuq_encodings_free(encodings);
	return r == 0;
}

static struct pmuq_completion *complete(const struct run *run, const char *text)
{
	struct pmuq_completion *completion = NULL;

	if (pmuq_source_complete(run->source, text, &run->options, &completion, NULL) < 0)
		die("cannot be completed", text);
	return completion;
}

/* The text with a candidate in it. */
static char *with_candidate(const char *text, const struct pmuq_completion *completion,
			    size_t index)
{
	const struct pmuq_candidate *candidate = pmuq_completion_candidate(completion, index);
	auto_free char *begun =
		join(text, completion->offset, candidate->text.p, candidate->text.n);
	size_t n = candidate->next.n;

	return join(begun, strlen(begun), candidate->next.p + n - (n > 0), n > 0);
}

/* The slot of the text, or the empty one for it. */
static char **find_seen(const struct run *run, const char *text)
{
	size_t at = str_hash(str_of(text)) & (SEEN_SLOTS - 1);

	while (run->seen[at] && strcmp(run->seen[at], text) != 0)
		at = (at + 1) & (SEEN_SLOTS - 1);
	return &run->seen[at];
}

static void forget_seen(struct run *run)
{
	for (size_t i = 0; i < SEEN_SLOTS; i++) {
		free(run->seen[i]);
		run->seen[i] = NULL;
	}
}

static bool goes_on(struct run *run, const char *text, unsigned *steps);

/* Continues through the last candidate that makes the text longer; false if there is none. */
static bool goes_on_with_last(struct run *run, const char *text,
			      const struct pmuq_completion *completion, unsigned *steps)
{
	for (size_t i = completion->n_candidates; i-- > 0;) {
		auto_free char *longer = with_candidate(text, completion, i);

		if (strlen(longer) > strlen(text))
			return goes_on(run, longer, steps);
	}
	return false;
}

static bool takes_value(const struct pmuq_completion *completion)
{
	return completion->cursor == PMUQ_CURSOR_VALUE || completion->cursor == PMUQ_CURSOR_NUMBER;
}

/* Continues through a value that is still empty. */
static bool goes_on_with_value(struct run *run, const char *text,
			       const struct pmuq_completion *completion, unsigned *steps)
{
	if (!takes_value(completion) || completion->n_candidates ||
	    completion->offset < strlen(text))
		return false;
	for (size_t i = 0; i < COUNT(values); i++) {
		auto_free char *longer = join(text, strlen(text), values[i], strlen(values[i]));

		if (goes_on(run, longer, steps))
			return true;
	}
	return false;
}

static bool goes_on(struct run *run, const char *text, unsigned *steps)
{
	struct pmuq_completion *completion;
	bool is_event, ret;

	if (*find_seen(run, text))
		return true;
	is_event = encodes(run, text);
	if (is_event || !*steps)
		return is_event;
	--*steps;
	completion = complete(run, text);
	ret = goes_on_with_last(run, text, completion, steps) ||
	      goes_on_with_value(run, text, completion, steps);
	pmuq_completion_free(completion);
	if (ret)
		*find_seen(run, text) = join(text, strlen(text), "", 0);
	return ret;
}

/* Whether the rest of the string begins with a candidate. */
static bool is_covered(const char *text, size_t cut, const struct pmuq_completion *completion)
{
	for (size_t i = 0; i < completion->n_candidates; i++) {
		const struct pmuq_candidate *candidate = pmuq_completion_candidate(completion, i);
		auto_free char *longer =
			join(text, completion->offset, candidate->text.p, candidate->text.n);
		size_t n = strlen(longer);

		/* A comma may be written instead of the slash that is offered. */
		n -= n > cut + 1 && longer[n - 1] == '/';
		if (!strncmp(text, longer, n) &&
		    (n > cut || (candidate->next.n && strchr(candidate->next.p, text[cut]))))
			return true;
	}
	return false;
}

/* Cut after `cut` bytes. */
static bool test_cut(struct run *run, const char *event, size_t cut, bool is_event)
{
	auto_free char *text = join(event, cut, "", 0);
	struct pmuq_completion *completion = complete(run, text);
	size_t n = completion->n_candidates, step = n > SAMPLE ? n / SAMPLE : 1;
	bool ret = true;

	for (size_t i = cut % step; i < n; i += step) {
		auto_free char *longer = with_candidate(text, completion, i);
		unsigned steps = STEPS_MAX;

		run->n_tried++;
		if (goes_on(run, longer, &steps))
			continue;
		printf("# '%s' is offered '%s', which does not go on\n", text, longer);
		ret = false;
	}
	if (is_event && cut < strlen(event) && !takes_value(completion)) {
		run->n_bytes++;
		run->n_covered += is_covered(event, cut, completion);
	}
	if (completion->offset > cut) {
		printf("# '%s': the word begins after the cursor\n", text);
		ret = false;
	}
	pmuq_completion_free(completion);
	return ret;
}

static void test_event(struct run *run, const char *event)
{
	bool is_event = encodes(run, event), ret = true;

	for (size_t cut = 0; cut <= strlen(event); cut++)
		ret &= test_cut(run, event, cut, is_event);
	run->n_failed += !ret;
	printf("%sok %u - %s:%u %s on %s\n", ret ? "" : "not ", ++run->n_tests, run->file,
	       run->line, event, run->machine);
}

static void open_machine(struct run *run, const char *name)
{
	auto_free char *dir = NULL;

	if (run->machine && !strcmp(run->machine, name))
		return;
	forget_seen(run);
	pmuq_source_free(run->source);
	free(run->machine);
	run->source = NULL;
	run->machine = strdup(name);
	if (asprintf(&dir, "%s/%s", run->machines, name) < 0 ||
	    pmuq_source_open_tree(dir, &run->source, NULL) < 0)
		die("cannot open the machine", name);
}

static void choose_dialect(struct run *run, const char *name)
{
	forget_seen(run);
	run->options.dialect = strcmp(name, "perf") ? PMUQ_DIALECT_PMUQ : PMUQ_DIALECT_PERF;
}

static void run_file(struct run *run, const char *path)
{
	auto_free char *line = NULL;
	FILE *in = fopen(path, "re");
	size_t capacity = 0;
	ssize_t n;

	if (!in)
		die(strerror(errno), path);
	run->file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	choose_dialect(run, "pmuq");
	for (run->line = 1; (n = getline(&line, &capacity, in)) > 0; run->line++) {
		line[n - (line[n - 1] == '\n')] = '\0';
		if (!strncmp(line, "machine ", 8))
			open_machine(run, line + 8);
		else if (!strncmp(line, "dialect ", 8))
			choose_dialect(run, line + 8);
		else if (!strncmp(line, "event ", 6))
			test_event(run, line + 6);
	}
	fclose(in);
}

int main(int argc, char **argv)
{
	struct run run = { .options = { .size = sizeof(run.options) },
			   .seen = calloc(SEEN_SLOTS, sizeof(char *)) };
	bool is_covered_enough;

	if (argc < 3 || !run.seen)
		die("usage", "cut_cases MACHINES FILE…");
	run.machines = argv[1];
	for (int i = 2; i < argc; i++)
		run_file(&run, argv[i]);
	forget_seen(&run);
	free(run.seen);
	pmuq_source_free(run.source);
	free(run.machine);
	is_covered_enough = run.n_covered * 100 >= run.n_bytes * COVERED_MIN;
	printf("# %zu candidates; at %zu of %zu bytes the rest of the string is among them\n",
	       run.n_tried, run.n_covered, run.n_bytes);
	printf("%sok %u - what events are made of is offered\n", is_covered_enough ? "" : "not ",
	       ++run.n_tests);
	printf("1..%u\n", run.n_tests);
	return run.n_failed || !is_covered_enough;
}
