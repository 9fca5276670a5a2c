/* SPDX-License-Identifier: MIT */
#include "cli/hosts/host_rows.h"
#include "cli/hosts/host_names.h"
#include <inttypes.h>
#include <string.h>
#include <time.h>

#define ROW ((const struct host_row *)of)

static char *text_of(const char *text)
{
	return text ? strdup(text) : NULL;
}

static char *number_of(int64_t value)
{
	char *text = NULL;

	return asprintf(&text, "%" PRId64, value) < 0 ? NULL : text;
}

static char *time_of(const struct host_row *row, int64_t seconds)
{
	const char *format = row->is_for_programs ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d %H:%M";
	time_t time_s = (time_t)seconds;
	char text[64];
	struct tm utc;

	if (!gmtime_r(&time_s, &utc) || !strftime(text, sizeof(text), format, &utc))
		return number_of(seconds);
	return strdup(text);
}

static char *fact_of(const struct host_row *row, const char *name)
{
	return text_of(pmuq_snapshot_find_fact(
		pmuq_hosts_snapshot(row->hosts, row->host, row->snapshot), name));
}

CELL(host)
{
	return text_of(pmuq_hosts_get(ROW->hosts, ROW->host)->name.p);
}

/* Only what a host is now has a kind. */
CELL(kind)
{
	if (ROW->snapshot + 1 < pmuq_hosts_get(ROW->hosts, ROW->host)->n_snapshots)
		return NULL;
	return text_of(
		pmuq_hosts_class(ROW->hosts, pmuq_hosts_get(ROW->hosts, ROW->host)->host_class)
			->name.p);
}

CELL(snapshots)
{
	return number_of((int64_t)pmuq_hosts_get(ROW->hosts, ROW->host)->n_stored);
}

CELL(snapshot)
{
	return number_of(pmuq_hosts_snapshot(ROW->hosts, ROW->host, ROW->snapshot)->number);
}

CELL(kernel)
{
	return fact_of(ROW, "kernel");
}

CELL(cpu)
{
	return fact_of(ROW, "cpuid");
}

CELL(arch)
{
	return fact_of(ROW, "arch");
}

CELL(hypervisor)
{
	return fact_of(ROW, "hypervisor");
}

CELL(incomplete)
{
	return fact_of(ROW, "incomplete");
}

CELL(first_seen)
{
	return time_of(ROW,
		       pmuq_hosts_snapshot(ROW->hosts, ROW->host, ROW->snapshot)->first_seen_s);
}

CELL(last_seen)
{
	return time_of(ROW, pmuq_hosts_snapshot(ROW->hosts, ROW->host, ROW->snapshot)->last_seen_s);
}

CELL(checked)
{
	return strdup(pmuq_hosts_snapshot(ROW->hosts, ROW->host, ROW->snapshot)->is_checked ? "yes"
											    : "no");
}

CELL(machine_id)
{
	return text_of(pmuq_hosts_get(ROW->hosts, ROW->host)->machine_id.p);
}

CELL(opens)
{
	return text_of(opens_word(ROW->opens));
}

static const struct column columns[] = {
	{ "HOST", 0.2, COLUMN_DEFAULT | HOSTS_HISTORY, "the host's name", cell_host },
	{ "SNAPSHOT", 0.05, COLUMN_RIGHT | COLUMN_NUMBER | HOSTS_HISTORY,
	  "the number of the snapshot, for --host NAME@NUMBER", cell_snapshot },
	{ "KIND", 8, COLUMN_DEFAULT | COLUMN_NULLABLE,
	  "hosts of one kind give the same answers to every event string", cell_kind },
	{ "SNAPSHOTS", 0.05, COLUMN_DEFAULT | COLUMN_RIGHT | COLUMN_NUMBER,
	  "how many snapshots of it there are", cell_snapshots },
	{ "KERNEL", 0.2, COLUMN_DEFAULT | HOSTS_HISTORY | COLUMN_NULLABLE, "the kernel's release",
	  cell_kernel },
	{ "CPU", 0.2, COLUMN_DEFAULT | HOSTS_HISTORY | COLUMN_NULLABLE, "the CPU, as perf names it",
	  cell_cpu },
	{ "ARCH", 0.1, COLUMN_NULLABLE, "the machine's architecture", cell_arch },
	{ "HYPERVISOR", 0.1, COLUMN_NULLABLE, "the hypervisor that it runs on", cell_hypervisor },
	{ "FIRST_SEEN", 16, HOSTS_HISTORY, "when it was first found like this, UTC",
	  cell_first_seen },
	{ "LAST_SEEN", 16, COLUMN_DEFAULT | HOSTS_HISTORY, "when it was last found like this, UTC",
	  cell_last_seen },
	{ "CHECKED", 3, COLUMN_BOOLEAN | HOSTS_HISTORY, "whether its events were opened",
	  cell_checked },
	{ "OPENS", 3, COLUMN_CHECKED | COLUMN_NULLABLE,
	  "with --with: what the kernel said when it was checked", cell_opens },
	{ "INCOMPLETE", 0.1, COLUMN_NULLABLE, "source of an incomplete machine", cell_incomplete },
	{ "MACHINE_ID", 0.2, COLUMN_NULLABLE, "the hash of its machine-id", cell_machine_id },
};

const struct list_kind host_columns = {
	.name = "hosts",
	.one = "host",
	.columns = columns,
	.n_columns = COUNT(columns),
};

static int compare_rows(const void *of_a, const void *of_b)
{
	const struct host_row *a = of_a, *b = of_b;
	const char *name_a = pmuq_hosts_get(a->hosts, a->host)->name.p;
	const char *name_b = pmuq_hosts_get(b->hosts, b->host)->name.p;

	return names_compare(&name_a, &name_b);
}

void host_rows_sort(struct host_row *rows, size_t n)
{
	qsort(rows, n, sizeof(*rows), compare_rows);
}
