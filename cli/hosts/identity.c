/* SPDX-License-Identifier: MIT */
/*
 * Decides which host of the database this machine is. A machine-id is copied with the disk image,
 * so it is evidence only together with the hostname or the boot id. pmuq stores and compares
 * hashes, never the machine-id itself.
 */
#include "cli/hosts/identity.h"
#include "cli/database.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <string.h>

/* The hosts that have the machine-id; NULL in *ret if the machine has none. */
static int find_same(struct pmuq_store *store, const struct pmuq_catalog *catalog,
		     struct pmuq_hosts **ret, struct pmuq_error **reterr)
{
	const struct pmuq_hosts_filter filter = {
		.size = sizeof(filter),
		.machine_id = pmuq_catalog_find_fact(catalog, "machine_id"),
		.is_newest_only = true,
	};

	*ret = NULL;
	return filter.machine_id ? pmuq_store_list_hosts(store, &filter, ret, reterr) : 0;
}

static bool has_name(const struct pmuq_hosts *hosts, const char *name)
{
	for (size_t i = 0; i < pmuq_hosts_count(hosts); i++)
		if (strcmp(pmuq_hosts_get(hosts, i)->name.p, name) == 0)
			return true;
	return false;
}

/* A machine-id that several hosts have does not identify a machine. */
#define SAME_MAX 16

/* A host that may be the machine under another name. */
struct known_host {
	const char *name;
	bool is_named_by_itself; /* its name was its hostname */
};

static bool same_fact(const struct pmuq_catalog *before, const struct pmuq_catalog *catalog,
		      const char *fact, bool if_unknown)
{
	const char *then = pmuq_catalog_find_fact(before, fact);
	const char *now = pmuq_catalog_find_fact(catalog, fact);

	return then && now ? strcmp(then, now) == 0 : if_unknown;
}

/*
 * Clones of a machine have its machine-id, so it proves nothing alone: the hostname or the boot id
 * must also match the last scan. An unknown boot id is ignored.
 */
static int consider(struct pmuq_store *store, const struct pmuq_catalog *catalog, const char *name,
		    struct known_host *ret, size_t *ret_n, struct pmuq_error **reterr)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *before = NULL;
	const char *hostname;
	int r = pmuq_store_open_host(store, name, 0, &source, reterr);

	if (r == 0)
		r = pmuq_source_read_catalog(source, &before, reterr);
	if (r < 0)
		return r;
	if (!same_fact(before, catalog, "hostname", false) &&
	    !same_fact(before, catalog, "boot_id", true))
		return 0;
	hostname = pmuq_catalog_find_fact(before, "hostname");
	ret->name = name;
	ret->is_named_by_itself = hostname && strcmp(hostname, name) == 0;
	(*ret_n)++;
	return 0;
}

/* The machine has a new hostname, and its host is named after the old one. */
static int follow(struct pmuq_store *store, const struct known_host *known, const char *hostname,
		  struct pmuq_error **reterr)
{
	int r;

	if (!database_name_is_usable(hostname))
		return 0;
	r = pmuq_store_rename_host(store, known->name, hostname, reterr);
	/* If another host has the new name, this machine continues under its own old name. */
	if (r == -PMUQ_E_HOST_EXISTS) {
		pmuq_error_free(move(*reterr));
		return 0;
	}
	if (r == 0)
		report(REPORT_NOTE, "renamed host '%s' to '%s': it has the same machine-id",
		       known->name, hostname);
	return r;
}

enum status identity_find(struct pmuq_store *store, const struct pmuq_catalog *catalog, char **ret)
{
	cleanup(pmuq_hosts_freep) struct pmuq_hosts *hosts = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const char *hostname = pmuq_catalog_find_fact(catalog, "hostname");
	struct known_host known = { 0 };
	size_t n_known = 0;
	int r = find_same(store, catalog, &hosts, &error);

	*ret = NULL;
	if (r < 0)
		return report_error(error, NULL);
	if (!hosts || !hostname || pmuq_hosts_count(hosts) > SAME_MAX || has_name(hosts, hostname))
		return STATUS_OK;
	for (size_t i = 0; r == 0 && i < pmuq_hosts_count(hosts); i++)
		r = consider(store, catalog, pmuq_hosts_get(hosts, i)->name.p, &known, &n_known,
			     &error);
	if (r == 0 && n_known == 1 && known.is_named_by_itself)
		r = follow(store, &known, hostname, &error);
	if (r < 0)
		return report_error(error, NULL);
	if (n_known != 1 || known.is_named_by_itself)
		return STATUS_OK;
	*ret = or_die(strdup(known.name));
	return STATUS_OK;
}

void identity_note(struct pmuq_store *store, const struct pmuq_catalog *catalog, const char *name)
{
	cleanup(pmuq_hosts_freep) struct pmuq_hosts *hosts = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const char *first = NULL;
	size_t n = 0;

	if (find_same(store, catalog, &hosts, &error) < 0 || !hosts)
		return; /* the machine is stored; the note is optional */
	for (size_t i = 0; i < pmuq_hosts_count(hosts); i++) {
		if (strcmp(pmuq_hosts_get(hosts, i)->name.p, name) == 0)
			continue;
		first = first ? first : pmuq_hosts_get(hosts, i)->name.p;
		n++;
	}
	if (n == 1)
		report(REPORT_NOTE,
		       "host '%s' has the same machine-id: if it is this machine under another "
		       "name, use `pmuq forget %s`; if one is a clone of the other, "
		       "give the clone a new machine-id",
		       first, first);
	else if (n > 1)
		report(REPORT_NOTE,
		       "%zu other hosts have the same machine-id ('%s' is one): `pmuq hosts -o "
		       "HOST,MACHINE_ID` shows them",
		       n, first);
}
