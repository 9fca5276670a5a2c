/* SPDX-License-Identifier: MIT */
/*
 * The database as host classes. The first host of a class represents it; hosts of a class differ
 * only in facts that no encoding depends on.
 */
#include "cli/hosts/stored_hosts.h"
#include "cli/database.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "core/freep.h"
#include <string.h>

enum status host_list_open(struct host_list *list, const struct cli *cli,
			   const struct pmuq_hosts_filter *filter)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status = database_read(cli, &list->store);

	if (status != STATUS_OK)
		return status;
	if (pmuq_store_list_hosts(list->store, filter, &list->hosts, &error) < 0 ||
	    pmuq_pfm_open(NULL, &list->pfm, &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

void host_list_close(struct host_list *list)
{
	for (size_t i = 0; i < list->tables.n; i++)
		pmuq_vendor_free(list->tables.v[i].vendor);
	for (size_t i = 0; i < list->metrics.n; i++)
		pmuq_metrics_free(list->metrics.v[i].metrics);
	pq_vec_free(&list->tables);
	pq_vec_free(&list->metrics);
	pmuq_pfm_freep(&list->pfm);
	pmuq_hosts_freep(&list->hosts);
}

static enum status add_table(struct host_list *list, const char *cpuid, bool is_wanted,
			     const struct pmuq_vendor **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	cleanup(pmuq_vendor_freep) struct pmuq_vendor *vendor = NULL;
	int r = pmuq_store_open_vendor(list->store, cpuid, &vendor, &error);

	if (r < 0 && (r != -PMUQ_E_NO_VENDOR_TABLE || is_wanted))
		return report_error(error, NULL);
	push_or_die(&list->tables, ((struct host_table){ .cpuid = cpuid, .vendor = vendor }));
	*ret = move(vendor);
	return STATUS_OK;
}

/* Read once for all classes of a CPU. */
static enum status find_table(struct host_list *list, const char *cpuid, bool is_wanted,
			      const struct pmuq_vendor **ret)
{
	for (size_t i = 0; i < list->tables.n; i++)
		if (strcmp(list->tables.v[i].cpuid, cpuid) == 0) {
			*ret = list->tables.v[i].vendor;
			return STATUS_OK;
		}
	return add_table(list, cpuid, is_wanted, ret);
}

enum status host_list_open_class(struct host_list *list, size_t host_class, const char *vendor,
				 struct open_class *ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	size_t host = pmuq_hosts_class(list->hosts, host_class)->hosts[0];
	const struct pmuq_snapshot *snapshot = pmuq_hosts_snapshot(list->hosts, host, 0);
	bool is_own = !vendor || strcmp(vendor, "auto") == 0;
	const char *cpuid = is_own ? pmuq_snapshot_find_fact(snapshot, "cpuid") : vendor;

	*ret = (struct open_class){ .index = host_class, .cpuid = cpuid };
	if (pmuq_store_open_host(list->store, pmuq_hosts_get(list->hosts, host)->name.p,
				 snapshot->number, &ret->source, &error) < 0)
		return report_error(error, NULL);
	return cpuid ? find_table(list, cpuid, !is_own, &ret->vendor) : STATUS_OK;
}

int host_list_find_metrics(struct host_list *list, const struct open_class *open,
			   const struct pmuq_metrics **ret, struct pmuq_error **reterr)
{
	struct host_metrics found = { .cpuid = open->cpuid ? open->cpuid : "" };
	int r;

	for (size_t i = 0; i < list->metrics.n; i++)
		if (strcmp(list->metrics.v[i].cpuid, found.cpuid) == 0) {
			*ret = list->metrics.v[i].metrics;
			return 0;
		}
	r = pmuq_store_open_lazy_metrics(list->store, found.cpuid, &found.metrics, reterr);
	if (r < 0)
		return r;
	push_or_die(&list->metrics, found);
	*ret = found.metrics;
	return 0;
}

void host_list_close_class(struct open_class *open)
{
	pmuq_source_free(move(open->source));
}

enum status host_list_read_check(struct host_list *list, size_t host_class, size_t check,
				 struct pmuq_check **ret)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	size_t host = pmuq_hosts_class(list->hosts, host_class)->check_hosts[check];

	if (pmuq_store_read_check(list->store, pmuq_hosts_get(list->hosts, host)->name.p,
				  pmuq_hosts_snapshot(list->hosts, host, 0)->number, ret,
				  &error) < 0)
		return report_error(error, NULL);
	return STATUS_OK;
}

bool host_list_has_check(const struct host_list *list, size_t host, size_t check)
{
	return check == HOSTS_ANY_CHECK || pmuq_hosts_get(list->hosts, host)->check == check;
}

enum status host_list_report_unmatched(const struct pmuq_hosts *hosts,
				       const struct pmuq_hosts_filter *filter)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < filter->n_globs; i++) {
		if (pmuq_hosts_matched(hosts, i) > 0)
			continue;
		report(REPORT_ERROR, "no host matches '%s'", filter->globs[i]);
		status = STATUS_INVALID;
	}
	return status;
}
