/* SPDX-License-Identifier: MIT */
/*
 * `pmuq fit`: finds out whether events can be counted at the same time, by what is known about the
 * counters of the machine. It opens nothing; fit_text.c and fit_record.c print a result.
 */
#include "cli/events/event_strings.h"
#include "cli/events/fit_output.h"
#include "core/freep.h"

/* A group that can never count is useless, like one that the kernel refuses. Events without a
 * group take turns. */
static enum status status_of(const struct pmuq_fit *fit)
{
	const struct pmuq_fit_set *set;

	for (size_t i = 0; (set = pmuq_fit_get(fit, i)); i++)
		if (set->counts == PMUQ_FIT_NO && set->leader != SIZE_MAX)
			return STATUS_REFUSED;
	return STATUS_OK;
}

static void print_one(struct strings *strings, struct result *result)
{
	cleanup(pmuq_fit_freep) struct pmuq_fit *fit = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const struct pmuq_fit_options options = {
		.size = sizeof(options),
		.vendor =
			strings->options.vendor ? strings->options.vendor : strings->planned.vendor,
	};

	if (result->encodings &&
	    pmuq_source_fit(strings->source, result->encodings, &options, &fit, &error) < 0)
		strings_refuse(strings, result, error);
	result->fit = fit;
	if (result->encodings)
		strings->status = status_worse(strings->status, status_of(result->fit));
	encode_print(&strings->output, result);
}

static enum status run_fit(const struct options *options)
{
	struct strings strings = {
		.print = print_one,
		.output = { .type = &fit_type },
	};

	return strings_run(&strings, options);
}

const struct command cmd_fit = {
	.name = "fit",
	.arguments = "EVENT...",
	.summary = "find out whether events can be counted at the same time",
	.text = STRINGS_TEXT
	"Events compete for the counters and registers of their PMU. What is known about\n"
	"them is in the vendor's tables (`pmuq vendor import`). For a group that does not\n"
	"fit, pmuq prints which members compete for what, and the smallest split that\n"
	"does. With several strings the highest exit status is used: 1 invalid, 3 a group\n"
	"never counts, 4 unreadable input. No event is opened.\n\n"
	"Examples:\n"
	"  pmuq fit --vendor auto '{cycles,instructions,mem_load_retired.l3_miss}'\n"
	"  pmuq --sysroot TREE fit --json --vendor auto -f groups.txt\n"
	"  pmuq fit --metric TopdownL1\n",
	.options = OPTION_LIST(OPTIONS_DOCUMENT, OPTIONS_EVENTS),
	.documents = DOCUMENT_LIST(&fit_document),
	.run = run_fit,
};
