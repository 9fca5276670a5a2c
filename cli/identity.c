/* SPDX-License-Identifier: MIT */
#include "cli/identity.h"
#include "cli/report.h"
#include <string.h>

static void hosts_freep(struct pmuq_hosts **hosts)
{
	pmuq_hosts_free(*hosts);
}

/* The hosts that have the machine-id; NULL in *ret when the machine tells none. */
static int find_same(struct pmuq_store *store, const struct pmuq_catalog *catalog,
		     struct pmuq_hosts **ret, struct pmuq_error **reterr)
{
	const struct pmuq_hosts_filter filter = {
		.size = sizeof(filter),
		.machine_id = pmuq_catalog_find_fact(catalog, "machine_id"),
		.is_newest_only = true,
	};

	*ret = NULL;
	return filter.machine_id ? pmuq_store_find_hosts(store, &filter, ret, reterr) : 0;
}

static bool has_name(const struct pmuq_hosts *hosts, const char *name)
{
	for (size_t i = 0; i < pmuq_hosts_count(hosts); i++)
		if (strcmp(pmuq_hosts_name(hosts, i), name) == 0)
			return true;
	return false;
}

/* Whether the host's name is what its newest snapshot was called by itself. */
static int is_named_by_itself(struct pmuq_store *store, const char *name, bool *ret,
			      struct pmuq_error **reterr)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	const char *hostname;
	int r = pmuq_store_open_host(store, name, 0, &source, reterr);

	if (r < 0)
		return r;
	hostname = pmuq_source_find_fact(source, "hostname");
	*ret = hostname && strcmp(hostname, name) == 0;
	return 0;
}

/* The machine has another hostname than the one host that has its machine-id. */
static int follow(struct pmuq_store *store, const char *known, const char *hostname, char **ret,
		  struct pmuq_error **reterr)
{
	bool is_own = false;
	int r = is_named_by_itself(store, known, &is_own, reterr);

	if (r < 0)
		return r;
	if (!is_own) {
		*ret = strdup(known);
		return *ret ? 0 : report_failed("out of memory");
	}
	r = pmuq_store_rename_host(store, known, hostname, reterr);
	/* Another machine had the name until now: this one goes on under it. */
	if (r == -PMUQ_E_HOST_EXISTS) {
		pmuq_error_free(move(*reterr));
		return 0;
	}
	if (r == 0)
		report(REPORT_NOTE, "host '%s' is '%s' now: it has the same machine-id", known,
		       hostname);
	return r;
}

int identity_find(struct pmuq_store *store, const struct pmuq_catalog *catalog, char **ret)
{
	cleanup(hosts_freep) struct pmuq_hosts *hosts = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	const char *hostname = pmuq_catalog_find_fact(catalog, "hostname");
	int r = find_same(store, catalog, &hosts, &error);

	*ret = NULL;
	if (r < 0)
		return report_error(error, NULL);
	if (!hosts || !hostname || pmuq_hosts_count(hosts) != 1 || has_name(hosts, hostname))
		return STATUS_OK;
	r = follow(store, pmuq_hosts_name(hosts, 0), hostname, ret, &error);
	if (r < 0)
		return report_error(error, NULL);
	return r;
}

void identity_note(struct pmuq_store *store, const struct pmuq_catalog *catalog, const char *name)
{
	cleanup(hosts_freep) struct pmuq_hosts *hosts = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	const char *first = NULL;
	size_t n = 0;

	if (find_same(store, catalog, &hosts, &error) < 0 || !hosts)
		return; /* the machine is saved, and that is what was asked for */
	for (size_t i = 0; i < pmuq_hosts_count(hosts); i++) {
		if (strcmp(pmuq_hosts_name(hosts, i), name) == 0)
			continue;
		first = first ? first : pmuq_hosts_name(hosts, i);
		n++;
	}
	if (n == 1)
		report(REPORT_NOTE,
		       "host '%s' has the same machine-id: if it is this machine by another name, "
		       "`pmuq forget %s`",
		       first, first);
	else if (n > 1)
		report(REPORT_NOTE,
		       "%zu other hosts have the same machine-id ('%s' is one): `pmuq hosts -o "
		       "HOST,MACHINE_ID` shows them",
		       n, first);
}
