/* SPDX-License-Identifier: MIT */
/* The table of the commands, and the help that lists them. */
#include "cli/cmd.h"
#include "cli/options.h"
#include <string.h>

#define COMMAND(name) &cmd_##name,
const struct command *const commands[] = {
#include "cli/command_list.h"
};
#undef COMMAND
const size_t commands_count = COUNT(commands);

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < commands_count; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

const char *cli_machine_option(const struct cli *cli)
{
	return cli->host ? "host" : cli->sysroot ? "sysroot" : cli->via ? "via" : NULL;
}

void print_overview(FILE *to)
{
	fprintf(to, "pmuq: discover the PMUs of a Linux machine and encode perf events\n\n"
		    "Usage: pmuq [OPTION...] COMMAND [ARGUMENT...]\n\nCommands:\n");
	for (size_t i = 0; i < commands_count; i++)
		fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fprintf(to, "\nOptions:\n");
	options_print(to, options_global);
	fprintf(to,
		"\nOptions of every command, before or after it (default: the running machine):\n");
	options_print(to, options_common);
	fprintf(to,
		"\nExit status: 0 success, 1 an event is invalid or something that was named does "
		"not exist,\n2 usage, 3 the kernel refused a valid event, 4 input, output or the "
		"database failed.\n\nManual: pmuq(1), pmuq-COMMAND(1), pmuq-events(7)\n");
}
