/* SPDX-License-Identifier: MIT */
/*
 * Reads the check: the distinct open results by their labels, then the events in the order in which
 * they were opened, each with the label of its result.
 */
#include "core/map.h"
#include "core/ranges.h"
#include "core/vec.h"
#include "document/read/read.h"
#include <limits.h>

/* An event on one PMU: an entry of the document names several events, and may name several PMUs. */
#define CHECKED_MAX 1000000u

struct labelled_result {
	struct pmuq_str label;
	struct pmuq_open_result result;
};

struct checked_event {
	struct pmuq_str pmu, event;
	const struct labelled_result *result;
	bool is_generic;
};

struct check_reader {
	struct pq_doc *doc;
	const struct pmuq_catalog *catalog;
	struct labelled_result *results;
	size_t n_results;
	struct pq_map by_label;
	struct {
		PQ_VEC(struct checked_event);
	} checked;
};

static int read_status(struct pq_doc *doc, const struct pq_doc_node *node,
		       enum pmuq_open_status *ret, struct pmuq_error **reterr)
{
	static const struct {
		struct pmuq_str word;
		enum pmuq_open_status status;
	} words[] = {
		{ STR("opened"), PMUQ_OPENED },
		{ STR("refused"), PMUQ_REFUSED },
		{ STR("skipped"), PMUQ_SKIPPED },
	};

	for (size_t i = 0; i < COUNT(words); i++) {
		if (!str_eq(node->text, words[i].word))
			continue;
		*ret = words[i].status;
		return 0;
	}
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "'status' takes opened, refused or skipped");
}

static int read_texts(struct pq_doc *doc, const struct pq_doc_node *node,
		      struct pmuq_open_result *result, struct pmuq_error **reterr)
{
	const struct {
		struct pmuq_str key;
		struct pmuq_str *text;
	} texts[] = {
		{ STR("cpus"), &result->cpus },	    { STR("name"), &result->name },
		{ STR("reason"), &result->reason }, { STR("hint"), &result->hint },
		{ STR("change"), &result->change },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < COUNT(texts); i++) {
		const struct pq_doc_node *text = pq_entry_find(node, texts[i].key);

		if (text)
			r = pq_entry_text(doc, text, texts[i].text, reterr);
	}
	return r;
}

static int read_result(struct pq_doc *doc, const struct pq_doc_node *node,
		       struct pmuq_open_result *result, struct pmuq_error **reterr)
{
	static const struct pmuq_str keys[] = { STR("status"), STR("errno"),  STR("cpus"),
						STR("name"),   STR("reason"), STR("hint"),
						STR("change") };
	const struct pq_doc_node *status = NULL, *errnum;
	uint64_t number = 0;
	int r = pq_entry_mapping(doc, node, keys, COUNT(keys), reterr);

	if (r == 0)
		r = pq_entry_need(doc, node, STR("status"), &status, reterr);
	if (r == 0)
		r = read_status(doc, status, &result->status, reterr);
	if (r < 0)
		return r;
	errnum = pq_entry_find(node, STR("errno"));
	if (errnum)
		r = pq_entry_number(doc, errnum, INT_MAX, &number, reterr);
	result->errnum = (int)number;
	return r == 0 ? read_texts(doc, node, result, reterr) : r;
}

static int read_results(struct check_reader *reader, const struct pq_doc_node *results,
			struct pmuq_error **reterr)
{
	struct pq_doc *doc = reader->doc;
	int r = pq_entry_mapping(doc, results, NULL, 0, reterr);

	if (r == 0)
		r = pq_entry_array(doc, results, results->n, sizeof(*reader->results),
				   &reader->results, reterr);
	if (r < 0)
		return r;
	for (const struct pq_doc_node *node = results->first; r == 0 && node; node = node->next) {
		struct labelled_result *labelled = &reader->results[reader->n_results++];

		labelled->label = node->key;
		r = read_result(doc, node, &labelled->result, reterr);
	}
	if (r == 0 && !pq_map_build(&doc->arena, PQ_NAMED(reader->results, label),
				    reader->n_results, &reader->by_label))
		return pq_fail_memory(reterr);
	return r;
}

static int find_result(struct check_reader *reader, const struct pq_doc_node *node,
		       const struct labelled_result **ret, struct pmuq_error **reterr)
{
	*ret = pq_map_find(&reader->by_label, PQ_NAMED(reader->results, label),
			   node->text.p ? node->text : STR(""));
	if (*ret)
		return 0;
	return pq_doc_fail(reader->doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "'%.*s' takes the label of one of the open results", STR_ARG(node->key));
}

static int add_checked(struct check_reader *reader, const struct pq_doc_node *node,
		       const struct checked_event *event, struct pmuq_error **reterr)
{
	if (reader->checked.n == CHECKED_MAX)
		return pq_doc_fail(reader->doc, node->at, reterr, PMUQ_E_DOCUMENT_LIMIT,
				   "more than %u checked: no machine has so many events",
				   CHECKED_MAX);
	return pq_vec_push(&reader->checked, *event) ? 0 : pq_fail_memory(reterr);
}

static int check_pmu(struct check_reader *reader, struct pmuq_str pmu, struct pq_doc_location at,
		     struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf name = PQ_BUF_NULL;

	pq_buf_add(&name, pmu);
	pq_buf_char(&name, '\0', 1);
	if (name.failed)
		return pq_fail_memory(reterr);
	if (pmuq_catalog_find_pmu(reader->catalog, name.p))
		return 0;
	return pq_doc_fail(reader->doc, at, reterr, PMUQ_E_BAD_ENTRY,
			   "an event about the PMU '%s', which is none of the machine", name.p);
}

static int read_events(struct check_reader *reader, const struct pq_doc_node *events,
		       struct pmuq_str pmu, struct pmuq_error **reterr)
{
	int r = pq_entry_mapping(reader->doc, events, NULL, 0, reterr);

	for (const struct pq_doc_node *node = events->first; r == 0 && node; node = node->next) {
		struct checked_event event = { .pmu = pmu };

		r = pq_entry_key_of_file(reader->doc, node, &event.event, reterr);
		if (r == 0)
			r = find_result(reader, node, &event.result, reterr);
		if (r == 0)
			r = add_checked(reader, node, &event, reterr);
	}
	return r;
}

/* Each key is PMU/EVENT. */
static int read_generic(struct check_reader *reader, const struct pq_doc_node *generic,
			struct pmuq_error **reterr)
{
	int r = pq_entry_mapping(reader->doc, generic, NULL, 0, reterr);

	for (const struct pq_doc_node *node = generic->first; r == 0 && node; node = node->next) {
		struct checked_event event = { .is_generic = true };
		struct pmuq_str key;

		r = pq_entry_key(reader->doc, node, &key, reterr);
		if (r == 0 && (!str_cut(key, '/', &event.pmu, &event.event) || !event.event.n))
			return pq_doc_fail(reader->doc, node->key_at, reterr, PMUQ_E_BAD_ENTRY,
					   "'%.*s' is not PMU/EVENT", STR_ARG(node->key));
		if (r == 0)
			r = check_pmu(reader, event.pmu, node->key_at, reterr);
		if (r == 0)
			r = find_result(reader, node, &event.result, reterr);
		if (r == 0)
			r = add_checked(reader, node, &event, reterr);
	}
	return r;
}

static int read_of_pmus(struct check_reader *reader, const struct pq_doc_node *node,
			struct pmuq_error **reterr)
{
	static const struct pmuq_str keys[] = { STR("pmu"), STR("pmus"), STR("events") };
	const struct pq_doc_node *events = NULL;
	struct pmuq_str *names = NULL;
	size_t n = 0;
	int r = pq_entry_mapping(reader->doc, node, keys, COUNT(keys), reterr);

	if (r == 0)
		r = pq_entry_need(reader->doc, node, keys[2], &events, reterr);
	if (r == 0)
		r = pq_doc_read_names(reader->doc, node, keys[0], keys[1], &names, &n, reterr);
	if (r == 0 && !n)
		return pq_doc_fail(reader->doc, node->at, reterr, PMUQ_E_MISSING_KEY,
				   "an entry of 'checked' needs a key 'pmu', 'pmus' or 'generic'");
	for (size_t i = 0; r == 0 && i < n; i++) {
		r = check_pmu(reader, names[i], node->at, reterr);
		if (r == 0)
			r = read_events(reader, events, names[i], reterr);
	}
	return r;
}

static int read_checked(struct check_reader *reader, const struct pq_doc_node *checked,
			struct pmuq_error **reterr)
{
	static const struct pmuq_str keys[] = { STR("generic") };
	int r = pq_entry_list(reader->doc, checked, reterr);

	for (const struct pq_doc_node *node = checked->first; r == 0 && node; node = node->next) {
		const struct pq_doc_node *generic =
			node->type == PQ_DOC_MAPPING ? pq_entry_find(node, keys[0]) : NULL;

		if (generic) {
			r = pq_entry_mapping(reader->doc, node, keys, COUNT(keys), reterr);
			if (r == 0)
				r = read_generic(reader, generic, reterr);
		} else {
			r = read_of_pmus(reader, node, reterr);
		}
	}
	return r;
}

/* The kernel and the PMUs of a check must be those of its machine. */
static int check_kernel(struct check_reader *reader, const struct pq_doc_node *mapping,
			struct pmuq_str *ret, struct pmuq_error **reterr)
{
	const struct pq_doc_node *node = pq_entry_find(mapping, STR("kernel"));
	const char *kernel = pmuq_catalog_find_fact(reader->catalog, "kernel");
	int r = node ? pq_entry_text(reader->doc, node, ret, reterr) : 0;

	if (r < 0 || (!node == !kernel && str_eq(*ret, str_of(kernel))))
		return r;
	return pq_doc_fail(reader->doc, node ? node->at : mapping->at, reterr, PMUQ_E_BAD_ENTRY,
			   "the check is not of the kernel of the facts");
}

static int make_check(const struct check_reader *reader, struct pmuq_str kernel, uint64_t total,
		      struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct pmuq_check *check = NULL;
	int r = pq_check_new(kernel, 0, &check, reterr);

	for (size_t i = 0; r == 0 && i < reader->checked.n; i++)
		r = pq_check_expect(check, reader->checked.v[i].pmu, reader->checked.v[i].event,
				    reader->checked.v[i].is_generic, reterr);
	if (r == 0)
		r = pq_check_index(check, reterr);
	for (size_t i = 0; r == 0 && i < reader->checked.n; i++)
		r = pq_check_add(check, &reader->checked.v[i].result->result, reterr);
	if (r < 0) {
		pmuq_check_free(check);
		return r;
	}
	pq_check_set_total(check, total);
	*ret = check;
	return 0;
}

static int read_all(struct check_reader *reader, const struct pq_doc_node *node,
		    struct pmuq_check **ret, struct pmuq_error **reterr)
{
	static const struct pmuq_str keys[] = { STR("kernel"), STR("total"), STR("open_results"),
						STR("checked") };
	const struct pq_doc_node *total = NULL, *results = NULL, *checked = NULL;
	struct pq_doc *doc = reader->doc;
	struct pmuq_str kernel = { 0 };
	uint64_t number = 0;
	int r = pq_entry_mapping(doc, node, keys, COUNT(keys), reterr);

	if (r == 0)
		r = check_kernel(reader, node, &kernel, reterr);
	if (r == 0)
		r = pq_entry_need(doc, node, STR("total"), &total, reterr);
	if (r == 0)
		r = pq_entry_number(doc, total, INT32_MAX, &number, reterr);
	if (r == 0)
		r = pq_entry_need(doc, node, STR("open_results"), &results, reterr);
	if (r == 0)
		r = read_results(reader, results, reterr);
	if (r == 0)
		r = pq_entry_need(doc, node, STR("checked"), &checked, reterr);
	if (r == 0)
		r = read_checked(reader, checked, reterr);
	if (r == 0 && number < reader->checked.n)
		return pq_doc_fail(doc, total->at, reterr, PMUQ_E_BAD_ENTRY,
				   "%zu events were checked, more than 'total'",
				   reader->checked.n);
	return r == 0 ? make_check(reader, kernel, number, ret, reterr) : r;
}

int pq_doc_read_check(struct pq_doc *doc, const struct pq_doc_node *node,
		      const struct pmuq_catalog *catalog, struct pmuq_check **ret,
		      struct pmuq_error **reterr)
{
	struct check_reader reader = { .doc = doc, .catalog = catalog };
	int r = read_all(&reader, node, ret, reterr);

	pq_vec_free(&reader.checked);
	return r;
}
