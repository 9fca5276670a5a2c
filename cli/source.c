/* SPDX-License-Identifier: MIT */
#include "cli/source.h"
#include "cli/machine.h"
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

char *source_db_path(const struct cli *cli)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	char *path = NULL;

	if (cli->db)
		path = strdup(cli->db);
	else if (state && *state == '/') /* the specification has relative ones ignored */
		path = joined(state, "pmuq/pmuq.db");
	else if (geteuid() == 0)
		path = strdup("/var/lib/pmuq/pmuq.db");
	else if (home && *home == '/')
		path = joined(home, ".local/state/pmuq/pmuq.db");
	if (!path)
		report_failed("no place for the database: name one with --db");
	return path;
}

bool source_name_is_usable(const char *name)
{
	return !strchr(name, '@');
}

bool source_split_host(const char *host, char **ret_name, char **ret_when)
{
	const char *at = strrchr(host, '@');

	if (at && !at[1]) {
		usage_error(NULL, "--host %s: a number, date or kernel belongs behind the @", host);
		return false;
	}
	*ret_name = at ? strndup(host, (size_t)(at - host)) : strdup(host);
	*ret_when = at ? strdup(at + 1) : NULL;
	if (*ret_name && (!at || *ret_when))
		return true;
	report_failed("out of memory");
	return false;
}

static int open_host(const struct cli *cli, struct pmuq_source **ret)
{
	auto_free char *path = NULL, *name = NULL, *when = NULL;
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int64_t snapshot = 0;

	if (!source_split_host(cli->host, &name, &when))
		return STATUS_USAGE;
	path = source_db_path(cli);
	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_READ, &store, &error) < 0 ||
	    (when && pmuq_store_find_snapshot(store, name, when, &snapshot, &error) < 0) ||
	    pmuq_store_open_host(store, name, snapshot, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

/* A machine of the inventory that is not in the database. */
static int open_document(const struct cli *cli, struct pmuq_source **ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	cleanup(catalog_freep) struct pmuq_catalog *catalog = NULL;
	int status = machine_read(cli, cli->sysroot, &catalog);

	if (status != STATUS_OK)
		return status;
	if (pmuq_source_open_catalog(catalog, ret, &error) < 0)
		return report_error(error, NULL);
	catalog = NULL; /* the source's now */
	return STATUS_OK;
}

int source_open(const struct cli *cli, struct pmuq_source **ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int r;

	if (cli->host && cli->sysroot)
		return usage_error(NULL, "--host and --sysroot name two machines; give one");
	if (cli->host)
		return open_host(cli, ret);
	if (cli->sysroot && machine_is_document(cli->sysroot))
		return open_document(cli, ret);
	if (cli->sysroot)
		r = pmuq_source_open_tree(cli->sysroot, ret, &error);
	else
		r = pmuq_source_open_live(ret, &error);
	return r < 0 ? report_error(error, NULL) : STATUS_OK;
}

int source_read(const struct cli *cli, struct pmuq_catalog **ret)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int status = source_open(cli, &source);

	if (status != STATUS_OK)
		return status;
	if (pmuq_source_read_catalog(source, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

int source_find_check(const struct cli *cli, const struct pmuq_catalog *catalog,
		      struct pmuq_check **ret_own, const struct pmuq_check **ret)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;

	*ret = pmuq_catalog_check(catalog);
	if (*ret || !cli->db || !pmuq_catalog_is_live(catalog))
		return STATUS_OK;
	if (pmuq_store_open(cli->db, PMUQ_STORE_READ, &store, &error) < 0 ||
	    pmuq_store_find_check(store, catalog, ret_own, &error) < 0)
		return report_error(error, NULL);
	*ret = *ret_own;
	return STATUS_OK;
}

static int no_cpuid(void)
{
	report(REPORT_ERROR, "--vendor auto: the machine does not tell its CPU; name it, as in "
			     "--vendor GenuineIntel-6-55-4");
	return STATUS_INVALID;
}

int source_find_vendor(const struct cli *cli, struct pmuq_source *source, const char *vendor,
		       struct pmuq_vendor **ret)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = NULL;
	bool is_own = !vendor || strcmp(vendor, "auto") == 0;
	const char *cpuid = is_own ? pmuq_source_find_fact(source, "cpuid") : vendor;
	int r;

	*ret = NULL;
	if (!vendor && (!cpuid || !(cli->host || cli->db)))
		return STATUS_OK;
	if (!cpuid)
		return no_cpuid();
	path = source_db_path(cli);
	if (!path)
		return STATUS_FAILED;
	r = pmuq_store_open(path, PMUQ_STORE_READ, &store, &error);
	if (r == 0)
		r = pmuq_store_open_vendor(store, cpuid, ret, &error);
	if (r == -PMUQ_E_NO_VENDOR_TABLE && !vendor)
		return STATUS_OK;
	return r < 0 ? report_error(error, NULL) : STATUS_OK;
}
