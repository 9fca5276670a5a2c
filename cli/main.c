/* SPDX-License-Identifier: MIT */
/*
 * pmuq: chooses a command, checks the command line against the command's description, runs the
 * command, and checks that its output has been written. Prints nothing itself except the version
 * and help.
 */
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/output/columns.h"
#include "cli/output/smartcols.h"
#include "cli/perf_habits.h"
#include "cli/report.h"
#include "core/text/yaml_lib.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Releases can have the same version number, so the file and the build id are printed. */
static void print_libpfm4(void)
{
	cleanup(pmuq_pfm_freep) struct pmuq_pfm *pfm = NULL;
	const char *file, *build_id;

	if (optional_or_die(pmuq_pfm_open(NULL, &pfm, NULL)) < 0 ||
	    optional_or_die(pmuq_pfm_library(pfm, &file, &build_id, NULL)) < 0) {
		printf("libpfm4: not found\n");
		return;
	}
	printf("libpfm4: %s%s%s\n", file, *build_id ? ", build id " : "", build_id);
}

static void print_library(const char *name, int r, const char *version)
{
	printf("%s: %s\n", name, optional_or_die(r) == 0 ? version : "not found");
}

static enum status print_version(bool is_verbose)
{
	auto_free char *info = NULL, *archives = NULL;
	const char *version = NULL;
	int r;

	printf("pmuq %s\n", pmuq_version());
	if (!is_verbose)
		return STATUS_OK;
	info = or_die(pmuq_build_info());
	printf("%s%s", info, *info && info[strlen(info) - 1] != '\n' ? "\n" : "");
	r = smartcols_version(&version);
	print_library("libsmartcols", r, version);
	r = pq_yaml_version(&version);
	print_library("libyaml", r, version);
	print_libpfm4();
	archives = or_die(pmuq_capture_library_info());
	printf("%s\n", archives);
	return STATUS_OK;
}

static const char *next_command(const void *of, size_t index)
{
	(void)of;
	return index < commands_count ? commands[index]->name : NULL;
}

/* A command supplies the reason, because what to do instead depends on it. */
static enum status check_machine_options(const struct options *options)
{
	const struct command *command = options->command;
	const struct cli others = { .sysroot = options->cli.sysroot, .via = options->cli.via };

	if (command->no_host && options->cli.host)
		return usage_error("%s does not take --host: %s", command->name, command->no_host);
	if (command->no_sysroot && cli_machine_option(&others))
		return usage_error("%s does not take --%s: %s", command->name,
				   cli_machine_option(&others), command->no_sysroot);
	return STATUS_OK;
}

static enum status check_operands(const struct options *options)
{
	const struct command *command = options->command;
	size_t n = options->n_operands;

	if (command->needs && !n)
		return usage_error("%s needs %s", command->name, command->needs);
	if (!command->arguments && n)
		return usage_error("%s takes no argument '%s'", command->name,
				   options->operands[0]);
	if (command->n_most && n > command->n_most)
		return usage_error("%s takes at most %zu argument%s; '%s' is too many",
				   command->name, command->n_most, command->n_most > 1 ? "s" : "",
				   options->operands[command->n_most]);
	return STATUS_OK;
}

static enum status unknown_command(const char *name)
{
	const char *hint = perf_command_hint(name);
	const char *near = hint ? NULL : nearest(name, next_command, NULL);

	if (hint)
		return usage_error("unknown command '%s': %s", name, hint);
	if (near)
		return usage_error("unknown command '%s'; did you mean '%s'?", name, near);
	return usage_error("unknown command '%s'", name);
}

/* Help and --list-columns come before all checks: they need no operands and no machine. */
static enum status run_command(struct options *options)
{
	const char *name = options->operands[0];
	const struct command *command = command_find(name);
	enum status status;

	if (!command)
		return unknown_command(name);
	status = options_read(options, command, options->n_operands - 1, options->operands + 1);
	if (status != STATUS_OK)
		return status;
	if (options->wants_help) {
		command_print_help(stdout, command);
		return STATUS_OK;
	}
	if (option_is_set(options, OPTION_LIST_COLUMNS)) {
		columns_print(command->documents);
		return STATUS_OK;
	}
	status = check_machine_options(options);
	if (status == STATUS_OK)
		status = check_operands(options);
	return status == STATUS_OK ? command->run(options) : status;
}

static enum status run(struct options *options, size_t n, char **words)
{
	enum status status = options_read(options, NULL, n, words);

	if (status != STATUS_OK)
		return status;
	if (options->wants_help) {
		print_overview(stdout);
		return STATUS_OK;
	}
	if (option_is_set(options, OPTION_VERSION))
		return print_version(option_is_set(options, OPTION_VERBOSE));
	if (options->n_operands)
		return run_command(options);
	print_overview(stderr);
	return STATUS_USAGE;
}

/*
 * The next file to be opened would take the number of a closed standard descriptor, and would
 * receive the output for stdout. The replacement fails like a closed descriptor.
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

/* Large enough that a hundred thousand results cost few system calls. */
#define STDOUT_BYTES (256 * 1024)

int main(int argc, char **argv)
{
	static char stdout_buffer[STDOUT_BYTES], stderr_buffer[BUFSIZ];
	cleanup(options_clear) struct options options = { 0 };
	enum status status;

	hold_standard_files();
	/* A file of the largest allowed size is an error of write(2); after it, temporary files are
	 * removed. */
	signal(SIGXFSZ, SIG_IGN);
	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, stdout_buffer, _IOFBF, sizeof(stdout_buffer));
	setvbuf(stderr, stderr_buffer, _IOLBF, sizeof(stderr_buffer));
	status = run(&options, argc > 0 ? (size_t)argc - 1 : 0, argv + (argc > 0));
	database_end();
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout))
		status = status_worse(status, report_failed("writing to stdout: %s",
							    errno ? strerror(errno) : "failed"));
	fflush(stderr);
	/* The parent process must see that a signal ended the command, so that a loop of a shell
	 * ends, too. */
	if (status == STATUS_INTERRUPTED) {
		signal(SIGINT, SIG_DFL);
		raise(SIGINT);
	}
	return status;
}
