/* SPDX-License-Identifier: MIT */
/* The result of `pmuq fit` for people: a block for each group, and one for the events of a PMU. */
#include "cli/events/fit_output.h"
#include "cli/or_die.h"
#include "cli/output/label.h"

static void print_title(const struct pmuq_fit_set *set)
{
	auto_free char *what = set->leader == SIZE_MAX
				       ? print_or_die("%zu event%s", set->n_members,
						      set->n_members == 1 ? "" : "s")
				       : print_or_die("group of %zu", set->n_members);
	auto_free char *more =
		set->n_pmus > 1 ? print_or_die(" and %zu more", set->n_pmus - 1) : NULL;
	auto_free char *title = print_or_die("%s%s%s%s", what, set->pmu.n ? " on " : "",
					     set->pmu.n ? set->pmu.p : "", more ? more : "");

	label_title(title);
}

static void print_status(const char *label, enum pmuq_fit_status status, const char *reason)
{
	static const enum style styles[] = { STYLE_QUIET, STYLE_GOOD, STYLE_ERROR };
	static const char *const words[] = { "not known", "yes", "no" };

	label_begin(label);
	printf("%s%s%s%s", style_code(stdout, styles[status]), words[status],
	       style_code(stdout, STYLE_NONE), *reason ? ": " : "");
	print_safe(stdout, reason);
	putchar('\n');
}

/* "cycles: 0-3, fixed 1; takes fixed 1" */
static void print_member(const struct result *result, const struct pmuq_fit_set *set,
			 const struct pmuq_fit_event *member, bool is_first)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	const struct pmuq_encoding *encoding =
		pmuq_encodings_get(result->encodings, member->encoding);

	pq_buf_print(&text, "%s: %s", encoding->name.p,
		     member->counters.n ? member->counters.p : "not known");
	if (member->needs.n)
		pq_buf_print(&text, "; %s", member->needs.p);
	if (member->is_taken_alone)
		pq_buf_add(&text, STR("; alone"));
	if (member->counter.n && set->n_parts > 1)
		pq_buf_print(&text, "; takes %s in part %zu", member->counter.p, member->part + 1);
	else if (member->counter.n)
		pq_buf_print(&text, "; takes %s", member->counter.p);
	if (member->competes)
		pq_buf_add(&text, STR(" (competes)"));
	label_text(is_first ? "events" : "", text_or_die(&text));
}

static void print_set(const struct result *result, size_t index)
{
	const struct pmuq_fit_set *set = pmuq_fit_get(result->fit, index);
	const struct pmuq_fit_event *member;

	print_title(set);
	print_status(set->leader == SIZE_MAX ? "together" : "counts", set->counts, set->reason.p);
	if (set->opens != set->counts && set->leader != SIZE_MAX)
		print_status("opens", set->opens, "");
	for (size_t i = 0; (member = pmuq_fit_member(result->fit, index, i)); i++)
		print_member(result, set, member, i == 0);
	if (set->split.n)
		label_text(set->is_smallest ? "smallest" : "a split", set->split.p);
}

static void print_result(const struct result *result, bool is_first)
{
	if (!result->encodings) {
		encode_report_error(result);
		return;
	}
	for (size_t i = 0; pmuq_fit_get(result->fit, i); i++) {
		if (!is_first || i > 0)
			putchar('\n');
		print_set(result, i);
	}
	for (size_t i = 0; i < pmuq_encodings_count(result->encodings); i++)
		encode_print_warnings(pmuq_encodings_get(result->encodings, i), result->input);
}

const struct result_type fit_type = { .document = &fit_document, .print = print_result };
