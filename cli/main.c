/* SPDX-License-Identifier: MIT */
/*
 * pmuq: chooses a command, runs it, and makes sure that what it printed has arrived. Answers no
 * question itself, except for its version.
 */
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/output/table.h"
#include "cli/report.h"
#include "core/text/yaml_lib.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

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

/* Releases can have the same version number; the file and the build id differ. */
static void print_libpfm4(void)
{
	cleanup(pfm_freep) struct pmuq_pfm *pfm = NULL;
	const char *file, *build_id;

	if (pmuq_pfm_open(NULL, &pfm, NULL) < 0 ||
	    pmuq_pfm_library(pfm, &file, &build_id, NULL) < 0) {
		printf("libpfm4: not found\n");
		return;
	}
	printf("libpfm4: %s%s%s\n", file, *build_id ? ", build id " : "", build_id);
}

static void print_library(const char *name, const char *version)
{
	printf("%s: %s\n", name, version ? version : "not found");
}

static enum status print_version(bool is_verbose)
{
	auto_free char *info = NULL, *archives = NULL;

	printf("pmuq %s\n", pmuq_version());
	if (!is_verbose)
		return STATUS_OK;
	info = pmuq_build_info();
	if (!info)
		return report_failed("out of memory");
	printf("%s%s", info, *info && info[strlen(info) - 1] != '\n' ? "\n" : "");
	print_library("libsmartcols", table_library_version());
	print_library("libyaml", pq_yaml_version());
	print_libpfm4();
	archives = pmuq_capture_library_info();
	printf("%s\n", archives ? archives : "");
	return STATUS_OK;
}

static const char *next_command(const void *of, size_t index)
{
	(void)of;
	return index < commands_count ? commands[index]->name : NULL;
}

static enum status run_command(struct cli *cli, size_t n, char **words)
{
	const struct command *command = command_find(words[0]);
	struct options options;
	const char *near;

	if (command) {
		options_begin(&options, cli, command, (int)n, words);
		return command->run(&options);
	}
	near = nearest(words[0], next_command, NULL);
	if (near)
		return usage_error(NULL, "unknown command '%s'; did you mean '%s'?", words[0],
				   near);
	return usage_error(NULL, "unknown command '%s'", words[0]);
}

static enum status run(int argc, char **argv)
{
	bool wants_version = false, is_verbose = false;
	struct options options;
	struct cli cli = { 0 };
	enum option option;

	options_begin_global(&options, &cli, argc, argv);
	while ((option = options_next(&options)) != OPTION_END) {
		switch (option) {
		case OPTION_VERSION:
			wants_version = true;
			break;
		case OPTION_VERBOSE:
			is_verbose = true;
			break;
		case OPTION_HELP:
			print_overview(stdout);
			return STATUS_OK;
		default:
			return options.status;
		}
	}
	if (wants_version)
		return print_version(is_verbose);
	if (options.n_operands)
		return run_command(&cli, options.n_operands, options.words);
	print_overview(stderr);
	return STATUS_USAGE;
}

/*
 * A closed standard descriptor would be taken by the next file that is opened, and what is meant
 * for stdout would go into it. What stands in instead fails as a closed one does.
 */
static void hold_standard_files(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		int held;

		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		held = open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
		if (held > fd)
			close(held);
	}
}

/* Big enough that a hundred thousand answers cost few system calls. */
#define STDOUT_BYTES (256 * 1024)

int main(int argc, char **argv)
{
	static char stdout_buffer[STDOUT_BYTES], stderr_buffer[BUFSIZ];
	enum status status;

	hold_standard_files();
	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, stdout_buffer, _IOFBF, sizeof(stdout_buffer));
	setvbuf(stderr, stderr_buffer, _IOLBF, sizeof(stderr_buffer));
	status = run(argc, argv);
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout))
		status = status_worse(status, report_failed("writing to stdout: %s",
							    errno ? strerror(errno) : "failed"));
	fflush(stderr);
	/* Who started this is to know that it was ended, so that a shell's loop ends, too. */
	if (status == STATUS_INTERRUPTED) {
		signal(SIGINT, SIG_DFL);
		raise(SIGINT);
	}
	return status;
}
