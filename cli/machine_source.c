/* SPDX-License-Identifier: MIT */
#include "cli/machine_source.h"
#include "cli/database.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/report.h"
#include <string.h>

enum status source_open(const struct cli *cli, struct pmuq_source **ret)
{
	if (cli->host && cli->sysroot)
		return usage_error(NULL, "--host and --sysroot name two machines; give one");
	if (cli->sysroot)
		return machine_open_file(cli->sysroot, ret);
	return machine_open(cli, cli->host ? cli->host : "live", ret);
}

enum status source_read(const struct cli *cli, struct pmuq_catalog **ret)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status = source_open(cli, &source);

	if (status != STATUS_OK)
		return status;
	if (pmuq_source_read_catalog(source, ret, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

enum status source_find_check(const struct cli *cli, const struct pmuq_catalog *catalog,
			      struct pmuq_check **ret_own, const struct pmuq_check **ret)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;

	*ret = pmuq_catalog_machine(catalog)->check;
	if (*ret || !cli->db || !pmuq_catalog_machine(catalog)->is_live)
		return STATUS_OK;
	if (pmuq_store_open(cli->db, PMUQ_STORE_READ, &store, &error) < 0 ||
	    pmuq_store_find_check(store, catalog, ret_own, &error) < 0)
		return report_error(error, NULL);
	*ret = *ret_own;
	return STATUS_OK;
}

static enum status no_cpuid(void)
{
	report(REPORT_ERROR, "--vendor auto: the CPU of the machine is not known; name it, as in "
			     "--vendor GenuineIntel-6-55-4");
	return STATUS_INVALID;
}

/* Whether the command line names a database, by --db or by a host of it. */
static bool names_database(const struct cli *cli)
{
	cleanup(machine_word_clear) struct machine_word word = { 0 };

	return cli->db || (cli->host && machine_word_read(cli, cli->host, &word) == STATUS_OK &&
			   word.type == MACHINE_HOST);
}

enum status source_find_vendor(const struct cli *cli, struct pmuq_source *source,
			       const char *vendor, struct pmuq_vendor **ret)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = NULL;
	bool is_own = !vendor || strcmp(vendor, "auto") == 0;
	const char *cpuid = is_own ? pmuq_source_find_fact(source, "cpuid") : vendor;
	int r;

	*ret = NULL;
	if (!vendor && (!cpuid || !names_database(cli)))
		return STATUS_OK;
	if (!cpuid)
		return no_cpuid();
	path = database_path(cli);
	if (!path)
		return STATUS_FAILED;
	r = pmuq_store_open(path, PMUQ_STORE_READ, &store, &error);
	if (r == 0)
		r = pmuq_store_open_vendor(store, cpuid, ret, &error);
	if (r == -PMUQ_E_NO_VENDOR_TABLE && !vendor)
		return STATUS_OK;
	return r < 0 ? report_error(error, NULL) : STATUS_OK;
}
