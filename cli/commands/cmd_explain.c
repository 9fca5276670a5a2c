/* SPDX-License-Identifier: MIT */
/*
 * `pmuq explain`: shows which term of an event string, or of the event that it names, set which
 * value. Opens nothing.
 */
#include "cli/events/event_strings.h"
#include "cli/events/explain_output.h"

static enum status run_explain(const struct options *options)
{
	/* The encoder stores assignments only on request; `encode` does not request them. */
	struct strings strings = {
		.options = { .with_assignments = true },
		.output = { .type = &explain_type },
	};

	return strings_run(&strings, options);
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
	.options = OPTION_LIST(OPTIONS_DOCUMENT, OPTIONS_EVENTS),
	.documents = DOCUMENT_LIST(&explain_document),
	.run = run_explain,
};
