/* SPDX-License-Identifier: MIT */
#include "cli/database.h"
#include "cli/options.h"
#include "cli/report.h"
#include <string.h>
#include <unistd.h>

static char *joined(const char *dir, const char *file)
{
	char *path = NULL;

	if (asprintf(&path, "%s/%s", dir, file) < 0)
		return NULL;
	return path;
}

/* NULL where there is none. */
static char *find_path(const struct cli *cli)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (cli->db)
		return strdup(cli->db);
	if (state && *state == '/') /* the specification has relative ones ignored */
		return joined(state, "pmuq/pmuq.db");
	if (geteuid() == 0)
		return strdup("/var/lib/pmuq/pmuq.db");
	return home && *home == '/' ? joined(home, ".local/state/pmuq/pmuq.db") : NULL;
}

char *database_path(const struct cli *cli)
{
	char *path = find_path(cli);

	if (!path)
		report_failed("there is no directory for the database; use --db FILE");
	return path;
}

char *database_path_if_there(const struct cli *cli)
{
	auto_free char *path = find_path(cli);

	return path && (cli->db || access(path, F_OK) == 0) ? move(path) : NULL;
}

bool database_name_is_usable(const char *name)
{
	return !strchr(name, '@');
}

bool database_split_host(const char *host, char **ret_name, char **ret_when)
{
	const char *at = strrchr(host, '@');

	if (at && !at[1]) {
		usage_error(NULL,
			    "--host %s: the @ must be followed by a number, a date or a kernel",
			    host);
		return false;
	}
	*ret_name = at ? strndup(host, (size_t)(at - host)) : strdup(host);
	*ret_when = at ? strdup(at + 1) : NULL;
	if (*ret_name && (!at || *ret_when))
		return true;
	report_failed("out of memory");
	return false;
}

enum status database_open_host(const struct cli *cli, const char *host, struct pmuq_source **ret)
{
	auto_free char *path = NULL, *name = NULL, *when = NULL;
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int64_t snapshot = 0;

	if (!database_split_host(host, &name, &when))
		return STATUS_USAGE;
	path = database_path(cli);
	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_READ, &store, &error) < 0 ||
	    (when && pmuq_store_find_snapshot(store, name, when, &snapshot, &error) < 0) ||
	    pmuq_store_open_host(store, name, snapshot, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}
