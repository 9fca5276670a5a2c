/* SPDX-License-Identifier: MIT */
/* Reads formats, events and caps. An event is one line, `terms | unit U | scale S | per-pkg |
 * snapshot`, or a mapping with the same values. */
#include "core/num.h"
#include "document/read/read.h"

static int check_scale(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str scale,
		       struct pmuq_error **reterr)
{
	if (str_eq(pq_num_scale_text(scale), scale))
		return 0;
	return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			   "a scale is a decimal number like 6.1e-5, and not zero");
}

static int fail_line(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str part,
		     struct pmuq_error **reterr)
{
	int r = pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
			    "'%.*s' is nothing that stands behind an event's terms",
			    (int)(part.n < 60 ? part.n : 60), part.p);

	pq_error_hint(reterr, "unit NAME, scale NUMBER, per-pkg, snapshot, each once");
	return r;
}

static bool take_word(struct pmuq_str part, struct pmuq_str word, bool *ret)
{
	if (*ret || !str_eq(part, word))
		return false;
	*ret = true;
	return true;
}

/* "unit MiB": the text after the word. */
static bool take_value(struct pmuq_str part, struct pmuq_str word, bool *ret_has,
		       struct pmuq_str *ret)
{
	if (*ret_has || !str_starts(part, word))
		return false;
	*ret = str_trim(str_part(part, word.n, part.n));
	*ret_has = ret->n > 0;
	return *ret_has;
}

static int take_part(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str part,
		     struct pmuq_event *event, struct pmuq_error **reterr)
{
	if (take_value(part, STR("unit "), &event->has_unit_file, &event->unit) ||
	    take_word(part, STR("per-pkg"), &event->is_per_pkg) ||
	    take_word(part, STR("snapshot"), &event->is_snapshot))
		return 0;
	if (take_value(part, STR("scale "), &event->has_scale_file, &event->scale))
		return check_scale(doc, node, event->scale, reterr);
	return fail_line(doc, node, part, reterr);
}

static int read_line(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_event *event,
		     struct pmuq_error **reterr)
{
	struct pmuq_str part, rest;
	bool more;
	int r = pq_entry_line(doc, node, &rest, reterr);

	if (r < 0)
		return r;
	more = str_cut(rest, '|', &part, &rest);
	event->terms = str_trim(part);
	if (more && !event->terms.n)
		return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
				   "an event without terms must be a mapping");
	while (r == 0 && more) {
		more = str_cut(rest, '|', &part, &rest);
		r = take_part(doc, node, str_trim(part), event, reterr);
	}
	return r;
}

static int read_unit_and_scale(struct pq_doc *doc, const struct pq_doc_node *mapping,
			       struct pmuq_event *event, struct pmuq_error **reterr)
{
	const struct pq_doc_node *unit = pq_entry_find(mapping, STR("unit"));
	const struct pq_doc_node *scale = pq_entry_find(mapping, STR("scale"));
	int r = 0;

	event->has_unit_file = unit != NULL;
	event->has_scale_file = scale != NULL;
	if (unit)
		r = pq_entry_text(doc, unit, &event->unit, reterr);
	if (r == 0 && scale)
		r = pq_entry_text(doc, scale, &event->scale, reterr);
	return r == 0 && scale ? check_scale(doc, scale, event->scale, reterr) : r;
}

static int read_mapping(struct pq_doc *doc, const struct pq_doc_node *node,
			struct pmuq_event *event, struct pmuq_error **reterr)
{
	static const struct pmuq_str keys[] = { STR("terms"), STR("unit"), STR("scale"),
						STR("per_pkg"), STR("snapshot") };
	const struct pq_doc_node *terms = NULL, *per_pkg, *snapshot;
	int r = pq_entry_mapping(doc, node, keys, COUNT(keys), reterr);

	if (r == 0)
		r = pq_entry_need(doc, node, STR("terms"), &terms, reterr);
	if (r == 0)
		r = pq_entry_line(doc, terms, &event->terms, reterr);
	if (r == 0)
		r = read_unit_and_scale(doc, node, event, reterr);
	per_pkg = pq_entry_find(node, STR("per_pkg"));
	snapshot = pq_entry_find(node, STR("snapshot"));
	if (r == 0 && per_pkg)
		r = pq_entry_flag(doc, per_pkg, &event->is_per_pkg, reterr);
	if (r == 0 && snapshot)
		r = pq_entry_flag(doc, snapshot, &event->is_snapshot, reterr);
	return r;
}

static int read_event(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_event *ret,
		      struct pmuq_error **reterr)
{
	struct pmuq_event event = { .unit = STR(""), .scale = STR("1") };
	int r = pq_entry_key_of_file(doc, node, &event.name, reterr);

	if (r < 0)
		return r;
	if (pq_event_is_companion(event.name))
		return pq_doc_fail(doc, node->key_at, reterr, PMUQ_E_BAD_ENTRY,
				   "'%.*s' is the name of a companion, and no event's",
				   STR_ARG(event.name));
	r = node->type == PQ_DOC_MAPPING ? read_mapping(doc, node, &event, reterr)
					 : read_line(doc, node, &event, reterr);
	if (r == 0)
		*ret = event;
	return r;
}

static int read_events(struct pq_doc *doc, const struct pq_doc_node *mapping,
		       struct pq_pmu_draft *draft, struct pmuq_error **reterr)
{
	int r = pq_entry_mapping(doc, mapping, NULL, 0, reterr);

	if (r == 0)
		r = pq_entry_array(doc, mapping, mapping->n, sizeof(*draft->events), &draft->events,
				   reterr);
	if (r < 0)
		return r;
	for (const struct pq_doc_node *node = mapping->first; r == 0 && node; node = node->next)
		r = read_event(doc, node, &draft->events[draft->n_events++], reterr);
	return r;
}

/* If a file has several lines, the last one is used; it may begin with blanks. */
static int read_format(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_format *ret,
		       struct pmuq_error **reterr)
{
	struct pmuq_format format = { 0 };
	int r = pq_entry_key_of_file(doc, node, &format.name, reterr);

	if (r == 0)
		r = pq_entry_file(doc, node, &format.text, reterr);
	if (r < 0)
		return r;
	if (format.text.n && memchr(format.text.p, '\n', format.text.n))
		return pq_doc_fail(doc, node->at, reterr, PMUQ_E_BAD_ENTRY,
				   "'%.*s': a format is one line", STR_ARG(format.name));
	*ret = format;
	return 0;
}

static int read_formats(struct pq_doc *doc, const struct pq_doc_node *mapping,
			struct pq_pmu_draft *draft, struct pmuq_error **reterr)
{
	int r = pq_entry_mapping(doc, mapping, NULL, 0, reterr);

	if (r == 0)
		r = pq_entry_array(doc, mapping, mapping->n, sizeof(*draft->formats),
				   &draft->formats, reterr);
	if (r < 0)
		return r;
	for (const struct pq_doc_node *node = mapping->first; r == 0 && node; node = node->next)
		r = read_format(doc, node, &draft->formats[draft->n_formats++], reterr);
	return r;
}

int pq_doc_read_pairs(struct pq_doc *doc, const struct pq_doc_node *mapping, struct pmuq_pair **ret,
		      size_t *ret_n, struct pmuq_error **reterr)
{
	struct pmuq_pair *pairs = NULL;
	size_t n = 0;
	int r = pq_entry_mapping(doc, mapping, NULL, 0, reterr);

	if (r == 0)
		r = pq_entry_array(doc, mapping, mapping->n, sizeof(*pairs), &pairs, reterr);
	if (r < 0)
		return r;
	for (const struct pq_doc_node *node = mapping->first; r == 0 && node; node = node->next) {
		r = pq_entry_key_of_file(doc, node, &pairs[n].name, reterr);
		if (r == 0)
			r = pq_entry_file(doc, node, &pairs[n++].text, reterr);
	}
	*ret = pairs;
	*ret_n = n;
	return r;
}

int pq_doc_read_definition(struct pq_doc *doc, const struct pq_doc_node *pmu,
			   struct pq_pmu_draft *draft, struct pmuq_error **reterr)
{
	const struct pq_doc_node *formats = pq_entry_find(pmu, STR("formats"));
	const struct pq_doc_node *events = pq_entry_find(pmu, STR("events"));
	const struct pq_doc_node *caps = pq_entry_find(pmu, STR("caps"));
	int r = 0;

	if (formats)
		r = read_formats(doc, formats, draft, reterr);
	if (r == 0 && events)
		r = read_events(doc, events, draft, reterr);
	if (r == 0 && caps)
		r = pq_doc_read_pairs(doc, caps, &draft->caps, &draft->n_caps, reterr);
	return r;
}
