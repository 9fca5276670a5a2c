/* SPDX-License-Identifier: MIT */
/* The check: replies by label, and the answers in the order in which they were given. */
#include "core/map.h"
#include "core/ranges.h"
#include "core/vec.h"
#include "document/read/read.h"
#include <limits.h>

/* An answer is a line of the document, or one of a line's boxes. */
#define ANSWERS_MAX 1000000u

struct labelled {
	struct pmuq_str label;
	struct pmuq_open_result reply;
};

struct answer {
	struct pmuq_str pmu, event;
	const struct labelled *reply;
	bool is_generic;
};

struct reading {
	struct pq_doc *doc;
	const struct pmuq_catalog *catalog;
	struct labelled *replies;
	size_t n_replies;
	struct pq_map by_label;
	struct {
		PQ_VEC(struct answer);
	} answers;
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
		      struct pmuq_open_result *reply, struct pmuq_error **reterr)
{
	const struct {
		struct pmuq_str key;
		struct pmuq_str *text;
	} texts[] = {
		{ STR("cpus"), &reply->cpus },	   { STR("name"), &reply->name },
		{ STR("reason"), &reply->reason }, { STR("hint"), &reply->hint },
		{ STR("change"), &reply->change },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < COUNT(texts); i++) {
		const struct pq_doc_node *text = pq_entry_find(node, texts[i].key);

		if (text)
			r = pq_entry_text(doc, text, texts[i].text, reterr);
	}
	return r;
}

static int read_reply(struct pq_doc *doc, const struct pq_doc_node *node,
		      struct pmuq_open_result *reply, struct pmuq_error **reterr)
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
		r = read_status(doc, status, &reply->status, reterr);
	if (r < 0)
		return r;
	errnum = pq_entry_find(node, STR("errno"));
	if (errnum)
		r = pq_entry_number(doc, errnum, INT_MAX, &number, reterr);
	reply->errnum = (int)number;
	return r == 0 ? read_texts(doc, node, reply, reterr) : r;
}

static int read_replies(struct reading *reading, const struct pq_doc_node *replies,
			struct pmuq_error **reterr)
{
	struct pq_doc *doc = reading->doc;
	int r = pq_entry_mapping(doc, replies, NULL, 0, reterr);

	if (r == 0)
		r = pq_entry_array(doc, replies, replies->n, sizeof(*reading->replies),
				   &reading->replies, reterr);
	if (r < 0)
		return r;
	for (const struct pq_doc_node *node = replies->first; r == 0 && node; node = node->next) {
		struct labelled *labelled = &reading->replies[reading->n_replies++];

		labelled->label = node->key;
		r = read_reply(doc, node, &labelled->reply, reterr);
	}
	if (r == 0 && !pq_map_build(&doc->arena, PQ_NAMED(reading->replies, label),
				    reading->n_replies, &reading->by_label))
		return pq_fail_memory(reterr);
	return r;
}

static int find_reply(struct reading *reading, const struct pq_doc_node *node,
		      const struct labelled **ret, struct pmuq_error **reterr)
{
	*ret = pq_map_find(&reading->by_label, PQ_NAMED(reading->replies, label),
			   node->text.p ? node->text : STR(""));
	if (*ret)
		return 0;
	return pq_doc_fail(reading->doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "'%.*s' takes the label of one of the open results", STR_ARG(node->key));
}

static int add_answer(struct reading *reading, const struct pq_doc_node *node,
		      const struct answer *answer, struct pmuq_error **reterr)
{
	if (reading->answers.n == ANSWERS_MAX)
		return pq_doc_fail(reading->doc, node->at, reterr, PMUQ_E_DOCUMENT_LIMIT,
				   "more than %u answers: no machine has so many events",
				   ANSWERS_MAX);
	return pq_vec_push(&reading->answers, *answer) ? 0 : pq_fail_memory(reterr);
}

static int check_pmu(struct reading *reading, struct pmuq_str pmu, struct pq_doc_location at,
		     struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf name = PQ_BUF_NULL;

	pq_buf_add(&name, pmu);
	pq_buf_char(&name, '\0', 1);
	if (name.failed)
		return pq_fail_memory(reterr);
	if (pmuq_catalog_find_pmu(reading->catalog, name.p))
		return 0;
	return pq_doc_fail(reading->doc, at, reterr, PMUQ_E_BAD_ENTRY,
			   "an answer about the PMU '%s', which is none of the machine", name.p);
}

static int read_events(struct reading *reading, const struct pq_doc_node *events,
		       struct pmuq_str pmu, struct pmuq_error **reterr)
{
	int r = pq_entry_mapping(reading->doc, events, NULL, 0, reterr);

	for (const struct pq_doc_node *node = events->first; r == 0 && node; node = node->next) {
		struct answer answer = { .pmu = pmu };

		r = pq_entry_key_of_file(reading->doc, node, &answer.event, reterr);
		if (r == 0)
			r = find_reply(reading, node, &answer.reply, reterr);
		if (r == 0)
			r = add_answer(reading, node, &answer, reterr);
	}
	return r;
}

/* Each key is PMU/EVENT. */
static int read_generic(struct reading *reading, const struct pq_doc_node *generic,
			struct pmuq_error **reterr)
{
	int r = pq_entry_mapping(reading->doc, generic, NULL, 0, reterr);

	for (const struct pq_doc_node *node = generic->first; r == 0 && node; node = node->next) {
		struct answer answer = { .is_generic = true };
		struct pmuq_str key;

		r = pq_entry_key(reading->doc, node, &key, reterr);
		if (r == 0 && (!str_cut(key, '/', &answer.pmu, &answer.event) || !answer.event.n))
			return pq_doc_fail(reading->doc, node->key_at, reterr, PMUQ_E_BAD_ENTRY,
					   "'%.*s' is not PMU/EVENT", STR_ARG(node->key));
		if (r == 0)
			r = check_pmu(reading, answer.pmu, node->key_at, reterr);
		if (r == 0)
			r = find_reply(reading, node, &answer.reply, reterr);
		if (r == 0)
			r = add_answer(reading, node, &answer, reterr);
	}
	return r;
}

static int read_of_pmus(struct reading *reading, const struct pq_doc_node *node,
			struct pmuq_error **reterr)
{
	static const struct pmuq_str keys[] = { STR("pmu"), STR("pmus"), STR("events") };
	const struct pq_doc_node *events = NULL;
	struct pmuq_str *names = NULL;
	size_t n = 0;
	int r = pq_entry_mapping(reading->doc, node, keys, COUNT(keys), reterr);

	if (r == 0)
		r = pq_entry_need(reading->doc, node, keys[2], &events, reterr);
	if (r == 0)
		r = pq_doc_read_names(reading->doc, node, keys[0], keys[1], &names, &n, reterr);
	if (r == 0 && !n)
		return pq_doc_fail(reading->doc, node->at, reterr, PMUQ_E_MISSING_KEY,
				   "an entry of 'checked' needs a key 'pmu', 'pmus' or 'generic'");
	for (size_t i = 0; r == 0 && i < n; i++) {
		r = check_pmu(reading, names[i], node->at, reterr);
		if (r == 0)
			r = read_events(reading, events, names[i], reterr);
	}
	return r;
}

static int read_answers(struct reading *reading, const struct pq_doc_node *answers,
			struct pmuq_error **reterr)
{
	static const struct pmuq_str keys[] = { STR("generic") };
	int r = pq_entry_list(reading->doc, answers, reterr);

	for (const struct pq_doc_node *node = answers->first; r == 0 && node; node = node->next) {
		const struct pq_doc_node *generic =
			node->type == PQ_DOC_MAPPING ? pq_entry_find(node, keys[0]) : NULL;

		if (generic) {
			r = pq_entry_mapping(reading->doc, node, keys, COUNT(keys), reterr);
			if (r == 0)
				r = read_generic(reading, generic, reterr);
		} else {
			r = read_of_pmus(reading, node, reterr);
		}
	}
	return r;
}

/* A check knows of its machine the kernel and the PMUs. */
static int check_kernel(struct reading *reading, const struct pq_doc_node *mapping,
			struct pmuq_str *ret, struct pmuq_error **reterr)
{
	const struct pq_doc_node *node = pq_entry_find(mapping, STR("kernel"));
	const char *kernel = pmuq_catalog_find_fact(reading->catalog, "kernel");
	int r = node ? pq_entry_text(reading->doc, node, ret, reterr) : 0;

	if (r < 0 || (!node == !kernel && str_eq(*ret, str_of(kernel))))
		return r;
	return pq_doc_fail(reading->doc, node ? node->at : mapping->at, reterr, PMUQ_E_BAD_ENTRY,
			   "the check is not of the kernel of the facts");
}

static int make_check(const struct reading *reading, struct pmuq_str kernel, uint64_t total,
		      struct pmuq_check **ret, struct pmuq_error **reterr)
{
	struct pmuq_check *check = NULL;
	int r = pq_check_new(kernel, 0, &check, reterr);

	for (size_t i = 0; r == 0 && i < reading->answers.n; i++)
		r = pq_check_expect(check, reading->answers.v[i].pmu, reading->answers.v[i].event,
				    reading->answers.v[i].is_generic, reterr);
	if (r == 0)
		r = pq_check_index(check, reterr);
	for (size_t i = 0; r == 0 && i < reading->answers.n; i++)
		r = pq_check_add(check, &reading->answers.v[i].reply->reply, reterr);
	if (r < 0) {
		pmuq_check_free(check);
		return r;
	}
	pq_check_set_total(check, total);
	*ret = check;
	return 0;
}

static int read_all(struct reading *reading, const struct pq_doc_node *node,
		    struct pmuq_check **ret, struct pmuq_error **reterr)
{
	static const struct pmuq_str keys[] = { STR("kernel"), STR("total"), STR("open_results"),
						STR("checked") };
	const struct pq_doc_node *total = NULL, *replies = NULL, *answers = NULL;
	struct pq_doc *doc = reading->doc;
	struct pmuq_str kernel = { 0 };
	uint64_t number = 0;
	int r = pq_entry_mapping(doc, node, keys, COUNT(keys), reterr);

	if (r == 0)
		r = check_kernel(reading, node, &kernel, reterr);
	if (r == 0)
		r = pq_entry_need(doc, node, STR("total"), &total, reterr);
	if (r == 0)
		r = pq_entry_number(doc, total, INT32_MAX, &number, reterr);
	if (r == 0)
		r = pq_entry_need(doc, node, STR("open_results"), &replies, reterr);
	if (r == 0)
		r = read_replies(reading, replies, reterr);
	if (r == 0)
		r = pq_entry_need(doc, node, STR("checked"), &answers, reterr);
	if (r == 0)
		r = read_answers(reading, answers, reterr);
	if (r == 0 && number < reading->answers.n)
		return pq_doc_fail(doc, total->at, reterr, PMUQ_E_BAD_ENTRY,
				   "there are %zu answers, more than 'total' says",
				   reading->answers.n);
	return r == 0 ? make_check(reading, kernel, number, ret, reterr) : r;
}

int pq_doc_read_check(struct pq_doc *doc, const struct pq_doc_node *node,
		      const struct pmuq_catalog *catalog, struct pmuq_check **ret,
		      struct pmuq_error **reterr)
{
	struct reading reading = { .doc = doc, .catalog = catalog };
	int r = read_all(&reading, node, ret, reterr);

	pq_vec_free(&reading.answers);
	return r;
}
