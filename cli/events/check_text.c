/* SPDX-License-Identifier: MIT */
/* The result of `pmuq check` for people: a block for each event, and one for each group. */
#include "cli/events/check_output.h"
#include "cli/output/label.h"
#include <inttypes.h>
#include <string.h>

#define NS_PER_MS 1e6

static const char *name_of(const struct check_result *check, size_t index)
{
	return pmuq_encodings_get(check->result->encodings, index)->name.p;
}

static void print_text(FILE *to, const char *label, const char *text)
{
	label_begin(to, label);
	print_safe(to, text);
	putc('\n', to);
}

static void print_heading(FILE *to, const struct fold *fold)
{
	auto_free char *pmus = fold_pmus(fold);

	fprintf(to, "%s", style_code(to, STYLE_NAME));
	print_safe(to, fold_get(fold, 0)->name.p);
	fprintf(to, "%s", style_code(to, STYLE_NONE));
	if (pmus && *pmus) {
		fprintf(to, " (");
		print_safe(to, pmus);
		putc(')', to);
	}
	putc('\n', to);
}

/* An event that opened in another way than requested is marked. */
static void print_note(FILE *to, const struct check_result *check, size_t index)
{
	const struct pmuq_open_results *opens = check->result->opens;
	const char *hint = pmuq_open_results_get(opens, index)->hint.p;

	if (hint && pmuq_open_results_get(opens, index)->status == PMUQ_OPENED)
		print_text(to, "", hint);
}

static void print_counted(FILE *to, const struct pmuq_count *count, bool is_of_cgroup)
{
	double enabled_ms = (double)count->time_enabled_ns / NS_PER_MS;
	double running_ms = (double)count->time_running_ns / NS_PER_MS;

	switch (count->status) {
	case PMUQ_COUNTED:
		fprintf(to, "%" PRIu64, count->value);
		/* The kernel's times of cgroups do not begin when they are enabled. */
		if (!is_of_cgroup)
			fprintf(to, " in %.1f ms", running_ms);
		putc('\n', to);
		return;
	case PMUQ_MULTIPLEXED:
		fprintf(to,
			"%" PRIu64 " in %.1f of %.1f ms (multiplexed, %.1f %%): about %" PRIu64
			" in all\n",
			count->value, running_ms, enabled_ms, 100 * running_ms / enabled_ms,
			count->scaled);
		return;
	case PMUQ_ALWAYS_ZERO:
		fprintf(to, "opened, but counted 0 in %.1f ms\n", running_ms);
		return;
	case PMUQ_NEVER_SCHEDULED:
		fprintf(to, "opened, but was never on a counter: none was free\n");
		return;
	default:
		fprintf(to, "the target did not run\n");
		return;
	}
}

static void print_count(FILE *to, const struct check_result *check, size_t index)
{
	const struct pmuq_count *count = pmuq_counts_get(check->counts, index);

	if (count->is_read) {
		label_begin(to, "count");
		print_counted(to, count, check->cgroup != NULL);
	} else if (pmuq_open_results_get(check->result->opens, index)->status == PMUQ_OPENED) {
		label_begin(to, "count");
		fprintf(to, "none: %s (%d)\n", pmuq_errno_name(count->errnum), count->errnum);
	}
}

static void print_page(FILE *to, const struct check_result *check, size_t index)
{
	const struct pmuq_page *page = pmuq_counts_get(check->counts, index)->page;

	if (!page)
		return;
	label_begin(to, "page");
	if (page->errnum)
		fprintf(to, "none: %s (%d)\n", pmuq_errno_name(page->errnum), page->errnum);
	else
		fprintf(to, "cap_user_rdpmc %d, cap_user_time %d, index %" PRIu32 ", width %u\n",
			page->has_rdpmc, page->has_time, page->index, page->width_bits);
	label_begin(to, "");
	if (page->is_read)
		fprintf(to, "read in user space: %" PRIu64 "\n", page->value);
	else
		fprintf(to, "not read in user space: %s\n", page->reason.p);
}

static void print_members(FILE *to, const struct check_result *check, size_t leader, size_t part)
{
	struct label_line line = { .to = to, .column = LABEL_COLUMNS };

	for (size_t i = 0; i < pmuq_encodings_count(check->result->encodings); i++)
		if (check_is_member(check, i, leader) &&
		    (part == SIZE_MAX || pmuq_counts_get(check->counts, i)->subgroup == part))
			label_word(&line, name_of(check, i));
	label_end(&line);
}

static void print_parts(FILE *to, const struct check_result *check, const struct check_group *group)
{
	if (group->breaker == SIZE_MAX) {
		print_text(to, "count", "all together");
		return;
	}
	label_begin(to, "count");
	fprintf(to, "%snot all together%s: '", style_code(to, STYLE_ERROR),
		style_code(to, STYLE_NONE));
	print_safe(to, name_of(check, group->breaker));
	fprintf(to, "' does not fit with those before it\n");
	for (size_t part = 0; part < group->parts; part++) {
		label_begin(to, part ? "" : "fits as");
		print_members(to, check, group->leader, part);
	}
}

static void print_group(FILE *to, const struct check_result *check, const struct check_group *group)
{
	fprintf(to, "\n%sgroup ", style_code(to, STYLE_NAME));
	if (*group->name) {
		print_safe(to, group->name);
		putc(' ', to);
	}
	fprintf(to, "of %zu%s\n", group->members, style_code(to, STYLE_NONE));
	label_begin(to, "members");
	print_members(to, check, group->leader, SIZE_MAX);
	label_begin(to, "kernel");
	fprintf(to, "%s%s%s as a whole\n", style_code(to, group->opens ? STYLE_GOOD : STYLE_ERROR),
		group->opens ? "opens it" : "does not open it", style_code(to, STYLE_NONE));
	if (group->is_counted)
		print_parts(to, check, group);
}

static void print_block(FILE *to, const struct check_result *check, const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);

	print_heading(to, fold);
	encode_type.print_more(to, check->result, fold);
	print_note(to, check, fold->first);
	if (check->cgroup &&
	    pmuq_open_results_get(check->result->opens, fold->first)->status == PMUQ_OPENED)
		print_text(to, "cgroup", check->cgroup);
	if (check->counts) {
		print_count(to, check, fold->first);
		print_page(to, check, fold->first);
	}
	for (size_t i = 0; i < encoding->n_warnings; i++) {
		report_draw(to, REPORT_WARNING, pmuq_encoding_warning(encoding, i),
			    check->result->input, "  ");
	}
}

void check_print(const struct check_result *check, bool is_first)
{
	const struct result *result = check->result;
	struct fold fold = { .encodings = result->encodings, .opens = result->opens };
	struct check_group group;
	size_t n;

	if (!result->encodings) {
		encode_report_error(result);
		return;
	}
	n = pmuq_encodings_count(result->encodings);
	for (; fold.first < n; fold.first += fold.n) {
		if (!is_first || fold.first > 0)
			putchar('\n');
		fold.n = 1;
		if (!check->counts)
			fold_grow(&fold);
		print_block(stdout, check, &fold);
	}
	for (size_t i = 0; i < n; i++)
		if (check_group_of(check, i, &group))
			print_group(stdout, check, &group);
}

void check_print_budget(const struct pmuq_budget *budget)
{
	auto_free char *text = pmuq_budget_text(budget);

	if (!text)
		return;
	printf("\n%s%s%s\n",
	       style_code(stdout, pmuq_budget_fits(budget) ? STYLE_QUIET : STYLE_ERROR), text,
	       style_code(stdout, STYLE_NONE));
}
