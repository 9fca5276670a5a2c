/* SPDX-License-Identifier: MIT */
/*
 * The rows of `pmuq hosts`: one for each snapshot of the list, with its fields. A host class is
 * known for the newest snapshots only.
 */
#include "cli/hosts/host_rows.h"
#include "cli/hosts/host_names.h"
#include "cli/or_die.h"

#define ROW ((const struct host_row *)of)

bool host_get_fact(const void *of, struct cell *cell)
{
	const char *at = (const char *)of + cell->field->via[0] - 1;
	const struct pmuq_snapshot *snapshot = *(const struct pmuq_snapshot *const *)at;

	return cell_set_text(cell, pmuq_snapshot_find_fact(snapshot, cell->field->of));
}

static bool get_opens(const void *of, struct cell *cell)
{
	return cell_set_text(cell, opens_word(ROW->opens));
}

#define OF_HOST(name) MEMBER_OF(struct host_row, host, struct pmuq_host, name)
#define OF_SNAPSHOT(name) MEMBER_OF(struct host_row, snapshot, struct pmuq_snapshot, name)

// clang-format off
static const struct field host_fields[] = {
	{ .name = STR("host"),       .type = FIELD_TEXT,   .flags = FIELD_SHOWN | FIELD_HISTORY, .percent = 20,
	  OF_HOST(name),             .help = "name of the host" },
	{ .name = STR("snapshot"),   .type = FIELD_NUMBER, .flags = FIELD_HISTORY, .percent = 5,
	  OF_SNAPSHOT(number),       .help = "number of the snapshot, for --host NAME@NUMBER" },
	{ .name = STR("class"),      .type = FIELD_TEXT,   .flags = FIELD_SHOWN | FIELD_NULLABLE, .width = 8,
	  MEMBER_OF(struct host_row, host_class, struct pmuq_host_class, name), .help = "host class: its hosts give the same result for every event string" },
	{ .name = STR("snapshots"),  .type = FIELD_COUNT,  .flags = FIELD_SHOWN, .percent = 5,
	  OF_HOST(n_stored),         .help = "number of its snapshots" },
	{ .name = STR("kernel"),     .type = FIELD_TEXT,   .flags = FIELD_SHOWN | FIELD_HISTORY | FIELD_NULLABLE, .percent = 20,
	  HOST_FACT(struct host_row, snapshot, "kernel"), .help = "release of the kernel" },
	{ .name = STR("cpu"),        .type = FIELD_TEXT,   .flags = FIELD_SHOWN | FIELD_HISTORY | FIELD_NULLABLE, .percent = 20,
	  HOST_FACT(struct host_row, snapshot, "cpuid"), .help = "CPUID as perf writes it" },
	{ .name = STR("arch"),       .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, .percent = 10,
	  HOST_FACT(struct host_row, snapshot, "arch"), .help = "architecture" },
	{ .name = STR("hypervisor"), .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, .percent = 10,
	  HOST_FACT(struct host_row, snapshot, "hypervisor"), .help = "its hypervisor" },
	{ .name = STR("first_seen"), .type = FIELD_TIME,   .flags = FIELD_HISTORY, .width = 16,
	  OF_SNAPSHOT(first_seen_s), .help = "when it was first in this state, UTC" },
	{ .name = STR("last_seen"),  .type = FIELD_TIME,   .flags = FIELD_SHOWN | FIELD_HISTORY, .width = 16,
	  OF_SNAPSHOT(last_seen_s),  .help = "when it was last in this state, UTC" },
	{ .name = STR("checked"),    .type = FIELD_BOOL,   .flags = FIELD_HISTORY, .width = 3,
	  OF_SNAPSHOT(is_checked),   .help = "its events were opened" },
	{ .name = STR("opens"),      .type = FIELD_TEXT,   .flags = FIELD_CHECKED | FIELD_NULLABLE, .width = 3,
	  .get = get_opens,          .help = "with --with: whether the event opened when it was checked" },
	{ .name = STR("incomplete"), .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, .percent = 10,
	  HOST_FACT(struct host_row, snapshot, "incomplete"), .help = "source of an incomplete machine" },
	{ .name = STR("machine_id"), .type = FIELD_TEXT,   .flags = FIELD_NULLABLE, .percent = 20,
	  OF_HOST(machine_id),       .help = "hash of its machine-id" },
};
// clang-format on

static const struct record_type host_record = { .name = "host", FIELDS(host_fields) };

const struct document_type hosts_document = {
	.name = "hosts",
	.title = "pmuq hosts",
	.rows = "hosts",
	.row = &host_record,
	.is_table = true,
};

void host_rows_make(struct host_rows *rows, const struct pmuq_hosts *hosts)
{
	for (size_t i = 0; i < pmuq_hosts_count(hosts); i++) {
		const struct pmuq_host *host = pmuq_hosts_get(hosts, i);

		for (size_t k = 0; k < host->n_snapshots; k++) {
			struct host_row row = { .host = host,
						.snapshot = pmuq_hosts_snapshot(hosts, i, k) };

			/* Only the newest snapshots are compared. */
			if (k + 1 == host->n_snapshots)
				row.host_class = pmuq_hosts_class(hosts, host->host_class);
			push_or_die(rows, row);
		}
	}
}

static int compare_rows(const void *of_a, const void *of_b)
{
	const struct host_row *a = of_a, *b = of_b;

	return names_compare(&a->host->name.p, &b->host->name.p);
}

/* The rows are in the order of the bytes of the names, which mostly is that one, too. */
void host_rows_sort(struct host_rows *rows)
{
	size_t n = 1;

	while (n < rows->n && compare_rows(&rows->v[n - 1], &rows->v[n]) <= 0)
		n++;
	if (n < rows->n)
		qsort(rows->v, rows->n, sizeof(*rows->v), compare_rows);
}
