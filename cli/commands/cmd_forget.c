/* SPDX-License-Identifier: MIT */
/* `pmuq forget`: hosts and snapshots out of the database, all that were named or none. */
#include "cli/cmd.h"
#include "cli/database.h"
#include "cli/options.h"
#include "cli/report.h"
#include <inttypes.h>
#include <string.h>
#include <time.h>

enum {
	KEY_BEFORE = OPTION_LONG,
	KEY_KEEP,
	KEY_DRY_RUN,
};

static const struct option_row forget_options[] = {
	{ KEY_BEFORE, "before", "DATE", "what was last seen before DATE; 90d: 90 days ago" },
	{ KEY_KEEP, "keep", "N", "the N newest snapshots of each host stay" },
	{ KEY_DRY_RUN, "dry-run", NULL, "say what would go, and keep all" },
};

struct forget {
	const struct command *command;
	struct pmuq_forget_options options;
	struct pmuq_store *store;
	char **names;	    /* copies, without what stands behind the @ */
	int64_t *snapshots; /* 0: all of the host's */
	size_t n;
};

#define DAY_S 86400

/* A number of at most nine digits. */
static bool take_number(const char *text, size_t n, int64_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < n; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*ret = *ret * 10 + (text[i] - '0');
	}
	return n > 0 && n < 10;
}

static int take_before(struct forget *forget, const char *text)
{
	size_t n = strlen(text);
	int64_t days, last;

	if (n > 1 && text[n - 1] == 'd' && take_number(text, n - 1, &days))
		forget->options.before_s = (int64_t)time(NULL) - days * DAY_S;
	else if (!pmuq_time_parse(text, &forget->options.before_s, &last))
		return usage_error(forget->command,
				   "--before wants a date (2026-11-01, 2026-11-01 10:30) or days "
				   "ago (90d), not '%s'",
				   text);
	return STATUS_OK;
}

static int take_keep(struct forget *forget, const char *text)
{
	int64_t n;

	if (!take_number(text, strlen(text), &n) || n == 0)
		return usage_error(forget->command, "--keep wants a number from 1, not '%s'", text);
	forget->options.keep = (size_t)n;
	return STATUS_OK;
}

/* "NAME" or "NAME@SNAPSHOT" */
static int take_word(struct forget *forget, const char *word)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	char *name = strdup(word), *at = name ? strrchr(name, '@') : NULL;

	forget->names[forget->n++] = name;
	if (!name)
		return report_failed("out of memory");
	if (!at)
		return STATUS_OK;
	*at++ = 0;
	if (!*at)
		return usage_error(forget->command,
				   "'%s': a number, date or kernel belongs behind the @", word);
	if (pmuq_store_find_snapshot(forget->store, name, at, &forget->snapshots[forget->n - 1],
				     &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

static void print_count(const char *before, size_t n, const char *noun)
{
	printf("%s%zu %s%s", before, n, noun, n == 1 ? "" : "s");
}

static void print_forgotten(const struct pmuq_forgotten *forgotten, bool is_trial)
{
	print_count(is_trial ? "would forget " : "forgot ", forgotten->snapshots, "snapshot");
	if (forgotten->hosts)
		print_count(", ", forgotten->hosts, "host");
	if (forgotten->layouts)
		print_count(", ", forgotten->layouts, "layout");
	if (forgotten->host_classes)
		print_count(", ", forgotten->host_classes, "kind");
	printf(": %zu KiB of the database %s free\n", forgotten->free_bytes / 1024,
	       is_trial ? "would be" : "are");
}

static int forget_words(struct forget *forget, char **words, size_t n)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct pmuq_forgotten forgotten = { .size = sizeof(forgotten) };
	int status = STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < n; i++)
		status = take_word(forget, words[i]);
	if (status != STATUS_OK)
		return status;
	if (pmuq_store_forget(forget->store, (const char *const *)forget->names, forget->snapshots,
			      n, &forget->options, &forgotten, &error) < 0)
		return report_error(error, NULL);
	print_forgotten(&forgotten, forget->options.is_trial);
	return STATUS_OK;
}

static int open_and_forget(struct forget *forget, const struct cli *cli, char **words, size_t n)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);
	int status;

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_WRITE, &forget->store, &error) < 0)
		return report_error(error, NULL);
	forget->names = calloc(n + 1, sizeof(*forget->names));
	forget->snapshots = calloc(n + 1, sizeof(*forget->snapshots));
	status = forget->names && forget->snapshots ? forget_words(forget, words, n)
						    : report_failed("out of memory");
	for (size_t i = 0; i < forget->n; i++)
		free(forget->names[i]);
	free(forget->names);
	free(forget->snapshots);
	pmuq_store_free(forget->store);
	return status;
}

static int take_option(struct forget *forget, int key)
{
	if (key == KEY_BEFORE)
		return take_before(forget, optarg);
	if (key == KEY_KEEP)
		return take_keep(forget, optarg);
	forget->options.is_trial = true;
	return STATUS_OK;
}

static int run_forget(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct forget forget = { .command = command,
				 .options = { .size = sizeof(forget.options) } };
	struct options options;
	int key, status;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		status = take_option(&forget, key);
		if (status != STATUS_OK)
			return status;
	}
	if (cli->sysroot || cli->host)
		return usage_error(command, "forget takes hosts of the database as arguments");
	if (optind == argc && !forget.options.before_s && !forget.options.keep)
		return usage_error(command, "forget wants a host, --before or --keep");
	return open_and_forget(&forget, cli, argv + optind, (size_t)(argc - optind));
}

const struct command cmd_forget = {
	.name = "forget",
	.arguments = "[NAME[@SNAPSHOT]...]",
	.summary = "hosts or snapshots out of the database",
	.text = "All that is named goes, or nothing; without a NAME --before and --keep are of\n"
		"every host. What other snapshots share stays. The room is free for what comes\n"
		"next; the file does not shrink. A SNAPSHOT is a number, a date (UTC) or a\n"
		"kernel, as `pmuq hosts --history` shows them.\n\n"
		"Examples:\n"
		"  pmuq forget web1 db1@12\n"
		"  pmuq forget --keep 5\n"
		"  pmuq forget --before 180d --dry-run\n",
	.options = forget_options,
	.n_options = COUNT(forget_options),
	.run = run_forget,
};
