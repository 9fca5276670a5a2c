/* SPDX-License-Identifier: MIT */
/* The answer of `pmuq check` as schemas/check.schema.json has it. */
#include "cli/events/check_output.h"
#include <inttypes.h>

static void write_count_of(struct pq_sink *doc, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	doc_key(doc, key);
	pq_sink_bare(doc, str_of(text));
}

static void write_claim(struct pq_sink *doc, const char *key, bool value)
{
	doc_key(doc, key);
	pq_sink_bool(doc, value);
}

/* Beside what the kernel said: why, as names that programs may switch on. */
static void write_diagnosis(struct pq_sink *doc, const struct answer *answer, size_t index)
{
	const struct pmuq_open_results *verdicts = answer->verdicts;
	const struct pmuq_attr *changed = pmuq_open_results_get(verdicts, index)->changed_attr;

	if (!pmuq_open_results_get(verdicts, index)->name.p)
		return;
	doc_key(doc, "diagnosis");
	doc_open(doc, '{');
	doc_text(doc, "name", pmuq_open_results_get(verdicts, index)->name.p);
	doc_key(doc, "steps");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_open_results_get(verdicts, index)->n_steps; i++)
		doc_string(doc, pmuq_open_results_get(verdicts, index)->steps[i].p);
	doc_close(doc, ']');
	if (changed) {
		doc_key(doc, "changed_attr_hex");
		pq_sink_hex(doc, changed, changed->size ? changed->size : PMUQ_ATTR_SIZE_MAX);
	}
	doc_close(doc, '}');
}

/* An event that opened otherwise than asked for says so. */
static void write_note(struct pq_sink *doc, const struct answer *answer, size_t index)
{
	if (pmuq_open_results_get(answer->verdicts, index)->status == PMUQ_OPENED)
		doc_text_if(doc, "note", pmuq_open_results_get(answer->verdicts, index)->hint.p);
}

static void write_count(struct pq_sink *doc, const struct check_answer *check, size_t index)
{
	const struct pmuq_count *count = pmuq_counts_get(check->counts, index);

	doc_key(doc, "count");
	doc_open(doc, '{');
	doc_text(doc, "status", pmuq_counting_name(count->status));
	if (count->is_read) {
		write_count_of(doc, "value", count->value);
		write_count_of(doc, "scaled", count->scaled);
		write_count_of(doc, "time_enabled_ns", count->time_enabled_ns);
		write_count_of(doc, "time_running_ns", count->time_running_ns);
	} else if (count->errnum) {
		write_count_of(doc, "errno", (uint64_t)count->errnum);
		doc_text(doc, "errno_name", pmuq_errno_name(count->errnum));
	}
	doc_close(doc, '}');
}

static void write_page(struct pq_sink *doc, const struct check_answer *check, size_t index)
{
	const struct pmuq_page *page = pmuq_counts_get(check->counts, index)->page;

	if (!page)
		return;
	doc_key(doc, "page");
	doc_open(doc, '{');
	write_claim(doc, "is_mapped", !page->errnum);
	write_claim(doc, "cap_user_rdpmc", page->has_rdpmc);
	write_claim(doc, "cap_user_time", page->has_time);
	write_claim(doc, "cap_user_time_zero", page->has_time_zero);
	write_count_of(doc, "index", page->index);
	write_count_of(doc, "pmc_width", page->width_bits);
	write_claim(doc, "is_read", page->is_read);
	doc_text_if(doc, "reason", page->reason.p);
	if (page->is_read) {
		write_count_of(doc, "value", page->value);
		write_count_of(doc, "time_enabled_ns", page->time_enabled_ns);
		write_count_of(doc, "time_running_ns", page->time_running_ns);
	}
	doc_close(doc, '}');
}

static void write_encoding(struct pq_sink *doc, const struct check_answer *check, size_t index)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(check->answer->encodings, index);

	doc_open(doc, '{');
	doc_text(doc, "name", encoding->name.p);
	doc_key(doc, "pmu");
	doc_string_or_null(doc, encoding->pmu.p);
	doc_text(doc, "cpus", encoding->cpus.p);
	encode_kind.write_more(doc, check->answer, index);
	write_diagnosis(doc, check->answer, index);
	write_note(doc, check->answer, index);
	if (check->counts) {
		write_count(doc, check, index);
		write_page(doc, check, index);
	}
	doc_close(doc, '}');
}

static void write_members(struct pq_sink *doc, const struct check_answer *check, size_t leader,
			  size_t part)
{
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_encodings_count(check->answer->encodings); i++)
		if (check_is_member(check, i, leader) &&
		    (part == SIZE_MAX || pmuq_counts_get(check->counts, i)->subgroup == part))
			pq_sink_number(doc, (int64_t)i);
	doc_close(doc, ']');
}

static void write_group(struct pq_sink *doc, const struct check_answer *check,
			const struct check_group *group)
{
	doc_open(doc, '{');
	doc_text(doc, "name", group->name);
	write_count_of(doc, "leader", group->leader);
	doc_key(doc, "members");
	write_members(doc, check, group->leader, SIZE_MAX);
	write_claim(doc, "opens", group->opens);
	if (group->is_counted) {
		write_claim(doc, "fits", group->breaker == SIZE_MAX);
		if (group->breaker != SIZE_MAX)
			write_count_of(doc, "breaker", group->breaker);
		doc_key(doc, "parts");
		doc_open(doc, '[');
		for (size_t part = 0; part < group->parts; part++)
			write_members(doc, check, group->leader, part);
		doc_close(doc, ']');
	}
	doc_close(doc, '}');
}

void check_write(struct pq_sink *doc, const struct check_answer *check)
{
	const struct answer *answer = check->answer;
	struct check_group group;

	if (!answer->encodings) {
		encode_write_document(doc, answer, &encode_kind);
		return;
	}
	doc_open(doc, '{');
	doc_text(doc, "input", answer->input);
	write_claim(doc, "ok", true);
	doc_key(doc, "encodings");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_encodings_count(answer->encodings); i++)
		write_encoding(doc, check, i);
	doc_close(doc, ']');
	doc_key(doc, "groups");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_encodings_count(answer->encodings); i++)
		if (check_group_of(check, i, &group))
			write_group(doc, check, &group);
	doc_close(doc, ']');
	doc_close(doc, '}');
}

static void write_limit(struct pq_sink *doc, const char *key, uint64_t limit)
{
	if (limit != UINT64_MAX) {
		write_count_of(doc, key, limit);
		return;
	}
	doc_key(doc, key);
	pq_sink_null(doc);
}

void check_write_budget(struct pq_sink *doc, const struct pmuq_budget *budget)
{
	auto_free char *text = pmuq_budget_text(budget);

	doc_open(doc, '{');
	write_count_of(doc, "needed", budget->needed);
	write_count_of(doc, "in_use", budget->in_use);
	write_limit(doc, "limit", budget->limit);
	write_limit(doc, "hard_limit", budget->hard_limit);
	write_claim(doc, "fits", pmuq_budget_fits(budget));
	doc_text_if(doc, "text", text);
	doc_close(doc, '}');
}
