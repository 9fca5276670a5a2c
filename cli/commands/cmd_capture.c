/* SPDX-License-Identifier: MIT */
/* `pmuq capture`: what pmuq reads of a machine, as a directory or a tar that --sysroot takes. Says
 * what it took, what it left out, and what it could not read. */
#include "cli/capture_report.h"
#include "cli/clock.h"
#include "cli/cmd.h"
#include "cli/machine_source.h"
#include "cli/options.h"
#include "cli/report.h"
#include <string.h>

static const enum option capture_options[] = {
	OPTION_HOSTNAME,
	OPTION_DRY_RUN,
	OPTIONS_DOCUMENT,
	OPTION_END,
};

static void capture_freep(struct pmuq_capture **capture)
{
	pmuq_capture_free(*capture);
}

struct capture_run {
	const struct cli *cli;
	struct pmuq_capture_options options;
	enum document_form form;
	struct capture_report report;
};

static enum status capture(struct capture_run *run)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(capture_freep) struct pmuq_capture *taken = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status = source_open(run->cli, &source);

	if (status != STATUS_OK)
		return status;
	if (pmuq_capture_take(source, &run->options, &taken, &error) < 0)
		return report_error(error, NULL);
	if (run->report.path && pmuq_capture_write(taken, run->report.path, &error) < 0)
		return report_error(error, NULL);
	run->report.capture = taken;
	if (run->form != DOCUMENT_NONE)
		return capture_print_document(&run->report, run->form);
	capture_print_text(&run->report);
	return STATUS_OK;
}

static enum status take_operands(struct capture_run *run, const struct options *options,
				 bool is_dry)
{
	const struct command *command = options->command;

	if (run->cli->host)
		return usage_error(command,
				   "capture copies files; a host of the database (--host) has "
				   "none: use `pmuq export`");
	if (options->n_operands > 1)
		return usage_error(command, "capture takes one directory or file; '%s' is too many",
				   options->words[1]);
	if (is_dry)
		return STATUS_OK;
	if (!options->n_operands)
		return usage_error(
			command,
			"capture needs a new directory or a new file such as web01.tar.xz");
	if (strcmp(options->words[0], "-") == 0)
		return usage_error(command, "capture writes a directory or a tar, not stdout");
	run->report.path = options->words[0];
	return STATUS_OK;
}

static enum status run_capture(struct options *options)
{
	struct capture_run run = { .cli = options->cli,
				   .options = { .size = sizeof(run.options),
						.time_s = clock_now_s() } };
	bool is_dry = false;
	enum option option;
	enum status status;

	while ((option = options_next(options)) != OPTION_END) {
		if (option == OPTION_STOP)
			return options->status;
		if (option == OPTION_HOSTNAME) {
			run.options.keeps_hostname = true;
			run.options.hostname = options->argument;
		} else {
			is_dry = true;
		}
	}
	run.form = options->output.form;
	status = take_operands(&run, options, is_dry);
	return status == STATUS_OK ? capture(&run) : status;
}

const struct command cmd_capture = {
	.name = "capture",
	.arguments = "DIR|FILE.tar[.xz|.gz|.zst]",
	.summary = "copy the files of a machine that pmuq reads",
	.text = "DIR must be new or empty, FILE new. `pmuq --sysroot DIR|FILE.tar ...` then\n"
		"prints what it prints on the machine itself. Data that identifies the machine is\n"
		"removed: a hash replaces the machine-id, the hostname is left out, and of\n"
		"/proc/cpuinfo only the lines that pmuq reads are copied. Files that could not be\n"
		"read are marked; root can read the ids of tracepoints. With --sysroot, capture\n"
		"copies another tree.\n\n"
		"Examples:\n"
		"  pmuq capture web01.tar.xz\n"
		"  pmuq capture --dry-run\n",
	.options = capture_options,
	.documents = capture_documents,
	.run = run_capture,
};
