/* SPDX-License-Identifier: MIT */
/*
 * `pmuq explain`: which term of an event string, or of the event that it names, put which value
 * where. Opens nothing.
 */
#include "cli/events/encode_forms.h"
#include "cli/events/event_strings.h"

enum {
	KEY_FORM = ASK_OWN, /* and an enum form */
};

static const struct option_row explain_options[] = {
	{ KEY_FORM + FORM_JSON, "json", NULL, "one JSON document" },
	{ KEY_FORM + FORM_JSONL, "jsonl", NULL,
	  "a line of JSON for each string, as soon as it is answered" },
	{ KEY_FORM + FORM_YAML, "yaml", NULL, "one YAML document, the same as --json" },
	ASK_OPTIONS,
};

struct explain {
	struct ask ask;
	struct output output;
};

static struct output *output_of(struct ask *ask)
{
	return &((struct explain *)ask)->output;
}

static int take(struct ask *ask, int key)
{
	output_of(ask)->form = (enum form)(key - KEY_FORM);
	return STATUS_OK;
}

static int begin(struct ask *ask)
{
	return output_begin(output_of(ask));
}

static void answer_one(struct ask *ask, struct answer *answer)
{
	output_answer(output_of(ask), answer);
}

static int end(struct ask *ask)
{
	return output_end(output_of(ask));
}

static int run_explain(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct explain explain = {
		.ask = {
			.command = command,
			.options = { .with_assignments = true },
			.take = take,
			.begin = begin,
			.end = end,
			.answer = answer_one,
		},
		.output = { .command = command, .kind = &explain_kind },
	};

	return ask_run(&explain.ask, cli, argc, argv);
}

const struct command cmd_explain = {
	.name = "explain",
	.arguments = "EVENT...",
	.summary = "which term of an event string put which value where",
	.text = ASK_TEXT
	"the exit status is the worst: 1 invalid, 4 unreadable input. Nothing is opened.\n\n"
	"Examples:\n"
	"  pmuq explain 'cpu/event=0x3c,umask=0x1/u'\n"
	"  pmuq explain --json cycles:u\n",
	.options = explain_options,
	.n_options = COUNT(explain_options),
	.run = run_explain,
};
