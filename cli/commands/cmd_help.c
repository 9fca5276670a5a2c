/* SPDX-License-Identifier: MIT */
/*
 * `pmuq help`: the overview, the help of a command, or the meaning of an error code. Texts of
 * commands are in their own files, texts of codes in schemas/messages.toml.
 */
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/report.h"
#include <string.h>
#include <strings.h>

/* For "did you mean": commands first, then the names of codes. */
static const char *next_topic(const void *of, size_t index)
{
	(void)of;
	if (index < commands_count)
		return commands[index]->name;
	return pmuq_code_name(pmuq_code_at(index - commands_count));
}

/* "PMUQ-034", "034", "34" or "unknown-term"; 0 if no such code exists. */
static unsigned find_code(const char *topic)
{
	const char *digits = strncasecmp(topic, "PMUQ-", 5) == 0 ? topic + 5 : topic;
	unsigned code;

	for (size_t i = 0; (code = pmuq_code_at(i)) != 0; i++) {
		char number[16];

		if (strcmp(pmuq_code_name(code), topic) == 0)
			return code;
		snprintf(number, sizeof(number), "%03u", code);
		if (strcmp(number, digits) == 0 ||
		    strcmp(number + strspn(number, "0"), digits) == 0)
			return code;
	}
	return 0;
}

static void print_code(unsigned code)
{
	printf("PMUQ-%03u %s: %s\n\nExample: %s\n\n%s\n", code, pmuq_code_name(code),
	       pmuq_code_meaning(code), pmuq_code_example(code), pmuq_code_remedy(code));
}

/* An unknown number is not a misspelt word. */
static bool is_like_code(const char *topic)
{
	return strncasecmp(topic, "PMUQ-", 5) == 0 || topic[strspn(topic, "0123456789")] == 0;
}

static enum status print_topic(const char *topic)
{
	const struct command *command = command_find(topic);
	unsigned code = command ? 0 : find_code(topic);
	const char *near;

	if (command) {
		command_print_help(stdout, command);
		return STATUS_OK;
	}
	if (code) {
		print_code(code);
		return STATUS_OK;
	}
	if (is_like_code(topic)) {
		report(REPORT_ERROR, "there is no code %s", topic);
		return STATUS_INVALID;
	}
	near = nearest(topic, next_topic, NULL);
	if (near)
		return usage_error("there is no command or code '%s'; did you mean '%s'?", topic,
				   near);
	return usage_error("there is no command or code '%s'", topic);
}

static enum status run_help(const struct options *options)
{
	enum status status = STATUS_OK;

	if (!options->n_operands)
		print_overview(stdout);
	for (size_t i = 0; i < options->n_operands; i++) {
		if (i > 0)
			putchar('\n');
		status = status_worse(status, print_topic(options->operands[i]));
	}
	return status;
}

const struct command cmd_help = {
	.name = "help",
	.arguments = "[COMMAND|PMUQ-NNN...]",
	.summary = "explain a command or an error code",
	.run = run_help,
};
