/* SPDX-License-Identifier: MIT */
/*
 * Between the slashes of an event: events of its PMU, formats, terms that every PMU takes, and
 * values. Each is tried as a term after the existing ones; a term that needs a value is tried with
 * a value that pmuq chooses.
 */
#include "complete/completer.h"
#include "core/limits.h"
#include "core/vendor/vendor_table.h"
#include "encode/encode_lookup.h"
#include "encode/resolve/resolve.h"
#include "encode/words/generic.h"
#include "encode/words/keyword.h"
#include "encode/words/probe_terms.h"
#include <pmuq/names.h>
#include <pmuq/vendor.h>

/* ------------------------------------------------------------------------------------ whose terms
 */

static int take_first(struct pq_pmu_list list, const struct pmuq_pmu **ret)
{
	if (!list.n)
		return PQ_NONE;
	*ret = list.v[0];
	return 0;
}

/* The first PMU that the name stands for: all of them take the same terms. */
static int find_instance(struct pq_completer *c, struct pmuq_str name, const struct pmuq_pmu **ret)
{
	struct pq_wildcard wildcard = pq_wildcard_of(name, c->options.dialect == PMUQ_DIALECT_PERF);
	struct pq_pmu_list list = { 0 };
	bool is_core = str_eq(name, STR(PQ_DEFAULT_CORE));
	int r = is_core ? c->lookup.ops->core_pmus(c->lookup.self, &list, NULL)
			: c->lookup.ops->list_pmus(c->lookup.self, &list, NULL);

	while (r == 0 && !is_core && list.n && !pq_wildcard_matches(&wildcard, list.v[0]->name)) {
		list.v++;
		list.n--;
	}
	return r == 0 ? take_first(list, ret) : r;
}

/* The PMU of that name, or one that the name stands for. PQ_NONE if there is none. */
static int find_pmu(struct pq_completer *c, struct pmuq_str name, const struct pmuq_pmu **ret)
{
	int r;

	if (name.n > PQ_GLOB_MAX_BYTES)
		return PQ_NONE;
	r = c->lookup.ops->find_pmu(c->lookup.self, name, ret, NULL);
	return r == PQ_NONE ? find_instance(c, name, ret) : r;
}

/* Whether the cursor is in the term, which is then incomplete. */
static bool is_at_cursor(const struct pq_completer *c, const struct pq_term *term)
{
	return term == c->cursor.term && c->cursor.at != PMUQ_CURSOR_TERM_END;
}

static bool is_written(const struct pq_completer *c, struct pmuq_str key)
{
	for (const struct pq_term *term = c->cursor.node->terms; term; term = term->next)
		if (str_eq(term->key, key) &&
		    !(is_at_cursor(c, term) && c->cursor.at == PMUQ_CURSOR_TERM))
			return true;
	return false;
}

/* The parameters in the event's own terms that have no value in the string. */
static void add_needs(struct pq_completer *c, const struct pmuq_event *event)
{
	struct pq_term *terms = NULL;

	if (!event->terms.n || !memchr(event->terms.p, '?', event->terms.n) ||
	    pq_parse_terms(&c->scratch, event->terms, &terms, NULL) < 0)
		return;
	for (const struct pq_term *term = terms; term; term = term->next)
		if (term->type == PQ_VALUE_PARAMETER && !is_written(c, term->key) &&
		    !pq_vec_push(&c->needs, term->key))
			c->failure = -PMUQ_E_MEMORY;
}

static void add_needs_of(struct pq_completer *c, struct pmuq_str name)
{
	const struct pmuq_event *event = NULL;
	int r = c->lookup.ops->event(c->lookup.self, c->pmu, name, &event, NULL);

	pq_complete_note(c, r);
	if (r == 0)
		add_needs(c, event);
}

/* Of the events that the terms before the cursor name. */
static void find_needs(struct pq_completer *c)
{
	for (const struct pq_term *term = c->cursor.node->terms; term; term = term->next) {
		if (is_at_cursor(c, term))
			continue;
		if (term->type == PQ_VALUE_NONE)
			add_needs_of(c, term->key);
		else if (term->type == PQ_VALUE_WORD && str_eq_nocase(term->key, STR("event")))
			add_needs_of(c, term->value);
	}
}

/* Finds the first PMU that counts the generic event. PQ_NONE if no PMU counts it. */
static int find_generic(struct pq_completer *c, struct pmuq_str name, const struct pmuq_pmu **ret)
{
	struct pq_pmu_list core = { 0 };
	struct pq_generic generic;
	int r;

	if (!pq_generic_find(name, &generic))
		return PQ_NONE;
	if (generic.type == PQ_GENERIC_SOFTWARE)
		return c->lookup.ops->find_pmu(c->lookup.self, STR("software"), ret, NULL);
	r = c->lookup.ops->core_pmus(c->lookup.self, &core, NULL);
	return r == 0 ? take_first(core, ret) : r;
}

/* The PMU of NAME/…/, or the first PMU that has the event NAME. */
static int find_owner(struct pq_completer *c, struct pmuq_str name)
{
	struct pq_pmu_list owners = { 0 };
	int r = find_pmu(c, name, &c->pmu);

	/* A pattern may cause a warning, which is an error in this trial. */
	if (r == 0 && !c->options.is_strict)
		c->head = c->pmu->name;
	if (r != PQ_NONE)
		return r;
	c->names_event = true;
	r = c->lookup.ops->find_event(c->lookup.self, name, &owners, NULL);
	if (r == 0)
		r = take_first(owners, &c->pmu);
	if (r == 0)
		add_needs_of(c, name);
	return r == PQ_NONE ? find_generic(c, name, &c->pmu) : r;
}

void pq_complete_find_pmu(struct pq_completer *c)
{
	const struct pq_node *node = c->cursor.node;
	size_t from = node->tracepoint.n ? node->tracepoint_at.offset : node->name_at.offset;
	const char *slash = memchr(c->text.p + from, '/', c->text.n - from);
	int r;

	/* A breakpoint's length has a slash of its own. */
	if (node->type == PQ_NODE_BREAKPOINT && node->has_length)
		slash = memchr(slash + 1, '/', (size_t)(c->text.p + c->text.n - slash - 1));
	c->terms = str_part(c->text, (size_t)(slash - c->text.p) + 1, c->text.n);
	c->head = str_part(c->event, 0, (size_t)(slash - c->event.p));
	if (node->type != PQ_NODE_NAME)
		return;
	r = find_owner(c, node->name);
	pq_complete_note(c, r);
	if (r == 0)
		find_needs(c);
	else
		c->pmu = NULL;
}

/* So that its events and formats can be walked. */
static void load(struct pq_completer *c)
{
	int r = c->pmu ? c->lookup.ops->load(c->lookup.self, c->pmu, NULL) : 0;

	pq_complete_note(c, r);
	if (r < 0)
		c->pmu = NULL;
}

/* ---------------------------------------------------------------------------------------- trials
 */

/* The text before the word and its quote. */
static struct pmuq_str terms_before(const struct pq_completer *c)
{
	return str_part(c->terms, 0, (size_t)(c->word.p - c->terms.p) - c->cursor.is_quoted);
}

/* The event with `key` and a value instead of the word, and with values for all its parameters. */
static int try_term(struct pq_completer *c, struct pmuq_str key, const char *value)
{
	const char *quote = pq_complete_quote(c);

	pq_complete_print(c, "%.*s/%.*s%s%.*s%s%s", STR_ARG(c->head), STR_ARG(terms_before(c)),
			  quote, STR_ARG(key), quote, value);
	for (size_t i = 0; i < c->needs.n; i++)
		if (!str_eq(c->needs.v[i], key))
			pq_complete_print(
				c, pq_key_takes_text(c->needs.v[i]) ? ",%.*s='x'" : ",%.*s=1",
				STR_ARG(c->needs.v[i]));
	pq_complete_print(c, "/");
	return pq_complete_try_code(c);
}

static bool takes_value(struct pq_completer *c, struct pmuq_str key)
{
	/* One of them is valid for every term that takes a value. */
	static const char *const values[] = { "=1", "=0", "=x", "=0.5", "='x'", "=any" };

	for (size_t i = 0; i < COUNT(values); i++)
		if (try_term(c, key, values[i]) == 0)
			return true;
	return false;
}

/* With one more term of the probe: a path is incomplete without its offset. */
static bool try_probe(struct pq_completer *c, struct pmuq_str key, const char *value)
{
	const struct pq_probe_term *other;

	if (try_term(c, key, value) == 0)
		return true;
	for (size_t i = 0; (other = pq_probe_term_at(c->pmu, i)); i++) {
		bool is_right;

		if (str_eq(other->key, key) || is_written(c, other->key))
			continue;
		if (!pq_vec_push(&c->needs, other->key))
			c->failure = -PMUQ_E_MEMORY;
		is_right = try_term(c, key, value) == 0;
		c->needs.n = 0;
		if (is_right)
			return true;
	}
	return false;
}

static bool is_probe(const struct pq_completer *c)
{
	return c->pmu && pq_takes_probes(c->pmu);
}

/* ------------------------------------------------------------------------------------------ keys
 */

static bool fits(const struct pq_completer *c, struct pmuq_str name)
{
	return pq_complete_begins(c, name) && pq_complete_can_write(c, name, true);
}

static void offer_term(struct pq_completer *c, enum pmuq_candidate_type type, struct pmuq_str name,
		       struct pmuq_str about, bool is_flag)
{
	const char *quote = pq_complete_quote(c);

	if (!fits(c, name))
		return;
	if (is_flag ? try_term(c, name, "") == 0 : takes_value(c, name))
		pq_complete_offer(c, type, about, is_flag ? ",/" : "", "%s%.*s%s%s", quote,
				  STR_ARG(name), quote, is_flag ? "" : "=");
}

/* An event that needs parameters continues with them. */
static void offer_event(struct pq_completer *c, enum pmuq_candidate_type type,
			const struct pmuq_event *event, struct pmuq_str about)
{
	const char *quote = pq_complete_quote(c);
	size_t n = c->needs.n;

	if (!fits(c, event->name))
		return;
	add_needs(c, event);
	if (try_term(c, event->name, "") == 0)
		pq_complete_offer(c, type, about, "", "%s%.*s%s%s", quote, STR_ARG(event->name),
				  quote, c->needs.n > n ? "," : "/");
	c->needs.n = n;
}

/* Core PMUs count generic events. */
static void offer_generic(struct pq_completer *c)
{
	char name[PMUQ_GENERIC_NAME_MAX];
	struct pmuq_event event = { 0 };

	for (size_t i = 0; pmuq_generic_name(i, name); i++) {
		event.name = str_of(name);
		offer_event(c, PMUQ_CANDIDATE_GENERIC, &event, STR(""));
	}
}

static void offer_events(struct pq_completer *c)
{
	const struct pmuq_vendor *vendor = c->options.vendor;

	for (size_t i = 0; i < c->pmu->definition->n_events; i++)
		offer_event(c, PMUQ_CANDIDATE_EVENT, pmuq_pmu_event(c->pmu, i),
			    pmuq_pmu_event(c->pmu, i)->terms);
	/* There are many more: offered only if the word has begun. */
	if (c->word.n)
		offer_generic(c);
	for (size_t i = 0; c->word.n && vendor && i < pmuq_vendor_content(vendor)->n_events; i++) {
		const struct pmuq_vendor_event *event = pmuq_vendor_get(vendor, i);

		offer_event(c, PMUQ_CANDIDATE_VENDOR, event->event, event->description);
	}
}

static void offer_formats(struct pq_completer *c)
{
	for (size_t i = 0; i < c->pmu->definition->n_formats; i++) {
		const struct pmuq_format *format = pmuq_pmu_format(c->pmu, i);

		offer_term(c, PMUQ_CANDIDATE_FORMAT, format->name, format->text,
			   format->bits.width == 1);
	}
}

static void offer_probe_terms(struct pq_completer *c)
{
	const struct pq_probe_term *term;

	for (size_t i = 0; (term = pq_probe_term_at(c->pmu, i)); i++)
		if (fits(c, term->key) && !is_written(c, term->key) &&
		    try_probe(c, term->key, term->max_bytes ? "='x'" : "=1"))
			pq_complete_offer(c, PMUQ_CANDIDATE_PROBE, STR(""), "",
					  "%.*s=", STR_ARG(term->key));
}

static void offer_keywords(struct pq_completer *c)
{
	const char *name;
	bool takes;

	for (size_t i = 0; (name = pmuq_term_name(i, &takes)); i++)
		offer_term(c, PMUQ_CANDIDATE_TERM, str_of(name), STR(""), !takes);
}

/* The parameters that are still missing; no other term may follow an event before them. */
static void offer_needs(struct pq_completer *c)
{
	for (size_t i = 0; i < c->needs.n; i++)
		offer_term(c, PMUQ_CANDIDATE_FORMAT, c->needs.v[i], STR(""), false);
}

void pq_complete_terms(struct pq_completer *c)
{
	if (c->needs.n) {
		offer_needs(c);
		return;
	}
	load(c);
	if (c->pmu && !c->names_event && !terms_before(c).n)
		offer_events(c);
	if (c->pmu)
		offer_formats(c);
	if (c->cursor.is_quoted)
		return;
	if (is_probe(c))
		offer_probe_terms(c);
	/* There are many, and few users need them: offered only if one has begun, or if there is
	 * nothing else. */
	if (c->word.n || !c->candidates->n)
		offer_keywords(c);
	if (c->word.n && !c->candidates->n)
		pq_complete_term_end(c, c->word);
}

/* ---------------------------------------------------------------------------------------- values
 */

/* A comma or the slash after the existing term. */
void pq_complete_term_end(struct pq_completer *c, struct pmuq_str word)
{
	bool is_whole = try_term(c, word, "") == 0;

	if (!is_whole && !(is_probe(c) && try_probe(c, word, "")))
		return;
	pq_complete_offer(c, PMUQ_CANDIDATE_DELIMITER, STR(""), "", "%.*s,", STR_ARG(word));
	if (is_whole && !c->needs.n)
		pq_complete_offer(c, PMUQ_CANDIDATE_DELIMITER, STR(""), "", "%.*s/", STR_ARG(word));
}

static void offer_event_values(struct pq_completer *c)
{
	load(c);
	for (size_t i = 0; c->pmu && i < c->pmu->definition->n_events; i++) {
		const struct pmuq_event *event = pmuq_pmu_event(c->pmu, i);

		if (fits(c, event->name) && try_term(c, event->name, "") == 0)
			pq_complete_offer(c, PMUQ_CANDIDATE_EVENT, event->terms, ",/", "%.*s",
					  STR_ARG(event->name));
	}
}

static void offer_filters(struct pq_completer *c)
{
	struct pmuq_str name;

	for (size_t i = 0; (name = pq_branch_filter_at(i)).n; i++)
		if (fits(c, name) && try_term(c, name, "") == 0)
			pq_complete_offer(c, PMUQ_CANDIDATE_VALUE, STR(""), ",/", "%.*s",
					  STR_ARG(name));
}

void pq_complete_value(struct pq_completer *c)
{
	const struct pq_term *term = c->cursor.term;

	if (c->cursor.is_quoted)
		return;
	if (!term->is_quoted && str_eq(term->key, STR("branch_type")))
		offer_filters(c);
	if (c->word.n && str_eq_nocase(term->key, STR("event")))
		offer_event_values(c);
	if (c->word.n)
		pq_complete_term_end(c, c->word);
}
