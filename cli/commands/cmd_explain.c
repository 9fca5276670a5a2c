/* SPDX-License-Identifier: MIT */
/*
 * `pmuq explain`: which term of an event string, or of the event that it names, put which value
 * where. Opens nothing.
 */
#include "cli/events/encode_forms.h"
#include "cli/events/event_strings.h"

static const enum option explain_options[] = {
	OPTIONS_DOCUMENT,
	OPTIONS_EVENTS,
	OPTION_END,
};

struct explain {
	struct strings strings;
	struct encode_output output;
};

static struct encode_output *output_of(struct strings *strings)
{
	return &((struct explain *)strings)->output;
}

static enum status take(struct strings *strings, enum option option, const char *argument)
{
	(void)strings;
	(void)option;
	(void)argument;
	return STATUS_OK;
}

static enum status begin(struct strings *strings)
{
	output_of(strings)->document_form = strings->output.form;
	return encode_begin(output_of(strings));
}

static void print_one(struct strings *strings, struct result *result)
{
	encode_print(output_of(strings), result);
}

static enum status end(struct strings *strings)
{
	return encode_end(output_of(strings));
}

static enum status run_explain(struct options *options)
{
	struct explain explain = {
		.strings = {
			.options = { .with_assignments = true },
			.take = take,
			.begin = begin,
			.end = end,
			.print = print_one,
		},
		.output = { .command = options->command, .type = &explain_type },
	};

	return strings_run(&explain.strings, options);
}

const struct command cmd_explain = {
	.name = "explain",
	.arguments = "EVENT...",
	.summary = "show which term of an event string sets which bits",
	.text = STRINGS_TEXT
	"With several strings the highest exit status is used: 1 invalid, 4 unreadable\n"
	"input. No event is opened.\n\n"
	"Examples:\n"
	"  pmuq explain 'cpu/event=0x3c,umask=0x1/u'\n"
	"  pmuq explain --json cycles:u\n",
	.options = explain_options,
	.documents = explain_documents,
	.run = run_explain,
};
