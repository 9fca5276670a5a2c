/* SPDX-License-Identifier: MIT */
/* Names in the database: hosts, their snapshots, imports of vendors' tables, CPUs. */
#include "cli/complete/complete.h"
#include "cli/database.h"
#include "cli/or_die.h"
#include <inttypes.h>
#include <string.h>
#include <time.h>

/* NULL if there is no database. */
static struct pmuq_store *open_store(struct line_completion *completion)
{
	auto_free char *path = database_path(&completion->options.cli);
	struct pmuq_store *store = NULL;

	if (path)
		optional_or_die(database_read_path(path, &store, NULL));
	return store;
}

/* All snapshots of one name, or the newest of each host if `glob` is NULL. */
static struct pmuq_hosts *find_hosts(struct line_completion *completion, const char *glob)
{
	struct pmuq_store *store = open_store(completion);
	struct pmuq_hosts_filter filter = {
		.size = sizeof(filter),
		.globs = glob ? &glob : NULL,
		.n_globs = glob != NULL,
		.is_newest_only = !glob,
	};
	struct pmuq_hosts *hosts = NULL;

	if (store)
		optional_or_die(pmuq_store_list_hosts(store, &filter, &hosts, NULL));
	return hosts;
}

/* `keep`: the length of the part of the word before the snapshot. */
static void offer_snapshots(struct line_completion *completion, size_t keep, const char *name)
{
	struct pmuq_hosts *hosts = find_hosts(completion, name);

	for (size_t host = 0; hosts && host < pmuq_hosts_count(hosts); host++)
		for (size_t i = pmuq_hosts_get(hosts, host)->n_snapshots; i-- > 0;) {
			const struct pmuq_snapshot *snapshot = pmuq_hosts_snapshot(hosts, host, i);
			const char *kernel = pmuq_snapshot_find_fact(snapshot, "kernel");
			time_t seen = (time_t)snapshot->last_seen_s;
			char number[32], about[128], day[32] = "";
			struct tm parts;

			if (strcmp(pmuq_hosts_get(hosts, host)->name.p, name) != 0)
				continue;
			if (gmtime_r(&seen, &parts))
				strftime(day, sizeof(day), "%Y-%m-%d", &parts);
			snprintf(number, sizeof(number), "%" PRId64, snapshot->number);
			snprintf(about, sizeof(about), "%s, %s", day, kernel ? kernel : "");
			complete_offer(completion, keep, number, "", NULL, about);
		}
	pmuq_hosts_free(hosts);
}

void complete_hosts(struct line_completion *completion)
{
	static const char prefix[] = "host:";
	size_t keep = strncmp(completion->word, prefix, strlen(prefix)) ? 0 : strlen(prefix);
	const char *word = completion->word + keep, *at = strrchr(word, '@');
	auto_free char *name = at ? or_die(strndup(word, (size_t)(at - word))) : NULL;
	struct pmuq_hosts *hosts = name ? NULL : find_hosts(completion, NULL);

	if (name)
		offer_snapshots(completion, keep + strlen(name) + 1, name);
	for (size_t i = 0; hosts && i < pmuq_hosts_count(hosts); i++)
		complete_offer(completion, keep, pmuq_hosts_get(hosts, i)->name.p, "", NULL,
			       pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, i, 0), "cpuid"));
	pmuq_hosts_free(hosts);
}

void complete_imports(struct line_completion *completion)
{
	struct pmuq_store *store = open_store(completion);
	struct pmuq_vendors *vendors = NULL;

	if (store)
		optional_or_die(pmuq_store_list_vendors(store, &vendors, NULL));
	for (size_t i = 0; vendors && i < pmuq_vendors_count(vendors); i++)
		complete_offer(completion, 0, pmuq_vendors_get(vendors, i)->name.p, "", NULL,
			       pmuq_vendors_get(vendors, i)->directory.p);
	pmuq_vendors_free(vendors);
}

/* The CPU of the machine, then the CPUs of hosts. */
void complete_cpuids(struct line_completion *completion)
{
	struct pmuq_source *source = complete_source(completion);
	const char *own = NULL;
	struct pmuq_hosts *hosts = find_hosts(completion, NULL);

	if (source)
		optional_or_die(pmuq_source_find_fact(source, "cpuid", &own, NULL));
	if (own)
		complete_offer(completion, 0, own, "", NULL, "the machine's own");
	for (size_t i = 0; hosts && i < pmuq_hosts_count(hosts); i++) {
		const char *cpuid =
			pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, i, 0), "cpuid");

		if (cpuid)
			complete_offer(completion, 0, cpuid, "", NULL,
				       pmuq_hosts_get(hosts, i)->name.p);
	}
	pmuq_hosts_free(hosts);
}
