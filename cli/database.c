/* SPDX-License-Identifier: MIT */
/*
 * Where the database is: the file of --db, else in the state directory of the user (XDG), for root
 * in /var/lib. A process opens it once to read; the library reads its content.
 */
#include "cli/database.h"
#include "cli/heap.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "core/freep.h"
#include <string.h>
#include <unistd.h>

/* The default path, or NULL if no directory is known. The caller frees it. */
static char *find_path(const struct cli *cli)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (cli->db)
		return or_die(strdup(cli->db));
	if (state && *state == '/') /* the XDG specification ignores relative ones */
		return print_or_die("%s/pmuq/pmuq.db", state);
	if (geteuid() == 0)
		return or_die(strdup("/var/lib/pmuq/pmuq.db"));
	return home && *home == '/' ? print_or_die("%s/.local/state/pmuq/pmuq.db", home) : NULL;
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

enum status database_check_name(const char *origin, const char *name)
{
	if (database_name_is_usable(name))
		return STATUS_OK;
	report(REPORT_ERROR,
	       "%s%sa host cannot be called '%s': an @ begins a snapshot; --name gives it another "
	       "name",
	       origin ? origin : "", origin ? ": " : "", name);
	return STATUS_INVALID;
}

/* What SQLite and the results of a query take. */
#define READER_BYTES ((size_t)768 * 1024)

static struct {
	char *path;
	struct pmuq_store *store; /* NULL: not opened */
} reader;

void database_end(void)
{
	free(move(reader.path));
	pmuq_store_freep(&reader.store);
	reader.store = NULL;
}

int database_read_path(const char *path, struct pmuq_store **ret, struct pmuq_error **reterr)
{
	int r = 0;

	if (reader.store && strcmp(reader.path, path) != 0)
		database_end();
	if (!reader.store) {
		heap_prepare(READER_BYTES);
		r = pmuq_store_open(path, PMUQ_STORE_READ, &reader.store, reterr);
	}
	if (r == 0 && !reader.path)
		reader.path = or_die(strdup(path));
	*ret = reader.store;
	return r;
}

enum status database_read(const struct cli *cli, struct pmuq_store **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);

	if (!path)
		return STATUS_FAILED;
	return database_read_path(path, ret, &error) < 0 ? report_error(error, NULL) : STATUS_OK;
}

enum status database_open(const struct cli *cli, enum pmuq_store_mode mode, struct pmuq_store **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);

	if (!path)
		return STATUS_FAILED;
	return pmuq_store_open(path, mode, ret, &error) < 0 ? report_error(error, NULL) : STATUS_OK;
}
