/* SPDX-License-Identifier: MIT */
#include "cli/hosts/imported.h"
#include "cli/clock.h"
#include "cli/report.h"
#include "core/base.h"
#include <inttypes.h>

enum result {
	RESULT_NEW,
	RESULT_UPDATED,
	RESULT_UNCHANGED,
	RESULT_OLDER,
	N_RESULTS,
};

static const char *const result_words[] = { [RESULT_NEW] = "new",
					    [RESULT_UPDATED] = "updated",
					    [RESULT_UNCHANGED] = "unchanged",
					    [RESULT_OLDER] = "older",
					    [N_RESULTS] = NULL };

/* A host that exists in the same state is "unchanged": only its times are updated. */
static enum result result_of(const struct pmuq_saved *saved)
{
	if (saved->later_seen_s)
		return RESULT_OLDER;
	if (saved->is_new_host)
		return RESULT_NEW;
	return saved->is_new ? RESULT_UPDATED : RESULT_UNCHANGED;
}

#define IMPORTED ((const struct imported *)of)

static bool get_result(const void *of, struct cell *cell)
{
	return cell_set_text(cell, result_words[result_of(&IMPORTED->saved)]);
}

// clang-format off
static const struct field imported_fields[] = {
	{ .name = STR("file"),     .type = FIELD_TEXT,   MEMBER(struct imported, file), .help = "where it came from" },
	{ .name = STR("host"),     .type = FIELD_TEXT,   MEMBER(struct imported, host), .help = "its name in the database" },
	{ .name = STR("snapshot"), .type = FIELD_NUMBER, MEMBER(struct imported, saved.snapshot), .help = "its number" },
	{ .name = STR("result"),   .type = FIELD_TEXT,   .get = get_result, WORDS(result_words),
	  .help = "new: the database had no such host; updated: it had another snapshot; "
		  "older: it has seen the host later in another state, and nothing was stored" },
};
// clang-format on

static const struct record_type imported_record = { .name = "host", FIELDS(imported_fields) };

const struct document_type import_document = {
	.name = "import",
	.title = "pmuq import",
	.rows = "hosts",
	.row = &imported_record,
};

static void print_later(int64_t time_s)
{
	auto_free char *time = clock_text(time_s);

	printf("  it was seen at %s, after the state in the file, which is not stored; --name NAME "
	       "stores that as another host\n",
	       time);
}

static void print_host(const struct imported *host)
{
	print_safe_line(stdout, "host %s: snapshot %" PRId64 " (%s)", host->host,
			host->saved.snapshot, result_words[result_of(&host->saved)]);
	if (host->saved.has_old_check)
		printf("  the database keeps its complete check\n");
	if (host->saved.later_seen_s)
		print_later(host->saved.later_seen_s);
}

static void print_text(const struct imported *hosts, size_t n, const char *file)
{
	size_t counts[N_RESULTS] = { 0 };

	for (size_t i = 0; i < n; i++) {
		print_host(&hosts[i]);
		counts[result_of(&hosts[i].saved)]++;
	}
	print_safe(stdout, file);
	print_plural(": ", n, "host");
	printf(": %zu new, %zu updated, %zu unchanged", counts[RESULT_NEW], counts[RESULT_UPDATED],
	       counts[RESULT_UNCHANGED]);
	if (counts[RESULT_OLDER])
		printf(", %zu older", counts[RESULT_OLDER]);
	putchar('\n');
}

void imported_print(const struct imported *hosts, size_t n, const char *file,
		    struct document *document)
{
	if (!document)
		print_text(hosts, n, file);
	for (size_t i = 0; document && i < n; i++)
		document_row(document, &hosts[i]);
}
