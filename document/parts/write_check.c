/* SPDX-License-Identifier: MIT */
/*
 * Writes the check of a machine: each distinct open result once, with a label; then the events in
 * the order in which they were opened, with the labels of their results. Instances of a PMU with
 * the same results share an entry.
 */
#include "core/catalog/intern.h"
#include "core/instance.h"
#include "core/ranges.h"
#include "core/text/utf8.h"
#include "core/text/yaml_words.h"
#include "document/parts/parts.h"

/* Limits the search for a duplicate, which compares with each event of the run. */
#define RUN_MAX 4096u

struct label {
	const struct pmuq_open_result *result;
	struct pmuq_str base;
	size_t number; /* 1: without a number */
};

struct labels {
	struct pq_intern by_result;
	struct label *v;
	size_t n;
	bool failed;
};

static uint64_t key_of(const struct pmuq_open_result *result)
{
	return (uint64_t)(uintptr_t)result * 0x9e3779b97f4a7c15u >> 8;
}

static const struct label *find_label(const struct labels *labels,
				      const struct pmuq_open_result *result)
{
	size_t at = pq_intern_start(&labels->by_result, key_of(result));
	const struct label *label;

	while ((label = pq_intern_next(&labels->by_result, key_of(result), &at)))
		if (label->result == result)
			return label;
	return NULL;
}

/* The name of the reason, if a number appended to it cannot make it equal to another. */
static struct pmuq_str base_of(const struct pmuq_open_result *result)
{
	struct pmuq_str name = result->name;

	if (!name.n || name.n > 64 || !pq_yaml_is_plain(name) || char_is_digit(name.p[name.n - 1]))
		return pq_doc_status_word(result->status);
	return name;
}

static void add_label(struct labels *labels, const struct pmuq_open_result *result)
{
	struct label *label = &labels->v[labels->n];

	if (find_label(labels, result))
		return;
	*label = (struct label){ .result = result, .base = base_of(result), .number = 1 };
	for (size_t i = labels->n; i-- && label->number == 1;)
		if (str_eq(labels->v[i].base, label->base))
			label->number = labels->v[i].number + 1;
	labels->failed |= !pq_intern_add(&labels->by_result, key_of(result), label);
	labels->n++;
}

static struct pmuq_str label_text(const struct label *label, struct pq_buf *buf)
{
	buf->n = 0;
	pq_buf_add(buf, label->base);
	if (label->number > 1)
		pq_buf_print(buf, "-%zu", label->number);
	return pq_buf_str(buf);
}

static void write_results(struct pq_sink *sink, const struct labels *labels)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_sink_key(sink, pq_doc_check_keys[PQ_DOC_OPEN_RESULTS].name);
	pq_sink_open(sink, '{');
	for (size_t i = 0; i < labels->n; i++) {
		pq_sink_key(sink, label_text(&labels->v[i], &text));
		pq_sink_open(sink, '{');
		pq_doc_write_fields(sink, pq_doc_result_keys, PQ_DOC_RESULT_KEYS,
				    labels->v[i].result);
		pq_sink_close(sink, '}');
	}
	pq_sink_close(sink, '}');
	sink->failed |= text.failed;
}

/* -------------------------------------------------------------------------------------- runs */

/* Consecutive results of one PMU, or of the kernel's own events. */
struct check_run {
	const struct pmuq_check *check;
	size_t from, to;
};

static const struct pmuq_check_result *result_of(const struct check_run *run, size_t index)
{
	return pmuq_check_get(run->check, run->from + index);
}

static bool is_same_event(const struct pmuq_check_result *a, const struct pmuq_check_result *b)
{
	return str_eq(a->event, b->event) && str_eq(a->pmu, b->pmu);
}

/* Whether it can be in one mapping with those before it. */
static bool joins(const struct check_run *run, const struct pmuq_check_result *checked)
{
	const struct pmuq_check_result *first = result_of(run, 0);

	if (run->to - run->from == RUN_MAX || first->is_generic != checked->is_generic)
		return false;
	if (!first->is_generic && !str_eq(first->pmu, checked->pmu))
		return false;
	for (size_t i = run->from; i < run->to; i++)
		if (is_same_event(pmuq_check_get(run->check, i), checked))
			return false;
	return true;
}

static struct check_run run_from(const struct pmuq_check *check, size_t from)
{
	struct check_run run = { .check = check, .from = from, .to = from + 1 };

	while (run.to < pmuq_check_progress(check)->n_results &&
	       joins(&run, pmuq_check_get(check, run.to)))
		run.to++;
	return run;
}

/* Whether another instance has the same results. */
static bool is_alike(const struct check_run *a, const struct check_run *b)
{
	if (a->to - a->from != b->to - b->from || result_of(b, 0)->is_generic)
		return false;
	for (size_t i = 0; i < a->to - a->from; i++)
		if (result_of(a, i)->open != result_of(b, i)->open ||
		    !str_eq(result_of(a, i)->event, result_of(b, i)->event))
			return false;
	return true;
}

static void write_names(struct pq_sink *sink, struct pmuq_str base,
			const struct pq_numbers *numbers)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_ranges_print_stem(base, numbers, &text);
	sink->failed |= text.failed;
	pq_sink_key(sink, pq_doc_checked_keys[PQ_DOC_CHECKED_PMUS]);
	pq_sink_text(sink, pq_buf_str(&text));
}

/* Writes the PMU of the run, with those of the next runs that have the same results. Returns the
 * end of the last. */
static size_t write_pmus(struct pq_sink *sink, const struct check_run *run,
			 struct pq_numbers *numbers)
{
	struct pmuq_str pmu = result_of(run, 0)->pmu, base, other;
	struct check_run next = *run;

	numbers->n = 1;
	if (pq_utf8_is_text(pmu) && pq_instance_number(pmu, &base, &numbers->v[0])) {
		size_t end = run->to;

		while (end < pmuq_check_progress(run->check)->n_results &&
		       numbers->n < PQ_PMUS_MAX) {
			next = run_from(run->check, end);
			if (!is_alike(run, &next) ||
			    !pq_instance_number(result_of(&next, 0)->pmu, &other,
						&numbers->v[numbers->n]) ||
			    !str_eq(base, other))
				break;
			numbers->n++;
			end = next.to;
		}
		if (numbers->n > 1) {
			write_names(sink, base, numbers);
			return end;
		}
	}
	pq_doc_write_pair(sink, pq_doc_checked_keys[PQ_DOC_CHECKED_PMU], pmu);
	return run->to;
}

static void write_key(struct pq_sink *sink, const struct pmuq_check_result *checked)
{
	cleanup(pq_buf_free) struct pq_buf key = PQ_BUF_NULL;

	if (checked->is_generic) {
		pq_buf_add(&key, checked->pmu);
		pq_buf_char(&key, '/', 1);
	}
	pq_buf_add(&key, checked->event);
	sink->failed |= key.failed;
	pq_doc_write_name(sink, pq_buf_str(&key));
}

static void write_events(struct pq_sink *sink, const struct check_run *run,
			 const struct labels *labels)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_sink_key(sink,
		    pq_doc_checked_keys[result_of(run, 0)->is_generic ? PQ_DOC_CHECKED_GENERIC
								      : PQ_DOC_CHECKED_EVENTS]);
	pq_sink_open(sink, '{');
	for (size_t i = 0; i < run->to - run->from; i++) {
		write_key(sink, result_of(run, i));
		pq_sink_text(sink, label_text(find_label(labels, result_of(run, i)->open), &text));
	}
	pq_sink_close(sink, '}');
	sink->failed |= text.failed;
}

static void write_checked(struct pq_sink *sink, const struct pmuq_check *check,
			  const struct labels *labels, struct pq_numbers *numbers)
{
	pq_sink_key(sink, pq_doc_check_keys[PQ_DOC_CHECKED].name);
	pq_sink_open(sink, '[');
	for (size_t at = 0; at < pmuq_check_progress(check)->n_results;) {
		struct check_run run = run_from(check, at);

		pq_sink_open(sink, '{');
		at = run.to;
		if (!result_of(&run, 0)->is_generic)
			at = write_pmus(sink, &run, numbers);
		write_events(sink, &run, labels);
		pq_sink_close(sink, '}');
	}
	pq_sink_close(sink, ']');
}

void pq_doc_write_check(struct pq_sink *sink, const struct pmuq_check *check)
{
	const struct pmuq_progress *progress = pmuq_check_progress(check);
	const struct pq_doc_check record = { .kernel = progress->kernel,
					     .total = progress->n_events };
	size_t n = progress->n_results;
	auto_free struct label *memory = calloc(n + 1, sizeof(*memory));
	auto_free uint32_t *numbers = calloc(n + 1, sizeof(*numbers));
	struct labels labels = { .v = memory };
	struct pq_numbers names = { .v = numbers };

	if (!memory || !numbers) {
		sink->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		add_label(&labels, pmuq_check_get(check, i)->open);
	sink->failed |= labels.failed;
	pq_doc_write_fields(sink, pq_doc_check_keys, PQ_DOC_CHECK_KEYS, &record);
	if (!sink->failed) {
		write_results(sink, &labels);
		write_checked(sink, check, &labels, &names);
	}
	pq_intern_free(&labels.by_result);
}
