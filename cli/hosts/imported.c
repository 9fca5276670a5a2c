/* SPDX-License-Identifier: MIT */
#include "cli/hosts/imported.h"
#include "cli/report.h"
#include <inttypes.h>

static const char *const result_words[] = { "new", "updated", "unchanged", NULL };

/* A host that exists in the same state is "unchanged": only its times are updated. */
static const char *result_of(const struct pmuq_saved *saved)
{
	return result_words[saved->is_new_host ? 0 : saved->is_new ? 1 : 2];
}

#define IMPORTED ((const struct imported *)of)

static bool get_result(const void *of, struct cell *cell)
{
	return cell_set_text(cell, result_of(&IMPORTED->saved));
}

// clang-format off
static const struct field imported_fields[] = {
	{ .name = STR("file"),     .type = FIELD_TEXT,   MEMBER(struct imported, file), .help = "where it came from" },
	{ .name = STR("host"),     .type = FIELD_TEXT,   MEMBER(struct imported, host), .help = "its name in the database" },
	{ .name = STR("snapshot"), .type = FIELD_NUMBER, MEMBER(struct imported, saved.snapshot), .help = "its number" },
	{ .name = STR("result"),   .type = FIELD_TEXT,   .get = get_result, .words = result_words,
	  .help = "new: the database had no such host; updated: it had another snapshot" },
};
// clang-format on

static const struct record_type imported_record = { .name = "host", FIELDS(imported_fields) };

const struct document_type import_document = {
	.name = "import",
	.title = "pmuq import",
	.rows = "hosts",
	.row = &imported_record,
};

static void print_host(const struct imported *host)
{
	print_safe_line(stdout, "host %s: snapshot %" PRId64 " (%s)", host->host,
			host->saved.snapshot, result_of(&host->saved));
	if (host->saved.has_old_check)
		printf("  the database keeps its complete check\n");
}

static void print_text(const struct imported *hosts, size_t n, const char *file)
{
	size_t n_new = 0, n_updated = 0;

	for (size_t i = 0; i < n; i++) {
		const struct pmuq_saved *saved = &hosts[i].saved;

		print_host(&hosts[i]);
		n_new += saved->is_new_host;
		n_updated += saved->is_new && !saved->is_new_host;
	}
	print_safe(stdout, file);
	print_plural(": ", n, "host");
	printf(": %zu new, %zu updated, %zu unchanged\n", n_new, n_updated, n - n_new - n_updated);
}

void imported_print(const struct imported *hosts, size_t n, const char *file,
		    struct document *document)
{
	if (!document)
		print_text(hosts, n, file);
	for (size_t i = 0; document && i < n; i++)
		document_row(document, &hosts[i]);
}
