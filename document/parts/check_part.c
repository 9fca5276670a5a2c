/* SPDX-License-Identifier: MIT */
/*
 * The check of a machine: the distinct open results, each once under a label; then the events in
 * the order in which they were opened, each with the label of its result. Instances of a PMU with
 * the same results share an entry.
 */
#include "core/catalog/intern.h"
#include "core/instance.h"
#include "core/limits.h"
#include "core/map.h"
#include "core/ranges.h"
#include "core/text/utf8.h"
#include "core/text/yaml_words.h"
#include "core/vec.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"

struct check_record {
	struct pmuq_str kernel;
	uint64_t total;
};

enum {
	KERNEL,
	TOTAL,
	OPEN_RESULTS,
	CHECKED,
};

// clang-format off
static const struct pq_doc_key check_keys[] = {
	[KERNEL] = PQ_DOC_KEY("kernel", TEXT, struct check_record, kernel),
	[TOTAL] = PQ_DOC_KEY("total", COUNT, struct check_record, total, .is_required = true),
	[OPEN_RESULTS] = { .name = STR("open_results"), .is_required = true },
	[CHECKED] = { .name = STR("checked"), .is_required = true },
};

static const struct pq_doc_key result_keys[] = {
	PQ_DOC_KEY("status", STATUS, struct pmuq_open_result, status, .is_required = true),
	PQ_DOC_KEY("errno",  ERRNO,  struct pmuq_open_result, errnum),
	PQ_DOC_KEY("cpus",   TEXT,   struct pmuq_open_result, cpus),
	PQ_DOC_KEY("name",   TEXT,   struct pmuq_open_result, name),
	PQ_DOC_KEY("reason", TEXT,   struct pmuq_open_result, reason),
	PQ_DOC_KEY("hint",   TEXT,   struct pmuq_open_result, hint),
	PQ_DOC_KEY("change", TEXT,   struct pmuq_open_result, change),
};
// clang-format on

/* The keys of an entry of `checked`. */
enum {
	PMU,
	PMUS,
	EVENTS,
	GENERIC, /* instead of all keys above */
};

static const struct pmuq_str checked_keys[] = {
	[PMU] = STR("pmu"),
	[PMUS] = STR("pmus"),
	[EVENTS] = STR("events"),
	[GENERIC] = STR("generic"),
};

/* ---- read */

struct labelled_result {
	struct pmuq_str label;
	struct pmuq_open_result result;
};

struct check_reader {
	struct pq_doc *doc;
	const struct pmuq_catalog *catalog;
	struct labelled_result *results;
	size_t n_results;
	struct pq_map by_label;
	PQ_VEC(struct pmuq_check_result) checked;
};

static void read_results(struct check_reader *reader, const struct pq_doc_node *results)
{
	struct pq_doc *doc = reader->doc;
	const struct pq_doc_node *node = pq_entry_of_mapping(doc, results);

	reader->results = pq_entry_array(doc, results, results->n, sizeof(*reader->results));
	for (; reader->results && node; node = pq_entry_after(doc, node)) {
		struct labelled_result *labelled = &reader->results[reader->n_results++];

		labelled->label = node->key;
		pq_doc_read_record(doc, node, result_keys, COUNT(result_keys), &labelled->result);
	}
	if (doc->r == 0 && !pq_map_build(&doc->arena, PQ_NAMED(reader->results, label),
					 reader->n_results, &reader->by_label))
		pq_doc_fail_memory(doc);
}

/* The value of the entry is the label of the event's result. */
static void add_checked(struct check_reader *reader, const struct pq_doc_node *node,
			struct pmuq_check_result event)
{
	const struct labelled_result *labelled =
		pq_map_find(&reader->by_label, PQ_NAMED(reader->results, label),
			    node->text.p ? node->text : STR(""));

	event.open = labelled ? &labelled->result : NULL;
	if (!labelled)
		pq_doc_fail(reader->doc, node->at, PMUQ_E_BAD_ENTRY,
			    "'%.*s' takes the label of one of the open results",
			    STR_ARG(node->key));
	if (reader->checked.n == PQ_DOCUMENT_RESULTS_MAX)
		pq_doc_fail(reader->doc, node->at, PMUQ_E_DOCUMENT_LIMIT,
			    "more than %u checked events: no machine has so many",
			    PQ_DOCUMENT_RESULTS_MAX);
	else if (!pq_vec_push(&reader->checked, event))
		pq_doc_fail_memory(reader->doc);
}

static void check_pmu(struct check_reader *reader, struct pmuq_str pmu, struct pq_doc_location at)
{
	cleanup(pq_buf_free) struct pq_buf name = PQ_BUF_NULL;

	pq_buf_add(&name, pmu);
	pq_buf_char(&name, '\0', 1);
	if (name.failed)
		pq_doc_fail_memory(reader->doc);
	else if (!pmuq_catalog_find_pmu(reader->catalog, name.p))
		pq_doc_fail(reader->doc, at, PMUQ_E_BAD_ENTRY,
			    "an event of the PMU '%s', which the machine does not have", name.p);
}

static void read_events(struct check_reader *reader, const struct pq_doc_node *events,
			struct pmuq_str pmu)
{
	const struct pq_doc_node *node = pq_entry_of_mapping(reader->doc, events);

	for (; node; node = pq_entry_after(reader->doc, node))
		add_checked(reader, node,
			    (struct pmuq_check_result){
				    .pmu = pmu, .event = pq_entry_key_of_file(reader->doc, node) });
}

/* Each key is PMU/EVENT. */
static void read_generic(struct check_reader *reader, const struct pq_doc_node *generic)
{
	const struct pq_doc_node *node = pq_entry_of_mapping(reader->doc, generic);

	for (; node; node = pq_entry_after(reader->doc, node)) {
		struct pmuq_check_result event = { .is_generic = true };

		if (!str_cut(pq_entry_key(reader->doc, node), '/', &event.pmu, &event.event) ||
		    !event.event.n)
			pq_doc_fail(reader->doc, node->key_at, PMUQ_E_BAD_ENTRY,
				    "'%.*s' is not PMU/EVENT", STR_ARG(node->key));
		check_pmu(reader, event.pmu, node->key_at);
		add_checked(reader, node, event);
	}
}

/* An entry of `checked`: events of PMUs, or generic events. */
static void read_entry(struct check_reader *reader, const struct pq_doc_node *node)
{
	const struct pq_doc_node *generic = pq_entry_find(node, checked_keys[GENERIC]), *events;
	struct pq_doc_names names;

	if (generic) {
		pq_entry_check_keys(reader->doc, node, &checked_keys[GENERIC], 1);
		read_generic(reader, generic);
		return;
	}
	pq_entry_check_keys(reader->doc, node, checked_keys, GENERIC);
	events = pq_entry_need(reader->doc, node, checked_keys[EVENTS]);
	names = pq_doc_read_names(reader->doc, node, checked_keys[PMU], checked_keys[PMUS]);
	if (!names.n)
		pq_doc_fail(reader->doc, node->at, PMUQ_E_MISSING_KEY,
			    "an entry of 'checked' needs a key 'pmu', 'pmus' or 'generic'");
	for (size_t i = 0; reader->doc->r == 0 && i < names.n; i++) {
		check_pmu(reader, names.v[i], node->at);
		read_events(reader, events, names.v[i]);
	}
}

static void read_checked(struct check_reader *reader, const struct pq_doc_node *checked)
{
	const struct pq_doc_node *node = pq_entry_of_list(reader->doc, checked);

	for (; node; node = pq_entry_after(reader->doc, node))
		read_entry(reader, node);
}

/* The kernel of a check must be that of the facts. */
static void check_kernel(struct check_reader *reader, const struct pq_doc_node *mapping,
			 struct pmuq_str of_check)
{
	const struct pq_doc_node *node = pq_entry_find(mapping, check_keys[KERNEL].name);
	const char *kernel = pmuq_catalog_find_fact(reader->catalog, "kernel");

	if (!node != !kernel || !str_eq(of_check, str_of(kernel)))
		pq_doc_fail(reader->doc, node ? node->at : mapping->at, PMUQ_E_BAD_ENTRY,
			    "the check is not of the kernel of the facts");
}

static struct pmuq_check *make_check(const struct check_reader *reader,
				     const struct check_record *record)
{
	struct pq_doc *doc = reader->doc;
	struct pmuq_check *check = NULL;

	if (doc->r == 0)
		doc->r = pq_check_new(record->kernel, 0, &check, doc->reterr);
	if (doc->r == 0)
		doc->r = pq_check_fill(check, reader->checked.v, reader->checked.n, doc->reterr);
	if (doc->r == 0)
		pq_check_set_total(check, record->total);
	else
		pmuq_check_free(move(check));
	return check;
}

struct pmuq_check *pq_doc_read_check(struct pq_doc *doc, const struct pq_doc_node *node,
				     const struct pmuq_catalog *catalog)
{
	struct check_reader reader = { .doc = doc, .catalog = catalog };
	struct check_record record = { 0 };
	struct pmuq_check *check;

	pq_doc_read_record(doc, node, check_keys, COUNT(check_keys), &record);
	check_kernel(&reader, node, record.kernel);
	read_results(&reader, pq_entry_need(doc, node, check_keys[OPEN_RESULTS].name));
	read_checked(&reader, pq_entry_need(doc, node, check_keys[CHECKED].name));
	if (record.total < reader.checked.n)
		pq_doc_fail(doc, pq_entry_need(doc, node, check_keys[TOTAL].name)->at,
			    PMUQ_E_BAD_ENTRY, "%zu events were checked, more than 'total'",
			    reader.checked.n);
	check = make_check(&reader, &record);
	pq_vec_free(&reader.checked);
	return check;
}

/* ---- write: labels */

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
};

/* A check stores equal results once, so their addresses identify them. */
static const struct label *find_label(const struct labels *labels,
				      const struct pmuq_open_result *result)
{
	return pq_intern_get(&labels->by_result, pq_intern_key(result));
}

/* The name of the reason, if a number appended to it cannot make it equal to another. */
static struct pmuq_str base_of(const struct pmuq_open_result *result)
{
	struct pmuq_str name = result->name;

	if (!name.n || name.n > 64 || !pq_yaml_is_plain(name) || char_is_digit(name.p[name.n - 1]))
		return pq_doc_status_word(result->status);
	return name;
}

/* The array has capacity for all results. False: out of memory. */
static bool add_label(struct labels *labels, const struct pmuq_open_result *result)
{
	struct label *label = &labels->v[labels->n];

	if (find_label(labels, result))
		return true;
	*label = (struct label){ .result = result, .base = base_of(result), .number = 1 };
	for (size_t i = labels->n; i-- && label->number == 1;)
		if (str_eq(labels->v[i].base, label->base))
			label->number = labels->v[i].number + 1;
	labels->n++;
	return pq_intern_add(&labels->by_result, pq_intern_key(result), label);
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

	pq_sink_key(sink, check_keys[OPEN_RESULTS].name);
	pq_sink_open(sink, '{');
	for (size_t i = 0; i < labels->n; i++) {
		pq_sink_key(sink, label_text(&labels->v[i], &text));
		pq_sink_open(sink, '{');
		pq_doc_write_fields(sink, result_keys, COUNT(result_keys), labels->v[i].result);
		pq_sink_close(sink, '}');
	}
	pq_sink_close(sink, '}');
	sink->failed |= text.failed;
}

/* ---- write: runs */

/* Consecutive results of one PMU, or of the kernel's own events. */
struct check_run {
	const struct pmuq_check *check;
	size_t from, to;
};

static const struct pmuq_check_result *result_of(const struct check_run *run, size_t index)
{
	return pmuq_check_get(run->check, run->from + index);
}

/* Whether it can be in one mapping with the results before it. */
static bool joins(const struct check_run *run, const struct pmuq_check_result *checked)
{
	const struct pmuq_check_result *first = result_of(run, 0);

	if (run->to - run->from == RUN_MAX || first->is_generic != checked->is_generic)
		return false;
	if (!first->is_generic && !str_eq(first->pmu, checked->pmu))
		return false;
	for (size_t i = run->from; i < run->to; i++) {
		const struct pmuq_check_result *other = pmuq_check_get(run->check, i);

		if (str_eq(other->event, checked->event) && str_eq(other->pmu, checked->pmu))
			return false;
	}
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

/* Writes the PMU of the run, with those of the next runs that have the same results. Returns the
 * end of the last. */
static size_t write_pmus(struct pq_sink *sink, const struct check_run *run,
			 struct pq_numbers *numbers)
{
	cleanup(pq_buf_free) struct pq_buf names = PQ_BUF_NULL;
	struct pmuq_str pmu = result_of(run, 0)->pmu, base, other;
	size_t end = run->to;

	numbers->n = pq_utf8_is_text(pmu) && pq_instance_number(pmu, &base, &numbers->v[0]);
	while (numbers->n && numbers->n < PQ_PMUS_MAX &&
	       end < pmuq_check_progress(run->check)->n_results) {
		struct check_run next = run_from(run->check, end);

		if (!is_alike(run, &next) ||
		    !pq_instance_number(result_of(&next, 0)->pmu, &other,
					&numbers->v[numbers->n]) ||
		    !str_eq(base, other))
			break;
		numbers->n++;
		end = next.to;
	}
	if (numbers->n > 1) {
		pq_ranges_print_stem(base, numbers, &names);
		pq_sink_key(sink, checked_keys[PMUS]);
		pq_sink_text(sink, pq_buf_str(&names));
	} else {
		pq_doc_write_pair(sink, checked_keys[PMU], pmu);
	}
	sink->failed |= names.failed;
	return end;
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

static void write_run(struct pq_sink *sink, const struct check_run *run,
		      const struct labels *labels)
{
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;

	pq_sink_key(sink, checked_keys[result_of(run, 0)->is_generic ? GENERIC : EVENTS]);
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
	pq_sink_key(sink, check_keys[CHECKED].name);
	pq_sink_open(sink, '[');
	for (size_t at = 0; at < pmuq_check_progress(check)->n_results;) {
		struct check_run run = run_from(check, at);

		pq_sink_open(sink, '{');
		at = run.to;
		if (!result_of(&run, 0)->is_generic)
			at = write_pmus(sink, &run, numbers);
		write_run(sink, &run, labels);
		pq_sink_close(sink, '}');
	}
	pq_sink_close(sink, ']');
}

void pq_doc_write_check(struct pq_sink *sink, const struct pmuq_check *check)
{
	const struct pmuq_progress *progress = pmuq_check_progress(check);
	const struct check_record record = { .kernel = progress->kernel,
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
		sink->failed |= !add_label(&labels, pmuq_check_get(check, i)->open);
	pq_doc_write_fields(sink, check_keys, COUNT(check_keys), &record);
	if (!sink->failed) {
		write_results(sink, &labels);
		write_checked(sink, check, &labels, &names);
	}
	pq_intern_free(&labels.by_result);
}
