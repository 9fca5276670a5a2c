/* SPDX-License-Identifier: MIT */
/* The result of `pmuq check` for people: a block for each event, and one for each group. */
#include "cli/events/check_output.h"
#include "cli/or_die.h"
#include "cli/output/label.h"
#include <inttypes.h>
#include <string.h>

#define NS_PER_MS 1e6

/* Of an encoding, selected by its index. */
static const char *name_of(const struct result *result, size_t index)
{
	return pmuq_encodings_get(result->encodings, index)->name.p;
}

static void print_heading(const struct fold *fold)
{
	auto_free char *pmus = fold_pmus(fold);

	printf("%s", style_code(stdout, STYLE_NAME));
	print_safe(stdout, fold_get(fold, 0)->name.p);
	printf("%s", style_code(stdout, STYLE_NONE));
	if (*pmus) {
		printf(" (");
		print_safe(stdout, pmus);
		putc(')', stdout);
	}
	putc('\n', stdout);
}

/* Marks an event that opened in another way than requested. */
static void print_note(const struct result *result, size_t index)
{
	const struct pmuq_open_results *opens = result->opens;
	const char *hint = pmuq_open_results_get(opens, index)->hint.p;

	if (hint && pmuq_open_results_get(opens, index)->status == PMUQ_OPENED)
		label_text("", hint);
}

/* "next to b c", or "alone": the other members at the time of a result. */
static void print_companions(const char *what, const struct result *result, size_t index,
			     bool (*is_with)(const struct result *result, size_t index,
					     size_t other))
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_buf_add(&text, str_of(what));
	for (size_t i = 0, n = 0; i < pmuq_encodings_count(result->encodings); i++)
		if (is_with(result, index, i))
			pq_buf_print(&text, "%s%s", n++ ? " " : " next to ", name_of(result, i));
	if (text.n == strlen(what))
		pq_buf_add(&text, STR(" alone"));
	label_text("", text_or_die(&text));
}

/* The values are exact; times are rounded to a tenth of a millisecond. */
static void print_counted(const struct pmuq_count *count, bool is_of_cgroup)
{
	double enabled_ms = (double)count->time_enabled_ns / NS_PER_MS;
	double running_ms = (double)count->time_running_ns / NS_PER_MS;

	switch (count->status) {
	case PMUQ_COUNTED:
		printf("%" PRIu64, count->value);
		/* The kernel's times of a cgroup do not begin when its events are enabled. */
		if (!is_of_cgroup)
			printf(" in %.1f ms", running_ms);
		putc('\n', stdout);
		return;
	case PMUQ_MULTIPLEXED:
		printf("%" PRIu64 " in %.1f of %.1f ms (multiplexed, %.1f %%): about %" PRIu64
		       " in all\n",
		       count->value, running_ms, enabled_ms, 100 * running_ms / enabled_ms,
		       count->scaled);
		return;
	case PMUQ_ALWAYS_ZERO:
		printf("opened, but counted 0 in %.1f ms\n", running_ms);
		return;
	case PMUQ_NEVER_SCHEDULED:
		printf("opened, but was never on a counter: none was free\n");
		return;
	default:
		printf("the target did not run\n");
		return;
	}
}

static void print_count(const struct result *result, size_t index)
{
	const struct pmuq_count *count = pmuq_counts_get(result->counts, index);

	if (count->is_read) {
		label_begin("count");
		print_counted(count, result->cgroup != NULL);
	} else if (pmuq_open_results_get(result->opens, index)->status == PMUQ_OPENED) {
		label_begin("count");
		printf("none: %s (%d)\n", pmuq_errno_name(count->errnum), count->errnum);
	}
}

/* What user space needs to read a counter itself: the flags of the mmap page, and the result. */
static void print_page(const struct result *result, size_t index)
{
	const struct pmuq_page *page = pmuq_counts_get(result->counts, index)->page;

	if (!page)
		return;
	label_begin("page");
	if (page->errnum)
		printf("none: %s (%d)\n", pmuq_errno_name(page->errnum), page->errnum);
	else
		printf("cap_user_rdpmc %d, cap_user_time %d, index %" PRIu32 ", width %u\n",
		       page->has_rdpmc, page->has_time, page->index, page->width_bits);
	label_begin("");
	if (page->is_read)
		printf("read in user space: %" PRIu64 "\n", page->value);
	else
		printf("not read in user space: %s\n", page->reason.p);
}

/* The members of the leader's group; `part` SIZE_MAX: all, otherwise those of that subgroup. */
static void print_members(const char *label, const struct result *result, size_t leader,
			  size_t part)
{
	cleanup(pq_buf_free) struct pq_buf names = PQ_BUF_NULL;

	for (size_t i = 0; i < pmuq_encodings_count(result->encodings); i++)
		if (check_is_member(result, i, leader) &&
		    (part == SIZE_MAX || pmuq_counts_get(result->counts, i)->subgroup == part))
			pq_buf_print(&names, "%s%s", names.n ? " " : "", name_of(result, i));
	label_text(label, text_or_die(&names));
}

/* Whether the members count together; if not, how pmuq split them. */
static void print_parts(const struct result *result, const struct check_group *group)
{
	if (group->fits) {
		label_text("count", "all together");
		return;
	}
	label_begin("count");
	printf("%snot all together%s: '", style_code(stdout, STYLE_ERROR),
	       style_code(stdout, STYLE_NONE));
	print_safe(stdout, name_of(result, group->breaker));
	printf("' does not fit with those before it\n");
	for (size_t part = 0; part < group->parts; part++)
		print_members(part ? "" : "fits as", result, group->leader, part);
}

/* What `pmuq fit` finds, and whether the kernel agrees. */
static void print_prediction(const struct check_group *group)
{
	static const char *const texts[] = { "not known", "all together", "not all together" };

	if (group->predicts_count == PMUQ_FIT_UNKNOWN && !*group->reason)
		return;
	label_begin("expected");
	printf("%s%s", texts[group->predicts_count], *group->reason ? ": " : "");
	print_safe(stdout, group->reason);
	if (group->agrees == PMUQ_FIT_NO)
		printf(" %s(the kernel does not agree)%s", style_code(stdout, STYLE_ERROR),
		       style_code(stdout, STYLE_NONE));
	putchar('\n');
}

/* The kernel opens a group as a whole or not at all. */
static void print_group(const struct result *result, const struct check_group *group)
{
	printf("\n%sgroup ", style_code(stdout, STYLE_NAME));
	if (*group->name) {
		print_safe(stdout, group->name);
		putc(' ', stdout);
	}
	printf("of %zu%s\n", group->members, style_code(stdout, STYLE_NONE));
	print_members("members", result, group->leader, SIZE_MAX);
	label_begin("kernel");
	printf("%s%s%s as a whole\n", style_code(stdout, group->opens ? STYLE_GOOD : STYLE_ERROR),
	       group->opens ? "opens it" : "does not open it", style_code(stdout, STYLE_NONE));
	if (group->is_counted)
		print_parts(result, group);
	print_prediction(group);
}

/* A member that the kernel refuses next to others may still open alone. */
static void print_refused_with(const struct result *result, size_t index)
{
	size_t leader = pmuq_encodings_get(result->encodings, index)->leader;

	if (pmuq_open_results_get(result->opens, index)->status == PMUQ_REFUSED &&
	    check_is_opened_with(result, index, leader))
		print_companions("refused", result, index, check_is_opened_with);
}

/* Members of a group that was split count in another situation than they were opened in. */
static void print_counted_with(const struct result *result, size_t index)
{
	const struct pmuq_count *count = pmuq_counts_get(result->counts, index);

	if (count->is_grouped && count->breaker != SIZE_MAX && count->is_read)
		print_companions("counted", result, index, check_is_counted_with);
}

/* Each encoding separately if it was counted: instances open alike, but have different counts. */
static void print_block(const struct result *result, const struct fold *fold)
{
	print_heading(fold);
	encode_type.print_more(result, fold);
	print_note(result, fold->first);
	print_refused_with(result, fold->first);
	if (result->cgroup &&
	    pmuq_open_results_get(result->opens, fold->first)->status == PMUQ_OPENED)
		label_text("cgroup", result->cgroup);
	if (result->counts) {
		print_count(result, fold->first);
		print_counted_with(result, fold->first);
		print_page(result, fold->first);
	}
	encode_print_warnings(fold_get(fold, 0), result->input);
	encode_print_fit(result, fold->first);
}

static void print_result(const struct result *result, bool is_first)
{
	struct fold fold = { .encodings = result->encodings,
			     .opens = result->opens,
			     .keeps_apart = result->counts };
	struct check_group group;

	if (!result->encodings) {
		encode_report_error(result);
		return;
	}
	while (fold_next(&fold)) {
		if (!is_first || fold.first > 0)
			putchar('\n');
		print_block(result, &fold);
	}
	for (size_t i = 0; i < pmuq_encodings_count(result->encodings); i++)
		if (check_group_of(result, i, &group))
			print_group(result, &group);
}

const struct result_type check_type = { .document = &check_document, .print = print_result };

void check_print_budget(const struct pmuq_budget *budget)
{
	auto_free char *text = or_die(pmuq_budget_text(budget));

	printf("\n%s%s%s\n",
	       style_code(stdout, pmuq_budget_fits(budget) ? STYLE_QUIET : STYLE_ERROR), text,
	       style_code(stdout, STYLE_NONE));
}
