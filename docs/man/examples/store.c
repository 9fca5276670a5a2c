/* SPDX-License-Identifier: MIT */
/* Store snapshots of two machines in one database, and query one of
 * them: */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <time.h>

static int save(struct pmuq_store *store, const char *tree)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_catalog *catalog = NULL;
	int r = pmuq_source_open_tree(tree, &machine, NULL);

	if (r == 0)
		r = pmuq_source_read_catalog(machine, &catalog, NULL);
	if (r == 0)
		r = pmuq_store_save(store, catalog, NULL, tree, time(NULL), NULL,
							NULL);
	pmuq_catalog_free(catalog);
	pmuq_source_free(machine);
	return r;
}

int main(void)
{
	struct pmuq_store *store = NULL;
	struct pmuq_source *host = NULL;
	const char *cpuid = NULL;
	struct pmuq_hosts *hosts = NULL;
	int r = pmuq_store_open("hosts.db", PMUQ_STORE_CREATE, &store, NULL);

	if (r == 0)
		r = save(store, "skylake-sp");
	if (r == 0)
		r = save(store, "zen3-epyc");
	if (r == 0)
		r = pmuq_store_list_hosts(store, NULL, &hosts, NULL);
	for (size_t i = 0; r == 0 && i < pmuq_hosts_count(hosts); i++)
		puts(pmuq_hosts_get(hosts, i)->name.p);
	if (r == 0)
		r = pmuq_store_open_host(store, "zen3-epyc", 0, &host, NULL);
	if (r == 0)
		r = pmuq_source_find_fact(host, "cpuid", &cpuid, NULL);
	if (r == 0)
		puts(cpuid);
	pmuq_source_free(host);
	pmuq_hosts_free(hosts);
	pmuq_store_free(store);
	return r < 0;
}
