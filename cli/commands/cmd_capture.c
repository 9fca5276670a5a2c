/* SPDX-License-Identifier: MIT */
/* `pmuq capture`: what pmuq reads of a machine, as a directory or a tar that --sysroot takes. Says
 * what it took, what it left out, and what it could not read. */
#include "cli/capture_report.h"
#include "cli/cmd.h"
#include "cli/machine_source.h"
#include "cli/options.h"
#include "cli/report.h"
#include <string.h>
#include <time.h>

enum {
	KEY_HOSTNAME = OPTION_LONG,
};

static const struct option_row capture_options[] = {
	{ KEY_HOSTNAME, "hostname", "[=NAME]", "keep the machine's name, or call it NAME" },
	{ 'n', "dry-run", NULL, "write nothing; list the files that would be written" },
	{ 'J', "json", NULL, "tell it as JSON" },
};

static void capture_freep(struct pmuq_capture **capture)
{
	pmuq_capture_free(*capture);
}

struct capture_run {
	const struct cli *cli;
	struct pmuq_capture_options options;
	bool wants_json;
	struct capture_report report;
};

static int capture(struct capture_run *run)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(capture_freep) struct pmuq_capture *taken = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int status = source_open(run->cli, &source);

	if (status != STATUS_OK)
		return status;
	if (pmuq_capture_take(source, &run->options, &taken, &error) < 0)
		return report_error(error, NULL);
	if (run->report.path && pmuq_capture_write(taken, run->report.path, &error) < 0)
		return report_error(error, NULL);
	run->report.capture = taken;
	if (run->wants_json)
		return capture_print_json(&run->report);
	capture_print_text(&run->report);
	return STATUS_OK;
}

static int take_arguments(struct capture_run *run, const struct command *command, bool is_dry,
			  int n, char **words)
{
	if (run->cli->host)
		return usage_error(command, "--host names a machine of which there are no files; "
					    "`pmuq export` writes a snapshot");
	if (n > 1)
		return usage_error(command, "capture writes to one place: '%s' is too many",
				   words[1]);
	if (is_dry)
		return STATUS_OK;
	if (n < 1)
		return usage_error(command, "name a new directory, or a file as FILE.tar.xz");
	if (strcmp(words[0], "-") == 0)
		return usage_error(command,
				   "capture writes a directory or a tar, and none to stdout");
	run->report.path = words[0];
	return STATUS_OK;
}

static int run_capture(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct capture_run run = { .cli = cli,
				   .options = { .size = sizeof(run.options),
						.time_s = (int64_t)time(NULL) } };
	struct options options;
	bool is_dry = false;
	int key, status;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == KEY_HOSTNAME) {
			run.options.keeps_hostname = true;
			run.options.hostname = optarg;
		} else if (key == 'J') {
			run.wants_json = true;
		} else {
			is_dry = true;
		}
	}
	status = take_arguments(&run, command, is_dry, argc - optind, argv + optind);
	return status == STATUS_OK ? capture(&run) : status;
}

const struct command cmd_capture = {
	.name = "capture",
	.arguments = "DIR|FILE.tar[.xz|.gz|.zst]",
	.summary = "copy what pmuq reads of this machine, for a report of a bug or another machine",
	.text = "`pmuq --sysroot DIR|FILE.tar …` answers from it as the machine itself does. Who\n"
		"the machine is does not stand in it: of the machine-id there is a hash, the\n"
		"hostname is left out, and of /proc/cpuinfo only the lines that pmuq reads are\n"
		"there. What cannot be read is marked as that; root can read the ids of\n"
		"tracepoints. DIR must be new or empty, FILE new. With --sysroot another tree is\n"
		"captured anew.\n",
	.options = capture_options,
	.n_options = COUNT(capture_options),
	.run = run_capture,
};
