/* SPDX-License-Identifier: MIT */
/*
 * What the kernel said of the events, in the order in which it was asked: replies that are alike
 * once, each with a label; boxes that were answered alike in one.
 */
#include "core/catalog/check.h"
#include "core/catalog/intern.h"
#include "core/instance.h"
#include "core/ranges.h"
#include "core/text/utf8.h"
#include "core/text/yaml_words.h"
#include "document/write/write.h"

/* A run is looked through for each of its events. */
#define RUN_MAX 4096u

struct label {
	const struct pmuq_open_result *reply;
	struct pmuq_str base;
	size_t number; /* 1: the base alone */
};

struct labels {
	struct pq_intern by_reply;
	struct label *v;
	size_t n;
	bool failed;
};

static struct pmuq_str status_word(enum pmuq_open_status status)
{
	switch (status) {
	case PMUQ_OPENED:
		return STR("opened");
	case PMUQ_REFUSED:
		return STR("refused");
	case PMUQ_SKIPPED:
		return STR("skipped");
	}
	return STR("skipped");
}

static uint64_t key_of(const struct pmuq_open_result *reply)
{
	return (uint64_t)(uintptr_t)reply * 0x9e3779b97f4a7c15u >> 8;
}

static const struct label *find_label(const struct labels *labels,
				      const struct pmuq_open_result *reply)
{
	size_t at = pq_intern_start(&labels->by_reply, key_of(reply));
	const struct label *label;

	while ((label = pq_intern_next(&labels->by_reply, key_of(reply), &at)))
		if (label->reply == reply)
			return label;
	return NULL;
}

/* The reason's name, where it is a word that no number behind it can make another's. */
static struct pmuq_str base_of(const struct pmuq_open_result *reply)
{
	struct pmuq_str name = reply->name;

	if (!name.n || name.n > 64 || !pq_yaml_is_plain(name) || char_is_digit(name.p[name.n - 1]))
		return status_word(reply->status);
	return name;
}

static void add_label(struct labels *labels, const struct pmuq_open_result *reply)
{
	struct label *label = &labels->v[labels->n];

	if (find_label(labels, reply))
		return;
	*label = (struct label){ .reply = reply, .base = base_of(reply), .number = 1 };
	for (size_t i = labels->n; i-- && label->number == 1;)
		if (str_eq(labels->v[i].base, label->base))
			label->number = labels->v[i].number + 1;
	labels->failed |= !pq_intern_add(&labels->by_reply, key_of(reply), label);
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

static void write_text(struct pq_sink *sink, struct pmuq_str key, struct pmuq_str text)
{
	if (text.p)
		pq_doc_write_pair(sink, key, text);
}

static void write_reply(struct pq_sink *sink, const struct pmuq_open_result *reply)
{
	pq_sink_open(sink, '{');
	pq_doc_write_pair(sink, STR("status"), status_word(reply->status));
	if (reply->errnum) {
		pq_sink_key(sink, STR("errno"));
		pq_sink_count(sink, (uint64_t)reply->errnum);
	}
	write_text(sink, STR("cpus"), reply->cpus);
	write_text(sink, STR("name"), reply->name);
	write_text(sink, STR("reason"), reply->reason);
	write_text(sink, STR("hint"), reply->hint);
	write_text(sink, STR("change"), reply->change);
	pq_sink_close(sink, '}');
}

static void write_replies(struct pq_sink *sink, const struct labels *labels)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_sink_key(sink, STR("open_results"));
	pq_sink_open(sink, '{');
	for (size_t i = 0; i < labels->n; i++) {
		pq_sink_key(sink, label_text(&labels->v[i], &text));
		write_reply(sink, labels->v[i].reply);
	}
	pq_sink_close(sink, '}');
	sink->failed |= text.failed;
}

/* -------------------------------------------------------------------------------------- runs */

/* Answers that follow each other: of one PMU, or about the kernel's own events. */
struct run {
	const struct pmuq_check *check;
	size_t from, to;
};

static const struct pmuq_check_result *answer_of(const struct run *run, size_t index)
{
	return pmuq_check_get(run->check, run->from + index);
}

static bool is_same_event(const struct pmuq_check_result *a, const struct pmuq_check_result *b)
{
	return str_eq(a->event, b->event) && str_eq(a->pmu, b->pmu);
}

/* Whether it can stand in a mapping with those before it. */
static bool joins(const struct run *run, const struct pmuq_check_result *answer)
{
	const struct pmuq_check_result *first = answer_of(run, 0);

	if (run->to - run->from == RUN_MAX || first->is_generic != answer->is_generic)
		return false;
	if (!first->is_generic && !str_eq(first->pmu, answer->pmu))
		return false;
	for (size_t i = run->from; i < run->to; i++)
		if (is_same_event(pmuq_check_get(run->check, i), answer))
			return false;
	return true;
}

static struct run run_from(const struct pmuq_check *check, size_t from)
{
	struct run run = { .check = check, .from = from, .to = from + 1 };

	while (run.to < pmuq_check_progress(check)->n_results &&
	       joins(&run, pmuq_check_get(check, run.to)))
		run.to++;
	return run;
}

/* Whether another box was answered the same. */
static bool is_alike(const struct run *a, const struct run *b)
{
	if (a->to - a->from != b->to - b->from || answer_of(b, 0)->is_generic)
		return false;
	for (size_t i = 0; i < a->to - a->from; i++)
		if (answer_of(a, i)->open != answer_of(b, i)->open ||
		    !str_eq(answer_of(a, i)->event, answer_of(b, i)->event))
			return false;
	return true;
}

static void write_names(struct pq_sink *sink, struct pmuq_str base,
			const struct pq_numbers *numbers)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_ranges_print_stem(base, numbers, &text);
	sink->failed |= text.failed;
	pq_sink_key(sink, STR("pmus"));
	pq_sink_text(sink, pq_buf_str(&text));
}

/* The PMUs of the run and of those behind it that are alike: puts out where those end. */
static size_t write_pmus(struct pq_sink *sink, const struct run *run, struct pq_numbers *numbers)
{
	struct pmuq_str pmu = answer_of(run, 0)->pmu, base, other;
	struct run next = *run;

	numbers->n = 1;
	if (pq_utf8_is_text(pmu) && pq_instance_number(pmu, &base, &numbers->v[0])) {
		size_t end = run->to;

		while (end < pmuq_check_progress(run->check)->n_results &&
		       numbers->n < PQ_PMUS_MAX) {
			next = run_from(run->check, end);
			if (!is_alike(run, &next) ||
			    !pq_instance_number(answer_of(&next, 0)->pmu, &other,
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
	pq_doc_write_pair(sink, STR("pmu"), pmu);
	return run->to;
}

static void write_key(struct pq_sink *sink, const struct pmuq_check_result *answer)
{
	cleanup(pq_buf_free) struct pq_buf key = PQ_BUF_NULL;

	if (answer->is_generic) {
		pq_buf_add(&key, answer->pmu);
		pq_buf_char(&key, '/', 1);
	}
	pq_buf_add(&key, answer->event);
	sink->failed |= key.failed;
	pq_doc_write_name(sink, pq_buf_str(&key));
}

static void write_events(struct pq_sink *sink, const struct run *run, const struct labels *labels)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_sink_key(sink, answer_of(run, 0)->is_generic ? STR("generic") : STR("events"));
	pq_sink_open(sink, '{');
	for (size_t i = 0; i < run->to - run->from; i++) {
		write_key(sink, answer_of(run, i));
		pq_sink_text(sink, label_text(find_label(labels, answer_of(run, i)->open), &text));
	}
	pq_sink_close(sink, '}');
	sink->failed |= text.failed;
}

static void write_answers(struct pq_sink *sink, const struct pmuq_check *check,
			  const struct labels *labels, struct pq_numbers *numbers)
{
	pq_sink_key(sink, STR("checked"));
	pq_sink_open(sink, '[');
	for (size_t at = 0; at < pmuq_check_progress(check)->n_results;) {
		struct run run = run_from(check, at);

		pq_sink_open(sink, '{');
		at = run.to;
		if (!answer_of(&run, 0)->is_generic)
			at = write_pmus(sink, &run, numbers);
		write_events(sink, &run, labels);
		pq_sink_close(sink, '}');
	}
	pq_sink_close(sink, ']');
}

void pq_doc_write_check(struct pq_sink *sink, const struct pmuq_check *check)
{
	size_t n = pmuq_check_progress(check)->n_results;
	auto_free struct label *room = calloc(n + 1, sizeof(*room));
	auto_free uint32_t *numbers = calloc(n + 1, sizeof(*numbers));
	struct labels labels = { .v = room };
	struct pq_numbers names = { .v = numbers };

	if (!room || !numbers) {
		sink->failed = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		add_label(&labels, pmuq_check_get(check, i)->open);
	sink->failed |= labels.failed;
	pq_sink_key(sink, STR("check"));
	pq_sink_open(sink, '{');
	if (pmuq_check_progress(check)->kernel.p)
		pq_doc_write_pair(sink, STR("kernel"),
				  str_of(pmuq_check_progress(check)->kernel.p));
	pq_sink_key(sink, STR("total"));
	pq_sink_count(sink, pmuq_check_progress(check)->n_events);
	if (!sink->failed) {
		write_replies(sink, &labels);
		write_answers(sink, check, &labels, &names);
	}
	pq_sink_close(sink, '}');
	pq_intern_free(&labels.by_reply);
}
