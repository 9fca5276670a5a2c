/* SPDX-License-Identifier: MIT */
#include "cli/hosts/host_classes.h"
#include "cli/database.h"
#include "cli/report.h"
#include <string.h>

int fleet_open(struct fleet *fleet, const struct cli *cli, const struct pmuq_hosts_filter *filter)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = database_path(cli);

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_READ, &fleet->store, &error) < 0 ||
	    pmuq_store_list_hosts(fleet->store, filter, &fleet->hosts, &error) < 0 ||
	    pmuq_pfm_open(NULL, &fleet->pfm, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

void fleet_close(struct fleet *fleet)
{
	for (size_t i = 0; i < fleet->n_tables; i++)
		pmuq_vendor_free(fleet->tables[i].vendor);
	free(fleet->tables);
	pmuq_pfm_free(fleet->pfm);
	pmuq_hosts_free(fleet->hosts);
	pmuq_store_free(fleet->store);
}

static int add_tables(struct fleet *fleet, const char *cpuid, bool is_wanted,
		      const struct pmuq_vendor **ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	cleanup(vendor_freep) struct pmuq_vendor *vendor = NULL;
	struct fleet_tables *grown;
	int r = pmuq_store_open_vendor(fleet->store, cpuid, &vendor, &error);

	if (r < 0 && (r != -PMUQ_E_NO_VENDOR_TABLE || is_wanted))
		return report_error(error, NULL);
	grown = reallocarray(fleet->tables, fleet->n_tables + 1, sizeof(*grown));
	if (!grown)
		return report_failed("out of memory");
	fleet->tables = grown;
	*ret = vendor;
	grown[fleet->n_tables++] = (struct fleet_tables){ .cpuid = cpuid, .vendor = move(vendor) };
	return STATUS_OK;
}

/* Read once for all kinds of a CPU. */
static int find_tables(struct fleet *fleet, const char *cpuid, bool is_wanted,
		       const struct pmuq_vendor **ret)
{
	for (size_t i = 0; i < fleet->n_tables; i++)
		if (strcmp(fleet->tables[i].cpuid, cpuid) == 0) {
			*ret = fleet->tables[i].vendor;
			return STATUS_OK;
		}
	return add_tables(fleet, cpuid, is_wanted, ret);
}

int fleet_open_kind(struct fleet *fleet, size_t kind, const char *vendor, struct fleet_kind *ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	size_t host = pmuq_hosts_class(fleet->hosts, kind)->hosts[0];
	bool is_own = !vendor || strcmp(vendor, "auto") == 0;
	const char *cpuid = is_own ? pmuq_snapshot_find_fact(
					     pmuq_hosts_snapshot(fleet->hosts, host, 0), "cpuid")
				   : vendor;

	*ret = (struct fleet_kind){ .index = kind };
	if (pmuq_store_open_host(fleet->store, pmuq_hosts_get(fleet->hosts, host)->name.p,
				 pmuq_hosts_snapshot(fleet->hosts, host, 0)->number, &ret->source,
				 &error) < 0)
		return report_error(error, NULL);
	return cpuid ? find_tables(fleet, cpuid, !is_own, &ret->vendor) : STATUS_OK;
}

void fleet_close_kind(struct fleet_kind *kind)
{
	pmuq_source_free(move(kind->source));
}

int fleet_read_check(struct fleet *fleet, size_t kind, size_t check, struct pmuq_check **ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	size_t host = pmuq_hosts_class(fleet->hosts, kind)->check_hosts[check];

	if (pmuq_store_read_check(fleet->store, pmuq_hosts_get(fleet->hosts, host)->name.p,
				  pmuq_hosts_snapshot(fleet->hosts, host, 0)->number, ret,
				  &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

int fleet_report_unmatched(const struct pmuq_hosts *hosts, const struct pmuq_hosts_filter *filter)
{
	int status = STATUS_OK;

	for (size_t i = 0; i < filter->n_globs; i++) {
		if (pmuq_hosts_matched(hosts, i) > 0)
			continue;
		report(REPORT_ERROR, "no host matches '%s'", filter->globs[i]);
		status = STATUS_INVALID;
	}
	return status;
}
