/* SPDX-License-Identifier: MIT */
/* `pmuq hosts`: the machines that the database knows, and of one what it was like before. */
#include "cli/database.h"
#include "cli/hosts/host_classes.h"
#include "cli/hosts/host_names.h"
#include "cli/hosts/host_rows.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/report.h"
#include "cli/tables/list_columns.h"
#include "cli/terminal.h"
#include <string.h>

enum {
	KEY_WITH = OPTION_LONG,
	KEY_HISTORY,
	KEY_RENAME,
	KEY_NO_PAGER,
	KEY_LIST_COLUMNS,
};

static const struct option_row hosts_options[] = {
	{ KEY_WITH, "with", "EVENT", "those on which the event string is valid" },
	{ KEY_HISTORY, "history", NULL, "a row for each snapshot, oldest first" },
	{ KEY_RENAME, "rename", "OLD", "give the host OLD another name: hosts --rename OLD NEW" },
	{ 'o', "output", "COLUMNS", "these columns, A,B,C; +A,B adds to the usual ones" },
	{ 'J', "json", NULL, "JSON" },
	{ 'r', "raw", NULL, "one blank between columns, blanks in texts as \\x20" },
	{ 'n', "noheadings", NULL, "no line of headings" },
	{ KEY_NO_PAGER, "no-pager", NULL, "no pager where the terminal is too small" },
	{ KEY_LIST_COLUMNS, "list-columns", NULL, "the columns that there are" },
};

struct hosts {
	const struct command *command;
	const char *with, *rename, *names;
	bool wants_history, has_headings, wants_pager;
	enum table_style style;
	struct pmuq_hosts_filter filter;
	struct list_columns columns;
	struct fleet fleet;
	struct host_row *rows;
	size_t n_rows;
};

/* ------------------------------------------------------------------------------ --with */

/* What became of the string on a kind of machine. */
struct asked {
	bool is_valid;
	enum opens *opens; /* for each of the kind's checks */
};

static int ask_checks(struct hosts *hosts, const struct fleet_kind *kind,
		      const struct pmuq_encodings *encodings, struct asked *ret)
{
	size_t n = pmuq_hosts_class(hosts->fleet.hosts, kind->index)->n_checks;

	ret->opens = calloc(n + 1, sizeof(*ret->opens));
	if (!ret->opens)
		return report_failed("out of memory");
	for (size_t i = 0; i < n; i++) {
		cleanup(check_freep) struct pmuq_check *check = NULL;
		const struct pmuq_check_result *answer;
		int status = fleet_read_check(&hosts->fleet, kind->index, i, &check);

		if (status != STATUS_OK)
			return status;
		ret->opens[i] = opens_find(kind->source, check, encodings, &answer);
	}
	return STATUS_OK;
}

static int ask_kind(struct hosts *hosts, size_t index, struct asked *ret)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct fleet_kind kind;
	struct pmuq_encode_options options = { .size = sizeof(options), .pfm = hosts->fleet.pfm };
	int status = fleet_open_kind(&hosts->fleet, index, NULL, &kind);

	if (status != STATUS_OK)
		return status;
	options.vendor = kind.vendor;
	ret->is_valid =
		pmuq_source_encode(kind.source, hosts->with, &options, &encodings, &error) == 0;
	if (ret->is_valid)
		status = ask_checks(hosts, &kind, encodings, ret);
	else if (report_status(error->code) == STATUS_FAILED)
		status = report_error(error, NULL);
	/* What cannot be a string anywhere is said once. */
	else if (error->code == PMUQ_E_SYNTAX)
		status = report_error(error, NULL);
	pmuq_encodings_free(move(encodings));
	fleet_close_kind(&kind);
	return status;
}

static void free_asked(struct asked *asked, size_t n)
{
	for (size_t i = 0; asked && i < n; i++)
		free(asked[i].opens);
	free(asked);
}

/* Keeps the rows of hosts on which the string is valid. */
static void keep_valid(struct hosts *hosts, const struct asked *asked)
{
	const struct pmuq_hosts *list = hosts->fleet.hosts;
	size_t n = 0;

	for (size_t i = 0; i < hosts->n_rows; i++) {
		struct host_row row = hosts->rows[i];
		const struct asked *of = &asked[pmuq_hosts_get(list, row.host)->host_class];
		size_t check = pmuq_hosts_get(list, row.host)->check;

		if (!of->is_valid)
			continue;
		row.opens = check == PMUQ_NOT_KNOWN ? OPENS_UNKNOWN : of->opens[check];
		hosts->rows[n++] = row;
	}
	hosts->n_rows = n;
}

static int keep_with(struct hosts *hosts)
{
	size_t n = pmuq_hosts_class_count(hosts->fleet.hosts);
	struct asked *asked = calloc(n + 1, sizeof(*asked));
	int status = asked ? STATUS_OK : report_failed("out of memory");

	for (size_t i = 0; status == STATUS_OK && i < n; i++)
		status = ask_kind(hosts, i, &asked[i]);
	if (status == STATUS_OK)
		keep_valid(hosts, asked);
	free_asked(asked, n);
	return status;
}

/* ------------------------------------------------------------------------------- table */

static int make_rows(struct hosts *hosts)
{
	const struct pmuq_hosts *list = hosts->fleet.hosts;
	size_t n = 0;

	for (size_t i = 0; i < pmuq_hosts_count(list); i++)
		n += pmuq_hosts_get(list, i)->n_snapshots;
	hosts->rows = calloc(n + 1, sizeof(*hosts->rows));
	if (!hosts->rows)
		return report_failed("out of memory");
	for (size_t i = 0; i < pmuq_hosts_count(list); i++)
		for (size_t k = 0; k < pmuq_hosts_get(list, i)->n_snapshots; k++)
			hosts->rows[hosts->n_rows++] = (struct host_row){
				.hosts = list,
				.host = i,
				.snapshot = k,
				.is_for_programs = hosts->style != TABLE_PLAIN,
			};
	if (!hosts->wants_history)
		host_rows_sort(hosts->rows, hosts->n_rows);
	return STATUS_OK;
}

static bool fill(const struct hosts *hosts, struct table *table)
{
	for (size_t i = 0; i < hosts->columns.n; i++)
		if (!table_add_column(table, hosts->columns.at[i]))
			return false;
	for (size_t i = 0; i < hosts->n_rows; i++)
		if (!table_add_row(table, &hosts->rows[i]))
			return false;
	return true;
}

static int print_table(struct hosts *hosts)
{
	struct table *table = table_new(host_columns.name, hosts->style, hosts->has_headings);
	int status = STATUS_OK;

	if (!table)
		return STATUS_FAILED;
	table_set_width(table, hosts->style == TABLE_PLAIN ? terminal_columns(0) : 0);
	if (!fill(hosts, table) || !pager_print_table(table, hosts->style, hosts->wants_pager))
		status = STATUS_FAILED;
	table_free(table);
	return status;
}

static void note_nothing(const struct hosts *hosts)
{
	if (pmuq_hosts_count(hosts->fleet.hosts) == 0 && hosts->filter.n_globs == 0)
		report(REPORT_NOTE, "the database has no host yet: `pmuq scan` keeps this one");
	else if (hosts->with && hosts->n_rows == 0)
		report(REPORT_NOTE,
		       "'%s' is valid on none of %zu hosts; `pmuq encode --all-hosts` says why",
		       hosts->with, pmuq_hosts_count(hosts->fleet.hosts));
}

static int run_table(struct hosts *hosts, const struct cli *cli)
{
	unsigned usual = hosts->wants_history ? HOSTS_HISTORY : COLUMN_DEFAULT;
	int status;

	hosts->columns.kind = &host_columns;
	status = list_columns_choose(&hosts->columns, hosts->command, hosts->names,
				     usual | (hosts->with ? COLUMN_CHECKED : 0));
	if (status != STATUS_OK)
		return status;
	hosts->filter.is_newest_only = !hosts->wants_history;
	status = fleet_open(&hosts->fleet, cli, &hosts->filter);
	if (status == STATUS_OK)
		status = make_rows(hosts);
	if (status == STATUS_OK && hosts->with)
		status = keep_with(hosts);
	if (status == STATUS_OK)
		status = print_table(hosts);
	if (status == STATUS_OK) {
		note_nothing(hosts);
		status = fleet_report_unmatched(hosts->fleet.hosts, &hosts->filter);
		if (hosts->with && hosts->n_rows == 0)
			status = STATUS_INVALID;
	}
	free(hosts->rows);
	fleet_close(&hosts->fleet);
	return status;
}

/* ------------------------------------------------------------------------------ rename */

static int rename_host(const struct hosts *hosts, const struct cli *cli)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = NULL;
	const char *name = hosts->filter.n_globs == 1 ? hosts->filter.globs[0] : NULL;

	if (!name)
		return usage_error(hosts->command, "--rename OLD wants one new name behind it");
	if (!database_name_is_usable(name))
		return usage_error(hosts->command,
				   "'%s' is no name for a host: --host could not "
				   "ask for it, for the @ in it",
				   name);
	path = database_path(cli);
	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_WRITE, &store, &error) < 0 ||
	    pmuq_store_rename_host(store, hosts->rename, name, &error) < 0)
		return report_error(error, NULL);
	printf("host ");
	print_safe(stdout, hosts->rename);
	printf(" is ");
	print_safe(stdout, name);
	printf(" now\n");
	return STATUS_OK;
}

/* Answers whether the option is one of these. */
static void take_option(struct hosts *hosts, int key)
{
	switch (key) {
	case KEY_WITH:
		hosts->with = optarg;
		break;
	case KEY_HISTORY:
		hosts->wants_history = true;
		break;
	case KEY_RENAME:
		hosts->rename = optarg;
		break;
	case 'o':
		hosts->names = optarg;
		break;
	case 'J':
		hosts->style = TABLE_JSON;
		break;
	case 'r':
		hosts->style = TABLE_RAW;
		break;
	case 'n':
		hosts->has_headings = false;
		break;
	default:
		hosts->wants_pager = false;
		break;
	}
}

static int run_hosts(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct hosts hosts = {
		.command = command,
		.has_headings = true,
		.wants_pager = true,
		.filter = { .size = sizeof(hosts.filter) },
	};
	struct options options;
	int key;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == KEY_LIST_COLUMNS) {
			list_columns_print_kind(&host_columns);
			return STATUS_OK;
		}
		take_option(&hosts, key);
	}
	if (cli->sysroot || cli->host)
		return usage_error(command, "hosts are those of the database; --db names another");
	if (hosts.wants_history && hosts.with)
		return usage_error(command, "--with asks the hosts as they are now, and --history "
					    "shows what they were");
	hosts.filter.globs = (const char *const *)(argv + optind);
	hosts.filter.n_globs = (size_t)(argc - optind);
	return hosts.rename ? rename_host(&hosts, cli) : run_table(&hosts, cli);
}

const struct command cmd_hosts = {
	.name = "hosts",
	.arguments = "[GLOB...]",
	.summary = "the machines of the database, and what they were before",
	.text = "A GLOB (* ? [abc]) picks hosts by their name. Hosts of one KIND give the same\n"
		"answers to every event string. With --with, OPENS says what the kernel said in\n"
		"the last `scan --check`. None that matches, or on which the string is valid:\n"
		"exit status 1. Times are UTC.\n\n"
		"Examples:\n"
		"  pmuq hosts 'web*'\n"
		"  pmuq hosts --with cpu/mem-loads,ldlat=30/ -rn -o HOST\n"
		"  pmuq hosts --history web1; pmuq --host web1@2026-11-01 list\n"
		"  pmuq hosts --rename web1 db1\n",
	.options = hosts_options,
	.n_options = COUNT(hosts_options),
	.run = run_hosts,
};
