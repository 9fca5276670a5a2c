/* SPDX-License-Identifier: MIT */
/*
 * Reads the check: the distinct open results by their labels, then the events in the order in which
 * they were opened, each with the label of its result. The tables of keys are here; write_check.c
 * writes by them.
 */
#include "core/map.h"
#include "core/ranges.h"
#include "core/vec.h"
#include "document/parts/entry.h"
#include "document/parts/parts.h"

// clang-format off
const struct pq_doc_key pq_doc_check_keys[] = {
	[PQ_DOC_KERNEL] = PQ_DOC_KEY("kernel", TEXT, struct pq_doc_check, kernel),
	[PQ_DOC_TOTAL] = PQ_DOC_KEY("total", COUNT, struct pq_doc_check, total, .is_required = true),
	[PQ_DOC_OPEN_RESULTS] = { .name = STR("open_results"), .is_required = true },
	[PQ_DOC_CHECKED] = { .name = STR("checked"), .is_required = true },
};

const struct pq_doc_key pq_doc_result_keys[] = {
	PQ_DOC_KEY("status", STATUS, struct pmuq_open_result, status, .is_required = true),
	PQ_DOC_KEY("errno",  ERRNO,  struct pmuq_open_result, errnum),
	PQ_DOC_KEY("cpus",   TEXT,   struct pmuq_open_result, cpus),
	PQ_DOC_KEY("name",   TEXT,   struct pmuq_open_result, name),
	PQ_DOC_KEY("reason", TEXT,   struct pmuq_open_result, reason),
	PQ_DOC_KEY("hint",   TEXT,   struct pmuq_open_result, hint),
	PQ_DOC_KEY("change", TEXT,   struct pmuq_open_result, change),
};
// clang-format on

const struct pmuq_str pq_doc_checked_keys[] = {
	[PQ_DOC_CHECKED_PMU] = STR("pmu"),
	[PQ_DOC_CHECKED_PMUS] = STR("pmus"),
	[PQ_DOC_CHECKED_EVENTS] = STR("events"),
	[PQ_DOC_CHECKED_GENERIC] = STR("generic"),
};

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
		r = pq_doc_read_record(doc, node, pq_doc_result_keys, PQ_DOC_RESULT_KEYS,
				       &labelled->result, reterr);
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
				   "more than %u checked events: no machine has so many",
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
			   "an event of the PMU '%s', which the machine does not have", name.p);
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
	const struct pmuq_str *keys = pq_doc_checked_keys;
	const struct pq_doc_node *events = NULL;
	struct pmuq_str *names = NULL;
	size_t n = 0;
	int r = pq_entry_mapping(reader->doc, node, keys, PQ_DOC_CHECKED_GENERIC, reterr);

	if (r == 0)
		r = pq_entry_need(reader->doc, node, keys[PQ_DOC_CHECKED_EVENTS], &events, reterr);
	if (r == 0)
		r = pq_doc_read_names(reader->doc, node, keys[PQ_DOC_CHECKED_PMU],
				      keys[PQ_DOC_CHECKED_PMUS], &names, &n, reterr);
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
	const struct pmuq_str *key = &pq_doc_checked_keys[PQ_DOC_CHECKED_GENERIC];
	int r = pq_entry_list(reader->doc, checked, reterr);

	for (const struct pq_doc_node *node = checked->first; r == 0 && node; node = node->next) {
		const struct pq_doc_node *generic =
			node->type == PQ_DOC_MAPPING ? pq_entry_find(node, *key) : NULL;

		if (generic) {
			r = pq_entry_mapping(reader->doc, node, key, 1, reterr);
			if (r == 0)
				r = read_generic(reader, generic, reterr);
		} else {
			r = read_of_pmus(reader, node, reterr);
		}
	}
	return r;
}

/* The kernel of a check must be that of the facts. */
static int check_kernel(struct check_reader *reader, const struct pq_doc_node *mapping,
			struct pmuq_str of_check, struct pmuq_error **reterr)
{
	const struct pq_doc_node *node =
		pq_entry_find(mapping, pq_doc_check_keys[PQ_DOC_KERNEL].name);
	const char *kernel = pmuq_catalog_find_fact(reader->catalog, "kernel");

	if (!node == !kernel && str_eq(of_check, str_of(kernel)))
		return 0;
	return pq_doc_fail(reader->doc, node ? node->at : mapping->at, reterr, PMUQ_E_BAD_ENTRY,
			   "the check is not of the kernel of the facts");
}

static int make_check(const struct check_reader *reader, const struct pq_doc_check *record,
		      struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct pmuq_check *check = NULL;
	int r = pq_check_new(record->kernel, 0, &check, reterr);

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
	pq_check_set_total(check, record->total);
	*ret = check;
	return 0;
}

static int read_all(struct check_reader *reader, const struct pq_doc_node *node,
		    struct pmuq_check **ret, struct pmuq_error **reterr)
{
	const struct pq_doc_key *keys = pq_doc_check_keys;
	struct pq_doc_check record = { 0 };
	int r = pq_doc_read_record(reader->doc, node, keys, PQ_DOC_CHECK_KEYS, &record, reterr);

	if (r == 0)
		r = check_kernel(reader, node, record.kernel, reterr);
	if (r == 0)
		r = read_results(reader, pq_entry_find(node, keys[PQ_DOC_OPEN_RESULTS].name),
				 reterr);
	if (r == 0)
		r = read_checked(reader, pq_entry_find(node, keys[PQ_DOC_CHECKED].name), reterr);
	if (r == 0 && record.total < reader->checked.n)
		return pq_doc_fail(reader->doc, pq_entry_find(node, keys[PQ_DOC_TOTAL].name)->at,
				   reterr, PMUQ_E_BAD_ENTRY,
				   "%zu events were checked, more than 'total'", reader->checked.n);
	return r == 0 ? make_check(reader, &record, ret, reterr) : r;
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
