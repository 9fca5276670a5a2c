/* SPDX-License-Identifier: MIT */
/*
 * `pmuq diff`: prints what changed between two machines. Exits with 1 if a change of a printed
 * weight was found, like diff(1). machine_word.c finds the machines, diff/ of the library the
 * changes, and cli/diff/ prints them.
 */
#include "cli/cmd.h"
#include "cli/diff/diff_output.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/output/text_stream.h"
#include "cli/pager.h"
#include "cli/terminal.h"
#include <string.h>

/* The machines to compare; `words` are their names for people: a host, a file, or "live". */
struct request {
	const struct options *options;
	enum pmuq_weight least;
	const char *words[2];
};

/* ------------------------------------------------------------------------------- printing them */

/* Prints to memory first, because the pager must know the length of the text. */
static void print_people(const struct options *options, const struct shown_diff *shown)
{
	auto_free char *text = NULL;
	struct text_stream stream;

	text_stream_open(&stream);
	if (options->form == OPTION_STAT)
		diff_print_stat(shown, stream.to);
	else
		diff_print_text(shown, stream.to);
	text = text_stream_close(&stream);
	pager_print(text, !options->output.has_no_pager);
}

static void print_brief(const struct shown_diff *shown)
{
	if (diff_shows_some(shown))
		print_safe_line(stdout, "Machines %s and %s differ", shown->machines[0].word,
				shown->machines[1].word);
}

static enum status print(const struct options *options, const struct shown_diff *shown)
{
	if (options->output.form != DOCUMENT_NONE)
		return diff_print_document(shown, options->output.form);
	if (options->form == OPTION_BRIEF)
		print_brief(shown);
	else
		print_people(options, shown);
	return STATUS_OK;
}

/* ---------------------------------------------------------------------------------- comparison */

/* Files that could not be read may be missing from the comparison, so the user gets a note. */
static void note_problems(const struct shown_diff *shown)
{
	for (int i = 0; i < 2; i++) {
		const struct diffed_machine *machine = &shown->machines[i];
		const char *from = pmuq_catalog_find_fact(machine->catalog, "incomplete");
		size_t n = pmuq_catalog_machine(machine->catalog)->n_problems;

		if (n)
			report(REPORT_NOTE, "%s: %zu file%s could not be read or understood",
			       machine->word, n, n == 1 ? "" : "s");
		if (from)
			report(REPORT_NOTE, "%s is an incomplete machine, from %s", machine->word,
			       from);
	}
}

/* A check that the catalog does not contain may be in the database of --db; it lives as long as the
 * comparison. */
static enum status compare(const struct request *request, const struct pmuq_catalog *before,
			   const struct pmuq_catalog *after)
{
	cleanup(pmuq_check_freep) struct pmuq_check *own_before = NULL;
	cleanup(pmuq_check_freep) struct pmuq_check *own_after = NULL;
	cleanup(pmuq_diff_freep) struct pmuq_diff *diff = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct pmuq_diff_options options = { .size = sizeof(options) };
	struct shown_diff shown = {
		.machines = { { request->words[0], before }, { request->words[1], after } },
		.least = request->least,
	};
	const struct cli *cli = &request->options->cli;
	enum status status = source_find_check(cli, before, &own_before, &options.check_before);

	if (status == STATUS_OK)
		status = source_find_check(cli, after, &own_after, &options.check_after);
	if (status != STATUS_OK)
		return status;
	if (pmuq_catalog_diff(before, after, &options, &diff, &error) < 0)
		return report_error(error, NULL);
	shown.diff = diff;
	note_problems(&shown);
	status = print(request->options, &shown);
	if (status != STATUS_OK)
		return status;
	return diff_shows_some(&shown) ? STATUS_INVALID : STATUS_OK;
}

/* Both machines are read completely: events are compared through all formats of their PMUs. */
static enum status read_both(struct request *request)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *before = NULL;
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *after = NULL;
	const struct cli *cli = &request->options->cli;
	enum status status = machine_read(cli, request->words[0], &before);

	if (status != STATUS_OK)
		return status;
	/* One word: compared with the machine that the other options select. */
	status = request->words[1] ? machine_read(cli, request->words[1], &after)
				   : source_read(cli, &after);
	if (status != STATUS_OK)
		return status;
	if (!request->words[1])
		request->words[1] = cli->host	   ? cli->host
				    : cli->sysroot ? cli->sysroot
				    : cli->via	   ? cli->via
						   : "live";
	return compare(request, before, after);
}

/* ------------------------------------------------------------------------------------- options */

static const char *next_weight(const void *of, size_t index)
{
	(void)of;
	return pmuq_weight_name((enum pmuq_weight)index);
}

/* --all is the lowest weight; *ret is the default before the call. */
static enum status take_weight(const struct options *options, enum pmuq_weight *ret)
{
	const char *word = option_value(options, OPTION_WEIGHT), *name, *near;

	if (option_is_set(options, OPTION_ALL))
		*ret = PMUQ_WEIGHT_PASSING;
	if (!word)
		return STATUS_OK;
	for (size_t i = 0; (name = next_weight(NULL, i)); i++)
		if (strcmp(name, word) == 0) {
			*ret = (enum pmuq_weight)i;
			return STATUS_OK;
		}
	near = nearest(word, next_weight, NULL);
	return usage_error("--weight %s: there is no such weight%s%s%s", word,
			   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* "-#NAME" is a host of the document on stdin. */
static bool is_stdin(const char *word)
{
	return strcmp(word, "-") == 0 || strncmp(word, "-#", 2) == 0;
}

static enum status run_diff(const struct options *options)
{
	struct request request = {
		.options = options,
		.least = PMUQ_WEIGHT_ADDITION,
		.words = { options->operands[0], options->operands[1] },
	};
	enum status status = take_weight(options, &request.least);

	if (status != STATUS_OK)
		return status;
	if (request.words[1] && cli_machine_option(&options->cli))
		return usage_error("diff compares two machines; --%s selects a third one",
				   cli_machine_option(&options->cli));
	if (request.words[1] && is_stdin(request.words[0]) && is_stdin(request.words[1]))
		return usage_error("stdin can be read only once");
	return read_both(&request);
}

const struct command cmd_diff = {
	.name = "diff",
	.arguments = "MACHINE [MACHINE]",
	.needs = "one or two machines",
	.n_most = 2,
	.summary = "compare two machines; breaking changes come first",
	.text = MACHINE_WORDS
	"A single machine is compared with this one, or with that of --host or --sysroot.\n"
	"Events are compared by the bits that they set. Sibling instances with the same\n"
	"changes are printed once. The exit status is 0 without a change of a printed\n"
	"weight, 1 with one, 2 for a wrong command line, 4 if a machine could not be\n"
	"read.\n\n"
	"Examples:\n"
	"  pmuq diff web01@7 web01                # what the upgrade changed\n"
	"  pmuq diff --weight breaking hosts.yaml#web01 live\n"
	"  pmuq diff --json captured/ web01 | jq '.changes[] | select(.type == \"event-bits\")'\n",
	.options = OPTION_LIST(OPTION_ALL, OPTION_WEIGHT, OPTION_STAT, OPTION_BRIEF,
			       OPTIONS_DOCUMENT, OPTION_NO_PAGER),
	.documents = DOCUMENT_LIST(&diff_document),
	.run = run_diff,
};
