/* SPDX-License-Identifier: MIT */
/*
 * `pmuq report`: a page of HTML of one file: machines in full, all hosts of the database, or the
 * changes between two machines. cli/pages/ writes the parts.
 */
#include "cli/clock.h"
#include "cli/events/lines.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/output/text_stream.h"
#include "cli/output_file.h"
#include "cli/pages/pages.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include "core/io.h"
#include <errno.h>
#include <string.h>

/* ---------------------------------------------------------------------------------- machines */

/* `word` is NULL for the machine that the other options select. */
static enum status put_machine(FILE *to, const struct options *options, const char *word)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	cleanup(pmuq_check_freep) struct pmuq_check *own_check = NULL;
	struct page_machine machine = { .word = word };
	enum status status = word ? machine_read(&options->cli, word, &catalog)
				  : source_read(&options->cli, &catalog);

	if (status == STATUS_OK)
		status = source_find_check(&options->cli, catalog, &own_check, &machine.check);
	if (status != STATUS_OK)
		return status;
	machine.catalog = catalog;
	page_put_machine(to, &machine);
	return STATUS_OK;
}

static const char *name_of_selected(const struct cli *cli)
{
	return cli->host ? cli->host : cli->sysroot ? cli->sysroot : cli->via ? cli->via : "live";
}

static enum status put_machines(FILE *to, const struct options *options)
{
	enum status status = STATUS_OK;
	auto_free char *title = NULL;

	if (!options->n_operands) {
		title = print_or_die("PMUs of %s", name_of_selected(&options->cli));
		page_begin(to, title);
		fputs("</header>\n<main>\n", to);
		return put_machine(to, options, NULL);
	}
	title = options->n_operands == 1
			? print_or_die("PMUs of %s", options->operands[0])
			: print_or_die("PMUs of %zu machines", options->n_operands);
	page_begin(to, title);
	fputs("</header>\n<main>\n", to);
	for (size_t i = 0; status == STATUS_OK && i < options->n_operands; i++) {
		if (options->n_operands > 1)
			page_put(to, "<hr>\n<h1>%s</h1>\n", options->operands[i]);
		status = put_machine(to, options, options->operands[i]);
	}
	return status;
}

/* --------------------------------------------------------------------------------- all hosts */

/* A line that is not a text is an invalid string up to its NUL, as a page shows texts only. */
static void take_line(void *audit, char *text, size_t n_bytes, const char *file, size_t line)
{
	(void)n_bytes;
	text = lines_event(text);
	if (*text)
		audit_add(audit, text, file, line);
}

static enum status put_all(FILE *to, struct audit *audit)
{
	size_t n = pmuq_hosts_count(audit->list.hosts);
	auto_free char *title = print_or_die("PMUs of %zu host%s", n, n == 1 ? "" : "s");
	enum status status;

	page_begin(to, title);
	fputs("</header>\n<main>\n", to);
	if (audit->strings.n)
		page_put_audit(to, audit);
	status = page_put_lately(to, audit->list.store, audit->list.hosts);
	page_put_classes(to, audit->list.hosts);
	return status == STATUS_OK ? page_put_matrix(to, &audit->list) : status;
}

static enum status put_hosts(FILE *to, const struct options *options)
{
	const char *path = option_value(options, OPTION_FILE);
	struct audit audit = {
		.cli = &options->cli,
		.glob = option_value(options, OPTION_ALL_HOSTS),
		.wants_opens = true,
		.options = { .size = sizeof(audit.options) },
	};
	enum status status =
		path ? lines_read(path, PQ_LINE_MAX_BYTES, take_line, NULL, &audit) : STATUS_OK;

	if (status == STATUS_OK)
		status = audit_list_hosts(&audit);
	if (status == STATUS_OK && path)
		status = audit_try_strings(&audit);
	if (status == STATUS_OK)
		status = put_all(to, &audit);
	audit_clear(&audit);
	return status;
}

/* ---------------------------------------------------------------------------------------- diff */

static enum status put_diff(FILE *to, const struct options *options, char *const words[2])
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *before = NULL;
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *after = NULL;
	cleanup(pmuq_diff_freep) struct pmuq_diff *diff = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *title = print_or_die("From %s to %s", words[0], words[1]);
	enum status status = machine_read(&options->cli, words[0], &before);

	if (status == STATUS_OK)
		status = machine_read(&options->cli, words[1], &after);
	if (status != STATUS_OK)
		return status;
	if (pmuq_catalog_diff(before, after, NULL, &diff, &error) < 0)
		return report_error(error, NULL);
	page_begin(to, title);
	fputs("</header>\n<main>\n", to);
	page_put_diff(to, &(struct shown_diff){
				  .diff = diff,
				  .machines = { { words[0], before }, { words[1], after } },
				  .least = PMUQ_WEIGHT_PASSING,
			  });
	return STATUS_OK;
}

/* ------------------------------------------------------------------------------------ command */

static bool is_diff(const struct options *options)
{
	return options->n_operands && strcmp(options->operands[0], "diff") == 0;
}

static bool is_to_stdout(const struct options *options)
{
	const char *path = option_value(options, OPTION_OUTPUT);

	return !path || strcmp(path, "-") == 0;
}

/* Nobody reads HTML on a terminal, and users of perf expect their samples there. */
static enum status refuse_terminal(void)
{
	return usage_error("the page is for a browser: add `--output FILE.html`, or name the file "
			   "of samples to `perf report`");
}

static enum status refuse_words(const struct options *options)
{
	const char *option = cli_machine_option(&options->cli);
	bool wants_all = option_is_set(options, OPTION_ALL_HOSTS);

	if (is_diff(options) && options->n_operands != 3)
		return usage_error("diff needs two machines");
	if (wants_all && (options->n_operands || option))
		return usage_error("--all-hosts and %s exclude each other",
				   options->n_operands ? options->operands[0] : option);
	if (options->n_operands && option)
		return usage_error("name the machine '%s' or --%s, not both", options->operands[0],
				   option);
	if (option_is_set(options, OPTION_FILE) && !wants_all)
		return usage_error("--file needs --all-hosts: its strings are tried on all hosts");
	return is_to_stdout(options) && terminal_is(stdout) ? refuse_terminal() : STATUS_OK;
}

/* The old file stays until the new one is complete. */
static enum status write_file(const char *path, const char *text)
{
	struct output output;
	enum status status = output_open(&output, path);

	if (status == STATUS_OK && !pq_write_all(output.fd, str_of(text)))
		status = report_failed("%s: %s", path, strerror(errno));
	if (status == STATUS_OK)
		status = output_keep(&output);
	output_close(&output);
	return status;
}

static enum status run_report(const struct options *options)
{
	enum status status = refuse_words(options);
	auto_free char *text = NULL;
	struct text_stream stream;

	if (status != STATUS_OK)
		return status;
	text_stream_open(&stream);
	status = option_is_set(options, OPTION_ALL_HOSTS) ? put_hosts(stream.to, options)
		 : is_diff(options) ? put_diff(stream.to, options, options->operands + 1)
				    : put_machines(stream.to, options);
	fputs("</main>\n", stream.to);
	page_end(stream.to, clock_now_s());
	text = text_stream_close(&stream);
	if (status != STATUS_OK)
		return status;
	if (!is_to_stdout(options))
		return write_file(option_value(options, OPTION_OUTPUT), text);
	fputs(text, stdout);
	return STATUS_OK;
}

const struct command cmd_report = {
	.name = "report",
	.arguments = "[MACHINE... | diff MACHINE MACHINE]",
	.summary = "write a page of HTML about machines, all hosts, or a change",
	.text = MACHINE_WORDS
	"The page is one file: it loads nothing, and is complete without its script. With\n"
	"--all-hosts it has host classes, kernels, CPUs, the last changes, and the events\n"
	"of each class; with --file also the result of those event strings.\n\n"
	"Examples:\n"
	"  pmuq report --output this.html\n"
	"  pmuq report --all-hosts --file events.txt --output hosts.html\n"
	"  pmuq report diff web01@7 web01 --output upgrade.html\n",
	.options = OPTION_LIST(OPTION_ALL_HOSTS, OPTION_FILE, OPTION_OUTPUT),
	.run = run_report,
};
